//! How a fit asks for sums over the choices. A process searches the choices, keeps them where they are needed
//! again, and sums over them. Where several processes make a run, each has a share, and the sums of all are
//! added.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    collect::{Collected, Collector, Purpose},
    error::Result,
    grid::Grid,
    merge::Merge,
    model::Model,
    objective::Objective,
    source::Source,
    spill::Spill,
    team::{Communicator, add_answers, decode, encode},
};

/// A question about the choices that a pass has kept, answered by sums over them.
pub(crate) trait Question: Clone {
    /// What is summed.
    type Sums: Merge + Serialize + DeserializeOwned;

    /// How other processes are asked.
    const REQUEST: fn(Self) -> Request;

    /// The sums over the choices of this process.
    fn sums(&self, kept: &Kept) -> Result<Self::Sums>;
}

/// Asks for the slopes of the loss with respect to the inverse of the temperature.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Slopes {
    pub temperature: f64,
}

/// Which clusters are summed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Of {
    /// All that are fitted.
    #[default]
    Fitted,
    /// All that are held out.
    HeldOut,
    /// Those fitted with these numbers, in ascending order.
    Fold(Vec<u64>),
    /// Those fitted without these.
    AllBut(Vec<u64>),
}

impl Of {
    /// Whether a cluster of its set is one of them.
    pub fn has(&self, cluster: u64) -> bool {
        match self {
            Of::Fitted | Of::HeldOut => true,
            Of::Fold(clusters) => clusters.binary_search(&cluster).is_ok(),
            Of::AllBut(clusters) => clusters.binary_search(&cluster).is_err(),
        }
    }
}

/// Asks for the losses of clusters.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Losses {
    pub temperature: f64,
    pub of: Of,
    /// [Changes](crate::descent::changes) of all parameters of the model from their values in the pass; none
    /// for no change.
    pub changes: Option<Vec<f64>>,
}

/// Asks for the equations where the tuned columns have these values, in units.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Equations {
    pub temperature: f64,
    pub values: Vec<f64>,
    /// Of the clusters fitted.
    pub of: Of,
    /// Whether the matrix is summed too, and not only the right side.
    pub with_matrix: bool,
}

/// Asks for the scores of the clusters: how the residual of a row is formed.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Residuals {
    /// That of the linear equations.
    Linear {
        /// Share of the deviations that the rows are to be moved by.
        compensation: f64,
        /// [Changes](crate::descent::changes) of all parameters of the model from their values in the pass.
        changes: Vec<f64>,
    },
    /// The pull at the solution, times the temperature.
    Pulls {
        temperature: f64,
        /// [Changes](crate::descent::changes) of all parameters of the model from their values in the pass.
        changes: Vec<f64>,
        /// Bits that the scores of each tuned column lose.
        shifts: Vec<u32>,
    },
}

impl Residuals {
    /// The temperature; 1 for those of the linear equations.
    pub fn temperature(&self) -> f64 {
        match self {
            Residuals::Linear { .. } => 1.0,
            Residuals::Pulls { temperature, .. } => *temperature,
        }
    }
}

/// What the leader of a run asks of all ranks.
#[derive(Serialize, Deserialize)]
pub(crate) enum Request {
    /// Search everything where the parameters have these values.
    Pass {
        values: Vec<f64>,
        purpose: Purpose,
    },
    Slopes(Slopes),
    Losses(Losses),
    Equations(Equations),
    Scores(Residuals),
}

/// Searches all that a run is made from: this process, with the others of its team if it leads some.
pub(crate) struct Searchers<'a> {
    source: &'a mut dyn Source,
    objective: &'a dyn Objective,
    start: &'a Model,
    /// The ranks that this process leads.
    team: Option<&'a dyn Communicator>,
    kept: Option<Kept<'a>>,
}

/// The choices that a pass has kept.
pub(crate) struct Kept<'a> {
    pub objective: &'a dyn Objective,
    /// The model with the values of the pass.
    pub model: Model,
    pub fitted: Spill,
    pub held_out: Spill,
}

