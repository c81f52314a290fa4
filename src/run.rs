//! A run: what it is ([`RunSpec`]), where it runs ([`RunPlace`]), and the weights, games and files it needs.
//!
//! `texam fit` and the screen both use this module, so the same options give the same files, byte for byte.
//! Nothing here prints: warnings go to a function of the caller, and [`Recorder`] writes down what each pass
//! measured.

mod block_file;
mod counts;
mod files;
mod fitted;
mod groups;
pub mod interrupt;
mod labels;
mod lock;
mod options;
mod path_text;
pub mod process_group;
#[cfg(feature = "native")]
pub mod ranks;
mod recorder;
mod rows;
mod spec;
mod split;
pub mod stat;
mod stored;
mod training;
mod weights;

use std::path::{Path, PathBuf};

pub use self::{
    files::Files,
    fitted::{is_table, read_fitted},
    groups::{GroupObserver, GroupRuns},
    labels::label_warnings,
    lock::RunLock,
    options::{Group, NONE, OPTIONS, Preset, RunOption, Setup, THREADS, option_error},
    path_text::{game_files_from_texts, game_files_to_texts, path_from_text, path_to_text},
    recorder::Recorder,
    spec::{Bound, Holdout, RowsFrom, RunPlace, RunSpec, Task, TreeUse},
    split::Split,
    stored::{StoredRun, StoredWeights},
    training::{ChoiceSplit, Training},
    weights::RunWeights,
};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::{Key, POINTS, Weights, pattern},
    file,
    game::{self, Collection, GameFiles, GameOptions, Tally},
    par,
    phase::{PhaseAt, PhaseScheme},
    printable::printable_json,
    run::stat::Header,
};

/// Weights where none are named.
pub const START_PAR: &str = "params/start.par";

/// Name of the start weights where there is no file [`START_PAR`].
pub const BUILT_IN_START: &str = "built-in start";

/// Games where none are named.
pub const DEFAULT_GAMES: &str = game::SHIPPED;

/// Receives warnings or notes, each without its `warning:` or `note:`.
pub type Warn<'a> = &'a mut dyn FnMut(&str);

/// Weights of a `.par`, or the start weights, and where they come from. `note` receives what [`read_par`] has
/// to tell.
pub fn weights(par: Option<&Path>, note: Warn) -> Result<(Weights, String)> {
    match par {
        Some(path) => Ok((read_par(path, note)?, path.display().to_string())),
        None if file::is_file(Path::new(START_PAR)) => {
            Ok((read_par(Path::new(START_PAR), note)?, START_PAR.to_string()))
        }
        None => Ok((Weights::start(), BUILT_IN_START.to_string())),
    }
}

/// Weights of a `.par`. `note` receives a note of the keys that are missing in it, if there are any.
pub fn read_par(path: &Path, note: Warn) -> Result<Weights> {
    let par = par::read(path)?;
    if let Some(missing) = par.note(path) {
        note(&missing);
    }
    Ok(par.weights)
}

/// The current path of the games of a run whose files are in `folder`. The recorded path is tried relative to
/// the current folder, to the folder of the run, and to its parent. The shipped games are built in, so that
/// they are always found. None if no such file exists.
pub fn find_games(recorded: &GameFiles, folder: &Path) -> Option<GameFiles> {
    let current = |recorded: &PathBuf| {
        let places = [recorded.clone(), folder.join(recorded), folder.join("..").join(recorded)];
        let is_built_in = game::is_shipped(recorded);
        places.into_iter().find(|path| file::is_file(path)).or(is_built_in.then(|| recorded.clone()))
    };
    recorded.paths().iter().map(current).collect::<Option<Vec<_>>>().map(GameFiles::new)
}

/// Whether there is the `.stat` of a run in a folder.
pub fn has_runs(folder: &Path) -> bool {
    file::names_in(folder).iter().any(|name| name.ends_with(".stat"))
}

