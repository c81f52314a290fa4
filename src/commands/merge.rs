//! `texam merge`: the sums of all shards of a pass become the next fit of their run.

use std::path::Path;

use texam_fit::{Fit, Next, Shards, Temperature};

use super::{Outcome, fit, on_threads, output::OutputFile, print, read_par, resume::pass_of_run};
use crate::{
    cli::MergeArgs,
    error::{Error, ErrorKind, Result},
    file, par,
    parameters::Parameters,
    run::{self, Files, Recorder, RunSpec, SumsFile, SumsHead, check_whole, pending_fit},
    stat::{self, RunRecord},
    tuner::{self, Observer, Pass},
};

pub(super) fn run(args: &MergeArgs) -> Result<Outcome> {
    let (files, number) = Files::of_par(&args.output)?;
    let Some(pass) = number.checked_sub(1) else {
        let expected = "the name of a fit, from NAME-01.par on";
        return Err(Error::expected(expected, "that of the start weights").in_file(&args.output));
    };
    let inputs: Vec<Option<&Path>> = args.sums.iter().map(|path| Some(path.as_path())).collect();
    OutputFile::new(&args.output, &inputs)?;
    let sums = args.sums.iter().map(|path| SumsFile::open(path)).collect::<Result<Vec<_>>>()?;
    let head = check_whole(&sums)?;
    let first = &args.sums[0];
    let spec = RunSpec::from_options(&head.header.games, &head.header.options)
        .map_err(|error| error.in_file(first))?;
    let plan = spec.plan()?;
    let start = head.start().map_err(|error| error.in_file(first))?;
    run::some_positions_of(&head.header, &spec)?;
    let _lock = files.make_and_lock().map_err(|error| error.of_kind(ErrorKind::Io))?;
    let (finished, fit) = match pass {
        0 => (Vec::new(), None),
        _ => (finished(&files, pass, &head)?, Some(pending_fit::read_fit(&files.fit(pass))?)),
    };
    let parameters = Parameters::new(&start)?;
    let weights = fit.as_ref().map_or_else(|| start.clone(), |fit| parameters.weights(&fit.values));
    if par::digest(&weights) != par::digest(&head.weights().map_err(|error| error.in_file(first))?) {
        let expected = format!("sums under the weights of {}", files.par(pass).display());
        let found = "sums under others: check the number after -o, or search the shards again with --pass";
        return Err(Error::expected(expected, found).in_file(first));
    }
    if pass == 0 && !args.overwrite && !is_new(&files, &head) {
        let found = "a run of this name: give another name, or --overwrite";
        return Err(Error::expected("the name of a new run", found).in_file(files.stat()));
    }
    let observer =
        MergeObserver { recorder: Recorder::new(&files, &head.header, finished.clone()), spec: &spec };
    let mut shards = Shards::default();
    for file in &sums {
        shards.add(file.sums()?).map_err(|error| Error::from(error).in_file(&file.path))?;
    }
    let next =
        on_threads(args.threads, || tuner::merge(shards, &start, &plan, finished, fit.as_ref(), &observer))??;
    match next {
        Next::Fit(next) => {
            pending_fit::write_fit(&files.fit(number), &next)?;
            let remarks = [format!("{}, fit {number} of texam merge, not measured yet", files.name)];
            par::write(&args.output, &parameters.weights(&next.values), &remarks)?;
            print(&format!("wrote {}\n", args.output.display()))?;
        }
        Next::End(stopped) => {
            observer.recorder.finish(stopped)?;
            let passes = observer.recorder.into_passes();
            fit::Ended {
                files: &files,
                objective: spec.objective,
                passes: passes.iter().map(|pass| (&pass.report, pass.timing)).collect(),
                stopped,
                begun: 0,
                weights: Files::par,
            }
            .report(false)?;
        }
    }
    files.remove_fits(|pass| pass != number)?;
    Ok(Outcome::complete_if(head.header.skipped == 0))
}

/// Whether the files of a run may be written: there are none, or only those of a merge of the same sums that was
/// interrupted.
fn is_new(files: &Files, head: &SumsHead) -> bool {
    let is_begun_with = |record: RunRecord| record.header == head.header && record.reports.len() == 1;
    let has_begun = || match file::read_text(files.stat()) {
        Ok(text) => stat::parse(&text).is_ok_and(is_begun_with),
        // The start weights are written before the record.
        Err(_) if files.stat().exists() => false,
        Err(_) => read_par(&files.par(0)).is_ok_and(|start| par::digest(&start) == head.header.start),
    };
    files.have_start_at_most() && (files.are_free() || has_begun())
}

/// The passes of the run before this one.
fn finished(files: &Files, pass: u32, head: &SumsHead) -> Result<Vec<Pass>> {
    let path = files.stat();
    let record = run::read_record(&path)?;
    if record.header != head.header {
        let found =
            "that of another: its games, options, start weights or version differ from those of the sums";
        return Err(Error::expected("the record of the run", found).in_file(path));
    }
    let measured = record.reports.len();
    if measured < pass as usize {
        let expected = format!("the passes before pass {pass}; merge their sums first");
        return Err(Error::expected(expected, format!("{measured} of them")).in_file(path));
    }
    // A merge that was interrupted has measured this pass. More were measured by texam fit --resume.
    if measured > pass as usize + 1 {
        let expected = format!("a run that has come to pass {pass}");
        let found = format!("one with pass {}: continue it by texam fit --resume", measured - 1);
        return Err(Error::expected(expected, found).in_file(path));
    }
    let mut passes = Vec::new();
    for report in record.reports.into_iter().take(pass as usize) {
        passes.push(pass_of_run(files, report, passes.first())?);
    }
    Ok(passes)
}

/// Saves the pass and prints a line on it.
struct MergeObserver<'a> {
    recorder: Recorder<'a>,
    spec: &'a RunSpec,
}

impl Observer for MergeObserver<'_> {
    fn temperature(&self, temperature: Temperature) {
        // An output that is closed is noticed when the pass is printed.
        let _ = print(&format!("{}\n", fit::describe(temperature)));
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        self.recorder.measured(pass, fit)?;
        print(&format!("{}\n{}", fit::titles(self.spec.objective), fit::line(&pass.report, pass.timing)))
    }
}
