//! `texam diff`: two sets of weights side by side.

mod text;

use serde::Serialize;

use super::{
    Ending,
    agreement::{Measured, Paired, measured, search},
    count, games, on_threads, print, print_json, sampling, some_positions, warn, weights,
};
use crate::{
    cli::DiffArgs,
    decision::Decision,
    diff::{Change, Comparison, fit_options},
    error::{Error, Result},
    feature::{Mode, Weights},
    fit::Part,
    game::Collection,
    sample::Difference,
};

#[derive(Serialize)]
struct Output {
    a: String,
    b: String,
    differ: usize,
    equal: usize,
    held_otherwise: Vec<&'static str>,
    changes: Vec<Row>,
    #[serde(flatten)]
    judged: Option<Judged>,
}

/// A weight that differs.
#[derive(Serialize)]
struct Row {
    weight: String,
    key: &'static str,
    /// Cell of a table; none for a scalar or a gradient.
    cell: Option<String>,
    part: &'static str,
    from: f64,
    to: f64,
    change: f64,
    standard_error: Option<f64>,
    change_in_errors: Option<f64>,
    support: Option<u32>,
}

/// What the games say.
#[derive(Serialize)]
struct Judged {
    games: usize,
    games_skipped: usize,
    agreement: Agreement,
}

#[derive(Serialize)]
struct Agreement {
    a: Measured,
    b: Measured,
    /// B less A.
    difference: Paired,
}

pub(super) fn run(args: &DiffArgs) -> Result<Ending> {
    let sets = [weights(Some(&args.a))?, weights(Some(&args.b))?];
    let mut comparison = Comparison::new(&sets[0].0, &sets[1].0);
    let (judged, ending) = if args.weights_only {
        (None, Ending::Done)
    } else {
        let (collection, ending) = games(&args.games)?;
        some_positions(&collection)?;
        let tuned = comparison.tuned(&sets[0].0)?;
        let (agreement, decisions) = measure(args, &collection, &sets, &tuned, &comparison)?;
        let ending = ending.and(judge(args, &mut comparison, &tuned, &decisions)?);
        let games_skipped = collection.tally.skipped + collection.tally.variants;
        (Some(Judged { games: collection.games.len(), games_skipped, agreement }), ending)
    };
    comparison.sort(args.sort);
    if args.output.json {
        let [(_, a), (_, b)] = sets;
        print_json(&output([a, b], &comparison, judged))?;
    } else {
        let agreement = judged.as_ref().map(|judged| &judged.agreement);
        let page = text::Page { sets: &sets, comparison: &comparison, agreement, cells: args.cells };
        print(&page.text().map_err(|_| Error::new("cannot lay out the result"))?)?;
    }
    Ok(ending)
}

/// Passes under both sets, the first as it is `tuned`, and the decisions of that one. Where the search knows
/// no difference, one pass tells of both.
fn measure(
    args: &DiffArgs,
    collection: &Collection,
    sets: &[(Weights, String); 2],
    tuned: &Weights,
    comparison: &Comparison,
) -> Result<(Agreement, Vec<Decision>)> {
    let sampling = sampling(&args.search, &args.bound);
    let pass = |weights: &Weights, name: &str| {
        on_threads(args.output.threads, || search(collection, weights, &sampling, name))
    };
    let [(_, a), (second, b)] = sets;
    let mut first = pass(tuned, a)?;
    let mut second = if comparison.changes.is_empty() { first.clone() } else { pass(second, b)? };
    let difference = Difference::of(&second, &first).into();
    let (a, decisions) = measured(&mut first, a.clone(), &sampling);
    let (b, _) = measured(&mut second, b.clone(), &sampling);
    Ok((Agreement { a, b, difference }, decisions))
}

/// Adds standard errors. Where the games give none at all, the comparison stands without them.
fn judge(
    args: &DiffArgs,
    comparison: &mut Comparison,
    tuned: &Weights,
    decisions: &[Decision],
) -> Result<Ending> {
    if comparison.changes.is_empty() {
        return Ok(Ending::Done);
    }
    let options = fit_options();
    let judged = on_threads(args.output.threads, || comparison.judge(tuned, decisions, &options))?;
    Ok(match judged {
        Ok(()) => Ending::Done,
        Err(error) => {
            warn(&format!("no standard errors: {error}"));
            Ending::Partly
        }
    })
}

fn output([a, b]: [String; 2], comparison: &Comparison, judged: Option<Judged>) -> Output {
    Output {
        a,
        b,
        differ: comparison.changes.len(),
        equal: comparison.equal,
        held_otherwise: comparison.held_otherwise.iter().map(|(key, _)| key.feature().key).collect(),
        changes: comparison.changes.iter().map(row).collect(),
        judged,
    }
}

fn row(change: &Change) -> Row {
    let parameter = change.parameter;
    let feature = parameter.key.feature();
    Row {
        weight: parameter.to_string(),
        key: feature.key,
        cell: (parameter.mode == Mode::Cells).then(|| feature.layout.label(parameter.index)),
        part: match parameter.part {
            Part::Opening => "opening",
            Part::Endgame => "endgame",
            Part::Both => "both",
        },
        from: change.from,
        to: change.to,
        change: change.units(),
        standard_error: change.standard_error,
        change_in_errors: change.in_errors(),
        support: change.support,
    }
}
