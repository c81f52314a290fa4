//! JSON: the names of the fields and how they belong together.

use std::{fs, path::Path};

use serde_json::Value;
use texam::feature::STANDARD_CELLS;

use crate::support::*;

#[test]
fn check_finds_no_change_and_says_what_the_fit_was_made_of() {
    let bench = Bench::new(8);
    let check = json(&["check", "--depth", "1", "--json", bench.games()]);
    require(&check, &["positions", "rows", "parameters", "max_change", "rank", "condition"]);
    assert!(number(&check, "max_change") <= 1e-6);
    assert!(number(&check, "rows") >= 2.0 * number(&check, "positions"));
    assert!(number(&check, "rank") <= number(&check, "parameters"));
    assert!(number(&check, "rank") > 50.0 && number(&check, "condition") >= 1.0);
}

#[test]
fn check_holds_for_free_tables_and_every_phase() {
    let bench = Bench::new(8);
    for options in [
        "--tune * --freeze mat_*",
        "--tune table:pass,table:p_adv --min-support 1",
        "--tune *,attack",
        "--tune *,phase",
        "--phase madchess --root search",
        "--phase none --threshold none --smooth 10",
        "--phase-at root --root static --every 2",
    ] {
        let mut args = vec!["check", "--depth", "1", "--json", bench.games()];
        args.extend(words(options));
        let check = json(&args);
        assert!(number(&check, "max_change") <= 1e-6, "{options}: {check}");
    }
}

#[test]
fn agree_counts_every_position_once() {
    let bench = Bench::new(8);
    let agree = json(&["agree", "--depth", "1", "--json", bench.games()]);
    let fields = ["games", "games_skipped", "positions", "moves", "match", "match_se", "mean_rank"];
    require(&agree, &fields);
    require(&agree, &["histogram", "in_bound_positions", "spread"]);
    let positions = number(&agree, "positions");
    let histogram: Vec<f64> = list(&agree, "histogram").iter().map(|n| n.as_f64().unwrap()).collect();
    assert_eq!(histogram.iter().sum::<f64>(), positions);
    let ranks = histogram.iter().enumerate().map(|(rank, count)| rank as f64 * count).sum::<f64>();
    // Ties with the played move count half.
    let mean_rank = number(&agree, "mean_rank");
    assert!(mean_rank > ranks / positions && mean_rank < ranks / positions + 0.5, "{mean_rank}");
    let rate = number(&agree, "match");
    assert!(rate > 0.1 && rate <= histogram[0] / positions);
    assert!((number(&agree, "match_se") - (rate * (1.0 - rate) / positions).sqrt()).abs() < 1e-9);
    assert_eq!((number(&agree, "games"), number(&agree, "games_skipped")), (8.0, 0.0));
    assert!(number(&agree, "in_bound_positions") <= positions && number(&agree, "spread") > 0.0);
}

#[test]
fn agree_against_other_weights_is_paired_and_turns_its_sign_with_the_order() {
    let bench = Bench::new(8);
    let compare = |a: &str, b: &str| {
        json(&["agree", bench.games(), "--depth", "1", "--json", "--par", a, "--against", b])
    };
    let (start, material) = ("params/start.par", "params/material.par");
    let there = compare(start, material);
    let back = compare(material, start);
    require(&there["against"], &["positions", "match", "mean_rank", "histogram"]);
    let difference = number(&there["difference"], "match");
    assert!((difference - number(&there, "match") + number(&there["against"], "match")).abs() < 1e-9);
    assert_eq!(difference, -number(&back["difference"], "match"));
    assert_eq!(there["difference"]["only_first"], back["difference"]["only_second"]);
    assert_eq!(there["against"]["histogram"], back["histogram"]);
    let same = compare(start, start);
    assert_eq!(same["difference"]["only_first"], 0);
    assert_eq!(number(&same["difference"], "match_se"), 0.0);
}

#[test]
fn agree_compares_two_ways_to_take_the_phase_under_the_same_weights() {
    let bench = Bench::new(8);
    let agree = |options: &str| {
        json(&[&["agree", bench.games(), "--depth", "1", "--json"][..], &words(options)].concat())
    };
    let both = agree("--phase rustic --against-phase none");
    let alone = [agree("--phase rustic"), agree("--phase none")];
    assert_eq!([&both["phase"], &both["against"]["phase"]], ["rustic", "none"]);
    assert_eq!([&both["match"], &both["against"]["match"]], [&alone[0]["match"], &alone[1]["match"]]);
    assert_eq!(both["par"], both["against"]["par"]);
    assert!(number(&both["difference"], "mean_rank_se") > 0.0);
    let at = agree("--against-phase-at root");
    assert_eq!([&at["against"]["phase"], &at["against"]["phase_at"]], ["fruit", "root"]);
    assert_eq!(at["against"]["mean_rank"], agree("--phase-at root")["mean_rank"]);
    assert!(alone[0]["against"].is_null() && alone[0]["difference"].is_null());
}

