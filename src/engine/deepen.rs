//! Iterative deepening: one iteration after another, each with a narrow window around the last score.

use std::time::Duration;

use shakmaty::Position;

use super::{
    MAX_PLY,
    limits::Limits,
    score::{DRAW, INFINITE, Score, mate_in, mated_at},
    searcher::{Line, Searcher},
    situation::Situation,
    watch::Watch,
};
use crate::position::{CompactMove, Node};

/// What an iteration found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Plies of the iteration.
    pub depth: u32,
    /// Plies of the longest line.
    pub deepest: u32,
    /// Score for the side to move.
    pub score: Score,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Share of the hash table in use, in thousandths.
    pub fullness: u32,
    /// The best line.
    pub line: Vec<CompactMove>,
}

/// What the search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The best line, empty if there is no legal move.
    pub line: Vec<CompactMove>,
    /// Score for the side to move.
    pub score: Score,
    /// Iterations finished.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

impl Choice {
    /// The move.
    pub fn best(&self) -> Option<CompactMove> {
        self.line.first().copied()
    }

    /// The answer that is expected.
    pub fn expected(&self) -> Option<CompactMove> {
        self.line.get(1).copied()
    }
}

/// Iterations before the window is narrowed.
const OPEN_ITERATIONS: u32 = 4;

/// Half of the first narrow window, in units.
const HALF_WINDOW: Score = 30;

impl Searcher {
    /// Looks for the best move. Reports come after each iteration. The signals are obeyed as they stand, so
    /// that a stop that comes early is not lost: whoever calls resets them.
    pub fn think(&mut self, game: &Situation, limits: &Limits, observe: &mut dyn FnMut(&Report)) -> Choice {
        self.watch = Watch::new(limits, self.overhead, self.signals.clone());
        let root = self.enter(game);
        let legal = root.legal_moves();
        let is_wanted = |mv: &CompactMove| limits.only.is_empty() || limits.only.contains(mv);
        let wanted: Vec<_> = legal.iter().copied().filter(is_wanted).collect();
        self.excluded = legal.iter().copied().filter(|mv| !is_wanted(mv)).collect();
        let Some(&first) = wanted.first() else {
            let score = if game.position().is_check() { mated_at(0) } else { DRAW };
            return Choice { line: Vec::new(), score, depth: 0, nodes: 0 };
        };
        let mut choice = Choice { line: vec![first], score: DRAW, depth: 0, nodes: 0 };
        let deepest = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
        for depth in 1..=deepest {
            let score = self.iterate(&root, depth, &mut choice);
            if self.stopped {
                break;
            }
            choice.score = score;
            choice.depth = depth;
            observe(&self.report(&choice));
            if self.is_enough(limits, score, wanted.len()) {
                break;
            }
        }
        choice.nodes = self.nodes;
        choice
    }

    /// Forgets the last root, and follows the game to this one.
    fn enter(&mut self, game: &Situation) -> Node {
        self.nodes = 0;
        self.deepest = 0;
        self.stopped = false;
        self.hash.begin_search();
        self.memory.fade();
        self.path.clear();
        let mut node = self.evaluator.enter(game.start());
        self.path.push(node.key());
        for &mv in game.moves() {
            node = node.make(mv, &self.evaluator);
            if node.clock() == 0 {
                self.path.clear();
            }
            self.path.push(node.key());
        }
        self.root_at = self.path.len() - 1;
        // Entered once more for its phase; the count of the fifty-move rule is that of the game.
        self.evaluator.enter(game.position())
    }

    /// One iteration: the score, and the best line so far in `choice`, also if it is broken off.
    fn iterate(&mut self, root: &Node, depth: u32, choice: &mut Choice) -> Score {
        self.iteration = depth as usize;
        self.deepest = 0;
        let mut half = if depth > OPEN_ITERATIONS { HALF_WINDOW } else { INFINITE };
        let (mut alpha, mut beta) = around(choice.score, half);
        loop {
            let mut line = Line::new();
            let score = self.search(root, depth as i32, 0, (alpha, beta), false, &mut line);
            if !line.is_empty() {
                choice.line = line.to_vec();
                if self.stopped {
                    return choice.score;
                }
            }
            if self.stopped || (score > alpha && score < beta) {
                return score;
            }
            half = half.saturating_mul(3);
            match score <= alpha {
                true => alpha = around(score, half).0,
                false => beta = around(score, half).1,
            }
        }
    }

    fn report(&self, choice: &Choice) -> Report {
        Report {
            depth: choice.depth,
            deepest: self.deepest as u32 + 1,
            score: choice.score,
            nodes: self.nodes,
            elapsed: self.watch.elapsed(),
            fullness: self.hash.fullness(),
            line: choice.line.clone(),
        }
    }

    /// Whether another iteration would be of no use, or would come too late.
    fn is_enough(&self, limits: &Limits, score: Score, moves: usize) -> bool {
        let found = mate_in(score)
            .is_some_and(|mate| limits.mate.is_some_and(|wanted| mate.unsigned_abs() <= wanted));
        let forced = moves == 1 && limits.clock.is_some() && !self.signals.is_pondering();
        found || forced || !self.watch.has_time_for_more()
    }
}

/// The window around a score; a mate or half a window beyond all scores opens it.
fn around(score: Score, half: Score) -> (Score, Score) {
    if half >= 2_000 || mate_in(score).is_some() {
        return (-INFINITE, INFINITE);
    }
    ((score - half).max(-INFINITE), (score + half).min(INFINITE))
}
