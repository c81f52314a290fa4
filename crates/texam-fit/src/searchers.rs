//! How a fit asks for sums over the choices. One process answers in [`local`](crate::local), and several processes answer
//! in [`team`](crate::team).

use serde::{Deserialize, Serialize};

use crate::{agreement::ClusterSets, collect::Purpose, error::Result, grid::Grid};

/// A request for sums over the choices that a pass has kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum SumRequest {
    /// The slopes of the loss with respect to the inverse of the temperature.
    Slopes { temperature: f64 },
    /// The loss of the choices fitted, or of those held out, where all parameters of the model have changed by so much from
    /// their values in the pass; none for no change.
    Loss { temperature: f64, held_out: bool, changes: Option<Vec<f64>> },
    /// The equations where the tuned columns have these values, in units.
    Point { temperature: f64, values: Vec<f64> },
    /// The scores of the clusters.
    Scores(Residuals),
}

/// How the residual of a row is formed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Residuals {
    /// That of the linear equations.
    Linear {
        /// Share of the deviations that the rows are to be moved by.
        compensation: f64,
        /// [Changes](crate::descent::changes) of all parameters of the model from their values in the pass.
        changes: Vec<f64>,
    },
    /// The pull at the solution, times the temperature.
    Pulls {
        temperature: f64,
        /// [Changes](crate::descent::changes) of all parameters of the model from their values in the pass.
        changes: Vec<f64>,
    },
}

impl Residuals {
    /// The temperature; 1 for those of the linear equations.
    pub fn temperature(&self) -> f64 {
        match self {
            Residuals::Linear { .. } => 1.0,
            Residuals::Pulls { temperature, .. } => *temperature,
        }
    }
}

/// Searches all that a run is made from, on one process or on several. The results are sums over all choices, as
/// [numbers](crate::numbers).
pub(crate) trait Searchers {
    /// Searches everything where the parameters of the model have these values. No result where it was cancelled.
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>>;

    /// The grids of the rows of the last pass, where they are given and not counted by a search.
    fn grids(&self) -> Option<Vec<Grid>>;

    /// Sums over the choices that the last pass has kept.
    fn sums(&self, request: &SumRequest) -> Result<Vec<i128>>;

    /// What the clusters of the last pass count, in any order.
    fn clusters(&self) -> Result<ClusterSets>;
}
