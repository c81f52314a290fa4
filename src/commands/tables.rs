//! `texam tables`: the tables of Deep Thought for a set of weights and a root.

use std::{collections::BTreeMap, fmt::Write, time::Instant};

use serde::Serialize;

use super::{
    Outcome, output::write_folder, par_name, position::NamedPosition, print_error, print_result, weights,
};
use crate::{
    commands::cli::TablesArgs,
    error::Result,
    eval::{self, Placement},
    feature::Key,
    fen,
    show::machine::{self, PhaseWeights, Table},
    value::{Value, in_units},
};

/// The start position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Features in a line of text.
const IN_LINE: usize = 6;

/// Values are in units, from White's view.
#[derive(Serialize)]
struct TablesReport {
    fen: String,
    #[serde(serialize_with = "par_name")]
    par: String,
    phase: u16,
    tables: Vec<TableRow>,
    registers: BTreeMap<&'static str, f64>,
    /// The other features, with what the evaluation finds for each.
    left_out: BTreeMap<&'static str, f64>,
    /// The part of the other features in all contributions without their signs; none if all are 0.
    left_out_share: Option<f64>,
    /// What the tables add up to, and what the evaluation finds for the features in them and for all.
    from_tables: f64,
    same_features: f64,
    total: f64,
}

#[derive(Serialize)]
struct TableRow {
    name: &'static str,
    entries: usize,
    /// Entries to which a position leads.
    reachable: usize,
    nonzero: usize,
    value: f64,
    carries: Vec<&'static str>,
}

pub(super) fn run(args: &TablesArgs) -> Result<Outcome> {
    let root = args.position.as_deref().or(args.fen.as_deref()).unwrap_or(START);
    let NamedPosition { position, title } = NamedPosition::read(root, args.before, &args.player)?;
    let (weights, par) = weights(args.par.as_deref())?;
    let (placement, weights) = (Placement::from(&position), weights.quantised());
    let phase = weights.scheme(args.phase).phase(placement.piece_counts());
    let set = PhaseWeights { weights: &weights, phase };
    let begin = Instant::now();
    let tables = set.tables();
    if args.time {
        print_error(&format!("filled in {:.3}s", begin.elapsed().as_secs_f64()));
    }
    if let Some(folder) = &args.output {
        write_folder(folder, &tables.iter().map(csv).collect::<Vec<_>>())?;
    }
    let report = report(&set, &tables, &placement, [fen::format(&position), par]);
    print_result(&report, args.json, |report| match &args.output {
        Some(folder) => Ok(format!("wrote {} tables to {}\n", tables.len(), folder.display())),
        None => Ok(title + &text(report)?),
    })?;
    Ok(Outcome::complete_if(report.from_tables == report.same_features))
}

fn report(set: &PhaseWeights, tables: &[Table], root: &Placement, [fen, par]: [String; 2]) -> TablesReport {
    let counts = eval::features(root, set.weights.extras());
    let is_carried = |key: &Key| tables.iter().any(|table| table.carries.contains(key));
    let values = set.features().map(|key| (key, set.value(key, &counts)));
    let (carried, others): (Vec<_>, Vec<_>) = values.partition(|(key, _)| is_carried(key));
    let size = |values: &[(Key, Value)]| values.iter().map(|(_, value)| value.abs()).sum::<Value>() as f64;
    let all = size(&carried) + size(&others);
    let read = machine::read(tables, root, &counts);
    let from_tables = in_units(read.iter().sum());
    let held = tables[6].carries.iter().zip(tables[6].entries.iter().flatten());
    TablesReport {
        fen,
        par,
        phase: set.phase,
        tables: tables.iter().zip(read).map(row).collect(),
        registers: held.map(|(key, &value)| (key.feature().key, in_units(value))).collect(),
        left_out: others.iter().map(|&(key, value)| (key.feature().key, in_units(value))).collect(),
        left_out_share: (all > 0.0).then(|| size(&others) / all),
        from_tables,
        same_features: in_units(carried.iter().map(|(_, value)| value).sum()),
        total: in_units(counts.value(set.weights, set.phase)),
    }
}

fn row((table, value): (&Table, Value)) -> TableRow {
    let reachable = || table.entries.iter().flatten();
    TableRow {
        name: table.name,
        entries: table.entries.len(),
        reachable: reachable().count(),
        nonzero: reachable().filter(|&&value| value != 0).count(),
        value: in_units(value),
        carries: table.carries.iter().map(|key| key.feature().key).collect(),
    }
}

/// The name of a file and its text: a line for each entry, without a value where no position leads.
fn csv(table: &Table) -> (String, String) {
    let is_table = !table.fields.is_empty();
    let names: String = table.fields.iter().map(|(name, _)| format!(",{name}")).collect();
    let line = |(at, entry): (usize, &Option<Value>)| {
        let first = if is_table { at.to_string() } else { table.carries[at].feature().key.to_string() };
        let words: String = (0..table.fields.len()).map(|field| table.word(field, at) + ",").collect();
        let value = entry.map_or(String::new(), |value| in_units(value).to_string());
        format!("{first},{words}{value}\r\n")
    };
    let lines: String = table.entries.iter().enumerate().map(line).collect();
    (
        format!("{}.csv", table.name),
        format!("{}{names},value\r\n{lines}", if is_table { "address" } else { "register" }),
    )
}

fn text(report: &TablesReport) -> Result<String, std::fmt::Error> {
    let TablesReport { fen, par, phase, tables, left_out, .. } = report;
    let mut text = format!("{fen}\nweights {par}, phase {phase} (0 opening .. 256 endgame)\n\n");
    writeln!(text, "{:<10} {:>8} {:>10} {:>8} {:>12}", "table", "entries", "reachable", "not 0", "value")?;
    for TableRow { name, entries, reachable, nonzero, value, .. } in tables {
        writeln!(text, "{name:<10} {entries:>8} {reachable:>10} {nonzero:>8} {value:>+12.3}")?;
    }
    writeln!(text, "{:<39} {:>+12.3}", "all tables", report.from_tables)?;
    writeln!(text, "{:<39} {:>+12.3}", "eval, the features in tables", report.same_features)?;
    writeln!(text, "{:<39} {:>+12.3}", "eval, all features", report.total)?;
    for rows in tables.chunk_by(|a, b| a.carries == b.carries) {
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        let words = rows[0].carries.iter().map(|key| match report.registers.get(key) {
            Some(value) => format!("{key} {value:+.3}"),
            None => key.to_string(),
        });
        list(&mut text, &names.join(", "), words)?;
    }
    let heading = format!("in no table: {} features", left_out.len());
    let share = report.left_out_share.map(|share| format!(", {:.1} % of the contributions", 100.0 * share));
    let words = left_out.iter().map(|(key, &value)| match value {
        0.0 => key.to_string(),
        value => format!("{key} {value:+.3}"),
    });
    list(&mut text, &(heading + &share.unwrap_or_default()), words)?;
    writeln!(text, "\nunits of 1/128 pawn, White's view; contributions are compared without their signs")?;
    Ok(text)
}

/// A heading, and words below it.
fn list(text: &mut String, heading: &str, words: impl Iterator<Item = String>) -> std::fmt::Result {
    writeln!(text, "\n{heading}")?;
    let words: Vec<String> = words.collect();
    words.chunks(IN_LINE).try_for_each(|line| writeln!(text, "  {}", line.join("  ")))
}
