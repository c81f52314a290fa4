//! A weight of another program with what the record of a run tells of it.

use serde::Serialize;
use texam_fit::Parameter;

/// A weight of another program.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FittedWeight {
    /// Its name.
    pub weight: String,
    /// Its value at the start of the run; none without the record of a run.
    pub from: Option<f64>,
    /// Its value.
    pub to: f64,
    /// Standard error of the whole run; none where no groups were left out.
    pub se_run: Option<f64>,
    /// Standard error of the step of the last fit; none if that did not solve for the weight.
    pub se_step: Option<f64>,
    /// Positions that bear on it in the last fit.
    pub support: Option<u32>,
    /// Games that do.
    pub games: Option<u64>,
    /// Share of its free step that the ridge held back in the last fit.
    pub held: Option<f64>,
    /// Whether a fit may change it.
    pub tuned: bool,
    /// Standard deviation of its count over the rows of the last fit; none where the record does not tell it.
    #[serde(skip)]
    pub deviation: Option<f64>,
}

impl FittedWeight {
    /// A weight of which no record is known.
    pub fn of(parameter: &Parameter) -> FittedWeight {
        FittedWeight {
            weight: parameter.name.clone(),
            to: parameter.value,
            tuned: parameter.tune,
            ..FittedWeight::default()
        }
    }
}
