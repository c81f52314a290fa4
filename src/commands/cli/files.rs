//! Arguments that name files which may also be given by the name of what is built in.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::{
    game::{self, GameFiles},
    par,
};

/// Reads the path of a `.par`, or the name of a built-in set.
pub(super) fn par_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(par::path_of)
}

/// Reads the path of games, or the name of the shipped ones.
pub(super) fn games_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(game::path_of)
}

/// These files of games, or the names of built-in ones; the default one for none.
pub(super) fn game_files(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> GameFiles {
    GameFiles::new(files.into_iter().map(game::path_of))
}
