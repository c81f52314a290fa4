//! Alpha-beta with principal variations: one node, and what its search decides.

use std::time::Duration;

use arrayvec::ArrayVec;

use super::{
    MAX_PLY,
    clock::Signals,
    hash::{Bound, Entry, HashTable},
    limits::Limits,
    order::{MoveHistory, MovePicker},
    score::{DRAW, INFINITE, Score, clamped, from_hash, is_mate, mated_at, to_hash},
    stop::StopCondition,
};
use crate::position::{CompactMove, Evaluation, Evaluator, Node};

/// A line of play.
pub(super) type Line = ArrayVec<CompactMove, MAX_PLY>;

/// Plies from which a null move is tried.
const NULL_MOVE_DEPTH: i32 = 3;

/// Plies that a null move saves.
const NULL_MOVE_REDUCTION: i32 = 3;

/// Plies from which late moves are searched less deep.
const REDUCTION_DEPTH: i32 = 3;

/// Plies from which a node without a hash move is searched one ply less deep.
const IIR_DEPTH: i32 = 5;

/// The searcher: a player's hash table, move history and evaluation. One for each thread.
pub struct Searcher {
    pub(super) evaluator: Evaluator,
    pub(super) hash: HashTable,
    pub(super) move_history: MoveHistory,
    /// Keys of the positions of the game and of the line being searched, as far as they can come again.
    pub(super) path: Vec<u64>,
    /// Index of the root in the path.
    pub(super) root_at: usize,
    /// Plies of the running iteration.
    pub(super) iteration: usize,
    /// Moves of the root that are left out.
    pub(super) excluded: Vec<CompactMove>,
    pub(super) stop_condition: StopCondition,
    pub(super) signals: Signals,
    pub(super) overhead: Duration,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Plies of the longest line.
    pub(super) selective_depth: usize,
    pub(super) stopped: bool,
    reductions: Box<[[i32; 64]; 64]>,
}

impl Searcher {
    /// A searcher with a hash table of so many megabytes.
    pub fn new(evaluation: &Evaluation, megabytes: usize) -> Searcher {
        let signals = Signals::default();
        Searcher {
            evaluator: Evaluator::new(evaluation),
            hash: HashTable::new(megabytes),
            move_history: MoveHistory::new(),
            path: Vec::new(),
            root_at: 0,
            iteration: 0,
            excluded: Vec::new(),
            stop_condition: StopCondition::new(&Limits::default(), Duration::ZERO, signals.clone()),
            signals,
            overhead: Duration::ZERO,
            nodes: 0,
            selective_depth: 0,
            stopped: false,
            reductions: reductions(),
        }
    }

    /// The signals that this searcher obeys.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Forgets all games.
    pub fn new_game(&mut self) {
        self.hash.clear();
        self.move_history.clear();
    }

    /// Plays with other weights from now on.
    pub fn set_evaluation(&mut self, evaluation: &Evaluation) {
        self.evaluator = Evaluator::new(evaluation);
        self.new_game();
    }

    /// Changes the size of the hash table, which is then empty.
    pub fn set_hash(&mut self, megabytes: usize) {
        // The old one goes first: there may not be room for both.
        self.hash = HashTable::new(super::SMALLEST_HASH);
        self.hash = HashTable::new(megabytes);
    }

    /// Time that may pass unseen between the clock of the game and the search.
    pub fn set_overhead(&mut self, overhead: Duration) {
        self.overhead = overhead;
    }

