//! The weights of another program as JSON and CSV.

use serde::Serialize;

use super::super::{PROGRAM, csv};
use crate::{
    error::Result,
    run::{json_text, stat::FittedWeight},
};

const COLUMNS: [&str; 9] = ["weight", "from", "to", "se_run", "se_step", "support", "games", "held", "tuned"];

#[derive(Serialize)]
struct TableObject<'a> {
    format: &'static str,
    version: u32,
    program: &'static str,
    file: &'a str,
    /// The step of the values; null if they are not rounded.
    round: Option<f64>,
    weights: &'a [FittedWeight],
}

/// One JSON object.
pub fn json(weights: &[FittedWeight], file: &str, round: Option<f64>) -> Result<String> {
    json_text(&TableObject { format: "texam-weights", version: 1, program: PROGRAM, file, round, weights })
}

/// A line for each weight.
pub fn csv(weights: &[FittedWeight]) -> String {
    let row = |weight: &FittedWeight| {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        csv::line(&[
            weight.weight.clone(),
            number(weight.from),
            weight.to.to_string(),
            number(weight.se_run),
            number(weight.se_step),
            weight.support.map_or(String::new(), |count| count.to_string()),
            weight.games.map_or(String::new(), |count| count.to_string()),
            number(weight.held),
            if weight.tuned { "yes" } else { "no" }.to_string(),
        ])
    };
    csv::line(&COLUMNS.map(str::to_string)) + &weights.iter().map(row).collect::<String>()
}
