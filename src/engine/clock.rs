//! Time: how much a move may take, and the signals that end a search from outside.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Time of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until more time comes; none: the game is to be ended with what is left.
    pub moves_to_go: Option<u32>,
}

/// Moves that a game is expected to last still.
const EXPECTED_MOVES: u32 = 28;

/// No move takes longer than this part of what is left.
const LARGEST_SHARE: u32 = 4;

/// Overheads that are kept on the clock, as far as three quarters of it go: on two cores with eight other
/// processes one move in a thousand came a tenth of a second later than the engine knew.
const RESERVE: u32 = 8;

/// How often longer than optimum a move may take to finish what it has begun.
const STRETCH: u32 = 4;

/// How long a move should take, and how long it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// No further iteration begins after this.
    pub optimum: Duration,
    /// The search is broken off.
    pub most: Duration,
}

impl Clock {
    /// Shares out the time. `overhead` is what may pass unseen between the clock and the search.
    pub(super) fn budget(&self, overhead: Duration) -> TimeBudget {
        let reserve = (overhead * RESERVE).min(self.remaining * 3 / 4).max(overhead);
        let safe = self.remaining.saturating_sub(reserve).max(Duration::from_millis(1));
        let moves = self.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        // What passes unseen is lost with every move: only what is left of the increment may be spent, so that
        // the clock never runs down to where one slow moment of the machine loses the game.
        let gain = self.increment.saturating_sub(overhead);
        let optimum = safe / moves + gain * 3 / 4;
        let ceiling = if moves == 1 { safe * 9 / 10 } else { safe / LARGEST_SHARE };
        let most = (optimum * STRETCH).min(ceiling);
        TimeBudget { optimum: (optimum / 2).min(most), most }
    }
}

/// Says from another thread that a search is to end, or that pondering has become thinking.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    stop: Arc<AtomicBool>,
    ponder: Arc<AtomicBool>,
}

impl Signals {
    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The opponent made the move that was pondered on: from now on the limits hold.
    pub fn ponder_hit(&self) {
        self.ponder.store(false, Ordering::Relaxed);
    }

    /// Before a search.
    pub fn reset(&self, ponder: bool) {
        self.stop.store(false, Ordering::Relaxed);
        self.ponder.store(ponder, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether no limit holds yet.
    pub fn is_pondering(&self) -> bool {
        self.ponder.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        Clock { remaining, increment, moves_to_go }
    }

    const OVERHEAD: Duration = Duration::from_millis(20);

    #[test]
    fn no_move_takes_more_than_is_left_after_the_overhead() {
        for left in [0, 1, 10, 21, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let clock = clock(left, increment, moves_to_go);
                    let budget = clock.budget(OVERHEAD);
                    let safe = clock.remaining.saturating_sub(OVERHEAD).max(Duration::from_millis(1));
                    assert!(budget.most <= safe, "{clock:?}: {budget:?}");
                    assert!(budget.optimum <= budget.most, "{clock:?}: {budget:?}");
                }
            }
        }
    }

    #[test]
    fn a_hundred_moves_at_the_longest_do_not_lose_on_time() {
        let mut left = Duration::from_millis(1_000);
        for _ in 0..100 {
            let clock = Clock { remaining: left, increment: Duration::from_millis(10), moves_to_go: None };
            let used = clock.budget(OVERHEAD).most + Duration::from_millis(5);
            assert!(used < left, "{used:?} of {left:?}");
            left = left - used + clock.increment;
        }
    }

    #[test]
    fn more_time_or_fewer_moves_to_go_allow_more() {
        let optimum = |clock: Clock| clock.budget(OVERHEAD).optimum;
        assert!(optimum(clock(60_000, 0, None)) > optimum(clock(30_000, 0, None)));
        assert!(optimum(clock(60_000, 500, None)) > optimum(clock(60_000, 0, None)));
        assert!(optimum(clock(60_000, 0, Some(5))) > optimum(clock(60_000, 0, Some(20))));
    }
}
