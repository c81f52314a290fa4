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
mod install;
mod lesson;
mod matches;
mod plot;
mod position;
mod presearch;
mod remedy;
mod report;
mod rows;
mod shard;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, parser::ValueSource};
use texam_fit::RidgeTo;

use self::files::{ParPath, games_path};
use crate::{
    feature::{nearest, pattern},
    phase::{PhaseAt, PhaseScheme},
    run::{Bound, DEFAULT_GAMES, RunSpec},
    search::RootKind,
};

pub use agree::AgreeArgs;
pub use diff::DiffArgs;
pub use eval::EvalArgs;
pub use export::ExportArgs;
pub use fit::{FitArgs, ForceArgs, PlaceArgs, RunArgs};
pub use games::ListArgs;
pub use install::{CompletionsArgs, ManArgs, command_names, completions, manual};
pub use lesson::LessonArgs;
pub use matches::{EarlierResults, EvenNumber, MatchArgs, Pairing, PassList, PerPlayer};
pub use plot::PlotArgs;
pub use position::{GameOfFile, MoveName};
pub use presearch::PresearchArgs;
pub use remedy::remedy;
pub use report::ReportArgs;
pub use rows::RowsArgs;
pub use shard::{FitCommandArgs, MergeArgs, ShardArgs};

/// Learn the weights of a chess evaluation from the moves of grandmasters, as Deep Thought did in 1988.
#[derive(Debug, Parser)]
#[command(
    name = "texam",
    version,
    max_term_width = 100,
    override_usage = "texam [GAMES]\n       texam <COMMAND> [OPTIONS]",
    after_help = "Without a command the screen opens, as in 1988: texam games/gm1988.pgn"
)]
pub struct Cli {
    /// The command with its options.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Parses a command line, program name included. For a fit and the screen it records which options were given; for a match
    /// it keeps the command line.
    ///
    /// # Errors
    ///
    /// Wrong usage; also a request for help or the version, with its own exit code.
    pub fn read(line: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
        let mut definition = definition();
        let line: Vec<OsString> = line.into_iter().map(Into::into).collect();
        if let Some(message) = misspelt_command(&definition, &line) {
            return Err(definition.error(clap::error::ErrorKind::InvalidSubcommand, message));
        }
        let line = with_command(&definition, line);
        let matches = definition.try_get_matches_from_mut(&line).map_err(|error| {
            let split_fen = error.kind() == clap::error::ErrorKind::UnknownArgument && has_split_fen(&line);
            if split_fen { definition.error(error.kind(), QUOTE_THE_FEN) } else { error }
        })?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))?;
        let fit = match &mut cli.command {
            Command::Fit(args) => Some(&mut args.fit),
            Command::Screen(args) => Some(&mut args.fit),
            _ => None,
        };
        if let (Some(args), Some((name, matches))) = (fit, matches.subcommand()) {
            let arguments =
                definition.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
            let names = arguments.map(|argument| argument.get_id().as_str());
            let is_given = |name: &&str| matches.value_source(name) == Some(ValueSource::CommandLine);
            args.given = names.filter(is_given).map(|name| name.replace('_', "-")).collect();
        }
        if let Command::Match(args) = &mut cli.command {
            args.line = line;
        }
        Ok(cli)
    }
}

/// The command line, with the command `uci` added if there are no arguments and standard input is not a terminal.
/// Tournament programs start an engine this way.
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

/// The message about a first word that is neither a command nor a file, but close to a command.
fn misspelt_command(definition: &clap::Command, line: &[OsString]) -> Option<String> {
    let word = line.get(1)?.to_str().filter(|word| !word.starts_with('-'))?;
    let commands: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
    if commands.contains(&word) || word == "help" || Path::new(word).exists() {
        return None;
    }
    let near = nearest(word, commands)?;
    Some(format!("there is no command and no file {word:?}; did you mean {near:?}?"))
}

/// The message about a FEN that a shell has split.
const QUOTE_THE_FEN: &str = "expected the position as one argument, but found several; put the FEN in quotes, as in \
                             texam eval 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'";

/// Whether an argument is the first field of a FEN and nothing else: eight ranks of eight squares. A path may have as many
/// slashes.
fn has_split_fen(line: &[OsString]) -> bool {
    let is_board =
        |word: &OsString| word.to_str().is_some_and(|word| word.parse::<shakmaty::Board>().is_ok());
    line.iter().skip(1).any(is_board)
}

/// The default command.
const SCREEN: &str = "screen";

