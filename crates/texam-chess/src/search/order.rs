//! Move ordering of the fast search. The order changes the number of nodes but no result.

use arrayvec::ArrayVec;

use crate::position::{
    CompactMove,
    board::{BISHOP, Board, EMPTY, KING, KNIGHT, PAWN},
    movegen::{CAPACITY, Moves},
};

/// Subtracted from the score of a capture that seems to lose material, which makes it negative.
const LOSING: i32 = 1000;

/// Score of a capture by MVV/LVA (most valuable victim, then least valuable attacker). It is negative if the
/// attacker is more valuable than the victim and the victim is defended: this approximates static exchange
/// evaluation at less cost.
pub(super) fn capture_order(board: &Board, mv: CompactMove) -> i32 {
    let victim = match board.mailbox[mv.target() as usize] {
        EMPTY => PAWN,
        role => role as usize,
    };
    let attacker = board.mailbox[mv.origin() as usize] as usize;
    let is_attacker_more_valuable =
        attacker > victim && attacker != KING && (attacker, victim) != (BISHOP, KNIGHT);
    let is_losing = is_attacker_more_valuable && {
        let without_attacker = board.occupied() ^ 1 << mv.origin();
        board.is_attacked(mv.target(), board.us() ^ 1, without_attacker)
    };
    let promotion = if mv.promotion() == 1 { 64 } else { 0 };
    let order = promotion + 8 * victim as i32 + 8 - attacker as i32;
    if is_losing { order - LOSING } else { order }
}

/// The moves of a node in descending order of their scores.
pub(super) struct MovePicker {
    /// Score in the upper half, move in the lower.
    moves: ArrayVec<u64, CAPACITY>,
    next: usize,
}

/// Number of moves selected one by one before the rest is sorted. A cutoff mostly comes from one of the first
/// moves, and then the sort is saved.
const SELECTED: usize = 2;

impl MovePicker {
    /// No moves.
    #[inline(always)]
    pub fn new() -> MovePicker {
        MovePicker { moves: ArrayVec::new_const(), next: 0 }
    }

    /// Adds moves with their scores.
    #[inline(always)]
    pub fn extend(&mut self, moves: &Moves, score: impl Fn(CompactMove) -> i32) {
        for &mv in moves {
            self.moves.push(u64::from(score(mv).cast_unsigned() ^ 1 << 31) << 32 | mv.bits());
        }
    }

    /// The next move to try.
    #[inline(always)]
    pub fn next(&mut self) -> Option<CompactMove> {
        let rest = &mut self.moves[self.next..];
        if self.next == SELECTED {
            rest.sort_unstable_by(|a, b| b.cmp(a));
        } else if self.next < SELECTED {
            let mut best = 0;
            for at in 1..rest.len() {
                if rest[at] > rest[best] {
                    best = at;
                }
            }
            if best > 0 {
                rest.swap(0, best);
            }
        }
        self.next += 1;
        rest.first().map(|&scored| CompactMove::from_bits(scored))
    }
}
