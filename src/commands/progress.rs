//! Progress bars on standard error, and handling of Ctrl-C.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use crate::error::{Error, Result};

/// Set by SIGINT and SIGTERM.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the user has been told that the program is ending.
static ANNOUNCED: AtomicBool = AtomicBool::new(false);

/// Exit code after a second signal: that of a program which Ctrl-C ends.
const INTERRUPTED_CODE: i32 = 130;

/// From now on, the first Ctrl-C or SIGTERM requests an orderly end, and the second one ends the program at once.
pub(super) fn handle_interrupts() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // The order counts: at the first signal the flag is not set yet when the shutdown looks at it. Files are
        // written whole, so there is nothing to tidy up.
        flag::register_conditional_shutdown(signal, INTERRUPTED_CODE, Arc::clone(&INTERRUPTED))
            .and_then(|_| flag::register(signal, Arc::clone(&INTERRUPTED)))
            .map_err(|error| Error::new(format!("cannot listen for Ctrl-C: {error}")))?;
    }
    Ok(())
}

/// Whether an end was requested.
pub(super) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Whether an end was requested. The first call that finds so prints a message.
pub(super) fn interrupted() -> bool {
    let interrupted = is_interrupted();
    if interrupted && !ANNOUNCED.swap(true, Ordering::Relaxed) {
        super::print_error("\nending; finished work is kept (press Ctrl-C again to end at once)");
    }
    interrupted
}

/// Number of positions between two updates of the bar.
const STRIDE: usize = 16;

/// A progress bar of searched positions, hidden if standard error is not a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    done: AtomicUsize,
}

impl Progress {
    pub fn new() -> Progress {
        // With a length of 0 the bar would be full until the first pass begins.
        let bar = ProgressBar::new(1);
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} positions, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, done: AtomicUsize::new(0) }
    }

    pub fn begin(&self, what: String, positions: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.bar.reset();
        self.bar.set_length(positions as u64);
        self.bar.set_prefix(what);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// Counts a position. Returns whether to continue.
    pub fn tick(&self) -> bool {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(STRIDE) {
            self.bar.set_position(done as u64);
        }
        !interrupted()
    }

    pub fn clear(&self) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }
}
