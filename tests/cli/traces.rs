//! `texam eval --trace`: the evaluation along a game.

use std::fs;

use serde_json::Value;

use crate::support::*;

fn trace(game: &str, options: &str) -> Value {
    let trace = json(&[&["eval", "--trace", game, "--json"][..], &words(options)].concat());
    require(
        &trace,
        &["games", "game", "white", "black", "event", "date", "winner", "par", "scheme", "depth"],
    );
    require(&trace, &["positions", "steps", "jumps"]);
    trace
}

/// Figures of a list of changes as the command gives them.
fn assert_figures(figures: &Value, changes: &[f64]) {
    let nonzero = changes.iter().filter(|change| **change != 0.0).count();
    assert_eq!(
        (number(figures, "count"), number(figures, "nonzero")),
        (changes.len() as f64, nonzero as f64)
    );
    let mean = changes.iter().map(|change| change.abs()).sum::<f64>() / changes.len() as f64;
    assert!((number(figures, "mean") - mean).abs() < 1e-9);
    let most = changes.iter().fold(0.0f64, |most, change| most.max(change.abs()));
    match figures["ply"].as_u64() {
        Some(ply) => assert_eq!(
            (changes[ply as usize], number(figures, "largest").abs()),
            (number(figures, "largest"), most)
        ),
        None => assert_eq!((most, &figures["largest"]), (0.0, &Value::Null)),
    }
}

#[test]
fn every_position_of_the_game_is_there_and_the_figures_are_made_of_them() {
    let bench = Bench::new(3);
    let game = format!("{}:2", bench.games());
    for options in ["--depth 1", "--depth 2 --phase rustic --par params/gm1988.par", "--depth 1 --phase none"]
    {
        let trace = trace(&game, options);
        let positions = list(&trace, "positions");
        let moves = first_games(2).split("[Event ").last().unwrap().matches(". ").count();
        assert!(positions.len() >= 2 * moves - 1, "{} positions of {moves} moves", positions.len());
        for (ply, position) in positions.iter().enumerate() {
            require(position, &["ply", "move", "name", "fen", "phase", "leaf", "root", "none", "jump"]);
            assert_eq!(number(position, "ply"), ply as f64);
            let eval = json(
                &[&["eval", position["fen"].as_str().unwrap(), "--json"][..], &words(options)[2..]].concat(),
            );
            assert_eq!(eval["phase"], position["phase"], "{position}");
            assert_eq!(position["jump"].is_null(), ply + 1 == positions.len());
        }
        let jumps: Vec<f64> = positions.iter().filter_map(|position| position["jump"].as_f64()).collect();
        assert_figures(&trace["jumps"], &jumps);
        for way in ["leaf", "root", "none"] {
            let values: Vec<f64> = positions.iter().map(|position| number(position, way)).collect();
            let steps: Vec<f64> = values.windows(3).map(|three| three[2] - three[0]).collect();
            assert_figures(&trace["steps"][way], &steps);
        }
        assert_eq!(number(&trace["jumps"], "nonzero") > 0.0, !options.contains("none"), "{options}");
    }
}

#[test]
fn the_phase_at_the_leaf_gives_the_value_that_a_search_gives() {
    let bench = Bench::new(1);
    let trace = trace(&format!("{}:1", bench.games()), "--depth 1");
    let positions = list(&trace, "positions");
    for position in positions.iter().skip(20).step_by(25) {
        let fen = position["fen"].as_str().unwrap();
        let sign = if fen.contains(" w ") { 1.0 } else { -1.0 };
        for (way, options) in [("leaf", ""), ("root", "--phase-at root"), ("none", "--phase none")] {
            let line = words(options);
            let search = json(&[&["search", fen, "--depth", "1", "--json"][..], &line].concat());
            let best = number(&list(&search, "moves")[0], "value");
            assert_eq!(number(position, way), sign * best, "{way} of {fen}");
        }
    }
}

