//! C export: a header with piece-square tables, weights by key, constants of the phase and, if asked for, the evaluation.
//!
//! The evaluation is written again in C, in `evaluation.c` and `attacks.c`. Tests compile the header and compare all numbers
//! and the values of positions with ours.

use super::{
    WeightsSource, fold,
    fold::PhasePair,
    listing::{self, Language},
    numbers::ScaledWeights,
};
use crate::{
    feature::{Group, Key},
    phase::{PhaseScheme, RUSTIC_ENDGAME, RUSTIC_OPENING},
};

const TEMPLATE: &str = include_str!("c.h.in");

/// The code of the terms, with marks for that of the attack terms.
const EVALUATION: &str = include_str!("evaluation.c");

/// The code of the attack terms.
const ATTACKS: &str = include_str!("attacks.c");

/// The attack terms of both sides, added to their sums.
const ATTACK_TERMS: &str = "\
const texam_pieces by_white = texam_attacked(&white), by_black = texam_attacked(&black);
texam_threat_terms(&white, by_white, texam_flip_pieces(by_black));
texam_threat_terms(&black, by_black, texam_flip_pieces(by_white));";

const USE_OF_NUMBERS: &str = "\
The piece-square tables can be used alone. Every other term needs code that counts how often it
occurs in a position, which --evaluation adds. Do not add the weights of terms that are folded into
the tables: the tables contain them.";

const USE_OF_EVALUATION: &str = "\
texam_evaluate gives the value of a position, which texam_read_board makes from a board of 64 letters.";

const C: Language = Language {
    name: "c",
    doc: "//",
    table: |piece| format!("static const texam_weight texam_psqt_{piece}[64]"),
    weights: |key, cells| match cells {
        Some(cells) => format!("static const texam_weight texam_{key}[{cells}]"),
        None => format!("static const texam_weight texam_{key}"),
    },
    pair: format_pair,
    brackets: ["{", "}"],
};

fn format_pair([open, end]: PhasePair, [open_width, end_width]: [usize; 2]) -> String {
    format!("{{ {open:>open_width$}, {end:>end_width$} }}")
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}

/// The text of the header, with the code of the terms if `has_code`.
pub fn text(numbers: &ScaledWeights, origin: &WeightsSource, has_code: bool) -> String {
    let keys: Vec<Key> = numbers.keys().collect();
    let has_attacks = has_code && numbers.has_attacks();
    // The code names every attack term; those that are off have weights of 0.
    let is_needed = |key: &Key| keys.contains(key) || (has_attacks && key.feature().group == Group::Attack);
    let constants: Vec<Key> = Key::ALL.iter().copied().filter(is_needed).collect();
    let (content, usage) = match has_code {
        true => ("constants and code of C99", USE_OF_EVALUATION),
        false => ("constants of C99", USE_OF_NUMBERS),
    };
    let one = |text: String| vec![text];
    let marks = [
        ("@content@", lines(content)),
        ("@use@", lines(usage)),
        ("@evaluation@", if has_code { evaluation(has_attacks) } else { Vec::new() }),
        ("@origin@", listing::head(&C, numbers, origin)),
        ("@pawn@", one(numbers.unit.pawn().to_string())),
        ("@tables@", listing::tables(&C, numbers)),
        ("@weights@", listing::weights(&C, numbers, &constants)),
        ("@cell_names@", keys.iter().filter_map(|&key| cell_names(key)).collect()),
        ("@count@", one(keys.len().to_string())),
        ("@features@", keys.iter().map(|&key| feature(key)).collect()),
        ("@fruit_points@", one(points(PhaseScheme::Fruit))),
        ("@madchess_points@", one(points(PhaseScheme::Madchess))),
        ("@rustic_points@", one(points(PhaseScheme::Rustic))),
        ("@fruit_phase@", one(phases(PhaseScheme::Fruit))),
        ("@madchess_phase@", one(phases(PhaseScheme::Madchess))),
        ("@rustic_endgame@", one(RUSTIC_ENDGAME.to_string())),
        ("@rustic_opening@", one(RUSTIC_OPENING.to_string())),
    ];
    listing::fill(TEMPLATE, &marks)
}

/// The code of the terms.
fn evaluation(has_attacks: bool) -> Vec<String> {
    let marked = |text| if has_attacks { lines(text) } else { Vec::new() };
    let marks = [("@attacks@", marked(ATTACKS)), ("@attack_terms@", marked(ATTACK_TERMS))];
    let mut code = lines(&listing::fill(EVALUATION, &marks));
    code.push(String::new());
    code
}

/// An array with the names of the cells of a table; none for a feature without a table.
fn cell_names(key: Key) -> Option<String> {
    let (name, layout) = (key.feature().key, key.feature().layout);
    let labels: Vec<String> = (0..layout.cells()).map(|index| string(&layout.label(index))).collect();
    let list = labels.join(", ");
    layout.is_table().then(|| format!("static const char *const texam_cells_{name}[] = {{ {list} }};"))
}

/// The initialiser of a key in the array of all features.
fn feature(key: Key) -> String {
    let feature = key.feature();
    let (name, cells) = (feature.key, feature.layout.cells());
    let (names, weights) = if feature.layout.is_table() {
        (format!("texam_cells_{name}"), format!("texam_{name}"))
    } else {
        ("NULL".to_string(), format!("&texam_{name}"))
    };
    let folded = u8::from(fold::not_folded(key).is_none());
    let [key, group, meaning] = [name, feature.group.name(), feature.meaning].map(string);
    format!("{{ {key}, {group}, {meaning}, {names}, {folded}, {cells}, {weights} }},")
}

/// A string literal. The texts come from the table of features, which is ASCII.
fn string(text: &str) -> String {
    format!("{text:?}")
}

fn points(scheme: PhaseScheme) -> String {
    scheme.points().map(|points| points.to_string()).join(", ")
}

/// The phase for each sum of points, up to the first sum from which on the phase is 0.
fn phases(scheme: PhaseScheme) -> String {
    let mut phases: Vec<String> = (0..)
        .map(|sum| scheme.phase_of_points(sum))
        .take_while(|&phase| phase > 0)
        .map(|p| p.to_string())
        .collect();
    phases.push("0".to_string());
    phases.join(", ")
}
