//! What holds a fit back where the games say little: the ridge, and the smoothing of free tables.
//!
//! Both penalise changes from a reference, the present weights or those of the start: the ridge their
//! squares, smoothing the squared difference of the changes of neighbouring cells. Neither ever pulls
//! towards 0. With the present weights as reference a fit without forces still reproduces them. This
//! module knows nothing of rows and sums.

use super::columns::{Columns, Parameter};
use crate::{
    error::Result,
    feature::{Layout, Mode, Weights},
};

/// The penalty `ridge |x - r|^2 + smooth * sum over neighbours ((x_i - r_i) - (x_j - r_j))^2` over the
/// parameters to be solved for, `x`, with their reference `r`.
#[derive(Debug, Clone, PartialEq)]
pub struct Penalty {
    ridge: f64,
    smooth: f64,
    reference: Vec<f64>,
    bonds: Vec<(usize, usize)>,
    anchors: Vec<(usize, f64)>,
}

impl Penalty {
    /// The penalty over the columns `kept`, towards `reference`. The neighbours of a cell that are not
    /// solved for stay as they are in `rounded`, and hold it too.
    ///
    /// # Errors
    ///
    /// When the reference holds a table as free cells that is a gradient here.
    pub fn new(
        columns: &Columns,
        kept: &[usize],
        [ridge, smooth]: [f64; 2],
        rounded: &Weights,
        reference: &Weights,
    ) -> Result<Penalty> {
        let parameters: Vec<Parameter> = kept.iter().map(|&column| columns.parameters()[column]).collect();
        let from: Result<Vec<f64>> =
            parameters.iter().map(|parameter| parameter.get_from(reference)).collect();
        let mut penalty = Penalty { ridge, smooth, reference: from?, bonds: Vec::new(), anchors: Vec::new() };
        if smooth > 0.0 {
            penalty.bind(&parameters, rounded, reference)?;
        }
        Ok(penalty)
    }

    /// Ties each cell to its neighbours.
    fn bind(&mut self, parameters: &[Parameter], rounded: &Weights, reference: &Weights) -> Result<()> {
        for (at, &parameter) in parameters.iter().enumerate() {
            if parameter.mode != Mode::Cells {
                continue;
            }
            for index in neighbours(parameter.key.feature().layout, parameter.index) {
                let neighbour = Parameter { index, ..parameter };
                match parameters.iter().position(|&other| other == neighbour) {
                    Some(other) if other > at => self.bonds.push((at, other)),
                    Some(_) => {}
                    None => {
                        let change = neighbour.get(rounded) - neighbour.get_from(reference)?;
                        self.anchors.push((at, change));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether there is no penalty at all.
    pub fn is_none(&self) -> bool {
        self.ridge == 0.0 && self.smooth == 0.0
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

/// Cells next to cell `index` in its table. Shelter files are no scale (the own file lies between the
/// inner and the outer), so there only the states of one file are neighbours.
fn neighbours(layout: Layout, index: usize) -> Vec<usize> {
    let (columns, rows_are_a_scale) = match layout {
        Layout::Scalar => return Vec::new(),
        Layout::FileRank { ranks, .. } | Layout::Square { ranks, .. } => (usize::from(ranks), true),
        Layout::Shelter => (4, false),
        Layout::File | Layout::Rank { .. } | Layout::Storm => (layout.cells(), true),
    };
    let (row, column) = (index / columns, index % columns);
    let mut near = Vec::new();
    if column > 0 {
        near.push(index - 1);
    }
    if column + 1 < columns {
        near.push(index + 1);
    }
    if rows_are_a_scale && row > 0 {
        near.push(index - columns);
    }
    if rows_are_a_scale && index + columns < layout.cells() {
        near.push(index + columns);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Key;

    fn freed(key: Key) -> Weights {
        let mut weights = Weights::start();
        Key::ALL.iter().for_each(|&key| weights.setting_mut(key).tune.fill(false));
        weights.free_table(key).unwrap();
        weights.rounded()
    }

    fn penalty(weights: &Weights, reference: &Weights, strengths: [f64; 2]) -> Penalty {
        let columns = Columns::new(weights);
        let kept: Vec<usize> = (0..columns.len()).collect();
        Penalty::new(&columns, &kept, strengths, weights, reference).unwrap()
    }

    #[test]
    fn neighbours_are_those_of_the_board_and_shelter_files_have_none() {
        assert_eq!(neighbours(Layout::FileRank { low: 2, ranks: 6 }, 7), [6, 8, 1, 13]);
        assert_eq!(neighbours(Layout::FileRank { low: 2, ranks: 6 }, 23), [22, 17]);
        assert_eq!(neighbours(Layout::File, 3), [2]);
        assert_eq!(neighbours(Layout::Shelter, 4), [5]);
        assert!(neighbours(Layout::Scalar, 0).is_empty());
    }

    #[test]
    fn weights_at_their_reference_feel_no_pull() {
        let weights = freed(Key::PAdv);
        let penalty = penalty(&weights, &weights, [100.0, 30.0]);
        let columns = Columns::new(&weights);
        let x: Vec<f64> = columns.parameters().iter().map(|parameter| parameter.get(&weights)).collect();
        assert!(penalty.pull(&x).iter().all(|&pull| pull == 0.0));
    }

    #[test]
    fn the_pull_is_linear_with_the_stiffness_as_its_slope() {
        let (weights, start) = (freed(Key::Sh), Weights::start());
        let mut reference = start.clone();
        reference.setting_mut(Key::Sh).open[0] = 1.5;
        let penalty = penalty(&weights, &reference, [7.0, 3.0]);
        let size = penalty.reference().len();
        let x: Vec<f64> = (0..size).map(|i| (i * i % 7) as f64).collect();
        let mut predicted = penalty.pull(&vec![0.0; size]);
        penalty.stiffen(|row, column, value| predicted[row] -= value * x[column]);
        for (pull, predicted) in penalty.pull(&x).iter().zip(predicted) {
            assert!((pull - predicted).abs() < 1e-9);
        }
    }

    #[test]
    fn a_cell_that_is_held_holds_its_neighbours() {
        let mut weights = freed(Key::Dbl);
        weights.setting_mut(Key::Dbl).tune = vec![true, true, false, true];
        let columns = Columns::new(&weights);
        let kept: Vec<usize> = (0..columns.len()).collect();
        let penalty = Penalty::new(&columns, &kept, [0.0, 1.0], &weights, &weights).unwrap();
        assert_eq!((penalty.bonds.len(), penalty.anchors.len()), (2, 4));
    }
}
