//! A command with all processes that it starts. They are one group, and end together, however they end: by themselves, at
//! a time limit, at a signal, or because their output is wanted no longer.
//!
//! The command ends when its first process does. What this one has started must have ended by then, or have let go of the
//! standard output: otherwise it is not known whether the output is whole.

use std::{
    collections::VecDeque,
    fs,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tempfile::TempPath;

use crate::run::interrupt::{self, AtEnd};

/// Time between two looks at the clock and at signals.
const TICK: Duration = Duration::from_millis(20);

/// Time that a command has for ending itself when it is asked to.
const GRACE: Duration = Duration::from_secs(1);

/// Time without output after which a process that outlives the command is ended.
const LINGER: Duration = Duration::from_secs(5);

/// Bytes that are read at a time, and how many such chunks may wait to be taken.
const CHUNK: usize = 1 << 16;
const CHUNKS: usize = 4;

/// Lines of standard error that are kept, and characters of a line.
const LAST_LINES: usize = 5;
const LINE_LENGTH: usize = 200;

/// Why a command was ended before it ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// By a signal to this program.
    Interrupted,
    /// It took longer than its time limit.
    Late,
    /// It had ended, and a process that it had started kept its output open.
    LeftOpen,
    /// Its output is wanted no longer.
    Unwanted,
}

/// A command that runs. Dropping it ends all its processes and removes its file.
pub struct ProcessGroup {
    child: Mutex<Child>,
    deadline: Option<Instant>,
    stop: OnceLock<Stop>,
    status: OnceLock<ExitStatus>,
    errors: Mutex<Option<JoinHandle<()>>>,
    last_errors: Arc<Mutex<VecDeque<String>>>,
    /// A file that the command reads.
    file: Mutex<Option<TempPath>>,
    /// Ends the processes and removes the file if a signal ends this program at once.
    at_end: Mutex<Option<AtEnd>>,
}

/// The standard output of a command.
pub struct GroupOutput {
    group: Arc<ProcessGroup>,
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProcessGroup {
    /// Starts a command, which may run for `limit`. `file` is removed when the command has ended. Standard error is kept if
    /// it is a pipe.
    pub fn start(
        mut command: Command,
        limit: Option<Duration>,
        file: Option<TempPath>,
    ) -> io::Result<(Arc<ProcessGroup>, GroupOutput)> {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (id, path) = (child.id(), file.as_deref().map(Path::to_path_buf));
        let at_end = interrupt::at_end(move || {
            signal_group(id, Signal::Kill);
            path.iter().for_each(|path| _ = fs::remove_file(path));
        });
        let output = child.stdout.take().expect("standard output is a pipe");
        let last_errors = Arc::<Mutex<VecDeque<String>>>::default();
        let errors = child.stderr.take().map(|errors| {
            let lines = Arc::clone(&last_errors);
            thread::spawn(move || keep_last_lines(errors, &lines))
        });
        let group = Arc::new(ProcessGroup {
            child: Mutex::new(child),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
            stop: OnceLock::new(),
            status: OnceLock::new(),
            errors: Mutex::new(errors),
            last_errors,
            file: Mutex::new(file),
            at_end: Mutex::new(Some(at_end)),
        });
        let output =
            GroupOutput { group: Arc::clone(&group), chunks: read(output), chunk: io::Cursor::default() };
        Ok((group, output))
    }

    /// Why it was ended, if it was.
    pub fn stop(&self) -> Option<Stop> {
        self.stop.get().copied()
    }

    /// The last lines of standard error.
    pub fn last_errors(&self) -> Vec<String> {
        lock(&self.last_errors).iter().cloned().collect()
    }

    /// Waits until the command has ended, for as long as it may run, and ends all that it has left running.
    pub fn wait(&self) -> Option<ExitStatus> {
        while !self.has_ended() && !self.ends_now(Duration::ZERO) {
            thread::sleep(TICK);
        }
        self.end()
    }

    /// Gives the command a moment to end by itself, and ends it then.
    pub fn dismiss(&self) -> Option<ExitStatus> {
        let began = Instant::now();
        while !self.has_ended() && began.elapsed() < 10 * TICK {
            thread::sleep(TICK);
        }
        if !self.has_ended() {
            let _ = self.stop.set(Stop::Unwanted);
        }
        self.end()
    }

    /// Ends the command if it may not go on. `quiet`: for how long nothing was printed since it has ended.
    fn ends_now(&self, quiet: Duration) -> bool {
        let stop = if interrupt::is_requested() {
            Stop::Interrupted
        } else if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            Stop::Late
        } else if quiet >= LINGER && self.has_ended() {
            Stop::LeftOpen
        } else {
            return false;
        };
        let _ = self.stop.set(stop);
        self.end();
        true
    }

    /// Ends all processes, and waits for the first of them. Until then the number of the group is not given to others.
    fn end(&self) -> Option<ExitStatus> {
        let mut child = lock(&self.child);
        if let Some(status) = self.status.get() {
            return Some(*status);
        }
        if !has_ended(&mut child) {
            signal_group(child.id(), Signal::Terminate);
            let asked = Instant::now();
            while !has_ended(&mut child) && asked.elapsed() < GRACE {
                thread::sleep(TICK);
            }
        }
        signal_group(child.id(), Signal::Kill);
        let _ = child.kill();
        drop(lock(&self.file).take());
        // Once the process is waited for, another may get its number.
        drop(lock(&self.at_end).take());
        let status = child.wait().ok();
        status.into_iter().for_each(|status| _ = self.status.set(status));
        // A process that has left the group may hold standard error.
        if let Some(errors) = lock(&self.errors).take() {
            let asked = Instant::now();
            while !errors.is_finished() && asked.elapsed() < GRACE {
                thread::sleep(Duration::from_millis(1));
            }
        }
        status
    }