    /// Counts a position, and says whether the search is to be broken off before it.
    #[inline]
    pub(super) fn enter_node(&mut self, ply: usize) -> bool {
        if self.stopped || self.stop_condition.must_stop(self.nodes) {
            self.stopped = true;
            return true;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        false
    }

    /// Score of a node from its side to move, fail-soft in the window; `line` becomes the best line below.
    /// Means nothing once the search is stopped.
    pub(super) fn search(
        &mut self,
        node: &Node,
        depth: i32,
        ply: usize,
        window: (Score, Score),
        allow_null: bool,
        line: &mut Line,
    ) -> Score {
        line.clear();
        if ply > 0 && self.is_draw(node) {
            return DRAW;
        }
        let check = node.is_check();
        // A check is answered before anything is judged, within reason.
        let depth = if check && ply < 2 * self.iteration { depth + 1 } else { depth };
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiesce(node, ply, 0, window);
        }
        if self.enter_node(ply) {
            return DRAW;
        }
        // Nothing here beats a mate that is nearer the root.
        let (alpha, beta) = (window.0.max(mated_at(ply)), window.1.min(-mated_at(ply + 1)));
        if alpha >= beta {
            return alpha;
        }
        let is_scout = beta - alpha == 1;
        let known = self.probe(node, ply);
        if let Some(entry) =
            known.filter(|entry| is_scout && ply > 0 && entry.gives_cutoff(depth, alpha, beta))
        {
            return entry.score;
        }
        if is_scout && allow_null && !check && self.null_move_fails_high(node, depth, ply, beta) {
            return beta;
        }
        let hash_move = known.map_or(CompactMove::NONE, |entry| entry.best);
        let without_hash_move = ply > 0 && hash_move == CompactMove::NONE && depth >= IIR_DEPTH;
        let depth = if without_hash_move { depth - 1 } else { depth };
        self.search_moves(node, depth, ply, (alpha, beta), hash_move, line)
    }

    /// What the hash table has of a node, with mates counted from the root.
    #[inline]
    pub(super) fn probe(&self, node: &Node, ply: usize) -> Option<Entry> {
        self.hash.get(node.key()).map(|entry| Entry { score: from_hash(entry.score, ply), ..entry })
    }

