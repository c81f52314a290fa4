//! Rows of the least-squares problem: each kept outcome as differences from the root, with its target.
//!
//! A row is exact: counts times phases are integers in 1/256, and the target is an integer in 2^-24 unit,
//! in which only the force is rounded. Rows are made position by position into buffers that are used
//! again, and are made twice, for the sums and for the residuals, rather than stored. This module does
//! not know what is done with them.

use super::{columns::Columns, force::Forces, variance};
use crate::{
    decision::{Decision, Outcome},
    error::{Error, Result},
};

/// Targets are integers in this fraction of a unit.
pub(super) const TARGET_UNIT: f64 = 1.0 / (1 << 24) as f64;

/// Counts are integers in this fraction of a count.
pub(super) const COUNT_UNIT: f64 = 1.0 / 256.0;

/// Largest force in units that a target can hold; far beyond any sense.
const MAX_FORCE: f64 = 1e9;

/// What is added to the values as they are: forces, and the compensation of the variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Targets {
    /// The forces.
    pub forces: Forces,
    /// Share by which values are stretched about their mean.
    pub compensation: f64,
}

impl Targets {
    /// What is added to the kept outcomes, the played one first, in units.
    fn added(&self, decision: &Decision) -> Vec<f64> {
        let mut added = self.forces.on(decision);
        variance::compensate(decision, self.compensation, &mut added);
        added
    }
}

/// One row `d` without its zeros, and its target `y`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Columns, ascending.
    pub columns: &'a [u16],
    /// Entries in 1/256 count.
    pub entries: &'a [i64],
    /// Target in 2^-24 unit, without the share of what is not tuned.
    pub target: i64,
}

/// The rows of one position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    ends: Vec<usize>,
    columns: Vec<u16>,
    entries: Vec<i64>,
    targets: Vec<i64>,
    touched: Vec<u16>,
}

impl Rows {
    /// The rows, the played move first.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).zip(&self.targets).map(|((start, &end), &target)| Row {
            columns: &self.columns[start..end],
            entries: &self.entries[start..end],
            target,
        })
    }

    /// Columns that some row has an entry in, ascending.
    pub fn touched(&self) -> &[u16] {
        &self.touched
    }

    /// Rows with these entries and targets.
    #[cfg(test)]
    pub(super) fn of(rows: &[(&[i64], i64)]) -> Rows {
        let mut made = Rows::default();
        for (entries, target) in rows {
            for (column, &entry) in (0..).zip(*entries).filter(|&(_, &entry)| entry != 0) {
                made.columns.push(column);
                made.entries.push(entry);
            }
            made.ends.push(made.columns.len());
            made.targets.push(*target);
        }
        made.touched = made.columns.clone();
        made.touched.sort_unstable();
        made.touched.dedup();
        made
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.columns.clear();
        self.entries.clear();
        self.targets.clear();
        self.touched.clear();
    }
}

/// Turns decisions into rows.
pub struct RowMaker<'a> {
    columns: &'a Columns,
    targets: Targets,
    scratch: Scratch,
    root: Vec<(u16, i64)>,
    rows: Rows,
}

impl<'a> RowMaker<'a> {
    /// A maker of rows over `columns`.
    pub fn new(columns: &'a Columns, targets: Targets) -> RowMaker<'a> {
        let scratch = Scratch::new(columns.len());
        RowMaker { columns, targets, scratch, root: Vec::new(), rows: Rows::default() }
    }

    /// The rows of `decision`: entries `s (F_m - F_x)`, each at its own phase, and targets
    /// `E_m - E_x + g_m` less the share of the weights that are not tuned.
    ///
    /// # Errors
    ///
    /// When a force or a target is beyond all bounds.
    pub fn make(&mut self, decision: &Decision) -> Result<&Rows> {
        self.rows.clear();
        let sign = i64::from(decision.sign);
        let held_root = gather(self.columns, &decision.root, -sign, &mut self.scratch);
        self.root.clear();
        self.scratch.drain(|column, entry| self.root.push((column, entry)));
        for (outcome, added) in decision.kept().zip(self.targets.added(decision)) {
            for &(column, entry) in &self.root {
                self.scratch.add(column, entry);
            }
            let held = held_root + gather(self.columns, outcome, sign, &mut self.scratch);
            let gain = i128::from(outcome.value) - i128::from(decision.root.value);
            self.rows.targets.push(target(gain - i128::from(held), added)?);
            let rows = &mut self.rows;
            self.scratch.drain(|column, entry| {
                rows.columns.push(column);
                rows.entries.push(entry);
            });
            rows.ends.push(rows.columns.len());
        }
        self.scratch.drain_seen(&mut self.rows.touched);
        Ok(&self.rows)
    }
}

/// Adds `sign` times the counts of `outcome` to the columns; the value of what is not tuned, in 1/65536
/// unit, comes back.
fn gather(columns: &Columns, outcome: &Outcome, sign: i64, scratch: &mut Scratch) -> i64 {
    let end_share = sign * i64::from(outcome.phase);
    let open_share = sign * 256 - end_share;
    let mut held = [0; 2];
    for (cell, count) in outcome.features.iter() {
        let (taps, count) = (columns.cell(cell), i64::from(count));
        held[0] += taps.held[0] * count;
        held[1] += taps.held[1] * count;
        if let Some(tap) = taps.open {
            scratch.add(tap.column, tap.factor * count * open_share);
        }
        if let Some(tap) = taps.end {
            scratch.add(tap.column, tap.factor * count * end_share);
        }
    }
    held[0] * open_share + held[1] * end_share
}

/// A target in 2^-24 unit from a gain in 1/65536 unit and what is added to it in units.
fn target(gain: i128, added: f64) -> Result<i64> {
    if !added.is_finite() || added.abs() > MAX_FORCE {
        return Err(Error::expected(
            format!("forces up to {MAX_FORCE} units"),
            format!("{added}; lower --strength or raise --scale"),
        ));
    }
    let added = (added / TARGET_UNIT).round() as i128;
    i64::try_from(gain * 256 + added).map_err(|_| {
        Error::expected("values of moves within the bound", format!("a gain of {gain}/65536 unit"))
    })
}

/// A dense row that remembers which columns it touched, in ascending order at no cost.
struct Scratch {
    dense: Vec<i64>,
    touched: Vec<u64>,
    seen: Vec<u64>,
}

impl Scratch {
    fn new(columns: usize) -> Scratch {
        let words = columns.div_ceil(64);
        Scratch { dense: vec![0; columns], touched: vec![0; words], seen: vec![0; words] }
    }

