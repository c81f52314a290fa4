//! The terms that decide between two moves, and which of them are named.
//!
//! The lines add up to the difference of the values, digit by digit: a last line holds the rest.

use serde::{Serialize, Serializer};

use crate::{
    feature::{Key, Weights},
    show::analysis::Analysis,
    value::{Value, in_units},
};

/// A term that is named: one parameter, or the values of all pieces and pawns together.
///
/// An exchange changes the value of each side by hundreds of units that cancel. As one term it counts with
/// what is left of them.
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

/// The terms with the largest differences, the largest first: the material, and as many others as cover four
/// fifths of the sum of all other differences.
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

/// A term with what it adds to the difference.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Key of the parameter, or a word for several.
    pub name: String,
    /// What it means.
    pub meaning: String,
    /// As it is shown: in tenths of a unit. JSON has units.
    #[serde(rename = "value", serialize_with = "in_decimals")]
    pub tenths: i64,
}

fn in_decimals<S: Serializer>(tenths: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(*tenths as f64 / 10.0)
}

/// A value in tenths of a unit.
pub fn in_tenths(value: Value) -> i64 {
    (in_units(value) * 10.0).round() as i64
}

/// Tenths of a unit with sign and one decimal.
pub fn format_tenths(tenths: i64) -> String {
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

/// The terms that make the value of one move another than that of the other, in at most `room` lines.
pub fn deciding_terms(
    analysis: &Analysis,
    [one, other]: [usize; 2],
    weights: &Weights,
    room: usize,
) -> Vec<Line> {
    let leaves = [one, other].map(|index| &analysis.moves[index].leaf);
    let [counts, less] = leaves.map(|leaf| analysis.counts(leaf, weights));
    let counts: Vec<i32> = counts.iter().zip(&less).map(|(count, less)| count - less).collect();
    let differences = analysis.differences([one, other], &weights.quantised());
    lines(&differences, &counts, leaves[0].value - leaves[1].value, room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::UNIT;

    fn differences(entries: &[(Key, Value)]) -> Vec<Value> {
        let mut all = vec![0; Key::ALL.len()];
        entries.iter().for_each(|&(key, value)| all[key as usize] = value);
        all
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
