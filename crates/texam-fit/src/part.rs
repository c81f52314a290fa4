//! The share of one process in a pass, as a file: the sums over its choices, and the choices themselves where the fit
//! needs them again. Processes that search a pass in this way need no connection: its parts are merged later.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use crate::{
    collect::{Collected, Purpose},
    error::{Error, Result},
    model::Model,
    normal::Sums,
    numbers,
    objective::Objective,
    searchers::{Kept, Local, Searchers, SumRequest},
    spill::Spill,
    step::Fit,
    tuner::{self, Next, Observer, Pass, Plan, Source},
};

/// The share of a process in a pass.
pub struct Part {
    numbers: Vec<i128>,
    choices: [Spill; 2],
}

impl Part {
    /// Searches the share of `source` under the values of `model`, for a run of this plan. No result where the source was
    /// cancelled.
    ///
    /// # Errors
    ///
    /// No tuned parameter, or a source that fails.
    pub fn search(
        source: &mut dyn Source,
        objective: &dyn Objective,
        model: &Model,
        plan: &Plan,
    ) -> Result<Option<Part>> {
        plan.options.validate()?;
        let purpose = purpose(objective, model, plan)?;
        let mut local = Local::new(source, objective, model);
        let Some(numbers) = local.pass(&model.values(), purpose)? else { return Ok(None) };
        let Kept { fitted, held_out, .. } = local.into_kept().expect("the pass has ended");
        Ok(Some(Part { numbers, choices: [fitted, held_out] }))
    }

    /// Writes the part: how many numbers it has, the numbers, and the choices fitted and held out. All numbers are
    /// integers with the lowest byte first.
    ///
    /// # Errors
    ///
    /// `to` does not take them, or the temporary file of the choices cannot be read.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&(self.numbers.len() as u64).to_le_bytes())?;
        self.numbers.iter().try_for_each(|number| to.write_all(&number.to_le_bytes()))?;
        self.choices.iter().try_for_each(|choices| choices.write(to))
    }

    /// Opens the part that was written into a file at `start`, and says where it ends. Its choices stay in the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is shorter than the part.
    pub fn open(path: &Path, start: u64) -> Result<(Part, u64)> {
        let read = || -> io::Result<Vec<i128>> {
            let mut file = BufReader::new(File::open(path)?);
            file.seek(SeekFrom::Start(start))?;
            let mut count = [0; 8];
            file.read_exact(&mut count)?;
            let mut numbers = Vec::new();
            for _ in 0..u64::from_le_bytes(count) {
                let mut number = [0; 16];
                file.read_exact(&mut number)?;
                numbers.push(i128::from_le_bytes(number));
            }
            Ok(numbers)
        };
        let numbers = read().map_err(|source| Error::Part { file: path.display().to_string(), source })?;
        let end = start + 8 + 16 * numbers.len() as u64;
        let (fitted, end) = Spill::open(path, end)?;
        let (held_out, end) = Spill::open(path, end)?;
        Ok((Part { numbers, choices: [fitted, held_out] }, end))
    }
}

/// One step of a run whose passes are searched in parts: takes the parts of the pass after those that are finished,
/// reports it to the observer, and makes the fit that follows. `fit` is the fit that led to the pass, from the step
/// before; the first step has none. The parts must have been searched under its values, for the options of the plan.
///
/// # Errors
///
/// Parts that do not belong to such a pass, or what else [`tune`](crate::tune) may find.
pub fn merge(
    parts: Vec<Part>,
    objective: &dyn Objective,
    start: &Model,
    plan: &Plan,
    finished: Vec<Pass>,
    fit: Option<&Fit>,
    observer: &dyn Observer,
) -> Result<Next> {
    let written_for = purpose(objective, start, plan)?;
    let (numbers, kept) = parts.into_iter().map(|part| (part.numbers, part.choices)).unzip();
    let mut parts = Parts { start, objective, written_for, numbers, kept, model: start.clone() };
    tuner::advance(&mut parts, objective, start, plan, finished, fit, observer)
}

/// The purpose of all parts of a run: a part does not know which pass is the last.
fn purpose(objective: &dyn Objective, model: &Model, plan: &Plan) -> Result<Purpose> {
    if plan.iterations > 0 {
        return tuner::purpose(objective, model, &plan.options);
    }
    Ok(if objective.has_temperature() { Purpose::Keep } else { Purpose::Measure })
}

/// The parts of a pass, in place of the processes that have searched it.
struct Parts<'a> {
    start: &'a Model,
    objective: &'a dyn Objective,
    /// What the parts were made for.
    written_for: Purpose,
    numbers: Vec<Vec<i128>>,
    kept: Vec<[Spill; 2]>,
    /// The model with the values of the pass.
    model: Model,
}

impl Searchers for Parts<'_> {
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>> {
        self.model = self.start.with_values(values)?;
        let sum = added(self.numbers.drain(..))?;
        let columns = self.written_for.columns(&self.model);
        let collected = Collected::from_numbers(&sum, columns)?;
        if purpose.columns(&self.model) == columns {
            return Ok(Some(sum));
        }
        Ok(Some(Collected { sums: Sums::new(0), ..collected }.numbers()))
    }

    fn sums(&self, request: &SumRequest) -> Result<Vec<i128>> {
        let answers = self.kept.iter().map(|[fitted, held_out]| {
            Kept::sums_of([fitted, held_out], &self.model, self.objective, request)
        });
        added(answers.collect::<Result<Vec<_>>>()?)
    }
}

fn added(parts: impl IntoIterator<Item = Vec<i128>>) -> Result<Vec<i128>> {
    let mut parts = parts.into_iter();
    let mut sum = parts.next().ok_or_else(|| Error::input("parts of a pass", "none"))?;
    parts.try_for_each(|part| numbers::add(&mut sum, &part))?;
    Ok(sum)
}

#[cfg(test)]
mod tests;
