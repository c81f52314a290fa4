//! The losses of the choices that a pass has kept, cluster by cluster: choices of a cluster resemble each
//! other, so the error of a mean counts them as one observation.

use serde::{Deserialize, Serialize};

use crate::{
    choice::Choice,
    difference::{clustered_mean, finite_or_null},
    error::{Error, Result},
    merge::Merge,
    objective::{Judged, judge_weighted},
    searchers::{Kept, Losses, Of, Question, Request},
    units::{ONE, to_fraction},
};

/// A mean loss, or the change of one, with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct MeanLoss {
    /// Mean over the choices, by their weights.
    pub mean: f64,
    /// Standard error of the mean, clustered; NaN for a single cluster, which cannot tell it.
    #[serde(with = "finite_or_null")]
    pub error: f64,
}

/// The loss of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct LossReport {
    /// Temperature of the run, in units.
    pub temperature: f64,
    /// Loss of the choices fitted.
    pub fitted: MeanLoss,
    /// Loss of the choices held out, where there are some.
    pub held_out: Option<MeanLoss>,
    /// The losses less those of the start, paired: of the choices fitted, and of those held out; none at the
    /// start.
    #[serde(default)]
    pub changes: [Option<MeanLoss>; 2],
}

/// The loss of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClusterLoss {
    /// Number of the cluster.
    pub cluster: u64,
    /// Sum of the weights of its choices, in 2^-24.
    pub weight: i64,
    /// Sum of their losses times these, in 2^-24.
    pub loss: i64,
}

impl LossReport {
    /// The loss of the choices held out, or fitted where none are, and its change.
    pub fn judged(&self) -> (MeanLoss, Option<MeanLoss>) {
        let [fitted, held_out] = self.changes;
        self.held_out.map_or((self.fitted, fitted), |loss| (loss, held_out))
    }
}

/// The losses of the clusters fitted, and of those held out.
pub type LossSets = [Vec<ClusterLoss>; 2];

/// The losses of some clusters, in any order.
pub(crate) type ClusterLosses = Vec<ClusterLoss>;

impl Merge for ClusterLosses {
    fn merge(&mut self, mut other: ClusterLosses) -> Result<()> {
        self.append(&mut other);
        Ok(())
    }
}

impl MeanLoss {
    /// The [mean](clustered_mean) of some clusters; none without clusters.
    pub(crate) fn of(clusters: &[ClusterLoss]) -> Option<MeanLoss> {
        let losses = clusters.iter().map(|cluster| [cluster.weight, cluster.loss]);
        (!clusters.is_empty()).then(|| MeanLoss::of_sums(losses))
    }

    /// The mean of the first less that of the second, paired by cluster; none where they are not over the
    /// same clusters in the same order.
    pub(crate) fn of_change(first: &[ClusterLoss], second: &[ClusterLoss]) -> Option<MeanLoss> {
        let key = |cluster: &ClusterLoss| (cluster.cluster, cluster.weight);
        let is_same = !first.is_empty() && first.iter().map(key).eq(second.iter().map(key));
        let pairs = first.iter().zip(second).map(|(one, other)| [one.weight, one.loss - other.loss]);
        is_same.then(|| MeanLoss::of_sums(pairs))
    }

    fn of_sums(clusters: impl Iterator<Item = [i64; 2]>) -> MeanLoss {
        let (mean, error) = clustered_mean(clusters);
        MeanLoss { mean: rounded(mean), error: rounded(error) }
    }
}

/// Six decimals, with which losses are compared.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}

impl Question for Losses {
    type Sums = ClusterLosses;
    const REQUEST: fn(Losses) -> Request = Request::Losses;

    fn sums(&self, kept: &Kept) -> Result<ClusterLosses> {
        let Losses { temperature, of, changes } = self;
        let spill = if *of == Of::HeldOut { &kept.held_out } else { &kept.fitted };
        let work = |losses: &mut ClusterLosses, choices: &mut [Choice]| {
            let mut judged = Judged::default();
            choices.sort_by_key(Choice::cluster);
            for choices in choices.chunk_by_mut(|a, b| a.cluster() == b.cluster()) {
                let cluster = choices[0].cluster();
                if !of.has(cluster) {
                    continue;
                }
                let (mut weight, mut loss) = (0, 0_i128);
                for choice in choices {
                    if let Some(changes) = changes {
                        choice.revalue(changes, kept.model.value_step());
                    }
                    let of_choice = judge_weighted(kept.objective, choice, *temperature, &mut judged);
                    loss += i128::from(to_fraction(of_choice));
                    weight += ONE - choice.withheld();
                }
                let loss = i64::try_from(loss).map_err(|_| Error::SumsTooLarge)?;
                losses.push(ClusterLoss { cluster, weight, loss });
            }
            Ok(())
        };
        spill.fold(changes.is_some(), Vec::new, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(all: &[(f64, f64)]) -> ClusterLosses {
        let in_fractions = |number: f64| (number * ONE as f64) as i64;
        let loss = |(cluster, &(weight, loss))| ClusterLoss {
            cluster,
            weight: in_fractions(weight),
            loss: in_fractions(loss),
        };
        (0..).zip(all).map(loss).collect()
    }

    #[test]
    fn a_mean_is_over_choices_and_its_error_over_clusters() {
        let two = losses(&[(3.0, 6.0), (1.0, 0.0)]);
        let MeanLoss { mean, error } = MeanLoss::of(&two).unwrap();
        // (6 - 3 x 1.5)^2 + (0 - 1.5)^2 = 4.5.
        assert_eq!((mean, error), (1.5, rounded(4.5_f64.sqrt() / 4.0)));
        let alone = MeanLoss::of(&two[..1]).unwrap();
        assert!(alone.mean == 2.0 && alone.error.is_nan());
        assert_eq!(MeanLoss::of(&[]), None);
    }

    #[test]
    fn a_change_is_paired_and_has_no_error_where_all_clusters_change_alike() {
        let (before, after) = (losses(&[(2.0, 6.0), (2.0, 1.0)]), losses(&[(2.0, 5.0), (2.0, 0.0)]));
        assert_eq!(MeanLoss::of_change(&after, &before), Some(MeanLoss { mean: -0.5, error: 0.0 }));
        assert_eq!(MeanLoss::of_change(&after, &before[..1]), None);
        assert_eq!(MeanLoss::of_change(&losses(&[(2.0, 5.0), (1.0, 0.0)]), &before), None);
    }
}
