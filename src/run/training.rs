//! What a run is made from: the choices of winners, positions labelled with results, or the rows of another
//! program.

use std::{
    borrow::Cow,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use texam_fit::{LabelCounts, LeftOut, Pass, RowCounts, RowKind, RowSource, Source};

use super::{
    Holdout, RowsFrom, RunSpec, RunWeights, SkippedGames, Task, TreeUse, Warn, count, label_warnings,
    no_positions,
    options::option_error,
    path_text::{game_files_to_texts, path_from_text},
    read_shard,
    rows::{self, RowOrigin},
    split::Split,
};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    game::{
        self, Collection, GameFiles, GameHead, GameOptions, LabelledCollection, LabelledPosition, Shard,
        WinnerPosition,
    },
    par,
    run::stat::{Header, SEARCH},
    sample::{self, Forest, LabelledSource, PositionSource, Recall, Sampling, Tick},
};

/// The winners' positions of a run.
pub type ChoiceSplit = Split<WinnerPosition>;

/// What a run is made from.
pub struct Training<'a> {
    header: Header,
    /// Whether games or lines were skipped.
    has_skipped: bool,
    /// How many passes the run had made before the one that it is resumed with, and the weights under which
    /// its trees were last grown anew.
    walked: (u32, Option<Weights>),
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// Positions in which the winner chose a move, with the hints of the passes so far.
    Choices { collection: Cow<'a, Collection>, split: Box<ChoiceSplit>, hints: Box<[Recall; 2]> },
    /// Positions with the result of their game.
    Labels {
        fitted: Vec<LabelledPosition>,
        held_out: Vec<LabelledPosition>,
        is_built_in: bool,
        /// Positions read, quiet or not.
        read: u64,
        /// Games that the positions fitted and held out come from; lines of EPD count as games.
        games: u64,
    },
    /// Rows of another program, and how many there were in the last pass.
    Rows(RowOrigin, Arc<Mutex<RowCounts>>),
}

impl ChoiceSplit {
    /// Takes a collection apart, of which every `step`-th position is used. Of a file of games to hold out,
    /// too, the positions of a shard are kept.
    pub fn of(
        collection: &Collection,
        step: usize,
        spec: &RunSpec,
        shard: Shard,
        warn: Warn,
    ) -> Result<ChoiceSplit> {
        let options = GameOptions { skip_moves: spec.skip_moves, shard, player: None };
        let read = |path: &Path| Ok(read_shard(&path.into(), &options, spec.every, warn)?.0);
        let positions = collection.positions.iter().copied().step_by(step);
        let split = Split::new(collection, positions, spec, |position| position.game, read)?;
        let is_empty = split.held_out.is_empty() && shard == Shard::ALL;
        match spec.holdout.file().filter(|_| is_empty) {
            Some(path) => Err(no_positions().in_file(path)),
            None => Ok(split),
        }
    }

    /// The games that held-out positions come from. `collection` is the one that was taken apart, here and
    /// below.
    pub fn held_out_games<'a>(&'a self, collection: &'a Collection) -> &'a [GameHead] {
        self.other.as_ref().map_or(&collection.games, |other| &other.games)
    }
}