#[test]
fn agree_gives_the_same_on_any_number_of_threads() {
    let bench = Bench::new(8);
    let with = |threads| succeeds(&["agree", "--depth", "1", "--json", "--threads", threads, bench.games()]);
    assert_eq!(with("1"), with("3"));
}

#[test]
fn bench_finds_the_same_by_both_searches_and_leaves_the_time_out_of_the_signature() {
    let bench = Bench::new(8);
    let args = ["bench", "--depth", "1", "--positions", "5", "--json", bench.games()];
    let fast = json(&args);
    let plain = json(&[&args[..], &["--plain"]].concat());
    require(&fast, &["positions", "nodes", "seconds", "nodes_per_second", "signature"]);
    assert_eq!((number(&fast, "positions"), number(&plain, "positions")), (5.0, 5.0));
    assert_eq!(fast["signature"], plain["signature"]);
    assert_eq!(fast["nodes"], json(&args)["nodes"]);
    let rounds = json(&[&args[..], &["--rounds", "2"]].concat());
    assert_eq!((&rounds["nodes"], &rounds["signature"]), (&fast["nodes"], &fast["signature"]));
    // The last line of the text is as OpenBench reads it.
    let shown = succeeds(&words(&format!("bench {} --depth 1 --positions 5", bench.games())));
    let last = words(shown.lines().last().unwrap());
    assert_eq!([last[0], last[1], last[3]], [&fast["nodes"].to_string(), "nodes", "nps"]);
    assert!(last[2].parse::<u64>().is_ok() && last.len() == 4, "{last:?}");
    fails(&["bench", "--rounds", "0", bench.games()], &["--rounds"]);
    let other = json(&[&args[..], &["--par", "params/material.par"]].concat());
    assert_ne!(fast["signature"], other["signature"]);
    let speed = number(&fast, "nodes") / number(&fast, "seconds");
    assert!((number(&fast, "nodes_per_second") / speed - 1.0).abs() < 1e-6);
}

#[test]
fn bench_after_another_search_finds_the_same_in_fewer_nodes() {
    let bench = Bench::new(8);
    let args = ["bench", "--depth", "2", "--positions", "5", "--json", bench.games()];
    let first = json(&args);
    let again = json(&[&args[..], &["--after", "params/start.par"]].concat());
    assert_eq!(first["signature"], again["signature"]);
    assert!(number(&again, "nodes") < number(&first, "nodes"), "{first} {again}");
    fails(&[&args[..], &["--after", "params/start.par", "--plain"]].concat(), &["--plain", "--after"]);
}

#[test]
fn fit_tells_every_pass_and_names_its_files() {
    let bench = Bench::new(20);
    let fit = json(&bench.fit("out", "--iterations 2 --json"));
    require(&fit, &["passes", "best", "files"]);
    let passes = list(&fit, "passes");
    assert_eq!(passes.len(), 3);
    for pass in passes {
        require(pass, &["match", "mean_rank", "holdout_match", "in_bound_positions", "spread"]);
        require(pass, &["mean_gain", "search_seconds", "fit_seconds"]);
        assert!(pass["holdout_match"].is_f64());
    }
    assert_ne!(passes[0]["mean_rank"], passes[1]["mean_rank"]);
    let files: Vec<_> = list(&fit, "files").iter().map(|file| file.as_str().unwrap()).collect();
    assert_eq!(files.len(), 6);
    assert!(files.iter().all(|file| Path::new(file).is_file()), "{files:?}");
    let weights = list(&fit, "weights");
    assert!(weights.len() > 100);
    for weight in weights {
        require(weight, &["weight", "from", "to"]);
        assert!(weight["se_run"].is_null() && weight["weight"].is_string(), "{weight}");
    }
    assert!(passes.iter().all(|pass| pass["run_se"].is_null()));
    assert!(passes[0]["against_start"].is_null());
    let rank = |pass: usize| number(&passes[pass], "holdout_mean_rank");
    for (number_of_pass, pass) in passes.iter().enumerate().skip(1) {
        let change = &pass["against_start"];
        require(change, &["match", "match_se", "mean_rank", "mean_rank_se"]);
        assert!((number(change, "mean_rank") - (rank(number_of_pass) - rank(0))).abs() < 1e-5);
    }
}

/// The file of the data has what `--json` prints, but for what depends on the place and the clock.
#[test]
fn the_data_of_a_run_are_what_fit_prints_as_json() {
    let bench = Bench::new(12);
    let mut fit = json(&bench.fit("out", "--iterations 2 --min-support 5 --groups 2 --name run --json"));
    let mut data = object(&fs::read_to_string(bench.path("out/run.json")).unwrap());
    let remove = |value: &mut Value, names: &[&str]| {
        let object = value.as_object_mut().unwrap();
        assert!(names.iter().all(|&name| object.remove(name).is_some()));
    };
    remove(&mut fit, &["name", "files"]);
    for pass in fit["passes"].as_array_mut().unwrap() {
        remove(pass, &["search_seconds", "fit_seconds"]);
    }
    remove(&mut data, &["checksum"]);
    assert_eq!(fit, data);
}

