//! Limits of a search.

use std::time::Duration;

use texam_fit::Moment;

use super::clock::Clock;
use texam_chess::position::CompactMove;

/// Limits of a search. Without any, the search runs until it is stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Largest number of nodes; exact.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Clock of the game, from which the time for this move is computed.
    pub clock: Option<Clock>,
    /// When the search was requested; time is counted from here, or from the start of the search if none. On
    /// a busy machine the thread of the search may start late, while the clock of the game is running.
    pub requested_at: Option<Moment>,
    /// Stop when a mate in at most this number of moves is found.
    pub mate: Option<u32>,
    /// Ponder: no limit of time holds until [`Signals::ponder_hit`](super::Signals::ponder_hit).
    pub ponder: bool,
    /// Root moves to search (`searchmoves` of UCI); all if empty.
    pub root_moves: Vec<CompactMove>,
}

impl Limits {
    /// A limit of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A limit of depth, in plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether the search ends by itself once it no longer ponders.
    pub fn is_finite(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
            || self.mate.is_some()
    }
}
