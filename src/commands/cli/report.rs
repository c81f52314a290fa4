//! The arguments of `texam report`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{
    PlayerArgs,
    files::{game_files, games_path},
    par_path,
};
use crate::{
    error::{Error, Result},
    game::GameFiles,
};

/// `texam report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The .stat of a run; its .par files are read from the same folder. With --player games, as other
    /// commands take them
    #[arg(value_name = "NAME.stat|GAMES", required = true)]
    pub sources: Vec<PathBuf>,
    /// Page to write [default: NAME.html beside the .stat; none with --player]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an older file of this name
    #[arg(long)]
    pub overwrite: bool,
    /// Whose moves are compared with the preferred ones, in place of a run.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Weights that prefer moves, for --player [default: params/best.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE|SET", value_parser = par_path(), requires = "player", help_heading = "Games")]
    pub par: Option<PathBuf>,
    /// Use only every Nth position of the games, for --player
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), requires = "player", help_heading = "Games")]
    pub every: u32,
    /// Plies of full minimax before quiescence, for --player
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=5), requires = "player", help_heading = "Games")]
    pub depth: u32,
    /// The games of the run, if they are not at the path in the .stat
    #[arg(long, value_name = "FILE", conflicts_with = "player", help_heading = "Positions")]
    games: Vec<PathBuf>,
    /// The file of held-out games of the run, if it is not at the path in the .stat
    #[arg(long, value_name = "FILE", value_parser = games_path(), conflicts_with = "player", help_heading = "Positions")]
    pub holdout: Option<PathBuf>,
    /// Pass to compare with the start [default: the best pass, or the last if the start is best]
    #[arg(long, value_name = "N", conflicts_with = "player", help_heading = "Positions", value_parser = clap::value_parser!(u32).range(1..))]
    pub pass: Option<u32>,
    /// Number of positions to show that improved most, and that got worse most; with 0 no position is
    /// searched. With --player, of those in which the played move ranks lowest
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Positions",
          value_parser = clap::value_parser!(u32).range(..=100))]
    pub positions: u32,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Positions",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

impl ReportArgs {
    /// The .stat of the run.
    pub fn stat(&self) -> Result<&Path> {
        match &self.sources[..] {
            [stat] => Ok(stat),
            more => {
                Err(Error::expected("one .stat, or games with --player", format!("{} files", more.len())))
            }
        }
    }

    /// The games that stand in the place of the .stat.
    pub fn all_games(&self) -> GameFiles {
        game_files(&self.sources)
    }

    /// The games of the run, if they were given.
    pub fn games(&self) -> Option<GameFiles> {
        (!self.games.is_empty()).then(|| game_files(&self.games))
    }
}
