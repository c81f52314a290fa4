//! Rust export: a module with piece-square tables and weights by key. Tests compile it and compare all
//! numbers.

use super::{
    WeightsSource,
    fold::PhasePair,
    listing::{self, Language},
    numbers::ScaledWeights,
};

const TEMPLATE: &str = include_str!("rust.rs.in");

const RUST: Language = Language {
    name: "rust",
    doc: "///",
    table: |piece| format!("#[rustfmt::skip]\npub const PSQT_{}: Psqt", piece.to_uppercase()),
    weights: |key, cells| match cells {
        Some(cells) => format!("pub const {}: [W; {cells}]", key.to_uppercase()),
        None => format!("pub const {}: W", key.to_uppercase()),
    },
    pair: format_pair,
    brackets: ["[", "]"],
};

fn format_pair([open, end]: PhasePair, [open_width, end_width]: [usize; 2]) -> String {
    format!("W({open:>open_width$}, {end:>end_width$})")
}

/// The text of the source file.
pub fn text(numbers: &ScaledWeights, origin: &WeightsSource) -> String {
    let marks = [
        ("@origin@", listing::head(&RUST, numbers, origin)),
        ("@pawn@", vec![numbers.unit.pawn().to_string()]),
        ("@tables@", listing::tables(&RUST, numbers)),
        ("@weights@", listing::weights(&RUST, numbers)),
    ];
    listing::fill(TEMPLATE, &marks)
}
