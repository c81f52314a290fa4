//! A `.par` is read by its keys: which keys are missing is said once for each file, and an unknown key is an
//! error.

use std::fs;

use crate::support::*;

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

/// The text of a `.par` without the lines of these keys, which are none of a table with cells.
fn without(par: &str, keys: &[&str]) -> String {
    let is_kept = |line: &&str| !keys.contains(&line.split_whitespace().next().unwrap_or_default());
    par.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

fn start_without(keys: &[&str]) -> String {
    without(&fs::read_to_string("params/start.par").unwrap(), keys)
}

/// Runs to a good end with these lines on standard error, and hands standard output back.
fn succeeds_with(args: &[&str], notes: &[&str]) -> String {
    let output = run(args);
    let expected: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    assert_eq!((output.status.code(), text(&output.stderr).to_string()), (Some(0), expected), "{args:?}");
    text(&output.stdout).to_string()
}

#[test]
fn keys_that_are_missing_are_noted_and_take_their_start_weights() {
    let bench = Bench::new(2);
    let one = bench.write("one.par", start_without(&["pass_sup"]));
    let note = format!("{one}: no line for pass_sup; it takes its start weights");
    assert_eq!(succeeds_with(&["eval", FEN, "--par", &one], &[&note]), succeeds(&["eval", FEN]));
    let two = bench.write("two.par", start_without(&["r_weak", "pass_sup"]));
    let note = format!("{two}: no line for pass_sup, r_weak; they take their start weights");
    let shown = succeeds_with(&["search", FEN, "--depth", "1", "--json", "--par", &two], &[&note]);
    assert_eq!(shown, succeeds(&["search", FEN, "--depth", "1", "--json"]));
    let whole = bench.path("whole.par");
    succeeds_with(&["params", "--par", &two, "-o", &whole], &[&note]);
    let weights = |text: String| text.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n");
    let start = fs::read_to_string("params/start.par").unwrap();
    assert_eq!(weights(fs::read_to_string(whole).unwrap()), weights(start));
}

#[test]
fn every_command_that_reads_weights_notes_what_is_missing_once_for_each_file() {
    let bench = Bench::new(2);
    let par = bench.write("a.par", start_without(&["tempo"]));
    let note = format!("{par}: no line for tempo; it takes its start weights");
    let (games, out) = (bench.games(), bench.path("out"));
    let start = "params/start.par";
    for (line, more) in [
        ("agree --depth 1 --json --par", &[games][..]),
        ("agree --depth 1 --json --against", &[games]),
        ("check --depth 1 --min-support 1 --par", &[games]),
        ("bench --depth 1 --positions 1 --par", &[games]),
        ("bench --depth 1 --positions 1 --after", &[games]),
        ("diff --weights-only", &[start]),
        ("export --to csv", &[]),
        ("plot", &[]),
        ("plot params/gm1988.par --against", &[]),
        ("fit --depth 1 --iterations 0 --holdout none --par", &[games, "--out", &out]),
        ("match --games 2 --nodes 1 --json", &[start]),
    ] {
        let args = [&words(line)[..], &[&par], more].concat();
        succeeds_with(&args, &[&note]);
    }
}

#[test]
fn a_run_whose_weights_lack_a_key_is_resumed_drawn_reported_and_played() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("out", "--name a --iterations 1 --min-support 5"));
    let mut notes = Vec::new();
    for pass in 0..2 {
        let par = bench.path(&format!("out/a-0{pass}.par"));
        // A frozen weight: with its start weight the set is that of the run.
        fs::write(&par, without(&fs::read_to_string(&par).unwrap(), &["tempo"])).unwrap();
        notes.push(format!("{par}: no line for tempo; it takes its start weights"));
    }
    let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
    let (out, stat) = (bench.path("out"), bench.path("out/a.stat"));
    succeeds_with(&["plot", &stat], &notes);
    succeeds_with(&["report", &stat, "--threads", "1"], &notes);
    let [first, second] = ["out/a-00.par", "out/a-01.par"].map(|name| bench.path(name));
    succeeds_with(&["match", &first, &second, "--games", "2", "--nodes", "1"], &notes);
    succeeds_with(&["fit", "--resume", "a", "--out", &out, "--iterations", "2"], &notes);
}

#[test]
fn params_puts_weights_back_and_multiplies_what_is_tuned() {
    let bench = Bench::new(1);
    let (large, back) = (bench.path("large.par"), bench.path("back.par"));
    succeeds(&["params", "--multiply", "3", "-o", &large]);
    let changed = |from: &str, to: &str| {
        let diff = json(&["diff", from, to, "--weights-only", "--json"]);
        let changes = diff["changes"].as_array().unwrap().clone();
        changes.iter().map(|row| row["key"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let keys = changed("params/start.par", &large);
    assert!(
        keys.len() > 100 && !keys.iter().any(|key| key.starts_with("mat_") || key == "tempo"),
        "{keys:?}"
    );
    succeeds(&["params", "--par", &large, "--reset", "passed,n_fwd", "-o", &back]);
    let keys = changed(&large, &back);
    assert!(keys.iter().all(|key| key.starts_with("pass") || key == "n_fwd"), "{keys:?}");
    assert!(keys.contains(&"pass_sup".to_string()) && keys.contains(&"n_fwd".to_string()));
    fails(&["params", "--multiply", "1e9"], &["between -8192 and 8192"]);
    fails(&["params", "--reset", "pasted"], &["\"pasted\""]);
}

#[test]
fn the_engine_says_what_is_missing_in_the_conversation() {
    let bench = Bench::new(1);
    let par = bench.write("a.par", start_without(&["tempo"]));
    let note = format!("info string {par}: no line for tempo; it takes its start weights");
    let answers = |line: &str, script: &str| {
        let output = run_with_input(line, script.as_bytes());
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{script}");
        text(&output.stdout).lines().map(str::to_string).collect::<Vec<_>>()
    };
    let lines = answers(&format!("uci --par {par}"), "uci\nisready\n");
    assert_eq!(lines[lines.len() - 3..], ["uciok".to_string(), note.clone(), "readyok".to_string()]);
    let script = format!("setoption name ParFile value {par}\nisready\n");
    assert_eq!(answers("uci", &script), [note, "readyok".to_string()]);
}
