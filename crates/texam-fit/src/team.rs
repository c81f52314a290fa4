//! One run on several processes. Each has a share of the positions; rank 0 leads.
//!
//! The leader runs the plan. Where it needs sums over the choices, it sends a request to all ranks, each
//! answers it for its share, and the answers are added. So only the leader decides, and what it decides with is the
//! same, to the last bit, for any number of ranks.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    collect::Purpose,
    error::{Error, Result},
    model::Model,
    numbers,
    objective::Objective,
    searchers::{Local, Look, Searchers},
    tuner::{self, Observer, Pass, Plan, Run, Source},
};

/// Connects the ranks of a run. All ranks call the same methods in the same order.
///
/// A rank that is lost ends the others too; that is up to the implementation.
pub trait Exchange: Sync {
    /// Number of this process, from 0. Rank 0 leads.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// Gives the message of rank 0 to all; those of the others are ignored.
    fn broadcast(&self, message: Vec<u8>) -> Vec<u8>;

    /// Gives the messages of all ranks, in their order, to rank 0, and nothing to the others.
    fn gather(&self, message: Vec<u8>) -> Vec<Vec<u8>>;

    /// Adds up the numbers of all ranks, place by place, for rank 0. The result of the others is undefined. No sum
    /// overflows for up to 2^19 ranks.
    fn add(&self, numbers: Vec<i64>) -> Vec<i64>;
}

/// What the leader asks of all ranks.
#[derive(Serialize, Deserialize)]
enum Request {
    /// Search the positions where the parameters have these values.
    Pass { values: Vec<f64>, purpose: Purpose },
    /// Look at the choices of the last pass again.
    Look(Look),
    /// The run has ended.
    End,
}

/// How a rank has fared.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq)]
enum State {
    Done,
    Cancelled,
    Failed(String),
}

/// The leader's side of a run on several processes. The others [follow] until it is dropped.
pub struct Team<'a> {
    exchange: &'a dyn Exchange,
}

impl<'a> Team<'a> {
    /// The team of this process, which is rank 0.
    pub fn new(exchange: &'a dyn Exchange) -> Team<'a> {
        Team { exchange }
    }

    /// Runs a plan with all ranks; `source` has the share of this one. As [`resume`](crate::resume) otherwise.
    ///
    /// # Errors
    ///
    /// As [`resume`](crate::resume); also when another rank fails, which the error names.
    pub fn resume(
        &self,
        source: &mut dyn Source,
        objective: &dyn Objective,
        start: &Model,
        plan: &Plan,
        finished: Vec<Pass>,
        observer: &dyn Observer,
    ) -> Result<Run> {
        let local = Local::new(source, objective, start);
        let mut searchers = Together { exchange: self.exchange, local };
        tuner::run(&mut searchers, objective, start, plan, finished, observer)
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        self.exchange.broadcast(packed(&Request::End));
    }
}

/// Answers what the leader asks, for the share of `source`, until the leader has ended. What fails here is told to the
/// leader.
///
/// # Errors
///
/// A message of the leader that is not understood.
pub fn follow(
    exchange: &dyn Exchange,
    source: &mut dyn Source,
    objective: &dyn Objective,
    start: &Model,
) -> Result<()> {
    let mut local = Local::new(source, objective, start);
    loop {
        let answer = match unpacked(&exchange.broadcast(Vec::new()))? {
            Request::Pass { values, purpose } => local.pass(&values, purpose),
            Request::Look(look) => local.look(&look).map(Some),
            Request::End => return Ok(()),
        };
        // The leader knows of an error by now.
        let _ = together(exchange, answer);
    }
}

/// Compares what all ranks have prepared. All go on together where each has the same; otherwise none does.
///
/// # Errors
///
/// A rank has failed, or has something else than the leader. The error of the leader names the rank.
pub fn agree<E: ToString>(exchange: &dyn Exchange, prepared: std::result::Result<&[u8], E>) -> Result<()> {
    let state: std::result::Result<&[u8], String> = prepared.map_err(|error| error.to_string());
    let states = exchange.gather(packed(&state));
    let states: Vec<std::result::Result<Vec<u8>, String>> =
        states.iter().map(|state| unpacked(state)).collect::<Result<_>>()?;
    let failed = |(rank, state): (usize, &std::result::Result<Vec<u8>, String>)| match state {
        Err(message) => Some((rank, message.clone())),
        Ok(_) if *state != states[0] => Some((rank, "it has read other files than rank 0".to_string())),
        Ok(_) => None,
    };
    let verdict: Option<(usize, String)> = states.iter().enumerate().find_map(failed);
    match unpacked(&exchange.broadcast(packed(&verdict)))? {
        None => Ok(()),
        Some((rank, message)) => Err(Error::Rank { rank, message }),
    }
}

/// Adds up the answers of all ranks at the leader. Followers get numbers without a meaning.
fn together(exchange: &dyn Exchange, answer: Result<Option<Vec<i128>>>) -> Result<Option<Vec<i128>>> {
    let (state, numbers, error) = match answer {
        Ok(Some(numbers)) => (State::Done, numbers, None),
        Ok(None) => (State::Cancelled, Vec::new(), None),
        Err(error) => (State::Failed(error.to_string()), Vec::new(), Some(error)),
    };
    let states = exchange.gather(packed(&state));
    let states: Vec<State> = states.iter().map(|state| unpacked(state)).collect::<Result<_>>()?;
    let failed = states.iter().position(|state| matches!(state, State::Failed(_)));
    let stopped = failed.or_else(|| states.iter().position(|state| *state == State::Cancelled));
    let verdict = stopped.map(|rank| (rank, states[rank].clone()));
    match (unpacked::<Option<(usize, State)>>(&exchange.broadcast(packed(&verdict)))?, error) {
        (Some((rank, State::Failed(_))), Some(error)) if rank == exchange.rank() => Err(error),
        (Some((rank, State::Failed(message))), _) => Err(Error::Rank { rank, message }),
        (Some(_), _) => Ok(None),
        (None, _) => {
            let limbs = exchange.add(numbers::limbs(&numbers));
            match exchange.rank() {
                0 => numbers::of_limbs(&limbs).map(Some),
                _ => Ok(None),
            }
        }
    }
}

/// All ranks, as the leader sees them.
struct Together<'a> {
    exchange: &'a dyn Exchange,
    local: Local<'a>,
}

impl Searchers for Together<'_> {
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>> {
        self.exchange.broadcast(packed(&Request::Pass { values: values.to_vec(), purpose }));
        together(self.exchange, self.local.pass(values, purpose))
    }

    fn look(&self, look: &Look) -> Result<Vec<i128>> {
        self.exchange.broadcast(packed(&Request::Look(look.clone())));
        let answer = together(self.exchange, self.local.look(look).map(Some))?;
        Ok(answer.expect("a look is not cancelled"))
    }
}

fn packed(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("messages can be packed")
}

fn unpacked<T: DeserializeOwned>(message: &[u8]) -> Result<T> {
    postcard::from_bytes(message)
        .map_err(|_| Error::input("messages of the same version on all ranks", "others"))
}

#[cfg(test)]
pub(crate) mod tests;
