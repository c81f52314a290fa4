//! The mean loss of the choices that a pass has kept.

use crate::{
    choice::Choice,
    error::Result,
    model::Model,
    numbers::Numbers,
    objective::{Judged, Objective, judge_weighted},
    searchers::{Searchers, SumRequest},
    spill::Spill,
    units::{ONE, to_fraction},
};

/// A mean loss with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeanLoss {
    /// Mean over the choices, by their weights.
    pub mean: f64,
    /// Standard error of the mean, as if choices were independent.
    pub error: f64,
}

/// The loss of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossReport {
    /// Temperature of the run, in units.
    pub temperature: f64,
    /// Loss of the choices fitted.
    pub fitted: MeanLoss,
    /// Loss of the choices held out, where there are some.
    pub held_out: Option<MeanLoss>,
}

/// Exact sums of losses.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    choices: u64,
    /// Weights of the choices, and their losses times these, in 2^-24.
    weight: i128,
    loss: i128,
    /// Squares of the weighted losses, their products with the weights, and squares of the weights, in 2^-48.
    squares: i128,
    mixed: i128,
    squared_weights: i128,
}

impl Sums {
    fn merge(self, other: Sums) -> Sums {
        Sums {
            choices: self.choices + other.choices,
            weight: self.weight + other.weight,
            loss: self.loss + other.loss,
            squares: self.squares + other.squares,
            mixed: self.mixed + other.mixed,
            squared_weights: self.squared_weights + other.squared_weights,
        }
    }

    fn mean(self) -> MeanLoss {
        if self.choices == 0 {
            return MeanLoss::default();
        }
        let weight = self.weight as f64;
        let mean = self.loss as f64 / weight;
        // The squared differences of the losses from the mean, each times its squared weight.
        let squares =
            self.squares as f64 - 2.0 * mean * self.mixed as f64 + mean * mean * self.squared_weights as f64;
        MeanLoss { mean: rounded(mean), error: rounded(squares.max(0.0).sqrt() / weight) }
    }
}

/// Six decimals, which text holds exactly: losses choose a ridge, and a resumed run compares them with those before.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// The mean loss of the choices fitted, or of those held out, where all parameters have changed by so much from their values
/// in the pass; none without choices.
pub(crate) fn mean_loss(
    searchers: &dyn Searchers,
    temperature: f64,
    held_out: bool,
    changes: Option<Vec<f64>>,
) -> Result<Option<MeanLoss>> {
    let numbers = searchers.sums(&SumRequest::Loss { temperature, held_out, changes })?;
    let mut numbers = Numbers::new(&numbers);
    let sums = Sums {
        choices: numbers.next()?,
        weight: numbers.next()?,
        loss: numbers.next()?,
        squares: numbers.next()?,
        mixed: numbers.next()?,
        squared_weights: numbers.next()?,
    };
    Ok((sums.choices > 0).then(|| sums.mean()))
}

/// Number, loss and squared loss of some choices by their values, or after changes of all parameters, summed.
pub(crate) fn sums(
    spill: &Spill,
    model: &Model,
    objective: &dyn Objective,
    temperature: f64,
    changes: Option<&[f64]>,
) -> Result<Vec<i128>> {
    let work = |sums: &mut Sums, choices: &mut [Choice]| {
        let mut judged = Judged::default();
        for choice in choices.iter_mut() {
            if let Some(changes) = changes {
                choice.revalue(changes, model.value_step());
            }
            let loss = judge_weighted(objective, choice, temperature, &mut judged);
            let (loss, weight) = (i128::from(to_fraction(loss)), i128::from(ONE - choice.withheld()));
            sums.choices += 1;
            sums.weight += weight;
            sums.loss += loss;
            sums.squares += loss * loss;
            sums.mixed += loss * weight;
            sums.squared_weights += weight * weight;
        }
        Ok(())
    };
    let parts = match changes {
        Some(_) => spill.fold(Sums::default, work)?,
        None => spill.fold_values(Sums::default, work)?,
    };
    let sums = parts.into_iter().fold(Sums::default(), Sums::merge);
    let Sums { choices, weight, loss, squares, mixed, squared_weights } = sums;
    Ok(vec![choices.into(), weight, loss, squares, mixed, squared_weights])
}
