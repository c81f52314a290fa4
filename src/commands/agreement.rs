//! Agreement with the winners: measures it with a progress bar, for one set of weights or for two on the same
//! positions.

use serde::Serialize;
use texam_fit::Agreement;

use super::{par_name, progress::Progress};
use crate::{
    feature::Weights,
    game::Collection,
    run::stat::PairedDifference,
    sample::{self, Difference, Recall, Sampling, Searched},
};

/// Agreement of one set of weights.
#[derive(Clone, Serialize)]
pub(super) struct AgreementSummary {
    #[serde(serialize_with = "par_name")]
    pub par: String,
    pub phase: &'static str,
    pub phase_at: &'static str,
    pub positions: u64,
    pub moves: u64,
    #[serde(rename = "match")]
    pub match_rate: f64,
    pub match_se: f64,
    pub mean_rank: f64,
    pub histogram: Vec<u64>,
    pub in_bound_positions: u64,
    pub spread: f64,
}

impl AgreementSummary {
    /// Number and share of positions in bound, as text.
    pub fn in_bound(&self) -> String {
        let share = self.in_bound_positions as f64 / self.positions.max(1) as f64;
        format!("{} ({:.1} %)", self.in_bound_positions, 100.0 * share)
    }
}

/// Agreement of one set of weights less that of another.
#[derive(Clone, Copy, Serialize)]
pub(super) struct AgreementDifference {
    #[serde(flatten)]
    pub means: PairedDifference,
    pub only_first: u64,
    pub only_second: u64,
}

impl From<Difference> for AgreementDifference {
    fn from(difference: Difference) -> AgreementDifference {
        let Difference { means, only_first, only_second, .. } = difference;
        AgreementDifference { means: means.into(), only_first, only_second }
    }
}

impl AgreementSummary {
    /// The agreement of one pass; `spread` is in units.
    pub fn new(agreement: Agreement, spread: f64, par: String, sampling: &Sampling) -> AgreementSummary {
        AgreementSummary {
            par,
            phase: sampling.search.phase.name(),
            phase_at: sampling.search.phase_at.name(),
            positions: agreement.choices,
            moves: agreement.alternatives,
            match_rate: agreement.match_rate(),
            match_se: agreement.match_error(),
            mean_rank: agreement.mean_rank(),
            in_bound_positions: agreement.kept_choices,
            histogram: agreement.histogram,
            spread,
        }
    }
}

/// Searches all positions with a progress bar. With `keep` the result contains the standing of each position.
pub(super) fn search(
    collection: &Collection,
    weights: &Weights,
    sampling: &Sampling,
    name: &str,
    recall: &mut Recall,
    keep: bool,
) -> Searched {
    let positions = &collection.positions;
    let searched = with_progress(name, positions.len(), |progress| {
        sample::pass(positions, weights, sampling, recall, keep, &|_| progress.tick())
    });
    searched.unwrap_or_default()
}

/// Runs `work` on this number of positions with a progress bar.
pub(super) fn with_progress<T>(name: &str, positions: usize, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::new();
    progress.begin(name.to_string(), positions);
    let done = work(&progress);
    progress.clear();
    done
}
