//! Logistic regression of results: Texel's tuning method.
//!
//! A choice is one row with a label `r`, the result that its value should tell, from 0 (lost) to 1 (won).
//! With its value `E` and the scale `K`, `s = 1 / (1 + exp(-E / K))` is the expected result. P. Oesterlund
//! described the method for his program Texel in 2014 with the squared loss; the cross-entropy is the
//! likelihood of the same model, and convex for fixed rows.

use super::{
    Criterion, Judged, Objective,
    pairs::{sigmoid, softplus},
};
use crate::{
    choice::Choice,
    units::{from_fraction, in_units},
};

option_enum! {
    /// The loss of a labelled row.
    pub enum Loss {
        /// `-(r ln s + (1 - r) ln(1 - s))`.
        #[default]
        CrossEntropy,
        /// `(r - s)^2 / 2`.
        Squared,
    }
}

/// The loss of the results of labelled rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Logistic {
    /// Cross-entropy or squared error.
    pub loss: Loss,
}

impl Objective for Logistic {
    fn name(&self) -> &'static str {
        "logistic"
    }

    /// The rows of a choice have the same label; there is one. With the cross-entropy the pull is `r - s`,
    /// the weight `s (1 - s)`. With the squared loss both are multiplied by `s (1 - s)`; the weight is that
    /// of Gauss and Newton.
    fn judge(&self, choice: &Choice, temperature: f64, judged: &mut Judged) -> f64 {
        let label = from_fraction(choice.label());
        let mut loss = 0.0;
        let rows = judged.pulls.iter_mut().zip(&mut judged.weights);
        for ((pull, weight), &value) in rows.zip(choice.values()) {
            let x = in_units(value) / temperature;
            let (expected, slope) = (sigmoid(x), sigmoid(x) * sigmoid(-x));
            let error = label - expected;
            match self.loss {
                Loss::CrossEntropy => {
                    (*pull, *weight) = (error, slope);
                    loss += label * softplus(-x) + (1.0 - label) * softplus(x);
                }
                Loss::Squared => {
                    (*pull, *weight) = (error * slope, slope * slope);
                    loss += error * error / 2.0;
                }
            }
        }
        loss
    }

    fn has_temperature(&self) -> bool {
        true
    }

    fn criterion(&self) -> Criterion {
        Criterion::Loss
    }
}
