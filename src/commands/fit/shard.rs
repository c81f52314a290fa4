//! `texam fit --shard`: the sums of a share of the games in one pass.

use std::path::Path;

use texam_fit::{ShardSums, Source};

use super::{
    super::{
        Outcome, count, note, on_threads,
        output::OutputFile,
        print,
        progress::{self, Progress},
        warn,
    },
    new_start, no_groups,
};
use crate::{
    commands::cli::FitArgs,
    error::{Error, Result},
    game::Shard,
    run::{HintsHead, SumsHead, Training, may_be_hints, write_sums},
    search::MoveHints,
};

pub(super) fn run(args: &FitArgs, shard: Shard, pass: Option<&Path>, output: &Path) -> Result<Outcome> {
    let (spec, place) = (args.spec(), args.place());
    spec.check_given(&args.options.given)?;
    if spec.is_on_rows() {
        let text = "--choices and --choices-from cannot be divided into shards: leave --shard out";
        return Err(Error::new(text));
    }
    no_groups(&spec, "in shards")?;
    if spec.regrow > 0 {
        let expected = "no --regrow for a run in shards, which are searched apart: leave it out";
        return Err(Error::expected(expected, spec.regrow));
    }
    let plan = spec.plan()?;
    let inputs: Vec<&Path> = spec.inputs().into_iter().chain(pass).collect();
    let sums_file = OutputFile::new(output, place.overwrite, &inputs)?;
    let start = new_start(&spec)?;
    let model = match pass {
        Some(path) => start.model().with_values(&start.read(path, &mut note)?)?,
        None => start.model().clone(),
    };
    let mut training = on_threads(place.threads, || Training::read(&spec, &start, shard, &mut warn))??;
    training.set_hints_memory(place.hints_memory(shard.count()));
    progress::handle_interrupts();
    let header = training.header().clone();
    let [fitted, held_out] = header.positions;
    let progress = Progress::new();
    progress.begin(format!("shard {shard}"), (fitted + held_out) as usize);
    let tick = |_: &_| progress.tick();
    let method = spec.method();
    let search = |source: &mut dyn Source| ShardSums::search(source, method.objective(), &model, &plan);
    let hints_head = HintsHead::new(&header, shard);
    let hints_file = hints_head.path_beside(output).filter(|_| training.has_hints(&spec));
    let before = hints_file.as_deref().and_then(|path| hints_of_last_pass(&hints_head, path));
    let of_before = if before.is_some() { ", with the best moves of the last pass" } else { "" };
    let searched = on_threads(place.threads, || {
        let mut source = training.searched(&spec, &start, &tick, before)?;
        Some(search(&mut source).map(|sums| (sums, source.into_hints())))
    })?;
    let (sums, hints) = match searched {
        Some(searched) => searched?,
        None => on_threads(place.threads, || {
            let mut source = training.source(&spec, &start, spec.sampling(), &tick, None);
            search(&mut *source).map(|sums| (sums, Vec::new()))
        })??,
    };
    progress.clear();
    let sums =
        sums.ok_or_else(|| Error::new("cancelled before the shard was searched; nothing was written"))?;
    let head = SumsHead::new(&header, shard, &start, &model.values());
    sums_file.write_in_pieces(|to| write_sums(to, &head, &sums))?;
    let of_shard = format!("{} to fit, {} held out{of_before}", count(fitted, "position"), held_out);
    print(&format!("shard {shard}: {of_shard}\n{}", sums_file.summary()))?;
    if let Some(path) = hints_file {
        write_hints(&hints_head, &path, &hints, &inputs)?;
    }
    Ok(Outcome::complete_if(!training.has_skipped()))
}

/// The hints that the pass before has left for this one. Whatever is wrong with them is no error.
fn hints_of_last_pass(head: &HintsHead, path: &Path) -> Option<Vec<MoveHints>> {
    head.read(path).unwrap_or_else(|error| {
        note(&format!("{error}; this pass searches without the best moves of the last one"));
        None
    })
}

/// Leaves hints for the next pass. That they cannot be written is no error, since the sums are there.
fn write_hints(head: &HintsHead, path: &Path, hints: &[MoveHints], inputs: &[&Path]) -> Result<()> {
    if !may_be_hints(path) {
        note(&format!("{}: left as it is, since it is no file of hints", path.display()));
        return Ok(());
    }
    let written = OutputFile::new(path, true, inputs).and_then(|file| {
        file.write_in_pieces(|to| head.write(to, hints))?;
        Ok(file.summary())
    });
    match written {
        Ok(summary) => print(&summary),
        Err(error) => {
            note(&format!("{error}; the next pass searches without the best moves of this one"));
            Ok(())
        }
    }
}
