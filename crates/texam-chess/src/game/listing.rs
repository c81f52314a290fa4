//! Games as rows of a list, and the words that find them in it.
//!
//! `texam games` and the list of the screen show the same fields of a [`GameHead`] and filter by the same
//! [`GameFilter`]. A list may have a hundred thousand games, so a row is not stored: its fields are taken
//! from the head when the row is shown.

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use super::{GameHead, player::folded};

impl GameHead {
    /// Four digits of the date, such as 1948; none if the year is not known.
    pub fn year(&self) -> Option<&str> {
        let mut numbers = self.date.split(|letter: char| !letter.is_ascii_digit());
        numbers.find(|number| number.len() == 4)
    }

    /// The first moves in standard algebraic notation, a text for each, numbered where a reader expects it:
    /// `1.e4`, `e5`, `2.Nf3`.
    pub fn opening(&self, plies: usize) -> Vec<String> {
        let numbered = |(at, (before, mv)): (usize, (Chess, Move))| {
            let number = move_number(before.fullmoves().get(), before.turn(), at == 0);
            format!("{number}{}", SanPlus::from_move(before, mv))
        };
        self.moves().take(plies).enumerate().map(numbered).collect()
    }
}

/// The number before a move, with its dots: where White moves, and before the first move that is shown.
pub fn move_number(number: u32, mover: Color, is_first: bool) -> String {
    match mover {
        Color::White => format!("{number}."),
        Color::Black if is_first => format!("{number}..."),
        Color::Black => String::new(),
    }
}

/// Words that all must occur in a game: in the players, event, year or result, or as its whole number. Case
/// does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameFilter {
    words: Vec<String>,
}

impl GameFilter {
    /// A filter by the words of a text. No words match every game.
    pub fn new(text: &str) -> GameFilter {
        GameFilter { words: text.split_whitespace().map(folded).collect() }
    }

    /// Whether every word occurs in the game.
    pub fn matches(&self, head: &GameHead) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let GameHead { number, white, black, event, .. } = head;
        let year = head.year().unwrap_or_default();
        let text = folded(&format!("{white}\n{black}\n{event}\n{year}\n{}", head.result));
        let number = number.to_string();
        self.words.iter().all(|word| text.contains(word) || *word == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameOptions, Games, collect};

    fn heads(pgn: &'static str) -> Vec<GameHead> {
        let games = Games::from_reader(pgn.as_bytes(), "a.pgn").unwrap();
        collect(games, &GameOptions::default(), 1, &mut |_| {}).unwrap().games
    }

    const TWO_GAMES: &str = "[Event \"Moskva Wch\"]\n[White \"Keres, Paul\"]\n[Black \"Reshevsky\"]\n[Date \"1948.??.??\"]\n\n\
                             1. e4 e5 2. Nf3 Nc6 0-1\n\n[White \"A\"]\n[Black \"B\"]\n\n1. d4 1/2-1/2\n\n\
                             [White \"Müller\"]\n[Date \"01.05.1951\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 1-0";

    #[test]
    fn all_words_must_occur_in_any_case_and_anywhere() {
        let games = heads(TWO_GAMES);
        let found = |words: &str| -> Vec<u32> {
            let filter = GameFilter::new(words);
            games.iter().filter(|game| filter.matches(game)).map(|game| game.number).collect()
        };
        assert_eq!(found(""), [1, 3], "the drawn game has a number, but no row");
        assert_eq!(found("keres 1948 MOSKVA"), [1]);
        assert_eq!(found("paul resh 0-1"), [1]);
        assert_eq!(found("keres 1951"), [0; 0]);
        assert_eq!((found("MÜLLER"), found("mu\u{308}ller")), (vec![3], vec![3]));
        assert_eq!(found("3"), [3], "the number of the game");
        assert_eq!(found("05"), [0; 0], "months are not searched");
    }

    #[test]
    fn the_fields_of_a_row_are_those_of_the_game() {
        let [first, second] = heads(TWO_GAMES).try_into().unwrap();
        assert_eq!((first.year(), &*first.result.to_string()), (Some("1948"), "0-1"));
        assert_eq!((second.year(), &*second.result.to_string()), (Some("1951"), "1-0"));
        assert_eq!(first.opening(3), ["1.e4", "e5", "2.Nf3"]);
        assert_eq!(first.opening(9).len(), 4, "no more than there are");
        assert_eq!(second.opening(2), ["30...Kd7", "31.e4"]);
    }

    #[test]
    fn a_date_without_a_year_has_none() {
        let games = heads("[Date \"????.??.??\"]\n\n1. e4 1-0\n\n1. e4 1-0");
        assert!(games.iter().all(|game| game.year().is_none()));
    }
}
