//! Two tables of weights of another program side by side.

use std::{
    collections::HashMap,
    fmt::{Error as TextError, Write},
};

use serde::Serialize;

use super::{Outcome, count, print_result, warn};
use crate::{
    commands::cli::DiffArgs,
    error::{Error, Result},
    run::{is_table, option_error, read_fitted, stat::FittedWeight},
};

type Names<'a> = HashMap<&'a str, &'a FittedWeight>;

#[derive(Serialize)]
struct TableDiff {
    a: String,
    b: String,
    differ: usize,
    equal: usize,
    only_a: Vec<String>,
    only_b: Vec<String>,
    changes: Vec<TableChange>,
}

/// A weight with different values. What is known of it is of the run that made B, or else A.
#[derive(Serialize)]
struct TableChange {
    weight: String,
    from: f64,
    to: f64,
    change: f64,
    /// How far the change moves values.
    moves: Option<f64>,
    se_run: Option<f64>,
    se_step: Option<f64>,
    support: Option<u32>,
    games: Option<u64>,
    held: Option<f64>,
}

pub(super) fn run(args: &DiffArgs) -> Result<Outcome> {
    for path in [&args.a, &args.b] {
        if !is_table(path) {
            let error = Error::expected("two tables of weights, .csv, or two of our sets", "one of each");
            return Err(error.in_file(path));
        }
    }
    if let Some(option) = args.options.given.first() {
        let expected = "no option of games or search with weights of another program";
        return Err(option_error(option, Error::expected(expected, "it")));
    }
    let [a, b] = [read_fitted(&args.a, &mut warn)?, read_fitted(&args.b, &mut warn)?];
    let diff = TableDiff::new(&a, &b, args);
    print_result(&diff, args.output.json, TableDiff::text)?;
    Ok(Outcome::Complete)
}

impl TableDiff {
    fn new<'s>(a: &'s [FittedWeight], b: &'s [FittedWeight], args: &DiffArgs) -> TableDiff {
        let by_name = |set: &'s [FittedWeight]| -> Names<'s> {
            set.iter().map(|weight| (&*weight.weight, weight)).collect()
        };
        let (in_a, in_b) = (by_name(a), by_name(b));
        let only = |set: &[FittedWeight], other: &Names| -> Vec<String> {
            let names = set.iter().map(|weight| &weight.weight);
            names.filter(|name| !other.contains_key(&***name)).cloned().collect()
        };
        let pairs = b.iter().filter_map(|weight| Some((*in_a.get(&*weight.weight)?, weight)));
        let both: Vec<(&FittedWeight, &FittedWeight)> = pairs.collect();
        let mut changes: Vec<TableChange> =
            both.iter().filter(|(a, b)| a.to != b.to).map(|(a, b)| TableChange::new(a, b)).collect();
        changes.sort_by(|a, b| {
            let [a, b] = [a, b].map(|change| (change.moves.unwrap_or(-1.0), change.change.abs()));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        TableDiff {
            a: args.a.display().to_string(),
            b: args.b.display().to_string(),
            differ: changes.len(),
            equal: both.len() - changes.len(),
            only_a: only(a, &in_b),
            only_b: only(b, &in_a),
            changes,
        }
    }

    fn text(&self) -> Result<String, TextError> {
        let mut text = String::new();
        let all = count((self.differ + self.equal) as u64, "weight");
        writeln!(text, "A  {}\nB  {}\n\n{} of {all} differ", self.a, self.b, self.differ)?;
        for (set, names) in [("A", &self.only_a), ("B", &self.only_b)] {
            if !names.is_empty() {
                writeln!(text, "only in {set}: {}", names.join(", "))?;
            }
        }
        if self.changes.is_empty() {
            return Ok(text);
        }
        let has = |of: fn(&TableChange) -> bool| self.changes.iter().any(of);
        let has_run = has(|change| change.se_run.is_some());
        let is_known = has(|change| change.support.is_some());
        let width = self.changes.iter().map(|change| change.weight.chars().count()).max().unwrap_or(0).max(6);
        write!(text, "\n{:<width$}  {:>10}  {:>10}  {:>10}", "weight", "A", "B", "change")?;
        if is_known {
            let error = if has_run { "s.e. of run" } else { "s.e. of step" };
            write!(text, "  {:>9}  {error:>12}  {:>9}  {:>7}  {:>5}", "moves", "support", "games", "held")?;
        }
        writeln!(text)?;
        for change in &self.changes {
            let TableChange { weight, from, to, moves, support, games, held, .. } = change;
            write!(text, "{weight:<width$}  {from:>10.2}  {to:>10.2}  {:>+10.2}", change.change)?;
            if is_known {
                let error = if has_run { change.se_run } else { change.se_step };
                let decimal =
                    |value: &Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.2}"));
                let whole = |value: Option<u64>| value.map_or("-".to_string(), |value| value.to_string());
                let (support, held) = (whole(support.map(u64::from)), decimal(held));
                write!(text, "  {:>9}  {:>12}  {support:>9}  ", decimal(moves), decimal(&error))?;
                write!(text, "{:>7}  {held:>5}", whole(*games))?;
            }
            writeln!(text)?;
        }
        if is_known {
            let error = if has_run { "" } else { " s.e., of its step," };
            writeln!(
                text,
                "\nmoves: how far the change moves values. Of the last fit alone:{error} support, positions that bear on the weight;\n\
                 games that do; held, the share of its free step that the ridge held back."
            )?;
        }
        Ok(text)
    }
}

impl TableChange {
    fn new(a: &FittedWeight, b: &FittedWeight) -> TableChange {
        let known = if b.support.is_some() { b } else { a };
        let change = b.to - a.to;
        TableChange {
            weight: b.weight.clone(),
            from: a.to,
            to: b.to,
            change,
            moves: known.deviation.map(|deviation| deviation * change.abs()),
            se_run: known.se_run,
            se_step: known.se_step,
            support: known.support,
            games: known.games,
            held: known.held,
        }
    }
}
