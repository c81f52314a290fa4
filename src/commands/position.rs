//! The position that a command shows: a FEN, or a position of a game.

use std::path::Path;

use shakmaty::Chess;

use super::warn;
use crate::{
    commands::cli::{GameOfFile, MoveName, PlayerArgs},
    error::{Error, Result},
    fen,
    game::{self, Game},
};

/// A position, and where it comes from.
pub(super) struct NamedPosition {
    pub position: Chess,
    /// A line that names game and move; empty for a FEN.
    pub title: String,
}

impl NamedPosition {
    /// The position of a FEN, or of GAMES:NUMBER before a move: of a game with a winner, or of one of a player.
    pub fn read(text: &str, before: Option<MoveName>, player: &PlayerArgs) -> Result<NamedPosition> {
        match (text.parse::<GameOfFile>(), before) {
            (Ok(named), Some(before)) => NamedPosition::of_game(&named, before, player.player.as_deref()),
            (Ok(_), None) => {
                let expected = "--move with a game: --move 25 is the position before White's move 25, --move 25.. \
                                before Black's";
                Err(Error::expected(expected, format!("{text:?} alone")))
            }
            (Err(wrong), Some(_)) => Err(wrong.while_doing("--move takes a game")),
            (Err(wrong), None) if player.player.is_some() => Err(wrong.while_doing("--player takes a game")),
            (Err(_), None) if text.ends_with(".pgn") || Path::new(text).is_file() => {
                let expected = "a position in FEN, or FILE:N --move M for a position of game N";
                let found = format!("{text:?}; give {text}:1 --move 25 for one of the first game");
                Err(Error::expected(expected, found))
            }
            (Err(_), None) => {
                Ok(NamedPosition { position: fen::parse_warning(text, &mut warn)?, title: String::new() })
            }
        }
    }

    fn of_game(named: &GameOfFile, before: MoveName, player: Option<&str>) -> Result<NamedPosition> {
        let game = game::find(&named.games, named.number, player)?;
        let MoveName { number, mover } = before;
        let position = game.position_before(number, mover).map_err(|error| error.in_file(&named.games))?;
        let dots = if mover.is_black() { ".." } else { "" };
        let title = format!("{}, before move {number}{dots}\n", game_title(&named.games, &game));
        Ok(NamedPosition { position, title })
    }
}

/// The file, number, players and result of a game.
pub(super) fn game_title(games: &Path, game: &Game) -> String {
    let Game { number, white, black, result, .. } = game;
    format!("game {number} of {}: {white} - {black}, {result}", games.display())
}
