//! Definition of the command line; [`crate::commands`] carries the commands out.
//!
//! Options of the method have the same names and defaults in all commands. The library types that they are
//! converted to explain them.

mod agree;
mod diff;
mod eval;
mod export;
mod files;
mod fit;
mod games;
mod help;
mod install;
mod lesson;
mod matches;
mod options;
mod plot;
mod position;
mod positions;
mod presearch;
mod remedy;
mod report;
mod rows;
mod unknown;

use std::{ffi::OsString, path::PathBuf};

use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use self::{
    files::par_path,
    options::{ALL, ON_GAMES, ON_WEIGHTS, OptionArgs, bits},
};
use crate::{
    phase::{PhaseAt, PhaseScheme},
    run::{Group, RunPlace},
    screen::Ground,
};

pub use agree::AgreeArgs;
pub use diff::DiffArgs;
pub use eval::EvalArgs;
pub use export::ExportArgs;
pub use fit::FitArgs;
pub use games::ListArgs;
pub use install::{CompletionsArgs, ManArgs, command_names, completions, manual};
pub use lesson::LessonArgs;
pub use matches::MatchArgs;
pub use plot::PlotArgs;
pub use position::{GameOfFile, MoveName, PlayerArgs};
pub use positions::PositionsArgs;
pub use presearch::PresearchArgs;
pub use remedy::remedy;
pub use report::ReportArgs;
pub use rows::RowsArgs;

/// Learn the weights of a chess evaluation from the moves of grandmasters, as Deep Thought did in 1988.
#[derive(Debug, Parser)]
#[command(
    name = "texam",
    version,
    max_term_width = 100,
    override_usage = "texam [GAMES]\n       texam <COMMAND> [OPTIONS]",
    after_help = "Without a command the screen opens: texam games/gm1988.pgn\nIn 1988 it was texam dbf_all; `make dbf_all` makes such a file."
)]
pub struct Cli {
    /// The command with its options.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Parses a command line, program name included.
    pub fn read(line: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
        let mut definition = definition();
        let typed: Vec<OsString> = line.into_iter().map(Into::into).collect();
        if let Some(message) = unknown::message_on_command(&definition, &typed) {
            return Err(unknown::error(clap::error::ErrorKind::InvalidSubcommand, &message));
        }
        if typed.iter().any(|word| word == "-h") {
            definition = definition.mut_subcommands(help::with_usual_options);
        }
        let line = with_command(&definition, typed.clone());
        let matches = definition
            .try_get_matches_from_mut(&line)
            .map_err(|error| unknown::explained(error, &line, line.len() > typed.len()))?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
    }
}

/// The command line, with the command `uci` added if there are no arguments and standard input is not a
/// terminal. Tournament programs start an engine this way.
pub fn with_default_command(line: impl IntoIterator<Item = OsString>, from_terminal: bool) -> Vec<OsString> {
    let mut line: Vec<_> = line.into_iter().collect();
    if line.len() == 1 && !from_terminal {
        line.push("uci".into());
    }
    line
}

/// The command line, with the command `screen` added if it has no command: `texam GAMES` opens the screen.
fn with_command(definition: &clap::Command, mut line: Vec<OsString>) -> Vec<OsString> {
    const OF_THE_PROGRAM: [&str; 5] = ["help", "-h", "--help", "-V", "--version"];
    let is_command = |word: &OsString| {
        word.to_str().is_some_and(|word| {
            OF_THE_PROGRAM.contains(&word) || definition.get_subcommands().any(|c| c.get_name() == word)
        })
    };
    if !line.get(1).is_some_and(is_command) {
        line.insert(1.min(line.len()), SCREEN.into());
    }
    line
}

/// The default command.
const SCREEN: &str = "screen";

