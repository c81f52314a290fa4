//! The positions that a run is made from: choices of winners, or labelled positions.

use std::{borrow::Cow, path::Path};

use super::{Holdout, RunSpec, Split, Warn, header, path_to_text, read_shard};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    game::{self, Collection, GameOptions, LabelledCollection, LabelledPosition, Shard},
    par, sample,
    stat::Header,
    tuner::{LabelledData, Positions},
};

/// The positions of a run, taken apart by game.
pub enum Training<'a> {
    /// Positions in which the winner chose a move.
    Choices {
        /// What stands at the head of the `.stat`.
        header: Header,
        /// The games.
        collection: Cow<'a, Collection>,
        /// Their positions.
        split: Box<Split>,
        /// Games that were skipped.
        skipped: usize,
    },
    /// Positions with the result of their game.
    Labelled(Labelled),
}

/// Labelled positions of a run.
pub struct Labelled {
    header: Header,
    fitted: Vec<LabelledPosition>,
    held_out: Vec<LabelledPosition>,
    is_built_in: bool,
    /// Positions read, quiet or not.
    read: usize,
    /// Games that the positions fitted and held out come from; lines of EPD count as games.
    games: u64,
    skipped: u64,
}

impl<'a> Training<'a> {
    /// Reads the positions of a run that begins with `start`.
    ///
    /// # Errors
    ///
    /// A file that cannot be used, or too few games.
    pub fn read(spec: &RunSpec, start: &Weights, warn: Warn) -> Result<Training<'static>> {
        Training::read_shard(spec, start, Shard::ALL, warn)
    }

    /// [`Training::read`] for one of several processes, which keeps the positions of its shard. Of the header, the numbers
    /// of positions are those of the shard; they may be 0.
    ///
    /// # Errors
    ///
    /// As [`Training::read`].
    pub fn read_shard(
        spec: &RunSpec,
        start: &Weights,
        shard: Shard,
        warn: Warn,
    ) -> Result<Training<'static>> {
        if spec.reads_labels() {
            return Labelled::read(spec, start, shard, warn).map(Training::Labelled);
        }
        let options = GameOptions { skip_moves: spec.skip_moves, shard };
        let (collection, skipped) = read_shard(&spec.games, &options, spec.every, warn)?;
        Training::choices(Cow::Owned(collection), 1, skipped, spec, start, shard, warn)
    }

    /// The positions of a run on games that are read already, with all their positions. Labelled positions are read
    /// from their file.
    ///
    /// # Errors
    ///
    /// As [`Training::read`].
    pub fn of(
        collection: &'a Collection,
        spec: &RunSpec,
        start: &Weights,
        warn: Warn,
    ) -> Result<Training<'a>> {
        if spec.reads_labels() {
            return Labelled::read(spec, start, Shard::ALL, warn).map(Training::Labelled);
        }
        Training::choices(Cow::Borrowed(collection), spec.every as usize, 0, spec, start, Shard::ALL, warn)
    }

    fn choices<'b>(
        collection: Cow<'b, Collection>,
        step: usize,
        skipped: usize,
        spec: &RunSpec,
        start: &Weights,
        shard: Shard,
        warn: Warn,
    ) -> Result<Training<'b>> {
        let split = Split::new(&collection, step, spec, shard, warn)?;
        Ok(Training::Choices {
            header: header(spec, &collection, &split, start),
            skipped: skipped + split.skipped,
            split: Box::new(split),
            collection,
        })
    }

    /// The positions for the tuner.
    pub fn positions(&self) -> Positions<'_> {
        match self {
            Training::Choices { split, collection, .. } => split.data(collection).into(),
            Training::Labelled(Labelled { fitted, held_out, .. }) => {
                Positions::Labelled(LabelledData { fitted, held_out })
            }
        }
    }

    /// What stands at the head of the `.stat`.
    pub fn header(&self) -> &Header {
        match self {
            Training::Choices { header, .. } | Training::Labelled(Labelled { header, .. }) => header,
        }
    }

    /// How many positions there are to fit, held out, and read, quiet or not.
    pub fn counts(&self) -> [u64; 3] {
        let [fitted, held_out] = self.header().positions;
        let read = match self {
            Training::Choices { .. } => 0,
            Training::Labelled(labelled) => labelled.read as u64,
        };
        [fitted, held_out, read]
    }

    /// Counts the positions of other processes too.
    pub fn set_counts(&mut self, [fitted, held_out, read]: [u64; 3]) {
        match self {
            Training::Choices { header, .. } => header.positions = [fitted, held_out],
            Training::Labelled(labelled) => {
                labelled.header.positions = [fitted, held_out];
                labelled.read = read as usize;
            }
        }
    }

    /// Whether some games or lines were skipped.
    pub fn has_skipped(&self) -> bool {
        match self {
            Training::Choices { skipped, .. } => *skipped > 0,
            Training::Labelled(labelled) => labelled.skipped > 0,
        }
    }

    /// The games and positions in a line.
    pub fn summary(&self) -> String {
        let count = super::count;
        let Header { games, decisive, held_out_games, positions: [fitted, held_out], .. } = self.header();
        let is_built_in = match self {
            Training::Choices { collection, .. } => collection.is_built_in,
            Training::Labelled(labelled) => labelled.is_built_in,
        };
        let origin = if is_built_in { " (built in)" } else { "" };
        let (what, of_what) = match self {
            Training::Choices { .. } => {
                let games = format!("{} with a winner", count(*decisive, "game"));
                (games, count(*held_out_games, "game"))
            }
            Training::Labelled(Labelled { games, read, .. }) => {
                let quiet = format!("{} of {} quiet", fitted + held_out, count(*read as u64, "position"));
                let games = format!("{} with a result, {quiet}", count(*games, "game"));
                (games, count(*held_out_games, "game"))
            }
        };
        let mut text = format!("{games}{origin}: {what}, {} to fit", count(*fitted, "position"));
        if *held_out > 0 {
            text += &format!("; {} of {of_what} held out", count(*held_out, "position"));
        }
        text
    }
}