    #[inline]
    fn add(&mut self, column: u16, entry: i64) {
        self.dense[usize::from(column)] += entry;
        self.touched[usize::from(column / 64)] |= 1 << (column % 64);
    }

    /// Hands out the entries that are not 0, by column, and starts anew.
    fn drain(&mut self, mut take: impl FnMut(u16, i64)) {
        for (word, touched) in self.touched.iter_mut().enumerate() {
            while *touched != 0 {
                let bit = touched.trailing_zeros();
                *touched &= *touched - 1;
                let column = word * 64 + bit as usize;
                let entry = std::mem::take(&mut self.dense[column]);
                if entry != 0 {
                    self.seen[word] |= 1 << bit;
                    take(column as u16, entry);
                }
            }
        }
    }

    /// Hands out the columns that had an entry since the last time.
    fn drain_seen(&mut self, take: &mut Vec<u16>) {
        for (word, seen) in self.seen.iter_mut().enumerate() {
            while *seen != 0 {
                take.push((word * 64) as u16 + seen.trailing_zeros() as u16);
                *seen &= *seen - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        feature::{FeatureVector, Key},
        fit::{FitOptions, Force, synthetic},
        value::UNIT,
    };

    fn outcome(units: i64, phase: u16, counts: &[(Key, i16)]) -> Outcome {
        let features: FeatureVector = counts.iter().map(|&(key, count)| (key.cell_at(0), count)).collect();
        Outcome { value: units * UNIT, phase, features }
    }

    #[test]
    fn a_row_takes_each_outcome_at_its_own_phase_from_the_side_of_the_chooser() {
        let columns = Columns::new(&synthetic::tuning(&[Key::NFwd, Key::TradePc]));
        let decision = Decision {
            game: 0,
            sign: -1,
            root: outcome(10, 56, &[(Key::NFwd, 2), (Key::TradePc, 1)]),
            played: outcome(30, 256, &[(Key::NFwd, 3), (Key::MatQ, 1)]),
            alternatives: vec![outcome(5, 56, &[(Key::NFwd, 2), (Key::TradePc, 1)])],
            rank: 0,
        };
        let targets = synthetic::targets(&FitOptions { force: Force::None, ..FitOptions::default() });
        let mut maker = RowMaker::new(&columns, targets);
        let rows = maker.make(&decision).unwrap();
        let [played, alternative] = rows.iter().collect::<Vec<_>>()[..] else { panic!("two rows") };
        // Columns: trade_pc, n_fwd.o, n_fwd.e; a queen for Black is worth -1248 to the chooser.
        assert_eq!((played.columns, played.entries), (&[0, 1, 2][..], &[256, 2 * 200, 2 * 56 - 3 * 256][..]));
        assert_eq!(played.target, (20 + 1248) << 24);
        assert_eq!((alternative.columns.len(), alternative.target), (0, -5 << 24));
        assert_eq!(rows.touched(), [0, 1, 2]);
    }

    #[test]
    fn every_target_is_the_value_of_its_row_where_there_is_no_force() {
        let weights = synthetic::tuning(&[Key::NFwd, Key::Pass, Key::TradePn, Key::Sh]);
        let columns = Columns::new(&weights);
        let targets = synthetic::targets(&FitOptions { force: Force::None, ..FitOptions::default() });
        let mut maker = RowMaker::new(&columns, targets);
        for decision in synthetic::decisions(1, &synthetic::Kind::full(), &weights) {
            for row in maker.make(&decision).unwrap().iter() {
                let terms = row.columns.iter().zip(row.entries);
                let value: i64 = terms.map(|(&at, &entry)| columns.values()[usize::from(at)] * entry).sum();
                assert_eq!(value * 256, row.target);
            }
        }
    }

    #[test]
    fn a_force_beyond_all_bounds_is_an_error() {
        let columns = Columns::new(&synthetic::tuning(&[Key::NFwd]));
        let options = FitOptions { force: Force::Constant, strength: 1e12, ..FitOptions::default() };
        let mut maker = RowMaker::new(&columns, synthetic::targets(&options));
        let decision = Decision {
            game: 0,
            sign: 1,
            root: outcome(0, 0, &[]),
            played: outcome(0, 0, &[]),
            alternatives: vec![outcome(0, 0, &[])],
            rank: 0,
        };
        assert!(maker.make(&decision).unwrap_err().to_string().contains("--strength"));
    }
}
