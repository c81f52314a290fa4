//! `texam fit --resume`: however a run was interrupted, it ends in the files of an unbroken one.

use std::fs;

use crate::support::*;

/// Options of the runs here; free cells and points of the phase, so that weights of all kinds are read back.
const OPTIONS: &str = "--name run --min-support 5 --ridge-to start --tune *,table:pass,phase";

/// The files of a run that nobody interrupted.
fn unbroken(bench: &Bench, iterations: u32) -> std::collections::BTreeMap<String, Vec<u8>> {
    let out = format!("unbroken-{iterations}");
    succeeds(&bench.fit(&out, &format!("{OPTIONS} --iterations {iterations}")));
    bench.files(&out)
}

fn begin(bench: &Bench, out: &str, iterations: u32) {
    succeeds(&bench.fit(out, &format!("{OPTIONS} --iterations {iterations}")));
}

fn resume(bench: &Bench, out: &str, more: &str) -> String {
    succeeds(&bench.bare_fit(out, &format!("--resume run {more}")))
}

#[test]
fn a_run_gone_on_with_after_any_pass_ends_as_an_unbroken_one() {
    let bench = Bench::new(12);
    let expected = unbroken(&bench, 4);
    for passes in 0..4 {
        let out = format!("after-{passes}");
        begin(&bench, &out, passes);
        let shown = resume(&bench, &out, "--iterations 4 --threads 1");
        assert!(shown.contains(&format!("continues after pass {passes}")), "{shown}");
        assert_same_files(&bench.files(&out), &expected);
    }
}

#[test]
fn a_run_without_the_counts_of_its_games_or_with_others_is_not_gone_on_with() {
    let bench = Bench::new(12);
    begin(&bench, "out", 1);
    let games = bench.path("out/run.games");
    let whole = fs::read(&games).unwrap();
    let more = bench.bare_fit("out", "--resume run --iterations 2");
    fs::remove_file(&games).unwrap();
    fails(&more, &["run.games: expected the counts of the games of the run", "put it back"]);
    begin(&bench, "other", 0);
    fs::copy(bench.path("other/run.games"), &games).unwrap();
    fails(&more, &["run.games: ", "cut off"]);
    fs::write(&games, whole).unwrap();
    succeeds(&more);
}

#[test]
fn a_run_killed_between_its_two_files_is_gone_on_with() {
    let bench = Bench::new(12);
    let expected = unbroken(&bench, 3);
    begin(&bench, "out", 2);
    let stat = fs::read(bench.path("out/run.stat")).unwrap();
    bench.change_record("out/run", |record| {
        let iterations = record.header.options.iter_mut().find(|(name, _)| name == "iterations").unwrap();
        (record.stopped, iterations.1) = (None, "3".to_string());
    });
    bench.write("out/run.stat", stat);
    bench.write("out/run-03.par", "what the pass after had written");
    bench.write("out/.texam-1-0.tmp", "half of the dat");
    resume(&bench, "out", "");
    assert_same_files(&bench.files("out"), &expected);
}

#[test]
fn a_run_killed_before_it_could_say_that_it_is_finished_only_says_so() {
    let bench = Bench::new(12);
    let expected = unbroken(&bench, 2);
    begin(&bench, "out", 2);
    bench.change_record("out/run", |record| record.stopped = None);
    resume(&bench, "out", "");
    assert_same_files(&bench.files("out"), &expected);
}

#[test]
fn a_run_whose_text_could_not_be_written_has_its_data_and_goes_on() {
    let bench = Bench::new(12);
    let expected = unbroken(&bench, 1);
    fs::create_dir_all(bench.path("out/run.stat")).unwrap();
    let fit = bench.fit("out", &format!("{OPTIONS} --iterations 1 --overwrite"));
    assert_eq!(run(&fit).status.code(), Some(2));
    assert_eq!(bench.record("out/run").reports.len(), 1);
    fs::remove_dir(bench.path("out/run.stat")).unwrap();
    resume(&bench, "out", "");
    assert_same_files(&bench.files("out"), &expected);
}

#[test]
fn a_run_whose_files_are_all_renamed_goes_on() {
    let bench = Bench::new(12);
    begin(&bench, "out", 1);
    for name in bench.names("out") {
        fs::rename(
            bench.path(&format!("out/{name}")),
            bench.path(&format!("out/{}", name.replace("run", "new"))),
        )
        .unwrap();
    }
    succeeds(&bench.bare_fit("out", "--resume new --iterations 2"));
    assert_eq!(bench.files("out")["new.json"], unbroken(&bench, 2)["run.json"]);
    for name in ["new.json", "new.stat"] {
        succeeds(&["plot", &bench.path(&format!("out/{name}")), "--panel", "trends"]);
    }
}

