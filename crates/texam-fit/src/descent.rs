//! The steps of an objective with a temperature: Newton's method on the choices of one pass.
//!
//! The rows of a pass are fixed, so that several steps can follow each other before everything is searched
//! anew: the new values follow from the rows. Each step solves for the change of the parameters and is damped
//! until the loss with its penalty falls (K. Levenberg, Quarterly of Applied Mathematics 2, 1944; D. W.
//! Marquardt, SIAM Journal 11, 1963). The penalty acts on the equations multiplied by the square of the
//! temperature: a ridge of `R` holds each parameter like `R` rows of one count and weight 1, as with the
//! objective `force`.
//!
//! Pulls, weights and losses are rounded and summed as integers, in the units of [`crate::units`], and the
//! temperature is applied once at the end. So the result is the same for any number of threads and any order
//! of the choices.

use crate::{
    choice::Choice,
    error::{Error, Result},
    loss::mean_loss,
    model::Model,
    moments::Moments,
    normal::{Sums, System},
    path::RidgePath,
    penalty::Penalty,
    plan::{FitOptions, Ridge},
    rows::RowMaker,
    searchers::{Equations, Kept, Losses, Question, Request, Searchers},
    solve::{self, OpenDirections, Solution},
    units::ONE,
};

/// The share of the diagonal that is added to the matrix of every step. It is too small to matter but where
/// the choices leave a direction open.
const LEAST_DAMPING: f64 = 1e-10;

/// The share that is added where a step without it does not lower the loss.
const FIRST_DAMPING: f64 = 1e-4;

/// With more damping, no step is tried.
const MOST_DAMPING: f64 = 1e6;

/// By this much the damping rises after a step that does not lower the loss, and falls after one that does.
const DAMPING_FACTOR: f64 = 10.0;

/// A step that moves no value by more through a parameter, in units, ends the descent: values are rounded
/// anyway.
const SMALLEST_STEP: f64 = 1.0 / 65_536.0;

/// The sums over all choices at some values of the parameters.
#[derive(Clone)]
pub(crate) struct Point {
    /// Values of all tuned columns, in units.
    pub values: Vec<f64>,
    pub sums: Sums,
}

/// What the steps of a pass led to.
pub(crate) struct Descent {
    /// Where they ended.
    pub end: Point,
    /// The equations solved there, with what they tell of rank, condition and standard errors.
    pub solution: Solution,
    /// Strength of the ridge.
    pub ridge: f64,
    /// Steps taken.
    pub steps: u32,
    /// Largest derivative of the loss with its penalty, summed over the choices, with respect to a parameter,
    /// per unit: at the start and at the end.
    pub gradients: [f64; 2],
}

/// The loss of the choices of a pass as a function of the parameters.
pub(crate) struct Landscape<'a, 's> {
    pub model: &'a Model,
    pub temperature: f64,
    /// They have the choices.
    pub searchers: &'a Searchers<'s>,
    /// Number of choices.
    pub choices: u64,
    /// How their counts vary.
    pub moments: &'a Moments,
}

/// The change of each parameter of the model from its value in the pass, where the tuned columns have these
/// values: in units, for an entry of 1/256 as an integer of its grid.
pub(crate) fn changes(model: &Model, values: &[f64]) -> Vec<f64> {
    let mut changes = vec![0.0; model.parameters().len()];
    for (&index, value) in model.tuned().iter().zip(values) {
        changes[index] = (value - model.used(index)) / model.grid(index).quantum();
    }
    changes
}

impl Question for Equations {
    type Sums = Sums;
    const REQUEST: fn(Equations) -> Request = Request::Equations;

