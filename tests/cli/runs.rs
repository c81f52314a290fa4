//! `texam fit`: names and files of a run, and the options that decide how long it goes on and on what.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::support::*;

/// Options of a quick run that does move.
const QUICK: &str = "--iterations 2 --min-support 5";

#[test]
fn a_run_leaves_a_stat_and_a_par_for_each_pass() {
    let bench = Bench::new(12);
    let shown = succeeds(&bench.fit("a/b", &format!("{QUICK} --name first")));
    assert_eq!(
        bench.names("a/b"),
        ["first-00.par", "first-01.par", "first-02.par", "first.games", "first.json", "first.stat"]
    );
    for part in ["12 games with a winner", "1 game held out", "stopped  iterations", "first-02.par"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let start = fs::read_to_string(bench.path("a/b/first-00.par")).unwrap();
    let stat = fs::read_to_string(bench.path("a/b/first.stat")).unwrap();
    let digest = stat.lines().find_map(|line| line.strip_prefix("digest     ")).unwrap();
    let games = std::path::Path::new(bench.games()).file_name().unwrap().display();
    let head = format!("# first, pass 0 of texam fit\n# games {games}, sha256 {digest}\n# fitted: match ");
    assert!(start.starts_with(&head), "{start}");
    assert!(stat.contains("\nstate      finished\n"));
    assert!(stat.lines().all(|line| line.chars().count() <= 142), "{stat}");
}

#[test]
fn the_table_of_passes_stands_in_columns() {
    let bench = Bench::new(12);
    for holdout in ["1/10", "none"] {
        let shown = succeeds(&bench.fit("out", &format!("{QUICK} --holdout {holdout}")));
        let lines = shown.lines().filter(|line| !line.starts_with("weights "));
        let table = lines.skip_while(|line| !line.starts_with("pass ")).take(4);
        let widths: Vec<usize> = table.map(str::len).collect();
        assert_eq!(widths, [widths[0]; 4], "{shown}");
    }
}

#[test]
fn names_count_up_past_what_there_is() {
    let bench = Bench::new(4);
    fs::create_dir(bench.path("out")).unwrap();
    bench.write("out/run-001.stat", "");
    bench.write("out/run-002-00.par", "");
    bench.write("out/run-003-07.par", "");
    let shown = succeeds(&bench.fit("out", "--iterations 0 --holdout none"));
    assert!(shown.contains("run-004.stat"), "{shown}");
    let shown = succeeds(&bench.fit("out", "--iterations 0 --holdout none"));
    assert!(shown.contains("run-005.stat"), "{shown}");
}

#[test]
fn runs_begun_at_the_same_time_do_not_share_a_name() {
    let bench = Bench::new(12);
    let args = bench.fit("out", QUICK);
    let start = || texam().args(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let runs: Vec<_> = (0..4).map(|_| start()).collect();
    let ends: Vec<_> = runs.into_iter().map(|mut run| run.wait().unwrap().code()).collect();
    assert_eq!(ends, [Some(0); 4]);
    let files = bench.files("out");
    assert_eq!(files.len(), 4 * (3 + 3), "{:?}", files.keys());
    for end in [".json", ".stat"] {
        let same: Vec<_> = files.iter().filter(|(name, _)| name.ends_with(end)).collect();
        assert!(same.iter().all(|(_, bytes)| *bytes == same[0].1));
    }
}

#[test]
fn a_name_in_use_is_refused_and_nothing_is_touched() {
    let bench = Bench::new(12);
    let args = bench.fit("out", &format!("{QUICK} --name taken"));
    succeeds(&args);
    let before = bench.files("out");
    fails(&args, &["taken.stat: there is a run of this name", "--overwrite", "--resume"]);
    assert_same_files(&bench.files("out"), &before);
    fs::remove_file(bench.path("out/taken.stat")).unwrap();
    fs::remove_file(bench.path("out/taken-00.par")).unwrap();
    fails(&args, &["there is a run of this name"]);
    assert_eq!(bench.names("out"), ["taken-01.par", "taken-02.par", "taken.games", "taken.json"]);
    // What a full disk may leave is no run, neither for a new one nor to go on with.
    fs::remove_file(bench.path("out/taken.json")).unwrap();
    fails(
        &args,
        &["taken.stat: there are files of this name, but no run; give another --name, or --overwrite"],
    );
    succeeds(&[args, vec!["--overwrite".to_string()]].concat());
}

#[test]
fn overwriting_leaves_nothing_of_a_longer_run_and_all_of_others() {
    let bench = Bench::new(12);
    let run = |name: &str, more: &str| succeeds(&bench.fit("out", &format!("--name {name} {more}")));
    run("a", "--iterations 4");
    run("a-1", "--iterations 1");
    fs::remove_file(bench.path("out/a-02.par")).unwrap();
    run("a", "--iterations 1 --overwrite");
    let own = ["a-00.par", "a-01.par", "a-1-00.par", "a-1-01.par", "a-1.games", "a-1.json", "a-1.stat"];
    let names = [&own[..], &["a.games", "a.json", "a.stat"]].concat();
    assert_eq!(bench.names("out"), names);
    succeeds(&bench.fit("fresh", "--name a --iterations 1"));
    let kept = bench.files("out").into_iter().filter(|(name, _)| !name.starts_with("a-1")).collect();
    assert_same_files(&kept, &bench.files("fresh"));
}

#[test]
fn the_number_of_threads_does_not_show_in_the_files() {
    let bench = Bench::new(12);
    for threads in ["1", "2", "5"] {
        succeeds(&bench.fit(threads, &format!("{QUICK} --threads {threads} --tune *,table:pass")));
    }
    assert_same_files(&bench.files("2"), &bench.files("1"));
    assert_same_files(&bench.files("5"), &bench.files("1"));
}

#[test]
fn no_iterations_are_one_measured_pass() {
    let bench = Bench::new(4);
    let fit = json(&bench.fit("out", "--iterations 0 --holdout 1/2 --json"));
    assert_eq!(list(&fit, "passes").len(), 1);
    assert_eq!(bench.names("out"), ["run-001-00.par", "run-001.games", "run-001.json", "run-001.stat"]);
    let par = bench.path("out/run-001-00.par");
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    assert_eq!(succeeds(&["eval", fen, "--par", &par]), succeeds(&["eval", fen]));
}

#[test]
fn patience_ends_a_run_that_gets_no_better() {
    let bench = Bench::new(12);
    let fit = json(&bench.fit("out", "--iterations 30 --patience 2 --holdout 1/3 --json"));
    assert_eq!(fit["stopped"], "patience");
    let (best, last) = (number(&fit, "best"), number(&fit, "last"));
    assert_eq!(last, best + 2.0);
    let stat = fs::read_to_string(bench.path("out/run-001.stat")).unwrap();
    assert!(stat.contains("\nstate      finished\n") && stat.contains("\npatience     2\n"), "{stat}");
}

#[test]
fn games_are_held_out_by_count_by_file_or_not_at_all() {
    let bench = Bench::new(12);
    let other = bench.write("other.pgn", games_from(20, 5));
    let header = |out: &str, holdout: &str| -> [usize; 3] {
        succeeds(&bench.fit(out, &format!("--iterations 0 --holdout {holdout}")));
        let stat = fs::read_to_string(bench.path(&format!("{out}/run-001.stat"))).unwrap();
        let line = |name: &str| stat.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        let counts = [line("held-out "), line("positions ")].join(" ");
        words(&counts).iter().map(|n| n.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap()
    };
    let [none, all, nothing] = header("none", "none");
    assert_eq!((none, nothing), (0, 0));
    let [games, fitted, held_out] = header("share", "1/4");
    assert_eq!((games, fitted + held_out), (3, all));
    assert!(held_out > 0);
    let [games, fitted, held_out] = header("file", &other);
    assert_eq!((games, fitted), (5, all));
    let agree = json(&["agree", "--depth", "1", "--json", &other]);
    assert!(held_out as f64 >= number(&agree, "positions"));
}

#[test]
fn games_held_out_are_not_fitted() {
    let bench = Bench::new(12);
    let other = bench.write("other.pgn", games_from(20, 5));
    succeeds(&bench.fit("none", &format!("{QUICK} --holdout none")));
    succeeds(&bench.fit("file", &format!("{QUICK} --holdout {other}")));
    let weights = |out: &str| {
        let par = fs::read_to_string(bench.path(&format!("{out}/run-001-02.par"))).unwrap();
        par.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(weights("file"), weights("none"));
    assert!(!fs::read_to_string("params/start.par").unwrap().contains(&weights("none")));
}

#[test]
fn games_that_occur_twice_are_told_of() {
    let bench = Bench::new(9);
    let games = fs::read_to_string(bench.games()).unwrap();
    let again = games.replace("[White \"", "[White \"Dr ").replace("[Site \"", "[Site \"near ");
    let doubled = bench.write("doubled.pgn", format!("{games}{again}"));
    let said = |out: &str, more: &str| {
        text(&run(&bench.bare_fit(out, &format!("{QUICK} --depth 1 {more}"))).stderr).to_string()
    };
    // Of the games 1 to 18 the held out ones are 4, 8, 12 and 16, which are 4, 8, 3 and 7 of the first file.
    let words =
        "9 games have the same moves as an earlier one, 4 held out are also fitted: leave out the repeats";
    let twice = said("twice", &format!("--holdout 1/4 {doubled}"));
    assert!(twice.contains(words), "{twice}");
    let once = said("once", &format!("--holdout 1/4 {}", bench.games()));
    assert!(!once.contains("repeat"), "{once}");
    // A file of games to hold out may have some of the fitted ones.
    let other = bench.write("other.pgn", format!("{again}{}", games_from(20, 2)));
    let other = said("other", &format!("--holdout {other} {}", bench.games()));
    assert!(other.contains("9 games have the same moves as an earlier one, 9 held out"), "{other}");
}

/// A file may have any name, also one that is made of the names of others.
#[test]
fn several_files_of_games_are_a_list_in_every_place() {
    let bench = Bench::new(0);
    let names = ["a", "b and c.pgn", "a + b.pgn", "a,b", "a\nb.pgn"];
    let files: Vec<String> =
        names.iter().enumerate().map(|(at, name)| bench.write(name, games_from(2 * at, 2))).collect();
    let digest = |files: &[String]| {
        let args = ["fit", "--depth", "1", "--iterations", "0", "--holdout", "none", "--json", "--overwrite"];
        let place = ["--out".to_string(), bench.path("out"), "--name".into(), "run".into()];
        json(&args.iter().map(ToString::to_string).chain(place).chain(files.to_vec()).collect::<Vec<_>>())
            ["digest"]
            .clone()
    };
    let all = digest(&files);
    bench.write("all.pgn", games_from(0, 10));
    assert_eq!(all, digest(&[bench.path("all.pgn")]));
    digest(&files);
    assert_eq!(bench.record("out/run").header.games[..4], files[..4]);
    let stat = fs::read_to_string(bench.path("out/run.stat")).unwrap();
    assert_eq!(stat.lines().filter(|line| line.starts_with("games ")).count(), 5);
    let resume =
        ["fit", "--resume", "run", "--out", &bench.path("out"), "--iterations", "1"].map(String::from);
    succeeds(&resume);
    succeeds(&["report", &bench.path("out/run.stat"), "-o", &bench.path("page.html")].map(String::from));
    let page = fs::read_to_string(bench.path("page.html")).unwrap();
    assert!(page.contains("a + b.pgn and a,b"), "{page}");
    fs::remove_file(&files[0]).unwrap();
    fails(&resume, &[&format!("{}: cannot read this file", files[0])]);
}

#[test]
fn a_file_of_games_to_hold_out_is_looked_at_as_closely_as_the_other() {
    let bench = Bench::new(4);
    let games = bench.games();
    let copy = bench.write("copy.pgn", first_games(4));
    let empty = bench.write("empty.pgn", "");
    fails(&bench.fit("out", &format!("--holdout {games}")), &["those to be fitted"]);
    fails(&bench.fit("out", &format!("--holdout {copy}")), &["copy.pgn: ", "those to be fitted"]);
    fails(&bench.fit("out", &format!("--holdout {empty}")), &["--holdout", "no game at all"]);
    let twice = format!("fit - --holdout - --out {}", bench.path("out"));
    let twice = run_with_input(&twice, first_games(4).as_bytes());
    assert_failed(&twice, "twice standard input", &["one file of games on standard input"]);
    let broken = bench.write("broken.pgn", games_from(20, 2) + "[Result \"1-0\"]\n\n1. Ke2 1-0\n");
    let output = run(&bench.fit("out", &format!("--iterations 0 --holdout {broken}")));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("skipped 1 of 3 games"));
}

#[test]
fn weights_that_are_frozen_stay_and_those_that_are_tuned_move() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("out", "--iterations 1 --min-support 1 --tune n_fwd,passed --freeze pass_sup"));
    let lines = |pass: u32| -> Vec<String> {
        let par = fs::read_to_string(bench.path(&format!("out/run-001-0{pass}.par"))).unwrap();
        let lines = par.lines().filter(|line| !line.starts_with('#'));
        // Columns differ in width: numbers may need more digits.
        lines.map(|line| words(line).join(" ")).collect()
    };
    let moved: Vec<String> = lines(0)
        .iter()
        .zip(lines(1))
        .filter(|(before, after)| *before != after)
        .map(|(before, _)| before.split(' ').next().unwrap().to_string())
        .collect();
    assert!(moved.contains(&"n_fwd".to_string()), "{moved:?}");
    assert!(moved.iter().all(|key| key == "n_fwd" || !key.starts_with("n_")), "{moved:?}");
    assert!(!moved.contains(&"pass_sup".to_string()) && moved.contains(&"pass".to_string()), "{moved:?}");
}

#[test]
fn without_standard_errors_a_run_has_the_same_weights_and_says_so_in_its_story() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("with", "--name run --iterations 2 --min-support 5"));
    succeeds(&bench.fit("without", "--name run --iterations 2 --min-support 5 --errors off"));
    let [with, without] = ["with", "without"].map(|out| bench.files(out));
    for pass in 0..=2 {
        let name = format!("run-{pass:02}.par");
        assert_eq!(with[&name], without[&name]);
    }
    let story = text(&without["run.stat"]);
    assert!(story.contains("\nerrors       off\n"), "{story}");
    let row = story.lines().find(|line| line.starts_with("n_cen.o ")).unwrap();
    assert_eq!(row.split_whitespace().rev().nth(3), Some("-"), "{row}");
    let plotted = succeeds(&["plot", &format!("{}/run.stat", bench.path("without"))]);
    assert!(plotted.contains("Weights that moved the values most"), "{plotted}");
}

