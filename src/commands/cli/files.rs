//! Arguments that name files which may also be given by the name of what is built in.

use std::{ffi::OsStr, path::PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::{game, par, run::DEFAULT_GAMES};

/// Reads the path of a `.par`, or the name of a built-in set.
pub(super) fn par_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(par::path_of)
}

/// Reads the path of games, or the name of the shipped ones.
pub(super) fn games_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(game::path_of)
}

/// The path of all these files of games; the default one for none.
pub(super) fn joined<'a>(files: impl Iterator<Item = &'a OsStr>) -> PathBuf {
    let files: Vec<&OsStr> = files.collect();
    game::path_of(if files.is_empty() { DEFAULT_GAMES.into() } else { files.join(OsStr::new(game::AND)) })
}
