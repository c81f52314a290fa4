//! The header for rows of other programs: it compiles without a warning, and the lines of the
//! page around it print what a fit reads.

use std::{fs, path::Path, process::Command};

use super::{Tests, cxx::Cxx};
use crate::{compilers::cc, support::*};

pub const IN_C: Tests<fn()> = &[("the_header_for_rows_prints_in_c_what_a_fit_reads", || {
    the_header_for_rows_prints_what_a_fit_reads(|folder| {
        cc(folder, &["-ffast-math", "-o", "driver", "driver.c"]);
    });
})];

pub const IN_CXX: Tests<fn(&Cxx)> = &[
    ("the_header_for_rows_prints_in_c_plus_plus_what_a_fit_reads", |compiler| {
        the_header_for_rows_prints_what_a_fit_reads(|folder| {
            compiler.compile(folder, &words("-std=c++17 -o driver driver.cpp"));
        });
    }),
    (
        "the_lines_for_a_tuner_write_rows_that_give_its_values",
        the_lines_for_a_tuner_write_rows_that_give_its_values,
    ),
    ("the_lines_of_the_page_count_where_captures_end", the_lines_of_the_page_count_where_captures_end),
];

/// A file of the examples.
fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).display().to_string()
}

const C_DRIVER: &str = r#"
enum { COLUMN_KNIGHT, COLUMN_FILE = COLUMN_KNIGHT + 2, COLUMN_TEMPO = COLUMN_FILE + 2, TEXAM_COLUMNS };
#include "texam_rows.h"
#include "own_weights.h"
#include "texam_weights.h"

static double weights[TEXAM_COLUMNS];
static unsigned long seed = 1;

static int random_below(int limit) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (int)(seed >> 8) % limit;
}

/* Of a random position, whose phase falls from 6192 in the opening to 0. */
static double evaluate(texam_trace *trace) {
    const int phase = random_below(6193), knights = random_below(5) - 2;
    const double files = (random_below(5) - 2) / 3.0;
    const double opening = knights * weights[0] + files * weights[2];
    const double endgame = knights * weights[1] + files * weights[3];
    texam_clear_trace(trace);
    texam_add_pair(trace, COLUMN_KNIGHT, knights);
    texam_add_pair(trace, COLUMN_FILE, files);
    texam_add_count(trace, COLUMN_TEMPO, -1);
    trace->endgame = 1 - phase / 6192.0;
    return (opening * phase + endgame * (6192 - phase)) / 6192 - weights[COLUMN_TEMPO];
}

static int print_random_rows(int are_results) {
    int number, errors = texam_read_weights("weights.csv", weights);
    texam_print_header(stdout);
    for (number = 0; number < 200; number++) {
        const int qid = number / 4 + 1;
        texam_trace before, after;
        const double value_before = evaluate(&before), value = evaluate(&after);
        texam_row row = texam_row_of(number % 4 == 0, qid % 2, qid, qid);
        if (are_results) {
            row = texam_row_of(random_below(3) / 2.0, 1, 0, qid);
        }
        row.value = are_results ? value : value - value_before;
        row.has_value = 1;
        errors += texam_print_row(stdout, &row, &after, are_results ? NULL : &before);
    }
    return errors;
}

int main(int argc, char **argv) {
    const double not_finite[2] = {strtod("nan", NULL), strtod("-inf", NULL)};
    texam_trace before, after;
    texam_row row = texam_row_of(1, 0, 7, 3);
    double *const numbers[] = {&row.label, &row.weight, &row.value, &before.endgame, &before.counts[2]};
    int wrong, refused = 0;
    if (argc > 1) {
        return print_random_rows(strcmp(argv[1], "results") == 0);
    }
    texam_clear_trace(&before);
    texam_clear_trace(&after);
    texam_add_pair(&before, COLUMN_KNIGHT, 1);
    texam_add_pair(&after, COLUMN_KNIGHT, 4);
    texam_add_pair(&after, COLUMN_FILE, -1);
    texam_add_count(&after, COLUMN_TEMPO, 0.3);
    before.endgame = 0.25;
    after.endgame = 0.5;
    row.value = 34.5;
    row.has_value = 1;
    row.remark = "e2e4\n1 qid:8";
    texam_print_row(stdout, &row, &after, &before);
    texam_print_row(stdout, &row, &after, NULL);
    row = texam_row_of(0.5, 1, 0, 3);
    row.weight = 0.125;
    texam_print_row(stdout, &row, &before, NULL);
    for (wrong = 0; wrong < 10; wrong++) {
        const double number = *numbers[wrong / 2];
        *numbers[wrong / 2] = not_finite[wrong % 2];
        refused -= texam_print_row(stdout, &row, &after, &before);
        *numbers[wrong / 2] = number;
    }
    if (texam_read_weights("short.csv", weights) == 0 || texam_read_weights("missing.csv", weights) == 0) {
        return 1;
    }
    printf("%d refused\n", refused);
    return 0;
}
"#;

