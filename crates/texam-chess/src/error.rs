//! The error type of the library: where something went wrong, what was expected, what was found.
//!
//! Every failure that a user can cause is an [`Error`], so that all messages have one form: `games/a.pgn,
//! game 12, move 34, line 567: expected a legal move, but found "Nf9"`. The caller decides what an error
//! means for the program (skip the game, stop the run). Messages name no option of the command line; the
//! command line derives its advice from the [`ErrorKind`].

use std::{error::Error as StdError, fmt, io, path::PathBuf};

use strum::VariantArray;
use texam_fit::blocks::BlockError;

/// Result with the library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The place of an error; parts that are not known are left out of the message.
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
        let parts = [
            self.file.as_ref().map(|file| file.display().to_string()),
            self.game.map(|game| format!("game {game}")),
            self.fullmove.map(|fullmove| format!("move {fullmove}")),
            self.line.map(|line| format!("line {line}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// What kind of failure an error is, for callers that give advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file, a game, a position, an option or a value is not what it must be.
    #[default]
    Input,
    /// The operating system refused something; [`Error::source`](StdError::source) is an [`io::Error`].
    Io,
    /// A fit has no result; [`Error::source`](StdError::source) is a [`texam_fit::Error`].
    Fit,
    /// A game is one of a chess variant.
    Variant,
    /// The games contain no position of a winner after the opening.
    NoPositions,
    /// No weight is tuned.
    NothingTuned,
    /// There are too few games to hold some out.
    TooFewGames,
    /// The games to hold out cannot be read.
    HoldoutGames,
    /// The games to hold out are the games to fit.
    HoldoutIsFitted,
    /// An option belongs to other objectives than that of the run.
    OtherObjective,
    /// Two inputs are to be read from standard input.
    TwoStandardInputs,
    /// A run of this name exists.
    NameTaken,
    /// What is left of a run that wrote no record has the name of the run.
    NameOfRest,
    /// Another process writes the run.
    RunIsLocked,
    /// All names that a run gets by itself exist.
    NoNameLeft,
    /// The folder of runs cannot be made or written to.
    Folder,
    /// The operating system starts no more threads.
    Threads,
    /// A database of pre-searched games is damaged, cut off, or of another version.
    Database,
    /// A database has no trees of a position, or those of another search.
    NoTrees,
    /// A key, group or cell is unknown, and like no other.
    UnknownWeight,
}

/// An error with its place: what was expected, what was found.
///
/// The text of an error includes that of its source.
#[derive(Debug)]
pub struct Error {
    place: Place,
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error with this message, so far without a place.
    pub fn new(message: impl Into<String>) -> Error {
        Error { place: Place::default(), kind: ErrorKind::Input, message: message.into(), source: None }
    }

    /// `expected X, but found Y`.
    pub fn expected(expected: impl fmt::Display, found: impl fmt::Display) -> Error {
        Error::new(format!("expected {expected}, but found {found}"))
    }

    /// A failure of the operating system while doing `action` (`cannot read`, `cannot write`).
    pub fn io(action: &str, source: io::Error) -> Error {
        let error = Error::new(format!("{action}: {source}")).of_kind(ErrorKind::Io);
        Error { source: Some(Box::new(source)), ..error }
    }

    /// The same error, of another kind.
    pub fn of_kind(self, kind: ErrorKind) -> Error {
        Error { kind, ..self }
    }

    /// The same error, with what was attempted before its message.
    pub fn while_doing(mut self, action: &str) -> Error {
        self.message = format!("{action}: {}", self.message);
        self
    }

    /// The same error, with its file.
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> Error {
        self.place.file.get_or_insert(file.into());
        self
    }

    /// The same error, with the number of its game.
    pub fn in_game(mut self, game: usize) -> Error {
        self.place.game.get_or_insert(game);
        self
    }

    /// The same error, with the number of its full move.
    pub fn at_move(mut self, fullmove: u32) -> Error {
        self.place.fullmove.get_or_insert(fullmove);
        self
    }

    /// The same error, with its line.
    pub fn at_line(mut self, line: usize) -> Error {
        self.place.line.get_or_insert(line);
        self
    }

    /// Where the error lies.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The message without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<BlockError> for Error {
    fn from(error: BlockError) -> Error {
        match error {
            BlockError::Read(error) => Error::io("cannot read on, the file may be damaged or cut off", error),
            BlockError::Damaged { expected, found } => Error::expected(expected, found),
        }
    }
}

impl From<texam_fit::Error> for Error {
    /// An error of this library that came through a fit is handed back as it was.
    fn from(error: texam_fit::Error) -> Error {
        let error = match error {
            texam_fit::Error::External(inner) => match inner.downcast::<Error>() {
                Ok(ours) => return *ours,
                Err(other) => texam_fit::Error::External(other),
            },
            error => error,
        };
        let described = Error::new(error.to_string()).of_kind(ErrorKind::Fit);
        Error { source: Some(Box::new(error)), ..described }
    }
}

/// The error of a name that no variant of an enum has.
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
    fn the_source_of_an_error_can_be_asked_for_and_is_part_of_its_text() {
        let error = Error::io("cannot read", io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Io, "cannot read: permission denied")
        );
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::PermissionDenied));
    }

    #[test]
    fn an_error_of_ours_comes_back_from_a_fit_unchanged_and_others_are_of_the_fit() {
        let ours = Error::new("no room").of_kind(ErrorKind::Folder).in_file("out");
        let back = Error::from(texam_fit::Error::external(ours));
        assert_eq!((back.kind(), back.to_string().as_str()), (ErrorKind::Folder, "out: no room"));
        let error = Error::from(texam_fit::Error::NoSolution);
        assert_eq!(error.kind(), ErrorKind::Fit);
        assert!(matches!(error.source(), Some(source) if source.is::<texam_fit::Error>()));
    }

    #[test]
    fn the_innermost_place_is_kept() {
        let error = Error::new("no").at_line(3).at_line(9).in_file("inner").in_file("outer");
        assert_eq!(error.to_string(), "inner, line 3: no");
    }
}
