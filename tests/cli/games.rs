//! `texam games`, and positions of games in place of a FEN.

use serde_json::Value;

use crate::support::*;

const SHIPPED: &str = "games/gm1988.pgn";

fn numbers(list: &Value) -> Vec<u64> {
    self::list(list, "list").iter().map(|row| row["number"].as_u64().unwrap()).collect()
}

#[test]
fn without_words_all_games_are_listed_within_80_columns_and_counted() {
    let shown = succeeds(&["games"]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 868 + 1);
    assert!(lines.iter().all(|line| line.chars().count() <= 80));
    assert_eq!(lines[0], "  1  Keres, P          Reshevsky, S      1948  0-1  1.e4 e5 2.Nf3 Nc6 3.Bb5 a6");
    assert_eq!(lines[868], "868 games with a winner in games/gm1988.pgn");
    let moves = lines[0].find("1.").unwrap();
    assert!(lines[..868].iter().all(|line| line[moves..].starts_with("1.")), "{shown}");
}

#[test]
fn words_filter_and_the_numbers_are_those_of_the_trace() {
    let found = json(&["games", "FISCHER", "1-0", "--json"]);
    require(&found, &["games", "decisive", "list"]);
    assert_eq!((found["games"].as_str(), number(&found, "decisive")), (Some(SHIPPED), 868.0));
    let rows = list(&found, "list");
    assert!(rows.len() > 5);
    for row in rows {
        require(row, &["number", "white", "black", "event", "date", "year", "result", "opening"]);
        let players = format!("{} {}", row["white"], row["black"]);
        assert!(players.contains("Fischer") && row["result"] == "1-0", "{row}");
        assert_eq!(list(row, "opening").len(), 8);
    }
    let first = &rows[0];
    let trace =
        json(&["eval", "--trace", &format!("{SHIPPED}:{}", first["number"]), "--depth", "1", "--json"]);
    assert_eq!((&trace["white"], &trace["date"]), (&first["white"], &first["date"]));
    let shown = succeeds(&["games", "fischer", "1-0"]);
    assert!(
        shown.ends_with(&format!("{} games, of 868 with a winner in {SHIPPED}\n", rows.len())),
        "{shown}"
    );
}

#[test]
fn undecided_games_are_counted_in_the_numbers_and_left_out_also_of_a_database() {
    let bench = Bench::new(0);
    let games = format!("{}\n\n[White \"X\"]\n\n1. e4 1/2-1/2\n\n{}", first_games(1), first_games(2));
    let pgn = bench.write("mixed.pgn", games);
    assert_eq!(numbers(&json(&["games", "--games", &pgn, "--json"])), [1, 3, 4]);
    let dbf = bench.path("mixed.dbf");
    succeeds(&["presearch", &pgn, "-o", &dbf, "--depth", "1"]);
    assert_eq!(numbers(&json(&["games", "--games", &dbf, "--json"])), [1, 3, 4]);
    let output = run_with_input("games --games - --json", first_games(3).as_bytes());
    assert_eq!(numbers(&object(text(&output.stdout))), [1, 2, 3], "from standard input, where it is named");
}

