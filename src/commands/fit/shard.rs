//! `texam fit --shard`: the sums of a share of the games in one pass.

use std::path::Path;

use texam_fit::ShardSums;

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
    cli::FitArgs,
    error::{Error, Result},
    game::Shard,
    run::{SumsHead, Task, Training, write_sums},
};

pub(super) fn run(args: &FitArgs, shard: Shard, pass: Option<&Path>, output: &Path) -> Result<Outcome> {
    let (spec, place) = (args.spec(), args.place());
    spec.check_given(&args.options.given)?;
    if spec.task() == Task::Rows {
        let text = "--choices and --choices-from cannot be divided into shards: leave --shard out";
        return Err(Error::new(text));
    }
    no_groups(&spec, "in shards")?;
    if spec.regrow > 0 {
        let expected = "no --regrow for a run in shards, which are searched apart: leave it out";
        return Err(Error::expected(expected, spec.regrow));
    }
    let plan = spec.plan()?;
    let output = OutputFile::new(output, place.overwrite, spec.inputs().into_iter().chain(pass))?;
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
    let sums = on_threads(place.threads, || {
        let mut source = training.source(&spec, &start, spec.sampling(), &tick, None);
        ShardSums::search(&mut *source, spec.method().objective(), &model, &plan)
    })?;
    progress.clear();
    let sums =
        sums?.ok_or_else(|| Error::new("cancelled before the shard was searched; nothing was written"))?;
    let head = SumsHead::new(&header, shard, &start, &model.values());
    output.write_in_pieces(|to| write_sums(to, &head, &sums))?;
    let of_shard = format!("{} to fit, {} held out", count(fitted, "position"), held_out);
    print(&format!("shard {shard}: {of_shard}\n{}", output.summary()))?;
    Ok(Outcome::complete_if(!training.has_skipped()))
}
