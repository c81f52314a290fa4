//! What signals and a closed output leave behind: no process, no temporary file, and no half-written file.

use std::{
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::support::*;

/// Nothing here takes so long unless it hangs.
const HANGS_AFTER: Duration = Duration::from_secs(60);

const SIGNALS: [&str; 3] = ["INT", "TERM", "HUP"];

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < HANGS_AFTER, "waiting for {what}");
        sleep(Duration::from_millis(10));
    }
}

/// Numbers of the processes of which this holds, by their folder in /proc.
fn processes(is_it: impl Fn(&Path) -> bool) -> Vec<String> {
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let numbered = folders.filter(|path| path.join("cmdline").exists() && is_it(path));
    numbered.map(|path| path.file_name().unwrap().to_str().unwrap().to_string()).collect()
}

/// `sleep` adds up its arguments. The number of this process tells the sleepers of this run of the tests from
/// those of another.
fn sleep_of_this_run() -> String {
    format!("sleep {} ", std::process::id())
}

fn is_sleeping(seconds: u32) -> bool {
    let line = format!("{}{seconds} ", sleep_of_this_run()).replace(' ', "\0");
    !processes(|path| fs::read(path.join("cmdline")).is_ok_and(|found| found == line.as_bytes())).is_empty()
}

fn is_gone(seconds: u32) {
    wait_until(&format!("sleep {seconds} to end"), || !is_sleeping(seconds));
}

/// A run of the program with a folder of its own for temporary files.
struct Watched {
    bench: Bench,
    child: Option<Child>,
}

