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

    /// Number of nodes with a hint.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The hints as they stand in a database of games: for each move, in ascending order, its two bytes, the number of
    /// its indices, and the indices, each less the one before it. Numbers below 128 take one byte, others two.
    pub fn to_stored(&self) -> Vec<u8> {
        let mut pairs: Vec<(u16, u16)> =
            self.0.iter().map(|&(index, mv)| (mv.bits() as u16, index)).collect();
        pairs.sort_unstable();
        let mut bytes = Vec::new();
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            bytes.extend(group[0].0.to_le_bytes());
            push_number(&mut bytes, group.len() as u16);
            let mut last = 0;
            for &(_, index) in group {
                push_number(&mut bytes, index - last);
                last = index;
            }
        }
        bytes
    }

    /// The hints of [`to_stored`](Self::to_stored). Other bytes are some hints, too, without those that make no
    /// sense: any hint is harmless.
    pub fn from_stored(mut bytes: &[u8]) -> MoveHints {
        let mut hints = Vec::new();
        while let Some(&[low, high]) = bytes.split_off(..2).and_then(|mv| mv.first_chunk()) {
            let mv = CompactMove::from_bits(u64::from(u16::from_le_bytes([low, high])));
            let mut last = 0;
            for _ in 0..read_number(&mut bytes).unwrap_or(0) {
                let Some(index) = read_number(&mut bytes).and_then(|step| step.checked_add(last)) else {
                    break;
                };
                if usize::from(index) >= ENTRIES {
                    break;
                }
                hints.push((index, mv));
                last = index;
            }
        }
        hints.sort_by_key(|&(index, _)| index);
        hints.dedup_by_key(|&mut (index, _)| index);
        MoveHints(hints.into())
    }
}

/// Appends a number below 2^15 in one byte or two.
fn push_number(bytes: &mut Vec<u8>, number: u16) {
    if number < 1 << 7 {
        bytes.push(number as u8);
    } else {
        bytes.extend([(number & 0x7f) as u8 | 0x80, (number >> 7) as u8]);
    }
}

/// Reads a number of [`push_number`].
fn read_number(bytes: &mut &[u8]) -> Option<u16> {
    let low = u16::from(*bytes.split_off_first()?);
    if low < 1 << 7 {
        return Some(low);
    }
    Some(low & 0x7f | u16::from(*bytes.split_off_first()?) << 7)
}

/// Table of hints for the root that is being searched, indexed by hash key.
pub(super) struct HintTable {
    moves: Box<[CompactMove; ENTRIES]>,
    /// Entries that the current search has stored, a bit each. The others are those of earlier searches.
    stored: Box<[u64; ENTRIES / 64]>,
    /// Nodes whose search visited fewer nodes are left out.
    pub least_nodes: u64,
    /// Whether hints of earlier searches that this one has not stored again are left out. Otherwise they add up.
    pub drops_others: bool,
}

/// The search of a node whose hint was the best move would have visited up to so many times as many nodes without it. So
/// the node keeps its hint; otherwise it would lose and find it in turns.
const SAVED_BY_HINT: u64 = 16;

/// Number of entries, at most 2^15, since an index is stored in 15 bits. With more entries fewer nodes
/// share one.
const ENTRIES: usize = 1 << 14;

impl HintTable {
    /// An empty table.
    pub fn new() -> HintTable {
        HintTable {
            moves: Box::new([CompactMove::NONE; ENTRIES]),
            stored: Box::new([0; ENTRIES / 64]),
            least_nodes: 0,
            drops_others: false,
        }
    }

    /// Replaces the content by the hints of an earlier search.
    pub fn load(&mut self, hints: &MoveHints) {
        self.moves.fill(CompactMove::NONE);
        self.stored.fill(0);
        for &(index, mv) in &hints.0 {
            self.moves[index as usize % ENTRIES] = mv;
        }
    }

