//! A choice as numbers: its rows, the chosen one first.

mod packed;

use crate::{
    error::{Error, Result},
    units::{ONE, QUANTA, VALUE_UNIT, divide_rounded, from_fraction, in_units, to_fraction},
};

/// Largest absolute value of a row: 2^24 units.
pub(crate) const LARGEST_VALUE: i64 = VALUE_UNIT << 24;

/// One of several alternatives was chosen. Those that a fit is to compare are rows.
///
/// A row is what an alternative counts in each feature, as sparse integers, from the view of the chooser and
/// from a point that all rows of the choice share, its root; in a search it is the state before the choice.
/// Under the parameters of the search, the value of a row is `sum of parameter x entry`, exactly. Where a
/// value is not linear in a parameter, its entry is the derivative of the value at the present parameters.
///
/// The buffers are kept when a choice is [begun](Choice::begin) anew.
///
/// ```
/// let mut choice = texam_fit::Choice::default();
/// choice.begin(7, 1); // in cluster 7, with one alternative ahead of the chosen one
/// // Values in 2^-32 unit, and for each parameter an entry in 1/256 count.
/// choice.push(22 << 32, [(0, 256), (1, 6 * 256)])?;
/// choice.push(32 << 32, [(0, 3 * 256), (1, 256)])?;
/// assert_eq!(choice.miss(), 10 << 32);
/// # Ok::<(), texam_fit::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    cluster: u64,
    rank: u32,
    /// In 2^-24.
    label: i64,
    /// 1 less its weight, in 2^-24.
    withheld: i64,
    values: Vec<i64>,
    ends: Vec<usize>,
    columns: Vec<u32>,
    entries: Vec<i32>,
}

/// One alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Value, less that of the root, in 2^-32 unit.
    pub value: i64,
    /// Parameters with an entry, ascending.
    pub columns: &'a [u32],
    /// Their entries in 1/256 count, or on the grids of rows that are given; none is 0.
    pub entries: &'a [i32],
}

impl Row<'_> {
    /// Parameters and entries.
    pub fn iter(&self) -> impl Iterator<Item = (usize, i32)> + '_ {
        self.columns.iter().map(|&column| column as usize).zip(self.entries.iter().copied())
    }
}

impl Choice {
    /// Begins a choice without rows. `cluster` is the number of the group of choices that it belongs to,
    /// whose errors correlate; `rank` is the number of alternatives, kept as rows or not, strictly ahead of
    /// the chosen one.
    pub fn begin(&mut self, cluster: u64, rank: u32) {
        (self.cluster, self.rank, self.label, self.withheld) = (cluster, rank, 0, 0);
        self.values.clear();
        self.ends.clear();
        self.columns.clear();
        self.entries.clear();
    }

    /// Begins a labelled row: a choice with one row, which nothing is subtracted from. `label` is the result
    /// that its value should tell, from 0 (lost) to 1 (won), rounded to 2^-24.
    ///
    /// # Errors
    ///
    /// A label that is not from 0 to 1.
    pub fn begin_labelled(&mut self, cluster: u64, label: f64) -> Result<()> {
        if !(0.0..=1.0).contains(&label) {
            return Err(Error::input("a label from 0 to 1", label));
        }
        self.begin(cluster, 0);
        self.label = to_fraction(label);
        Ok(())
    }

    /// Lets the choice count in the fit and in its loss by this weight, from above 0 to 1, rounded to 2^-24.
    /// Matches and ranks count all choices alike.
    ///
    /// # Errors
    ///
    /// Another weight.
    pub fn set_weight(&mut self, weight: f64) -> Result<()> {
        if !(weight <= 1.0 && to_fraction(weight) > 0) {
            return Err(Error::input("a weight above 0 and up to 1", weight));
        }
        self.withheld = ONE - to_fraction(weight);
        Ok(())
    }

    /// The weight by which the choice counts in the fit.
    pub fn weight(&self) -> f64 {
        from_fraction(ONE - self.withheld)
    }

    /// 1 less the weight, in 2^-24.
    pub(crate) fn withheld(&self) -> i64 {
        self.withheld
    }

    /// Adds a row: the chosen one first, then the others. Entries come in ascending order of their
    /// parameters; those of 0 are left out.
    ///
    /// # Errors
    ///
    /// Entries that do not ascend, an entry beyond 32 bits, or a value beyond 2^24 units.
    pub fn push(&mut self, value: i64, entries: impl IntoIterator<Item = (u32, i64)>) -> Result<()> {
        if value.abs() > LARGEST_VALUE {
            return Err(Error::input("values of rows within 2^24 units of their root", in_units(value)));
        }
        let mut next = 0;
        for (column, entry) in entries {
            let Ok(small) = i32::try_from(entry) else {
                return Err(Error::input("an entry of a row within 2^23 counts", entry as f64 / 256.0));
            };
            if u64::from(column) < next {
                return Err(Error::input("entries of a row in ascending order", column));
            }
            if small != 0 {
                next = u64::from(column) + 1;
                self.columns.push(column);
                self.entries.push(small);
            }
        }
        self.values.push(value);
        self.ends.push(self.columns.len());
        Ok(())
    }

