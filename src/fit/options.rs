//! How to fit: the options of the method that concern the mathematics, by the names of the command line.
//!
//! Defaults follow the record of 1988 where it speaks, and measurement where it does not. What the
//! options mean is said where they act; here they are only held and checked.

use std::{fmt, str::FromStr};

use super::{
    force::{Balance, Force, Forces},
    rows::Targets,
    variance,
};
use crate::error::{Error, Result};

/// Which weights the ridge holds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RidgeTo {
    /// The present ones: only the step is damped.
    #[default]
    Current,
    /// Those of the start of the run, which limits overfitting.
    Start,
}

impl RidgeTo {
    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            RidgeTo::Current => "current",
            RidgeTo::Start => "start",
        }
    }
}

impl fmt::Display for RidgeTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for RidgeTo {
    type Err = Error;

    fn from_str(name: &str) -> Result<RidgeTo> {
        [RidgeTo::Current, RidgeTo::Start]
            .into_iter()
            .find(|to| to.name() == name)
            .ok_or_else(|| Error::expected("current or start", format!("{name:?}")))
    }
}

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// How the force depends on the miss.
    pub force: Force,
    /// Its size at a miss of `scale`, in units.
    pub strength: f64,
    /// The miss at which it has that size, in units.
    pub scale: f64,
    /// Who pays for it.
    pub balance: Balance,
    /// The spread of the values at the start, in units, which is to be kept; none to let it go.
    pub variance: Option<f64>,
    /// Positions that must touch a weight for it to be fitted.
    pub min_support: u32,
    /// Strength of the ridge: rows of a single count, so to speak, that hold each weight.
    pub ridge: f64,
    /// What the ridge holds the weights to.
    pub ridge_to: RidgeTo,
    /// Strength of the smoothing between the changes of neighbouring free cells.
    pub smooth: f64,
}

impl Default for FitOptions {
    /// The linear force at its default strength, balanced over all, with a ridge on the step.
    fn default() -> FitOptions {
        FitOptions {
            force: Force::Linear,
            strength: Force::Linear.default_strength(),
            scale: 32.0,
            balance: Balance::All,
            variance: None,
            min_support: 20,
            ridge: 100.0,
            ridge_to: RidgeTo::Current,
            smooth: 0.0,
        }
    }
}

impl FitOptions {
    /// The same options without anything that would move the weights: the identity must hold.
    pub fn identity(self) -> FitOptions {
        FitOptions { force: Force::None, variance: None, ridge_to: RidgeTo::Current, ..self }
    }

    /// Checks that every option is a sensible number.
    ///
    /// # Errors
    ///
    /// Names the first option that is no sensible number.
    pub fn validate(&self) -> Result<()> {
        let spread = self.variance.unwrap_or(0.0);
        let sizes = [
            ("--strength", self.strength),
            ("--ridge", self.ridge),
            ("--smooth", self.smooth),
            ("spread", spread),
        ];
        for (name, value) in sizes {
            if !value.is_finite() || value < 0.0 {
                return Err(Error::expected(format!("a {name} of 0 or more"), value));
            }
        }
        if !self.scale.is_finite() || self.scale <= 0.0 {
            return Err(Error::expected("a --scale above 0", self.scale));
        }
        Ok(())
    }

    /// What is to be added to values that now have this `spread`, in units.
    pub(super) fn targets(&self, spread: f64) -> Targets {
        let FitOptions { force, strength, scale, balance, .. } = *self;
        let compensation = self.variance.map_or(0.0, |start| variance::compensation(start, spread));
        Targets { forces: Forces { force, strength, scale, balance }, compensation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_sensible_and_what_is_not_is_named() {
        FitOptions::default().validate().unwrap();
        let wrong = [
            (FitOptions { ridge: -1.0, ..FitOptions::default() }, "--ridge"),
            (FitOptions { scale: 0.0, ..FitOptions::default() }, "--scale"),
            (FitOptions { strength: f64::NAN, ..FitOptions::default() }, "--strength"),
        ];
        for (options, name) in wrong {
            assert!(options.validate().unwrap_err().to_string().contains(name));
        }
    }

    #[test]
    fn what_the_ridge_holds_to_is_read_back_by_its_name() {
        for to in [RidgeTo::Current, RidgeTo::Start] {
            assert_eq!(to.to_string().parse::<RidgeTo>().unwrap(), to);
        }
        assert!("end".parse::<RidgeTo>().is_err());
    }
}
