//! `texam fit --groups`: the standard errors of a whole run, from the run again without each group of games.

use std::{fs, path::Path, process::Stdio, thread::sleep, time::Duration};

use serde_json::Value;

use crate::{schema, support::*};

const OPTIONS: &str = "--name run --min-support 5 --iterations 2 --every 2";

/// The values of the last pass that `fit --json` gives, by weight.
fn last_values(fit: &Value) -> Vec<(String, f64)> {
    let weights = list(fit, "weights").iter();
    weights.map(|row| (row["weight"].as_str().unwrap().to_string(), number(row, "to"))).collect()
}

#[test]
fn the_errors_are_the_jackknife_of_runs_on_the_games_without_each_group() {
    let bench = Bench::new(12);
    let options = "--name run --min-support 5 --iterations 1 --ridge 0.5 --holdout none";
    let whole = object(&succeeds(&bench.fit("whole", &format!("{options} --groups 3 --json"))));
    let runs = [0, 1, 2].map(|group| {
        let kept = (0..12).filter(|game| game % 3 != group).map(|game| games_from(game, 1));
        let games = bench.write("part.pgn", kept.collect::<String>());
        let mut args = bench.bare_fit(&format!("part-{group}"), &format!("{options} --depth 1 --json"));
        args.push(games);
        last_values(&object(&succeeds(&args)))
    });
    let errors = &list(&whole, "passes")[1]["run_se"];
    assert!(number(errors, "match") > 0.0 && number(errors, "mean_rank") > 0.0, "{errors}");
    for field in ["loss", "holdout_match", "holdout_mean_rank", "holdout_loss"] {
        assert!(errors.get(field).is_some_and(Value::is_null), "{field} in {errors}");
    }
    let mut compared = 0;
    for row in list(&whole, "weights") {
        let name = row["weight"].as_str().unwrap();
        let value = |run: &Vec<(String, f64)>| run.iter().find(|(other, _)| other == name).map(|(_, to)| *to);
        // A weight that a part does not support is not listed there.
        let Some(values) = runs.iter().map(value).collect::<Option<Vec<f64>>>() else { continue };
        let mean = values.iter().sum::<f64>() / 3.0;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let expected = (2.0 / 3.0 * squares).sqrt();
        let found = number(row, "se_run");
        assert!((found - expected).abs() < 1e-6 * (1.0 + expected), "{name}: {found} is not {expected}");
        compared += usize::from(expected > 0.1);
    }
    assert!(compared > 20, "{compared} weights were compared");
}

#[test]
fn the_errors_stand_in_every_pass_and_are_the_same_on_any_number_of_threads() {
    let bench = Bench::new(12);
    let shown = succeeds(&bench.fit("two", &format!("{OPTIONS} --groups 4 --threads 2")));
    assert!(shown.contains("standard errors of the run, from 4 groups of games"), "{shown}");
    assert!(shown.contains("weights changed by more than twice their standard error"), "{shown}");
    succeeds(&bench.fit("one", &format!("{OPTIONS} --groups 4 --threads 1")));
    assert_same_files(&bench.files("one"), &bench.files("two"));
    assert_eq!(
        bench.names("two"),
        ["run-00.par", "run-01.par", "run-02.par", "run.games", "run.json", "run.stat"]
    );
    let record = bench.record("two/run");
    let [start, first, last] = [0, 1, 2].map(|pass| record.reports[pass].run_errors.unwrap());
    // All runs begin with the same weights, but are measured on other games.
    assert!(start.match_rate[0].unwrap() > 0.0);
    assert!(first.mean_rank[0].unwrap() > 0.0 && last.mean_rank[0].unwrap() > 0.0);
    // The games held out are the same in all runs.
    assert_eq!(start.match_rate[1], Some(0.0));
    assert!(record.trends.weights.iter().all(|trend| trend.run_errors.len() == 2));
    assert!(record.trends.weights.iter().filter(|trend| trend.run_error() > Some(0.0)).count() > 20);
}

#[test]
fn the_fits_are_those_of_a_run_without_groups() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("with", &format!("{OPTIONS} --groups 3")));
    succeeds(&bench.fit("without", OPTIONS));
    let [mut with, without] = ["with", "without"].map(|out| bench.files(out));
    assert!(!text(&without["run.stat"]).contains("[standard errors of the run]"));
    for name in ["run.json", "run.stat"] {
        with.insert(name.into(), without[name].clone());
    }
    assert_same_files(&with, &without);
    // A finished run gets its errors later.
    succeeds(&bench.bare_fit("without", "--resume run --groups 3"));
    assert_same_files(&bench.files("without"), &bench.files("with"));
    // And says then that there is nothing left to do.
    let shown = succeeds(&bench.bare_fit("without", "--resume run"));
    assert!(shown.contains("nothing to fit"), "{shown}");
    assert_same_files(&bench.files("without"), &bench.files("with"));
}

