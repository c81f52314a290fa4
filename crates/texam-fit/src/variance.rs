//! Variance compensation: keeps the values of the rows of a choice as far apart as they were at the start.
//!
//! A least-squares fit with forces can shrink or stretch the differences between rows. The note on the
//! program of 1988 mentions a compensation for the change of variance and gives no formula. This one is ours:
//! each fit adds `gamma (E_m - mean E)` to the target of every row, with `gamma` from the spread at the start
//! and now.

/// Largest share by which one fit stretches or shrinks.
const LIMIT: f64 = 0.25;

/// The share `gamma` by which values are stretched: `start / now - 1`, within a quarter either way. A spread
/// of 0 cannot be stretched, and gives 0.
pub(crate) fn compensation(start: f64, now: f64) -> f64 {
    if now > 0.0 { (start / now - 1.0).clamp(-LIMIT, LIMIT) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_the_lost_spread_and_at_most_a_quarter() {
        assert!((compensation(22.0, 20.0) - 0.1).abs() < 1e-12);
        assert_eq!(compensation(40.0, 20.0), 0.25);
        assert_eq!(compensation(10.0, 20.0), -0.25);
        assert_eq!(compensation(10.0, 0.0), 0.0);
    }
}
