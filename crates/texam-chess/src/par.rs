//! `.par` files: weights as text, for people, editors and diffs.
//!
//! [`format()`] prints every number with the fewest digits that give it back exactly, so [`parse`] returns
//! the same weights to the last bit. This module knows the feature table, but neither evaluation nor fits.
//!
//! `#` starts a comment. The first line is `texam-par 1`, the second `features` with the signature of the
//! feature table that the file was written for. Files of other feature tables are read too: weights are
//! found by their keys, and missing keys take their start weights ([`Par::missing`]).
//!
//! Then follows each feature once, in any order. The example shows a scalar, a table held as a gradient, and
//! a table with free cells:
//!
//! ```text
//! n_fwd                        2       1  tune
//! n_cen        gradient        5       4  tune
//! storm        cells
//!   r>=6                       0       0  frozen
//!   r5                        -3       0  tune
//!   r4                        -8       0  tune
//!   r<=3                     -14       0  tune
//! ```
//!
//! The columns are the opening weight, the endgame weight and whether a fit may change them: `tune` or
//! `frozen`. A feature with one weight for both phases must have `-` as endgame weight. A feature that counts
//! in the opening only must have `0` there. The cells of a table in one dimension, by rank or by file, have a
//! line each, high ranks first. The cells of a table in two dimensions are in blocks laid out like the board,
//! called `open`, `end` and `tune`. The block `end` is left out if the feature has no separate endgame
//! weights.

mod layout;
mod parse;
mod print;
mod shipped;

pub use layout::CellGrid;
pub use parse::parse;
pub use print::format;
pub use shipped::{BuiltInSet, SETS, path_of};

use crate::error::{Error, Result};
use crate::feature::{Key, Weights};
use crate::file;
use std::path::Path;

use sha2::{Digest, Sha256};

/// First word of a `.par`.
const MAGIC: &str = "texam-par";

/// Version of the format that is written, and the only one read.
const VERSION: &str = "1";

/// Start of the line with the signature of the feature table.
const SIGNATURE: &str = "features";

/// Word for a table held as a gradient: one number that scales the fixed shape of the table.
const GRADIENT: &str = "gradient";

/// Word for a table with a weight for each cell.
const CELLS: &str = "cells";

/// Words for the flag of a weight: not tuned, tuned.
const FLAGS: [&str; 2] = ["frozen", "tune"];

/// The contents of a `.par` file.
#[derive(Debug, Clone, PartialEq)]
pub struct Par {
    /// Weights of all features.
    pub weights: Weights,
    /// Features without a line in the file, in the order of the feature table. They have their start weights
    /// and start flags. Optional features are not listed here; without a line they are off.
    pub missing: Vec<Key>,
    /// The signature of the file if it is not that of the feature table.
    pub other_table: Option<String>,
}

impl Par {
    /// A message to the user about another feature table and missing keys; `None` if there is nothing to say.
    pub fn note(&self, file: impl AsRef<Path>) -> Option<String> {
        let other = self.other_table.iter().map(|signature| {
            format!("it was written for other features (signature {signature}), so its values may differ")
        });
        let notes: Vec<String> = other.chain(self.note_of_missing()).collect();
        (!notes.is_empty()).then(|| format!("{}: {}", file.as_ref().display(), notes.join("; ")))
    }

    fn note_of_missing(&self) -> Option<String> {
        let keys: Vec<_> = self.missing.iter().map(|key| key.feature().key).collect();
        let take = match keys.len() {
            0 => return None,
            1 => "it takes its start weights",
            _ => "they take their start weights",
        };
        Some(format!("no line for {}; {take}", keys.join(", ")))
    }
}

/// Reads the weights in a file, or those of a built-in set by its name ([`path_of`]). Where there is no file
/// `params/best.par` or the like, its built-in copy is read.
///
/// # Errors
///
/// Those of [`file::read_text`] and [`parse`], with the name of the file.
pub fn read(path: impl AsRef<Path>) -> Result<Par> {
    let path = path_of(path.as_ref());
    let text = match file::read_text(&path) {
        Err(error) if !file::exists(&path) => {
            shipped::built_in(&path).ok_or_else(|| missing(&path, error))?
        }
        text => text?,
    };
    parse(&text).map_err(|error| error.in_file(path))
}

/// The error of a file that is missing. A single word may be the name of a set that is misspelt.
fn missing(path: &Path, error: Error) -> Error {
    match shipped::advice(path) {
        Some(advice) => {
            let expected = "a .par, or the name of a set";
            Error::expected(expected, format!("no file of this name; {advice}")).in_file(path)
        }
        None => error,
    }
}

/// Digest of a set of weights with its flags: the first 16 hexadecimal digits of the SHA-256 of its text.
pub fn digest(weights: &Weights) -> String {
    let digest = Sha256::digest(format(weights, &[]));
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Digest of the values alone, whatever of them is tuned: they decide what a search finds.
pub fn digest_of_values(weights: &Weights) -> String {
    let mut weights = weights.clone();
    Key::ALL.iter().for_each(|&key| weights.setting_mut(key).tune.fill(false));
    digest(&weights)
}

/// Writes weights to a file, with remarks as comments at the top. If the file cannot be written as a whole,
/// it is left as it was.
///
/// # Errors
///
/// Those of [`file::write_whole`], and weights that [`parse`] would refuse.
pub fn write(path: impl AsRef<Path>, weights: &Weights, remarks: &[String]) -> Result<()> {
    let path = path.as_ref();
    weights.validate().map_err(|error| error.in_file(path))?;
    file::write_whole(path, format(weights, remarks).as_bytes())
}

#[cfg(test)]
mod tests;
