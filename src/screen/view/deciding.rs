//! The terms that decide between two leaves: which of them are named, and the panel that lists them.
//!
//! The lines of the panel add up to the difference in its title, digit by digit: a last line holds the rest.

use ratatui::{layout::Rect, style::Style};

use super::{number, pen::Pen};
use crate::{
    feature::Key,
    screen::{analysis::Analysis, app::App},
    value::{Value, in_units},
};

/// A term that is named: one parameter, or the values of all pieces and pawns together.
///
/// An exchange changes the value of each side by hundreds of units that cancel. As one term it counts with what is
/// left of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Term {
    Material,
    One(Key),
}

impl Term {
    /// The term that a parameter is named by.
    fn of(key: Key) -> Term {
        if key.is_piece_value() { Term::Material } else { Term::One(key) }
    }
}

/// Number of terms that are named, at most.
const MOST_TERMS: usize = 7;

/// The terms with the largest differences, the largest first: the material, and as many others as cover four fifths
/// of the sum of all other differences.
fn heaviest(differences: &[Value]) -> Vec<(Term, Value)> {
    let all = || Key::ALL.iter().copied().zip(differences.iter().copied()).filter(|&(_, value)| value != 0);
    let mut others: Vec<(Term, Value)> =
        all().filter(|(key, _)| !key.is_piece_value()).map(|(key, value)| (Term::One(key), value)).collect();
    others.sort_by_key(|&(_, value)| std::cmp::Reverse(value.abs()));
    let total: Value = others.iter().map(|(_, value)| value.abs()).sum();
    let mut covered = 0;
    let needed = others.into_iter().take_while(|(_, value)| {
        let is_needed = covered * 5 < total * 4;
        covered += value.abs();
        is_needed
    });
    let material: Value = all().filter(|(key, _)| key.is_piece_value()).map(|(_, value)| value).sum();
    let mut terms: Vec<(Term, Value)> = needed.take(MOST_TERMS - 1).collect();
    if material != 0 {
        terms.push((Term::Material, material));
    }
    terms.sort_by_key(|&(_, value)| std::cmp::Reverse(value.abs()));
    terms
}

/// The parameters with the largest differences, as the panel would name them.
pub fn heaviest_keys(differences: &[Value]) -> Vec<Key> {
    let terms = heaviest(differences);
    let is_named = |key: Key| terms.iter().any(|&(named, _)| named == Term::of(key));
    Key::ALL.iter().copied().filter(|&key| differences[key as usize] != 0 && is_named(key)).collect()
}

/// A line of the panel.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    name: String,
    meaning: String,
    /// As it is shown: in tenths of a unit.
    tenths: i64,
}

fn in_tenths(value: Value) -> i64 {
    (in_units(value) * 10.0).round() as i64
}

/// Tenths of a unit with sign and one decimal.
fn format_tenths(tenths: i64) -> String {
    format!("{:+.1}", tenths as f64 / 10.0)
}

/// The heaviest differences in at most `room` lines, the last of them the rest that makes up `total`.
fn lines(differences: &[Value], counts: &[i32], total: Value, room: usize) -> Vec<Line> {
    let terms = heaviest(differences);
    let line = |&(term, value): &(Term, Value)| {
        let (name, meaning) = match term {
            Term::Material => ("material".to_string(), describe_material(counts)),
            Term::One(key) => (key.feature().key.to_string(), key.feature().meaning.to_string()),
        };
        Line { name, meaning, tenths: in_tenths(value) }
    };
    let mut lines: Vec<Line> = terms.iter().map(line).collect();
    let rest = |lines: &[Line]| in_tenths(total) - lines.iter().map(|line| line.tenths).sum::<i64>();
    if lines.len() > room || lines.len() == room && rest(&lines) != 0 {
        lines.truncate(room.saturating_sub(1));
    }
    let rest = rest(&lines);
    if rest != 0 {
        let is_named = |key: Key| terms[..lines.len()].iter().any(|&(named, _)| named == Term::of(key));
        let others = Key::ALL.iter().filter(|&&key| differences[key as usize] != 0 && !is_named(key)).count();
        let (name, meaning) = match others {
            0 => ("rounding", "the lines above are rounded".to_string()),
            1 => ("other", "one more term, rounding".to_string()),
            _ => ("others", format!("{others} more terms, rounding")),
        };
        lines.push(Line { name: name.to_string(), meaning, tenths: rest });
    }
    lines
}

