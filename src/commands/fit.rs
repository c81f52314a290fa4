//! `texam fit`: a run of many fits, with its files.

use std::{path::Path, sync::Mutex};

use serde::Serialize;

use super::{
    Ending, apply_patterns,
    check::solve_options,
    count,
    files::{Claim, Files},
    games,
    holdout::Split,
    on_threads,
    options::{ITERATIONS, options},
    print, print_json,
    progress::{self, Progress},
    resume, sampling, some_tuned, weights,
};
use crate::{
    cli::FitArgs,
    error::{Error, Result},
    feature::Weights,
    file,
    fit::{Fit, FitOptions},
    game::Collection,
    par,
    stat::{self, Header, State},
    tuner::{self, Observer, Pass, Plan, Run, StopReason},
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
    let plan = plan(&args)?;
    let start = match &finished {
        Some(finished) => finished.start()?.clone(),
        None => start(&args, &plan)?,
    };
    Files::check(&args.run)?;
    let (collection, ending) = games(&args.games)?;
    let split = Split::new(&collection, &args.games, &args.run.holdout)?;
    let mut header = header(&args, &collection, &split, &start);
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
    let observer = Writer::new(&files, &header, &args, claim, passes.clone())?;
    let run = on_threads(args.run.threads, || tuner::resume(split.data(), &start, &plan, passes, &observer));
    observer.progress.clear();
    let run = run??;
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
    observer.finish(&run)?;
    report(&args, &files, &run, begun)?;
    let whole = run.stopped != StopReason::Cancelled;
    Ok(ending.and(split.ending).and(Ending::done_if(whole)))
}

fn start(args: &FitArgs, plan: &Plan) -> Result<Weights> {
    let (mut weights, _) = weights(args.weights.par.as_deref())?;
    apply_patterns(&mut weights, &args.weights.tune, &args.weights.freeze)?;
    if plan.iterations > 0 {
        some_tuned(&weights)?;
    }
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

/// Writes the files of a run as it goes, and says how it goes.
struct Writer<'a> {
    files: &'a Files,
    header: &'a Header,
    progress: Progress,
    passes: Mutex<Vec<Pass>>,
    last_fit: Mutex<Option<Fit>>,
    /// The name, until there is a pass to write under it.
    claim: Mutex<Option<Claim>>,
    iterations: u32,
    quiet: bool,
}

/// Follows the header of a `.stat`.
const FIRST_SECTION: &str = "\n[iterations]\n";

const LOCK: &str = "no thread fails while it holds the lock";

impl<'a> Writer<'a> {
    fn new(
        files: &'a Files,
        header: &'a Header,
        args: &FitArgs,
        claim: Option<Claim>,
        passes: Vec<Pass>,
    ) -> Result<Writer<'a>> {
        let writer = Writer {
            files,
            header,
            progress: Progress::new(),
            passes: Mutex::new(passes),
            last_fit: Mutex::new(None),
            claim: Mutex::new(claim),
            iterations: args.run.iterations.unwrap_or(ITERATIONS),
            quiet: args.run.json,
        };
        writer.say(&writer.opening())?;
        Ok(writer)
    }

    /// Prints what is for people.
    fn say(&self, text: &str) -> Result<()> {
        if self.quiet { Ok(()) } else { print(text) }
    }

    fn opening(&self) -> String {
        let Header { games, decisive, held_out_games, positions: [fitted, held_out], .. } = self.header;
        let decisive = count(*decisive, "game");
        let mut text = format!("{games}: {decisive} with a winner, {} to fit", count(*fitted, "position"));
        if *held_out > 0 {
            let of = count(*held_out_games, "game");
            text += &format!("; {} of {of} held out", count(*held_out, "position"));
        }
        let finished = self.passes.lock().expect(LOCK).len();
        if finished > 0 {
            text += &format!("\n{} goes on after pass {}", self.files.name, finished - 1);
        }
        text + "\npass   match    s.e.  mean rank  held out    s.e.  spread    gain   search     fit\n"
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
        if run.stopped == StopReason::Cancelled {
            return Ok(());
        }
        let is_at_hand = run.passes.len() == 1 || self.last_fit.lock().expect(LOCK).is_some();
        if is_at_hand { self.write(State::Finished) } else { self.mark_finished() }?;
        self.files.remove_beyond(run.passes.len() as u32 - 1)
    }

    /// Marks a run as finished whose last pass was measured before it was gone on with: what its last fit
    /// had to tell is only in the file.
    fn mark_finished(&self) -> Result<()> {
        let path = self.files.stat();
        let old = file::read_text(&path)?;
        let new = stat::format(self.header, State::Finished, &[], None);
        match (new.split_once(FIRST_SECTION), old.split_once(FIRST_SECTION)) {
            (Some((header, _)), Some((_, story))) => {
                file::write_whole(path, [header, FIRST_SECTION, story].concat().as_bytes())
            }
            _ => Ok(()),
        }
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
        if let Some(claim) = self.claim.lock().expect(LOCK).take() {
            claim.keep();
        }
        if pass.report.number == 0 {
            self.files.remove_beyond(0)?;
        }
        self.say(&line(pass))
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
