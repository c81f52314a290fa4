//! One run on several processes. Each has a share of the choices; rank 0 leads.
//!
//! The leader runs the plan. Where it needs sums over the choices, it sends a request to all ranks, each
//! answers it for its share, and the answers are added. So only the leader decides, and what it decides with is the
//! same, to the last bit, for any number of ranks.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    agreement::ClusterSets,
    collect::Purpose,
    error::{Error, Result},
    grid::Grid,
    local::Local,
    model::Model,
    numbers,
    objective::Objective,
    searchers::{Searchers, SumRequest},
    source::Source,
};

/// Connects the ranks of a run. All ranks call the same methods in the same order.
///
/// A rank that is lost ends the others too; that is up to the implementation.
pub trait Communicator: Sync {
    /// Number of this process, from 0. Rank 0 leads.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// Gives the message of rank 0 to all; those of the others are ignored.
    fn broadcast(&self, message: Vec<u8>) -> Vec<u8>;

    /// Gives the messages of all ranks, in their order, to rank 0, and nothing to the others.
    fn gather(&self, message: Vec<u8>) -> Vec<Vec<u8>>;

    /// Ends all ranks at once, for an error that the others cannot be told of.
    fn abort(&self) -> !;

    /// Adds up the numbers of all ranks, place by place, for rank 0. The result of the others is undefined. No sum
    /// overflows for up to 2^19 ranks.
    fn reduce_sum(&self, numbers: Vec<i64>) -> Vec<i64>;
}

/// What the leader asks of all ranks.
#[derive(Serialize, Deserialize)]
enum Request {
    /// Search everything where the parameters have these values.
    Pass { values: Vec<f64>, purpose: Purpose },
    /// Sum over the choices of the last pass.
    Sums(SumRequest),
    /// Tell what the clusters of the last pass count.
    Clusters,
    /// The run has ended.
    End,
}

/// How the work of a rank has ended.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq)]
enum State {
    Done,
    Cancelled,
    Failed(String),
}

/// The leader's side of a run on several processes, for [`Job::lead`](crate::Job::lead). The others [follow] until it is
/// dropped.
pub struct Team<'a> {
    communicator: &'a dyn Communicator,
}

impl<'a> Team<'a> {
    /// The team of this process, which is rank 0.
    pub fn new(communicator: &'a dyn Communicator) -> Team<'a> {
        Team { communicator }
    }

    /// All ranks; `local` is this one.
    pub(crate) fn searchers<'s>(&'s self, local: Local<'s>) -> impl Searchers + 's {
        TeamSearchers { communicator: self.communicator, local }
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        self.communicator.broadcast(encode(&Request::End));
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
    let mut local = Local::new(source, objective, start);
    loop {
        let answer = match decode(&communicator.broadcast(Vec::new()))? {
            Request::Pass { values, purpose } => local.pass(&values, purpose),
            Request::Sums(request) => local.sums(&request).map(Some),
            Request::Clusters => {
                communicator.gather(encode(&local.clusters()?));
                continue;
            }
            Request::End => return Ok(()),
        };
        // An error has been reported to the leader, who ends the run.
        let _ = add_answers(communicator, answer);
    }
}

/// Compares what all ranks have prepared. All go on together where each has the same; otherwise none does.
///
/// # Errors
///
/// A rank has failed, or has something else than the leader. The error of the leader names the rank.
pub fn agree(communicator: &dyn Communicator, prepared: std::result::Result<&[u8], String>) -> Result<()> {
    type Prepared = std::result::Result<Vec<u8>, String>;
    let states = communicator.gather(encode(&prepared));
    let state = |state: &Vec<u8>| decode(state).unwrap_or_else(|error| Err(error.to_string()));
    let states: Vec<Prepared> = states.iter().map(state).collect();
    let failed = |(rank, state): (usize, &Prepared)| match state {
        Err(message) => Some((rank, message.clone())),
        Ok(_) if *state != states[0] => {
            Some((rank, "it has other input, or another version of the program, than rank 0".to_string()))
        }
        Ok(_) => None,
    };
    let verdict: Option<(usize, String)> = states.iter().enumerate().find_map(failed);
    match decode(&communicator.broadcast(encode(&verdict)))? {
        None => Ok(()),
        Some((rank, message)) => Err(Error::Rank { rank, message }),
    }
}

/// Adds up the answers of all ranks at the leader. Followers get numbers without a meaning.
fn add_answers(
    communicator: &dyn Communicator,
    answer: Result<Option<Vec<i128>>>,
) -> Result<Option<Vec<i128>>> {
    let (state, numbers, error) = match answer {
        Ok(Some(numbers)) => (State::Done, numbers, None),
        Ok(None) => (State::Cancelled, Vec::new(), None),
        Err(error) => (State::Failed(error.to_string()), Vec::new(), Some(error)),
    };
    let states = communicator.gather(encode(&state));
    let state = |state: &Vec<u8>| decode(state).unwrap_or_else(|error| State::Failed(error.to_string()));
    let states: Vec<State> = states.iter().map(state).collect();
    let failed = states.iter().position(|state| matches!(state, State::Failed(_)));
    let stopped = failed.or_else(|| states.iter().position(|state| *state == State::Cancelled));
    let verdict = stopped.map(|rank| (rank, states[rank].clone()));
    match (decode::<Option<(usize, State)>>(&communicator.broadcast(encode(&verdict)))?, error) {
        (Some((rank, State::Failed(_))), Some(error)) if rank == communicator.rank() => Err(error),
        (Some((rank, State::Failed(message))), _) => Err(Error::Rank { rank, message }),
        (Some(_), _) => Ok(None),
        (None, _) => {
            let limbs = communicator.reduce_sum(numbers::limbs(&numbers));
            match communicator.rank() {
                0 => numbers::from_limbs(&limbs).map(Some),
                _ => Ok(None),
            }
        }
    }
}

/// All ranks, as the leader sees them.
struct TeamSearchers<'a> {
    communicator: &'a dyn Communicator,
    local: Local<'a>,
}

impl Searchers for TeamSearchers<'_> {
    fn pass(&mut self, values: &[f64], purpose: Purpose) -> Result<Option<Vec<i128>>> {
        self.communicator.broadcast(encode(&Request::Pass { values: values.to_vec(), purpose }));
        add_answers(self.communicator, self.local.pass(values, purpose))
    }

    fn grids(&self) -> Option<Vec<Grid>> {
        self.local.grids()
    }

    fn sums(&self, request: &SumRequest) -> Result<Vec<i128>> {
        self.communicator.broadcast(encode(&Request::Sums(request.clone())));
        let answer = add_answers(self.communicator, self.local.sums(request).map(Some))?;
        Ok(answer.expect("sums over kept choices are not cancelled"))
    }

    fn clusters(&self) -> Result<ClusterSets> {
        self.communicator.broadcast(encode(&Request::Clusters));
        let mut all = ClusterSets::default();
        for of_rank in self.communicator.gather(encode(&self.local.clusters()?)) {
            let sets: ClusterSets = decode(&of_rank)?;
            all.iter_mut().zip(sets).for_each(|(all, set)| all.extend(set));
        }
        Ok(all)
    }
}

fn encode(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("messages can be packed")
}

fn decode<T: DeserializeOwned>(message: &[u8]) -> Result<T> {
    postcard::from_bytes(message)
        .map_err(|_| Error::input("messages of the same version on all ranks", "others"))
}

#[cfg(test)]
mod tests;