    fn sums(&self, kept: &Kept) -> Result<Sums> {
        let Kept { objective, model, fitted, .. } = kept;
        let changes = changes(model, &self.values);
        let work = |sums: &mut Sums, choices: &mut [Choice]| {
            let mut maker = RowMaker::new(model, *objective, self.temperature);
            choices.iter_mut().try_for_each(|choice| {
                choice.revalue(&changes, model.value_step());
                sums.add(maker.make(choice)?)
            })
        };
        fitted.fold(true, || Sums::at(model.tuned().len(), self.temperature), work)
    }
}

/// Which of the columns `kept` a descent from `start` has left open though the rows determine them at the
/// start: the rows are so far ahead that nothing holds these weights back.
pub(crate) fn grown(start: &Point, model: &Model, kept: &[usize], end: &Solution) -> Result<Vec<bool>> {
    if !end.open.contains(&true) {
        return Ok(Vec::new());
    }
    let at_start = solve::open_columns(&start.sums.system(model, kept, 0.0))?;
    Ok(end.open.iter().zip(at_start).map(|(&end, start)| end && !start).collect())
}

impl Landscape<'_, '_> {
    /// The sums where the parameters have the values of the pass.
    pub fn start(&self) -> Result<Point> {
        self.at(self.model.tuned().iter().map(|&index| self.model.used(index)).collect())
    }

    /// The sums where the tuned parameters have these values.
    fn at(&self, values: Vec<f64>) -> Result<Point> {
        let question = Equations { temperature: self.temperature, values: values.clone() };
        Ok(Point { sums: self.searchers.sums(question)?, values })
    }

    /// Descends from `start` over the columns `kept`. A ridge that is to be chosen is that with the lowest
    /// loss on the choices held out, each descent beginning anew; the losses of all come with it.
    ///
    /// # Errors
    ///
    /// Equations without a solution, or a ridge to choose without choices held out.
    pub fn descend(
        &self,
        start: &Point,
        kept: &[usize],
        options: &FitOptions,
    ) -> Result<(Descent, RidgePath)> {
        if let Ridge::Fixed(ridge) = options.ridge {
            return Ok((self.descend_with(ridge, start, kept, options)?, RidgePath::default()));
        }
        let mut path = RidgePath::default();
        let mut best = None;
        for &ridge in &Ridge::PATH {
            let descent = self.descend_with(ridge, start, kept, options)?;
            let changes = Some(changes(self.model, &descent.end.values));
            let losses = Losses { temperature: self.temperature, held_out: true, changes };
            let loss = mean_loss(self.searchers, losses)?.ok_or(Error::NoHeldOut)?;
            path.losses.push([ridge, loss.mean]);
            if path.chosen() == Some(ridge) {
                best = Some(descent);
            }
        }
        Ok((best.expect("the path has strengths"), path))
    }

    fn descend_with(
        &self,
        ridge: f64,
        start: &Point,
        kept: &[usize],
        options: &FitOptions,
    ) -> Result<Descent> {
        let indices: Vec<usize> = kept.iter().map(|&column| self.model.tuned()[column]).collect();
        let penalty = Penalty::new(self.model, &indices, ridge, options, self.moments);
        let mut point = start.clone();
        let start_gradient = self.gradient(&point, kept, &penalty);
        let (mut steps, mut damping) = (0, LEAST_DAMPING);
        let is_free = penalty.is_none() && options.inner > 0;
        let open = if is_free { OpenDirections::of(&self.system(start, kept))? } else { None };
        while steps < options.inner {
            let Some(next) = self.damped(&point, kept, &penalty, open.as_ref(), &mut damping)? else { break };
            point = next;
            steps += 1;
        }
        Ok(Descent {
            solution: self.solve(&point, kept, &penalty)?,
            ridge,
            steps,
            gradients: [start_gradient, self.gradient(&point, kept, &penalty)],
            end: point,
        })
    }

    /// Solves for the step from a point.
    fn solve(&self, point: &Point, kept: &[usize], penalty: &Penalty) -> Result<Solution> {
        let from = select(&point.values, kept);
        solve::solve(&self.system(point, kept), &penalty.clone().of_change_from(&from))
    }

