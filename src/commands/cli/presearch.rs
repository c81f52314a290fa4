//! Arguments of `texam presearch`.

use std::{path::PathBuf, str::FromStr};

use clap::{ArgAction, Args};

use super::{
    OutputArgs, ParPath,
    files::games_path,
    options::{OptionArgs, bits},
};
use crate::{
    run::{DEFAULT_GAMES, Group, RunSpec},
    search::tree::Margin,
    value::{UNIT, Value},
};

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
    pub options: OptionArgs<{ bits(&[Group::Preset, Group::Search, Group::Bound]) }>,
    /// Store the best move of a node only if its search visited at least so many nodes: with 0 the file is largest, and
    /// the first pass fastest
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Search")]
    pub least_nodes: u64,
    /// Store a tree for each position too, for texam fit --trees; the last weights grow them
    #[arg(long, help_heading = "Trees")]
    pub trees: bool,
    /// How far a move may be from the best of its node to be stored, in 1/128 pawn, or all: a tree of all moves is large
    #[arg(long, value_name = "M", default_value = "16", requires = "trees", help_heading = "Trees")]
    pub margin: TreeMargin,
    /// Threads and output format.
    #[command(flatten)]
    pub run: OutputArgs,
}

/// The margin of trees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeMargin(pub Margin);

impl FromStr for TreeMargin {
    type Err = String;

    fn from_str(text: &str) -> Result<TreeMargin, String> {
        if text == "all" {
            return Ok(TreeMargin(None));
        }
        let margin = text.parse().ok().filter(|margin: &f64| (0.0..=LARGEST_MARGIN).contains(margin));
        let margin = margin.map(|margin| TreeMargin(Some((margin * UNIT as f64).round() as Value)));
        margin.ok_or_else(|| {
            format!("expected a number from 0 to {LARGEST_MARGIN}, or all, but found {text:?}")
        })
    }
}

/// Beyond it the trees of most positions are too large.
const LARGEST_MARGIN: f64 = 1024.0;
