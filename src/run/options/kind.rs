//! The kinds of options: how the value of each is printed and read, and which values it takes.

use std::{ffi::OsStr, fmt::Display, ops::RangeInclusive, path::PathBuf, str::FromStr};

use strum::{VariantArray, VariantNames};
use texam_fit::limits::{LARGEST_SIZE, is_size};

use super::{NONE, Setup};
use crate::{
    error::{Error, Result},
    feature::pattern,
    printable::is_hidden,
    run::path_text::{path_from_text, path_to_text},
};

/// How an option is printed and read.
pub(super) trait Kind: Sync {
    fn text(&self, setup: &Setup) -> Option<String>;

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()>;

    fn expected(&self) -> String {
        "a value".to_string()
    }

    fn unset(&self) -> &'static str {
        NONE
    }

    fn is_list(&self) -> bool {
        false
    }

    fn is_flag(&self) -> bool {
        false
    }

    fn values(&self) -> &'static [&'static str] {
        &[]
    }

    /// The value after the present one, or the one before it, of those that there are; none if they are not named.
    fn turned(&self, setup: &Setup, is_forward: bool) -> Option<String> {
        let now = self.text(setup).unwrap_or_else(|| self.unset().to_string());
        turned(self.values(), &now.as_str(), is_forward).map(str::to_string)
    }
}

/// The neighbour of a value in a list, round its ends; the first where the value is not in it.
fn turned<T: PartialEq + Copy>(values: &[T], now: &T, is_forward: bool) -> Option<T> {
    let step = if is_forward { 1 } else { values.len().checked_sub(1)? };
    let next = values.iter().position(|value| value == now).map_or(0, |at| at + step);
    values.get(next % values.len().max(1)).copied()
}

/// Where the value of an option is.
pub(super) struct Field<T: 'static> {
    pub get: fn(&Setup) -> &T,
    pub get_mut: fn(&mut Setup) -> &mut T,
}

/// The values that an option takes, of all that its type has.
pub(super) trait Limits<T>: Sync {
    fn words(&self) -> String;

    fn contains(&self, value: &T) -> bool;

    fn read(&self, text: &OsStr, expected: &str) -> Result<T>
    where
        T: FromStr,
    {
        let value: Option<T> = text.to_str().and_then(|text| text.parse().ok());
        // All digits and no number: there are too many.
        let is_large = value.is_none() && text.as_encoded_bytes().iter().all(u8::is_ascii_digit);
        value.filter(|value| self.contains(value)).ok_or_else(|| {
            let remark = if is_large { ", which is too large" } else { "" };
            Error::expected(expected, format!("{:?}{remark}", text.to_string_lossy()))
        })
    }
}

impl Limits<u32> for RangeInclusive<u32> {
    fn words(&self) -> String {
        match (self.start(), self.end()) {
            (from, &u32::MAX) => format!("a whole number, {from} or more"),
            (from, to) => format!("a whole number, {from} to {to}"),
        }
    }

    fn contains(&self, value: &u32) -> bool {
        RangeInclusive::contains(self, value)
    }
}

/// The numbers that an option takes.
pub(super) enum Size {
    NotNegative,
    Positive,
    Within(f64, f64),
}

impl Limits<f64> for Size {
    fn words(&self) -> String {
        match self {
            Size::NotNegative => format!("a number from 0 to {LARGEST_SIZE:e}"),
            Size::Positive => format!("a number above 0, up to {LARGEST_SIZE:e}"),
            Size::Within(from, to) => format!("a number from {from} to {to}"),
        }
    }

    fn contains(&self, value: &f64) -> bool {
        match self {
            Size::NotNegative => is_size(*value),
            Size::Positive => is_size(*value) && *value > 0.0,
            Size::Within(from, to) => (*from..=*to).contains(value),
        }
    }
}

/// Every text.
pub(super) struct AnyText;

impl Limits<String> for AnyText {
    fn words(&self) -> String {
        "a text".to_string()
    }

    fn contains(&self, _: &String) -> bool {
        true
    }
}

/// A text of one line, as it stands in a `.stat`.
pub(super) struct OneLine;

impl Limits<String> for OneLine {
    fn words(&self) -> String {
        "a text of one line, without blanks at its ends".to_string()
    }

    fn contains(&self, text: &String) -> bool {
        text.trim() == text && !text.contains(is_hidden)
    }
}

/// `on` or `off`.
const SWITCH: [&str; 2] = ["on", "off"];

/// Anything that prints and reads itself.
pub(super) struct Parsed<T: 'static>(pub Field<T>);

impl<T: Display + FromStr<Err: Display>> Kind for Parsed<T> {
    fn text(&self, setup: &Setup) -> Option<String> {
        Some((self.0.get)(setup).to_string())
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        *(self.0.get_mut)(setup) =
            text.to_string_lossy().parse().map_err(|error: T::Err| Error::new(error.to_string()))?;
        Ok(())
    }
}

/// One of a few names.
pub(super) struct OneOf<T: 'static>(pub Parsed<T>);

impl<T: Display + FromStr<Err: Display> + VariantArray + PartialEq + Copy> Kind for OneOf<T> {
    fn text(&self, setup: &Setup) -> Option<String> {
        self.0.text(setup)
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        self.0.set(setup, text)
    }

