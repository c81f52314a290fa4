//! The rows of the table of weights: what the `.stat` tells of each, and what the table of features knows.
//!
//! Weights that a run could tune come from its record; what it kept frozen has its value from the start weights,
//! where those are at hand. Names that the table of features does not know are shown as they are.

use crate::{
    feature::{Ends, Key, Mode, Weights},
    stat::{FreezeReason, FrozenWeight, RunRecord, Trend},
};

/// One weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// Key, with the cell in brackets where cells are free.
    pub name: String,
    /// The phase it counts in.
    pub phase: &'static str,
    /// At the start, in the best pass, in the last.
    pub values: [Number; 3],
    /// From the start to the end.
    pub change: Number,
    /// Standard error in the last fit.
    pub error: Number,
    /// The change in standard errors.
    pub ratio: Number,
    /// Positions that bear on it.
    pub support: Option<u32>,
    /// Why it kept its value in the last fit.
    pub frozen: Option<String>,
    /// Name of its group.
    pub group: &'static str,
    /// The chess idea.
    pub meaning: &'static str,
}

/// A number as a table shows it and as the `.stat` has it; nothing where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Number(pub Option<f64>);

impl Number {
    /// With the decimals of a `.stat`, for programs.
    pub fn exact(&self) -> String {
        self.0.map_or(String::new(), |value| rounded(value, 4))
    }

    /// With two decimals, for people.
    pub fn shown(&self) -> String {
        self.0.map_or(String::new(), |value| with_minus(&rounded(value, 2)))
    }

    /// With one decimal, for people.
    pub fn short(&self) -> String {
        self.0.map_or(String::new(), |value| with_minus(&rounded(value, 1)))
    }
}

/// So many decimals, and no sign at zero.
fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|digit| b"0.".contains(&digit)) => zero.to_string(),
        _ => text,
    }
}

/// The same number with the sign that is as wide as a digit.
pub(super) fn with_minus(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

/// The rows: first what could be tuned, in the order of the record, then what was not.
pub(super) fn rows(record: &RunRecord, start: Option<&Weights>) -> Vec<Row> {
    let frozen = &record.trends.frozen;
    let tuned = record.trends.weights.iter().map(|trend| tuned(record, trend));
    let untuned = frozen.iter().filter(|frozen| frozen.reason == FreezeReason::NotTuned);
    tuned.chain(untuned.flat_map(|frozen| untuned_rows(frozen, start))).collect()
}

fn tuned(record: &RunRecord, trend: &Trend) -> Row {
    let (name, phase) = match trend.name.rsplit_once('.') {
        Some((name, "o")) => (name, OPENING),
        Some((name, "e")) => (name, ENDGAME),
        _ => (trend.name.as_str(), BOTH),
    };
    let passes = &record.trends.passes;
    let value_at = |pass: usize| {
        let station = passes.iter().position(|&sampled| sampled as usize == pass);
        Number(station.and_then(|station| trend.values.get(station).copied()))
    };
    let frozen = record.trends.frozen.iter().find(|frozen| frozen.name == trend.name);
    let ratio = trend.standard_error.filter(|&error| error > 0.0).map(|error| trend.change / error);
    Row {
        values: record.shown_passes().map_or([Number(None); 3], |passes| passes.map(value_at)),
        change: Number(Some(trend.change)),
        error: Number(trend.standard_error),
        ratio: Number(ratio),
        support: Some(trend.support),
        frozen: frozen.map(|frozen| frozen.reason.to_string()),
        ..named(name, phase)
    }
}

const OPENING: &str = "opening";
const ENDGAME: &str = "endgame";
const BOTH: &str = "both";

/// A weight of which no more is known than its name.
fn named(name: &str, phase: &'static str) -> Row {
    let key = name.split_once('[').map_or(name, |(key, _)| key);
    let feature = Key::from_name(key).map(Key::feature);
    Row {
        name: name.to_string(),
        phase,
        values: [Number(None); 3],
        change: Number(None),
        error: Number(None),
        ratio: Number(None),
        support: None,
        frozen: None,
        group: feature.map_or("", |feature| feature.group.name()),
        meaning: feature.map_or("", |feature| feature.meaning),
    }
}

/// What was not tuned, a row for each phase it counts in.
fn untuned_rows(frozen: &FrozenWeight, start: Option<&Weights>) -> Vec<Row> {
    let (name, cell) = match frozen.name.split_once('[') {
        Some((key, cell)) => (key, cell.trim_end_matches(']')),
        None => (frozen.name.as_str(), ""),
    };
    let Some(key) = Key::from_name(name) else {
        return vec![Row { frozen: Some(frozen.reason.to_string()), ..named(&frozen.name, BOTH) }];
    };
    let phases: &[&str] = match key.feature().ends {
        Ends::Pair => &[OPENING, ENDGAME],
        Ends::Single => &[BOTH],
        Ends::OpeningOnly => &[OPENING],
    };
    let values = start.and_then(|weights| values(weights, key, cell));
    let row = |&phase: &&'static str| {
        let value = values.map(|[open, end]| if phase == ENDGAME { end } else { open });
        Row {
            values: [Number(value); 3],
            frozen: Some(frozen.reason.to_string()),
            ..named(&frozen.name, phase)
        }
    };
    phases.iter().map(row).collect()
}