/// The commands with their options. Negative numbers are accepted as values, so that the error message names
/// the allowed range.
fn definition() -> clap::Command {
    let program = Cli::command().mut_subcommands(|command| {
        let command = command.mut_args(|arg| {
            let with_value = arg.get_long().is_some() && arg.get_action().takes_values();
            if with_value { arg.allow_negative_numbers(true) } else { arg }
        });
        help::with_help_flag(command)
    });
    help::with_groups(program)
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Step through the games, change weights and fit them
    #[command(
        after_help = "Examples:\n  texam screen games/gm1988.pgn\n  texam screen stats/gm1988.stat\n  texam screen --every 20 --ascii\n  texam screen me.pgn --player anna\n  texam screen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'"
    )]
    Screen(Box<ScreenArgs>),
    /// Fit the weights to the games; writes a .par per pass and a .stat
    #[command(
        after_help = "Examples:\n  texam fit --iterations 3 --every 20\n  texam fit --resume run-001\n  texam fit --objective \
                      softmax --every 20\n  texam fit --objective logistic --iterations 1 --inner 20"
    )]
    Fit(Box<FitArgs>),
    /// Test that a fit without a force gives back its own weights
    #[command(after_help = "Example:\n  texam check --every 20")]
    Check(CheckArgs),
    /// Count how often the evaluation agrees with the winners; no fit
    #[command(
        after_help = "Examples:\n  texam agree --par params/start.par --against params/material.par\n  texam \
                      agree --every 20 --phase fruit --against-phase none"
    )]
    Agree(AgreeArgs),
    /// Compare two sets of weights, and how they agree with the winners
    #[command(
        after_help = "Examples:\n  texam diff params/start.par params/gm1988.par --every 20\n  texam diff \
                      params/start.par params/best.par --weights-only"
    )]
    Diff(Box<DiffArgs>),
    /// List the games, or those in which some words occur
    #[command(
        after_help = "Examples:\n  texam games keres 1948\n  texam games fischer 1-0\n  texam games deep thought\n  texam games my.pgn --json"
    )]
    Games(ListArgs),
    /// Show every feature of a position, or the evaluation along a game
    #[command(
        after_help = "Examples:\n  texam eval 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'\n  \
                      texam eval games/gm1988.pgn:1 --move 25..\n  \
                      texam eval --trace games/gm1988.pgn:1\n  texam eval --trace games/gm1988.pgn:1 -o trace.svg"
    )]
    Eval(EvalArgs),
    /// Show every legal move of a position with its value, rank and line
    #[command(
        after_help = "Examples:\n  texam search 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'\n  \
                      texam search games/gm1988.pgn:1 --move 25"
    )]
    Search(SearchArgs),
    /// Compile weights into the tables of Deep Thought for a position
    #[command(
        after_help = "Examples:\n  texam tables 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'\n  \
                      texam tables games/gm1988.pgn:1 --move 25 --par best -o machine"
    )]
    Tables(TablesArgs),
    /// List every parameter of the evaluation
    #[command(
        after_help = "Examples:\n  texam params\n  texam params --sets\n  texam params --par params/material.par --tune 'pass_*'\n  \
                      texam params --multiply 3 -o large.par\n  texam params --par params/best.par --reset passed -o no-passed.par"
    )]
    Params(ParamsArgs),
    /// Time a fixed workload and print a signature of what it found
    #[command(after_help = "Example:\n  texam bench --positions 200")]
    Bench(BenchArgs),
    /// Search the games once and store their search trees
    #[command(
        after_help = "Examples:\n  texam presearch games/gm1988.pgn -o trees.dbf\n  texam presearch games/gm1988.pgn \
                      --preset 1988 --margin 32 -o trees.dbf"
    )]
    Presearch(PresearchArgs),
    /// Write quiet positions with the results of their games
    #[command(
        after_help = "Examples:\n  texam positions games.pgn -o quiet.epd\n  texam positions games.pgn --per-game 3 --scores -o \
                      quiet.txt"
    )]
    Positions(PositionsArgs),
    /// Write the choices of the winners as rows for other programs
    #[command(
        after_help = "Examples:\n  texam rows --every 20 -o choices.txt\n  texam rows games/gm1988.pgn --threshold none \
                      -o choices.txt --weights-out start.csv"
    )]
    Rows(Box<RowsArgs>),
    /// Run as a UCI engine, for chess programs and tournaments
    #[command(after_help = "Example:\n  texam uci --par params/gm1988.par")]
    Uci(UciArgs),
    /// Play a match between weights and estimate the Elo difference
    #[command(
        after_help = "Examples:\n  texam match best start --games 100 --nodes 2000\n  texam match params/gm1988.par params/start.par --games 200\n  texam match \
                      params/start.par params/start.par --phase fruit,none --sprt 0 10\n  texam match --write-openings openings.epd"
    )]
    Match(Box<MatchArgs>),
    /// Write weights as source code in Rust or C, or as JSON or CSV
    #[command(
        after_help = "Examples:\n  texam export params/best.par --to rust -o texam_weights.rs\n  texam export \
                            params/best.par --to c --pawn 100\n  texam export params/start.par --to csv"
    )]
    Export(ExportArgs),
    /// Draw a run or weights: curves, histograms, tables and surfaces
    #[command(
        after_help = "Examples:\n  texam plot stats/gm1988.stat\n  texam plot stats/gm1988.stat -o run.svg\n  texam plot \
                      params/best.par --panel heat,surface --table p_adv,n_cen -o tables.svg"
    )]
    Plot(PlotArgs),
    /// Write a report of a run, or of a player, as one page of HTML
    #[command(
        after_help = "Examples:\n  texam report stats/gm1988.stat\n  texam report stats/gm1988.stat -o report.html \
                      --pass 15 --positions 12\n  texam report me.pgn --player anna -o anna.html"
    )]
    Report(ReportArgs),
    /// Replay the claims of 1988 as experiments
    #[command(
        after_help = "Examples:\n  texam lesson\n  texam lesson 12\n  texam lesson 12 --quick\n  texam lesson 12 --run"
    )]
    Lesson(LessonArgs),
    /// Print a script that lets a shell complete commands and options
    #[command(
        after_help = "Example:\n  texam completions bash > ~/.local/share/bash-completion/completions/texam"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command
    #[command(
        after_help = "Examples:\n  texam man fit | man -l -\n  texam man --out ~/.local/share/man/man1"
    )]
    Man(ManArgs),
}

