//! Principal variation search (PVS): the recursion over the nodes, null move pruning and late move
//! reductions.
//!
//! All constants here are plies, counts of moves or entries of the history. None is a margin in units of
//! 1/128 pawn, so the search does not favour sets of weights with small or large values. All are hand-set;
//! none has been tuned.

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
use texam_chess::position::{CompactMove, Evaluation, Evaluator, Node};

/// A line of moves.
pub(super) type Line = ArrayVec<CompactMove, MAX_PLY>;

/// Smallest remaining depth at which a null move is tried, in plies. Below it a
/// node costs too little for a null move to save much.
const NULL_MOVE_DEPTH: i32 = 3;

/// Reduction of the search after a null move, in plies, to which a sixth of the depth is added. 3 is a common
/// choice; larger values are faster and miss deeper threats.
const NULL_MOVE_REDUCTION: i32 = 3;

/// The reduction after a null move grows by one ply for this many plies of depth.
const NULL_MOVE_DEPTH_DIVISOR: i32 = 6;

/// Smallest remaining depth of late move reductions, in plies: at depth 2 a reduced move would go straight to
/// quiescence.
const REDUCTION_DEPTH: i32 = 3;

/// The first three moves of a node are never reduced: they are mostly the hash move, good captures and
/// killers.
const UNREDUCED_MOVES: usize = 3;

/// One ply of reduction less (or more) for each of these in the history of the move. With a limit of 16,384
/// for the history, a move gains or loses at most two plies.
const HISTORY_PER_PLY: i32 = 6144;

/// Constant and divisor of the table of reductions, in plies: `0.6 + ln(depth) ln(number) / 2.2`. The product
/// of the logarithms is the usual form. A smaller divisor reduces more.
const REDUCTION_BASE: f64 = 0.6;
const REDUCTION_DIVISOR: f64 = 2.2;

/// Half-moves without a capture or a pawn move after which the game is a draw.
const FIFTY_MOVES: u32 = 100;

/// Smallest remaining depth of internal iterative reduction (IIR), in plies: a node without a hash move is
/// searched one ply less deep, since its moves are badly ordered. The next iteration usually has one.
const IIR_DEPTH: i32 = 5;

/// A searcher: evaluation, hash table and move history of one player.
pub struct Searcher {
    pub(super) evaluator: Evaluator,
    pub(super) hash: HashTable,
    pub(super) move_history: MoveHistory,
    /// Hash keys of the positions of the game since the last irreversible move, and of the line being
    /// searched.
    pub(super) path: Vec<u64>,
    /// Index of the root in `path`.
    pub(super) root_at: usize,
    /// Depth of the current iteration, in plies.
    pub(super) iteration: usize,
    /// Root moves that are not to be searched.
    pub(super) excluded: Vec<CompactMove>,
    /// Number of lines to search (`MultiPV` of UCI).
    pub(super) lines: usize,
    /// Hash table and move history of the lines after the first, if there are more: the first is searched as
    /// if it were alone.
    pub(super) of_others: Option<(HashTable, MoveHistory)>,
    pub(super) stop_condition: StopCondition,
    pub(super) signals: Signals,
    pub(super) overhead: Duration,
    /// Nodes visited since the search began.
    pub(super) nodes: u64,
    /// Plies of the longest line.
    pub(super) selective_depth: usize,
    pub(super) stopped: bool,
    reductions: Box<[[i32; 64]; 64]>,
}