impl<'a> Training<'a> {
    /// Reads what a run that begins with `start` is made from. One of several processes keeps the positions
    /// of its shard of the games; of the header, the numbers of positions are then those of the shard, and
    /// may be 0.
    pub fn read(spec: &RunSpec, start: &RunWeights, shard: Shard, warn: Warn) -> Result<Training<'static>> {
        match spec.task() {
            Task::Rows(from) => Training::rows(spec, from, start),
            Task::Labels => Training::labels(spec, start, shard, warn),
            Task::Choices => {
                let options = GameOptions { skip_moves: spec.skip_moves, shard, player: None };
                let (collection, _) = read_shard(&spec.games, &options, spec.every, warn)?;
                Training::choices(Cow::Owned(collection), 1, spec, start, shard, warn)
            }
        }
    }

    /// The positions of a run on games that are read already, with all their positions. Labelled positions
    /// are read from their file.
    pub fn of(games: &'a Collection, spec: &RunSpec, start: &RunWeights, warn: Warn) -> Result<Training<'a>> {
        if spec.task() == Task::Labels {
            return Training::labels(spec, start, Shard::ALL, warn);
        }
        Training::choices(Cow::Borrowed(games), spec.every as usize, spec, start, Shard::ALL, warn)
    }

    fn choices(
        collection: Cow<'a, Collection>,
        step: usize,
        spec: &RunSpec,
        start: &RunWeights,
        shard: Shard,
        warn: Warn,
    ) -> Result<Training<'a>> {
        let split = ChoiceSplit::of(&collection, step, spec, shard, warn)?;
        split.duplicates.warning("moves").iter().for_each(|text| warn(text));
        let skipped = |collection: &Collection| collection.tally.skipped;
        let walks = spec.trees.with(collection.trees.is_some());
        let trees = if walks { TreeUse::On } else { TreeUse::Off };
        let spec = &RunSpec { trees, ..spec.clone() };
        if walks {
            check_trees(&collection, &spec.games, spec, start, warn)?;
            if let (Some(other), Some(path)) = (&split.other, spec.holdout.file()) {
                check_trees(other, &path.into(), spec, start, warn)?;
            }
        }
        let other_origins = split.other.as_ref().and_then(|other| other.origins.as_deref());
        // In place of databases the names of the files that they were made of, so that results are the same
        // bytes with both. But for trees, which the databases alone have.
        let recorded = match other_origins.filter(|_| !walks) {
            Some([origin]) => &RunSpec { holdout: Holdout::File(path_from_text(origin)), ..spec.clone() },
            _ => spec,
        };
        let origins = collection.origins.clone().filter(|_| !walks);
        let header = Header {
            games: origins.unwrap_or_else(|| game_files_to_texts(&spec.games)),
            digest: split.digest(&collection),
            decisive: collection.tally.decisive as u64,
            skipped: skipped(&collection) as u64,
            held_out_games: split.games,
            positions: [split.fitted.len() as u64, split.held_out.len() as u64],
            ..header(recorded, start)
        };
        let has_skipped = skipped(&collection) + split.other.as_ref().map_or(0, skipped) > 0;
        let kind = Kind::Choices { collection, split: Box::new(split), hints: Default::default() };
        Ok(Training { header, has_skipped, walked: Default::default(), kind })
    }

    fn labels(spec: &RunSpec, start: &RunWeights, shard: Shard, warn: Warn) -> Result<Training<'static>> {
        let mut collection = read_labelled(&spec.games, spec, shard, warn)?;
        let positions = std::mem::take(&mut collection.positions);
        let mut read = positions.len();
        let positions = positions.into_iter();
        let read_other = |path: &Path| read_labelled(&path.into(), spec, shard, warn);
        let split = Split::new(&collection, positions, spec, |position| position.game, read_other)?;
        split.duplicates.warning("moves").iter().for_each(|text| warn(text));
        let other = split.other.as_ref();
        read += other.map_or(0, |_| split.held_out.len());
        let games = collection.digests.len() + other.map_or(0, |other| other.digests.len());
        let skipped = collection.tally.skipped + other.map_or(0, |other| other.tally.skipped);
        let digest = split.digest(&collection);
        let weights = start.weights(&start.model().values()).expect("labelled positions have our weights");
        let sampling = spec.sampling();
        let [fitted, held_out] =
            [split.fitted, split.held_out].map(|positions| sample::quiet(positions, &weights, &sampling));
        if fitted.is_empty() && shard == Shard::ALL {
            return Err(Error::expected("quiet positions with a result", "none")
                .of_kind(ErrorKind::NoPositions)
                .in_file(&spec.games));
        }
        // A shard tells nothing of the labels of the others.
        if shard == Shard::ALL {
            let mut counts = LabelCounts::default();
            for game in fitted.chunk_by(|a, b| a.game == b.game) {
                counts.add_cluster(game.iter().map(|position| (position.label.into(), 1.0)));
            }
            label_warnings(&counts).iter().for_each(|text| warn(text));
            let quiet = fitted.len() + held_out.len();
            if 2 * quiet < read {
                warn(&format!(
                    "only {quiet} of {read} positions are quiet, and the fit leaves out the others"
                ));
            }
        }
        let header = Header {
            games: collection.origins.unwrap_or_else(|| game_files_to_texts(&spec.games)),
            digest,
            decisive: collection.tally.decisive as u64,
            skipped: skipped as u64,
            held_out_games: split.games,
            positions: [fitted.len() as u64, held_out.len() as u64],
            ..header(spec, start)
        };
        let is_built_in = collection.is_built_in;
        let (read, games) = (read as u64, games as u64);
        let kind = Kind::Labels { fitted, held_out, is_built_in, read, games };
        Ok(Training { header, has_skipped: skipped > 0, walked: Default::default(), kind })
    }

    fn rows(spec: &RunSpec, from: RowsFrom, start: &RunWeights) -> Result<Training<'static>> {
        let rows = RowOrigin::new(from)?;
        let (games, digest) = rows.origin();
        let header = Header { games: vec![games], digest, ..header(spec, start) };
        let kind = Kind::Rows(rows, Arc::default());
        Ok(Training { header, has_skipped: false, walked: Default::default(), kind })
    }

    /// Whether a pass searches the positions of choices.
    pub fn searches(&self, spec: &RunSpec) -> bool {
        matches!(&self.kind, Kind::Choices { collection, .. } if collection.trees.is_none() || !spec.trees.with(true))
    }

    /// The choices of the positions or rows, for a fit of `start`, without a group of the fitted games.
    pub fn source<'s>(
        &'s mut self,
        spec: &RunSpec,
        start: &'s RunWeights,
        sampling: Sampling,
        tick: Tick<'s>,
        left_out: Option<LeftOut>,
    ) -> Box<dyn Source + 's> {
        let parameters = || start.parameters().expect("positions are fitted with our weights");
        match &mut self.kind {
            Kind::Choices { collection, split, hints } => {
                let positions = [&*split.fitted, &split.held_out];
                let mut source = PositionSource::new(positions, parameters(), sampling, tick);
                match left_out {
                    Some(group) => source.leave_out(group, hints),
                    None => source.share(hints),
                }
                if let Some(trees) = collection.trees.as_ref().filter(|_| spec.trees.with(true)) {
                    // Trees are in databases, of which only one is read.
                    let own = &spec.games.paths()[0];
                    let other = spec.holdout.file().unwrap_or(own);
                    // Runs without a group of games begin with the first pass.
                    let made = std::mem::take(&mut self.walked);
                    source.walk([own, other].map(Forest::new), trees.margin(), spec.regrow, made);
                }
                Box::new(source)
            }
            Kind::Labels { fitted, held_out, .. } => {
                let mut source = LabelledSource::new([fitted, held_out], parameters(), sampling, tick);
                left_out.into_iter().for_each(|group| source.leave_out(group));
                Box::new(source)
            }
            Kind::Rows(rows, counts) => {
                let (kind, hold_out) = (RowKind::of(spec.settings.objective), rows::hold_out(spec));
                let mut source = RowSource::new(rows.input(), kind, hold_out, tick, counts);
                left_out.into_iter().for_each(|group| source.leave_out(group));
                Box::new(source)
            }
        }
    }

    /// Checks that the groups of a run each have a game. Rows are counted by their first pass.
    pub fn check_groups(&self, groups: u32) -> Result<()> {
        fn games<P>(positions: &[P], game: fn(&P) -> u32) -> u64 {
            positions.chunk_by(|a, b| game(a) == game(b)).count() as u64
        }
        let games = match &self.kind {
            Kind::Choices { split, .. } => games(&split.fitted, |position| position.game),
            Kind::Labels { fitted, .. } => games(fitted, |position| position.game),
            Kind::Rows(_, counts) => counts.lock().unwrap_or_else(PoisonError::into_inner).clusters[0],
        };
        if games >= groups.into() {
            return Ok(());
        }
        let expected = format!("at most as many groups as there are games to fit, {games}");
        Err(option_error("groups", Error::expected(expected, groups)))
    }

    /// What the run is made of. Rows are counted only as they are read.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Goes on with a run: names the games as when it began, since the file may have been moved, and knows
    /// how many rows it had, and under which weights its trees were grown. The last of its passes is made
    /// again.
    pub fn resume(&mut self, begun: &Header, passes: &[Pass], spec: &RunSpec, start: &RunWeights) {
        begun.games.clone_into(&mut self.header.games);
        let last = passes.len().saturating_sub(1);
        let grown_at = last.checked_div(spec.regrow as usize).map_or(0, |times| times * spec.regrow as usize);
        let grown_by = (grown_at > 0).then(|| start.weights(&passes[grown_at].values)).flatten();
        self.walked = (last as u32, grown_by);
        if let Kind::Rows(_, counts) = &self.kind {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            counts.clusters = [begun.decisive.saturating_sub(begun.held_out_games), begun.held_out_games];
            counts.choices = begun.positions;
        }
    }

    /// What the rows of another program count, as they are read.
    pub fn row_counts(&self) -> Option<Arc<Mutex<RowCounts>>> {
        match &self.kind {
            Kind::Rows(_, counts) => Some(Arc::clone(counts)),
            Kind::Choices { .. } | Kind::Labels { .. } => None,
        }
    }

    /// How many positions there are to fit, held out, and read, quiet or not.
    pub fn counts(&self) -> [u64; 3] {
        let [fitted, held_out] = self.header.positions;
        match self.kind {
            Kind::Labels { read, .. } => [fitted, held_out, read],
            Kind::Choices { .. } | Kind::Rows(..) => [fitted, held_out, 0],
        }
    }

    /// Counts the positions of other processes too.
    pub fn set_counts(&mut self, [fitted, held_out, all]: [u64; 3]) {
        self.header.positions = [fitted, held_out];
        if let Kind::Labels { read, .. } = &mut self.kind {
            *read = all;
        }
    }

    /// Whether some games or lines were skipped.
    pub fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    /// An error of a pass with what is known of its origin.
    pub fn explain(&mut self, error: Error) -> Error {
        match &mut self.kind {
            Kind::Rows(rows, _) => rows.explain(error),
            Kind::Choices { .. } | Kind::Labels { .. } => error,
        }
    }

    /// The games and positions in a line; none for rows, which are counted by their first pass.
    pub fn summary(&self) -> Option<String> {
        let Header { games, decisive, held_out_games, positions: [fitted, held_out], .. } = &self.header;
        let (is_built_in, what) = match &self.kind {
            Kind::Rows(..) => return None,
            Kind::Choices { collection, .. } => {
                (collection.is_built_in, format!("{} with a winner", count(*decisive, "game")))
            }
            Kind::Labels { games, read, is_built_in, .. } => {
                let quiet = format!("{} of {} quiet", fitted + held_out, count(*read, "position"));
                (*is_built_in, format!("{} with a result, {quiet}", count(*games, "game")))
            }
        };
        let origin = if is_built_in { " (built in)" } else { "" };
        let mut text =
            format!("{}{origin}: {what}, {} to fit", games.join(" and "), count(*fitted, "position"));
        if *held_out > 0 {
            let of = count(*held_out_games, "game");
            text += &format!("; {} of {of} held out", count(*held_out, "position"));
        }
        if self.header.walks_trees() {
            text += "; measured in stored trees, not by a search";
        }
        Some(text)
    }
}

