//! `texam diff`: two sets of weights side by side.

mod table;
mod text;

use serde::Serialize;
use texam_fit::{Forces, Standing};

use super::{
    Outcome,
    agreement::{AgreementDifference, AgreementSummary, search, with_progress},
    count, games_or_held_out, on_threads, print_result, some_positions, warn, weights,
};
use crate::{
    commands::cli::DiffArgs,
    error::{Error, Result},
    feature::{Mode, Weights},
    game::Collection,
    parameters::Parameters,
    run::is_table,
    sample::{Difference, Recall, Sampling, SingleFit},
    show::diff::{Change, Comparison, fit_options},
};

#[derive(Serialize)]
struct DiffReport {
    a: String,
    b: String,
    differ: usize,
    equal: usize,
    held_otherwise: Vec<&'static str>,
    changes: Vec<ChangeRow>,
    #[serde(flatten)]
    judged: Option<GamesPart>,
}

/// A weight that differs.
#[derive(Serialize)]
struct ChangeRow {
    weight: String,
    key: &'static str,
    /// Cell of a table; none for a scalar or a gradient.
    cell: Option<String>,
    part: &'static str,
    from: f64,
    to: f64,
    change: f64,
    moves: Option<f64>,
    standard_error: Option<f64>,
    change_in_errors: Option<f64>,
    /// In the row of an opening weight: its change less that of the endgame weight, where both differ.
    apart: Option<f64>,
    apart_se: Option<f64>,
    support: Option<u32>,
}

/// Results measured on games.
#[derive(Serialize)]
struct GamesPart {
    games: usize,
    games_skipped: usize,
    agreement: PairedAgreement,
}

#[derive(Serialize)]
struct PairedAgreement {
    a: AgreementSummary,
    b: AgreementSummary,
    /// B less A.
    difference: AgreementDifference,
}

pub(super) fn run(args: &DiffArgs) -> Result<Outcome> {
    if [&args.a, &args.b].iter().any(|path| is_table(path)) {
        return table::run(args);
    }
    let sets = [weights(Some(&args.a))?, weights(Some(&args.b))?];
    let mut comparison = Comparison::new(&sets[0].0, &sets[1].0);
    let (judged, outcome) = if args.weights_only {
        (None, Outcome::Complete)
    } else {
        let (collection, decisive, outcome) =
            games_or_held_out(args.options.spec(), args.held_out_of.as_deref())?;
        some_positions(&collection)?;
        let tuned = comparison.with_changes_tuned(&sets[0].0)?;
        let (agreement, whole) = measure(args, &collection, &sets, &tuned, &mut comparison)?;
        let outcome = outcome.and(whole);
        let games_skipped = collection.tally.skipped + collection.tally.variants;
        (Some(GamesPart { games: decisive, games_skipped, agreement }), outcome)
    };
    comparison.sort();
    let names = sets.each_ref().map(|(_, name)| name.clone());
    print_result(&output(names, &comparison, judged), args.output.json, |report| {
        let agreement = report.judged.as_ref().map(|judged| &judged.agreement);
        text::DiffText { sets: &sets, comparison: &comparison, agreement }.text()
    })?;
    Ok(outcome)
}

/// One pass under each set; that under the first set uses the `tuned` weights and includes a fit for standard
/// errors. If no weight differs, one pass is used for both.
fn measure(
    args: &DiffArgs,
    collection: &Collection,
    sets: &[(Weights, String); 2],
    tuned: &Weights,
    comparison: &mut Comparison,
) -> Result<(PairedAgreement, Outcome)> {
    let sampling = args.options.spec().sampling();
    let pass = |weights: &Weights, name: &String| -> Result<_> {
        let searched = on_threads(args.output.threads, || {
            search(collection, weights, &sampling, name, &mut Recall::default(), false)
        })?;
        Ok(((searched.agreement, searched.spread.units()), searched.games))
    };
    let [(_, a), (second, b)] = sets;
    let mut outcome = Outcome::Complete;
    let ((first, first_games), (second, second_games)) = if comparison.changes.is_empty() {
        let both = pass(tuned, a)?;
        (both.clone(), both)
    } else {
        let fitted = on_threads(args.output.threads, || fit(collection, tuned, &sampling, a))?;
        let first = match fitted {
            Ok(single) => {
                comparison.add_standard_errors(&single.fit);
                let [games, _] = single.measured.clusters;
                ((single.measured.fitted, single.fit.spread), games)
            }
            Err(error) => {
                warn(&format!("no standard errors: {error}"));
                outcome = Outcome::Incomplete;
                pass(tuned, a)?
            }
        };
        (first, pass(second, b)?)
    };
    let measured = |(agreement, spread), name: &String| {
        AgreementSummary::new(agreement, spread, name.clone(), &sampling)
    };
    let difference = Difference::by_game(&second_games, &first_games).into();
    let agreement = PairedAgreement { a: measured(first, a), b: measured(second, b), difference };
    Ok((agreement, outcome))
}

/// The fit that gives the standard errors.
fn fit(collection: &Collection, tuned: &Weights, sampling: &Sampling, name: &str) -> Result<SingleFit> {
    let parameters = Parameters::new(tuned)?;
    let fit = with_progress(name, collection.positions.len(), |progress| {
        let tick = |_: &Standing| progress.tick();
        let (forces, options) = (Forces::default(), fit_options());
        let how = (&forces, &options);
        SingleFit::of(&collection.positions, &parameters, sampling, how, &tick)
    });
    fit?.ok_or_else(|| Error::new("cancelled"))
}

fn output([a, b]: [String; 2], comparison: &Comparison, judged: Option<GamesPart>) -> DiffReport {
    DiffReport {
        a,
        b,
        differ: comparison.changes.len(),
        equal: comparison.equal,
        held_otherwise: comparison.mode_differences.iter().map(|(key, _)| key.feature().key).collect(),
        changes: comparison.changes.iter().map(row).collect(),
        judged,
    }
}

fn row(change: &Change) -> ChangeRow {
    let parameter = change.parameter;
    let feature = parameter.key.feature();
    ChangeRow {
        weight: parameter.to_string(),
        key: feature.key,
        cell: (parameter.mode == Mode::Cells).then(|| feature.layout.label(parameter.index)),
        part: parameter.part.into(),
        from: change.from,
        to: change.to,
        change: change.units(),
        moves: change.moves(),
        standard_error: change.standard_error,
        change_in_errors: change.in_errors(),
        apart: change.apart.map(|apart| apart.units),
        apart_se: change.apart.and_then(|apart| apart.standard_error),
        support: change.support,
    }
}
