//! The point from which the rows of a choice are measured, and the columns in which they differ.

use super::RowMaker;
use crate::{
    error::{Error, Result},
    objective::Centre,
    units::divide_rounded,
};

/// Fraction bits of a mean entry of rows that are given, beside those of the entries. A search rounds it as
/// an entry.
const MEAN_BITS: u32 = 20;

/// The centre `c` of rows `d` with weights `w`, of the sum `W`, on the grids of its columns. With `s`, the
/// sum of `w d`, the products of the rows as measured from it sum up to those of the rows as they are, plus
/// `W c c^T - s c^T - c s^T`, which is `c r^T - s c^T` with `r = W c - s`.
#[derive(Debug, Clone, Default)]
pub(crate) struct CentrePoint {
    /// Columns in which it is not 0 or `s` is not, ascending.
    pub columns: Vec<u32>,
    /// `c`, with so many fraction bits beside those of the entries.
    pub centre: Vec<i64>,
    pub fraction_bits: u32,
    /// `s`, in 2^-24 of an entry.
    pub sums: Vec<i64>,
    /// `r`, with the fraction bits of both.
    pub rests: Vec<i64>,
}

impl RowMaker<'_> {
    /// Finds the centre, and the columns in which rows differ.
    pub(super) fn find_centre(&mut self) -> Result<()> {
        self.columns.resize(self.model.tuned().len(), (0, 0, [0; 2]));
        let (mut touched, mut total) = (Vec::new(), 0);
        for (number, row) in self.rows.iter().enumerate() {
            total += i128::from(row.weight);
            for (&column, &entry) in row.columns.iter().zip(row.entries) {
                let (sum, first, [same, own]) = &mut self.columns[column as usize];
                if *own == 0 {
                    touched.push(column);
                    (*first, *same) = if number == 0 { (entry, 0) } else { (0, 1) };
                }
                *sum += i128::from(row.weight) * i128::from(entry);
                *same += u32::from(entry == *first);
                *own += 1;
            }
        }
        touched.sort_unstable();
        let rows = self.rows.ends.len() as u32;
        if self.model.grids().is_some() {
            self.shift_columns(rows, total);
        }
        let is_mean = self.judged.centre == Centre::Mean;
        let mut point = std::mem::take(&mut self.rows.centre);
        let mut differing = self.rows.differing.take().unwrap_or_default();
        let bits = if is_mean && self.model.grids().is_some() { MEAN_BITS } else { 0 };
        point.clear(bits);
        differing.clear();
        for column in touched {
            let (sum, first, [same, _]) = std::mem::take(&mut self.columns[column as usize]);
            if same != rows {
                differing.push(column);
            }
            let mean = || divide_rounded(sum << bits, total);
            let centre = if !is_mean {
                first.into()
            } else if total > 0 {
                mean()
            } else {
                0
            };
            point.push(column, centre, sum, total)?;
        }
        (self.rows.centre, self.rows.differing) = (point, Some(differing));
        Ok(())
    }

    /// Measures the columns that each of the rows has from the first row, so that products of entries far from
    /// 0 are not rounded by more than their differences. What all rows have in common counts nothing.
    fn shift_columns(&mut self, rows: u32, total: i128) {
        let is_everywhere = |column: u32| self.columns[column as usize].2[1] == rows;
        if !self.rows.columns.iter().take(self.rows.ends[0]).any(|&column| is_everywhere(column)) {
            return;
        }
        let firsts = self.rows.columns[..self.rows.ends[0]].to_vec();
        for (&column, entry) in self.rows.columns.iter().zip(&mut self.rows.entries) {
            let (_, first, [_, own]) = self.columns[column as usize];
            *entry -= if own == rows { first } else { 0 };
        }
        for column in firsts {
            let (sum, first, [_, own]) = &mut self.columns[column as usize];
            if *own == rows {
                *sum -= total * i128::from(*first);
                *first = 0;
            }
        }
    }
}

impl CentrePoint {
    fn clear(&mut self, fraction_bits: u32) {
        self.columns.clear();
        self.centre.clear();
        self.sums.clear();
        self.rests.clear();
        self.fraction_bits = fraction_bits;
    }

    fn push(&mut self, column: u32, centre: i128, sum: i128, total: i128) -> Result<()> {
        let number = |number: i128| i64::try_from(number).map_err(|_| Error::SumsTooLarge);
        self.columns.push(column);
        self.centre.push(number(centre)?);
        self.sums.push(number(sum)?);
        self.rests.push(number(total * centre - (sum << self.fraction_bits))?);
        Ok(())
    }
}
