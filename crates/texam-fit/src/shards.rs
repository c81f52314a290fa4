//! Passes that are searched in shards. A process writes the sums over its share of the choices to a file, and the
//! choices themselves where the fit needs them again. Such processes need no connection: the files are merged later.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use crate::{
    agreement::ClusterSets,
    blocks::{BlockError, BlockReader, BlockWriter},
    choice::Choice,
    collect::{Collected, Purpose},
    error::{Error, Result},
    local::{Kept, Local},
    model::Model,
    normal::Sums,
    numbers,
    objective::Objective,
    plan::Plan,
    rows::RowMaker,
    searchers::{Searchers, SumRequest},
    source::Source,
    spill::Spill,
    temperature::DEFAULT_TEMPERATURE,
    tuner,
};

/// The sums over the share of one process in a pass.
pub struct ShardSums {
    numbers: Vec<i128>,
    clusters: ClusterSets,
    choices: [Spill; 2],
}

impl ShardSums {
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
    ) -> Result<Option<ShardSums>> {
        plan.options.validate()?;
        let purpose = tuner::purpose(objective, model, &plan.options, plan.iterations == 0)?;
        let mut local = Local::new(source, objective, model);
        let Some(numbers) = local.pass(&model.values(), purpose)? else { return Ok(None) };
        let Kept { fitted, held_out, clusters, .. } = local.into_kept().expect("the pass has ended");
        Ok(Some(ShardSums { numbers, clusters, choices: [fitted, held_out] }))
    }

    /// Writes the sums: a block of the numbers, one of the counts of clusters, and blocks of the choices fitted and of
    /// those held out.
    ///
    /// # Errors
    ///
    /// `to` does not take them, or the temporary file of the choices cannot be read.
    pub fn write(&self, to: &mut BlockWriter<impl Write>) -> io::Result<()> {
        to.write_value(&self.numbers)?;
        to.write_value(&self.clusters)?;
        self.choices.iter().try_for_each(|choices| choices.write(to))
    }

    /// Checks that the rows of the choices can be made under `model`, so that an error comes before anything is written.
    /// The sums are checked as they are used.
    ///
    /// # Errors
    ///
    /// A choice that is none of the model, or a file that cannot be read.
    pub fn check(&self, objective: &dyn Objective, model: &Model) -> Result<()> {
        let temperature = if objective.has_temperature() { DEFAULT_TEMPERATURE } else { 1.0 };
        let maker = || RowMaker::new(model, objective, temperature);
        let check = |maker: &mut RowMaker, choices: &mut [Choice]| {
            choices.iter().try_for_each(|choice| match choice.is_whole(model.parameters().len()) {
                true => maker.make(choice).map(drop),
                false => Err(Error::input("choices of the same weights", "others")),
            })
        };
        self.choices.iter().try_for_each(|choices| choices.fold(maker, check).map(drop))
    }

    /// Reads the sums from the file `path`, where `blocks` stands before them and nothing follows. The choices stay in
    /// the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is not of the right length.
    pub fn open(path: &Path, mut blocks: BlockReader<impl Read>) -> Result<ShardSums> {
        let error =
            |error: BlockError| Error::Sums { file: path.display().to_string(), source: error.into() };
        let numbers = blocks.read_value("sums").map_err(error)?;
        let clusters = blocks.read_value("counts of clusters").map_err(error)?;
        let choices = [Spill::open(path, &mut blocks)?, Spill::open(path, &mut blocks)?];
        blocks.end().map_err(error)?;
        Ok(ShardSums { numbers, clusters, choices })
    }
}

/// All shards of a pass: the sums added, and where the choices are.
#[derive(Default)]
pub struct Shards {
    numbers: Option<Vec<i128>>,
    clusters: ClusterSets,
    kept: Vec<[Spill; 2]>,
}

impl Shards {
    /// Adds the sums of a shard.
    ///
    /// # Errors
    ///
    /// The sums are of another number of parameters, or too large.
    pub fn add(&mut self, shard: ShardSums) -> Result<()> {
        match &mut self.numbers {
            Some(sum) => numbers::add(sum, &shard.numbers)?,
            None => self.numbers = Some(shard.numbers),
        }
        self.clusters.iter_mut().zip(shard.clusters).for_each(|(all, set)| all.extend(set));
        self.kept.push(shard.choices);
        Ok(())
    }

    /// The shards in place of the processes that have searched them for a purpose.
    pub(crate) fn searchers<'a>(
        self,
        start: &'a Model,
        objective: &'a dyn Objective,
        written_for: Purpose,
    ) -> impl Searchers + 'a {
        Merged { start, objective, written_for, shards: self, model: start.clone() }
    }
}

/// The shards of a pass, in place of the processes that have searched it.
struct Merged<'a> {
    start: &'a Model,
    objective: &'a dyn Objective,
    /// What the shards were searched for: a shard does not know which pass is the last.
    written_for: Purpose,
    shards: Shards,
    /// The model with the values of the pass.
    model: Model,
}

impl Searchers for Merged<'_> {
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>> {
        self.model = self.start.with_values(values)?;
        let sum = self.shards.numbers.take().ok_or_else(|| Error::input("shards of a pass", "none"))?;
        let columns = self.written_for.columns(&self.model);
        let collected = Collected::from_numbers(&sum, &self.model, columns)?;
        if purpose.columns(&self.model) == columns {
            return Ok(Some(sum));
        }
        Ok(Some(Collected { sums: Sums::new(0), ..collected }.numbers()))
    }

    fn sums(&self, request: &SumRequest) -> Result<Vec<i128>> {
        let mut sums: Option<Vec<i128>> = None;
        for [fitted, held_out] in &self.shards.kept {
            let of_shard = Kept::sums_of([fitted, held_out], &self.model, self.objective, request)?;
            match &mut sums {
                Some(sums) => numbers::add(sums, &of_shard)?,
                None => sums = Some(of_shard),
            }
        }
        Ok(sums.expect("a pass has shards"))
    }

    fn clusters(&self) -> Result<ClusterSets> {
        Ok(self.shards.clusters.clone())
    }
}

#[cfg(test)]
mod tests;
