//! Agreement with what was chosen: counts over choices among at least two alternatives, kept as rows or not.

use serde::{Deserialize, Serialize};

/// Ranks from here on share the last place of a histogram.
const HISTOGRAM: usize = 256;

/// How the chosen alternative of a choice stands among all, kept as rows or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Standing {
    /// Number of alternatives, the chosen one included.
    pub alternatives: u32,
    /// Alternatives strictly ahead of the chosen one: its rank.
    pub ahead: u32,
    /// Others exactly as good.
    pub tied: u32,
    /// Rows that are kept for a fit; 0 if the chosen one is not, or none beside it.
    pub rows: u32,
}

impl Standing {
    /// Whether there were others, all strictly below the chosen one.
    pub fn is_match(&self) -> bool {
        self.alternatives >= 2 && self.ahead == 0 && self.tied == 0
    }

    /// Twice the rank with half of those tied with the chosen one.
    pub fn doubled_rank(&self) -> u64 {
        2 * u64::from(self.ahead) + u64::from(self.tied)
    }
}

/// What the choices of one cluster count.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClusterCounts {
    /// Number of the cluster.
    pub cluster: u64,
    /// Choices among at least two alternatives; the other counts are over these.
    pub choices: u32,
    /// Choices where every other is strictly below the chosen one.
    pub matched: u32,
    /// Sum of [`Standing::doubled_rank`].
    pub doubled_rank: u64,
    /// For each choice, those of one alternative included, how many are ahead of the chosen one and how many
    /// tied with it; 255 is that many or more.
    pub ranks: Vec<[u8; 2]>,
}

/// The clusters fitted, and those held out.
pub type ClusterSets = [Vec<ClusterCounts>; 2];

impl ClusterCounts {
    /// Those of a cluster without a choice.
    pub fn new(cluster: u64) -> ClusterCounts {
        ClusterCounts { cluster, ..ClusterCounts::default() }
    }

    /// Counts a choice.
    pub fn count(&mut self, standing: &Standing) {
        self.ranks.push([standing.ahead, standing.tied].map(|count| count.min(255) as u8));
        if standing.alternatives >= 2 {
            self.choices += 1;
            self.matched += u32::from(standing.is_match());
            self.doubled_rank += standing.doubled_rank();
        }
    }
}

/// Counts over choices.
///
/// ```
/// use texam_fit::{Agreement, Standing};
///
/// let first = Standing { alternatives: 30, ahead: 0, tied: 0, rows: 12 };
/// let third = Standing { alternatives: 25, ahead: 2, tied: 1, rows: 0 };
/// let agreement = Agreement::of([&first, &third]);
/// assert_eq!(agreement.match_rate(), 0.5);
/// assert_eq!(agreement.mean_rank(), 1.25);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Agreement {
    /// Choices among at least two alternatives; all other counts are over these.
    pub choices: u64,
    /// Their alternatives.
    pub alternatives: u64,
    /// Choices where every other is strictly below the chosen one.
    pub matched: u64,
    /// Sum of those strictly ahead of the chosen one.
    pub rank_sum: u64,
    /// Sum of the others exactly as good as the chosen one.
    pub tied_sum: u64,
    /// How many choices have 0, 1, 2, .. alternatives strictly ahead of the chosen one.
    pub histogram: Vec<u64>,
    /// Choices that are kept for a fit.
    pub kept_choices: u64,
    /// Their rows.
    pub rows: u64,
}

impl Agreement {
    /// Counts standings.
    pub fn of<'a>(standings: impl IntoIterator<Item = &'a Standing>) -> Agreement {
        let mut agreement = Agreement::default();
        standings.into_iter().for_each(|standing| agreement.count(standing));
        agreement
    }

    /// What clusters count. They know only the sum of ranks and ties, which is counted as ties here: rates
    /// and mean ranks are those of their choices.
    pub(crate) fn of_clusters(clusters: &[ClusterCounts]) -> Agreement {
        let mut agreement = Agreement::default();
        for counts in clusters {
            agreement.choices += u64::from(counts.choices);
            agreement.matched += u64::from(counts.matched);
            agreement.tied_sum += counts.doubled_rank;
        }
        agreement
    }

    /// Counts a choice.
    pub fn count(&mut self, standing: &Standing) {
        if standing.alternatives < 2 {
            return;
        }
        let rank = (standing.ahead as usize).min(HISTOGRAM - 1);
        if self.histogram.len() <= rank {
            self.histogram.resize(rank + 1, 0);
        }
        self.histogram[rank] += 1;
        self.choices += 1;
        self.alternatives += u64::from(standing.alternatives);
        self.matched += u64::from(standing.is_match());
        self.rank_sum += u64::from(standing.ahead);
        self.tied_sum += u64::from(standing.tied);
        self.kept_choices += u64::from(standing.rows > 0);
        self.rows += u64::from(standing.rows);
    }

    /// Adds the counts of other choices.
    pub fn merge(&mut self, other: &Agreement) {
        if self.histogram.len() < other.histogram.len() {
            self.histogram.resize(other.histogram.len(), 0);
        }
        for (to, from) in self.histogram.iter_mut().zip(&other.histogram) {
            *to += from;
        }
        self.choices += other.choices;
        self.alternatives += other.alternatives;
        self.matched += other.matched;
        self.rank_sum += other.rank_sum;
        self.tied_sum += other.tied_sum;
        self.kept_choices += other.kept_choices;
        self.rows += other.rows;
    }

    /// Whether both have the same counts. Histograms are not compared: a file holds those of some passes
    /// only.
    pub fn counts_as(&self, other: &Agreement) -> bool {
        let counts = |set: &Agreement| Agreement { histogram: Vec::new(), ..set.clone() };
        counts(self) == counts(other)
    }

    /// Share of choices matched, 0 to 1; 0 without choices.
    pub fn match_rate(&self) -> f64 {
        ratio(self.matched as f64, self.choices)
    }

    /// Standard error of the match rate, `sqrt(m (1 - m) / N)`; NaN for fewer than two choices, which cannot
    /// tell it.
    pub fn match_error(&self) -> f64 {
        if self.choices < 2 {
            return f64::NAN;
        }
        let rate = self.match_rate();
        ratio(rate * (1.0 - rate), self.choices).sqrt()
    }

    /// Mean rank: alternatives strictly ahead of the chosen one plus half of those tied with it. With ties
    /// left out, weights that cannot tell alternatives apart would look best.
    pub fn mean_rank(&self) -> f64 {
        ratio(self.rank_sum as f64 + self.tied_sum as f64 / 2.0, self.choices)
    }
}

fn ratio(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(alternatives: u32, ahead: u32, tied: u32) -> Standing {
        Standing { alternatives, ahead, tied, rows: 0 }
    }

    #[test]
    fn a_tie_is_no_match_and_half_a_rank_and_a_single_alternative_does_not_count() {
        let all = [standing(20, 0, 0), standing(20, 0, 1), standing(20, 3, 0), standing(1, 0, 0)];
        let agreement = Agreement::of(&all);
        assert_eq!((agreement.choices, agreement.matched, agreement.alternatives), (3, 1, 60));
        assert_eq!((agreement.rank_sum, agreement.tied_sum), (3, 1));
        assert!((agreement.mean_rank() - 3.5 / 3.0).abs() < 1e-12);
        assert_eq!(agreement.histogram, [2, 0, 0, 1]);
    }

    #[test]
    fn weights_that_tell_no_alternatives_apart_have_the_mean_rank_of_chance() {
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
