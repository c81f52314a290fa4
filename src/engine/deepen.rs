//! Iterative deepening: one iteration after another, each with a narrow window around the last score.

use std::time::Duration;

use shakmaty::Position;

use super::{
    MAX_PLY,
    game_state::GameState,
    limits::Limits,
    score::{DRAW, INFINITE, Score, mate_in, mated_at},
    searcher::{Line, Searcher},
    stop::StopCondition,
};
use crate::position::{CompactMove, Node};

/// What an iteration found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IterationReport {
    /// Plies of the iteration.
    pub depth: u32,
    /// Plies of the longest line.
    pub selective_depth: u32,
    /// Score for the side to move.
    pub score: Score,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Share of the hash table in use, in thousandths.
    pub hashfull: u32,
    /// The best line.
    pub line: Vec<CompactMove>,
}

/// What the search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The best line, empty if there is no legal move.
    pub line: Vec<CompactMove>,
    /// Score for the side to move.
    pub score: Score,
    /// Iterations finished.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

impl SearchResult {
    /// The move.
    pub fn best_move(&self) -> Option<CompactMove> {
        self.line.first().copied()
    }

    /// The answer that is expected.
    pub fn ponder_move(&self) -> Option<CompactMove> {
        self.line.get(1).copied()
    }
}

/// Iterations before the window is narrowed.
const FULL_WINDOW_ITERATIONS: u32 = 4;

/// Half of the first narrow window, in units.
const ASPIRATION_MARGIN: Score = 30;

impl Searcher {
    /// Looks for the best move. Reports come after each iteration. The signals are obeyed as they stand, so
    /// that a stop that comes early is not lost: whoever calls resets them.
    pub fn think(
        &mut self,
        game: &GameState,
        limits: &Limits,
        observe: &mut dyn FnMut(&IterationReport),
    ) -> SearchResult {
        self.stop_condition = StopCondition::new(limits, self.overhead, self.signals.clone());
        let root = self.start_search(game);
        let legal = root.legal_moves();
        let is_wanted = |mv: &CompactMove| limits.root_moves.is_empty() || limits.root_moves.contains(mv);
        let wanted: Vec<_> = legal.iter().copied().filter(is_wanted).collect();
        self.excluded = legal.iter().copied().filter(|mv| !is_wanted(mv)).collect();
        let Some(&first) = wanted.first() else {
            let score = if game.position().is_check() { mated_at(0) } else { DRAW };
            return SearchResult { line: Vec::new(), score, depth: 0, nodes: 0 };
        };
        let mut result = SearchResult { line: vec![first], score: DRAW, depth: 0, nodes: 0 };
        let deepest = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
        for depth in 1..=deepest {
            let score = self.iterate(&root, depth, &mut result);
            if self.stopped {
                break;
            }
            result.score = score;
            result.depth = depth;
            observe(&self.report(&result));
            if self.is_finished(limits, score, wanted.len()) {
                break;
            }
        }
        result.nodes = self.nodes;
        result
    }

    /// Forgets the last root, and follows the game to this one.
    fn start_search(&mut self, game: &GameState) -> Node {
        self.nodes = 0;
        self.selective_depth = 0;
        self.stopped = false;
        self.hash.begin_search();
        self.move_history.age();
        self.path.clear();
        let mut node = self.evaluator.set_root(game.start());
        self.path.push(node.key());
        for &mv in game.moves() {
            node = node.make(mv, &self.evaluator);
            if node.halfmove_clock() == 0 {
                self.path.clear();
            }
            self.path.push(node.key());
        }
        self.root_at = self.path.len() - 1;
        // Entered once more for its phase; the count of the fifty-move rule is that of the game.
        self.evaluator.set_root(game.position())
    }

    /// One iteration: the score, and the best line so far in `result`, also if it is broken off.
    fn iterate(&mut self, root: &Node, depth: u32, result: &mut SearchResult) -> Score {
        self.iteration = depth as usize;
        self.selective_depth = 0;
        let mut half = if depth > FULL_WINDOW_ITERATIONS { ASPIRATION_MARGIN } else { INFINITE };
        let (mut alpha, mut beta) = aspiration_window(result.score, half);
        loop {
            let mut line = Line::new();
            let score = self.search(root, depth as i32, 0, (alpha, beta), false, &mut line);
            if !line.is_empty() {
                result.line = line.to_vec();
                if self.stopped {
                    return result.score;
                }
            }
            if self.stopped || (score > alpha && score < beta) {
                return score;
            }
            half = half.saturating_mul(3);
            match score <= alpha {
                true => alpha = aspiration_window(score, half).0,
                false => beta = aspiration_window(score, half).1,
            }
        }
    }

    fn report(&self, result: &SearchResult) -> IterationReport {
        IterationReport {
            depth: result.depth,
            selective_depth: self.selective_depth as u32 + 1,
            score: result.score,
            nodes: self.nodes,
            elapsed: self.stop_condition.elapsed(),
            hashfull: self.hash.hashfull(),
            line: result.line.clone(),
        }
    }

    /// Whether another iteration would be of no use, or would come too late.
    fn is_finished(&self, limits: &Limits, score: Score, moves: usize) -> bool {
        let found = mate_in(score)
            .is_some_and(|mate| limits.mate.is_some_and(|wanted| mate.unsigned_abs() <= wanted));
        let forced = moves == 1 && limits.clock.is_some() && !self.signals.is_pondering();
        found || forced || !self.stop_condition.may_start_iteration()
    }
}

/// The window around a score; a mate or half a window beyond all scores opens it.
fn aspiration_window(score: Score, half: Score) -> (Score, Score) {
    if half >= 2_000 || mate_in(score).is_some() {
        return (-INFINITE, INFINITE);
    }
    ((score - half).max(-INFINITE), (score + half).min(INFINITE))
}
