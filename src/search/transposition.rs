//! Bounds on the values of positions met before in the search of one root.
//!
//! Three plies transpose a great deal. A key stands for a position at a certain ply, since what a
//! position is worth depends on the plies that are left; so every bound here is exact, and a hit changes
//! how much is searched but never what is found.

use crate::position::{CompactMove, SplitMix64};
use crate::value::{INFINITE, Value};

/// What is known of a position at a ply, from the view of its side to move.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// The value is at least this.
    pub lower: Value,
    /// The value is at most this.
    pub upper: Value,
    /// The move that was best or refuted.
    pub best: CompactMove,
    root: u32,
}

const EMPTY: Entry = Entry { key: 0, lower: -INFINITE, upper: INFINITE, best: CompactMove::NONE, root: 0 };

/// A table of [`Entry`]s, emptied in no time from root to root.
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
    root: u32,
}

const ENTRIES: usize = 1 << 14;

impl TranspositionTable {
    pub fn new() -> TranspositionTable {
        TranspositionTable { entries: vec![EMPTY; ENTRIES], root: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.root = self.root.wrapping_add(1);
        if self.root == 0 {
            self.entries.fill(EMPTY);
            self.root = 1;
        }
    }

    /// Key of a position at a ply.
    #[inline]
    pub fn key(position: u64, ply: u32) -> u64 {
        position ^ PLY_KEYS[ply as usize % PLY_KEYS.len()]
    }

    /// Key of a position in quiescence. The same ply is met at different plies of quiescence, below the
    /// root and below the horizon.
    #[inline]
    pub fn quiescence_key(position: u64, ply: u32, quiescence_ply: u32) -> u64 {
        Self::key(position, ply).wrapping_add(PLY_KEYS[quiescence_ply as usize % PLY_KEYS.len()])
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry> {
        let entry = &self.entries[key as usize % ENTRIES];
        (entry.key == key && entry.root == self.root).then_some(entry)
    }

    /// The value, as far as a search with this window would have to find it.
    #[inline]
    pub fn value_in_window(entry: &Entry, alpha: Value, beta: Value) -> Option<Value> {
        if entry.lower >= beta || entry.lower == entry.upper {
            Some(entry.lower)
        } else if entry.upper <= alpha {
            Some(entry.upper)
        } else {
            None
        }
    }

    /// Notes a fail-soft result of a search with this window.
    #[inline]
    pub fn put(&mut self, key: u64, value: Value, alpha: Value, beta: Value, best: CompactMove) {
        let root = self.root;
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key || entry.root != root {
            *entry = Entry { key, root, ..EMPTY };
        }
        if value > alpha {
            entry.lower = entry.lower.max(value);
        }
        if value < beta {
            entry.upper = entry.upper.min(value);
        }
        if best != CompactMove::NONE {
            entry.best = best;
        }
    }
}

const PLY_KEYS: [u64; 64] = {
    let mut keys = [0; 64];
    let mut ply = 0;
    while ply < keys.len() {
        keys[ply] = SplitMix64::nth(40_001 + ply as u64);
        ply += 1;
    }
    keys
};
