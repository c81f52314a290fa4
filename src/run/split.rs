//! Which positions are fitted and which are held out. What is done with them is not known here.

use std::path::Path;

use super::{Holdout, RunSpec, Warn, read_shard, some_positions};
use crate::{
    error::{Error, ErrorKind, Result},
    game::{Collection, GameHead, GameOptions, Shard, StoredHints, WinnerPosition},
    tuner::Data,
};

/// The positions of a run, taken apart by game.
#[derive(Debug, Default)]
pub struct Split {
    /// Positions to fit.
    pub fitted: Vec<WinnerPosition>,
    /// Positions to measure only.
    pub held_out: Vec<WinnerPosition>,
    /// Number of games held out.
    pub games: u64,
    /// Digest of the file of held-out games, where there is one.
    pub digest: Option<String>,
    /// The games that held-out positions come from, where they have a file of their own; otherwise those of
    /// the collection.
    pub other_games: Vec<GameHead>,
    /// Games of that file that were skipped.
    pub skipped: usize,
    /// What is stored for the positions of that file, if it is a database.
    pub other_hints: StoredHints,
    /// The name of the file that it was made of, if it is a database.
    pub other_origin: Option<String>,
}

impl Split {
    /// Takes held-out games out of a collection, of which every `step`-th position is used, or reads them from their
    /// file. Of that file too, the positions of a shard are kept.
    ///
    /// # Errors
    ///
    /// Too few games, or a file of held-out games that cannot be used.
    pub fn new(
        collection: &Collection,
        step: usize,
        spec: &RunSpec,
        shard: Shard,
        warn: Warn,
    ) -> Result<Split> {
        let positions = collection.positions.iter().copied().step_by(step);
        match &spec.holdout {
            Holdout::None => Ok(Split { fitted: positions.collect(), ..Split::default() }),
            Holdout::EveryGame(k) => Split::every(collection, positions, *k),
            Holdout::File(path) => {
                let split = Split::file(collection, spec, path, shard, warn)?;
                Ok(Split { fitted: positions.collect(), ..split })
            }
        }
    }

    fn every(
        collection: &Collection,
        positions: impl Iterator<Item = WinnerPosition>,
        k: u32,
    ) -> Result<Split> {
        let games = collection.tally.decisive as u64 / u64::from(k);
        if games == 0 {
            let expected = format!("at least {k} games, to hold out one of {k}");
            return Err(Error::expected(expected, collection.tally.decisive).of_kind(ErrorKind::TooFewGames));
        }
        let is_held_out = |position: &WinnerPosition| (position.game + 1).is_multiple_of(k);
        let (held_out, fitted) = positions.partition(is_held_out);
        Ok(Split { fitted, held_out, games, ..Split::default() })
    }

    /// The positions to hold out from a file of their own, without those to fit.
    fn file(collection: &Collection, spec: &RunSpec, path: &Path, shard: Shard, warn: Warn) -> Result<Split> {
        if path == Path::new("-") && spec.games == path {
            return Err(Error::expected("one file of games on standard input", "two")
                .of_kind(ErrorKind::TwoStandardInputs));
        }
        let options = GameOptions { skip_moves: spec.skip_moves, shard };
        let (other, skipped) = read_shard(path, &options, spec.every, warn)
            .map_err(|error| error.while_doing("games to hold out").of_kind(ErrorKind::HoldoutGames))?;
        if other.tally.digest == collection.tally.digest {
            let error = Error::expected("other games to hold out", "those to be fitted");
            return Err(error.of_kind(ErrorKind::HoldoutIsFitted).in_file(path));
        }
        if shard == Shard::ALL {
            some_positions(&other).map_err(|error| error.in_file(path))?;
        }
        let games = other.tally.decisive as u64;
        Ok(Split {
            held_out: other.positions,
            games,
            digest: Some(other.tally.digest),
            other_games: other.games,
            skipped,
            other_hints: other.hints,
            other_origin: other.origin,
            ..Split::default()
        })
    }

    /// The same for the tuner. `collection` is the one that was taken apart.
    pub fn data<'a>(&'a self, collection: &'a Collection) -> Data<'a> {
        let hints = self.hints(collection).map(Some);
        Data { fitted: &self.fitted, held_out: &self.held_out, hints }
    }

    /// What is stored for the positions to fit and for those held out. `collection` is the one that was taken apart.
    pub fn hints<'a>(&'a self, collection: &'a Collection) -> [&'a StoredHints; 2] {
        let has_file = self.digest.is_some();
        [&collection.hints, if has_file { &self.other_hints } else { &collection.hints }]
    }
}
