//! `texam presearch`: a database of games takes the place of its PGN everywhere, and gives the same results.

use std::{fs, io::Write};

use flate2::write::GzEncoder;

use crate::support::*;

/// A folder with some games, and a database of them with trees of two plies.
fn with_database(games: usize) -> (Bench, String) {
    let bench = Bench::new(games);
    let database = presearch(&bench, "games.pgn", "games.dbf", "");
    (bench, database)
}

/// Makes a database of a file in the folder.
fn presearch(bench: &Bench, games: &str, database: &str, more: &str) -> String {
    let database = bench.path(database);
    let line = format!("presearch {} -o {database} --depth 2 --margin 0 {more}", bench.path(games));
    let shown = succeeds(&words(&line));
    assert!(shown.contains(" positions searched, trees of "), "{shown}");
    database
}

/// Packs a file with gzip.
fn packed(path: &str) -> String {
    let packed = format!("{path}.gz");
    let mut writer = GzEncoder::new(fs::File::create(&packed).unwrap(), flate2::Compression::fast());
    writer.write_all(&fs::read(path).unwrap()).unwrap();
    writer.finish().unwrap();
    packed
}

#[test]
fn a_fit_leaves_the_same_files_with_the_database_and_with_its_pgn() {
    let (bench, database) = with_database(12);
    let packed = packed(&database);
    let options = "--name run --min-support 5 --iterations 1";
    let fit = |out: &str, games: &str, more: &str| {
        let mut args = bench.bare_fit(out, &format!("{options} {more}"));
        args.push(games.to_string());
        succeeds(&args);
        bench.files(out)
    };
    let variants = ["--depth 2", "--depth 2 --skip-moves 3 --every 2 --threads 1", "--depth 1 --root search"];
    for (number, more) in variants.iter().enumerate() {
        let expected = fit(&format!("pgn-{number}"), bench.games(), more);
        assert_same_files(&fit(&format!("dbf-{number}"), &database, more), &expected);
        assert_same_files(&fit(&format!("gz-{number}"), &packed, more), &expected);
    }
}

#[test]
fn games_to_hold_out_may_be_a_database() {
    let (bench, database) = with_database(8);
    let other = bench.write("other.pgn", games_from(20, 4));
    let other_database = presearch(&bench, "other.pgn", "other.dbf", "");
    let fit = |out: &str, games: &str, holdout: &str| {
        let line = format!("--name run --min-support 5 --iterations 1 --depth 1 --holdout {holdout} {games}");
        succeeds(&bench.bare_fit(out, &line));
        bench.files(out)
    };
    let expected = fit("pgn", bench.games(), &other);
    assert_same_files(&fit("dbf", &database, &other_database), &expected);
    assert_same_files(&fit("both", bench.games(), &other_database), &expected);
}

#[test]
fn a_run_goes_on_with_the_other_kind_of_file() {
    let (bench, database) = with_database(10);
    let fit = |out: &str, more: &str| {
        succeeds(&bench.bare_fit(out, more));
    };
    let options = "--name run --min-support 5 --depth 1 --iterations";
    fit("whole", &format!("{options} 2 {}", bench.games()));
    for (out, first, second) in [("a", bench.games(), &*database), ("b", &database, bench.games())] {
        fit(out, &format!("{options} 1 {first}"));
        fit(out, &format!("--resume run --iterations 2 {second}"));
        assert_same_files(&bench.files(out), &bench.files("whole"));
    }
    // Without the games given anew, the PGN is taken that the run names.
    fit("c", &format!("{options} 1 {database}"));
    fit("c", "--resume run --iterations 2");
    assert_same_files(&bench.files("c"), &bench.files("whole"));
}

#[test]
fn every_command_prints_the_same_for_both() {
    let (bench, database) = with_database(6);
    for line in [
        "agree GAMES --depth 1 --json",
        "agree GAMES --depth 2 --skip-moves 12 --every 3 --json",
        "check GAMES --depth 1 --min-support 1 --json",
        "diff params/start.par params/gm1988.par GAMES --depth 1 --json",
        "match --write-openings /dev/null --openings GAMES --overwrite --json",
    ] {
        let on = |games: &str| succeeds(&words(&line.replace("GAMES", games)));
        assert_eq!(on(&database), on(bench.games()), "{line}");
    }
    let traced = |games: &str| {
        let trace = json(&words(&format!("eval --trace {games}:4 --depth 1 --json")));
        (trace["positions"].clone(), trace["white"].clone(), trace["event"].clone())
    };
    assert_eq!(traced(&database), traced(bench.games()));
    let bench_of = |games: &str| {
        let found = json(&words(&format!("bench {games} --depth 2 --positions 30 --rounds 1 --json")));
        (found["signature"].clone(), number(&found, "nodes"))
    };
    assert_eq!(bench_of(&database), bench_of(bench.games()));
    let output = run_with_input("agree - --depth 1 --json", &fs::read(&database).unwrap());
    assert_eq!(text(&output.stdout), succeeds(&words(&format!("agree {database} --depth 1 --json"))));
}

