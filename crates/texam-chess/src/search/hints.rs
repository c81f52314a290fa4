//! Hints for move ordering: best moves of inner nodes, kept from one search of a root to the next.
//!
//! From pass to pass the weights change little, and most best moves stay the same. A hint only decides which
//! move is tried first, so a wrong or missing hint costs time but does not change a result. Therefore a few
//! bits of the hash key are enough to identify a node, and nodes are left out where the search would try the
//! best move first without a hint.

use crate::position::CompactMove;

/// The hints of one root, as they are stored between passes: pairs of index and move, four bytes each,
/// together some hundred bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveHints(Box<[(u16, CompactMove)]>);

impl MoveHints {
    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// Table of hints for the root that is being searched, indexed by hash key.
pub(super) struct HintTable {
    moves: Box<[CompactMove; ENTRIES]>,
}

/// Number of entries, at most 2^16. With more entries fewer nodes share one.
const ENTRIES: usize = 1 << 14;

impl HintTable {
    /// An empty table.
    pub fn new() -> HintTable {
        HintTable { moves: Box::new([CompactMove::NONE; ENTRIES]) }
    }

    /// Replaces the content by the hints of an earlier search.
    pub fn load(&mut self, hints: &MoveHints) {
        self.moves.fill(CompactMove::NONE);
        for &(index, mv) in &hints.0 {
            self.moves[index as usize % ENTRIES] = mv;
        }
    }

    /// The hints to keep for the next search of this root.
    pub fn save(&self) -> MoveHints {
        let known = self.moves.iter().enumerate().filter(|(_, mv)| **mv != CompactMove::NONE);
        MoveHints(known.map(|(index, &mv)| (index as u16, mv)).collect())
    }

    /// The hint for a node, or [`CompactMove::NONE`]. Since nodes share entries, the move may be illegal
    /// there.
    #[inline]
    pub fn get(&self, key: u64) -> CompactMove {
        self.moves[index(key)]
    }

    /// Stores the best move of a node.
    #[inline]
    pub fn put(&mut self, key: u64, mv: CompactMove) {
        self.moves[index(key)] = mv;
    }
}

#[inline]
fn index(key: u64) -> usize {
    // The upper half of the key, since the lower bits are the index in the transposition table.
    (key >> 32) as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_hints_of_a_root_are_loaded_again_and_those_of_another_are_removed() {
        let (mut table, key) = (HintTable::new(), 0x1234_5678_9abc_def0);
        let mv = CompactMove::new(12, 28, 0);
        table.put(key, mv);
        let saved = table.save();
        table.load(&MoveHints::default());
        assert_eq!(table.get(key), CompactMove::NONE);
        table.load(&saved);
        assert_eq!(table.get(key), mv);
        assert_eq!(table.save(), saved);
    }
}
