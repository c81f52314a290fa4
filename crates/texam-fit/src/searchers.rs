//! Who searches the positions of a run, and looks again at the choices that were found: this process here, others in
//! [`team`](crate::team) and [`part`](crate::part).

use serde::{Deserialize, Serialize};

use crate::{
    collect::{Collected, Collector, Purpose},
    descent,
    error::Result,
    loss,
    model::Model,
    objective::Objective,
    sandwich::{self, Residuals},
    spill::Spill,
    temperature,
    tuner::Source,
};

/// Something that is summed over the choices that a pass has kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Look {
    /// The slopes of the loss with respect to the inverse of the temperature.
    Slopes { temperature: f64 },
    /// The loss of the choices fitted, or of those held out.
    Loss { temperature: f64, held_out: bool },
    /// The equations where the tuned columns have these values, in units.
    Point { temperature: f64, values: Vec<f64> },
    /// The scores of the clusters.
    Scores(Residuals),
}

/// Those who share the positions of a run. What they give are sums over all of the positions, as
/// [numbers](crate::numbers).
pub(crate) trait Searchers {
    /// Searches everything where the parameters of the model have these values. No result where it was cancelled.
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>>;

    /// Looks at the choices that the last pass has kept for its purpose.
    fn look(&self, look: &Look) -> Result<Vec<i128>>;
}

/// This process, with all positions or with its share of them.
pub(crate) struct Local<'a> {
    pub source: &'a mut dyn Source,
    pub objective: &'a dyn Objective,
    pub start: &'a Model,
    kept: Option<Kept>,
}

/// The choices that a pass has kept.
pub(crate) struct Kept {
    /// The model with the values of the pass.
    pub model: Model,
    pub fitted: Spill,
    pub held_out: Spill,
}

impl<'a> Local<'a> {
    pub fn new(source: &'a mut dyn Source, objective: &'a dyn Objective, start: &'a Model) -> Local<'a> {
        Local { source, objective, start, kept: None }
    }

    /// The choices of the last pass.
    pub fn into_kept(self) -> Option<Kept> {
        self.kept
    }
}

impl Searchers for Local<'_> {
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>> {
        self.kept = None;
        let model = self.start.with_values(values)?;
        let collector = Collector::new(&model, self.objective, purpose);
        let Some(measured) = self.source.pass(&model, &collector)? else { return Ok(None) };
        let (sums, statistics, [fitted, held_out]) = collector.finish()?;
        self.kept = Some(Kept { model, fitted, held_out });
        Ok(Some(Collected { measured, sums, statistics }.numbers()))
    }

    fn look(&self, look: &Look) -> Result<Vec<i128>> {
        let Kept { model, fitted, held_out } = self.kept.as_ref().expect("a pass comes before a look at it");
        Kept::look_at([fitted, held_out], model, self.objective, look)
    }
}

impl Kept {
    /// Sums over the choices of a pass, those fitted or those held out.
    pub fn look_at(
        [fitted, held_out]: [&Spill; 2],
        model: &Model,
        objective: &dyn Objective,
        look: &Look,
    ) -> Result<Vec<i128>> {
        match look {
            &Look::Slopes { temperature } => temperature::slopes(fitted, objective, temperature),
            &Look::Loss { temperature, held_out: false } => loss::sums(fitted, objective, temperature),
            &Look::Loss { temperature, held_out: true } => loss::sums(held_out, objective, temperature),
            Look::Point { temperature, values } => {
                descent::sums(fitted, model, objective, *temperature, values)
            }
            Look::Scores(residuals) => sandwich::sums(fitted, model, objective, residuals),
        }
    }
}
