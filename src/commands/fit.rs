//! `texam fit`: a run of many fits, with its files.

mod shard;
mod team;

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use serde::Serialize;
use texam_fit::{
    Agreement, Criterion, Difference, Fit, Job, LossReport, MeanLoss, ObjectiveName, Observer, Pass,
    PassReport, Plan, Standing, StopReason, Team, Temperature, TemperatureOrigin, Timing,
};

use super::{
    Outcome, note, on_threads, print, print_json,
    progress::{self, Progress, interrupted},
    resume::{self, ResumedRun},
    warn,
};
use crate::{
    cli::{FitArgs, FitCommandArgs, ShardArgs},
    error::{Error, Result},
    game::Shard,
    ranks,
    run::{self, Files, Recorder, RunLock, RunSpec, RunWeights, Task, Training, count},
    stat::Header,
};

#[derive(Serialize)]
struct FitCommandReport {
    name: String,
    objective: ObjectiveName,
    /// In 1/128 pawn; none for the objective `force`.
    temperature: Option<f64>,
    passes: Vec<PassSummary>,
    /// Number of the best pass, and of the last.
    best: usize,
    last: usize,
    stopped: &'static str,
    files: Vec<String>,
}

#[derive(Serialize)]
struct PassSummary {
    #[serde(rename = "match")]
    match_rate: Option<f64>,
    match_se: Option<f64>,
    mean_rank: Option<f64>,
    holdout_match: Option<f64>,
    holdout_mean_rank: Option<f64>,
    in_bound_positions: u64,
    spread: f64,
    mean_gain: f64,
    loss: Option<f64>,
    loss_se: Option<f64>,
    holdout_loss: Option<f64>,
    holdout_loss_se: Option<f64>,
    /// On the positions held out, or fitted where none are; none for pass 0.
    against_start: Option<StartDifference>,
    search_seconds: f64,
    fit_seconds: f64,
}

/// Agreement of a pass less that of the start, paired by position, with standard errors by game.
#[derive(Serialize)]
struct StartDifference {
    #[serde(rename = "match")]
    match_rate: f64,
    match_se: f64,
    mean_rank: f64,
    mean_rank_se: f64,
}

impl From<Difference> for StartDifference {
    fn from(difference: Difference) -> StartDifference {
        let Difference { match_rate, match_error, mean_rank, mean_rank_error } = difference;
        StartDifference { match_rate, match_se: match_error, mean_rank, mean_rank_se: mean_rank_error }
    }
}

