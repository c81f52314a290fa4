//! The text of `texam diff`: opening and endgame weights in pairs.

use std::{
    collections::BTreeMap,
    fmt::{Error, Write},
};

use super::{PairedAgreement, count};
use crate::{
    feature::{Ends, Key, Mode, Weights},
    par::CellGrid,
    parameters::Part,
    show::diff::{Change, Comparison, Entry},
};

/// Largest number of differing cells of a table in two dimensions that are listed one by one.
const LISTED: usize = 6;

/// Changes above this number of standard errors are counted as unlikely to be chance.
const BEYOND_CHANCE: f64 = 2.0;

/// The data of the text.
pub(super) struct DiffText<'a> {
    pub sets: &'a [(Weights, String); 2],
    pub comparison: &'a Comparison,
    pub agreement: Option<&'a PairedAgreement>,
}

/// The line of a change: the feature and, unless its whole table has one line, the cell.
type ChangeGroup = (Key, Option<usize>);

impl DiffText<'_> {
    pub fn text(&self) -> Result<String, Error> {
        let mut text = String::new();
        self.head(&mut text)?;
        if !self.comparison.changes.is_empty() {
            self.list(&mut text)?;
        }
        if let Some(agreement) = self.agreement {
            agree(&mut text, agreement)?;
        }
        self.legend(&mut text)?;
        Ok(text)
    }

    /// Whether the comparison has standard errors.
    fn is_judged(&self) -> bool {
        self.agreement.is_some()
    }

    fn head(&self, text: &mut String) -> Result<(), Error> {
        let [(_, a), (_, b)] = self.sets;
        let Comparison { changes, equal, mode_differences } = self.comparison;
        let all = count((changes.len() + equal) as u64, "weight");
        writeln!(text, "A  {a}\nB  {b}\n")?;
        match changes.len() {
            0 => writeln!(text, "all {all} are equal to 1/256 unit, as the search rounds them")?,
            differ => writeln!(
                text,
                "{differ} of {all} differ; {equal} are equal to 1/256 unit, as the search rounds them"
            )?,
        }
        if self.is_judged() && !changes.is_empty() {
            let beyond = changes.iter().filter_map(Change::in_errors).filter(|n| n.abs() > BEYOND_CHANCE);
            let unknown = changes.iter().filter(|change| change.in_errors().is_none());
            let [beyond, unknown] = [beyond.count(), unknown.count()];
            writeln!(
                text,
                "beyond {BEYOND_CHANCE} standard errors: {beyond}; without a standard error: {unknown}"
            )?;
        }
        let mut ways: BTreeMap<[&str; 2], Vec<&str>> = BTreeMap::new();
        for (key, modes) in mode_differences {
            ways.entry(modes.map(way)).or_default().push(key.feature().key);
        }
        for ([a, b], keys) in ways {
            writeln!(text, "{a} in A, {b} in B: {}", keys.join(", "))?;
        }
        Ok(())
    }

    /// The changes by line; lines are in the order of their first change.
    fn places(&self) -> Vec<(ChangeGroup, Vec<&Change>)> {
        let together = self.tables();
        let mut order: Vec<ChangeGroup> = Vec::new();
        let mut places: BTreeMap<ChangeGroup, Vec<&Change>> = BTreeMap::new();
        for change in &self.comparison.changes {
            let key = change.parameter.key;
            let place = (key, (!together.contains(&key)).then_some(change.parameter.index));
            if !places.contains_key(&place) {
                order.push(place);
            }
            places.entry(place).or_default().push(change);
        }
        order.into_iter().filter_map(|place| Some((place, places.remove(&place)?))).collect()
    }

    /// Tables with one line for all cells: tables in two dimensions with many differing cells.
    fn tables(&self) -> Vec<Key> {
        let is_board = |key: Key| !CellGrid::new(key.feature().layout).is_list();
        let cells = |key: Key| {
            let of_key =
                |change: &&Change| change.parameter.key == key && change.parameter.mode == Mode::Cells;
            let mut cells: Vec<usize> =
                self.comparison.changes.iter().filter(of_key).map(|change| change.parameter.index).collect();
            cells.sort_unstable();
            cells.dedup();
            cells.len()
        };
        Key::ALL.iter().copied().filter(|&key| is_board(key) && cells(key) > LISTED).collect()
    }

    fn list(&self, text: &mut String) -> Result<(), Error> {
        let [first, second] = self.sets.each_ref().map(|(weights, _)| weights);
        let entries = Entry::all(first, second);
        let titles_apart = ["apart", "in s.e."].map(String::from);
        let mut lines = vec![("weight".to_string(), [titles("open"), titles("end")], titles_apart)];
        for ((key, index), changes) in self.places() {
            let entry = entries.iter().find(|entry| entry.key == key && Some(entry.index) == index);
            lines.push(match entry {
                Some(entry) => (name(entry), pair(entry, &changes), apart(&changes)),
                None => (format!("{}[]", key.feature().key), whole_table(key, &changes), Default::default()),
            });
        }
        let width = lines.iter().map(|(name, ..)| name.len()).max().unwrap_or(0).max(16);
        let shown = if self.is_judged() { 5 } else { 3 };
        text.push('\n');
        for (name, halves, apart) in &lines {
            let mut line = format!("{name:<width$}");
            for half in halves {
                half[..shown].iter().try_for_each(|cell| write!(line, " {cell:>9}"))?;
                line.push_str("  ");
            }
            if self.is_judged() {
                apart.iter().try_for_each(|cell| write!(line, " {cell:>9}"))?;
            }
            writeln!(text, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn legend(&self, text: &mut String) -> Result<(), Error> {
        if self.comparison.changes.is_empty() {
            return Ok(());
        }
        writeln!(text, "\nunits of 1/128 pawn; =: the same in B")?;
        if !self.tables().is_empty() {
            text.push_str(
                "key[]: cells that differ, ~root mean square of their changes, most moved, largest in s.e.; --json lists \
                 them\n",
            );
        }
        if self.is_judged() {
            text.push_str(
                "moves: by how much the change moves values: its size times the standard deviation of the feature's\n\
                 count over the rows of the same fit\n\
                 s.e.: standard error of the weight in one fit of these games under A in which the weights that\n\
                 differ are tuned, with the default force and no ridge; clustered by game: how far other games\n\
                 might move it; -: too few positions bear on it, or the games leave it open\n\
                 apart: the change of the opening weight minus that of the endgame weight, and in its standard errors\n",
            );
        }
        Ok(())
    }
}

/// Name of a mode, in the plural.
fn way(mode: Mode) -> &'static str {
    match mode {
        Mode::Scalar => "scalars",
        Mode::Gradient => "gradients",
        Mode::Cells => "cells",
        Mode::Off => "off",
    }
}

/// Titles of the columns of an end of the game.
fn titles(end: &str) -> [String; 5] {
    [format!("A {end}"), format!("B {end}"), "B - A".to_string(), "moves".to_string(), "in s.e.".to_string()]
}

/// The name of an entry, with the word `gradient` for a gradient.
fn name(entry: &Entry) -> String {
    let gradient = if entry.mode == Mode::Gradient { " gradient" } else { "" };
    format!("{}{gradient}", entry.name())
}

/// Changes of the opening or of the endgame. A weight for both phases is listed with the opening.
fn of_part<'a>(changes: &'a [&Change], part: Part) -> impl Iterator<Item = &'a Change> {
    let is_end = part == Part::Endgame;
    changes.iter().copied().filter(move |change| (change.parameter.part == Part::Endgame) == is_end)
}