/// Weights that a run begins with, tuned as it says, and where they come from; notes as in [`weights`].
pub fn start(spec: &RunSpec, note: Warn) -> Result<(Weights, String)> {
    let (mut weights, source) = weights(spec.par.as_deref(), note)?;
    pattern::apply(&mut weights, &spec.tune, &spec.freeze)?;
    check_points(&weights, spec)?;
    Ok((weights, source))
}

/// Points of the phase that are tuned need the phase of the leaf, and take the place of a scheme.
pub fn check_points(weights: &Weights, spec: &RunSpec) -> Result<()> {
    if !POINTS.iter().any(|&key| weights.setting(key).tune.contains(&true)) {
        return Ok(());
    }
    let error = |name, expected: &str, found| {
        let expected = format!("{expected} where the points of the phase are tuned");
        Err(option_error(name, Error::expected(expected, found)))
    };
    match (spec.search.phase, spec.search.phase_at) {
        (PhaseScheme::Fruit, PhaseAt::Leaf) => Ok(()),
        (PhaseScheme::Fruit, at) => error("phase-at", "leaf", at.name()),
        (phase, _) => error("phase", "fruit, whose points they start from,", phase.name()),
    }
}

/// Weights there must be to fit.
pub fn some_tuned(weights: &Weights) -> Result<()> {
    let tuned = Key::ALL.iter().any(|&key| weights.setting(key).tune.contains(&true));
    let error = || Error::expected("weights to tune", "none").of_kind(ErrorKind::NothingTuned);
    tuned.then_some(()).ok_or_else(error)
}

/// Warnings about single games that are passed on one by one.
const WARNINGS: usize = 20;

/// Reads games, those with a winner or those of a player, warns of those that were skipped, and insists on at
/// least one that is used. Also says how many were skipped.
pub fn read_games(
    files: &GameFiles,
    player: Option<&str>,
    skip_moves: u32,
    every: u32,
    warn: Warn,
) -> Result<(Collection, usize)> {
    let options = GameOptions { skip_moves, player: player.map(String::from), ..GameOptions::default() };
    read_shard(files, &options, every, warn)
}

/// [`read_games`], of which only a share of the positions may be kept.
fn read_shard(
    files: &GameFiles,
    options: &GameOptions,
    every: u32,
    warn: Warn,
) -> Result<(Collection, usize)> {
    let mut skipped = SkippedGames::new(warn);
    let collection = game::load(files, options, every as usize, &mut |error| skipped.note(error))?;
    let skipped = skipped.finish(files, &collection.tally)?;
    Ok((collection, skipped))
}

/// Warns of broken games: of the first ones one by one, and of all at the end. Games of a chess variant are
/// left out in silence, as those without a winner are.
pub struct SkippedGames<'a> {
    warn: Warn<'a>,
    warnings: usize,
    /// Why the first game of a chess variant is one.
    variant: Option<String>,
}

impl<'a> SkippedGames<'a> {
    /// None so far.
    pub fn new(warn: Warn<'a>) -> SkippedGames<'a> {
        SkippedGames { warn, warnings: 0, variant: None }
    }

    /// Warns of a game.
    pub fn note(&mut self, error: &Error) {
        if error.kind() == ErrorKind::Variant {
            self.variant.get_or_insert_with(|| error.to_string());
            return;
        }
        self.warnings += 1;
        if self.warnings <= WARNINGS {
            (self.warn)(&error.to_string());
        }
    }

    /// Warns of all broken games, and returns their number.
    pub fn finish(self, files: &GameFiles, tally: &Tally) -> Result<usize> {
        if tally.skipped > 0 {
            let games = count(tally.games as u64, "game");
            (self.warn)(&format!("skipped {} of {games}, which are broken", tally.skipped));
        }
        if tally.unended > 0 {
            let games = count(tally.unended as u64, "game");
            (self.warn)(&format!("{games} without a result after the moves: the one of the tags holds"));
        }
        if tally.decisive == 0 {
            let mut found = without_winner(tally);
            self.variant.iter().for_each(|first| found += &format!(" (the first: {first})"));
            return Err(Error::expected("at least one game with a winner", found).in_file(files));
        }
        Ok(tally.skipped)
    }
}

/// What games without a decisive one among them are.
fn without_winner(tally: &Tally) -> String {
    if tally.games == 0 {
        return "no game at all: is this a file of games in PGN?".to_string();
    }
    let Tally { games, undecided, skipped, variants, .. } = tally;
    let games = count(*games as u64, "game");
    format!("{games}: {undecided} without a winner, {skipped} broken, {variants} of a chess variant")
}

/// A value as one JSON object, with the letters that cannot be seen escaped, and the end of its last line.
///
/// # Errors
///
/// A value that JSON cannot hold.
pub fn json_text(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(format!("cannot write the result as JSON: {error}")))?;
    Ok(format!("{}\n", printable_json(&text)))
}

