//! The values of the weights over a run.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use texam_fit::{Fit, Model, Outcome, ParameterReport, Pass, best};

use crate::feature::{Key, Weights, entry_name};

/// The weights that a run tuned, and those that were frozen in its last fit.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Trends {
    /// Numbers of the passes whose weights are listed: the start, the quarters of the run, its end, and the
    /// best pass. Empty if the run made no fit.
    #[serde(rename = "value_passes")]
    pub passes: Vec<u32>,
    /// The tuned weights, in the order of the feature table.
    pub weights: Vec<Trend>,
    /// Weights that kept their values in the last fit: first those with too little support, then those that
    /// are not tuned.
    pub frozen: Vec<FrozenWeight>,
}

/// One weight over a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// Name of the weight: `n_fwd.o`, `p_adv[de,r4].e`, `trade_pc`. The feature table need not contain it.
    #[serde(rename = "weight")]
    pub name: String,
    /// Value in each of the listed passes, in units.
    pub values: Vec<f64>,
    /// Value at the end of the run less the value at its start, in units.
    pub change: f64,
    /// How far the change moves the values of moves, in units: its size times the standard deviation of the
    /// count over the rows of the last fit.
    pub moves: f64,
    /// Standard error of the last fit, in units: of its step alone, not of the change; none if the fit did
    /// not solve for the weight.
    #[serde(rename = "se_step")]
    pub standard_error: Option<f64>,
    /// Number of choices that touch the weight in the last fit.
    pub support: u32,
    /// Number of games that touch it; none where it is not known.
    pub games: Option<u64>,
    /// Share of its free step that the ridge held back in the last fit, from 0 to 1; none where it is not
    /// known.
    pub held: Option<f64>,
    /// Standard error of the run in each pass after the first, in units: how far the value scatters with
    /// other games. Empty where no groups were left out.
    pub run_errors: Vec<f64>,
}

/// A weight with a larger share of its free step held back says more of the ridge than of the games.
pub const MOSTLY_HELD: f64 = 0.5;

impl Trend {
    /// Whether the ridge holds back more than half of the free step of the weight.
    pub fn is_mostly_held(&self) -> bool {
        self.held > Some(MOSTLY_HELD)
    }

    /// Standard error of the change over the whole run, in units, where it is known.
    pub fn run_error(&self) -> Option<f64> {
        self.run_errors.last().copied()
    }

    /// Whether the change is more than twice its standard error over the whole run; true where that is not
    /// known.
    pub fn is_clear(&self) -> bool {
        is_clear(self.change, self.run_error())
    }
}

/// Whether a change is more than twice its standard error; true where that is not known.
pub fn is_clear(change: f64, error: Option<f64>) -> bool {
    error.is_none_or(|error| change.abs() > 2.0 * error)
}

/// The trends by how far they move values, those first whose change is clear.
pub fn by_weight<'a>(trends: impl IntoIterator<Item = &'a Trend>) -> Vec<&'a Trend> {
    let mut sorted: Vec<&Trend> = trends.into_iter().collect();
    sorted.sort_by(|a, b| b.is_clear().cmp(&a.is_clear()).then(b.moves.total_cmp(&a.moves)));
    sorted
}

/// A weight, or a feature, that kept its value in the last fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenWeight {
    /// The name of a [`Trend`] if the support was too small, else a key or a key with its cell.
    #[serde(rename = "weight")]
    pub name: String,
    /// The few choices that touch it, or 0; none if it is not tuned.
    pub support: Option<u32>,
}

impl FrozenWeight {
    /// Why it kept its value.
    pub fn reason(&self) -> String {
        match self.support {
            None => "not tuned".to_string(),
            Some(0) => "in no position".to_string(),
            Some(1) => "in 1 position only".to_string(),
            Some(count) => format!("in {count} positions only"),
        }
    }
}

impl Trends {
    /// The trends of a run on the parameters of `model`; `fit` is the one that gave the values of the last
    /// pass.
    pub fn new(model: &Model, passes: &[Pass], fit: Option<&Fit>, not_tuned: Vec<FrozenWeight>) -> Trends {
        let Some(last) = passes.len().checked_sub(1) else { return Trends::default() };
        let names = model.parameters().iter().enumerate().map(|(at, parameter)| (&*parameter.name, at));
        let places: HashMap<&str, usize> = names.collect();
        let value = |report: &ParameterReport, pass: usize| passes[pass].values[places[&*report.name]];
        let parameters = fit.map_or(&[][..], |fit| &fit.parameters);
        let listed = match fit {
            Some(_) => sampled_passes(last, best(passes.iter().map(|pass| &pass.report))),
            None => Vec::new(),
        };
        let trend = |report: &ParameterReport| {
            let change = value(report, last) - value(report, 0);
            Trend {
                name: report.name.clone(),
                values: listed.iter().map(|&pass| value(report, pass)).collect(),
                change,
                moves: change.abs() * report.deviation,
                standard_error: report.standard_error,
                support: report.support,
                games: Some(report.clusters),
                held: report.frozen.is_none().then_some(report.held),
                run_errors: Vec::new(),
            }
        };
        let unsupported = parameters.iter().filter_map(|report| {
            report.frozen?;
            Some(FrozenWeight { name: report.name.clone(), support: Some(report.support) })
        });
        Trends {
            weights: parameters.iter().map(trend).collect(),
            frozen: unsupported.chain(not_tuned).collect(),
            passes: listed.iter().map(|&pass| pass as u32).collect(),
        }
    }

    /// Notes the standard errors of the run in each pass, on the parameters of `model`.
    pub(super) fn set_run_errors(&mut self, model: &Model, errors: &[Outcome]) {
        let names = model.parameters().iter().enumerate().map(|(at, parameter)| (&*parameter.name, at));
        let places: HashMap<&str, usize> = names.collect();
        for trend in &mut self.weights {
            if let Some(&place) = places.get(&*trend.name) {
                trend.run_errors = errors.iter().skip(1).map(|errors| errors.values[place]).collect();
            }
        }
    }
}

/// Indices of the passes whose weights are listed: the start, the quarters, the end, and the best pass.
fn sampled_passes(last: usize, best: Option<usize>) -> Vec<usize> {
    let mut passes: Vec<usize> = (0..=4).map(|quarter| last * quarter / 4).chain(best).collect();
    passes.sort_unstable();
    passes.dedup();
    passes
}

/// The entries of all settings that are not tuned.
pub fn not_tuned(weights: &Weights) -> Vec<FrozenWeight> {
    let of_key = |&key: &Key| {
        let setting = weights.setting(key);
        let entries = setting.tune.iter().enumerate().filter(|&(_, &tune)| !tune);
        entries.map(move |(at, _)| FrozenWeight { name: entry_name(key, setting.mode, at), support: None })
    };
    Key::ALL.iter().flat_map(of_key).collect()
}

/// The parameters of a model that are not tuned.
pub fn not_tuned_of(model: &Model) -> Vec<FrozenWeight> {
    let frozen = model.parameters().iter().filter(|parameter| !parameter.tune);
    frozen.map(|parameter| FrozenWeight { name: parameter.name.clone(), support: None }).collect()
}