impl Watched {
    /// Starts the program once `prepare` has written its files and named its arguments.
    fn start(games: usize, prepare: impl Fn(&Bench) -> Vec<String>) -> Watched {
        let bench = Bench::new(games);
        fs::create_dir(bench.path("tmp")).unwrap();
        let args = prepare(&bench);
        let mut command = texam();
        command.args(args).env("TMPDIR", bench.path("tmp"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut watched = Watched { bench, child: Some(child) };
        let status = format!("/proc/{}/status", watched.child().id());
        wait_until("signals to be heeded", || {
            let status = fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16).unwrap_or(0);
            let has_ended = status.contains("State:\tZ");
            // SIGHUP, SIGINT and SIGTERM: 1, 2 and 15.
            has_ended || [1, 2, 15].iter().all(|signal| caught & (1 << (signal - 1)) > 0)
        });
        watched
    }

    fn child(&mut self) -> &mut Child {
        self.child.as_mut().unwrap()
    }

    fn signal(&mut self, name: &str) {
        let id = self.child().id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Waits for the end, and for what must not be left.
    fn end(&mut self) -> Output {
        let began = Instant::now();
        while self.child().try_wait().unwrap().is_none() {
            assert!(began.elapsed() < HANGS_AFTER, "the program goes on");
            sleep(Duration::from_millis(10));
        }
        let output = self.child.take().unwrap().wait_with_output().unwrap();
        assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
        assert_eq!(fs::read_dir(self.bench.path("tmp")).unwrap().count(), 0, "temporary files are left");
        output
    }

    fn hidden_files(&self, folder: &str) -> usize {
        let entries = fs::read_dir(self.bench.path(folder)).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).count()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

const ROWS: &str = "1 qid:1 1:1\n0 qid:1 2:1\n";

/// Arguments of a fit of the rows that a line of shell prints; `cat rows` is one that prints some.
fn fit_of(bench: &Bench, line: &str, more: &str) -> Vec<String> {
    bench.write("ab.csv", "name,value,tune\na,1,true\nb,2,true\n");
    let rows = bench.write("rows", ROWS);
    let line = line.replace("cat rows", &format!("cat {rows}")).replace("ONCE", &bench.path("once"));
    let line = line.replace("sleep 72", &format!("{}72", sleep_of_this_run()));
    let options = "--objective softmax --holdout none --min-support 0 --iterations 3 --name run";
    let mut args = bench.bare_fit("out", &format!("{options} {more}"));
    args.extend([
        "--choices-from".into(),
        format!(": {{weights}}; {line}"),
        "--weights".into(),
        bench.path("ab.csv"),
    ]);
    args
}

#[test]
fn a_signal_ends_a_command_that_prints_nothing_and_keeps_the_passes_before() {
    for (signal, seconds) in SIGNALS.into_iter().zip(72001..) {
        let line = format!("if [ -e ONCE ]; then sleep {seconds}; fi; touch ONCE; cat rows");
        let mut run = Watched::start(0, |bench| fit_of(bench, &line, ""));
        wait_until("the second pass", || is_sleeping(seconds));
        run.signal(signal);
        let output = run.end();
        let (shown, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{signal}: {said}");
        assert!(said.contains("ending; finished work is kept"), "{signal}: {said}");
        assert!(shown.contains("stopped  cancelled") && shown.contains("--resume run"), "{shown}");
        is_gone(seconds);
        assert_eq!(run.bench.names("out"), ["run-00.csv", "run.games", "run.json", "run.stat"]);
        assert_eq!(run.hidden_files("out"), 0);
    }
}

#[test]
fn a_run_on_a_command_that_was_interrupted_goes_on_as_an_unbroken_one() {
    // The command sleeps once, in the second pass.
    let line = "if [ -e ONCE ] && [ ! -e ONCE.2 ]; then touch ONCE.2; sleep 72010; fi; touch ONCE; cat rows";
    let mut run = Watched::start(0, |bench| fit_of(bench, line, ""));
    wait_until("the second pass", || is_sleeping(72010));
    run.signal("TERM");
    assert_eq!(run.end().status.code(), Some(1));
    succeeds(&run.bench.bare_fit("out", "--resume run"));
    let unbroken = Bench::new(0);
    succeeds(&fit_of(&unbroken, "cat rows", ""));
    for pass in 0..=3 {
        let name = format!("run-{pass:02}.csv");
        assert_eq!(run.bench.files("out")[&name], unbroken.files("out")[&name], "{name}");
    }
}

#[test]
fn a_second_signal_ends_a_command_that_heeds_none_at_once() {
    for (signal, code, seconds) in [("INT", 130, 72021), ("TERM", 143, 72022), ("HUP", 129, 72023)] {
        // The shell and what it starts ignore all that can be ignored, so a moment is left for the second
        // signal.
        let line = format!("trap '' INT TERM HUP; sleep {seconds}; sleep {seconds}");
        let mut run = Watched::start(0, |bench| fit_of(bench, &line, ""));
        wait_until("the command", || is_sleeping(seconds));
        run.signal(signal);
        let mut said = [0; 7];
        run.child().stderr.as_mut().unwrap().read_exact(&mut said).unwrap();
        assert_eq!(&said, b"\nending");
        run.signal(signal);
        let output = run.end();
        // Where the command was ended in the meantime, the run ends in order.
        assert!([Some(code), Some(2)].contains(&output.status.code()), "{signal}: {:?}", output.status);
        is_gone(seconds);
        assert!(!fs::exists(run.bench.path("out")).unwrap());
    }
}

#[test]
fn a_hang_up_that_was_to_be_ignored_is_ignored() {
    let bench = Bench::new(0);
    let args = fit_of(&bench, "while [ ! -e ONCE ]; do sleep 0.05; done; cat rows", "");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_texam")]).args(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the run to begin", || Path::new(&bench.path("out/.run.lock")).exists());
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    sleep(Duration::from_millis(300));
    bench.write("once", "");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[test]
fn a_process_that_outlives_the_shell_is_ended_with_it() {
    for (line, seconds) in [
        ("sleep 72041 & cat rows", 72041),
        ("sleep 72042 >/dev/null 2>&1 & cat rows", 72042),
        ("(trap '' TERM; sleep 72043; sleep 72043) & cat rows", 72043),
    ] {
        let mut run = Watched::start(0, |bench| fit_of(bench, line, ""));
        assert_succeeded(&run.end(), line);
        is_gone(seconds);
    }
}

#[test]
fn rows_that_are_wrong_end_the_command_that_prints_them() {
    let mut run = Watched::start(0, |bench| fit_of(bench, "echo nonsense; sleep 72051", ""));
    assert_failed(&run.end(), "nonsense", &["line 1", "\"nonsense\""]);
    is_gone(72051);
}

/// Commands that take many seconds.
fn long_commands(bench: &Bench) -> Vec<(&'static str, Vec<String>)> {
    let games = "games/gm1988.pgn";
    let out = |name: &str| bench.path(&format!("out/{name}"));
    fs::create_dir_all(bench.path("out")).unwrap();
    let line = |text: String| words(&text).iter().map(ToString::to_string).collect::<Vec<_>>();
    let start = "params/start.par";
    vec![
        ("presearch", line(format!("presearch {games} --depth 3 -o {}", out("a.dbf")))),
        ("rows", line(format!("rows {games} --depth 3 -o {}", out("a.txt")))),
        ("agree", line(format!("agree {games} --depth 3"))),
        ("bench", line(format!("bench {games} --depth 3 --rounds 1000"))),
        ("match", line(format!("match {start} {start} --games 1800 --nodes 100000"))),
        ("fit", line(format!("fit {games} --depth 3 --out {} --name run", bench.path("out")))),
        ("check", line(format!("check {games} --depth 3"))),
        ("lesson", line("lesson 1 --run".to_string())),
    ]
}

#[test]
fn every_long_command_answers_each_signal_and_leaves_nothing() {
    let count = long_commands(&Bench::new(0)).len();
    for number in 0..count {
        let signal = SIGNALS[number % SIGNALS.len()];
        let mut run = Watched::start(0, |bench| long_commands(bench)[number].1.clone());
        let name = long_commands(&run.bench)[number].0;
        let folder = run.bench.folder.path().to_path_buf();
        let in_folder =
            |path: &Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&folder));
        if name == "lesson" {
            wait_until("a command of the lesson", || !processes(in_folder).is_empty());
        }
        sleep(Duration::from_millis(300));
        run.signal(signal);
        let output = run.end();
        let said = text(&output.stderr);
        let is_said = said.contains("ending; finished work is kept")
            || said.contains(&format!("ended by SIG{signal} before the work was done"));
        assert!(!output.status.success() && is_said, "{name}, {signal}: {:?} {said}", output.status);
        assert_eq!(fs::read_dir(run.bench.path("out")).unwrap().count(), 0, "{name}, {signal}");
        wait_until("the commands of the lesson to end", || processes(in_folder).is_empty());
    }
}

#[test]
fn a_signal_ends_what_has_nothing_to_keep_as_if_it_were_not_heeded() {
    let fifo = |bench: &Bench| {
        let path = bench.path("a.par");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        vec!["export".to_string(), path, "--to".into(), "csv".into()]
    };
    let mut export = Watched::start(0, fifo);
    sleep(Duration::from_millis(100));
    export.signal("INT");
    let output = export.end();
    assert_eq!(output.status.signal(), Some(2), "a shell ends its loop");
    assert!(text(&output.stderr).contains("ended by SIGINT"));
}

#[test]
fn a_run_that_is_ended_among_its_groups_keeps_those_that_are_made() {
    let options = "--name run --iterations 1 --groups 100 --holdout none --depth 2";
    let mut run = Watched::start(200, |bench| {
        let mut args = bench.bare_fit("out", options);
        args.push(bench.games().to_string());
        args
    });
    let groups = run.bench.path("out/run.groups");
    wait_until("the first group", || Path::new(&groups).exists());
    run.signal("HUP");
    let output = run.end();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("--resume run"));
    assert_eq!(
        run.bench.names("out"),
        ["run-00.par", "run-01.par", "run.games", "run.groups", "run.json", "run.stat"]
    );
    assert_eq!(run.hidden_files("out"), 0);
}

/// Runs a line of shell, in which TEXAM is the program.
fn in_shell(line: &str) -> Output {
    let line = line.replace("TEXAM", &format!("'{}'", env!("CARGO_BIN_EXE_texam")));
    Command::new("bash").args(["-c", &line]).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn an_output_that_is_full_is_an_error_and_one_that_is_closed_or_that_nobody_reads_is_none() {
    for command in ["params", "--help", "--version", "help fit", "games", "man", "lesson 1"] {
        let ended = in_shell(&format!("TEXAM {command} >/dev/full"));
        assert_failed(&ended, command, &["cannot write to standard"]);
        for output in [">&-", ">/dev/null", "1<>/dev/null", "| head -n 1 >/dev/null", "| true"] {
            let ended = in_shell(&format!("set -o pipefail; TEXAM {command} {output}"));
            let found = (ended.status.code(), text(&ended.stderr));
            assert_eq!(found, (Some(0), ""), "{command} {output}");
        }
    }
    let ended = in_shell("printf 'uci\nquit\n' | TEXAM uci >/dev/full");
    assert_failed(&ended, "uci", &["cannot write to standard output"]);
}