#[test]
fn a_set_that_tells_no_moves_apart_has_no_good_mean_rank() {
    let bench = Bench::new(4);
    let measure = |par: &str| json(&["agree", bench.games(), "--par", par, "--depth", "1", "--json"]);
    let [start, material] = ["params/start.par", "params/material.par"].map(measure);
    assert!(number(&material, "mean_rank") > number(&start, "mean_rank"), "{material} {start}");
    assert!(number(&material, "match") < number(&start, "match"));
}

#[test]
fn a_run_replaces_none_of_the_files_that_it_reads() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("out", "--name run --iterations 0 --holdout none"));
    let before = bench.files("out");
    let par = bench.path("out/run-00.par");
    fails(
        &bench.fit("out", &format!("--name run --overwrite --par {par}")),
        &["run-00.par", "another name for the run"],
    );
    assert_same_files(&bench.files("out"), &before);
    succeeds(&bench.fit("out", &format!("--name other --iterations 0 --holdout none --par {par}")));
}

#[test]
fn a_program_without_mpi_does_not_make_a_run_several_times() {
    let bench = Bench::new(2);
    let with = |variables: &[(&str, &str)]| {
        let options = "--iterations 0 --holdout none --overwrite --name run";
        let mut command = Command::new(env!("CARGO_BIN_EXE_texam"));
        command.envs(variables.to_vec()).args(bench.fit("out", options)).output().unwrap()
    };
    for starter in ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "FLUX_JOB_SIZE"] {
        let output = with(&[(starter, "8")]);
        assert_failed(&output, starter, &["8 processes were started", "--features mpi"]);
    }
    assert!(!Path::new(&bench.path("out")).exists());
    // A plain command in a batch job is alone.
    for alone in [&[("SLURM_NTASKS", "8"), ("SLURM_JOB_ID", "7")][..], &[("SLURM_STEP_NUM_TASKS", "1")]] {
        assert_succeeded(&with(alone), &format!("{alone:?}"));
    }
}

#[test]
fn more_threads_than_the_limit_are_refused_wherever_they_are_asked_for() {
    let bench = Bench::new(2);
    for line in ["agree --depth 1", "bench --positions 1", "games"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_texam"));
        command.env("RAYON_NUM_THREADS", "99999999").args(words(line));
        let output =
            if line.starts_with("bench") { command.output() } else { command.arg(bench.games()).output() };
        assert_failed(&output.unwrap(), line, &["RAYON_NUM_THREADS", "at most 1024 threads"]);
    }
}
