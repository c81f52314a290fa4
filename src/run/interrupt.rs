//! Signals that ask the program to end: SIGINT (Ctrl-C), SIGTERM, and SIGHUP (the terminal is closed); on
//! Windows Ctrl-C, Ctrl-Break and the closed window.
//!
//! A thread waits for them, so that the user is answered at once, whatever the other threads are doing. A
//! command that has finished work to keep lets the first signal [ask](end_in_order) and looks at
//! [`is_requested`]. Otherwise, and at the second signal, the program ends at once, after what is to be done
//! [at the end](at_end): child processes and temporary files do not outlive it.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

#[cfg(any(unix, windows))]
use crate::error::{Error, Result};

/// Set by the first signal of a command that ends in order.
static IS_REQUESTED: AtomicBool = AtomicBool::new(false);

/// What is said at the first signal of a command that ends in order; none for other commands.
static IN_ORDER: Mutex<Option<&str>> = Mutex::new(None);

type Action = Box<dyn Fn() + Send>;

static AT_END: Mutex<BTreeMap<u64, Action>> = Mutex::new(BTreeMap::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an end was requested.
pub fn is_requested() -> bool {
    IS_REQUESTED.load(Ordering::Relaxed)
}

/// From now on the first signal requests an end, and `text` is said. If it is empty, nothing is.
pub fn end_in_order(text: &'static str) {
    *lock(&IN_ORDER) = Some(text);
}

/// Something to be done if a signal ends the program at once. Dropping this takes it back.
#[derive(Debug)]
#[must_use]
pub struct AtEnd(u64);

/// Has `action` done if a signal ends the program at once.
pub fn at_end(action: impl Fn() + Send + 'static) -> AtEnd {
    let mut actions = lock(&AT_END);
    let number = actions.last_key_value().map_or(0, |(last, _)| last + 1);
    actions.insert(number, Box::new(action));
    AtEnd(number)
}

impl Drop for AtEnd {
    fn drop(&mut self) {
        lock(&AT_END).remove(&self.0);
    }
}

/// Listens for signals; `say` prints a line on standard error. SIGHUP that was ignored at the start, as by
/// `nohup`, stays ignored.
#[cfg(unix)]
pub fn listen(say: fn(&str)) -> Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
        low_level,
    };

    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))
        .map_err(|error| Error::io("cannot listen for signals", error))?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let name = low_level::signal_name(signal).unwrap_or("a signal");
            if !is_end(name, true, say) {
                continue;
            }
            if lock(&IN_ORDER).is_none() {
                // A shell that runs a loop ends it as well.
                let _ = low_level::emulate_default_handler(signal);
            }
            low_level::exit(128 + signal);
        }
    });
    Ok(())
}

/// Listens for Ctrl-C and Ctrl-Break. A closed window ends the program at once, after what is to be done at the
/// end.
#[cfg(windows)]
pub fn listen(say: fn(&str)) -> Result<()> {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, SetConsoleCtrlHandler};

    static SAY: std::sync::OnceLock<fn(&str)> = std::sync::OnceLock::new();
    /// The system calls this in a thread of its own, and ends the program after 0.
    unsafe extern "system" fn heed(event: u32) -> windows_sys::core::BOOL {
        let say = SAY.get().expect("set before the system calls");
        let name = ["Ctrl-C", "Ctrl-Break"].get(event as usize).unwrap_or(&"the closed window");
        i32::from(!is_end(name, event <= CTRL_BREAK_EVENT, *say))
    }
    let _ = SAY.set(say);
    // SAFETY: the function stays for as long as the program.
    match unsafe { SetConsoleCtrlHandler(Some(heed), 1) } {
        0 => Err(Error::io("cannot listen for Ctrl-C", std::io::Error::last_os_error())),
        _ => Ok(()),
    }
}

/// Requests an end in order if the command can do that and was not asked before. Otherwise does what is to be
/// done at the end, and the caller ends the program.
#[cfg(any(unix, windows))]
fn is_end(signal: &str, may_go_on: bool, say: fn(&str)) -> bool {
    let in_order = *lock(&IN_ORDER);
    match in_order {
        Some(text) if may_go_on && !is_requested() => {
            if !text.is_empty() {
                say_soon(say, text.to_string());
            }
            IS_REQUESTED.store(true, Ordering::Relaxed);
            return false;
        }
        _ => do_at_end(),
    }
    if in_order.is_none() {
        say_soon(say, format!("\nended by {signal} before the work was done"));
    }
    true
}

fn do_at_end() {
    // The newest first: a process ends before the folder that it writes to is removed.
    lock(&AT_END).values().rev().for_each(|action| action());
}

/// Ends the program by a signal that something else has received.
pub fn end_by(signal: i32) -> ! {
    do_at_end();
    std::process::exit(128 + signal)
}

/// Prints a message, and waits only a moment if standard error is a pipe that is not read.
#[cfg(any(unix, windows))]
fn say_soon(say: fn(&str), text: String) {
    let (done, wait) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        say(&text);
        drop(done);
    });
    let _ = wait.recv_timeout(std::time::Duration::from_millis(500));
}

#[cfg(unix)]
fn is_ignored(signal: libc::c_int) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one, to memory that has room for it.
    let is_known = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) } == 0;
    // SAFETY: all fields are numbers or addresses, for which zeros are valid.
    is_known && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_done_at_the_end_is_taken_back_by_dropping_it() {
        let first = at_end(|| {});
        let second = at_end(|| {});
        assert!(first.0 < second.0);
        let numbers = [first.0, second.0];
        drop(first);
        let is_there = |number: &u64| lock(&AT_END).contains_key(number);
        assert_eq!(numbers.each_ref().map(is_there), [false, true]);
        drop(second);
        assert!(!is_there(&numbers[1]));
    }
}
