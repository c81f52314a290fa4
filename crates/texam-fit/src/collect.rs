//! Where a pass puts its choices: they are summed as they come and then dropped.

use serde::{Deserialize, Serialize};

use crate::{
    choice::Choice,
    error::Result,
    merge::Merge,
    model::Model,
    moments::Moments,
    normal::Sums,
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
    collected: Collected,
}

/// What a pass has counted and summed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Collected {
    pub measured: Measured,
    /// Over no columns where the purpose of the pass needs no sums.
    pub sums: Sums,
    pub statistics: Statistics,
    pub moments: Moments,
}

impl Merge for Collected {
    fn merge(&mut self, other: Collected) -> Result<()> {
        self.measured.merge(other.measured);
        self.statistics.merge(&other.statistics);
        self.moments.merge(&other.moments);
        self.sums.merge(other.sums)
    }
}

impl<'a> Collector<'a> {
    pub fn new(model: &'a Model, objective: &'a dyn Objective, purpose: Purpose) -> Collector<'a> {
        let [fitted, held_out] = [(); 2].map(|()| Spill::new());
        Collector { model, objective, purpose, workers: Pool::default(), fitted, held_out }
    }

    /// The sums of all threads, and the choices that were kept: those fitted, and those held out.
    pub fn finish(self, measured: Measured) -> Result<(Collected, [Spill; 2])> {
        let mut all = Collected { measured, ..self.nothing() };
        for worker in self.workers.into_values() {
            all.merge(worker.collected)?;
        }
        Ok((all, [self.fitted, self.held_out]))
    }

    fn nothing(&self) -> Collected {
        let columns = if self.purpose.sums() { self.model.tuned().len() } else { 0 };
        Collected {
            measured: Measured::default(),
            sums: Sums::new(columns),
            statistics: Statistics::default(),
            moments: Moments::new(self.model.parameters().len()),
        }
    }

    /// Whether choices are looked at again.
    fn keeps(&self) -> bool {
        matches!(self.purpose, Purpose::FitWithErrors | Purpose::Keep)
    }
}

impl Sink for Collector<'_> {
    fn accept(&self, choices: &[Choice]) -> Result<()> {
        let maker = || RowMaker::new(self.model, self.objective, 1.0);
        let new = || Worker { maker: maker(), collected: self.nothing() };
        let add = |Worker { maker, collected }: &mut Worker, choice: &Choice| {
            collected.statistics.add(choice);
            collected.moments.add(choice);
            if self.purpose.sums() { collected.sums.add(maker.make(choice)?) } else { Ok(()) }
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
