//! `texam fit --shard`: the sums of a share of the games in one pass.

use std::path::Path;

use super::{
    super::{
        Outcome, count, on_threads,
        output::OutputFile,
        print,
        progress::{self, Progress},
        read_par, warn,
    },
    new_start,
};
use crate::{
    cli::FitArgs,
    error::{Error, Result},
    game::Shard,
    parameters::Parameters,
    run::{SumsHead, Training, write_sums},
    tuner,
};

pub(super) fn run(args: &FitArgs, shard: Shard, pass: Option<&Path>, output: &Path) -> Result<Outcome> {
    let (spec, place) = (args.spec(), args.place());
    spec.check_given(&args.given)?;
    if spec.is_on_rows() {
        let text = "--choices and --choices-from cannot be divided into shards: leave --shard out";
        return Err(Error::new(text));
    }
    let plan = spec.plan()?;
    let inputs: Vec<Option<&Path>> = spec.inputs().into_iter().chain(pass).map(Some).collect();
    let output = OutputFile::unused(output, place.overwrite, &inputs)?;
    let start = new_start(&spec)?;
    let parameters = Parameters::new(&start)?;
    let weights = match pass {
        Some(path) => {
            let weights = read_par(path)?;
            start.check_modes(&weights).map_err(|error| error.in_file(path))?;
            parameters.weights(&parameters.values(&weights))
        }
        None => start.clone(),
    };
    let training = on_threads(place.threads, || Training::read_shard(&spec, &start, shard, &mut warn))??;
    progress::handle_interrupts()?;
    let header = training.header();
    let [fitted, held_out] = header.positions;
    let progress = Progress::new();
    progress.begin(format!("shard {shard}"), (fitted + held_out) as usize);
    let tick = |_: &_| progress.tick();
    let search = || tuner::search_shard(training.positions(), &start, &weights, &plan, &tick);
    let sums = on_threads(place.threads, search)?;
    progress.clear();
    let sums =
        sums?.ok_or_else(|| Error::new("cancelled before the shard was searched; nothing was written"))?;
    let head = SumsHead::new(header, shard, &start, &weights);
    output.write_in_pieces(|to| write_sums(to, &head, &sums))?;
    let of_shard = format!("{} to fit, {} held out", count(fitted, "position"), held_out);
    print(&format!("shard {shard}: {of_shard}\n{}", output.summary()))?;
    Ok(Outcome::complete_if(!training.has_skipped()))
}
