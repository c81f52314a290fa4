//! `texam eval`: every feature of a position.

use std::fmt::Write;

use serde::Serialize;
use shakmaty::Chess;

use super::{Outcome, position::NamedPosition, print_result, trace, weights};
use crate::{
    commands::cli::EvalArgs,
    error::Result,
    eval::{self, Placement},
    feature::{Key, Weights},
    fen,
    phase::PhaseScheme,
    value::{in_units, taper},
};

#[derive(Serialize)]
struct EvalReport {
    fen: String,
    phase: u16,
    total: f64,
    features: Vec<FeatureRow>,
}

#[derive(Serialize)]
struct FeatureRow {
    key: &'static str,
    /// Cell of a table; none for a scalar.
    cell: Option<String>,
    count: i16,
    /// Units, at the phase of the position.
    weight: f64,
    contribution: f64,
}

/// Every cell of the evaluation at a position, those that do not occur included.
fn explain(position: &Chess, weights: &Weights, scheme: PhaseScheme) -> EvalReport {
    let placement = Placement::from(position);
    let quantised = weights.quantised();
    let phase = quantised.scheme(scheme).phase(placement.piece_counts());
    let features = eval::features(&placement, weights.extras());
    let rows = weights.extras().runs().flatten().map(|cell| {
        let (key, index) = Key::of_cell(cell);
        let feature = key.feature();
        let count = features.get(cell);
        let weight = in_units(taper(quantised.open(cell), quantised.end(cell), phase));
        FeatureRow {
            key: feature.key,
            cell: feature.layout.is_table().then(|| feature.layout.label(index)),
            count,
            weight,
            // The sum turns -0 into 0.
            contribution: f64::from(count) * weight + 0.0,
        }
    });
    EvalReport {
        fen: fen::format(position),
        phase,
        total: in_units(features.value(&quantised, phase)),
        features: rows.collect(),
    }
}

pub(super) fn run(args: &EvalArgs) -> Result<Outcome> {
    let Some(named) = &args.position else { return trace::run(args) };
    let named = NamedPosition::read(named, args.before, &args.player)?;
    let (weights, _) = weights(args.par.as_deref())?;
    let output = explain(&named.position, &weights, args.phase);
    print_result(&output, args.json, |output| Ok(named.title + &text(output)?))?;
    Ok(Outcome::Complete)
}

/// The features that occur, in the order of the table.
fn text(output: &EvalReport) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "{}\nphase {} (0 opening .. 256 endgame)\n", output.fen, output.phase)?;
    writeln!(text, "{:<22} {:>6} {:>12} {:>14}", "feature", "count", "weight", "contribution")?;
    for row in output.features.iter().filter(|row| row.count != 0) {
        let name = match &row.cell {
            Some(cell) => format!("{}[{cell}]", row.key),
            None => row.key.to_string(),
        };
        writeln!(text, "{name:<22} {:>+6} {:>12.3} {:>+14.3}", row.count, row.weight, row.contribution)?;
    }
    writeln!(text, "{:<22} {:>6} {:>12} {:>+14.3}", "total", "", "", output.total)?;
    writeln!(text, "\nunits of 1/128 pawn, White's view; features that do not occur are left out")?;
    Ok(text)
}
