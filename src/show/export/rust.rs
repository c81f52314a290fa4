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
use crate::{
    eval,
    feature::{Group, Key},
    phase,
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
    let has_attacks = numbers.has_attacks();
    // The code names every feature that is not folded. If one attack term is on, it contains them all; those that are off
    // have weights of 0.
    let is_named =
        |key: &Key| fold::not_folded(*key).is_some() && (has_attacks || key.feature().group != Group::Attack);
    let keys: Vec<Key> = Key::ALL.iter().copied().filter(is_named).collect();
    let attack_lines = |text: &str| {
        let lines: Vec<String> = text.lines().map(String::from).collect();
        if has_attacks { lines } else { Vec::new() }
    };
    let marks = [
        ("@origin@", listing::head(&RUST, numbers, origin)),
        ("@pawn@", vec![numbers.unit.pawn().to_string()]),
        ("@tables@", listing::tables(&RUST, numbers)),
        ("@weights@", listing::weights(&RUST, numbers, &keys)),
        ("@variants@", keys.iter().map(|key| format!("{key:?},")).collect()),
        ("@arms@", keys.iter().map(|&key| arm(key)).collect()),
        ("@attack_names@", attack_lines(ATTACK_NAMES)),
        ("@attack_terms@", attack_lines(ATTACK_TERMS)),
        ("@sources@", sources(has_attacks)),
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

/// What the code of the attack terms takes from the rest.
const ATTACK_NAMES: &str = "\
use attacks::{piece_attacks, threats};
use rays::{bishop_attacks, rook_attacks};
use side::SideBitboards;";

/// The attack terms of a position, added to its sum.
const ATTACK_TERMS: &str = "\
let [white, black] = [Color::White, Color::Black].map(|color| Side::new(&placement, color, lead));
let mut terms = [W::default(); 2];
let of_white = piece_attacks(&white, &mut terms[0]);
let of_black = piece_attacks(&black, &mut terms[1]);
threats(&white, &of_white, &of_black.flipped(), &mut terms[0]);
threats(&black, &of_black, &of_white.flipped(), &mut terms[1]);
sum += terms[0] - terms[1];";

/// The lines of the source files, each file as a module.
fn sources(has_attacks: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let attacks = eval::ATTACK_SOURCES.into_iter().filter(|_| has_attacks);
    for (name, text) in eval::SOURCES.into_iter().chain(attacks).chain([("scheme", phase::SCHEME_SOURCE)]) {
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
        let text = sources(true).join("\n");
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
