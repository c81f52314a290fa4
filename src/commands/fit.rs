//! `texam fit`: a run of many fits, with its files.

mod rows;
mod shard;
mod team;

use std::path::{Path, PathBuf};

use serde::Serialize;
use texam_fit::{
    Agreement, Criterion, Fit, LossReport, MeanLoss, ObjectiveName, PassReport, Standing, StopReason, Team,
    Temperature, TemperatureOrigin, Timing,
};

use super::{
    Outcome, note, on_threads, print, print_json,
    progress::{self, Progress},
    resume::{self, ResumedRun},
    some_tuned, warn,
};
use crate::{
    cli::{FitArgs, FitCommandArgs, ShardArgs},
    error::{Error, Result},
    feature::Weights,
    game::Shard,
    ranks,
    run::{self, Files, Recorder, RunLock, RunSpec, Training},
    stat::Header,
    tuner::{self, Observer, Pass, Plan},
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
    search_seconds: f64,
    fit_seconds: f64,
}

pub(super) fn run(args: FitCommandArgs) -> Result<Outcome> {
    let FitCommandArgs { fit: args, shard: ShardArgs { shard, pass, output } } = args;
    if let (Some(shard), Some(output)) = (shard, output) {
        return shard::run(&args, shard, pass.as_deref(), &output);
    }
    let place = args.place();
    let ranks = match ranks::join()? {
        Some(ranks) if ranks.communicator.rank() > 0 => return Ok(team::follow(&ranks, place.threads)),
        ranks => ranks,
    };
    let communicator = ranks.as_ref().map(|ranks| &*ranks.communicator);
    if communicator.is_none()
        && let Some(outcome) = rows::run_if_asked(&args)?
    {
        return Ok(outcome);
    }
    let prepared = prepare(&args, communicator.is_some());
    let shard = communicator.map_or(Shard::ALL, |communicator| {
        team::announce(communicator, prepared.as_ref().ok().map(|run| (&run.spec, &run.start)));
        team::shard(communicator)
    });
    let Prepared { spec, start, plan, finished } = prepared?;
    let threads = place.threads.or(ranks.as_ref().map(|ranks| ranks.threads));
    let read = || Training::read_shard(&spec, &start, shard, &mut warn);
    let training = on_threads(threads, read).and_then(|training| training);
    let training = match communicator {
        Some(communicator) => team::agree_on_games(communicator, training),
        None => training,
    }?;
    let team = communicator.map(Team::new);
    run::some_positions_of(training.header(), &spec)?;
    let mut header = training.header().clone();
    progress::handle_interrupts()?;
    let (files, _lock, passes) = match finished {
        Some((finished, files, lock)) => {
            finished.same_games(&header)?;
            finished.games().clone_into(&mut header.games);
            // From here on the run is not continued in shards.
            files.remove_fits(|_| true)?;
            (files, lock, finished.passes)
        }
        None => Files::claim(&place).map(|(files, lock)| (files, lock, Vec::new()))?,
    };
    let begun = passes.len();
    let recorder = Recorder::new(&files, &header, passes.clone());
    let observer = FitObserver::new(recorder, &training, &spec, args.run.json)?;
    let positions = training.positions();
    let run = on_threads(threads, || match &team {
        Some(team) => tuner::lead(team, positions, &start, &plan, passes, &observer),
        None => tuner::resume(positions, &start, &plan, passes, &observer),
    });
    observer.progress.clear();
    let run = run??;
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
    observer.recorder.finish(run.stopped)?;
    let ended = Ended {
        files: &files,
        objective: spec.objective,
        passes: run.passes.iter().map(|pass| (&pass.report, pass.timing)).collect(),
        stopped: run.stopped,
        begun,
        weights: Files::par,
    };
    ended.report(args.run.json)?;
    let whole = run.stopped != StopReason::Cancelled;
    Ok(Outcome::complete_if(!training.has_skipped() && whole))
}

/// A run that can begin, or go on.
struct Prepared {
    spec: RunSpec,
    start: Weights,
    plan: Plan,
    finished: Option<(ResumedRun, Files, RunLock)>,
}

