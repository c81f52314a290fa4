//! The arguments of `texam agree`: a side, and another to compare it with.

use std::path::PathBuf;

use clap::Args;

use super::{BoundArgs, GamesArgs, OutputArgs, SearchOptions};
use crate::phase::{PhaseAt, PhaseScheme};

/// `texam agree`.
#[derive(Debug, Args)]
pub struct AgreeArgs {
    #[command(flatten)]
    pub games: GamesArgs,
    /// Weights to judge [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE", help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Other weights to compare with, on the same positions
    #[arg(long, value_name = "FILE", help_heading = "Weights")]
    pub against: Option<PathBuf>,
    /// Compare with this scheme of the game phase [default there: that of --phase]
    #[arg(long, value_name = "SCHEME", help_heading = "Search")]
    pub against_phase: Option<PhaseScheme>,
    /// Compare with the phase taken from here [default there: that of --phase-at]
    #[arg(long, value_name = "PLACE", help_heading = "Search")]
    pub against_phase_at: Option<PhaseAt>,
    #[command(flatten)]
    pub search: SearchOptions,
    #[command(flatten)]
    pub bound: BoundArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl AgreeArgs {
    /// The search of the other side, where there is one.
    pub fn other_search(&self) -> Option<SearchOptions> {
        let differs = self.against_phase.is_some() || self.against_phase_at.is_some();
        (differs || self.against.is_some()).then(|| SearchOptions {
            depth: self.search.depth,
            phase: self.against_phase.unwrap_or(self.search.phase),
            phase_at: self.against_phase_at.unwrap_or(self.search.phase_at),
        })
    }
}
