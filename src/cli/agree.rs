//! The arguments of `texam agree`: one set of weights, and optionally a second one for comparison.

use std::path::PathBuf;

use clap::Args;

use super::{BoundArgs, GamesArgs, OutputArgs, ParPath, SearchOptions};
use crate::phase::{PhaseAt, PhaseScheme};

/// `texam agree`.
#[derive(Debug, Args)]
pub struct AgreeArgs {
    /// Games and positions.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Weights to measure [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true, help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Other weights to compare with, on the same positions
    #[arg(long, value_name = "FILE|SET", value_parser = ParPath, hide_possible_values = true, help_heading = "Weights")]
    pub against: Option<PathBuf>,
    /// Scheme of the game phase for the comparison [default: that of --phase]
    #[arg(long, value_name = "SCHEME", help_heading = "Search")]
    pub against_phase: Option<PhaseScheme>,
    /// Where the phase is taken from in the comparison [default: that of --phase-at]
    #[arg(long, value_name = "PLACE", help_heading = "Search")]
    pub against_phase_at: Option<PhaseAt>,
    /// Search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Bound.
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Threads and output format.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl AgreeArgs {
    /// Search options of the comparison; none if no comparison was requested.
    pub fn other_search(&self) -> Option<SearchOptions> {
        let differs = self.against_phase.is_some() || self.against_phase_at.is_some();
        (differs || self.against.is_some()).then(|| SearchOptions {
            depth: self.search.depth,
            checks: self.search.checks,
            phase: self.against_phase.unwrap_or(self.search.phase),
            phase_at: self.against_phase_at.unwrap_or(self.search.phase_at),
        })
    }
}