    /// The number of its cluster.
    pub fn cluster(&self) -> u64 {
        self.cluster
    }

    /// Number of alternatives, kept as rows or not, strictly ahead of the chosen one.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// The label of a labelled row, in 2^-24.
    pub(crate) fn label(&self) -> i64 {
        self.label
    }

    /// Changes the values as the parameters change, by so many units for an entry of 1/256 as an integer. The
    /// changes are rounded to multiples of `step` in 2^-32 unit.
    pub(crate) fn revalue(&mut self, changes: &[f64], step: i64) {
        let mut start = 0;
        for (value, &end) in self.values.iter_mut().zip(&self.ends) {
            let entries = self.columns[start..end].iter().zip(&self.entries[start..end]);
            // A column that is none is found when the rows are made.
            let change = |(&column, &entry): (&u32, &i32)| {
                changes.get(column as usize).map_or(0.0, |change| change * f64::from(entry))
            };
            let change: f64 = entries.map(change).sum();
            *value += (change * ((VALUE_UNIT / step) as f64 / QUANTA)).round() as i64 * step;
            start = end;
        }
    }

    /// The rows, the chosen one first.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).zip(&self.values).map(|((start, &end), &value)| Row {
            value,
            columns: &self.columns[start..end],
            entries: &self.entries[start..end],
        })
    }

    /// Values of the rows, in 2^-32 unit, the chosen one first.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// By how much the choice was missed: the best other row less the chosen one, at least 0, in
    /// 2^-32 unit.
    pub fn miss(&self) -> i64 {
        match self.values.split_first() {
            Some((chosen, others)) => others.iter().max().map_or(0, |best| (best - chosen).max(0)),
            None => 0,
        }
    }
}

/// Deviations of values, in 2^-32 unit, from their mean, each in 2^-24 unit, rounded.
pub(crate) fn deviations(values: &[i64]) -> impl Iterator<Item = i64> + '_ {
    let count = values.len() as i128;
    let sum: i128 = values.iter().map(|&value| i128::from(value)).sum();
    let deviation = move |&value: &i64| divide_rounded(count * i128::from(value) - sum, 256 * count) as i64;
    values.iter().map(deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(values: &[i64]) -> Choice {
        let mut choice = Choice::default();
        choice.begin(0, 0);
        values.iter().for_each(|&value| choice.push(value, []).unwrap());
        choice
    }

    #[test]
    fn the_miss_is_the_lead_of_the_best_other_row_and_never_negative() {
        assert_eq!(choice(&[10, 5, 25, 7]).miss(), 15);
        assert_eq!(choice(&[10, 5, 7]).miss(), 0);
        assert_eq!(choice(&[10]).miss(), 0);
        assert_eq!(choice(&[]).miss(), 0);
    }

    #[test]
    fn rows_come_back_as_they_were_pushed_without_zeros() {
        let mut choice = choice(&[3]);
        choice.begin(7, 2);
        choice.push(-5, [(1, 256), (4, 0), (9, -3)]).unwrap();
        choice.push(6, []).unwrap();
        let rows: Vec<Row> = choice.rows().collect();
        assert_eq!((choice.cluster(), choice.rank(), rows.len(), choice.len()), (7, 2, 2, 2));
        assert_eq!((rows[0].columns, rows[0].entries, rows[0].value), (&[1, 9][..], &[256, -3][..], -5));
        assert_eq!((rows[1].columns.len(), rows[1].value), (0, 6));
    }

    #[test]
    fn rows_that_cannot_be_summed_are_refused() {
        let mut choice = choice(&[]);
        assert!(choice.push(0, [(2, 1), (2, 1)]).unwrap_err().to_string().contains("ascending"));
        assert!(choice.push(0, [(0, 1 << 40)]).is_err());
        assert!(choice.push(1 << 57, []).is_err());
    }

    #[test]
    fn deviations_sum_to_zero_and_are_exact_where_the_mean_is() {
        let unit = crate::VALUE_UNIT;
        let found: Vec<i64> = deviations(&[10 * unit, 20 * unit, 30 * unit]).collect();
        assert_eq!(found, [-10 << 24, 0, 10 << 24]);
        assert_eq!(deviations(&[0, 0, 1 << 16]).collect::<Vec<i64>>(), [-85, -85, 171]);
    }
}
