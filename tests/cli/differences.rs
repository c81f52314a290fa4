//! `texam diff`: what it tells of two sets of weights, in words and as JSON.

use serde_json::Value;

use crate::support::*;

const START: &str = "params/start.par";
const MATERIAL: &str = "params/material.par";
const TABLES: &str = "params/tables.par";

fn diff(a: &str, b: &str, options: &str) -> Value {
    let diff = json(&[&["diff", a, b, "--json"][..], &words(options)].concat());
    require(&diff, &["a", "b", "differ", "equal", "held_otherwise", "changes"]);
    assert_eq!(number(&diff, "differ") as usize, list(&diff, "changes").len());
    for change in list(&diff, "changes") {
        require(change, &["weight", "key", "cell", "part", "from", "to", "change"]);
        require(change, &["moves", "standard_error", "change_in_errors", "support"]);
        assert!((number(change, "change") - (number(change, "to") - number(change, "from"))).abs() < 1e-9);
        assert_ne!(number(change, "change"), 0.0);
    }
    diff
}

fn names(diff: &Value) -> Vec<&str> {
    list(diff, "changes").iter().map(|change| change["weight"].as_str().unwrap()).collect()
}

/// The start with some of its lines replaced.
fn edited(bench: &Bench, lines: &[(&str, &str)]) -> String {
    let mut par = std::fs::read_to_string(START).unwrap();
    for (key, line) in lines {
        let old = par.lines().find(|old| old.split_whitespace().next() == Some(*key)).unwrap().to_string();
        par = par.replacen(&old, line, 1);
    }
    bench.write("edited.par", par)
}

/// Five weights of four features.
fn five(bench: &Bench) -> String {
    edited(
        bench,
        &[
            ("mat_q", "mat_q 1200 1250 frozen"),
            ("n_fwd", "n_fwd 7 1 tune"),
            ("trade_pn", "trade_pn -5.5 - tune"),
            ("pass", "pass gradient 1 1.25 tune"),
        ],
    )
}

#[test]
fn the_weights_that_differ_are_told_from_to_and_the_others_counted() {
    let bench = Bench::new(0);
    let found = diff(START, &five(&bench), "--weights-only");
    assert_eq!(names(&found), ["mat_q.o", "n_fwd.o", "trade_pn", "mat_q.e", "pass.e"]);
    let changes: Vec<f64> = list(&found, "changes").iter().map(|change| number(change, "change")).collect();
    assert_eq!(changes, [-16.0, 5.0, -2.5, 2.0, 0.25]);
    assert_eq!(list(&found, "changes")[2]["part"], "both");
    assert_eq!(number(&found, "equal"), number(&diff(START, START, "--weights-only"), "equal") - 5.0);
    assert!(found["agreement"].is_null() && found["games"].is_null());
    let back = diff(&five(&bench), START, "--weights-only");
    assert_eq!(names(&back), names(&found));
    assert_eq!(number(&list(&back, "changes")[1], "change"), -5.0);
}

#[test]
fn a_table_freed_differs_in_nothing_until_a_cell_is_reshaped() {
    let bench = Bench::new(0);
    let freed = bench.path("freed.par");
    succeeds(&["params", "--tune", "table:pass", "-o", &freed]);
    let same = diff(START, &freed, "--weights-only");
    assert_eq!((names(&same), &same["held_otherwise"][0]), (vec![], &Value::from("pass")));
    let par = std::fs::read_to_string(&freed).unwrap();
    let row = par.lines().find(|line| line.trim_start().starts_with("r4")).unwrap();
    let reshaped = bench.write("reshaped.par", par.replacen(row, "  r4 20 32 tune", 1));
    let found = diff(START, &reshaped, "--weights-only");
    assert_eq!(names(&found), ["pass[r4].o"]);
    assert_eq!(list(&found, "changes")[0]["cell"], "r4");
    let shown = succeeds(&["diff", START, &reshaped, "--weights-only"]);
    assert!(shown.contains("gradients in A, cells in B: pass\n"), "{shown}");
}