pub(super) fn run(args: FitCommandArgs) -> Result<Outcome> {
    let FitCommandArgs { fit: args, shard: ShardArgs { shard, pass, output } } = args;
    if let (Some(shard), Some(output)) = (shard, output) {
        return shard::run(&args, shard, pass.as_deref(), &output);
    }
    let place = args.place();
    let ranks = match ranks::join()? {
        Some(ranks) if ranks.communicator.rank() > 0 => {
            return Ok(team::follow_leader(&ranks, place.threads));
        }
        ranks => ranks,
    };
    let communicator = ranks.as_ref().map(|ranks| &*ranks.communicator);
    let threads = place.threads.or(ranks.as_ref().map(|ranks| ranks.threads));
    let prepared = prepare(&args, communicator.is_some());
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
    if spec.task() != Task::Rows {
        run::some_positions_of(training.header(), &spec)?;
    }
    progress::handle_interrupts()?;
    let (files, _lock, passes) = match finished {
        Some((finished, lock)) => {
            finished.same_games(training.header())?;
            training.set_games(&finished.header.games);
            // From here on the run is not continued in shards.
            finished.files.remove_fits(|_| true)?;
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
    observer.open(summary)?;
    let run = on_threads(threads, || {
        let objective = spec.method();
        let job = Job {
            objective: objective.objective(),
            start: start.model(),
            plan: &plan,
            finished: passes,
            observer: &observer,
        };
        let tick = |_: &Standing| observer.tick();
        let mut source = training.source(&spec, &start, spec.sampling(), &tick);
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
    observer.recorder.finish(run.stopped)?;
    let rounded = training.rounded();
    if rounded > 0 {
        note(&format!("entries rounded to multiples of 1/256: {rounded}"));
    }
    observer.report(&run.passes, run.stopped, begun)?;
    let whole = run.stopped != StopReason::Cancelled;
    Ok(Outcome::complete_if(!training.has_skipped() && whole))
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
    if is_shared && spec.task() == Task::Rows {
        let text =
            "a run with --choices or --choices-from needs one process: start texam without mpirun or srun";
        let error = Error::new(text);
        return Err(match &finished {
            Some((_, (run, _))) => error.in_file(run.files.stat()),
            None => error,
        });
    }
    let (start, finished) = match finished {
        Some((start, finished)) => (start, Some(finished)),
        None => (new_start(&spec)?, None),
    };
    Files::check(&place, &spec)?;
    if is_shared && spec.inputs().contains(&Path::new("-")) {
        return Err(Error::expected("files that all processes can read", "standard input"));
    }
    Ok(Prepared { spec, plan, start, finished })
}

/// The start weights of a new run. With at least one fit, at least one weight must be tuned.
fn new_start(spec: &RunSpec) -> Result<RunWeights> {
    let start = match &spec.weights {
        Some(table) if spec.task() == Task::Rows => RunWeights::read_table(table)?,
        _ => RunWeights::own(run::start(spec, &mut note)?.0)?,
    };
    if spec.iterations > 0 {
        start.some_tuned().map_err(|error| match &spec.weights {
            Some(table) => error.in_file(table),
            None => error,
        })?;
    }
    Ok(start)
}

/// Saves each pass of a run and prints a line on it.
pub(super) struct RunPrinter<'a> {
    pub recorder: Recorder<'a>,
    start: &'a RunWeights,
    objective: ObjectiveName,
    iterations: u32,
    /// Positions of a pass, for its progress; none where they are not known.
    positions: Option<usize>,
    progress: Progress,
    is_json: bool,
    /// Whether the titles of the columns are printed.
    has_titles: AtomicBool,
}

impl<'a> RunPrinter<'a> {
    /// For a run that has begun or goes on.
    pub fn new(
        recorder: Recorder<'a>,
        start: &'a RunWeights,
        spec: &RunSpec,
        positions: Option<usize>,
        is_json: bool,
    ) -> RunPrinter<'a> {
        let RunSpec { objective, iterations, .. } = *spec;
        let (progress, has_titles) = (Progress::new(), AtomicBool::new(false));
        RunPrinter { recorder, start, objective, iterations, positions, progress, is_json, has_titles }
    }

    /// Prints text unless JSON was requested.
    fn say(&self, text: &str) -> Result<()> {
        if self.is_json { Ok(()) } else { print(text) }
    }

    /// Says what the run is made from, and where it goes on.
    fn open(&self, summary: Option<String>) -> Result<()> {
        let finished = self.recorder.passes().len();
        let begins = finished == 0;
        // Otherwise a temperature, or what the first pass counts, comes before the titles.
        let with_titles = !begins || (summary.is_some() && self.objective == ObjectiveName::Force);
        let mut text = summary.map_or_else(String::new, |summary| summary + "\n");
        if !begins {
            text += &format!("{} goes on after pass {}\n", self.recorder.files.name, finished - 1);
        }
        if with_titles {
            text += &self.titles();
        }
        self.say(&text)
    }

    /// The titles of the columns, once.
    fn titles(&self) -> String {
        match self.has_titles.swap(true, Ordering::Relaxed) {
            true => String::new(),
            false => format!("{}\n", titles(self.objective)),
        }
    }

    /// What the first pass has counted, where it was not known before.
    fn counted(&self) -> String {
        let Some(Header { decisive, held_out_games, positions: [fitted, held_out], .. }) =
            self.recorder.counted_header()
        else {
            return String::new();
        };
        let what = if self.objective == ObjectiveName::Logistic { "position" } else { "choice" };
        let games = count(decisive - held_out_games, "game");
        let mut text = format!("{} of {games} to fit", count(fitted, what));
        if held_out > 0 {
            text += &format!("; {} of {} held out", count(held_out, what), count(held_out_games, "game"));
        }
        text + "\n"
    }

    /// Counts a position that was searched. Says whether to go on.
    fn tick(&self) -> bool {
        if self.positions.is_some() { self.progress.tick() } else { !interrupted() }
    }
}

impl Observer for RunPrinter<'_> {
    fn begins(&self, pass: u32) {
        if let Some(positions) = self.positions {
            self.progress.begin(format!("pass {pass} of {}", self.iterations), positions);
        }
    }

    fn temperature(&self, temperature: Temperature) {
        self.progress.clear();
        // An output that is closed is noticed when the pass is printed.
        let _ = self.say(&format!("{}\n", describe(temperature)));
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> texam_fit::Result<()> {
        self.progress.clear();
        let written = self.recorder.measured(pass, fit).and_then(|()| {
            let counted = if pass.report.number == 0 { self.counted() } else { String::new() };
            self.say(&format!("{counted}{}{}", self.titles(), line(&pass.report, pass.timing)))
        });
        written.map_err(texam_fit::Error::external)
    }
}

/// The temperature, and where it is from.
fn describe(temperature: Temperature) -> String {
    let origin = match temperature.origin {
        TemperatureOrigin::Given => "as given",
        TemperatureOrigin::Estimated => "estimated from the values of the start",
        TemperatureOrigin::AtBound => "the bound nearest to the estimate from the values of the start",
        TemperatureOrigin::Undetermined => "the default: the values of the start are all tied",
    };
    format!("temperature {:.4} units, {origin}", temperature.value)
}

/// Titles of the columns of [`line`]: the sets of games, and below them the figures.
fn titles(objective: ObjectiveName) -> &'static str {
    match objective {
        ObjectiveName::Force => {
            "      fitted games       held-out games     change from pass 0\n\
             pass   match  mean rank   match  mean rank    match    s.e.     rank    s.e.  spread    gain   search     fit"
        }
        ObjectiveName::Softmax | ObjectiveName::Pairs => {
            "      fitted games                held-out games              change from pass 0\n\
             pass   match  mean rank     loss   match  mean rank     loss    match    s.e.     rank    s.e.   search     fit"
        }
        ObjectiveName::Logistic => {
            "      fitted games      held-out games\n\
             pass      loss    s.e.      loss    s.e.   change   search     fit"
        }
    }
}

/// What a pass measured.
fn line(report: &PassReport, timing: Timing) -> String {
    let [fitted, held_out] = [Some(&report.fitted), report.held_out.as_ref()].map(agreement);
    let change = || difference(report.change());
    let figures = match &report.loss {
        Some(loss) if !report.criterion.has_choices() => {
            let change = report.fit.map_or("-".to_string(), |fit| format!("{:.2}", fit.max_change));
            format!("{}  {change:>7}", losses(loss))
        }
        Some(loss) => {
            let held_out_loss = loss.held_out.map_or("-".to_string(), |loss| format!("{:.5}", loss.mean));
            format!("{fitted}  {:>7.5}  {held_out}  {held_out_loss:>7}  {}", loss.fitted.mean, change())
        }
        None => {
            format!("{fitted}  {held_out}  {}  {:>6.2}  {:>+6.2}", change(), report.spread, report.mean_gain)
        }
    };
    let Timing { search, fit } = timing;
    format!("{:>4}  {figures}  {search:>6.2}s  {fit:>5.2}s\n", report.number)
}

/// Match and mean rank.
fn agreement(agreement: Option<&Agreement>) -> String {
    let figures = agreement.map(|set| [set.match_rate(), set.mean_rank()]);
    let [rate, rank] =
        figures.map_or(["-"; 2].map(String::from), |figures| figures.map(|figure| format!("{figure:.4}")));
    format!("{rate:>6}  {rank:>9}")
}

/// The differences of match and mean rank, each with its standard error.
fn difference(difference: Option<Difference>) -> String {
    let [rate, rate_error, rank, rank_error] = match difference {
        Some(Difference { match_rate, match_error, mean_rank, mean_rank_error }) => [
            format!("{match_rate:+.4}"),
            format!("{match_error:.4}"),
            format!("{mean_rank:+.4}"),
            format!("{mean_rank_error:.4}"),
        ],
        None => ["-"; 4].map(String::from),
    };
    format!("{rate:>7}  {rate_error:>6}  {rank:>7}  {rank_error:>6}")
}

fn losses(loss: &LossReport) -> String {
    let fields = |loss: MeanLoss| format!("{:>8.6}  {:.4}", loss.mean, loss.error);
    let held_out = loss.held_out.map_or(format!("{:>8}  {:>6}", "-", "-"), fields);
    format!("{}  {held_out}", fields(loss.fitted))
}

impl RunPrinter<'_> {
    /// Says how a run has ended, of which an earlier part had made `begun` passes.
    pub fn report(&self, passes: &[Pass], stopped: StopReason, begun: usize) -> Result<()> {
        let files = self.recorder.files;
        let is_cancelled = stopped == StopReason::Cancelled;
        let stopped = match stopped {
            StopReason::Iterations => "iterations",
            StopReason::Patience => "patience",
            StopReason::Cancelled => "cancelled",
        };
        let best = texam_fit::best(passes.iter().map(|pass| &pass.report));
        let last = passes.len() - 1;
        let name = |path: &Path| path.display().to_string();
        let weights = |pass: usize| name(&self.start.path(files, pass as u32));
        if self.is_json {
            return print_json(&FitCommandReport {
                name: files.name.clone(),
                objective: self.objective,
                temperature: passes.first().and_then(|pass| Some(pass.report.loss?.temperature)),
                passes: passes.iter().map(pass_summary).collect(),
                best,
                last,
                stopped,
                files: [files.stat(), files.games()]
                    .iter()
                    .filter(|file| file.exists())
                    .map(|file| name(file))
                    .chain((0..passes.len()).map(weights))
                    .collect(),
            });
        }
        let mut text = String::new();
        if begun == passes.len() && !is_cancelled {
            text += "nothing to do: the run is finished; give more --iterations to go on\n";
        }
        text += &format!("stopped  {stopped}\n");
        for (what, pass) in [("best", best), ("last", last)] {
            let report = &passes[pass].report;
            let judged_on = if report.held_out.is_some() { "held out" } else { "fitted" };
            let judged_by = match report.criterion {
                Criterion::Rank => format!("mean rank {:.4}", report.judged_by()),
                Criterion::Match => format!("match {:.4}", report.judged_by()),
                Criterion::Loss => format!("loss {:.6}", report.judged_by()),
            };
            text += &format!("{what:<9}pass {pass:<4} {}  {judged_by} {judged_on}\n", weights(pass));
        }
        text += &format!("record   {}\n", name(&files.stat()));
        if is_cancelled {
            text += &format!("go on    texam fit --resume {} --out {}\n", files.name, files.folder.display());
        }
        print(&text)
    }
}

fn pass_summary(Pass { report, timing, .. }: &Pass) -> PassSummary {
    let has_choices = report.criterion.has_choices();
    let of_choices = |figure: f64| has_choices.then_some(figure);
    let held_out_loss = report.loss.and_then(|loss| loss.held_out);
    PassSummary {
        match_rate: of_choices(report.fitted.match_rate()),
        match_se: of_choices(report.fitted.match_error()),
        mean_rank: of_choices(report.fitted.mean_rank()),
        holdout_match: report.held_out.as_ref().and_then(|held_out| of_choices(held_out.match_rate())),
        holdout_mean_rank: report.held_out.as_ref().and_then(|held_out| of_choices(held_out.mean_rank())),
        in_bound_positions: report.fitted.in_bound_positions,
        spread: report.spread,
        mean_gain: report.mean_gain,
        loss: report.loss.map(|loss| loss.fitted.mean),
        loss_se: report.loss.map(|loss| loss.fitted.error),
        holdout_loss: held_out_loss.map(|loss| loss.mean),
        holdout_loss_se: held_out_loss.map(|loss| loss.error),
        against_start: report.change().map(StartDifference::from),
        search_seconds: timing.search,
        fit_seconds: timing.fit,
    }
}
