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
    loss::ClusterLosses,
    model::Model,
    normal::{Sums, System},
    path::{FEWEST_CLUSTERS, FOLDS, RidgePath},
    penalty::Penalty,
    plan::{FitOptions, Ridge},
    rows::RowMaker,
    searchers::{Equations, Kept, Losses, Of, Question, Request, Searchers},
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

/// No step moves the value of a row by more through a parameter, in units.
const FARTHEST: f64 = (1 << 26) as f64;

/// Steps of the quasi-Newton method at most, after which those of Newton follow.
const QUASI_STEPS: u32 = 60;

/// The method is used where so many steps of Newton are allowed, which are to arrive.
const QUASI_LEAST: u32 = 10;

/// It pays where rows have more entries, since the products of a matrix grow with their square.
const QUASI_ENTRIES: f64 = 4.0;

/// Losses of groups left out are compared in millionths.
const FOLD_TOLERANCE: f64 = 5e-7;

/// Steps that it remembers.
const MEMORY: usize = 40;

/// Halvings of one of its steps at most.
const MOST_HALVINGS: u32 = 10;

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
    /// Strength of the ridge; infinite where no change was chosen.
    pub ridge: f64,
    /// Steps taken.
    pub steps: u32,
    /// By how much the mean loss may still fall, where the steps ended at their limit.
    pub left: Option<f64>,
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
    /// The clusters that are fitted.
    pub of: Of,
    /// Steps end where the mean loss would fall by less.
    pub tolerance: f64,
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
            choices.iter_mut().filter(|choice| self.of.has(choice.cluster())).try_for_each(|choice| {
                choice.revalue(&changes, model.value_step());
                if self.with_matrix {
                    return sums.add(maker.make(choice)?);
                }
                let (loss, pulls) = maker.pulls(choice)?;
                sums.add_pulls(choice, model, loss, pulls)
            })
        };
        let zero = || {
            let sums = Sums::at(model.tuned().len(), self.temperature).rounded(model);
            if self.with_matrix { sums } else { sums.without_matrix() }
        };
        fitted.fold(true, zero, work)
    }
}

/// Which of the columns `kept` a descent from `start` has left open though the rows determine them at the
/// start: the rows are so far ahead that nothing holds these weights back.
pub(crate) fn grown(start: &Point, model: &Model, kept: &[usize], end: &Solution) -> Result<Vec<bool>> {
    let Some(loose) = &end.loose else { return Ok(Vec::new()) };
    let at_start = loose.of_both(&start.sums.system(model, kept, 0.0))?.unknowns();
    Ok(loose.unknowns().into_iter().zip(at_start).map(|(end, start)| end && !start).collect())
}

impl Landscape<'_, '_> {
    /// The sums where the parameters have the values of the pass.
    pub fn start(&self) -> Result<Point> {
        self.at(self.model.tuned().iter().map(|&index| self.model.used(index)).collect())
    }

    /// The sums where the tuned parameters have these values.
    fn at(&self, values: Vec<f64>) -> Result<Point> {
        self.sums(values, true)
    }

    fn sums(&self, values: Vec<f64>, with_matrix: bool) -> Result<Point> {
        let (temperature, of) = (self.temperature, self.of.clone());
        let question = Equations { temperature, values: values.clone(), of, with_matrix };
        Ok(Point { sums: self.searchers.sums(question)?, values })
    }

    /// Descends from `start` over the columns `kept`. The losses of the ridges come with it where one is to
    /// be chosen.
    ///
    /// # Errors
    ///
    /// Equations without a solution, or a ridge to choose by too few clusters.
    pub fn descend(
        &self,
        start: &Point,
        kept: &[usize],
        options: &FitOptions,
    ) -> Result<(Descent, RidgePath)> {
        let (ridge, path) = match options.ridge {
            Ridge::Fixed(ridge) => (ridge, RidgePath::default()),
            Ridge::Auto => {
                let path = self.cross_validate(start, kept, options)?;
                (path.chosen().and_then(|chosen| chosen.ridge).unwrap_or(f64::INFINITY), path)
            }
        };
        let penalty = self.penalty(ridge, kept, options);
        let (end, steps, left) = self.walk(start, kept, &penalty, options)?;
        let descent = Descent {
            solution: self.solve(&end, kept, &penalty)?,
            ridge,
            steps,
            left,
            gradients: [start, &end].map(|point| self.gradient(point, kept, &penalty)),
            end,
        };
        Ok((descent, path))
    }

