//! The arguments of `texam plot`.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use super::par_path;
use crate::show::plot::{PanelKind, WIDTHS};

/// `texam plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// A run (.stat) or weights (.par, or a built-in set); the weights of a run are read from the same folder
    #[arg(value_parser = par_path())]
    pub file: PathBuf,
    /// Picture to write, .svg, or .png if built with it [default: print the plots as text]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an older file of this name
    #[arg(long, requires = "output")]
    pub overwrite: bool,
    /// Draw only these: agreement, rank, loss, spread, miss, ahead, misses, forces, trends, heat, surface,
    /// list
    #[arg(long, value_name = "NAME,..", action = ArgAction::Append, value_delimiter = ',')]
    pub panel: Vec<PanelKind>,
    /// Draw only these tables [default: for a run those with free cells, for weights all]
    #[arg(long, value_name = "KEY,..", action = ArgAction::Append, value_delimiter = ',')]
    pub table: Vec<String>,
    /// Weights to compare with [default: for a run its start, for weights params/start.par]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path())]
    pub against: Option<PathBuf>,
    /// Width: pixels of a picture, columns of text [default: 960 pixels; the terminal, or 100 columns]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=*WIDTHS.end() as i64))]
    pub width: Option<u32>,
    /// Draw the picture on a dark background
    #[arg(long, requires = "output")]
    pub dark: bool,
}
