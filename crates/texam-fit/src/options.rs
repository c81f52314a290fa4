//! How a fit is solved.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::{
    error::{Error, Result, unknown_name},
    temperature,
};

/// Which values the ridge pulls to.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = Error, parse_err_fn = unknown_name::<RidgeTo>)]
pub enum RidgeTo {
    /// The present ones: only the step is damped.
    #[default]
    Current,
    /// The priors of the model, those of the start of the run: limits overfitting.
    Start,
}

impl RidgeTo {
    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How the equations of a fit are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// Choices that must touch a parameter for it to be fitted.
    pub min_support: u32,
    /// Strength of the ridge: it holds each parameter like as many rows of one count.
    pub ridge: f64,
    /// Which values the ridge pulls to.
    pub ridge_to: RidgeTo,
    /// Strength of the smoothing between the changes of neighbouring parameters.
    pub smooth: f64,
    /// Whether standard errors and residuals are computed, which needs a second look at all rows.
    pub errors: bool,
    /// Steps on the rows of a pass, for an objective with a temperature.
    pub inner: u32,
    /// The temperature in units, for an objective that has one; none estimates it from the values of the start.
    pub temperature: Option<f64>,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            min_support: 20,
            ridge: 100.0,
            ridge_to: RidgeTo::Current,
            smooth: 0.0,
            errors: true,
            inner: 4,
            temperature: None,
        }
    }
}

impl FitOptions {
    /// Checks that every option is a usable number.
    ///
    /// # Errors
    ///
    /// Names the first option that is not.
    pub fn validate(&self) -> Result<()> {
        for (name, found) in [("ridge", self.ridge), ("smoothing", self.smooth)] {
            if !found.is_finite() || found < 0.0 {
                return Err(Error::Option { name, expected: "of 0 or more", found });
            }
        }
        if self.inner == 0 {
            return Err(Error::Option {
                name: "number of inner steps",
                expected: "of 1 or more",
                found: 0.0,
            });
        }
        self.temperature.map_or(Ok(()), temperature::validate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_usable_and_an_option_that_is_not_is_named() {
        FitOptions::default().validate().unwrap();
        let wrong = [
            (FitOptions { ridge: -1.0, ..FitOptions::default() }, "ridge"),
            (FitOptions { smooth: f64::NAN, ..FitOptions::default() }, "smoothing"),
            (FitOptions { inner: 0, ..FitOptions::default() }, "inner steps"),
            (FitOptions { temperature: Some(0.0), ..FitOptions::default() }, "temperature"),
        ];
        for (options, name) in wrong {
            assert!(options.validate().unwrap_err().to_string().contains(name));
        }
    }

    #[test]
    fn what_the_ridge_pulls_to_is_read_back_by_its_name() {
        for to in [RidgeTo::Current, RidgeTo::Start] {
            assert_eq!(to.to_string().parse::<RidgeTo>().unwrap(), to);
        }
        assert!("end".parse::<RidgeTo>().is_err());
    }
}
