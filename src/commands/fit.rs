//! `texam fit`: a run of many fits, with its files.

mod advice;
mod printer;
mod summary;
mod team;

use std::path::PathBuf;

use texam_fit::{Job, Outcome as RunOutcome, Pass, Plan, Standing, StopReason, Team};

pub(super) use self::printer::RunPrinter;
use super::{
    Outcome, note, on_threads, progress,
    resume::{self, ResumedRun},
    warn,
};
use crate::{
    commands::cli::FitArgs,
    error::{Error, Result},
    game::Shard,
    run::{self, Files, Recorder, RunLock, RunSpec, RunWeights, Training, option_error, ranks},
};

pub(super) fn run(args: &FitArgs) -> Result<Outcome> {
    let place = args.place();
    let ranks = match ranks::join()? {
        Some(ranks) if ranks.communicator.rank() > 0 => {
            return Ok(team::follow_leader(&ranks, &place));
        }
        ranks => ranks,
    };
    let communicator = ranks.as_ref().map(|ranks| &*ranks.communicator);
    let threads = place.threads.or(ranks.as_ref().map(|ranks| ranks.threads));
    let prepared = prepare(args, communicator.is_some());
    let shard = communicator.map_or(Shard::ALL, |communicator| {
        team::announce(communicator, prepared.as_ref().ok().map(|run| (&run.spec, &run.start)));
        team::shard(communicator)
    });
    let Prepared { spec, plan, start, finished } = prepared?;
    let read = || Training::read(&spec, &start, shard, &mut warn);
    let training = on_threads(threads, read).and_then(|training| training);
    let mut training = match communicator {
        Some(communicator) => team::agree_on_games(communicator, training),
        None => training,
    }?;
    let team = communicator.map(Team::new);
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
        None => Files::claim(&place).map(|(files, lock)| (files, lock, Vec::new()))?,
    };
    let begun = passes.len();
    let recorder = Recorder::new(&files, training.header().clone(), &start, passes.clone())
        .counting(training.row_counts());
    let summary = training.summary();
    let positions = summary.is_some().then(|| training.header().positions.iter().sum::<u64>() as usize);
    let observer = RunPrinter::new(recorder, &start, &spec, positions, args.json);
    if spec.groups > 0 && begun > 0 {
        // An unreadable file must fail before any work.
        observer.recorder.group_runs()?;
    }
    observer.open(summary)?;
    let run = on_threads(threads, || {
        let objective = spec.settings.method();
        let job = Job {
            objective: objective.objective(),
            start: start.model(),
            plan: &plan,
            finished: passes,
            observer: &observer,
        };
        let tick = |_: &Standing| observer.tick();
        let mut source = training.source(&spec, &start, spec.sampling(), &tick, None);
        match &team {
            Some(team) => job.lead(team, &mut *source),
            None => job.run(&mut *source),
        }
    });
    observer.progress.clear();
    let run = run?.map_err(|error| training.explain(error.into()))?;
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
    let (mut stopped, mut errors) = (run.stopped, Some(Vec::new()));
    if spec.groups > 0 && stopped != StopReason::Cancelled {
        let is_done = begun == run.passes.len() && observer.recorder.has_errors()?;
        errors = match is_done {
            true => None,
            false => group_errors(&mut training, &spec, &start, &observer, threads, &run.passes)?,
        };
        if !is_done && errors.is_none() {
            stopped = StopReason::Cancelled;
        }
    }
    observer.recorder.finish(stopped, errors.as_deref())?;
    let outcome = observer.report(&run.passes, stopped, begun)?;
    let whole = stopped != StopReason::Cancelled;
    Ok(outcome.and(Outcome::complete_if(!training.has_skipped() && whole)))
}

/// Makes the run again without each group of games. The standard errors of its passes; none if it was cancelled.
fn group_errors(
    training: &mut Training,
    spec: &RunSpec,
    start: &RunWeights,
    observer: &RunPrinter,
    threads: Option<u32>,
    passes: &[Pass],
) -> Result<Option<Vec<RunOutcome>>> {
    training.check_groups(spec.groups)?;
    let runs = observer.recorder.group_runs()?;
    observer.open_groups(&runs, passes)?;
    let tick = |_: &Standing| observer.tick();
    let errors = on_threads(threads, || runs.errors(training, spec, start, observer, &tick));
    observer.progress.clear();
    errors?
}

/// A run that can begin, or go on.
struct Prepared {
    spec: RunSpec,
    plan: Plan,
    start: RunWeights,
    finished: Option<(ResumedRun, RunLock)>,
}

/// Reads all that a run needs but its games. `is_shared`: whether several processes make it.
fn prepare(args: &FitArgs, is_shared: bool) -> Result<Prepared> {
    let place = args.place();
    let (spec, finished) = match &args.resume {
        Some(name) => {
            let (spec, start, finished) = resume::prepare(args, name)?;
            let lock = finished.files.lock()?;
            (spec, Some((start, (finished, lock))))
        }
        None => (args.spec(), None),
    };
    spec.check_given(&args.options.given)?;
    let plan = spec.plan()?;
    if is_shared && spec.groups > 0 {
        let expected = "no --groups for a run of several processes: leave it out";
        return Err(Error::expected(expected, spec.groups));
    }
    if is_shared && spec.is_on_rows() {
        let text =
            "a run with --choices or --choices-from needs one process: start texam without mpirun or srun";
        let error = Error::new(text);
        return Err(match &finished {
            Some((_, (run, _))) => error.in_file(run.files.stat()),
            None => error,
        });
    }
    if is_shared
        && spec.regrow > 0
        && let Some((_, (run, _))) = &finished
    {
        let found = format!("--regrow {} and several: start texam without mpirun or srun", spec.regrow);
        return Err(Error::expected("one process to resume this run", found).in_file(run.files.stat()));
    }
    if finished.is_none() && spec.is_on_rows() && !args.options.given.contains(&"objective") {
        let expected = "softmax, pairs, force or logistic: rows of another program have no default";
        return Err(option_error("objective", Error::expected(expected, "none")));
    }
    let (start, finished) = match finished {
        Some((start, finished)) => (start, Some(finished)),
        None => (new_start(&spec)?, None),
    };
    Files::check(&place, &spec)?;
    if is_shared && spec.inputs().contains(&PathBuf::from("-")) {
        return Err(Error::expected("files that all processes can read", "standard input"));
    }
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
