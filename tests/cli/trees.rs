//! Stored trees: searched once by `texam presearch`, and walked by `texam fit --trees`.

use std::{fs, path::Path, process::Command};

use crate::support::*;

/// A folder with some games, and a database of them with trees of two plies.
fn with_trees(games: usize, more: &str) -> (Bench, String) {
    let bench = Bench::new(games);
    let database = bench.path("games.dbf");
    let line = format!("presearch {} -o {database} --depth 2 {more}", bench.games());
    assert!(succeeds(&words(&line)).contains(", trees of "));
    (bench, database)
}

/// Arguments of a fit at two plies.
fn fit(bench: &Bench, out: &str, games: &str, more: &str) -> Vec<String> {
    bench.bare_fit(out, &format!("--depth 2 --name run --min-support 5 {more} {games}"))
}

/// The `.stat` of a run without what names the trees, and the values of its last pass.
fn results(bench: &Bench, out: &str) -> (String, Vec<String>) {
    let stat = fs::read_to_string(bench.path(&format!("{out}/run.stat"))).unwrap();
    let is_kept = |line: &&str| {
        !["games ", "trees ", "regrow "].iter().any(|start| line.starts_with(start)) && !line.contains(".par")
    };
    let last = bench.record(&format!("{out}/run")).reports.len() - 1;
    let par = fs::read_to_string(bench.path(&format!("{out}/run-{last:02}.par"))).unwrap();
    let values = par.lines().filter(|line| !line.starts_with('#')).map(String::from).collect();
    (stat.lines().filter(is_kept).map(|line| format!("{line}\n")).collect(), values)
}

#[test]
fn pass_0_of_a_walk_is_that_of_a_search_and_so_is_each_pass_before_which_the_trees_are_grown() {
    for (margin, tune) in [("--margin 0", ""), ("", ""), ("", "--tune *,phase ")] {
        let (bench, database) = with_trees(12, margin);
        let fit =
            |out: &str, games: &str, more: &str| ended(&fit(&bench, out, games, &format!("{tune}{more}")));
        let in_trees = "; measured in stored trees, not by a search";
        assert!(!fit("search", bench.games(), "--iterations 0").contains(in_trees));
        assert!(fit("walk", &database, "--iterations 0 --trees --threads 1").contains(in_trees));
        assert_eq!(results(&bench, "walk"), results(&bench, "search"));
        fit("search-2", bench.games(), "--iterations 2");
        fit("regrown", &database, "--iterations 2 --trees --regrow 1");
        assert_eq!(results(&bench, "regrown"), results(&bench, "search-2"));
        fit("still", &database, "--iterations 2 --trees");
        assert_ne!(results(&bench, "still"), results(&bench, "search-2"), "trees that stand still");
        fit("still-1", &database, "--iterations 2 --trees --threads 1");
        assert_eq!(results(&bench, "still-1"), results(&bench, "still"));
    }
}

/// What a fit prints that may find no gain on the games held out.
fn ended(args: &[String]) -> String {
    let output = run(args);
    assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
    text(&output.stdout).to_string()
}

#[test]
fn trees_without_quiescence_serve_a_run_without_it_alone_and_their_games_any_run() {
    let (bench, database) = with_trees(12, "--quiescence off");
    let off = |more: &str| format!("--quiescence off --iterations 1 {more}");
    ended(&fit(&bench, "search", bench.games(), &off("")));
    ended(&fit(&bench, "games", &database, &off("")));
    assert_eq!(results(&bench, "games"), results(&bench, "search"));
    ended(&fit(&bench, "regrown", &database, &off("--trees --regrow 1")));
    assert_eq!(results(&bench, "regrown"), results(&bench, "search"));
    fails(
        &fit(&bench, "with", &database, "--trees"),
        &[
            "games.dbf: expected trees of depth 2 with checks 0, but found trees of depth 2 without quiescence",
        ],
    );
    ended(&fit(&bench, "with-search", bench.games(), "--iterations 1"));
    ended(&fit(&bench, "with-games", &database, "--iterations 1"));
    assert_eq!(results(&bench, "with-games"), results(&bench, "with-search"));
    assert_ne!(results(&bench, "with-search"), results(&bench, "search"));
}

/// The match of a set of weights by a search of one ply.
fn match_of(bench: &Bench, par: &str) -> f64 {
    number(&json(&words(&format!("agree {} --depth 1 --par {par} --json", bench.games()))), "match")
}

