//! The shipped games and start weights are built in: the program gives the same results in an empty folder as
//! in the folder of the project.

use std::{fs, path::Path, process::Output};

use tempfile::TempDir;

use crate::support::*;

/// Runs a line in a folder.
fn run_in(folder: &Path, line: &str) -> Output {
    texam().args(words(line)).current_dir(folder).output().unwrap()
}

/// Runs a line in a folder to a good end, with nothing on standard error, and hands standard output back.
fn succeeds_in(folder: &Path, line: &str) -> String {
    let output = run_in(folder, line);
    assert_succeeded(&output, line);
    text(&output.stdout).to_string()
}

#[test]
fn commands_print_the_same_in_an_empty_folder() {
    let folder = TempDir::new().unwrap();
    for line in [
        "agree --every 400 --depth 1 --json",
        "check --every 400 --depth 1 --min-support 1 --json",
        "eval --trace games/gm1988.pgn:1 --depth 1 --json",
        "agree games/gm1988.pgn --every 400 --depth 1 --against params/start.par --json",
        "agree --every 400 --depth 1 --par params/best.par --against params/material.par --json",
        "diff params/material.par params/gm1988.par --weights-only --json",
        "diff params/start.par params/tables.par --weights-only --json",
    ] {
        assert_eq!(succeeds_in(folder.path(), line), succeeds(&words(line)), "{line}");
    }
}

#[test]
fn the_workload_has_the_same_signature_and_nodes_in_an_empty_folder() {
    let folder = TempDir::new().unwrap();
    let line = "bench --positions 5 --depth 1 --json";
    let (there, here) = (object(&succeeds_in(folder.path(), line)), json(&words(line)));
    assert_eq!((&there["signature"], &there["nodes"]), (&here["signature"], &here["nodes"]));
}

#[test]
fn the_data_of_runs_name_the_search_by_the_signature_of_the_workload() {
    assert_eq!(json(&words("bench --rounds 1 --json"))["signature"], texam::run::stat::SEARCH);
}

#[test]
fn openings_come_out_of_the_built_in_games() {
    let folder = TempDir::new().unwrap();
    let line = "match --games 2 --nodes 1 --json params/start.par params/start.par";
    assert_eq!(succeeds_in(folder.path(), line), succeeds(&words(line)));
}

#[test]
fn a_file_comes_before_the_built_in_set_of_its_name_and_other_names_are_not_built_in() {
    let folder = TempDir::new().unwrap();
    let total = |par: &str| {
        let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1";
        let output =
            texam().current_dir(folder.path()).args(["eval", fen, "--json", "--par", par]).output().unwrap();
        (
            output.status.code(),
            text(&output.stdout).lines().find(|line| line.contains("\"total\"")).map(str::to_string),
        )
    };
    let (built_in, (code, none)) = (total("params/best.par"), total("params/other.par"));
    assert_eq!((built_in.0, code, none), (Some(0), Some(2), None));
    fs::create_dir(folder.path().join("params")).unwrap();
    fs::copy("params/material.par", folder.path().join("params/best.par")).unwrap();
    assert_ne!(total("params/best.par"), built_in);
}

#[test]
fn a_name_stands_for_its_set_and_its_games_in_any_folder_and_a_file_of_that_name_goes_first() {
    let folder = TempDir::new().unwrap();
    for (names, paths) in [
        (
            "agree gm1988 --every 400 --depth 1 --par best --against material --json",
            "agree games/gm1988.pgn --every 400 --depth 1 --par params/best.par --against params/material.par --json",
        ),
        (
            "diff start large --weights-only --json",
            "diff params/start.par params/large.par --weights-only --json",
        ),
        ("export tables --to json", "export params/tables.par --to json"),
        (
            "match best start --games 2 --nodes 1 --json",
            "match params/best.par params/start.par --games 2 --nodes 1 --json",
        ),
    ] {
        assert_eq!(succeeds_in(folder.path(), names), succeeds(&words(paths)), "{names}");
    }
    let total = || succeeds_in(folder.path(), "export best --to csv");
    let built_in = total();
    fs::create_dir(folder.path().join("best")).unwrap();
    assert_eq!(total(), built_in, "a folder is no set");
    fs::remove_dir(folder.path().join("best")).unwrap();
    fs::copy("params/material.par", folder.path().join("best")).unwrap();
    assert_ne!(total(), built_in);
}

