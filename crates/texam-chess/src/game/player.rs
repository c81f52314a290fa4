//! The games of one player, who is named by part of his name.
//!
//! A file may spell a name in several ways. Names are those of one player if the family names are equal and
//! the other names agree as far as both have them, by their first letters where one has no more:
//! `Fischer, Robert James`, `Fischer, R.` and `Robert Fischer`. Upper and lower case are the same.

use std::collections::BTreeMap;

use shakmaty::Color;
use unicode_normalization::UnicodeNormalization;

use super::{Game, collection::check_memory};
use crate::error::{Error, Result};

/// Names that an error lists, at most.
const LISTED: usize = 8;

/// Whether `part` occurs in a name.
pub(super) fn is_part_of(part: &str, name: &str) -> bool {
    folded(name).contains(folded(part).trim())
}

/// A name in lower case, with accents and syllables composed. Some systems write them apart.
pub(super) fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Some small letters, such as two of sigma, have one capital.
    name.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// Collects the games of a player. Which games are his is known only once all names are.
pub(super) struct PlayerGames<'a> {
    part: &'a str,
    /// The games in which the part occurs in a name.
    games: Vec<Game>,
    bytes: usize,
    /// All names, with the number of their games.
    names: BTreeMap<String, usize>,
}

impl<'a> PlayerGames<'a> {
    pub(super) fn new(part: &'a str) -> PlayerGames<'a> {
        PlayerGames { part, games: Vec::new(), bytes: 0, names: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, game: Game) -> Result<()> {
        let players = [&game.white, &game.black];
        let is_meant = players.iter().any(|name| is_part_of(self.part, name));
        for name in players {
            match self.names.get_mut(name) {
                Some(count) => *count += 1,
                None => _ = self.names.insert(name.clone(), 1),
            }
        }
        if is_meant {
            self.bytes += size_of::<Game>() + size_of_val(&*game.played.moves);
            self.games.push(game);
        }
        check_memory(self.games.len(), self.bytes)
    }

    /// The games of the player, whose moves are their choices. Of a game against himself it is the moves of
    /// White.
    pub(super) fn finish(self) -> Result<Vec<Game>> {
        let PlayerGames { part, games, names, .. } = self;
        let mut meant: Vec<_> = names.iter().filter(|(name, _)| is_part_of(part, name)).collect();
        // A whole family name means nobody whose name begins in the same way.
        if meant.iter().any(|(name, _)| is_one_player(part, name)) {
            meant.retain(|(name, _)| is_one_player(part, name));
        }
        if meant.is_empty() && !names.is_empty() {
            let found =
                format!("{part:?}, which is in no name; names with most games: {}", listed(names.iter()));
            return Err(Error::expected("part of the name of a player", found));
        }
        let are_one = |one: usize| meant[..one].iter().all(|(name, _)| is_one_player(name, meant[one].0));
        if !(0..meant.len()).all(are_one) {
            let found =
                format!("{part:?}, which is in several: {}; give more letters", listed(meant.into_iter()));
            return Err(Error::expected("part of the name of one player", found));
        }
        let is_his = |name: &String| meant.iter().any(|(other, _)| *other == name);
        let of_player = |game: Game| {
            let chooser = Color::from_white(is_his(&game.white));
            (chooser.is_white() || is_his(&game.black)).then_some(Game { chooser, ..game })
        };
        Ok(games.into_iter().filter_map(of_player).collect())
    }
}

/// Names with their numbers of games, the most games first.
fn listed<'a>(names: impl Iterator<Item = (&'a String, &'a usize)>) -> String {
    let mut names: Vec<_> = names.collect();
    names.sort_by_key(|&(_, &games)| std::cmp::Reverse(games));
    let more = names.len().saturating_sub(LISTED);
    let texts: Vec<String> =
        names.iter().take(LISTED).map(|(name, games)| format!("{name} ({games})")).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    texts.join("; ") + &more
}

/// Whether two names may be those of one player.
fn is_one_player(one: &str, other: &str) -> bool {
    let ((family, given), (other_family, other_given)) = (parts(one), parts(other));
    let agree = |(one, other): (&String, &String)| one.starts_with(&**other) || other.starts_with(&**one);
    family == other_family && given.iter().zip(&other_given).all(agree)
}

/// The family name and the others, folded.
fn parts(name: &str) -> (String, Vec<String>) {
    let name = folded(name);
    let name = name.trim();
    let (family, given) = match name.split_once(',') {
        Some(parts) => parts,
        None => name.rsplit_once(char::is_whitespace).map_or((name, ""), |(given, family)| (family, given)),
    };
    let given = given.split(|letter: char| letter.is_whitespace() || letter == '.');
    (family.trim().to_string(), given.filter(|word| !word.is_empty()).map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;

    use crate::game::{Collection, GameOptions, Games, collect};

    const GAMES: &str = "[White \"Byrne, Robert\"]\n[Black \"Fischer, Robert J.\"]\n\n1. e4 c5 2. Nf3 0-1\n\n\
                         [White \"FISCHER, R\"]\n[Black \"Byrne, Donald\"]\n\n1. d4 d5 0-1\n\n\
                         [White \"Robert Fischer\"]\n[Black \"Tal\"]\n[Result \"1/2-1/2\"]\n\n1. c4 c5 2. Nc3 1/2-1/2\n\n\
                         [White \"Talbot, A\"]\n[Black \"Byrne\"]\n\n1. e4 *\n\n\
                         [White \"Tal\"]\n[Black \"Fischer\"]\n[Result \"1/2-1/2\"]\n\n1. e5 1/2-1/2\n";

    fn games_of(part: &str) -> (Result<Collection>, usize) {
        let games = Games::from_reader(GAMES.as_bytes(), "a.pgn").unwrap();
        let options = GameOptions { skip_moves: 0, player: Some(part.to_string()), ..GameOptions::default() };
        let mut broken = 0;
        let collection = collect(games, &options, 1, &mut |_| broken += 1);
        (collection, broken)
    }

    #[test]
    fn the_moves_of_a_player_are_choices_in_won_drawn_and_lost_games_and_names_may_be_spelled_in_several_ways()
     {
        let (collection, broken) = games_of("fIscher");
        let Collection { games, positions, tally, .. } = collection.unwrap();
        let choosers: Vec<_> =
            games.iter().map(|game| (game.number, game.chooser, game.result.to_string())).collect();
        let expected = [(1, Color::Black, "0-1"), (2, Color::White, "0-1"), (3, Color::White, "1/2-1/2")];
        assert_eq!(choosers, expected.map(|(number, chooser, result)| (number, chooser, result.to_string())));
        assert_eq!(positions.iter().map(|position| position.game).collect::<Vec<_>>(), [0, 1, 2, 2]);
        assert!(positions.iter().all(|p| p.position().turn() == games[p.game as usize].chooser));
        let counts = (tally.games, tally.decisive, tally.undecided, tally.skipped);
        assert_eq!((counts, broken), ((5, 3, 1, 1), 1), "a drawn game that cannot be read is told of, too");
    }

    #[test]
    fn a_name_of_nobody_or_of_several_lists_names_with_their_games() {
        let error = |part| games_of(part).0.unwrap_err().to_string();
        assert_eq!(
            error("byrne"),
            "a.pgn: expected part of the name of one player, but found \"byrne\", which is in several: Byrne (1); \
             Byrne, Donald (1); Byrne, Robert (1); give more letters"
        );
        assert!(error("karpov").contains("\"karpov\", which is in no name; names with most games: "));
        assert_eq!(games_of("byrne, d").0.unwrap().games.len(), 1);
    }

    #[test]
    fn a_whole_family_name_means_nobody_whose_name_begins_in_the_same_way() {
        assert_eq!(games_of("tal").0.unwrap().games.len(), 1);
        assert!(games_of("ta").0.is_err());
    }

    #[test]
    fn names_are_compared_composed_and_without_case() {
        for (part, name) in [
            ("M\u{fc}ller", "Mu\u{308}ller, Be\u{301}la"),
            ("mu\u{308}LLER", "M\u{dc}LLER, B\u{c9}LA"),
            ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}, A"),
            ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}, A"),
            ("stra\u{df}e", "STRASSE"),
            ("\u{3a3}\u{3b1}\u{3c3}", "\u{3c3}\u{3b1}\u{3c2}"),
            ("\u{416}\u{438}\u{306}", "\u{436}\u{439}"),
        ] {
            assert!(is_part_of(part, name) && is_part_of(name, name), "{part} {name}");
        }
        assert!(is_one_player("Mu\u{308}ller, B.", "M\u{dc}LLER, B\u{e9}la"));
        assert!(!is_part_of("Muller", "M\u{fc}ller"));
    }

    #[test]
    fn names_of_one_player_agree_in_what_both_have() {
        for (one, other, same) in [
            ("Fischer, Robert James", "Fischer, R.J.", true),
            ("Fischer", "bobby fischer", true),
            ("Fischer, Robert", "Fischer, Bobby", false),
            ("Byrne, Robert", "Byrne, Donald", false),
            ("anna", "annabel", false),
        ] {
            assert_eq!((is_one_player(one, other), is_one_player(other, one)), (same, same), "{one} {other}");
        }
    }
}
