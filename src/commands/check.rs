//! `texam check`: tests that a fit without force gives back its weights.

use serde::Serialize;
use texam_fit::{Forces, RidgeTo, Standing};

use super::{
    Outcome, agreement::with_progress, games, note, on_threads, print_result, some_positions, some_tuned,
};
use crate::{
    commands::cli::CheckArgs,
    error::{Error, Result},
    parameters::Parameters,
    run,
    sample::SingleFit,
};

/// Largest allowed change of a weight, in units.
const TOLERANCE: f64 = 1e-6;

#[derive(Serialize)]
struct CheckReport {
    positions: u64,
    rows: u64,
    parameters: usize,
    max_change: f64,
    rank: usize,
    condition: f64,
}

pub(super) fn run(args: &CheckArgs) -> Result<Outcome> {
    let spec = args.options.spec();
    spec.validate()?;
    let (weights, source) = run::start(spec, &mut note)?;
    some_tuned(&weights)?;
    let (collection, outcome) = games(spec)?;
    some_positions(&collection)?;
    let sampling = spec.sampling();
    let mut options = spec.settings.solving;
    (options.ridge_to, options.errors) = (RidgeTo::Current, false);
    let parameters = Parameters::new(&weights)?;
    let fit = with_progress("identity", collection.positions.len(), |progress| {
        let tick = |_: &Standing| progress.tick();
        on_threads(args.output.threads, || {
            let how = (&Forces::none(), &options);
            SingleFit::of(&collection.positions, &parameters, &sampling, how, &tick)
        })
    });
    let fit = fit?.map_err(Error::from)?.ok_or_else(|| Error::new("cancelled"))?.fit;
    let output = CheckReport {
        positions: fit.choices,
        rows: fit.rows,
        parameters: fit.solved,
        max_change: fit.max_change,
        rank: fit.rank,
        condition: fit.condition,
    };
    let passes = output.max_change <= TOLERANCE;
    print_result(&output, args.output.json, |output| {
        Ok(format!(
            "weights         {source}\npositions       {}\nrows            {}\nparameters      {}\n\
             rank            {}\ncondition       {:.2e}\nlargest change  {:.2e}\nidentity        {}\n",
            output.positions,
            output.rows,
            output.parameters,
            output.rank,
            output.condition,
            output.max_change,
            if passes { "holds" } else { "FAILS: the change should be below 1e-6" },
        ))
    })?;
    Ok(if passes { outcome } else { Outcome::Incomplete })
}
