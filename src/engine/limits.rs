//! What ends a search.

use std::time::{Duration, Instant};

use super::clock::Clock;
use crate::position::CompactMove;

/// Limits of a search; without any it goes on until it is stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the last iteration.
    pub depth: Option<u32>,
    /// Positions visited, never more.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Time for the game.
    pub clock: Option<Clock>,
    /// When the search was asked for, from which time is counted; none: when it begins. On a busy machine
    /// a new thread may wait for its turn, and the clock of the game does not.
    pub requested_at: Option<Instant>,
    /// End when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Think on the opponent's time: no limit holds until the signal to ponder is taken back.
    pub ponder: bool,
    /// Search only these moves of the root; all if empty.
    pub root_moves: Vec<CompactMove>,
}

impl Limits {
    /// So many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So many plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// So much time.
    pub fn movetime(time: Duration) -> Limits {
        Limits { movetime: Some(time), ..Limits::default() }
    }

    /// Whether the search ends by itself, once it does not ponder any more.
    pub fn is_finite(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
            || self.mate.is_some()
    }
}