#[test]
fn without_a_match_the_end_is_1_and_says_so() {
    let output = run(&["games", "keres", "nobody"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    let error = text(&output.stderr);
    assert!(error.contains("none of the 868 games of games/gm1988.pgn matches \"keres nobody\""), "{error}");
    let output = run(&["games", "nobody", "--json"]);
    assert_eq!((output.status.code(), numbers(&object(text(&output.stdout)))), (Some(1), vec![]));
}

#[test]
fn the_games_of_deep_thought_are_a_collection_of_their_own_with_a_name_in_one_word_or_two() {
    let all = json(&["games", "deep-thought", "--json"]);
    assert_eq!((&all["games"], list(&all, "list").len()), (&"games/deep-thought.pgn".into(), 11));
    for game in list(&all, "list") {
        assert!(game["white"] == "Deep Thought" || game["black"] == "Deep Thought", "{game}");
    }
    assert_eq!(json(&["games", "Deep", "thought", "--json"]), all);
    assert_eq!(numbers(&json(&["games", "deep", "thought", "1989", "levy", "--json"])), [7, 8, 9, 10]);
    assert!(
        succeeds(&["eval", "deep-thought:4", "--move", "10"])
            .starts_with("game 4 of games/deep-thought.pgn: Deep")
    );
}

#[test]
fn a_position_of_a_game_stands_in_place_of_a_fen() {
    let game = format!("{SHIPPED}:1");
    let trace = json(&["eval", "--trace", &game, "--depth", "1", "--json"]);
    let positions = list(&trace, "positions");
    for (name, ply) in [("1", 0), ("1..", 1), ("10", 18), ("10...", 19)] {
        for command in ["eval", "search", "tables"] {
            let found = json(&[command, &game, "--move", name, "--json"]);
            assert_eq!(found["fen"], positions[ply]["fen"], "{command} before {name}");
        }
    }
    for command in ["eval", "search", "tables"] {
        let shown = succeeds(&[command, "gm1988:1", "--move", "10.."]);
        let title = "game 1 of games/gm1988.pgn: Keres, Paul - Reshevsky, Samuel, 0-1, before move 10..\n";
        assert!(shown.starts_with(title), "{shown}");
    }
}

#[test]
fn a_game_without_a_move_a_move_without_a_game_and_one_beyond_the_end_are_errors_that_help() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let bench = Bench::new(0);
    let pgn =
        bench.write("a.pgn", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 Kc7 1-0\n");
    let (game, other) = (format!("{pgn}:1"), format!("{pgn}:2"));
    for command in ["eval", "search", "tables"] {
        let moves = |name: &str| {
            json(&[command, &game, "--move", name, "--json"])["fen"].as_str().unwrap().to_string()
        };
        assert!(moves("30..").contains(" b ") && moves("31").contains(" w "), "as in the file");
        assert!(moves("32").starts_with("8/2k5/8/8/4P3/"), "the end of the game");
        fails(&[command, &game], &["--move 25", "--move 25.."]);
        fails(&[command, &game, "--move", "33"], &["a.pgn, game 1: ", "found 33; it has the moves 30 to 31"]);
        fails(&[command, &game, "--move", "1"], &["found 1; it has the moves 30 to 31"]);
        fails(&[command, &other, "--move", "1"], &["the number of a game with a winner"]);
        fails(&[command, start, "--move", "3"], &["--move takes a game"]);
        fails(&[command, &game, "--move", "x"], &["25.. for Black's"]);
    }
}

#[test]
fn files_and_words_may_be_mixed_and_all_files_are_listed() {
    let bench = Bench::new(2);
    let games = bench.games();
    let other = bench.write("b.pgn", "[White \"Zukertort\"]\n\n1. e4 e5 1-0\n");
    let listed = |line: &[&str]| numbers(&json(&[line, &["--json"]].concat()));
    let all = listed(&["games", games, &other]);
    assert_eq!(listed(&["games", games]), all[..all.len() - 1]);
    assert_eq!(listed(&["games", "--games", games, "--games", &other]), all);
    for line in
        [&["games", games, &other, "zukertort"][..], &["games", "zukertort", "--games", games, &other]]
    {
        assert_eq!(listed(line), all[all.len() - 1..], "{line:?}");
    }
}

#[test]
fn search_shows_moves_and_lines_in_standard_notation_and_squares_in_json() {
    let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";
    let shown = succeeds(&["search", fen, "--depth", "1"]);
    let castles = shown.lines().find(|line| line.split_whitespace().nth(1) == Some("O-O")).unwrap();
    assert!(castles.contains("  O-O"), "{shown}");
    assert!(!shown.contains("e1g1"), "{shown}");
    let moves = json(&["search", fen, "--depth", "1", "--json"]);
    assert!(list(&moves, "moves").iter().any(|row| row["move"] == "e1g1" && row["line"][0] == "e1g1"));
}