/// A table in one line: number of differing cells, root mean square of their changes, and the largest of what
/// they move and of the changes in standard errors.
fn whole_table(key: Key, changes: &[&Change]) -> [[String; 5]; 2] {
    let cells = key.feature().layout.cells();
    [Part::Opening, Part::Endgame].map(|part| {
        let units: Vec<f64> = of_part(changes, part).map(Change::units).collect();
        if units.is_empty() {
            return blank();
        }
        let mean = units.iter().map(|units| units * units).sum::<f64>() / units.len() as f64;
        let mean = format!("~{:.3}", mean.sqrt());
        let in_errors = of_part(changes, part).filter_map(Change::in_errors);
        let most = in_errors.max_by(|one, other| one.abs().total_cmp(&other.abs()));
        let differ = format!("{} of {cells}", units.len());
        let moves = of_part(changes, part).filter_map(Change::moves).max_by(f64::total_cmp);
        [differ, "cells".to_string(), mean, moves_text(moves), in_errors_text(most)]
    })
}

fn blank() -> [String; 5] {
    Default::default()
}

/// Opening and endgame of an entry: A, B, change, what it moves, change in standard errors.
fn pair(entry: &Entry, changes: &[&Change]) -> [[String; 5]; 2] {
    let ends = entry.key.feature().ends;
    [Part::Opening, Part::Endgame].map(|part| {
        let end = usize::from(part == Part::Endgame);
        let value = format!("{:.3}", entry.weights[0][end] + 0.0);
        match of_part(changes, part).next() {
            Some(change) => [
                value,
                format!("{:.3}", change.to + 0.0),
                format!("{:+.3}", change.units()),
                moves_text(change.moves()),
                in_errors_text(change.in_errors()),
            ],
            None if end == 1 && ends == Ends::OpeningOnly => blank(),
            None if end == 1 && ends == Ends::Single => ["same", "", "", "", ""].map(String::from),
            None => [&*value, "=", "", "", ""].map(String::from),
        }
    })
}

