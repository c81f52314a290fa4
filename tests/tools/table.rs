//! Exported weights of another program, compiled without a warning and run.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;
use texam::{
    run::stat::FittedWeight,
    show::export::{Format, table},
};

use super::{Tests, cxx::Cxx};
use crate::{
    compilers::{cc, rustc},
    support::words,
};

pub const IN_C_AND_RUST: Tests<fn()> = &[
    (
        "constants_of_c_and_rust_have_the_values_of_the_table",
        constants_of_c_and_rust_have_the_values_of_the_table,
    ),
    ("a_program_may_bring_its_own_pair", a_program_may_bring_its_own_pair),
    ("a_function_called_s_stays_what_it_is", a_function_called_s_stays_what_it_is),
];

pub const IN_CXX: Tests<fn(&Cxx)> = &[
    (
        "constants_of_c_plus_plus_have_the_values_of_the_table",
        constants_of_c_plus_plus_have_the_values_of_the_table,
    ),
    ("a_pair_may_be_made_by_a_function", a_pair_may_be_made_by_a_function),
];

const C_DRIVER: &str = r#"
#include "weights.h"
#include <stdio.h>

int main(void) {
    printf("%g %g\n", (double)w_knight.opening, (double)w_knight.endgame);
    for (int i = 0; i < 3; i++) {
        printf("%g\n", (double)w_rank[i]);
    }
    for (int i = 0; i < 2; i++) {
        printf("%g %g\n", (double)w_table_x[i].opening, (double)w_table_x[i].endgame);
    }
    printf("%g %g\n", (double)w_int, (double)w_2_end);
    printf("%g %g %g %g\n", (double)w_two[0][0], (double)w_two[0][1], (double)w_two[1][0], (double)w_two[1][1]);
    return 0;
}
"#;

const RUST_DRIVER: &str = r#"
mod weights;
use weights::{INT, KNIGHT, RANK, S, TABLE_X, TWO, W_2_END};

fn main() {
    let show = |S(opening, endgame): S| println!("{opening} {endgame}");
    show(KNIGHT);
    RANK.iter().for_each(|rank| println!("{rank}"));
    TABLE_X.into_iter().for_each(show);
    println!("{INT} {W_2_END}");
    println!("{} {} {} {}", TWO[0][0], TWO[0][1], TWO[1][0], TWO[1][1]);
}
"#;

/// Weights of every shape: a pair, an array out of order, arrays of pairs and of two indices, and names
/// that no language takes.
fn weights(scale: f64) -> Vec<FittedWeight> {
    let names = [
        "knight.e",
        "rank[2]",
        "rank[0]",
        "rank[1]",
        "knight.o",
        "table x[0].o",
        "table x[1].o",
        "table x[0].e",
        "table x[1].e",
        "int",
        "2 \"end\"\\\n*/ ??/",
        "two[0][0]",
        "two[0][1]",
        "two[1][0]",
        "two[1][1]",
    ];
    let weight = |(number, name): (i32, &str)| FittedWeight {
        weight: name.to_string(),
        from: Some(0.5),
        to: f64::from(number - 5) * scale,
        se_run: None,
        se_step: Some(1.0),
        support: Some(7),
        games: None,
        held: Some(0.75),
        tuned: number != 2,
        deviation: None,
    };
    (0..).zip(names).map(weight).collect()
}

/// What the drivers print of the weights: the number of each in the order above less 5, times the scale.
fn expected(scale: f64) -> Vec<String> {
    [&[4, 0][..], &[2], &[3], &[1], &[5, 7], &[6, 8], &[9, 10], &[11, 12, 13, 14]]
        .map(|line| {
            let value = |number: &i32| (f64::from(number - 5) * scale).to_string();
            line.iter().map(value).collect::<Vec<_>>().join(" ")
        })
        .into()
}

fn lines(folder: &TempDir) -> Vec<String> {
    let output = Command::new(folder.path().join("driver")).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
}

