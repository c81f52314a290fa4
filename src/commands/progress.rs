//! Progress on standard error, and the end that Ctrl-C asks for.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{Error, Result};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks for an end in good order, and a second one ends at once.
pub(super) fn heed_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            // Files are written whole, so there is nothing to tidy up.
            std::process::exit(130);
        }
        super::complain("\nending; what is finished is kept (press Ctrl-C again to end at once)");
    })
    .map_err(|error| Error::new(format!("cannot listen for Ctrl-C: {error}")))
}

/// Whether Ctrl-C was pressed.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Positions between two looks at the bar.
const STRIDE: usize = 16;

/// A bar of positions searched; silent when standard error is no terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    done: AtomicUsize,
}

impl Progress {
    pub fn new() -> Progress {
        // One of nothing would be a full bar until the first pass begins.
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

    /// One more position; whether to go on.
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