#[test]
fn changes_that_move_values_most_come_first() {
    let bench = Bench::new(8);
    let found = diff(START, MATERIAL, &format!("{} --depth 1", bench.games()));
    let moves: Vec<f64> = list(&found, "changes").iter().map(|change| number(change, "moves")).collect();
    assert!(moves.len() > 30 && moves[0] > 1.0, "{moves:?}");
    assert!(moves.windows(2).all(|pair| pair[0] >= pair[1]), "{moves:?}");
    // Without games it is not known what moves values.
    let found = diff(START, MATERIAL, "--weights-only");
    let units: Vec<f64> =
        list(&found, "changes").iter().map(|change| number(change, "change").abs()).collect();
    assert!(units.windows(2).all(|pair| pair[0] >= pair[1]), "{units:?}");
    assert!(list(&found, "changes").iter().all(|change| change["moves"].is_null()));
}

#[test]
fn standard_errors_belong_to_the_changes_and_agreement_is_that_of_agree() {
    let bench = Bench::new(170);
    let games = format!("{} --depth 1", bench.games());
    let found = diff(START, MATERIAL, &games);
    let judged = list(&found, "changes").iter().filter(|change| change["standard_error"].is_f64()).count();
    assert!(judged > 30, "{found}");
    for change in list(&found, "changes") {
        if let Some(error) = change["standard_error"].as_f64() {
            let ratio = number(change, "change") / error;
            assert!((ratio / number(change, "change_in_errors") - 1.0).abs() < 1e-9 && error > 0.0);
            assert!(number(change, "support") >= 20.0, "{change}");
        }
    }
    let of = |weight: String| list(&found, "changes").iter().find(move |change| change["weight"] == weight);
    let mut apart = 0;
    for change in list(&found, "changes").iter().filter(|change| !change["apart_se"].is_null()) {
        let name = change["weight"].as_str().unwrap().strip_suffix(".o").unwrap();
        let endgame = of(format!("{name}.e")).unwrap();
        let [of_both, errors] =
            ["change", "standard_error"].map(|field| [change, endgame].map(|c| number(c, field)));
        assert!((number(change, "apart") - (of_both[0] - of_both[1])).abs() < 1e-9, "{change}");
        let between = (errors[0] - errors[1]).abs()..=errors[0] + errors[1];
        assert!(between.contains(&number(change, "apart_se")), "{change} {endgame}");
        apart += 1;
    }
    assert!(apart > 5, "{apart}");
    let line = format!("agree {games} --json --par {MATERIAL} --against {START}");
    let agree = json(&words(&line));
    let agreement = &found["agreement"];
    assert_eq!(agreement["difference"], agree["difference"]);
    assert_eq!(agreement["a"], agree["against"]);
    for field in ["par", "match", "mean_rank", "histogram", "in_bound_positions", "spread"] {
        assert_eq!(agreement["b"][field], agree[field], "{field}");
    }
    assert_eq!((number(&found, "games"), number(&found, "games_skipped")), (170.0, 0.0));
}

#[test]
fn options_of_games_search_and_bound_act_as_in_agree() {
    let bench = Bench::new(8);
    let par = five(&bench);
    for options in [
        "--depth 1 --every 3",
        "--depth 1 --skip-moves 20",
        "--depth 1 --phase none --root static --threshold 32",
    ] {
        let games = format!("{} {options}", bench.games());
        let found = diff(START, &par, &games);
        let agree = json(&words(&format!("agree {games} --json --par {par}")));
        for field in ["positions", "match", "in_bound_positions", "phase"] {
            assert_eq!(found["agreement"]["b"][field], agree[field], "{field} {options}");
        }
    }
}

#[test]
fn the_same_set_twice_is_equal_and_agrees_with_itself() {
    let bench = Bench::new(2);
    let same = diff(START, START, &format!("{} --depth 1", bench.games()));
    assert_eq!(number(&same, "differ"), 0.0);
    assert_eq!(number(&same["agreement"]["difference"], "only_first"), 0.0);
    assert_eq!(same["agreement"]["a"], same["agreement"]["b"]);
    let shown = succeeds(&["diff", START, START, bench.games(), "--depth", "1"]);
    let equal = format!("all {} weights are equal", same["equal"]);
    assert!(shown.contains(&equal) && !shown.contains("A open"), "{shown}");
}

