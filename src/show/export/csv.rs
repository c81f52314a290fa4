//! CSV export: a row for each cell, for spreadsheets and scripts.
//!
//! The format is RFC 4180: commas, lines that end with CR and LF, and quotes around fields that need them.
//! The folded tables are left out, since they are sums of the cells.

use super::{fold, numbers::ScaledWeights};
use crate::feature::{Key, Mode, Weights};

/// Column titles.
const COLUMNS: [&str; 11] =
    ["key", "cell", "group", "kind", "ends", "open", "end", "tune", "folded", "reason", "meaning"];

/// The CSV text of all cells, in the order of the feature table.
pub fn text(weights: &Weights, numbers: &ScaledWeights) -> String {
    let mut text = line(&COLUMNS.map(str::to_string));
    for key in numbers.keys() {
        for index in 0..key.feature().layout.cells() {
            text += &line(&row(weights, numbers, key, index));
        }
    }
    text
}

fn row(weights: &Weights, numbers: &ScaledWeights, key: Key, index: usize) -> [String; 11] {
    let (feature, setting) = (key.feature(), weights.setting(key));
    let [open, end] = numbers.cell(key.cell_at(index));
    let entry = if setting.mode == Mode::Cells { index } else { 0 };
    let reason = fold::not_folded(key);
    let yes_or_no = |is: bool| if is { "yes" } else { "no" }.to_string();
    [
        feature.key.to_string(),
        feature.layout.label(index),
        feature.group.name().to_string(),
        setting.mode.to_string(),
        feature.ends.name().to_string(),
        open.to_string(),
        end.to_string(),
        yes_or_no(setting.tune[entry]),
        yes_or_no(reason.is_none()),
        reason.unwrap_or_default().to_string(),
        feature.meaning.to_string(),
    ]
}

pub(super) fn line(fields: &[String]) -> String {
    let fields: Vec<_> = fields.iter().map(|field| quoted(field)).collect();
    fields.join(",") + "\r\n"
}

/// A field of the CSV text: in quotes, with inner quotes doubled, if it contains a separator or a quote. An
/// apostrophe precedes a text that a spreadsheet would take for a formula.
fn quoted(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    let field = if is_formula { format!("'{field}") } else { field.to_string() };
    if field.contains([',', '"', '\r', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

#[cfg(test)]
mod tests {
    use super::super::ExportUnit;
    use super::*;
    use crate::feature::STANDARD_CELLS;

    #[test]
    fn fields_are_quoted_and_are_no_formulas() {
        let forms = [
            ("de,r4", "\"de,r4\""),
            ("a \"b\"", "\"a \"\"b\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("plain", "plain"),
            ("", ""),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+king", "'+king"),
            ("-a,b", "\"'-a,b\""),
            ("-5", "-5"),
            ("-0.25", "-0.25"),
            ("+1e3", "+1e3"),
        ];
        for (field, expected) in forms {
            assert_eq!(quoted(field), expected);
        }
    }

    #[test]
    fn a_line_for_each_cell_and_one_for_the_columns() {
        let weights = Weights::start();
        let text = text(&weights, &ScaledWeights::new(&weights.quantised(), ExportUnit::Exact));
        assert_eq!(text.matches("\r\n").count(), 1 + STANDARD_CELLS);
        assert!(
            text.contains("\r\np_adv,\"ah,r3\",placement,gradient,pair,256,1024,yes,yes,,each"),
            "{text}"
        );
        let scalar = "\r\nb_pair,,material,scalar,pair,8192,12288,yes,no,takes two bishops,bishops on";
        assert!(text.contains(scalar), "{text}");
    }
}
