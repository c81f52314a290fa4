//! A run as the user asked for it: from options to weights, games and a plan, and to files of its own.
//!
//! Between the command line and the tuner. `texam fit` and the screen both go through here, so that the
//! same options give the same files, byte for byte. Prints nothing: what there is to warn of goes to a
//! function of the caller, and what a pass measured is written down by [`Recorder`] and shown by others.

mod files;
mod options;
mod recorder;
mod split;

use std::path::Path;

use texam_fit::{FitOptions, Forces};

pub use self::{
    files::{Claim, Files},
    options::{ITERATIONS, begun_with, options},
    recorder::Recorder,
    split::Split,
};
use crate::{
    cli::{BoundArgs, FitArgs, GamesArgs, SearchOptions, SolveArgs},
    error::{Error, Result},
    feature::{Key, Weights, pattern},
    game::{self, Collection, GameOptions, Tally},
    par,
    sample::Sampling,
    search::{Settings, Threshold},
    stat::Header,
    tuner::{Plan, explain},
    value::UNIT,
};

/// Weights where none are named.
pub const START_PAR: &str = "params/start.par";

/// Name of the start weights where there is no file [`START_PAR`].
pub const BUILT_IN_START: &str = "built-in start";

/// Games where none are named.
pub const DEFAULT_GAMES: &str = game::SHIPPED;

/// Receives warnings or notes, each without its `warning:` or `note:`.
pub type Warn<'a> = &'a mut dyn FnMut(&str);

/// Weights of a `.par`, or the start weights, and where they come from. `note` receives what [`read_par`] has to
/// tell.
///
/// # Errors
///
/// A `.par` that cannot be read.
pub fn weights(par: Option<&Path>, note: Warn) -> Result<(Weights, String)> {
    match par {
        Some(path) => Ok((read_par(path, note)?, path.display().to_string())),
        None if Path::new(START_PAR).is_file() => {
            Ok((read_par(Path::new(START_PAR), note)?, START_PAR.to_string()))
        }
        None => Ok((Weights::start(), BUILT_IN_START.to_string())),
    }
}

/// Weights of a `.par`. `note` receives a note of the keys that are missing in it, if there are any.
///
/// # Errors
///
/// The file cannot be read.
pub fn read_par(path: &Path, note: Warn) -> Result<Weights> {
    let par = par::read(path)?;
    if let Some(missing) = par.note(path) {
        note(&missing);
    }
    Ok(par.weights)
}

/// Changes which weights are tuned.
///
/// # Errors
///
/// Names the pattern that cannot be used.
pub fn apply_patterns(weights: &mut Weights, tune: &[String], freeze: &[String]) -> Result<()> {
    let split = |lists: &[String]| lists.iter().flat_map(|list| pattern::split(list)).collect::<Vec<_>>();
    pattern::apply(weights, &split(tune), &split(freeze))
}

/// Weights there must be to fit.
///
/// # Errors
///
/// There are none.
pub fn some_tuned(weights: &Weights) -> Result<()> {
    let tuned = Key::ALL.iter().any(|&key| weights.setting(key).tune.contains(&true));
    if tuned { Ok(()) } else { Err(Error::expected("weights to tune", "none: name some with --tune")) }
}

/// Warnings about single games that are passed on one by one.
const WARNINGS: usize = 20;

/// Reads games, warns of those that were skipped, and insists on at least one that is decisive. Also says
/// how many were skipped.
///
/// # Errors
///
/// The file cannot be read, or holds no game with a winner.
pub fn read_games(path: &Path, skip_moves: u32, every: u32, warn: Warn) -> Result<(Collection, usize)> {
    let mut warnings = 0;
    let mut on_skipped = |error: &Error| {
        warnings += 1;
        if warnings <= WARNINGS {
            warn(&error.to_string());
        }
    };
    let options = GameOptions { skip_moves };
    let collection = game::load(path, &options, every as usize, &mut on_skipped)?;
    let tally = &collection.tally;
    let skipped = tally.skipped + tally.variants;
    if skipped > 0 {
        let (broken, variants) = (tally.skipped, tally.variants);
        warn(&format!(
            "skipped {skipped} of {}: {broken} broken, {variants} of a chess variant",
            count(tally.games as u64, "game")
        ));
    }
    if tally.decisive == 0 {
        let place = if path == Path::new("-") { Path::new("standard input") } else { path };
        return Err(Error::expected("at least one game with a winner", without_winner(tally)).in_file(place));
    }
    Ok((collection, skipped))
}

