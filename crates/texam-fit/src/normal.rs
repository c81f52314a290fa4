//! The normal equations, summed exactly.
//!
//! Rows, targets, weights and pulls are integers, so the sums are too: choices may be added, and sums merged,
//! in any order, on any number of threads or machines, and the result is the same to the last bit.

use serde::{Deserialize, Serialize};

use crate::{
    choice::Choice,
    error::{Error, Result},
    grid::Grid,
    merge::Merge,
    model::Model,
    rows::{CentrePoint, Rows, TunedRow},
    triangle::Triangle,
    units::{FRACTION_BITS, PULL_BITS, to_fraction},
};

/// Fraction bits of the matrix beside those that the grids of its columns have: those of a weight, and some
/// for centres.
pub(crate) const MATRIX_BITS: i32 = 24 + CENTRE_BITS as i32;

const CENTRE_BITS: u32 = 16;

/// Fraction bits of the right side beside those that the grid of its column has.
pub(crate) const RIGHT_BITS: i32 = (PULL_BITS + FRACTION_BITS) as i32;

/// No entry of the sums may need more bits, sign excluded.
const MOST_BITS: u32 = 126;

/// Sums over rows, as a value. With `W` the weights, `D` the rows measured from their centres, on the grids
/// of their columns, `p` the pulls and `e` the deviations of the values from their means:
///
/// - `matrix`: `D^T W D` in 2^-40, its upper triangle row by row;
/// - `pulls`: `D^T p` in 2^-32;
/// - `deviations`: `D^T e` in 2^-24.
///
/// The right side is `T pulls + gamma deviations`, where the share `gamma` of the variance compensation is
/// known only after the pass, and `T` is the temperature; without one, 1.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sums {
    /// Temperature in 2^-24.
    temperature: i128,
    choices: u64,
    /// Sum of the losses in 2^-24.
    pub loss: i128,
    /// Rows, and their entries.
    rows: [u64; 2],
    /// Of no size where only the right side is summed.
    matrix: Triangle,
    pulls: Vec<i128>,
    deviations: Vec<i128>,
    support: Vec<u32>,
    /// Numbers of the last choices that touched a column, from 1, to count each choice once.
    #[serde(skip)]
    seen: Vec<u64>,
    /// No entry of the matrix, or of the right side, can be larger.
    bounds: [u128; 2],
}

/// The equations for the change of some parameters: a symmetric matrix and a right side over their columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct System {
    /// The grid of each column.
    pub grids: Vec<Grid>,
    /// All entries, row by row, in 2^-[`MATRIX_BITS`] on the grids of both columns.
    pub matrix: Vec<i128>,
    /// In 2^-[`RIGHT_BITS`] on the grid of the column.
    pub right: Vec<i128>,
    /// Whether the matrix is of rounded products.
    pub is_rounded: bool,
}

impl System {
    /// The right side in counts times units.
    pub fn pulls(&self) -> Vec<f64> {
        self.right.iter().zip(&self.grids).map(in_counts).collect()
    }
}

/// An entry of the right side in counts times units.
fn in_counts((&right, grid): (&i128, &Grid)) -> f64 {
    right as f64 * 2_f64.powi(-(RIGHT_BITS + grid.bits))
}

impl Sums {
    /// Zero sums over `size` columns, for an objective without a temperature.
    pub fn new(size: usize) -> Sums {
        Sums::at(size, 1.0)
    }

    /// Zero sums over `size` columns at a temperature.
    pub fn at(size: usize, temperature: f64) -> Sums {
        Sums {
            temperature: to_fraction(temperature).into(),
            choices: 0,
            loss: 0,
            rows: [0; 2],
            matrix: Triangle::new(size, CENTRE_BITS),
            pulls: vec![0; size],
            deviations: vec![0; size],
            support: vec![0; size],
            seen: vec![0; size],
            bounds: [0; 2],
        }
    }

    /// The same sums, in which the products of rows of another program may be rounded.
    pub fn rounded(mut self, model: &Model) -> Sums {
        if let Some(grids) = model.grids() {
            let spares: Vec<u32> = model.tuned().iter().map(|&index| grids[index].spare).collect();
            self.matrix = self.matrix.rounding(spares.into_iter());
        }
        self
    }

    /// The same without a matrix.
    pub fn without_matrix(mut self) -> Sums {
        self.matrix = Triangle::new(0, CENTRE_BITS);
        self
    }

    /// Whether the matrix is summed, and not only the right side.
    pub fn has_matrix(&self) -> bool {
        self.matrix.size() == self.size()
    }

    /// Number of columns.
    pub fn size(&self) -> usize {
        self.pulls.len()
    }

    /// For each column the number of choices with an entry there.
    pub fn support(&self) -> &[u32] {
        &self.support
    }

