//! The fit that runs beside the screen: its progress, the passes measured so far, and its end.
//!
//! Knows the reports of the worker, but neither how the fit is computed nor what its weights are used for.

use serde::{Deserialize, Serialize};
use texam_fit::StopReason;

use super::{Effect, FitRequest, FitResult, Notice, RunHistory, RunState};
use crate::{error::Result, run::Files};

/// How far the running pass is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Number of the pass; 0 measures the start.
    pub pass: u32,
    /// Number of fits to be made.
    pub fits: u32,
    /// The current run: 0, or that without a group of games, from 1; and the number of groups.
    pub group: [u32; 2],
    /// Positions searched in this pass.
    pub searched: usize,
    /// Positions of a pass.
    pub positions: usize,
    /// Seconds since the pass began.
    pub seconds: f64,
}

impl Progress {
    /// Seconds that are left at this pace; none at the beginning.
    pub fn seconds_left(&self) -> Option<f64> {
        let [group, groups] = self.group;
        let of_groups = f64::from(groups.saturating_sub(group)) * (f64::from(self.fits) + 1.0);
        let passes = f64::from(self.fits.saturating_sub(self.pass)) + of_groups;
        let left =
            (self.positions - self.searched.min(self.positions)) as f64 + passes * self.positions as f64;
        (self.searched > 0 && self.seconds > 0.5).then(|| left * self.seconds / self.searched as f64)
    }
}

#[derive(Debug)]
pub struct FitJob {
    /// Whether it writes a `.par` for each pass and a `.stat`.
    pub writes_files: bool,
    /// How far the running pass is; none before the first report.
    pub progress: Option<Progress>,
    /// The run so far.
    pub history: RunHistory,
    /// Whether the user has cancelled it.
    pub is_cancelled: bool,
    /// Its passes, and the positions of each.
    pub cost: (u64, usize),
}

#[derive(Debug)]
pub(super) enum FitOutcome {
    /// A run with at least one fit.
    Finished(Box<RunHistory>),
    /// Nothing that changes the weights; the notice says why. With the run, if it is worth keeping.
    Unchanged(Notice, Option<Box<RunHistory>>),
}

impl FitJob {
    /// A fit that has begun.
    pub(super) fn new(request: &FitRequest) -> FitJob {
        let history = RunHistory::begin(request.spec.settings.objective);
        let FitRequest { writes_files, .. } = *request;
        FitJob { writes_files, progress: None, history, is_cancelled: false, cost: request.cost() }
    }

    /// Cancels the fit; it goes on until the worker reports its end.
    pub(super) fn cancel(&mut self) -> Effect {
        self.is_cancelled = true;
        Effect::Cancel
    }

    pub(super) fn end(self, result: Result<FitResult>) -> FitOutcome {
        let FitJob { mut history, is_cancelled, .. } = self;
        let (stopped, files) = match result {
            Ok(FitResult { stopped, files, history: stored }) => {
                if let Some(mut stored) = stored {
                    stored.choose(history.chosen());
                    history = stored;
                }
                (stopped, files)
            }
            Err(error) => {
                let text = format!("the fit failed, and the weights are those from before it: {error}");
                return FitOutcome::unchanged(text, true, history);
            }
        };
        let files = files.and_then(|(folder, name)| Files::new(&folder, &name).ok());
        let written = files
            .as_ref()
            .map_or(String::new(), |files| format!("; finished passes are in {}", files.stat().display()));
        // The fit may have ended before the cancellation reached it.
        if is_cancelled || stopped == StopReason::Cancelled {
            history.end(RunState::Unfinished, files);
            let text = format!("the fit is cancelled, and the weights are those from before it{written}");
            return FitOutcome::unchanged(text, false, history);
        }
        history.end(RunState::Finished, files);
        if history.passes().len() < 2 {
            let text = format!("--iterations 0 makes no fit, and the weights stay as they are{written}");
            return FitOutcome::unchanged(text, false, history);
        }
        FitOutcome::Finished(Box::new(history))
    }
}

impl FitOutcome {
    fn unchanged(text: String, is_error: bool, mut history: RunHistory) -> FitOutcome {
        if history.state == RunState::Running {
            history.end(RunState::Unfinished, None);
        }
        // A run that was cut off before its first fit tells nothing about a fit.
        let is_kept = history.passes().len() > usize::from(history.state == RunState::Unfinished);
        FitOutcome::Unchanged(Notice { text, is_error }, is_kept.then(|| Box::new(history)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        feature::Weights,
        run::Setup,
        screen::{app::Options, testing},
    };

    const PROGRESS: Progress =
        Progress { pass: 1, fits: 3, group: [0; 2], searched: 50, positions: 100, seconds: 2.0 };

    #[test]
    fn the_time_left_covers_the_rest_of_the_pass_and_the_passes_to_come() {
        assert_eq!(PROGRESS.seconds_left(), Some(10.0));
        assert_eq!(Progress { searched: 0, ..PROGRESS }.seconds_left(), None);
        assert_eq!(Progress { seconds: 0.4, ..PROGRESS }.seconds_left(), None);
    }

    #[test]
    fn a_fit_that_fails_leaves_a_message_only() {
        let collection = Arc::new(testing::collection(1000));
        let options = Options::new(Setup::default(), Weights::start());
        let request = options.fit_request(&Weights::start(), &collection, false).unwrap();
        assert_eq!(request.cost(), (2, 32));
        let outcome = FitJob::new(&request).end(Err(crate::error::Error::new("no memory")));
        assert!(
            matches!(outcome, FitOutcome::Unchanged(notice, None) if notice.is_error && notice.text.contains("no memory"))
        );
    }
}
