//! The arguments of `texam eval`: a position, or a game for a trace.

use std::{fmt, path::PathBuf, str::FromStr};

use clap::Args;

use crate::{error::Error, phase::PhaseScheme};

/// `texam eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Position in Forsyth-Edwards notation
    #[arg(required_unless_present = "trace", conflicts_with = "trace")]
    pub fen: Option<String>,
    /// Weights [default: params/start.par, or the built-in copy of it]
    #[arg(long, value_name = "FILE")]
    pub par: Option<PathBuf>,
    /// Scheme of the game phase: fruit, madchess, rustic or none
    #[arg(long, value_name = "SCHEME", default_value_t)]
    pub phase: PhaseScheme,
    /// Show the evaluation along a game instead of a position, with the phase taken at the leaf, at the root
    /// as in 1988, and without phase. NUMBER counts all games of the file
    #[arg(long, value_name = "GAMES:NUMBER", allow_hyphen_values = true, help_heading = "Trace")]
    pub trace: Option<TracedGame>,
    /// Plies of full minimax before quiescence
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=3), conflicts_with = "fen", help_heading = "Trace")]
    pub depth: u32,
    /// Picture of the trace to write, .svg or .png
    #[arg(short, long, value_name = "FILE", conflicts_with = "fen", help_heading = "Trace")]
    pub output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A game of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedGame {
    /// File of games, or `-` for standard input.
    pub games: PathBuf,
    /// Number of the game in the file, from 1; all games are counted.
    pub number: u32,
}

impl FromStr for TracedGame {
    type Err = Error;

    fn from_str(text: &str) -> Result<TracedGame, Error> {
        let expected = || Error::expected("GAMES:NUMBER, such as games/gm1988.pgn:1", format!("{text:?}"));
        // A colon may be part of the path.
        let (games, number) = text.rsplit_once(':').ok_or_else(expected)?;
        let number = number.parse().ok().filter(|&number| number > 0);
        match number {
            Some(number) if !games.is_empty() => Ok(TracedGame { games: games.into(), number }),
            _ => Err(expected()),
        }
    }
}

impl fmt::Display for TracedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.games.display(), self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_stands_behind_the_last_colon() {
        for (text, path, number) in [("a.pgn:7", "a.pgn", 7), ("c:a.pgn:12", "c:a.pgn", 12), ("-:1", "-", 1)]
        {
            let game: TracedGame = text.parse().unwrap();
            assert_eq!((game.games.to_str(), game.number), (Some(path), number));
            assert_eq!(game.to_string(), text);
        }
        for text in ["a.pgn", "a.pgn:", "a.pgn:0", "a.pgn:-1", "a.pgn:x", ":1", ""] {
            assert!(text.parse::<TracedGame>().is_err(), "{text:?}");
        }
    }
}
