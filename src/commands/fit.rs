//! `texam fit`: a run of many fits, with its files.

use std::path::Path;

use serde::Serialize;
use texam_fit::{Fit, Standing, StopReason};

use super::{
    Ending, count, games, note, on_threads, print, print_json,
    progress::{self, Progress},
    resume, warn,
};
use crate::{
    cli::FitArgs,
    error::{Error, Result},
    game::Collection,
    run::{self, Files, ITERATIONS, Recorder, Split},
    stat::Header,
    tuner::{self, Observer, Pass, Run},
};

#[derive(Serialize)]
struct Output {
    name: String,
    passes: Vec<PassOutput>,
    /// Number of the best pass, and of the last.
    best: usize,
    last: usize,
    stopped: &'static str,
    files: Vec<String>,
}

#[derive(Serialize)]
struct PassOutput {
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

pub(super) fn run(args: FitArgs) -> Result<Ending> {
    let (args, finished) = match &args.run.resume {
        Some(name) => resume::prepare(&args, name).map(|(args, finished)| (args, Some(finished)))?,
        None => (args, None),
    };
    let plan = run::plan(&args)?;
    let start = match &finished {
        Some(finished) => finished.start()?.clone(),
        None => run::start(&args, &plan, &mut note)?,
    };
    Files::check(&args.run)?;
    let (collection, ending) = games(&args.games)?;
    let split = Split::new(&collection, &args.games, &args.run.holdout, &mut warn)?;
    let mut header = run::header(&args, &collection, &split, &start);
    progress::heed_interrupts()?;
    let (files, claim, passes) = match finished {
        Some(finished) => {
            finished.same_games(&header)?;
            finished.games().clone_into(&mut header.games);
            (Files::new(&args.run.out, &finished.name)?, None, finished.passes)
        }
        None => Files::claim(&args.run).map(|(files, claim)| (files, Some(claim), Vec::new()))?,
    };
    let begun = passes.len();
    let recorder = Recorder::new(&files, &header, claim, passes.clone());
    let observer = Writer::new(recorder, &args, &collection)?;
    let run = on_threads(args.run.threads, || tuner::resume(split.data(), &start, &plan, passes, &observer));
    observer.progress.clear();
    let run = run??;
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
    observer.recorder.finish(&run)?;
    report(&args, &files, &run, begun)?;
    let whole = run.stopped != StopReason::Cancelled;
    Ok(ending.and(Ending::done_if(split.skipped == 0)).and(Ending::done_if(whole)))
}

/// Has a run written down as it goes, and says how it goes.
struct Writer<'a> {
    recorder: Recorder<'a>,
    progress: Progress,
    iterations: u32,
    quiet: bool,
}

impl<'a> Writer<'a> {
    fn new(recorder: Recorder<'a>, args: &FitArgs, collection: &Collection) -> Result<Writer<'a>> {
        let writer = Writer {
            recorder,
            progress: Progress::new(),
            iterations: args.run.iterations.unwrap_or(ITERATIONS),
            quiet: args.run.json,
        };
        writer.say(&writer.opening(collection.is_built_in))?;
        Ok(writer)
    }

    /// Prints what is for people.
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

impl Observer for Writer<'_> {
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

fn report(args: &FitArgs, files: &Files, run: &Run, begun: usize) -> Result<()> {
    let stopped = match run.stopped {
        StopReason::Iterations => "iterations",
        StopReason::Patience => "patience",
        StopReason::Cancelled => "cancelled",
    };
    let (best, last) = (run.best(), run.passes.len() - 1);
    let name = |path: &Path| path.display().to_string();
    if args.run.json {
        let pars = (0..run.passes.len()).map(|pass| name(&files.par(pass as u32)));
        return print_json(&Output {
            name: files.name.clone(),
            passes: run.passes.iter().map(pass_output).collect(),
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

fn pass_output(pass: &Pass) -> PassOutput {
    let report = &pass.report;
    PassOutput {
        match_rate: report.fitted.match_rate(),
        match_se: report.fitted.match_error(),
        mean_rank: report.fitted.mean_rank(),
        holdout_match: report.held_out.as_ref().map(|held_out| held_out.match_rate()),
        in_bound_positions: report.fitted.in_bound_positions,
        spread: report.spread,
        mean_gain: report.mean_gain,
        search_seconds: pass.timing.search,
        fit_seconds: pass.timing.fit,
    }
}
