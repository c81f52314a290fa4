//! The layers of the evaluation: which terms are counted together, and what they depend on.

use shakmaty::Role;

use super::{Cell, KingView, OwnView, PawnFacts, Placement, Side};
use super::{king, material, passed, pawns, placement, registers, rooks};

/// Receives the counts of cells.
pub trait Sink {
    /// Adds `count`, which may be negative, to the count of `cell`.
    fn add(&mut self, cell: Cell, count: i32);
}

/// Terms of the pawns of one side that depend on the pawns of both sides only.
#[inline(always)]
pub fn pawn_structure<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    pawns::structure(facts, sink);
    passed::structure(facts, sink);
}

/// Terms of the king of one side that depend on the pawns of both sides, and on whether the enemy has a queen
/// and a rook.
#[inline(always)]
pub fn king_and_pawns<S: Sink>(king: &KingView, facts: &PawnFacts, sink: &mut S) {
    placement::king_and_pawns(king, facts, sink);
    pawns::majority(king, facts, sink);
    king::shelter(king, facts, sink);
}

/// Terms of one knight, bishop, rook or queen that depend on the pawns of both sides and the enemy king. All
/// squares are from the view of the owner. For a king or a pawn nothing is added.
#[inline(always)]
pub fn piece_among_pawns<S: Sink>(role: Role, square: u32, facts: &PawnFacts, enemy_king: u32, sink: &mut S) {
    placement::near_enemy_king(role, square, enemy_king, sink);
    match role {
        Role::Knight => registers::knight(square, facts, sink),
        Role::Bishop => registers::bishop(square, facts, sink),
        Role::Rook => rooks::rook(square, facts, enemy_king, sink),
        Role::Queen => rooks::queen(square, facts, sink),
        Role::Pawn | Role::King => return,
    }
    registers::attacked_piece(square, facts, sink);
}

/// Terms that depend on several pieces of one side.
#[inline(always)]
pub fn whole_side<S: Sink>(view: &OwnView, facts: &PawnFacts, sink: &mut S) {
    material::side(view, sink);
    placement::side(view, sink);
    pawns::side(view, sink);
    rooks::side(view, facts, sink);
    king::side(view, sink);
    registers::side(view, facts, sink);
}

/// Terms of the passed pawns of one side that depend on the whole board.
#[inline(always)]
pub fn passed_pawns<S: Sink>(side: &Side, facts: &PawnFacts, sink: &mut S) {
    passed::side(side, facts, sink);
}

/// Terms of the position as a whole, from White's view; `lead` is [`Placement::lead`].
#[inline(always)]
pub fn balance<S: Sink>(placement: &Placement, lead: i32, sink: &mut S) {
    material::balance(placement, lead, sink);
}

/// All terms of one side that depend on more than one piece and its square: every layer but `piece_square`
/// and [`balance`].
#[inline(always)]
pub fn relations<S: Sink>(side: &Side, sink: &mut S) {
    let facts = PawnFacts::new(side.own.pawns, side.enemy.pawns);
    pawn_structure(&facts, sink);
    let view = side.own_view();
    king_and_pawns(&view.king_view(), &facts, sink);
    let enemy_king = side.enemy.king_square();
    side.own.for_each(|role, square| piece_among_pawns(role, square, &facts, enemy_king, sink));
    whole_side(&view, &facts, sink);
    passed_pawns(side, &facts, sink);
}
