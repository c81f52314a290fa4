//! Exports of the weights of another program: constants under the author's own names, or data.
//!
//! Weights whose names end in `.o` and `.e` become one pair, weights `name[0]`, `name[1]`, .. an array, with further indices an
//! array of arrays, and weights of all squares, `name_a1` to `name_h8`, an array from a1 by ranks.

mod code;
mod data;
mod group;

use super::Format;
use crate::{error::Result, run::stat::FittedWeight};

/// Digits after the point that rounded values keep.
const DECIMALS: i32 = 9;

/// The text of an export: weights from the file called `name`, rounded to multiples of `step`, above 0, if
/// there is one. Names of constants begin with `prefix`.
pub fn text(
    mut weights: Vec<FittedWeight>,
    name: &str,
    format: Format,
    step: Option<f64>,
    prefix: Option<&str>,
) -> Result<String> {
    if let Some(step) = step {
        weights.iter_mut().for_each(|weight| weight.to = rounded(weight.to, step));
    }
    match format {
        Format::C => Ok(code::text(&code::C, &weights, name, step, prefix)),
        Format::Rust => Ok(code::text(&code::RUST, &weights, name, step, prefix)),
        Format::Json => data::json(&weights, name, step),
        Format::Csv => Ok(data::csv(&weights)),
    }
}

/// The nearest multiple of `step`.
fn rounded(value: f64, step: f64) -> f64 {
    // Multiples of steps such as 0.1 are no binary fractions: what is left of that beyond some decimals is
    // dropped.
    let scale = 10_f64.powi(DECIMALS);
    ((value / step).round() * step * scale).round() / scale + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn weight(name: &str, from: f64, to: f64) -> FittedWeight {
        FittedWeight {
            weight: name.to_string(),
            from: Some(from),
            to,
            se_run: None,
            se_step: Some(1.25),
            support: Some(120),
            games: Some(80),
            held: Some(0.25),
            tuned: true,
            deviation: None,
        }
    }

    #[test]
    fn values_are_rounded_to_multiples_of_a_step() {
        assert_eq!([rounded(12.6, 1.0), rounded(-12.5, 1.0), rounded(12.6, 5.0)], [13.0, -13.0, 15.0]);
        assert_eq!(rounded(0.3, 0.1).to_string(), "0.3");
        assert!(rounded(-0.2, 1.0).is_sign_positive());
    }
}
