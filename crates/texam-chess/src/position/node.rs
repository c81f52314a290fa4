//! Board, moves and evaluation as the engine of `texam-play` uses them.
//!
//! The engine and the search of the fits share board and evaluation. The engine uses them through this
//! interface only, so that the board and the tables can change without changes to the engine.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{Chess, Position};

use super::{
    CompactMove,
    board::{Board, EMPTY, KING, PAWN, QUEEN, ROOK},
    movegen::{self, CheckInfo, Moves},
    tables::{Caches, Tables},
};
use crate::{
    feature::Quantised,
    phase::{PhaseAt, PhaseScheme},
    value::UNIT,
};

/// A list of moves, on the stack.
pub type MoveList = ArrayVec<CompactMove, { movegen::CAPACITY }>;

/// Evaluation tables computed from a set of weights. Clones share the tables.
#[derive(Clone)]
pub struct Evaluation {
    tables: Arc<Tables>,
}

impl Evaluation {
    /// Computes the tables of a set of weights.
    pub fn new(weights: &Quantised, phase: PhaseScheme, phase_at: PhaseAt) -> Evaluation {
        Evaluation { tables: Arc::new(Tables::new(weights, phase, phase_at)) }
    }
}

/// Evaluates positions, with caches of terms that many positions share.
pub struct Evaluator {
    tables: Arc<Tables>,
    caches: Caches,
    root_phase: u16,
}

impl Evaluator {
    /// An evaluator with empty caches.
    pub fn new(evaluation: &Evaluation) -> Evaluator {
        Evaluator { tables: Arc::clone(&evaluation.tables), caches: Caches::new(), root_phase: 0 }
    }

    /// Sets the root of the search and returns its node. With [`PhaseAt::Root`] the phase of the root is used
    /// for all evaluations.
    pub fn set_root(&mut self, root: &Chess) -> Node {
        let board = Board::new(root, &self.tables.sums);
        self.root_phase = self.tables.phase_of_board(&board);
        Node { board, halfmove_clock: root.halfmoves() }
    }

    /// Value from the view of the side to move, in units of 1/128 pawn. A half is rounded away from 0, so
    /// that mirrored positions have the same value.
    #[inline]
    pub fn evaluate(&mut self, node: &Node) -> i32 {
        let value = self.tables.evaluate(&node.board, self.root_phase, &mut self.caches);
        ((value + value.signum() * (UNIT / 2)) / UNIT) as i32
    }
}

/// A position with its halfmove clock.
#[derive(Clone)]
pub struct Node {
    board: Board,
    halfmove_clock: u32,
}

impl Node {
    /// Hash key of pieces and pawns, side to move, castling rights and en passant square.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board.key()
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// Index of the side to move: 0 White, 1 Black.
    #[inline]
    pub fn us(&self) -> usize {
        self.board.us()
    }

    /// The position after a legal move.
    #[inline]
    pub fn make(&self, mv: CompactMove, evaluator: &Evaluator) -> Node {
        let halfmove_clock = if self.is_irreversible(mv) { 0 } else { self.halfmove_clock.saturating_add(1) };
        let mut after = Node { board: self.board, halfmove_clock };
        after.board.play(mv, &evaluator.tables.sums);
        after
    }

    /// The position after a null move. Its halfmove clock is 0, so that no repetition is found across the
    /// null move.
    #[inline]
    pub fn make_null_move(&self) -> Node {
        Node { board: self.board.make_null_move(), halfmove_clock: 0 }
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.board.checkers() != 0
    }

