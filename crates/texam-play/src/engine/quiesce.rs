//! Quiescence search of the engine: captures and queen promotions that do not lose material.

use super::{
    MAX_PLY,
    order::MovePicker,
    score::{DRAW, INFINITE, Score, mated_at},
    searcher::Searcher,
};
use texam_chess::position::{CompactMove, Node};

/// In the first plies of quiescence a side in check searches all legal moves; from this ply on checks are
/// ignored, so that the search ends. It equals the limit of the search of the fits, but need not.
const CHECK_PLIES: usize = 6;

impl Searcher {
    /// Score of quiescence from the view of the side to move, fail-soft in the window. The score is
    /// meaningless once the search is stopped.
    pub(super) fn quiesce(
        &mut self,
        node: &Node,
        ply: usize,
        quiescence_ply: usize,
        window: (Score, Score),
    ) -> Score {
        if self.enter_node(ply) {
            return DRAW;
        }
        let (alpha, beta) = window;
        let stored = self.probe(node, ply);
        if let Some(entry) = stored.filter(|entry| entry.gives_cutoff(0, alpha, beta)) {
            return entry.score;
        }
        let evasion = quiescence_ply < CHECK_PLIES && node.is_check();
        let stand_pat = if evasion { -INFINITE } else { self.evaluate(node) };
        if stand_pat >= beta || ply + 1 >= MAX_PLY {
            return if evasion { self.evaluate(node) } else { stand_pat };
        }
        let moves = if evasion { node.legal_moves() } else { node.tactical_moves() };
        if evasion && moves.is_empty() {
            return mated_at(ply);
        }
        let mut picker = match evasion {
            true => {
                let hash_move = stored.map_or(CompactMove::NONE, |entry| entry.best);
                MovePicker::all(&moves, node, &self.move_history, ply, hash_move)
            }
            false => MovePicker::winning(&moves, node),
        };
        let best = self.search_quiescence_moves(
            stand_pat,
            node,
            &mut picker,
            (ply, quiescence_ply),
            (alpha.max(stand_pat), beta),
        );
        if self.stopped {
            return DRAW;
        }
        if quiescence_ply == 0 {
            self.store(node, ply, 0, window, best);
        }
        best.0
    }

    /// Score and move of the best capture, or `stand_pat` and no move if none is better.
    fn search_quiescence_moves(
        &mut self,
        stand_pat: Score,
        node: &Node,
        moves: &mut MovePicker,
        (ply, quiescence_ply): (usize, usize),
        (mut alpha, beta): (Score, Score),
    ) -> (Score, CompactMove) {
        let mut best = (stand_pat, CompactMove::NONE);
        for mv in moves {
            let child = node.make(mv, &self.evaluator);
            let score = -self.quiesce(&child, ply + 1, quiescence_ply + 1, (-beta, -alpha));
            if self.stopped {
                break;
            }
            if score > best.0 {
                best = (score, mv);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}