/// The lines of the list of weights.
fn rows(shown: &str) -> Vec<&str> {
    let list = shown.lines().skip_while(|line| !line.starts_with("weight ")).skip(1);
    list.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn few_changes_stand_in_pairs_and_many_cells_of_a_table_in_one_line() {
    let bench = Bench::new(0);
    let shown = succeeds(&["diff", START, &five(&bench), "--weights-only"]);
    let found = rows(&shown);
    assert_eq!(found.len(), 4, "{shown}");
    let fields: Vec<&str> = found[1].split_whitespace().collect();
    assert_eq!(fields, ["n_fwd", "2.000", "7.000", "+5.000", "1.000", "="]);
    assert_eq!(found[2].split_whitespace().last(), Some("same"));
    let many = succeeds(&["diff", START, TABLES, "--weights-only"]);
    assert!(rows(&many).len() < 110, "{many}");
    assert!(rows(&many).iter().any(|row| row.starts_with("n_cen[]") && row.contains("32 of 32")), "{many}");
    assert!(many.contains("--json lists them") && many.lines().all(|line| line.len() <= 120), "{many}");
}

#[test]
fn games_that_allow_no_fit_leave_the_changes_without_standard_errors() {
    let bench = Bench::new(1);
    let args = ["diff", START, &five(&bench), bench.games(), "--depth", "1", "--threshold", "0", "--json"];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("warning: no standard errors: "), "{}", text(&output.stderr));
    let found = object(text(&output.stdout));
    assert!(list(&found, "changes").iter().all(|change| change["standard_error"].is_null()));
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let bench = Bench::new(1);
    let games = bench.games();
    fails(&["diff", START], &["<B.par>"]);
    fails(&["diff", START, TABLES, &bench.path("none.pgn")], &["none.pgn"]);
    fails(&["diff", START, TABLES, games, "--weights-only"], &["--weights-only", "cannot be used with"]);
    fails(&["diff", START, TABLES, games, "--skip-moves", "500"], &["positions of a winner"]);
    let broken = bench.write("broken.pgn", first_games(3).replacen("9. Qe2", "9. Qa8", 1));
    let output = run(&["diff", START, TABLES, &broken, "--depth", "1"]);
    assert_eq!(output.status.code(), Some(1));
}

/// What `agree` and `diff` count on the games that a run held out is what the run counted there.
#[test]
fn sets_are_compared_on_the_games_that_a_run_held_out() {
    let bench = Bench::new(30);
    let other = bench.write("other.pgn", games_from(30, 5));
    for (name, holdout) in [("every", "1/4"), ("file", &*other)] {
        let options = format!("--name {name} --iterations 1 --min-support 5 --json --holdout {holdout}");
        let fit = json(&bench.fit("out", &options));
        let (passes, stat) = (list(&fit, "passes"), bench.path(&format!("out/{name}.stat")));
        let [start, fitted] = ["00", "01"].map(|pass| bench.path(&format!("out/{name}-{pass}.par")));
        let agree = [
            "agree",
            "--par",
            &fitted,
            "--against",
            &start,
            "--held-out-of",
            &stat,
            "--depth",
            "1",
            "--json",
        ];
        let agree = json(&agree);
        assert_eq!(agree["match"], passes[1]["holdout_match"], "{name}");
        assert_eq!(agree["against"]["match"], passes[0]["holdout_match"], "{name}");
        let difference = number(&agree["difference"], "mean_rank");
        assert!((difference - number(&passes[1]["against_start"], "mean_rank")).abs() < 1e-5, "{name}");
        let diff = json(&["diff", &start, &fitted, "--held-out-of", &stat, "--depth", "1", "--json"]);
        let of_diff = number(&diff["agreement"]["difference"], "mean_rank");
        assert!((of_diff - difference).abs() < 1e-12, "{name}");
    }
    succeeds(&bench.fit("out", "--name none --iterations 0 --holdout none"));
    let without = bench.path("out/none.stat");
    fails(&["agree", "--held-out-of", &without], &["none.stat", "of which some are held out"]);
    fails(&["agree", bench.games(), "--held-out-of", &without], &["--held-out-of"]);
}
