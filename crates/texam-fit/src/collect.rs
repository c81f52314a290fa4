//! Where a pass puts its choices: they are summed as they come and then dropped.

use std::sync::{Mutex, PoisonError};

use crate::{
    choice::Choice, error::Result, model::Model, normal::Sums, objective::Objective, rows::RowMaker,
    spill::Spill, statistics::Statistics,
};

/// Takes choices in as a source finds them.
pub trait Sink: Sync {
    /// Takes choices in, from any thread and in any order. A cluster comes whole: all its choices in one call.
    ///
    /// # Errors
    ///
    /// Choices that do not fit the model, or sums that become too large. The pass should end then.
    fn accept(&self, choices: &[Choice]) -> Result<()>;

    /// Whether the choices held out are wanted too, because their loss is measured.
    fn wants_held_out(&self) -> bool {
        false
    }

    /// Takes choices in that are held out; only their values matter, so their rows may lack entries.
    ///
    /// # Errors
    ///
    /// As [`accept`](Sink::accept).
    fn accept_held_out(&self, _choices: &[Choice]) -> Result<()> {
        Ok(())
    }
}

/// What becomes of the choices of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Sums over choices, one set for each thread that brings some.
pub(crate) struct Collector<'a> {
    model: &'a Model,
    objective: &'a dyn Objective,
    purpose: Purpose,
    idle: Mutex<Vec<Worker<'a>>>,
    spill: Option<Spill>,
    held_out: Option<Spill>,
}

struct Worker<'a> {
    maker: RowMaker<'a>,
    sums: Sums,
    statistics: Statistics,
}

/// What was collected.
pub(crate) struct Collected {
    pub sums: Sums,
    pub statistics: Statistics,
    /// The choices, where they are needed once more.
    pub spill: Option<Spill>,
    /// The choices held out, where they are wanted.
    pub held_out: Option<Spill>,
}

impl<'a> Collector<'a> {
    pub fn new(model: &'a Model, objective: &'a dyn Objective, purpose: Purpose) -> Collector<'a> {
        let keeps = matches!(purpose, Purpose::FitWithErrors | Purpose::Keep);
        let spill = keeps.then(Spill::new);
        let held_out = (purpose == Purpose::Keep).then(Spill::new);
        Collector { model, objective, purpose, idle: Mutex::new(Vec::new()), spill, held_out }
    }

    /// The sums of all threads.
    pub fn finish(self) -> Result<Collected> {
        let mut sums = Sums::new(self.columns());
        let mut statistics = Statistics::default();
        for worker in self.idle.into_inner().unwrap_or_else(PoisonError::into_inner) {
            sums.merge(&worker.sums)?;
            statistics.merge(&worker.statistics);
        }
        Ok(Collected { sums, statistics, spill: self.spill, held_out: self.held_out })
    }

    /// Whether choices are summed as they come.
    fn sums(&self) -> bool {
        matches!(self.purpose, Purpose::Fit | Purpose::FitWithErrors)
    }

    fn columns(&self) -> usize {
        if self.sums() { self.model.tuned().len() } else { 0 }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker<'a>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for Collector<'_> {
    fn accept(&self, choices: &[Choice]) -> Result<()> {
        let worker = self.idle().pop();
        let mut worker = worker.unwrap_or_else(|| Worker {
            maker: RowMaker::new(self.model, self.objective, 1.0),
            sums: Sums::new(self.columns()),
            statistics: Statistics::default(),
        });
        for choice in choices {
            worker.statistics.add(choice);
            if self.sums() {
                let rows = worker.maker.make(choice)?;
                worker.statistics.loss += i128::from(rows.loss);
                worker.sums.add(rows, worker.statistics.choices)?;
            }
        }
        self.idle().push(worker);
        self.spill.as_ref().map_or(Ok(()), |spill| spill.keep(choices))
    }

    fn wants_held_out(&self) -> bool {
        self.held_out.is_some()
    }

    fn accept_held_out(&self, choices: &[Choice]) -> Result<()> {
        self.held_out.as_ref().map_or(Ok(()), |spill| spill.keep(choices))
    }
}
