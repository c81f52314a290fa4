//! Wires files and the command line to the library. One file for each command; what they share is here.
//!
//! Commands compute with the library, then print what came of it: results on standard output, warnings
//! and progress on standard error.

mod agree;
mod bench;
mod check;
mod eval;
mod files;
mod fit;
mod holdout;
mod matches;
mod options;
mod params;
mod progress;
mod resume;
mod search;
mod uci;

use std::{
    io::{self, Write},
    path::Path,
};

use shakmaty::{CastlingMode, Chess, Color, Position, PositionError, fen::Fen};

use crate::{
    cli::{BoundArgs, Cli, Command, GamesArgs, SearchOptions},
    error::{Error, Result},
    feature::{Key, Weights, pattern},
    game::{self, Collection, GameOptions, Tally},
    par,
    sample::Sampling,
    search::Settings,
    value::UNIT,
};

/// How a command ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Everything was done.
    Done,
    /// Done, but something was skipped or a check failed.
    Partly,
}

impl Ending {
    fn done_if(done: bool) -> Ending {
        if done { Ending::Done } else { Ending::Partly }
    }

    /// The end of both.
    fn and(self, other: Ending) -> Ending {
        Ending::done_if(self == Ending::Done && other == Ending::Done)
    }
}

/// Runs a command.
///
/// # Errors
///
/// Whatever keeps it from its result.
pub fn run(cli: Cli) -> Result<Ending> {
    match cli.command {
        Command::Fit(args) => fit::run(*args),
        Command::Check(args) => check::run(&args),
        Command::Agree(args) => agree::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Params(args) => params::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Uci(args) => uci::run(&args),
        Command::Match(args) => matches::run(&args),
    }
}

/// Prints a result; a closed pipe is no error.
fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::io("cannot write to standard output", error))
        }
        _ => Ok(()),
    }
}

/// Says something on standard error. Where that is full or closed, nobody is left to be told.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints one JSON object.
fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(format!("cannot write the result as JSON: {error}")))?;
    print(&format!("{text}\n"))
}

const START_PAR: &str = "params/start.par";

/// Weights of a `.par`, or the start weights, and where they come from.
fn weights(par: Option<&Path>) -> Result<(Weights, String)> {
    match par {
        Some(path) => Ok((par::read(path)?, path.display().to_string())),
        None if Path::new(START_PAR).is_file() => {
            Ok((par::read(Path::new(START_PAR))?, START_PAR.to_string()))
        }
        None => Ok((Weights::start(), "built-in start".to_string())),
    }
}

/// Changes which weights are tuned.
fn apply_patterns(weights: &mut Weights, tune: &[String], freeze: &[String]) -> Result<()> {
    let split = |lists: &[String]| lists.iter().flat_map(|list| pattern::split(list)).collect::<Vec<_>>();
    pattern::apply(weights, &split(tune), &split(freeze))
}

/// Weights there must be to fit.
fn some_tuned(weights: &Weights) -> Result<()> {
    let tuned = Key::ALL.iter().any(|&key| weights.setting(key).tune.contains(&true));
    if tuned { Ok(()) } else { Err(Error::expected("weights to tune", "none: name some with --tune")) }
}

/// Warnings about single games that are printed one by one.
const WARNINGS: usize = 20;

/// Reads games, warns of those that were skipped, and insists on at least one that is decisive. Also says
/// whether none was skipped.
fn read_games(path: &Path, skip_moves: u32, every: u32) -> Result<(Collection, Ending)> {
    let mut warnings = 0;
    let mut warn = |error: &Error| {
        warnings += 1;
        if warnings <= WARNINGS {
            complain(&format!("warning: {error}"));
        }
    };
    let options = GameOptions { skip_moves };
    let collection = game::load(path, &options, every as usize, &mut warn).map_err(|error| {
        if path == Path::new(DEFAULT_GAMES) && !path.exists() {
            Error::new(format!("{error}; name a file of games, or run in the folder of the project"))
        } else {
            error
        }
    })?;
    let tally = &collection.tally;
    let skipped = tally.skipped + tally.variants;
    if skipped > 0 {
        let (broken, variants) = (tally.skipped, tally.variants);
        complain(&format!(
            "warning: skipped {skipped} of {}: {broken} broken, {variants} of a chess variant",
            count(tally.games as u64, "game")
        ));
    }
    if tally.decisive == 0 {
        let place = if path == Path::new("-") { Path::new("standard input") } else { path };
        return Err(Error::expected("at least one game with a winner", without_winner(tally)).in_file(place));
    }
    Ok((collection, Ending::done_if(skipped == 0)))
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
fn count(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

const DEFAULT_GAMES: &str = "games/gm1988.pgn";

/// Games of the command line, and whether none of them was skipped.
fn games(args: &GamesArgs) -> Result<(Collection, Ending)> {
    read_games(&args.games, args.skip_moves, args.every)
}

/// Positions there must be.
fn some_positions(collection: &Collection) -> Result<()> {
    if collection.positions.is_empty() {
        return Err(Error::expected(
            "positions of a winner after the opening",
            "none: give other games, or fewer --skip-moves",
        ));
    }
    Ok(())
}

/// The position of a FEN that has both kings and no side that could take one.
fn position(fen: &str) -> Result<Chess> {
    let parsed: Fen = fen
        .trim()
        .parse()
        .map_err(|error| Error::expected("a position in FEN", format!("{fen:?} ({error})")))?;
    let illegal = |error: &dyn std::fmt::Display| {
        Error::expected("a legal position of standard chess", format!("{fen:?} ({error})"))
    };
    let position = parsed
        .into_position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| illegal(&error))?;
    // Nine queens may be tried out, but the value of many more would be taken for a mate.
    match Color::ALL.into_iter().find(|&side| position.board().by_color(side).count() > MOST_PIECES) {
        Some(side) => Err(illegal(&format!("illegal position: more than {MOST_PIECES} pieces for {side}"))),
        None => Ok(position),
    }
}

/// Pieces that a side has at most, pawns and king included.
const MOST_PIECES: usize = 16;

fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string()
}

fn settings(args: &SearchOptions) -> Settings {
    Settings { depth: args.depth, quiescence: true, phase: args.phase, phase_at: args.phase_at }
}

fn sampling(search: &SearchOptions, bound: &BoundArgs) -> Sampling {
    Sampling { search: settings(search), root: bound.root, threshold: threshold(bound) }
}

fn threshold(bound: &BoundArgs) -> crate::search::Threshold {
    bound.threshold.0.map(|units| (units * UNIT as f64).round() as i64)
}

/// Runs `work` on so many threads; by default one for each core.
fn on_threads<T: Send>(threads: Option<u32>, work: impl FnOnce() -> T + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0) as usize)
        .build()
        .map_err(|error| Error::new(format!("cannot start {threads:?} threads: {error}; give fewer")))?;
    Ok(pool.install(work))
}

/// `value` in 1/128 pawn with one decimal and its sign.
fn units(value: crate::value::Value) -> String {
    format!("{:+.1}", crate::value::in_units(value))
}
