//! The temperature: how many units of value make a difference by a factor of `e`.
//!
//! It is estimated once, from the values of the start, and then kept: the scale of the weights and the
//! temperature could otherwise grow together without end. With `b = 1/T` the losses are functions of `b v_m`,
//! so that their first two derivatives with respect to `b` follow from the pulls and weights of the
//! objective: `-sum of p_m v_m` and `sum of w_m (v_m - v_c)^2`. Newton's method finds the zero of the first
//! within bounds, and falls back to bisection where a step leaves the interval that holds the zero.

use crate::{
    choice::Choice,
    error::{Error, Result},
    merge::Merge,
    objective::{Centre, Judged, judge_weighted},
    searchers::{Kept, Question, Request, Searchers, Slopes},
    units::{in_units, to_fraction},
};

/// Smallest and largest temperature that is estimated, in units.
pub const TEMPERATURE_BOUNDS: [f64; 2] = [4.0, 4096.0];

/// The temperature used where the values say nothing, in units.
pub const DEFAULT_TEMPERATURE: f64 = 64.0;

/// Smallest and largest temperature that can be given, in units.
pub(crate) const USABLE: [f64; 2] = [0.01, 1e6];

/// Newton steps at most; bisection alone would need fewer to reach four decimals.
const STEPS: usize = 60;

/// The temperature of a run, and where it is from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temperature {
    /// In units, with four decimals.
    pub value: f64,
    /// Where it is from.
    pub origin: TemperatureOrigin,
}

/// Where a temperature is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemperatureOrigin {
    /// It was given.
    Given,
    /// Estimated from the values of the start.
    Estimated,
    /// Estimated, and held at the nearer of the [bounds](TEMPERATURE_BOUNDS).
    AtBound,
    /// The loss does not depend on it, because all values of each choice are equal.
    Undetermined,
}

/// Checks a temperature that is given.
///
/// # Errors
///
/// It is no number from 0.01 to 1,000,000.
pub(crate) fn validate(temperature: f64) -> Result<()> {
    let [least, most] = USABLE;
    if (least..=most).contains(&temperature) {
        return Ok(());
    }
    Err(Error::Temperature { least, most, found: temperature })
}

/// A temperature with four decimals, as the fits of a run use it.
pub(crate) fn rounded(temperature: f64) -> f64 {
    (temperature * 1e4).round() / 1e4
}

/// The temperature at which the mean loss of the choices is smallest, within bounds.
pub(crate) fn estimate(searchers: &Searchers) -> Result<Temperature> {
    use TemperatureOrigin::{AtBound, Estimated, Undetermined};
    let [least, most] = TEMPERATURE_BOUNDS;
    let found = |value, origin| Ok(Temperature { value: rounded(value), origin });
    let slopes = |inverse: f64| -> Result<[f64; 2]> {
        Ok(searchers.sums(Slopes { temperature: 1.0 / inverse })?.map(|sum| sum as f64))
    };
    let (mut low, mut high) = (1.0 / most, 1.0 / least);
    let [low_slope, low_curvature] = slopes(low)?;
    if low_slope == 0.0 && low_curvature == 0.0 {
        return found(DEFAULT_TEMPERATURE, Undetermined);
    }
    if low_slope >= 0.0 {
        return found(most, AtBound);
    }
    if slopes(high)?[0] <= 0.0 {
        return found(least, AtBound);
    }
    let mut inverse = 1.0 / DEFAULT_TEMPERATURE;
    for _ in 0..STEPS {
        let [slope, curvature] = slopes(inverse)?;
        if slope < 0.0 {
            low = inverse;
        } else {
            high = inverse;
        }
        let newton = inverse - slope / curvature;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        if rounded(1.0 / next) == rounded(1.0 / inverse) {
            break;
        }
        inverse = next;
    }
    found(1.0 / inverse, Estimated)
}

impl Merge for [i128; 2] {
    fn merge(&mut self, other: [i128; 2]) -> Result<()> {
        self.iter_mut().zip(other).for_each(|(to, from)| *to += from);
        Ok(())
    }
}

impl Question for Slopes {
    /// Derivatives of the loss with respect to the inverse of the temperature, in 2^-24: the first in units,
    /// the second in squared units. For the squared loss of results the second is that of Gauss and Newton.
    type Sums = [i128; 2];
    const REQUEST: fn(Slopes) -> Request = Request::Slopes;

    fn sums(&self, kept: &Kept) -> Result<[i128; 2]> {
        let work = |sums: &mut [i128; 2], choices: &mut [Choice]| {
            let mut judged = Judged::default();
            for choice in choices.iter() {
                judge_weighted(kept.objective, choice, self.temperature, &mut judged);
                let values: Vec<f64> = choice.values().iter().map(|&value| in_units(value)).collect();
                let mean = |weights: &[f64]| {
                    let total: f64 = weights.iter().sum();
                    let sum: f64 = weights.iter().zip(&values).map(|(weight, value)| weight * value).sum();
                    if total > 0.0 { sum / total } else { 0.0 }
                };
                let centre = match judged.centre {
                    Centre::Root => 0.0,
                    Centre::Chosen => values.first().copied().unwrap_or(0.0),
                    Centre::Mean => mean(&judged.weights),
                };
                let slope: f64 = judged.pulls.iter().zip(&values).map(|(pull, value)| -pull * value).sum();
                let curvature: f64 = judged
                    .weights
                    .iter()
                    .zip(&values)
                    .map(|(weight, value)| weight * (value - centre).powi(2))
                    .sum();
                sums[0] += i128::from(to_fraction(slope));
                sums[1] += i128::from(to_fraction(curvature));
            }
            Ok(())
        };
        kept.fitted.fold(false, || [0; 2], work)
    }
}
