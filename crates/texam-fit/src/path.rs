//! Strengths of the ridge that are tried, and the one that cross-validation chooses.
//!
//! The clusters are dealt out to [`FOLDS`] groups. For each strength and each group a fit to the other groups
//! is measured on it, so that each cluster has a loss by weights that have not seen it. The choice is the
//! strongest ridge whose loss is not clearly above the lowest: by at most [`STANDARD_ERRORS`] standard errors
//! of the difference, paired by cluster. The rule is that of one standard error (L. Breiman and others,
//! Classification and Regression Trees, 1984; T. Hastie and others, The Elements of Statistical Learning,
//! 2009, 7.10), with two of them, as everywhere here for a clear difference: docs/FOREIGN.md has the
//! matches that decided it.

use serde::{Deserialize, Serialize};

use crate::loss::{ClusterLosses, MeanLoss};

/// Groups of clusters, each of which is left out once.
pub const FOLDS: usize = 5;

/// Clusters that it takes at least: with fewer the groups say nothing.
pub const FEWEST_CLUSTERS: usize = 10;

/// By how many standard errors the loss of the choice may be above the lowest.
const STANDARD_ERRORS: f64 = 2.0;

/// Weaker ridges are not tried once the loss is above the lowest by more than so many standard errors.
const CLEARLY_WORSE: f64 = 3.0;

/// A strength that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RidgeLoss {
    /// The strength; none is an infinite one, which changes no weight.
    pub ridge: Option<f64>,
    /// Mean loss of the clusters by weights that have not seen them.
    pub loss: f64,
    /// The loss less the lowest one, with the standard error of this difference.
    pub above: MeanLoss,
}

impl RidgeLoss {
    /// The strength as text.
    pub fn strength(&self) -> String {
        self.ridge.map_or("infinite".to_string(), |ridge| ridge.to_string())
    }
}

/// The losses along a path of ridges, from the strongest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RidgePath {
    /// Each strength that was tried; none where none was to be chosen.
    pub tried: Vec<RidgeLoss>,
}

impl RidgePath {
    /// The curve of these losses, whose clusters are in the same order.
    pub(crate) fn of(losses: &[(Option<f64>, ClusterLosses)]) -> RidgePath {
        let mean = |losses: &ClusterLosses| MeanLoss::of(losses).unwrap_or_default().mean;
        let lowest = losses.iter().min_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1)));
        let tried = |(ridge, losses): &(Option<f64>, ClusterLosses)| {
            let above = MeanLoss::of_change(losses, &lowest?.1)?;
            Some(RidgeLoss { ridge: *ridge, loss: mean(losses), above })
        };
        RidgePath { tried: losses.iter().filter_map(tried).collect() }
    }

    /// Why the ridge is that, in words.
    pub fn reason(&self) -> Option<String> {
        let (chosen, lowest) = (self.chosen()?, self.lowest()?);
        let lower = format!("lowest at {}, not clearly lower", lowest.strength());
        Some(match chosen.ridge {
            None if chosen == lowest => "infinite, the lowest loss, so these games show no gain".to_string(),
            Some(ridge) if chosen == lowest => format!("{ridge}, the lowest loss"),
            None => format!("infinite, since these games show no clear gain ({lower})"),
            Some(ridge) => format!("{ridge} ({lower})"),
        })
    }

    /// Whether the weakest ridge tried so far is clearly worse than another one.
    pub(crate) fn is_past_lowest(&self) -> bool {
        self.tried.last().is_some_and(|last| last.above.mean > CLEARLY_WORSE * last.above.error)
    }

    /// The ridge with the lowest loss.
    pub fn lowest(&self) -> Option<RidgeLoss> {
        self.tried.iter().copied().find(|tried| tried.above.mean == 0.0)
    }

    /// The choice: the strongest whose loss is not clearly above the lowest. None where none was to be
    /// chosen.
    pub fn chosen(&self) -> Option<RidgeLoss> {
        let is_near = |tried: &&RidgeLoss| tried.above.mean <= STANDARD_ERRORS * tried.above.error;
        self.tried.iter().find(is_near).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{loss::ClusterLoss, units::ONE};

    /// A path whose clusters have these losses.
    fn path(losses: &[(Option<f64>, [f64; 3])]) -> RidgePath {
        let clusters = |losses: [f64; 3]| {
            let loss = |(cluster, loss): (u64, f64)| ClusterLoss {
                cluster,
                weight: ONE,
                loss: (loss * ONE as f64) as i64,
            };
            (0..).zip(losses).map(loss).collect()
        };
        RidgePath::of(&losses.iter().map(|&(ridge, losses)| (ridge, clusters(losses))).collect::<Vec<_>>())
    }

    #[test]
    fn the_strongest_ridge_that_is_not_clearly_above_the_lowest_is_chosen() {
        let found = path(&[(None, [5.0; 3]), (Some(30.0), [2.0, 1.0, 4.0]), (Some(3.0), [1.0, 2.0, 3.0])]);
        // Above the lowest by 1, -1 and 1: 1/3 with an error of sqrt(24)/9.
        let thirty = found.chosen().unwrap();
        assert_eq!((thirty.ridge, thirty.above.mean, thirty.above.error), (Some(30.0), 0.333333, 0.544331));
        assert_eq!(found.lowest().unwrap().ridge, Some(3.0));
        let clear = path(&[(None, [5.0; 3]), (Some(30.0), [2.0, 3.0, 4.1]), (Some(3.0), [1.0, 2.0, 3.0])]);
        assert_eq!(clear.chosen().unwrap().ridge, Some(3.0));
        assert_eq!(RidgePath::default().chosen(), None);
    }

    #[test]
    fn no_change_is_chosen_where_no_ridge_shows_a_gain() {
        let found = path(&[(None, [1.0, 2.0, 3.0]), (Some(3.0), [2.0, 1.0, 2.9])]);
        assert_eq!((found.chosen().unwrap().ridge, found.lowest().unwrap().ridge), (None, Some(3.0)));
        assert!(!found.is_past_lowest());
        assert!(path(&[(None, [1.0, 2.0, 3.0]), (Some(3.0), [3.0, 4.0, 5.1])]).is_past_lowest());
    }
}
