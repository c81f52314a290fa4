//! Variance compensation: keeps the values of the moves of a position as far apart as they were.
//!
//! A least-squares fit with forces tends to shrink or stretch the differences between moves. The record
//! of 1988 names a compensation for the change of variance and gives no formula; this one compares the
//! spread of the kept values now with that at the start, and pushes every value away from, or towards,
//! the mean of its position. The module knows values only: no features, no weights.

use crate::{decision::Decision, value::in_units};

/// Largest share by which one fit stretches or shrinks.
const LIMIT: f64 = 0.25;

/// Pooled within-position standard deviation of the kept values, in units:
/// `sqrt(sum of (E_m - mean E)^2 / sum of (k - 1))` over positions with `k` kept values each, the
/// unbiased pooled estimate of the analysis of variance. 0 when no position has two values.
///
/// It is rounded to 1/10000 unit, as files print it: the spread of the start is read back from a file
/// when a run goes on, and the spread of the start pass must be exactly that of the start.
pub fn spread(decisions: &[Decision]) -> f64 {
    let (mut squares, mut freedom) = (0.0, 0);
    for decision in decisions {
        let (mean, count) = mean(decision);
        squares += decision.kept().map(|kept| (in_units(kept.value) - mean).powi(2)).sum::<f64>();
        freedom += count - 1;
    }
    if freedom == 0 { 0.0 } else { ((squares / freedom as f64).sqrt() * 1e4).round() / 1e4 }
}

/// The share `c` by which values are to be stretched: `start / now - 1`, within a quarter either way. A
/// spread of 0 now cannot be stretched, and gives 0.
pub fn compensation(start: f64, now: f64) -> f64 {
    if now > 0.0 { (start / now - 1.0).clamp(-LIMIT, LIMIT) } else { 0.0 }
}

/// Adds `share * (E_m - mean E)` to the forces on the kept outcomes, the played one first, in units. The
/// sum over a position is 0: a balanced force stays balanced.
pub fn compensate(decision: &Decision, share: f64, forces: &mut [f64]) {
    if share == 0.0 {
        return;
    }
    let (mean, _) = mean(decision);
    for (force, kept) in forces.iter_mut().zip(decision.kept()) {
        *force += share * (in_units(kept.value) - mean);
    }
}

/// Mean of the kept values in units, and their number.
fn mean(decision: &Decision) -> (f64, usize) {
    let count = 1 + decision.alternatives.len();
    (decision.kept().map(|kept| in_units(kept.value)).sum::<f64>() / count as f64, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decision::Outcome, feature::FeatureVector, value::UNIT};

    fn decision(units: &[i64]) -> Decision {
        let outcome =
            |units: i64| Outcome { value: units * UNIT, phase: 0, features: FeatureVector::default() };
        Decision {
            game: 0,
            sign: 1,
            root: outcome(0),
            played: outcome(units[0]),
            alternatives: units[1..].iter().map(|&units| outcome(units)).collect(),
            rank: 0,
        }
    }

    #[test]
    fn the_spread_pools_squares_within_positions_and_ignores_their_level() {
        // Squares 2 and 2 about the means 11 and 101; one and two degrees of freedom.
        let spread = spread(&[decision(&[10, 12]), decision(&[100, 101, 102])]);
        assert!((spread - 1.1547).abs() < 1e-12);
    }

    #[test]
    fn the_share_is_the_lost_spread_and_at_most_a_quarter() {
        assert!((compensation(22.0, 20.0) - 0.1).abs() < 1e-12);
        assert_eq!(compensation(40.0, 20.0), 0.25);
        assert_eq!(compensation(10.0, 20.0), -0.25);
        assert_eq!(compensation(10.0, 0.0), 0.0);
        assert_eq!(spread(&[decision(&[7])]), 0.0);
    }

    #[test]
    fn compensation_pushes_values_away_from_their_mean_and_sums_to_zero() {
        let mut forces = [1.0, 0.0, -1.0];
        compensate(&decision(&[10, 20, 30]), 0.1, &mut forces);
        assert_eq!(forces, [0.0, 0.0, 0.0]);
    }
}
