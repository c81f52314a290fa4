//! One fit: from the sums of a pass to new values of the parameters.

use std::fmt;

use crate::{
    collect::Collected,
    descent::{self, Descent, Landscape, Point},
    error::{Error, Result},
    model::Model,
    normal::Sums,
    path::RidgePath,
    penalty::Penalty,
    plan::{FitOptions, Ridge},
    sandwich::{Sandwich, sandwich, score_shifts},
    searchers::{Of, Residuals, Searchers},
    solve::{self, LooseDirections, Solution},
    variance::compensation,
};

/// Why a tuned parameter kept its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No row has an entry there.
    Untouched,
    /// Only so many choices do.
    TooFewChoices(u32),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Untouched => f.pad("in no choice, or the same in all rows of each"),
            Reason::TooFewChoices(1) => f.pad("in 1 choice only"),
            Reason::TooFewChoices(count) => f.pad(&format!("in {count} choices only")),
        }
    }
}

/// What a fit did to one tuned parameter.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ParameterReport {
    /// Its name.
    pub name: String,
    /// Its place in the model.
    pub index: usize,
    /// Its value before, as the rows were valued.
    pub before: f64,
    /// Its value after; equal to `before` where it was frozen.
    pub after: f64,
    /// Standard error of `after`, clustered. None where the parameter was frozen, the choices do not
    /// determine it, or no errors were asked for.
    pub standard_error: Option<f64>,
    /// Covariances of `after` with that of each tuned parameter behind it, in squared units; none where one
    /// of the two has no standard error.
    pub covariances: Vec<Option<f64>>,
    /// Standard deviation of its count over the kept rows: a change of its value moves the values of rows by
    /// this much for each unit.
    pub deviation: f64,
    /// Number of choices that touch it.
    pub support: u32,
    /// Number of clusters that touch it.
    pub clusters: u64,
    /// Share of its free step that the ridge holds back, from 0 to 1.
    pub held: f64,
    /// Whether the rows hardly tell it apart from others.
    pub is_open: bool,
    /// Whether it grows without end: the rows tell it apart at the start, and are so far ahead at the end
    /// that they do not.
    pub grows: bool,
    /// Why it kept its value, if it did.
    pub frozen: Option<Reason>,
}

/// The result of a fit.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Fit {
    /// The new values of all parameters of the model in units, not rounded. Those that were not solved for
    /// are as they were, to the last bit.
    pub values: Vec<f64>,
    /// The tuned parameters, frozen ones included, in the order of the model.
    pub parameters: Vec<ParameterReport>,
    /// Number of rows, the chosen ones included.
    pub rows: u64,
    /// Number of choices.
    pub choices: u64,
    /// Number of parameters solved for.
    pub solved: usize,
    /// Rank of the sums alone over those parameters.
    pub rank: usize,
    /// The directions that the sums hardly determine: of each the places in `parameters` of those that it
    /// moves.
    pub open_directions: Vec<Vec<usize>>,
    /// Effective number of weights: the trace of the matrix that leads from the targets to the fitted values.
    /// The ridge lowers it from the number solved for (Hastie and others, The Elements of Statistical
    /// Learning, 2009, 7.6).
    pub effective: f64,
    /// Condition number of the system solved, penalty included, scaled to a unit diagonal.
    pub condition: f64,
    /// Number of clusters, where they are too few for standard errors.
    pub few_clusters: Option<u64>,
    /// Root mean square of the residuals, in units; none where no errors were asked for.
    pub residual: Option<f64>,
    /// Largest parameter of the model before the fit, in units.
    pub largest: f64,
    /// Largest change of a parameter, in units.
    pub max_change: f64,
    /// Spread of the values before the fit, in units.
    pub spread: f64,
    /// Share by which the values were stretched about their means to keep their spread.
    pub compensation: f64,
    /// Mean loss of a choice before the fit.
    pub loss: f64,
    /// The steps of an objective with a temperature.
    pub descent: Option<DescentReport>,
    /// Strength of the ridge; infinite where no change was chosen.
    pub ridge: f64,
    /// The ridges that were tried, where it was to be chosen.
    pub path: RidgePath,
}

