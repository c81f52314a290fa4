//! Runs on the rows of another program: where the rows come from, and the files of such a run.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use texam_fit::{
    Fit, Model, Pass, StopReason, read_weights,
    svmrank::{RowCounts, RowInput, RowKind},
    write_weights,
};

use super::{Files, Holdout, RunSpec, path_to_text, read_record, recorder::mark_finished};
use crate::{
    error::{Error, Result},
    file, game,
    stat::{self, Header, State},
};

/// What stands for the digest of rows that a command prints anew for every pass.
const NO_DIGEST: &str = "-";

/// The weights of a table.
///
/// # Errors
///
/// The file cannot be read, or is none of weights.
pub fn read_table(path: &Path) -> Result<Model> {
    read_weights(BufReader::new(file::open(path)?)).map_err(|error| Error::from(error).in_file(path))
}

/// The weights of a model as a table.
pub fn table(model: &Model) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_weights(model, &mut bytes).expect("memory can be written to");
    bytes
}

/// A short digest of the weights of a model.
fn short_digest(model: &Model) -> String {
    Sha256::digest(table(model)).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What the rows of a run are.
pub fn kind(spec: &RunSpec) -> RowKind {
    if spec.reads_labels() { RowKind::Labelled } else { RowKind::Choices }
}

/// Each how many games one is held out; none if no game is.
pub fn hold_out(spec: &RunSpec) -> Option<u64> {
    match spec.holdout {
        Holdout::EveryGame(every) => Some(every.into()),
        Holdout::None | Holdout::File(_) => None,
    }
}

/// Where the rows of a run come from.
pub enum Rows {
    /// A file.
    File(RowFile),
    /// A command.
    Command(RowCommand),
}

impl Rows {
    /// The rows that the options name. A file is read once, for its digest.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or no rows are named.
    pub fn new(spec: &RunSpec) -> Result<Rows> {
        match (&spec.choices, &spec.choices_from) {
            (Some(path), _) => {
                let digest = game::digest_of(path)?;
                Ok(Rows::File(RowFile { path: path.clone(), digest }))
            }
            (None, Some(command)) => Ok(Rows::Command(RowCommand {
                command: command.clone(),
                timeout: spec.timeout.map(Duration::from_secs_f64),
                running: None,
            })),
            (None, None) => Err(Error::expected("a file or a command that gives choices", "none")),
        }
    }

    /// The text that opens the rows for each pass.
    pub fn input(&mut self) -> &mut dyn RowInput {
        match self {
            Rows::File(file) => file,
            Rows::Command(command) => command,
        }
    }

    /// What stands at the head of the `.stat` before anything is counted.
    pub fn header(&self, spec: &RunSpec, start: &Model) -> Header {
        let (games, digest) = match self {
            Rows::File(file) => (path_to_text(&file.path), file.digest.clone()),
            Rows::Command(command) => (command.command.clone(), NO_DIGEST.to_string()),
        };
        Header {
            version: env!("CARGO_PKG_VERSION").to_string(),
            games,
            digest,
            decisive: 0,
            skipped: 0,
            held_out_games: 0,
            positions: [0, 0],
            start: short_digest(start),
            options: spec.options(),
        }
    }

    /// An error of a pass with what is known of its origin: the file, or how the command ended.
    pub fn explain(&mut self, error: Error) -> Error {
        match self {
            Rows::File(file) => error.in_file(&file.path),
            Rows::Command(command) => command.explain(error),
        }
    }
}

/// A file of rows, plain or packed.
pub struct RowFile {
    path: PathBuf,
    digest: String,
}

impl RowInput for RowFile {
    fn open(&mut self, _: &Model) -> texam_fit::Result<Box<dyn BufRead>> {
        let input = game::unpacked(&self.path).map_err(texam_fit::Error::external)?;
        Ok(Box::new(BufReader::with_capacity(1 << 16, input)))
    }
}

/// A command that prints rows.
pub struct RowCommand {
    command: String,
    timeout: Option<Duration>,
    running: Option<Running>,
}

/// Lines of standard error that are shown when a command fails.
const LAST_LINES: usize = 5;

/// Bytes of such a line that are shown.
const LINE_BYTES: usize = 200;

struct Running {
    child: Arc<Mutex<Child>>,
    /// Collects the last lines of standard error.
    errors: Option<JoinHandle<Vec<String>>>,
    /// Ends the wait for the timeout when it is dropped.
    watch: Option<(mpsc::Sender<()>, JoinHandle<bool>)>,
    /// The file of weights, removed with this.
    _weights: NamedTempFile,
}

impl Running {
    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RowInput for RowCommand {
    fn open(&mut self, model: &Model) -> texam_fit::Result<Box<dyn BufRead>> {
        self.start(model).map_err(texam_fit::Error::external)
    }

    fn close(&mut self) -> texam_fit::Result<()> {
        self.end().map_or(Ok(()), |failure| Err(texam_fit::Error::external(failure)))
    }
}

impl RowCommand {
    fn start(&mut self, model: &Model) -> Result<Box<dyn BufRead>> {
        let failed = |error| Error::io("cannot write the weights for the command", error);
        let weights = tempfile::Builder::new().prefix("texam-").suffix(".csv").tempfile().map_err(failed)?;
        write_weights(model, weights.as_file()).map_err(failed)?;
        let line = self.command.replace("{weights}", &quoted(weights.path()));
        let mut command = shell(&line);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn();
        let mut child = child.map_err(|error| Error::io("cannot start the command", error))?;
        let output = child.stdout.take().expect("standard output is a pipe");
        let errors = child.stderr.take().expect("standard error is a pipe");
        let errors = thread::spawn(move || last_lines(errors));
        let child = Arc::new(Mutex::new(child));
        let watch = self.timeout.map(|timeout| {
            let (done, wait) = mpsc::channel();
            let child = Arc::clone(&child);
            let watcher = thread::spawn(move || {
                let is_late = wait.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout);
                if is_late {
                    kill(&mut child.lock().unwrap_or_else(PoisonError::into_inner));
                }
                is_late
            });
            (done, watcher)
        });
        self.running = Some(Running { child, errors: Some(errors), watch, _weights: weights });
        Ok(Box::new(BufReader::with_capacity(1 << 16, output)))
    }

    /// Waits for the command to end. How it failed, if it did.
    fn end(&mut self) -> Option<Error> {
        let mut running = self.running.take()?;
        // Whoever watches the time must get at the child meanwhile.
        let status = loop {
            let status = running.child().try_wait();
            match status {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Ok(Some(status)) => break Ok(status),
                Err(error) => break Err(error),
            }
        };
        let is_late = running.watch.take().is_some_and(|(done, watcher)| {
            drop(done);
            watcher.join().unwrap_or(false)
        });
        let lines = running.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default();
        let said = match lines.is_empty() {
            true => String::new(),
            false => format!("; it said last: {}", lines.join(" | ")),
        };
        let how = match status {
            _ if is_late => "it took longer than the timeout".to_string(),
            Ok(status) if status.success() => return None,
            Ok(status) => format!("it ended with {status}"),
            Err(error) => format!("it cannot be waited for: {error}"),
        };
        Some(Error::new(format!("the command that gives choices failed: {how}{said}")))
    }

    /// An error that came up while the output was read. The command gets a moment to end, and is stopped then.
    fn explain(&mut self, error: Error) -> Error {
        let Some(running) = &self.running else { return error };
        let is_over = (0..20).any(|_| {
            let is_over = matches!(running.child().try_wait(), Ok(Some(_)));
            if !is_over {
                thread::sleep(Duration::from_millis(10));
            }
            is_over
        });
        if !is_over {
            kill(&mut running.child());
        }
        match self.end() {
            Some(failure) if is_over => Error::new(format!("output of the command: {error}; {failure}")),
            _ => Error::new(format!("output of the command: {error}")),
        }
    }
}

impl Drop for RowCommand {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            kill(&mut running.child());
            self.end();
        }
    }
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new("sh");
    // A group of its own, so that what the shell starts can be stopped with it.
    command.arg("-c").arg(line).process_group(0);
    command
}

