//! Arguments of `texam positions`.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArgs, files::game_files, par_path};
use crate::game::GameFiles;
use crate::run::{DEFAULT_GAMES, RunSpec};

/// `texam positions`.
#[derive(Debug, Args)]
pub struct PositionsArgs {
    /// Games in PGN, plain, .gz or .zst; - is standard input
    #[arg(value_name = "GAMES", default_value = DEFAULT_GAMES)]
    games: Vec<PathBuf>,
    /// The file to write, with a position and a result in each line
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace an older file of this name
    #[arg(long)]
    pub overwrite: bool,
    /// Largest number of positions of a game, which are drawn by lot
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub per_game: u32,
    /// Seed of the lots
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Number of the last move of each game that is left out
    #[arg(long, value_name = "N", default_value_t = RunSpec::default().skip_moves)]
    pub skip_moves: u32,
    /// Largest lead of either side in centipawns: positions beyond it are decided, and are left out
    #[arg(long, value_name = "CP", default_value_t = 600)]
    pub limit: u32,
    /// Write `FEN | centipawns | result` in place of `FEN [result]`; all are from White's view
    #[arg(long)]
    pub scores: bool,
    /// End each line with `# game:NUMBER`, so that a fit of texam holds out whole games
    #[arg(long)]
    pub name_games: bool,
    /// Weights that find quiet positions and their values [default: params/start.par, or the built-in copy of
    /// it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path())]
    pub par: Option<PathBuf>,
    /// Threads and output format.
    #[command(flatten)]
    pub run: OutputArgs,
}

impl PositionsArgs {
    /// The files of games.
    pub fn games(&self) -> GameFiles {
        game_files(&self.games)
    }
}
