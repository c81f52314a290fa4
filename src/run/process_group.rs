//! A command with all processes that it starts. They are one group, which is ended when the command has
//! ended, at a signal, or when its output is not wanted.

use std::{
    fs, io,
    path::Path,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tempfile::TempPath;

use crate::run::interrupt;

/// Time between two looks at the command and at signals.
const TICK: Duration = Duration::from_millis(20);

/// Time that a command has for ending itself when it is asked to.
const GRACE: Duration = Duration::from_secs(1);

/// A command that runs. Dropping it ends all its processes and removes its file.
pub struct ProcessGroup {
    is_dismissed: Arc<AtomicBool>,
    /// The thread that ends the processes, so that their output ends too; none once it is waited for.
    watcher: Option<JoinHandle<Option<ExitStatus>>>,
}

impl ProcessGroup {
    /// Starts a command; its standard output ends with the group. `file` is removed then.
    pub fn start(mut command: Command, file: Option<TempPath>) -> io::Result<(ProcessGroup, ChildStdout)> {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // CREATE_NEW_PROCESS_GROUP: Ctrl-C is for this program.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, 0x200);
        let mut child = command.spawn()?;
        let processes = Arc::new(Processes::of(&mut child).inspect_err(|_| _ = child.kill())?);
        let (of_signals, path) = (Arc::clone(&processes), file.as_deref().map(Path::to_path_buf));
        let at_end = interrupt::at_end(move || {
            of_signals.end(true);
            path.iter().for_each(|path| _ = fs::remove_file(path));
        });
        let output = child.stdout.take().expect("standard output is a pipe");
        let is_dismissed = Arc::new(AtomicBool::new(false));
        let is_unwanted = Arc::clone(&is_dismissed);
        let watcher = thread::spawn(move || {
            let _file = file;
            wait_while(|| {
                is_running(&mut child) && !interrupt::is_requested() && !is_unwanted.load(Ordering::Relaxed)
            });
            let asked = Instant::now();
            if is_running(&mut child) {
                processes.end(false);
            }
            wait_while(|| is_running(&mut child) && asked.elapsed() < GRACE);
            processes.end(true);
            // Another process may have its number now.
            drop(at_end);
            child.wait().ok()
        });
        Ok((ProcessGroup { is_dismissed, watcher: Some(watcher) }, output))
    }

    /// Waits until the command has ended or a signal asks for the end, and all that it has left running has
    /// been ended.
    pub fn wait(mut self) -> Option<ExitStatus> {
        self.watcher.take().and_then(|watcher| watcher.join().ok()?)
    }

    /// Gives the command a moment to end by itself. Its status; none if it had to be ended.
    pub fn dismiss(self) -> Option<ExitStatus> {
        let began = Instant::now();
        let has_ended = || self.watcher.as_ref().is_none_or(JoinHandle::is_finished);
        wait_while(|| !has_ended() && began.elapsed() < 10 * TICK);
        let has_ended = has_ended();
        self.is_dismissed.store(true, Ordering::Relaxed);
        self.wait().filter(|_| has_ended)
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.is_dismissed.store(true, Ordering::Relaxed);
        self.watcher.take().map(JoinHandle::join);
    }
}

fn wait_while(mut holds: impl FnMut() -> bool) {
    while holds() {
        thread::sleep(TICK);
    }
}

fn is_running(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

/// A process and those that it has started: a process group on Unix, a job on Windows.
#[cfg(not(windows))]
#[cfg_attr(not(unix), expect(dead_code, reason = "without processes"))]
struct Processes(u32);

#[cfg(not(windows))]
impl Processes {
    fn of(first: &mut Child) -> io::Result<Processes> {
        Ok(Processes(first.id()))
    }

    /// Asks them to end, or ends them. An error is ignored: they have ended.
    #[cfg_attr(not(unix), expect(unused_variables, reason = "without processes"))]
    fn end(&self, at_once: bool) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let group = Pid::from_raw(self.0.cast_signed()).expect("each process has a number");
            let _ = kill_process_group(group, if at_once { Signal::KILL } else { Signal::TERM });
        }
    }
}

#[cfg(windows)]
struct Processes(std::os::windows::io::OwnedHandle);

#[cfg(windows)]
impl Processes {
    fn of(first: &mut Child) -> io::Result<Processes> {
        use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
        use windows_sys::Win32::System::JobObjects::*;
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        // They end with this program, too.
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let (kind, size) = (JobObjectExtendedLimitInformation, size_of_val(&limits) as u32);
        // SAFETY: a job needs neither attributes nor a name, nothing else has the handle of a new one, and the
        // limits are of the kind and the size that is said.
        unsafe {
            let job = CreateJobObjectW(std::ptr::null(), std::ptr::null());
            if job.is_null() {
                return Err(io::Error::last_os_error());
            }
            let owned = Processes(OwnedHandle::from_raw_handle(job));
            let is_member = SetInformationJobObject(job, kind, (&raw const limits).cast(), size) != 0
                && AssignProcessToJobObject(job, first.as_raw_handle()) != 0;
            let error = io::Error::last_os_error();
            // One that has ended already cannot join.
            if is_member || !is_running(first) { Ok(owned) } else { Err(error) }
        }
    }

    /// Ends them, since a job cannot be asked. An error is ignored: they have ended.
    fn end(&self, _: bool) {
        use std::os::windows::io::AsRawHandle;
        // SAFETY: the handle is open.
        unsafe { windows_sys::Win32::System::JobObjects::TerminateJobObject(self.0.as_raw_handle(), 1) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;

    use super::*;

    fn start(line: &str, file: Option<TempPath>) -> (ProcessGroup, ChildStdout) {
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