/// `texam screen`, or `texam` alone.
#[derive(Debug, Args)]
pub struct ScreenArgs {
    /// Options of the fit.
    #[command(flatten)]
    pub options: OptionArgs<{ ALL & !bits(&[Group::Rows]) }>,
    /// Replace the files of an earlier run of this name
    #[arg(long, help_heading = "Run")]
    pub overwrite: bool,
    /// Whose positions are shown.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Draw the board and all signs in plain ASCII
    #[arg(long, help_heading = "Screen")]
    pub ascii: bool,
    /// Colours for this background of the terminal; auto asks the terminal
    #[arg(long, value_enum, default_value_t, value_name = "GROUND", help_heading = "Screen")]
    pub theme: ThemeName,
    /// Show only what the record of 1988 says was on the screen, without colours: a guess, for 142 columns
    #[arg(long, value_parser = ["1988"], value_name = "YEAR", help_heading = "Screen")]
    pub look: Option<String>,
    /// Leave the mouse to the terminal
    #[arg(long, help_heading = "Screen")]
    pub no_mouse: bool,
}

impl ScreenArgs {
    /// Threads and output files of a fit.
    pub fn place(&self) -> RunPlace {
        RunPlace { overwrite: self.overwrite, ..self.options.setup.place.clone() }
    }
}

/// Names of the themes.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum ThemeName {
    #[default]
    Auto,
    Dark,
    Light,
}

impl ThemeName {
    /// The background, if it is given.
    pub fn ground(self) -> Option<Ground> {
        match self {
            ThemeName::Auto => None,
            ThemeName::Dark => Some(Ground::Dark),
            ThemeName::Light => Some(Ground::Light),
        }
    }
}

