//! What became of the weights over a run, as the last two sections of a `.stat` tell it.

use std::{fmt, str::FromStr};

use texam_fit::{Fit, ParameterReport, Reason};

use crate::{
    feature::{Key, Mode, Weights, cell_name},
    parameters::Parameter,
};

/// The weights that a run tuned, and what kept its value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trends {
    /// Passes at which weights are told: the start, the quarters of the run, its end, and the best. Empty
    /// where no fit is told of.
    pub stations: Vec<u32>,
    /// Weights that could be tuned, in the order of the table of features.
    pub weights: Vec<Trend>,
    /// What kept its value in the last fit: first what lacked positions, then what was not tuned.
    pub frozen: Vec<Frozen>,
}

/// One weight over a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    /// Its name: `n_fwd.o`, `p_adv[de,r4].e`, `trade_pc`. Whether there is such a weight is not judged here.
    pub name: String,
    /// Its values at the stations, in units.
    pub values: Vec<f64>,
    /// From the start to the end, in units.
    pub change: f64,
    /// Standard error in the last fit, in units; none where it was not solved for.
    pub standard_error: Option<f64>,
    /// Positions that bear on it in the last fit.
    pub support: u32,
}

/// Something that kept its value in the last fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frozen {
    /// Its name: that of a [`Trend`] where positions were lacking, else a key, or a key and its cell.
    pub name: String,
    /// Why it did.
    pub why: Why,
}

/// Why something kept its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is not among what is tuned.
    NotTuned,
    /// Too few positions bear on it.
    Unsupported(Reason),
}

pub(super) const NOT_TUNED: &str = "not tuned";

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NotTuned => f.pad(NOT_TUNED),
            Why::Unsupported(reason) => reason.fmt(f),
        }
    }
}

impl FromStr for Why {
    type Err = ();

    /// Takes what its printing gives, and nothing else.
    fn from_str(text: &str) -> Result<Why, ()> {
        let count = text.split_whitespace().nth(1).and_then(|count| count.parse().ok());
        let few = count.map(|count| Why::Unsupported(Reason::TooFewPositions(count)));
        let reasons = [Some(Why::NotTuned), Some(Why::Unsupported(Reason::Untouched)), few];
        reasons.into_iter().flatten().find(|why| why.to_string() == text).ok_or(())
    }
}

impl Trends {
    /// Gathers them: `weights` are those of the passes, `last_fit` the fit that led to the last.
    pub(super) fn of(weights: &[&Weights], best: usize, last_fit: Option<&Fit>) -> Trends {
        let Some((&last, first)) = weights.last().zip(weights.first()) else { return Trends::default() };
        let parameters = last_fit.map_or(&[][..], |fit| &fit.parameters);
        let stations = match last_fit {
            Some(_) => stations(weights.len() - 1, best),
            None => Vec::new(),
        };
        let trend = |report: &ParameterReport| {
            let parameter = Parameter::of(report);
            Trend {
                name: report.name.clone(),
                values: stations.iter().map(|&pass| parameter.get(weights[pass])).collect(),
                change: parameter.get(last) - parameter.get(first),
                standard_error: report.standard_error,
                support: report.support,
            }
        };
        let unsupported = parameters.iter().filter_map(|report| {
            let reason = report.frozen?;
            Some(Frozen { name: report.name.clone(), why: Why::Unsupported(reason) })
        });
        Trends {
            weights: parameters.iter().map(trend).collect(),
            frozen: unsupported.chain(not_tuned(last)).collect(),
            stations: stations.iter().map(|&pass| pass as u32).collect(),
        }
    }
}

/// Passes at which weights are told: the start, the quarters, the end, and the best.
pub(super) fn stations(last: usize, best: usize) -> Vec<usize> {
    let mut stations: Vec<usize> = (0..=4).map(|quarter| last * quarter / 4).chain([best]).collect();
    stations.sort_unstable();
    stations.dedup();
    stations
}

fn not_tuned(weights: &Weights) -> impl Iterator<Item = Frozen> {
    Key::ALL.iter().flat_map(move |&key| {
        let entries = weights.setting(key).tune.iter().enumerate().filter(|&(_, &tune)| !tune);
        entries.map(move |(index, _)| Frozen { name: entry_name(weights, key, index), why: Why::NotTuned })
    })
}

/// Name of an entry of a setting: the key, or key and cell where cells are free.
fn entry_name(weights: &Weights, key: Key, index: usize) -> String {
    match weights.setting(key).mode {
        Mode::Cells => cell_name(key.cell_at(index)),
        Mode::Scalar | Mode::Gradient | Mode::Off => key.feature().key.to_string(),
    }
}