/// Reads all that a run needs but its games. `is_shared`: whether several processes make it.
fn prepare(args: &FitArgs, is_shared: bool) -> Result<Prepared> {
    let place = args.place();
    let (spec, finished) = match &args.run.resume {
        Some(name) => {
            let (spec, finished) = resume::prepare(args, name)?;
            let files = Files::new(&place.out, name)?;
            let lock = files.lock()?;
            (spec, Some((finished, files, lock)))
        }
        None => (args.spec(), None),
    };
    spec.check_given(&args.given)?;
    let plan = spec.plan()?;
    let start = match &finished {
        Some((finished, ..)) => finished.start()?.clone(),
        None => new_start(&spec)?,
    };
    Files::check(&place, &spec)?;
    if is_shared && spec.is_on_rows() {
        return Err(resume::needs_one_process());
    }
    if is_shared && spec.inputs().contains(&Path::new("-")) {
        return Err(Error::expected("files that all processes can read", "standard input"));
    }
    Ok(Prepared { spec, start, plan, finished })
}

/// The start weights of a new run. With at least one fit, at least one weight must be tuned.
fn new_start(spec: &RunSpec) -> Result<Weights> {
    let (start, _) = run::start(spec, &mut note)?;
    if spec.iterations > 0 {
        some_tuned(&start)?;
    }
    Ok(start)
}

/// Saves each pass of a run and prints a line on it.
struct FitObserver<'a> {
    recorder: Recorder<'a>,
    progress: Progress,
    objective: ObjectiveName,
    iterations: u32,
    quiet: bool,
}

impl<'a> FitObserver<'a> {
    fn new(
        recorder: Recorder<'a>,
        training: &Training,
        spec: &RunSpec,
        quiet: bool,
    ) -> Result<FitObserver<'a>> {
        let RunSpec { objective, iterations, .. } = *spec;
        let observer = FitObserver { recorder, progress: Progress::new(), objective, iterations, quiet };
        observer.say(&observer.opening(training))?;
        Ok(observer)
    }

    /// Prints text unless JSON was requested.
    fn say(&self, text: &str) -> Result<()> {
        if self.quiet { Ok(()) } else { print(text) }
    }

    fn opening(&self, training: &Training) -> String {
        let Header { games, .. } = self.recorder.header();
        let mut text = training.summary().replacen(&training.header().games, games, 1);
        let finished = self.recorder.passes();
        if finished > 0 {
            text += &format!("\n{} goes on after pass {}", self.recorder.files().name, finished - 1);
        }
        // Otherwise the temperature of the first pass comes before the titles.
        if self.objective == ObjectiveName::Force || finished > 0 {
            text += &format!("\n{}", titles(self.objective));
        }
        text + "\n"
    }
}

impl Observer for FitObserver<'_> {
    fn begins(&self, pass: u32, positions: usize) {
        self.progress.begin(format!("pass {pass} of {}", self.iterations), positions);
    }

    fn searched(&self, _: &Standing) -> bool {
        self.progress.tick()
    }

    fn temperature(&self, temperature: Temperature) {
        self.progress.clear();
        // An output that is closed is noticed when the pass is printed.
        let _ = self.say(&format!("{}\n{}\n", describe(temperature), titles(self.objective)));
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        self.progress.clear();
        self.recorder.measured(pass, fit)?;
        self.say(&line(&pass.report, pass.timing))
    }
}

/// The temperature, and where it is from.
pub(super) fn describe(temperature: Temperature) -> String {
    let origin = match temperature.origin {
        TemperatureOrigin::Given => "as given",
        TemperatureOrigin::Estimated => "estimated from the values of the start",
        TemperatureOrigin::AtBound => "the bound nearest to the estimate from the values of the start",
        TemperatureOrigin::Undetermined => "the default: the values of the start are all tied",
    };
    format!("temperature {:.4} units, {origin}", temperature.value)
}

/// Titles of the columns of [`line`]: the sets of games, and below them the figures.
pub(super) fn titles(objective: ObjectiveName) -> &'static str {
    match objective {
        ObjectiveName::Force => {
            "      fitted games               held-out games\n\
             pass   match    s.e.  mean rank   match    s.e.  mean rank  spread    gain   search     fit"
        }
        ObjectiveName::Softmax | ObjectiveName::Pairs => {
            "      fitted games                        held-out games\n\
             pass   match    s.e.  mean rank     loss   match    s.e.  mean rank     loss   search     fit"
        }
        ObjectiveName::Logistic => {
            "      fitted games      held-out games\n\
             pass      loss    s.e.      loss    s.e.   change   search     fit"
        }
    }
}

