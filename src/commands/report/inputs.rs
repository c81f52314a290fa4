//! The inputs of a report, found from a `.stat` file: positions, two sets of weights and search settings.
//!
//! Errors are shown in the page, so they name files as the run did, without private folder names.

use std::path::{Path, PathBuf};

use super::super::read_par;
use crate::{
    cli::ReportArgs,
    error::{Error, Result},
    feature::Weights,
    game::{Collection, Shard},
    plot::PassWeights,
    report::{positions::PositionSet, shown_path},
    run::{self, Files, Holdout, RunSpec, Split},
    sample::Sampling,
    stat::RunRecord,
};

/// The data for a new search of the positions of a run.
pub(super) struct RunInputs {
    collection: Collection,
    split: Split,
    weights: [Weights; 2],
    pub sampling: Sampling,
}

/// The weights of the passes, from the folder of the `.stat` file. Passes whose file cannot be read are left out.
///
/// # Errors
///
/// The start weights cannot be read, or are not those of the run.
pub(super) fn passes(record: &RunRecord, files: &Files) -> Result<PassWeights> {
    let start = weights(files, 0)?;
    if !run::has_own_start(files, &record.header) {
        let found = "others; put back the file of the run";
        return Err(Error::expected("the start weights of the run", found).in_file(file_name(&files.par(0))));
    }
    let later = (1..record.reports.len() as u32).filter_map(|pass| Some((pass, weights(files, pass).ok()?)));
    Ok(std::iter::once((0, start)).chain(later).collect())
}

fn weights(files: &Files, pass: u32) -> Result<Weights> {
    let path = files.par(pass);
    read_par(&path).map_err(|error| without_folder(error, &path, &file_name(&path)))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The same error with the path replaced by `name`.
fn without_folder(error: Error, path: &Path, name: &str) -> Error {
    Error::new(error.to_string().replace(&path.display().to_string(), name))
}

impl RunInputs {
    /// Reads games and weights.
    ///
    /// # Errors
    ///
    /// What is missing or not that of the run, and what to do about it.
    pub fn prepare(
        args: &ReportArgs,
        pass: u32,
        record: &RunRecord,
        files: &Files,
        passes: &Result<PassWeights>,
    ) -> Result<RunInputs> {
        let passes = passes.as_ref().map_err(|error| Error::new(error.to_string()))?;
        let at_hand = |pass: u32| match passes.get(&pass) {
            Some(weights) => Ok(weights.clone()),
            // Reads the file again for the error message.
            None => weights(files, pass),
        };
        let weights = [at_hand(0)?, at_hand(pass)?];
        let spec = spec(args, record, &files.folder)?;
        let (collection, split) = positions(&spec, record)?;
        Ok(RunInputs { collection, split, weights, sampling: spec.sampling() })
    }

    /// The positions fitted and those held out.
    pub fn sets(&self) -> [PositionSet<'_>; 2] {
        let games = &self.collection.games;
        let other = if self.split.digest.is_some() { &self.split.other_games } else { games };
        let [hints, other_hints] = self.split.hints(&self.collection);
        [
            PositionSet { positions: &self.split.fitted, games, hints },
            PositionSet { positions: &self.split.held_out, games: other, hints: other_hints },
        ]
    }

    /// The weights of the start and of the pass.
    pub fn weights(&self) -> [&Weights; 2] {
        self.weights.each_ref()
    }
}

/// The options of the run, with the current path of the games.
fn spec(args: &ReportArgs, record: &RunRecord, folder: &Path) -> Result<RunSpec> {
    let mut spec = RunSpec::from_options(&record.header.games, &record.header.options)?;
    spec.games = find_games(args.games.as_deref(), &spec.games, folder, "--games")?;
    if let Holdout::File(path) = &spec.holdout {
        spec.holdout = Holdout::File(find_games(args.holdout.as_deref(), path, folder, "--holdout")?);
    }
    Ok(spec)
}

/// The current path of a file of games: the path given by the user, or else the one that the run recorded.
fn find_games(given: Option<&Path>, recorded: &Path, folder: &Path, option: &str) -> Result<PathBuf> {
    if let Some(given) = given {
        return Ok(given.to_path_buf());
    }
    if recorded == Path::new("-") {
        let found = format!("standard input; save the games to a file and name it with {option}");
        return Err(Error::expected("a file of games", found));
    }
    run::find_games(recorded, folder).ok_or_else(|| {
        let found = format!("nothing of that name; say where the games are with {option}");
        Error::expected("the games of the run", found).in_file(shown_path(&recorded.display().to_string()))
    })
}

/// The positions of the run, split into fitted and held-out ones.
fn positions(spec: &RunSpec, record: &RunRecord) -> Result<(Collection, Split)> {
    // Warnings on single games were printed when the run was made.
    let mut silent = |_: &str| {};
    let path = &spec.games;
    let shown = |path: &Path| shown_path(&path.display().to_string());
    let (collection, _) =
        run::games(spec, &mut silent).map_err(|error| without_folder(error, path, &shown(path)))?;
    let split = Split::new(&collection, 1, spec, Shard::ALL, &mut silent);
    let split = split.map_err(|error| match &spec.holdout {
        Holdout::File(path) => without_folder(error, path, &shown(path)),
        _ => error,
    })?;
    let found = [Some(&collection.tally.digest), split.digest.as_ref()];
    let found = found.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    let counts = [split.fitted.len() as u64, split.held_out.len() as u64];
    if found != record.header.digest || counts != record.header.positions {
        return Err(Error::expected(
            format!("the games of the run (SHA-256 {})", record.header.digest),
            format!("others (SHA-256 {found}); say where the games are with --games"),
        )
        .in_file(shown(path)));
    }
    Ok((collection, split))
}
