//! Comparison of two sets of weights: which weights differ, by how much, how far that moves values, and by
//! how many standard errors.
//!
//! The input is two [`Weights`] and, for standard errors, a fit of choices under the first of them. A table
//! that both sets hold as a gradient has one weight to compare. If either set holds cells, the cells are
//! compared. The weights of an optional feature that is off are 0. Weights are compared as the search uses
//! them, rounded to 1/256 unit: two sets without a difference here give the same search.
//!
//! The standard errors are those of one fit under the first set, in which only the weights that differ are
//! tuned. They estimate how far a weight would vary between samples of games, and so which changes may be due
//! to chance. The opening and the endgame part of a weight are tuned together or not at all.
//!
//! This module reads no files and does not count agreement; [`sample`](crate::sample) does that.

use std::collections::HashMap;

use texam_fit::{Fit, FitOptions, ParameterReport, Ridge};

use crate::{
    error::Result,
    feature::{Key, Mode, Weights, entry_name},
    parameters::{Parameter, Part},
};

/// A scalar, a gradient or a cell, with its weights in both sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The feature.
    pub key: Key,
    /// Mode in which it is compared: cells if either set holds cells.
    pub mode: Mode,
    /// The cell in [`Mode::Cells`], else 0.
    pub index: usize,
    /// Opening and endgame weight in the first and in the second set, in units.
    pub weights: [[f64; 2]; 2],
}

impl Entry {
    /// All entries of two sets, in the order of the feature table.
    pub fn all(first: &Weights, second: &Weights) -> Vec<Entry> {
        let sets = [first.rounded(), second.rounded()];
        Key::ALL.iter().flat_map(|&key| entries_of(key, &sets)).collect()
    }

    /// Name of the feature, with the cell if cells are compared: `n_fwd`, `pass`, `p_adv[de,r4]`.
    pub fn name(&self) -> String {
        entry_name(self.key, self.mode, self.index)
    }

    /// Whether the two sets have different weights here.
    pub fn differs(&self) -> bool {
        self.weights[0] != self.weights[1]
    }

    /// The parameters of this entry, each with its value in both sets.
    fn parameters(&self) -> impl Iterator<Item = (Parameter, [f64; 2])> {
        let Entry { key, mode, index, weights: [first, second] } = *self;
        Part::of(key.feature().ends).iter().map(move |&part| {
            let end = usize::from(part == Part::Endgame);
            (Parameter { key, mode, index, part }, [first[end], second[end]])
        })
    }
}

/// The entries of a feature in two sets, both rounded.
fn entries_of(key: Key, sets: &[Weights; 2]) -> Vec<Entry> {
    let modes = sets.each_ref().map(|set| set.setting(key).mode);
    if modes == [Mode::Off; 2] {
        return Vec::new();
    }
    if modes[0] == modes[1] && modes[0] != Mode::Cells {
        let weights = sets.each_ref().map(|set| {
            let setting = set.setting(key);
            [setting.open[0], setting.end[0]]
        });
        return vec![Entry { key, mode: modes[0], index: 0, weights }];
    }
    let mode = if key.feature().layout.is_table() { Mode::Cells } else { Mode::Scalar };
    let cell = |index| {
        // A negative gradient times 0 is -0; adding 0 drops the sign.
        let weights = |set: &Weights| set.of_cell(key.cell_at(index)).map(|weight| weight + 0.0);
        Entry { key, mode, index, weights: sets.each_ref().map(weights) }
    };
    (0..key.feature().layout.cells()).map(cell).collect()
}

/// A weight with different values in the two sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The weight.
    pub parameter: Parameter,
    /// Its value in the first set, in units.
    pub from: f64,
    /// Its value in the second set, in units.
    pub to: f64,
    /// Standard error in units, clustered by game. None if there was no fit or it did not solve for the
    /// weight.
    pub standard_error: Option<f64>,
    /// The change of an opening weight less that of its endgame weight, where both differ.
    pub apart: Option<Apart>,
    /// Number of choices that touch the weight; none if there was no fit.
    pub support: Option<u32>,
    /// Standard deviation of the feature's count over the rows of the fit; none if there was no fit.
    pub deviation: Option<f64>,
}

