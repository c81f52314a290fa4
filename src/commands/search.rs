//! `texam search`: every legal move of a position, with value, rank and line.

use std::{collections::BTreeMap, fmt::Write};

use serde::Serialize;
use shakmaty::{Chess, Position};

use super::{Outcome, position::NamedPosition, print_result, weights};
use crate::{
    commands::cli::SearchArgs,
    error::Result,
    feature::{Extras, Quantised, cell_name},
    fen,
    position::{CompactMove, san_line},
    search::{
        Leaf, MoveLeaf, Settings, Threshold,
        alphabeta::{AlphaBeta, BoundedValue, Prepared},
        in_bound,
        minimax::Minimax,
    },
    value::{Value, format_value, in_units, is_mate},
};

#[derive(Serialize)]
struct SearchReport {
    fen: String,
    /// E_x, from the mover's side.
    root: f64,
    nodes: u64,
    /// Number of positions at the horizon; only the reference search counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<u64>,
    moves: Vec<MoveRow>,
    #[serde(skip)]
    checkmate: bool,
}

#[derive(Default, Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    mv: String,
    /// Value from the mover's side; none if it is only known to be above or below the bound.
    value: Option<f64>,
    rank: Option<u32>,
    line: Vec<String>,
    /// The line in standard algebraic notation.
    #[serde(skip)]
    san: Vec<String>,
    in_bound: bool,
    phase: Option<u16>,
    /// White's view.
    features: BTreeMap<String, i16>,
    #[serde(skip)]
    shown: String,
}

pub(super) fn run(args: &SearchArgs) -> Result<Outcome> {
    let NamedPosition { position, title } = NamedPosition::read(&args.position, args.before, &args.player)?;
    let (weights, _) = weights(args.par.as_deref())?;
    let output = search(args, &position, args.options.spec().search, &weights.quantised());
    print_result(&output, args.json, |output| Ok(title + &text(output)?))?;
    Ok(Outcome::Complete)
}

fn search(args: &SearchArgs, position: &Chess, settings: Settings, weights: &Quantised) -> SearchReport {
    let kind = args.options.spec().root;
    let bound = args.options.spec().threshold.threshold();
    let inside = |found: MoveLeaf| (found.mv, BoundedValue::Inside(found.leaf));
    let (root, moves, nodes, leaves): (Leaf, Vec<_>, u64, Option<u64>) = if args.plain {
        let mut plain = Minimax::new(settings, weights);
        let root = plain.root(position, kind);
        plain.leaves = 0;
        let moves = plain.all_moves(position);
        (root, moves.into_iter().map(inside).collect(), plain.nodes, Some(plain.leaves))
    } else {
        let mut fast = AlphaBeta::new(&Prepared::new(settings, weights));
        if args.window {
            let (root, moves) = fast.bounded_moves(position, kind, bound);
            (root, moves, fast.nodes, None)
        } else {
            let root = fast.root(position, kind);
            let moves = fast.all_moves(position);
            (root, moves.into_iter().map(inside).collect(), fast.nodes, None)
        }
    };
    let moves = rows(position, moves, root.value, bound, weights.extras());
    SearchReport {
        fen: fen::format(position),
        root: in_units(root.value),
        nodes,
        leaves,
        moves,
        checkmate: position.is_checkmate(),
    }
}

/// The moves, best first, ties in canonical order. Moves above the bound are first, moves below it last.
fn rows(
    position: &Chess,
    mut moves: Vec<(CompactMove, BoundedValue)>,
    root: Value,
    bound: Threshold,
    extras: Extras,
) -> Vec<MoveRow> {
    let place = |(_, bounded): &(_, BoundedValue)| match bounded {
        BoundedValue::Above => Value::MAX,
        BoundedValue::Inside(leaf) => leaf.value,
        BoundedValue::Below => Value::MIN,
    };
    moves.sort_by_key(|found| std::cmp::Reverse(place(found)));
    let places: Vec<Value> = moves.iter().map(place).collect();
    let rank = |value: Value| places.iter().filter(|&&other| other > value).count() as u32;
    moves.into_iter().map(|found| row(position, found, root, bound, extras, rank)).collect()
}

fn row(
    position: &Chess,
    (played, bounded): (CompactMove, BoundedValue),
    root: Value,
    bound: Threshold,
    extras: Extras,
    rank: impl Fn(Value) -> u32,
) -> MoveRow {
    let mv = played.to_string();
    let outside = |shown: &str| MoveRow {
        mv: mv.clone(),
        line: vec![mv.clone()],
        san: san_line(position, &[played]),
        shown: shown.to_string(),
        ..MoveRow::default()
    };
    match bounded {
        BoundedValue::Above => outside("above"),
        BoundedValue::Below => outside("below"),
        BoundedValue::Inside(leaf) => MoveRow {
            value: Some(in_units(leaf.value)),
            rank: Some(rank(leaf.value)),
            line: leaf.line.iter().map(ToString::to_string).collect(),
            san: san_line(position, &leaf.line),
            in_bound: in_bound(leaf.value, root, bound) && !is_mate(root),
            phase: Some(leaf.phase),
            features: leaf.features(extras).iter().map(|(cell, count)| (cell_name(cell), count)).collect(),
            shown: format_value(leaf.value),
            mv,
        },
    }
}

fn text(output: &SearchReport) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let SearchReport { fen, root, nodes, .. } = output;
    writeln!(text, "{fen}\nroot {root:+.1} (1/128 pawn, mover's view), {nodes} nodes")?;
    if let Some(leaves) = output.leaves {
        writeln!(text, "{leaves} leaves")?;
    }
    if output.moves.is_empty() {
        let end = if output.checkmate { "checkmate" } else { "stalemate" };
        return writeln!(text, "no legal move: {end}").map(|()| text);
    }
    writeln!(text, "\nrank  move         value  bound  line")?;
    for row in &output.moves {
        let rank = row.rank.map_or("-".to_string(), |rank| rank.to_string());
        let bound = if row.in_bound { "in" } else { "out" };
        let mv = row.san.first().map_or("", |mv| mv);
        writeln!(text, "{rank:>4}  {mv:<7} {:>10}  {bound:<5}  {}", row.shown, row.san.join(" "))?;
    }
    Ok(text)
}
