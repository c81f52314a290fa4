//! What a run is to do, and how each of its fits is solved.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use crate::{
    error::{Error, Result},
    limits::{LARGEST_SIZE, is_size},
    temperature,
};

option_enum! {
    /// Which values the ridge pulls to.
    pub enum RidgeTo {
        /// The present ones: only the step is damped.
        #[default]
        Current,
        /// The priors of the model, those of the start of the run: limits overfitting.
        Start,
    }
}

impl RidgeTo {
    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Strength of the ridge: it holds each parameter like as many rows of one count.
///
/// ```
/// use texam_fit::Ridge;
///
/// assert_eq!("auto".parse::<Ridge>()?, Ridge::Auto);
/// assert_eq!("100".parse::<Ridge>()?, Ridge::Fixed(100.0));
/// assert!("-1".parse::<Ridge>().is_err());
/// # Ok::<(), texam_fit::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ridge {
    /// This strength.
    Fixed(f64),
    /// Of several strengths the one that cross-validation [chooses](crate::RidgePath), in each fit.
    Auto,
}

impl Ridge {
    /// The strengths that are tried in turn; an infinite one changes no weight.
    pub const PATH: [f64; 13] =
        [f64::INFINITY, 1e5, 3e4, 1e4, 3e3, 1e3, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.0];
}

impl Display for Ridge {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Ridge::Fixed(strength) => strength.fmt(f),
            Ridge::Auto => f.pad(AUTO),
        }
    }
}

impl FromStr for Ridge {
    type Err = Error;

    fn from_str(text: &str) -> Result<Ridge> {
        let ridge = if text == AUTO { Some(Ridge::Auto) } else { text.parse().ok().map(Ridge::Fixed) };
        let error =
            || Error::input(format!("a number from 0 to {LARGEST_SIZE:e}, or {AUTO}"), format!("{text:?}"));
        ridge.filter(Ridge::is_usable).ok_or_else(error)
    }
}

impl Ridge {
    fn is_usable(&self) -> bool {
        matches!(self, Ridge::Auto) || matches!(self, Ridge::Fixed(strength) if is_size(*strength))
    }
}

/// So many [steps](FitOptions::inner) let a fit arrive that is not searched again.
pub const ARRIVES: u32 = 1000;

/// The word for a ridge that is chosen.
const AUTO: &str = "auto";

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Plan {
    /// How the equations are solved.
    pub options: FitOptions,
    /// Whether fits keep the spread that the values had at the start.
    pub keep_spread: bool,
    /// Fits to make.
    pub iterations: u32,
    /// Fits without a better pass after which to stop: one with a lower mean rank, or a better number by the
    /// criterion.
    pub patience: Option<u32>,
    /// Whether passes are compared by match and not by mean rank, for an objective with choices.
    pub by_match: bool,
}

/// How the equations of a fit are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FitOptions {
    /// Choices that must touch a parameter for it to be fitted.
    pub min_support: u32,
    /// Strength of the ridge.
    pub ridge: Ridge,
    /// Which values the ridge pulls to.
    pub ridge_to: RidgeTo,
    /// Strength of the smoothing between the changes of neighbouring parameters.
    pub smooth: f64,
    /// Whether standard errors and residuals are computed, which needs a second look at all rows.
    pub errors: bool,
    /// Steps on the rows of a pass, for an objective with a temperature.
    pub inner: u32,
    /// The temperature in units, for an objective that has one; none estimates it from the values of the
    /// start.
    pub temperature: Option<f64>,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            min_support: 20,
            ridge: Ridge::Fixed(100.0),
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
        let ridge = if let Ridge::Fixed(ridge) = self.ridge { ridge } else { 0.0 };
        for (name, found) in [("ridge", ridge), ("smoothing", self.smooth)] {
            if !is_size(found) {
                return Err(Error::Option { name, expected: "from 0 to 1e12", found });
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
            (FitOptions { ridge: Ridge::Fixed(-1.0), ..FitOptions::default() }, "ridge"),
            (FitOptions { smooth: f64::NAN, ..FitOptions::default() }, "smoothing"),
            (FitOptions { inner: 0, ..FitOptions::default() }, "inner steps"),
            (FitOptions { temperature: Some(0.0), ..FitOptions::default() }, "temperature"),
        ];
        for (options, name) in wrong {
            assert!(options.validate().unwrap_err().to_string().contains(name));
        }
    }

    #[test]
    fn a_ridge_is_read_back_from_its_text() {
        for (ridge, text) in [(Ridge::Fixed(100.0), "100"), (Ridge::Fixed(0.5), "0.5"), (Ridge::Auto, "auto")]
        {
            assert_eq!((ridge.to_string(), text.parse::<Ridge>().unwrap()), (text.to_string(), ridge));
        }
        for wrong in ["-1", "inf", "NaN", "automatic", ""] {
            assert!(wrong.parse::<Ridge>().is_err(), "{wrong}");
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
