//! Transposition table: bounds on the values of positions in the search of one root.
//!
//! The hash key includes the ply, since the value of a position depends on the remaining plies. So every
//! bound holds exactly, and the table changes the number of nodes but no result.

use crate::position::{CompactMove, SplitMix64};
use crate::value::{INFINITE, Value};

/// Bounds on the value of a position at a ply, from the view of its side to move.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// Lower bound of the value.
    pub lower: Value,
    /// Upper bound of the value.
    pub upper: Value,
    /// The best move, or the one that caused a cutoff.
    pub best: CompactMove,
    /// Number of the root that wrote the entry; entries of other roots count as empty.
    root: u32,
}

const EMPTY: Entry = Entry { key: 0, lower: -INFINITE, upper: INFINITE, best: CompactMove::NONE, root: 0 };

/// A table of [`Entry`]s. It is emptied by counting up the number of the root.
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
    /// Number of the root that wrote the entry; entries of other roots count as empty.
    root: u32,
}

/// Number of entries. A larger table keeps more positions of a root but takes more of the processor's cache.
const ENTRIES: usize = 1 << 14;

impl TranspositionTable {
    /// An empty table.
    pub fn new() -> TranspositionTable {
        TranspositionTable { entries: vec![EMPTY; ENTRIES], root: 0 }
    }

    /// Empties the table.
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

    /// Key of a position in quiescence. It includes the ply of quiescence, since quiescence starts at the
    /// root for E_x and at the horizon for the moves.
    #[inline]
    pub fn quiescence_key(position: u64, ply: u32, quiescence_ply: u32) -> u64 {
        Self::key(position, ply).wrapping_add(PLY_KEYS[quiescence_ply as usize % PLY_KEYS.len()])
    }

    /// The entry of a key, if there is one.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry> {
        let entry = &self.entries[key as usize % ENTRIES];
        (entry.key == key && entry.root == self.root).then_some(entry)
    }

    /// The value that a search with this window may return without searching, if the bounds are sufficient.
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

    /// Stores the fail-soft result of a search with this window.
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

/// Hash keys of plies.
const PLY_KEYS: [u64; 64] = {
    let mut keys = [0; 64];
    let mut ply = 0;
    while ply < keys.len() {
        keys[ply] = SplitMix64::nth(40_001 + ply as u64);
        ply += 1;
    }
    keys
};