    /// The losses of the clusters along the path of ridges, each by a fit that has not seen the cluster. A
    /// fit begins at the end of that with the ridge before, which is stronger.
    fn cross_validate(&self, start: &Point, kept: &[usize], options: &FitOptions) -> Result<RidgePath> {
        let losses = |of: &Of, changes: Option<Vec<f64>>| {
            let question = Losses { temperature: self.temperature, of: of.clone(), changes };
            self.searchers.sums(question)
        };
        let mut clusters: Vec<u64> = losses(&Of::Fitted, None)?.iter().map(|loss| loss.cluster).collect();
        if clusters.len() < FEWEST_CLUSTERS {
            return Err(Error::TooFewClusters { least: FEWEST_CLUSTERS, found: clusters.len() });
        }
        clusters.sort_unstable();
        let folds = (0..FOLDS).map(|fold| {
            let fold: Vec<u64> = clusters.iter().copied().skip(fold).step_by(FOLDS).collect();
            let rest = Landscape { of: Of::AllBut(fold.clone()), tolerance: FOLD_TOLERANCE, ..*self };
            Ok((rest.sums(start.values.clone(), !self.has_long_rows(start, options))?, Of::Fold(fold), rest))
        });
        let mut folds = folds.collect::<Result<Vec<_>>>()?;
        let (mut tried, mut path) = (Vec::new(), RidgePath::default());
        for ridge in Ridge::PATH {
            let penalty = self.penalty(ridge, kept, options);
            let first = self.quasi_matrix(start, kept, &penalty, options)?;
            let mut of_ridge = ClusterLosses::new();
            for (point, fold, rest) in &mut folds {
                let rigid = penalty.is_rigid().then(|| self.rigid(point, kept, &penalty));
                *point = match &first {
                    _ if let Some(values) = rigid => rest.sums(values, point.sums.has_matrix())?,
                    Some(first) => rest.approach(first, point, kept, &penalty)?.0,
                    None if point.sums.has_matrix() => rest.walk(point, kept, &penalty, options)?.0,
                    None => rest.walk(&rest.at(point.values.clone())?, kept, &penalty, options)?.0,
                };
                of_ridge.append(&mut losses(fold, Some(changes(self.model, &point.values)))?);
            }
            of_ridge.sort_unstable_by_key(|loss| loss.cluster);
            tried.push((Some(ridge).filter(|ridge| ridge.is_finite()), of_ridge));
            path = RidgePath::of(&tried);
            if path.is_past_lowest() {
                break;
            }
        }
        Ok(path)
    }

    /// The penalty with a ridge of this strength. An infinite one is the strongest there is.
    fn penalty(&self, ridge: f64, kept: &[usize], options: &FitOptions) -> Penalty {
        let indices: Vec<usize> = kept.iter().map(|&column| self.model.tuned()[column]).collect();
        Penalty::new(self.model, &indices, ridge, options)
    }

    /// Steps from `start` until none lowers the loss with its penalty, or until the limit; says how many, and
    /// by how much the mean loss may still fall after the limit.
    fn walk(
        &self,
        start: &Point,
        kept: &[usize],
        penalty: &Penalty,
        options: &FitOptions,
    ) -> Result<(Point, u32, Option<f64>)> {
        let (mut point, mut steps, mut damping) = (start.clone(), 0, LEAST_DAMPING);
        if penalty.is_rigid() {
            return Ok((self.at(self.rigid(start, kept, penalty))?, 0, None));
        }
        let open = if penalty.is_none() { OpenDirections::of(&self.system(start, kept))? } else { None };
        let mut approached = 0;
        if open.is_none()
            && let Some(first) = self.quasi_matrix(start, kept, penalty, options)?
        {
            let (near, taken) = self.approach(&first, start, kept, penalty)?;
            if taken > 0 {
                (point, approached) = (self.at(near.values)?, taken);
            }
        }
        while steps < options.inner {
            let Some(next) = self.damped(&point, kept, penalty, open.as_ref(), &mut damping)? else {
                if approached > 0 {
                    self.polish(&mut point, kept, penalty)?;
                }
                return Ok((point, steps + approached, None));
            };
            point = next;
            steps += 1;
        }
        // Rows that are searched again go on after the next search.
        let is_end = self.model.grids().is_some();
        let left = if is_end { self.fall_left(&point, kept, penalty, damping)? } else { None };
        Ok((point, steps + approached, left))
    }

    /// The values where a rigid penalty holds them.
    fn rigid(&self, from: &Point, kept: &[usize], penalty: &Penalty) -> Vec<f64> {
        let values = select(&from.values, kept);
        let step: Vec<f64> = penalty.reference().iter().zip(values).map(|(to, from)| to - from).collect();
        self.stepped(&from.values, kept, &step)
    }

