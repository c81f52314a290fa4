//! How the contribution of a parameter comes about: its count, its weight at the phase of the leaf, and their
//! product.

use super::number;
use crate::{
    feature::{Ends, Key, Mode, Quantised, Weights},
    screen::{
        analysis::{AnalysedLeaf, Analysis},
        app::{App, ShownBoard, Terms},
    },
    value::{Value, in_units, taper},
};

/// The leaf that the columns of terms show, and the one that is taken from it, each with the name of its
/// value.
pub struct ShownLeaves<'a> {
    pub first: (&'static str, &'a AnalysedLeaf),
    pub base: Option<(&'static str, &'a AnalysedLeaf)>,
}

impl<'a> ShownLeaves<'a> {
    /// The leaves chosen on the screen.
    pub fn new(app: &App, analysis: &'a Analysis) -> ShownLeaves<'a> {
        let shown = app.browser.move_index(analysis);
        let leaf = &analysis.moves[shown].leaf;
        let rival = &analysis.moves[analysis.rival(shown)].leaf;
        let (first, base) = match app.browser.terms {
            Terms::AgainstRoot => (("En", leaf), Some(("Ex", &analysis.root))),
            Terms::AgainstRival if shown == analysis.played => (("E0", leaf), Some(("E1", rival))),
            Terms::AgainstRival => (("En", leaf), Some(("E0", rival))),
            Terms::Shown => match app.browser.board {
                ShownBoard::Root => (("Ex", &analysis.root), None),
                ShownBoard::Leaf => (("En", leaf), None),
            },
        };
        ShownLeaves { first, base }
    }

    /// Names the value: `En`, or a difference such as `En-E0`.
    pub fn title(&self) -> String {
        let base = self.base.map_or(String::new(), |(name, _)| format!("-{name}"));
        format!("{}{base}", self.first.0)
    }

    /// Whether a leaf is an end of the game, whose value has no terms.
    pub fn has_end_of_game(&self) -> bool {
        let leaves = [Some(self.first), self.base];
        leaves.into_iter().flatten().any(|(_, leaf)| leaf.features.is_empty())
    }
}

/// The chosen parameter in the leaves shown: count times weight for each of them, and the difference. None
/// where it counts in neither. With `cell`, for one cell of its table.
pub fn describe(app: &App, key: Key, cell: Option<usize>) -> Option<String> {
    described(app, key, cell, Entry::format)
}

/// The contributions of the chosen parameter alone, where there is no room for what they are made of.
pub fn describe_briefly(app: &App, key: Key) -> String {
    let total = |entry: &Entry| format_units(entry.total);
    described(app, key, None, total).map_or(String::new(), |text| text + " (enter shows the counts)")
}

fn described(app: &App, key: Key, cell: Option<usize>, format: impl Fn(&Entry) -> String) -> Option<String> {
    let analysis = app.browser.analysis()?;
    let leaves = ShownLeaves::new(app, analysis);
    if leaves.has_end_of_game() {
        return None;
    }
    let weights = app.editor.weights();
    let all = [Some(leaves.first), leaves.base].into_iter().flatten();
    let entries: Vec<(&str, Entry)> =
        all.map(|(name, leaf)| (name, Entry::new(analysis, leaf, weights, key, cell))).collect();
    if entries.iter().all(|(_, entry)| entry.is_zero()) {
        return None;
    }
    let mut text: Vec<String> =
        entries.iter().map(|(name, entry)| format!("{name}: {}", format(entry))).collect();
    if let [(_, one), (_, other)] = &entries[..] {
        text.push(format!("{}: {}", leaves.title(), format_units(one.total - other.total)));
    }
    Some(text.join("; "))
}

/// A parameter, or a cell of its table, in one leaf.
struct Entry {
    phase: u16,
    /// Names, counts and weights whose products the contribution is made of: one count times the weight at the phase;
    /// one for the opening and one for the endgame where the shapes of a gradient differ; or one for each free cell.
    factors: Vec<(String, i32, f64)>,
    /// What stands between them.
    separator: &'static str,
    total: Value,
}

impl Entry {
    fn new(
        analysis: &Analysis,
        leaf: &AnalysedLeaf,
        weights: &Weights,
        key: Key,
        cell: Option<usize>,
    ) -> Entry {
        let sign = if analysis.mover.is_white() { 1 } else { -1 };
        let quantised = weights.quantised();
        let own = leaf.features.iter().filter(|&(at, _)| {
            let (other, index) = Key::of_cell(at);
            other == key && cell.is_none_or(|cell| cell == index)
        });
        let counts: Vec<(usize, i32)> =
            own.map(|(at, count)| (Key::of_cell(at).1, sign * i32::from(count))).collect();
        let tapered = |index: usize| tapered(&quantised, key, index, leaf.phase);
        let total = counts.iter().map(|&(index, count)| tapered(index) * Value::from(count)).sum();
        let (feature, setting) = (key.feature(), weights.setting(key));
        let sum = |end: usize| -> i32 {
            counts.iter().map(|&(index, count)| count * i32::from(feature.shape[end][index])).sum()
        };
        let end = f64::from(leaf.phase) / 256.0;
        let one = |count: i32, weight: f64| vec![("count".to_string(), count, weight)];
        let mut separator = " + ";
        let factors = match (setting.mode, cell) {
            (Mode::Gradient, None) if feature.ends == Ends::OpeningOnly => {
                one(sum(0), setting.open[0] * (1.0 - end))
            }
            (Mode::Gradient, None) if feature.shape[0] != feature.shape[1] => {
                separator = ", ";
                let of = |name: &str, at: usize, weight: f64| (name.to_string(), sum(at), weight);
                vec![of("opening", 0, setting.open[0]), of("endgame", 1, setting.end[0])]
            }
            (Mode::Gradient, None) => one(sum(0), setting.open[0] * (1.0 - end) + setting.end[0] * end),
            (Mode::Cells, None) => {
                let named = |&(index, count)| (feature.layout.label(index), count, in_units(tapered(index)));
                counts.iter().map(named).collect()
            }
            (_, cell) => {
                one(counts.iter().map(|(_, count)| count).sum(), in_units(tapered(cell.unwrap_or(0))))
            }
        };
        Entry { phase: leaf.phase, factors, separator, total }
    }

