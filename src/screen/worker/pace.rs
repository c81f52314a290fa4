//! The progress of a pass: what all threads have counted, reported from time to time.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
    time::Duration,
};

use texam_fit::Moment;

use crate::screen::app::Progress;

/// Counts positions and says when to report.
pub(super) struct Pace {
    /// Number of passes after the first.
    fits: u32,
    /// Groups of games that are left out in turn after them.
    groups: u32,
    /// The current run: 0, or that without a group, from 1.
    group: AtomicU32,
    pass: AtomicU32,
    positions: AtomicUsize,
    searched: AtomicUsize,
    clock: Mutex<Clock>,
}

/// When the pass began, and when its progress was last reported.
struct Clock {
    began: Moment,
    reported: Moment,
}

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl Clock {
    fn start() -> Clock {
        let now = Moment::now();
        Clock { began: now, reported: now }
    }
}

impl Pace {
    /// For a pass and so many after it, and the same again for each of some groups.
    pub fn new(fits: u32, groups: u32) -> Pace {
        Pace {
            fits,
            groups,
            group: AtomicU32::default(),
            pass: AtomicU32::default(),
            positions: AtomicUsize::default(),
            searched: AtomicUsize::default(),
            clock: Mutex::new(Clock::start()),
        }
    }

    /// The passes that follow are those of the run without a group, counted from 0.
    pub fn begin_group(&self, group: u32) {
        self.group.store(group + 1, Ordering::Relaxed);
    }

    pub fn begin(&self, pass: u32, positions: usize) -> Progress {
        self.pass.store(pass, Ordering::Relaxed);
        self.positions.store(positions, Ordering::Relaxed);
        self.searched.store(0, Ordering::Relaxed);
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Clock::start();
        self.progress(0.0)
    }

    /// Counts a position. The progress, where it is time to report it.
    pub fn tick(&self) -> Option<Progress> {
        self.searched.fetch_add(1, Ordering::Relaxed);
        // If another thread holds the clock, that thread reports.
        let mut clock = self.clock.try_lock().ok()?;
        if clock.reported.elapsed() < REPORT_INTERVAL {
            return None;
        }
        clock.reported = Moment::now();
        Some(self.progress(clock.began.elapsed().as_secs_f64()))
    }

    fn progress(&self, seconds: f64) -> Progress {
        Progress {
            pass: self.pass.load(Ordering::Relaxed),
            fits: self.fits,
            group: [self.group.load(Ordering::Relaxed), self.groups],
            searched: self.searched.load(Ordering::Relaxed),
            positions: self.positions.load(Ordering::Relaxed),
            seconds,
        }
    }
}
