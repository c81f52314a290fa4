//! The multinomial logit: the chosen row is the outcome of a draw with probabilities `exp(v_m / T)`.
//!
//! The loss of a choice is `-ln p_0` with `p_m = exp(v_m / T) / sum of exp(v_k / T)`: minus its
//! log-likelihood. With two rows this is the model of R. A. Bradley and M. E. Terry (Biometrika 39, 1952);
//! for any number it is the conditional logit of D. McFadden ("Conditional logit analysis of qualitative
//! choice behavior", 1974). For fixed rows the loss is convex in the parameters.

use super::{Centre, Judged, Objective};
use crate::{choice::Choice, units::in_units};

/// Minus the log-likelihood of the chosen rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Softmax;

impl Objective for Softmax {
    fn name(&self) -> &'static str {
        "softmax"
    }

    /// The pull on a row is `[m = 0] - p_m`, its weight `p_m`, the centre the mean of the rows.
    fn judge(&self, choice: &Choice, temperature: f64, judged: &mut Judged) -> f64 {
        let Some(&best) = choice.values().iter().max() else { return 0.0 };
        judged.centre = Centre::Mean;
        let mut sum = 0.0;
        for (weight, &value) in judged.weights.iter_mut().zip(choice.values()) {
            *weight = libm::exp(in_units(value - best) / temperature);
            sum += *weight;
        }
        for (pull, weight) in judged.pulls.iter_mut().zip(&mut judged.weights) {
            *weight /= sum;
            *pull = -*weight;
        }
        judged.pulls[0] += 1.0;
        libm::log(sum) + in_units(best - choice.values()[0]) / temperature
    }

    fn has_temperature(&self) -> bool {
        true
    }
}
