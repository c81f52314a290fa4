//! `mpirun texam fit`: the files are those of one process, whatever the number of ranks, and a rank that
//! fails ends the run. Needs MPI: cargo test --release --features mpi --test mpi

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::{
    path::Path,
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use support::*;

/// A command of several ranks. They may be more than there are cores, and root may start them.
fn mpirun(ranks: u32) -> Command {
    // A rank that waits for ever must not hold up the tests.
    let mut command = Command::new("timeout");
    command
        .args(["120", "mpirun"])
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .args(["-n", &ranks.to_string()]);
    command
}

/// Runs `texam` with these arguments on all ranks.
fn on_ranks(ranks: u32, args: &[String]) -> Output {
    mpirun(ranks).arg(env!("CARGO_BIN_EXE_texam")).args(args).output().unwrap()
}

fn succeeds_on(ranks: u32, args: &[String]) -> String {
    let output = on_ranks(ranks, args);
    // A fit of a few games may end with a warning, and then the exit code is 1.
    assert!(
        output.status.code().is_some_and(|code| code <= 1),
        "{ranks} ranks, {args:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout).to_string()
}

/// Runs `texam` with these arguments on 3 ranks, after a line of shell in which RANK is the number of the
/// rank.
fn with_shell(line: &str, args: &[String]) -> Output {
    let script = format!("RANK=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}; {line}; exec \"$@\"");
    let texam = env!("CARGO_BIN_EXE_texam");
    mpirun(3).args(["sh", "-c", &script, "sh", texam]).args(args).output().unwrap()
}

#[test]
fn any_number_of_ranks_writes_the_files_of_one_process() {
    let bench = Bench::new(30);
    let other = bench.write("other.pgn", games_from(30, 5));
    let with_file = format!("--min-support 5 --iterations 1 --holdout {other}");
    let cases = [
        "--min-support 5 --iterations 3 --tune *,table:pass --every 3",
        &with_file,
        "--min-support 5 --iterations 1 --errors off --variance off --holdout none",
        "--min-support 5 --iterations 2 --objective softmax --holdout 1/4 --tune *,attack --every 2",
        "--min-support 5 --iterations 1 --objective pairs --temperature 80",
        "--min-support 5 --iterations 2 --objective logistic --inner 3 --every 2",
        "--min-support 5 --iterations 5 --patience 1 --force none",
        "--iterations 0 --freeze *",
        "--min-support 5 --preset 1988 --iterations 1",
    ];
    for (case, options) in cases.into_iter().enumerate() {
        let alone = format!("alone-{case}");
        let options = format!("--name run {options}");
        let fit = |out: &str| {
            let depth = if options.contains("logistic") { "" } else { "--depth 1" };
            let mut args = bench.bare_fit(out, &format!("{options} {depth}"));
            args.push(bench.games().to_string());
            args
        };
        let has_labels = options.contains("logistic");
        let shown = if has_labels { succeeds_with_warnings(&fit(&alone)) } else { succeeds(&fit(&alone)) };
        for ranks in 1..=4 {
            let out = format!("ranks-{case}-{ranks}");
            let said = succeeds_on(ranks, &fit(&out));
            assert_same_files(&bench.files(&out), &bench.files(&alone));
            assert!(!Path::new(&bench.path(&format!("{out}/.run.lock"))).exists());
            assert_eq!(said.lines().next(), shown.lines().next(), "positions of all ranks are counted");
        }
    }
}

#[test]
fn a_run_goes_on_with_another_number_of_ranks() {
    let bench = Bench::new(12);
    let options = "--name run --min-support 5 --objective softmax";
    succeeds(&bench.fit("whole", &format!("{options} --iterations 3")));
    succeeds_on(2, &bench.fit("out", &format!("{options} --iterations 1")));
    succeeds_on(3, &bench.bare_fit("out", "--resume run --iterations 2"));
    succeeds(&bench.bare_fit("out", "--resume run --iterations 3"));
    assert_same_files(&bench.files("out"), &bench.files("whole"));
}

#[test]
fn more_ranks_than_games_are_no_error() {
    let bench = Bench::new(2);
    let options = "--name run --min-support 0 --iterations 1 --holdout none";
    succeeds(&bench.fit("alone", options));
    succeeds_on(4, &bench.fit("out", options));
    assert_same_files(&bench.files("out"), &bench.files("alone"));
}

#[test]
fn a_rank_that_cannot_read_its_games_is_named_and_nothing_is_written() {
    let bench = Bench::new(3);
    let folder = bench.folder.path().display();
    let mut args = bench.bare_fit("out", "--name run --depth 1 --holdout none");
    args.push("games.pgn".to_string());
    let output = with_shell(&format!("cd '{folder}'; [ $RANK = 2 ] && cd /"), &args);
    assert_failed(&output, "a rank without games", &["rank 2: games.pgn: ", "cannot read this file"]);
    let is_untouched = || !Path::new(&bench.path("out")).exists();
    assert!(is_untouched());
    std::fs::create_dir(bench.path("other")).unwrap();
    bench.write("other/games.pgn", std::fs::read(&bench.games).unwrap().split_off(700));
    let output = with_shell(&format!("cd '{folder}'; [ $RANK = 1 ] && cd other"), &args);
    assert_failed(&output, "a rank with other games", &["rank 1: ", "other input"]);
    assert!(is_untouched());
}

#[test]
fn an_error_of_the_run_is_printed_once() {
    let bench = Bench::new(3);
    for (more, part) in [
        ("--par none.par", "none.par"),
        ("--force none --objective softmax", "force"),
        ("--skip-moves 500 --holdout none", "at least one position to fit"),
        ("--choices a.txt --weights a.csv", "needs one process"),
    ] {
        let mut args = bench.bare_fit("out", more);
        args.extend(Some(bench.games().to_string()).filter(|_| !more.contains("--choices")));
        let output = on_ranks(3, &args);
        assert_failed(&output, more, &[part]);
        assert_eq!(text(&output.stderr).matches("error: ").count(), 1, "{}", text(&output.stderr));
    }
    assert!(!Path::new(&bench.path("out")).exists());
    let rows = format!("rows {} --depth 1 -o {}", bench.games(), bench.path("choices.txt"));
    succeeds(&words(&rows));
    let [choices, weights] = ["choices.txt", "weights.csv"].map(|name| bench.path(name));
    let fit = format!(
        "--name rows --min-support 0 --holdout none --objective force --choices {choices} --weights {weights}"
    );
    succeeds(&bench.bare_fit("out", &fit));
    let output = on_ranks(2, &bench.bare_fit("out", "--resume rows"));
    assert_failed(&output, "a run on rows", &["rows.stat", "needs one process"]);
}

#[test]
fn a_rank_that_dies_ends_the_run_and_loses_nothing_but_the_pass() {
    let bench = Bench::new(60);
    let options = "--name run --min-support 5 --iterations 4";
    succeeds(&bench.fit("whole", options));
    // Rank 1 is killed when the first pass is written.
    let stat = bench.path("out/run.stat");
    let killer =
        format!("[ $RANK = 1 ] && {{ (while [ ! -f '{stat}' ]; do sleep 0.01; done; kill -9 $$) & }}");
    let output = with_shell(&killer, &bench.fit("out", options));
    assert!(!output.status.success());
    assert!(bench.names("out").contains(&"run-00.par".to_string()));
    succeeds_on(2, &bench.bare_fit("out", "--resume run"));
    assert_same_files(&bench.files("out"), &bench.files("whole"));
}

/// Numbers of the processes whose arguments name this folder.
fn processes_in(folder: &str) -> Vec<String> {
    let listed = Command::new("ps").args(["-eo", "pid=,args="]).output().unwrap();
    let lines = text(&listed.stdout).lines().filter(|line| line.contains(folder));
    lines.filter_map(|line| line.split_whitespace().next()).map(String::from).collect()
}

#[test]
fn a_signal_to_mpirun_ends_all_ranks_and_the_run_goes_on_later() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let bench = Bench::new(60);
        let options = "--name run --min-support 5 --iterations 10000";
        let mut command = mpirun(3);
        command.arg(env!("CARGO_BIN_EXE_texam")).args(bench.fit("out", options));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let second = bench.path("out/run-01.par");
        while !Path::new(&second).exists() {
            assert!(child.try_wait().unwrap().is_none(), "the run goes on");
            sleep(Duration::from_millis(10));
        }
        let mpirun = processes_in(&bench.path("out")).into_iter().find(|id| is_mpirun(id)).unwrap();
        assert!(Command::new("kill").args([signal, &mpirun]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert!(!output.status.success(), "{signal}");
        // The ranks may be waited for by another process than the one that was started here.
        let began = Instant::now();
        while !processes_in(&bench.path("out")).is_empty() {
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "{signal}: {:?}",
                processes_in(&bench.path("out"))
            );
            sleep(Duration::from_millis(50));
        }
        let passes = bench.names("out").iter().filter(|name| name.ends_with(".par")).count();
        succeeds(&bench.bare_fit("out", &format!("--resume run --iterations {}", passes + 1)));
        succeeds(&bench.fit("whole", &format!("--name run --min-support 5 --iterations {}", passes + 1)));
        assert_same_files(&bench.files("out"), &bench.files("whole"));
    }
}

fn is_mpirun(id: &str) -> bool {
    let listed = Command::new("ps").args(["-o", "comm=", "-p", id]).output().unwrap();
    ["mpirun", "orterun", "prterun", "mpiexec"].iter().any(|name| text(&listed.stdout).starts_with(name))
}