#[test]
fn a_finished_run_stays_as_it_is_and_says_how_to_go_on() {
    let bench = Bench::new(12);
    let expected = unbroken(&bench, 2);
    begin(&bench, "out", 2);
    let shown = resume(&bench, "out", "");
    assert!(shown.contains("nothing to fit") && shown.contains("--iterations"), "{shown}");
    assert_same_files(&bench.files("out"), &expected);
    let fit = object(&resume(&bench, "out", "--json"));
    assert_eq!(list(&fit, "passes").len(), 3);
    fails(&bench.bare_fit("out", "--resume run --iterations 1"), &["at least 2", "found 1"]);
}

#[test]
fn options_that_contradict_the_run_are_refused_even_where_they_are_the_default() {
    let bench = Bench::new(12);
    begin(&bench, "out", 1);
    let before = bench.files("out");
    for (option, kept) in [
        ("--depth 3", "--depth 1"),
        ("--quiescence off", "--quiescence on"),
        ("--force linear --strength 7", "--strength "),
        ("--force sqrt", "--force linear"),
        ("--scale 16", "--scale 32"),
        ("--balance ahead", "--balance all"),
        ("--variance off", "--variance on"),
        ("--ridge-to current", "--ridge-to start"),
        ("--ridge 1", "--ridge "),
        ("--smooth 1", "--smooth 0"),
        ("--min-support 20", "--min-support 5"),
        ("--holdout none", "--holdout 1/10"),
        ("--threshold none", "--threshold 64"),
        ("--root static", "--root quiescence"),
        ("--phase none", "--phase fruit"),
        ("--phase-at root", "--phase-at leaf"),
        ("--skip-moves 9", "--skip-moves 8"),
        ("--every 2", "--every 1"),
        ("--par params/start.par", "no weights with --resume"),
        ("--tune *", "no weights with --resume"),
        ("--freeze tempo", "no weights with --resume"),
    ] {
        fails(&bench.bare_fit("out", &format!("--resume run --iterations 2 {option}")), &[kept]);
    }
    assert_same_files(&bench.files("out"), &before);
    // What says the same again is no contradiction.
    resume(&bench, "out", "--iterations 2 --depth 1 --ridge-to start --holdout 1/10 --threshold 64.0");
    assert_same_files(&bench.files("out"), &unbroken(&bench, 2));
}

#[test]
fn only_the_games_of_the_run_will_do_wherever_they_are() {
    let bench = Bench::new(12);
    begin(&bench, "out", 1);
    let expected = unbroken(&bench, 2);
    let moved = bench.path("moved.pgn");
    let other = bench.write("other.pgn", games_from(20, 12));
    let before = bench.files("out");
    fails(&bench.bare_fit("out", &format!("--resume run --iterations 2 {other}")), &["begun with", "others"]);
    fs::rename(&bench.games, &moved).unwrap();
    fails(&bench.bare_fit("out", "--resume run --iterations 2"), &["games.pgn", "check the name"]);
    bench.write("games.pgn", games_from(20, 12));
    fails(&bench.bare_fit("out", "--resume run --iterations 2"), &["begun with", "others"]);
    assert_same_files(&bench.files("out"), &before);
    resume(&bench, "out", &format!("--iterations 2 {moved}"));
    assert_same_files(&bench.files("out"), &expected);
}

#[test]
fn a_run_on_standard_input_is_gone_on_with_from_there() {
    let bench = Bench::new(12);
    let games = first_games(12);
    let fit = |out: &str, more: &str, games: &str| {
        run_with_input(&format!("fit --out {} {more}", bench.path(out)), games.as_bytes())
    };
    let whole = fit("whole", "- --name run --depth 1 --iterations 2", &games);
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    fit("out", "- --name run --depth 1 --iterations 1", &games);
    let dry = fit("out", "--resume run --iterations 2", "");
    assert_failed(&dry, "without the games", &["standard input: "]);
    fit("out", "--resume run --iterations 2", &games);
    assert_same_files(&bench.files("out"), &bench.files("whole"));
}

