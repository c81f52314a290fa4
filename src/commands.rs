//! The commands: they read files, call the library and print. Each command has a module; helpers are here.
//!
//! Results are printed on standard output, warnings and progress on standard error.

mod agree;
mod agreement;
mod bench;
mod check;
pub mod cli;
mod diff;
mod eval;
mod export;
mod fit;
mod games;
mod install;
mod lesson;
mod matches;
mod output;
mod params;
mod plot;
mod position;
mod positions;
mod presearch;
mod progress;
mod report;
mod resume;
mod rows;
mod screen;
mod search;
mod tables;
mod trace;
mod uci;

use std::{
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    commands::cli::{Cli, Command},
    error::{Error, Result},
    feature::Weights,
    game::Collection,
    printable::printable,
    run::{self, RunSpec, count, interrupt, json_text, on_threads, some_positions, some_tuned},
};

/// Result of a command that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done.
    Complete,
    /// Done, but something was skipped or a check failed.
    Incomplete,
}

impl Outcome {
    fn complete_if(done: bool) -> Outcome {
        if done { Outcome::Complete } else { Outcome::Incomplete }
    }

    /// The outcome of two parts: complete if both are.
    fn and(self, other: Outcome) -> Outcome {
        Outcome::complete_if(self == Outcome::Complete && other == Outcome::Complete)
    }
}

/// Runs a command.
pub fn run(cli: Cli) -> Result<Outcome> {
    // The screen has a terminal to give back, and the engine ends as other engines do.
    if !matches!(cli.command, Command::Screen(_) | Command::Uci(_)) {
        interrupt::listen(print_error)?;
    }
    // A fit has threads of its own, since there may be other processes of it on the machine.
    if !matches!(cli.command, Command::Fit(_)) {
        run::start_threads()?;
    }
    match cli.command {
        Command::Screen(args) => screen::run(*args),
        Command::Fit(args) => fit::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Agree(args) => agree::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Params(args) => params::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Presearch(args) => presearch::run(&args),
        Command::Positions(args) => positions::run(&args),
        Command::Rows(args) => rows::run(&args),
        Command::Uci(args) => uci::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Lesson(args) => lesson::run(&args),
        Command::Completions(args) => install::completions(&args),
        Command::Man(args) => install::man(&args),
    }
}

/// Prints a result. A closed pipe is not an error.
fn print(text: &str) -> Result<()> {
    print_raw(&printable(text))
}

/// Prints text that may contain control characters of this program.
fn print_raw(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::io("cannot write to standard output", error))
        }
        _ => Ok(()),
    }
}

/// Prints a line on standard error. Write errors are ignored: there is no other place to report them.
pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(text));
}

/// Prints one JSON object.
fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print_raw(&json_text(value)?)
}

/// Prints a result: as one JSON object, or as the text that `text` makes of it.
fn print_result<T: serde::Serialize>(
    value: &T,
    is_json: bool,
    text: impl FnOnce(&T) -> Result<String, fmt::Error>,
) -> Result<()> {
    match is_json {
        true => print_json(value),
        false => print(&text(value).map_err(|_| Error::new("cannot lay out the result"))?),
    }
}

/// Serialises the name of a set of weights. The built-in start weights get the name of their file, so that
/// the output is the same in every folder.
fn par_name<S: serde::Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if name == run::BUILT_IN_START { run::START_PAR } else { name })
}

/// Prints a warning.
fn warn(text: &str) {
    print_error(&format!("warning: {text}"));
}

/// Prints a note, which does not change the exit code.
fn note(text: &str) {
    print_error(&format!("note: {text}"));
}

/// The weights of a `.par` file, or the start weights, with the name of their source. Prints a note on
/// missing keys.
fn weights(par: Option<&Path>) -> Result<(Weights, String)> {
    run::weights(par, &mut note)
}

/// The files of weights that [`weights`] reads, for each of these, or for none.
fn start_or<'a>(pars: impl IntoIterator<Item = &'a PathBuf>) -> impl Iterator<Item = &'a Path> {
    let mut pars = pars.into_iter().map(|par| &**par).peekable();
    let start = pars.peek().is_none().then_some(Path::new(run::START_PAR));
    pars.chain(start)
}

/// The weights of a `.par` file. Prints a note on missing keys.
fn read_par(path: &Path) -> Result<Weights> {
    run::read_par(path, &mut note)
}

/// The games of the command line, or those that a run has held out, and how many have a winner.
fn games_or_held_out(spec: &RunSpec, run: Option<&Path>) -> Result<(Collection, usize, Outcome)> {
    if let Some(run) = run {
        let (collection, held_out) = report::held_out_of(run)?;
        return Ok((collection, held_out, Outcome::Complete));
    }
    let (collection, outcome) = games(spec)?;
    let decisive = collection.games.len();
    Ok((collection, decisive, outcome))
}

/// The games of the command line; the outcome is incomplete if games were skipped.
fn games(spec: &RunSpec) -> Result<(Collection, Outcome)> {
    let (collection, skipped) = run::games(spec, &mut warn)?;
    Ok((collection, Outcome::complete_if(skipped == 0)))
}
