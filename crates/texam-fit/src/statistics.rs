//! What a pass measures of its rows beside the sums of the fit: spread, gain and misses.

use serde::{Deserialize, Serialize};

use crate::{
    choice::{Choice, deviations},
    units::{ONE, VALUE_UNIT, in_units},
};

/// Places of the histogram of misses: no miss, up to 8, 16, .. 128 units, more.
pub const MISS_PLACES: usize = 18;

/// Units of one place of the histogram of misses.
pub const MISS_STEP: f64 = 8.0;

/// By how much the best of the other rows lead the chosen ones.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Misses {
    /// Root of the mean square, in units.
    pub rms: f64,
    /// Choices by miss: place 0 no miss, then steps of [`MISS_STEP`], the last place more.
    pub histogram: [u64; MISS_PLACES],
}

/// Pooled standard deviation of values within their choices: `sqrt(sum of (E_m - mean E)^2 / sum of (k - 1))`
/// over choices with `k` values each, the unbiased pooled estimate of the analysis of variance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spread {
    /// In 2^-48 squared unit.
    squares: i128,
    freedom: u64,
}

impl Spread {
    /// Adds the values of a choice, in 2^-32 unit.
    pub fn add(&mut self, values: &[i64]) {
        self.squares += deviations(values).map(|deviation| i128::from(deviation).pow(2)).sum::<i128>();
        self.freedom += (values.len() as u64).saturating_sub(1);
    }

    /// Adds what was added to another.
    pub fn merge(&mut self, other: Spread) {
        self.squares += other.squares;
        self.freedom += other.freedom;
    }

    /// The spread in units, rounded to 1/10000, as fits compare it with that of the start. 0 when no choice
    /// has two values.
    pub fn units(&self) -> f64 {
        if self.freedom == 0 {
            return 0.0;
        }
        let variance = self.squares as f64 / (ONE as f64).powi(2) / self.freedom as f64;
        (variance.sqrt() * 1e4).round() / 1e4
    }
}

/// Counts and sums over choices.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Statistics {
    pub choices: u64,
    pub rows: u64,
    /// Sum of the weights of the choices in 2^-24.
    pub weight: i128,
    pub spread: Spread,
    /// Sum of the values of the rows in 2^-32 unit.
    gain: i128,
    /// Sum of the squared misses in 2^-48 squared unit.
    squared_misses: i128,
    misses: [u64; MISS_PLACES],
    /// The smallest and the largest label, in 2^-24; none without choices.
    labels: Option<[i64; 2]>,
}

impl Statistics {
    pub fn add(&mut self, choice: &Choice) {
        self.labels = joined(self.labels, Some([choice.label(); 2]));
        self.choices += 1;
        self.weight += i128::from(ONE - choice.withheld());
        self.rows += choice.len() as u64;
        self.spread.add(choice.values());
        self.gain += choice.values().iter().map(|&value| i128::from(value)).sum::<i128>();
        let miss = choice.miss();
        self.squared_misses += i128::from(miss / (VALUE_UNIT / ONE)).pow(2);
        let place = (in_units(miss) / MISS_STEP).ceil() as usize;
        self.misses[place.min(MISS_PLACES - 1)] += 1;
    }

    pub fn merge(&mut self, other: &Statistics) {
        self.choices += other.choices;
        self.rows += other.rows;
        self.weight += other.weight;
        self.spread.merge(other.spread);
        self.gain += other.gain;
        self.squared_misses += other.squared_misses;
        self.labels = joined(self.labels, other.labels);
        for (to, from) in self.misses.iter_mut().zip(other.misses) {
            *to += from;
        }
    }

    /// Whether all labels are the same.
    pub fn has_one_label(&self) -> bool {
        self.labels.is_none_or(|[low, high]| low == high)
    }

    /// Mean value of all rows, in units; 0 without rows.
    pub fn mean_gain(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { self.gain as f64 / VALUE_UNIT as f64 / self.rows as f64 }
    }

    pub fn misses(&self) -> Misses {
        if self.choices == 0 {
            return Misses::default();
        }
        let mean = self.squared_misses as f64 / (ONE as f64).powi(2) / self.choices as f64;
        Misses { rms: mean.sqrt(), histogram: self.misses }
    }
}

/// The range that covers both.
fn joined(one: Option<[i64; 2]>, other: Option<[i64; 2]>) -> Option<[i64; 2]> {
    match (one, other) {
        (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A choice whose values, in 1/2 unit, are these, the chosen one first.
    fn of(all: &[&[i64]]) -> Statistics {
        let mut statistics = Statistics::default();
        for halves in all {
            let mut choice = Choice::default();
            choice.begin(0, 0);
            halves.iter().for_each(|halves| choice.push(halves * VALUE_UNIT / 2, []).unwrap());
            statistics.add(&choice);
        }
        statistics
    }

    #[test]
    fn the_spread_pools_squares_within_choices_and_ignores_their_level() {
        // Squares 2 and 2 about the means 11 and 101; one and two degrees of freedom.
        assert_eq!(of(&[&[20, 24], &[200, 202, 204]]).spread.units(), 1.1547);
        assert_eq!(of(&[&[14]]).spread.units(), 0.0);
    }

    #[test]
    fn misses_are_counted_by_eight_units_and_their_square_is_averaged() {
        let places = [(-9, 0), (0, 0), (1, 1), (16, 1), (17, 2), (256, 16), (257, 17), (4000, 17)];
        for (halves, place) in places {
            let misses = of(&[&[0, -50, halves]]).misses();
            assert_eq!(misses.histogram[place], 1, "{halves}");
            assert_eq!(misses.rms, halves.max(0) as f64 / 2.0);
        }
        let several = of(&[&[0, 6], &[0, 8], &[0, -2]]).misses();
        assert_eq!((several.rms, &several.histogram[..2]), ((25.0_f64 / 3.0).sqrt(), &[1, 2][..]));
        assert_eq!(of(&[]).misses(), Misses::default());
    }

    #[test]
    fn the_mean_gain_is_the_mean_value_of_all_rows() {
        assert_eq!(of(&[&[4, -2], &[1, 0, 2]]).mean_gain(), 1.0 / 2.0);
        assert_eq!(of(&[]).mean_gain(), 0.0);
    }

    #[test]
    fn parts_merge_to_the_whole() {
        let mut parts = of(&[&[4, -2]]);
        parts.merge(&of(&[&[1, 0, 2], &[9, 99]]));
        assert_eq!(parts, of(&[&[4, -2], &[1, 0, 2], &[9, 99]]));
    }
}