    fn turned(&self, setup: &Setup, is_forward: bool) -> Option<String> {
        turned(T::VARIANTS, (self.0.0.get)(setup), is_forward).map(|value| value.to_string())
    }
}

/// A value within limits.
pub(super) struct Plain<T: 'static, L>(pub Field<T>, pub L);

impl<T: Display + FromStr, L: Limits<T>> Kind for Plain<T, L> {
    fn text(&self, setup: &Setup) -> Option<String> {
        Some((self.0.get)(setup).to_string())
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        *(self.0.get_mut)(setup) = self.1.read(text, &self.expected())?;
        Ok(())
    }

    fn expected(&self) -> String {
        self.1.words()
    }
}

/// A value that need not be given, the word for that, and what it means.
pub(super) struct Maybe<T: 'static, L>(pub Field<Option<T>>, pub L, pub &'static str, pub &'static str);

impl<T: Display + FromStr, L: Limits<T>> Kind for Maybe<T, L> {
    fn text(&self, setup: &Setup) -> Option<String> {
        (self.0.get)(setup).as_ref().map(T::to_string)
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        let value = || self.1.read(text, &self.expected());
        *(self.0.get_mut)(setup) = if text == self.2 { None } else { Some(value()?) };
        Ok(())
    }

    fn expected(&self) -> String {
        format!("{}, or {}{}", self.1.words(), self.2, self.3)
    }

    fn unset(&self) -> &'static str {
        self.2
    }
}

/// The strength of the force, which has a default for each force and is printed in full.
pub(super) struct Strength;

impl Strength {
    const KIND: Maybe<f64, Size> =
        Maybe(field!(spec.strength), Size::NotNegative, NONE, " for that of the force");
}

impl Kind for Strength {
    fn text(&self, setup: &Setup) -> Option<String> {
        Some(setup.spec.strength().to_string())
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        Strength::KIND.set(setup, text)
    }

    fn expected(&self) -> String {
        Strength::KIND.expected()
    }
}

/// The scale of the ridge, which has a default for each task and is printed in full.
pub(super) struct Scale;

impl Kind for Scale {
    fn text(&self, setup: &Setup) -> Option<String> {
        Some(setup.spec.ridge_scale().to_string())
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        let scale = text.to_string_lossy().parse();
        setup.spec.ridge_scale =
            Some(scale.map_err(|error: texam_fit::Error| Error::new(error.to_string()))?);
        Ok(())
    }

    fn values(&self) -> &'static [&'static str] {
        &["unit", "column"]
    }
}

/// `on` or `off`.
pub(super) struct Switch(pub Field<bool>);

impl Kind for Switch {
    fn text(&self, setup: &Setup) -> Option<String> {
        Some(if *(self.0.get)(setup) { "on" } else { "off" }.to_string())
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        let word = SWITCH.into_iter().find(|word| text == *word);
        let word =
            word.ok_or_else(|| Error::expected(self.expected(), format!("{:?}", text.to_string_lossy())));
        *(self.0.get_mut)(setup) = word? == "on";
        Ok(())
    }

    fn expected(&self) -> String {
        "on or off".to_string()
    }

    fn values(&self) -> &'static [&'static str] {
        &SWITCH
    }
}

/// Anything that prints and reads itself, and is `on` by its name alone.
pub(super) struct Flag<T: 'static>(pub Parsed<T>);

impl<T: Display + FromStr<Err: Display> + VariantNames> Kind for Flag<T> {
    fn text(&self, setup: &Setup) -> Option<String> {
        self.0.text(setup)
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        self.0.set(setup, text)
    }

    fn is_flag(&self) -> bool {
        true
    }

    fn values(&self) -> &'static [&'static str] {
        T::VARIANTS
    }
}

/// A path, and what its text may stand for.
pub(super) struct FilePath(pub Field<PathBuf>, pub fn(PathBuf) -> PathBuf);

/// A path need not be UTF-8 on the command line.
fn path(text: &OsStr) -> PathBuf {
    text.to_str().map_or_else(|| PathBuf::from(text), path_from_text)
}

impl Kind for FilePath {
    fn text(&self, setup: &Setup) -> Option<String> {
        Some(path_to_text((self.0.get)(setup)))
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        *(self.0.get_mut)(setup) = (self.1)(path(text));
        Ok(())
    }
}

/// A path that need not be given.
pub(super) struct MaybePath(pub Field<Option<PathBuf>>, pub fn(PathBuf) -> PathBuf);

impl Kind for MaybePath {
    fn text(&self, setup: &Setup) -> Option<String> {
        (self.0.get)(setup).as_deref().map(path_to_text)
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        *(self.0.get_mut)(setup) = (text != NONE).then(|| (self.1)(path(text)));
        Ok(())
    }
}

/// Patterns of weights.
pub(super) struct Patterns(pub Field<Vec<String>>);

impl Kind for Patterns {
    fn text(&self, setup: &Setup) -> Option<String> {
        let patterns = (self.0.get)(setup);
        (!patterns.is_empty()).then(|| patterns.join(","))
    }

    fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        let mut patterns = pattern::split(&text.to_string_lossy());
        // Blanks and commas around `none` do not make it a pattern: its text would be that of an empty list.
        if patterns == [NONE] {
            patterns.clear();
        }
        *(self.0.get_mut)(setup) = patterns;
        Ok(())
    }

    fn is_list(&self) -> bool {
        true
    }
}
