//! Exported source code, compiled without a warning and run.

use std::{
    fs::{self, File},
    process::{Command, Stdio},
};

use tempfile::TempDir;
use texam::{
    eval,
    feature::{Key, Weights},
    phase::PhaseScheme,
    show::export::{self, EXACT_PAWN, ExportUnit, Format, ScaledWeights, not_folded},
};

use super::{positions, sets};
use crate::{
    compilers::{cc, rustc},
    support::words,
};

const RUST_DRIVER: &str = r#"
mod texam_eval;
use texam_eval::{evaluate, PhaseScheme, Position};

fn main() {
    for line in std::io::stdin().lines() {
        match Position::from_fen(&line.unwrap()) {
            Err(wrong) => println!("refused: {wrong}"),
            Ok(position) => {
                use PhaseScheme::{Fruit, Madchess, None, Rustic};
                let schemes = [Fruit, Madchess, Rustic, None];
                let values = schemes.map(|scheme| evaluate(&position, scheme));
                print!("{} {}", values[0].open, values[0].end);
                values.iter().for_each(|value| print!(" {} {}", value.phase, value.total));
                println!(" {}", values[0].centipawns());
            }
        }
    }
}
"#;

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

/// Prints both sums and the value of each position.
const C_EVALUATION_DRIVER: &str = r#"
#include "texam_weights.h"
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    char line[128], rights[8], turn;
    char fen[100];
    while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%99s %c %7s", fen, &turn, rights) == 3) {
        char board[64] = "";
        int square = 56;
        for (const char *sign = fen; *sign != 0; sign++) {
            if (*sign == '/') {
                square -= 16;
            } else if (*sign >= '1' && *sign <= '8') {
                square += *sign - '0';
            } else {
                board[square++] = *sign;
            }
        }
        int castling = 0;
        for (const char *right = rights; *right != 0 && *right != '-'; right++) {
            castling |= *right == 'K'   ? TEXAM_WHITE_SHORT
                        : *right == 'Q' ? TEXAM_WHITE_LONG
                        : *right == 'k' ? TEXAM_BLACK_SHORT
                                        : TEXAM_BLACK_LONG;
        }
        const texam_position position = texam_read_board(board, turn == 'w', castling);
        const texam_weight sums = texam_sums(&position);
        printf("%d %d %" PRId64 "\n", (int)sums.open, (int)sums.end, texam_evaluate(&position));
    }
    return 0;
}
"#;

/// An export in Rust with a driver around it, compiled.
struct Program {
    folder: TempDir,
}

impl Program {
    fn new(name: &str, weights: &Weights, unit: ExportUnit) -> Program {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("texam_eval.rs"), sets::export(name, weights, Format::Rust, unit)).unwrap();
        fs::write(path("driver.rs"), RUST_DRIVER).unwrap();
        rustc(folder.path(), &words("--edition 2021 -D warnings -C overflow-checks=on -o driver driver.rs"));
        Program { folder }
    }

    /// The export in C.
    fn in_c(name: &str, weights: &Weights, options: &[&str]) -> Program {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        let header = sets::export(name, weights, Format::C, ExportUnit::Exact);
        fs::write(path("texam_weights.h"), header).unwrap();
        fs::write(path("driver.c"), C_EVALUATION_DRIVER).unwrap();
        cc(folder.path(), &[options, &["-o", "driver", "driver.c"]].concat());
        Program { folder }
    }

    /// A line of output for each line of input.
    fn answers(&self, lines: &[String]) -> Vec<String> {
        let input = self.folder.path().join("input");
        fs::write(&input, lines.join("\n") + "\n").unwrap();
        let mut driver = Command::new(self.folder.path().join("driver"));
        let output = driver.stdin(Stdio::from(File::open(input).unwrap())).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
    }

    fn answers_to_positions(&self) -> Vec<String> {
        let fens: Vec<String> = positions::all().iter().map(super::positions::Odd::fen).collect();
        let answers = self.answers(&fens);
        assert_eq!(answers.len(), fens.len());
        answers
    }
}

#[test]
fn the_export_in_rust_evaluates_every_position_as_this_program_does() {
    for (name, weights) in sets::all() {
        let answers = Program::new(&name, &weights, ExportUnit::Exact).answers_to_positions();
        for (position, answer) in positions::all().iter().zip(answers) {
            assert_eq!(answer, sets::expected(position, &weights), "{name}: {}", position.fen());
        }
    }
}

/// The sums and the value of a driver's line by one scheme, by its place among the schemes.
fn sums_and_value(line: &str, scheme: usize) -> String {
    let numbers: Vec<&str> = line.split(' ').collect();
    [numbers[0], numbers[1], numbers[3 + 2 * scheme]].join(" ")
}

