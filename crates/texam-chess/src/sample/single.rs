//! One fit of some positions under given weights.

use texam_fit::{Fit, FitOptions, Forces, Measured, Model, Result, fit_once};

use super::{PositionSource, Sampling, Tick};
use crate::{game::WinnerPosition, parameters::Parameters};

/// One fit of some positions, and what was measured on them.
#[derive(Debug, Clone)]
pub struct SingleFit {
    /// The model of the weights that were fitted.
    pub model: Model,
    /// The fit.
    pub fit: Fit,
    /// The agreement, and what each game counts.
    pub measured: Measured,
}

impl SingleFit {
    /// Fits weights to positions. No result where `tick` says no.
    ///
    /// # Errors
    ///
    /// Nothing to fit, or a fit that fails.
    pub fn of(
        positions: &[WinnerPosition],
        parameters: &Parameters,
        sampling: &Sampling,
        (forces, options): (&Forces, &FitOptions),
        tick: Tick,
    ) -> Result<Option<SingleFit>> {
        forces.validate()?;
        let mut source = PositionSource::new([positions, &[]], parameters, *sampling, tick);
        let fit = fit_once(&mut source, forces, parameters.model(), options)?;
        Ok(fit.map(|(measured, fit)| SingleFit { model: parameters.model().clone(), fit, measured }))
    }
}