/// Checks that a database has trees for the search of a run, and says if they were grown under other weights.
fn check_trees(
    collection: &Collection,
    files: &GameFiles,
    spec: &RunSpec,
    start: &RunWeights,
    warn: Warn,
) -> Result<()> {
    let Some(trees) = &collection.trees else {
        let error = Error::expected("a database with trees", "games without them");
        return Err(error.of_kind(ErrorKind::NoTrees).in_file(files));
    };
    let settings = spec.search;
    trees.check(&settings).map_err(|error| error.in_file(files))?;
    let RunWeights::Own { weights, .. } = start else { return Ok(()) };
    if !trees.is_exact_for(&settings, &par::digest_of_values(weights)) {
        warn(&format!(
            "{files}: the trees were grown under other weights or another phase, so pass 0 is not that of a search"
        ));
    }
    Ok(())
}

/// What a run is made of, before anything is counted.
fn header(spec: &RunSpec, start: &RunWeights) -> Header {
    Header {
        search: Some(SEARCH.to_string()),
        start: start.digest(),
        options: spec.options(),
        ..Header::default()
    }
}

/// Reads a file of labelled positions and warns of what was skipped.
fn read_labelled(files: &GameFiles, spec: &RunSpec, shard: Shard, warn: Warn) -> Result<LabelledCollection> {
    let options = GameOptions { skip_moves: spec.skip_moves, shard, player: None };
    let mut skipped = SkippedGames::new(warn);
    let on_skipped = &mut |error: &Error| skipped.note(error);
    let collection = game::load_labelled(files, &options, spec.every as usize, on_skipped)?;
    if collection.tally.skipped > 0 {
        warn(&format!("skipped {} games or lines that cannot be read", collection.tally.skipped));
    }
    if collection.digests.is_empty() {
        return Err(Error::expected("games or lines of EPD with a result", "none").in_file(files));
    }
    Ok(collection)
}
