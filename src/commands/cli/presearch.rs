//! Arguments of `texam presearch`.

use std::{path::PathBuf, str::FromStr};

use clap::Args;

use super::{
    OutputArgs,
    files::game_files,
    options::{OptionArgs, bits},
    par_path,
};
use crate::{
    game::GameFiles,
    run::{DEFAULT_GAMES, Group, RunSpec},
    search::tree::Margin,
    value::{UNIT, Value},
};

/// `texam presearch`.
#[derive(Debug, Args)]
pub struct PresearchArgs {
    /// Games in PGN or a .dbf, plain, .gz or .zst; - is standard input
    #[arg(value_name = "GAMES", default_value = DEFAULT_GAMES)]
    games: Vec<PathBuf>,
    /// The .dbf to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace an older file of this name
    #[arg(long)]
    pub overwrite: bool,
    /// Number of the last move of each game that is not searched
    #[arg(long, value_name = "N", default_value_t = RunSpec::default().skip_moves)]
    pub skip_moves: u32,
    /// Weights to search with [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path(), help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Search.
    #[command(flatten)]
    pub options: OptionArgs<{ bits(&[Group::Preset, Group::Search]) }>,
    /// How far a move may be from the best of its node to be stored, in 1/128 pawn, or all: a tree of all
    /// moves is large
    #[arg(long, value_name = "M", default_value = "16", help_heading = "Trees")]
    pub margin: TreeMargin,
    /// Trees are always stored; earlier versions asked for them.
    #[arg(long, hide = true)]
    pub trees: bool,
    /// Threads and output format.
    #[command(flatten)]
    pub run: OutputArgs,
}

impl PresearchArgs {
    /// The files of games.
    pub fn games(&self) -> GameFiles {
        game_files(&self.games)
    }
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
