//! Iterative deepening with aspiration windows.

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
use texam_chess::position::{CompactMove, Node};

/// Result of one iteration, which may have been stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IterationReport {
    /// Depth of the iteration, in plies; 0 if no move has been searched.
    pub depth: u32,
    /// Number of the line, from 1, if more than one is searched.
    pub number: Option<usize>,
    /// Length of the longest line searched, quiescence included, in plies.
    pub selective_depth: u32,
    /// Score in units of 1/128 pawn, from the view of the side to move. At depth 0, the evaluation.
    pub score: Score,
    /// Whether the iteration was stopped after it had found this line: its score would be at least `score`.
    pub is_lower_bound: bool,
    /// Nodes visited since the search began.
    pub nodes: u64,
    /// Time since the search was requested.
    pub elapsed: Duration,
    /// Share of the hash table filled by this search, in thousandths.
    pub hashfull: u32,
    /// The principal variation.
    pub line: Vec<CompactMove>,
}

/// Result of a search, or of one of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The principal variation; empty if there is no legal move.
    pub line: Vec<CompactMove>,
    /// Score in units of 1/128 pawn, from the view of the side to move.
    pub score: Score,
    /// Depth of the last finished iteration, in plies; 0 if none finished.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

impl SearchResult {
    /// The best move; none if there is no legal move.
    pub fn best_move(&self) -> Option<CompactMove> {
        self.line.first().copied()
    }

    /// The expected reply; none if the line ends before.
    pub fn ponder_move(&self) -> Option<CompactMove> {
        self.line.get(1).copied()
    }
}

/// Iterations with a full window. Scores of shallow iterations change too much for a narrow one. Hand-set;
/// not tuned.
const FULL_WINDOW_ITERATIONS: u32 = 4;

/// Half the width of the first aspiration window, in units of 1/128 pawn: about a quarter of a pawn.
/// Hand-set; not tuned. Smaller windows cut off more, but are searched again more often. The width decides
/// the speed of the search; it prunes no move.
const ASPIRATION_MARGIN: Score = 30;

