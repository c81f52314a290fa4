//! `--preset`: other defaults under one name, kept by whatever goes on with the run.

use std::fs;

use crate::support::*;

/// Arguments of a run at one ply, and its options beside.
fn fit(bench: &Bench, out: &str, games: &str, more: &str) -> Vec<String> {
    bench.bare_fit(out, &format!("--name run --depth 1 {more} {games}"))
}

/// A folder with some games, and a database of them with trees for the preset.
fn with_trees() -> (Bench, String) {
    let bench = Bench::new(12);
    let database = bench.path("games.dbf");
    succeeds(&words(&format!("presearch {} -o {database} --depth 1 --preset 1988", bench.games())));
    (bench, database)
}

/// The options of a run as its data list them.
fn options(bench: &Bench, out: &str) -> Vec<String> {
    let record = bench.record(&format!("{out}/run"));
    record.header.options.iter().map(|(name, value)| format!("{name} {value}")).collect()
}

#[test]
fn the_preset_1988_is_the_run_of_its_options_and_the_stat_says_what_held() {
    let (bench, database) = with_trees();
    let by_hand =
        "--phase-at root --holdout none --ridge 0 --min-support 1 --tune * --patience 1 --iterations 2";
    succeeds(&fit(&bench, "hand", bench.games(), by_hand));
    succeeds(&fit(&bench, "preset", bench.games(), "--preset 1988 --iterations 2"));
    succeeds(&fit(&bench, "hand-trees", &database, &format!("{by_hand} --trees")));
    succeeds(&fit(&bench, "preset-trees", &database, "--iterations 2 --preset 1988"));
    let without = |mut options: Vec<String>, names: &[&str]| {
        options.retain(|option| !names.contains(&option.as_str()));
        options
    };
    let searched = options(&bench, "preset");
    assert!(searched[0] == "preset 1988" && searched.contains(&"trees off".to_string()), "{searched:?}");
    assert_eq!(without(searched, &["preset 1988"]), options(&bench, "hand"));
    let walked = options(&bench, "preset-trees");
    assert!(walked.contains(&"trees on".to_string()), "{walked:?}");
    assert_eq!(without(walked, &["preset 1988"]), options(&bench, "hand-trees"));
    for (preset, hand) in [("preset", "hand"), ("preset-trees", "hand-trees")] {
        let values = |out: &str| fs::read(bench.path(&format!("{out}/run-01.par"))).unwrap();
        assert_eq!(values(preset), values(hand));
    }
}

#[test]
fn an_option_beside_the_preset_wins_wherever_it_stands() {
    let (bench, database) = with_trees();
    let before = "--ridge 50 --trees=off --holdout 1/4 --preset 1988 --iterations 1";
    let after = "--preset 1988 --iterations 1 --ridge 50 --holdout 1/4 --trees=off";
    for (out, more) in [("before", before), ("after", after)] {
        let output = run(&fit(&bench, out, &database, more));
        assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
    }
    let held = options(&bench, "before");
    for option in ["preset 1988", "phase-at root", "ridge 50", "holdout 1/4", "trees off", "min-support 1"] {
        assert!(held.contains(&option.to_string()), "{option}: {held:?}");
    }
    assert_same_files(&bench.files("before"), &bench.files("after"));
}

#[test]
fn a_run_with_a_preset_is_resumed() {
    let (bench, database) = with_trees();
    succeeds(&fit(&bench, "whole", &database, "--preset 1988 --iterations 2"));
    succeeds(&fit(&bench, "resumed", &database, "--preset 1988 --iterations 1"));
    succeeds(&bench.bare_fit("resumed", "--resume run --iterations 2"));
    assert_same_files(&bench.files("resumed"), &bench.files("whole"));
    fails(&bench.bare_fit("whole", "--resume run --preset none"), &["expected --preset 1988 as in the run"]);
}

#[test]
fn a_preset_that_cannot_hold_is_an_error() {
    let bench = Bench::new(3);
    fails(&fit(&bench, "a", bench.games(), "--preset 1989"), &["expected 1988 or none, but found \"1989\""]);
    fails(
        &words("fit --objective logistic --preset 1988"),
        &["option preset: expected none with objective logistic"],
    );
    fails(&words("fit --choices a.txt --weights w.csv --preset 1988"), &["option preset: expected none"]);
    fails(
        &fit(&bench, "b", bench.games(), "--preset 1988 --regrow 1"),
        &["option regrow: expected 0 without trees"],
    );
}
