//! Exports: a set of weights as source code or data, for other programs.
//!
//! The terms that are folded into piece-square tables are those that [`crate::eval::piece_square`] reports.
//! This module reads and writes no files and prints nothing.

mod c;
mod csv;
mod fold;
mod json;
mod listing;
mod numbers;
mod rust;
pub mod table;

pub use fold::{ROLES, not_folded};
pub use numbers::{EXACT_PAWN, ExportUnit, ScaledWeights};

use serde::Serialize;
use strum::{Display, EnumString, VariantArray};

use crate::{
    error::{Error, Result, unknown_name},
    feature::{Weights, table_signature},
    par,
};

/// Format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", parse_err_ty = Error, parse_err_fn = unknown_name::<Format>)]
pub enum Format {
    /// One Rust source file with the tables and the weights.
    Rust,
    /// A C99 header with the tables, the weights and the phase.
    C,
    /// One JSON object, as `docs/export.schema.json` describes it.
    Json,
    /// A CSV table with a row for each cell.
    Csv,
}

/// The origin of exported weights, as named in the export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WeightsSource {
    /// Path of the file, as given by the user.
    pub file: String,
    /// Digest of the weights.
    pub digest: String,
    /// Signature of the feature table.
    pub features: String,
}

impl WeightsSource {
    /// The source of weights that were read from this file.
    pub fn new(file: &str, weights: &Weights) -> WeightsSource {
        WeightsSource { file: file.to_string(), digest: par::digest(weights), features: table_signature() }
    }
}

/// The standard error of a weight over the run that fitted it, in units.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightError {
    /// Name of the weight.
    pub weight: String,
    /// Its standard error.
    pub units: f64,
}

/// The text of an export: `weights`, read from the file called `name`, in `unit`. The standard errors of the
/// weights are for [`Format::Json`] alone.
pub fn text(
    weights: &Weights,
    name: &str,
    format: Format,
    unit: ExportUnit,
    errors: &[WeightError],
) -> Result<String> {
    unit.validate()?;
    weights.validate()?;
    if weights.has_points() {
        let found = "points of its own (ph_n, ph_b, ph_r, ph_q), which no export contains";
        return Err(Error::expected("a set of weights with a phase of --phase", found));
    }
    let origin = WeightsSource::new(name, weights);
    let numbers = ScaledWeights::new(&weights.quantised(), unit);
    match format {
        Format::Rust => Ok(rust::text(&numbers, &origin)),
        Format::C => Ok(c::text(&numbers, &origin)),
        Format::Json => json::text(weights, &numbers, &origin, errors),
        Format::Csv => Ok(csv::text(weights, &numbers)),
    }
}

/// Name and version of this program.
const PROGRAM: &str = concat!("texam ", env!("CARGO_PKG_VERSION"));

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::printable::is_hidden;

    /// Names of files, many of them with letters that end comments, texts or elements, or that are not seen.
    fn hostile_names() -> impl Strategy<Value = String> {
        let letters = prop::sample::select(vec![
            "*/",
            "-->",
            "\"",
            "\\",
            "\n",
            "\r",
            "\u{1b}[2J",
            "\u{202e}",
            "<b>",
            "&",
            "\0",
            "a",
        ]);
        prop_oneof![prop::collection::vec(letters, 0..8).prop_map(|parts| parts.concat()), any::<String>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_name_of_a_file_stays_in_its_line_and_is_seen_as_it_is(name in hostile_names()) {
            let weights = Weights::start();
            for &format in Format::VARIANTS {
                let of = |name: &str| text(&weights, name, format, ExportUnit::Exact, &[]).unwrap();
                let (plain, hostile) = (of("a.par"), of(&name));
                prop_assert!(!hostile.contains(|letter| is_hidden(letter) && !matches!(letter, '\r' | '\n')), "{format}: {name:?}");
                prop_assert_eq!(plain.lines().count(), hostile.lines().count());
                let differing = plain.lines().zip(hostile.lines()).filter(|(plain, hostile)| plain != hostile);
                prop_assert!(differing.count() <= 1, "{format}");
                if format == Format::Json {
                    let json: serde_json::Value = serde_json::from_str(&hostile).unwrap();
                    prop_assert_eq!(&json["source"]["file"], &name);
                }
            }
        }
    }

    #[test]
    fn weights_that_break_a_rule_are_not_exported() {
        let mut weights = Weights::start();
        weights.setting_mut(crate::feature::Key::MatQ).open[0] = f64::NAN;
        for &format in Format::VARIANTS {
            let error = text(&weights, "a.par", format, ExportUnit::Exact, &[]).unwrap_err().to_string();
            assert!(error.contains("mat_q"), "{error}");
        }
    }
}