impl Searcher {
    /// Searches for the best move and calls `observe` after each iteration. If the search is stopped after an
    /// iteration has changed the line, or before the first has ended, `observe` is called once more: the last
    /// report of the first line has the line of the result. If several lines are searched, the others follow
    /// the first in the order of their scores. The caller resets the signals beforehand: if this function
    /// did, a stop signal that arrives before it starts would be lost.
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
        let mut reported = Vec::new();
        let mut found = None;
        let mut others = vec![result.clone(); self.lines.min(wanted.len()) - 1];
        let deepest = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
        for depth in 1..=deepest {
            let score = self.iterate(&root, depth, &mut result, &mut found);
            if self.stopped {
                break;
            }
            result.score = score;
            result.depth = depth;
            reported.clone_from(&result.line);
            observe(&self.report(depth, score, &result.line));
            if !others.is_empty() {
                self.search_others(&root, depth, result.line[0], &mut others, observe);
            }
            if self.is_finished(limits, score, wanted.len()) {
                break;
            }
        }
        if result.line != reported {
            let (depth, score) = found.unwrap_or_else(|| (0, self.evaluate(&root)));
            let report = self.report(depth, score, &result.line);
            observe(&IterationReport { is_lower_bound: found.is_some(), ..report });
        }
        result.nodes = self.nodes;
        result
    }

    /// Prepares the search of a new root: ages the tables, and records the positions of the game for the
    /// detection of repetitions.
    fn start_search(&mut self, game: &GameState) -> Node {
        self.nodes = 0;
        self.selective_depth = 0;
        self.stopped = false;
        self.hash.begin_search();
        self.move_history.age();
        if let Some((hash, move_history)) = &mut self.of_others {
            hash.begin_search();
            move_history.age();
        }
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
        // The root is set again, since its phase may be that of the whole search.
        self.evaluator.set_root(game.position())
    }

    /// Searches one iteration and returns its score. `result` gets the best line found so far, also if the
    /// iteration is stopped, and `found` the depth and score with which it was found.
    fn iterate(
        &mut self,
        root: &Node,
        depth: u32,
        result: &mut SearchResult,
        found: &mut Option<(u32, Score)>,
    ) -> Score {
        self.iteration = depth as usize;
        self.selective_depth = 0;
        let mut half = if depth > FULL_WINDOW_ITERATIONS { ASPIRATION_MARGIN } else { INFINITE };
        let (mut alpha, mut beta) = aspiration_window(result.score, half);
        loop {
            let mut line = Line::new();
            let score = self.search(root, depth as i32, 0, (alpha, beta), false, &mut line);
            if !line.is_empty() {
                result.line = line.to_vec();
                *found = Some((depth, score));
                if self.stopped {
                    return result.score;
                }
            }
            if self.stopped || (score > alpha && score < beta) {
                return score;
            }
            // Failed low or high: the bound that failed moves to three times the distance. Hand-set; not
            // tuned.
            half = half.saturating_mul(3);
            match score <= alpha {
                true => alpha = aspiration_window(score, half).0,
                false => beta = aspiration_window(score, half).1,
            }
        }
    }

    /// Searches the lines after the first one, each without the first moves of those before, and reports them
    /// if all are finished.
    fn search_others(
        &mut self,
        root: &Node,
        depth: u32,
        first: CompactMove,
        others: &mut [SearchResult],
        observe: &mut dyn FnMut(&IterationReport),
    ) {
        self.swap_tables();
        let unwanted = self.excluded.len();
        self.excluded.push(first);
        let mut reports = Vec::new();
        for other in &mut *others {
            other.score = self.iterate(root, depth, other, &mut None);
            reports.push(self.report(depth, other.score, &other.line));
            self.excluded.extend(other.best_move());
        }
        self.excluded.truncate(unwanted);
        self.swap_tables();
        if !self.stopped {
            reports.sort_by_key(|report| -report.score);
            for (number, report) in (2..).zip(reports) {
                observe(&IterationReport { number: Some(number), ..report });
            }
        }
    }

    /// Exchanges the tables of the first line and of the others.
    fn swap_tables(&mut self) {
        if let Some((hash, move_history)) = &mut self.of_others {
            std::mem::swap(&mut self.hash, hash);
            std::mem::swap(&mut self.move_history, move_history);
        }
    }

    fn report(&self, depth: u32, score: Score, line: &[CompactMove]) -> IterationReport {
        IterationReport {
            depth,
            number: (self.lines > 1).then_some(1),
            selective_depth: self.selective_depth as u32 + 1,
            score,
            is_lower_bound: false,
            nodes: self.nodes,
            elapsed: self.stop_condition.elapsed(),
            hashfull: self.hash.hashfull(),
            line: line.to_vec(),
        }
    }

    /// Whether to stop after this iteration: the requested mate is found, the only legal move is forced, or
    /// time is up.
    fn is_finished(&self, limits: &Limits, score: Score, moves: usize) -> bool {
        let mate_found = mate_in(score)
            .is_some_and(|mate| limits.mate.is_some_and(|wanted| mate.unsigned_abs() <= wanted));
        let forced = moves == 1 && limits.clock.is_some() && !self.signals.is_pondering();
        mate_found || forced || !self.stop_condition.may_start_iteration()
    }
}

/// The aspiration window around a score. It is the full window after a mate score, and when it has grown
/// beyond 2,000 units (about 16 pawns), where another narrow search would rarely succeed.
fn aspiration_window(score: Score, half: Score) -> (Score, Score) {
    if half >= 2_000 || mate_in(score).is_some() {
        return (-INFINITE, INFINITE);
    }
    ((score - half).max(-INFINITE), (score + half).min(INFINITE))
}