/// What the steps of an objective with a temperature did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DescentReport {
    /// Steps taken on the rows of the pass.
    pub steps: u32,
    /// By how much the mean loss may still fall, where the steps ended at their limit.
    pub left: Option<f64>,
    /// Mean loss of a choice after them, on the same rows.
    pub loss: f64,
    /// Largest derivative of the loss with its penalty, summed over the choices, with respect to a parameter,
    /// per unit: before and after.
    pub gradients: [f64; 2],
}

/// How the values are found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Solver {
    /// By the linear least squares of 1988. The spread is that of the values at the start, in units, where it
    /// is to be kept.
    Linear { keep_spread: Option<f64> },
    /// By Newton steps, for an objective with this temperature.
    Newton { temperature: f64 },
}

/// Fits the tuned parameters of `model` to what a pass under its values has collected.
pub(crate) fn step(
    searchers: &Searchers,
    collected: &Collected,
    model: &Model,
    options: &FitOptions,
    solver: Solver,
) -> Result<Fit> {
    if collected.statistics.choices == 0 {
        return Err(Error::NoChoices);
    }
    match solver {
        Solver::Linear { keep_spread } => solve_once(searchers, collected, model, options, keep_spread),
        Solver::Newton { temperature } => descend(searchers, collected, model, options, temperature),
    }
}

fn solve_once(
    searchers: &Searchers,
    collected: &Collected,
    model: &Model,
    options: &FitOptions,
    keep_spread: Option<f64>,
) -> Result<Fit> {
    let Collected { sums, statistics, .. } = collected;
    let (frozen, kept) = supported(sums, options)?;
    let compensation = keep_spread.map_or(0.0, |start| compensation(start, statistics.spread.units()));
    let system = sums.system(model, &kept, compensation);
    let mut tuned: Vec<f64> = model.tuned().iter().map(|&index| model.used(index)).collect();
    let before: Vec<f64> = kept.iter().map(|&column| tuned[column]).collect();
    let indices: Vec<usize> = kept.iter().map(|&column| model.tuned()[column]).collect();
    let Ridge::Fixed(ridge) = options.ridge else { return Err(Error::NoLoss) };
    let penalty = Penalty::new(model, &indices, ridge, options).of_change_from(&before);
    let solution = solve::solve(&system, &penalty)?;
    for (&column, &change) in kept.iter().zip(&solution.values) {
        let parameter = &model.parameters()[model.tuned()[column]];
        let value = tuned[column] + change;
        if value.abs() > parameter.bound {
            return Err(Error::BeyondBound { name: parameter.name.clone(), value, bound: parameter.bound });
        }
        tuned[column] = value;
    }
    let residuals = || Residuals::Linear { compensation, changes: descent::changes(model, &tuned) };
    let sandwich = || sandwich(searchers, residuals(), model, &kept, &solution.factor);
    let sandwich = options.errors.then(sandwich).transpose()?;
    let residual = sandwich.as_ref().map(|sandwich| sandwich.residual);
    let loss = sums.mean_loss(statistics.weight);
    let solved = Solved { tuned, frozen, kept, solution, grown: Vec::new(), sandwich };
    Ok(Fit { residual, compensation, loss, ridge, ..solved.report(model, sums, collected) })
}

fn descend(
    searchers: &Searchers,
    collected: &Collected,
    model: &Model,
    options: &FitOptions,
    temperature: f64,
) -> Result<Fit> {
    let statistics = &collected.statistics;
    if options.ridge == Ridge::Auto && searchers.has_labels() && statistics.has_one_label() {
        return Err(Error::SameLabels);
    }
    let (choices, of) = (statistics.choices, Of::Fitted);
    let landscape = Landscape { model, temperature, searchers, choices, of, tolerance: 0.0 };
    let start = landscape.start()?;
    let (frozen, kept) = supported(&start.sums, options)?;
    let loss = start.sums.mean_loss(statistics.weight);
    let (descent, path) = landscape.descend(&start, &kept, options)?;
    let Descent { end, solution, ridge, steps, left, gradients } = descent;
    let grown = descent::grown(&start, model, &kept, &solution)?;
    let residuals = || Residuals::Pulls {
        temperature,
        changes: descent::changes(model, &end.values),
        shifts: score_shifts(model, &end.sums),
    };
    let sandwich = || sandwich(searchers, residuals(), model, &kept, &solution.factor);
    let sandwich = options.errors.then(sandwich).transpose()?;
    let descent = Some(DescentReport { steps, left, loss: end.sums.mean_loss(statistics.weight), gradients });
    let Point { values: tuned, sums, .. } = end;
    let solved = Solved { tuned, frozen, kept, solution, grown, sandwich };
    Ok(Fit { loss, descent, ridge, path, ..solved.report(model, &sums, collected) })
}

