//! `texam tables`: the tables of Deep Thought give the value of the features that they carry, in every
//! position.

use std::{collections::BTreeSet, fs};

use serde_json::Value;
use shakmaty::Chess;
use texam::{
    eval::{self, Placement},
    feature::{Group, Key, Mode, Setting, Weights},
    game::{self, GameOptions, WinnerPosition},
    par,
    show::machine::{self, PhaseWeights, Table},
};

use crate::{export::positions, support::*};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ENDGAME: &str = "8/1p3r1k/p5pp/3P4/1P3P2/6P1/P4RK1/8 w - - 0 40";

/// Positions of the shipped games from the opening to the endgame, and some with more pieces than games have.
fn some_positions() -> Vec<Placement> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/games/gm1988.pgn");
    let all = game::load(path, &GameOptions::default(), 1, &mut |_| {}).unwrap();
    let shipped = all.positions.iter().step_by(12).map(WinnerPosition::position);
    let shipped: Vec<Chess> = shipped.collect();
    assert!(shipped.len() > 2000);
    let odd = positions::all().iter().map(positions::Odd::placement);
    shipped.iter().map(Placement::from).chain(odd).collect()
}

/// Weights with all tables free and all optional features on, no two alike.
fn distinct_weights() -> Weights {
    let mut weights = Weights::start();
    let mut next = 0.0;
    for &key in Key::ALL.iter().filter(|key| key.feature().group != Group::Phase) {
        let cells = key.feature().layout.cells();
        let mode = if key.feature().layout.is_table() { Mode::Cells } else { Mode::Scalar };
        let mut values = || {
            let values = (0..cells).map(|cell| next + 0.75 * cell as f64).collect();
            next += 0.75 * cells as f64;
            values
        };
        *weights.setting_mut(key) = Setting { mode, open: values(), end: values(), tune: vec![true; cells] };
    }
    weights
}

#[test]
fn tables_and_registers_give_the_exact_value_of_the_features_that_they_carry() {
    let positions = some_positions();
    let sets = ["best", "gm1988"].map(|name| par::read(name).unwrap().weights);
    let mut occurring = BTreeSet::new();
    for (weights, phases) in sets.iter().chain([&distinct_weights()]).zip([[0, 101], [256, 37], [0, 190]]) {
        let weights = weights.quantised();
        for phase in phases {
            let set = PhaseWeights { weights: &weights, phase };
            let tables = set.tables();
            for placement in &positions {
                let counts = eval::features(placement, weights.extras());
                let read = machine::read(&tables, placement, &counts);
                let value =
                    |table: &Table| -> i64 { table.carries.iter().map(|&key| set.value(key, &counts)).sum() };
                let pawns: i64 = read[1..5].iter().sum();
                assert_eq!(read[0], value(&tables[0]), "placement: {placement:?}");
                assert_eq!(pawns, value(&tables[1]), "pawns: {placement:?}");
                assert_eq!(read[5], value(&tables[5]), "rooks: {placement:?}");
                assert_eq!(read[6], value(&tables[6]), "registers: {placement:?}");
                occurring.extend(counts.iter().map(|(cell, _)| Key::of_cell(cell).0));
            }
            let carried = tables.iter().flat_map(|table| &table.carries);
            assert!(phase != 190 || carried.into_iter().all(|key| occurring.contains(key)), "{occurring:?}");
        }
    }
}

#[test]
fn the_tables_have_the_sizes_of_the_record_and_no_feature_is_in_two() {
    let weights = distinct_weights().quantised();
    let tables = PhaseWeights { weights: &weights, phase: 0 }.tables();
    let sizes: Vec<usize> = tables.iter().map(|table| table.entries.len()).collect();
    assert_eq!(sizes, [1024, 8192, 8192, 8192, 8192, 2048, 12]);
    let mut seen = BTreeSet::new();
    let kinds = tables.chunk_by(|a, b| a.carries == b.carries).map(|tables| &tables[0]);
    kinds.flat_map(|table| &table.carries).for_each(|&key| assert!(seen.insert(key), "{key:?}"));
    assert_eq!(seen.len(), 19 + 12 + 8 + 5 + 12);
}

fn tables(root: &str, more: &str) -> Value {
    json(&[&["tables", root, "--json"][..], &words(more)].concat())
}

#[test]
fn tables_of_the_start_are_shown_as_text() {
    insta::assert_snapshot!(succeeds(&["tables", START, "--par", "best"]));
}

#[test]
fn the_root_is_the_start_a_position_as_an_argument_or_as_an_option() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(json(&["tables", "--json"]), json(&["tables", start, "--json"]));
    let ending = "8/1p3r1k/p5pp/3P4/1P3P2/6P1/P4RK1/8 w - - 0 40";
    let by_option = json(&["tables", "--fen", ending, "--json"]);
    assert_eq!(by_option, json(&["tables", ending, "--json"]));
    assert_ne!(by_option, json(&["tables", "--json"]));
    fails(&["tables", "--fen", "8/8 w"], &["8/8 w"]);
}

