//! Evaluation for the fast search: tables computed from the weights before a pass, as the hardware of
//! 1988 had them, and sums kept by the board instead of being walked for.
//!
//! Opening and endgame sums travel packed in one integer, the endgame in the upper half. What comes out
//! is the same as [`eval::evaluate`], which a test asserts.

use shakmaty::{Color, Role};

use super::{
    Settings,
    board::{Board, scramble},
};
use crate::{
    eval::{self, PawnFacts, Side, Sink},
    feature::{CELLS, Cell, Quantised},
    phase::{PhaseAt, PhaseScheme},
    value::{Value, taper},
};

const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// Everything the evaluation looks up, fixed for a pass. Shared by all threads.
pub(super) struct Tables {
    weights: Box<[i64; CELLS]>,
    /// Packed piece-square terms: colour, role, square; Black's negated.
    pub piece_square: Box<[[[i64; 64]; 6]; 2]>,
    /// What each role counts for the phase.
    pub phase_units: [i32; 6],
    scheme: PhaseScheme,
    phase_at: PhaseAt,
}

#[inline]
fn pack(open: i32, end: i32) -> i64 {
    ((end as i64) << 32) + open as i64
}

#[inline]
fn unpack(packed: i64) -> (i32, i32) {
    (packed as i32, ((packed + 0x8000_0000) >> 32) as i32)
}

/// Sums packed weights times counts.
struct PackedSink<'a> {
    weights: &'a [i64; CELLS],
    sign: i64,
    sum: i64,
}

impl Sink for PackedSink<'_> {
    #[inline(always)]
    fn add(&mut self, cell: Cell, count: i32) {
        self.sum += self.weights[cell as usize] * (self.sign * count as i64);
    }
}

impl Tables {
    /// Tables for these weights.
    pub fn new(weights: &Quantised, settings: &Settings) -> Tables {
        let mut packed = Box::new([0; CELLS]);
        for (cell, weight) in packed.iter_mut().enumerate() {
            *weight = pack(weights.open(cell as Cell), weights.end(cell as Cell));
        }
        let mut tables = Tables {
            weights: packed,
            piece_square: Box::new([[[0; 64]; 6]; 2]),
            phase_units: phase_units(settings.phase),
            scheme: settings.phase,
            phase_at: settings.phase_at,
        };
        for (number, role) in ROLES.into_iter().enumerate() {
            for square in 0..64 {
                let mut sink = tables.sink(1);
                eval::piece_square(role, square, &mut sink);
                let sum = sink.sum;
                tables.piece_square[0][number][square as usize] = sum;
                tables.piece_square[1][number][square as usize ^ 56] = -sum;
            }
        }
        tables
    }

    fn sink(&self, sign: i64) -> PackedSink<'_> {
        PackedSink { weights: &self.weights, sign, sum: 0 }
    }

    /// Phase of a position whose root has `root_phase`.
    #[inline]
    pub fn phase(&self, board: &Board, root_phase: u16) -> u16 {
        match self.phase_at {
            PhaseAt::Root => root_phase,
            PhaseAt::Leaf => self.own_phase(board),
        }
    }

    /// Phase of the position itself.
    #[inline]
    pub fn own_phase(&self, board: &Board) -> u16 {
        // The schemes see the pieces only through a weighted sum, which the board keeps; a sum of so
        // many knights gives the same phase.
        self.scheme.phase([board.phase_units as u32, 0, 0, 0])
    }

    /// Value from the view of the side to move.
    #[inline]
    pub fn evaluate(&self, board: &Board, root_phase: u16, pawns: &mut PawnCache) -> Value {
        let sum = board.piece_square + self.beyond_piece_square(board, pawns);
        let (open, end) = unpack(sum);
        let value = taper(open, end, self.phase(board, root_phase));
        if board.us() == 0 { value } else { -value }
    }

    fn beyond_piece_square(&self, board: &Board, pawns: &mut PawnCache) -> i64 {
        let white = Side::new(&board.placement, Color::White);
        let black = Side::new(&board.placement, Color::Black);
        let entry = pawns.entry(board.pawn_key, || self.pawn_entry(&white, &black, board.pawn_key));
        let mut sink = self.sink(1);
        sink.sum = entry.structure;
        eval::pieces_and_king(&white, &entry.facts[0], &mut sink);
        sink.sign = -1;
        eval::pieces_and_king(&black, &entry.facts[1], &mut sink);
        sink.sign = 1;
        eval::balance(&board.placement, &mut sink);
        sink.sum
    }

    fn pawn_entry(&self, white: &Side, black: &Side, key: u64) -> PawnEntry {
        let facts = [white, black].map(|side| PawnFacts::new(side.own.pawns, side.enemy.pawns));
        let mut sink = self.sink(1);
        eval::pawn_structure(&facts[0], &mut sink);
        sink.sign = -1;
        eval::pawn_structure(&facts[1], &mut sink);
        PawnEntry { key, structure: sink.sum, facts }
    }
}

/// What one piece of each role counts in the scheme's weighted sum.
fn phase_units(scheme: PhaseScheme) -> [i32; 6] {
    match scheme {
        PhaseScheme::Fruit => [0, 1, 1, 2, 4, 0],
        PhaseScheme::Madchess => [0, 1, 1, 1, 2, 0],
        PhaseScheme::None => [0; 6],
    }
}

/// Pawn-structure terms of one pawn skeleton.
#[derive(Clone, Copy)]
struct PawnEntry {
    key: u64,
    structure: i64,
    facts: [PawnFacts; 2],
}

/// Pawn-structure terms of the skeletons met last. One for each thread.
pub(super) struct PawnCache {
    entries: Vec<PawnEntry>,
}

const PAWN_ENTRIES: usize = 4096;

impl PawnCache {
    /// An empty cache.
    pub fn new() -> PawnCache {
        let none = PawnFacts::new(0, 0);
        // No skeleton has this key at index 0, nor any skeleton of another index.
        let empty = PawnEntry { key: scramble(30_001) | 1, structure: 0, facts: [none, none] };
        let mut entries = vec![empty; PAWN_ENTRIES];
        let own = (empty.key as usize) % PAWN_ENTRIES;
        entries[own].key = !empty.key;
        PawnCache { entries }
    }

    #[inline]
    fn entry(&mut self, key: u64, make: impl FnOnce() -> PawnEntry) -> &PawnEntry {
        let entry = &mut self.entries[key as usize % PAWN_ENTRIES];
        if entry.key != key {
            *entry = make();
        }
        entry
    }
}
