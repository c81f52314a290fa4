//! Agreement with the winners as commands measure and print it: a pass with its progress, its figures, and
//! two sets of weights paired.

use serde::Serialize;
use texam_fit::Agreement;

use super::{par_name, progress::Progress};
use crate::{
    feature::Weights,
    game::Collection,
    sample::{self, Difference, Recall, Sampling, Searched},
};

/// One set of weights, measured.
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
    /// Positions in bound and their share, for people.
    pub fn in_bound(&self) -> String {
        let share = self.in_bound_positions as f64 / self.positions.max(1) as f64;
        format!("{} ({:.1} %)", self.in_bound_positions, 100.0 * share)
    }
}

/// One set of weights less another, paired on the same positions.
#[derive(Clone, Copy, Serialize)]
pub(super) struct AgreementDifference {
    #[serde(rename = "match")]
    pub match_rate: f64,
    pub match_se: f64,
    pub mean_rank: f64,
    pub mean_rank_se: f64,
    pub only_first: u64,
    pub only_second: u64,
}

impl From<Difference> for AgreementDifference {
    fn from(difference: Difference) -> AgreementDifference {
        let Difference { match_rate, match_error, mean_rank, mean_rank_error, .. } = difference;
        let Difference { only_first, only_second, .. } = difference;
        AgreementDifference {
            match_rate,
            match_se: match_error,
            mean_rank,
            mean_rank_se: mean_rank_error,
            only_first,
            only_second,
        }
    }
}

impl AgreementSummary {
    /// The figures of one pass; `spread` is in units.
    pub fn new(agreement: Agreement, spread: f64, par: String, sampling: &Sampling) -> AgreementSummary {
        AgreementSummary {
            par,
            phase: sampling.search.phase.name(),
            phase_at: sampling.search.phase_at.name(),
            positions: agreement.positions,
            moves: agreement.moves,
            match_rate: agreement.match_rate(),
            match_se: agreement.match_error(),
            mean_rank: agreement.mean_rank(),
            in_bound_positions: agreement.in_bound_positions,
            histogram: agreement.histogram,
            spread,
        }
    }
}

/// Searches all positions and shows how far it is. Standings are kept where `keep` says so.
pub(super) fn search(
    collection: &Collection,
    weights: &Weights,
    sampling: &Sampling,
    name: &str,
    keep: bool,
) -> Searched {
    let positions = &collection.positions;
    let searched = with_progress(name, positions.len(), |progress| {
        sample::pass(positions, weights, sampling, &mut Recall::default(), keep, &|_| progress.tick())
    });
    searched.unwrap_or_default()
}

/// Shows the progress of some work on so many positions.
pub(super) fn with_progress<T>(name: &str, positions: usize, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::new();
    progress.begin(name.to_string(), positions);
    let done = work(&progress);
    progress.clear();
    done
}
