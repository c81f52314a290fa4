//! The options of an objective and of its equations as texts, for command lines and for other languages.

use std::str::FromStr;

use crate::{
    error::{Error, Result},
    limits::{LARGEST_SIZE, is_size},
    objective::{
        Forces, Logistic, Loss, Method,
        ObjectiveName::{self, Force, Logistic as Logit, Pairs, Softmax},
    },
    plan::FitOptions,
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

const ALL: &[ObjectiveName] = &[Force, Softmax, Pairs, Logit];
const NEWTON: &[ObjectiveName] = &[Softmax, Pairs, Logit];

impl Settings {
    /// The options by name, and the objectives that each belongs to. They are set in this order.
    pub const OPTIONS: [(&str, &[ObjectiveName]); 14] = [
        ("objective", ALL),
        ("force", &[Force]),
        ("strength", &[Force]),
        ("scale", &[Force]),
        ("balance", &[Force]),
        ("variance", &[Force]),
        ("loss", &[Logit]),
        ("temperature", NEWTON),
        ("inner", NEWTON),
        ("min-support", ALL),
        ("ridge", ALL),
        ("ridge-to", ALL),
        ("ridge-scale", ALL),
        ("errors", ALL),
    ];

    /// Gives an option the value of a text.
    ///
    /// # Errors
    ///
    /// Another value than the option takes, or one that does not belong to the objective.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let option = Self::OPTIONS.iter().find(|(known, _)| *known == name);
        let (_, owners) = option.ok_or_else(|| Error::input("an option of a fit", format!("{name:?}")))?;
        if name != "objective" && !owners.contains(&self.objective) {
            let owners: Vec<&str> = owners.iter().map(Into::into).collect();
            let why = format!("objective {}, because it belongs to {}", self.objective, owners.join(", "));
            return Err(Error::input(format!("none with {why}"), text));
        }
        let Settings { objective, forces, strength, variance, loss, solving } = self;
        match name {
            "objective" => *objective = text.parse()?,
            "force" => forces.force = text.parse()?,
            "strength" => *strength = Some(size(text, is_size, "from 0 to")?),
            "scale" => forces.scale = size(text, |size| is_size(size) && size > 0.0, "above 0, up to")?,
            "balance" => forces.balance = text.parse()?,
            "variance" => *variance = switch(text)?,
            "loss" => *loss = text.parse()?,
            "temperature" => {
                let [least, most] = USABLE;
                let is_usable = |temperature: &f64| (least..=most).contains(temperature);
                solving.temperature =
                    Some(value(text, is_usable, format!("a number from {least} to {most}"))?);
            }
            "inner" => solving.inner = value(text, |&steps| steps > 0, "a whole number, 1 or more")?,
            "min-support" => solving.min_support = value(text, |_| true, "a whole number, 0 or more")?,
            "ridge" => solving.ridge = text.parse()?,
            "ridge-to" => solving.ridge_to = text.parse()?,
            "ridge-scale" => solving.ridge_scale = text.parse()?,
            _ => solving.errors = switch(text)?,
        }
        Ok(())
    }

    /// The objective.
    pub fn method(&self) -> Method {
        let strength = self.strength.unwrap_or(self.forces.force.default_strength());
        match self.objective {
            Force => Method::Force(Forces { strength, ..self.forces }),
            Softmax => Method::Softmax(crate::Softmax),
            Pairs => Method::Pairs(crate::Pairs),
            Logit => Method::Logistic(Logistic { loss: self.loss }),
        }
    }
}

fn value<T: FromStr>(text: &str, is_usable: impl Fn(&T) -> bool, expected: impl Into<String>) -> Result<T> {
    let value = text.parse().ok().filter(is_usable);
    value.ok_or_else(|| Error::input(expected, format!("{text:?}")))
}

fn size(text: &str, is_usable: fn(f64) -> bool, range: &str) -> Result<f64> {
    value(text, |&size| is_usable(size), format!("a number {range} {LARGEST_SIZE:e}"))
}

fn switch(text: &str) -> Result<bool> {
    value(text, |word: &String| word == "on" || word == "off", "on or off").map(|word| word == "on")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_values_and_refuses_others_for_the_objectives_that_it_belongs_to() {
        let good = [
            "pairs", "sqrt", "7.5", "16", "ahead", "off", "squared", "40", "9", "3", "auto", "start",
            "column", "off",
        ];
        let bad = ["x", "x", "-1", "0", "x", "yes", "x", "0", "0", "-2", "nan", "x", "x", "1"];
        for (((name, owners), good), bad) in Settings::OPTIONS.into_iter().zip(good).zip(bad) {
            for &objective in ALL {
                let mut settings = Settings { objective, ..Settings::default() };
                let before = settings;
                let wrong = settings.set(name, bad).unwrap_err().to_string();
                assert!(wrong.starts_with("expected ") && wrong.contains(bad), "{name}: {wrong}");
                let is_own = owners.contains(&objective);
                assert_eq!(wrong.contains("it belongs to"), !is_own, "{name} {objective}: {wrong}");
                assert_eq!(
                    (settings.set(name, good).is_ok(), settings != before),
                    (is_own, is_own),
                    "{name}"
                );
            }
        }
        assert!(Settings::default().set("depth", "1").unwrap_err().to_string().contains("\"depth\""));
    }

    #[test]
    fn a_force_has_its_own_strength_until_one_is_given() {
        let mut settings = Settings::default();
        settings.set("force", "constant").unwrap();
        let strength = |settings: &Settings| match settings.method() {
            Method::Force(forces) => forces.strength,
            other => panic!("{other:?}"),
        };
        assert_eq!(strength(&settings), 64.0);
        settings.set("strength", "7").unwrap();
        assert_eq!(strength(&settings), 7.0);
    }
}
