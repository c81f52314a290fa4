//! Watches the limits of a search while it runs.

use std::time::{Duration, Instant};

use super::{
    clock::{Allotment, Signals},
    limits::Limits,
};

/// Watches the limits of one search.
pub(super) struct Watch {
    began: Instant,
    nodes: u64,
    allotment: Option<Allotment>,
    signals: Signals,
}

/// Positions between two looks at the clock: well under a millisecond. The first look comes after so many,
/// so that the first iteration is always whole.
const INTERVAL: u64 = 512;

impl Watch {
    /// Starts the clock, at the latest now.
    pub fn new(limits: &Limits, overhead: Duration, signals: Signals) -> Watch {
        let fixed = limits.movetime.map(|time| {
            let most = time.saturating_sub(overhead.min(time / 4)).max(Duration::from_millis(1));
            Allotment { intended: most, most }
        });
        let allotment = fixed.or(limits.clock.map(|clock| clock.allot(overhead)));
        let began = limits.asked_at.unwrap_or_else(Instant::now);
        Watch { began, nodes: limits.nodes.unwrap_or(u64::MAX), allotment, signals }
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
        let late = |allotment: Allotment| !self.signals.is_pondering() && self.elapsed() >= allotment.most;
        self.signals.is_stopped() || self.allotment.is_some_and(late)
    }

    /// Whether another iteration is worth beginning.
    pub fn has_time_for_more(&self) -> bool {
        let early = |allotment: Allotment| self.signals.is_pondering() || self.elapsed() < allotment.intended;
        !self.signals.is_stopped() && self.allotment.is_none_or(early)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    #[test]
    fn the_limit_of_nodes_holds_exactly_and_a_signal_at_the_next_look() {
        let signals = Signals::default();
        let watch = Watch::new(&Limits::nodes(1000), OVERHEAD, signals.clone());
        assert!(!watch.must_stop(999) && watch.must_stop(1000));
        signals.stop();
        assert!(watch.must_stop(INTERVAL - 1) && !watch.has_time_for_more());
    }

    #[test]
    fn time_is_counted_from_when_the_search_was_asked_for() {
        let asked_at = Instant::now().checked_sub(Duration::from_millis(500));
        let limits = Limits { asked_at, ..Limits::movetime(Duration::from_millis(400)) };
        let watch = Watch::new(&limits, OVERHEAD, Signals::default());
        assert!(watch.must_stop(INTERVAL - 1) && !watch.has_time_for_more());
    }

    #[test]
    fn no_time_runs_out_while_pondering() {
        let signals = Signals::default();
        signals.reset(true);
        let limits = Limits { ponder: true, ..Limits::movetime(Duration::ZERO) };
        let watch = Watch::new(&limits, OVERHEAD, signals.clone());
        while watch.elapsed() < Duration::from_millis(2) {}
        assert!(watch.has_time_for_more() && !watch.must_stop(INTERVAL - 1));
        signals.ponder_hit();
        assert!(!watch.has_time_for_more() && watch.must_stop(INTERVAL - 1));
    }
}
