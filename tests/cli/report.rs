//! `texam report`: where its page and the games are found, and what it says when something is missing.
//!
//! What the page looks like and does in a browser is tested in `tests/browser`.

use std::{fs, process::Output};

use texam::{par, run::StoredRun};

use crate::support::*;

/// A run of two fits into `out/first`.
fn bench_with_run() -> Bench {
    let bench = Bench::new(12);
    succeeds(&bench.fit("out", "--iterations 2 --min-support 5 --name first"));
    bench
}

/// Arguments of a report of the run.
fn report(bench: &Bench, more: &str) -> Vec<String> {
    let mut args = vec!["report".to_string(), bench.path("out/first.stat"), "--overwrite".to_string()];
    args.extend(words(more).iter().map(ToString::to_string));
    args
}

fn page(bench: &Bench) -> String {
    fs::read_to_string(bench.path("out/first.html")).unwrap()
}

/// The run's report is written, but for its positions: why, in the page and on standard error.
fn lacks_positions(bench: &Bench, more: &str, parts: &[&str]) {
    let output = run(&report(bench, more));
    let (error, page) = (text(&output.stderr), page(bench));
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("warning: no positions in the page: "), "{error}");
    for part in parts {
        assert!(error.contains(part) && page.contains(part), "no {part:?} in {error}");
    }
    assert!(page.contains("class=\"warning\"") && !page.contains("class=\"card\""));
    assert_is_whole_and_private(bench, &page);
}

