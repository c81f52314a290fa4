//! The arguments of `texam export`.

use std::path::PathBuf;

use clap::Args;

use super::par_path;
use crate::show::export::{EXACT_PAWN, Format};

/// `texam export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Weights to export: a file, a built-in set, or a .csv of another program
    #[arg(value_name = "FILE.par", value_parser = par_path())]
    pub par: PathBuf,
    /// Output format: rust, c, json or csv
    #[arg(long, value_name = "FORMAT")]
    pub to: Format,
    /// Whole numbers in which a pawn is worth N, rounded: 100 for centipawns [default: exact, 32768]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(EXACT_PAWN)))]
    pub pawn: Option<u32>,
    /// For a .csv: round weights to multiples of STEP [default: not rounded]
    #[arg(long, value_name = "STEP", conflicts_with = "pawn")]
    pub round: Option<f64>,
    /// For a .csv: what names of constants begin with [default: w_ in C, none in Rust]
    #[arg(long, value_name = "P")]
    pub prefix: Option<String>,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an older file of this name
    #[arg(long, requires = "output")]
    pub overwrite: bool,
}
