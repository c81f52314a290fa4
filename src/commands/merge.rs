//! `texam merge`: the sums of all shards of a pass become the next fit of their run.

use std::path::Path;

use texam_fit::{Job, Next, Pass, Shards};

use super::{
    Outcome,
    fit::RunPrinter,
    note, on_threads,
    output::{NO_INPUT, OutputFile},
    print, read_par,
};
use crate::{
    commands::cli::MergeArgs,
    error::{Error, ErrorKind, Result},
    file, par,
    run::{
        self, Files, Recorder, RunSpec, RunWeights, StoredRun, SumsFile, SumsHead, check_whole, pending_fit,
        read_record,
    },
};

pub(super) fn run(args: &MergeArgs) -> Result<Outcome> {
    let (files, number) = Files::of_par(&args.output)?;
    let Some(pass) = number.checked_sub(1) else {
        let expected = "the name of a fit, from NAME-01.par on";
        return Err(Error::expected(expected, "that of the start weights").in_file(&args.output));
    };
    // Whether it may replace files of the run is decided below, where the run is known.
    OutputFile::new(&args.output, true, &args.sums)?;
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
        _ => (finished(&files, pass, &head, &start)?, Some(pending_fit::read_fit(&files.fit(pass))?)),
    };
    let values = fit.as_ref().map_or_else(|| start.model().values(), |fit| fit.values.clone());
    let weights = start.weights(&values).expect("shards have our weights");
    if par::digest(&weights) != par::digest(&head.weights().map_err(|error| error.in_file(first))?) {
        let expected = format!("sums under the weights of {}", files.par(pass).display());
        let found = "sums under others: check the number after -o, or search the shards again with --pass";
        return Err(Error::expected(expected, found).in_file(first));
    }
    let is_own = pass == 0 || is_of_merge(&args.output, &files, number);
    OutputFile::new(&args.output, args.overwrite || is_own, NO_INPUT)?;
    if pass == 0 && !args.overwrite && !is_new(&files, &head) {
        let found = "a run of this name: give another name, or --overwrite";
        return Err(Error::expected("the name of a new run", found).in_file(files.stat()));
    }
    let recorder = Recorder::new(&files, head.header.clone(), &start, finished.clone());
    let observer = RunPrinter::new(recorder, &start, &spec, None, false);
    let of_pass = start.model().with_values(&values)?;
    let mut shards = Shards::default();
    for file in &sums {
        let of_file =
            |error: texam_fit::Error| Error::from(error).of_kind(ErrorKind::Sums).in_file(&file.path);
        let shard = file.sums()?;
        shard.check(spec.method().objective(), &of_pass).map_err(of_file)?;
        shards.add(shard).map_err(of_file)?;
    }
    let next = on_threads(args.threads, || {
        let method = spec.method();
        let objective = method.objective();
        let job = Job { objective, start: start.model(), plan: &plan, finished, observer: &observer };
        job.merge(shards, fit.as_ref())
    })??;
    let outcome = match next {
        Next::Fit(next) => {
            pending_fit::write_fit(&files.fit(number), &next)?;
            start.write(&args.output, &next.values, &[remark(&files, number)])?;
            print(&format!("wrote {}\n", args.output.display()))?;
            Outcome::Complete
        }
        Next::End(stopped) => {
            observer.recorder.finish(stopped, None)?;
            observer.report(&observer.recorder.passes(), stopped, 0)?
        }
    };
    files.remove_fits(|pass| pass != number)?;
    Ok(outcome.and(Outcome::complete_if(head.header.skipped == 0)))
}

/// The remark at the top of the weights of a fit.
fn remark(files: &Files, number: u32) -> String {
    format!("{}, fit {number} of texam merge, not measured yet", files.name)
}

/// Whether a file is what a merge of the same pass has written before.
fn is_of_merge(path: &Path, files: &Files, number: u32) -> bool {
    file::read_text(path)
        .is_ok_and(|text| text.lines().next() == Some(&format!("# {}", remark(files, number))))
}

/// Whether the files of a run may be written: there are none, or only those of a merge of the same sums that was
/// interrupted.
fn is_new(files: &Files, head: &SumsHead) -> bool {
    let has_begun = || match files.stat().exists() {
        true => read_record(&files.stat())
            .is_ok_and(|record| record.header == head.header && record.reports.len() == 1),
        // The start weights are written before the record.
        false => read_par(&files.par(0)).is_ok_and(|start| par::digest(&start) == head.header.start),
    };
    files.have_start_at_most() && (files.are_free() || has_begun())
}

/// The passes of the run before this one.
fn finished(files: &Files, pass: u32, head: &SumsHead, start: &RunWeights) -> Result<Vec<Pass>> {
    let path = files.stat();
    let run = StoredRun::open(&path)?;
    if run.record.header != head.header {
        let found =
            "that of another: its games, options, start weights or version differ from those of the sums";
        return Err(Error::expected("the record of the run", found).in_file(path));
    }
    let measured = run.record.reports.len();
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
    run.passes(start, pass as usize, &mut note)
}
