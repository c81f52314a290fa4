use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Condvar, Mutex},
    thread,
};

use super::*;
use crate::{
    Agreement, Choice, ClusterCounts, Fit, FitOptions, Forces, Logistic, Measured, Model, Objective, Pairs,
    Pass, PassReport, Plan, Run, Sink, Softmax, Source, Standing, follow,
    synthetic::{self, Kind},
    tuner::{Job, Observer, tests::tune},
};

/// The messages from each rank to each other that are not received yet.
type Messages = HashMap<[usize; 2], VecDeque<Vec<u8>>>;

/// Ranks that are threads of this process.
#[derive(Clone)]
struct Threads {
    rank: usize,
    size: usize,
    messages: Arc<(Mutex<Messages>, Condvar)>,
    /// The length of each message.
    sent: Arc<Mutex<Vec<usize>>>,
}

impl Threads {
    fn all(size: usize) -> Vec<Threads> {
        let one = Threads { rank: 0, size, messages: Arc::default(), sent: Arc::default() };
        (0..size).map(|rank| Threads { rank, ..one.clone() }).collect()
    }

    fn put(&self, to: usize, message: Vec<u8>) {
        let (messages, arrived) = &*self.messages;
        messages.lock().unwrap().entry([self.rank, to]).or_default().push_back(message);
        arrived.notify_all();
    }
}

impl Communicator for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn broadcast(&self, message: Vec<u8>) -> Vec<u8> {
        match self.rank {
            0 => (1..self.size).for_each(|rank| self.put(rank, message.clone())),
            _ => return self.receive(0),
        }
        message
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        self.sent.lock().unwrap().push(message.len());
        self.put(to, message);
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let (messages, arrived) = &*self.messages;
        let mut messages = messages.lock().unwrap();
        loop {
            if let Some(message) = messages.entry([from, self.rank]).or_default().pop_front() {
                return message;
            }
            messages = arrived.wait(messages).unwrap();
        }
    }

    fn abort(&self) -> ! {
        panic!("rank {} aborts", self.rank)
    }
}

/// The share of a rank of stored choices, which are valued anew in every pass. Every fifth cluster is held
/// out.
pub(crate) struct Share {
    choices: Vec<Choice>,
    rank: u64,
    size: u64,
    /// The pass that fails, and the one that is cancelled, from 0.
    fails: Option<usize>,
    cancelled: Option<usize>,
    passes: usize,
}

impl Share {
    pub fn new(choices: &[Choice], rank: usize, size: usize) -> Share {
        let (rank, size) = (rank as u64, size as u64);
        Share { choices: choices.to_vec(), rank, size, fails: None, cancelled: None, passes: 0 }
    }
}

impl Source for Share {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        self.passes += 1;
        if self.fails == Some(self.passes - 1) {
            return Err(Error::Penalty);
        }
        if self.cancelled == Some(self.passes - 1) {
            return Ok(None);
        }
        let mut choices = synthetic::revalued(&self.choices, model);
        choices.retain(|choice| choice.cluster() % self.size == self.rank);
        choices.sort_by_key(Choice::cluster);
        let (held_out, fitted): (Vec<Choice>, Vec<Choice>) =
            choices.into_iter().partition(|choice| choice.cluster() % 5 == 4);
        let standing = |choice: &Choice| {
            let ahead = choice.values().iter().filter(|&&value| value > choice.values()[0]).count() as u32;
            Standing { alternatives: choice.len() as u32, ahead, tied: 0, rows: choice.len() as u32 }
        };
        let agreement = |choices: &[Choice]| Agreement::of(&choices.iter().map(standing).collect::<Vec<_>>());
        let clusters = |choices: &[Choice]| {
            let of_cluster = |choices: &[Choice]| {
                let mut counts = ClusterCounts::new(choices[0].cluster());
                choices.iter().for_each(|choice| counts.count(&standing(choice)));
                counts
            };
            choices.chunk_by(|a, b| a.cluster() == b.cluster()).map(of_cluster).collect::<Vec<_>>()
        };
        let clusters = [clusters(&fitted), clusters(&held_out)];
        for cluster in fitted.chunk_by(|a, b| a.cluster() == b.cluster()) {
            sink.accept(cluster)?;
        }
        if sink.wants_held_out() {
            sink.accept_held_out(&held_out)?;
        }
        let held_out = (!held_out.is_empty()).then(|| agreement(&held_out));
        Ok(Some(Measured { fitted: agreement(&fitted), held_out, clusters }))
    }
}

