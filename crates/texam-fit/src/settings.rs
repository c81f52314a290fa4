//! The options of a fit as texts, for command lines and for other languages.

use std::{fmt::Display, str::FromStr};

use strum::VariantNames;

use crate::{
    error::{Error, Result},
    limits::{LARGEST_SIZE, is_size},
    objective::{
        self, Balance, Forces, Logistic, Loss, Method,
        ObjectiveName::{self, Force, Logistic as Logit, Pairs, Softmax},
    },
    plan::{FitOptions, Plan, RidgeTo},
    temperature::USABLE,
};

/// An objective with its options and those of its equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// What is fitted.
    pub objective: ObjectiveName,
    /// The force; its strength is that of [`method`](Settings::method).
    pub forces: Forces,
    /// Strength of the force; none is the default of the force.
    pub strength: Option<f64>,
    /// Whether fits keep the spread that the values had at the start.
    pub variance: bool,
    /// The loss of labelled rows.
    pub loss: Loss,
    /// How the equations are solved.
    pub solving: FitOptions,
}

impl Default for Settings {
    fn default() -> Settings {
        let (objective, forces, solving) = Default::default();
        Settings { objective, forces, strength: None, variance: true, loss: Loss::default(), solving }
    }
}

impl Settings {
    /// The objective.
    pub fn method(&self) -> Method {
        match self.objective {
            Force => Method::Force(Forces { strength: self.strength(), ..self.forces }),
            Softmax => Method::Softmax(crate::Softmax),
            Pairs => Method::Pairs(crate::Pairs),
            Logit => Method::Logistic(Logistic { loss: self.loss }),
        }
    }

    /// Strength of the force in units.
    pub fn strength(&self) -> f64 {
        self.strength.unwrap_or(self.forces.force.default_strength())
    }

    /// A run of this number of fits.
    pub fn plan(&self, iterations: u32) -> Plan {
        let keep_spread = self.variance && self.objective == Force;
        Plan { options: self.solving, keep_spread, iterations, ..Plan::default() }
    }

    /// Gives an option the value of a text.
    ///
    /// # Errors
    ///
    /// Another value than the option takes, or one that does not belong to the objective.
    pub fn set(&mut self, option: &FitOption, text: &str) -> Result<()> {
        if option.name != "objective" && !option.objectives.contains(&self.objective) {
            let owners: Vec<&str> = option.objectives.iter().map(Into::into).collect();
            let why = format!("objective {}, because it belongs to {}", self.objective, owners.join(", "));
            return Err(Error::input(format!("none with {why}"), text));
        }
        (option.set)(self, text)
    }
}

/// An option of a fit.
pub struct FitOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// The objectives that it belongs to.
    pub objectives: &'static [ObjectiveName],
    /// What stands for its value in a help text.
    pub value_name: &'static str,
    /// What it means, and the default where that is no value.
    pub help: &'static str,
    /// The values that there are, if it takes no others.
    pub values: &'static [&'static str],
    /// The text of its value; none if it has none.
    pub text: fn(&Settings) -> Option<String>,
    /// Gives it the value of a text, whether or not it belongs to the objective.
    pub set: fn(&mut Settings, &str) -> Result<()>,
}

const ALL: &[ObjectiveName] = &[Force, Softmax, Pairs, Logit];
const FORCE: &[ObjectiveName] = &[Force];
const NEWTON: &[ObjectiveName] = &[Softmax, Pairs, Logit];
/// The values of a switch.
pub const SWITCH: &[&str] = &["on", "off"];

/// Makes the table of options, each by name, objectives, value in the help, field, the functions that print
/// and read it, the values that there are, and help.
macro_rules! options {
    ($($name:literal, $objectives:expr, $value_name:literal, $($field:ident).+, $text:expr, $read:expr, $values:expr, $help:literal;)*) => {
        [$(FitOption {
            name: $name,
            objectives: $objectives,
            value_name: $value_name,
            help: $help,
            values: $values,
            text: |all| $text(&all.$($field).+),
            set: |all, text| $read(text).map(|value| all.$($field).+ = value),
        }),*]
    };
}

/// The options of a fit. They are set in this order, the objective first.
pub static FIT_OPTIONS: [FitOption; 14] = options! {
    "objective", ALL, "NAME", objective, shown, str::parse, ObjectiveName::VARIANTS,
        "What is fitted: force, softmax, pairs or logistic";
    "force", FORCE, "NAME", forces.force, shown, str::parse, objective::Force::VARIANTS,
        "Kind of force: none, constant, linear, quadratic, sqrt, log, reciprocal or rank";
    "strength", FORCE, "F", strength, shown_optional, strength, &[],
        "Strength of the force in 1/128 pawn [default: by measurement, for each force]";
    "scale", FORCE, "S", forces.scale, shown, positive, &[],
        "Miss at which the forces are equal, in 1/128 pawn";
    "balance", FORCE, "WHO", forces.balance, shown, str::parse, Balance::VARIANTS,
        "Alternatives whose targets are lowered to balance the force: all, ahead or none";
    "variance", FORCE, "SWITCH", variance, switch_text, read_switch, SWITCH,
        "Keep the spread of the values: on or off";
    "loss", &[Logit], "NAME", loss, shown, str::parse, Loss::VARIANTS,
        "Loss of logistic: cross-entropy or squared";
    "temperature", NEWTON, "T", solving.temperature, shown_optional, temperature, &[],
        "Temperature of softmax and pairs, scale of logistic, in 1/128 pawn [default: estimated from the start]";
    "inner", NEWTON, "N", solving.inner, shown, from_1, &[],
        "Steps on the rows of a pass, for softmax, pairs and logistic [default: 4; until none lowers the loss with a file of rows and for logistic]";
    "min-support", ALL, "N", solving.min_support, shown, from_0, &[],
        "Positions that must touch a weight for it to be fitted";
    "ridge", ALL, "R", solving.ridge, shown, str::parse, &[],
        "Strength of the ridge; auto chooses it by cross-validation over groups of games";
    "ridge-to", ALL, "WEIGHTS", solving.ridge_to, shown, str::parse, RidgeTo::VARIANTS,
        "Weights towards which the ridge pulls: current or start";
    "smooth", ALL, "L", solving.smooth, shown, not_negative, &[],
        "Strength of the smoothing between neighbouring free cells";
    "errors", ALL, "SWITCH", solving.errors, switch_text, read_switch, SWITCH,
        "Standard errors of the weights: on or off";
};

