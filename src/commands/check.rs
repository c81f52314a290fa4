//! `texam check`: tests that a fit without force gives back its weights.

use serde::Serialize;
use texam_fit::{FitOptions, Forces, RidgeTo, Standing};

use super::{
    Outcome, agreement::with_progress, games, on_threads, print, print_json, sampling, some_positions,
    some_tuned, weights,
};
use crate::{
    cli::{CheckArgs, SolveArgs},
    error::{Error, Result},
    feature::pattern,
    tuner::{self, Data},
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
    let (mut weights, source) = weights(args.weights.par.as_deref())?;
    let [tune, freeze] = args.weights.patterns();
    pattern::apply(&mut weights, &tune, &freeze)?;
    some_tuned(&weights)?;
    let (collection, outcome) = games(&args.games)?;
    some_positions(&collection)?;
    let sampling = sampling(&args.search, &args.bound);
    let SolveArgs { min_support, ridge, ridge_to: _, smooth } = args.solve;
    let options = FitOptions {
        min_support,
        ridge,
        ridge_to: RidgeTo::Current,
        smooth,
        errors: false,
        ..FitOptions::default()
    };
    let fit = with_progress("identity", collection.positions.len(), |progress| {
        let tick = |_: &Standing| progress.tick();
        on_threads(args.output.threads, || {
            tuner::fit_once(Data::all(&collection), &weights, &sampling, &Forces::none(), &options, &tick)
        })
    });
    let fit = fit??.ok_or_else(|| Error::new("cancelled"))?.fit;
    let output = CheckReport {
        positions: fit.choices,
        rows: fit.rows,
        parameters: fit.solved,
        max_change: fit.max_change,
        rank: fit.rank,
        condition: fit.condition,
    };
    let passes = output.max_change <= TOLERANCE;
    if args.output.json {
        print_json(&output)?;
    } else {
        print(&format!(
            "weights         {source}\npositions       {}\nrows            {}\nparameters      {}\n\
             rank            {}\ncondition       {:.2e}\nlargest change  {:.2e}\nidentity        {}\n",
            output.positions,
            output.rows,
            output.parameters,
            output.rank,
            output.condition,
            output.max_change,
            if passes { "holds" } else { "FAILS: the change should be below 1e-6" },
        ))?;
    }
    Ok(if passes { outcome } else { Outcome::Incomplete })
}
