//! Which positions are fitted and which are held out.

use std::path::Path;

use super::{Ending, read_games, some_positions};
use crate::{
    cli::{GamesArgs, Holdout},
    error::{Error, Result},
    game::{Collection, WinnerPosition},
    tuner::Data,
};

/// The positions of a run, taken apart by game.
pub(super) struct Split {
    pub training: Vec<WinnerPosition>,
    pub held_out: Vec<WinnerPosition>,
    /// Number of games held out.
    pub games: u64,
    /// Digest of the file of held-out games, where there is one.
    pub digest: Option<String>,
    /// Whether none of its games was skipped.
    pub ending: Ending,
}

impl Split {
    /// Takes held-out games out of a collection, or reads them from their file.
    pub fn new(collection: &Collection, args: &GamesArgs, holdout: &Holdout) -> Result<Split> {
        match holdout {
            Holdout::None => Ok(Split::all(collection)),
            Holdout::EveryGame(k) => Split::every(collection, *k),
            Holdout::File(path) => Split::file(collection, args, path),
        }
    }

    /// All games are fitted.
    fn all(collection: &Collection) -> Split {
        let training = collection.positions.clone();
        Split { training, held_out: Vec::new(), games: 0, digest: None, ending: Ending::Done }
    }

    fn every(collection: &Collection, k: u32) -> Result<Split> {
        let games = collection.games.len() as u64 / u64::from(k);
        if games == 0 {
            let found = format!("{}; give --holdout none", collection.games.len());
            return Err(Error::expected(format!("at least {k} games, to hold out one of {k}"), found));
        }
        let is_held_out = |position: &WinnerPosition| (position.game + 1).is_multiple_of(k);
        let (held_out, training) = collection.positions.iter().copied().partition(is_held_out);
        Ok(Split { training, held_out, games, digest: None, ending: Ending::Done })
    }

    fn file(collection: &Collection, args: &GamesArgs, path: &Path) -> Result<Split> {
        if path == Path::new("-") && args.games == path {
            return Err(Error::expected(
                "one file of games on standard input",
                "two; give --holdout a file of its own",
            ));
        }
        let (other, ending) = read_games(path, args.skip_moves, args.every)
            .map_err(|error| Error::new(format!("--holdout (a file, 1/K or none): {error}")))?;
        if other.tally.digest == collection.tally.digest {
            let found = "those to be fitted; give --holdout another file, or 1/K";
            return Err(Error::expected("other games to hold out", found).in_file(path));
        }
        some_positions(&other).map_err(|error| error.in_file(path))?;
        let games = other.games.len() as u64;
        Ok(Split {
            held_out: other.positions,
            games,
            digest: Some(other.tally.digest),
            ending,
            ..Split::all(collection)
        })
    }

    pub fn data(&self) -> Data<'_> {
        Data { training: &self.training, held_out: &self.held_out }
    }
}
