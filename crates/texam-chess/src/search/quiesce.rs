//! Quiescence of the fast search: captures and queen promotions.

use super::{
    CHECK_PLIES, Line,
    alphabeta::AlphaBeta,
    order::{MovePicker, capture_order},
    transposition::TranspositionTable,
};
use crate::{
    position::{
        CompactMove,
        board::{Board, KING, PAWN},
        movegen::{self, CheckInfo, Moves},
    },
    value::{Value, mated_at},
};

impl AlphaBeta {
    /// Value of quiescence in 1/65536 unit, from the view of the side to move, fail-soft in the window.
    pub(super) fn quiesce(
        &mut self,
        board: &Board,
        ply: u32,
        quiescence_ply: u32,
        mut alpha: Value,
        beta: Value,
        last: CompactMove,
    ) -> Value {
        let key = TranspositionTable::quiescence_key(board.key(), ply, quiescence_ply);
        // The first node of quiescence is stored by `search`, under the key of its ply.
        let stored = if quiescence_ply > 0 { self.transpositions.get(key) } else { None };
        if let Some(value) = stored.and_then(|entry| TranspositionTable::value_in_window(entry, alpha, beta))
        {
            return value;
        }
        self.nodes += 1;
        let window = (alpha, beta);
        let evasion = quiescence_ply < CHECK_PLIES && board.is_in_check();
        let mut best = if evasion { mated_at(ply) } else { self.evaluate(board) };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let checks = CheckInfo::new(board);
        let recapture = if evasion { None } else { recapture(board, &checks, last) };
        let mut picker = MovePicker::new();
        let mut next = recapture.or_else(|| {
            self.pick_captures(board, &checks, quiescence_ply, evasion, CompactMove::NONE, &mut picker)
        });
        let mut is_generated = recapture.is_none();
        while let Some(mv) = next {
            let mut child = *board;
            child.play(mv, &self.tables.sums);
            let value = -self.quiesce(&child, ply + 1, quiescence_ply + 1, -beta, -alpha, mv);
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
            next = if is_generated {
                picker.next()
            } else {
                is_generated = true;
                self.pick_captures(board, &checks, quiescence_ply, evasion, mv, &mut picker)
            };
        }
        if quiescence_ply > 0 {
            self.transpositions.put(key, best, window.0, window.1, CompactMove::NONE);
        }
        best
    }

    /// Appends the canonical line of quiescence to `line`, given its value from the view of the side to move.
    /// Returns the leaf, and whether it is terminal.
    pub(super) fn follow_quiescence(
        &mut self,
        board: &Board,
        ply: u32,
        quiescence_ply: u32,
        value: Value,
        line: &mut Line,
    ) -> (Board, bool) {
        let evasion = quiescence_ply < CHECK_PLIES && board.is_in_check();
        if evasion && value == mated_at(ply) {
            return (*board, true);
        }
        if !evasion && self.evaluate(board) == value {
            return (*board, false);
        }
        let mut moves = Moves::new();
        self.quiescence_moves(board, &CheckInfo::new(board), quiescence_ply, evasion, &mut moves);
        moves.sort_unstable_by_key(|mv| mv.canonical(board.placement.turn));
        for &mv in &moves {
            let child = board.make(mv, &self.tables.sums);
            let found = -self.quiesce(&child, ply + 1, quiescence_ply + 1, -value, 1 - value, mv);
            if found >= value {
                line.push(mv);
                return self.follow_quiescence(&child, ply + 1, quiescence_ply + 1, -value, line);
            }
        }
        unreachable!("the value of quiescence is the stand-pat value or that of a move")
    }

    /// Gives the picker the moves of quiescence, without one that was tried, and picks the first.
    #[inline(always)]
    fn pick_captures(
        &self,
        board: &Board,
        checks: &CheckInfo,
        quiescence_ply: u32,
        evasion: bool,
        tried: CompactMove,
        picker: &mut MovePicker,
    ) -> Option<CompactMove> {
        let mut moves = Moves::new();
        self.quiescence_moves(board, checks, quiescence_ply, evasion, &mut moves);
        let rest = moves.iter().copied().filter(|&mv| mv != tried);
        picker.extend(rest, |mv| capture_order(board, mv));
        picker.next()
    }

    pub(super) fn quiescence_moves(
        &self,
        board: &Board,
        checks: &CheckInfo,
        quiescence_ply: u32,
        evasion: bool,
        moves: &mut Moves,
    ) {
        if evasion {
            movegen::legal(board, checks, moves);
        } else if quiescence_ply < self.settings.checks {
            movegen::legal(board, checks, moves);
            moves.retain(|&mut mv| match mv.promotion() {
                0 => board.is_capture(mv) || board.make(mv, &self.tables.sums).is_in_check(),
                role => role == 1,
            });
        } else {
            movegen::tactical(board, checks, moves);
        }
    }
}

/// The capture of what the last move put on its target, by the least valuable piece or pawn that can take it.
#[inline(always)]
fn recapture(board: &Board, checks: &CheckInfo, last: CompactMove) -> Option<CompactMove> {
    let (us, to) = (board.us(), last.target());
    if last == CompactMove::NONE || board.placement.colors[us ^ 1] & 1 << to == 0 {
        return None;
    }
    let attackers = board.attackers(to, us, board.occupied());
    let role = (PAWN..=KING).find(|&role| board.placement.roles[role] & attackers != 0)?;
    let from = (board.placement.roles[role] & attackers).trailing_zeros();
    let promotes = role == PAWN && matches!(to / 8, 0 | 7);
    let mv = CompactMove::new(from, to, u32::from(promotes));
    (capture_order(board, mv) >= 0 && movegen::is_legal(board, checks, mv)).then_some(mv)
}
