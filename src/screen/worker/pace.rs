//! The progress of a pass: what all threads have counted, reported from time to time.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use texam_fit::Moment;

use crate::screen::app::Progress;

/// Counts positions and says when to report.
pub(super) struct Pace {
    searched: AtomicUsize,
    state: Mutex<State>,
}

struct State {
    /// The progress when the pass began.
    progress: Progress,
    began: Moment,
    reported: Moment,
}

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl Pace {
    /// For a pass and so many after it, and the same again for each of some groups.
    pub fn new(fits: u32, groups: u32) -> Pace {
        let progress = Progress { fits, group: [0, groups], ..Progress::default() };
        let now = Moment::now();
        Pace {
            searched: AtomicUsize::default(),
            state: Mutex::new(State { progress, began: now, reported: now }),
        }
    }

    /// The passes that follow are those of the run without a group, counted from 0.
    pub fn begin_group(&self, group: u32) {
        self.state().progress.group[0] = group + 1;
    }

    pub fn begin(&self, pass: u32, positions: usize) -> Progress {
        self.searched.store(0, Ordering::Relaxed);
        let (now, mut state) = (Moment::now(), self.state());
        let progress = Progress { pass, positions, ..state.progress };
        *state = State { progress, began: now, reported: now };
        progress
    }

    /// Counts a position. The progress, where it is time to report it.
    pub fn tick(&self) -> Option<Progress> {
        self.searched.fetch_add(1, Ordering::Relaxed);
        // If another thread holds the state, that thread reports.
        let mut state = self.state.try_lock().ok()?;
        if state.reported.elapsed() < REPORT_INTERVAL {
            return None;
        }
        state.reported = Moment::now();
        let searched = self.searched.load(Ordering::Relaxed);
        Some(Progress { searched, seconds: state.began.elapsed().as_secs_f64(), ..state.progress })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
