//! The arguments of `texam agree`: one set of weights, and optionally a second one for comparison.

use std::path::PathBuf;

use clap::Args;

use super::{
    OutputArgs, PlayerArgs,
    options::{ON_GAMES, OptionArgs},
    par_path,
};
use crate::{
    phase::{PhaseAt, PhaseScheme},
    sample::Sampling,
};

/// `texam agree`.
#[derive(Debug, Args)]
pub struct AgreeArgs {
    /// Games, search and bound.
    #[command(flatten)]
    pub options: OptionArgs<ON_GAMES>,
    /// Whose moves are measured.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Weights to measure [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path(), help_heading = "Weights")]
    pub par: Option<PathBuf>,
    /// Other weights to compare with, on the same positions
    #[arg(long, value_name = "FILE|SET", value_parser = par_path(), help_heading = "Weights")]
    pub against: Option<PathBuf>,
    /// In place of GAMES: the positions that this run held out, so that no fit of it has seen them
    #[arg(long, value_name = "RUN.stat", conflicts_with_all = ["games", "every", "skip-moves", "player"], help_heading = "Games")]
    pub held_out_of: Option<PathBuf>,
    /// Also list the N positions with most moves ahead of the played one, among those where it is in bound,
    /// and the terms that decide for the preferred move
    #[arg(long, value_name = "N", help_heading = None::<&str>, value_parser = clap::value_parser!(u32).range(1..))]
    pub worst: Option<u32>,
    /// Scheme of the game phase for the comparison [default: that of --phase]
    #[arg(long, value_name = "SCHEME", help_heading = "Search")]
    pub against_phase: Option<PhaseScheme>,
    /// Where the phase is taken from in the comparison [default: that of --phase-at]
    #[arg(long, value_name = "PLACE", help_heading = "Search")]
    pub against_phase_at: Option<PhaseAt>,
    /// Threads and output format.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl AgreeArgs {
    /// How positions are searched for the comparison; none if no comparison was requested.
    pub fn other_sampling(&self) -> Option<Sampling> {
        let differs = self.against_phase.is_some() || self.against_phase_at.is_some();
        let mut sampling = self.options.spec().sampling();
        let search = &mut sampling.search;
        search.phase = self.against_phase.unwrap_or(search.phase);
        search.phase_at = self.against_phase_at.unwrap_or(search.phase_at);
        (differs || self.against.is_some()).then_some(sampling)
    }
}
