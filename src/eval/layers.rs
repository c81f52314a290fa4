//! The terms in layers: which of them are counted together, and what each layer may look at.

use super::{Cell, KingView, OwnView, PawnFacts, Placement, Role, Side};
use super::{king, material, passed, pawns, placement, registers, rooks};

/// Receives what the walk finds.
pub trait Sink {
    /// `count` more of `cell`; a count may be negative.
    fn add(&mut self, cell: Cell, count: i32);
}

/// Terms of one side's pawns, given both sides' pawns alone.
#[inline(always)]
pub fn pawn_structure<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    pawns::structure(facts, sink);
    passed::structure(facts, sink);
}

/// Terms of one side's king among the pawns of both sides; of the enemy pieces they ask no more than
/// whether there are any of a kind.
#[inline(always)]
pub fn king_and_pawns<S: Sink>(king: &KingView, facts: &PawnFacts, sink: &mut S) {
    placement::king_and_pawns(king, facts, sink);
    pawns::majority(king, facts, sink);
    king::shelter(king, facts, sink);
}

/// Terms of one knight, bishop, rook or queen among the pawns of both sides and near the enemy king, all
/// squares as its owner sees them. The king has none.
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

/// Terms of one army together.
#[inline(always)]
pub fn whole_side<S: Sink>(view: &OwnView, facts: &PawnFacts, sink: &mut S) {
    material::side(view, sink);
    placement::side(view, sink);
    pawns::side(view, sink);
    rooks::side(view, facts, sink);
    king::side(view, sink);
    registers::side(view, facts, sink);
}

/// Terms of one side's passed pawns on the whole board; none without passed pawns.
#[inline(always)]
pub fn passed_pawns<S: Sink>(side: &Side, facts: &PawnFacts, sink: &mut S) {
    passed::side(side, facts, sink);
}

/// Terms of the position as a whole, signed from White's view; `lead` is [`Placement::lead`].
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
