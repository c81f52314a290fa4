//! Which positions are fitted and which are held out, for every kind of run. What is done with them is not known here.

use std::path::Path;

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
    /// The file of the games held out, where they have one of their own. Its positions are in `held_out`.
    pub other: Option<C>,
}

/// Games as they were read from a file.
pub trait Games {
    /// A position of such a game.
    type Position;

    /// SHA-256 of the unpacked bytes.
    fn digest(&self) -> &str;

    /// Number of games that positions come from.
    fn games(&self) -> u64;

    /// Takes the positions out.
    fn take_positions(&mut self) -> Vec<Self::Position>;

    /// The game of a position, counted from 0.
    fn game_of(position: &Self::Position) -> u32;
}

impl<P, C: Games<Position = P>> Split<P, C> {
    /// Takes held-out games out of `positions`, which are those of `games`, or reads them from their file by `read`.
    pub fn new(
        games: &C,
        positions: impl Iterator<Item = P>,
        spec: &RunSpec,
        read: impl FnOnce(&Path) -> Result<C>,
    ) -> Result<Split<P, C>> {
        match &spec.holdout {
            Holdout::None => {
                Ok(Split { fitted: positions.collect(), held_out: Vec::new(), games: 0, other: None })
            }
            &Holdout::EveryGame(k) => {
                let held_out_games = games.games() / u64::from(k);
                if held_out_games == 0 {
                    let expected = format!("at least {k} games, to hold out one of {k}");
                    return Err(Error::expected(expected, games.games()).of_kind(ErrorKind::TooFewGames));
                }
                let is_held_out = |position: &P| (C::game_of(position) + 1).is_multiple_of(k);
                let (held_out, fitted) = positions.partition(is_held_out);
                Ok(Split { fitted, held_out, games: held_out_games, other: None })
            }
            Holdout::File(path) => {
                if path == Path::new("-") && spec.games == *path {
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
                let held_out = other.take_positions();
                Ok(Split { fitted: positions.collect(), held_out, games: other.games(), other: Some(other) })
            }
        }
    }

    /// The digests of all files of games, as a `.stat` lists them.
    pub fn digest(&self, games: &C) -> String {
        let digests = [Some(games.digest()), self.other.as_ref().map(C::digest)];
        digests.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
