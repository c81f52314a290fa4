//! What pulls the rows of a choice: one trait, and one file for each objective.

mod force;
mod logistic;
mod pairs;
mod softmax;
#[cfg(test)]
mod tests;

pub use force::{Balance, Force, Forces};
pub use logistic::{Logistic, Loss};
pub use pairs::Pairs;
pub use softmax::Softmax;

use serde::{Deserialize, Serialize};

use crate::choice::Choice;

option_enum! {
    /// The name of an objective.
    pub enum ObjectiveName {
        /// [`Forces`].
        #[default]
        Force,
        /// [`Softmax`].
        Softmax,
        /// [`Pairs`].
        Pairs,
        /// [`Logistic`].
        Logistic,
    }
}

/// An objective that is built in, with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Least squares with the forces of 1988.
    Force(Forces),
    /// The multinomial logit.
    Softmax(Softmax),
    /// Logistic losses of pairs.
    Pairs(Pairs),
    /// Logistic regression of results.
    Logistic(Logistic),
}

impl Method {
    /// The objective.
    pub fn objective(&self) -> &dyn Objective {
        match self {
            Method::Force(forces) => forces,
            Method::Softmax(softmax) => softmax,
            Method::Pairs(pairs) => pairs,
            Method::Logistic(logistic) => logistic,
        }
    }

    /// Checks the settings.
    ///
    /// # Errors
    ///
    /// Names the first that is no usable number.
    pub fn validate(&self) -> crate::Result<()> {
        match self {
            Method::Force(forces) => forces.validate(),
            Method::Softmax(_) | Method::Pairs(_) | Method::Logistic(_) => Ok(()),
        }
    }
}

/// A loss over choices, seen from the present values of the rows.
///
/// With rows `d_m`, their values `v_m`, the weights `w_m`, the centre `c` and the pulls `p_m` that
/// [`judge`](Objective::judge) gives, a step without a temperature solves
///
/// ```text
/// sum of w_m (d_m - c)(d_m - c)^T A'  =  sum of w_m (d_m - c)(v_m - v_c)  +  sum of p_m d_m
/// ```
///
/// for the new values `A'` of the parameters, summed over all rows of all choices, plus the penalty. Without
/// pulls the values stay as they are: the identity.
///
/// An objective [with a temperature](Objective::has_temperature) `T` is a function of `v_m / T`. Its pulls
/// and weights are derivatives with respect to `v_m / T`, and its steps solve for the change of the
/// parameters:
///
/// ```text
/// sum of w_m (d_m - c)(d_m - c)^T change  =  T sum of p_m d_m
/// ```
///
/// This is the Newton step of the loss, with both sides multiplied by `T^2`. An example of an objective is at
/// [`fit_once`](crate::fit_once).
pub trait Objective: Sync {
    /// Name on command lines and in files.
    fn name(&self) -> &'static str;

    /// Judges the rows of a choice by their values. `judged` is empty for all rows (no pull, weight 1,
    /// measured from the root). The loss of the choice comes back. Objectives without a temperature ignore
    /// `temperature`.
    fn judge(&self, choice: &Choice, temperature: f64, judged: &mut Judged) -> f64;

    /// Whether the loss is a function of the values divided by a temperature.
    fn has_temperature(&self) -> bool {
        false
    }

    /// How passes are compared to find the best.
    fn criterion(&self) -> Criterion {
        Criterion::Rank
    }
}

/// Judges the rows of a choice, and lets it count by its weight. The weighted loss comes back.
pub(crate) fn judge_weighted(
    objective: &dyn Objective,
    choice: &Choice,
    temperature: f64,
    judged: &mut Judged,
) -> f64 {
    judged.reset(choice.len());
    let loss = objective.judge(choice, temperature, judged);
    if choice.withheld() == 0 {
        return loss;
    }
    let weight = choice.weight();
    judged.pulls.iter_mut().chain(&mut judged.weights).for_each(|number| *number *= weight);
    loss * weight
}

/// How passes are compared to [find the best](crate::best). All use the choices held out, where there are
/// some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// The lower mean rank is better.
    #[default]
    Rank,
    /// The larger share of choices matched is better.
    Match,
    /// The smaller mean loss is better.
    Loss,
}

impl Criterion {
    /// Whether rows were chosen, so that there are ranks and matches.
    pub fn has_choices(self) -> bool {
        self != Criterion::Loss
    }
}

/// What an objective says of the rows of a choice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judged {
    /// For each row minus the derivative of the loss with respect to its value, in units; with a temperature,
    /// with respect to its value divided by the temperature, without unit.
    pub pulls: Vec<f64>,
    /// For each row its weight in the equations, 0 to 1.
    pub weights: Vec<f64>,
    /// The point from which rows are measured.
    pub centre: Centre,
}

impl Judged {
    /// No pull, weight 1, measured from the root.
    pub(crate) fn reset(&mut self, rows: usize) {
        self.pulls.clear();
        self.pulls.resize(rows, 0.0);
        self.weights.clear();
        self.weights.resize(rows, 1.0);
        self.centre = Centre::Root;
    }
}

/// The point from which the rows of a choice are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Centre {
    /// The root: rows stay as they are.
    #[default]
    Root,
    /// The chosen row.
    Chosen,
    /// The weighted mean of the rows, rounded to 1/256 count.
    Mean,
}
