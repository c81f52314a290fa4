//! The arguments of `texam rows`.

use std::path::PathBuf;

use clap::Args;

use super::options::{ON_WEIGHTS, OptionArgs};

/// `texam rows`.
#[derive(Debug, Clone, Args)]
pub struct RowsArgs {
    /// Games, weights, search and bound.
    #[command(flatten)]
    pub options: OptionArgs<ON_WEIGHTS>,
    /// File for the choices
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// File for the weights that the choices are made of [default: weights.csv beside the choices]
    #[arg(long, value_name = "CSV")]
    pub weights_out: Option<PathBuf>,
    /// Replace files of these names
    #[arg(long)]
    pub overwrite: bool,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}
