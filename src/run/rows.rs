//! Where the rows of another program come from: a file, or a command that prints them for every pass.

use std::{
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

use tempfile::NamedTempFile;
use texam_fit::{Model, ObjectiveName, RowInput, RowKind, RowReader, svmrank::TextRows, write_weights};

use super::{Holdout, RunSpec, path_to_text};
use crate::{
    error::{Error, Result},
    game,
};

/// What stands for the digest of rows that a command prints anew for every pass.
const NO_DIGEST: &str = "-";

/// What the rows of a run are.
pub fn kind(spec: &RunSpec) -> RowKind {
    if spec.objective == ObjectiveName::Logistic { RowKind::Labelled } else { RowKind::Choices }
}

/// Each how many games one is held out; none if no game is.
pub fn hold_out(spec: &RunSpec) -> Option<u64> {
    match spec.holdout {
        Holdout::EveryGame(every) => Some(every.into()),
        Holdout::None | Holdout::File(_) => None,
    }
}

/// Where the rows of a run come from.
pub enum RowOrigin {
    File(RowFile),
    Command(RowCommand),
}

impl RowOrigin {
    /// The rows that the options name. A file is read once, for its digest.
    pub fn new(spec: &RunSpec) -> Result<RowOrigin> {
        match (&spec.choices, &spec.choices_from) {
            (Some(path), _) => {
                let digest = game::digest_of(path)?;
                Ok(RowOrigin::File(RowFile { path: path.clone(), digest }))
            }
            (None, Some(command)) => Ok(RowOrigin::Command(RowCommand {
                command: command.clone(),
                timeout: spec.timeout.map(Duration::from_secs_f64),
                running: None,
            })),
            (None, None) => Err(Error::expected("a file or a command that gives choices", "none")),
        }
    }

    /// Where the rows come from and what stands for their digest, as a `.stat` has them.
    pub fn origin(&self) -> (String, String) {
        match self {
            RowOrigin::File(file) => (path_to_text(&file.path), file.digest.clone()),
            RowOrigin::Command(command) => (command.command.clone(), NO_DIGEST.to_string()),
        }
    }

    /// The text that opens the rows for each pass.
    pub fn input(&mut self) -> &mut dyn RowInput {
        match self {
            RowOrigin::File(file) => file,
            RowOrigin::Command(command) => command,
        }
    }

    /// An error of a pass with what is known of its origin: the file, or how the command ended.
    pub fn explain(&mut self, error: Error) -> Error {
        match self {
            RowOrigin::File(file) => error.in_file(&file.path),
            RowOrigin::Command(command) => command.explain(error),
        }
    }
}

/// A file of rows, plain or packed.
pub struct RowFile {
    path: PathBuf,
    digest: String,
}

impl RowInput for RowFile {
    fn open(&mut self, kind: RowKind, _: &Model) -> texam_fit::Result<Box<dyn RowReader>> {
        let input = game::unpacked(&self.path).map_err(texam_fit::Error::external)?;
        Ok(Box::new(TextRows::new(BufReader::with_capacity(1 << 16, input), kind)))
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
    fn open(&mut self, kind: RowKind, model: &Model) -> texam_fit::Result<Box<dyn RowReader>> {
        let output = self.start(model).map_err(texam_fit::Error::external)?;
        Ok(Box::new(TextRows::new(output, kind)))
    }

    fn is_made_anew(&self) -> bool {
        true
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
    if cfg!(unix) { shell_words::quote(&path).into_owned() } else { format!("\"{path}\"") }
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