/// What games without a decisive one among them are.
fn without_winner(tally: &Tally) -> String {
    if tally.games == 0 {
        return "no game at all: is this a file of games in PGN?".to_string();
    }
    let skipped = tally.skipped + tally.variants;
    format!("{}: {} without a winner, {skipped} skipped", count(tally.games as u64, "game"), tally.undecided)
}

/// So many of a thing, in words.
pub fn count(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// Games of the command line, and how many were skipped.
///
/// # Errors
///
/// As [`read_games`].
pub fn games(args: &GamesArgs, warn: Warn) -> Result<(Collection, usize)> {
    read_games(&args.games, args.skip_moves, args.every, warn)
}

/// Positions there must be.
///
/// # Errors
///
/// There are none.
pub fn some_positions(collection: &Collection) -> Result<()> {
    if collection.positions.is_empty() {
        return Err(Error::expected(
            "positions of a winner after the opening",
            "none: give other games, or fewer --skip-moves",
        ));
    }
    Ok(())
}

/// What the search computes.
pub fn settings(args: &SearchOptions) -> Settings {
    Settings { depth: args.depth, quiescence: true, phase: args.phase, phase_at: args.phase_at }
}

/// How positions are searched and kept.
pub fn sampling(search: &SearchOptions, bound: &BoundArgs) -> Sampling {
    Sampling { search: settings(search), root: bound.root, threshold: threshold(bound) }
}

/// The bound around E_x.
pub fn threshold(bound: &BoundArgs) -> Threshold {
    bound.threshold.0.map(|units| (units * UNIT as f64).round() as i64)
}

/// The options of solving, all others at their defaults.
pub fn solve_options(args: &SolveArgs) -> FitOptions {
    FitOptions {
        min_support: args.min_support,
        ridge: args.ridge,
        ridge_to: args.ridge_to,
        smooth: args.smooth,
        ..FitOptions::default()
    }
}

/// Weights to begin with, tuned as asked for; notes as in [`weights`].
///
/// # Errors
///
/// A `.par` that cannot be read, a pattern that cannot be used, or nothing to tune where fits are to be made.
pub fn start(args: &FitArgs, plan: &Plan, note: Warn) -> Result<Weights> {
    let (mut weights, _) = weights(args.weights.par.as_deref(), note)?;
    apply_patterns(&mut weights, &args.weights.tune, &args.weights.freeze)?;
    if plan.iterations > 0 {
        some_tuned(&weights)?;
    }
    Ok(weights)
}

/// What is to be done.
///
/// # Errors
///
/// Names the option that makes no sense.
pub fn plan(args: &FitArgs) -> Result<Plan> {
    let force = &args.force;
    let forces = Forces {
        force: force.force,
        strength: force.strength.unwrap_or(force.force.default_strength()),
        scale: force.scale,
        balance: force.balance,
    };
    let fit = solve_options(&args.solve);
    forces.validate().and_then(|()| fit.validate()).map_err(explain)?;
    Ok(Plan {
        sampling: sampling(&args.search, &args.bound),
        forces,
        fit,
        keep_spread: force.variance.is_on(),
        iterations: args.run.iterations.unwrap_or(ITERATIONS),
        patience: args.run.patience,
    })
}

/// What stands at the head of the `.stat`.
pub fn header(args: &FitArgs, collection: &Collection, split: &Split, start: &Weights) -> Header {
    let tally = &collection.tally;
    let digests = [Some(tally.digest.clone()), split.digest.clone()];
    Header {
        version: env!("CARGO_PKG_VERSION").to_string(),
        games: args.games.games.display().to_string(),
        digest: digests.into_iter().flatten().collect::<Vec<_>>().join(" "),
        decisive: tally.decisive as u64,
        skipped: (tally.skipped + tally.variants) as u64,
        held_out_games: split.games,
        positions: [split.fitted.len() as u64, split.held_out.len() as u64],
        start: par::digest(start),
        options: options(args),
    }
}

/// Runs `work` on so many threads; by default one for each core.
///
/// # Errors
///
/// The system does not give so many.
pub fn on_threads<T: Send>(threads: Option<u32>, work: impl FnOnce() -> T + Send) -> Result<T> {
    on_prepared_threads(threads, || {}, work)
}

/// [`on_threads`], each of which runs `prepare` first.
///
/// # Errors
///
/// The system does not give so many.
pub fn on_prepared_threads<T: Send>(
    threads: Option<u32>,
    prepare: impl Fn() + Send + Sync + 'static,
    work: impl FnOnce() -> T + Send,
) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0) as usize)
        .start_handler(move |_| prepare())
        .build()
        .map_err(|error| Error::new(format!("cannot start {threads:?} threads: {error}; give fewer")))?;
    Ok(pool.install(work))
}