#[test]
fn the_value_of_the_tables_and_what_they_leave_out_make_the_value_of_eval() {
    for root in [START, ENDGAME] {
        let report = tables(root, "--par gm1988");
        let eval = json(&["eval", root, "--par", "gm1988", "--json"]);
        assert_eq!((&report["total"], &report["phase"]), (&eval["total"], &eval["phase"]));
        assert_eq!(report["from_tables"], report["same_features"]);
        let left_out = report["left_out"].as_object().unwrap();
        let others: f64 = left_out.values().map(|value| value.as_f64().unwrap()).sum();
        assert_eq!(number(&report, "from_tables") + others, number(&report, "total"));
        let sum: f64 = list(&report, "tables").iter().map(|table| number(table, "value")).sum();
        assert_eq!(sum, number(&report, "from_tables"));
    }
    let share = number(&tables(ENDGAME, ""), "left_out_share");
    assert!(share > 0.0 && share < 1.0, "{share}");
    assert_eq!(number(&tables(START, "--par params/material.par"), "total"), 0.0);
}

#[test]
fn a_folder_has_a_file_for_each_table_and_an_existing_one_stays_as_it_is() {
    let bench = Bench::new(1);
    let game = format!("{}:1", bench.games());
    let made = bench.path("made");
    let shown = succeeds(&["tables", &game, "--move", "20..", "-o", &made]);
    assert_eq!(shown, format!("wrote 7 tables to {made}\n"));
    let names = ["pawns-ah", "pawns-bg", "pawns-cf", "pawns-de", "placement", "registers", "rooks"];
    assert_eq!(bench.names("made"), names.map(|name| format!("{name}.csv")));
    let report = tables(&game, "--move 20..");
    for table in list(&report, "tables") {
        let path = format!("{made}/{}.csv", table["name"].as_str().unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let values: Vec<&str> = text.lines().skip(1).map(|line| line.rsplit_once(',').unwrap().1).collect();
        let nonzero = values.iter().filter(|value| value.parse::<f64>().is_ok_and(|value| value != 0.0));
        assert_eq!((values.len(), nonzero.count()), (count(table, "entries"), count(table, "nonzero")));
    }
    let before = bench.files("made");
    for taken in [made, bench.games().to_string(), bench.path("")] {
        fails(&["tables", START, "-o", &taken], &["expected the name of a new folder", "choose another"]);
    }
    fails(&["tables", START, "-o", &bench.path("no/made")], &["made: cannot make this folder"]);
    assert_same_files(&bench.files("made"), &before);
    assert_eq!(fs::read_dir(bench.folder.path()).unwrap().count(), 2);
}

/// The value of the line of a table that begins with these fields, after its address.
fn entry(text: &str, fields: &str) -> f64 {
    let mut found = text.lines().filter_map(|line| {
        let (_, words) = line.split_once(',')?;
        words.strip_prefix(fields)?.strip_prefix(',')
    });
    let value = found.next().unwrap_or_else(|| panic!("no line for {fields}")).parse();
    assert_eq!(found.next(), None, "{fields}");
    value.unwrap()
}

#[test]
fn the_files_can_be_read_by_the_names_of_fields_and_registers() {
    let bench = Bench::new(1);
    let made = bench.path("made");
    succeeds(&["tables", ENDGAME, "--par", "gm1988", "-o", &made]);
    let file = |name: &str| fs::read_to_string(format!("{made}/{name}.csv")).unwrap();
    let report = tables(ENDGAME, "--par gm1988");
    let value = |table: usize| number(&report["tables"][table], "value");
    let [placement, pawns, rooks] = ["placement", "pawns-de", "rooks"].map(file);

    assert!(placement.starts_with("address,colour,piece,square,value\r\n0,white,-,a1,\r\n"));
    assert!(placement.contains("\r\n156,white,knight,e4,") && placement.contains("\r\n612,black,pawn,e5,"));
    let men = "white king g2, white rook f2, white pawn a2, white pawn b4, white pawn d5, white pawn f4, white pawn g3, \
               black king h7, black rook f7, black pawn a6, black pawn b7, black pawn g6, black pawn h6";
    let sum: f64 = men.split(", ").map(|man| entry(&placement, &man.replace(' ', ","))).sum();
    assert_eq!(sum, value(0));
    assert_eq!(entry(&placement, "white,rook,f2"), -entry(&placement, "black,rook,f7"));

    assert!(pawns.starts_with("address,colour,own_pawns,beside,defended,enemy_pawn,enemy_rank,value\r\n"));
    assert!(pawns.contains("\r\n256,white,---5--,0,0,0,0,"));
    assert_eq!(entry(&pawns, "white,---5--,0,0,0,0"), value(4));

    assert!(rooks.starts_with("address,colour,square,own_pawn,enemy_pawn,enemy_king,marked,value\r\n"));
    assert!(rooks.contains("\r\n217,white,f2,1,0,0,1,"));
    assert_eq!(entry(&rooks, "white,f2,1,0,0,1") + entry(&rooks, "black,f7,0,1,1,0"), value(5));

    let names: Vec<String> =
        file("registers").lines().map(|line| line.split(',').next().unwrap().into()).collect();
    assert_eq!(names[..3], ["register", "b_pair", "tempo"]);
    assert!(names[1..].iter().all(|name| report["registers"][name].is_f64()), "{names:?}");
}

fn count(value: &Value, field: &str) -> usize {
    number(value, field) as usize
}

#[test]
fn the_time_is_printed_beside_the_result() {
    let output = run(&["tables", START, "--time", "--json"]);
    assert_eq!(text(&output.stdout), succeeds(&["tables", START, "--json"]));
    assert!(text(&output.stderr).starts_with("filled in ") && text(&output.stderr).ends_with("s\n"));
}
