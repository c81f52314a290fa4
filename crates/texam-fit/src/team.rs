//! One run on several processes. Each has a share of the choices; rank 0 leads.
//!
//! The leader runs the plan. Where it needs sums over the choices, it sends a request to all ranks, each
//! answers it for its share, and the answers are added. So only the leader decides, and what it decides with
//! is the same, to the last bit, for any number of ranks.

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    error::{Error, Result},
    merge::Merge,
};

/// Connects the ranks of a run.
///
/// A rank that is lost ends the others too; that is up to the implementation.
pub trait Communicator: Sync {
    /// Number of this process, from 0. Rank 0 leads.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// Gives the message of rank 0 to all; those of the others are ignored. All ranks call it.
    fn broadcast(&self, message: Vec<u8>) -> Vec<u8>;

    /// Sends a message, which is not empty, to a rank that [receives](Communicator::receive) it.
    fn send(&self, to: usize, message: Vec<u8>);

    /// Waits for the next message that a rank sends to this one.
    fn receive(&self, from: usize) -> Vec<u8>;

    /// Ends all ranks at once, for an error that the others cannot be told of.
    fn abort(&self) -> !;
}

/// The leader's side of a run on several processes, for [`Job::lead`](crate::Job::lead). Where it is dropped,
/// it broadcasts an empty message. The others [follow](crate::follow) until then.
pub struct Team(Box<dyn Communicator>);

impl Team {
    /// The team of this process, which is rank 0.
    pub fn new(communicator: Box<dyn Communicator>) -> Team {
        Team(communicator)
    }

    /// What connects the team.
    pub fn communicator(&self) -> &dyn Communicator {
        &*self.0
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.0.broadcast(Vec::new());
    }
}

/// Adds the answers of all ranks. Each adds those of the ranks `n + 1`, `n + 2`, `n + 4` .. to its own, one
/// after the other, and sends the sum to the one below, so that none waits for more than log2 of their number
/// and none holds more than two answers. Only the result of the leader is that of all ranks. It is none where
/// some rank was cancelled.
///
/// # Errors
///
/// That of the first rank that failed.
pub(crate) fn add_answers<T: Merge + Serialize + DeserializeOwned>(
    communicator: &dyn Communicator,
    own: Result<Option<T>>,
) -> Result<Option<T>> {
    type Answer<T> = std::result::Result<Option<T>, (usize, String)>;
    let (rank, size) = (communicator.rank(), communicator.size());
    let (mut all, mut step) = (own, 1);
    while step < size && rank.is_multiple_of(2 * step) {
        if rank + step < size {
            let answer: Result<Answer<T>> = decode(&communicator.receive(rank + step));
            let answer =
                answer.and_then(|answer| answer.map_err(|(rank, message)| Error::Rank { rank, message }));
            all = match (all, answer) {
                (Err(error), _) | (Ok(_), Err(error)) => Err(error),
                (Ok(Some(mut sum)), Ok(Some(answer))) => sum.merge(answer).map(|()| Some(sum)),
                _ => Ok(None),
            };
        }
        step *= 2;
    }
    if rank == 0 {
        return all;
    }
    let answer: Answer<T> = all.map_err(|error| match error {
        Error::Rank { rank, message } => (rank, message),
        error => (rank, error.to_string()),
    });
    communicator.send(rank - step, encode(&answer));
    Ok(None)
}

pub(crate) fn encode(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("messages can be packed")
}

pub(crate) fn decode<T: DeserializeOwned>(message: &[u8]) -> Result<T> {
    postcard::from_bytes(message)
        .map_err(|_| Error::input("messages of the same version on all ranks", "others"))
}

#[cfg(test)]
mod tests;
