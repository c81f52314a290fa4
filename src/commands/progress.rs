//! Progress bars on standard error, and the orderly end after Ctrl-C.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::interrupt;
pub(super) use crate::run::interrupt::is_requested as interrupted;

/// From now on, the first Ctrl-C, SIGTERM or SIGHUP requests an orderly end, and the second one ends the
/// program at once.
pub(super) fn handle_interrupts() {
    interrupt::end_in_order("\nending; finished work is kept (press Ctrl-C again to end at once)");
}

/// A progress bar with its prefix before it and what the template says behind.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{prefix}} [{{bar:30}}] {template}"));
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
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
        Progress { bar: bar(1, "{pos}/{len} positions, {eta} left"), done: AtomicUsize::new(0) }
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
