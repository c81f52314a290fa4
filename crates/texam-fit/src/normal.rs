//! The normal equations, summed exactly.
//!
//! Rows, targets, weights and pulls are integers, so the sums are too: choices may be added, and sums merged,
//! in any order, on any number of threads or machines, and the result is the same to the last bit.

use crate::{
    error::{Error, Result},
    numbers::Numbers,
    rows::{Rows, TunedRow},
    triangle::Triangle,
    units::to_fraction,
};

/// Fraction bits of the matrix: twice those of an entry, and those of a weight.
pub(crate) const MATRIX_BITS: u32 = 40;

/// Fraction bits of the right side.
pub(crate) const RIGHT_BITS: u32 = 56;

/// No entry of the sums may need more bits, sign excluded.
const MOST_BITS: u32 = 126;

/// Sums over rows, as a value. With `W` the weights, `D` the rows measured from their centres, `y` the targets,
/// `p` the pulls and `e` the deviations of the values from their means:
///
/// - `matrix`: `D^T W D` in 2^-40 squared counts, its upper triangle row by row;
/// - `values`: `D^T W y` in 2^-48 count times unit;
/// - `pulls`: `D^T p` and `deviations`: `D^T e`, both in 2^-32 count times unit.
///
/// The right side is `values + T pulls + c deviations`, where the share `c` of the variance compensation is known
/// only after the pass, and `T` is the temperature; without one, 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Temperature in 2^-24.
    temperature: i128,
    matrix: Triangle,
    values: Vec<i128>,
    pulls: Vec<i128>,
    deviations: Vec<i128>,
    support: Vec<u32>,
    /// Numbers of the last choices that touched a column, to count each choice once.
    seen: Vec<u64>,
    /// No entry of the matrix, or of the right side, can be larger.
    bounds: [u128; 2],
}

/// A symmetric matrix and a right side over some of the columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct System {
    /// Number of unknowns.
    pub size: usize,
    /// All entries in 2^-40, row by row.
    pub matrix: Vec<i128>,
    /// In 2^-56.
    pub right: Vec<i128>,
}