#[test]
fn the_best_pass_is_within_an_error_of_the_lowest_mean_rank_or_has_the_highest_match() {
    let bench = Bench::new(40);
    let run = |more: &str| json(&bench.fit("out", &format!("--iterations 4 --json {more}")));
    let fit = run("--holdout 1/2");
    let of = |fit: &Value, field| -> Vec<f64> {
        list(fit, "passes").iter().map(|pass| number(pass, field)).collect()
    };
    let (ranks, best) = (of(&fit, "holdout_mean_rank"), number(&fit, "best") as usize);
    let lowest = (0..5).min_by(|&a, &b| ranks[a].total_cmp(&ranks[b])).unwrap();
    let errors = &bench.record("out/run-001").reports[lowest].rank_errors;
    let near = (0..lowest).find(|&pass| Some(ranks[pass] - ranks[lowest]) <= errors[pass]);
    assert_eq!(best, near.unwrap_or(lowest), "{ranks:?} {errors:?}");
    let by_match = run("--holdout 1/2 --preset 1988");
    let (rates, best) = (of(&by_match, "holdout_match"), number(&by_match, "best") as usize);
    assert!(rates.iter().all(|&rate| rate <= rates[best]), "{best} of {rates:?}");
    assert!(run("--holdout none")["best"].is_null());
}

#[test]
fn fit_and_agree_measure_the_same() {
    let bench = Bench::new(12);
    let fit = json(&bench.fit("out", "--iterations 1 --holdout none --json"));
    for (pass, measured) in list(&fit, "passes").iter().enumerate() {
        let par = bench.path(&format!("out/run-001-0{pass}.par"));
        let agree = json(&["agree", "--depth", "1", "--par", &par, "--json", bench.games()]);
        for field in ["match", "mean_rank", "in_bound_positions"] {
            assert_eq!(agree[field], measured[field], "{field} of pass {pass}");
        }
        assert!((number(&agree, "spread") - number(measured, "spread")).abs() <= 5e-5);
        assert!(measured["holdout_match"].is_null());
    }
}

#[test]
fn optional_tables_are_listed_and_only_counted_when_they_are_on() {
    let bench = Bench::new(4);
    let fen = "4k3/8/8/8/8/5N2/8/4K3 w - - 0 1";
    let names = |par: &str| -> Vec<String> {
        let line = format!("--json --par {par}");
        let args: Vec<&str> = ["eval", fen].into_iter().chain(words(&line)).collect();
        let features = json(&args)["features"].as_array().unwrap().clone();
        features.iter().map(|row| row["key"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names("params/start.par").len(), STANDARD_CELLS);
    let par = bench.path("on.par");
    let made = format!("params --tune table:pst_n,table:pst64_k -o {par}");
    succeeds(&words(&made));
    let on = names(&par);
    assert_eq!(on.len(), STANDARD_CELLS + 32 + 64);
    assert_eq!(on.iter().filter(|name| *name == "pst_n").count(), 32);
    let listed = succeeds(&words(&format!("params --par {par}")));
    for (key, kind) in [("pst_n", "32 cells"), ("pst_r", "off (32 cells)"), ("pst64_k", "64 cells")] {
        let line = listed.lines().find(|line| line.trim_start().starts_with(&format!("{key} "))).unwrap();
        assert!(line.contains(kind), "{line}");
    }
}

#[test]
fn a_fit_of_optional_tables_moves_their_cells_and_its_files_are_read_again() {
    let bench = Bench::new(12);
    succeeds(&bench.fit(
        "out",
        "--iterations 2 --min-support 5 --name squares --tune table:pst_r,table:pst_p --smooth 10",
    ));
    let last = bench.path("out/squares-02.par");
    let text = std::fs::read_to_string(&last).unwrap();
    let cells = text.lines().skip_while(|line| !line.starts_with("pst_r ")).skip(2).take(8);
    let moved = cells.flat_map(str::split_whitespace).filter_map(|word| word.parse::<f64>().ok());
    assert!(moved.filter(|weight| *weight != 0.0).count() > 3, "{text}");
    let listed = succeeds(&words(&format!("params --par {last}")));
    assert!(listed.contains("pst_r        32 cells"), "{listed}");
    let stat = std::fs::read_to_string(bench.path("out/squares.stat")).unwrap();
    assert!(stat.contains("\npst_r[ah,r1].o ") && stat.contains("\npst_p[ah,r2] "), "{stat}");
}
