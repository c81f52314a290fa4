//! Agreement with the winners as commands measure and print it: a pass with its progress, its figures, and
//! two sets of weights paired.

use serde::Serialize;

use super::progress::Progress;
use crate::{
    decision::Decision,
    feature::Weights,
    fit,
    game::Collection,
    sample::{self, Agreement, Difference, Sample, Sampling},
};

/// One set of weights, measured.
#[derive(Clone, Serialize)]
pub(super) struct Measured {
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

impl Measured {
    /// Positions in bound and their share, for people.
    pub fn in_bound(&self) -> String {
        let share = self.in_bound_positions as f64 / self.positions.max(1) as f64;
        format!("{} ({:.1} %)", self.in_bound_positions, 100.0 * share)
    }
}

/// One set of weights less another, paired on the same positions.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Paired {
    #[serde(rename = "match")]
    pub match_rate: f64,
    pub match_se: f64,
    pub mean_rank: f64,
    pub mean_rank_se: f64,
    pub only_first: u64,
    pub only_second: u64,
}

impl From<Difference> for Paired {
    fn from(difference: Difference) -> Paired {
        let Difference { match_rate, match_error, mean_rank, mean_rank_error, .. } = difference;
        let Difference { only_first, only_second, .. } = difference;
        Paired {
            match_rate,
            match_se: match_error,
            mean_rank,
            mean_rank_se: mean_rank_error,
            only_first,
            only_second,
        }
    }
}

/// Searches all positions, and shows how far it is.
pub(super) fn search(
    collection: &Collection,
    weights: &Weights,
    sampling: &Sampling,
    name: &str,
) -> Vec<Sample> {
    let progress = Progress::new();
    progress.begin(name.to_string(), collection.positions.len());
    let samples = sample::pass(&collection.positions, weights, sampling, &|_| progress.tick());
    progress.clear();
    samples.unwrap_or_default()
}

/// Measures samples, and takes their decisions, which need much room, out of them.
pub(super) fn measured(
    samples: &mut [Sample],
    par: String,
    sampling: &Sampling,
) -> (Measured, Vec<Decision>) {
    let agreement = Agreement::of(&*samples);
    let decisions: Vec<_> = samples.iter_mut().filter_map(|sample| sample.decision.take()).collect();
    let measured = Measured {
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
        spread: fit::spread(&decisions),
    };
    (measured, decisions)
}
