//! The rows of the table of weights, from the `.stat` file and the feature table.
//!
//! Tuned weights come from the record of the run. Untuned weights have their values from the start weights,
//! if these are known. Names that the feature table does not contain are shown unchanged.

use crate::{
    feature::{Key, Weights},
    parameters::{Parameter, Part},
    run::stat::{FrozenWeight, RunRecord, Trend},
    show::plot::{MINUS, number},
};

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct WeightRow {
    /// Key, with the cell in brackets if the table has free cells.
    pub name: String,
    /// Phase of the weight: opening, endgame or both.
    pub phase: &'static str,
    /// Value at the start, in the best pass and in the last pass, in units.
    pub values: [Number; 3],
    /// Value in the last pass less value at the start, in units.
    pub change: Number,
    /// How far the change moves values, in units.
    pub moves: Number,
    /// Standard error of the run, in units.
    pub run_error: Number,
    /// Standard error of the last fit, in units.
    pub error: Number,
    /// Number of choices that touch the weight.
    pub support: Option<u32>,
    /// Percentage of its free step that the ridge held back in the last fit, where that is more than half.
    pub held: Option<u32>,
    /// Why the weight was frozen in the last fit; none if it was fitted.
    pub frozen: Option<String>,
    /// Name of the group of the feature.
    pub group: &'static str,
    pub meaning: &'static str,
}

/// A number, or an empty cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Number(pub Option<f64>);

impl Number {
    /// With the four decimals of a `.stat` file, for sorting.
    pub fn exact(&self) -> String {
        self.0.map_or(String::new(), |value| number(value, 4).replace(MINUS, "-"))
    }

    /// With two decimals, for display.
    pub fn two_decimals(&self) -> String {
        self.0.map_or(String::new(), |value| number(value, 2))
    }
}

/// A number with a typographic minus sign.
pub(super) fn with_minus(number: &str) -> String {
    number.replace('-', MINUS)
}

/// All rows: first the tuned weights, in the order of the record, then the untuned ones.
pub(super) fn rows(record: &RunRecord, start: Option<&Weights>) -> Vec<WeightRow> {
    let frozen = &record.trends.frozen;
    let tuned = record.trends.weights.iter().map(|trend| tuned(record, trend));
    let untuned = frozen.iter().filter(|frozen| frozen.support.is_none());
    tuned.chain(untuned.flat_map(|frozen| untuned_rows(frozen, start))).collect()
}

fn tuned(record: &RunRecord, trend: &Trend) -> WeightRow {
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
    WeightRow {
        values: record.shown_passes().map_or([Number(None); 3], |passes| passes.map(value_at)),
        change: Number(Some(trend.change)),
        moves: Number(Some(trend.moves)),
        run_error: Number(trend.run_error()),
        error: Number(trend.standard_error),
        support: Some(trend.support),
        held: trend.held.filter(|_| trend.is_mostly_held()).map(|held| (100.0 * held).round() as u32),
        frozen: frozen.map(FrozenWeight::reason),
        ..named(name, phase)
    }
}

const OPENING: &str = "opening";
const ENDGAME: &str = "endgame";
const BOTH: &str = "both";

fn named(name: &str, phase: &'static str) -> WeightRow {
    let key = name.split_once('[').map_or(name, |(key, _)| key);
    let feature = Key::from_name(key).map(Key::feature);
    WeightRow {
        name: name.to_string(),
        phase,
        group: feature.map_or("", |feature| feature.group.name()),
        meaning: feature.map_or("", |feature| feature.meaning),
        ..WeightRow::default()
    }
}

/// The rows of an untuned weight, one for each phase.
fn untuned_rows(frozen: &FrozenWeight, start: Option<&Weights>) -> Vec<WeightRow> {
    let row = |phase| WeightRow { frozen: Some(frozen.reason()), ..named(&frozen.name, phase) };
    let known = Parameter::named(&frozen.name).map(|parameter| {
        let phase = match parameter.part {
            Part::Opening => OPENING,
            Part::Endgame => ENDGAME,
            Part::Both => BOTH,
        };
        let value = start.and_then(|weights| parameter.find(weights));
        WeightRow { values: [Number(value); 3], ..row(phase) }
    });
    let rows: Vec<WeightRow> = known.collect();
    if rows.is_empty() { vec![row(BOTH)] } else { rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{par, run::stat::testing::shipped_record};

    #[test]
    fn every_weight_of_the_story_has_a_row_with_its_figures() {
        let record = shipped_record();
        let rows = rows(&record, None);
        for (row, trend) in rows.iter().zip(&record.trends.weights) {
            assert!(trend.name.starts_with(&row.name));
            assert_eq!(row.values.map(|value| value.0), [0, 2, 4].map(|at| Some(trend.values[at])));
            assert_eq!((row.change.0, row.moves.0), (Some(trend.change), Some(trend.moves)));
            assert_eq!(row.error.0, trend.standard_error);
            assert_eq!(row.support, Some(trend.support));
            assert!(!row.group.is_empty() && !row.meaning.is_empty());
        }
        let phases = rows.iter().take(3).map(|row| row.phase).collect::<Vec<_>>();
        assert_eq!(phases, ["opening", "endgame", "both"]);
    }

    #[test]
    fn what_was_not_tuned_has_a_row_for_each_phase_and_its_value_from_the_start() {
        let (record, start) = (shipped_record(), par::read("stats/gm1988-00.par").unwrap().weights);
        let rows = rows(&record, Some(&start));
        let queens: Vec<_> = rows.iter().filter(|row| row.name == "mat_q").collect();
        let shown =
            |row: &&WeightRow| (row.phase, row.values.map(|value| value.two_decimals()), row.frozen.clone());
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
        let frozen = FrozenWeight { name: "sh[outer,r3]".to_string(), support: None };
        let rows = untuned_rows(&frozen, Some(&start));
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].phase, rows[0].values[0].0), ("opening", Some(-3.0)));
        let strange = FrozenWeight { name: "no_such[x]".to_string(), support: None };
        assert_eq!(untuned_rows(&strange, Some(&start))[0].values[0], Number(None));
    }

    #[test]
    fn numbers_have_no_sign_at_zero_and_a_wide_minus_below() {
        let number = |value: f64| Number(Some(value));
        let shown =
            [number(-0.001), number(-1.005), number(2.0), Number(None)].map(|number| number.two_decimals());
        assert_eq!(shown, ["0.00", "\u{2212}1.00", "2.00", ""]);
        assert_eq!(number(-0.001).exact(), "-0.0010");
    }
}
