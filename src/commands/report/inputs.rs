//! The inputs of a report, found from a `.stat` file: positions, two sets of weights and search settings.
//!
//! Errors are shown in the page, so they name files as the run did, without private folder names.

use std::path::{Path, PathBuf};

use texam_fit::ClusterSets;

use crate::{
    commands::cli::ReportArgs,
    error::{Error, Result},
    feature::Weights,
    game::{Collection, GameFiles, Shard},
    par,
    run::{self, ChoiceSplit, Files, Holdout, RunSpec, StoredRun, Task, stat::RunRecord},
    sample::Sampling,
    show::{
        plot::PassWeights,
        report::{positions::PositionSet, shown_path},
    },
};

/// The data for a new search of the positions of a run.
pub(super) struct RunInputs {
    collection: Collection,
    split: ChoiceSplit,
    weights: [Weights; 2],
    /// What games count under these weights, where the run has kept the ranks.
    counts: [Option<ClusterSets>; 2],
    pub sampling: Sampling,
}

/// The same error without the path of the folder of the run.
fn without_folder(error: Error, files: &Files) -> Error {
    Error::new(error.to_string().replace(&files.folder.join("").display().to_string(), ""))
}

/// The same error with the path replaced by `name`.
fn renamed(error: Error, path: &str, name: &str) -> Error {
    Error::new(error.to_string().replace(path, name))
}

impl RunInputs {
    /// Reads games and weights.
    pub fn prepare(args: &ReportArgs, pass: u32, run: &StoredRun, passes: &PassWeights) -> Result<RunInputs> {
        let at_hand = |pass: u32| match passes.get(&pass) {
            Some(weights) => Ok(weights.clone()),
            None => {
                // Reads the file again for the error message.
                let path = run.files.par(pass);
                let read = run.own_start().and_then(|_| Ok(par::read(&path)?.weights));
                read.map_err(|error| without_folder(error, &run.files))
            }
        };
        let weights = [at_hand(0)?, at_hand(pass)?];
        let counts = [run.ranks(0, &weights[0]), run.ranks(pass, &weights[1])];
        let StoredRun { files, record } = run;
        let spec = spec([args.games(), args.holdout.as_deref().map(GameFiles::from)], record, &files.folder)?;
        let (collection, split) = positions(&spec, record)?;
        Ok(RunInputs { collection, split, weights, counts, sampling: spec.sampling() })
    }

    /// The positions fitted and those held out.
    pub fn sets(&self) -> [PositionSet<'_>; 2] {
        let games = &self.collection.games;
        let other = self.split.held_out_games(&self.collection);
        [
            PositionSet { positions: &self.split.fitted, games },
            PositionSet { positions: &self.split.held_out, games: other },
        ]
    }

    /// What games count in the pass of the start and in the other, where the run has kept the ranks.
    pub fn counts(&self) -> [Option<&ClusterSets>; 2] {
        self.counts.each_ref().map(Option::as_ref)
    }

    /// The weights of the start and of the pass.
    pub fn weights(&self) -> [&Weights; 2] {
        self.weights.each_ref()
    }
}

/// The files that a report may read. Those that are not found say so later, in the page.
pub(super) fn files(args: &ReportArgs, run: &StoredRun) -> Vec<PathBuf> {
    let mut files = args.sources.clone();
    if let Ok(spec) =
        spec([args.games(), args.holdout.as_deref().map(GameFiles::from)], &run.record, &run.files.folder)
    {
        files.extend(spec.inputs());
    }
    // One of the two may be missing, and the other not.
    files.extend(args.games().iter().flat_map(|games| games.paths().to_vec()));
    files.extend(args.holdout.clone());
    files
}

/// The games that a run has held out, with their positions alone, and how many there are.
pub fn held_out_of(stat: &Path) -> Result<(Collection, usize)> {
    let StoredRun { files, record } = StoredRun::open(stat)?;
    let spec = spec([None, None], &record, &files.folder)?;
    let found = match spec.task() {
        Task::Choices if spec.holdout == Holdout::None => "a run without games held out",
        Task::Choices => "",
        Task::Labels => "a run on labelled positions",
        Task::Rows(_) => "a run on the rows of another program",
    };
    if !found.is_empty() {
        return Err(Error::expected("a run on games, of which some are held out", found).in_file(stat));
    }
    let (collection, split) = positions(&spec, &record)?;
    let positions = split.held_out;
    let games = split.other.unwrap_or(collection);
    Ok((Collection { positions, ..games }, split.games as usize))
}

/// The options of the run, with the current paths of the games and of those held out, which may be given.
fn spec([games, holdout]: [Option<GameFiles>; 2], record: &RunRecord, folder: &Path) -> Result<RunSpec> {
    let mut spec = RunSpec::from_options(&record.header.games, &record.header.options)?;
    spec.games = find_games(games, &spec.games, folder, "--games")?;
    if let Holdout::File(path) = &spec.holdout {
        let files = find_games(holdout, &path.into(), folder, "--holdout")?;
        spec.holdout = Holdout::File(files.paths()[0].clone());
    }
    Ok(spec)
}

/// The current path of a file of games: the path given by the user, or else the one that the run recorded.
fn find_games(given: Option<GameFiles>, known: &GameFiles, folder: &Path, option: &str) -> Result<GameFiles> {
    if let Some(given) = given {
        return Ok(given);
    }
    if known.is_standard_input() {
        let found = format!("standard input; save the games to a file and name it with {option}");
        return Err(Error::expected("a file of games", found));
    }
    run::find_games(known, folder).ok_or_else(|| {
        let found = format!("nothing of that name; say where the games are with {option}");
        Error::expected("the games of the run", found).in_file(shown_path(&known.to_string()))
    })
}

/// The positions of the run, split into fitted and held-out ones.
fn positions(spec: &RunSpec, record: &RunRecord) -> Result<(Collection, ChoiceSplit)> {
    // Warnings on single games were printed when the run was made.
    let mut silent = |_: &str| {};
    let files = &spec.games.to_string();
    let renamed = |error, path: &str| renamed(error, path, &shown_path(path));
    let (collection, _) = run::games(spec, &mut silent).map_err(|error| renamed(error, files))?;
    let split = ChoiceSplit::of(&collection, 1, spec, Shard::ALL, &mut silent);
    let split = split.map_err(|error| match spec.holdout.file() {
        Some(path) => renamed(error, &path.display().to_string()),
        None => error,
    })?;
    let found = split.digest(&collection);
    let counts = [split.fitted.len() as u64, split.held_out.len() as u64];
    if found != record.header.digest || counts != record.header.positions {
        let expected = format!("the games of the run (SHA-256 {})", record.header.digest);
        let found = format!("others (SHA-256 {found}); say where the games are with --games");
        return Err(Error::expected(expected, found).in_file(shown_path(files)));
    }
    Ok((collection, split))
}