/// Keeps the last fit.
#[derive(Default)]
pub(crate) struct LastFit(pub Mutex<Option<Fit>>);

impl Observer for LastFit {
    fn measured(&self, _: &Pass, fit: Option<&Fit>) -> Result<()> {
        *self.0.lock().unwrap() = fit.cloned();
        Ok(())
    }
}

pub(crate) fn plan(errors: bool) -> Plan {
    let options = FitOptions { min_support: 5, errors, ..FitOptions::default() };
    Plan { options, keep_spread: true, iterations: 3, patience: None, by_match: false }
}

/// Runs a plan on one process, and gives its result, without times, and the last fit.
pub(crate) fn on_one_process(
    choices: &[Choice],
    objective: &dyn Objective,
    start: &Model,
    plan: &Plan,
) -> (Run, Option<Fit>) {
    let observer = LastFit::default();
    let mut source = Share::new(choices, 0, 1);
    let run = tune(&mut source, objective, start, plan, &observer).unwrap();
    (without_times(run), observer.0.into_inner().unwrap())
}

/// Runs a plan on so many ranks, and gives the result of the leader with the last fit.
fn on_ranks(
    shares: Vec<Share>,
    objective: &dyn Objective,
    start: &Model,
    plan: &Plan,
    finished: Vec<Pass>,
) -> (Result<Run>, Option<Fit>) {
    run_on(Threads::all(shares.len()), shares, objective, start, plan, finished)
}

fn run_on(
    ranks: Vec<Threads>,
    shares: Vec<Share>,
    objective: &dyn Objective,
    start: &Model,
    plan: &Plan,
    finished: Vec<Pass>,
) -> (Result<Run>, Option<Fit>) {
    thread::scope(|scope| {
        let mut shares = ranks.into_iter().zip(shares);
        let (communicator, mut source) = shares.next().unwrap();
        for (communicator, mut source) in shares {
            scope.spawn(move || follow(&communicator, &mut source, objective, start).unwrap());
        }
        let team = Team::new(Box::new(communicator));
        let observer = LastFit::default();
        let run =
            Job { objective, start, plan, finished, observer: &observer }.lead(Some(&team), &mut source);
        (run, observer.0.into_inner().unwrap())
    })
}

pub(crate) fn without_times(run: Run) -> Run {
    let passes = run.passes.into_iter().map(|pass| Pass { timing: Default::default(), ..pass });
    Run { passes: passes.collect(), ..run }
}

pub(crate) fn data() -> (Model, Vec<Choice>) {
    let model = synthetic::random_model(4, 12);
    let kind = Kind { clusters: 23, choices: 200, ..Kind::default() };
    (model.clone(), synthetic::choices(5, &kind, &model))
}

fn shares(choices: &[Choice], size: usize) -> Vec<Share> {
    (0..size).map(|rank| Share::new(choices, rank, size)).collect()
}

#[test]
fn any_number_of_ranks_gives_the_run_of_one_process() {
    let (model, choices) = data();
    let objectives: [&dyn Objective; 3] = [&Forces::default(), &Softmax, &Pairs];
    for (objective, errors) in objectives.into_iter().flat_map(|o| [(o, true), (o, false)]) {
        let (alone, fit) = on_one_process(&choices, objective, &model, &plan(errors));
        assert!(alone.passes[3].report.held_out.is_some());
        assert_compared(&alone);
        for size in [1, 2, 3, 30] {
            let (run, last) = on_ranks(shares(&choices, size), objective, &model, &plan(errors), Vec::new());
            assert_eq!(without_times(run.unwrap()), alone, "{} on {size} ranks", objective.name());
            assert_eq!(last, fit);
        }
    }
}

