//! Running the program, and games small enough to run it on.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;
use texam::run::{Files, stat::RunRecord};

/// The program, in the folder of the project.
pub fn texam() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_texam"));
    command.stdin(Stdio::null());
    command
}

/// A line of arguments; none of them holds a blank.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

pub fn run<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Output {
    let output = texam().args(args).output().unwrap();
    assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    output
}

pub fn run_with_input(line: &str, input: &[u8]) -> Output {
    let mut command = texam();
    let command = command.args(words(line)).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// How the names of shipped files begin. Others are what a user of this folder has made, and no test reads
/// them.
const SHIPPED: &str = "README.md gm1988 start material tables best large small fixed tricky pst flat";

/// The shipped files of a folder of games, weights or runs.
pub fn shipped(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let is_shipped = |name: &str| words(SHIPPED).iter().any(|start| name.starts_with(start));
    let shipped = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_shipped));
    shipped.map(|entry| entry.path()).collect()
}

/// Runs to a good end, with nothing on standard error, and hands standard output back.
pub fn succeeds<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> String {
    let output = run(args);
    assert_succeeded(&output, "");
    text(&output.stdout).to_string()
}

/// As [`succeeds`], with warnings about the labels of few games.
pub fn succeeds_with_warnings<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> String {
    let mut output = run(args);
    assert!(text(&output.stderr).lines().all(|line| line.starts_with("warning: ")));
    output.stderr.clear();
    assert_succeeded(&output, "");
    text(&output.stdout).to_string()
}

/// A good end, with nothing on standard error. A fit of a few games may be worse than its start, and then its
/// exit code is 1.
pub fn assert_succeeded(output: &Output, what: &str) {
    let shown = text(&output.stdout);
    let warns = ["\nwarning  worse", "\"warning\": \"worse"].iter().any(|words| shown.contains(words));
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(i32::from(warns)), ""), "{what}");
}

/// Runs to a good end and reads the one JSON object that is all of standard output.
pub fn json<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Value {
    object(&succeeds(args))
}

pub fn object(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert!(value.is_object(), "{value}");
    value
}

/// Fails with exit code 2, an `error:` that says all `parts`, and nothing on standard output.
pub fn fails<S: AsRef<std::ffi::OsStr>>(args: &[S], parts: &[&str]) {
    let output = run(args);
    let line: Vec<_> = args.iter().map(AsRef::as_ref).collect();
    assert_failed(&output, &format!("{line:?}"), parts);
    assert_eq!(text(&output.stdout), "", "{line:?}");
}

pub fn assert_failed(output: &Output, what: &str, parts: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{what}: {error}");
    let is_before = |line: &&str| line.starts_with("warning: ") || line.starts_with("note: ");
    let last = error.lines().find(|line| !is_before(line)).unwrap_or_default();
    assert!(last.starts_with("error: "), "{what}: {error}");
    for part in parts {
        assert!(error.contains(part), "{what}: no {part:?} in {error}");
    }
}

/// A folder of its own for a test, with the first games of the shipped ones in it.
pub struct Bench {
    pub folder: TempDir,
    pub games: PathBuf,
}

impl Bench {
    pub fn new(games: usize) -> Bench {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, first_games(games)).unwrap();
        Bench { folder, games: path }
    }

    /// A path in the folder, as an argument.
    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    pub fn games(&self) -> &str {
        self.games.to_str().unwrap()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    /// Arguments of a fit at one ply into the folder `out`, and what `more` says.
    pub fn fit(&self, out: &str, more: &str) -> Vec<String> {
        let mut args = self.bare_fit(out, more);
        args.extend(["--depth".into(), "1".into(), self.games().into()]);
        args
    }

    /// Arguments of `texam fit` into the folder `out` without games or depth.
    pub fn bare_fit(&self, out: &str, more: &str) -> Vec<String> {
        let mut args = vec!["fit".to_string(), "--out".into(), self.path(out)];
        args.extend(words(more).iter().map(ToString::to_string));
        args
    }

    /// Every file of a folder with its bytes; hidden ones are left out.
    pub fn files(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        files(&self.folder.path().join(out))
    }

    fn files_of(&self, run: &str) -> Files {
        Files::of_run(Path::new(&self.path(&format!("{run}.json")))).unwrap()
    }

    /// The data of a run, such as `out/run`.
    pub fn record(&self, run: &str) -> RunRecord {
        RunRecord::read(&self.files_of(run)).unwrap()
    }

    /// Writes a run with other data, as if it had been made so.
    pub fn change_record(&self, run: &str, change: impl FnOnce(&mut RunRecord)) {
        let mut record = self.record(run);
        change(&mut record);
        record.write(&self.files_of(run)).unwrap();
    }

    pub fn names(&self, out: &str) -> Vec<String> {
        self.files(out).into_keys().collect()
    }
}

/// Every file of a folder with its bytes; hidden ones are left out.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    // A run without a file leaves no folder.
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    named.filter(|(name, _)| !name.starts_with('.')).map(|(n, path)| (n, fs::read(path).unwrap())).collect()
}

/// Compares folders of files by their names first, then line by line.
pub fn assert_same_files(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in found {
        // As text, so that the difference can be read.
        let [found, wanted] = [bytes, &expected[name]].map(|bytes| String::from_utf8_lossy(bytes));
        assert_eq!(found, wanted, "{name}");
        assert!(*bytes == expected[name], "{name}");
    }
}

/// The first games of the shipped file.
pub fn first_games(count: usize) -> String {
    games_from(0, count)
}

/// Some of the shipped games.
pub fn games_from(first: usize, count: usize) -> String {
    let all = fs::read_to_string("games/gm1988.pgn").unwrap();
    let games = all.split("[Event ").skip(1 + first).take(count);
    games.map(|game| format!("[Event {game}")).collect()
}

/// Insists on fields.
pub fn require(value: &Value, fields: &[&str]) {
    let found: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let missing: Vec<_> = fields.iter().filter(|field| !found.contains(**field)).collect();
    assert!(missing.is_empty(), "{missing:?} are not among {found:?}");
}

pub fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("{field} is no number in {value}"))
}

pub fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().unwrap_or_else(|| panic!("{field} is no list in {value}"))
}
