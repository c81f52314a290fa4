//! C export: a header with piece-square tables, weights by key, and the phase. Tests compile it and compare
//! all numbers.

use super::{
    WeightsSource, fold,
    fold::PhasePair,
    listing::{self, Language},
    numbers::ScaledWeights,
};
use crate::{
    feature::Key,
    phase::{PhaseScheme, RUSTIC_ENDGAME, RUSTIC_OPENING},
};

const TEMPLATE: &str = include_str!("c.h.in");

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

/// The text of the header.
pub fn text(numbers: &ScaledWeights, origin: &WeightsSource) -> String {
    let keys: Vec<Key> = numbers.keys().collect();
    let one = |text: String| vec![text];
    let marks = [
        ("@origin@", listing::head(&C, numbers, origin)),
        ("@pawn@", one(numbers.unit.pawn().to_string())),
        ("@tables@", listing::tables(&C, numbers)),
        ("@weights@", listing::weights(&C, numbers)),
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