/// The commands with their options. Negative numbers are accepted as values, so that the error message names the
/// allowed range.
fn definition() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let with_value = arg.get_long().is_some() && arg.get_action().takes_values();
            if with_value { arg.allow_negative_numbers(true) } else { arg }
        })
    })
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the screen: step through the games, change weights, fit (also without a command)
    #[command(
        after_help = "Examples:\n  texam screen games/gm1988.pgn\n  texam screen stats/gm1988.stat\n  texam screen --every 20 --ascii"
    )]
    Screen(Box<ScreenArgs>),
    /// Fit the weights to the games, over and over; writes a .par for each pass and one .stat
    #[command(
        after_help = "Examples:\n  texam fit --iterations 3 --every 20\n  texam fit --resume run-001\n  texam fit --objective \
                      softmax --every 20\n  texam fit --objective logistic --iterations 1 --inner 20\n  texam fit --shard 3/16 -o sums-3.bin"
    )]
    Fit(Box<FitCommandArgs>),
    /// Add the sums of all shards of a pass, solve for the next weights, and write the pass to the .stat of the run
    #[command(
        after_help = "Example, after texam fit --shard 1/2 and 2/2:\n  texam merge sums-1.bin sums-2.bin -o stats/big-01.par"
    )]
    Merge(MergeArgs),
    /// Test the identity: without a force, a fit must give back the weights it was made with
    #[command(after_help = "Example:\n  texam check --every 20")]
    Check(CheckArgs),
    /// Count how often the evaluation agrees with the winners; no fit
    #[command(
        after_help = "Examples:\n  texam agree --par params/start.par --against params/material.par\n  texam \
                      agree --every 20 --phase fruit --against-phase none"
    )]
    Agree(AgreeArgs),
    /// Show which weights differ between two sets, in units and standard errors, and how the sets agree with the winners
    #[command(
        after_help = "Examples:\n  texam diff params/start.par params/gm1988.par --every 20\n  texam diff \
                      params/start.par params/best.par --weights-only --cells"
    )]
    Diff(Box<DiffArgs>),
    /// List games with players, year, result and first moves, all of them or those in which some words occur
    #[command(
        after_help = "Examples:\n  texam games keres 1948\n  texam games fischer 1-0\n  texam games --games my.pgn --json"
    )]
    Games(ListArgs),
    /// Show every feature of a position: weight, count, contribution; or the evaluation along a game
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
    /// List every parameter of the evaluation
    #[command(
        after_help = "Examples:\n  texam params\n  texam params --sets\n  texam params --par params/material.par --tune 'pass_*'\n  \
                      texam params --multiply 3 -o large.par\n  texam params --par params/best.par --reset passed -o no-passed.par"
    )]
    Params(ParamsArgs),
    /// Time a fixed workload and print a signature of what it found
    #[command(after_help = "Example:\n  texam bench --positions 200")]
    Bench(BenchArgs),
    /// Search the games once and store them with the best moves found, so that each first pass over them is faster
    #[command(
        after_help = "Examples:\n  texam presearch games/gm1988.pgn -o gm1988.dbf\n  texam presearch games/gm1988.pgn \
                      --par params/start.par --par params/gm1988.par -o gm1988.dbf"
    )]
    Presearch(PresearchArgs),
    /// Write the choices of the winners as text for other programs, in the format of SVMrank, with the weights they are made of
    #[command(
        after_help = "Examples:\n  texam rows --every 20 -o choices.txt\n  texam rows games/gm1988.pgn --threshold none \
                      -o choices.txt --weights-out start.csv"
    )]
    Rows(Box<RowsArgs>),
    /// Run as a UCI engine, for chess programs and tournaments
    #[command(after_help = "Example:\n  texam uci --par params/gm1988.par")]
    Uci(UciArgs),
    /// Play a match between two sets of weights, or between the sets of a fit, and estimate the Elo difference
    #[command(
        after_help = "Examples:\n  texam match best start --games 100 --nodes 2000\n  texam match params/gm1988.par params/start.par --games 200\n  texam match \
                      params/start.par params/start.par --phase fruit,none --sprt 0 10\n  texam match --run \
                      stats/gm1988 --games 100\n  texam match --write-openings openings.epd"
    )]
    Match(Box<MatchArgs>),
    /// Write weights as source code of an evaluation, in Rust or C, or as JSON or CSV
    #[command(
        after_help = "Examples:\n  texam export params/best.par --to rust -o texam_eval.rs\n  texam export \
                            params/best.par --to c --pawn 100\n  texam export params/start.par --to csv"
    )]
    Export(ExportArgs),
    /// Draw a run or weights: curves, histograms, tables on the board and as surfaces
    #[command(
        after_help = "Examples:\n  texam plot stats/gm1988.stat\n  texam plot stats/gm1988.stat -o run.svg\n  texam plot \
                      params/best.par --panel heat,surface --table p_adv,n_cen -o tables.png"
    )]
    Plot(PlotArgs),
    /// Write a report of a fit as one page of HTML, with plots and the positions that changed most
    #[command(
        after_help = "Examples:\n  texam report stats/gm1988.stat\n  texam report stats/gm1988.stat -o report.html \
                      --pass 15 --positions 12"
    )]
    Report(ReportArgs),
    /// Show the lessons: the claims of 1988 replayed as experiments, with their results
    #[command(after_help = "Examples:\n  texam lesson\n  texam lesson 12\n  texam lesson 12 --run")]
    Lesson(LessonArgs),
    /// Print a script that lets a shell complete commands and options
    #[command(
        after_help = "Example:\n  texam completions bash > ~/.local/share/bash-completion/completions/texam"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command, or write all of them
    #[command(
        after_help = "Examples:\n  texam man fit | man -l -\n  texam man --out ~/.local/share/man/man1"
    )]
    Man(ManArgs),
}

