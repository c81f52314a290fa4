//! Which positions are fitted and which are held out, for every kind of run. What is done with them is not
//! known here.

use std::path::Path;

use texam_fit::{Duplicates, Seen};

use super::{Holdout, RunSpec};
use crate::error::{Error, ErrorKind, Result};

/// Positions taken apart by game, of games of the type `C`.
#[derive(Debug, Default)]
pub struct Split<P, C> {
    /// Positions to fit.
    pub fitted: Vec<P>,
    /// Positions to measure only.
    pub held_out: Vec<P>,
    /// Number of games held out.
    pub games: u64,
    /// Games that occur more than once.
    pub duplicates: Duplicates,
    /// The file of the games held out, where they have one of their own. Its positions are in `held_out`.
    pub other: Option<C>,
}

/// Games as they were read from a file.
pub trait Games {
    /// A position of such a game.
    type Position;

    /// SHA-256 of the unpacked bytes.
    fn digest(&self) -> &str;

    /// A digest of what each game holds, in the order of the games.
    fn digests(&self) -> &[u64];

    /// Takes the positions out.
    fn take_positions(&mut self) -> Vec<Self::Position>;

    /// The game of a position, counted from 0.
    fn game_of(position: &Self::Position) -> u32;
}

impl<P, C: Games<Position = P>> Split<P, C> {
    /// Takes held-out games out of `positions`, which are those of `games`, or reads them from their file by
    /// `read`.
    pub fn new(
        games: &C,
        positions: impl Iterator<Item = P>,
        spec: &RunSpec,
        read: impl FnOnce(&Path) -> Result<C>,
    ) -> Result<Split<P, C>> {
        let mut seen = Seen::default();
        let set = |game: u32| match spec.holdout {
            Holdout::EveryGame(k) => usize::from((game + 1).is_multiple_of(k)),
            Holdout::None | Holdout::File(_) => 0,
        };
        (0..).zip(games.digests()).for_each(|(game, &digest)| _ = seen.insert(digest, set(game)));
        let mut split = Split {
            fitted: Vec::new(),
            held_out: Vec::new(),
            games: 0,
            duplicates: seen.duplicates(),
            other: None,
        };
        match &spec.holdout {
            Holdout::None => split.fitted = positions.collect(),
            &Holdout::EveryGame(k) => {
                let found = games.digests().len() as u64;
                if found < u64::from(k) {
                    let expected = format!("at least {k} games, to hold out one of {k}");
                    return Err(Error::expected(expected, found).of_kind(ErrorKind::TooFewGames));
                }
                (split.held_out, split.fitted) =
                    positions.partition(|position| set(C::game_of(position)) == 1);
                split.games = found / u64::from(k);
            }
            Holdout::File(path) => {
                if path == Path::new("-") && spec.games.is_standard_input() {
                    return Err(Error::expected("one file of games on standard input", "two")
                        .of_kind(ErrorKind::TwoStandardInputs));
                }
                let mut other = read(path).map_err(|error| {
                    error.while_doing("games to hold out").of_kind(ErrorKind::HoldoutGames)
                })?;
                if other.digest() == games.digest() {
                    let error = Error::expected("other games to hold out", "those to be fitted");
                    return Err(error.of_kind(ErrorKind::HoldoutIsFitted).in_file(path));
                }
                other.digests().iter().for_each(|&digest| _ = seen.insert(digest, 1));
                split.duplicates = seen.duplicates();
                (split.fitted, split.held_out) = (positions.collect(), other.take_positions());
                (split.games, split.other) = (other.digests().len() as u64, Some(other));
            }
        }
        Ok(split)
    }

    /// The digests of all files of games, as a `.stat` lists them.
    pub fn digest(&self, games: &C) -> String {
        let digests = [Some(games.digest()), self.other.as_ref().map(C::digest)];
        digests.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
