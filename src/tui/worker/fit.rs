//! The thread that fits, and what it tells of its progress.
//!
//! It goes the way of `texam fit`, so that its files are the same. How the screen shows it is not known here.

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
    run::{self, Claim, Files, Recorder, RunPlace, Split},
    tui::app::{Ended, Event, Job, Progress, Report},
    tuner::{self, Observer, Pass, Plan, Run},
};

/// Says that a fit is to end.
#[derive(Clone, Default)]
pub struct Cancel {
    is_cancelled: Arc<AtomicBool>,
    filing: Arc<Mutex<Filing>>,
}

/// What a fit has of its files; whoever writes them holds the lock.
#[derive(Default)]
struct Filing {
    /// The name, until there is a pass to write under it.
    claim: Option<Claim>,
    /// Whether nothing is to be written any more.
    is_closed: bool,
}

impl Cancel {
    /// From now on.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
    }

    /// The same where nobody waits for the end: writes to their end what is being written, gives back the
    /// name where it is not used, and lets nothing more be written. So the program can end at once.
    pub fn abandon(&self) {
        self.cancel();
        *self.filing() = Filing { claim: None, is_closed: true };
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    fn filing(&self) -> MutexGuard<'_, Filing> {
        self.filing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a name the fit's own.
    fn claim(&self, place: &RunPlace) -> Result<Files> {
        let mut filing = self.filing();
        if filing.is_closed {
            return Err(Error::new("the fit was given up before it began"));
        }
        let (files, claim) = Files::claim(place)?;
        filing.claim = Some(claim);
        Ok(files)
    }
}

/// Begins a fit; it ends early when the handle that comes back says so.
pub fn fit(events: Sender<Event>, gate: Arc<Gate>, job: Job) -> Cancel {
    let cancel = Cancel::default();
    let its_own = cancel.clone();
    spawn(events, move |events| {
        let ended = carry_out(events, gate, its_own.clone(), &job).map(Box::new);
        its_own.filing().claim = None;
        let _ = events.send(Event::Report(Report::Ended(ended)));
    });
    cancel
}

fn carry_out(events: &Sender<Event>, gate: Arc<Gate>, cancel: Cancel, job: &Job) -> Result<Ended> {
    let mut plan = job.spec.plan()?;
    if !job.files {
        plan = Plan { iterations: 1, patience: None, ..plan };
    }
    let split = Split::new(&job.collection, &job.spec, &mut |_| {})?;
    let observe = |recorder| Witness::new(events, gate, cancel.clone(), recorder, plan.iterations);
    let tune = |witness: &Witness| -> Result<Run> {
        let fit = || tuner::tune(split.data(), &job.weights, &plan, witness);
        run::on_prepared_threads(job.place.threads, step_back, fit)?
    };
    if !job.files {
        return tune(&observe(None)).map(|run| Ended { run, files: None });
    }
    let header = run::header(&job.spec, &job.collection, &split, &job.weights);
    let files = cancel.claim(&job.place)?;
    let witness = observe(Some(Recorder::new(&files, &header, None, Vec::new())));
    let run = tune(&witness)?;
    witness.record(|recorder| recorder.finish(&run))?;
    let files = (!run.passes.is_empty()).then(|| (files.folder.clone(), files.name.clone()));
    Ok(Ended { run, files })
}

/// Lets the threads of the screen go first wherever a core is wanted by both.
fn step_back() {
    // On Linux this concerns the calling thread alone; elsewhere it would slow down the screen too. Where it
    // is refused, the fit is only less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

/// Passes on what happens, and has it written down.
struct Witness<'a> {
    events: Mutex<Sender<Event>>,
    gate: Arc<Gate>,
    cancel: Cancel,
    recorder: Option<Recorder<'a>>,
    fits: u32,
    pass: AtomicU32,
    positions: AtomicUsize,
    searched: AtomicUsize,
    counted: AtomicUsize,
    matched: AtomicUsize,
    clock: Mutex<Clock>,
}

/// When the pass began, and when it was last told of.
struct Clock {
    began: Instant,
    told: Instant,
}

/// Time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(100);

impl<'a> Witness<'a> {
    fn new(
        events: &Sender<Event>,
        gate: Arc<Gate>,
        cancel: Cancel,
        recorder: Option<Recorder<'a>>,
        fits: u32,
    ) -> Witness<'a> {
        let now = Instant::now();
        Witness {
            events: Mutex::new(events.clone()),
            gate,
            cancel,
            recorder,
            fits,
            pass: AtomicU32::new(0),
            positions: AtomicUsize::new(0),
            searched: AtomicUsize::new(0),
            counted: AtomicUsize::new(0),
            matched: AtomicUsize::new(0),
            clock: Mutex::new(Clock { began: now, told: now }),
        }
    }

    fn send(&self, report: Report) {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        // Where nobody listens any more, the program is ending.
        let _ = events.send(Event::Report(report));
    }

    /// Has something written, where there are files, and keeps their name for good.
    fn record(&self, write: impl FnOnce(&Recorder) -> Result<()>) -> Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let mut filing = self.cancel.filing();
        if filing.is_closed {
            return Ok(());
        }
        write(recorder)?;
        if let Some(claim) = filing.claim.take_if(|_| recorder.passes() > 0) {
            claim.keep();
        }
        Ok(())
    }

    fn tell(&self, seconds: f64) {
        let load = |number: &AtomicUsize| number.load(Ordering::Relaxed);
        self.send(Report::Progress(Progress {
            pass: self.pass.load(Ordering::Relaxed),
            fits: self.fits,
            searched: load(&self.searched),
            positions: load(&self.positions),
            counted: load(&self.counted),
            matched: load(&self.matched),
            seconds,
        }));
    }
}

impl Observer for Witness<'_> {
    fn begins(&self, pass: u32, positions: usize) {
        self.pass.store(pass, Ordering::Relaxed);
        self.positions.store(positions, Ordering::Relaxed);
        for number in [&self.searched, &self.counted, &self.matched] {
            number.store(0, Ordering::Relaxed);
        }
        let now = Instant::now();
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Clock { began: now, told: now };
        self.tell(0.0);
    }

    fn searched(&self, standing: &Standing) -> bool {
        self.searched.fetch_add(1, Ordering::Relaxed);
        self.counted.fetch_add(usize::from(standing.legal >= 2), Ordering::Relaxed);
        self.matched.fetch_add(usize::from(standing.is_match()), Ordering::Relaxed);
        // Whoever finds the clock in other hands leaves the telling to them.
        if let Ok(mut clock) = self.clock.try_lock()
            && clock.told.elapsed() >= PAUSE
        {
            clock.told = Instant::now();
            self.tell(clock.began.elapsed().as_secs_f64());
        }
        self.gate.pass();
        !self.cancel.is_cancelled()
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        self.record(|recorder| recorder.measured(pass, fit))?;
        self.send(Report::Measured(Box::new(pass.clone()), fit.map(|fit| Box::new(fit.clone()))));
        Ok(())
    }
}