    /// Whether neither side can mate by any sequence of moves.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        self.board.is_insufficient_material()
    }

    /// Whether the side to move has a rook, a queen, or two minor pieces: zugzwang is rare then.
    #[inline]
    pub fn has_major_or_two_minors(&self) -> bool {
        let roles = &self.board.placement.roles;
        let pieces = self.board.placement.colors[self.us()] & !(roles[PAWN] | roles[KING]);
        pieces & (roles[ROOK] | roles[QUEEN]) != 0 || pieces.count_ones() > 1
    }

    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = Moves::new();
        movegen::legal(&self.board, &CheckInfo::new(&self.board), &mut moves);
        moves
    }

    /// Legal captures and queen promotions.
    #[inline]
    pub fn tactical_moves(&self) -> MoveList {
        let mut moves = Moves::new();
        movegen::tactical(&self.board, &CheckInfo::new(&self.board), &mut moves);
        moves
    }

    /// Role on a square (0 pawn to 5 king); none if it is empty.
    #[inline]
    pub fn role_at(&self, square: u32) -> Option<usize> {
        match self.board.mailbox[square as usize] {
            EMPTY => None,
            role => Some(role as usize),
        }
    }

    /// Role that a move captures; none if it captures nothing.
    #[inline]
    pub fn captured(&self, mv: CompactMove) -> Option<usize> {
        self.role_at(mv.target()).or_else(|| self.is_en_passant(mv).then_some(PAWN))
    }

    /// Whether a move captures en passant.
    #[inline]
    pub fn is_en_passant(&self, mv: CompactMove) -> bool {
        self.board.en_passant() & 1 << mv.target() != 0 && self.role_at(mv.origin()) == Some(PAWN)
    }

    /// Whether a move is a capture or a promotion.
    #[inline]
    pub fn is_noisy(&self, mv: CompactMove) -> bool {
        mv.promotion() != 0 || self.captured(mv).is_some()
    }

    /// Whether a move is a capture or a pawn move, after which no earlier position can occur again.
    #[inline]
    fn is_irreversible(&self, mv: CompactMove) -> bool {
        self.role_at(mv.origin()) == Some(PAWN) || self.role_at(mv.target()).is_some()
    }

    /// Occupied squares.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.board.occupied()
    }

    /// Squares of one colour (0 White, 1 Black) and role (0 pawn to 5 king).
    #[inline]
    pub fn pieces(&self, color: usize, role: usize) -> u64 {
        self.board.pieces(color, role)
    }

    /// Pieces and pawns of `color` that attack `square`, with `occupied` as blockers.
    #[inline]
    pub fn attackers(&self, square: u32, color: usize, occupied: u64) -> u64 {
        self.board.attackers(square, color, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Weights;

    fn evaluator() -> Evaluator {
        let weights = Weights::start().quantised();
        Evaluator::new(&Evaluation::new(&weights, PhaseScheme::Fruit, PhaseAt::Leaf))
    }

    fn node(fen: &str, evaluator: &mut Evaluator) -> Node {
        let position: Chess = crate::fen::parse(fen).unwrap();
        evaluator.set_root(&position)
    }

    #[test]
    fn a_null_move_gives_the_key_of_the_same_board_with_the_other_side_to_move() {
        let mut evaluator = evaluator();
        let white = node("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 4 10", &mut evaluator);
        let black = node("r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 10", &mut evaluator);
        assert_eq!(white.make_null_move().key(), black.key());
        assert_ne!(white.key(), black.key());
    }

    #[test]
    fn the_halfmove_clock_grows_until_a_pawn_move_or_a_capture() {
        let mut evaluator = evaluator();
        let node = node("4k3/8/8/8/8/8/P6r/4K2R w K - 7 10", &mut evaluator);
        let clock = |from, to| node.make(CompactMove::new(from, to, 0), &evaluator).halfmove_clock();
        assert_eq!([clock(4, 5), clock(8, 16), clock(7, 15)], [8, 0, 0]);
    }

    #[test]
    fn the_largest_count_of_a_fen_does_not_overflow() {
        let mut evaluator = evaluator();
        let node = node("4k3/8/8/8/8/8/8/4K3 w - - 4294967295 1", &mut evaluator);
        assert_eq!(node.make(CompactMove::new(4, 5, 0), &evaluator).halfmove_clock(), u32::MAX);
    }

    #[test]
    fn values_are_the_same_from_either_side_of_the_board() {
        let mut evaluator = evaluator();
        let white = node("4k3/pp6/8/8/8/3N4/PPP5/4K3 w - - 0 1", &mut evaluator);
        let value = evaluator.evaluate(&white);
        let black = node("4k3/ppp5/3n4/8/8/8/PP6/4K3 b - - 0 1", &mut evaluator);
        assert_eq!(evaluator.evaluate(&black), value);
    }
}
