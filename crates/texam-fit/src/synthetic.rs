//! Random choices for tests: any numbers, but values that agree with a model.

use fastrand::Rng;

use crate::{
    choice::Choice,
    collect::{Collected, Purpose},
    error::Result,
    model::{Model, Parameter},
    objective::{Judged, Objective},
    plan::{FitOptions, Ridge, RidgeTo},
    searchers::Searchers,
    source::{Measured, Sink, Source},
    step::{Fit, Solver, step},
    units::in_units,
};

/// Least squares: pulls each row from its value under this model to the value that it has.
pub struct Regression<'a>(pub &'a Model);

impl Objective for Regression<'_> {
    fn name(&self) -> &'static str {
        "regression"
    }

    fn judge(&self, choice: &Choice, _: f64, judged: &mut Judged) -> f64 {
        for (pull, row) in judged.pulls.iter_mut().zip(choice.rows()) {
            let entries = row.iter().map(|(at, entry)| (at as u32, i64::from(entry)));
            *pull = in_units(row.value - self.0.value(entries));
        }
        0.0
    }
}

/// No ridge and no threshold: what a test does not name does nothing.
pub const BARE: FitOptions = FitOptions {
    min_support: 0,
    ridge: Ridge::Fixed(0.0),
    ridge_to: RidgeTo::Current,
    smooth: 0.0,
    errors: true,
    inner: 4,
    temperature: None,
};

/// The choice with the row of the highest value as the chosen one, valued by another model.
pub fn best_first(choice: &Choice, model: &Model) -> Choice {
    let mut rows = rows_of(choice);
    let best = (0..rows.len()).max_by_key(|&at| choice.values()[at]).unwrap();
    rows.swap(0, best);
    of_rows(choice.cluster(), &rows, model)
}

/// What random choices look like.
#[derive(Clone)]
pub struct Kind {
    /// Entries of a row, about.
    pub density: usize,
    pub clusters: u64,
    pub choices: usize,
    pub alternatives: usize,
}

impl Default for Kind {
    fn default() -> Kind {
        Kind { density: 6, clusters: 7, choices: 60, alternatives: 4 }
    }
}

/// A model of tuned parameters `w0`, `w1`, .. with these values.
pub fn model(values: &[f64]) -> Model {
    let parameter = |(index, &value): (usize, &f64)| Parameter::new(format!("w{index}"), value);
    Model::new(values.iter().enumerate().map(parameter).collect()).unwrap()
}

/// A model with random values, none of them on the grid of 1/256 unit.
pub fn random_model(seed: u64, parameters: usize) -> Model {
    let mut random = Rng::with_seed(seed);
    let values: Vec<f64> =
        (0..parameters).map(|_| random.i64(-20_000..=20_000) as f64 / 1000.0 + 0.000_123).collect();
    model(&values)
}

/// The same model with only these parameters tuned.
pub fn tuning(model: &Model, tuned: &[usize]) -> Model {
    let mut parameters = model.parameters().to_vec();
    for (index, parameter) in parameters.iter_mut().enumerate() {
        parameter.tune = tuned.contains(&index);
    }
    Model::new(parameters).unwrap()
}

/// Random choices whose values come from `model`.
pub fn choices(seed: u64, kind: &Kind, model: &Model) -> Vec<Choice> {
    choices_over(seed, kind, model, &(0..model.parameters().len() as u32).collect::<Vec<u32>>())
}

/// Random choices with entries of some parameters only.
pub fn choices_over(seed: u64, kind: &Kind, model: &Model, columns: &[u32]) -> Vec<Choice> {
    let mut random = Rng::with_seed(seed);
    let mut row = |columns: &[u32]| {
        let mut entries: Vec<(u32, i64)> = (0..kind.density)
            .map(|_| {
                let column = columns[random.usize(..columns.len())];
                (column, random.i64(-768..=768))
            })
            .collect();
        entries.sort_by_key(|&(column, _)| column);
        entries.dedup_by_key(|&mut (column, _)| column);
        entries
    };
    let choice = |at: usize| {
        let rows: Vec<_> = (0..=kind.alternatives).map(|_| row(columns)).collect();
        of_rows(at as u64 % kind.clusters, &rows, model)
    };
    (0..kind.choices).map(choice).collect()
}

/// A choice of these rows, the chosen one first, with values from `model`.
pub fn of_rows(cluster: u64, rows: &[Vec<(u32, i64)>], model: &Model) -> Choice {
    let values: Vec<i64> = rows.iter().map(|row| model.value(row.iter().copied())).collect();
    let mut choice = Choice::default();
    choice.begin(cluster, values[1..].iter().filter(|&&other| other > values[0]).count() as u32);
    for (row, value) in rows.iter().zip(values) {
        choice.push(value, row.iter().copied()).unwrap();
    }
    choice
}

/// The rows of a choice, to be made into another.
pub fn rows_of(choice: &Choice) -> Vec<Vec<(u32, i64)>> {
    let entries = |row: crate::choice::Row| row.iter().map(|(c, e)| (c as u32, i64::from(e))).collect();
    choice.rows().map(entries).collect()
}

/// The same choices with their values from another model.
pub fn revalued(choices: &[Choice], model: &Model) -> Vec<Choice> {
    choices.iter().map(|choice| of_rows(choice.cluster(), &rows_of(choice), model)).collect()
}

/// Choices to fit and choices held out, whole clusters at a time.
struct Fixed<'a>([&'a [Choice]; 2]);

impl Source for Fixed<'_> {
    fn pass(&mut self, _: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let [fitted, held_out] = self.0;
        let mut order: Vec<Choice> = fitted.to_vec();
        order.sort_by_key(Choice::cluster);
        for cluster in order.chunk_by(|a, b| a.cluster() == b.cluster()) {
            sink.accept(cluster)?;
        }
        sink.accept_held_out(held_out)?;
        Ok(Some(Measured::default()))
    }
}

/// Calls `look` with who has searched choices, and what was summed.
pub fn searched<T>(
    choices: &[Choice],
    model: &Model,
    objective: &dyn Objective,
    look: impl FnOnce(&Searchers, &Collected) -> Result<T>,
) -> Result<T> {
    searched_both([choices, &[]], model, objective, look)
}

fn searched_both<T>(
    choices: [&[Choice]; 2],
    model: &Model,
    objective: &dyn Objective,
    look: impl FnOnce(&Searchers, &Collected) -> Result<T>,
) -> Result<T> {
    let purpose = if objective.has_temperature() { Purpose::Keep } else { Purpose::FitWithErrors };
    let mut source = Fixed(choices);
    let mut searchers = Searchers::new(&mut source, objective, model, None);
    let collected = searchers.pass(&model.values(), purpose)?.expect("it is not cancelled");
    look(&searchers, &collected)
}

/// Fits a model to choices.
pub fn fit(
    choices: &[Choice],
    model: &Model,
    objective: &dyn Objective,
    options: &FitOptions,
    keep_spread: Option<f64>,
) -> Result<Fit> {
    searched_both([choices, &[]], model, objective, |searchers, collected| {
        let solver = match objective.has_temperature() {
            true => Solver::Newton { temperature: options.temperature.expect("the test gives one") },
            false => Solver::Linear { keep_spread },
        };
        step(searchers, collected, model, options, solver)
    })
}
