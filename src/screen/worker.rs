//! Work beside the screen: searches in one thread, a fit and a trial in others with pools of their own.
//!
//! Workers get values and send [`Report`]s; they share no state with the screen. An urgent search goes before
//! a fit and a trial: while it runs, their threads pause between two positions or moves.

mod fit;
mod pace;
mod search;
#[cfg(feature = "native")]
mod threads;
mod trial;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use self::pace::Pace;
#[cfg(feature = "native")]
pub use self::threads::{AnalysisThread, start_fit, start_task, start_trial};
pub use self::{
    fit::{FitHandle, run_fit},
    search::Analyser,
    trial::run_trial,
};
use super::app::{Effect, Event, FolderListing, Progress, Report, RunHistory};
use crate::{
    feature::Weights,
    file, par,
    run::{self, RunSpec},
};

/// Takes the events of workers. Once the event loop is gone, the program ends and nothing takes them.
pub type Outbox = Arc<dyn Fn(Event) + Send + Sync>;

/// Makes the threads of a fit wait while an urgent search runs.
#[derive(Debug, Default)]
pub struct Gate {
    is_closed: AtomicBool,
}

impl Gate {
    /// Closes the gate, so that the fit waits, or opens it.
    fn set_closed(&self, is_closed: bool) {
        self.is_closed.store(is_closed, Ordering::Release);
    }

    /// Waits for the gate to open, for a fifth of a second at most.
    fn wait(&self) {
        const PAUSE: Duration = Duration::from_millis(1);
        const PAUSES: usize = 200;
        for _ in 0..PAUSES {
            if !self.is_closed.load(Ordering::Acquire) {
                return;
            }
            thread::sleep(PAUSE);
        }
    }
}

/// Cancels work; its end is reported.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// How the threads of a fit or a trial stand to the screen: they report to it, let its urgent searches go
/// first, and end when it cancels them.
struct Background {
    outbox: Outbox,
    gate: Arc<Gate>,
    cancel_flag: CancelFlag,
    pace: Pace,
    progress: fn(Progress) -> Report,
}

impl Background {
    fn send(&self, report: Report) {
        (self.outbox)(Event::Report(report));
    }

    /// Begins a pass over so many positions or games.
    fn begin(&self, pass: u32, positions: usize) {
        self.send((self.progress)(self.pace.begin(pass, positions)));
    }

    /// Counts a position or game, and reports it from time to time.
    fn tick(&self) {
        self.pace.tick().into_iter().for_each(|progress| self.send((self.progress)(progress)));
    }

    /// Waits for an urgent search; says whether to continue.
    fn goes_on(&self) -> bool {
        self.gate.wait();
        !self.cancel_flag.is_cancelled()
    }
}