    fn system(&self, point: &Point, kept: &[usize]) -> System {
        point.sums.system(self.model, kept, 0.0)
    }

    /// The point after a step that is damped until the loss with its penalty falls.
    /// None where there is no such step, or where the fall would be less than the rounding of the losses.
    fn damped(
        &self,
        from: &Point,
        kept: &[usize],
        penalty: &Penalty,
        open: Option<&OpenDirections>,
        damping: &mut f64,
    ) -> Result<Option<Point>> {
        let system = self.system(from, kept);
        let penalty_of_change = penalty.clone().of_change_from(&select(&from.values, kept));
        let held = self.held(from, kept, penalty);
        let before = self.height(from, kept, penalty);
        let rounding = self.temperature.powi(2) * (self.choices as f64).sqrt() / ONE as f64 / 4.0;
        while *damping <= MOST_DAMPING {
            if let Some((mut step, fall)) = solve::damped(&system, &penalty_of_change, &held, *damping)? {
                open.inspect(|open| open.leave(&mut step));
                let moves = kept
                    .iter()
                    .zip(&step)
                    .map(|(&column, change)| (change * self.model.size(self.model.tuned()[column])).abs());
                let largest = moves.fold(0.0, f64::max);
                if largest < SMALLEST_STEP || fall < rounding {
                    return Ok(None);
                }
                let point = self.at(self.stepped(&from.values, kept, &step))?;
                if self.height(&point, kept, penalty) < before {
                    *damping = (*damping / DAMPING_FACTOR).max(LEAST_DAMPING);
                    return Ok(Some(point));
                }
            }
            *damping = (*damping * DAMPING_FACTOR).max(FIRST_DAMPING);
        }
        Ok(None)
    }

    /// The values after a step. A parameter that would leave its bound stays there.
    fn stepped(&self, values: &[f64], kept: &[usize], step: &[f64]) -> Vec<f64> {
        let mut values = values.to_vec();
        for (&column, change) in kept.iter().zip(step) {
            let bound = self.model.parameters()[self.model.tuned()[column]].bound;
            values[column] = (values[column] + change).clamp(-bound, bound);
        }
        values
    }

    /// The loss times the square of the temperature, and the penalty.
    fn height(&self, point: &Point, kept: &[usize], penalty: &Penalty) -> f64 {
        let loss = point.sums.loss as f64 / ONE as f64;
        loss * self.temperature.powi(2) + penalty.half(&select(&point.values, kept))
    }

    /// The largest derivative of the loss with its penalty with respect to a parameter that can follow it.
    fn gradient(&self, point: &Point, kept: &[usize], penalty: &Penalty) -> f64 {
        let pulls = self.pulls(point, kept, penalty);
        let free = pulls.iter().zip(self.held(point, kept, penalty)).filter(|&(_, held)| !held);
        free.map(|(pull, _)| pull.abs()).fold(0.0, f64::max) / self.temperature.powi(2)
    }

    /// Minus half the derivatives of the height.
    fn pulls(&self, point: &Point, kept: &[usize], penalty: &Penalty) -> Vec<f64> {
        let penalties = penalty.pull(&select(&point.values, kept));
        self.system(point, kept).pulls().iter().zip(penalties).map(|(pull, penalty)| pull + penalty).collect()
    }

    /// Which parameters are at a bound and pulled beyond it.
    fn held(&self, point: &Point, kept: &[usize], penalty: &Penalty) -> Vec<bool> {
        let is_held = |(&column, pull): (&usize, f64)| {
            let bound = self.model.parameters()[self.model.tuned()[column]].bound;
            let value = point.values[column];
            value.abs() >= bound && value * pull > 0.0
        };
        kept.iter().zip(self.pulls(point, kept, penalty)).map(is_held).collect()
    }
}

fn select(values: &[f64], kept: &[usize]) -> Vec<f64> {
    kept.iter().map(|&column| values[column]).collect()
}
