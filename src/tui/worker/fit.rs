//! The thread that fits, and its reports of progress.
//!
//! It runs the same functions as `texam fit`, so that its files are the same. Knows nothing of how the screen shows
//! a fit.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering},
        mpsc::Sender,
    },
    time::{Duration, Instant},
};

use texam_fit::{Fit, Standing};

use super::{Gate, spawn};
use crate::{
    error::{Error, Result},
    run::{self, Files, Recorder, RunLock, RunPlace, Training},
    tui::app::{Event, FitRequest, FitResult, Progress, Report},
    tuner::{self, Observer, Pass, Plan, Run},
};

/// Cancels a fit that runs.
#[derive(Clone, Default)]
pub struct FitHandle {
    is_cancelled: Arc<AtomicBool>,
    output: Arc<Mutex<Output>>,
}

/// The right to write files; the lock is held while they are written.
#[derive(Default)]
struct Output {
    /// The lock on the name of the run.
    lock: Option<RunLock>,
    /// Whether nothing may be written any more.
    is_closed: bool,
}

impl FitHandle {
    /// Cancels the fit; its end is reported.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
    }

    /// Cancels the fit when the program is about to end. Waits for the file that is being written, releases the
    /// name, and prevents further writing.
    pub fn abandon(&self) {
        self.cancel();
        *self.output() = Output { lock: None, is_closed: true };
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves the name of the files.
    fn claim(&self, place: &RunPlace) -> Result<Files> {
        let mut output = self.output();
        if output.is_closed {
            return Err(Error::new("the fit was cancelled before it began"));
        }
        let (files, lock) = Files::claim(place)?;
        output.lock = Some(lock);
        Ok(files)
    }
}

/// Begins a fit; the handle returned can cancel it.
pub fn start_fit(events: Sender<Event>, gate: Arc<Gate>, request: FitRequest) -> FitHandle {
    let handle = FitHandle::default();
    let own_handle = handle.clone();
    spawn(events, move |events| {
        let result = fit(events, gate, own_handle.clone(), &request).map(Box::new);
        own_handle.output().lock = None;
        let _ = events.send(Event::Report(Report::FitEnded(result)));
    });
    handle
}

fn fit(
    events: &Sender<Event>,
    gate: Arc<Gate>,
    handle: FitHandle,
    request: &FitRequest,
) -> Result<FitResult> {
    let mut plan = request.spec.plan()?;
    if !request.writes_files {
        plan = Plan { iterations: 1, patience: None, ..plan };
    }
    let training = Training::of(&request.collection, &request.spec, &request.weights, &mut |_| {})?;
    let observer = |recorder| FitObserver::new(events, gate, handle.clone(), recorder, plan.iterations);
    let tune = |observer: &FitObserver| -> Result<Run> {
        let fit = || tuner::tune(training.positions(), &request.weights, &plan, observer);
        run::on_prepared_threads(request.place.threads, lower_priority, fit)?
    };
    if !request.writes_files {
        return tune(&observer(None)).map(|run| FitResult { run, files: None });
    }
    let header = training.header();
    let files = handle.claim(&request.place)?;
    let observer = observer(Some(Recorder::new(&files, header, Vec::new())));
    let run = tune(&observer)?;
    observer.record(|recorder| recorder.finish(run.stopped))?;
    let files = (!run.passes.is_empty()).then(|| (files.folder.clone(), files.name.clone()));
    Ok(FitResult { run, files })
}

/// Gives the threads of the screen priority over those of the fit.
fn lower_priority() {
    // On Linux this concerns the calling thread alone; elsewhere it would slow down the screen too. An error is
    // ignored: the fit then has the same priority as the screen.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

/// Reports progress to the screen and passes to the files.
struct FitObserver<'a> {
    events: Mutex<Sender<Event>>,
    gate: Arc<Gate>,
    handle: FitHandle,
    recorder: Option<Recorder<'a>>,
    /// Number of fits to be made.
    fits: u32,
    counters: Counters,
    clock: Mutex<Clock>,
}

/// The progress of the running pass, counted by all threads.
#[derive(Default)]
struct Counters {
    pass: AtomicU32,
    positions: AtomicUsize,
    searched: AtomicUsize,
}

impl Counters {
    /// Begins a pass.
    fn reset(&self, pass: u32, positions: usize) {
        self.pass.store(pass, Ordering::Relaxed);
        self.positions.store(positions, Ordering::Relaxed);
        self.searched.store(0, Ordering::Relaxed);
    }

    /// Counts a position.
    fn add(&self) {
        self.searched.fetch_add(1, Ordering::Relaxed);
    }

    /// The counts so far.
    fn progress(&self, fits: u32, seconds: f64) -> Progress {
        let load = |number: &AtomicUsize| number.load(Ordering::Relaxed);
        Progress {
            pass: self.pass.load(Ordering::Relaxed),
            fits,
            searched: load(&self.searched),
            positions: load(&self.positions),
            seconds,
        }
    }
}

/// When the pass began, and when its progress was last reported.
struct Clock {
    began: Instant,
    reported: Instant,
}

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl<'a> FitObserver<'a> {
    fn new(
        events: &Sender<Event>,
        gate: Arc<Gate>,
        handle: FitHandle,
        recorder: Option<Recorder<'a>>,
        fits: u32,
    ) -> FitObserver<'a> {
        let now = Instant::now();
        FitObserver {
            events: Mutex::new(events.clone()),
            gate,
            handle,
            recorder,
            fits,
            counters: Counters::default(),
            clock: Mutex::new(Clock { began: now, reported: now }),
        }
    }

    fn send(&self, report: Report) {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        // The event loop is gone only when the program ends.
        let _ = events.send(Event::Report(report));
    }

    /// Writes files, where the fit has some.
    fn record(&self, write: impl FnOnce(&Recorder) -> Result<()>) -> Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let output = self.handle.output();
        if output.is_closed {
            return Ok(());
        }
        write(recorder)
    }

    fn report_progress(&self, seconds: f64) {
        self.send(Report::Progress(self.counters.progress(self.fits, seconds)));
    }
}

impl Observer for FitObserver<'_> {
    fn begins(&self, pass: u32, positions: usize) {
        self.counters.reset(pass, positions);
        let now = Instant::now();
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Clock { began: now, reported: now };
        self.report_progress(0.0);
    }

    fn searched(&self, _standing: &Standing) -> bool {
        self.counters.add();
        // If another thread holds the clock, that thread reports.
        if let Ok(mut clock) = self.clock.try_lock()
            && clock.reported.elapsed() >= REPORT_INTERVAL
        {
            clock.reported = Instant::now();
            self.report_progress(clock.began.elapsed().as_secs_f64());
        }
        self.gate.wait();
        !self.handle.is_cancelled()
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        self.record(|recorder| recorder.measured(pass, fit))?;
        self.send(Report::PassMeasured(Box::new(pass.clone()), fit.map(|fit| Box::new(fit.clone()))));
        Ok(())
    }
}