    /// Adds the rows of a choice.
    ///
    /// # Errors
    ///
    /// When the sums might not fit into 126 bits.
    pub fn add(&mut self, rows: &Rows) -> Result<()> {
        self.choices += 1;
        self.loss += i128::from(rows.loss);
        let mut total = 0;
        for row in rows.iter() {
            self.rows = [self.rows[0] + 1, self.rows[1] + row.columns.len() as u64];
            self.raise_bounds(bounds(&row, self.temperature))?;
            self.add_row(&row);
            total += i128::from(row.pull);
        }
        if self.has_matrix() {
            self.raise_bounds([centre_bound(&rows.centre), 0])?;
            self.matrix.move_to(&rows.centre);
        }
        // Pulls add up to 0 but for their rounding.
        for (&column, &centre) in rows.centre.columns.iter().zip(&rows.centre.centre) {
            self.pulls[column as usize] -= (i128::from(centre) * total) >> rows.centre.fraction_bits;
        }
        for &column in rows.columns() {
            let column = column as usize;
            if self.seen[column] != self.choices {
                self.seen[column] = self.choices;
                self.support[column] = self.support[column].saturating_add(1);
            }
        }
        Ok(())
    }

    /// Adds the loss of a choice and the pulls of its rows, but not its matrix.
    ///
    /// # Errors
    ///
    /// When the sums might not fit into 126 bits, or an entry of a parameter that is not there.
    pub fn add_pulls(&mut self, choice: &Choice, model: &Model, loss: i64, pulls: &[i64]) -> Result<()> {
        self.choices += 1;
        self.loss += i128::from(loss);
        for (row, &pull) in choice.rows().zip(pulls) {
            let bits = row.entries.iter().fold(0, |bits, &entry| bits | (entry ^ (entry >> 31)));
            let bound = (bits as u128 + 1) * u128::from(pull.unsigned_abs());
            self.raise_bounds([0, bound * self.temperature.unsigned_abs()])?;
            for (index, entry) in row.iter() {
                if let Some(column) = model.tuned_column(index) {
                    self.pulls[column as usize] += i128::from(entry) * i128::from(pull);
                }
            }
        }
        Ok(())
    }

    fn add_row(&mut self, row: &TunedRow) {
        if self.has_matrix() {
            self.matrix.add_rounded(row.columns, row.entries, row.weight);
        }
        for (&column, &entry) in row.columns.iter().zip(row.entries) {
            let column = column as usize;
            self.pulls[column] += i128::from(entry) * i128::from(row.pull);
        }
        if row.deviation != 0 {
            for (&column, &entry) in row.columns.iter().zip(row.entries) {
                self.deviations[column as usize] += i128::from(entry) * i128::from(row.deviation);
            }
        }
    }

    /// Mean number of entries of a row.
    pub fn entries_of_row(&self) -> f64 {
        self.rows[1] as f64 / self.rows[0].max(1) as f64
    }

    /// The temperature; 1 without one.
    pub fn temperature(&self) -> f64 {
        self.temperature as f64 * 2_f64.powi(-(FRACTION_BITS as i32))
    }

    /// An entry of the diagonal of the matrix, on the grid of its column.
    pub fn diagonal(&self, column: usize) -> f64 {
        self.matrix.entry(column, column) as f64 * 2_f64.powi(-MATRIX_BITS)
    }

    /// Mean loss over choices with this sum of weights, in 2^-24.
    pub fn mean_loss(&self, weight: i128) -> f64 {
        self.loss as f64 / weight as f64
    }

    /// The equations for the change of the parameters of the columns `kept`, with the deviations taken
    /// `share` times.
    pub fn system(&self, model: &Model, kept: &[usize], share: f64) -> System {
        let share = i128::from(to_fraction(share)) << (PULL_BITS - FRACTION_BITS);
        let mut matrix = vec![0; kept.len() * kept.len()];
        for (at, &row) in kept.iter().enumerate() {
            for (other, &column) in kept.iter().enumerate().skip(at) {
                let entry = self.matrix.entry(row, column);
                matrix[at * kept.len() + other] = entry;
                matrix[other * kept.len() + at] = entry;
            }
        }
        System {
            grids: kept.iter().map(|&column| model.grid(model.tuned()[column])).collect(),
            matrix,
            is_rounded: self.matrix.is_rounded(),
            right: kept.iter().map(|&row| self.right(row) + self.deviations[row] * share).collect(),
        }
    }

    /// The right sides of these equations in counts times units, without deviations.
    pub fn pulls(&self, model: &Model, kept: &[usize]) -> Vec<f64> {
        let pull = |&column: &usize| in_counts((&self.right(column), &model.grid(model.tuned()[column])));
        kept.iter().map(pull).collect()
    }

    fn right(&self, column: usize) -> i128 {
        self.pulls[column] * self.temperature
    }

    /// The bounds do not depend on the order of the rows, so neither does the error.
    fn raise_bounds(&mut self, by: [u128; 2]) -> Result<()> {
        for (bound, by) in self.bounds.iter_mut().zip(by) {
            *bound = bound.saturating_add(by);
            if *bound >= 1 << MOST_BITS {
                return Err(Error::SumsTooLarge);
            }
        }
        Ok(())
    }
}