#[test]
fn the_sets_are_listed_with_names_that_every_command_takes_and_a_misspelt_one_is_an_error_that_helps() {
    let sets = json(&["params", "--sets", "--json"]);
    let shown = succeeds(&["params", "--sets"]);
    assert_eq!(shown.lines().count(), list(&sets, "sets").len());
    for (set, line) in list(&sets, "sets").iter().zip(shown.lines()) {
        require(set, &["name", "path", "description"]);
        assert!(Path::new(set["path"].as_str().unwrap()).is_file(), "{set}");
        assert!(line.len() <= 80 && line.starts_with(set["name"].as_str().unwrap()), "{line}");
    }
    fails(&["agree", "--par", "bset"], &["bset: ", "did you mean \"best\"?", "the built-in sets are"]);
    fails(&["params", "--json"], &["--sets"]);
}

#[test]
fn a_run_from_a_named_set_lists_its_path_and_goes_on() {
    let folder = TempDir::new().unwrap();
    let fit =
        "fit gm1988 --par material --name run --every 400 --depth 1 --min-support 5 --iterations 1 --out out";
    succeeds_in(folder.path(), fit);
    let stat = fs::read_to_string(folder.path().join("out/run.stat")).unwrap();
    assert!(stat.contains("\ngames      games/gm1988.pgn\n"), "{stat}");
    assert!(stat.lines().any(|line| words(line) == ["par", "params/material.par"]), "{stat}");
    succeeds_in(folder.path(), "fit --resume run --iterations 2 --out out");
    assert!(folder.path().join("out/run-02.par").is_file());
}

#[test]
fn a_run_in_an_empty_folder_leaves_the_same_files_and_goes_on_in_either_folder() {
    let line = "--name run --every 400 --depth 1 --min-support 5 --iterations";
    let (empty, bench) = (TempDir::new().unwrap(), Bench::new(0));
    let out = bench.path("out");
    let shown = succeeds_in(empty.path(), &format!("fit {line} 1 --out out"));
    assert!(shown.starts_with("games/gm1988.pgn (built in): 868 games with a winner, "), "{shown}");
    let stat = fs::read_to_string(empty.path().join("out/run.stat")).unwrap();
    assert!(stat.contains("\ngames      games/gm1988.pgn\n"), "{stat}");
    let digest = fs::read_to_string("games/README.md").unwrap();
    let digest = digest.lines().find_map(|line| line.trim().strip_prefix("sha256  ")).unwrap();
    assert!(stat.contains(&format!("\ndigest     {digest}\n")), "{stat}");

    let shown = succeeds(&words(&format!("fit {line} 1 --out {out}")));
    assert!(shown.starts_with("games/gm1988.pgn: 868 games with a winner, "), "{shown}");
    let there = |files: &[&str]| -> std::collections::BTreeMap<String, Vec<u8>> {
        let file = |name: &&str| (name.to_string(), fs::read(empty.path().join("out").join(name)).unwrap());
        files.iter().map(file).collect()
    };
    assert_same_files(
        &there(&["run-00.par", "run-01.par", "run.games", "run.json", "run.stat"]),
        &bench.files("out"),
    );

    let shown = succeeds_in(empty.path(), "fit --resume run --iterations 2 --out out");
    assert!(shown.starts_with("games/gm1988.pgn (built in): "), "{shown}");
    succeeds(&words(&format!("fit --resume run --iterations 2 --out {out}")));
    assert_same_files(
        &there(&["run-00.par", "run-01.par", "run-02.par", "run.games", "run.json", "run.stat"]),
        &bench.files("out"),
    );

    let shown = succeeds_in(empty.path(), "report out/run.stat --threads 1");
    assert!(shown.contains("pass ") && shown.contains("against the start, fitted: "), "{shown}");
}

#[test]
fn a_file_of_that_name_goes_before_the_built_in_games() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("games")).unwrap();
    fs::write(folder.path().join("games/gm1988.pgn"), first_games(3)).unwrap();
    let agree = object(&succeeds_in(folder.path(), "agree --depth 1 --json"));
    assert_eq!(number(&agree, "games"), 3.0);
}

#[test]
fn any_other_name_of_a_missing_file_is_an_error() {
    let folder = TempDir::new().unwrap();
    for name in ["games/other.pgn", "gm1988.pgn", "./games/gm1988.pgn", "games/gm1988.pgn.gz"] {
        let output = run_in(folder.path(), &format!("agree {name}"));
        assert_failed(&output, name, &[&format!("{name}: "), "check the name"]);
    }
}