#[test]
fn damaged_files_of_a_run_are_an_error_with_a_place_and_stay() {
    let bench = Bench::new(12);
    begin(&bench, "out", 1);
    let whole = bench.files("out");
    let data = text(&whole["run.json"]);
    let start = text(&whole["run-00.par"]);
    let restore = || {
        whole.iter().for_each(|(name, bytes)| fs::write(bench.path(&format!("out/{name}")), bytes).unwrap())
    };
    let refused = |name: &str, bytes: &str, parts: &[&str]| {
        restore();
        bench.write(&format!("out/{name}"), bytes);
        let before = bench.files("out");
        fails(&bench.bare_fit("out", "--resume run --iterations 2"), parts);
        assert_same_files(&bench.files("out"), &before);
    };
    let changed = ["run.json: expected the data of a run", "cut off or changed", "put it back"];
    refused("run.json", "", &changed);
    refused("run.json", &data[..data.len() / 2], &changed);
    refused("run.json", &data.replacen("\"depth\": \"1\"", "\"depth\": \"2\"", 1), &changed);
    restore();
    // Options that this version does not have.
    bench.change_record("out/run", |record| record.header.options[2].0 = "depht".to_string());
    let unknown = ["run.json", "\"depht\"; did you mean \"depth\"?"];
    fails(&bench.bare_fit("out", "--resume run --iterations 2"), &unknown);
    let within_a_table = &start[..start.find("  r4 ").unwrap()];
    refused("run-01.par", within_a_table, &["run-01.par, line ", "is the file whole?"]);
    let knight = start.lines().find(|line| line.starts_with("mat_n")).unwrap();
    let knight_of = |weight: &str| start.replacen(knight, &knight.replace("416", weight), 1);
    refused("run-01.par", &knight_of("NaN"), &["run-01.par, line "]);
    refused("run-00.par", &knight_of("417"), &["run-00.par", "start weights of the run"]);
    restore();
    fs::remove_file(bench.path("out/run-01.par")).unwrap();
    fails(&bench.bare_fit("out", "--resume run --iterations 2"), &["run-01.par: cannot read"]);
    fails(&bench.bare_fit("out", "--resume none"), &["none.stat: cannot read", "check the name"]);
    restore();
    // The text alone, and the data of another run.
    fs::remove_file(bench.path("out/run.json")).unwrap();
    fails(
        &bench.bare_fit("out", "--resume run"),
        &["run.json: expected the data of the run", "run.stat, which is"],
    );
    for options in ["--par params/material.par", "--skip-moves 9"] {
        succeeds(&bench.fit("other", &format!("{OPTIONS} --overwrite --iterations 1 {options}")));
        fs::copy(bench.path("other/run.json"), bench.path("out/run.json")).unwrap();
        let others = [["run-00.par", "start weights of the run"], ["run.games", "found others"]];
        fails(&bench.bare_fit("out", "--resume run"), &others[usize::from(options.starts_with("--skip"))]);
    }
}

#[cfg(unix)]
mod signals {
    use std::{
        os::unix::process::ExitStatusExt,
        process::{Child, Command, Output, Stdio},
        thread,
        time::Duration,
    };

    use super::*;

    /// Exists while a run is at work.
    const LOCK: &str = "out/.run.lock";

    /// A run that does not outlive its test.
    struct Running(Option<Child>);

    impl Running {
        fn begin(args: &[String]) -> Running {
            Running(Some(texam().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()))
        }

        fn child(&mut self) -> &mut Child {
            self.0.as_mut().unwrap()
        }

        /// Waits until a file is there; the run goes on for so long that it cannot end first.
        fn wait_for(&mut self, bench: &Bench, name: &str) {
            while !fs::exists(bench.path(name)).unwrap() {
                assert!(self.child().try_wait().unwrap().is_none(), "the run ended before {name} was there");
                thread::sleep(Duration::from_millis(1));
            }
        }

        fn signal(&mut self, signal: &str) {
            let id = self.child().id().to_string();
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        }

        fn kill(mut self) {
            self.child().kill().unwrap();
            assert_eq!(self.child().wait().unwrap().signal(), Some(9));
        }