/// Opening and endgame weight of a feature, or of one of its free cells.
fn values(weights: &Weights, key: Key, cell: &str) -> Option<[f64; 2]> {
    let setting = weights.setting(key);
    let layout = key.feature().layout;
    let entry = match setting.mode {
        Mode::Cells => (0..layout.cells()).find(|&index| layout.label(index) == cell)?,
        Mode::Scalar | Mode::Gradient | Mode::Off => 0,
    };
    Some([*setting.open.get(entry)?, *setting.end.get(entry)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{par, stat::testing::shipped_record};

    #[test]
    fn every_weight_of_the_story_has_a_row_with_its_figures() {
        let record = shipped_record();
        let rows = rows(&record, None);
        for (row, trend) in rows.iter().zip(&record.trends.weights) {
            assert!(trend.name.starts_with(&row.name));
            assert_eq!(row.values.map(|value| value.0), [0, 3, 5].map(|at| Some(trend.values[at])));
            assert_eq!((row.change.0, row.error.0), (Some(trend.change), trend.standard_error));
            assert_eq!(row.support, Some(trend.support));
            assert!(!row.group.is_empty() && !row.meaning.is_empty());
        }
        let phases = rows.iter().take(3).map(|row| row.phase).collect::<Vec<_>>();
        assert_eq!(phases, ["opening", "endgame", "both"]);
        assert_eq!(rows[0].ratio.short(), "4.4");
    }

    #[test]
    fn what_was_not_tuned_has_a_row_for_each_phase_and_its_value_from_the_start() {
        let (record, start) = (shipped_record(), par::read("stats/gm1988-00.par").unwrap().weights);
        let rows = rows(&record, Some(&start));
        let queens: Vec<_> = rows.iter().filter(|row| row.name == "mat_q").collect();
        let shown = |row: &&Row| (row.phase, row.values.map(|value| value.shown()), row.frozen.clone());
        let frozen = || Some("not tuned".to_string());
        assert_eq!(shown(&queens[0]), ("opening", ["1216.00"; 3].map(String::from), frozen()));
        assert_eq!(shown(&queens[1]), ("endgame", ["1248.00"; 3].map(String::from), frozen()));
        assert_eq!(queens.len(), 2);
        let unknown = super::rows(&record, None);
        assert_eq!(unknown.len(), rows.len());
        assert!(unknown.iter().any(|row| row.name == "mat_q" && row.values == [Number(None); 3]));
    }

    #[test]
    fn a_free_cell_that_was_held_has_the_weight_of_the_cell() {
        let mut start = Weights::start();
        start.free_table(Key::Sh).unwrap();
        let frozen = FrozenWeight { name: "sh[outer,r3]".to_string(), reason: FreezeReason::NotTuned };
        let rows = untuned_rows(&frozen, Some(&start));
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].phase, rows[0].values[0].0), ("opening", Some(-3.0)));
        let strange = FrozenWeight { name: "no_such[x]".to_string(), reason: FreezeReason::NotTuned };
        assert_eq!(untuned_rows(&strange, Some(&start))[0].values[0], Number(None));
    }

    #[test]
    fn numbers_have_no_sign_at_zero_and_a_wide_minus_below() {
        let number = |value: f64| Number(Some(value));
        let shown = [number(-0.001), number(-1.005), number(2.0), Number(None)].map(|number| number.shown());
        assert_eq!(shown, ["0.00", "\u{2212}1.00", "2.00", ""]);
        assert_eq!(number(-0.001).exact(), "-0.0010");
    }
}
