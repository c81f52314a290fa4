//! Pairs: the chosen row against each other row, one logistic loss for each.
//!
//! The loss of a choice is the sum over `m > 0` of `ln(1 + exp((v_m - v_0) / T))`: RankNet (C. Burges et al.,
//! "Learning to rank using gradient descent", ICML 2005). The tuning of shogi programs by K. Hoki (Bonanza,
//! 2006) and K. Hoki and T. Kaneko (MMTO, JAIR 49, 2014) sums sigmoids of the same differences. For fixed
//! rows the loss is convex in the parameters.

use super::{Centre, Judged, Objective};
use crate::{choice::Choice, units::in_units};

/// Logistic losses of the chosen row against each other row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pairs;

impl Objective for Pairs {
    fn name(&self) -> &'static str {
        "pairs"
    }

    /// With `q_m = 1 / (1 + exp((v_0 - v_m) / T))` the pull on another row is `-q_m`, that on the chosen row
    /// the sum of the `q_m`. The weights are `q_m (1 - q_m)`, the centre is the chosen row.
    fn judge(&self, choice: &Choice, temperature: f64, judged: &mut Judged) -> f64 {
        let Some((&chosen, others)) = choice.values().split_first() else { return 0.0 };
        judged.centre = Centre::Chosen;
        judged.weights[0] = 0.0;
        let (mut loss, mut sum) = (0.0, 0.0);
        let rows = judged.pulls[1..].iter_mut().zip(&mut judged.weights[1..]);
        for ((pull, weight), &value) in rows.zip(others) {
            let lead = in_units(value - chosen) / temperature;
            let share = sigmoid(lead);
            *pull = -share;
            *weight = share * sigmoid(-lead);
            sum += share;
            loss += softplus(lead);
        }
        judged.pulls[0] = sum;
        loss
    }

    fn has_temperature(&self) -> bool {
        true
    }
}

/// `1 / (1 + exp(-x))`, without overflow.
pub(super) fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + libm::exp(-x))
    } else {
        let exp = libm::exp(x);
        exp / (1.0 + exp)
    }
}

/// `ln(1 + exp(x))`, without overflow.
pub(super) fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}
