//! How the value of each option is printed and read.

use std::{
    ffi::OsStr,
    fmt::Display,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
};

use texam_fit::{FitOption, read_number, read_switch};

use super::{NONE, Setup};
use crate::{
    error::{Error, Result},
    feature::pattern,
    game::{self, GameFiles},
    printable::is_hidden,
    run::path_text::{path_from_text, path_to_text},
};

/// How an option is printed and read.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Own {
        /// The text of the value; none if it is not given.
        text: fn(&Setup) -> Option<String>,
        set: fn(&mut Setup, &OsStr) -> Result<()>,
        /// The values that there are, if it takes no others.
        words: &'static [&'static str],
    },
    OfFit(&'static FitOption),
}

impl Value {
    pub(super) fn text(&self, setup: &Setup) -> Option<String> {
        match self {
            Value::Own { text, .. } => text(setup),
            // In full, also where it is that of the force.
            Value::OfFit(FitOption { name: "strength", .. }) => shown(&setup.spec.settings.strength()),
            Value::OfFit(option) => (option.text)(&setup.spec.settings),
        }
    }

    pub(super) fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        match self {
            Value::Own { set, .. } => set(setup, text),
            Value::OfFit(option) => {
                (option.set)(&mut setup.spec.settings, &text.to_string_lossy()).map_err(error_of)
            }
        }
    }

    pub(super) fn words(&self) -> &'static [&'static str] {
        match self {
            Value::Own { words, .. } => words,
            Value::OfFit(option) => option.values,
        }
    }
}

/// The value of a field: the functions that print and read it, and the values that there are.
macro_rules! value {
    ($($field:ident).+, $text:ident, $read:ident($($limit:expr),*)) => {
        value!($($field).+, $text, $read($($limit),*), &[])
    };
    ($($field:ident).+, $text:ident, $read:ident($($limit:expr),*), $words:expr) => {
        Value::Own {
            text: |setup| $text(&setup.$($field).+),
            set: |setup, text| $read(text, $($limit),*).map(|value| setup.$($field).+ = value),
            words: $words,
        }
    };
}

fn error_of(error: impl Display) -> Error {
    Error::new(error.to_string())
}

pub(super) fn shown(value: &impl Display) -> Option<String> {
    Some(value.to_string())
}

pub(super) fn shown_optional(value: &Option<impl Display>) -> Option<String> {
    value.as_ref().map(ToString::to_string)
}

pub(super) fn shown_path(path: &Path) -> Option<String> {
    Some(path_to_text(path))
}

pub(super) fn shown_optional_path(path: &Option<PathBuf>) -> Option<String> {
    path.as_deref().map(path_to_text)
}

pub(super) fn shown_patterns(patterns: &[String]) -> Option<String> {
    (!patterns.is_empty()).then(|| patterns.join(","))
}

pub(super) fn parsed<T: FromStr<Err: Display>>(text: &OsStr) -> Result<T> {
    text.to_string_lossy().parse().map_err(error_of)
}

pub(super) fn switch(text: &OsStr) -> Result<bool> {
    read_switch(&text.to_string_lossy()).map_err(error_of)
}

fn words_of(range: &RangeInclusive<u32>) -> String {
    match (range.start(), range.end()) {
        (from, &u32::MAX) => format!("a whole number, {from} or more"),
        (from, to) => format!("a whole number, {from} to {to}"),
    }
}

pub(super) fn whole(text: &OsStr, range: RangeInclusive<u32>) -> Result<u32> {
    let is_within = |number: &u32| range.contains(number);
    read_number(&text.to_string_lossy(), is_within, words_of(&range)).map_err(error_of)
}

/// A whole number, or none at the word for that.
pub(super) fn optional(text: &OsStr, range: RangeInclusive<u32>, unset: &str) -> Result<Option<u32>> {
    if text == unset {
        return Ok(None);
    }
    let (is_within, expected) =
        (|number: &u32| range.contains(number), format!("{}, or {unset}", words_of(&range)));
    read_number(&text.to_string_lossy(), is_within, expected).map(Some).map_err(error_of)
}

/// A text of one line, as it stands in a `.stat`, or none at the word for that.
pub(super) fn line(text: &OsStr, unset: &str) -> Result<Option<String>> {
    let is_line = |line: &&str| line.trim() == *line && !line.contains(is_hidden);
    match text.to_str().filter(is_line) {
        Some(line) => Ok((line != unset).then(|| line.to_string())),
        None => {
            let expected = format!("a text of one line, without blanks at its ends, or {unset}");
            Err(Error::expected(expected, format!("{:?}", text.to_string_lossy())))
        }
    }
}

/// A path, which need not be UTF-8 on the command line, or what a function makes of its text.
pub(super) fn path(text: &OsStr, path_of: fn(PathBuf) -> PathBuf) -> Result<PathBuf> {
    Ok(path_of(text.to_str().map_or_else(|| PathBuf::from(text), path_from_text)))
}

/// A file of games.
pub(super) fn game_files(text: &OsStr) -> Result<GameFiles> {
    Ok(GameFiles::new([path(text, game::path_of)?]))
}

pub(super) fn optional_path(text: &OsStr, path_of: fn(PathBuf) -> PathBuf) -> Result<Option<PathBuf>> {
    if text == NONE { Ok(None) } else { path(text, path_of).map(Some) }
}

/// Patterns of weights.
pub(super) fn patterns(text: &OsStr) -> Result<Vec<String>> {
    let patterns = pattern::split(&text.to_string_lossy());
    // Blanks and commas around `none` do not make it a pattern: its text would be that of an empty list.
    Ok(if patterns == [NONE] { Vec::new() } else { patterns })
}
