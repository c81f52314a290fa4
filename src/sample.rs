//! From a winner's position to a decision: search it, judge it, keep what is in bound.
//!
//! Here the two columns of the program meet: positions come in, numbers go out. Agreement is counted over
//! all positions with at least two legal moves and over all legal moves; the [`Decision`] holds only what
//! the fit may use.

mod difference;

pub use difference::Difference;

use rayon::prelude::*;

use crate::{
    decision::Decision,
    feature::{Extras, Weights},
    game::WinnerPosition,
    search::{
        Choice, CompactMove, Replies, RootKind, Settings, Threshold,
        alphabeta::{AlphaBeta, HALF_PAWN, Prepared},
    },
};

/// How positions are searched and what is in bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// The search.
    pub search: Settings,
    /// What stands for the position before the choice.
    pub root: RootKind,
    /// The bound around its value.
    pub threshold: Threshold,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling { search: Settings::default(), root: RootKind::Quiescence, threshold: Some(HALF_PAWN) }
    }
}

/// One position, searched and judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Number of legal moves.
    pub legal: u32,
    /// Legal moves strictly above the played one.
    pub ahead: u32,
    /// Other moves exactly as good.
    pub tied: u32,
    /// What the fit may use; none if the played move is out of bound or no alternative is in bound.
    pub decision: Option<Decision>,
    /// Positions visited by the search.
    pub nodes: u64,
}

/// Searches one position, with what an earlier search of it has left, and judges the move played there.
pub fn sample(
    position: &WinnerPosition,
    sampling: &Sampling,
    searcher: &mut AlphaBeta,
    replies: &mut Replies,
) -> Sample {
    let before = searcher.nodes;
    let root = position.position();
    let played = CompactMove::from(position.played());
    let choice = searcher.choice_again(&root, played, sampling.root, sampling.threshold, replies);
    let sign = if shakmaty::Position::turn(&root).is_white() { 1 } else { -1 };
    judge(choice, searcher.extras(), position.game, sign, searcher.nodes - before)
}

/// Turns what a search found into numbers; `extras` are the optional features that the weights have on.
pub fn judge(choice: Choice, extras: Extras, game: u32, sign: i8, nodes: u64) -> Sample {
    let Choice { root, legal, ahead, tied, kept } = choice;
    let decision = (kept.len() >= 2).then(|| Decision {
        game,
        sign,
        root: root.outcome(extras),
        played: kept[0].leaf.outcome(extras),
        alternatives: kept[1..].iter().map(|kept| kept.leaf.outcome(extras)).collect(),
        rank: ahead,
    });
    Sample { legal, ahead, tied, decision, nodes }
}

/// Searches all positions on all threads, in order. `tick` is called with each sample and says whether
/// to go on; when it says no, there is no result.
pub fn pass(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
    tick: &(dyn Fn(&Sample) -> bool + Sync),
) -> Option<Vec<Sample>> {
    pass_again(positions, weights, sampling, &mut Recall::default(), tick)
}

/// What passes over the same positions hand on, so that the next one is sooner done. It can change no
/// result.
#[derive(Debug, Default)]
pub struct Recall(Vec<Replies>);

/// The same as [`pass`], with what the passes before have found out about these positions.
pub fn pass_again(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
    recall: &mut Recall,
    tick: &(dyn Fn(&Sample) -> bool + Sync),
) -> Option<Vec<Sample>> {
    let prepared = Prepared::new(sampling.search, &weights.quantised());
    recall.0.resize_with(positions.len(), Replies::default);
    positions
        .par_iter()
        .zip(&mut recall.0)
        .with_min_len(32)
        .map_init(
            || AlphaBeta::new(&prepared),
            |searcher, (position, replies)| {
                let sample = sample(position, sampling, searcher, replies);
                tick(&sample).then_some(sample)
            },
        )
        .collect()
}

/// Ranks from here on share the last place of a histogram in reports.
const HISTOGRAM: usize = 256;

/// Agreement of the evaluation with the winners: counts over positions with at least two legal moves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Positions counted.
    pub positions: u64,
    /// Their legal moves.
    pub moves: u64,
    /// Positions where every alternative is strictly below the played move.
    pub matched: u64,
    /// Sum over positions of the moves strictly above the played one.
    pub rank_sum: u64,
    /// How many positions have 0, 1, 2, .. moves strictly above the played one.
    pub histogram: Vec<u64>,
    /// Positions that the fit may use.
    pub in_bound_positions: u64,
    /// Their moves in bound: rows of the fit.
    pub rows: u64,
}

impl Agreement {
    /// Counts samples.
    pub fn of<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> Agreement {
        let mut agreement = Agreement::default();
        for sample in samples {
            agreement.count(sample);
        }
        agreement
    }

    fn count(&mut self, sample: &Sample) {
        if sample.legal < 2 {
            return;
        }
        let rank = (sample.ahead as usize).min(HISTOGRAM - 1);
        if self.histogram.len() <= rank {
            self.histogram.resize(rank + 1, 0);
        }
        self.histogram[rank] += 1;
        self.positions += 1;
        self.moves += u64::from(sample.legal);
        self.matched += u64::from(is_match(sample));
        self.rank_sum += u64::from(sample.ahead);
        if let Some(decision) = &sample.decision {
            self.in_bound_positions += 1;
            self.rows += 1 + decision.alternatives.len() as u64;
        }
    }

    /// Whether both count the same; histograms are passed over, since not every pass has one in a file.
    pub fn counts_as(&self, other: &Agreement) -> bool {
        let counts = |set: &Agreement| Agreement { histogram: Vec::new(), ..set.clone() };
        counts(self) == counts(other)
    }

    /// Share of positions matched, 0 to 1; 0 without positions.
    pub fn match_rate(&self) -> f64 {
        ratio(self.matched as f64, self.positions)
    }

    /// Standard error of the match rate, `sqrt(m (1 - m) / N)`.
    pub fn match_error(&self) -> f64 {
        let rate = self.match_rate();
        ratio(rate * (1.0 - rate), self.positions).sqrt()
    }

    /// Mean number of moves strictly above the played one.
    pub fn mean_rank(&self) -> f64 {
        ratio(self.rank_sum as f64, self.positions)
    }
}

/// Whether every alternative is strictly below the played move.
pub fn is_match(sample: &Sample) -> bool {
    sample.legal >= 2 && sample.ahead == 0 && sample.tied == 0
}

fn ratio(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(legal: u32, ahead: u32, tied: u32) -> Sample {
        Sample { legal, ahead, tied, decision: None, nodes: 0 }
    }

    #[test]
    fn a_tie_is_no_match_yet_has_rank_0_and_forced_moves_do_not_count() {
        let agreement =
            Agreement::of(&[sample(20, 0, 0), sample(20, 0, 1), sample(20, 3, 0), sample(1, 0, 0)]);
        assert_eq!((agreement.positions, agreement.matched, agreement.rank_sum), (3, 1, 3));
        assert_eq!(agreement.histogram, [2, 0, 0, 1]);
        assert_eq!(agreement.moves, 60);
    }

    #[test]
    fn the_standard_error_is_that_of_a_share() {
        let samples: Vec<_> = (0..100).map(|i| sample(20, u32::from(i >= 40), 0)).collect();
        let agreement = Agreement::of(&samples);
        assert!((agreement.match_error() - (0.4f64 * 0.6 / 100.0).sqrt()).abs() < 1e-12);
    }
}