/// So many of a thing, in words.
pub fn count(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// Games of a run, and how many were skipped.
pub fn games(spec: &RunSpec, warn: Warn) -> Result<(Collection, usize)> {
    read_games(&spec.games, spec.player.as_deref(), spec.skip_moves, spec.every, warn)
}

/// [`games`] with all positions, of which the run may use only a part ([`RunSpec::every`]).
pub fn all_positions(spec: &RunSpec, warn: Warn) -> Result<(Collection, usize)> {
    read_games(&spec.games, spec.player.as_deref(), spec.skip_moves, 1, warn)
}

/// Positions there must be.
pub fn some_positions(collection: &Collection) -> Result<()> {
    if collection.positions.is_empty() { Err(no_positions()) } else { Ok(()) }
}

fn no_positions() -> Error {
    Error::expected("positions of a winner, or of the player, after the opening", "none")
        .of_kind(ErrorKind::NoPositions)
}

/// Positions that a run needs: some to fit, and some of the games to hold out if these have a file of their
/// own.
pub fn some_positions_of(header: &Header, spec: &RunSpec) -> Result<()> {
    let [fitted, held_out] = header.positions;
    let error = |what| Error::expected(format!("at least one position {what}"), "none");
    if fitted == 0 {
        return Err(error("to fit").of_kind(ErrorKind::NoPositions));
    }
    match &spec.holdout {
        Holdout::File(path) if held_out == 0 => Err(error("to hold out").in_file(path)),
        _ => Ok(()),
    }
}

/// Starts the threads of all work for which no number of threads is given.
pub fn start_threads() -> Result<()> {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    if let Some(asked) = asked.filter(|&asked: &u64| asked > u64::from(*THREADS.end())) {
        let error = Error::expected(format!("at most {} threads", THREADS.end()), asked);
        return Err(error.while_doing("variable RAYON_NUM_THREADS"));
    }
    rayon::ThreadPoolBuilder::new().build_global().map_err(|error| no_threads(None, error))
}

fn no_threads(threads: Option<u32>, error: rayon::ThreadPoolBuildError) -> Error {
    let threads = threads.map_or_else(|| "one thread for each core".to_string(), |n| format!("{n} threads"));
    Error::new(format!("cannot start {threads}: {error}")).of_kind(ErrorKind::Threads)
}

/// Runs `work` on so many threads; by default one for each core.
pub fn on_threads<T: Send>(threads: Option<u32>, work: impl FnOnce() -> T + Send) -> Result<T> {
    on_prepared_threads(threads, || {}, work)
}

/// [`on_threads`], each of which runs `prepare` first. Where there are no threads, the calling one does the
/// work.
pub fn on_prepared_threads<T: Send>(
    threads: Option<u32>,
    prepare: impl Fn() + Send + Sync + 'static,
    work: impl FnOnce() -> T + Send,
) -> Result<T> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0) as usize)
        .start_handler(move |_| prepare())
        .build()
        .map_err(|error| no_threads(threads, error))?;
    Ok(pool.install(work))
}
