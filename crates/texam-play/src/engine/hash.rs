//! The hash table (transposition table) of the engine: scores and best moves of positions searched before.

use super::score::Score;
use texam_chess::position::CompactMove;

/// Smallest size of the table, in megabytes.
pub const SMALLEST_HASH: usize = 1;

/// Largest size of the table, in megabytes.
pub const LARGEST_HASH: usize = 4096;

/// How a stored score relates to the true score of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at least this: the search failed high.
    Lower,
    /// The true score is at most this: the search failed low.
    Upper,
    /// The true score.
    Exact,
}

/// The stored result of a search of a position, with mates counted from that position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move, or the one that caused the cutoff, or none.
    pub best: CompactMove,
    /// Score in units of 1/128 pawn, from the view of the side to move.
    pub score: Score,
    /// Remaining depth of the search, in plies.
    pub depth: i32,
    /// How the score is bounded.
    pub bound: Bound,
}

impl Entry {
    /// Whether the score makes a search to `depth` with this window unnecessary.
    #[inline]
    pub fn gives_cutoff(&self, depth: i32, alpha: Score, beta: Score) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score <= alpha,
            }
    }
}

/// An [`Entry`] packed into 16 bytes.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    best: CompactMove,
    score: i16,
    depth: i8,
    bound: Bound,
    /// Number of the search that wrote the slot, from 1 to 255; 0 if the slot is empty.
    age: u8,
}

const EMPTY: Slot = Slot { key: 0, best: CompactMove::NONE, score: 0, depth: 0, bound: Bound::Upper, age: 0 };

/// Slots that a key may be in. Four slots of 16 bytes fill one cache line of 64 bytes.
const BUCKET: usize = 4;

/// Replacement: an entry of an earlier search counts as this many plies shallower for each search since. Deep
/// old entries survive for a while, but cannot fill the table. Hand-set; not tuned.
const AGE_IN_PLIES: i32 = 4;

/// A table of [`Entry`]s.
pub(super) struct HashTable {
    buckets: Vec<[Slot; BUCKET]>,
    age: u8,
}

impl HashTable {
    /// An empty table of this size, in megabytes. If there is not enough memory the size is halved until
    /// there is, so that a large value of the option cannot end the engine.
    pub fn new(megabytes: usize) -> HashTable {
        let megabytes = megabytes.clamp(SMALLEST_HASH, LARGEST_HASH);
        let mut length = (megabytes << 20) / size_of::<[Slot; BUCKET]>();
        let mut buckets = Vec::new();
        while length > 1 && buckets.try_reserve_exact(length).is_err() {
            length /= 2;
        }
        buckets.resize(length, [EMPTY; BUCKET]);
        HashTable { buckets, age: 1 }
    }

    /// Its size, in megabytes.
    pub fn megabytes(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.buckets.fill([EMPTY; BUCKET]);
        self.age = 1;
    }

    /// Begins a new search: all present entries count as old.
    pub fn begin_search(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or(1);
    }

    /// Index of the bucket of a key, from its upper bits.
    #[inline]
    fn bucket_index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The entry of a position, if there is one.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let slot =
            self.buckets[self.bucket_index(key)].iter().find(|slot| slot.key == key && slot.age != 0)?;
        let Slot { best, score, depth, bound, .. } = *slot;
        Some(Entry { best, score: score.into(), depth: depth.into(), bound })
    }

    /// Stores an entry in the slot of the same key, or else in the slot with the smallest depth less its age.
    #[inline]
    pub fn put(&mut self, key: u64, entry: Entry) {
        let age = self.age;
        let index = self.bucket_index(key);
        let bucket = &mut self.buckets[index];
        let priority = |slot: &Slot| match slot.age {
            0 => i32::MIN,
            then => i32::from(slot.depth) - AGE_IN_PLIES * i32::from(age.wrapping_sub(then)),
        };
        let same = bucket.iter().position(|slot| slot.key == key && slot.age != 0);
        let least = || (0..BUCKET).min_by_key(|&at| priority(&bucket[at])).unwrap_or(0);
        let slot = &mut bucket[same.unwrap_or_else(least)];
        // A search that failed low has no best move; the stored one may still be good.
        let best = if entry.best == CompactMove::NONE && same.is_some() { slot.best } else { entry.best };
        *slot = Slot {
            key,
            best,
            score: entry.score as i16,
            depth: entry.depth.clamp(0, i32::from(i8::MAX)) as i8,
            bound: entry.bound,
            age,
        };
    }

    /// Share of slots written by this search, in thousandths, estimated from the first 250 buckets.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample.iter().flatten().filter(|slot| slot.age == self.age).count();
        (used * 1000 / (sample.len() * BUCKET)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: CompactMove = CompactMove::new(12, 28, 0);

    fn entry(depth: i32) -> Entry {
        Entry { best: MOVE, score: -321, depth, bound: Bound::Lower }
    }

    #[test]
    fn what_was_put_comes_back_and_a_cleared_table_has_nothing() {
        let mut table = HashTable::new(1);
        table.put(77 << 32, entry(5));
        assert_eq!(table.get(77 << 32), Some(entry(5)));
        assert_eq!(table.get(78 << 32), None);
        table.clear();
        assert_eq!(table.get(77 << 32), None);
    }

    #[test]
    fn the_shallowest_of_a_full_bucket_is_replaced_first_and_old_entries_before_new() {
        let mut table = HashTable::new(1);
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.put(key, entry(depth));
        }
        assert_eq!(table.get(2), None);
        table.begin_search();
        table.put(5, entry(6));
        table.begin_search();
        table.put(6, entry(1));
        assert_eq!(table.get(4), None, "the shallowest of those not met again");
        assert_eq!(table.get(5), Some(entry(6)));
    }

    #[test]
    fn a_result_without_a_move_keeps_the_move_that_was_known() {
        let mut table = HashTable::new(1);
        table.put(9, entry(4));
        table.put(9, Entry { best: CompactMove::NONE, bound: Bound::Upper, ..entry(5) });
        assert_eq!(table.get(9), Some(Entry { bound: Bound::Upper, ..entry(5) }));
    }

    #[test]
    fn a_bound_gives_cutoffs_only_for_windows_on_its_side() {
        let lower = Entry { best: MOVE, score: 50, depth: 4, bound: Bound::Lower };
        assert!(
            lower.gives_cutoff(4, 0, 50) && !lower.gives_cutoff(4, 0, 51) && !lower.gives_cutoff(5, 0, 50)
        );
        let upper = Entry { bound: Bound::Upper, ..lower };
        assert!(upper.gives_cutoff(3, 50, 90) && !upper.gives_cutoff(3, 49, 90));
    }

    #[test]
    fn every_size_is_kept_to_what_it_says() {
        for megabytes in [0, 1, 3, 16] {
            let bytes = HashTable::new(megabytes).buckets.len() * size_of::<[Slot; BUCKET]>();
            assert_eq!(bytes, megabytes.max(1) << 20);
        }
    }
}