/// Options for games and positions.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Games")]
pub struct GamesArgs {
    /// Games in PGN or a .dbf of `texam presearch`, plain, .gz, .bz2 or .zst; - is standard input. The default is built in
    #[arg(default_value = DEFAULT_GAMES, value_parser = games_path(), help_heading = None::<&str>)]
    pub games: PathBuf,
    /// Number of full moves to leave out at the start of each game
    #[arg(long, value_name = "N", default_value_t = RunSpec::default().skip_moves)]
    pub skip_moves: u32,
    /// Use only every Nth position of the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
}

/// Options for weights, and for which of them are tuned.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Weights")]
pub struct WeightsArgs {
    /// Start weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true)]
    pub par: Option<PathBuf>,
    /// Tune only these: keys, groups, cells, `*`; `attack` and its keys turn attack terms on, `table:KEY` frees the cells of a table,
    /// `gradient:KEY` turns it into a gradient again
    #[arg(long, value_name = "PATTERN,..", action = ArgAction::Append)]
    pub tune: Vec<String>,
    /// Do not tune these
    #[arg(long, value_name = "PATTERN,..", action = ArgAction::Append)]
    pub freeze: Vec<String>,
}

impl WeightsArgs {
    /// The patterns of `--tune` and of `--freeze`, one by one.
    pub fn patterns(&self) -> [Vec<String>; 2] {
        [&self.tune, &self.freeze].map(|lists| lists.iter().flat_map(|list| pattern::split(list)).collect())
    }
}

/// Options of the search.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchOptions {
    /// Plies of full minimax before quiescence
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=3))]
    pub depth: u32,
    /// Plies of quiescence in which quiet moves that give check are searched too, 0 to 6
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=6))]
    pub checks: u32,
    /// Scheme of the game phase: fruit, madchess, rustic or none
    #[arg(long, value_name = "SCHEME", default_value_t)]
    pub phase: PhaseScheme,
    /// Where the phase is taken from: leaf or root
    #[arg(long, value_name = "PLACE", default_value_t)]
    pub phase_at: PhaseAt,
}

/// Options of the bound.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Bound")]
pub struct BoundArgs {
    /// How the value of the position before the choice is found: quiescence, static or search
    #[arg(long, value_name = "KIND", default_value_t)]
    pub root: RootKind,
    /// Largest distance of a move from this value for the move to be used, in 1/128 pawn, or none
    #[arg(long, value_name = "UNITS", default_value_t = RunSpec::default().threshold)]
    pub threshold: Bound,
}

/// Options of the solver.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Solving")]
pub struct SolveArgs {
    /// Positions that must touch a weight for it to be fitted
    #[arg(long, value_name = "N", default_value_t = RunSpec::default().min_support)]
    pub min_support: u32,
    /// Strength of the ridge
    #[arg(long, value_name = "R", default_value_t = RunSpec::default().ridge)]
    pub ridge: f64,
    /// Weights towards which the ridge pulls: current or start
    #[arg(long, value_name = "WEIGHTS", default_value_t = RunSpec::default().ridge_to)]
    pub ridge_to: RidgeTo,
    /// Strength of the smoothing between neighbouring free cells
    #[arg(long, value_name = "L", default_value_t = RunSpec::default().smooth)]
    pub smooth: f64,
}

