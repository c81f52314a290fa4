//! What passes over the same positions hand on: the best moves of inner nodes.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::search::MoveHints;

/// Bytes that the hints of all positions may take. Positions beyond them are searched without hints.
const MOST_BYTES: usize = 256 << 20;

/// The hints of positions. They can change no result: a pass with them is faster.
#[derive(Debug)]
pub struct Recall {
    hints: Vec<MoveHints>,
    /// Bytes that they take, and may take.
    bytes: AtomicUsize,
    room: usize,
}

impl Default for Recall {
    fn default() -> Recall {
        Recall { hints: Vec::new(), bytes: AtomicUsize::new(0), room: MOST_BYTES }
    }
}

impl Clone for Recall {
    fn clone(&self) -> Recall {
        self.of(0..self.hints.len())
    }
}

impl Recall {
    /// Copies of the hints at these places; none where there are none yet.
    pub(super) fn of(&self, places: impl Iterator<Item = usize>) -> Recall {
        let hints: Vec<MoveHints> = places.filter_map(|at| self.hints.get(at).cloned()).collect();
        let recall = Recall { hints, bytes: AtomicUsize::new(0), room: self.room };
        recall.bytes.store(recall.bytes(), Ordering::Relaxed);
        recall
    }

    /// Bytes of all hints.
    pub(super) fn bytes(&self) -> usize {
        self.hints.iter().map(MoveHints::bytes).sum()
    }

    /// Begins a pass over so many positions, which takes their hints.
    pub(super) fn begin(&mut self, positions: usize) -> Vec<MoveHints> {
        let mut hints = std::mem::take(&mut self.hints);
        hints.resize_with(positions, MoveHints::default);
        hints
    }

    /// Ends a pass, which gives the hints back.
    pub(super) fn end(&mut self, hints: Vec<MoveHints>) {
        self.hints = hints;
    }

    /// Accounts for the hints of a position that took `before` bytes before its search, and drops them where
    /// there is no room.
    pub(super) fn keep(&self, before: usize, hints: &mut MoveHints) {
        let after = hints.bytes();
        self.bytes.fetch_sub(before, Ordering::Relaxed);
        if self.bytes.fetch_add(after, Ordering::Relaxed) + after > self.room {
            self.bytes.fetch_sub(after, Ordering::Relaxed);
            *hints = MoveHints::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Sampling, pass, testing},
        *,
    };
    use crate::{feature::Weights, search::Settings};

    fn standings(recall: &mut Recall) -> Vec<texam_fit::Standing> {
        let search = Settings { depth: 2, ..Settings::default() };
        let sampling = Sampling { search, ..Sampling::default() };
        let searched = pass(testing::positions(60), &Weights::start(), &sampling, recall, true, &|_| true);
        searched.unwrap().standings
    }

    #[test]
    fn hints_beyond_the_room_are_dropped_and_change_no_result() {
        let mut ample = Recall::default();
        let first = standings(&mut ample);
        assert!(ample.bytes() > 0 && ample.bytes.load(Ordering::Relaxed) == ample.bytes());
        assert_eq!(standings(&mut ample), first);
        let room = ample.bytes() / 3;
        let mut some = Recall { room, ..Recall::default() };
        for _ in 0..2 {
            assert_eq!(standings(&mut some), first);
            assert!(some.bytes() <= room && 2 * some.bytes() > room);
            assert_eq!(some.bytes.load(Ordering::Relaxed), some.bytes());
        }
        let mut none = Recall { room: 0, ..Recall::default() };
        assert_eq!(standings(&mut none), first);
        assert_eq!(none.bytes(), 0);
    }
}
