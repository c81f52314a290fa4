//! `texam eval` and `texam search`: what they show belongs together, position by position.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};

use crate::support::*;

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Positions after random moves, from the opening to the endgame.
fn random_positions(count: u64) -> Vec<String> {
    let random = |seed: u64| {
        let mut rng = Rng::with_seed(seed);
        let mut position = Chess::default();
        for _ in 0..4 + 9 * seed {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.usize(..moves.len())]);
        }
        fen_of(&position)
    };
    (0..count).map(random).collect()
}

/// The same position with the colours exchanged.
fn mirrored(fen: &str) -> String {
    let swap = |text: &str| -> String {
        let other = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(other).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<&str> = fields[0].rsplit('/').collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    format!("{} {turn} {} {en_passant} 0 1", swap(&ranks.join("/")), swap(fields[2]))
}

fn eval(fen: &str, options: &str) -> Value {
    let eval = json(&[&["eval", fen, "--json"][..], &words(options)].concat());
    require(&eval, &["fen", "phase", "total", "features"]);
    eval
}

/// Name of a feature as `texam search` has it, and a field of it.
fn by_name<'a>(eval: &'a Value, field: &'a str) -> impl Iterator<Item = (String, f64)> + 'a {
    list(eval, "features").iter().map(move |row| {
        let key = row["key"].as_str().unwrap();
        let name = row["cell"].as_str().map_or(key.to_string(), |cell| format!("{key}[{cell}]"));
        (name, number(row, field))
    })
}

#[test]
fn the_contributions_are_weight_times_count_and_add_up_to_the_total() {
    for fen in random_positions(12) {
        for options in ["", "--phase madchess", "--par params/material.par --phase none"] {
            let eval = eval(&fen, options);
            let mut sum = 0.0;
            for row in list(&eval, "features") {
                require(row, &["key", "cell", "count", "weight", "contribution"]);
                assert_eq!(number(row, "contribution"), number(row, "count") * number(row, "weight"));
                sum += number(row, "contribution");
            }
            assert_eq!(sum, number(&eval, "total"), "{fen}");
            assert!((0.0..=256.0).contains(&number(&eval, "phase")));
            assert_eq!(eval["fen"], *fen);
        }
    }
}

#[test]
fn exchanged_colours_turn_every_contribution_round() {
    for fen in random_positions(12) {
        let (one, other) = (eval(&fen, ""), eval(&mirrored(&fen), ""));
        assert_eq!(number(&one, "total"), -number(&other, "total"), "{fen}");
        assert_eq!(one["phase"], other["phase"], "{fen}");
        for ((name, there), (_, back)) in by_name(&one, "contribution").zip(by_name(&other, "contribution")) {
            assert_eq!(there, -back, "{name} of {fen}");
        }
    }
}

#[test]
fn eval_shows_in_words_what_it_gives_as_json() {
    for fen in random_positions(3) {
        let shown = succeeds(&["eval", &fen]);
        let eval = eval(&fen, "");
        let occurring = list(&eval, "features").iter().filter(|row| row["count"] != 0).count();
        let table = shown.lines().skip_while(|line| !line.starts_with("feature ")).skip(1);
        let rows: Vec<&str> = table.take_while(|line| !line.starts_with("total ")).collect();
        assert_eq!(rows.len(), occurring, "{shown}");
        assert!(shown.contains(&format!("{:+.3}\n", number(&eval, "total"))), "{shown}");
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{shown}");
    }
}

fn search(fen: &str, options: &str) -> Value {
    let search = json(&[&["search", fen, "--json"][..], &words(options)].concat());
    require(&search, &["fen", "root", "moves"]);
    search
}

/// Castling, promotions, en passant, mates and stalemates near, checks, one move only.
const SPARSE: [&str; 9] = [
    "8/P6k/8/8/8/8/6Kp/8 w - - 0 1",
    "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    "8/8/4k3/8/5n2/3K4/8/8 w - - 0 1",
    "8/8/4k3/3p4/8/3K4/4B3/8 w - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/7b/8/3PP3/3QK3 w - - 0 1",
];

const FULL: [&str; 4] = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "3q1rk1/1P3ppp/8/8/8/8/5PPP/5RK1 w - - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r4rk1/pp2ppbp/2np1np1/8/2P1P3/2N1BP2/PP4PP/R2QKB1R b KQ - 0 10",
];

