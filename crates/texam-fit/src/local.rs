//! A fit asks one process: it searches its share, keeps the choices where they are needed again, and sums over them.

use crate::{
    agreement::ClusterSets,
    collect::{Collector, Purpose},
    descent,
    error::Result,
    grid::Grid,
    loss,
    model::Model,
    objective::Objective,
    sandwich,
    searchers::{Searchers, SumRequest},
    source::Source,
    spill::Spill,
    temperature,
};

/// This process, with everything or with its share.
pub(crate) struct Local<'a> {
    source: &'a mut dyn Source,
    objective: &'a dyn Objective,
    start: &'a Model,
    kept: Option<Kept>,
}

/// The choices that a pass has kept.
struct Kept {
    /// The model with the values of the pass.
    model: Model,
    fitted: Spill,
    held_out: Spill,
    /// What the clusters of both count.
    clusters: ClusterSets,
}

impl<'a> Local<'a> {
    pub fn new(source: &'a mut dyn Source, objective: &'a dyn Objective, start: &'a Model) -> Local<'a> {
        Local { source, objective, start, kept: None }
    }
}

impl Searchers for Local<'_> {
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>> {
        self.kept = None;
        let model = self.start.with_values(values)?;
        let Some(model) = self.source.prepare(model)? else { return Ok(None) };
        let collector = Collector::new(&model, self.objective, purpose);
        let Some(mut measured) = self.source.pass(&model, &collector)? else { return Ok(None) };
        let clusters = std::mem::take(&mut measured.clusters);
        let (collected, [fitted, held_out]) = collector.finish(measured)?;
        self.kept = Some(Kept { model, fitted, held_out, clusters });
        Ok(Some(collected.numbers()))
    }

    fn grids(&self) -> Option<Vec<Grid>> {
        self.kept.as_ref().and_then(|kept| kept.model.grids().cloned())
    }

    fn sums(&self, request: &SumRequest) -> Result<Vec<i128>> {
        let Kept { model, fitted, held_out, .. } =
            self.kept.as_ref().expect("a pass comes before sums over its choices");
        let objective = self.objective;
        match request {
            &SumRequest::Slopes { temperature } => temperature::slopes(fitted, objective, temperature),
            SumRequest::Loss { temperature, held_out: is_held_out, changes } => {
                let choices = if *is_held_out { held_out } else { fitted };
                loss::sums(choices, objective, *temperature, changes.as_deref())
            }
            SumRequest::Point { temperature, values } => {
                descent::sums(fitted, model, objective, *temperature, values)
            }
            SumRequest::Scores(residuals) => sandwich::sums(fitted, model, objective, residuals),
        }
    }

    fn clusters(&self) -> Result<ClusterSets> {
        Ok(self.kept.as_ref().expect("a pass comes before its clusters").clusters.clone())
    }
}