/// The units on the board that make a difference in material: `-1 knight, +3 pawns`.
fn describe_material(counts: &[i32]) -> String {
    const NAMES: [(Key, &str); 5] = [
        (Key::MatQ, "queen"),
        (Key::MatR, "rook"),
        (Key::MatB, "bishop"),
        (Key::MatN, "knight"),
        (Key::MatP, "pawn"),
    ];
    let differ = NAMES.into_iter().map(|(key, name)| (counts[key as usize], name));
    let texts = differ.filter(|&(count, _)| count != 0).map(|(count, name)| {
        let plural = if count.abs() == 1 { "" } else { "s" };
        format!("{count:+} {name}{plural}")
    });
    let text = texts.collect::<Vec<_>>().join(", ");
    if text.is_empty() { "the same pieces and pawns, in another phase".to_string() } else { text }
}

/// The sign of a term that speaks for or against the move shown, and its style.
pub fn speaking_sign(pen: &Pen, is_for: bool) -> (&'static str, Style) {
    let theme = pen.theme;
    if is_for {
        (theme.speaks_for(), theme.good().patch(theme.strong()))
    } else {
        (theme.speaks_against(), theme.bad().patch(theme.strong()))
    }
}

/// Draws the terms that decide between the move shown and its rival.
pub fn draw(pen: &mut Pen, app: &App, area: Rect) {
    let theme = pen.theme;
    let Some(analysis) = app.browser.analysis() else { return };
    let shown = app.browser.move_index(analysis);
    let rival = analysis.rival(shown);
    let (one, other) = (&analysis.moves[shown], &analysis.moves[rival]);
    if shown == rival {
        pen.within(area.x, area.y, area.width, "the only legal move", theme.title());
        return;
    }
    if one.leaf.features.is_empty() || other.leaf.features.is_empty() {
        let title = format!("{} over {}: an end of the game decides", one.name, other.name);
        pen.within(area.x, area.y, area.width, &title, theme.title());
        return;
    }
    let total = one.leaf.value - other.leaf.value;
    let title = format!("{} over {}: {}, from", one.name, other.name, format_tenths(in_tenths(total)));
    pen.within(area.x, area.y, area.width, &title, theme.title());
    let room = usize::from(area.height - 1);
    let all = panel_lines(app, analysis, shown, room);
    // A meaning may take a second line, the heaviest term first, as long as lines are left.
    let mut spare = room.saturating_sub(all.len()) as u16;
    let mut y = area.y + 1;
    for line in &all {
        let used = draw_line(pen, line, Rect { y, height: 1 + spare.min(1), ..area });
        y += used;
        spare -= used - 1;
    }
    if all.is_empty() {
        pen.within(area.x, area.y + 1, area.width, "nothing: no term differs", theme.faint());
    }
}

/// The lines between a move and its rival.
fn panel_lines(app: &App, analysis: &Analysis, shown: usize, room: usize) -> Vec<Line> {
    let leaves = [shown, analysis.rival(shown)].map(|index| &analysis.moves[index].leaf);
    let weights = app.editor.weights();
    let quantised = weights.quantised();
    let [one, other] = leaves.map(|leaf| analysis.terms(leaf, &quantised));
    let [counts, less] = leaves.map(|leaf| analysis.counts(leaf, weights));
    let differences: Vec<Value> = one.iter().zip(&other).map(|(one, other)| one - other).collect();
    let counts: Vec<i32> = counts.iter().zip(&less).map(|(count, less)| count - less).collect();
    lines(&differences, &counts, leaves[0].value - leaves[1].value, room)
}