#[test]
fn the_hill_climber_of_the_examples_raises_the_match_and_writes_the_same_weights_again() {
    let program = Path::new(env!("CARGO_BIN_EXE_texam")).with_file_name("examples").join("hill_climb");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        program.exists(),
        "cargo test builds the examples; with a filter: cargo build --example hill_climb"
    );
    let bench = Bench::new(12);
    let database = bench.path("games.dbf");
    succeeds(&words(&format!("presearch {} -o {database} --par material --depth 1", bench.games())));
    let climb = |name: &str, options: &str| {
        let result = bench.path(name);
        let line = format!("{database} {result} --par material --depth 1 --holdout none {options}");
        (Command::new(&program).args(words(&line)).output().unwrap(), result)
    };
    let [(output, one), (_, two)] = ["one.par", "two.par"].map(|name| climb(name, "--iterations 30"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read(&one).unwrap(), fs::read(two).unwrap());
    let [before, after] = ["material", &one].map(|par| match_of(&bench, par));
    assert!(after > before + 0.03, "{before} to {after}");
    for (options, part) in [("--iterations", "with their values"), ("--depth 3", "trees of depth 3")] {
        let (output, result) = climb("none.par", options);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
        assert!(!Path::new(&result).exists());
    }
    let written = fs::read(&one).unwrap();
    let (output, _) = climb("one.par", "--iterations 1");
    assert!(text(&output.stderr).contains("expected the name of a new file"), "{}", text(&output.stderr));
    assert_eq!(fs::read(&one).unwrap(), written);
}

#[test]
fn a_run_on_trees_is_resumed_also_after_it_has_grown_them_anew() {
    let (bench, database) = with_trees(12, "");
    let resumed = |out: &str, options: &str, first: u32, all: u32| {
        ended(&fit(&bench, out, &database, &format!("--iterations {first} {options}")));
        let line = format!("fit --out {} --resume run --iterations {all}", bench.path(out));
        ended(&words(&line).into_iter().map(String::from).collect::<Vec<_>>());
        results(&bench, out)
    };
    for (number, (options, all, after)) in [
        ("--trees", 2, vec![1]),
        ("--trees --regrow 1", 2, vec![1]),
        ("--trees --regrow 2", 5, vec![1, 2, 3, 4]),
    ]
    .into_iter()
    .enumerate()
    {
        let whole = format!("whole-{number}");
        ended(&fit(&bench, &whole, &database, &format!("--iterations {all} {options}")));
        for first in after {
            let files = resumed(&format!("resumed-{number}-{first}"), options, first, all);
            assert_eq!(files, results(&bench, &whole), "{options}, after fit {first}");
        }
    }
}

#[test]
fn what_cannot_be_walked_is_an_error_that_says_what_to_do() {
    let (bench, database) = with_trees(12, "");
    fails(
        &fit(&bench, "a", bench.games(), "--trees"),
        &["games.pgn", "texam presearch GAMES -o FILE.dbf", "a database with trees"],
    );
    fails(
        &words(&format!("fit {database} --trees --depth 1")),
        &["games.dbf", "trees of depth 1", "depth 2"],
    );
    fails(
        &fit(&bench, "a", &database, "--trees --quiescence off"),
        &[
            "games.dbf: expected trees of depth 2 without quiescence, but found trees of depth 2 with checks 0",
            "--quiescence",
        ],
    );
    let early = run(&fit(&bench, "b", &database, "--trees --skip-moves 2"));
    let error = text(&early.stderr);
    assert_eq!(early.status.code(), Some(2), "{error}");
    for part in ["games.dbf", "a tree of move 3 of decisive game 1", "--skip-moves"] {
        assert!(error.contains(part), "{error}");
    }
    fails(&fit(&bench, "c", &database, "--regrow 2"), &["option regrow: expected 0 without trees"]);
    fails(
        &words("fit --objective logistic --trees"),
        &["option trees: expected none with objective logistic"],
    );
    fails(&words("presearch -o x.dbf --margin x"), &["from 0 to 1024, or all"]);
    let output = run(&fit(&bench, "d", &database, "--trees --phase none --iterations 0"));
    assert!(text(&output.stderr).contains("pass 0 is not that of a search"), "{}", text(&output.stderr));
    let whole = fs::read(&database).unwrap();
    let mut cut = whole.clone();
    cut.truncate(whole.len() / 2);
    let cut = bench.write("cut.dbf", cut);
    fails(&fit(&bench, "e", &cut, "--trees"), &["cut.dbf", "it was cut off"]);
    assert!(!bench.folder.path().join("e").exists(), "a run that cannot begin leaves nothing");
}
