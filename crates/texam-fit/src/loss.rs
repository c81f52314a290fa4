//! The mean loss of the choices that a pass has kept.

use crate::{
    choice::Choice,
    error::Result,
    numbers::Numbers,
    objective::{Judged, Objective},
    searchers::{Searchers, SumRequest},
    spill::Spill,
    units::{ONE, to_fraction},
};

/// A mean loss with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeanLoss {
    /// Mean over the choices.
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
    /// In 2^-24.
    loss: i128,
    /// In 2^-48.
    squares: i128,
}

impl Sums {
    fn merge(self, other: Sums) -> Sums {
        Sums {
            choices: self.choices + other.choices,
            loss: self.loss + other.loss,
            squares: self.squares + other.squares,
        }
    }

    fn mean(self) -> MeanLoss {
        if self.choices == 0 {
            return MeanLoss::default();
        }
        let count = self.choices as f64;
        let one = ONE as f64;
        let mean = self.loss as f64 / one / count;
        let variance = (self.squares as f64 / (one * one) / count - mean * mean).max(0.0);
        MeanLoss { mean: rounded(mean), error: rounded((variance / count).sqrt()) }
    }
}

/// Six decimals, as files print it.
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
    let sums = Sums { choices: numbers.next()?, loss: numbers.next()?, squares: numbers.next()? };
    Ok((sums.choices > 0).then(|| sums.mean()))
}

/// Number, loss and squared loss of some choices by their values, or after changes of all parameters, summed.
pub(crate) fn sums(
    spill: &Spill,
    objective: &dyn Objective,
    temperature: f64,
    changes: Option<&[f64]>,
) -> Result<Vec<i128>> {
    let work = |sums: &mut Sums, choices: &mut [Choice]| {
        let mut judged = Judged::default();
        for choice in choices.iter_mut() {
            if let Some(changes) = changes {
                choice.revalue(changes);
            }
            judged.reset(choice.len());
            let loss = i128::from(to_fraction(objective.judge(choice, temperature, &mut judged)));
            sums.choices += 1;
            sums.loss += loss;
            sums.squares += loss * loss;
        }
        Ok(())
    };
    let parts = match changes {
        Some(_) => spill.fold(Sums::default, work)?,
        None => spill.fold_values(Sums::default, work)?,
    };
    let Sums { choices, loss, squares } = parts.into_iter().fold(Sums::default(), Sums::merge);
    Ok(vec![choices.into(), loss, squares])
}
