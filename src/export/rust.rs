//! Rust export: the source files of [`crate::eval`] with the weights as constants.
//!
//! A template contains the functions that other programs call. The source files of the terms are inserted as
//! modules, without their tests. Terms that depend on one piece and its square are replaced by the folded
//! tables. Tests compile the result and compare it with [`crate::eval`].

use super::{
    WeightsSource, fold,
    fold::PhasePair,
    listing::{self, Language},
    numbers::ScaledWeights,
};
use crate::{eval, feature::Key, phase};

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
    // The code names every feature that is not folded. Optional features that are off have weights of 0.
    let keys: Vec<Key> = Key::ALL.iter().copied().filter(|&key| fold::not_folded(key).is_some()).collect();
    let marks = [
        ("@origin@", listing::head(&RUST, numbers, origin)),
        ("@pawn@", vec![numbers.unit.pawn().to_string()]),
        ("@tables@", listing::tables(&RUST, numbers)),
        ("@weights@", listing::weights(&RUST, numbers, &keys)),
        ("@variants@", keys.iter().map(|key| format!("{key:?},")).collect()),
        ("@arms@", keys.iter().map(|&key| arm(key)).collect()),
        ("@sources@", sources()),
    ];
    listing::fill(TEMPLATE, &marks)
}

/// The arm of a `match` that leads from a key to its weights.
fn arm(key: Key) -> String {
    let feature = key.feature();
    let name = feature.key.to_uppercase();
    let weights = if feature.layout.is_table() { format!("&{name}") } else { format!("&[{name}]") };
    format!("Key::{key:?} => {weights},")
}

/// The lines of the source files, each file as a module.
fn sources() -> Vec<String> {
    let mut lines = Vec::new();
    for (name, text) in eval::SOURCES.into_iter().chain([("scheme", phase::SCHEME_SOURCE)]) {
        lines.extend((!lines.is_empty()).then(String::new));
        lines.push(format!("mod {name} {{"));
        let indent = |line: &str| if line.is_empty() { String::new() } else { format!("    {line}") };
        lines.extend(without_tests(text).lines().map(indent));
        lines.push("}".to_string());
    }
    lines
}

/// A source file without the tests at its end.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_files_bring_neither_tests_nor_names_from_elsewhere() {
        let text = sources().join("\n");
        for name in ["#[test]", "cfg(test)", "crate::", "shakmaty", "std::"] {
            assert!(!text.contains(name), "{name}");
        }
    }

    #[test]
    fn a_file_ends_where_its_tests_begin() {
        assert_eq!(without_tests("fn f() {}\n\n#[cfg(test)]\nmod tests {}\n"), "fn f() {}");
        assert_eq!(without_tests("fn f() {}\n"), "fn f() {}");
    }
}