fn assert_is_whole_and_private(bench: &Bench, page: &str) {
    for id in ["run", "results", "plots", "weights", "positions"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert!(page.trim_end().ends_with("</html>"));
    assert!(!page.contains(bench.folder.path().to_str().unwrap()), "the page tells of a folder");
}

#[test]
fn a_report_stands_beside_its_stat_or_where_it_is_asked_to() {
    let bench = bench_with_run();
    let shown = succeeds(&report(&bench, ""));
    assert!(shown.starts_with(&format!("wrote {}\n", bench.path("out/first.html"))), "{shown}");
    assert!(shown.contains("against the start, fitted: ") && shown.contains(", held out: "), "{shown}");
    let page = page(&bench);
    assert_is_whole_and_private(&bench, &page);
    assert!(page.contains("class=\"card\"") && !page.contains("class=\"warning\""));
    succeeds(&report(&bench, &format!("-o {} --threads 1", bench.path("other.html"))));
    assert_eq!(fs::read_to_string(bench.path("other.html")).unwrap(), page);
    // Without the ranks that the run has kept, all positions are searched.
    fs::remove_file(bench.path("out/first.games")).unwrap();
    succeeds(&report(&bench, ""));
    assert_eq!(self::page(&bench), page);
}

#[test]
fn shipped_runs_have_the_ranks_of_this_search_and_no_version() {
    let bench = Bench::new(1);
    for (name, best) in [("gm1988", 7), ("best", 12)] {
        let stat = format!("stats/{name}.stat");
        let run = StoredRun::open(stat.as_ref()).unwrap();
        for pass in [0, best] {
            let weights = par::read(run.files.par(pass)).unwrap().weights;
            assert!(run.ranks(pass, &weights).is_some(), "{name}, pass {pass}");
        }
        for ending in ["json", "stat"] {
            let text = fs::read_to_string(format!("stats/{name}.{ending}")).unwrap();
            assert!(!text.contains(env!("CARGO_PKG_VERSION")), "{name}.{ending}");
        }
        succeeds(&words(&format!("report {stat} -o {}", bench.path(&format!("{name}.html")))));
    }
}

#[test]
fn the_paths_of_a_run_are_private() {
    let bench = Bench::new(12);
    let par = bench.write("mine.par", fs::read("params/start.par").unwrap());
    succeeds(&bench.fit("out", &format!("--iterations 1 --min-support 5 --name first --par {par}")));
    let stat = bench.path("out/first.stat");
    let written = fs::read_to_string(&stat).unwrap();
    assert!(written.contains(&format!("\npar          {par}\n")), "{written}");
    succeeds(&report(&bench, ""));
    let page = page(&bench);
    assert_is_whole_and_private(&bench, &page);
    assert!(page.contains("class=\"card\"") && page.contains("mine.par"));
}

#[test]
fn a_report_is_the_same_from_every_folder() {
    let bench = Bench::new(12);
    let here = |folder: &str, line: &str| -> Output {
        let mut command = texam();
        command.args(words(line)).current_dir(bench.path(folder)).output().unwrap()
    };
    assert!(
        here(".", "fit --depth 1 --iterations 1 --min-support 5 --name first games.pgn").status.success()
    );
    let pages = [(".", "stats/first.stat"), ("stats", "first.stat")].map(|(folder, stat)| {
        let output = here(folder, &format!("report {stat} --overwrite"));
        assert_eq!(text(&output.stderr), "");
        fs::read_to_string(bench.path("stats/first.html")).unwrap()
    });
    assert_eq!(pages[0], pages[1]);
    assert!(pages[0].contains("games.pgn"));
}

#[test]
fn without_its_games_a_report_says_what_to_do_and_can_be_told_where_they_are() {
    let bench = bench_with_run();
    succeeds(&report(&bench, ""));
    let whole = page(&bench);
    let moved = bench.path("moved.pgn");
    fs::rename(&bench.games, &moved).unwrap();
    lacks_positions(&bench, "", &["games.pgn: expected the games of the run", "--games"]);
    lacks_positions(
        &bench,
        &format!("--games {}", bench.path("none.pgn")),
        &["none.pgn: ", "check the name"],
    );
    succeeds(&report(&bench, &format!("--games {moved}")));
    assert_eq!(page(&bench), whole);
}

#[test]
fn other_games_than_those_of_the_run_are_not_used() {
    let bench = bench_with_run();
    fs::write(&bench.games, first_games(13)).unwrap();
    lacks_positions(&bench, "", &["games.pgn: expected the games of the run (SHA-256 ", "but found others"]);
    fs::write(&bench.games, "no games").unwrap();
    lacks_positions(&bench, "", &["games.pgn: "]);
}

#[test]
fn games_from_standard_input_have_to_be_named() {
    let bench = Bench::new(12);
    let line =
        format!("fit - --depth 1 --iterations 1 --min-support 5 --name first --out {}", bench.path("out"));
    assert!(run_with_input(&line, first_games(12).as_bytes()).status.success());
    lacks_positions(&bench, "", &["standard input", "--games"]);
    succeeds(&report(&bench, &format!("--games {}", bench.games())));
}

#[test]
fn games_held_out_in_their_own_file_are_found_and_named_by_it() {
    let bench = Bench::new(12);
    let other = bench.write("other.pgn", games_from(20, 5));
    succeeds(&bench.fit("out", &format!("--iterations 1 --min-support 5 --name first --holdout {other}")));
    succeeds(&report(&bench, "--positions 100"));
    let whole = page(&bench);
    let white = games_from(20, 5);
    let white = white.lines().find_map(|line| line.strip_prefix("[White \"")?.strip_suffix("\"]")).unwrap();
    assert!(whole.contains("class=\"tag out\"") && whole.contains(white), "{white}");
    let moved = bench.path("moved.pgn");
    fs::rename(&other, &moved).unwrap();
    lacks_positions(&bench, "", &["other.pgn: expected the games of the run", "--holdout"]);
    succeeds(&report(&bench, &format!("--positions 100 --holdout {moved}")));
    assert_eq!(page(&bench), whole);
}

#[test]
fn without_the_weights_of_a_pass_its_positions_are_left_out() {
    let bench = bench_with_run();
    for (pass, option) in [("02", "--pass 2"), ("00", "")] {
        fs::remove_file(bench.path(&format!("out/first-{pass}.par"))).unwrap();
        lacks_positions(&bench, option, &[&format!("first-{pass}.par: cannot read this file")]);
    }
}

#[test]
fn without_the_weights_of_another_pass_only_the_trends_go_short() {
    let bench = bench_with_run();
    fs::remove_file(bench.path("out/first-01.par")).unwrap();
    let output = run(&report(&bench, "--pass 2"));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("warning: drawn without the weights of pass 1: "));
    let page = page(&bench);
    assert!(page.contains("trends have fewer points") && page.contains("class=\"card\""));
    fs::remove_file(bench.path("out/first-00.par")).unwrap();
    let output = run(&report(&bench, "--positions 0"));
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(
        error.starts_with("warning: drawn without weights: ") && error.contains("first-00.par: "),
        "{error}"
    );
}

