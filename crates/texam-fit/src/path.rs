//! Strengths of the ridge that are tried, and the one that the choices held out choose.

use serde::{Deserialize, Serialize};

/// The losses along a path of ridges.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RidgePath {
    /// Each strength that was tried, and the mean loss of the choices held out after a fit with it.
    pub losses: Vec<[f64; 2]>,
}

impl RidgePath {
    /// The strength with the lowest loss; the strongest of equals. None where none was tried.
    pub fn chosen(&self) -> Option<f64> {
        let lowest = self.losses.iter().rev().min_by(|a, b| a[1].total_cmp(&b[1]));
        lowest.map(|&[strength, _]| strength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strength_with_the_lowest_loss_is_chosen_and_the_strongest_of_equals() {
        let path = |losses: &[[f64; 2]]| RidgePath { losses: losses.to_vec() }.chosen();
        assert_eq!(path(&[[0.0, 2.0], [1.0, 1.5], [3.0, 1.7]]), Some(1.0));
        assert_eq!(path(&[[0.0, 1.5], [1.0, 1.5], [3.0, 1.5]]), Some(3.0));
        assert_eq!(path(&[]), None);
    }
}
