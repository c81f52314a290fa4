//! What passes over the same positions hand on, within some memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{
    game::{StoredHints, WinnerPosition},
    search::MoveHints,
};

/// Bytes of hints that are kept where no other number is chosen.
pub const DEFAULT_ROOM: usize = 64 << 20;

/// Where the hints of all nodes need more room than there is, only nodes whose search visits so many nodes keep one, or
/// twice as many, and so on: these few save most.
const LEAST_NODES: u64 = 10;

/// Positions by whose hints the bytes of all are estimated.
const MEASURED: usize = 100;

/// The hints of positions. They can change no result: a pass with them is faster.
#[derive(Debug)]
pub struct Recall {
    hints: Vec<MoveHints>,
    /// Bytes that they may take.
    room: usize,
    account: Mutex<Account>,
}

#[derive(Debug, Default)]
struct Account {
    /// Bytes of the hints that are kept.
    bytes: usize,
    /// Positions of the pass.
    positions: usize,
    /// A node has a hint if its search visits so many nodes.
    least_nodes: u64,
    /// Positions that were searched since this number was chosen, and the bytes of their hints.
    measured: usize,
    measured_bytes: usize,
}

impl Default for Recall {
    fn default() -> Recall {
        Recall::new(Vec::new(), DEFAULT_ROOM)
    }
}

impl Recall {
    /// The hints of positions, as far as they have room.
    pub fn new(hints: Vec<MoveHints>, room: usize) -> Recall {
        let mut recall = Recall { hints: Vec::new(), room, account: Mutex::default() };
        let keep = |mut hints| {
            recall.account().keep(0, &mut hints, room);
            hints
        };
        let kept = hints.into_iter().map(keep).collect();
        recall.hints = kept;
        recall
    }

    /// What a database of games stores for these positions.
    pub fn stored(positions: &[WinnerPosition], stored: &StoredHints, room: usize) -> Recall {
        let of = |position| MoveHints::from_stored(stored.get(position));
        Recall::new(if stored.is_empty() { Vec::new() } else { positions.iter().map(of).collect() }, room)
    }

    /// The hints of each position; none before the first pass.
    pub(super) fn into_hints(self) -> Vec<MoveHints> {
        self.hints
    }

    /// Begins a pass over so many positions, which takes their hints.
    pub(super) fn begin(&mut self, positions: usize) -> Vec<MoveHints> {
        self.account().positions = positions;
        let mut hints = std::mem::take(&mut self.hints);
        hints.resize_with(positions, MoveHints::default);
        hints
    }

    /// Ends a pass, which gives the hints back.
    pub(super) fn end(&mut self, hints: Vec<MoveHints>) {
        self.hints = hints;
    }

    /// How many nodes the search of a node must visit for it to keep a hint.
    pub(super) fn least_nodes(&self) -> u64 {
        self.account().least_nodes
    }

    /// Accounts for the hints of a position that took `before` bytes before its search, and drops them where there is no
    /// room.
    pub(super) fn keep(&self, before: usize, hints: &mut MoveHints) {
        let mut account = self.account();
        account.measure(hints.bytes(), self.room);
        account.keep(before, hints, self.room);
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Account {
    fn keep(&mut self, before: usize, hints: &mut MoveHints, room: usize) {
        self.bytes -= before;
        if self.bytes + hints.bytes() > room {
            *hints = MoveHints::default();
        }
        self.bytes += hints.bytes();
    }

    /// Estimates the bytes of all positions, and has fewer nodes keep hints where they are too many.
    fn measure(&mut self, bytes: usize, room: usize) {
        self.measured += 1;
        self.measured_bytes += bytes;
        let mean = self.measured_bytes as f64 / self.measured as f64;
        if self.measured >= MEASURED && mean * self.positions as f64 > room as f64 {
            self.least_nodes = (2 * self.least_nodes).max(LEAST_NODES);
            (self.measured, self.measured_bytes) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{PositionSource, Sampling, pass, testing},
        *,
    };
    use crate::{feature::Weights, parameters::Parameters, search::Settings};

    fn standings(recall: &mut Recall, every: usize, depth: u32) -> Vec<texam_fit::Standing> {
        let sampling = Sampling { search: Settings { depth, ..Settings::default() }, ..Sampling::default() };
        let searched = pass(testing::positions(every), &Weights::start(), &sampling, recall, true, &|_| true);
        searched.unwrap().standings
    }

    fn bytes(recall: &Recall) -> usize {
        recall.hints.iter().map(MoveHints::bytes).sum()
    }

    #[test]
    fn hints_beyond_the_room_are_dropped_and_change_no_result() {
        let mut ample = Recall::default();
        let first = standings(&mut ample, 60, 2);
        assert!(bytes(&ample) > 0 && ample.account().bytes == bytes(&ample));
        assert_eq!(standings(&mut ample, 60, 2), first);
        let room = bytes(&ample) / 3;
        let mut some = Recall::new(ample.hints.clone(), room);
        assert!(bytes(&some) <= room && 2 * bytes(&some) > room);
        assert_eq!(standings(&mut some, 60, 2), first);
        assert!(bytes(&some) <= room && some.account().bytes == bytes(&some));
        let mut none = Recall::new(ample.hints, 0);
        assert_eq!(standings(&mut none, 60, 2), first);
        assert_eq!(bytes(&none), 0);
    }

    #[test]
    fn where_room_is_short_only_nodes_of_large_searches_keep_hints_but_those_of_all_positions() {
        let with_hints = |recall: &Recall| recall.hints.iter().filter(|hints| !hints.is_empty()).count();
        let mut ample = Recall::default();
        standings(&mut ample, 120, 3);
        assert_eq!(ample.least_nodes(), 0);
        let mut short = Recall::new(Vec::new(), bytes(&ample) / 2);
        // The first passes find out by how much room is short.
        for _ in 0..3 {
            standings(&mut short, 120, 3);
            assert!(short.least_nodes() >= LEAST_NODES && bytes(&short) <= short.room);
        }
        let [some, all] = [with_hints(&short), with_hints(&ample)];
        assert!(10 * some > 8 * all, "{some} of {all}, with at least {} nodes", short.least_nodes());
    }

    #[test]
    fn a_pass_begins_with_the_hints_it_is_given_and_shares_the_room_among_fitted_and_held_out() {
        let positions = testing::positions(60);
        let (fitted, held_out) = positions.split_at(positions.len() / 3);
        let parameters = Parameters::new(&Weights::start()).unwrap();
        let given = MoveHints::from_stored(&[3, 2, 1, 9]);
        let hints = vec![given.clone(); positions.len()];
        let source = |room| {
            let mut source =
                PositionSource::new([fitted, held_out], &parameters, testing::shallow(), &|_| true);
            source.set_hints(hints.clone(), room);
            source
        };
        // At one ply there is no inner node, so that a search keeps what it was given and adds nothing.
        let mut passed = source(usize::MAX);
        let (forces, options) = (texam_fit::Forces::default(), texam_fit::FitOptions::default());
        texam_fit::fit_once(&mut passed, &forces, parameters.model(), &options).unwrap();
        assert!(passed.into_hints() == hints);
        let kept = source(given.bytes() * positions.len() / 2).into_hints();
        let number = |hints: &[MoveHints]| hints.iter().filter(|hints| !hints.is_empty()).count();
        let [of_fitted, of_held_out] = [number(&kept[..fitted.len()]), number(&kept[fitted.len()..])];
        assert!(of_fitted.abs_diff(fitted.len() / 2) <= 1 && of_held_out.abs_diff(held_out.len() / 2) <= 1);
    }
}
