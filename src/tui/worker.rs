//! Work beside the screen: searches in one thread, a fit in another with a pool of its own.
//!
//! Workers get values and send [`Report`]s; they share no state with the screen. A search that someone waits
//! for goes before a fit: while it runs, the threads of the fit stop between two positions.

mod fit;
mod search;

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
    time::Duration,
};

pub use self::{
    fit::{Cancel, fit},
    search::{Searcher, Wanted},
};
use super::{
    app::{Comparison, Effect, Event, Report, Tally},
    found::Found,
};
use crate::{
    error::Result,
    feature::Weights,
    game::WinnerPosition,
    par,
    run::{self, RunSpec},
    sample::Sampling,
    search::alphabeta::{AlphaBeta, Prepared},
};

/// Holds a fit back while a search is waited for.
#[derive(Debug, Default)]
pub struct Gate {
    busy: AtomicBool,
}

impl Gate {
    /// From now on the fit waits, or goes on.
    fn set(&self, busy: bool) {
        self.busy.store(busy, Ordering::Release);
    }

    /// Waits for the gate to open, but not for ever.
    fn pass(&self) {
        const NAP: Duration = Duration::from_millis(1);
        const NAPS: usize = 200;
        for _ in 0..NAPS {
            if !self.busy.load(Ordering::Acquire) {
                return;
            }
            thread::sleep(NAP);
        }
    }
}

/// Runs `work` in a thread of its own; if it panics, the screen is told to end.
pub(super) fn spawn(events: Sender<Event>, work: impl FnOnce(&Sender<Event>) + Send + 'static) {
    thread::spawn(move || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&events))) {
            // Where nobody listens any more, the program is ending anyway.
            let _ = events.send(Event::Broken(message(&*panic)));
        }
    });
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_string())
}

/// Does what takes no more than a moment, in a thread of its own, so that no key waits for it.
pub fn errand(events: Sender<Event>, effect: Effect) {
    spawn(events, move |events| {
        let report = match effect {
            Effect::Save { path, weights, replace } => save(path, &weights, replace),
            Effect::Restore(path) => {
                let par = par::read(&path).map(Box::new);
                Report::Restored(path, par)
            }
            Effect::Compare { path, weights, sampling, positions } => {
                let comparison = compare(&path, &weights, &sampling, &positions).map(Box::new);
                Report::Compared(path, comparison)
            }
            Effect::Read(spec) => read(spec),
            _ => return,
        };
        let _ = events.send(Event::Report(report));
    });
}

fn save(path: String, weights: &Weights, replace: bool) -> Report {
    if !replace && Path::new(&path).exists() && !Path::new(&path).is_dir() {
        return Report::Taken(path);
    }
    let result = par::write(&path, weights, &["saved from the screen of texam".to_string()]);
    Report::Saved(path, result)
}

/// Errors of single games were told when the games were first read.
fn read(spec: Box<RunSpec>) -> Report {
    let games = run::games(&spec, &mut |_| {}).map(|(collection, _)| Box::new(collection));
    Report::Read(spec, games)
}

fn compare(
    path: &str,
    weights: &Weights,
    sampling: &Sampling,
    positions: &[WinnerPosition],
) -> Result<Comparison> {
    let par = par::read(path)?;
    let (note, other) = (par.note(path), par.weights);
    let judge = |weights: &Weights| -> Vec<Found> {
        let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, &weights.quantised()));
        positions.iter().map(|position| Found::search(position, sampling, &mut searcher)).collect()
    };
    let [mine, others] = [judge(weights), judge(&other)];
    let only = |one: &[Found], two: &[Found]| {
        one.iter().zip(two).filter(|(one, two)| one.is_match() && !two.is_match()).count()
    };
    Ok(Comparison {
        path: path.to_string(),
        tallies: [tally(&mine), tally(&others)],
        only: [only(&mine, &others), only(&others, &mine)],
        other,
        note,
        game: String::new(),
    })
}

fn tally(all: &[Found]) -> Tally {
    let choices = || all.iter().filter(|found| found.moves.len() >= 2);
    Tally {
        positions: choices().count(),
        matched: choices().filter(|found| found.is_match()).count(),
        ahead: choices().map(|found| found.played().rank).sum(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};

    use super::*;
    use crate::{run::RunPlace, tui::testing};
    use texam_fit::StopReason;

    #[test]
    fn a_thread_that_panics_is_told_of() {
        let (events, inbox) = mpsc::channel();
        spawn(events, |_| panic!("on purpose"));
        assert!(matches!(inbox.recv().unwrap(), Event::Broken(message) if message == "on purpose"));
    }

    #[test]
    fn positions_are_searched_in_the_order_wanted_and_the_gate_opens_again() {
        let (events, inbox) = mpsc::channel();
        let gate = Arc::new(Gate::default());
        let searcher = Searcher::start(events, Arc::clone(&gate));
        let positions = testing::some_positions(3).into_iter().enumerate().collect();
        searcher.want(Wanted {
            epoch: 7,
            weights: Weights::start(),
            sampling: Sampling::default(),
            positions,
            urgent: true,
        });
        for expected in 0..3 {
            match inbox.recv().unwrap() {
                Event::Report(Report::Found { epoch, index, .. }) => {
                    assert_eq!((epoch, index), (7, expected))
                }
                other => panic!("{other:?}"),
            }
            assert!(!gate.busy.load(Ordering::Acquire), "only the first is waited for");
        }
    }

    #[test]
    fn a_fit_that_is_abandoned_leaves_no_name_taken_and_writes_no_more() {
        let out = tempfile::tempdir().unwrap();
        let (events, inbox) = mpsc::channel();
        let job = super::super::app::Job {
            spec: RunSpec::default(),
            place: RunPlace { out: out.path().into(), ..RunPlace::default() },
            collection: Arc::new(testing::collection(1)),
            weights: Weights::start(),
            files: true,
        };
        let cancel = fit(events, Arc::new(Gate::default()), job);
        let begins = |event| matches!(event, Event::Report(Report::Progress(_)));
        while !begins(inbox.recv().unwrap()) {}
        let is_empty = || out.path().read_dir().unwrap().next().is_none();
        assert!(!is_empty(), "the name is taken");
        cancel.abandon();
        assert!(is_empty());
        while !matches!(inbox.recv().unwrap(), Event::Report(Report::Ended(_))) {}
        assert!(is_empty());
    }

    #[test]
    fn a_fit_tells_of_every_pass_and_one_cancelled_of_none() {
        for cancelled in [false, true] {
            let (events, inbox) = mpsc::channel();
            let job = super::super::app::Job {
                spec: RunSpec { depth: 1, every: 100, min_support: 1, ..RunSpec::default() },
                place: RunPlace::default(),
                collection: Arc::new(testing::collection(100)),
                weights: Weights::start(),
                files: false,
            };
            let cancel = fit(events, Arc::new(Gate::default()), job);
            if cancelled {
                cancel.cancel();
            }
            let mut passes = 0;
            let ended = loop {
                match inbox.recv().unwrap() {
                    Event::Report(Report::Measured(..)) => passes += 1,
                    Event::Report(Report::Ended(ended)) => break ended.unwrap(),
                    _ => {}
                }
            };
            assert_eq!(ended.run.passes.len(), passes);
            if cancelled {
                assert_eq!(ended.run.stopped, StopReason::Cancelled);
            } else {
                assert_eq!((ended.run.stopped, passes), (StopReason::Iterations, 2));
            }
        }
    }
}