/// Every pass after the first is compared with those before, by the counts of their clusters.
fn assert_compared(run: &Run) {
    for (number, pass) in run.passes.iter().enumerate() {
        let PassReport { against_start, rank_errors, fitted, .. } = &pass.report;
        assert_eq!(against_start.map(|change| change.is_some()), [number > 0; 2]);
        assert_eq!((rank_errors.len(), rank_errors.iter().all(Option::is_some)), (number, true));
        assert!(pass.clusters.iter().all(|set| set.is_sorted_by_key(|counts| counts.cluster)));
        let counted: u64 = pass.clusters[0].iter().map(|counts| u64::from(counts.choices)).sum();
        assert_eq!(counted, fitted.choices);
        if let Some(change) = against_start[0] {
            let start = &run.passes[0].report.fitted;
            assert!((change.mean_rank - (fitted.mean_rank() - start.mean_rank())).abs() < 1e-5);
            assert!((change.match_rate - (fitted.match_rate() - start.match_rate())).abs() < 1e-5);
        }
    }
}

#[test]
fn a_run_goes_on_with_another_number_of_ranks() {
    let (model, choices) = data();
    let (whole, _) = on_ranks(shares(&choices, 2), &Softmax, &model, &plan(true), Vec::new());
    let whole = without_times(whole.unwrap());
    let (again, _) = on_ranks(shares(&choices, 3), &Softmax, &model, &plan(true), whole.passes[..2].to_vec());
    assert_eq!(without_times(again.unwrap()), whole);
}

#[test]
fn a_rank_that_fails_ends_the_run_with_its_message_and_the_others_are_released() {
    let (model, choices) = data();
    for failing in 0..3 {
        let mut shares = shares(&choices, 3);
        shares[failing].fails = Some(1);
        let (run, _) = on_ranks(shares, &Forces::default(), &model, &plan(true), Vec::new());
        let error = run.unwrap_err();
        match failing {
            0 => assert!(matches!(error, Error::Penalty)),
            _ => assert_eq!(error.to_string(), format!("rank {failing}: {}", Error::Penalty)),
        }
    }
}

#[test]
fn a_rank_that_is_cancelled_cancels_the_pass() {
    let (model, choices) = data();
    let mut shares = shares(&choices, 3);
    shares[2].cancelled = Some(2);
    let (run, _) = on_ranks(shares, &Forces::default(), &model, &plan(true), Vec::new());
    let run = run.unwrap();
    assert_eq!((run.stopped, run.passes.len()), (crate::StopReason::Cancelled, 2));
}

#[test]
fn labelled_positions_are_shared_too() {
    let model = synthetic::random_model(4, 12);
    let labelled = |number: u64| {
        let mut choice = Choice::default();
        choice.begin_labelled(number / 3, (number % 3) as f64 / 2.0).unwrap();
        let entries = [(number as u32 % 5, 256), (5 + number as u32 % 7, 128 + number as i64)];
        choice.push(model.value(entries), entries).unwrap();
        choice
    };
    let choices: Vec<Choice> = (0..150).map(labelled).collect();
    let objective = Logistic::default();
    let run = |size| {
        let (run, fit) = on_ranks(shares(&choices, size), &objective, &model, &plan(true), Vec::new());
        (without_times(run.unwrap()), fit)
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn a_pass_sends_one_triangle_of_sums_and_some_counts() {
    let (model, choices) = data();
    let ranks = Threads::all(2);
    let sent = Arc::clone(&ranks[0].sent);
    let plan = Plan { iterations: 1, ..plan(false) };
    run_on(ranks, shares(&choices, 2), &Forces::default(), &model, &plan, Vec::new()).0.unwrap();
    // In the first pass, the matrix has 78 entries above its diagonal or on it, and there are three vectors.
    let [first, second] = sent.lock().unwrap()[..] else { panic!("two passes") };
    assert!((78 + 3 * 12..19 * (78 + 3 * 12)).contains(&(first - second)), "{first} {second}");
    assert!(second < 2000, "{second}");
}