#[test]
fn other_weights_than_those_of_the_run_do_not_pass_for_them() {
    let bench = bench_with_run();
    let [start, later] = ["out/first-00.par", "out/first-02.par"].map(|name| bench.path(name));
    let kept = fs::read(&start).unwrap();
    fs::copy(&later, &start).unwrap();
    lacks_positions(&bench, "", &["first-00.par: expected the start weights of the run"]);
    fs::write(&start, kept).unwrap();
    fs::copy("params/material.par", &later).unwrap();
    let output = run(&report(&bench, "--pass 2"));
    assert_eq!(output.status.code(), Some(1));
    for said in [text(&output.stderr), &page(&bench)] {
        assert!(said.contains("Pass 2 does not agree with the winners as often as its .stat says"), "{said}");
    }
    assert!(page(&bench).contains("class=\"card\""));
}

#[test]
fn the_pass_and_the_number_of_positions_can_be_chosen() {
    let bench = bench_with_run();
    let cards = |more: &str| {
        succeeds(&report(&bench, more));
        page(&bench).matches("class=\"card\"").count()
    };
    assert_eq!([cards("--positions 2"), cards("--positions 0")], [4, 0]);
    assert!(page(&bench).contains("--positions 0"));
    assert_eq!(cards("--pass 1 --positions 1"), 2);
    assert!(page(&bench).contains("<th scope=\"col\">pass 1</th>"));
    fails(&report(&bench, "--pass 3"), &["--pass of at most 2", "3"]);
    fails(&report(&bench, "--pass 0"), &["--pass"]);
}

#[test]
fn a_run_without_a_fit_has_a_report_without_positions() {
    let bench = Bench::new(4);
    succeeds(&bench.fit("out", "--iterations 0 --holdout none --name first"));
    succeeds(&report(&bench, ""));
    assert!(page(&bench).contains("no fit yet"));
    assert_is_whole_and_private(&bench, &page(&bench));
}

#[test]
fn what_is_no_run_is_refused_and_nothing_is_written() {
    let bench = bench_with_run();
    let stat = bench.path("out/first.stat");
    let story = fs::read_to_string(&stat).unwrap();
    fails(&["report", &bench.path("out/first-00.par")], &["expected the .stat of a run"]);
    fails(&["report", &stat, "-o", &stat], &["another name for the output"]);
    assert_eq!(fs::read_to_string(&stat).unwrap(), story);
    let data = fs::read_to_string(bench.path("out/first.json")).unwrap();
    let damaged = bench.write("out/damaged.json", data.replacen("\"decisive\": 12", "\"decisive\": 13", 1));
    fails(&["report", &damaged], &["damaged.json: expected the data of a run", "put it back"]);
    assert!(bench.names("out").iter().all(|name| !name.ends_with(".html")));
}

#[test]
fn names_of_players_are_no_markup() {
    let bench = Bench::new(12);
    let games = first_games(12).replace("[White \"", "[White \"<script>alert(1)</script>&amp;<b>");
    fs::write(&bench.games, games).unwrap();
    succeeds(&bench.fit("out", "--iterations 1 --min-support 5 --name first"));
    succeeds(&report(&bench, ""));
    let page = page(&bench);
    assert!(page.contains("&#60;script&#62;alert(1)") && !page.contains("<script>alert"));
    assert!(page.contains("&#38;amp;&#60;b&#62;") && !page.contains("<b>"));
}
