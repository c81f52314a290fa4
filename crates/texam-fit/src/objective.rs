//! What pulls the moves of a choice: one trait, and one file for each objective.

mod force;

pub use force::{Balance, Force, Forces};

use crate::choice::Choice;

/// A loss over choices, seen from the present values of the moves.
///
/// With rows `d_m`, their values `v_m`, the weights `w_m`, the centre `c` and the pulls `p_m` that
/// [`judge`](Objective::judge) gives, a step solves
///
/// ```text
/// sum of w_m (d_m - c)(d_m - c)^T A'  =  sum of w_m (d_m - c)(v_m - v_c)  +  sum of p_m d_m
/// ```
///
/// for the new values `A'` of the parameters, summed over all rows of all choices, plus the penalty. Without
/// pulls the values stay as they are: the identity.
pub trait Objective: Sync {
    /// Name on command lines and in files.
    fn name(&self) -> &'static str;

    /// Judges the moves of a choice by their values. `judged` is empty for all rows (no pull, weight 1,
    /// measured from the root). The loss of the choice comes back.
    fn judge(&self, choice: &Choice, judged: &mut Judged) -> f64;
}

/// What an objective says of the rows of a choice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judged {
    /// For each row minus the derivative of the loss with respect to its value, in units.
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
    /// The chosen move.
    Chosen,
    /// The weighted mean of the rows, rounded to 1/256 count.
    Mean,
}