impl Merge for Sums {
    fn merge(&mut self, other: Sums) -> Result<()> {
        if self.size() != other.size() {
            return Err(Error::input(format!("sums over {} columns", self.size()), other.size()));
        }
        self.raise_bounds(other.bounds)?;
        self.choices += other.choices;
        self.loss += other.loss;
        self.rows = [0, 1].map(|at| self.rows[at] + other.rows[at]);
        self.matrix.merge(&other.matrix);
        add_all(&mut self.pulls, &other.pulls);
        add_all(&mut self.deviations, &other.deviations);
        for (to, &from) in self.support.iter_mut().zip(&other.support) {
            *to = to.saturating_add(from);
        }
        Ok(())
    }
}

/// What a row adds at most to an entry of the matrix, and to the right side.
fn bounds(row: &TunedRow, temperature: i128) -> [u128; 2] {
    let entry = largest(row.entries);
    let [weight, pull, deviation] =
        [row.weight, row.pull, row.deviation].map(|number| u128::from(number.unsigned_abs()));
    [
        (weight * entry * entry) << CENTRE_BITS,
        entry * (pull * temperature.unsigned_abs() + (deviation << PULL_BITS)),
    ]
}

/// What a centre adds at most to an entry of the matrix; more than there may be where that does not fit on
/// the way.
fn centre_bound(point: &CentrePoint) -> u128 {
    let [centre, sum, rest] = [&point.centre, &point.sums, &point.rests].map(|numbers| largest(numbers));
    let product = centre.saturating_mul(rest + (sum << point.fraction_bits));
    match (product >> MOST_BITS, 2 * point.fraction_bits) {
        (0, 0) => product.saturating_mul(1 << CENTRE_BITS),
        (0, bits) => product >> (bits - CENTRE_BITS),
        _ => u128::MAX,
    }
}

fn largest(numbers: &[i64]) -> u128 {
    numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0).into()
}

fn add_all(to: &mut [i128], from: &[i128]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::Model,
        objective::Forces,
        rows::RowMaker,
        synthetic::{self, Kind},
    };

    const SIZE: usize = 5;

    fn rows(choices: usize) -> Vec<Rows> {
        let (model, forces) = (model(), Forces::default());
        let kind = Kind { choices, ..Kind::default() };
        let mut maker = RowMaker::new(&model, &forces, 1.0);
        synthetic::choices(3, &kind, &model)
            .iter()
            .map(|choice| maker.make(choice).unwrap().clone())
            .collect()
    }

    fn model() -> Model {
        synthetic::random_model(2, SIZE)
    }

    fn sums(rows: &[Rows]) -> Sums {
        let mut sums = Sums::new(SIZE);
        rows.iter().for_each(|rows| sums.add(rows).unwrap());
        sums
    }

    const ALL: [usize; SIZE] = [0, 1, 2, 3, 4];

    #[test]
    fn sums_are_those_of_the_definition() {
        let rows = rows(3);
        let system = sums(&rows).system(&model(), &ALL, 0.5);
        let (mut matrix, mut right) = ([[0; SIZE]; SIZE], [0; SIZE]);
        for row in rows.iter().flat_map(Rows::iter) {
            for (&i, &a) in row.columns.iter().zip(row.entries) {
                let [a, weight] = [a, row.weight].map(i128::from);
                right[i as usize] += (a * i128::from(row.pull)) << 24;
                right[i as usize] += (a * i128::from(row.deviation)) << 31;
                for (&j, &b) in row.columns.iter().zip(row.entries) {
                    matrix[i as usize][j as usize] += (weight * a * i128::from(b)) << CENTRE_BITS;
                }
            }
        }
        assert_eq!(system.right, right);
        assert_eq!(system.matrix, matrix.concat());
    }

    #[test]
    fn parts_merged_in_any_order_give_the_same_sums() {
        let parts: Vec<Sums> = rows(6).chunks(1).map(sums).collect();
        let found = |sums: Sums| (sums.system(&model(), &ALL, 0.5), sums.support, sums.loss);
        let merged = |order: [usize; 6]| {
            let mut sum = Sums::new(SIZE);
            order.iter().for_each(|&part| sum.merge(parts[part].clone()).unwrap());
            found(sum)
        };
        let whole = found(sums(&rows(6)));
        assert_eq!([merged([0, 1, 2, 3, 4, 5]), merged([4, 1, 5, 0, 3, 2])], [whole.clone(), whole]);
    }

    #[test]
    fn support_counts_each_choice_once() {
        let rows = rows(4);
        let sums = sums(&rows);
        for (column, &support) in (0..).zip(sums.support()) {
            assert_eq!(support as usize, rows.iter().filter(|rows| rows.columns().contains(&column)).count());
        }
    }

    #[test]
    fn sums_that_might_wrap_are_an_error() {
        let mut sums = sums(&rows(1));
        let error = (0..128).find_map(|_| sums.merge(sums.clone()).err());
        assert!(matches!(error, Some(Error::SumsTooLarge)));
    }

    #[test]
    fn sums_over_other_columns_do_not_merge() {
        let error = Sums::new(3).merge(Sums::new(4)).unwrap_err();
        assert!(error.to_string().contains("3 columns"), "{error}");
    }
}