        fn end(mut self) -> Output {
            self.0.take().unwrap().wait_with_output().unwrap()
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            if let Some(child) = &mut self.0 {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }

    /// Passes that the run has finished.
    fn passes(bench: &Bench) -> u32 {
        bench.record("out/run").reports.len() as u32 - 1
    }

    /// A run of many passes that has finished one of them.
    fn at_work(bench: &Bench) -> Running {
        let mut run = Running::begin(&bench.fit("out", &format!("{OPTIONS} --iterations 10000")));
        run.wait_for(bench, "out/run-01.par");
        run
    }

    /// Goes on with the run to so many passes more.
    fn assert_ends_as_an_unbroken_one(bench: &Bench, more: u32) {
        let all = passes(bench) + more;
        resume(bench, "out", &format!("--iterations {all}"));
        assert_same_files(&bench.files("out"), &unbroken(bench, all));
    }

    #[test]
    fn an_interrupted_run_says_how_to_go_on_and_ends_as_an_unbroken_one() {
        for signal in ["-INT", "-TERM"] {
            let bench = Bench::new(12);
            let mut run = at_work(&bench);
            run.signal(signal);
            let output = run.end();
            let shown = text(&output.stdout);
            assert_eq!(output.status.code(), Some(1), "{shown}");
            assert!(shown.contains("stopped  cancelled") && shown.contains("--resume run"), "{shown}");
            assert!(text(&output.stderr).contains("finished work is kept"));
            assert_eq!(bench.names("out").len() as u32, passes(&bench) + 4);
            assert_ends_as_an_unbroken_one(&bench, 2);
        }
    }

    #[test]
    fn a_run_killed_at_any_moment_again_and_again_ends_as_an_unbroken_one() {
        let bench = Bench::new(12);
        let mut args = bench.fit("out", &format!("{OPTIONS} --iterations 10000"));
        for (turn, delay) in [3, 29, 11, 47].into_iter().enumerate() {
            let mut run = Running::begin(&args);
            let next = if turn == 0 { 1 } else { passes(&bench) + 1 };
            run.wait_for(&bench, &format!("out/run-{next:02}.par"));
            thread::sleep(Duration::from_millis(delay));
            run.kill();
            args = bench.bare_fit("out", "--resume run --iterations 10000");
        }
        assert_ends_as_an_unbroken_one(&bench, 1);
    }

    /// A fit whose first pass takes long enough to be stopped in it.
    fn slow(bench: &Bench, more: &str) -> Vec<String> {
        bench.bare_fit("out", &format!("games/gm1988.pgn --depth 3 --name run {more}"))
    }

    #[test]
    fn a_run_interrupted_in_its_first_pass_leaves_nothing() {
        let bench = Bench::new(4);
        let mut run = Running::begin(&slow(&bench, ""));
        run.wait_for(&bench, LOCK);
        run.signal("-INT");
        let output = run.end();
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("error: cancelled before the first pass"));
        assert!(!fs::exists(bench.path("out")).unwrap());
    }

    #[test]
    fn a_run_at_work_cannot_be_overwritten_or_resumed_by_another_process() {
        let bench = Bench::new(12);
        let args = bench.fit("out", &format!("{OPTIONS} --iterations 10000"));
        let mut run = Running::begin(&args);
        run.wait_for(&bench, "out/run-02.par");
        let refused = ["run.stat: another process is writing this run", "--name"];
        fails(&[args, vec!["--overwrite".into()]].concat(), &refused);
        fails(&bench.bare_fit("out", "--resume run --iterations 10000"), &refused);
        run.kill();
        assert_ends_as_an_unbroken_one(&bench, 1);
        assert!(!fs::exists(bench.path(LOCK)).unwrap(), "the file of the lock goes with the run");
    }

    #[test]
    fn a_second_interrupt_ends_at_once_and_leaves_whole_files() {
        let bench = Bench::new(12);
        let mut run = at_work(&bench);
        run.signal("-INT");
        run.signal("-INT");
        let code = run.end().status.code();
        assert!(matches!(code, Some(1 | 130)), "{code:?}");
        assert_ends_as_an_unbroken_one(&bench, 1);
    }

    #[test]
    fn a_run_killed_in_its_first_pass_leaves_its_name_free() {
        let bench = Bench::new(4);
        let mut run = Running::begin(&slow(&bench, ""));
        run.wait_for(&bench, LOCK);
        run.kill();
        assert!(bench.names("out").is_empty());
        fails(&bench.bare_fit("out", "--resume run"), &["run.stat", "check the name"]);
        succeeds(&bench.fit("out", "--name run --iterations 0 --holdout none"));
        assert_eq!(bench.names("out"), ["run-00.par", "run.games", "run.json", "run.stat"]);
    }

    #[test]
    fn games_are_found_again_whatever_the_name_of_their_file() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        for name in [&b" outer blanks "[..], b"caf\xe9.pgn", b"a\x1b\nb"] {
            let bench = Bench::new(12);
            let games = bench.folder.path().join(OsStr::from_bytes(name));
            fs::rename(&bench.games, &games).unwrap();
            let mut args: Vec<_> =
                bench.bare_fit("out", "--depth 1 --iterations 1 --min-support 5 --name run");
            let run = texam().args(args.drain(..)).arg(&games).output().unwrap();
            assert_eq!((run.status.code(), text(&run.stderr)), (Some(0), ""), "{name:?}");
            resume(&bench, "out", "--iterations 2");
            succeeds(&["report", &bench.path("out/run.stat"), "--positions", "2"]);
        }
    }
}

#[test]
fn a_run_whose_games_are_no_file_is_not_gone_on_with() {
    let bench = Bench::new(12);
    begin(&bench, "out", 1);
    bench.change_record("out/run", |record| record.header.games = vec!["/dev/zero".to_string()]);
    let mut args = bench.bare_fit("out", "--resume run --iterations 2");
    fails(&args, &["/dev/zero: expected a file", "a pipe, a device or a folder"]);
    args.push(bench.games().to_string());
    succeeds(&args);
}
