//! The normal equations of least squares, `M = sum d d^T` and `v = sum y d`, summed exactly.
//!
//! Rows and targets are integers, so the sums are too: positions may be added, and sums merged, in any
//! order, on any number of threads or machines, and the result is the same to the last bit. Nothing here
//! knows what the columns mean, or how the equations are solved.

use super::rows::{Row, Rows};
use crate::error::{Error, Result};

/// Sums over rows, as a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalEquations {
    sums: Sums,
    support: Vec<u32>,
    positions: u64,
    rows: u64,
    bound: u128,
}

/// `M` and `v` over some columns. `M` is in (1/256 count)^2, its upper triangle row by row; `v` is in
/// 1/256 count times 2^-24 unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sums {
    size: usize,
    matrix: Vec<i64>,
    right: Vec<i128>,
}

impl Sums {
    /// Zero sums over `size` columns.
    fn new(size: usize) -> Sums {
        Sums { size, matrix: vec![0; size * (size + 1) / 2], right: vec![0; size] }
    }

    /// Number of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// An entry of `M`.
    pub fn matrix(&self, row: usize, column: usize) -> i64 {
        let (row, column) = (row.min(column), row.max(column));
        self.matrix[self.start(row) + column - row]
    }

    /// The right side `v`.
    pub fn right(&self) -> &[i128] {
        &self.right
    }

    /// Where row `row` of the triangle begins.
    fn start(&self, row: usize) -> usize {
        row * (2 * self.size + 1 - row) / 2
    }

    fn add(&mut self, row: Row) {
        let size = self.size;
        for (at, (&column, &entry)) in row.columns.iter().zip(row.entries).enumerate() {
            let column = usize::from(column);
            let start = self.start(column);
            let line = &mut self.matrix[start..start + size - column];
            for (&other, &value) in row.columns[at..].iter().zip(&row.entries[at..]) {
                line[usize::from(other) - column] += entry * value;
            }
            self.right[column] += i128::from(entry) * i128::from(row.target);
        }
    }

    /// The sums over the columns `kept` alone, with the others held at `values` (in 1/256 unit of all
    /// columns): their share `M_kept,held . values` leaves the right side.
    pub fn restrict(&self, kept: &[usize], values: &[i64]) -> Sums {
        let mut restricted = Sums::new(kept.len());
        let held: Vec<usize> = (0..self.size).filter(|column| !kept.contains(column)).collect();
        for (row, &from) in kept.iter().enumerate() {
            let start = restricted.start(row);
            for (at, &column) in kept[row..].iter().enumerate() {
                restricted.matrix[start + at] = self.matrix(from, column);
            }
            // A count squared times a weight is in 2^-24, the right side in 2^-32.
            let share =
                |&column: &usize| i128::from(self.matrix(from, column)) * i128::from(values[column]) * 256;
            restricted.right[row] = self.right[from] - held.iter().map(share).sum::<i128>();
        }
        restricted
    }
}

impl NormalEquations {
    /// Zero sums over `columns` columns.
    pub fn new(columns: usize) -> NormalEquations {
        NormalEquations {
            sums: Sums::new(columns),
            support: vec![0; columns],
            positions: 0,
            rows: 0,
            bound: 0,
        }
    }

    /// Adds the rows of one position.
    ///
    /// # Errors
    ///
    /// When the sums might no longer fit into 63 bits.
    pub fn add(&mut self, rows: &Rows) -> Result<()> {
        for row in rows.iter() {
            let largest = row.entries.iter().map(|entry| entry.unsigned_abs()).max().unwrap_or(0);
            self.raise_bound(u128::from(largest).pow(2))?;
            self.sums.add(row);
            self.rows += 1;
        }
        for &column in rows.touched() {
            self.support[usize::from(column)] += 1;
        }
        self.positions += 1;
        Ok(())
    }

    /// Adds the sums of other positions over the same columns.
    ///
    /// # Errors
    ///
    /// When the columns differ in number, or the sums might no longer fit into 63 bits.
    pub fn merge(&mut self, other: &NormalEquations) -> Result<()> {
        if self.sums.size != other.sums.size {
            return Err(Error::expected(
                format!("sums over {} columns", self.sums.size),
                format!("sums over {}", other.sums.size),
            ));
        }
        self.raise_bound(other.bound)?;
        add_all(&mut self.sums.matrix, &other.sums.matrix);
        add_all(&mut self.sums.right, &other.sums.right);
        add_all(&mut self.support, &other.support);
        self.positions += other.positions;
        self.rows += other.rows;
        Ok(())
    }

