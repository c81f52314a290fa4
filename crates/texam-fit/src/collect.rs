//! Where a pass puts its choices: they are summed as they come and then dropped.

use serde::{Deserialize, Serialize};

use crate::{
    choice::Choice,
    error::Result,
    model::Model,
    moments::Moments,
    normal::Sums,
    numbers::Numbers,
    objective::Objective,
    pool::Pool,
    rows::RowMaker,
    source::{Measured, Sink},
    spill::Spill,
    statistics::Statistics,
};

/// What becomes of the choices of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Purpose {
    /// They are measured only.
    Measure,
    /// They are fitted.
    Fit,
    /// They are fitted, with standard errors.
    FitWithErrors,
    /// They are kept for the steps of an objective with a temperature, which looks at them several times.
    Keep,
}

impl Purpose {
    /// Whether choices are summed as they come.
    fn sums(self) -> bool {
        matches!(self, Purpose::Fit | Purpose::FitWithErrors)
    }

    /// Number of columns of the sums.
    pub fn columns(self, model: &Model) -> usize {
        if self.sums() { model.tuned().len() } else { 0 }
    }
}

/// Sums over choices, one set for each thread that brings some.
pub(crate) struct Collector<'a> {
    model: &'a Model,
    objective: &'a dyn Objective,
    purpose: Purpose,
    workers: Pool<Worker<'a>>,
    fitted: Spill,
    held_out: Spill,
}

struct Worker<'a> {
    maker: RowMaker<'a>,
    sums: Sums,
    statistics: Statistics,
    moments: Moments,
}

/// What a pass has counted and summed.
#[derive(Debug, PartialEq)]
pub(crate) struct Collected {
    pub measured: Measured,
    /// Over no columns where the purpose of the pass needs no sums.
    pub sums: Sums,
    pub statistics: Statistics,
    pub moments: Moments,
}

impl Collected {
    pub fn numbers(&self) -> Vec<i128> {
        let mut numbers = Vec::new();
        self.measured.put(&mut numbers);
        self.statistics.put(&mut numbers);
        self.moments.put(&mut numbers);
        self.sums.put(&mut numbers);
        numbers
    }

    /// What has these numbers, for a model, with sums over `columns` of its parameters.
    pub fn from_numbers(numbers: &[i128], model: &Model, columns: usize) -> Result<Collected> {
        let mut numbers = Numbers::new(numbers);
        let measured = Measured::take(&mut numbers)?;
        let statistics = Statistics::take(&mut numbers)?;
        let moments = Moments::take(&mut numbers, model.parameters().len())?;
        let sums = Sums::take(&mut numbers, columns, 1.0)?;
        numbers.end()?;
        Ok(Collected { measured, sums, statistics, moments })
    }
}

impl<'a> Collector<'a> {
    pub fn new(model: &'a Model, objective: &'a dyn Objective, purpose: Purpose) -> Collector<'a> {
        let [fitted, held_out] = [(); 2].map(|()| Spill::new());
        Collector { model, objective, purpose, workers: Pool::default(), fitted, held_out }
    }

    /// The sums of all threads, and the choices that were kept: those fitted, and those held out.
    pub fn finish(self, measured: Measured) -> Result<(Collected, [Spill; 2])> {
        let mut sums = Sums::new(self.columns());
        let mut statistics = Statistics::default();
        let mut moments = Moments::new(self.model.parameters().len());
        for worker in self.workers.into_values() {
            sums.merge(&worker.sums)?;
            statistics.merge(&worker.statistics);
            moments.merge(&worker.moments);
        }
        Ok((Collected { measured, sums, statistics, moments }, [self.fitted, self.held_out]))
    }

    /// Whether choices are looked at again.
    fn keeps(&self) -> bool {
        matches!(self.purpose, Purpose::FitWithErrors | Purpose::Keep)
    }

    fn columns(&self) -> usize {
        self.purpose.columns(self.model)
    }
}

impl Sink for Collector<'_> {
    fn accept(&self, choices: &[Choice]) -> Result<()> {
        let new = || Worker {
            maker: RowMaker::new(self.model, self.objective, 1.0),
            sums: Sums::new(self.columns()),
            statistics: Statistics::default(),
            moments: Moments::new(self.model.parameters().len()),
        };
        let add = |worker: &mut Worker, choice: &Choice| {
            worker.statistics.add(choice);
            worker.moments.add(choice);
            if self.purpose.sums() {
                let rows = worker.maker.make(choice)?;
                worker.statistics.loss += i128::from(rows.loss);
                worker.sums.add(rows, worker.statistics.choices)?;
            }
            Ok(())
        };
        self.workers.with(new, |worker| choices.iter().try_for_each(|choice| add(worker, choice)))?;
        if self.keeps() { self.fitted.keep(choices) } else { Ok(()) }
    }

    fn wants_held_out(&self) -> bool {
        self.purpose == Purpose::Keep
    }

    fn accept_held_out(&self, choices: &[Choice]) -> Result<()> {
        if self.wants_held_out() { self.held_out.keep(choices) } else { Ok(()) }
    }
}