    /// Notes in the hash table what was found of a node.
    #[inline]
    pub(super) fn store(
        &mut self,
        node: &Node,
        ply: usize,
        depth: i32,
        window: (Score, Score),
        found: (Score, CompactMove),
    ) {
        let (score, best) = found;
        let bound = if score >= window.1 {
            Bound::Lower
        } else if score > window.0 {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.hash.put(node.key(), Entry { best, score: to_hash(score, ply), depth, bound });
    }

    /// Whether the side to move stands so well that even a second move of the enemy would not help him.
    fn null_move_fails_high(&mut self, node: &Node, depth: i32, ply: usize, beta: Score) -> bool {
        // With a minor piece at most it may be a blessing to pass.
        if depth < NULL_MOVE_DEPTH
            || is_mate(beta)
            || !node.has_major_or_two_minors()
            || self.evaluate(node) < beta
        {
            return false;
        }
        let depth = depth - 1 - NULL_MOVE_REDUCTION - depth / 6;
        let child = node.make_null_move();
        self.path.push(child.key());
        let score = -self.search(&child, depth, ply + 1, (-beta, 1 - beta), false, &mut Line::new());
        self.path.pop();
        score >= beta && !self.stopped
    }

    /// Searches the moves of a node.
    fn search_moves(
        &mut self,
        node: &Node,
        depth: i32,
        ply: usize,
        window: (Score, Score),
        hash_move: CompactMove,
        line: &mut Line,
    ) -> Score {
        let (mut alpha, beta) = window;
        let mut moves = node.legal_moves();
        if moves.is_empty() {
            return if node.is_check() { mated_at(ply) } else { DRAW };
        }
        if ply == 0 {
            moves.retain(|mv| !self.excluded.contains(mv));
        }
        let mut best = (-INFINITE, CompactMove::NONE);
        let mut quiet = ArrayVec::<CompactMove, 64>::new();
        let mut below = Line::new();
        for (number, mv) in MovePicker::all(&moves, node, &self.move_history, ply, hash_move).enumerate() {
            let score = self.search_move(node, mv, number, depth, ply, (alpha, beta), &mut below);
            if self.stopped {
                return best.0;
            }
            if score > best.0 {
                best.0 = score;
                if score > alpha {
                    (alpha, best.1) = (score, mv);
                    set_line(line, mv, &below);
                }
            }
            let is_quiet = !node.is_noisy(mv);
            if score >= beta {
                if is_quiet {
                    self.move_history.record_cutoff(node.us(), ply, depth, mv, &quiet);
                }
                break;
            }
            if is_quiet {
                // After so many failures one more has nothing to teach.
                let _ = quiet.try_push(mv);
            }
        }
        // A root with moves left out would mislead a later search.
        if ply > 0 || self.excluded.is_empty() {
            self.store(node, ply, depth, window, best);
        }
        best.0
    }

    /// Score of one move. The first gets the window; the others need only be shown not to be better, late
    /// quiet ones less deep, and are searched again if that fails.
    #[expect(clippy::too_many_arguments, reason = "the state of one node of the recursion")]
    fn search_move(
        &mut self,
        node: &Node,
        mv: CompactMove,
        number: usize,
        depth: i32,
        ply: usize,
        (alpha, beta): (Score, Score),
        below: &mut Line,
    ) -> Score {
        let child = node.make(mv, &self.evaluator);
        self.path.push(child.key());
        let mut score = INFINITE;
        let reduction = self.reduction(node, &child, mv, number, depth, ply);
        if reduction > 0 {
            let window = (-alpha - 1, -alpha);
            score = -self.search(&child, depth - 1 - reduction, ply + 1, window, true, below);
        }
        let is_first = number == 0;
        if score > alpha && !is_first {
            score = -self.search(&child, depth - 1, ply + 1, (-alpha - 1, -alpha), true, below);
        }
        if is_first || (score > alpha && score < beta) {
            score = -self.search(&child, depth - 1, ply + 1, (-beta, -alpha), true, below);
        }
        self.path.pop();
        score
    }

    /// Plies that a late move is searched less deep.
    fn reduction(
        &self,
        node: &Node,
        child: &Node,
        mv: CompactMove,
        number: usize,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let is_late = depth >= REDUCTION_DEPTH && number >= 3;
        if !is_late || node.is_noisy(mv) || node.is_check() || child.is_check() {
            return 0;
        }
        let base = self.reductions[(depth as usize).min(63)][number.min(63)];
        let killer = i32::from(self.move_history.is_killer(ply, mv));
        let history = self.move_history.history(node.us(), mv) / 6144;
        (base - killer - history).clamp(0, depth - 2)
    }

    /// Whether the game is drawn here, as far as the search is concerned: a position that came before in
    /// the line counts at once, one from the game only the second time.
    fn is_draw(&self, node: &Node) -> bool {
        if node.is_insufficient_material() || self.repeats(node) {
            return true;
        }
        node.halfmove_clock() >= 100 && (!node.is_check() || !node.legal_moves().is_empty())
    }

    fn repeats(&self, node: &Node) -> bool {
        let here = self.path.len() - 1;
        let first = here.saturating_sub(node.halfmove_clock() as usize);
        let earlier = (first..here).rev().skip(1).step_by(2).filter(|&at| self.path[at] == node.key());
        let mut seen = 0;
        for at in earlier {
            seen += 1;
            if at > self.root_at || seen == 2 {
                return true;
            }
        }
        false
    }

    #[inline]
    pub(super) fn evaluate(&mut self, node: &Node) -> Score {
        clamped(self.evaluator.evaluate(node))
    }
}

/// `line` becomes a move and what follows it.
fn set_line(line: &mut Line, mv: CompactMove, below: &Line) {
    line.clear();
    line.push(mv);
    line.extend(below.iter().copied().take(MAX_PLY - 1));
}

/// Plies by depth and number of the move: the product of the logarithms, as is usual.
fn reductions() -> Box<[[i32; 64]; 64]> {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, plies) in row.iter_mut().enumerate().skip(1) {
            *plies = (0.6 + (depth as f64).ln() * (number as f64).ln() / 2.2) as i32;
        }
    }
    table
}
