//! The mean loss of the choices that a pass has kept.

use serde::{Deserialize, Serialize};

use crate::{
    choice::Choice,
    error::Result,
    merge::Merge,
    objective::{Judged, judge_weighted},
    searchers::{Kept, Losses, Question, Request, Searchers},
    units::{ONE, to_fraction},
};

/// A mean loss with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct MeanLoss {
    /// Mean over the choices, by their weights.
    pub mean: f64,
    /// Standard error of the mean, as if choices were independent.
    pub error: f64,
}

/// The loss of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LossReport {
    /// Temperature of the run, in units.
    pub temperature: f64,
    /// Loss of the choices fitted.
    pub fitted: MeanLoss,
    /// Loss of the choices held out, where there are some.
    pub held_out: Option<MeanLoss>,
}

/// Exact sums of losses.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Sums {
    choices: u64,
    /// Weights of the choices, and their losses times these, in 2^-24.
    weight: i128,
    loss: i128,
    /// Squares of the weighted losses, their products with the weights, and squares of the weights, in 2^-48.
    squares: i128,
    mixed: i128,
    squared_weights: i128,
}

impl Merge for Sums {
    fn merge(&mut self, other: Sums) -> Result<()> {
        self.choices += other.choices;
        self.weight += other.weight;
        self.loss += other.loss;
        self.squares += other.squares;
        self.mixed += other.mixed;
        self.squared_weights += other.squared_weights;
        Ok(())
    }
}

impl Sums {
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

/// Six decimals, with which losses are compared and choose a ridge.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// The mean loss of some choices; none without choices.
pub(crate) fn mean_loss(searchers: &Searchers, losses: Losses) -> Result<Option<MeanLoss>> {
    let sums = searchers.sums(losses)?;
    Ok((sums.choices > 0).then(|| sums.mean()))
}

impl Question for Losses {
    type Sums = Sums;
    const REQUEST: fn(Losses) -> Request = Request::Losses;

    fn sums(&self, kept: &Kept) -> Result<Sums> {
        let Losses { temperature, held_out, changes } = self;
        let spill = if *held_out { &kept.held_out } else { &kept.fitted };
        let work = |sums: &mut Sums, choices: &mut [Choice]| {
            let mut judged = Judged::default();
            for choice in choices.iter_mut() {
                if let Some(changes) = changes {
                    choice.revalue(changes, kept.model.value_step());
                }
                let loss = judge_weighted(kept.objective, choice, *temperature, &mut judged);
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
        spill.fold(changes.is_some(), Sums::default, work)
    }
}