    /// The hints to keep for the next search of this root.
    pub fn save(&self) -> MoveHints {
        let is_stored = |index: usize| self.stored[index / 64] >> (index % 64) & 1 == 1;
        let known = self.moves.iter().enumerate().filter(|(_, mv)| **mv != CompactMove::NONE);
        let kept = known.filter(|&(index, _)| !self.drops_others || is_stored(index));
        MoveHints(kept.map(|(index, &mv)| (index as u16, mv)).collect())
    }

    /// The hint for a node, or [`CompactMove::NONE`]. Since nodes share entries, the move may be illegal
    /// there.
    #[inline]
    pub fn get(&self, key: u64) -> CompactMove {
        self.moves[index(key)]
    }

    /// Stores the best move of a node whose search visited so many nodes.
    #[inline]
    pub fn put(&mut self, key: u64, mv: CompactMove, nodes: u64) {
        let index = index(key);
        let factor = if self.moves[index] == mv { SAVED_BY_HINT } else { 1 };
        if factor * nodes >= self.least_nodes {
            self.moves[index] = mv;
            self.stored[index / 64] |= 1 << (index % 64);
        }
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
        table.put(key, mv, 1);
        let saved = table.save();
        table.load(&MoveHints::default());
        assert_eq!(table.get(key), CompactMove::NONE);
        table.load(&saved);
        assert_eq!(table.get(key), mv);
        assert_eq!(table.save(), saved);
    }

    #[test]
    fn stored_hints_are_read_back_and_any_bytes_are_some_hints() {
        let hints = |pairs: &[(u16, u32)]| {
            MoveHints(pairs.iter().map(|&(index, to)| (index, CompactMove::new(12, to, 0))).collect())
        };
        let largest = ENTRIES as u16 - 1;
        for pairs in [&[][..], &[(0, 1)], &[(3, 28), (130, 20), (131, 28), (9000, 28), (largest, 20)]] {
            let stored = hints(pairs).to_stored();
            assert_eq!(MoveHints::from_stored(&stored), hints(pairs));
            for length in 0..stored.len() {
                assert!(MoveHints::from_stored(&stored[..length]).bytes() < hints(pairs).bytes());
            }
        }
        let mut random = fastrand::Rng::with_seed(1);
        let mut table = HintTable::new();
        for length in 0..500 {
            let bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
            let hints = MoveHints::from_stored(&bytes);
            assert_eq!(MoveHints::from_stored(&hints.to_stored()), hints);
            table.load(&hints);
            assert!(table.save().bytes() <= 4 * length);
        }
    }

    #[test]
    fn best_moves_of_nodes_that_are_searched_fast_can_be_left_out() {
        let mut table = HintTable::new();
        table.least_nodes = 10;
        table.put(1 << 32, CompactMove::new(12, 28, 0), 9);
        assert_eq!(table.get(1 << 32), CompactMove::NONE);
        table.put(1 << 32, CompactMove::new(12, 28, 0), 10);
        assert_ne!(table.get(1 << 32), CompactMove::NONE);
    }

    #[test]
    fn hints_that_a_search_has_not_confirmed_can_be_left_out_and_those_it_has_are_kept() {
        let [first, second, other] = [28, 20, 36].map(|to| CompactMove::new(12, to, 0));
        let before = MoveHints([(1, first), (2, second), (3, second)].into());
        let mut table = HintTable::new();
        table.least_nodes = SAVED_BY_HINT;
        table.load(&before);
        // Few nodes, since the hint was right; few nodes, with another move; many nodes.
        table.put(1 << 32, first, 1);
        table.put(2 << 32, other, 1);
        table.put(4 << 32, other, SAVED_BY_HINT);
        let all = MoveHints([(1, first), (2, second), (3, second), (4, other)].into());
        assert_eq!(table.save(), all);
        table.drops_others = true;
        assert_eq!(table.save(), MoveHints([(1, first), (4, other)].into()));
    }
}
