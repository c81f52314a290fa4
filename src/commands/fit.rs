//! `texam fit`: a run of many fits, with its files.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

use serde::Serialize;

use super::{
    Ending, apply_patterns,
    check::solve_options,
    games,
    holdout::Split,
    on_threads, print, print_json,
    progress::{self, Progress},
    resume, sampling, weights,
};
use crate::{
    cli::{FitArgs, Switch},
    error::{Error, Result},
    feature::Weights,
    file,
    fit::{Fit, FitOptions},
    game::Collection,
    par,
    stat::{self, Header, State},
    tuner::{self, Observer, Pass, Plan, Run, StopReason},
};

/// Fits to make unless told otherwise.
const ITERATIONS: u32 = 15;

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
        Some(name) => resume::prepare(&args, name)?,
        None => (args, None),
    };
    let (collection, ending) = games(&args.games)?;
    let split = Split::new(&collection, &args.games, &args.run.holdout)?;
    let files = match &finished {
        Some(finished) => Files { folder: args.run.out.clone(), name: finished.name.clone() },
        None => Files::claim(&args)?,
    };
    let start = match &finished {
        Some(finished) => finished.start()?.clone(),
        None => start(&args)?,
    };
    let header = header(&args, &collection, &split, &start);
    if let Some(finished) = &finished {
        finished.same_games(&header)?;
    }
    let plan = plan(&args)?;
    let passes = finished.map_or_else(Vec::new, |finished| finished.passes);
    let begun = passes.len();
    progress::heed_interrupts()?;
    let observer = Writer::new(&files, &header, &plan, passes.clone(), args.run.json)?;
    let run = on_threads(args.run.threads, || tuner::resume(split.data(), &start, &plan, passes, &observer));
    observer.progress.clear();
    let run = run??;
    observer.finish(&run)?;
    report(&args, &files, &run, begun)?;
    Ok(if run.stopped == StopReason::Cancelled { Ending::Partly } else { ending })
}

fn start(args: &FitArgs) -> Result<Weights> {
    let (mut weights, _) = weights(args.weights.par.as_deref())?;
    apply_patterns(&mut weights, &args.weights.tune, &args.weights.freeze)?;
    Ok(weights)
}

fn plan(args: &FitArgs) -> Result<Plan> {
    let force = &args.force;
    let fit = FitOptions {
        force: force.force,
        strength: force.strength.unwrap_or(force.force.default_strength()),
        scale: force.scale,
        balance: force.balance,
        ..solve_options(&args.solve)
    };
    fit.validate()?;
    Ok(Plan {
        sampling: sampling(&args.search, &args.bound),
        fit,
        keep_spread: force.variance.is_on(),
        iterations: args.run.iterations.unwrap_or(ITERATIONS),
        patience: args.run.patience,
    })
}

/// Options in full, as on the command line, each a name and a value.
pub(super) fn options(args: &FitArgs) -> Vec<(String, String)> {
    let switch = |switch: Switch| if switch.is_on() { "on" } else { "off" }.to_string();
    let strength = args.force.strength.unwrap_or(args.force.force.default_strength());
    let mut options = vec![
        ("skip-moves", args.games.skip_moves.to_string()),
        ("every", args.games.every.to_string()),
        ("depth", args.search.depth.to_string()),
        ("phase", args.search.phase.to_string()),
        ("phase-at", args.search.phase_at.to_string()),
        ("root", args.bound.root.to_string()),
        ("threshold", args.bound.threshold.to_string()),
        ("force", args.force.force.to_string()),
        ("strength", strength.to_string()),
        ("scale", args.force.scale.to_string()),
        ("balance", args.force.balance.to_string()),
        ("variance", switch(args.force.variance)),
        ("min-support", args.solve.min_support.to_string()),
        ("ridge", args.solve.ridge.to_string()),
        ("ridge-to", args.solve.ridge_to.to_string()),
        ("smooth", args.solve.smooth.to_string()),
        ("holdout", args.run.holdout.to_string()),
        ("iterations", args.run.iterations.unwrap_or(ITERATIONS).to_string()),
    ];
    if let Some(patience) = args.run.patience {
        options.push(("patience", patience.to_string()));
    }
    options.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

fn header(args: &FitArgs, collection: &Collection, split: &Split, start: &Weights) -> Header {
    let tally = &collection.tally;
    let digests = [Some(tally.digest.clone()), split.digest.clone()];
    Header {
        version: env!("CARGO_PKG_VERSION").to_string(),
        games: args.games.games.display().to_string(),
        digest: digests.into_iter().flatten().collect::<Vec<_>>().join(" "),
        decisive: tally.decisive as u64,
        skipped: (tally.skipped + tally.variants) as u64,
        held_out_games: split.games,
        positions: [split.training.len() as u64, split.held_out.len() as u64],
        start: par::digest(start),
        options: options(args),
    }
}

/// Where the files of a run stand.
pub(super) struct Files {
    pub folder: PathBuf,
    pub name: String,
}

impl Files {
    /// Takes the name asked for, or the first free one, and makes the folder.
    fn claim(args: &FitArgs) -> Result<Files> {
        let run = &args.run;
        let folder = run.out.clone();
        fs::create_dir_all(&folder).map_err(|error| {
            Error::io("cannot make this folder; give another --out", error).in_file(&folder)
        })?;
        if let Some(name) = &run.name {
            if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
                return Err(Error::expected("a plain --name for the files of the run", format!("{name:?}")));
            }
            let files = Files { folder, name: name.clone() };
            if !run.overwrite && (files.stat().exists() || files.par(0).exists()) {
                let remedy = "there is a run of this name: give another --name, or --overwrite, or --resume";
                return Err(Error::new(remedy).in_file(files.stat()));
            }
            return Ok(files);
        }
        let mut numbers = 1..=999;
        let free = numbers.find_map(|number| {
            let files = Files { folder: folder.clone(), name: format!("run-{number:03}") };
            (!files.stat().exists() && !files.par(0).exists()).then_some(files)
        });
        free.ok_or_else(|| Error::new("run-001 to run-999 are taken; give a --name").in_file(&folder))
    }

    /// The `.stat`.
    pub fn stat(&self) -> PathBuf {
        self.folder.join(format!("{}.stat", self.name))
    }

    /// The `.par` of a pass.
    pub fn par(&self, pass: u32) -> PathBuf {
        self.folder.join(format!("{}-{pass:02}.par", self.name))
    }

    /// Removes what a longer run of the same name has left behind.
    fn remove_beyond(&self, last: u32) -> Result<()> {
        for pass in last + 1.. {
            let path = self.par(pass);
            if !path.exists() {
                break;
            }
            fs::remove_file(&path)
                .map_err(|error| Error::io("cannot remove this old file", error).in_file(path))?;
        }
        Ok(())
    }
}