    fn has_ended(&self) -> bool {
        self.status.get().is_some() || has_ended(&mut lock(&self.child))
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

impl Read for GroupOutput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ended_at = None;
        loop {
            let count = self.chunk.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let has_ended = self.group.has_ended();
            let quiet = has_ended.then(|| ended_at.get_or_insert_with(Instant::now).elapsed());
            if self.group.ends_now(quiet.unwrap_or_default()) {
                return Err(io::Error::other("the command was ended"));
            }
            match self.chunks.recv_timeout(TICK) {
                Ok(chunk) => self.chunk = io::Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

/// Reads a pipe in a thread of its own, so that the caller can look at the clock and at signals meanwhile.
fn read(mut pipe: ChildStdout) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, chunks) = mpsc::sync_channel(CHUNKS);
    thread::spawn(move || {
        loop {
            let mut chunk = vec![0; CHUNK];
            let read = match pipe.read(&mut chunk) {
                Ok(0) => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read,
            };
            let is_last = read.is_err();
            let chunk = read.map(|count| {
                chunk.truncate(count);
                chunk
            });
            if sender.send(chunk).is_err() || is_last {
                return;
            }
        }
    });
    chunks
}

#[derive(Clone, Copy)]
enum Signal {
    Terminate,
    Kill,
}

/// Sends a signal to the group of which this process is the first.
#[cfg(unix)]
fn signal_group(first: u32, signal: Signal) {
    use rustix::process::{Pid, Signal as System, kill_process_group};
    let signal = match signal {
        Signal::Terminate => System::TERM,
        Signal::Kill => System::KILL,
    };
    // An error is ignored: the group has ended.
    Pid::from_raw(first.cast_signed()).into_iter().for_each(|group| _ = kill_process_group(group, signal));
}

#[cfg(not(unix))]
fn signal_group(_: u32, _: Signal) {}

/// Whether a process has ended. It stays known to the system, and with it the number of its group.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let pid = Pid::from_raw(child.id().cast_signed()).expect("a process has a number");
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Keeps the last lines of a stream.
fn keep_last_lines(stream: impl Read, last: &Mutex<VecDeque<String>>) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(CHUNK as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(line.trim_ascii());
        let mut last = lock(last);
        if !text.is_empty() {
            last.push_back(text.chars().take(LINE_LENGTH).collect());
        }
        if last.len() > LAST_LINES {
            last.pop_front();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(line: &str, limit: Option<Duration>) -> (Arc<ProcessGroup>, GroupOutput) {
        let mut command = Command::new("sh");
        command.args(["-c", line]).stderr(Stdio::piped());
        ProcessGroup::start(command, limit, None).unwrap()
    }

    fn is_running(words: &str) -> bool {
        let is_it = |id: fs::DirEntry| {
            let line = fs::read(id.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ").trim_end() == words
        };
        fs::read_dir("/proc").unwrap().flatten().any(is_it)
    }

    fn ends(words: &str) {
        while is_running(words) {
            thread::sleep(TICK);
        }
    }

    #[test]
    fn what_a_long_quiet_command_prints_in_its_last_moment_is_read() {
        let quiet = LINGER.as_secs_f64() + 0.5;
        let (group, mut output) = start(&format!("sleep {quiet}; (sleep 1; echo late) & exit"), None);
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), group.stop()), ("late\n", None));
    }

    #[test]
    fn output_and_errors_of_a_command_are_read() {
        let (group, mut output) = start("echo rows; echo why >&2; exit 3", None);
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        assert_eq!((&*text, group.wait().unwrap().code()), ("rows\n", Some(3)));
        assert_eq!((group.stop(), group.last_errors()), (None, vec!["why".to_string()]));
    }

    #[test]
    fn a_command_is_ended_at_its_limit_with_all_that_it_has_started() {
        for line in [
            "sleep 71001 & wait",
            "sleep 71001 & echo row",
            "exec >&-; sleep 71001",
            "(trap '' TERM; sleep 71001; sleep 71001) & trap '' TERM; wait; wait",
        ] {
            let (group, mut output) = start(line, Some(Duration::from_millis(300)));
            let read = output.read_to_end(&mut Vec::new());
            group.wait();
            assert_eq!(group.stop(), Some(Stop::Late), "{line}: {read:?}");
            ends("sleep 71001");
        }
    }

    #[test]
    fn a_process_that_keeps_the_output_open_after_the_command_is_ended() {
        let (group, mut output) = start("sleep 71002 & echo row", None);
        let mut bytes = Vec::new();
        assert!(output.read_to_end(&mut bytes).is_err());
        assert_eq!((&*bytes, group.stop()), (&b"row\n"[..], Some(Stop::LeftOpen)));
        ends("sleep 71002");
    }

    #[test]
    fn a_process_that_is_left_running_without_the_output_is_ended_with_the_command() {
        let (group, mut output) = start("sleep 71003 >/dev/null 2>&1 & echo row", None);
        assert_eq!(output.read_to_end(&mut Vec::new()).unwrap(), 4);
        assert!(group.wait().unwrap().success());
        assert_eq!(group.stop(), None);
        ends("sleep 71003");
    }

    #[test]
    fn a_command_whose_output_is_not_wanted_ends_with_its_file() {
        let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        let path = file.to_path_buf();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 71004; echo row"]);
        let (group, output) = ProcessGroup::start(command, None, Some(file)).unwrap();
        while !is_running("sleep 71004") {
            thread::sleep(TICK);
        }
        assert!(path.exists());
        drop((group, output));
        assert!(!path.exists());
        ends("sleep 71004");
    }
}
