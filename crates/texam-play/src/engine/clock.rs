//! Time management, and the signals that end a search from another thread.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time remaining.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; none if the remaining time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Number of moves that the remaining time is divided by when no time control is near. Hand-set; not tuned.
/// Larger values play faster early and keep more time for the endgame.
const EXPECTED_MOVES: u32 = 28;

/// A move takes at most 1/4 of the remaining time, whatever [`STRETCH`] allows. Hand-set; not tuned.
const LARGEST_SHARE: u32 = 4;

/// This many overheads stay on the clock as a reserve, but at most three quarters of the remaining time. The
/// reserve covers rare long delays: on two cores with eight other processes, one move in a thousand reached
/// the opponent a tenth of a second later than the engine measured.
const RESERVE: u32 = 8;

/// An iteration that has begun may run until the move has taken four times its share. Hand-set; not tuned.
/// Smaller values break off more iterations, larger ones leave less time for later moves.
const STRETCH: u32 = 4;

/// Time for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// No iteration begins after this time.
    pub optimum: Duration,
    /// The search is stopped after this time.
    pub maximum: Duration,
}

impl Clock {
    /// The time for the next move. `overhead` is the delay for each move between the clock of the game and
    /// the search.
    pub(super) fn budget(&self, overhead: Duration) -> TimeBudget {
        let reserve = (overhead * RESERVE).min(self.remaining * 3 / 4).max(overhead);
        let safe = self.remaining.saturating_sub(reserve).max(Duration::from_millis(1));
        let moves = self.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        // Each move costs the overhead, so only the rest of the increment is really gained. Three quarters of
        // it are spent, so that the remaining time does not fall to where one delay loses the game.
        let gain = self.increment.saturating_sub(overhead);
        let optimum = safe / moves + gain * 3 / 4;
        // Before a time control the clock is refilled, so the last move may use nearly all of it.
        let ceiling = if moves == 1 { safe * 9 / 10 } else { safe / LARGEST_SHARE };
        let maximum = (optimum * STRETCH).min(ceiling);
        // An iteration takes about as long as all before it together, or longer: after half of the share has
        // passed, the next one would rarely finish in time.
        TimeBudget { optimum: (optimum / 2).min(maximum), maximum }
    }
}

/// Signals to a running search from another thread: stop, or ponder hit. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    stop: Arc<AtomicBool>,
    ponder: Arc<AtomicBool>,
}

impl Signals {
    /// Tells the search to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The opponent has played the expected move: the limits of the search hold from now on.
    pub fn ponder_hit(&self) {
        self.ponder.store(false, Ordering::Relaxed);
    }

    /// Clears the stop signal and sets whether the next search ponders. To be called before each search.
    pub fn reset(&self, ponder: bool) {
        self.stop.store(false, Ordering::Relaxed);
        self.ponder.store(ponder, Ordering::Relaxed);
    }

    /// Whether the search has been told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search ponders, so that no limit holds yet.
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
                    assert!(budget.maximum <= safe, "{clock:?}: {budget:?}");
                    assert!(budget.optimum <= budget.maximum, "{clock:?}: {budget:?}");
                }
            }
        }
    }

    #[test]
    fn a_hundred_moves_at_the_longest_do_not_lose_on_time() {
        let mut left = Duration::from_millis(1_000);
        for _ in 0..100 {
            let clock = Clock { remaining: left, increment: Duration::from_millis(10), moves_to_go: None };
            let used = clock.budget(OVERHEAD).maximum + Duration::from_millis(5);
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
