//! `texam fit --objective`: the other objectives, labelled positions, and what plots and reports show of
//! them.

use std::fs;

use crate::support::*;

/// Arguments of a fit of the games without a depth, which `logistic` has not.
fn games_fit(bench: &Bench, more: &str) -> Vec<String> {
    let mut args = bench.bare_fit("out", more);
    args.push(bench.games().to_string());
    args
}

/// Options of a quick run of an objective with a temperature.
const QUICK: &str = "--iterations 2 --min-support 5 --inner 2";

#[test]
fn a_run_of_another_objective_prints_its_temperature_and_stores_objective_and_loss() {
    let bench = Bench::new(12);
    for objective in ["softmax", "pairs"] {
        let line = format!("--objective {objective} {QUICK} --name {objective}");
        let shown = succeeds(&bench.fit("out", &line));
        assert!(shown.contains("\ntemperature ") && shown.contains("estimated from the values"), "{shown}");
        let lines = shown.lines().filter(|line| !line.starts_with("weights "));
        let table = lines.skip_while(|line| !line.starts_with("pass ")).take(4);
        let widths: Vec<usize> = table.map(str::len).collect();
        assert_eq!(widths, [widths[0]; 4], "{shown}");
        let path = bench.path(&format!("out/{objective}.stat"));
        let stat = fs::read_to_string(&path).unwrap();
        assert!(
            stat.contains(&format!("\nobjective    {objective}\n")) && stat.contains("\n[loss]\n"),
            "{stat}"
        );
        assert!(!stat.contains("\nforce ") && !stat.contains("\nbalance "), "{stat}");
        let record = bench.record(&format!("out/{objective}"));
        let losses: Vec<f64> = record.reports.iter().map(|report| report.loss.unwrap().fitted.mean).collect();
        assert!(losses[2] < losses[0], "{losses:?}");
        let plot = succeeds(&["plot", &path]);
        assert!(plot.contains("Loss") && plot.contains(&format!("objective {objective}")), "{plot}");
        assert!(!plot.contains("Forces"), "{plot}");
        let page = bench.path("page.html");
        succeeds(&["report", &path, "-o", &page, "--positions", "1", "--overwrite"]);
        let page = fs::read_to_string(&page).unwrap();
        assert!(page.contains("id=\"losses\"") && page.contains("id=\"passes\""), "{objective}");
        assert!(page.contains(&format!("--objective</code></th><td><code>{objective}<")), "{objective}");
    }
}

#[test]
fn json_has_objective_temperature_and_losses() {
    let bench = Bench::new(12);
    let line = format!("--objective softmax --temperature 50.5 {QUICK} --json");
    let fit = json(&bench.fit("out", &line));
    assert_eq!((fit["objective"].as_str(), number(&fit, "temperature")), (Some("softmax"), 50.5));
    for pass in list(&fit, "passes") {
        assert!(
            number(pass, "loss") > 0.0 && number(pass, "holdout_loss") > 0.0 && number(pass, "match") > 0.0
        );
    }
    let fit = json(&bench.fit("out", "--iterations 0 --json"));
    assert_eq!(fit["objective"].as_str(), Some("force"));
    assert!(fit["temperature"].is_null() && list(&fit, "passes")[0]["loss"].is_null());
    let line = "--objective logistic --iterations 1 --min-support 5 --json";
    let fit = object(&succeeds_with_warnings(&games_fit(&bench, line)));
    for pass in list(&fit, "passes") {
        assert!(
            pass["match"].is_null() && pass["holdout_match"].is_null() && number(pass, "holdout_loss") > 0.0
        );
    }
}

#[test]
fn options_of_another_objective_are_refused_also_with_their_default() {
    let bench = Bench::new(4);
    let refused = |options: &str, name: &str| {
        let part = format!("option {name}: expected none with objective");
        fails(&bench.bare_fit("out", options), &[&part, "leave it out"]);
    };
    refused("--objective softmax --force linear", "force");
    refused("--objective pairs --variance off", "variance");
    refused("--objective logistic --balance all", "balance");
    refused("--temperature 60", "temperature");
    refused("--inner 4", "inner");
    refused("--objective softmax --loss squared", "loss");
    fails(&games_fit(&bench, "--objective logistic --depth 1"), &["option depth: expected none"]);
    fails(
        &bench.bare_fit("out", "--objective softmax --temperature 0"),
        &["--temperature", "expected a number from 0.01"],
    );
}

