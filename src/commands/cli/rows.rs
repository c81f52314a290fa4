//! The arguments of `texam rows`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::options::{ON_WEIGHTS, OptionArgs};

/// The form of a file of choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowsFormat {
    /// The text of SVMrank.
    Text,
    /// An archive of NumPy arrays.
    Npz,
}

/// `texam rows`.
#[derive(Debug, Clone, Args)]
pub struct RowsArgs {
    /// Games, weights, search and bound.
    #[command(flatten)]
    pub options: OptionArgs<ON_WEIGHTS>,
    /// File for the choices
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Form of the choices: text, or npz for NumPy and SciPy
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    pub to: RowsFormat,
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
