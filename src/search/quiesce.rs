//! Quiescence of the fast search: captures and promotions until the position is quiet.

use arrayvec::ArrayVec;

use super::{
    CHECK_PLIES,
    alphabeta::AlphaBeta,
    board::{self, Board, EMPTY, PAWN},
    compact::CompactMove,
    movegen::{self, CAPACITY, Moves, Safety},
    transposition::Transpositions,
};
use crate::value::{Value, mated_at};

/// Order of victims and attackers: dear victims first, cheap attackers first.
fn capture_order(board: &Board, mv: CompactMove) -> i32 {
    let victim = board.mailbox[mv.target() as usize];
    let victim = if victim == EMPTY { PAWN as i32 } else { victim as i32 };
    let promotion = if mv.promotion() == 1 { 64 } else { 0 };
    let attacker = board.mailbox[mv.origin() as usize] as i32;
    let us = board.us();
    let losing = attacker > victim
        && attacker != 5
        && !(attacker == 2 && victim == 1)
        && board.attackers(mv.target(), us ^ 1, board.occupied() ^ 1 << mv.origin()) != 0;
    promotion + victim * 8 - attacker - if losing { 1000 } else { 0 }
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
        let key = Transpositions::key(board.key, ply) ^ board::scramble(50_001 + u64::from(quiescence_ply));
        if quiescence_ply > 0 {
            if let Some(entry) = self.transpositions.get(key) {
                if entry.lower >= beta || entry.lower == entry.upper {
                    return entry.lower;
                }
                if entry.upper <= alpha {
                    return entry.upper;
                }
            }
        }
        self.nodes += 1;
        let (alpha0, beta0) = (alpha, beta);
        let evasion = quiescence_ply < CHECK_PLIES && board.checkers() != 0;
        let mut best = if evasion { mated_at(ply) } else { self.evaluate(board) };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = Moves::new();
        quiescence_moves(board, evasion, &mut moves);
        let mut scored = Scored::new();
        scored.extend(moves.iter().map(|&mv| (capture_order(board, mv), mv)));
        for at in 0..scored.len() {
            let mv = pick(&mut scored, at);
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
        if quiescence_ply > 0 {
            self.transpositions.put(key, best, alpha0, beta0, CompactMove::NONE);
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
        let mut moves = Moves::new();
        quiescence_moves(board, evasion, &mut moves);
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
}

fn quiescence_moves(board: &Board, evasion: bool, moves: &mut Moves) {
    let safety = Safety::new(board);
    if evasion { movegen::legal(board, &safety, moves) } else { movegen::forcing(board, &safety, moves) }
}
