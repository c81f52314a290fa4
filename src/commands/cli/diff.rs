//! The arguments of `texam diff`.

use std::path::PathBuf;

use clap::Args;

use super::{
    OutputArgs,
    options::{ON_GAMES, OptionArgs},
    par_path,
};

/// `texam diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Weights to compare with, a file or a built-in set; standard errors are those of a fit under them. Two
    /// .csv of another program are compared without games
    #[arg(value_name = "A.par", value_parser = par_path())]
    pub a: PathBuf,
    /// Weights to compare, a file, a built-in set or a .csv
    #[arg(value_name = "B.par", value_parser = par_path())]
    pub b: PathBuf,
    /// Games, search and bound.
    #[command(flatten)]
    pub options: OptionArgs<ON_GAMES>,
    /// In place of GAMES: the positions that this run held out, so that no fit of it has seen them
    #[arg(long, value_name = "RUN.stat", conflicts_with_all = ["games", "every", "skip-moves", "weights_only"], help_heading = "Games")]
    pub held_out_of: Option<PathBuf>,
    /// Compare the weights only, in units, without games, standard errors and agreement
    #[arg(long, conflicts_with = "games", help_heading = None::<&str>)]
    pub weights_only: bool,
    /// Threads and output format.
    #[command(flatten)]
    pub output: OutputArgs,
}