/// What a pass measured.
pub(super) fn line(report: &PassReport, timing: Timing) -> String {
    let [fitted, held_out] = [Some(&report.fitted), report.held_out.as_ref()].map(agreement);
    let figures = match (&report.loss, report.criterion) {
        (Some(loss), Criterion::Loss) => {
            let change = report.fit.map_or("-".to_string(), |fit| format!("{:.2}", fit.max_change));
            format!("{}  {change:>7}", losses(loss))
        }
        (Some(loss), Criterion::Match) => {
            let held_out_loss = loss.held_out.map_or("-".to_string(), |loss| format!("{:.5}", loss.mean));
            format!("{fitted}  {:>7.5}  {held_out}  {held_out_loss:>7}", loss.fitted.mean)
        }
        (None, _) => format!("{fitted}  {held_out}  {:>6.2}  {:>+6.2}", report.spread, report.mean_gain),
    };
    let Timing { search, fit } = timing;
    format!("{:>4}  {figures}  {search:>6.2}s  {fit:>5.2}s\n", report.number)
}

/// Match with its standard error, and mean rank.
fn agreement(agreement: Option<&Agreement>) -> String {
    let figures = agreement.map(|set| [set.match_rate(), set.match_error(), set.mean_rank()]);
    let [rate, error, rank] =
        figures.map_or(["-"; 3].map(String::from), |figures| figures.map(|figure| format!("{figure:.4}")));
    format!("{rate:>6}  {error:>6}  {rank:>9}")
}

fn losses(loss: &LossReport) -> String {
    let fields = |loss: MeanLoss| format!("{:>8.6}  {:.4}", loss.mean, loss.error);
    let held_out = loss.held_out.map_or(format!("{:>8}  {:>6}", "-", "-"), fields);
    format!("{}  {held_out}", fields(loss.fitted))
}

/// A run that has ended, for its last words.
pub(super) struct Ended<'a> {
    pub files: &'a Files,
    pub objective: ObjectiveName,
    pub passes: Vec<(&'a PassReport, Timing)>,
    pub stopped: StopReason,
    /// Passes that an earlier part of the run had made.
    pub begun: usize,
    /// The file of the weights of a pass.
    pub weights: fn(&Files, u32) -> PathBuf,
}

impl Ended<'_> {
    pub fn report(&self, json: bool) -> Result<()> {
        let Ended { files, objective, passes, stopped, begun, weights } = self;
        let is_cancelled = *stopped == StopReason::Cancelled;
        let stopped = match stopped {
            StopReason::Iterations => "iterations",
            StopReason::Patience => "patience",
            StopReason::Cancelled => "cancelled",
        };
        let best = texam_fit::best(passes.iter().map(|(report, _)| *report));
        let last = passes.len() - 1;
        let name = |path: &Path| path.display().to_string();
        let weights = |pass: usize| name(&weights(files, pass as u32));
        if json {
            return print_json(&FitCommandReport {
                name: files.name.clone(),
                objective: *objective,
                temperature: passes.first().and_then(|(report, _)| Some(report.loss?.temperature)),
                passes: passes.iter().map(|&(report, timing)| pass_summary(report, timing)).collect(),
                best,
                last,
                stopped,
                files: std::iter::once(name(&files.stat())).chain((0..passes.len()).map(weights)).collect(),
            });
        }
        let mut text = String::new();
        if *begun == passes.len() && !is_cancelled {
            text += "nothing to do: the run is finished; give more --iterations to go on\n";
        }
        text += &format!("stopped  {stopped}\n");
        for (what, pass) in [("best", best), ("last", last)] {
            let report = passes[pass].0;
            let judged_on = if report.held_out.is_some() { "held out" } else { "fitted" };
            let judged_by = match report.criterion {
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

fn pass_summary(report: &PassReport, timing: Timing) -> PassSummary {
    let has_choices = report.criterion == Criterion::Match;
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
        search_seconds: timing.search,
        fit_seconds: timing.fit,
    }
}