#[test]
fn the_export_in_c_evaluates_every_position_as_this_program_does() {
    for (name, weights) in sets::all() {
        for (scheme, options) in [(0, &[][..]), (2, &["-DTEXAM_PHASE=texam_rustic"])] {
            let answers = Program::in_c(&name, &weights, options).answers_to_positions();
            for (position, answer) in positions::all().iter().zip(answers) {
                let expected = sums_and_value(&sets::expected(position, &weights), scheme);
                assert_eq!(answer, expected, "{name}: {}", position.fen());
            }
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
        for (unit, has_code) in [(ExportUnit::Exact, true), (ExportUnit::Pawn(100), false)] {
            let folder = TempDir::new().unwrap();
            let path = |name: &str| folder.path().join(name);
            let header = export::text(&weights, &name, Format::C, unit, &[], has_code).unwrap();
            fs::write(path("texam_weights.h"), header).unwrap();
            fs::write(path("driver.c"), C_DRIVER).unwrap();
            cc(folder.path(), &["-o", "driver", "driver.c"]);
            let output = Command::new(path("driver")).output().unwrap();
            assert!(output.status.success(), "{name}");
            let printed = String::from_utf8(output.stdout).unwrap();
            assert_eq!(printed.lines().collect::<Vec<_>>(), expected_of_header(&weights, unit), "{name}");
        }
    }
}

/// Each weight is off by so much at most, and comes in once for each man or count.
#[test]
fn with_rounded_weights_a_sum_is_off_by_no_more_than_its_weights_are() {
    let (name, weights) = sets::all().swap_remove(2);
    let exact = weights.quantised();
    for pawn in [100, 1000] {
        let bound = ScaledWeights::new(&exact, ExportUnit::Pawn(pawn)).largest_error();
        let mut most: f64 = 0.0;
        let answers = Program::new(&name, &weights, ExportUnit::Pawn(pawn)).answers_to_positions();
        for (position, answer) in positions::all().iter().zip(answers) {
            let placement = position.placement();
            let (open, end) = eval::evaluate(&placement, &exact);
            let features = eval::features(&placement, weights.extras());
            let counts = features.iter().filter(|&(cell, _)| not_folded(Key::of_cell(cell).0).is_some());
            let men = (placement.colors[0] | placement.colors[1]).count_ones();
            let times = f64::from(men) + counts.map(|(_, n)| f64::from(n.abs())).sum::<f64>();
            let sums = answer.split(' ').take(2).map(|sum| sum.parse::<f64>().unwrap());
            for (sum, exact) in sums.zip([open, end]) {
                let off = (sum - f64::from(exact) * f64::from(pawn) / f64::from(EXACT_PAWN)).abs();
                assert!(
                    off <= bound * times + 1e-9,
                    "{}: {off} is more than {times} of {bound}",
                    position.fen()
                );
                most = most.max(off);
            }
        }
        assert!(most > bound, "nothing was rounded");
    }
}

#[test]
fn what_is_no_position_is_refused() {
    let lines: Vec<String> = [
        "",
        "8/8/8/8/8/8/8/8 w - -",
        "kk6/8/8/8/8/8/8/K7 w - -",
        "k7/8/8/8/8/8/8/K7",
        "k7/8/8/8/8/8/8/K7 w",
        "k7/8/8/8/8/8/8/K7 white - -",
        "k7/8/8/8/8/8/8/K7 w X -",
        "k7/8/8/8/8/8/8/K7 w -- -",
        "k7/8/8/8/8/8/8/K7 w K - 0 1",
        "r3k3/8/8/8/8/8/8/K7 w k - 0 1",
        "k7/8/8/8/8/8/8/K6 w - -",
        "k7/8/8/8/8/8/8/K8 w - -",
        "k7/8/8/8/8/8/8/K7P w - -",
        "k7/8/8/8/8/8/8/PPPPPPPPK w - -",
        "k7/8/8/8/8/8/K7 w - -",
        "k7/8/8/8/8/8/8/K7/8 w - -",
        "k7/8/8/8/8/8/8/K7/P7 w - -",
        "k7/8/8/9/8/8/8/K7 w - -",
        "k7/8/8/0/8/8/8/K7 w - -",
        "k7/8/8/x7/8/8/8/K7 w - -",
        "k6P/8/8/8/8/8/8/K7 w - -",
        "k7/8/8/8/8/8/8/Kp6 w - -",
    ]
    .map(str::to_string)
    .into();
    let answers = Program::new("params/start.par", &Weights::start(), ExportUnit::Exact).answers(&lines);
    for (line, answer) in lines.iter().zip(&answers) {
        assert!(answer.starts_with("refused: "), "{line:?}: {answer}");
    }
    assert_eq!(answers.len(), lines.len());
}

#[test]
fn blanks_around_and_fields_left_out_do_not_matter() {
    let line = "  4k3/8/8/8/8/8/4P3/4K3   w  -";
    let lines = [line.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_string()];
    let answers = Program::new("a", &Weights::start(), ExportUnit::Exact).answers(&lines);
    assert_eq!(answers[0], answers[1]);
    assert!(!answers[0].starts_with("refused"), "{answers:?}");
}

/// As a module of a crate without the standard library, in either edition, and with a doc for all that is
/// public; by itself as well as under a name that would like to leave its comment.
#[test]
fn the_sources_compile_alone_without_a_standard_library_and_document_all() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for name in ["params/best.par", "a\n*/ \u{202e} ??/\\"] {
        write("texam_eval.rs", &sets::export(name, &Weights::start(), Format::Rust, ExportUnit::Exact));
        write("texam_weights.h", &sets::export(name, &Weights::start(), Format::C, ExportUnit::Exact));
        write("library.rs", "//! A crate.\n#![no_std]\npub mod texam_eval;\n");
        for edition in [2021, 2024] {
            let options = format!("--edition {edition} --crate-type lib --emit metadata -D warnings");
            rustc(folder.path(), &words(&format!("{options} -D missing_docs library.rs")));
        }
        cc(folder.path(), &words("-x c -c -o header.o texam_weights.h"));
    }
}
