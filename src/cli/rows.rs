//! The arguments of `texam rows`.

use std::path::PathBuf;

use clap::Args;

use super::{BoundArgs, GamesArgs, SearchOptions, WeightsArgs};
use crate::run::RunSpec;

/// `texam rows`.
#[derive(Debug, Clone, Args)]
pub struct RowsArgs {
    /// Games and positions.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Weights, and which of them are tuned.
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Bound.
    #[command(flatten)]
    pub bound: BoundArgs,
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

impl RowsArgs {
    /// Games, start weights and search as a run has them.
    pub fn spec(&self) -> RunSpec {
        let RowsArgs { games, weights, search, bound, output: _, weights_out: _, overwrite: _, threads: _ } =
            self.clone();
        let [tune, freeze] = weights.patterns();
        RunSpec {
            games: games.games,
            skip_moves: games.skip_moves,
            every: games.every,
            depth: search.depth,
            checks: search.checks,
            phase: search.phase,
            phase_at: search.phase_at,
            root: bound.root,
            threshold: bound.threshold,
            par: weights.par,
            tune,
            freeze,
            ..RunSpec::default()
        }
    }
}