    /// Whether the quasi-Newton method pays, from a point with a matrix: not for rows that are searched again,
    /// for short ones, and for few steps.
    fn has_long_rows(&self, point: &Point, options: &FitOptions) -> bool {
        let is_long = point.sums.entries_of_row() > QUASI_ENTRIES;
        self.model.grids().is_some() && options.inner >= QUASI_LEAST && is_long
    }

    /// The matrix that the quasi-Newton method begins with: the inverse at a point. None where the method does
    /// not pay, or the matrix does not determine all columns.
    fn quasi_matrix(
        &self,
        point: &Point,
        kept: &[usize],
        penalty: &Penalty,
        options: &FitOptions,
    ) -> Result<Option<solve::Inverse>> {
        if penalty.is_rigid() || !self.has_long_rows(point, options) {
            return Ok(None);
        }
        solve::Inverse::of(&self.system(point, kept), penalty)
    }

    /// Steps of the quasi-Newton method of L-BFGS (J. Nocedal and S. Wright, Numerical Optimization, 2nd ed.,
    /// 7.2) from `start`, with its first matrix, and how many: each needs the right side only. They end where
    /// none lowers the loss any more, after [`QUASI_STEPS`], or at a bound. The end has no matrix.
    fn approach(
        &self,
        first: &solve::Inverse,
        start: &Point,
        kept: &[usize],
        penalty: &Penalty,
    ) -> Result<(Point, u32)> {
        let mut memory = Memory { first, steps: Vec::new() };
        let mut point = start.clone();
        let mut pulls = self.pulls(&point, kept, penalty);
        let (mut taken, mut level) = (0, f64::INFINITY);
        while taken < QUASI_STEPS {
            let step = memory.step(&pulls);
            let fall = step.iter().zip(&pulls).map(|(step, pull)| step * pull).sum::<f64>() / 2.0;
            // Where losses are too coarse to tell, falls have to become smaller fast.
            let is_level = fall < self.rounding();
            let is_there = self.largest_move(kept, &step) < SMALLEST_STEP || fall < self.tolerated();
            if is_there || is_level && fall > level / 4.0 {
                break;
            }
            level = if is_level { fall } else { level };
            let before = if is_level { f64::INFINITY } else { self.height(&point, kept, penalty) };
            let mut next = None;
            for halvings in 0..MOST_HALVINGS {
                let step: Vec<f64> = step.iter().map(|step| step / f64::from(1 << halvings)).collect();
                let values = self.stepped(&point.values, kept, &step);
                if self.is_too_far(kept, &values) {
                    continue;
                }
                let trial = self.sums(values, false)?;
                if self.height(&trial, kept, penalty) < before {
                    next = Some(trial);
                    break;
                }
            }
            let Some(next) = next.filter(|next| !self.is_at_bound(next, kept)) else { break };
            let after = self.pulls(&next, kept, penalty);
            memory.push(&select(&point.values, kept), &select(&next.values, kept), &pulls, &after);
            (point, pulls, taken) = (next, after, taken + 1);
        }
        Ok((point, taken))
    }

    /// Takes the last step of Newton, which is too small for the losses to tell, but not for the values.
    fn polish(&self, point: &mut Point, kept: &[usize], penalty: &Penalty) -> Result<()> {
        let penalty_of_change = penalty.clone().of_change_from(&select(&point.values, kept));
        let held = self.held(point, kept, penalty);
        if let Some((step, _)) = solve::damped(&self.system(point, kept), &penalty_of_change, &held, 0.0)? {
            point.values = self.stepped(&point.values, kept, &step);
        }
        Ok(())
    }

    /// By how much the mean loss would fall with another step of Newton, if that counts.
    fn fall_left(&self, at: &Point, kept: &[usize], penalty: &Penalty, damping: f64) -> Result<Option<f64>> {
        let penalty_of_change = penalty.clone().of_change_from(&select(&at.values, kept));
        let held = self.held(at, kept, penalty);
        let next = solve::damped(&self.system(at, kept), &penalty_of_change, &held, damping)?;
        let fall = next.filter(|(step, fall)| !self.is_small(kept, step, *fall)).map(|(_, fall)| fall);
        Ok(fall.map(|fall| fall / self.temperature.powi(2) / self.choices as f64))
    }

    fn bound(&self, column: usize) -> f64 {
        self.model.parameters()[self.model.tuned()[column]].bound
    }

    fn is_at_bound(&self, point: &Point, kept: &[usize]) -> bool {
        kept.iter().any(|&column| point.values[column].abs() >= self.bound(column))
    }