impl Searcher {
    /// A searcher with a hash table of this size, in megabytes.
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
            lines: 1,
            of_others: None,
            stop_condition: StopCondition::new(&Limits::default(), Duration::ZERO, signals.clone()),
            signals,
            overhead: Duration::ZERO,
            nodes: 0,
            selective_depth: 0,
            stopped: false,
            reductions: reductions(),
        }
    }

    /// The signals that stop this searcher.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Clears the hash table and the move history.
    pub fn new_game(&mut self) {
        self.hash.clear();
        self.move_history.clear();
        if let Some((hash, move_history)) = &mut self.of_others {
            hash.clear();
            move_history.clear();
        }
    }

    /// Replaces the weights, and clears what was computed with the old ones.
    pub fn set_evaluation(&mut self, evaluation: &Evaluation) {
        self.evaluator = Evaluator::new(evaluation);
        self.new_game();
    }

    /// Replaces the hash table by an empty one of this size, in megabytes, or of a smaller one if there is
    /// not enough memory. Returns its size.
    pub fn set_hash(&mut self, megabytes: usize) -> usize {
        // The old table is freed first, since there may not be memory for both.
        self.of_others = None;
        self.hash = HashTable::new(super::SMALLEST_HASH);
        self.hash = HashTable::new(megabytes);
        self.set_lines(self.lines).min(self.hash.megabytes())
    }

    /// Sets the number of lines to search. More than one need a second hash table; returns the size of the
    /// smaller, in megabytes.
    pub fn set_lines(&mut self, lines: usize) -> usize {
        self.lines = lines;
        let megabytes = self.hash.megabytes();
        self.of_others = (lines > 1).then(|| (HashTable::new(megabytes), MoveHistory::new()));
        self.of_others.as_ref().map_or(megabytes, |(hash, _)| hash.megabytes())
    }

    /// Sets the delay for each move between the clock of the game and the search.
    pub fn set_overhead(&mut self, overhead: Duration) {
        self.overhead = overhead;
    }

    /// Counts a node. Returns true, without counting, if the search must stop.
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

    /// Score of a node from the view of its side to move, fail-soft in the window. `line` is set to the best
    /// line from here. The score is meaningless once the search is stopped.
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
        // Check extension, up to twice the depth of the iteration, so that a series of checks ends.
        let depth = if check && ply < 2 * self.iteration { depth + 1 } else { depth };
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiesce(node, ply, 0, window);
        }
        if self.enter_node(ply) {
            return DRAW;
        }
        // Mate distance pruning: no score from here is better than a mate nearer the root.
        let (alpha, beta) = (window.0.max(mated_at(ply)), window.1.min(-mated_at(ply + 1)));
        if alpha >= beta {
            return alpha;
        }
        let is_zero_window = beta - alpha == 1;
        let stored = self.probe(node, ply);
        if let Some(entry) =
            stored.filter(|entry| is_zero_window && ply > 0 && entry.gives_cutoff(depth, alpha, beta))
        {
            return entry.score;
        }
        if is_zero_window && allow_null && !check && self.null_move_fails_high(node, depth, ply, beta) {
            return beta;
        }
        let hash_move = stored.map_or(CompactMove::NONE, |entry| entry.best);
        let without_hash_move = ply > 0 && hash_move == CompactMove::NONE && depth >= IIR_DEPTH;
        let depth = if without_hash_move { depth - 1 } else { depth };
        self.search_moves(node, depth, ply, (alpha, beta), hash_move, line)
    }

    /// The entry of the hash table for a node, with mates counted from the root.
    #[inline]
    pub(super) fn probe(&self, node: &Node, ply: usize) -> Option<Entry> {
        self.hash.get(node.key()).map(|entry| Entry { score: from_hash(entry.score, ply), ..entry })
    }

    /// Stores a score and best move in the hash table.
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

    /// Null move pruning: whether the score stays at or above `beta` when the opponent moves twice in a row.
    fn null_move_fails_high(&mut self, node: &Node, depth: i32, ply: usize, beta: Score) -> bool {
        // Null move is unsound in zugzwang, which is frequent with at most one minor piece beside the pawns.
        if depth < NULL_MOVE_DEPTH
            || is_mate(beta)
            || !node.has_major_or_two_minors()
            || self.evaluate(node) < beta
        {
            return false;
        }
        let depth = depth - 1 - NULL_MOVE_REDUCTION - depth / NULL_MOVE_DEPTH_DIVISOR;
        let child = node.make_null_move();
        self.path.push(child.key());
        let score = -self.search(&child, depth, ply + 1, (-beta, 1 - beta), false, &mut Line::new());
        self.path.pop();
        score >= beta && !self.stopped
    }

    /// Searches the moves of a node and returns the best score.
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
                // A node rarely has more than 64 quiet moves; further ones just keep their history.
                let _ = quiet.try_push(mv);
            }
        }
        // The result of a root with excluded moves would be wrong for a later search of all moves.
        if ply > 0 || self.excluded.is_empty() {
            self.store(node, ply, depth, window, best);
        }
        best.0
    }

    /// Score of one move. The first move is searched with the full window. The others are first searched with
    /// a zero window, late quiet ones at reduced depth, and searched again if they turn out better than
    /// `alpha`.
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

    /// Late move reduction (LMR), in plies. Captures, promotions, checks and answers to checks are not
    /// reduced; killers and moves with a good history less than others.
    fn reduction(
        &self,
        node: &Node,
        child: &Node,
        mv: CompactMove,
        number: usize,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let is_late = depth >= REDUCTION_DEPTH && number >= UNREDUCED_MOVES;
        if !is_late || node.is_noisy(mv) || node.is_check() || child.is_check() {
            return 0;
        }
        let base = self.reductions[(depth as usize).min(63)][number.min(63)];
        let killer = i32::from(self.move_history.is_killer(ply, mv));
        let history = self.move_history.history(node.us(), mv) / HISTORY_PER_PLY;
        (base - killer - history).clamp(0, depth - 2)
    }

    /// Whether the search scores the node as a draw: insufficient material, repetition or fifty moves. A mate
    /// on the hundredth half-move counts before the draw.
    fn is_draw(&self, node: &Node) -> bool {
        if node.is_insufficient_material() || self.repeats(node) {
            return true;
        }
        node.halfmove_clock() >= FIFTY_MOVES && (!node.is_check() || !node.legal_moves().is_empty())
    }

    /// Whether the position is a repetition. One repetition of a position below the root is enough, since the
    /// side that wants the draw could repeat again; a position of the game up to the root must have occurred
    /// twice.
    fn repeats(&self, node: &Node) -> bool {
        let here = self.path.len() - 1;
        let first = here.saturating_sub(node.halfmove_clock() as usize);
        let earlier = (first..here).rev().skip(1).step_by(2).filter(|&at| self.path[at] == node.key());
        let mut occurrences = 0;
        for at in earlier {
            occurrences += 1;
            if at > self.root_at || occurrences == 2 {
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

/// Sets `line` to a move followed by the line below it.
fn set_line(line: &mut Line, mv: CompactMove, below: &Line) {
    line.clear();
    line.push(mv);
    line.extend(below.iter().copied().take(MAX_PLY - 1));
}

/// Late move reductions in plies, by remaining depth and number of the move.
fn reductions() -> Box<[[i32; 64]; 64]> {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, plies) in row.iter_mut().enumerate().skip(1) {
            *plies = (REDUCTION_BASE + libm::log(depth as f64) * libm::log(number as f64) / REDUCTION_DIVISOR)
                as i32;
        }
    }
    table
}
