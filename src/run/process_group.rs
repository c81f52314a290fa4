//! A command with all processes that it starts. They are one group, which is ended when the command has
//! ended, at a signal, or when its output is not wanted.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use tempfile::TempPath;

use crate::run::interrupt::{self, AtEnd};

/// Time between two looks at the command and at signals.
const TICK: Duration = Duration::from_millis(20);

/// Time that a command has for ending itself when it is asked to.
const GRACE: Duration = Duration::from_secs(1);

/// Bytes that are read at a time, and how many such chunks may wait to be taken.
const CHUNK: usize = 1 << 16;
const CHUNKS: usize = 4;

/// A command that runs. Dropping it ends all its processes and removes its file.
pub struct ProcessGroup {
    child: Mutex<Child>,
    /// Ends the processes and removes the file if a signal ends this program at once. None once the group is
    /// ended, because another process may get its number.
    at_end: Mutex<Option<AtEnd>>,
    /// A file that the command reads.
    _file: Option<TempPath>,
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
    /// Starts a command. `file` is removed with the group.
    pub fn start(
        mut command: Command,
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
        let chunks = read(child.stdout.take().expect("standard output is a pipe"));
        let group = Arc::new(ProcessGroup {
            child: Mutex::new(child),
            at_end: Mutex::new(Some(at_end)),
            _file: file,
        });
        Ok((Arc::clone(&group), GroupOutput { group, chunks, chunk: io::Cursor::default() }))
    }

    /// Waits until the command has ended or a signal asks for the end, and ends all that it has left running.
    pub fn wait(&self) -> Option<ExitStatus> {
        while !self.has_ended() && !interrupt::is_requested() {
            thread::sleep(TICK);
        }
        self.end()
    }

    /// Gives the command a moment to end by itself. Its status; none if it had to be ended.
    pub fn dismiss(&self) -> Option<ExitStatus> {
        let began = Instant::now();
        while !self.has_ended() && began.elapsed() < 10 * TICK {
            thread::sleep(TICK);
        }
        let has_ended = self.has_ended();
        self.end().filter(|_| has_ended)
    }

    /// Ends all processes.
    fn end(&self) -> Option<ExitStatus> {
        let mut child = lock(&self.child);
        if let Some(_at_end) = lock(&self.at_end).take() {
            let asked = Instant::now();
            if is_running(&mut child) {
                signal_group(child.id(), Signal::Terminate);
            }
            while is_running(&mut child) && asked.elapsed() < GRACE {
                thread::sleep(TICK);
            }
            signal_group(child.id(), Signal::Kill);
            let _ = child.kill();
        }
        child.wait().ok()
    }

    fn has_ended(&self) -> bool {
        !is_running(&mut lock(&self.child))
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

fn is_running(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

impl Read for GroupOutput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.chunk.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if interrupt::is_requested() {
                self.group.end();
                return Err(io::Error::other("the command was ended"));
            }
            if self.group.has_ended() {
                // What it has left running may hold the output open.
                self.group.end();
            }
            match self.chunks.recv_timeout(TICK) {
                Ok(chunk) => self.chunk = io::Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

/// Reads a pipe in a thread of its own, so that the caller can look at signals meanwhile.
fn read(pipe: ChildStdout) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, chunks) = mpsc::sync_channel(CHUNKS);
    thread::spawn(move || {
        let mut pipe = BufReader::with_capacity(CHUNK, pipe);
        loop {
            let chunk = pipe.fill_buf().map(<[u8]>::to_vec);
            let length = chunk.as_ref().map_or(0, Vec::len);
            pipe.consume(length);
            if sender.send(chunk).is_err() || length == 0 {
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(line: &str, file: Option<TempPath>) -> (Arc<ProcessGroup>, GroupOutput) {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        ProcessGroup::start(command, file).unwrap()
    }

    fn is_sleeping(words: &str) -> bool {
        let is_it = |id: fs::DirEntry| {
            let line = fs::read(id.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ").trim_end() == words
        };
        fs::read_dir("/proc").unwrap().flatten().any(is_it)
    }

    fn ends(words: &str) {
        while is_sleeping(words) {
            thread::sleep(TICK);
        }
    }

    #[test]
    fn the_output_and_the_end_of_a_command_are_known() {
        for (line, code) in [("echo rows; exit 3", Some(3)), ("echo rows; kill -9 $$", None)] {
            let (group, mut output) = start(line, None);
            let mut text = String::new();
            output.read_to_string(&mut text).unwrap();
            assert_eq!((&*text, group.wait().unwrap().code()), ("rows\n", code));
        }
    }

    #[test]
    fn what_a_command_has_left_running_is_ended_with_it() {
        for line in [
            "sleep 71002 & echo row",
            "sleep 71002 >/dev/null 2>&1 & echo row",
            "(trap '' TERM; sleep 71002; sleep 71002) & echo row",
        ] {
            let (group, mut output) = start(line, None);
            let mut text = String::new();
            output.read_to_string(&mut text).unwrap();
            assert!(text == "row\n" && group.wait().unwrap().success(), "{line}");
            ends("sleep 71002");
        }
    }

    #[test]
    fn a_command_whose_output_is_not_wanted_ends_with_its_file() {
        let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        let path = file.to_path_buf();
        let (group, output) = start("sleep 71003; echo row", Some(file));
        while !is_sleeping("sleep 71003") {
            thread::sleep(TICK);
        }
        assert!(path.exists());
        drop((group, output));
        assert!(!path.exists());
        ends("sleep 71003");
    }
}
