//! `.par` files: weights as text, for people, editors and diffs.
//!
//! Sits between [`crate::file`] and [`Weights`]; what weights mean to an evaluation or a fit is not known
//! here. [`format()`] prints every number with as few digits as give it back exactly, so that [`parse`]
//! returns the same weights to the last bit.
//!
//! `#` starts a comment. The first line is `texam-par 1`, the second `features` with the signature of the
//! feature table that the file was written for. Files of other feature tables are read too: weights are
//! found by their keys, and keys that are missing take their start weights ([`Par::missing`]).
//!
//! Then each feature once, in any order; here in three ways, as a scalar, a table held as a gradient, a table
//! with free cells:
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
//! `frozen`. A feature with one weight for both phases has `-` as endgame weight; one that counts in the
//! opening only has `0` there, and nothing else may be written. Cells in one row, by rank or by file, have
//! a line each, the high ranks first. Cells in two dimensions come as blocks laid out like the board,
//! called `open`, `end` and `tune`; there is no block `end` where there is no endgame weight of its own.

mod layout;
mod parse;
mod print;
mod shipped;

pub use layout::Sheet;
pub use parse::parse;
pub use print::format;
pub use shipped::shipped;

use crate::error::Result;
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

/// A table held as one number that scales its shape.
const GRADIENT: &str = "gradient";

/// A table with a weight for each cell.
const CELLS: &str = "cells";

/// What a fit may change, and what it may not.
const FLAGS: [&str; 2] = ["frozen", "tune"];

/// What a `.par` holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Par {
    /// Weights of all features.
    pub weights: Weights,
    /// Features without a line in the file, in the order of the feature table. They have their start weights and
    /// start flags. Optional features are not among them: those are off.
    pub missing: Vec<Key>,
}

impl Par {
    /// A sentence that names the missing keys, for the user; `None` where no key is missing.
    pub fn note(&self, file: impl AsRef<Path>) -> Option<String> {
        let keys: Vec<_> = self.missing.iter().map(|key| key.feature().key).collect();
        let take = match keys.len() {
            0 => return None,
            1 => "it takes its start weights",
            _ => "they take their start weights",
        };
        Some(format!("{}: no line for {}; {take}", file.as_ref().display(), keys.join(", ")))
    }
}

/// Reads the weights in a file.
///
/// # Errors
///
/// Those of [`file::read_text`] and [`parse`], with the name of the file.
pub fn read(path: impl AsRef<Path>) -> Result<Par> {
    let path = path.as_ref();
    parse(&file::read_text(path)?).map_err(|error| error.in_file(path))
}

/// Digest of a set of weights with its flags: the first 16 digits of the SHA-256 of its text.
pub fn digest(weights: &Weights) -> String {
    let digest = Sha256::digest(format(weights, &[]));
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Writes weights to a file, whole or not at all, under the given remarks.
///
/// # Errors
///
/// Those of [`file::write_whole`]; and nothing is written that could not be read again.
pub fn write(path: impl AsRef<Path>, weights: &Weights, remarks: &[String]) -> Result<()> {
    let path = path.as_ref();
    weights.validate().map_err(|error| error.in_file(path))?;
    file::write_whole(path, format(weights, remarks).as_bytes())
}

#[cfg(test)]
mod tests;