/// Whoever takes only some of the constants gets no warning in C++, where constants may be unused.
const DRIVER: [&str; 3] = ["-Wno-unused-const-variable", "-o", "driver"];

/// The constants in a header with a driver of this name, compiled and run.
fn constants_in_c(scale: f64, driver: &str, compile: impl Fn(&Path)) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("weights.h"), source(scale, Format::C)).unwrap();
    fs::write(folder.path().join(driver), C_DRIVER).unwrap();
    compile(folder.path());
    lines(&folder)
}

fn source(scale: f64, format: Format) -> String {
    table::text(weights(scale), "a\n*/ \u{202e} ??/\\", format, None, None).unwrap()
}

fn constants_of_c_and_rust_have_the_values_of_the_table() {
    for scale in [1.0, 0.25] {
        let compile = |folder: &Path| cc(folder, &[&DRIVER[..], &["driver.c"]].concat());
        assert_eq!(constants_in_c(scale, "driver.c", compile), expected(scale), "C, {scale}");
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("weights.rs"), source(scale, Format::Rust)).unwrap();
        fs::write(folder.path().join("driver.rs"), RUST_DRIVER).unwrap();
        rustc(folder.path(), &words("--edition 2021 -D warnings -o driver driver.rs"));
        assert_eq!(lines(&folder), expected(scale), "Rust, {scale}");
    }
}

fn constants_of_c_plus_plus_have_the_values_of_the_table(compiler: &Cxx) {
    let arguments = [&["-std=c++11"], &DRIVER[..], &["driver.cpp"]].concat();
    for scale in [1.0, 0.25] {
        let compile = |folder: &Path| compiler.compile(folder, &arguments);
        assert_eq!(constants_in_c(scale, "driver.cpp", compile), expected(scale), "{scale}");
    }
}

/// A program with a pair of its own names it before the include.
fn a_program_may_bring_its_own_pair() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("weights.h", &table::text(weights(1.0), "a", Format::C, Some(1.0), Some("my_")).unwrap());
    write(
        "driver.c",
        "typedef int score;\n#define S(mg, eg) ((mg) + 65536 * (eg))\n#define TEXAM_PAIR score\n#include \"weights.h\"\n\
         #include <stdio.h>\nint main(void) { printf(\"%d\\n\", my_knight); return 0; }\n",
    );
    cc(folder.path(), &[&DRIVER[..], &["driver.c"]].concat());
    assert_eq!(lines(&folder), [(-1 + 65536 * -5).to_string()]);
}

/// A folder with the header and this source.
fn header_with(name: &str, source: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("weights.h", &table::text(weights(1.0), "a", Format::C, Some(1.0), None).unwrap());
    write(name, source);
    folder
}

fn a_function_called_s_stays_what_it_is() {
    let source = "static int S(int mg, int eg) { return mg + 65536 * eg; }\n#include \"weights.h\"\n#include <stdio.h>\n\
                  int main(void) { printf(\"%d\\n\", S(w_knight.opening, w_knight.endgame)); return 0; }\n";
    let folder = header_with("driver.c", source);
    cc(folder.path(), &[&DRIVER[..], &["driver.c"]].concat());
    assert_eq!(lines(&folder), [(-1 + 65536 * -5).to_string()]);
}

fn a_pair_may_be_made_by_a_function(compiler: &Cxx) {
    let source = "#include <cstdio>\nenum score : int {};\nconstexpr score S(int mg, int eg) { return score(mg + 65536 * eg); }\n\
                  #define TEXAM_PAIR score\n#include \"weights.h\"\n\
                  int main() { std::printf(\"%d\\n\", int(w_knight)); return int(S(0, 0)); }\n";
    let folder = header_with("driver.cpp", source);
    compiler.compile(folder.path(), &[&["-std=c++11"], &DRIVER[..], &["driver.cpp"]].concat());
    assert_eq!(lines(&folder), [(-1 + 65536 * -5).to_string()]);
}
