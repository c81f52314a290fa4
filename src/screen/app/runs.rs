//! The runs since the start of the program: all that have ended here or were opened, and which of them is
//! shown.
//!
//! A run is named by its number, from 1, which it keeps. The current run has the number after the last.

use super::RunHistory;
use crate::screen::keys::Action;

/// The runs since the start of the program.
#[derive(Debug, Default)]
pub struct Runs {
    pub all: Vec<RunHistory>,
    /// Seconds of a position in the last fit that was made here.
    pub pace: Option<f64>,
    /// Index of the run shown; that after the last where the current run is shown.
    pub shown: usize,
}

impl Runs {
    /// With the run that the screen opens with, if there is one.
    pub(super) fn new(run: Option<RunHistory>) -> Runs {
        Runs { all: run.into_iter().collect(), ..Runs::default() }
    }

    /// The run shown, unless that is the current run.
    pub(super) fn shown_run(&self) -> Option<&RunHistory> {
        self.all.get(self.shown)
    }

    pub(super) fn shown_run_mut(&mut self) -> Option<&mut RunHistory> {
        self.all.get_mut(self.shown)
    }

    /// Shows the current run, or else the last one.
    pub(super) fn show_last(&mut self, is_running: bool) {
        self.shown = if is_running { self.all.len() } else { self.all.len().saturating_sub(1) };
    }

    /// Shows the run before or after the one shown; returns whether there is one.
    pub(super) fn step(&mut self, action: Action, is_running: bool) -> bool {
        let count = self.all.len() + usize::from(is_running);
        let to = match action {
            Action::Left => self.shown.checked_sub(1),
            _ => Some(self.shown + 1).filter(|&to| to < count),
        };
        self.shown = to.unwrap_or(self.shown);
        to.is_some()
    }

    /// Keeps a run and returns its index. A run that was opened before is kept as it is in its file now.
    pub(super) fn keep(&mut self, run: RunHistory) -> usize {
        let same = |known: &RunHistory| known.stat().is_some() && known.stat() == run.stat();
        if let Some(index) = self.all.iter().position(same) {
            self.all[index] = run;
            return index;
        }
        self.all.push(run);
        self.all.len() - 1
    }

    pub(super) fn show(&mut self, run: RunHistory) {
        self.shown = self.keep(run);
    }

    /// Ends the current run: keeps it if it is worth keeping, and returns its index then.
    pub(super) fn end(&mut self, run: Option<RunHistory>) -> Option<usize> {
        let was_shown = self.shown >= self.all.len();
        let index = run.map(|run| self.keep(run));
        if was_shown {
            self.shown = index.unwrap_or(self.all.len().saturating_sub(1));
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use texam_fit::ObjectiveName;

    fn run() -> RunHistory {
        RunHistory::begin(ObjectiveName::default())
    }

    #[test]
    fn the_run_that_goes_on_is_after_the_last_and_arrows_stop_at_the_ends() {
        let mut runs = Runs::new(Some(run()));
        runs.show_last(true);
        assert!(runs.shown == 1 && runs.shown_run().is_none());
        assert!(!runs.step(Action::Right, true) && runs.step(Action::Left, true));
        assert!(!runs.step(Action::Left, true) && runs.shown_run().is_some());
        assert_eq!(runs.end(Some(run())), Some(1));
        assert_eq!(runs.shown, 0, "another run was being looked at");
        assert!(runs.step(Action::Right, false) && !runs.step(Action::Right, false));
    }

    #[test]
    fn a_run_that_is_not_kept_leaves_the_last_one_shown() {
        let mut runs = Runs::new(Some(run()));
        runs.show_last(true);
        assert_eq!((runs.end(None), runs.shown), (None, 0));
        runs.show_last(true);
        assert_eq!((runs.end(Some(run())), runs.shown), (Some(1), 1));
    }
}