#[cfg(not(unix))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.arg("/C").arg(line);
    command
}

/// Stops a command with all that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if matches!(child.try_wait(), Ok(None))
        && let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed())
    {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(unix) { format!("'{}'", path.replace('\'', r"'\''")) } else { format!("\"{path}\"") }
}

/// The last lines of a stream, read to its end.
fn last_lines(stream: impl Read) -> Vec<String> {
    let mut lines = VecDeque::new();
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(1 << 16).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return lines.into(),
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(line.trim_ascii());
        if !text.is_empty() {
            lines.push_back(text.chars().take(LINE_BYTES).collect::<String>());
        }
        if lines.len() > LAST_LINES {
            lines.pop_front();
        }
    }
}

/// Writes the files of a run on rows: a table of weights for each pass, and the `.stat` anew after each.
pub struct RowRecorder<'a> {
    files: &'a Files,
    header: Header,
    start: &'a Model,
    counts: &'a Cell<RowCounts>,
    passes: RefCell<Vec<Pass>>,
    last_fit: RefCell<Option<Fit>>,
}

impl<'a> RowRecorder<'a> {
    /// For a run that has made `passes` already. The caller holds the lock on its name.
    pub fn new(
        files: &'a Files,
        header: Header,
        start: &'a Model,
        counts: &'a Cell<RowCounts>,
        passes: Vec<Pass>,
    ) -> RowRecorder<'a> {
        RowRecorder {
            files,
            header,
            start,
            counts,
            passes: RefCell::new(passes),
            last_fit: RefCell::default(),
        }
    }

    /// Writes a pass down; `fit` is the fit that led to it.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        let model = self.start.with_values(&pass.values)?;
        file::write_whole(self.files.csv(pass.report.number), &table(&model))?;
        self.passes.borrow_mut().push(pass.clone());
        *self.last_fit.borrow_mut() = fit.cloned();
        self.write(State::Unfinished)?;
        if pass.report.number == 0 {
            self.files.remove_beyond(0)?;
        }
        Ok(())
    }

    /// Marks the run as finished.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or removed.
    pub fn finish(&self, stopped: StopReason) -> Result<()> {
        let passes = self.passes.borrow().len() as u32;
        if stopped == StopReason::Cancelled {
            return Ok(());
        }
        if passes == 1 || self.last_fit.borrow().is_some() {
            self.write(State::Finished)?;
        } else {
            // Nothing was read again, so the counts of the file stand.
            let path = self.files.stat();
            let old = read_record(&path)?.header;
            mark_finished(&path, &Header { options: self.header.options.clone(), ..old })?;
        }
        self.files.remove_beyond(passes - 1)
    }

    fn write(&self, state: State) -> Result<()> {
        let RowCounts { clusters, choices, .. } = self.counts.get();
        let header = Header {
            decisive: clusters.iter().sum(),
            held_out_games: clusters[1],
            positions: choices,
            ..self.header.clone()
        };
        let (passes, fit) = (self.passes.borrow(), self.last_fit.borrow());
        let text = stat::format_model(&header, state, self.start, &passes, fit.as_ref());
        file::write_whole(self.files.stat(), text.as_bytes())
    }
}