/// The change of the opening weight less that of the endgame weight, and in standard errors.
fn apart(changes: &[&Change]) -> [String; 2] {
    changes.iter().find_map(|change| change.apart).map_or_else(Default::default, |apart| {
        [format!("{:+.3}", apart.units), in_errors_text(apart.in_errors())]
    })
}

fn moves_text(moves: Option<f64>) -> String {
    moves.map_or("-".to_string(), |units| format!("{units:.2}"))
}

fn in_errors_text(in_errors: Option<f64>) -> String {
    in_errors.map_or("-".to_string(), |n| format!("{n:+.1}"))
}

/// Writes the agreement of both sets on the same positions.
fn agree(text: &mut String, agreement: &PairedAgreement) -> Result<(), Error> {
    let PairedAgreement { a, b, difference: d } = agreement;
    let mut row = |name: &str, cells: [String; 3]| {
        let [a, b, difference] = cells;
        writeln!(text, "{}", format!("{name:<16}  {a:>18}  {b:>18}  {difference}").trim_end())
    };
    let rate = |rate: f64, error: f64| format!("{rate:.4} +- {error:.4}");
    let plain = String::new;
    row("\nagreement", ["A".to_string(), "B".to_string(), "B minus A, paired".to_string()])?;
    row("positions", [a.positions.to_string(), b.positions.to_string(), plain()])?;
    let only = format!("({} against {} positions)", d.only_first, d.only_second);
    let by = format!("{:+.4} +- {:.4} {only}", d.means.match_rate, d.means.match_se);
    row("match", [rate(a.match_rate, a.match_se), rate(b.match_rate, b.match_se), by])?;
    let by = format!("{:+.3} +- {:.3}", d.means.mean_rank, d.means.mean_rank_se);
    row("mean rank", [format!("{:.3}", a.mean_rank), format!("{:.3}", b.mean_rank), by])?;
    row("in bound", [a.in_bound(), b.in_bound(), plain()])?;
    row("spread", [format!("{:.2}", a.spread), format!("{:.2}", b.spread), plain()])
}