impl<'a> Searchers<'a> {
    /// Those of a run that begins with `start`. With a team, `source` has the share of this process.
    pub fn new(
        source: &'a mut dyn Source,
        objective: &'a dyn Objective,
        start: &'a Model,
        team: Option<&'a dyn Communicator>,
    ) -> Searchers<'a> {
        Searchers { source, objective, start, team, kept: None }
    }

    /// Whether choices are labelled, and not made among several rows.
    pub fn has_labels(&self) -> bool {
        !self.objective.criterion().has_choices()
    }

    /// Searches everything where the parameters of the model have these values. No result where it was
    /// cancelled.
    pub fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Collected>> {
        let Some(team) = self.team else { return self.own_pass(values, purpose) };
        team.broadcast(encode(&Request::Pass { values: values.to_vec(), purpose }));
        add_answers(team, self.own_pass(values, purpose))
    }

    fn own_pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Collected>> {
        self.kept = None;
        let Some(model) = self.source.prepare(self.start.with_values(values)?)? else { return Ok(None) };
        let collector = Collector::new(&model, self.objective, purpose);
        let Some(measured) = self.source.pass(&model, &collector)? else { return Ok(None) };
        let (collected, [fitted, held_out]) = collector.finish(measured)?;
        self.kept = Some(Kept { objective: self.objective, model, fitted, held_out });
        Ok(Some(collected))
    }

    /// The grids of the rows of the last pass, where they are given and not counted by a search.
    pub fn grids(&self) -> Option<Vec<Grid>> {
        self.kept.as_ref().and_then(|kept| kept.model.grids().cloned())
    }

    /// Sums over the choices that the last pass has kept.
    pub fn sums<Q: Question>(&self, question: Q) -> Result<Q::Sums> {
        let kept = self.kept.as_ref().expect("a pass comes before sums over its choices");
        let Some(team) = self.team else { return question.sums(kept) };
        team.broadcast(encode(&Q::REQUEST(question.clone())));
        let sums = add_answers(team, question.sums(kept).map(Some))?;
        Ok(sums.expect("sums over kept choices are not cancelled"))
    }
}

/// Answers what the leader asks, for the share of `source`, until the leader has ended. Errors of the search
/// are reported to the leader.
///
/// # Errors
///
/// A message of the leader that is not understood.
pub fn follow(
    communicator: &dyn Communicator,
    source: &mut dyn Source,
    objective: &dyn Objective,
    start: &Model,
) -> Result<()> {
    let mut own = Follower::new(source, objective, start);
    loop {
        let message = communicator.broadcast(Vec::new());
        if message.is_empty() {
            return Ok(());
        }
        own.answer(communicator, &message)?;
    }
}

/// A rank that answers one message of the leader after the other, where it cannot wait for them as [`follow`]
/// does.
pub struct Follower<'a>(Searchers<'a>);

impl<'a> Follower<'a> {
    /// Searches the share of `source`.
    pub fn new(source: &'a mut dyn Source, objective: &'a dyn Objective, start: &'a Model) -> Follower<'a> {
        Follower(Searchers::new(source, objective, start, None))
    }

    /// Sends the answer to a message that the leader has broadcast, and which is not empty.
    ///
    /// # Errors
    ///
    /// A message that is not understood. Errors of the search are reported to the leader, who ends the run.
    pub fn answer(&mut self, communicator: &dyn Communicator, message: &[u8]) -> Result<()> {
        fn add<T: Merge + Serialize + DeserializeOwned>(to: &dyn Communicator, own: Result<Option<T>>) {
            let _ = add_answers(to, own);
        }
        let own = &mut self.0;
        match decode(message)? {
            Request::Pass { values, purpose } => add(communicator, own.pass(&values, purpose)),
            Request::Slopes(slopes) => add(communicator, own.sums(slopes).map(Some)),
            Request::Losses(losses) => add(communicator, own.sums(losses).map(Some)),
            Request::Equations(equations) => add(communicator, own.sums(equations).map(Some)),
            Request::Scores(residuals) => add(communicator, own.sums(residuals).map(Some)),
        }
        Ok(())
    }
}
