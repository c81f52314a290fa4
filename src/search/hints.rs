//! What a search found best at the inner nodes of a root, kept as hints for the next search of that root.
//!
//! From pass to pass the weights change a little, and most moves that were best or refuted do so again. A
//! hint says which move to try first and nothing else: a wrong or a lost one costs time and can change no
//! result. So a node is known by a few bits of its key, and only nodes are kept at which the search
//! would not try the best move first anyhow.

use crate::position::CompactMove;

/// Hints for one root, as they are kept between passes: place and move, four bytes each, some hundred bytes in
/// all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveHints(Box<[(u16, CompactMove)]>);

impl MoveHints {
    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        std::mem::size_of_val(&*self.0)
    }
}

/// Hints for the root that is being searched.
pub(super) struct HintTable {
    moves: Box<[CompactMove; PLACES]>,
}

const PLACES: usize = 1 << 14;

impl HintTable {
    /// No hints.
    pub fn new() -> HintTable {
        HintTable { moves: Box::new([CompactMove::NONE; PLACES]) }
    }

    /// Forgets all and takes what an earlier search of the root found.
    pub fn load(&mut self, hints: &MoveHints) {
        self.moves.fill(CompactMove::NONE);
        for &(place, mv) in &hints.0 {
            self.moves[place as usize % PLACES] = mv;
        }
    }

    /// What is to be kept.
    pub fn save(&self) -> MoveHints {
        let known = self.moves.iter().enumerate().filter(|(_, mv)| **mv != CompactMove::NONE);
        MoveHints(known.map(|(place, &mv)| (place as u16, mv)).collect())
    }

    /// The hint for a node; [`CompactMove::NONE`], or perhaps a move that is not even legal there.
    #[inline]
    pub fn get(&self, key: u64) -> CompactMove {
        self.moves[place(key)]
    }

    /// Notes what was best at a node.
    #[inline]
    pub fn put(&mut self, key: u64, mv: CompactMove) {
        self.moves[place(key)] = mv;
    }
}

#[inline]
fn place(key: u64) -> usize {
    // The low bits choose the place in the table of positions.
    (key >> 32) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_a_root_comes_back_and_nothing_of_another() {
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