    fn is_zero(&self) -> bool {
        self.factors.iter().all(|(_, count, _)| *count == 0)
    }

    fn format(&self) -> String {
        if self.is_zero() {
            return "count 0".to_string();
        }
        let product = |(name, count, weight): &(String, i32, f64)| {
            format!("{name} {count} x {}", format_weight(*weight))
        };
        let products = self.factors.iter().map(product).collect::<Vec<_>>().join(self.separator);
        format!("{products} (phase {}) = {}", self.phase, format_units(self.total))
    }
}

/// The weight of a cell at a phase.
fn tapered(quantised: &Quantised, key: Key, index: usize, phase: u16) -> Value {
    let cell = key.cell_at(index);
    taper(quantised.open(cell), quantised.end(cell), phase)
}

/// A value with sign and one decimal.
fn format_units(value: Value) -> String {
    format!("{:+.1}", (in_units(value) * 10.0).round() / 10.0 + 0.0)
}

/// A weight with as many decimals as a product with a count needs to be right to a tenth.
fn format_weight(weight: f64) -> String {
    let text = format!("{:.3}", weight + 0.0);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The weight of a parameter, or of a cell of its table, at the phase of the first leaf shown.
pub fn describe_weight(app: &App, key: Key, cell: usize) -> Option<String> {
    let analysis = app.browser.analysis()?;
    let (name, leaf) = ShownLeaves::new(app, analysis).first;
    let weight = in_units(tapered(&app.editor.weights().quantised(), key, cell, leaf.phase));
    Some(format!("{} at phase {}, that of {name}", number::format_weight(weight), leaf.phase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{app, finish_search, press_all};

    /// The numbers after `x` and before it, multiplied and added as the text says.
    fn product(text: &str) -> f64 {
        let terms = text.split(" (phase").next().unwrap();
        let phase: f64 = text.split("(phase ").nth(1).unwrap().split(')').next().unwrap().parse().unwrap();
        let product = |term: &str| -> f64 {
            let (before, weight) = term.split_once(" x ").unwrap();
            let count: f64 = before.split_whitespace().last().unwrap().parse().unwrap();
            count * weight.parse::<f64>().unwrap()
        };
        match terms.strip_prefix("opening ").and_then(|terms| terms.split_once(", endgame ")) {
            Some((open, end)) => (product(open) * (256.0 - phase) + product(end) * phase) / 256.0,
            None => terms.split(" + ").map(product).sum(),
        }
    }

    #[test]
    fn count_times_weight_is_the_contribution_in_every_leaf() {
        let mut app = app();
        let mut checked = 0;
        for keys in ["", " ", "c", "c", "nc", "N", "/pass\n\nx\x1b", "n"] {
            press_all(&mut app, keys);
            finish_search(&mut app);
            for &key in Key::standard() {
                let Some(text) = describe(&app, key, None) else { continue };
                for part in text.split("; ").filter(|part| part.contains(" x ")) {
                    let (_, sum) = part.split_once(": ").unwrap();
                    let (sum, total) = sum.split_once(" = ").unwrap();
                    let total: f64 = total.parse().unwrap();
                    assert!((product(sum) - total).abs() < 0.15, "{key:?}: {part}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 200, "{checked}");
    }

    #[test]
    fn a_difference_names_both_leaves_and_a_parameter_that_does_not_count_has_no_account() {
        let mut app = app();
        let text = describe(&app, Key::NCen, None).unwrap();
        assert!(text.starts_with("Ex: ") && !text.contains(';'), "{text}");
        press_all(&mut app, "\t");
        let text = describe(&app, Key::NCen, None).unwrap();
        assert!(text.starts_with("En: ") && !text.contains(';'), "the board shows the leaf: {text}");
        press_all(&mut app, "c");
        let text = describe(&app, Key::NCen, None).unwrap();
        assert!(text.contains("En: ") && text.contains("; E0: ") && text.contains("; En-E0: "), "{text}");
        assert_eq!(describe(&app, Key::BTrap, None), None);
    }
}
