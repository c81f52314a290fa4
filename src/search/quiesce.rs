//! Quiescence of the fast search: captures and promotions until the position is quiet.

use super::{
    CHECK_PLIES,
    alphabeta::AlphaBeta,
    board::{Board, EMPTY, PAWN},
    compact::CompactMove,
    movegen::{self, Moves, Safety},
};
use crate::value::{Value, mated_at};

/// Order of victims and attackers: dear victims first, cheap attackers first.
fn capture_order(board: &Board, mv: CompactMove) -> i32 {
    let victim = board.mailbox[mv.target() as usize];
    let victim = if victim == EMPTY { PAWN as i32 } else { victim as i32 };
    let promotion = if mv.promotion() == 1 { 64 } else { 0 };
    promotion + victim * 8 - board.mailbox[mv.origin() as usize] as i32
}

/// Takes the best of the moves from `from` on to that place.
#[inline]
pub(super) fn pick(moves: &mut [CompactMove], scores: &mut [i32], from: usize) -> CompactMove {
    let mut best = from;
    for at in from + 1..moves.len() {
        if scores[at] > scores[best] {
            best = at;
        }
    }
    moves.swap(from, best);
    scores.swap(from, best);
    moves[from]
}

impl AlphaBeta {
    /// Value of quiescence from the view of the side to move, fail-soft in the window.
    pub(super) fn quiesce(
        &mut self,
        board: &Board,
        ply: u32,
        quiescence_ply: u32,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        self.nodes += 1;
        let evasion = quiescence_ply < CHECK_PLIES && board.checkers() != 0;
        let mut best = if evasion { mated_at(ply) } else { self.evaluate(board) };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = self.quiescence_moves(board, evasion);
        let moves = moves.as_mut_slice();
        let mut scores = [0; 256];
        for (score, &mv) in scores.iter_mut().zip(moves.iter()) {
            *score = capture_order(board, mv);
        }
        for at in 0..moves.len() {
            let mv = pick(moves, &mut scores, at);
            let child = board.make(mv, &self.tables);
            let value = -self.quiesce(&child, ply + 1, quiescence_ply + 1, -beta, -alpha);
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Follows the canonical line of quiescence, given the value from the side to move.
    pub(super) fn follow_quiescence(
        &mut self,
        board: &Board,
        ply: u32,
        quiescence_ply: u32,
        value: Value,
        line: &mut Vec<CompactMove>,
    ) -> (Board, bool) {
        let evasion = quiescence_ply < CHECK_PLIES && board.checkers() != 0;
        if evasion && value == mated_at(ply) {
            return (*board, true);
        }
        if !evasion && self.evaluate(board) == value {
            return (*board, false);
        }
        let mut moves = self.quiescence_moves(board, evasion);
        let moves = moves.as_mut_slice();
        moves.sort_unstable_by_key(|mv| mv.canonical(board.placement.turn));
        for &mv in moves.iter() {
            let child = board.make(mv, &self.tables);
            let found = -self.quiesce(&child, ply + 1, quiescence_ply + 1, -value, 1 - value);
            if found >= value {
                line.push(mv);
                return self.follow_quiescence(&child, ply + 1, quiescence_ply + 1, -value, line);
            }
        }
        unreachable!("a value of quiescence is that of standing pat or of a move")
    }

    fn quiescence_moves(&mut self, board: &Board, evasion: bool) -> Moves {
        let safety = Safety::new(board);
        if evasion { movegen::legal(board, &safety) } else { movegen::forcing(board, &safety) }
    }
}