    /// `M` and `v`.
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// For each column, the number of positions with an entry there.
    pub fn support(&self) -> &[u32] {
        &self.support
    }

    /// Number of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Keeps the sum of the largest squares of the rows, which no entry of `M` can exceed, inside 63
    /// bits. The bound does not depend on the order of the rows, so neither does the error.
    fn raise_bound(&mut self, by: u128) -> Result<()> {
        self.bound += by;
        if self.bound > i64::MAX as u128 {
            return Err(Error::expected(
                "sums of the fit that fit into 63 bits",
                "more rows than that; fit fewer games, or with --every",
            ));
        }
        Ok(())
    }
}

fn add_all<T: Copy + std::ops::AddAssign>(to: &mut [T], from: &[T]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::synthetic;

    #[test]
    fn sums_are_those_of_the_definition() {
        let positions = synthetic::rows(3);
        let mut equations = NormalEquations::new(synthetic::COLUMNS);
        let (mut matrix, mut right) =
            ([[0; synthetic::COLUMNS]; synthetic::COLUMNS], [0; synthetic::COLUMNS]);
        for rows in &positions {
            equations.add(rows).unwrap();
            for row in rows.iter() {
                for (&i, &a) in row.columns.iter().zip(row.entries) {
                    right[usize::from(i)] += i128::from(a) * i128::from(row.target);
                    for (&j, &b) in row.columns.iter().zip(row.entries) {
                        matrix[usize::from(i)][usize::from(j)] += a * b;
                    }
                }
            }
        }
        assert_eq!(equations.sums().right(), right);
        for (i, line) in matrix.iter().enumerate() {
            for (j, &entry) in line.iter().enumerate() {
                assert_eq!(equations.sums().matrix(i, j), entry);
            }
        }
        assert_eq!(equations.positions(), 3);
    }

    #[test]
    fn parts_merged_in_any_order_give_the_same_sums() {
        let parts: Vec<NormalEquations> = synthetic::rows(6)
            .iter()
            .map(|rows| {
                let mut part = NormalEquations::new(synthetic::COLUMNS);
                part.add(rows).unwrap();
                part
            })
            .collect();
        let merged = |order: [usize; 6]| {
            let mut sum = NormalEquations::new(synthetic::COLUMNS);
            order.iter().for_each(|&part| sum.merge(&parts[part]).unwrap());
            sum
        };
        assert_eq!(merged([0, 1, 2, 3, 4, 5]), merged([4, 1, 5, 0, 3, 2]));
    }

    #[test]
    fn sums_that_might_wrap_are_an_error() {
        let mut equations = NormalEquations::new(synthetic::COLUMNS);
        equations.add(&synthetic::rows(1)[0]).unwrap();
        let error = (0..64).find_map(|_| equations.merge(&equations.clone()).err());
        assert!(error.unwrap().to_string().contains("63 bits"));
    }

    #[test]
    fn sums_over_other_columns_do_not_merge() {
        let error = NormalEquations::new(3).merge(&NormalEquations::new(4)).unwrap_err();
        assert!(error.to_string().contains("3 columns"), "{error}");
    }

    #[test]
    fn a_held_column_leaves_the_right_side_with_its_exact_share() {
        let mut equations = NormalEquations::new(synthetic::COLUMNS);
        synthetic::rows(4).iter().for_each(|rows| equations.add(rows).unwrap());
        let sums = equations.sums();
        let values: Vec<i64> = (0..synthetic::COLUMNS as i64).map(|i| 256 * i - 100).collect();
        let restricted = sums.restrict(&[0, 2], &values);
        assert_eq!((restricted.size(), restricted.matrix(1, 0)), (2, sums.matrix(0, 2)));
        let share: i128 = [1, 3].iter().map(|&i| i128::from(sums.matrix(2, i) * values[i]) * 256).sum();
        assert_eq!(restricted.right()[1], sums.right()[2] - share);
    }
}
