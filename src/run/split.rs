//! Which positions are fitted and which are held out, for every kind of run. What is done with them is not
//! known here.

use std::path::Path;

use texam_fit::{Duplicates, Seen};

use super::{Holdout, RunSpec};
use crate::{
    error::{Error, ErrorKind, Result},
    game::Collection,
};

/// Positions taken apart by game.
#[derive(Debug, Default)]
pub struct Split<P> {
    /// Positions to fit.
    pub fitted: Vec<P>,
    /// Positions to measure only.
    pub held_out: Vec<P>,
    /// Number of games held out.
    pub games: u64,
    /// Games that occur more than once.
    pub duplicates: Duplicates,
    /// The file of the games held out, where they have one of their own. Its positions are in `held_out`.
    pub other: Option<Collection<P>>,
}

impl<P> Split<P> {
    /// Takes held-out games out of `positions`, which are those of `games`, or reads them from their file by
    /// `read`. `game` is the game of a position, counted from 0.
    pub fn new(
        games: &Collection<P>,
        positions: impl Iterator<Item = P>,
        spec: &RunSpec,
        game: fn(&P) -> u32,
        read: impl FnOnce(&Path) -> Result<Collection<P>>,
    ) -> Result<Split<P>> {
        let mut seen = Seen::default();
        let set = |game: u32| match spec.holdout {
            Holdout::EveryGame(k) => usize::from((game + 1).is_multiple_of(k)),
            Holdout::None | Holdout::File(_) => 0,
        };
        (0..).zip(&games.digests).for_each(|(game, &digest)| _ = seen.insert(digest, set(game)));
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
                let found = games.digests.len() as u64;
                if found < u64::from(k) {
                    let expected = format!("at least {k} games, to hold out one of {k}");
                    return Err(Error::expected(expected, found).of_kind(ErrorKind::TooFewGames));
                }
                (split.held_out, split.fitted) = positions.partition(|position| set(game(position)) == 1);
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
                if other.tally.digest == games.tally.digest {
                    let error = Error::expected("other games to hold out", "those to be fitted");
                    return Err(error.of_kind(ErrorKind::HoldoutIsFitted).in_file(path));
                }
                other.digests.iter().for_each(|&digest| _ = seen.insert(digest, 1));
                split.duplicates = seen.duplicates();
                (split.fitted, split.held_out) = (positions.collect(), std::mem::take(&mut other.positions));
                (split.games, split.other) = (other.digests.len() as u64, Some(other));
            }
        }
        Ok(split)
    }

    /// The digests of all files of games, as a `.stat` lists them.
    pub fn digest(&self, games: &Collection<P>) -> String {
        let all = [Some(games), self.other.as_ref()];
        all.into_iter().flatten().map(|games| &*games.tally.digest).collect::<Vec<_>>().join(" ")
    }
}
