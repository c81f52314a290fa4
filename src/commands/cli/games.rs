//! The arguments of `texam games`.

use std::path::PathBuf;

use clap::Args;

use super::files::games_path;
use crate::run::DEFAULT_GAMES;

/// `texam games`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Show only games in which all of these occur: in players, event, year or result, in any case, or as the number
    pub words: Vec<String>,
    /// Games in PGN or a .dbf of `texam presearch`, plain, .gz, .bz2 or .zst; - is standard input. The default is built in
    #[arg(long, value_name = "FILE", default_value = DEFAULT_GAMES, value_parser = games_path())]
    pub games: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