/// Why each tuned column is frozen, if it is, and the others.
fn supported(sums: &Sums, options: &FitOptions) -> Result<(Vec<Option<Reason>>, Vec<usize>)> {
    let reason = |&support: &u32| match support {
        0 => Some(Reason::Untouched),
        few if few < options.min_support => Some(Reason::TooFewChoices(few)),
        _ => None,
    };
    let frozen: Vec<Option<Reason>> = sums.support().iter().map(reason).collect();
    let kept: Vec<usize> = (0..sums.size()).filter(|&column| frozen[column].is_none()).collect();
    if kept.is_empty() {
        return Err(Error::NoSupport { least: options.min_support.max(1) });
    }
    Ok((frozen, kept))
}

/// What a solver has found.
struct Solved {
    /// The new values of the tuned columns.
    tuned: Vec<f64>,
    frozen: Vec<Option<Reason>>,
    /// The columns that were solved for.
    kept: Vec<usize>,
    solution: Solution,
    /// Which of these columns grow without end.
    grown: Vec<bool>,
    sandwich: Option<Sandwich>,
}

impl Solved {
    /// The part of the result that is common to both solvers.
    fn report(self, model: &Model, sums: &Sums, collected: &Collected) -> Fit {
        let Collected { statistics, moments, .. } = collected;
        let Solved { tuned, frozen, kept, solution, grown, sandwich } = self;
        let mut values = model.values();
        for &column in &kept {
            values[model.tuned()[column]] = tuned[column];
        }
        let place = |column: usize| kept.binary_search(&column).ok();
        let open = solution.loose.as_ref().map(LooseDirections::unknowns);
        let is_open =
            |column: usize| open.as_ref().zip(place(column)).is_some_and(|(open, place)| open[place]);
        // What the rows do not determine has no error, whatever the ridge makes of it.
        let error = |column: usize| sandwich.as_ref()?.errors[place(column)?].filter(|_| !is_open(column));
        let covariance = |column: usize, behind: usize| {
            error(column).and(error(behind))?;
            let [column, behind] = [place(column)?, place(behind)?];
            sandwich.as_ref()?.covariances[column].get(behind - column - 1).copied()
        };
        let report = |(column, &index): (usize, &usize)| ParameterReport {
            name: model.parameters()[index].name.clone(),
            index,
            before: model.used(index),
            after: tuned[column],
            standard_error: error(column),
            covariances: (column + 1..tuned.len()).map(|behind| covariance(column, behind)).collect(),
            deviation: moments.deviation(model, index),
            support: sums.support()[column],
            clusters: moments.clusters(index),
            held: place(column).map_or(1.0, |place| solution.held[place]),
            is_open: is_open(column),
            grows: place(column).is_some_and(|place| grown.get(place) == Some(&true)),
            frozen: frozen[column],
        };
        let in_columns = |places: Vec<usize>| places.into_iter().map(|place| kept[place]).collect();
        let parameters: Vec<ParameterReport> = model.tuned().iter().enumerate().map(report).collect();
        Fit {
            values,
            rows: statistics.rows,
            choices: statistics.choices,
            solved: kept.len(),
            rank: solution.rank,
            effective: solution.held.iter().map(|held| 1.0 - held).sum::<f64>().min(solution.rank as f64),
            open_directions: solution.loose.iter().flat_map(LooseDirections::sets).map(in_columns).collect(),
            condition: solution.condition,
            largest: model.values().iter().fold(0.0, |most, value| value.abs().max(most)),
            max_change: parameters.iter().fold(0.0, |most, p| most.max((p.after - p.before).abs())),
            spread: statistics.spread.units(),
            few_clusters: sandwich.and_then(|sandwich| sandwich.few_clusters),
            parameters,
            ..Fit::default()
        }
    }
}

#[cfg(test)]
mod tests;