/// Positions with the depth at which the reference is quick enough.
fn positions_and_depths() -> impl Iterator<Item = (&'static str, u32)> {
    SPARSE.into_iter().map(|fen| (fen, 3)).chain(FULL.into_iter().zip([2, 2, 2, 1]))
}

#[test]
fn both_searches_show_the_same_moves_values_lines_and_features() {
    for (fen, depth) in positions_and_depths() {
        for more in ["", "--root search --phase-at root", "--par params/material.par --root static"] {
            let options = format!("--depth {depth} {more}");
            let fast = search(fen, &options);
            let plain = search(fen, &format!("{options} --plain"));
            assert_eq!(fast["moves"], plain["moves"], "{fen} {options}");
            assert_eq!(fast["root"], plain["root"], "{fen} {options}");
        }
    }
}

#[test]
fn moves_come_best_first_and_ranks_count_what_is_strictly_above() {
    for (fen, depth) in positions_and_depths() {
        let search = search(fen, &format!("--depth {depth}"));
        let moves = list(&search, "moves");
        assert_eq!(moves.len(), position(fen).legal_moves().len());
        let values: Vec<f64> = moves.iter().map(|row| number(row, "value")).collect();
        for (row, &value) in moves.iter().zip(&values) {
            require(row, &["move", "value", "rank", "line", "in_bound", "phase", "features"]);
            assert_eq!(list(row, "line")[0], row["move"]);
            assert_eq!(number(row, "rank"), values.iter().filter(|&&v| v > value).count() as f64);
            let near = (value - number(&search, "root")).abs() <= 64.0 && value.abs() < 29_000.0;
            assert_eq!(row["in_bound"], near, "{row}");
        }
        assert!(values.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn the_window_shows_the_exact_thing_in_bound_and_nothing_else_outside() {
    let (mut inside, mut outside) = (0, 0);
    for (fen, depth) in positions_and_depths() {
        for more in ["", "--threshold 10", "--threshold none"] {
            let options = format!("--depth {depth} {more}");
            let exact = search(fen, &options);
            let seen = search(fen, &format!("{options} --window"));
            assert_eq!(exact["root"], seen["root"]);
            for row in list(&seen, "moves") {
                let same = list(&exact, "moves").iter().find(|other| other["move"] == row["move"]).unwrap();
                assert_eq!(row["in_bound"], same["in_bound"], "{fen} {row}");
                if row["in_bound"] == true {
                    assert_eq!(row, same, "{fen}");
                    inside += 1;
                } else {
                    assert!(row["value"].is_null(), "{fen} {row}");
                    outside += 1;
                }
            }
        }
    }
    assert!(inside > 100 && outside > 100, "{inside} inside, {outside} outside");
}

#[test]
fn the_value_of_a_move_is_that_of_the_leaf_of_its_line() {
    for (fen, depth) in [(FULL[0], 2), (FULL[2], 3), (FULL[3], 2), (SPARSE[0], 3), (SPARSE[6], 3)] {
        let root = position(fen);
        for row in list(&search(fen, &format!("--depth {depth}")), "moves") {
            let mut leaf = root.clone();
            for mv in list(row, "line") {
                let mv: UciMove = mv.as_str().unwrap().parse().unwrap();
                leaf.play_unchecked(mv.to_move(&leaf).unwrap());
            }
            let features = row["features"].as_object().unwrap();
            if features.is_empty() {
                let mate = number(row, "value").abs() > 29_000.0;
                assert_eq!(mate, leaf.is_checkmate(), "{fen} {row}");
                continue;
            }
            let eval = eval(&fen_of(&leaf), "");
            let sign = if root.turn().is_white() { 1.0 } else { -1.0 };
            assert_eq!(number(row, "value"), sign * number(&eval, "total"), "{fen} {row}");
            assert_eq!(row["phase"], eval["phase"]);
            let counts: BTreeMap<String, f64> =
                by_name(&eval, "count").filter(|&(_, count)| count != 0.0).collect();
            let carried: BTreeMap<String, f64> =
                features.iter().map(|(name, count)| (name.clone(), count.as_f64().unwrap())).collect();
            assert_eq!(carried, counts, "{fen} {row}");
        }
    }
}

#[test]
fn without_a_legal_move_the_list_is_empty_and_the_end_is_good() {
    for (fen, root, word) in [
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", -30_000.0, "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0.0, "stalemate"),
    ] {
        for options in ["", "--plain", "--window", "--root search"] {
            let search = search(fen, options);
            assert!(list(&search, "moves").is_empty());
            assert_eq!(number(&search, "root"), root, "{fen} {options}");
        }
        assert!(succeeds(&["search", fen]).contains(word));
        eval(fen, "");
    }
}

#[test]
fn bare_kings_are_worth_nothing_to_the_search() {
    let fen = "8/8/4k3/8/8/3K4/8/8 w - - 0 1";
    let search = search(fen, "");
    assert_eq!(list(&search, "moves").len(), 8);
    for row in list(&search, "moves") {
        assert_eq!((number(row, "value"), number(row, "rank")), (0.0, 0.0));
        assert!(row["features"].as_object().unwrap().is_empty());
    }
    assert!(number(&eval(fen, ""), "phase") == 256.0);
}

#[test]
fn a_mate_is_shown_as_a_number_of_moves() {
    let shown = succeeds(&["search", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"]);
    let best = shown.lines().skip_while(|line| !line.starts_with("rank ")).nth(1).unwrap();
    assert_eq!(words(best), ["0", "Rd8#", "mate", "+1", "out", "Rd8#"]);
}

#[test]
fn quiet_checks_are_an_option_of_every_search() {
    let fen = "6k1/p4ppp/8/8/8/8/8/K2R4 b - - 0 1";
    let value = |options: &str| {
        let search = search(fen, &format!("--depth 1 {options}"));
        let moves = list(&search, "moves");
        let value = moves.iter().find(|row| row["move"] == "a7a6").map(|row| number(row, "value"));
        value.unwrap()
    };
    assert!(value("") > -1000.0);
    assert_eq!((value("--checks 1"), value("--checks 1 --plain")), (-29_998.0, -29_998.0));
    let signature = |options: &str| {
        let bench =
            succeeds(&format!("bench --positions 4 --depth 1 {options}").split(' ').collect::<Vec<_>>());
        bench.lines().find(|line| line.starts_with("signature")).unwrap().to_string()
    };
    assert_eq!(signature("--checks 2"), signature("--checks 2 --plain"));
    assert_ne!(signature("--checks 2"), signature("--checks 0"));
}

#[test]
fn a_run_without_quiescence_or_with_quiet_checks_says_so_finds_other_leaves_and_goes_on_like_that() {
    let bench = Bench::new(0);
    let fit = |line: &str| succeeds(&words(&format!("fit --out {} {line}", bench.path("out"))));
    let begin = |name: &str, more: &str| {
        fit(&format!("--depth 1 --every 400 --min-support 5 --overwrite --name {name} {more}"));
    };
    let read = |name: &str| std::fs::read_to_string(bench.path(&format!("out/{name}"))).unwrap();
    begin("usual", "--iterations 2");
    assert!(read("usual.stat").contains("\ndepth        1\nquiescence   on\nchecks       0\nphase "));
    for (option, value, said) in [
        ("quiescence", "off", "\ndepth        1\nquiescence   off\nchecks       0\nphase "),
        ("checks", "1", "\ndepth        1\nquiescence   on\nchecks       1\nphase "),
    ] {
        begin("a", &format!("--{option} {value} --iterations 1"));
        fit("--resume a --iterations 2");
        begin("b", &format!("--{option} {value} --iterations 2"));
        assert!(read("a.stat").contains(said), "{}", read("a.stat"));
        assert_eq!([read("a.stat"), read("a.json")], [read("b.stat"), read("b.json")]);
        assert_ne!(read("a-02.par"), read("usual-02.par"));
        succeeds(&["report", &bench.path("out/a.stat"), "--overwrite"]);
        assert!(read("a.html").contains(&format!("--{option}</code></th><td><code>{value}<")));
    }
    let both = "fit --quiescence off --checks 1";
    fails(&words(both), &["option checks: expected 0 without quiescence, but found 1"]);
}
