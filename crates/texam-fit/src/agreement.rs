//! Agreement with the chosen moves: counts over positions with at least two moves.

use serde::{Deserialize, Serialize};

use crate::{error::Result, numbers::Numbers};

/// Ranks from here on share the last place of a histogram.
const HISTOGRAM: usize = 256;

/// How the chosen move of a position stands among all moves, kept or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Standing {
    /// Number of legal moves.
    pub legal: u32,
    /// Moves strictly ahead of the chosen one: its rank.
    pub ahead: u32,
    /// Other moves exactly as good.
    pub tied: u32,
    /// Rows that a fit may use; 0 if the chosen move is out of bound or no alternative is in bound.
    pub rows: u32,
}

impl Standing {
    /// Whether there was a choice, and every alternative is strictly below the chosen move.
    pub fn is_match(&self) -> bool {
        self.legal >= 2 && self.ahead == 0 && self.tied == 0
    }

    /// Twice the rank with half the moves tied with the chosen one.
    pub fn doubled_rank(&self) -> u64 {
        2 * u64::from(self.ahead) + u64::from(self.tied)
    }
}

/// What the positions of one cluster count, such as those of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClusterCounts {
    /// Number of the cluster.
    pub cluster: u64,
    /// Positions with at least two legal moves; the other counts are over these.
    pub positions: u32,
    /// Positions where every alternative is strictly below the chosen move.
    pub matched: u32,
    /// Sum of [`Standing::doubled_rank`].
    pub doubled_rank: u64,
}

/// The clusters fitted, and those held out.
pub type ClusterSets = [Vec<ClusterCounts>; 2];

impl ClusterCounts {
    /// Those of a cluster without a position.
    pub fn new(cluster: u64) -> ClusterCounts {
        ClusterCounts { cluster, ..ClusterCounts::default() }
    }

    /// Counts a position.
    pub fn count(&mut self, standing: &Standing) {
        if standing.legal >= 2 {
            self.positions += 1;
            self.matched += u32::from(standing.is_match());
            self.doubled_rank += standing.doubled_rank();
        }
    }
}

/// Counts over positions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Positions with at least two legal moves; all other counts are over these.
    pub positions: u64,
    /// Their legal moves.
    pub moves: u64,
    /// Positions where every alternative is strictly below the chosen move.
    pub matched: u64,
    /// Sum of the moves strictly ahead of the chosen one.
    pub rank_sum: u64,
    /// Sum of the other moves exactly as good as the chosen one.
    pub tied_sum: u64,
    /// How many positions have 0, 1, 2, .. moves strictly ahead of the chosen one.
    pub histogram: Vec<u64>,
    /// Positions that a fit may use.
    pub in_bound_positions: u64,
    /// Their moves in bound: rows of the fit.
    pub rows: u64,
}

impl Agreement {
    /// Counts standings.
    pub fn of<'a>(standings: impl IntoIterator<Item = &'a Standing>) -> Agreement {
        let mut agreement = Agreement::default();
        standings.into_iter().for_each(|standing| agreement.count(standing));
        agreement
    }

    /// Counts a position.
    pub fn count(&mut self, standing: &Standing) {
        if standing.legal < 2 {
            return;
        }
        let rank = (standing.ahead as usize).min(HISTOGRAM - 1);
        if self.histogram.len() <= rank {
            self.histogram.resize(rank + 1, 0);
        }
        self.histogram[rank] += 1;
        self.positions += 1;
        self.moves += u64::from(standing.legal);
        self.matched += u64::from(standing.is_match());
        self.rank_sum += u64::from(standing.ahead);
        self.tied_sum += u64::from(standing.tied);
        self.in_bound_positions += u64::from(standing.rows > 0);
        self.rows += u64::from(standing.rows);
    }

    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Agreement) {
        if self.histogram.len() < other.histogram.len() {
            self.histogram.resize(other.histogram.len(), 0);
        }
        for (to, from) in self.histogram.iter_mut().zip(&other.histogram) {
            *to += from;
        }
        self.positions += other.positions;
        self.moves += other.moves;
        self.matched += other.matched;
        self.rank_sum += other.rank_sum;
        self.tied_sum += other.tied_sum;
        self.in_bound_positions += other.in_bound_positions;
        self.rows += other.rows;
    }

    pub(crate) fn put(&self, to: &mut Vec<i128>) {
        let Agreement { positions, moves, matched, rank_sum, tied_sum, in_bound_positions, rows, .. } = *self;
        let counts = [positions, moves, matched, rank_sum, tied_sum, in_bound_positions, rows];
        to.extend(counts.map(i128::from));
        to.extend(self.histogram.iter().map(|&count| i128::from(count)));
        to.resize(to.len() + HISTOGRAM - self.histogram.len(), 0);
    }

    pub(crate) fn take(from: &mut Numbers) -> Result<Agreement> {
        let mut next = || from.next();
        let agreement = Agreement {
            positions: next()?,
            moves: next()?,
            matched: next()?,
            rank_sum: next()?,
            tied_sum: next()?,
            in_bound_positions: next()?,
            rows: next()?,
            histogram: Vec::new(),
        };
        let mut histogram = from.counts(HISTOGRAM)?;
        let used = histogram.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        histogram.truncate(used);
        Ok(Agreement { histogram, ..agreement })
    }

    /// Whether both have the same counts. Histograms are not compared: a file holds those of some passes only.
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

    /// Mean rank: moves strictly ahead of the chosen one plus half the moves tied with it. With ties left out,
    /// an evaluation that cannot tell moves apart would look best.
    pub fn mean_rank(&self) -> f64 {
        ratio(self.rank_sum as f64 + self.tied_sum as f64 / 2.0, self.positions)
    }
}

fn ratio(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(legal: u32, ahead: u32, tied: u32) -> Standing {
        Standing { legal, ahead, tied, rows: 0 }
    }

    #[test]
    fn a_tie_is_no_match_and_half_a_rank_and_forced_moves_do_not_count() {
        let all = [standing(20, 0, 0), standing(20, 0, 1), standing(20, 3, 0), standing(1, 0, 0)];
        let agreement = Agreement::of(&all);
        assert_eq!((agreement.positions, agreement.matched, agreement.moves), (3, 1, 60));
        assert_eq!((agreement.rank_sum, agreement.tied_sum), (3, 1));
        assert!((agreement.mean_rank() - 3.5 / 3.0).abs() < 1e-12);
        assert_eq!(agreement.histogram, [2, 0, 0, 1]);
    }

    #[test]
    fn an_evaluation_that_tells_no_moves_apart_has_the_mean_rank_of_chance() {
        let agreement = Agreement::of(&[standing(21, 0, 20)]);
        assert_eq!(agreement.mean_rank(), 10.0);
    }

    #[test]
    fn parts_merge_to_the_whole() {
        let all = [standing(20, 0, 0), standing(20, 7, 1), Standing { rows: 5, ..standing(9, 1, 0) }];
        let mut merged = Agreement::of(&all[..1]);
        merged.merge(&Agreement::of(&all[1..]));
        assert_eq!(merged, Agreement::of(&all));
    }

    #[test]
    fn the_standard_error_is_that_of_a_share() {
        let all: Vec<_> = (0..100).map(|i| standing(20, u32::from(i >= 40), 0)).collect();
        let agreement = Agreement::of(&all);
        assert!((agreement.match_error() - (0.4f64 * 0.6 / 100.0).sqrt()).abs() < 1e-12);
    }
}
