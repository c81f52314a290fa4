//! Games of a file, those of a player, and moves of a game, as they are named on the command line.

use std::{path::PathBuf, str::FromStr};

use clap::Args;
use shakmaty::Color;

use crate::{error::Error, game};

/// Whose moves are choices.
#[derive(Debug, Clone, Default, Args)]
pub struct PlayerArgs {
    /// Take the moves of this player, in won, drawn and lost games, in place of the winners': a part of the
    /// name that no other player has, in any case
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub player: Option<String>,
}

/// A game of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOfFile {
    /// File of games, or `-` for standard input.
    pub games: PathBuf,
    /// Number of the game in the file, from 1; all games are counted.
    pub number: u32,
}

impl FromStr for GameOfFile {
    type Err = Error;

    fn from_str(text: &str) -> Result<GameOfFile, Error> {
        let expected = || Error::expected("GAMES:NUMBER, such as games/gm1988.pgn:1", format!("{text:?}"));
        // A colon may be part of the path.
        let (games, number) = text.rsplit_once(':').ok_or_else(expected)?;
        let number = number.parse().ok().filter(|&number| number > 0);
        match number {
            Some(number) if !games.is_empty() => Ok(GameOfFile { games: game::path_of(games), number }),
            _ => Err(expected()),
        }
    }
}

/// A move of a game by its number and side: `25` is that of White, `25..` or `25...` that of Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveName {
    /// Number of the move, from 1.
    pub number: u32,
    /// The side that moves.
    pub mover: Color,
}

impl FromStr for MoveName {
    type Err = Error;

    fn from_str(text: &str) -> Result<MoveName, Error> {
        let (number, dots) = text.split_at(text.find('.').unwrap_or(text.len()));
        let mover = match dots {
            "" | "." => Some(Color::White),
            ".." | "..." => Some(Color::Black),
            _ => None,
        };
        let number = number.parse().ok().filter(|&number| number > 0);
        number.zip(mover).map(|(number, mover)| MoveName { number, mover }).ok_or_else(|| {
            let expected = "the number of a move from 1: 25 for White's move, 25.. for Black's";
            Error::expected(expected, format!("{text:?}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_stands_behind_the_last_colon() {
        for (text, path, number) in [("a.pgn:7", "a.pgn", 7), ("c:a.pgn:12", "c:a.pgn", 12), ("-:1", "-", 1)]
        {
            let game: GameOfFile = text.parse().unwrap();
            assert_eq!((game.games.to_str(), game.number), (Some(path), number));
        }
        for text in ["a.pgn", "a.pgn:", "a.pgn:0", "a.pgn:-1", "a.pgn:x", ":1", ""] {
            assert!(text.parse::<GameOfFile>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn dots_behind_the_number_name_the_move_of_black() {
        for (text, mover) in
            [("25", Color::White), ("25.", Color::White), ("25..", Color::Black), ("25...", Color::Black)]
        {
            assert_eq!(text.parse::<MoveName>().unwrap(), MoveName { number: 25, mover });
        }
        for text in ["", "0", "-3", "x", "..", "25....", "25.Nf3", "2 5", "99999999999"] {
            let error = text.parse::<MoveName>().unwrap_err().to_string();
            assert!(error.contains("25.. for Black's"), "{text:?}: {error}");
        }
    }
}