/// Writes the files of a run as it goes, and says how it goes.
struct Writer<'a> {
    files: &'a Files,
    header: &'a Header,
    progress: Progress,
    passes: Mutex<Vec<Pass>>,
    last_fit: Mutex<Option<Fit>>,
    iterations: u32,
    quiet: bool,
}

const LOCK: &str = "no thread fails while it holds the lock";

impl<'a> Writer<'a> {
    fn new(
        files: &'a Files,
        header: &'a Header,
        plan: &Plan,
        passes: Vec<Pass>,
        quiet: bool,
    ) -> Result<Writer<'a>> {
        let writer = Writer {
            files,
            header,
            progress: Progress::new(),
            passes: Mutex::new(passes),
            last_fit: Mutex::new(None),
            iterations: plan.iterations,
            quiet,
        };
        if !quiet {
            print("pass   match    s.e.  mean rank  held out    s.e.  spread    gain   search     fit\n")?;
        }
        Ok(writer)
    }

    fn write(&self, state: State) -> Result<()> {
        let passes = self.passes.lock().expect(LOCK);
        let fit = self.last_fit.lock().expect(LOCK);
        file::write_whole(
            self.files.stat(),
            stat::format(self.header, state, &passes, fit.as_ref()).as_bytes(),
        )
    }

    /// Marks the run as finished, and leaves nothing of a longer one behind.
    fn finish(&self, run: &Run) -> Result<()> {
        if run.stopped == StopReason::Cancelled
            || self.last_fit.lock().expect(LOCK).is_none() && run.passes.len() > 1
        {
            return Ok(());
        }
        self.write(State::Finished)?;
        self.files.remove_beyond(run.passes.len() as u32 - 1)
    }

    fn remarks(&self, pass: &Pass) -> Vec<String> {
        let report = &pass.report;
        let mut remarks = vec![format!("{}, pass {} of texam fit", self.files.name, report.number)];
        let sets = [("fitted", Some(&report.training)), ("held out", report.held_out.as_ref())];
        for (name, agreement) in sets {
            if let Some(a) = agreement {
                remarks.push(format!(
                    "{name}: match {:.4} +- {:.4}, mean rank {:.4}, {} positions",
                    a.match_rate(),
                    a.match_error(),
                    a.mean_rank(),
                    a.positions
                ));
            }
        }
        remarks
    }
}

impl Observer for Writer<'_> {
    fn begins(&self, pass: u32, positions: usize) {
        self.progress.begin(format!("pass {pass} of {}", self.iterations), positions);
    }

    fn searched(&self) -> bool {
        self.progress.tick()
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        self.progress.clear();
        par::write(self.files.par(pass.report.number), &pass.weights, &self.remarks(pass))?;
        self.passes.lock().expect(LOCK).push(pass.clone());
        *self.last_fit.lock().expect(LOCK) = fit.cloned();
        self.write(State::Unfinished)?;
        if self.quiet { Ok(()) } else { print(&line(pass)) }
    }
}

fn line(pass: &Pass) -> String {
    let (report, training) = (&pass.report, &pass.report.training);
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
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
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
    if begun == run.passes.len() {
        text += "nothing to do: the run is finished; give more --iterations to go on\n";
    }
    text += &format!("stopped  {stopped}\n");
    text += &format!("best     pass {best}  {}\n", name(&files.par(best as u32)));
    text += &format!("last     pass {last}  {}\n", name(&files.par(last as u32)));
    text += &format!("story    {}\n", name(&files.stat()));
    if run.stopped == StopReason::Cancelled {
        text += &format!("go on    texam fit --resume {} --out {}\n", files.name, files.folder.display());
    }
    print(&text)
}

fn pass_output(pass: &Pass) -> PassOutput {
    let report = &pass.report;
    PassOutput {
        match_rate: report.training.match_rate(),
        match_se: report.training.match_error(),
        mean_rank: report.training.mean_rank(),
        holdout_match: report.held_out.as_ref().map(|held_out| held_out.match_rate()),
        in_bound_positions: report.training.in_bound_positions,
        spread: report.spread,
        mean_gain: report.mean_gain,
        search_seconds: pass.timing.search,
        fit_seconds: pass.timing.fit,
    }
}