#[test]
fn the_text_has_a_line_for_each_position_and_says_where_the_largest_jump_is() {
    let bench = Bench::new(1);
    let game = format!("{}:1", bench.games());
    let trace = trace(&game, "--depth 1");
    let shown = succeeds(&["eval", "--trace", &game, "--depth", "1"]);
    let table = shown.lines().skip_while(|line| !line.starts_with("ply ")).skip(1);
    let rows: Vec<&str> = table.take_while(|line| !line.is_empty()).collect();
    assert_eq!(rows.len(), list(&trace, "positions").len(), "{shown}");
    assert!(shown.starts_with("game 1 of ") && shown.contains("Keres, Paul - Reshevsky, Samuel, 0-1"));
    let ply = number(&trace["jumps"], "ply") as usize;
    let name = |ply: usize| list(&trace, "positions")[ply]["name"].as_str().unwrap().to_string();
    let largest = number(&trace["jumps"], "largest");
    let line = format!("largest {largest:+.1} from {} to {}", name(ply), name(ply + 1));
    assert!(shown.lines().any(|l| l.starts_with("jump root") && l.ends_with(&line)), "{line}\n{shown}");
    assert!(rows.iter().all(|row| row.len() == rows[0].len() && row.len() <= 80), "{shown}");
}

#[test]
fn games_may_come_in_by_the_pipe() {
    let output = run_with_input("eval --trace -:2 --depth 1 --json", first_games(2).as_bytes());
    let piped = object(text(&output.stdout));
    let bench = Bench::new(2);
    let named = trace(&format!("{}:2", bench.games()), "--depth 1");
    assert_eq!(piped["positions"], named["positions"]);
}

#[test]
fn a_picture_goes_to_a_file_and_the_json_stays_what_it_is() {
    let bench = Bench::new(1);
    let game = format!("{}:1", bench.games());
    let svg = bench.path("trace.svg");
    let drawn = succeeds(&["eval", "--trace", &game, "--depth", "1", "-o", &svg]);
    assert_eq!(drawn, format!("wrote {svg}\n"));
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("Reshevsky") && picture.contains("madchess"));
    assert!(picture.contains("viewBox=\"0 0 720 "), "narrow enough for a page to show it in full size");
    let other = bench.path("other.svg");
    assert_eq!(trace(&game, &format!("--depth 1 -o {other}")), trace(&game, "--depth 1"));
    assert_eq!(std::fs::read_to_string(&other).unwrap(), picture);
    fails(&["eval", "--trace", &game, "-o", &bench.path("trace.pdf")], &["trace.pdf", ".svg or .png"]);
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    fails(&["eval", fen, "-o", &svg], &["--output", "cannot be used with"]);
}

#[test]
fn a_game_that_is_not_there_is_an_error_with_its_neighbours() {
    let bench = Bench::new(3);
    let name = |number: &str| format!("{}:{number}", bench.games());
    fails(&["eval", "--trace", &name("4")], &["games.pgn", "a game with a winner", "4; near it: 2, 3"]);
    fails(&["eval", "--trace", &name("0")], &["GAMES:NUMBER"]);
    fails(&["eval", "--trace", bench.games()], &["GAMES:NUMBER"]);
    fails(
        &["eval", "--trace", &bench.path("none.pgn:1")],
        &["none.pgn", "cannot read this file; check the name"],
    );
    let broken = bench.write("broken.pgn", first_games(2).replacen("9. Qe2", "9. Qa8", 1));
    fails(&["eval", "--trace", &format!("{broken}:1")], &["broken.pgn, game 1, move 9", "Qa8"]);
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    fails(&["eval", fen, "--trace", &name("1")], &["--trace", "cannot be used with"]);
    fails(&["eval", fen, "--depth", "1"], &["--depth", "cannot be used with"]);
}

#[test]
fn a_database_that_is_damaged_behind_the_game_is_refused_too() {
    let bench = Bench::new(4);
    let database = bench.path("games.dbf");
    succeeds(&["presearch", bench.games(), "-o", &database, "--depth", "1"]);
    let line = ["eval".to_string(), "--trace".into(), format!("{database}:1"), "--depth".into(), "1".into()];
    succeeds(&line);
    let mut bytes = fs::read(&database).unwrap();
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    fs::write(&database, bytes).unwrap();
    fails(&line, &["games.dbf", "make it again from its games"]);
}
