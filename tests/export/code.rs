//! Exported source code, compiled without a warning and run.

use std::{fs, process::Command};

use tempfile::TempDir;
use texam::{
    feature::{Key, Weights},
    phase::PhaseScheme,
    show::export::{ExportUnit, Format, ScaledWeights, not_folded},
};

use super::sets;
use crate::{
    compilers::{cc, rustc},
    support::words,
};

const C_DRIVER: &str = r#"
#include "texam_weights.h"
#include <stdio.h>

int main(void) {
    printf("%d\n", TEXAM_PAWN_VALUE);
    for (int piece = TEXAM_PAWN; piece <= TEXAM_KING; piece++) {
        for (int square = 0; square < 64; square++) {
            const texam_weight white = texam_piece_square(piece, square, 1);
            const texam_weight black = texam_piece_square(piece, square ^ 56, 0);
            printf("%d %d %d %d\n", (int)white.open, (int)white.end, (int)black.open, (int)black.end);
        }
    }
    for (int i = 0; i < TEXAM_FEATURES; i++) {
        const texam_feature *feature = &texam_features[i];
        if (texam_find(feature->key) != feature) {
            return 1;
        }
        for (int cell = 0; cell < feature->cells; cell++) {
            const texam_weight weight = feature->weights[cell];
            printf("%s|%s|%s|%s|%d|%d|%d\n", feature->key, feature->group, feature->meaning,
                   feature->cell_names == NULL ? "" : feature->cell_names[cell], feature->is_folded,
                   (int)weight.open, (int)weight.end);
        }
    }
    for (int minors = 0; minors <= 10; minors++) {
        for (int rooks = 0; rooks <= 5; rooks++) {
            for (int queens = 0; queens <= 4; queens++) {
                const int counts[4] = { minors / 2, minors - minors / 2, rooks, queens };
                printf("%d %d %d\n", texam_fruit(counts), texam_madchess(counts), texam_rustic(counts));
            }
        }
    }
    return texam_find("no such key") == NULL ? 0 : 1;
}
"#;

/// Prints the unit, the tables and the weights of all keys in use.
fn rust_driver(numbers: &ScaledWeights) -> String {
    let mut driver = "mod texam_weights;
use texam_weights::*;

fn print(pairs: &[W]) {
    pairs.iter().for_each(|W(open, end)| println!(\"{open} {end}\"));
}

fn main() {
    println!(\"{PAWN_VALUE}\");
    (0..6).for_each(|role| print(&std::array::from_fn::<W, 64, _>(|square| psqt(role, square))));
"
    .to_string();
    for feature in numbers.keys().map(Key::feature) {
        let name = feature.key.to_uppercase();
        let pairs = if feature.layout.is_table() { name } else { format!("[{name}]") };
        driver += &format!("    print(&{pairs});\n");
    }
    driver + "}\n"
}

/// The lines that the driver in this folder prints.
fn printed(folder: &TempDir) -> Vec<String> {
    let output = Command::new(folder.path().join("driver")).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
}

#[test]
fn the_module_in_rust_holds_the_weights_and_tables_of_this_program() {
    for (name, weights) in sets::all() {
        for unit in [ExportUnit::Exact, ExportUnit::Pawn(100)] {
            let numbers = ScaledWeights::new(&weights.quantised(), unit);
            let folder = TempDir::new().unwrap();
            let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
            write("texam_weights.rs", sets::export(&name, &weights, Format::Rust, unit));
            write("driver.rs", rust_driver(&numbers));
            rustc(folder.path(), &words("--edition 2021 -D warnings -o driver driver.rs"));
            let cells = numbers
                .keys()
                .flat_map(|key| (0..key.feature().layout.cells()).map(move |index| key.cell_at(index)));
            let pairs =
                numbers.tables().iter().flatten().copied().chain(cells.map(|cell| numbers.cell(cell)));
            let expected = pairs.map(|[open, end]| format!("{open} {end}"));
            let expected: Vec<_> = [unit.pawn().to_string()].into_iter().chain(expected).collect();
            assert_eq!(printed(&folder), expected, "{name}");
        }
    }
}

/// What the driver in C prints of a header, by the library's own weights.
fn expected_of_header(weights: &Weights, unit: ExportUnit) -> Vec<String> {
    let numbers = ScaledWeights::new(&weights.quantised(), unit);
    let mut lines = vec![unit.pawn().to_string()];
    for table in numbers.tables() {
        lines.extend(table.iter().map(|[open, end]| format!("{open} {end} {open} {end}")));
    }
    for key in numbers.keys() {
        let feature = key.feature();
        for index in 0..feature.layout.cells() {
            let [open, end] = numbers.cell(key.cell_at(index));
            lines.push(format!(
                "{}|{}|{}|{}|{}|{open}|{end}",
                feature.key,
                feature.group.name(),
                feature.meaning,
                feature.layout.label(index),
                u8::from(not_folded(key).is_none()),
            ));
        }
    }
    for minors in 0..=10 {
        for (rooks, queens) in (0..=5).flat_map(|rooks| (0..=4).map(move |queens| (rooks, queens))) {
            let counts = [minors / 2, minors - minors / 2, rooks, queens];
            let phases = [PhaseScheme::Fruit, PhaseScheme::Madchess, PhaseScheme::Rustic];
            let phases = phases.map(|scheme| scheme.phase(counts).to_string());
            lines.push(phases.join(" "));
        }
    }
    lines
}

#[test]
fn the_header_in_c_holds_the_weights_tables_and_phases_of_this_program() {
    for (name, weights) in sets::all() {
        for unit in [ExportUnit::Exact, ExportUnit::Pawn(100)] {
            let folder = TempDir::new().unwrap();
            let path = |name: &str| folder.path().join(name);
            fs::write(path("texam_weights.h"), sets::export(&name, &weights, Format::C, unit)).unwrap();
            fs::write(path("driver.c"), C_DRIVER).unwrap();
            cc(folder.path(), &["-o", "driver", "driver.c"]);
            assert_eq!(printed(&folder), expected_of_header(&weights, unit), "{name}");
        }
    }
}

/// As a module of a crate without the standard library, in either edition, and with a doc for all that is
/// public; by itself as well as under a name that would like to leave its comment.
#[test]
fn the_sources_compile_alone_without_a_standard_library_and_document_all() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for name in ["params/best.par", "a\n*/ \u{202e} ??/\\"] {
        write("texam_weights.rs", &sets::export(name, &Weights::start(), Format::Rust, ExportUnit::Exact));
        write("texam_weights.h", &sets::export(name, &Weights::start(), Format::C, ExportUnit::Exact));
        write("library.rs", "//! A crate.\n#![no_std]\npub mod texam_weights;\n");
        for edition in [2021, 2024] {
            let options = format!("--edition {edition} --crate-type lib --emit metadata -D warnings");
            rustc(folder.path(), &words(&format!("{options} -D missing_docs library.rs")));
        }
        cc(folder.path(), &words("-x c -c -o header.o texam_weights.h"));
    }
}