/// It takes differences, writes the phase, refuses what is no number, and its names are not those of exports.
/// All values are those of the counts.
fn the_header_for_rows_prints_what_a_fit_reads(compile: impl Fn(&Path)) {
    let bench = Bench::new(0);
    let folder = bench.folder.path();
    fs::copy(example("texam_rows.h"), bench.path("texam_rows.h")).unwrap();
    let table = "knight.o,320.5,true\nknight.e,300,true\nfile.o,12,true\nfile.e,-7,true\ncolumn,10,false\n";
    let weights = bench.write("weights.csv", format!("name,value,tune\n{table}"));
    bench.write("short.csv", "name,value,tune\na,1.5,true\n");
    for (weights, header) in [(&*weights, "own_weights.h"), ("params/best.par", "texam_weights.h")] {
        succeeds(&["export", weights, "--to", "c", "-o", &bench.path(header)]);
    }
    bench.write("driver.c", C_DRIVER);
    bench.write("driver.cpp", C_DRIVER);
    compile(folder);
    let run = |arguments: &[&str]| {
        let output = Command::new(bench.path("driver")).args(arguments).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output
    };
    let output = run(&[]);
    let expected = "1 qid:7 value:-34.5 1:-1.25 2:-1.75 3:0.5 4:0.5 5:-0.29999999999999999 # game:3 e2e4\n\
        1 qid:7 value:-34.5 phase:0.5 1+:-4 3+:1 5:-0.29999999999999999 # game:3 e2e4\n\
        0.5 weight:0.125 phase:0.25 1+:1 # game:3\n\
        10 refused\n";
    assert_eq!(text(&output.stdout), expected);
    let messages = text(&output.stderr);
    assert_eq!(messages.lines().count(), 10, "{messages}");
    for wrong in ["label", "weight", "value", "phase", "count of column 3"] {
        let message = format!("texam_rows.h: game 3, qid 0: the {wrong} is NaN or infinite\n");
        assert_eq!(messages.matches(&message).count(), 2, "{messages}");
    }
    for (kind, objective) in [("moves", "softmax"), ("results", "logistic")] {
        let rows = run(&[kind]).stdout;
        assert_eq!(text(&rows).matches(" value:").count(), 200);
        let choices = bench.write("choices.txt", rows);
        let fit = format!("--choices {choices} --weights {weights} --objective {objective} --min-support 1");
        succeeds(&bench.bare_fit("out", &format!("{fit} --iterations 1 --name {kind}")));
    }
}

/// What the code of the page uses of two tuners, and two positions with two weights beside those that are
/// left out.
const TEXEL_TUNER: [&str; 2] = [
    r#"#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>
using namespace std;
struct CoefficientEntry { int16_t value; int16_t index; };
struct Entry { uint32_t coeff_offset; uint16_t coeff_count; double wdl; bool white_to_move; double additional_score; int32_t phase; double endgame_scale; };
using parameters_t = vector<array<double, 2>>;
"#,
    r#"int main() {
    const vector<CoefficientEntry> all{{9, 0}, {2, 0}, {-1, 1}};
    const vector<Entry> entries{{1, 2, 0.5, true, 7, 18, 1}, {0, 1, 1, true, 0, 18, 0.5}, {0, 1, 1, true, 0, 26, 1}};
    write_rows(entries, all, {{10, 20}, {30, 50}});
}
"#,
];
const WEISS: [&str; 2] = [
    r#"#include <cstdint>
#include <cstdio>
enum { MG, EG };
enum { BLACK, WHITE };
const int NTERMS = 2, MidGame = 256, Tempo = 15;
struct TTuple { int16_t index, coeff; };
struct TEntry { int16_t seval, phase, turn, ntuples; int eval; double result, scale, pfactors[2]; TTuple *tuples; };
typedef double TVector[NTERMS][2];
static double LinearEvaluation(TEntry *entry, TVector params, int) {
    double ends[2] = {0, 0};
    for (int i = 0; i < entry->ntuples; i++)
        for (int end = MG; end <= EG; end++) ends[end] += entry->tuples[i].coeff * params[entry->tuples[i].index][end];
    double eval = (ends[MG] * entry->phase + ends[EG] * (MidGame - entry->phase) * entry->scale) / MidGame;
    return eval + (entry->turn == WHITE ? Tempo : -Tempo);
}
"#,
    r#"int main() {
    TTuple tuples[] = {{0, 2}, {1, -1}, {0, 9}};
    TEntry entries[] = {
        {-3, 192, WHITE, 2, 0, 0.5, 1, {0.75, 0.25}, tuples},
        {0, 192, WHITE, 2, 0, 0.5, 0.5, {0.75, 0.25}, tuples},
        {90, 256, BLACK, 1, 0, 1, 1, {1, 0}, tuples + 2},
    };
    TVector base = {{10, 20}, {30, 50}};
    WriteRows(entries, 3, base);
}
"#,
];

