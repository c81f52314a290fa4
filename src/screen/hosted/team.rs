//! A fit in several instances of the program that cannot wait for each other: one leads, the others search.
//!
//! The host passes the questions of the leader to all members, and their answers back. Where an answer is
//! missing, the run of the leader ends; it is made again once the answer is there, from the answers so far.
//! That costs little, since the members make all searches. Sums are the same for any number of members, so
//! the files are too.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};

use texam_fit::{Communicator, Follower, Team};

use super::job::{self, JobText, Mailbox, Reply, Work, to_bytes};
use crate::{
    error::Result,
    game::Shard,
    run::{RunWeights, Training},
};

/// A rank of a team. Members have powers of 2, so that each answers the leader and none another member.
struct Rank {
    rank: usize,
    size: usize,
    /// For the leader, the answers to each question so far.
    answers: Vec<Vec<Vec<u8>>>,
    asked: AtomicUsize,
    /// The message that the host is to pass on.
    message: Arc<Mutex<Vec<u8>>>,
}

fn lock(message: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    message.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Communicator for Rank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn broadcast(&self, message: Vec<u8>) -> Vec<u8> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked == self.answers.len() {
            lock(&self.message).clone_from(&message);
        }
        message
    }

    fn send(&self, _: usize, message: Vec<u8>) {
        *lock(&self.message) = message;
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let of_question = self.answers.get(self.asked.load(Ordering::Relaxed) - 1);
        of_question.map_or(Vec::new(), |answers| answers[from.ilog2() as usize].clone())
    }

    fn abort(&self) -> ! {
        std::process::abort()
    }
}

/// The instance that leads a fit.
pub struct Leader {
    work: Work,
    members: usize,
    answers: Vec<Vec<Vec<u8>>>,
    /// Passes whose reply was sent.
    passes: Arc<AtomicU32>,
    send: Mailbox,
}

impl Leader {
    /// Leads a job of this many members, at least one. None for one that cannot be done, which `send` is told.
    pub fn new(job: &[u8], members: usize, send: impl Fn(&[u8]) + Send + Sync + 'static) -> Option<Leader> {
        let send: Mailbox = Arc::new(move |reply| send(&to_bytes(&reply)));
        let work = Work::read(job).map_err(|reply| send(*reply)).ok()?;
        Some(Leader { work, members, answers: Vec::new(), passes: Arc::default(), send })
    }

    /// Takes the answers of all members to the last question, and runs on to the next one, which is returned;
    /// none at the end.
    pub fn go_on(&mut self, answers: Option<Vec<Vec<u8>>>) -> Option<Vec<u8>> {
        self.answers.extend(answers);
        let message = Arc::new(Mutex::new(Vec::new()));
        let (question, passes, send) =
            (Arc::clone(&message), Arc::clone(&self.passes), Arc::clone(&self.send));
        let news: Mailbox = Arc::new(move |reply| {
            let is_news = match &reply {
                Reply::Pass { pass, .. } => passes.fetch_max(pass + 1, Ordering::Relaxed) <= *pass,
                Reply::Progress(_, progress) => progress.pass >= passes.load(Ordering::Relaxed),
                _ => true,
            };
            if is_news && lock(&question).is_empty() {
                send(reply);
            }
        });
        let (size, answers) = ((1 << (self.members - 1)) + 1, self.answers.clone());
        let rank =
            Rank { rank: 0, size, answers, asked: AtomicUsize::default(), message: Arc::clone(&message) };
        self.work.run(&news, Some(&Team::new(Box::new(rank))));
        let question = std::mem::take(&mut *lock(&message));
        Some(question).filter(|question| !question.is_empty())
    }
}

/// An instance that searches for a leader.
pub struct Member {
    follower: Follower<'static>,
    rank: Rank,
}

impl Member {
    /// Number `index` of this many members, from 0. What it searches stays in memory as long as the instance.
    ///
    /// # Errors
    ///
    /// A job that cannot be done, which the leader reports too.
    pub fn join(
        job: &[u8],
        [index, members]: [usize; 2],
        send: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Result<Member> {
        const TOGETHER: usize = 8;
        let (spec, weights) = job::from_bytes::<JobText>(job)?.settings()?;
        let start = &*Box::leak(Box::new(RunWeights::own(weights)?));
        let shard = Shard::of_rank(index, members);
        let training = Box::leak(Box::new(Training::read(&spec, start, shard, &mut |_| {})?));
        let searched = AtomicUsize::default();
        let tick = Box::leak(Box::new(move |_: &_| {
            if searched.fetch_add(1, Ordering::Relaxed) % TOGETHER == 0 {
                send(&to_bytes(&Reply::Searched(TOGETHER)));
            }
            true
        }));
        let source = Box::leak(training.source(&spec, start, spec.sampling(), tick, None));
        let method = Box::leak(Box::new(spec.settings.method()));
        let follower = Follower::new(source, method.objective(), start.model());
        let rank = 1 << index;
        let (answers, message) = (Vec::new(), Arc::default());
        let rank = Rank { rank, size: rank + 1, answers, asked: AtomicUsize::default(), message };
        Ok(Member { follower, rank })
    }

    /// Answers a question of the leader.
    ///
    /// # Errors
    ///
    /// A question that is not understood.
    pub fn answer(&mut self, question: &[u8]) -> Result<Vec<u8>> {
        self.follower.answer(&self.rank, question)?;
        Ok(std::mem::take(&mut *lock(&self.rank.message)))
    }
}
