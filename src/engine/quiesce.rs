//! Quiescence of the engine: captures that do not lose material, until the position is quiet.

use super::{
    MAX_PLY,
    order::MovePicker,
    score::{DRAW, INFINITE, Score, mated_at},
    searcher::Searcher,
};
use crate::position::{CompactMove, Node};

/// From this quiescence ply on a check is treated as if it were none, so that quiescence ends.
const CHECK_PLIES: usize = 6;

impl Searcher {
    /// Score of quiescence from the side to move, fail-soft in the window. Means nothing once the search is
    /// stopped.
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
        let known = self.probe(node, ply);
        if let Some(entry) = known.filter(|entry| entry.gives_cutoff(0, alpha, beta)) {
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
                let hash_move = known.map_or(CompactMove::NONE, |entry| entry.best);
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

    /// The best of these moves in quiescence, or none with the score of making none.
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
