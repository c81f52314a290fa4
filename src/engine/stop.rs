//! Watches the limits of a search while it runs.

use std::time::{Duration, Instant};

use super::{
    clock::{Signals, TimeBudget},
    limits::Limits,
};

/// Watches the limits of one search.
pub(super) struct StopCondition {
    began: Instant,
    nodes: u64,
    budget: Option<TimeBudget>,
    signals: Signals,
}

/// Positions between two looks at the clock: well under a millisecond. The first look comes after so many,
/// so that the first iteration is always whole.
const INTERVAL: u64 = 512;

impl StopCondition {
    /// Starts the clock, at the latest now.
    pub fn new(limits: &Limits, overhead: Duration, signals: Signals) -> StopCondition {
        let fixed = limits.movetime.map(|time| {
            let most = time.saturating_sub(overhead.min(time / 4)).max(Duration::from_millis(1));
            TimeBudget { optimum: most, most }
        });
        let budget = fixed.or(limits.clock.map(|clock| clock.budget(overhead)));
        let began = limits.requested_at.unwrap_or_else(Instant::now);
        StopCondition { began, nodes: limits.nodes.unwrap_or(u64::MAX), budget, signals }
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the search must be broken off after so many positions.
    #[inline]
    pub fn must_stop(&self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        nodes % INTERVAL == INTERVAL - 1 && self.has_run_out()
    }

    #[cold]
    fn has_run_out(&self) -> bool {
        let late = |budget: TimeBudget| !self.signals.is_pondering() && self.elapsed() >= budget.most;
        self.signals.is_stopped() || self.budget.is_some_and(late)
    }

    /// Whether another iteration is worth beginning.
    pub fn may_start_iteration(&self) -> bool {
        let early = |budget: TimeBudget| self.signals.is_pondering() || self.elapsed() < budget.optimum;
        !self.signals.is_stopped() && self.budget.is_none_or(early)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    #[test]
    fn the_limit_of_nodes_holds_exactly_and_a_signal_at_the_next_look() {
        let signals = Signals::default();
        let stop_condition = StopCondition::new(&Limits::nodes(1000), OVERHEAD, signals.clone());
        assert!(!stop_condition.must_stop(999) && stop_condition.must_stop(1000));
        signals.stop();
        assert!(stop_condition.must_stop(INTERVAL - 1) && !stop_condition.may_start_iteration());
    }

    #[test]
    fn time_is_counted_from_when_the_search_was_asked_for() {
        let requested_at = Instant::now().checked_sub(Duration::from_millis(500));
        let limits = Limits { requested_at, ..Limits::movetime(Duration::from_millis(400)) };
        let stop_condition = StopCondition::new(&limits, OVERHEAD, Signals::default());
        assert!(stop_condition.must_stop(INTERVAL - 1) && !stop_condition.may_start_iteration());
    }

    #[test]
    fn no_time_runs_out_while_pondering() {
        let signals = Signals::default();
        signals.reset(true);
        let limits = Limits { ponder: true, ..Limits::movetime(Duration::ZERO) };
        let stop_condition = StopCondition::new(&limits, OVERHEAD, signals.clone());
        while stop_condition.elapsed() < Duration::from_millis(2) {}
        assert!(stop_condition.may_start_iteration() && !stop_condition.must_stop(INTERVAL - 1));
        signals.ponder_hit();
        assert!(!stop_condition.may_start_iteration() && stop_condition.must_stop(INTERVAL - 1));
    }
}
