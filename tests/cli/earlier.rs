//! Runs of an earlier version, whose `.stat` has no ties and fewer options: they are shown, and not gone on with.

use std::fs;

use crate::support::*;

const STAT: &str = "tests/data/earlier.stat";

#[test]
fn a_run_of_an_earlier_version_is_plotted() {
    let shown = succeeds(&words(&format!("plot {STAT}")));
    assert!(shown.contains("earlier") && shown.contains("Mean rank"), "{shown}");
}

#[test]
fn a_run_of_an_earlier_version_is_reported_and_its_counts_come_out_again() {
    let bench = Bench::new(0);
    let page = bench.path("report.html");
    let shown = succeeds(&["report", STAT, "-o", &page]);
    assert!(shown.contains("pass 1 against the start, fitted: 70 positions"), "{shown}");
    let page = fs::read_to_string(page).unwrap();
    assert!(!page.contains("does not agree with the winners"), "a warning that counts differ");
}

#[test]
fn a_run_of_an_earlier_version_is_not_resumed_and_stays_as_it_is() {
    let bench = Bench::new(0);
    let names = ["earlier.stat", "earlier-00.par", "earlier-01.par"];
    let read = |name: &str| fs::read(format!("tests/data/{name}")).unwrap();
    let copies: Vec<String> = names.iter().map(|name| bench.write(name, read(name))).collect();
    let folder = bench.path("");
    let args = ["fit", "--resume", "earlier", "--out", &folder, "--iterations", "3"];
    fails(&args, &["earlier.stat", "of an earlier version", "begin a new run"]);
    for (copy, name) in copies.iter().zip(names) {
        assert_eq!(fs::read(copy).unwrap(), read(name));
    }
}

#[test]
fn damage_in_the_counts_of_either_format_is_found() {
    let bench = Bench::new(0);
    let text = fs::read_to_string(STAT).unwrap();
    let as_two = bench.write("two.stat", text.replacen("texam-stat 1", "texam-stat 2", 1));
    fails(&["plot", &as_two], &["two.stat, line", "counts of pass 0"]);
    let other = bench.write("other.stat", text.replacen("texam-stat 1", "texam-stat 9", 1));
    fails(&["plot", &other], &["other.stat, line 1", "texam-stat 2"]);
}
