//! Decides when a running search stops.

use std::time::Duration;

use texam_fit::Moment;

use super::{
    clock::{Signals, TimeBudget},
    limits::Limits,
};

/// The limits of one search, checked while it runs.
pub(super) struct StopCondition {
    began: Moment,
    nodes: u64,
    budget: Option<TimeBudget>,
    signals: Signals,
}

/// The clock is read every 512 nodes. That is well under a millisecond of search, and makes the cost of
/// reading the clock negligible. The first check comes after 511 nodes, so that the first iteration, which is
/// mostly smaller, finishes however little time there is.
const INTERVAL: u64 = 512;

impl StopCondition {
    /// Starts timing, from [`Limits::requested_at`] if that is set.
    pub fn new(limits: &Limits, overhead: Duration, signals: Signals) -> StopCondition {
        // With a fixed time for the move, at most a quarter of it is given up for the overhead.
        let fixed = limits.movetime.map(|time| {
            let time = time.saturating_sub(overhead.min(time / 4)).max(Duration::from_millis(1));
            TimeBudget { optimum: time, maximum: time }
        });
        let budget = fixed.or(limits.clock.map(|clock| clock.budget(overhead)));
        let began = limits.requested_at.unwrap_or_else(Moment::now);
        StopCondition { began, nodes: limits.nodes.unwrap_or(u64::MAX), budget, signals }
    }

    /// Time since the search was requested.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the search must stop when it has visited this number of nodes.
    #[inline]
    pub fn must_stop(&self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        nodes % INTERVAL == INTERVAL - 1 && self.is_time_up()
    }

    #[cold]
    fn is_time_up(&self) -> bool {
        let late = |budget: TimeBudget| !self.signals.is_pondering() && self.elapsed() >= budget.maximum;
        self.signals.is_stopped() || self.budget.is_some_and(late)
    }

    /// Whether there is time to begin another iteration.
    pub fn may_start_iteration(&self) -> bool {
        let early = |budget: TimeBudget| self.signals.is_pondering() || self.elapsed() < budget.optimum;
        !self.signals.is_stopped() && self.budget.is_none_or(early)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn movetime(milliseconds: u64) -> Limits {
        Limits { movetime: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
    }

    #[test]
    fn the_limit_of_nodes_holds_exactly_and_a_signal_at_the_next_check() {
        let signals = Signals::default();
        let stop_condition = StopCondition::new(&Limits::nodes(1000), OVERHEAD, signals.clone());
        assert!(!stop_condition.must_stop(999) && stop_condition.must_stop(1000));
        signals.stop();
        assert!(stop_condition.must_stop(INTERVAL - 1) && !stop_condition.may_start_iteration());
    }

    #[test]
    fn time_is_counted_from_the_request() {
        let requested_at = Moment::now();
        let limits = Limits { requested_at: Some(requested_at), ..movetime(2) };
        while requested_at.elapsed() < Duration::from_millis(3) {}
        let stop_condition = StopCondition::new(&limits, OVERHEAD, Signals::default());
        assert!(stop_condition.must_stop(INTERVAL - 1) && !stop_condition.may_start_iteration());
    }

    #[test]
    fn no_time_runs_out_while_pondering() {
        let signals = Signals::default();
        signals.reset(true);
        let limits = Limits { ponder: true, ..movetime(0) };
        let stop_condition = StopCondition::new(&limits, OVERHEAD, signals.clone());
        while stop_condition.elapsed() < Duration::from_millis(2) {}
        assert!(stop_condition.may_start_iteration() && !stop_condition.must_stop(INTERVAL - 1));
        signals.ponder_hit();
        assert!(!stop_condition.may_start_iteration() && stop_condition.must_stop(INTERVAL - 1));
    }
}
