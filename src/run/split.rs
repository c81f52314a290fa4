//! Which positions are fitted and which are held out, for every kind of run. What is done with them is not known here.

use std::path::Path;

use texam_fit::{Duplicates, Seen};

use super::{DuplicateUse, Holdout, RunSpec, count};
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

    /// Number of games that positions come from.
    fn games(&self) -> u64;

    /// A digest of what each game holds, in the order of the games.
    fn digests(&self) -> &[u64];

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
        let mut seen = Seen::default();
        let set = |game: u32| match spec.holdout {
            Holdout::EveryGame(k) => usize::from((game + 1).is_multiple_of(k)),
            Holdout::None | Holdout::File(_) => 0,
        };
        let used = used_games(games, spec, &mut seen, set);
        let positions = positions.filter(|position| used[C::game_of(position) as usize]);
        let duplicates = seen.duplicates();
        match &spec.holdout {
            Holdout::None => Ok(Split {
                fitted: positions.collect(),
                held_out: Vec::new(),
                games: 0,
                duplicates,
                other: None,
            }),
            &Holdout::EveryGame(k) => {
                if games.games() < u64::from(k) {
                    let expected = format!("at least {k} games, to hold out one of {k}");
                    return Err(Error::expected(expected, games.games()).of_kind(ErrorKind::TooFewGames));
                }
                let (held_out, fitted) = positions.partition(|position| set(C::game_of(position)) == 1);
                let games = (0..).zip(&used).filter(|&(game, &is_used)| is_used && set(game) == 1);
                Ok(Split { fitted, held_out, games: games.count() as u64, duplicates, other: None })
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
                let used = used_games(&other, spec, &mut seen, |_| 1);
                let mut held_out = other.take_positions();
                held_out.retain(|position| used[C::game_of(position) as usize]);
                let games = used.iter().filter(|&&is_used| is_used).count() as u64;
                let (fitted, duplicates) = (positions.collect(), seen.duplicates());
                Ok(Split { fitted, held_out, games, duplicates, other: Some(other) })
            }
        }
    }

    /// The digests of all files of games, as a `.stat` lists them.
    pub fn digest(&self, games: &C) -> String {
        let digests = [Some(games.digest()), self.other.as_ref().map(C::digest)];
        digests.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// Which games are used: all, or those that do not repeat an earlier one.
fn used_games<C: Games>(games: &C, spec: &RunSpec, seen: &mut Seen, set: impl Fn(u32) -> usize) -> Vec<bool> {
    let keeps = spec.duplicates == DuplicateUse::Keep;
    let is_used = |(game, &digest): (u32, &u64)| seen.insert(digest, set(game)) || keeps;
    (0..).zip(games.digests()).map(is_used).collect()
}

/// What there is to say about games, or clusters of rows, that occur more than once.
pub fn duplicates_text(duplicates: Duplicates, spec: &RunSpec) -> Option<String> {
    let Duplicates { repeats, also_fitted } = duplicates;
    let repeat = if repeats == 1 { "repeats" } else { "repeat" };
    let parts = if spec.is_on_rows() { "rows" } else { "moves" };
    let what = format!("{} {repeat} the {parts} of an earlier one", count(repeats, "game"));
    let text = match spec.duplicates {
        DuplicateUse::Drop => format!("{what}: left out"),
        DuplicateUse::Keep => {
            format!("{what}, {also_fitted} held out are also fitted: see the option duplicates")
        }
    };
    (repeats > 0).then_some(text)
}