#[test]
fn a_run_killed_among_its_groups_goes_on_with_those_that_are_left() {
    let bench = Bench::new(24);
    let options = format!("{OPTIONS} --groups 12");
    succeeds(&bench.fit("unbroken", &options));
    let groups = bench.path("out/run.groups");
    let mut child = texam().args(bench.fit("out", &options)).stdout(Stdio::null()).spawn().unwrap();
    while !Path::new(&groups).exists() && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    if Path::new(&groups).exists() {
        assert!(
            !fs::read_to_string(bench.path("out/run.stat")).unwrap().contains("[standard errors of the run]")
        );
    }
    succeeds(&bench.bare_fit("out", "--resume run"));
    assert_same_files(&bench.files("out"), &bench.files("unbroken"));
}

#[test]
fn exported_weights_have_the_errors_of_their_pass() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("out", &format!("{OPTIONS} --groups 3")));
    let export = |par: &str| json(&["export", &bench.path(par), "--to", "json", "--pawn", "100"]);
    assert!(export("out/run-00.par")["errors"].is_null());
    let schema = schema::of_exports();
    for pass in [1, 2] {
        let export = export(&format!("out/run-0{pass}.par"));
        assert!(schema::is_valid(&schema, &export), "pass {pass}");
        let errors = list(&export, "errors").iter();
        let found: Vec<(&str, f64)> =
            errors.map(|error| (error["weight"].as_str().unwrap(), number(error, "se_run"))).collect();
        let trends = bench.record("out/run").trends.weights;
        let expected: Vec<(&str, f64)> =
            trends.iter().map(|trend| (&*trend.name, trend.run_errors[pass - 1] * 100.0 / 128.0)).collect();
        assert_eq!(found, expected, "pass {pass}");
    }
    // A file of another name is of no known run.
    fs::rename(bench.path("out/run-01.par"), bench.path("out/other.par")).unwrap();
    assert!(export("out/other.par")["errors"].is_null());
}

#[test]
fn what_is_left_of_the_groups_of_another_run_is_not_used() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("unbroken", &format!("{OPTIONS} --groups 3")));
    succeeds(&bench.fit("out", OPTIONS));
    bench.write("out/run.groups", "no groups at all");
    let resume = bench.bare_fit("out", "--resume run --groups 3");
    fails(&resume, &["run.groups", "expected", "remove"]);
    fs::remove_file(bench.path("out/run.groups")).unwrap();
    succeeds(&resume);
    assert_same_files(&bench.files("out"), &bench.files("unbroken"));
}

#[test]
fn other_objectives_have_errors_too() {
    let bench = Bench::new(12);
    for objective in ["softmax --depth 1", "pairs --depth 1 --temperature 80", "logistic --inner 2"] {
        let options = format!("{OPTIONS} --objective {objective} --groups 3 --overwrite");
        let mut args = bench.bare_fit("out", &options);
        args.push(bench.games().to_string());
        succeeds_with_warnings(&args);
        let last = bench.record("out/run").reports[2].run_errors.unwrap();
        assert!(last.loss[0].unwrap() > 0.0, "{objective}");
        let has_choices = !objective.starts_with("logistic");
        assert_eq!(last.mean_rank[0].is_some(), has_choices, "{objective}");
    }
}

#[test]
fn rows_of_another_program_have_the_errors_of_the_games_they_name() {
    let bench = Bench::new(30);
    let path = bench.path("choices.txt");
    succeeds(&words(&format!("rows {} --depth 1 -o {path}", bench.games())));
    let line = format!(
        "--name rows --objective force --choices {path} --weights {} --min-support 5",
        bench.path("weights.csv")
    );
    succeeds(&bench.bare_fit("out", &format!("{line} --groups 5")));
    succeeds(&bench.fit("out", "--name games --min-support 5 --iterations 1 --groups 5"));
    let rows = bench.record("out/rows");
    assert!(rows.trends.weights.iter().any(|trend| trend.run_error() > Some(0.0)));
    let weights = |name: &str| {
        let stat = fs::read_to_string(bench.path(&format!("out/{name}.stat"))).unwrap();
        stat[stat.find("\n[weights]").unwrap()..stat.find("\n[frozen]").unwrap()].to_string()
    };
    assert_eq!(weights("rows"), weights("games"));
    // A finished run gets its groups later.
    let later = line.replace("--name rows", "--name later");
    succeeds(&bench.bare_fit("out", &later));
    let many = run(&bench.bare_fit("out", "--resume later --groups 40"));
    let error = text(&many.stderr);
    assert!(error.contains("at most as many groups as there are games to fit, 27"), "{error}");
    succeeds(&bench.bare_fit("out", "--resume later --groups 5"));
    assert_eq!(bench.record("out/later").trends.weights, rows.trends.weights);
}

#[test]
fn a_number_of_groups_that_cannot_be_made_is_refused_before_any_work() {
    let bench = Bench::new(12);
    for (groups, parts) in
        [("1", ["groups", "found 1"]), ("9999999999", ["--groups", "9999999999"]), ("40", ["games", "40"])]
    {
        fails(&bench.fit("out", &format!("{OPTIONS} --groups {groups}")), &parts);
    }
    assert!(!Path::new(&bench.path("out")).exists());
}
