//! Where choices come from, and where they go.

use serde::{Deserialize, Serialize};

use crate::{
    agreement::{Agreement, ClusterSets},
    choice::Choice,
    error::Result,
    model::Model,
};

/// Where choices come from: a search, a file, another program.
///
/// ```
/// use texam_fit::{Choice, FitOptions, Forces, Measured, Model, Parameter, Result, Sink, Source, fit_once};
///
/// /// A hundred times the larger of two was chosen.
/// struct Larger;
///
/// impl Source for Larger {
///     fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
///         let mut choice = Choice::default();
///         for cluster in 0..100 {
///             choice.begin(cluster, 0);
///             for size in [2, 1] {
///                 let entries = [(0, 256 * size)];
///                 choice.push(model.value(entries), entries)?;
///             }
///             sink.accept(std::slice::from_ref(&choice))?;
///         }
///         Ok(Some(Measured::default()))
///     }
/// }
///
/// let start = Model::new(vec![Parameter::new("size", -1.0)])?;
/// let fitted = fit_once(&mut Larger, &Forces::default(), &start, &FitOptions::default())?;
/// assert!(fitted.unwrap().1.values[0] > -1.0);
/// # Ok::<(), texam_fit::Error>(())
/// ```
pub trait Source {
    /// Searches everything under the values of `model`, which are to be taken [quantised](Model::quantised),
    /// gives the choices to be fitted to `sink` as they come, and counts agreement. No result where it was
    /// cancelled.
    ///
    /// # Errors
    ///
    /// The source fails, or the sink does not take a choice.
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>>;

    /// Looks at what the next pass will give, and gives its model as the pass is to have it. No result where
    /// it was cancelled.
    ///
    /// # Errors
    ///
    /// The source fails.
    fn prepare(&mut self, model: Model) -> Result<Option<Model>> {
        Ok(Some(model))
    }
}

/// What a source counts in a pass.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Agreement on the choices fitted.
    pub fitted: Agreement,
    /// Agreement on the choices held out, where there are some.
    pub held_out: Option<Agreement>,
    /// What the clusters fitted and those held out count, in any order; nothing where there are no choices.
    pub clusters: ClusterSets,
}

impl Measured {
    /// Adds what was counted of other choices.
    pub(crate) fn merge(&mut self, other: Measured) {
        self.fitted.merge(&other.fitted);
        if let Some(held_out) = other.held_out {
            self.held_out.get_or_insert_default().merge(&held_out);
        }
        self.clusters.iter_mut().zip(other.clusters).for_each(|(all, set)| all.extend(set));
    }
}

/// Takes choices in as a source finds them.
pub trait Sink: Sync {
    /// Takes choices in, from any thread and in any order. A cluster comes whole: all its choices in one
    /// call.
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
