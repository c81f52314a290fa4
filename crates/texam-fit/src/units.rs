//! Fixed-point units. Every sum of a fit is a sum of integers in one of these, so that it is the same for
//! any order of the choices and any number of threads.
//!
//! | quantity | integer in | type |
//! |---|---|---|
//! | parameter | 1/256 unit | `i64` |
//! | entry of a row | 1/256 count, or the grid of its column | `i32` |
//! | value of a row | 2^-32 unit | `i64` |
//! | weight of a row, deviation from the mean, loss | 2^-24 | `i64` |
//! | pull | 2^-32, of which a search uses 2^-24 | `i64` |

/// Quanta of a parameter in a unit, and of an entry in a count.
pub const QUANTA: f64 = 256.0;

/// One unit as a value of a row.
pub const VALUE_UNIT: i64 = 1 << 32;

/// The product of 1/256 unit and 1/256 count as a value of a row.
pub const PRODUCT: i64 = VALUE_UNIT / 65_536;

/// Fractions of weights, deviations and losses.
pub(crate) const FRACTION_BITS: u32 = 24;

/// One as a [`FRACTION_BITS`] number.
pub(crate) const ONE: i64 = 1 << FRACTION_BITS;

/// The value of a parameter in 1/256 unit.
pub(crate) fn to_quanta(value: f64) -> i64 {
    (value * QUANTA).round() as i64
}

/// A value of a row in units.
pub fn in_units(value: i64) -> f64 {
    value as f64 / VALUE_UNIT as f64
}

/// A number in 2^-24, rounded.
pub(crate) fn to_fraction(number: f64) -> i64 {
    (number * ONE as f64).round() as i64
}

/// Fraction bits of pulls.
pub(crate) const PULL_BITS: u32 = 32;

/// One as a [`PULL_BITS`] number.
pub(crate) const PULL_UNIT: f64 = (1_u64 << PULL_BITS) as f64;

/// A 2^-24 number as it is.
pub(crate) fn from_fraction(fraction: i64) -> f64 {
    fraction as f64 / ONE as f64
}

/// `a / b` rounded to the nearest integer, halves away from 0.
pub(crate) fn divide_rounded(a: i128, b: i128) -> i128 {
    let half = b / 2;
    if a >= 0 { (a + half) / b } else { (a - half) / b }
}
