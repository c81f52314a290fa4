//! The thread that fits, and its reports of progress.
//!
//! It runs the same functions as `texam fit`, so that its files are the same. Knows nothing of how the screen
//! shows a fit.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use texam_fit::{Fit, Job, Measured, Model, Observer, Pass, Run, Sink, Source, Standing, StopReason, Team};

use super::{Background, CancelFlag, Gate, Outbox, lower_priority, pace::Pace};
use crate::{
    error::{Error, Result},
    run::{
        self, Files, GroupObserver, GroupRuns, Recorder, RunLock, RunPlace, RunSpec, RunWeights, Training,
    },
    screen::app::{Event, FitRequest, FitResult, Report, RunHistory, RunPass, estimates_of},
};

/// Cancels a fit that runs.
#[derive(Clone, Default)]
pub struct FitHandle {
    cancel_flag: CancelFlag,
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
        self.cancel_flag.cancel();
    }

    /// Cancels the fit when the program is about to end. Waits for the file that is being written, releases
    /// the name, and prevents further writing.
    pub fn abandon(&self) {
        self.cancel();
        *self.output() = Output { lock: None, is_closed: true };
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

/// Runs a fit to its end, which is reported. A team that it leads makes all its searches.
pub fn run_fit(
    outbox: &Outbox,
    gate: Arc<Gate>,
    handle: &FitHandle,
    request: &FitRequest,
    team: Option<&Team>,
) {
    let result = fit(outbox, gate, handle.clone(), request, team).map(Box::new);
    handle.output().lock = None;
    outbox(Event::Report(Report::FitEnded(result)));
}

/// The share of a leader whose team makes all searches.
struct NoShare;

impl Source for NoShare {
    fn pass(&mut self, _: &Model, _: &dyn Sink) -> texam_fit::Result<Option<Measured>> {
        Ok(Some(Measured::default()))
    }
}

fn fit(
    outbox: &Outbox,
    gate: Arc<Gate>,
    handle: FitHandle,
    request: &FitRequest,
    team: Option<&Team>,
) -> Result<FitResult> {
    let plan = request.spec.plan()?;
    let start = RunWeights::own(request.weights.clone())?;
    let mut training = Training::of(&request.collection, &request.spec, &start, &mut |_| {})?;
    let header = training.header().clone();
    run::some_positions_of(&header, &request.spec)?;
    training.check_groups(request.spec.groups)?;
    let observer = |recorder| FitObserver {
        work: Background {
            outbox: outbox.clone(),
            gate,
            cancel_flag: handle.cancel_flag.clone(),
            pace: Pace::new(plan.iterations, request.spec.groups),
            progress: Report::Progress,
        },
        handle: handle.clone(),
        recorder,
        start: &start,
        spec: &request.spec,
        positions: header.positions.iter().sum::<u64>() as usize,
    };
    let mut tune = |observer: &FitObserver| -> Result<Run> {
        let fit = || {
            let method = request.spec.settings.method();
            let objective = method.objective();
            let job = Job { objective, start: start.model(), plan: &plan, finished: Vec::new(), observer };
            if team.is_some() {
                return job.lead(team, &mut NoShare);
            }
            let tick = |_: &Standing| observer.tick();
            let sampling = request.spec.sampling();
            job.run(&mut *training.source(&request.spec, &start, sampling, &tick, None))
        };
        Ok(run::on_prepared_threads(request.place.threads, lower_priority, fit)??)
    };
    if !request.writes_files {
        let stopped = tune(&observer(None))?.stopped;
        return Ok(FitResult { stopped, files: None, history: None });
    }
    let files = handle.claim(&request.place)?;
    let observer = observer(Some(Recorder::new(&files, header.clone(), &start, Vec::new())));
    let run = tune(&observer)?;
    let (mut stopped, mut errors) = (run.stopped, Some(Vec::new()));
    if request.spec.groups > 0 && stopped != StopReason::Cancelled {
        let runs = GroupRuns::new(&header, run.passes.len());
        let tick = |_: &Standing| observer.tick();
        let of_groups = || runs.errors(&mut training, &request.spec, &start, &observer, &tick);
        errors = run::on_prepared_threads(request.place.threads, lower_priority, of_groups)??;
        if errors.is_none() {
            stopped = StopReason::Cancelled;
        }
    }
    observer.record(|recorder| recorder.finish(stopped, errors.as_deref()))?;
    // Of the errors of the run only its files tell.
    let has_errors = errors.is_some_and(|errors| !errors.is_empty());
    let history =
        has_errors.then(|| RunHistory::read(&files.data())).transpose()?.map(|(_, history)| history);
    let files = (!run.passes.is_empty()).then(|| (files.folder.clone(), files.name.clone()));
    Ok(FitResult { stopped, files, history })
}

/// Reports progress to the screen and passes to the files.
struct FitObserver<'a> {
    work: Background,
    handle: FitHandle,
    recorder: Option<Recorder<'a>>,
    start: &'a RunWeights,
    spec: &'a RunSpec,
    /// Positions of a pass.
    positions: usize,
}

impl FitObserver<'_> {
    /// Counts a position. Says whether to go on.
    fn tick(&self) -> bool {
        self.work.tick();
        self.work.goes_on()
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
}

impl GroupObserver for FitObserver<'_> {
    fn begins(&self, group: u32, pass: u32) {
        self.work.pace.begin_group(group);
        self.work.begin(pass, self.spec.work_of_pass(pass, self.positions));
    }

    fn made(&self, runs: &GroupRuns) -> Result<()> {
        self.record(|recorder| recorder.group_made(runs))
    }
}

impl Observer for FitObserver<'_> {
    fn begins(&self, pass: u32) {
        self.work.begin(pass, self.spec.work_of_pass(pass, self.positions));
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> texam_fit::Result<()> {
        self.record(|recorder| recorder.measured(pass, fit)).map_err(texam_fit::Error::external)?;
        let pass = RunPass { report: pass.report.clone(), weights: self.start.weights(&pass.values) };
        self.work.send(Report::PassMeasured(Box::new(pass), fit.map(estimates_of)));
        Ok(())
    }
}
