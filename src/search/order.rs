//! In which order moves are tried: what refutes soonest comes first. No order changes a result.

use arrayvec::ArrayVec;

use super::{
    board::{BISHOP, Board, EMPTY, KING, KNIGHT, PAWN},
    compact::CompactMove,
    movegen::CAPACITY,
};

/// Puts captures that seem to lose below 0.
const LOSING: i32 = 1000;

/// Order of captures, above 0 for those that seem to win: dear victims first, cheap attackers first; a dear attacker of a defended man last.
pub(super) fn capture_order(board: &Board, mv: CompactMove) -> i32 {
    let victim = match board.mailbox[mv.target() as usize] {
        EMPTY => PAWN,
        role => role as usize,
    };
    let attacker = board.mailbox[mv.origin() as usize] as usize;
    let is_dearer = attacker > victim && attacker != KING && (attacker, victim) != (BISHOP, KNIGHT);
    let is_losing = is_dearer && {
        let without_attacker = board.occupied() ^ 1 << mv.origin();
        board.attackers(mv.target(), board.us() ^ 1, without_attacker) != 0
    };
    let promotion = if mv.promotion() == 1 { 64 } else { 0 };
    let order = promotion + 8 * victim as i32 + 8 - attacker as i32;
    if is_losing { order - LOSING } else { order }
}

/// Moves with the scores that they are tried by.
pub(super) type Scored = ArrayVec<(i32, CompactMove), CAPACITY>;

/// Takes the best of the moves from `from` on to that place.
#[inline]
pub(super) fn pick(moves: &mut Scored, from: usize) -> CompactMove {
    let mut best = from;
    for at in from + 1..moves.len() {
        if moves[at].0 > moves[best].0 {
            best = at;
        }
    }
    moves.swap(from, best);
    moves[from].1
}
