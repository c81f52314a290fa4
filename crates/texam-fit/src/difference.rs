//! Two passes over the same choices, compared cluster by cluster.

use serde::{Deserialize, Serialize};

use crate::agreement::ClusterCounts;

/// Agreement of one pass less that of another, paired choice by choice. The standard errors are clustered,
/// since the choices of a cluster resemble each other.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Difference {
    /// Difference of the match rates.
    pub match_rate: f64,
    /// Its standard error; NaN for a single cluster, which cannot tell it.
    #[serde(with = "finite_or_null")]
    pub match_error: f64,
    /// Difference of the mean ranks; below 0 if the first pass ranks the chosen alternatives better.
    pub mean_rank: f64,
    /// Its standard error, as above.
    #[serde(with = "finite_or_null")]
    pub mean_rank_error: f64,
}

/// Numbers in formats that have none for NaN and infinity: null, which is read as NaN.
pub(crate) mod finite_or_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Some(number).filter(|number| number.is_finite()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}

impl Difference {
    /// The first less the second; none where they are not over the same choices. Clusters are in order.
    pub fn between(first: &[ClusterCounts], second: &[ClusterCounts]) -> Option<Difference> {
        let choices = |counts: &ClusterCounts| (counts.cluster, counts.choices);
        if first.is_empty() || !first.iter().map(choices).eq(second.iter().map(choices)) {
            return None;
        }
        let mean = |of: fn(&ClusterCounts) -> i64| mean(first, second, of);
        let (match_rate, match_error) = mean(|counts| counts.matched.into());
        let (doubled_rank, doubled_error) = mean(|counts| counts.doubled_rank as i64);
        let (mean_rank, mean_rank_error) = (doubled_rank / 2.0, doubled_error / 2.0);
        Some(Difference { match_rate, match_error, mean_rank, mean_rank_error })
    }
}

/// The mean difference of a count and its standard error.
fn mean(first: &[ClusterCounts], second: &[ClusterCounts], of: fn(&ClusterCounts) -> i64) -> (f64, f64) {
    let difference =
        |(one, other): (&ClusterCounts, &ClusterCounts)| [one.choices.into(), of(one) - of(other)];
    clustered_mean(first.iter().zip(second).map(difference))
}

/// The mean of what clusters sum up to, and its standard error, from the size of each cluster and its sum.
/// With the sum `d_g` of cluster `g` and its size `n_g`, the variance of the mean `d` is `sum (d_g - n_g d)^2
/// / (sum n_g)^2`. A single cluster tells none: NaN.
pub(crate) fn clustered_mean(clusters: impl Iterator<Item = [i64; 2]>) -> (f64, f64) {
    let (mut count, mut size, mut sum, [mut nn, mut nd, mut dd]) = (0_u64, 0_i128, 0_i128, [0_i128; 3]);
    for [n, d] in clusters.map(|pair| pair.map(i128::from)) {
        (count, size, sum) = (count + 1, size + n, sum + d);
        (nn, nd, dd) = (nn + n * n, nd + n * d, dd + d * d);
    }
    let size = size.max(1) as f64;
    let mean = sum as f64 / size;
    let scatter = dd as f64 - 2.0 * mean * nd as f64 + mean * mean * nn as f64;
    let error = if count < 2 { f64::NAN } else { scatter.max(0.0).sqrt() / size };
    (mean, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(all: &[(u32, u32, u64)]) -> Vec<ClusterCounts> {
        let counts = |(cluster, &(choices, matched, doubled_rank))| ClusterCounts {
            cluster,
            choices,
            matched,
            doubled_rank,
            ..ClusterCounts::default()
        };
        (0..).zip(all).map(counts).collect()
    }

    #[test]
    fn a_difference_is_that_of_the_means_and_its_error_that_of_the_clusters() {
        let (first, second) = (counts(&[(3, 3, 0), (3, 1, 8)]), counts(&[(3, 0, 6), (3, 1, 8)]));
        let difference = Difference::between(&first, &second).unwrap();
        assert!((difference.match_rate - 0.5).abs() < 1e-12);
        assert!((difference.mean_rank + 0.5).abs() < 1e-12);
        // (3 - 3/2)^2 + (0 - 3/2)^2 = 4.5.
        assert!((difference.match_error - 4.5_f64.sqrt() / 6.0).abs() < 1e-12);
        assert!((difference.mean_rank_error - 18_f64.sqrt() / 12.0).abs() < 1e-12);
        let back = Difference::between(&second, &first).unwrap();
        assert_eq!((back.match_rate, back.match_error), (-difference.match_rate, difference.match_error));
    }

    #[test]
    fn a_single_cluster_tells_no_error() {
        let (first, second) = (counts(&[(30, 20, 0)]), counts(&[(30, 10, 40)]));
        let difference = Difference::between(&first, &second).unwrap();
        assert!(difference.match_error.is_nan() && difference.mean_rank_error.is_nan());
        assert!((difference.match_rate - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn the_same_passes_differ_in_nothing_and_those_over_other_choices_are_not_compared() {
        let same = counts(&[(3, 3, 0), (4, 1, 8)]);
        assert_eq!(Difference::between(&same, &same), Some(Difference::default()));
        let fewer = counts(&[(3, 3, 0), (3, 1, 8)]);
        assert_eq!(
            (Difference::between(&same, &fewer), Difference::between(&same, &same[..1])),
            (None, None)
        );
        assert_eq!(Difference::between(&[], &[]), None);
    }
}
