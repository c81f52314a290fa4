//! `texam fit --choices` and `--choices-from`: a run on the rows of another program.

use std::cell::Cell;

use texam_fit::{
    Fit, Observer, Pass, StopReason, Temperature, Timing, resume,
    svmrank::{RowCounts, RowSource},
};

use super::super::{
    Outcome, note, print,
    progress::{self, interrupted},
    resume::with_given_anew,
};
use super::{Ended, describe, line, titles};
use crate::{
    cli::FitArgs,
    error::{Error, Result},
    run::{
        self, Files, RunSpec, count,
        rows::{self, RowRecorder, Rows},
    },
    stat::{Header, RunRecord},
    tuner,
};

/// Makes the run if it is one on rows, also if such a run is resumed.
pub(super) fn run_if_asked(args: &FitArgs) -> Result<Option<Outcome>> {
    let (spec, finished) = match &args.run.resume {
        None => (args.spec(), None),
        Some(name) => {
            let files = Files::new(&args.run.place.out, name)?;
            let path = files.stat();
            let record = run::read_record(&path)?;
            if !record.is_on_rows() {
                return Ok(None);
            }
            let RunRecord { header, reports, .. } = record;
            let own = RunSpec::from_options("-", &header.options).map_err(|error| error.in_file(&path))?;
            let made = reports
                .len()
                .checked_sub(1)
                .ok_or_else(|| Error::expected("passes of a run", "none; begin a new run").in_file(&path))?;
            let spec = with_given_anew(args, own, made as u32)?;
            let mut passes = Vec::new();
            for report in reports {
                let values = rows::read_table(&files.csv(report.number))?.values();
                passes.push(Pass { report, values, timing: Timing::default() });
            }
            (spec, Some((files, header, passes)))
        }
    };
    if !spec.is_on_rows() {
        return Ok(None);
    }
    run(args, &spec, finished).map(Some)
}

fn run(args: &FitArgs, spec: &RunSpec, finished: Option<(Files, Header, Vec<Pass>)>) -> Result<Outcome> {
    spec.check_given(&args.given)?;
    let plan = spec.plan()?;
    let path = spec.weights.as_ref().ok_or_else(|| Error::expected("--weights", "none"))?;
    let place = args.place();
    Files::check(&place, spec)?;
    let mut rows = Rows::new(spec)?;
    progress::handle_interrupts()?;
    let (files, _lock, start, passes) = match finished {
        Some((files, header, passes)) => {
            let lock = files.lock()?;
            let start = rows::read_table(&files.csv(0))?;
            let now = rows.header(spec, &start);
            if now.start != header.start {
                let found = "other weights: put back the file of the run, or begin a new one";
                let error = Error::expected("the start weights of the run", found);
                return Err(error.in_file(files.csv(0)));
            }
            if now.digest != header.digest {
                let expected = format!("the choices that the run was begun with (SHA-256 {})", header.digest);
                let found = format!("others (SHA-256 {}); put them back, or begin a new run", now.digest);
                return Err(Error::expected(expected, found));
            }
            (files, lock, start, passes)
        }
        None => {
            let start = rows::read_table(path)?;
            if spec.iterations > 0 && start.tuned().is_empty() {
                let error = Error::expected("a weight with tune true", "none");
                return Err(error.in_file(path));
            }
            let (files, lock) = Files::claim(&place)?;
            (files, lock, start, Vec::new())
        }
    };
    let begun = passes.len();
    let counts = Cell::new(RowCounts::default());
    let recorder = RowRecorder::new(&files, rows.header(spec, &start), &start, &counts, passes.clone());
    let observer = RowObserver { recorder, spec, counts: &counts, quiet: args.run.json };
    let tuner::Plan { method, fit, keep_spread, iterations, patience, sampling: _ } = plan;
    let plan = texam_fit::Plan { options: fit, keep_spread, iterations, patience };
    if begun > 0 {
        let text = format!("{} goes on after pass {}\n{}\n", files.name, begun - 1, titles(spec.objective));
        observer.say(&text)?;
    }
    let go_on = || !interrupted();
    let run = {
        let hold_out = rows::hold_out(spec);
        let mut source = RowSource::new(rows.input(), rows::kind(spec), hold_out, &go_on, &counts);
        resume(&mut source, method.objective(), &start, &plan, passes, &observer)
    };
    let run = run.map_err(|error| rows.explain(error.into()))?;
    if run.passes.is_empty() {
        return Err(Error::new("cancelled before the first pass was measured; nothing was written"));
    }
    observer.recorder.finish(run.stopped)?;
    let rounded = counts.get().rounded;
    if rounded > 0 {
        note(&format!("entries rounded to multiples of 1/256: {rounded}"));
    }
    let ended = Ended {
        files: &files,
        objective: spec.objective,
        passes: run.passes.iter().map(|pass| (&pass.report, pass.timing)).collect(),
        stopped: run.stopped,
        begun,
        weights: Files::csv,
    };
    ended.report(args.run.json)?;
    Ok(Outcome::complete_if(run.stopped != StopReason::Cancelled))
}

/// Saves each pass of a run on rows and prints a line on it.
struct RowObserver<'a> {
    recorder: RowRecorder<'a>,
    spec: &'a RunSpec,
    counts: &'a Cell<RowCounts>,
    quiet: bool,
}

impl RowObserver<'_> {
    /// Prints text unless JSON was requested.
    fn say(&self, text: &str) -> Result<()> {
        if self.quiet { Ok(()) } else { print(text) }
    }

    /// What the first pass found, and the titles of the lines that follow.
    fn opening(&self) -> String {
        let RowCounts { clusters: [games, held_out_games], choices: [fitted, held_out], .. } =
            self.counts.get();
        let what = if self.spec.reads_labels() { "position" } else { "choice" };
        let mut text = format!("{} of {} to fit", count(fitted, what), count(games, "game"));
        if held_out > 0 {
            text += &format!("; {} of {} held out", count(held_out, what), count(held_out_games, "game"));
        }
        text + "\n"
    }
}

impl Observer for RowObserver<'_> {
    fn temperature(&self, temperature: Temperature) {
        // An output that is closed is noticed when the pass is printed.
        let _ = self.say(&format!("{}\n", describe(temperature)));
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> texam_fit::Result<()> {
        let saved = self.recorder.measured(pass, fit).and_then(|()| {
            let opening = match pass.report.number {
                0 => format!("{}{}\n", self.opening(), titles(self.spec.objective)),
                _ => String::new(),
            };
            self.say(&format!("{opening}{}", line(&pass.report, pass.timing)))
        });
        saved.map_err(texam_fit::Error::external)
    }
}
