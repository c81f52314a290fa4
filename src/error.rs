//! The one error of the library: where something went wrong, what was expected, what was found.
//!
//! Every failure that a user can cause ends here, so that every message reads the same way:
//! `games/a.pgn, game 12, move 34: expected a legal move, but found "Nf9"`. What a message means for
//! the program (skip the game, stop the run) is decided by the caller, never here.

use std::{fmt, io, path::PathBuf};

use strum::VariantArray;

/// Result with the library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The place an error speaks of; empty parts are left out of the message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// File, or `standard input`.
    pub file: Option<PathBuf>,
    /// Number of the game in its file, counted from 1.
    pub game: Option<usize>,
    /// Full move number of the game.
    pub fullmove: Option<u32>,
    /// Line of a text file, counted from 1.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(file) = &self.file {
            write!(f, "{}", file.display())?;
            separator = ", ";
        }
        if let Some(game) = self.game {
            write!(f, "{separator}game {game}")?;
            separator = ", ";
        }
        if let Some(fullmove) = self.fullmove {
            write!(f, "{separator}move {fullmove}")?;
            separator = ", ";
        }
        if let Some(line) = self.line {
            write!(f, "{separator}line {line}")?;
        }
        Ok(())
    }
}

/// An error with its place, in the words of the house: expected, found, what to do.
#[derive(Debug)]
pub struct Error {
    place: Place,
    message: String,
    source: Option<io::Error>,
}

impl Error {
    /// An error that says `message`, so far without a place.
    pub fn new(message: impl Into<String>) -> Error {
        Error { place: Place::default(), message: message.into(), source: None }
    }

    /// `expected X, but found Y`.
    pub fn expected(expected: impl fmt::Display, found: impl fmt::Display) -> Error {
        Error::new(format!("expected {expected}, but found {found}"))
    }

    /// A failure of the operating system while doing `action` (`cannot read`, `cannot write`).
    pub fn io(action: impl Into<String>, source: io::Error) -> Error {
        Error { place: Place::default(), message: action.into(), source: Some(source) }
    }

    /// The same error, said of a file.
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> Error {
        self.place.file.get_or_insert(file.into());
        self
    }

    /// The same error, said of the game with this number.
    pub fn in_game(mut self, game: usize) -> Error {
        self.place.game.get_or_insert(game);
        self
    }

    /// The same error, said of this full move.
    pub fn at_move(mut self, fullmove: u32) -> Error {
        self.place.fullmove.get_or_insert(fullmove);
        self
    }

    /// The same error, said of this line.
    pub fn at_line(mut self, line: usize) -> Error {
        self.place.line.get_or_insert(line);
        self
    }

    /// Where the error lies.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(source) = &self.source {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The error of a name that is none of an enum's.
pub fn unknown_name<T: VariantArray + fmt::Display>(name: &str) -> Error {
    let names: Vec<String> = T::VARIANTS.iter().map(T::to_string).collect();
    Error::expected(format!("one of {}", names.join(", ")), format!("{name:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_file_game_and_move_before_what_was_expected_and_found() {
        let error = Error::expected("a legal move", "\"Nf9\"").at_move(34).in_game(12).in_file("games/a.pgn");
        assert_eq!(
            error.to_string(),
            "games/a.pgn, game 12, move 34: expected a legal move, but found \"Nf9\""
        );
    }

    #[test]
    fn the_innermost_place_is_kept() {
        let error = Error::new("no").at_line(3).at_line(9).in_file("inner").in_file("outer");
        assert_eq!(error.to_string(), "inner, line 3: no");
    }
}
