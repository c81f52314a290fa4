//! `texam fit`: a run of many fits, with its files.

use std::path::Path;

use serde::Serialize;
use texam_fit::{Fit, Standing, StopReason};

use super::{
    Outcome, count, note, on_threads, print, print_json,
    progress::{self, Progress},
    resume, some_tuned, warn,
};
use crate::{
    cli::FitArgs,
    error::{Error, Result},
    feature::Weights,
    game::Collection,
    run::{self, Files, Recorder, RunSpec, Split},
    stat::Header,
    tuner::{self, Observer, Pass, Run},
};

#[derive(Serialize)]
struct FitCommandReport {
    name: String,
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
    match_rate: f64,
    match_se: f64,
    mean_rank: f64,
    holdout_match: Option<f64>,
    in_bound_positions: u64,
    spread: f64,
    mean_gain: f64,
    search_seconds: f64,
    fit_seconds: f64,
}

pub(super) fn run(args: FitArgs) -> Result<Outcome> {
    let place = args.place();
    let (spec, finished) = match &args.run.resume {
        Some(name) => {
            let (spec, finished) = resume::prepare(&args, name)?;
            let files = Files::new(&place.out, name)?;
            let lock = files.lock()?;
            (spec, Some((finished, files, lock)))
        }
        None => (args.spec(), None),
    };
    let plan = spec.plan()?;
    let start = match &finished {
        Some((finished, ..)) => finished.start()?.clone(),
        None => new_start(&spec)?,
    };
    Files::check(&place, &spec)?;
    let (collection, skipped) = run::games(&spec, &mut warn)?;
    let split = Split::new(&collection, &spec, &mut warn)?;
    let mut header = run::header(&spec, &collection, &split, &start);
    progress::handle_interrupts()?;
    let (files, _lock, passes) = match finished {
        Some((finished, files, lock)) => {
            finished.same_games(&header)?;
            finished.games().clone_into(&mut header.games);
            (files, lock, finished.passes)
        }
        None => Files::claim(&place).map(|(files, lock)| (files, lock, Vec::new()))?,
    };
    let begun = passes.len();
    let recorder = Recorder::new(&files, &header, passes.clone());
    let observer = FitObserver::new(recorder, &collection, spec.iterations, args.run.json)?;
    let run = on_threads(place.threads, || {
        tuner::resume(split.data(&collection), &start, &plan, passes, &observer)
    });
    observer.progress.clear();
    let run = run??;
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
    observer.recorder.finish(&run)?;
    report(args.run.json, &files, &run, begun)?;
    let whole = run.stopped != StopReason::Cancelled;
    Ok(Outcome::complete_if(skipped == 0 && split.skipped == 0 && whole))
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
    iterations: u32,
    quiet: bool,
}

impl<'a> FitObserver<'a> {
    fn new(
        recorder: Recorder<'a>,
        collection: &Collection,
        iterations: u32,
        quiet: bool,
    ) -> Result<FitObserver<'a>> {
        let observer = FitObserver { recorder, progress: Progress::new(), iterations, quiet };
        observer.say(&observer.opening(collection.is_built_in))?;
        Ok(observer)
    }

    /// Prints text unless JSON was requested.
    fn say(&self, text: &str) -> Result<()> {
        if self.quiet { Ok(()) } else { print(text) }
    }

    fn opening(&self, is_built_in: bool) -> String {
        let Header { games, decisive, held_out_games, positions: [fitted, held_out], .. } =
            self.recorder.header();
        let decisive = count(*decisive, "game");
        let origin = if is_built_in { " (built in)" } else { "" };
        let mut text =
            format!("{games}{origin}: {decisive} with a winner, {} to fit", count(*fitted, "position"));
        if *held_out > 0 {
            let of = count(*held_out_games, "game");
            text += &format!("; {} of {of} held out", count(*held_out, "position"));
        }
        let finished = self.recorder.passes();
        if finished > 0 {
            text += &format!("\n{} goes on after pass {}", self.recorder.files().name, finished - 1);
        }
        text + "\npass   match    s.e.  mean rank  held out    s.e.  spread    gain   search     fit\n"
    }
}

impl Observer for FitObserver<'_> {
    fn begins(&self, pass: u32, positions: usize) {
        self.progress.begin(format!("pass {pass} of {}", self.iterations), positions);
    }

    fn searched(&self, _: &Standing) -> bool {
        self.progress.tick()
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        self.progress.clear();
        self.recorder.measured(pass, fit)?;
        self.say(&line(pass))
    }
}

fn line(pass: &Pass) -> String {
    let (report, training) = (&pass.report, &pass.report.fitted);
    let held_out = match &report.held_out {
        Some(held_out) => format!("  {:.4}  {:.4}", held_out.match_rate(), held_out.match_error()),
        None => "       -       -".to_string(),
    };
    format!(
        "{:>4}  {:.4}  {:.4}  {:>9.4}  {held_out}  {:>6.2}  {:>+6.2}  {:>6.2}s  {:>5.2}s\n",
        report.number,
        training.match_rate(),
        training.match_error(),
        training.mean_rank(),
        report.spread,
        report.mean_gain,
        pass.timing.search,
        pass.timing.fit
    )
}

fn report(json: bool, files: &Files, run: &Run, begun: usize) -> Result<()> {
    let stopped = match run.stopped {
        StopReason::Iterations => "iterations",
        StopReason::Patience => "patience",
        StopReason::Cancelled => "cancelled",
    };
    let (best, last) = (run.best(), run.passes.len() - 1);
    let name = |path: &Path| path.display().to_string();
    if json {
        let pars = (0..run.passes.len()).map(|pass| name(&files.par(pass as u32)));
        return print_json(&FitCommandReport {
            name: files.name.clone(),
            passes: run.passes.iter().map(pass_summary).collect(),
            best,
            last,
            stopped,
            files: std::iter::once(name(&files.stat())).chain(pars).collect(),
        });
    }
    let mut text = String::new();
    if begun == run.passes.len() && run.stopped != StopReason::Cancelled {
        text += "nothing to do: the run is finished; give more --iterations to go on\n";
    }
    text += &format!("stopped  {stopped}\n");
    for (what, pass) in [("best", best), ("last", last)] {
        let report = &run.passes[pass].report;
        let judged_on = if report.held_out.is_some() { "held out" } else { "fitted" };
        let par = name(&files.par(pass as u32));
        text += &format!("{what:<9}pass {pass:<4} {par}  match {:.4} {judged_on}\n", report.judged_by());
    }
    text += &format!("story    {}\n", name(&files.stat()));
    if run.stopped == StopReason::Cancelled {
        text += &format!("go on    texam fit --resume {} --out {}\n", files.name, files.folder.display());
    }
    print(&text)
}

fn pass_summary(pass: &Pass) -> PassSummary {
    let report = &pass.report;
    PassSummary {
        match_rate: report.fitted.match_rate(),
        match_se: report.fitted.match_error(),
        mean_rank: report.fitted.mean_rank(),
        holdout_match: report.held_out.as_ref().map(texam_fit::Agreement::match_rate),
        in_bound_positions: report.fitted.in_bound_positions,
        spread: report.spread,
        mean_gain: report.mean_gain,
        search_seconds: pass.timing.search,
        fit_seconds: pass.timing.fit,
    }
}