/// Gives the threads of the screen priority over those of the fit.
fn lower_priority() {
    // On Linux this concerns the calling thread alone; elsewhere it would slow down the screen too. An error
    // is ignored: the fit then has the same priority as the screen.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

/// Reads or writes files for an effect; none if it is of another kind.
pub fn carry_out(effect: Effect) -> Option<Report> {
    Some(match effect {
        Effect::Save { path, weights, replace } => save(path, &weights, replace),
        Effect::Restore(name) => {
            let path = par::path_of(name);
            let par = par::read(&path).map(Box::new);
            Report::Restored(path.display().to_string(), par)
        }
        Effect::OpenRun(path) => {
            let run = RunHistory::read(path.as_ref()).map(|(_, run)| Box::new(run));
            Report::RunOpened(path, run)
        }
        Effect::ListFolder(folder) => Report::FolderListed(list_folder(folder)),
        Effect::Read(spec) => read_games(spec),
        _ => return None,
    })
}

fn save(path: String, weights: &Weights, replace: bool) -> Report {
    let place = Path::new(&path);
    if !replace && file::exists(place) && !file::is_folder(place) {
        return Report::FileExists(path);
    }
    let result = par::write(&path, weights, &["saved from the screen of texam".to_string()]);
    Report::Saved(path, result)
}

/// Lists a folder for a prompt. One that cannot be read has no names: the answer to the prompt will say why.
fn list_folder(folder: String) -> FolderListing {
    let path = if folder.is_empty() { Path::new(".") } else { Path::new(&folder) };
    let mut names = file::names_in(path);
    names.sort();
    FolderListing { folder, names }
}

/// Reads the games again. Warnings about single games were shown when they were first read.
fn read_games(spec: Box<RunSpec>) -> Report {
    let games = run::all_positions(&spec, &mut |_| {}).map(|(collection, _)| Box::new(collection));
    Report::GamesRead(spec, games)
}

#[cfg(test)]
use self::tests::outbox;

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Sender};

    use super::*;
    use crate::{
        run::{RunPlace, StoredRun},
        sample::Sampling,
        screen::{
            app::{FitRequest, Place, SearchRequest},
            testing,
        },
    };
    use texam_fit::StopReason;

    pub(super) fn outbox(events: Sender<Event>) -> Outbox {
        Arc::new(move |event| _ = events.send(event))
    }

    #[test]
    fn a_thread_that_panics_sends_an_event() {
        let (events, inbox) = mpsc::channel();
        threads::spawn(outbox(events), |_| panic!("on purpose"));
        assert!(matches!(inbox.recv().unwrap(), Event::ThreadFailed(message) if message == "on purpose"));
    }

    #[test]
    fn a_folder_is_listed_by_name_and_one_that_is_not_there_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b.par"), "").unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        let path = format!("{}/", folder.path().display());
        assert_eq!(list_folder(path.clone()).names, ["a/", "b.par"]);
        assert_eq!(list_folder(format!("{path}none/")).names, [""; 0]);
    }

    #[test]
    fn positions_are_searched_in_the_order_wanted_and_the_gate_opens_again() {
        let (events, inbox) = mpsc::channel();
        let gate = Arc::new(Gate::default());
        let thread = AnalysisThread::start(outbox(events), Arc::clone(&gate));
        let place = |ply: usize| Place { game: 0, ply };
        let positions = testing::some_positions(3).into_iter().enumerate();
        let positions = positions.map(|(ply, position)| (place(ply), position)).collect();
        thread.request(SearchRequest {
            epoch: 7,
            weights: Weights::start(),
            sampling: Sampling::default(),
            positions,
            is_urgent: true,
        });
        for expected in 0..3 {
            match inbox.recv().unwrap() {
                Event::Report(Report::Analysed { epoch, place: found, .. }) => {
                    assert_eq!((epoch, found), (7, place(expected)))
                }
                other => panic!("{other:?}"),
            }
            assert!(!gate.is_closed.load(Ordering::Acquire), "only the first is urgent");
        }
    }

    #[test]
    fn a_fit_that_is_abandoned_leaves_no_name_taken_and_writes_no_more() {
        let out = tempfile::tempdir().unwrap();
        let (events, inbox) = mpsc::channel();
        let request = FitRequest {
            spec: RunSpec::default(),
            place: RunPlace { out: out.path().into(), ..RunPlace::default() },
            collection: Arc::new(testing::collection(1)),
            weights: Weights::start(),
            writes_files: true,
        };
        let fit = start_fit(outbox(events), Arc::new(Gate::default()), request);
        let begins = |event| matches!(event, Event::Report(Report::Progress(_)));
        while !begins(inbox.recv().unwrap()) {}
        let is_empty = || out.path().read_dir().unwrap().next().is_none();
        assert!(!is_empty(), "the name is taken");
        fit.abandon();
        assert!(is_empty());
        while !matches!(inbox.recv().unwrap(), Event::Report(Report::FitEnded(_))) {}
        assert!(is_empty());
    }

    #[test]
    fn a_fit_reports_every_pass_and_a_cancelled_one_none() {
        let set = [("depth", "1"), ("every", "100"), ("min-support", "1"), ("iterations", "1")];
        let spec = set.iter().fold(RunSpec::default(), |spec, (name, text)| spec.with(name, text).unwrap());
        let out = tempfile::tempdir().unwrap();
        for (cancelled, writes_files) in [(false, false), (false, true), (true, false)] {
            let (events, inbox) = mpsc::channel();
            let request = FitRequest {
                spec: spec.clone(),
                place: RunPlace { out: out.path().into(), ..RunPlace::default() },
                collection: Arc::new(testing::collection(1)),
                weights: Weights::start(),
                writes_files,
            };
            let fit = start_fit(outbox(events), Arc::new(Gate::default()), request);
            if cancelled {
                fit.cancel();
            }
            let mut passes = 0;
            let ended = loop {
                match inbox.recv().unwrap() {
                    Event::Report(Report::PassMeasured(..)) => passes += 1,
                    Event::Report(Report::FitEnded(ended)) => break ended.unwrap(),
                    _ => {}
                }
            };
            let expected = if cancelled { (StopReason::Cancelled, 0) } else { (StopReason::Iterations, 2) };
            assert_eq!((ended.stopped, passes), expected);
            assert_eq!(ended.files.is_some(), writes_files);
        }
        let run = StoredRun::open(&out.path().join("run-001.stat")).unwrap();
        for (pass, weights) in run.weights(&mut |_| {}).passes {
            assert!(run.ranks(pass, &weights).is_some());
            assert!(run.ranks(1 - pass, &weights).is_none(), "they are those of other weights");
        }
    }
}
