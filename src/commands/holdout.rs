//! Which positions are fitted and which are held out.

use super::read_games;
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
}

impl Split {
    /// Takes held-out games out of a collection, or reads them from their file.
    pub fn new(collection: &Collection, args: &GamesArgs, holdout: &Holdout) -> Result<Split> {
        let positions = &collection.positions;
        match holdout {
            Holdout::None => {
                Ok(Split { training: positions.clone(), held_out: Vec::new(), games: 0, digest: None })
            }
            Holdout::EveryGame(k) => Split::every(collection, *k),
            Holdout::File(path) => {
                let other = read_games(path, args.skip_moves, args.every)?;
                Ok(Split {
                    training: positions.clone(),
                    held_out: other.positions,
                    games: other.games.len() as u64,
                    digest: Some(other.tally.digest),
                })
            }
        }
    }

    fn every(collection: &Collection, k: u32) -> Result<Split> {
        let games = collection.games.len() as u64 / u64::from(k);
        if games == 0 {
            let found = format!("{}; give --holdout none", collection.games.len());
            return Err(Error::expected(format!("at least {k} games, to hold out one of {k}"), found));
        }
        let is_held_out = |position: &WinnerPosition| (position.game + 1).is_multiple_of(k);
        let (held_out, training) = collection.positions.iter().copied().partition(is_held_out);
        Ok(Split { training, held_out, games, digest: None })
    }

    pub fn data(&self) -> Data<'_> {
        Data { training: &self.training, held_out: &self.held_out }
    }
}
