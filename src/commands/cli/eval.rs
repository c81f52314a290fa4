//! The arguments of `texam eval`: a position, or a game for a trace.

use std::path::PathBuf;

use clap::Args;

use super::{GameOfFile, MoveName, PlayerArgs, par_path};
use crate::phase::PhaseScheme;

/// `texam eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Position in Forsyth-Edwards notation, or GAMES:NUMBER of a game with --move
    #[arg(value_name = "FEN|GAMES:NUMBER", required_unless_present = "trace", conflicts_with = "trace")]
    pub position: Option<String>,
    /// Show the position before this move of the game: 25 before White's, 25.. before Black's
    #[arg(long = "move", value_name = "N", conflicts_with = "trace")]
    pub before: Option<MoveName>,
    /// Weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path())]
    pub par: Option<PathBuf>,
    /// Scheme of the game phase: fruit, madchess, rustic or none
    #[arg(long, value_name = "SCHEME", default_value_t)]
    pub phase: PhaseScheme,
    /// Show the evaluation along a game instead of a position, with the phase taken at the leaf, at the root
    /// (our reading of 1988), and without phase. NUMBER counts all games of the file
    #[arg(long, value_name = "GAMES:NUMBER", allow_hyphen_values = true, help_heading = "Trace")]
    pub trace: Option<GameOfFile>,
    /// A game of whom is named.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Plies of full minimax before quiescence
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=5), conflicts_with = "position", help_heading = "Trace")]
    pub depth: u32,
    /// Picture of the trace to write, .svg, or .png if built with it
    #[arg(short, long, value_name = "FILE", conflicts_with = "position", help_heading = "Trace")]
    pub output: Option<PathBuf>,
    /// Replace an older file of this name
    #[arg(long, requires = "output", help_heading = "Trace")]
    pub overwrite: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