/// `texam check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Games, weights, search, bound and solver.
    #[command(flatten)]
    pub options: OptionArgs<{ ON_WEIGHTS | bits(&[Group::Solving]) }>,
    /// Threads and output format.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options for threads and output format.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct OutputArgs {
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `texam search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Position in Forsyth-Edwards notation, or GAMES:NUMBER of a game with --move
    #[arg(value_name = "FEN|GAMES:NUMBER")]
    pub position: String,
    /// Take the position before this move of the game: 25 before White's, 25.. before Black's
    #[arg(long = "move", value_name = "N", help_heading = None::<&str>)]
    pub before: Option<MoveName>,
    /// A game of whom is named.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path(), help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Search and bound.
    #[command(flatten)]
    pub options: OptionArgs<{ bits(&[Group::Search, Group::Bound]) }>,
    /// Use the reference, plain full minimax: up to minutes at 3 plies, so try --depth 2
    #[arg(long, conflicts_with = "window", help_heading = None::<&str>)]
    pub plain: bool,
    /// Search as a fit does: exact values in bound, otherwise only whether the value is above or below
    #[arg(long, help_heading = None::<&str>)]
    pub window: bool,
    /// Print one JSON object
    #[arg(long, help_heading = None::<&str>)]
    pub json: bool,
}

/// `texam tables`.
#[derive(Debug, Args)]
pub struct TablesArgs {
    /// Root in Forsyth-Edwards notation, or GAMES:NUMBER of a game with --move [default: the start position]
    #[arg(value_name = "FEN|GAMES:NUMBER")]
    pub position: Option<String>,
    /// The same root, as an option
    #[arg(long, value_name = "FEN", conflicts_with = "position")]
    pub fen: Option<String>,
    /// Take the position before this move of the game: 25 before White's, 25.. before Black's
    #[arg(long = "move", value_name = "N")]
    pub before: Option<MoveName>,
    /// A game of whom is named.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path())]
    pub par: Option<PathBuf>,
    /// Scheme of the game phase: fruit, madchess, rustic or none
    #[arg(long, value_name = "SCHEME", default_value_t)]
    pub phase: PhaseScheme,
    /// New folder for the entries, with a .csv for each table
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Print on standard error how long the tables took to fill
    #[arg(long)]
    pub time: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `texam params`.
#[derive(Debug, Args)]
pub struct ParamsArgs {
    /// List the sets of weights that are built in, whose names stand for a .par in all commands
    #[arg(long, conflicts_with_all = ["par", "tune", "freeze", "reset", "multiply", "output", "overwrite"], help_heading = None::<&str>)]
    pub sets: bool,
    /// Print one JSON object
    #[arg(long, requires = "sets", help_heading = None::<&str>)]
    pub json: bool,
    /// Weights, and which of them are tuned.
    #[command(flatten)]
    pub weights: OptionArgs<{ bits(&[Group::Weights]) }>,
    /// Put these weights back to the start weights: keys, groups, cells
    #[arg(long, value_name = "PATTERN,..", action = ArgAction::Append, help_heading = "Weights")]
    pub reset: Vec<String>,
    /// Multiply the weights that are tuned by this
    #[arg(long, value_name = "FACTOR", help_heading = "Weights")]
    pub multiply: Option<f64>,
    /// Write the weights, with what is tuned, to this file instead of listing them
    #[arg(short, long, value_name = "FILE", help_heading = None::<&str>)]
    pub output: Option<PathBuf>,
    /// Replace an older file of this name
    #[arg(long, requires = "output", help_heading = None::<&str>)]
    pub overwrite: bool,
}

/// `texam bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Games, search and bound.
    #[command(flatten)]
    pub options: OptionArgs<ON_GAMES>,
    /// Weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path(), help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Positions to search, spread evenly over the games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Games")]
    pub positions: u32,
    /// Search first with these weights, without timing; then time a search that orders its moves by the
    /// results, as the later passes of a fit do
    #[arg(long, value_name = "FILE|SET", value_parser = par_path(), conflicts_with = "plain", help_heading = "Weights")]
    pub after: Option<PathBuf>,
    /// Rounds over all positions; the time printed is the mean of a round [default: as many as fill a second,
    /// or 1 with --plain]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = None::<&str>)]
    pub rounds: Option<u32>,
    /// Do the same work with plain full minimax: up to minutes for each position at 3 plies
    #[arg(long, help_heading = None::<&str>)]
    pub plain: bool,
    /// Print one JSON object
    #[arg(long, help_heading = None::<&str>)]
    pub json: bool,
}

/// `texam uci`.
#[derive(Debug, Args)]
pub struct UciArgs {
    /// Weights to play with [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path())]
    pub par: Option<PathBuf>,
    /// Scheme of the game phase: fruit, madchess, rustic or none
    #[arg(long, value_name = "SCHEME", default_value_t)]
    pub phase: PhaseScheme,
    /// Where the phase is taken from: leaf or root
    #[arg(long, value_name = "PLACE", default_value_t)]
    pub phase_at: PhaseAt,
}