/// By how much more an opening weight changes than its endgame weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Apart {
    /// In units.
    pub units: f64,
    /// Standard error in units, with the covariance of the two weights; none where one of them has none.
    pub standard_error: Option<f64>,
}

impl Apart {
    /// The difference divided by its standard error.
    pub fn in_errors(&self) -> Option<f64> {
        in_errors(self.units, self.standard_error)
    }
}

fn in_errors(units: f64, standard_error: Option<f64>) -> Option<f64> {
    standard_error.filter(|&error| error > 0.0).map(|error| units / error)
}

impl Change {
    /// Value in the second set less value in the first, in units.
    pub fn units(&self) -> f64 {
        self.to - self.from
    }

    /// How far the change moves values, in units: its size times the standard deviation of the feature's
    /// count.
    pub fn moves(&self) -> Option<f64> {
        self.deviation.map(|deviation| self.units().abs() * deviation)
    }

    /// The change divided by its standard error; none if the standard error is unknown or 0.
    pub fn in_errors(&self) -> Option<f64> {
        in_errors(self.units(), self.standard_error)
    }
}

/// The differences between two sets of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The weights that differ.
    pub changes: Vec<Change>,
    /// Number of weights that are equal.
    pub equal: usize,
    /// Tables that the sets hold in different modes (gradient, cells or off), with the mode in each set.
    pub mode_differences: Vec<(Key, [Mode; 2])>,
}

/// Options of the fit that gives the standard errors: the default force, but no ridge. A ridge would make the
/// standard errors of rare weights too small.
pub fn fit_options() -> FitOptions {
    let mut options = FitOptions::default();
    options.ridge = Ridge::Fixed(0.0);
    options
}

impl Comparison {
    /// Compares two sets. The changes are in the order of the feature table.
    pub fn new(first: &Weights, second: &Weights) -> Comparison {
        let (mut changes, mut equal) = (Vec::new(), 0);
        for entry in Entry::all(first, second) {
            let begin = changes.len();
            for (parameter, [from, to]) in entry.parameters() {
                if from == to {
                    equal += 1;
                } else {
                    changes.push(Change {
                        parameter,
                        from,
                        to,
                        standard_error: None,
                        apart: None,
                        support: None,
                        deviation: None,
                    });
                }
            }
            if let [opening, endgame] = &mut changes[begin..] {
                let units = opening.units() - endgame.units();
                opening.apart = Some(Apart { units, standard_error: None });
            }
        }
        let modes = Key::ALL.iter().map(|&key| (key, [first, second].map(|set| set.setting(key).mode)));
        let mode_differences = modes.filter(|(_, [one, other])| one != other).collect();
        Comparison { changes, equal, mode_differences }
    }

    /// The first set with only the differing weights tuned, and with free cells in tables that are compared
    /// by cells. Its evaluation is that of `first`. A fit under it gives [`Self::add_standard_errors`] its
    /// input.
    pub fn with_changes_tuned(&self, first: &Weights) -> Result<Weights> {
        let mut weights = first.clone();
        let parameters = || self.changes.iter().map(|change| change.parameter);
        for parameter in parameters() {
            weights.turn_on(parameter.key);
            if parameter.mode == Mode::Cells {
                weights.free_table(parameter.key)?;
            }
        }
        for &key in Key::ALL {
            weights.setting_mut(key).tune.fill(false);
        }
        for Parameter { key, index, .. } in parameters() {
            weights.setting_mut(key).tune[index] = true;
        }
        Ok(weights)
    }

