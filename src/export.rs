//! Exports: a set of weights as source code or data, for the use of other programs.
//!
//! The export in Rust contains the source files of [`crate::eval`], so that it computes the same sums without this
//! program; tests compile it and compare. The export in C is a header of constants. The terms that fold into
//! piece-square tables are those that [`crate::eval::piece_square`] reports. This module reads and writes no
//! files, and prints nothing.

mod c;
mod csv;
mod fold;
mod json;
mod listing;
mod numbers;
mod rust;

pub use fold::not_folded;
pub use numbers::{EXACT_PAWN, Numbers, Unit};

use std::{fmt, str::FromStr};

use crate::{
    error::{Error, Result},
    feature::{Weights, table_signature},
    par,
};

/// What weights are exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One file of Rust with the tables, the weights and the code of the evaluation.
    Rust,
    /// A header of C11 with the tables and the weights.
    C,
    /// One object, as `docs/export.schema.json` describes it.
    Json,
    /// A line for each cell.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Rust, Format::C, Format::Json, Format::Csv];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Rust => "rust",
            Format::C => "c",
            Format::Json => "json",
            Format::Csv => "csv",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Format> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| Error::expected("rust, c, json or csv", format!("{name:?}")))
    }
}

/// Where exported weights come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file, as it was named.
    pub file: String,
    /// Digest of the weights.
    pub digest: String,
    /// Signature of the table of features.
    pub features: String,
}

impl Origin {
    /// The origin of weights read from a file of this name.
    pub fn new(file: &str, weights: &Weights) -> Origin {
        Origin { file: file.to_string(), digest: par::digest(weights), features: table_signature() }
    }
}

/// The text of an export: `weights`, read from the file called `name`, in `unit`.
///
/// # Errors
///
/// Weights that no evaluation can count with; a pawn without a value, or of a larger one than exact.
pub fn text(weights: &Weights, name: &str, format: Format, unit: Unit) -> Result<String> {
    unit.validate()?;
    weights.validate()?;
    let origin = Origin::new(name, weights);
    let numbers = Numbers::new(&weights.quantised(), unit);
    match format {
        Format::Rust => Ok(rust::text(&numbers, &origin)),
        Format::C => Ok(c::text(&numbers, &origin)),
        Format::Json => json::text(weights, &numbers, &origin),
        Format::Csv => Ok(csv::text(weights, &numbers)),
    }
}

/// Version of the program that exports.
const PROGRAM: &str = concat!("texam ", env!("CARGO_PKG_VERSION"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_known_by_its_name() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
        }
        assert!("rs".parse::<Format>().unwrap_err().to_string().contains("rust, c, json or csv"));
    }

    #[test]
    fn weights_that_break_a_rule_are_not_exported() {
        let mut weights = Weights::start();
        weights.setting_mut(crate::feature::Key::MatQ).open[0] = f64::NAN;
        for format in Format::ALL {
            let error = text(&weights, "a.par", format, Unit::Exact).unwrap_err().to_string();
            assert!(error.contains("mat_q"), "{error}");
        }
    }
}
