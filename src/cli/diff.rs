//! The arguments of `texam diff`.

use std::path::PathBuf;

use clap::Args;

use super::{BoundArgs, GamesArgs, OutputArgs, SearchOptions};
use crate::diff::Order;

/// `texam diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Weights to compare with; standard errors are those of a fit under them
    #[arg(value_name = "A.par")]
    pub a: PathBuf,
    /// Weights to compare
    #[arg(value_name = "B.par")]
    pub b: PathBuf,
    #[command(flatten)]
    pub games: GamesArgs,
    /// Compare the weights alone, in units: no games, no standard errors, no agreement
    #[arg(long, conflicts_with = "games", help_heading = None::<&str>)]
    pub weights_only: bool,
    /// What comes first: the largest change in standard errors or in units, or the first of the table:
    /// errors, units or table
    #[arg(long, value_name = "ORDER", default_value_t, help_heading = None::<&str>)]
    pub sort: Order,
    /// Lay out tables in which cells differ like the board
    #[arg(long, help_heading = None::<&str>)]
    pub cells: bool,
    #[command(flatten)]
    pub search: SearchOptions,
    #[command(flatten)]
    pub bound: BoundArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}
