//! The arguments of `texam report`.

use std::path::PathBuf;

use clap::Args;

/// `texam report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The .stat of a run; its .par files stand beside it
    #[arg(value_name = "NAME.stat")]
    pub stat: PathBuf,
    /// Page to write [default: NAME.html beside the .stat]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The games of the run, where they are no longer where its .stat says
    #[arg(long, value_name = "FILE", help_heading = "Positions")]
    pub games: Option<PathBuf>,
    /// The same for games that were held out in a file of their own
    #[arg(long, value_name = "FILE", help_heading = "Positions")]
    pub holdout: Option<PathBuf>,
    /// Pass to compare with the start [default: the best, or the last where that is the start]
    #[arg(long, value_name = "N", help_heading = "Positions", value_parser = clap::value_parser!(u32).range(1..))]
    pub pass: Option<u32>,
    /// Positions to show of those that improved most, and of those that got worse most; with 0 none is searched
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Positions",
          value_parser = clap::value_parser!(u32).range(..=100))]
    pub positions: u32,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Positions",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}