/// An engine whose positions are numbers, around the lines of the page.
const NUMBERS: [&str; 2] = [
    r#"#include <cstdlib>
#include <cstring>
enum { TEXAM_COLUMNS = 1, MATE = 30000 };
#include "texam_rows.h"
struct Position { int number, is_white; };
typedef int Move;
static int evaluate(const Position *position, texam_trace *trace) {
    texam_add_count(trace, 0, position->number);
    return position->is_white ? position->number : -position->number;
}
static int generate_captures(const Position *position, Move *moves) { moves[0] = 3; return position->number % 2 == 0; }
static int generate_moves(const Position *, Move *moves) { moves[0] = 1; moves[1] = 2; return 2; }
static int make_move(Position *position, Move move) {
    position->number += move;
    position->is_white = !position->is_white;
    return position->number != 21;
}
static const char *move_text(Move move) { return move == 1 ? "a1" : "a2"; }
static int parse_fen(const char *fen, Position *position) {
    position->is_white = 1;
    return sscanf(fen, "%d", &position->number) == 1;
}
"#,
    r#"
int main() {
    char lines[3][10] = {"5;a2;7", "5;0.5;8", "19;a1;9"};
    for (int number = 0; number < 3; number++) print_rows(lines[number], number + 1);
}
"#,
];

fn the_lines_of_the_page_count_where_captures_end(compiler: &Cxx) {
    let page = fs::read_to_string("docs/FOREIGN.md").unwrap();
    let (code, _) = page.split_once("```c\n").unwrap().1.split_once("```").unwrap();
    let bench = Bench::new(0);
    bench.write("engine.cpp", [NUMBERS[0], code, NUMBERS[1]].concat());
    fs::copy(example("texam_rows.h"), bench.path("texam_rows.h")).unwrap();
    compiler.compile(bench.folder.path(), &words("-std=c++17 -o engine engine.cpp"));
    let output = Command::new(bench.path("engine")).output().unwrap();
    // From 5, a1 leads to 6, then Black plays 7 and not 8, which a capture would make 11. Nobody can
    // go to 21: from 19, a1 leads to 20, 22 and, by a capture, 25.
    let expected = "0 qid:1 value:7 1:7 # game:7\n1 qid:1 value:9 1:9 # game:7\n0.5 1:5 # game:8\n1 qid:3 value:25 1:25 # game:9\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

fn the_lines_for_a_tuner_write_rows_that_give_its_values(compiler: &Cxx) {
    let page = fs::read_to_string("docs/FOREIGN.md").unwrap();
    let page = page.split_once("## You already have a tuner").unwrap().1;
    let table = "name,value,tune\nw0.o,10,true\nw0.e,20,true\nw1.o,30,true\nw1.e,50,true\nrest,1,false\n";
    let rows = "0.5 phase:0.25 1+:2 3+:-1 5:7\n1 phase:0 1+:9 5:0\n";
    for (fence, [before, after]) in [("```cpp\n", TEXEL_TUNER), ("```c\n", WEISS)] {
        let (code, _) = page.split_once(fence).unwrap().1.split_once("```").unwrap();
        let bench = Bench::new(0);
        bench.write("dump.cpp", [before, code, after].concat());
        compiler.compile(bench.folder.path(), &words("-std=c++17 -o dump dump.cpp"));
        assert!(
            Command::new(bench.path("dump")).current_dir(bench.folder.path()).status().unwrap().success()
        );
        assert_eq!(fs::read_to_string(bench.path("weights.csv")).unwrap(), table, "{fence}");
        assert_eq!(fs::read_to_string(bench.path("rows.txt")).unwrap(), rows, "{fence}");
        let (choices, weights) = (bench.path("rows.txt"), bench.path("weights.csv"));
        let valued = rows.replacen(" phase", " value:-3 phase", 1).replacen("1 phase", "1 value:90 phase", 1);
        fs::write(&choices, valued).unwrap();
        let fit = format!(
            "--choices {choices} --weights {weights} --objective logistic --iterations 0 --holdout none"
        );
        succeeds(&bench.bare_fit("out", &fit));
    }
}
