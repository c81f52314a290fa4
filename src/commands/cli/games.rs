//! The arguments of `texam games`.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use clap::Args;

use super::{PlayerArgs, files::game_files};
use crate::game::{self, GameFiles};

/// `texam games`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Files of games, and words: only games are shown in which all words occur, in players, event, year or
    /// result, in any case, or as the number
    #[arg(value_name = "GAMES|WORD")]
    arguments: Vec<OsString>,
    /// Games in PGN or a .dbf of `texam presearch`, plain, .gz or .zst; - is standard input. The default is
    /// built in
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Whose games are listed.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl ListArgs {
    /// The files of games.
    pub fn games(&self) -> GameFiles {
        let mut arguments = self.arguments();
        arguments.retain(|argument| is_games(argument));
        game_files(self.games.iter().cloned().chain(arguments.into_iter().map(PathBuf::from)))
    }

    /// The words, with blanks between them.
    pub fn words(&self) -> String {
        let arguments = self.arguments();
        let words = arguments.iter().filter(|argument| !is_games(argument));
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// The arguments; a name of built-in games in two words, as in `texam games deep thought`, is one of
    /// them.
    fn arguments(&self) -> Vec<OsString> {
        if let [first, second, rest @ ..] = self.arguments.as_slice() {
            let name = [first.as_os_str(), second].join(OsStr::new("-")).to_ascii_lowercase();
            if game::is_shipped(&game::path_of(&name)) {
                return [name].into_iter().chain(rest.iter().cloned()).collect();
            }
        }
        self.arguments.clone()
    }
}

/// Whether an argument is games and no word: an existing file, or a name that ends as those of games do.
fn is_games(argument: &OsStr) -> bool {
    let path = game::path_of(argument);
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    path == Path::new("-") || path.is_file() || ["pgn", "dbf", "gz", "zst"].contains(&extension.as_str())
}