#[test]
fn a_run_of_another_objective_is_resumed_and_does_not_depend_on_threads() {
    let bench = Bench::new(12);
    for (objective, search) in [("softmax", "--depth 1"), ("logistic", "")] {
        let line = |name: &str, iterations: u32, threads: u32| {
            games_fit(
                &bench,
                &format!(
                    "--objective {objective} {search} --min-support 5 --inner 2 --iterations {iterations} --name {name} \
                 --threads {threads}"
                ),
            )
        };
        let names = [format!("{objective}-whole"), format!("{objective}-parts")];
        succeeds_with_warnings(&line(&names[0], 3, 1));
        succeeds_with_warnings(&line(&names[1], 1, 3));
        succeeds_with_warnings(&words(&format!(
            "fit --resume {} --out {} --iterations 3 --threads 2",
            names[1],
            bench.path("out")
        )));
        let read =
            |name: &str, end: &str| fs::read_to_string(bench.path(&format!("out/{name}{end}"))).unwrap();
        let own = |text: String, name: &str| text.replace(name, "NAME");
        for end in [".json", ".stat", "-03.par"] {
            assert_eq!(
                own(read(&names[0], end), &names[0]),
                own(read(&names[1], end), &names[1]),
                "{objective}{end}"
            );
        }
    }
}

/// Lines of EPD in several forms, two of which cannot be read.
fn epd() -> String {
    let games =
        texam::game::load_labelled("games/gm1988.pgn", &texam::game::GameOptions::default(), 50, &mut |_| {});
    let lines = games.unwrap().positions.into_iter().enumerate().map(|(at, position)| {
        let fen = texam::fen::format(&position.position());
        let result = ["0-1", "1/2-1/2", "1-0"][(position.label * 2.0) as usize];
        match at % 3 {
            0 => format!("{fen}; c9 \"{result}\";\n"),
            1 => format!("{fen} [{}]\n", position.label),
            _ => format!("{fen} | {}\n", position.label),
        }
    });
    lines.collect::<String>() + "no position [0.5]\n8/8/8/8/4k3/8/4K3/8 w - - 0 1\n"
}

#[test]
fn labelled_positions_come_from_epd_and_unreadable_lines_are_counted_and_named() {
    let bench = Bench::new(1);
    let text = epd();
    let lines = text.lines().count();
    let path = bench.write("quiet.epd", &text);
    let out = bench.path("out");
    let line = format!("fit {path} --objective logistic --iterations 1 --inner 8 --out {out} --name epd");
    let output = run(&words(&line));
    assert_eq!(output.status.code(), Some(1));
    let errors = crate::support::text(&output.stderr);
    for part in [format!("line {}", lines - 1), format!("line {lines}"), "skipped 2".to_string()] {
        assert!(errors.contains(&part), "{part} in {errors}");
    }
    let record = bench.record("out/epd");
    assert_eq!(record.header.skipped, 2);
    let loss = |pass: usize| record.reports[pass].loss.unwrap().fitted.mean;
    assert!(loss(1) < loss(0) && loss(0) < std::f64::consts::LN_2, "{} {}", loss(0), loss(1));
    let plot = succeeds(&["plot", &bench.path("out/epd.stat")]);
    assert!(plot.contains("Loss") && !plot.contains("Mean rank"), "{plot}");
    let page = bench.path("page.html");
    succeeds(&["report", &bench.path("out/epd.stat"), "-o", &page]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("id=\"losses\"") && !page.contains("id=\"passes\""));
    assert!(page.contains("there are no moves to compare"));
}

#[test]
fn the_squared_loss_has_another_optimum_and_games_and_lines_can_be_held_out() {
    let bench = Bench::new(1);
    let path = bench.write("quiet.epd", epd());
    let out = bench.path("out");
    let fit = |more: &str| {
        let line = format!("fit {path} --objective logistic --iterations 1 --out {out} --json {more}");
        let output = run(&words(&line));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        object(text(&output.stdout))
    };
    let cross = fit("");
    let squared = fit("--loss squared --holdout games/gm1988.pgn --every 9");
    let loss = |fit: &serde_json::Value, field: &str| number(&list(fit, "passes")[1], field);
    assert!(loss(&squared, "loss") < 0.125 && loss(&cross, "loss") > 0.25);
    assert!(loss(&squared, "holdout_loss") > 0.0);
    for (name, is_half) in [("squared", true), ("cross-entropy", false)] {
        let line = format!("fit {path} --objective logistic --loss {name} --iterations 0 --out {out}");
        let output = run(&words(&line));
        assert_eq!(text(&output.stdout).contains("half the squared error"), is_half, "{name}");
    }
}

#[test]
fn a_file_without_results_or_quiet_positions_is_an_error_that_says_so() {
    let bench = Bench::new(1);
    let path = bench.write("none.epd", "8/8/8/8/4k3/8/4K2R/8 w - - 0 1\n");
    let fit = |path: &str, more: &str| format!("fit {path} --objective logistic {more}");
    fails(&words(&fit(&path, "")), &["none.epd", "lines of EPD with a result"]);
    let check = bench.write("check.epd", "4k3/8/8/8/8/8/8/4K2r w - - 0 1 [0.5]\n");
    fails(&words(&fit(&check, "--holdout none")), &["quiet positions with a result"]);
    fails(&words(&fit(&check, "")), &["at least 10 games", "--holdout none"]);
}
