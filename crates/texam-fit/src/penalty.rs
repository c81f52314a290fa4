//! What holds a fit back where the choices say little: the ridge, and the smoothing between neighbours.
//!
//! Both penalise changes from a reference, the present values or those of the start: the ridge their squares,
//! smoothing the squared difference of the changes of neighbouring parameters. Neither pulls towards 0. With
//! the present values as reference, a fit without pulls reproduces them.

use crate::{
    limits::LARGEST_SIZE,
    model::Model,
    plan::{FitOptions, RidgeTo},
};

/// The penalty `ridge * sum of (x_i - r_i)^2 + smooth * sum over neighbours ((x_i - r_i) - (x_j - r_j))^2`
/// over the parameters to be solved for, `x`, with their reference `r`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Penalty {
    /// Whether the ridge is infinite, so that nothing leaves its reference. Elsewhere it counts as the
    /// largest finite one.
    is_rigid: bool,
    ridge: f64,
    smooth: f64,
    reference: Vec<f64>,
    /// Pairs of neighbours that are both solved for.
    bonds: Vec<(usize, usize)>,
    /// Parameters with a neighbour that is held, and the change of that neighbour from its reference.
    anchors: Vec<(usize, f64)>,
}

impl Penalty {
    /// The penalty of a fit over the parameters `kept` of a model, with a ridge of this strength. Neighbours
    /// that are not solved for stay as they are, and hold the others too.
    pub fn new(model: &Model, kept: &[usize], strength: f64, options: &FitOptions) -> Penalty {
        let ridge = strength.min(LARGEST_SIZE);
        let smooth = options.smooth;
        let reference = |index: usize| match options.ridge_to {
            RidgeTo::Current => model.used(index),
            RidgeTo::Start => model.parameters()[index].prior,
        };
        let mut penalty = Penalty {
            is_rigid: strength.is_infinite(),
            ridge,
            smooth,
            reference: kept.iter().map(|&index| reference(index)).collect(),
            bonds: Vec::new(),
            anchors: Vec::new(),
        };
        if smooth > 0.0 {
            for (at, &index) in kept.iter().enumerate() {
                for &neighbour in &model.parameters()[index].neighbours {
                    match kept.binary_search(&neighbour) {
                        Ok(other) if other > at => penalty.bonds.push((at, other)),
                        Ok(_) => {}
                        Err(_) => {
                            penalty.anchors.push((at, model.used(neighbour) - reference(neighbour)));
                        }
                    }
                }
            }
        }
        penalty
    }

    /// The same penalty in terms of the change from `values`.
    pub fn of_change_from(mut self, values: &[f64]) -> Penalty {
        for (reference, value) in self.reference.iter_mut().zip(values) {
            *reference -= value;
        }
        // Anchors and bonds compare changes from the reference, which the shift does not alter.
        self
    }

    /// Half the penalty at `x`.
    pub fn half(&self, x: &[f64]) -> f64 {
        let change: Vec<f64> = x.iter().zip(&self.reference).map(|(x, reference)| x - reference).collect();
        let squares: f64 = change.iter().map(|change| change * change).sum();
        let bonds = self.bonds.iter().map(|&(i, j)| (change[i] - change[j]).powi(2));
        let anchors = self.anchors.iter().map(|&(i, fixed)| (change[i] - fixed).powi(2));
        (self.ridge * squares + self.smooth * bonds.chain(anchors).sum::<f64>()) / 2.0
    }

    /// Whether nothing may leave its reference.
    pub fn is_rigid(&self) -> bool {
        self.is_rigid
    }

    /// Whether there is no penalty at all.
    pub fn is_none(&self) -> bool {
        self.ridge == 0.0 && self.smooth == 0.0
    }

    /// Strength of the ridge.
    pub fn ridge(&self) -> f64 {
        self.ridge
    }

    /// The reference `r`.
    pub fn reference(&self) -> &[f64] {
        &self.reference
    }

    /// Half the negative gradient of the penalty at `x`: what it adds to the residual of the normal
    /// equations. At 0 it is what it adds to their right side.
    pub fn pull(&self, x: &[f64]) -> Vec<f64> {
        let change: Vec<f64> = x.iter().zip(&self.reference).map(|(x, reference)| x - reference).collect();
        let mut pull: Vec<f64> = change.iter().map(|change| -self.ridge * change).collect();
        for &(i, j) in &self.bonds {
            let strain = self.smooth * (change[i] - change[j]);
            pull[i] -= strain;
            pull[j] += strain;
        }
        for &(i, fixed) in &self.anchors {
            pull[i] -= self.smooth * (change[i] - fixed);
        }
        pull
    }

    /// Adds half the second derivative of the penalty to a matrix through `add(row, column, value)`.
    pub fn stiffen(&self, mut add: impl FnMut(usize, usize, f64)) {
        for i in 0..self.reference.len() {
            add(i, i, self.ridge);
        }
        for &(i, j) in &self.bonds {
            for (row, column, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                add(row, column, sign * self.smooth);
            }
        }
        for &(i, _) in &self.anchors {
            add(i, i, self.smooth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Parameter, synthetic};

    /// Four parameters in a row, each the neighbour of the next.
    fn chain(tuned: &[usize]) -> Model {
        let mut parameters: Vec<Parameter> = synthetic::model(&[1.0, -2.0, 3.0, 0.5]).parameters().to_vec();
        for (index, parameter) in parameters.iter_mut().enumerate() {
            parameter.neighbours = (0..4).filter(|other: &usize| other.abs_diff(index) == 1).collect();
            parameter.prior = parameter.value + 0.25 * index as f64;
        }
        synthetic::tuning(&Model::new(parameters).unwrap(), tuned)
    }

    fn penalty(model: &Model, [ridge, smooth]: [f64; 2], ridge_to: RidgeTo) -> Penalty {
        let options = FitOptions { smooth, ridge_to, ..FitOptions::default() };
        Penalty::new(model, model.tuned(), ridge, &options)
    }

    #[test]
    fn values_at_their_reference_feel_no_pull() {
        let model = chain(&[0, 1, 2, 3]);
        let penalty = penalty(&model, [100.0, 30.0], RidgeTo::Current);
        assert!(penalty.pull(&model.values()).iter().all(|&pull| pull == 0.0));
    }

    #[test]
    fn the_pull_is_linear_with_the_stiffness_as_its_slope() {
        let model = chain(&[0, 1, 3]);
        let penalty = penalty(&model, [7.0, 3.0], RidgeTo::Start);
        let x = [5.0, -3.0, 2.0];
        let mut predicted = penalty.pull(&[0.0; 3]);
        penalty.stiffen(|row, column, value| predicted[row] -= value * x[column]);
        for (pull, predicted) in penalty.pull(&x).iter().zip(predicted) {
            assert!((pull - predicted).abs() < 1e-9);
        }
    }

    #[test]
    fn a_parameter_that_is_held_holds_its_neighbours() {
        let penalty = penalty(&chain(&[0, 1, 3]), [0.0, 1.0], RidgeTo::Start);
        assert_eq!(penalty.bonds, [(0, 1)]);
        assert_eq!(penalty.anchors, [(1, -0.5), (2, -0.5)]);
    }
}
