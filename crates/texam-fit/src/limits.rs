//! How much memory a number from outside may take: one in a file, or the number of its lines.
//!
//! The memory for a text or for rows grows with the bytes that are read. Where it would grow faster, or
//! without an end, one of these limits holds.

use crate::error::{Error, Result};

/// Bytes of the sums of one thread over the tuned weights: they grow with the square of their number.
pub const MOST_SUM_BYTES: u64 = 1 << 30;

/// Weights in a table.
pub const MOST_WEIGHTS: usize = 1 << 20;

/// Bytes of the name of a weight.
pub const LONGEST_NAME: usize = 200;

/// Bytes of a line of rows.
pub const LONGEST_LINE: u64 = 1 << 20;

/// Rows of a choice.
pub const MOST_ROWS: usize = 4096;

/// Choices of a cluster.
pub const MOST_CHOICES: usize = 1 << 16;

/// A strength, a scale or another size among the options of a fit. The sums stay far from the range of a
/// double.
pub const LARGEST_SIZE: f64 = 1e12;

/// Checks that what `what` names takes at most `most` bytes.
///
/// # Errors
///
/// It would take more.
pub fn check(what: impl FnOnce() -> String, bytes: u64, most: u64) -> Result<()> {
    if bytes <= most { Ok(()) } else { Err(Error::TooLarge { what: what(), bytes, most }) }
}

/// Checks the memory for the sums over so many tuned weights.
///
/// # Errors
///
/// They would take more than [`MOST_SUM_BYTES`].
pub(crate) fn check_sums(tuned: usize) -> Result<()> {
    let tuned = tuned as u64;
    // An entry of the upper triangle is a sum of 16 bytes and one of 8.
    let bytes = tuned.saturating_mul(tuned + 1).saturating_mul(12);
    check(|| format!("the sums over {tuned} tuned weights"), bytes, MOST_SUM_BYTES)
}

/// Whether a size among the options of a fit is 0 or more, and within [`LARGEST_SIZE`].
pub fn is_size(value: f64) -> bool {
    (0.0..=LARGEST_SIZE).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_from_0_to_the_largest() {
        for size in [0.0, 100.0, 1e12] {
            assert!(is_size(size));
        }
        for other in [-1.0, 1.1e12, f64::INFINITY, f64::NAN] {
            assert!(!is_size(other));
        }
    }

    #[test]
    fn sums_beyond_the_limit_are_an_error_with_both_numbers() {
        check_sums(9_458).unwrap();
        let error = check_sums(30_000).unwrap_err().to_string();
        assert_eq!(
            error,
            "the sums over 30000 tuned weights would need 10800360000 bytes, more than the limit of 1073741824"
        );
        assert!(check_sums(usize::MAX - 1).is_err());
    }
}