#[test]
fn a_report_finds_the_positions_in_the_database() {
    let (bench, database) = with_database(12);
    succeeds(
        &bench.bare_fit("out", &format!("--name run --min-support 5 --depth 1 --iterations 1 {database}")),
    );
    fs::remove_file(bench.games()).unwrap();
    let stat = bench.path("out/run.stat");
    let shown = succeeds(&words(&format!("report {stat} --games {database} --threads 1")));
    assert!(shown.contains("against the start, fitted: "), "{shown}");
}

#[test]
fn the_same_games_give_the_same_bytes_on_any_number_of_threads() {
    let (bench, database) = with_database(8);
    let one = presearch(&bench, "games.pgn", "one.dbf", "--threads 1");
    assert!(fs::read(one).unwrap() == fs::read(&database).unwrap());
    // Trees are always stored, also where they are asked for, and a database gives the games of another.
    for (games, more) in [("games.pgn", "--trees"), ("games.dbf", "")] {
        let again = presearch(&bench, games, &format!("of-{games}.dbf"), more);
        assert!(fs::read(again).unwrap() == fs::read(&database).unwrap(), "{games}");
    }
    let other = presearch(&bench, "games.pgn", "other.dbf", "--par params/gm1988.par");
    assert!(fs::read(other).unwrap() != fs::read(database).unwrap());
    let report =
        json(&words(&format!("presearch {} -o {} --depth 1 --json", bench.games(), bench.path("j.dbf"))));
    assert_eq!(number(&report, "games"), 8.0);
    assert!(number(&report, "tree_bytes") > number(&report, "positions"));
    assert_eq!(number(&report, "bytes") as u64, fs::metadata(bench.path("j.dbf")).unwrap().len());
}

#[test]
fn skipped_games_are_named_as_in_the_pgn() {
    let bench = Bench::new(0);
    let games = first_games(4).replacen("9. Qe2", "9. Qa8", 1);
    let games = bench.write("damaged.pgn", games);
    let database = bench.path("damaged.dbf");
    let made = run(&words(&format!("presearch {games} -o {database} --depth 1")));
    let on = |games: &str| run(&words(&format!("agree {games} --depth 1")));
    let (of_pgn, stored) = (on(&games), on(&database));
    assert_eq!(of_pgn.status.code(), Some(1));
    assert!(text(&of_pgn.stderr).contains("damaged.pgn, game 1, move 9, line "), "{}", text(&of_pgn.stderr));
    for output in [made, stored] {
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stderr), text(&of_pgn.stderr));
    }
}

#[test]
fn a_database_that_cannot_be_used_is_named_with_the_remedy() {
    let (bench, database) = with_database(3);
    let whole = fs::read(&database).unwrap();
    let remedy = "make it again from its games: texam presearch";
    let with = |name: &str, bytes: &[u8], parts: &[&str]| {
        let path = bench.write(name, bytes);
        let parts: Vec<&str> = parts.iter().copied().chain([name, remedy]).collect();
        fails(&["agree", &path], &parts);
        fails(&["fit", &path, "--out", &bench.path("out")], &parts);
    };
    with("cut.dbf", &whole[..whole.len() / 2], &["the end of the file: it was cut off"]);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    with("flipped.dbf", &flipped, &["checksum"]);
    let mut newer = whole.clone();
    newer[8] = 9;
    with("newer.dbf", &newer, &["version 3", "version 9"]);
    let as_text: Vec<u8> = whole.iter().copied().filter(|&byte| byte != b'\r').collect();
    with("as-text.dbf", &as_text, &["converted as text"]);
    with("games.dbf", first_games(1).as_bytes(), &["as its name says"]);
    assert!(!bench.names("").contains(&"out".to_string()) || bench.names("out").is_empty());
}

#[test]
fn a_database_is_written_whole_or_not_at_all_and_replaces_nothing_by_accident() {
    let (bench, database) = with_database(2);
    let before = fs::read(&database).unwrap();
    let games = bench.games();
    fails(&["presearch", games, "-o", &database], &["an existing one", "--overwrite"]);
    fails(&["presearch", games, "-o", games, "--overwrite"], &["that of an input"]);
    fails(&["presearch", &database, "-o", &database, "--overwrite"], &["that of an input"]);
    let drawn = bench.write("drawn.pgn", "[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n");
    fails(&["presearch", &drawn, "-o", &database, "--overwrite"], &["at least one game with a winner"]);
    assert!(fs::read(&database).unwrap() == before);
    fails(&["presearch", &drawn, "-o", &bench.path("new.dbf")], &["drawn.pgn", "at least one game"]);
    assert!(!bench.names("").iter().any(|name| name == "new.dbf" || name.ends_with(".tmp")));
    succeeds(&["presearch", games, "-o", &database, "--depth", "1", "--overwrite"]);
    assert!(fs::read(&database).unwrap() != before);
}