    /// Whether a step changes nothing that counts, or the fall would be less than the rounding of the losses.
    fn is_small(&self, kept: &[usize], step: &[f64], fall: f64) -> bool {
        self.largest_move(kept, step) < SMALLEST_STEP || fall < self.rounding().max(self.tolerated())
    }

    /// By how much a step moves the value of a row at most, in units.
    fn largest_move(&self, kept: &[usize], step: &[f64]) -> f64 {
        let size = |column: usize| self.model.size(self.model.tuned()[column]);
        kept.iter().zip(step).map(|(&column, change)| (change * size(column)).abs()).fold(0.0, f64::max)
    }

    /// Whether values of rows might become larger than they may be.
    fn is_too_far(&self, kept: &[usize], values: &[f64]) -> bool {
        let used = kept.iter().map(|&column| self.model.used(self.model.tuned()[column]));
        let moves: Vec<f64> = used.zip(select(values, kept)).map(|(used, value)| value - used).collect();
        self.model.grids().is_some() && self.largest_move(kept, &moves) > FARTHEST
    }

    /// The tolerance in the height.
    fn tolerated(&self) -> f64 {
        self.tolerance * self.temperature.powi(2) * self.choices as f64
    }

    /// The rounding of the losses in the height.
    fn rounding(&self) -> f64 {
        self.temperature.powi(2) * (self.choices as f64).sqrt() / ONE as f64 / 4.0
    }

    /// Solves for the step from a point.
    fn solve(&self, point: &Point, kept: &[usize], penalty: &Penalty) -> Result<Solution> {
        let from = select(&point.values, kept);
        solve::solve(&self.system(point, kept), &penalty.clone().of_change_from(&from))
    }

    fn system(&self, point: &Point, kept: &[usize]) -> System {
        point.sums.system(self.model, kept, 0.0)
    }

    /// The point after a step that is damped until the loss with its penalty falls. None where there is no
    /// such step, or none that counts.
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
        while *damping <= MOST_DAMPING {
            if let Some((mut step, fall)) = solve::damped(&system, &penalty_of_change, &held, *damping)? {
                open.inspect(|open| open.leave(&mut step));
                if self.is_small(kept, &step, fall) {
                    return Ok(None);
                }
                let values = self.stepped(&from.values, kept, &step);
                if self.is_too_far(kept, &values) {
                    *damping = (*damping * DAMPING_FACTOR).max(FIRST_DAMPING);
                    continue;
                }
                let point = self.at(values)?;
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
            let bound = self.bound(column);
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
        let pulls = point.sums.pulls(self.model, kept);
        pulls.iter().zip(penalties).map(|(pull, penalty)| pull + penalty).collect()
    }

    /// Which parameters are at a bound and pulled beyond it.
    fn held(&self, point: &Point, kept: &[usize], penalty: &Penalty) -> Vec<bool> {
        let is_held = |(&column, pull): (&usize, f64)| {
            let value = point.values[column];
            value.abs() >= self.bound(column) && value * pull > 0.0
        };
        kept.iter().zip(self.pulls(point, kept, penalty)).map(is_held).collect()
    }
}

/// What a quasi-Newton method knows of the inverse of the second derivatives.
struct Memory<'a> {
    first: &'a solve::Inverse,
    /// Steps, and by how much they lowered the pulls, the last [`MEMORY`] of them.
    steps: Vec<[Vec<f64>; 2]>,
}

impl Memory<'_> {
    fn push(&mut self, from: &[f64], to: &[f64], before: &[f64], after: &[f64]) {
        let less = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        let pair = [less(to, from), less(before, after)];
        if dot(&pair[0], &pair[1]) > 0.0 {
            self.steps.push(pair);
        }
        if self.steps.len() > MEMORY {
            self.steps.remove(0);
        }
    }

    /// The step for these pulls, by the two loops.
    fn step(&self, pulls: &[f64]) -> Vec<f64> {
        let mut rest = pulls.to_vec();
        let mut shares = Vec::new();
        for [step, fall] in self.steps.iter().rev() {
            let share = dot(step, &rest) / dot(step, fall);
            rest.iter_mut().zip(fall).for_each(|(rest, fall)| *rest -= share * fall);
            shares.push(share);
        }
        let mut found = self.first.times(&rest);
        for ([step, fall], share) in self.steps.iter().zip(shares.into_iter().rev()) {
            let more = share - dot(fall, &found) / dot(step, fall);
            found.iter_mut().zip(step).for_each(|(found, step)| *found += more * step);
        }
        found
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn select(values: &[f64], kept: &[usize]) -> Vec<f64> {
    kept.iter().map(|&column| values[column]).collect()
}
