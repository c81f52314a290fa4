//! Arguments of `texam presearch`.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use super::{
    OutputArgs, ParPath,
    files::games_path,
    options::{OptionArgs, bits},
};
use crate::run::Group;
use crate::run::{DEFAULT_GAMES, RunSpec};

/// `texam presearch`.
#[derive(Debug, Args)]
pub struct PresearchArgs {
    /// Games in PGN, plain, .gz, .bz2 or .zst; - is standard input. A .dbf is searched again, from its best moves on
    #[arg(default_value = DEFAULT_GAMES, value_parser = games_path())]
    pub games: PathBuf,
    /// The .dbf to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace an older file of this name
    #[arg(long)]
    pub overwrite: bool,
    /// Number of full moves at the start of each game that are not searched
    #[arg(long, value_name = "N", default_value_t = RunSpec::default().skip_moves)]
    pub skip_moves: u32,
    /// Weights to search with; several are used one after another [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true, action = ArgAction::Append, help_heading = "Weights")]
    pub par: Vec<PathBuf>,
    /// Search and bound.
    #[command(flatten)]
    pub options: OptionArgs<{ bits(&[Group::Search, Group::Bound]) }>,
    /// Store the best move of a node only if its search visited at least so many nodes: with 0 the file is largest, and
    /// the first pass fastest
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Search")]
    pub least_nodes: u64,
    /// Threads and output format.
    #[command(flatten)]
    pub run: OutputArgs,
}
