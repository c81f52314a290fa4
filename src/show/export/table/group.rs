//! Weights as the constants that they become: pairs of opening and endgame, arrays, and names of constants.

use std::collections::{HashMap, HashSet};

use crate::run::stat::FittedWeight;

/// One constant.
pub struct Constant<'a> {
    /// Its name: letters, digits and underscores, and none twice.
    pub name: String,
    /// Its name as the author has it, without endings and numbers.
    pub title: String,
    /// Its value, or its values in the order of their numbers, the last one of which runs fastest.
    pub values: Vec<Value<'a>>,
    /// Lengths of an array, the outermost first; none of a single value.
    pub lengths: Vec<usize>,
}

/// A value: one weight, or one of the opening and one of the endgame.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Single(&'a FittedWeight),
    Pair([&'a FittedWeight; 2]),
}

impl<'a> Value<'a> {
    /// The weights of the value.
    pub fn weights(&self) -> Vec<&'a FittedWeight> {
        match *self {
            Value::Single(weight) => vec![weight],
            Value::Pair(weights) => weights.to_vec(),
        }
    }

    pub fn is_pair(&self) -> bool {
        matches!(self, Value::Pair(_))
    }
}

/// The constants of the weights, in the order of the first weight of each.
pub fn constants<'a>(weights: &'a [FittedWeight], prefix: &str) -> Vec<Constant<'a>> {
    let values = values(weights);
    let mut arrays: HashMap<Array, Vec<(Vec<usize>, Value)>> = HashMap::new();
    for &(name, value) in &values {
        if let Some((array, indices)) = element(name) {
            arrays.entry(array).or_default().push((indices, value));
        }
    }
    let mut arrays: HashMap<Array, Constant> =
        arrays.into_iter().filter_map(|(key, elements)| Some((key, whole_array(key, elements)?))).collect();
    let mut placed = HashSet::new();
    // Those that the export uses itself.
    let mut taken = HashSet::from(["S", "TEXAM_PAIR", "TEXAM_DEFINES_S", "TEXAM_TABLE_H"].map(String::from));
    let mut constants = Vec::new();
    for (name, value) in values {
        let key = element(name).map(|(key, _)| key);
        let constant = match key.and_then(|key| arrays.remove(&key)) {
            // The first element stands for all.
            Some(array) => array,
            None if key.is_some_and(|key| placed.contains(&key)) => continue,
            None => Constant {
                name: String::new(),
                title: name.to_string(),
                values: vec![value],
                lengths: vec![],
            },
        };
        if !constant.lengths.is_empty() {
            placed.extend(key);
        }
        constants.push(Constant { name: identifier(&constant.title, prefix, &mut taken), ..constant });
    }
    constants
}

/// An array of its elements, if every place has one and all are pairs or none.
fn whole_array<'a>(
    (title, by_square): Array<'_>,
    mut elements: Vec<(Vec<usize>, Value<'a>)>,
) -> Option<Constant<'a>> {
    elements.sort_by(|(one, _), (other, _)| one.cmp(other));
    let last = &elements.last()?.0;
    let lengths: Vec<usize> =
        if by_square { vec![64] } else { last.iter().map(|index| index.saturating_add(1)).collect() };
    let size = lengths.iter().try_fold(1_usize, |size, &length| size.checked_mul(length))?;
    let is_pair = elements[0].1.is_pair();
    let is_in_place = |(place, (indices, value)): (usize, &(Vec<usize>, Value))| {
        let is_inside =
            indices.len() == lengths.len() && indices.iter().zip(&lengths).all(|(at, end)| at < end);
        is_inside
            && indices.iter().zip(&lengths).fold(0, |found, (index, length)| found * length + index) == place
            && value.is_pair() == is_pair
    };
    let is_whole = size == elements.len() && elements.iter().enumerate().all(is_in_place);
    let title = if by_square { format!("{title}_squares") } else { title.to_string() };
    let values = elements.into_iter().map(|(_, value)| value).collect();
    is_whole.then_some(Constant { name: String::new(), title, values, lengths })
}

/// The weights by name, those of an opening and an endgame part together and without their endings.
fn values(weights: &[FittedWeight]) -> Vec<(&str, Value<'_>)> {
    let by_name: HashMap<&str, &FittedWeight> =
        weights.iter().map(|weight| (&*weight.weight, weight)).collect();
    let other = |name: &str, ending: &str| by_name.get(&*format!("{name}{ending}")).copied();
    let value = |weight: &'_ FittedWeight| -> Option<(&str, Value<'_>)> {
        let name = by_name.get_key_value(&*weight.weight)?.0;
        let weight = by_name[name];
        if let Some(base) = name.strip_suffix(".o")
            && let Some(end) = other(base, ".e")
        {
            return Some((base, Value::Pair([weight, end])));
        }
        let is_second = name.strip_suffix(".e").is_some_and(|base| other(base, ".o").is_some());
        (!is_second).then_some((name, Value::Single(weight)))
    };
    weights.iter().filter_map(value).collect()
}

