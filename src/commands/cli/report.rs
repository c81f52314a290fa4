//! The arguments of `texam report`.

use std::path::PathBuf;

use clap::Args;

use super::files::{games_path, joined};

/// `texam report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The .stat of a run; its .par files are read from the same folder
    #[arg(value_name = "NAME.stat")]
    pub stat: PathBuf,
    /// Page to write [default: NAME.html beside the .stat]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an older file of this name
    #[arg(long)]
    pub overwrite: bool,
    /// The games of the run, if they are not at the path in the .stat
    #[arg(long, value_name = "FILE", help_heading = "Positions")]
    games: Vec<PathBuf>,
    /// The file of held-out games of the run, if it is not at the path in the .stat
    #[arg(long, value_name = "FILE", value_parser = games_path(), help_heading = "Positions")]
    pub holdout: Option<PathBuf>,
    /// Pass to compare with the start [default: the best pass, or the last if the start is best]
    #[arg(long, value_name = "N", help_heading = "Positions", value_parser = clap::value_parser!(u32).range(1..))]
    pub pass: Option<u32>,
    /// Number of positions to show that improved most, and that got worse most; with 0 no position is searched
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Positions",
          value_parser = clap::value_parser!(u32).range(..=100))]
    pub positions: u32,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Positions",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

impl ReportArgs {
    /// The games of the run, if they were given.
    pub fn games(&self) -> Option<PathBuf> {
        (!self.games.is_empty()).then(|| joined(self.games.iter().map(|path| path.as_os_str())))
    }
}