impl System {
    /// The right side in counts times units.
    pub fn pulls(&self) -> Vec<f64> {
        self.right.iter().map(|&right| right as f64 * 2_f64.powi(-(RIGHT_BITS as i32))).collect()
    }
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
            matrix: Triangle::new(size),
            values: vec![0; size],
            pulls: vec![0; size],
            deviations: vec![0; size],
            support: vec![0; size],
            seen: vec![0; size],
            bounds: [0; 2],
        }
    }

    /// Number of columns.
    pub fn size(&self) -> usize {
        self.matrix.size()
    }

    /// For each column the number of choices with an entry there.
    pub fn support(&self) -> &[u32] {
        &self.support
    }

    /// Adds the rows of a choice. `number` tells it from all others added to these sums, and is not 0.
    ///
    /// # Errors
    ///
    /// When the sums might not fit into 126 bits.
    pub fn add(&mut self, rows: &Rows, number: u64) -> Result<()> {
        for row in rows.iter() {
            self.raise_bounds(bounds(&row, self.temperature))?;
            self.add_row(&row);
        }
        for &column in rows.columns() {
            let column = column as usize;
            if self.seen[column] != number {
                self.seen[column] = number;
                self.support[column] = self.support[column].saturating_add(1);
            }
        }
        Ok(())
    }

    fn add_row(&mut self, row: &TunedRow) {
        self.matrix.add(row.columns, row.entries, row.weight);
        for (&column, &entry) in row.columns.iter().zip(row.entries) {
            let column = column as usize;
            self.values[column] += i128::from(row.weight * entry) * i128::from(row.target);
            self.pulls[column] += i128::from(entry) * i128::from(row.pull);
            self.deviations[column] += i128::from(entry) * i128::from(row.deviation);
        }
    }

    /// Adds the sums of other choices over the same columns.
    ///
    /// # Errors
    ///
    /// When the columns differ in number, or the sums might not fit into 126 bits.
    pub fn merge(&mut self, other: &Sums) -> Result<()> {
        if self.size() != other.size() {
            return Err(Error::input(format!("sums over {} columns", self.size()), other.size()));
        }
        self.raise_bounds(other.bounds)?;
        self.matrix.merge(&other.matrix);
        add_all(&mut self.values, &other.values);
        add_all(&mut self.pulls, &other.pulls);
        add_all(&mut self.deviations, &other.deviations);
        for (to, &from) in self.support.iter_mut().zip(&other.support) {
            *to = to.saturating_add(from);
        }
        Ok(())
    }

    pub fn put(&self, to: &mut Vec<i128>) {
        self.matrix.put(to);
        for sums in [&self.values, &self.pulls, &self.deviations] {
            to.extend_from_slice(sums);
        }
        to.extend(self.support.iter().map(|&support| i128::from(support)));
        to.extend(self.bounds.map(|bound| bound as i128));
    }

    /// The sums over `size` columns at a temperature that have these numbers.
    ///
    /// # Errors
    ///
    /// When the sums of the parts might not have fitted into 126 bits.
    pub fn take(from: &mut Numbers, size: usize, temperature: f64) -> Result<Sums> {
        let mut sums = Sums::at(size, temperature);
        sums.matrix = Triangle::from_entries(size, from.take(size * (size + 1) / 2)?);
        for to in [&mut sums.values, &mut sums.pulls, &mut sums.deviations] {
            to.copy_from_slice(from.take(size)?);
        }
        for (to, from) in sums.support.iter_mut().zip(from.counts(size)?) {
            *to = from.try_into().unwrap_or(u32::MAX);
        }
        sums.raise_bounds([from.next()?, from.next()?])?;
        Ok(sums)
    }

    /// The equations of the columns `kept`, with the others held at `held` (of all columns, in 1/256 unit), and
    /// the deviations taken `share` times.
    pub fn system(&self, kept: &[usize], held: &[i64], share: f64) -> System {
        let size = kept.len();
        let share = i128::from(to_fraction(share));
        let others: Vec<usize> =
            (0..self.size()).filter(|column| kept.binary_search(column).is_err()).collect();
        let mut matrix = Vec::with_capacity(size * size);
        let mut right = Vec::with_capacity(size);
        for &row in kept {
            matrix.extend(kept.iter().map(|&column| self.matrix.entry(row, column)));
            let held = |&column: &usize| self.matrix.entry(row, column) * i128::from(held[column]);
            let values = self.values[row] - others.iter().map(held).sum::<i128>();
            right.push((values << 8) + self.pulls[row] * self.temperature + self.deviations[row] * share);
        }
        System { size, matrix, right }
    }

    /// The equations of the columns `kept` for the change of their parameters.
    pub fn change(&self, kept: &[usize]) -> System {
        let entry = |&row: &usize| kept.iter().map(move |&column| self.matrix.entry(row, column));
        System {
            size: kept.len(),
            matrix: kept.iter().flat_map(entry).collect(),
            right: kept.iter().map(|&row| self.pulls[row] * self.temperature).collect(),
        }
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

/// What a row adds at most to an entry of the matrix in 2^-40, and to the right side in 2^-56.
fn bounds(row: &TunedRow, temperature: i128) -> [u128; 2] {
    let entry = u128::from(row.entries.iter().map(|entry| entry.unsigned_abs()).max().unwrap_or(0));
    let [weight, target, pull, deviation] =
        [row.weight, row.target, row.pull, row.deviation].map(|number| u128::from(number.unsigned_abs()));
    let pull = pull * temperature.unsigned_abs();
    [weight * entry * entry, entry * (((weight * target) << 8) + pull + (deviation << 24))]
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
        rows.iter().zip(1..).for_each(|(rows, number)| sums.add(rows, number).unwrap());
        sums
    }

    const ALL: [usize; SIZE] = [0, 1, 2, 3, 4];

    #[test]
    fn sums_are_those_of_the_definition() {
        let rows = rows(3);
        let system = sums(&rows).system(&ALL, &[0; SIZE], 0.5);
        let (mut matrix, mut right) = ([[0; SIZE]; SIZE], [0; SIZE]);
        for row in rows.iter().flat_map(Rows::iter) {
            for (&i, &a) in row.columns.iter().zip(row.entries) {
                let [a, weight, target] = [a, row.weight, row.target].map(i128::from);
                right[i as usize] += (a * weight * target) << 8;
                right[i as usize] += (a * i128::from(row.pull)) << 24;
                right[i as usize] += (a * i128::from(row.deviation)) << 23;
                for (&j, &b) in row.columns.iter().zip(row.entries) {
                    matrix[i as usize][j as usize] += weight * a * i128::from(b);
                }
            }
        }
        assert_eq!(system.right, right);
        assert_eq!(system.matrix, matrix.concat());
    }

    #[test]
    fn parts_merged_in_any_order_give_the_same_sums() {
        let parts: Vec<Sums> = rows(6).chunks(1).map(sums).collect();
        let merged = |order: [usize; 6]| {
            let mut sum = Sums::new(SIZE);
            order.iter().for_each(|&part| sum.merge(&parts[part]).unwrap());
            sum
        };
        let sum = merged([0, 1, 2, 3, 4, 5]);
        assert_eq!(sum, merged([4, 1, 5, 0, 3, 2]));
        assert_eq!((sum.matrix, sum.support), {
            let whole = sums(&rows(6));
            (whole.matrix, whole.support)
        });
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
        let error = (0..128).find_map(|_| sums.merge(&sums.clone()).err());
        assert!(matches!(error, Some(Error::SumsTooLarge)));
    }

    #[test]
    fn sums_over_other_columns_do_not_merge() {
        let error = Sums::new(3).merge(&Sums::new(4)).unwrap_err();
        assert!(error.to_string().contains("3 columns"), "{error}");
    }

    #[test]
    fn a_held_column_leaves_the_right_side_with_its_exact_share() {
        let sums = sums(&rows(4));
        let held: Vec<i64> = (0..SIZE as i64).map(|i| 256 * i - 100).collect();
        let [whole, part] = [&ALL[..], &[0, 2]].map(|kept| sums.system(kept, &held, 0.0));
        assert_eq!((part.size, part.matrix[1]), (2, whole.matrix[2]));
        let share: i128 = [1, 3, 4].iter().map(|&i| whole.matrix[2 * SIZE + i] * i128::from(held[i])).sum();
        assert_eq!(part.right[1], whole.right[2] - (share << 8));
    }
}