/// The name of an array, and whether its elements have the names of squares.
type Array<'a> = (&'a str, bool);

/// The array and the place in it that a name such as `rank[3]`, `pst[0][12]` or `knight_a1` stands for.
fn element(name: &str) -> Option<(Array<'_>, Vec<usize>)> {
    if let Some((base, square)) = name.rsplit_once('_')
        && let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *square.as_bytes()
    {
        return Some(((base, true), vec![usize::from((rank - b'1') * 8 + file - b'a')]));
    }
    let (mut base, mut indices) = (name, Vec::new());
    while let Some((rest, index)) = base.strip_suffix(']').and_then(|base| base.rsplit_once('['))
        && let Some(index) = number(index)
    {
        base = rest;
        indices.insert(0, index);
    }
    (!indices.is_empty()).then_some(((base, false), indices))
}

/// A number without a sign and without leading zeros.
fn number(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}

/// A name that C and Rust take, and that no other constant has.
fn identifier(name: &str, prefix: &str, taken: &mut HashSet<String>) -> String {
    let words: Vec<&str> =
        name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut text = format!("{prefix}{}", words.join("_"));
    // No word of Rust is in capitals, and a prefix keeps names apart from the words of C.
    if !text.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        text.insert_str(0, "w_");
    }
    // Constants of Rust are in capitals, so names that differ in these alone are one.
    let mut unique = text.clone();
    let mut number = 2;
    while !taken.insert(unique.to_uppercase()) {
        unique = format!("{text}_{number}");
        number += 1;
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::{super::tests::weight, *};

    fn names(weights: &[&str]) -> Vec<String> {
        with_prefix("", weights)
    }

    fn with_prefix(prefix: &str, weights: &[&str]) -> Vec<String> {
        let weights: Vec<FittedWeight> = weights.iter().map(|name| weight(name, 0.0, 1.0)).collect();
        let name = |constant: &Constant| {
            let pair = if constant.values[0].is_pair() { " pair" } else { "" };
            let array: String = constant.lengths.iter().map(|length| format!("[{length}]")).collect();
            format!("{}{array}{pair}", constant.name)
        };
        constants(&weights, prefix).iter().map(name).collect()
    }

    #[test]
    fn opening_and_endgame_become_pairs_and_numbered_weights_arrays() {
        assert_eq!(names(&["rook.o", "tempo", "rook.e"]), ["rook pair", "tempo"]);
        assert_eq!(names(&["n[1].o", "n[0].e", "n[1].e", "n[0].o"]), ["n[2] pair"]);
        assert_eq!(names(&["a.o", "b.e"]), ["a_o", "b_e"]);
        assert_eq!(names(&["n[1][0]", "n[0][1]", "n[0][0]", "n[1][1]", "n[1][2]", "n[0][2]"]), ["n[2][3]"]);
        let squares: Vec<String> =
            ('1'..='8').flat_map(|rank| ('a'..='h').map(move |file| format!("n_{file}{rank}"))).collect();
        let squares: Vec<&str> = squares.iter().map(|name| &**name).collect();
        assert_eq!(names(&squares), ["n_squares[64]"]);
        assert_eq!(names(&["n", "n_a1", "n_a2"]), ["n", "n_a1", "n_a2"]);
        assert_eq!(names(&["n_squares[0]", "n_squares[1]"]), ["n_squares[2]"]);
        assert_eq!(names(&["p[de,r4][0]", "p[de,r4][1]"]), ["p_de_r4[2]"]);
        // Gaps, and elements of two kinds.
        assert_eq!(names(&["n[0][0]", "n[0][18446744073709551615]", "n[1][0]"]).len(), 3);
        assert_eq!(names(&["n[0][0]", "n[1][1]", "m[0]", "m[0][0]"]), ["n_0_0", "n_1_1", "m_0", "m_0_0"]);
        assert_eq!(names(&["n[0]", "n[2]"]), ["n_0", "n_2"]);
        assert_eq!(names(&["n[0]", "n[1].o", "n[1].e"]), ["n_0", "n_1 pair"]);
        assert_eq!(
            names(&["n[99999999999999999999]", "n[00]", "n[-1]"]),
            ["n_99999999999999999999", "n_00", "n_1"]
        );
    }

    #[test]
    fn every_constant_has_a_name_of_its_own_that_languages_take() {
        assert_eq!(
            names(&["p_adv[de,r4]", "2 knights", "int", "ö", "s"]),
            ["p_adv_de_r4", "w_2_knights", "int", "w_", "s_2"]
        );
        assert_eq!(with_prefix("w_", &["int", "2 end", "ö", "s"]), ["w_int", "w_2_end", "w_", "w_s"]);
        assert_eq!(with_prefix("texam_", &["pair", "table.h"]), ["texam_pair_2", "texam_table_h_2"]);
        assert_eq!(names(&["a b", "a_b", "A-B", "a_b_2"]), ["a_b", "a_b_2", "A_B_3", "a_b_2_2"]);
    }
}