/// Draws a line with its meaning in the one or two lines of the area; returns the number of lines used.
fn draw_line(pen: &mut Pen, line: &Line, area: Rect) -> u16 {
    let theme = pen.theme;
    let Rect { x, y, .. } = area;
    let (sign, style) = match line.tenths {
        0 => (" ", theme.plain()),
        tenths => speaking_sign(pen, tenths > 0),
    };
    let below = pen.text(x, y, &format!("{sign}{:>7} ", format_tenths(line.tenths)), style);
    let at = pen.within(below, y, area.right() - below, &format!("{:<11} ", line.name), theme.strong());
    let room = |from: u16| usize::from(area.right().saturating_sub(from));
    if area.height < 2 || line.meaning.chars().count() <= room(at) {
        pen.text(at, y, &number::shorten(&line.meaning, room(at)), theme.faint());
        return 1;
    }
    // The lines have different lengths: the first ends before a word of the second.
    let mut text = line.meaning.clone();
    for bracketed in [true, false] {
        let first = number::wrap(&text, room(at)).swap_remove(0);
        let rest = text.strip_prefix(&*first).unwrap_or_default().trim_start();
        if !bracketed || rest.chars().count() <= room(below) {
            pen.within(at, y, area.right().saturating_sub(at), &first, theme.faint());
            pen.text(below, y + 1, &number::shorten(rest, room(below)), theme.faint());
            break;
        }
        text = number::without_brackets(&text);
    }
    2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        screen::testing::{app, finish_search, press_all},
        value::UNIT,
    };

    fn differences(entries: &[(Key, Value)]) -> Vec<Value> {
        let mut all = vec![0; Key::ALL.len()];
        entries.iter().for_each(|&(key, value)| all[key as usize] = value);
        all
    }

    #[test]
    fn the_lines_add_up_to_the_difference_in_the_title() {
        let mut app = app();
        for _ in 0..5 {
            for _ in 0..20 {
                let analysis = app.browser.analysis().unwrap();
                let shown = app.browser.move_index(analysis);
                let (one, other) = (&analysis.moves[shown], &analysis.moves[analysis.rival(shown)]);
                for room in 1..12 {
                    let lines = panel_lines(&app, analysis, shown, room);
                    assert!(lines.len() <= room, "{lines:?}");
                    let sum: i64 = lines.iter().map(|line| line.tenths).sum();
                    assert_eq!(sum, in_tenths(one.leaf.value - other.leaf.value), "{lines:?}");
                }
                press_all(&mut app, " ");
            }
            press_all(&mut app, "N");
            finish_search(&mut app);
        }
    }

    #[test]
    fn an_exchange_is_one_line_and_leaves_room_for_the_positional_reasons() {
        let entries = [
            (Key::MatN, -416 * UNIT),
            (Key::MatB, 424 * UNIT),
            (Key::MatP, 128 * UNIT),
            (Key::MatR, -128 * UNIT),
            (Key::NCen, 20 * UNIT),
            (Key::Chain, -10 * UNIT),
        ];
        let differences = differences(&entries);
        let terms = heaviest(&differences);
        let expected = [(Term::One(Key::NCen), 20), (Term::One(Key::Chain), -10), (Term::Material, 8)];
        assert_eq!(terms, expected.map(|(term, units)| (term, units * UNIT)));
        let keys = heaviest_keys(&differences);
        assert!(keys.contains(&Key::MatN) && keys.contains(&Key::NCen));
        assert!(!keys.contains(&Key::Tempo), "it does not differ");
    }

    #[test]
    fn the_other_terms_are_named_until_they_cover_four_fifths() {
        let entries = [(Key::NCen, 50), (Key::BCen, -31), (Key::Chain, 10), (Key::Island, 9)];
        let entries = entries.map(|(key, units)| (key, units * UNIT));
        let terms: Vec<Term> = heaviest(&differences(&entries)).into_iter().map(|(term, _)| term).collect();
        assert_eq!(terms, [Term::One(Key::NCen), Term::One(Key::BCen)]);
    }

    #[test]
    fn the_rest_says_what_is_in_it() {
        let counts = differences(&[]).iter().map(|_| 0).collect::<Vec<i32>>();
        let entries = [(Key::NCen, 100), (Key::BCen, 30), (Key::Chain, -1), (Key::Island, 2)];
        let entries = entries.map(|(key, units)| (key, units * UNIT));
        let shown = lines(&differences(&entries), &counts, 131 * UNIT, 8);
        let last = shown.last().unwrap();
        assert_eq!((&*last.name, last.tenths), ("others", 10), "{shown:?}");
        assert!(last.meaning.starts_with("2 more terms"), "{}", last.meaning);
        let third = UNIT * 14 / 100;
        let entries = [(Key::NCen, third), (Key::BCen, third), (Key::Chain, third)];
        let shown = lines(&differences(&entries), &counts, third * 3, 8);
        let shown: Vec<(&str, i64)> = shown.iter().map(|line| (&*line.name, line.tenths)).collect();
        assert_eq!(shown, [("n_cen", 1), ("b_cen", 1), ("chain", 1), ("rounding", 1)]);
    }

    #[test]
    fn material_is_told_in_pieces_and_pawns() {
        let mut counts = vec![0; Key::ALL.len()];
        assert_eq!(describe_material(&counts), "the same pieces and pawns, in another phase");
        counts[Key::MatP as usize] = 3;
        counts[Key::MatN as usize] = -1;
        assert_eq!(describe_material(&counts), "-1 knight, +3 pawns");
    }
}