impl Labelled {
    fn read(spec: &RunSpec, start: &Weights, shard: Shard, warn: Warn) -> Result<Labelled> {
        let collection = load(&spec.games, spec, shard, warn)?;
        let LabelledCollection { digest, is_built_in, .. } = &collection;
        let (mut digests, is_built_in) = (vec![digest.clone()], *is_built_in);
        let (mut games, mut skipped, decisive) = (collection.games, collection.skipped, collection.decisive);
        let mut read = collection.positions.len();
        let name = collection.origin.unwrap_or_else(|| path_to_text(&spec.games));
        let (fitted, held_out, held_out_games) = match &spec.holdout {
            Holdout::None => (collection.positions, Vec::new(), 0),
            Holdout::EveryGame(k) => {
                let held_out_games = games / k;
                if held_out_games == 0 {
                    let expected = format!("at least {k} games, to hold out one of {k}");
                    return Err(Error::expected(expected, games).of_kind(ErrorKind::TooFewGames));
                }
                let is_held_out = |position: &LabelledPosition| (position.game + 1).is_multiple_of(*k);
                let (held_out, fitted) = collection.positions.into_iter().partition(is_held_out);
                (fitted, held_out, held_out_games)
            }
            Holdout::File(path) => {
                if path == Path::new("-") && spec.games == *path {
                    return Err(Error::expected("one file of games on standard input", "two")
                        .of_kind(ErrorKind::TwoStandardInputs));
                }
                let other = load(path, spec, shard, warn).map_err(|error| {
                    error.while_doing("games to hold out").of_kind(ErrorKind::HoldoutGames)
                })?;
                if other.digest == digests[0] {
                    let error = Error::expected("other games to hold out", "those to be fitted");
                    return Err(error.of_kind(ErrorKind::HoldoutIsFitted).in_file(path));
                }
                digests.push(other.digest);
                (games, skipped) = (games + other.games, skipped + other.skipped);
                read += other.positions.len();
                (collection.positions, other.positions, other.games)
            }
        };
        let sampling = spec.sampling();
        let [fitted, held_out] =
            [fitted, held_out].map(|positions| sample::quiet(positions, start, &sampling));
        if fitted.is_empty() && shard == Shard::ALL {
            return Err(Error::expected("quiet positions with a result", "none")
                .of_kind(ErrorKind::NoPositions)
                .in_file(&spec.games));
        }
        let header = Header {
            version: env!("CARGO_PKG_VERSION").to_string(),
            games: name,
            digest: digests.join(" "),
            decisive,
            skipped,
            held_out_games: held_out_games.into(),
            positions: [fitted.len() as u64, held_out.len() as u64],
            start: par::digest(start),
            options: spec.options(),
        };
        Ok(Labelled { header, fitted, held_out, is_built_in, read, games: games.into(), skipped })
    }
}

/// Reads a file of labelled positions and warns of what was skipped.
fn load(path: &Path, spec: &RunSpec, shard: Shard, warn: Warn) -> Result<LabelledCollection> {
    let mut warnings = 0;
    let mut on_skipped = |error: &Error| {
        warnings += 1;
        if warnings <= super::WARNINGS {
            warn(&error.to_string());
        }
    };
    let options = GameOptions { skip_moves: spec.skip_moves, shard };
    let collection = game::load_labelled(path, &options, spec.every as usize, &mut on_skipped)?;
    if collection.skipped > 0 {
        warn(&format!("skipped {} games or lines that cannot be read", collection.skipped));
    }
    if collection.games == 0 {
        return Err(Error::expected("games or lines of EPD with a result", "none").in_file(path));
    }
    Ok(collection)
}
