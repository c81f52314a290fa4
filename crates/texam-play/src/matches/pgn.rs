//! Games as PGN. They have no dates, so that the same games give the same bytes.

use std::fmt::Write;

use shakmaty::{Chess, EnPassantMode, Position, fen::Fen, san::SanPlus};
use strum::VariantArray;

use super::{outcome::Outcome, play::PlayedGame, runner::Pair, score::Tally};
use texam_chess::{
    error::{Error, Result},
    printable::one_line,
};

/// Largest width of a line of moves, in characters.
const WIDTH: usize = 100;

/// A tag: its name and its value.
pub type Tag = (&'static str, String);

/// What a match is, as the tags of its games say: they are compared before it goes on.
#[derive(Debug, Clone, Default)]
pub struct MatchTags {
    /// Names of the first and the second player.
    pub names: [String; 2],
    /// Of each player, such as the digest of its weights. The colour that it has in a game stands before the
    /// name.
    pub of_players: [Vec<Tag>; 2],
    /// Of the match, such as the nodes of a move.
    pub of_match: Vec<Tag>,
}

impl MatchTags {
    /// Names of the players of a game, and the tags of the match in it. In the first game of a pair the first
    /// player has White.
    fn of_game(&self, is_first: bool) -> ([&str; 2], Vec<(String, &str)>) {
        let sides = if is_first { [0, 1] } else { [1, 0] };
        let of_side = |(side, colour): (usize, &'static str)| {
            self.of_players[side].iter().map(move |(name, value)| (format!("{colour}{name}"), &**value))
        };
        let players = sides.into_iter().zip(["White", "Black"]).flat_map(of_side);
        let of_match = self.of_match.iter().map(|(name, value)| ((*name).to_string(), &**value));
        (sides.map(|side| &*self.names[side]), players.chain(of_match).collect())
    }
}

/// The two games of a pair.
pub fn pair(pair: &Pair, tags: &MatchTags) -> String {
    let games = pair.games.iter().zip(1..);
    games
        .map(|(game, number)| text(game, &format!("{}.{number}", pair.number), tags.of_game(number == 1)))
        .collect()
}

fn text(game: &PlayedGame, round: &str, ([white, black], more): ([&str; 2], Vec<(String, &str)>)) -> String {
    let result: &str = game.outcome.into();
    let fen = Fen::from_position(&game.start, EnPassantMode::Legal).to_string();
    let mut text = String::new();
    for (name, value) in [
        ("Event", "texam match"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", round),
        ("White", white),
        ("Black", black),
        ("Result", result),
        ("SetUp", "1"),
        ("FEN", &fen),
        ("Termination", game.reason.into()),
    ] {
        text.push_str(&tag(name, value));
    }
    more.iter().for_each(|(name, value)| text.push_str(&tag(name, value)));
    text.push('\n');
    let mut column = 0;
    for word in movetext(game).into_iter().chain([result.to_string()]) {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push_str("\n\n");
    text
}

/// The result of the games that a match has saved, from the view of the first player.
///
/// # Errors
///
/// The text is not a sequence of pairs of games of this match, from these openings.
pub fn tally(text: &str, tags: &MatchTags, openings: &[Chess]) -> Result<Tally> {
    let mut tally = Tally::default();
    let games: Vec<&str> = text.split_inclusive("[Event \"texam match\"]\n").skip(1).collect();
    for (index, pair) in games.chunks(2).enumerate() {
        let mut outcomes = Vec::new();
        for (number, game) in pair.iter().enumerate() {
            let ([white, black], of_match) = tags.of_game(number == 0);
            let in_game = |error: Error| error.in_game(2 * index + number + 1);
            of_match.iter().try_for_each(|(name, value)| check_tag(game, name, value)).map_err(in_game)?;
            let is_here = |name: &str, value: &str| game.contains(&tag(name, value));
            let opening =
                openings.get(index).map(|start| Fen::from_position(start, EnPassantMode::Legal).to_string());
            let is_expected = is_here("Round", &format!("{}.{}", index + 1, number + 1))
                && is_here("White", white)
                && is_here("Black", black)
                && opening.is_none_or(|fen| is_here("FEN", &fen));
            let outcome = Outcome::VARIANTS.iter().find(|&outcome| is_here("Result", outcome.into()));
            match outcome {
                Some(&outcome) if is_expected => outcomes.push(outcome),
                _ => {
                    let expected = "the games of this match: the same players, openings and seed";
                    return Err(in_game(Error::expected(expected, "another")));
                }
            }
        }
        let [first, second] = outcomes[..] else {
            return Err(Error::expected("pairs of games", "one game without its second").in_game(games.len()));
        };
        tally.add([first, second]);
    }
    Ok(tally)
}

/// Checks a tag of a game.
fn check_tag(game: &str, name: &str, value: &str) -> Result<()> {
    if game.contains(&tag(name, value)) {
        return Ok(());
    }
    let start = format!("[{name} \"");
    let found = game.lines().find_map(|line| line.strip_prefix(&*start)?.strip_suffix("\"]"));
    let found = found.map_or("a game without this tag".to_string(), |found| format!("{found:?}"));
    let advice = "another match cannot be gone on with: give it a file of its own";
    Err(Error::expected(
        format!("the tag {name} with {value:?}, as this match has it"),
        format!("{found}; {advice}"),
    ))
}

/// A line of a tag.
fn tag(name: &str, value: &str) -> String {
    let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// The moves in standard algebraic notation, with their numbers.
fn movetext(game: &PlayedGame) -> Vec<String> {
    let mut position = game.start.clone();
    let mut words = Vec::new();
    for &mv in &game.moves {
        let mut word = String::new();
        let number = position.fullmoves();
        // Writing to a string cannot fail.
        let _ = match (position.turn().is_white(), words.is_empty()) {
            (true, _) => write!(word, "{number}. "),
            (false, true) => write!(word, "{number}... "),
            (false, false) => Ok(()),
        };
        let _ = write!(word, "{}", SanPlus::from_move_and_play_unchecked(&mut position, mv));
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::outcome::{Outcome, Reason};
    use shakmaty::{Chess, uci::UciMove};
    use texam_chess::game::{Entry, Games};

    fn game(fen: &str, moves: &str, outcome: Outcome, reason: Reason) -> PlayedGame {
        let start: Chess = texam_chess::fen::parse(fen).unwrap();
        let mut position = start.clone();
        let mut played = Vec::new();
        for uci in moves.split_whitespace() {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            played.push(mv);
        }
        PlayedGame { start, moves: played, outcome, reason }
    }

    #[test]
    fn a_written_game_is_read_back_as_the_same_game() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mate = game(start, "f2f3 e7e5 g2g4 d8h4", Outcome::Black, Reason::Mate);
        let black_first = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let other = game(black_first, "f7f6 d2d4 g7g5 d1h5", Outcome::White, Reason::Mate);
        let pair = Pair { number: 7, games: [mate.clone(), other.clone()] };
        let names = ["a \"quoted\" name".to_string(), "b".to_string()];
        let text = super::pair(&pair, &MatchTags { names, ..MatchTags::default() });
        assert!(text.contains("[Round \"7.2\"]") && text.contains("1... f6 2. d4 g5 3. Qh5# 1-0"), "{text}");
        let read: Vec<_> = Games::from_reader(std::io::Cursor::new(text), "test")
            .unwrap()
            .map(|entry| match entry.unwrap() {
                Entry::Decisive(game) => game,
                Entry::Skipped(skipped) => panic!("{}", skipped.error),
            })
            .collect();
        assert_eq!(read.len(), 2);
        for (read, written) in read.iter().zip([mate, other]) {
            assert_eq!((&read.played.start, &read.played.moves), (&written.start, &written.moves));
        }
        assert_eq!((read[0].black.as_str(), read[1].white.as_str()), ("b", "b"));
    }

    #[test]
    fn no_line_of_moves_is_wider_than_it_may_be() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(20);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let long = game(start, &there_and_back, Outcome::Draw, Reason::Repetition);
        let text = text(&long, "1.1", (["a", "b"], vec![]));
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert!(text.ends_with(" 1/2-1/2\n\n"));
    }
}