/// `texam screen`, or `texam` alone.
#[derive(Debug, Args)]
pub struct ScreenArgs {
    /// Options of the fit.
    #[command(flatten)]
    pub fit: FitArgs,
    /// Draw the board and all signs in plain ASCII
    #[arg(long, help_heading = "Screen")]
    pub ascii: bool,
}

/// `texam check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Games and positions.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Weights, and which of them are tuned.
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Bound.
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Solver.
    #[command(flatten)]
    pub solve: SolveArgs,
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

/// Option for the horizon of the full-width search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct HorizonArgs {
    /// Quiescence at the horizon: on or off
    #[arg(long, value_name = "SWITCH", default_value = "on", hide_possible_values = true)]
    pub quiescence: Switch,
}

/// `texam search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Position in Forsyth-Edwards notation, or GAMES:NUMBER of a game with --move
    #[arg(value_name = "FEN|GAMES:NUMBER")]
    pub position: String,
    /// Search the position before this move of the game: 25 before White's, 25.. before Black's
    #[arg(long = "move", value_name = "N", help_heading = None::<&str>)]
    pub before: Option<MoveName>,
    /// Weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true, help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Bound.
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Horizon of the full-width search.
    #[command(flatten)]
    pub horizon: HorizonArgs,
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

/// `texam params`.
#[derive(Debug, Args)]
pub struct ParamsArgs {
    /// List the sets of weights that are built in, whose names stand for a .par in all commands
    #[arg(long, conflicts_with_all = ["par", "tune", "freeze", "reset", "multiply", "output"], help_heading = None::<&str>)]
    pub sets: bool,
    /// Print one JSON object
    #[arg(long, requires = "sets", help_heading = None::<&str>)]
    pub json: bool,
    /// Weights, and which of them are tuned.
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Put these weights back to the start weights: keys, groups, cells
    #[arg(long, value_name = "PATTERN,..", action = ArgAction::Append, help_heading = "Weights")]
    pub reset: Vec<String>,
    /// Multiply the weights that are tuned by this
    #[arg(long, value_name = "FACTOR", help_heading = "Weights")]
    pub multiply: Option<f64>,
    /// Write the weights, with what is tuned, to this file instead of listing them
    #[arg(short, long, value_name = "FILE", help_heading = None::<&str>)]
    pub output: Option<PathBuf>,
}

/// `texam bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Games and positions.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true, help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Positions to search, spread evenly over the games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Games")]
    pub positions: u32,
    /// Search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Bound.
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Horizon of the full-width search.
    #[command(flatten)]
    pub horizon: HorizonArgs,
    /// Search first with these weights, without timing; then time a search that orders its moves by the
    /// results, as the later passes of a fit do
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true, conflicts_with = "plain", help_heading = "Weights")]
    pub after: Option<PathBuf>,
    /// Order moves by the best moves stored with the games: in a .dbf, and for the games built in
    #[arg(long, conflicts_with_all = ["plain", "after"], help_heading = "Games")]
    pub stored: bool,
    /// Rounds over all positions; the time printed is the mean of a round [default: as many as fill a second, or 1
    /// with --plain]
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
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true)]
    pub par: Option<PathBuf>,
    /// Scheme of the game phase: fruit, madchess, rustic or none
    #[arg(long, value_name = "SCHEME", default_value_t)]
    pub phase: PhaseScheme,
    /// Where the phase is taken from: leaf or root
    #[arg(long, value_name = "PLACE", default_value_t)]
    pub phase_at: PhaseAt,
}

/// `on` or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

impl Switch {
    /// Whether it is on.
    pub fn is_on(self) -> bool {
        self == Switch::On
    }
}

/// The help text of each option of `texam fit` by name, without the remark on the default.
pub fn meanings() -> BTreeMap<String, String> {
    let definition = Cli::command();
    let arguments = definition.find_subcommand("fit").into_iter().flat_map(clap::Command::get_arguments);
    let meaning = |argument: &clap::Arg| {
        let help = argument.get_help()?.to_string();
        let meaning = help.split(" [default").next().unwrap_or_default();
        Some((argument.get_long()?.to_string(), meaning.to_string()))
    };
    arguments.filter_map(meaning).collect()
}