    /// Adds standard errors, support and deviations from a fit with [`fit_options`] under the weights of
    /// [`Self::with_changes_tuned`].
    pub fn add_standard_errors(&mut self, fit: &Fit) {
        let places: HashMap<&str, usize> =
            fit.parameters.iter().enumerate().map(|(place, report)| (&*report.name, place)).collect();
        for change in &mut self.changes {
            let Some(&place) = places.get(&*change.parameter.to_string()) else { continue };
            let report = &fit.parameters[place];
            change.standard_error = report.standard_error;
            change.support = Some(report.support);
            change.deviation = Some(report.deviation);
            if let Some(apart) = &mut change.apart {
                // The endgame weight is the next parameter.
                let next = fit.parameters.get(place + 1).filter(|next| next.index == report.index + 1);
                apart.standard_error = error_of_difference(report, next);
            }
        }
    }

    /// Sorts the changes: the one that moves values most first; those of which that is not known last, by
    /// size in units.
    pub fn sort(&mut self) {
        self.changes.sort_by(|one, other| {
            let [one, other] =
                [one, other].map(|change| (change.moves().unwrap_or(-1.0), change.units().abs()));
            other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
        });
    }
}

/// The standard error of a weight less the next one.
fn error_of_difference(weight: &ParameterReport, next: Option<&ParameterReport>) -> Option<f64> {
    let [error, next] = [weight.standard_error?, next?.standard_error?];
    let covariance = weight.covariances.first().copied().flatten()?;
    let variance = error * error + next * next - 2.0 * covariance;
    (variance > 0.0).then(|| variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{self, GameOptions},
        parameters::Parameters,
        sample::{Sampling, SingleFit},
        search::Settings,
    };
    use texam_fit::Forces;

    fn names(comparison: &Comparison) -> Vec<String> {
        comparison.changes.iter().map(|change| change.parameter.to_string()).collect()
    }

    /// The start with some weights changed: a pair at both ends, a gradient, a single, an opening weight.
    fn changed() -> Weights {
        let mut weights = Weights::start();
        weights.setting_mut(Key::MatQ).open[0] = 1200.0;
        weights.setting_mut(Key::MatQ).end[0] = 1300.0;
        weights.setting_mut(Key::Pass).end[0] = 1.5;
        weights.setting_mut(Key::TradePn).open[0] -= 4.0;
        weights.setting_mut(Key::TradePn).end[0] -= 4.0;
        weights.setting_mut(Key::ShCtr).open[0] -= 4.0;
        weights
    }

    fn with_any_support() -> FitOptions {
        let mut options = fit_options();
        options.min_support = 1;
        options
    }

    /// A fit of some positions under a set of weights.
    fn fit(tuned: &Weights, options: &FitOptions) -> Fit {
        let games = game::Games::open(std::path::Path::new(game::SHIPPED)).unwrap();
        let collection =
            game::collect(games, &GameOptions::default(), 60, &mut |error| panic!("{error}")).unwrap();
        let sampling =
            Sampling { search: Settings { depth: 1, ..Settings::default() }, ..Sampling::default() };
        let parameters = Parameters::new(tuned).unwrap();
        let how = (&Forces::default(), options);
        let fit = SingleFit::of(&collection.positions, &parameters, &sampling, how, &|_| true);
        fit.unwrap().unwrap().fit
    }

    #[test]
    fn an_optional_table_that_is_off_counts_as_cells_of_0_and_is_judged_as_such() {
        let (start, mut second) = (Weights::start(), Weights::start());
        second.free_table(Key::PstR).unwrap();
        second.setting_mut(Key::PstR).open[9] = 7.0;
        let mut comparison = Comparison::new(&start, &second);
        assert_eq!(comparison.mode_differences, [(Key::PstR, [Mode::Off, Mode::Cells])]);
        assert_eq!(names(&comparison), ["pst_r[bg,r2].o"]);
        assert_eq!((comparison.changes[0].from, comparison.changes[0].to), (0.0, 7.0));
        let tuned = comparison.with_changes_tuned(&start).unwrap();
        comparison.add_standard_errors(&fit(&tuned, &with_any_support()));
        assert!(comparison.changes[0].in_errors().unwrap() > 0.0);
    }

    #[test]
    fn an_optional_weight_without_a_table_that_is_off_counts_as_0_in_either_set() {
        let (start, mut second) = (Weights::start(), Weights::start());
        second.turn_on(Key::Space);
        second.setting_mut(Key::Space).end[0] = 3.0;
        for (first, second, units) in [(&start, &second, 3.0), (&second, &start, -3.0)] {
            let mut comparison = Comparison::new(first, second);
            assert_eq!(
                (names(&comparison), comparison.changes[0].units()),
                (vec!["space.e".to_string()], units)
            );
            let tuned = comparison.with_changes_tuned(first).unwrap();
            comparison.add_standard_errors(&fit(&tuned, &with_any_support()));
            assert!(comparison.changes[0].standard_error.unwrap() > 0.0);
        }
    }

    #[test]
    fn what_the_search_rounds_away_is_equal() {
        let mut second = Weights::start();
        second.setting_mut(Key::NFwd).open[0] += 0.001;
        second.setting_mut(Key::KCen).open[0] += 0.001;
        assert_eq!(Comparison::new(&Weights::start(), &second).changes, []);
        assert_eq!(second.quantised(), Weights::start().quantised());
        second.setting_mut(Key::NFwd).open[0] += 0.001;
        assert_eq!(Comparison::new(&Weights::start(), &second).changes.len(), 1);
    }

    #[test]
    fn standard_errors_are_those_of_a_fit_that_tunes_what_differs() {
        let start = Weights::start();
        let options = with_any_support();
        let mut comparison = Comparison::new(&start, &changed());
        comparison.add_standard_errors(&fit(&comparison.with_changes_tuned(&start).unwrap(), &options));
        let mut tuned = start;
        for &key in Key::ALL {
            let differs = [Key::MatQ, Key::Pass, Key::TradePn, Key::ShCtr].contains(&key);
            tuned.setting_mut(key).tune.fill(differs);
        }
        let fit = fit(&tuned, &options);
        for change in &comparison.changes {
            let name = change.parameter.to_string();
            let report = fit.parameters.iter().find(|report| report.name == name).unwrap();
            assert_eq!(
                (change.standard_error, change.support),
                (report.standard_error, Some(report.support))
            );
            let in_errors = change.standard_error.map(|error| change.units() / error);
            assert_eq!(change.in_errors(), in_errors);
        }
        let determined = comparison.changes.iter().filter(|change| change.in_errors().is_some()).count();
        assert!(determined >= 3, "{:?}", comparison.changes);
    }

    #[test]
    fn cells_against_a_gradient_get_standard_errors_by_cell_and_rare_ones_get_none() {
        let (start, mut second) = (Weights::start(), Weights::start());
        second.free_table(Key::RHalf).unwrap();
        second.setting_mut(Key::RHalf).open[0] += 1.0;
        second.setting_mut(Key::BTrap).end[0] += 1.0;
        let mut comparison = Comparison::new(&start, &second);
        let tuned = comparison.with_changes_tuned(&start).unwrap();
        comparison.add_standard_errors(&fit(&tuned, &fit_options()));
        assert_eq!(names(&comparison), ["r_half[ah].o", "b_trap.e"]);
        let [cell, rare] = [comparison.changes[0], comparison.changes[1]];
        assert!(cell.standard_error.unwrap() > 0.0 && cell.support.unwrap() > 20);
        assert!(rare.standard_error.is_none() && rare.in_errors().is_none() && rare.support.unwrap() < 20);
    }

    #[test]
    fn changes_are_sorted_by_what_they_move_and_then_by_units() {
        let mut comparison = Comparison::new(&Weights::start(), &changed());
        let deviations = [Some(0.25), Some(0.05), Some(1.0), None, None];
        for (change, deviation) in comparison.changes.iter_mut().zip(deviations) {
            change.deviation = deviation;
        }
        comparison.sort();
        // They move values by 4, 2.6 and 4 units; the first of two that move as much is that with the larger
        // change.
        assert_eq!(names(&comparison), ["mat_q.o", "trade_pn", "mat_q.e", "sh_ctr.o", "pass.e"]);
    }
}
