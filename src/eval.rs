//! The evaluation: one walk over a position that reports how often each cell occurs.
//!
//! Every term is written once, generic over a [`Sink`]. The numeric sink multiplies by quantised weights
//! at once; the symbolic sink collects the [`FeatureVector`]. They cannot drift apart. The evaluation
//! depends on the [`Placement`] alone: the men, the side to move and the rights to castle.
//!
//! Terms are written from the view of the side that owns them: a [`Side`] holds both armies with the
//! owner's back rank at the bottom, and what a side reports is added for White, subtracted for Black.
//! They come in three layers, so that a fast evaluation can keep the first two instead of walking them
//! again: [`piece_square`] (one man and its square), [`pawn_structure`] (pawns alone), and the rest.

mod geometry;
mod king;
mod material;
mod passed;
mod pawns;
mod placement;
mod registers;
mod rooks;
mod side;
#[cfg(test)]
mod testing;

pub use pawns::PawnFacts;
pub(crate) use side::squares;
pub use side::{Men, Placement, Side};

use shakmaty::{Color, Role};

use crate::feature::{CELLS, Cell, FeatureVector, Quantised};

/// Receives what the walk finds.
pub trait Sink {
    /// `count` more of `cell`; a count may be negative.
    fn add(&mut self, cell: Cell, count: i32);
}

/// Sums weights times counts, in 1/256 unit, from White's view.
pub struct NumericSink<'a> {
    weights: &'a Quantised,
    /// Opening sum.
    pub open: i32,
    /// Endgame sum.
    pub end: i32,
}

impl<'a> NumericSink<'a> {
    /// An empty sum.
    pub fn new(weights: &'a Quantised) -> NumericSink<'a> {
        NumericSink { weights, open: 0, end: 0 }
    }
}

impl Sink for NumericSink<'_> {
    #[inline]
    fn add(&mut self, cell: Cell, count: i32) {
        self.open += self.weights.open(cell) * count;
        self.end += self.weights.end(cell) * count;
    }
}

/// Collects the counts of all cells.
pub struct SymbolicSink {
    counts: [i16; CELLS],
}

impl SymbolicSink {
    /// No counts yet.
    pub fn new() -> SymbolicSink {
        SymbolicSink { counts: [0; CELLS] }
    }

    /// What was collected.
    pub fn into_vector(self) -> FeatureVector {
        FeatureVector::from_dense(&self.counts)
    }
}

impl Default for SymbolicSink {
    fn default() -> SymbolicSink {
        SymbolicSink::new()
    }
}

impl Sink for SymbolicSink {
    fn add(&mut self, cell: Cell, count: i32) {
        self.counts[cell as usize] += count as i16;
    }
}

/// Passes counts on with the sign of the side that reports them.
struct Signed<'a, S> {
    sink: &'a mut S,
    sign: i32,
}

impl<S: Sink> Sink for Signed<'_, S> {
    #[inline]
    fn add(&mut self, cell: Cell, count: i32) {
        self.sink.add(cell, self.sign * count);
    }
}

/// Terms of one man and its square alone, which is as its owner sees it (0 = a1 on the own back rank).
pub fn piece_square<S: Sink>(role: Role, square: u32, sink: &mut S) {
    material::man(role, sink);
    placement::man(role, square, sink);
    if role == Role::Pawn {
        pawns::rook_pawn(square, sink);
    }
}

/// Terms of one side's pawns, given both sides' pawns alone.
pub fn pawn_structure<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    pawns::structure(facts, sink);
    passed::structure(facts, sink);
}

/// Terms of one side that depend on more than its pawns or one man.
pub fn pieces_and_king<S: Sink>(side: &Side, facts: &PawnFacts, sink: &mut S) {
    material::side(side, sink);
    placement::side(side, sink);
    pawns::side(side, facts, sink);
    passed::side(side, facts, sink);
    rooks::side(side, facts, sink);
    king::side(side, facts, sink);
    registers::side(side, facts, sink);
}

/// Terms of the position as a whole, signed from White's view.
pub fn balance<S: Sink>(placement: &Placement, sink: &mut S) {
    material::balance(placement, sink);
}

/// The whole walk.
pub fn walk<S: Sink>(placement: &Placement, sink: &mut S) {
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let side = Side::new(placement, color);
        let facts = PawnFacts::new(side.own.pawns, side.enemy.pawns);
        let sink = &mut Signed { sink: &mut *sink, sign };
        side.own.for_each(|role, square| piece_square(role, square, sink));
        pawn_structure(&facts, sink);
        pieces_and_king(&side, &facts, sink);
    }
    balance(placement, sink);
}

/// Opening and endgame sums in 1/256 unit, from White's view.
pub fn evaluate(placement: &Placement, weights: &Quantised) -> (i32, i32) {
    let mut sink = NumericSink::new(weights);
    walk(placement, &mut sink);
    (sink.open, sink.end)
}

/// The feature vector of a position.
pub fn features(placement: &Placement) -> FeatureVector {
    let mut sink = SymbolicSink::new();
    walk(placement, &mut sink);
    sink.into_vector()
}