fn shown(value: &impl Display) -> Option<String> {
    Some(value.to_string())
}

fn shown_optional(number: &Option<f64>) -> Option<String> {
    number.map(|number| number.to_string())
}

/// The text of a switch.
pub fn switch_text(is_on: &bool) -> Option<String> {
    Some(if *is_on { "on" } else { "off" }.to_string())
}

/// The switch of a text.
///
/// # Errors
///
/// The text is neither `on` nor `off`.
pub fn read_switch(text: &str) -> Result<bool> {
    let is_known = SWITCH.contains(&text);
    is_known.then_some(text == "on").ok_or_else(|| Error::input("on or off", format!("{text:?}")))
}

fn from_0(text: &str) -> Result<u32> {
    read_number(text, |_| true, "a whole number, 0 or more")
}

fn from_1(text: &str) -> Result<u32> {
    read_number(text, |&number| number > 0, "a whole number, 1 or more")
}

fn not_negative(text: &str) -> Result<f64> {
    read_number(text, |&size| is_size(size), format!("a number from 0 to {LARGEST_SIZE:e}"))
}

fn positive(text: &str) -> Result<f64> {
    let is_usable = |size: &f64| is_size(*size) && *size > 0.0;
    read_number(text, is_usable, format!("a number above 0, up to {LARGEST_SIZE:e}"))
}

fn strength(text: &str) -> Result<Option<f64>> {
    let expected = format!("a number from 0 to {LARGEST_SIZE:e}, or none for that of the force");
    optional(text, |&size| is_size(size), expected)
}

fn temperature(text: &str) -> Result<Option<f64>> {
    let [least, most] = USABLE;
    let expected = format!("a number from {least} to {most}, or none to estimate it");
    optional(text, |temperature| (least..=most).contains(temperature), expected)
}

fn optional(text: &str, is_usable: impl Fn(&f64) -> bool, expected: String) -> Result<Option<f64>> {
    if text == "none" { Ok(None) } else { read_number(text, is_usable, expected).map(Some) }
}

/// The number of a text.
///
/// # Errors
///
/// The text is no usable number.
pub fn read_number<T: FromStr>(
    text: &str,
    is_usable: impl Fn(&T) -> bool,
    expected: impl Into<String>,
) -> Result<T> {
    let number: Option<T> = text.parse().ok();
    let found = match text {
        "" => "nothing".to_string(),
        // All digits and no number: there are too many.
        digits if number.is_none() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{digits:?}, which is too large")
        }
        other => format!("{other:?}"),
    };
    number.filter(is_usable).ok_or_else(|| Error::input(expected, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_values_and_refuses_others_for_the_objectives_that_it_belongs_to() {
        let good = [
            "pairs", "sqrt", "7.5", "16", "ahead", "off", "squared", "40", "9", "3", "auto", "start", "5",
            "off",
        ];
        let bad = ["x", "x", "-1", "0", "x", "yes", "x", "0", "0", "-2", "nan", "x", "inf", "1"];
        for ((option, good), bad) in FIT_OPTIONS.iter().zip(good).zip(bad) {
            let FitOption { name, objectives, .. } = option;
            for &objective in ALL {
                let mut settings = Settings { objective, ..Settings::default() };
                let before = settings;
                let wrong = settings.set(option, bad).unwrap_err().to_string();
                assert!(wrong.starts_with("expected ") && wrong.contains(bad), "{name}: {wrong}");
                let is_own = objectives.contains(&objective);
                assert_eq!(wrong.contains("it belongs to"), !is_own, "{name} {objective}: {wrong}");
                assert_eq!(settings.set(option, good).is_ok(), is_own, "{name} {objective}");
                assert_eq!(settings != before, is_own && good != objective.to_string(), "{name} {objective}");
                assert!(!is_own || (option.text)(&settings).as_deref() == Some(good), "{name}");
            }
        }
    }

    #[test]
    fn a_force_has_its_own_strength_until_one_is_given() {
        let mut settings = Settings::default();
        settings.set(&FIT_OPTIONS[1], "constant").unwrap();
        assert_eq!(settings.strength(), 64.0);
        settings.set(&FIT_OPTIONS[2], "7").unwrap();
        assert!(matches!(settings.method(), Method::Force(Forces { strength: 7.0, .. })));
    }
}
