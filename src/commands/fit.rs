//! `texam fit`: a run of many fits, with its files.

mod advice;
mod printer;
mod team;

use texam_fit::{Job, Outcome as RunOutcome, Plan, Run, Standing, StopReason};

use self::{printer::RunPrinter, team::Team};
use super::{
    Outcome, note, on_threads, progress,
    resume::{self, ResumedRun},
};
use crate::{
    commands::cli::FitArgs,
    error::{Error, Result},
    run::{self, Files, Recorder, RunLock, RunSpec, RunWeights, Training, option_error},
};

pub(super) fn run(args: &FitArgs) -> Result<Outcome> {
    match Team::join(&args.place())? {
        Some(team) => on_threads(team.threads, || make_run(args, &team))?,
        // The process that leads has told the outcome.
        None => Ok(Outcome::Complete),
    }
}

fn make_run(args: &FitArgs, team: &Team) -> Result<Outcome> {
    let Prepared { spec, plan, start, finished } = prepare(args, team)?;
    let mut training = team.read(&spec, &start)?;
    if !spec.is_on_rows() {
        run::some_positions_of(training.header(), &spec)?;
        training.check_groups(spec.groups)?;
    }
    progress::handle_interrupts();
    let (files, _lock, passes) = match finished {
        Some((finished, lock)) => {
            finished.same_games(training.header())?;
            training.resume(&finished.header, &finished.passes, &spec, &start);
            (finished.files, lock, finished.passes)
        }
        None => Files::claim(&args.place()).map(|(files, lock)| (files, lock, Vec::new()))?,
    };
    let begun = passes.len();
    let recorder = Recorder::new(&files, training.header().clone(), &start, passes.clone())
        .counting(training.row_counts());
    let observer = RunPrinter::new(recorder, &start, &spec, args.json);
    if spec.groups > 0 && begun > 0 {
        // An unreadable file must fail before any work.
        observer.recorder.group_runs()?;
    }
    observer.open(training.summary())?;
    let tick = |_: &Standing| observer.tick();
    let method = spec.settings.method();
    let job = Job {
        objective: method.objective(),
        start: start.model(),
        plan: &plan,
        finished: passes,
        observer: &observer,
    };
    let run = team.run(job, &mut *training.source(&spec, &start, spec.sampling(), &tick, None));
    observer.progress.clear();
    let run = run.map_err(|error| training.explain(error.into()))?;
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
    let (stopped, errors) = add_group_errors(&mut training, &observer, &run, begun)?;
    observer.recorder.finish(stopped, errors.as_deref())?;
    let outcome = observer.report(&run.passes, stopped, begun)?;
    let is_whole = !training.has_skipped() && stopped != StopReason::Cancelled;
    Ok(outcome.and(Outcome::complete_if(is_whole)))
}

/// Makes the run again without each group of games. Why the run has stopped then, and the standard errors of
/// its passes; none where the file has them already, or where it was cancelled.
fn add_group_errors(
    training: &mut Training,
    observer: &RunPrinter,
    run: &Run,
    begun: usize,
) -> Result<(StopReason, Option<Vec<RunOutcome>>)> {
    let groups = observer.spec.groups;
    if groups == 0 || run.stopped == StopReason::Cancelled {
        return Ok((run.stopped, Some(Vec::new())));
    }
    if begun == run.passes.len() && observer.recorder.has_errors()? {
        return Ok((run.stopped, None));
    }
    training.check_groups(groups)?;
    let runs = observer.recorder.group_runs()?;
    observer.open_groups(&runs, &run.passes)?;
    let tick = |_: &Standing| observer.tick();
    let errors = runs.errors(training, observer.spec, observer.start, observer, &tick);
    observer.progress.clear();
    let errors = errors?;
    Ok((if errors.is_some() { run.stopped } else { StopReason::Cancelled }, errors))
}

/// A run that can begin, or go on.
struct Prepared {
    spec: RunSpec,
    plan: Plan,
    start: RunWeights,
    finished: Option<(ResumedRun, RunLock)>,
}

/// Reads all that a run needs but its games.
fn prepare(args: &FitArgs, team: &Team) -> Result<Prepared> {
    let (spec, resumed) = match &args.resume {
        Some(name) => {
            let (spec, start, finished) = resume::prepare(args, name)?;
            let lock = finished.files.lock()?;
            (spec, Some((start, (finished, lock))))
        }
        None => (args.spec(), None),
    };
    spec.check_given(&args.options.given)?;
    let plan = spec.plan()?;
    team.check(&spec, resumed.as_ref().map(|(_, (run, _))| run))?;
    if resumed.is_none() && spec.is_on_rows() && !args.options.given.contains(&"objective") {
        let expected = "softmax, pairs, force or logistic: rows of another program have no default";
        return Err(option_error("objective", Error::expected(expected, "none")));
    }
    let (start, finished) = match resumed {
        Some((start, finished)) => (start, Some(finished)),
        None => (new_start(&spec)?, None),
    };
    Files::check(&args.place(), &spec)?;
    Ok(Prepared { spec, plan, start, finished })
}

/// The start weights of a new run. With at least one fit, at least one weight must be tuned.
fn new_start(spec: &RunSpec) -> Result<RunWeights> {
    let start = match &spec.rows.weights {
        Some(table) if spec.is_on_rows() => {
            RunWeights::read_table(table)?.tuning(&spec.tune, &spec.freeze)?
        }
        _ => RunWeights::own(run::start(spec, &mut note)?.0)?,
    };
    if spec.iterations > 0 {
        start.some_tuned().map_err(|error| match &spec.rows.weights {
            Some(table) => error.in_file(table),
            None => error,
        })?;
    }
    Ok(start)
}
