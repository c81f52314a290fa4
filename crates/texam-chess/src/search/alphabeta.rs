//! The fast search: the same values and leaves as [`minimax`](super::minimax), with far fewer nodes.
//!
//! The search has two steps. The first finds the *value* of a move by alpha-beta with move ordering and a
//! transposition table. The second, made only where the leaf is needed, finds the *leaf*: from the root of
//! the line down, it takes the first move in canonical order that has the value of the node, tested by
//! zero-window searches. So move ordering and tables cannot change the leaf.
//!
//! For a fit the window of the first step is the bound around E_x: a move that is not in bound needs a bound
//! of its value only.

use std::sync::Arc;

use shakmaty::{Chess, Position};

use super::{
    Leaf, Line, MoveLeaf, RootKind, SearchedMoves, Settings, Threshold,
    choose::{RootMoves, choose},
    hints::{HintTable, MoveHints},
    order::StagedMoves,
    transposition::TranspositionTable,
};
use crate::{
    feature::{Extras, Quantised},
    position::{
        CompactMove,
        board::Board,
        canonical_moves,
        movegen::{self, CheckInfo, Moves},
        tables::{Caches, Tables},
    },
    value::{INFINITE, UNIT, Value, mated_at},
};

/// Tables computed from weights for a search. Clones share them; all threads of a pass use the same.
#[derive(Clone)]
pub struct Prepared {
    settings: Settings,
    pub(super) tables: Arc<Tables>,
}

impl Prepared {
    /// Computes the tables of a set of weights.
    pub fn new(settings: Settings, weights: &Quantised) -> Prepared {
        Prepared { settings, tables: Arc::new(Tables::new(weights, settings.phase, settings.phase_at)) }
    }
}

/// The fast searcher. Each thread has its own.
///
/// ```
/// use texam_chess::{feature::Weights, fen, search::{Settings, alphabeta::{AlphaBeta, Prepared}, minimax::Minimax}};
///
/// let position = fen::parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?;
/// let (settings, weights) = (Settings { depth: 2, ..Settings::default() }, Weights::start().quantised());
/// let moves = AlphaBeta::new(&Prepared::new(settings, &weights)).all_moves(&position);
/// let best = moves.iter().max_by_key(|found| found.leaf.value).unwrap();
/// assert_eq!(best.mv.to_string(), "d1d8"); // mate
/// assert_eq!(moves, Minimax::new(settings, &weights).all_moves(&position));
/// # Ok::<(), texam_chess::Error>(())
/// ```
pub struct AlphaBeta {
    pub(super) settings: Settings,
    pub(super) tables: Arc<Tables>,
    caches: Caches,
    pub(super) transpositions: TranspositionTable,
    /// Two killer moves by ply.
    killers: [[CompactMove; 2]; 8],
    /// Points of moves that were best in their node, by colour, origin and target.
    history: Box<[[i32; 4096]; 2]>,
    /// Countermoves: the last move that was best after a move, by the colour that replies.
    countermoves: Box<[[CompactMove; 4096]; 2]>,
    /// Moves from the root to the current node, by ply.
    pub(super) path: [CompactMove; 8],
    root_phase: u16,
    /// Best moves of the last search of this root, updated by the current one.
    hints: HintTable,
    /// Nodes visited.
    pub nodes: u64,
}

/// Value of a move in relation to the bound around E_x.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoundedValue {
    /// Above the bound; the exact value is unknown.
    Above,
    /// In bound, with the exact leaf.
    Inside(Leaf),
    /// Below the bound; the exact value is unknown.
    Below,
}

/// A root whose moves are searched.
struct AtRoot<'a> {
    searcher: &'a mut AlphaBeta,
    board: &'a Board,
}

impl RootMoves for AtRoot<'_> {
    fn value(&mut self, mv: CompactMove, alpha: Value, beta: Value) -> Value {
        self.searcher.value(self.board, mv, alpha, beta)
    }

    fn leaf(&mut self, mv: CompactMove, value: Value) -> Leaf {
        self.searcher.leaf_after(self.board, mv, value)
    }
}

impl AlphaBeta {
    /// A searcher with these weights.
    pub fn new(prepared: &Prepared) -> AlphaBeta {
        AlphaBeta {
            settings: prepared.settings,
            tables: Arc::clone(&prepared.tables),
            caches: Caches::new(),
            transpositions: TranspositionTable::new(),
            killers: Default::default(),
            history: Box::new([[0; 4096]; 2]),
            countermoves: Box::new([[CompactMove::NONE; 4096]; 2]),
            path: [CompactMove::NONE; 8],
            root_phase: 0,
            hints: HintTable::new(),
            nodes: 0,
        }
    }

    /// The optional features that are on in the weights.
    pub fn extras(&self) -> Extras {
        self.tables.extras
    }

    /// Every legal move with its exact leaf, in canonical order.
    pub fn all_moves(&mut self, root: &Chess) -> Vec<MoveLeaf> {
        let board = self.set_root(root, &MoveHints::default());
        let moves = canonical_moves(root).into_iter().map(CompactMove::from);
        let exact = |mv| {
            let value = self.value(&board, mv, -INFINITE, INFINITE);
            MoveLeaf { mv, leaf: self.leaf_after(&board, mv, value) }
        };
        moves.map(exact).collect()
    }

    /// The leaf that gives the value of the root.
    pub fn root(&mut self, root: &Chess, kind: RootKind) -> Leaf {
        let board = self.set_root(root, &MoveHints::default());
        self.root_leaf(root, &board, kind)
    }

    /// The leaf of the root, and every legal move in canonical order with its value in relation to the bound.
    pub fn bounded_moves(
        &mut self,
        root: &Chess,
        kind: RootKind,
        threshold: Threshold,
    ) -> (Leaf, Vec<(CompactMove, BoundedValue)>) {
        let board = self.set_root(root, &MoveHints::default());
        let before = self.root_leaf(root, &board, kind);
        let moves = canonical_moves(root).into_iter().map(CompactMove::from);
        let mut at_root = AtRoot { searcher: self, board: &board };
        let bounded = moves.map(|mv| (mv, at_root.bounded(mv, before.value, threshold))).collect();
        (before, bounded)
    }

    /// Searches a choice in which `played` was the played move.
    pub fn search_choice(
        &mut self,
        root: &Chess,
        played: CompactMove,
        kind: RootKind,
        threshold: Threshold,
    ) -> SearchedMoves {
        self.search_choice_with_hints(root, played, kind, threshold, &mut MoveHints::default())
    }

    /// As [`search_choice`](Self::search_choice), with moves ordered by the best moves of an earlier search
    /// of the root, which are replaced by those of this search. The result is the same.
    pub fn search_choice_with_hints(
        &mut self,
        root: &Chess,
        played: CompactMove,
        kind: RootKind,
        threshold: Threshold,
        hints: &mut MoveHints,
    ) -> SearchedMoves {
        let board = self.set_root(root, hints);
        let before = self.root_leaf(root, &board, kind);
        let all = canonical_moves(root).into_iter().map(CompactMove::from);
        let moves = choose(&mut AtRoot { searcher: self, board: &board }, before, all, played, threshold);
        *hints = self.hints.save();
        moves
    }

    /// Prepares the search of a new root.
    pub(super) fn set_root(&mut self, root: &Chess, hints: &MoveHints) -> Board {
        self.transpositions.clear();
        self.hints.load(hints);
        self.killers = Default::default();
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.countermoves.iter_mut().for_each(|side| side.fill(CompactMove::NONE));
        let board = Board::new(root, &self.tables.sums);
        self.root_phase = self.tables.phase_of_board(&board);
        board
    }

    /// The leaf that gives the value of the root.
    fn root_leaf(&mut self, root: &Chess, board: &Board, kind: RootKind) -> Leaf {
        let mut line = Vec::new();
        let value = match kind {
            RootKind::Static => {
                let value = self.evaluate(board);
                return self.leaf(board, value, false, line);
            }
            RootKind::Quiescence => {
                let value = self.horizon(board, 0, -INFINITE, INFINITE);
                let (end, terminal) = self.follow_horizon(board, 0, value, &mut line);
                return self.leaf(&end, value, terminal, line);
            }
            RootKind::Search => self.best_value(root, board),
        };
        let (end, terminal) = self.follow(board, 0, value, &mut line);
        self.leaf(&end, value, terminal, line)
    }

    /// Value of the best move, from the view of the side to move at the root.
    fn best_value(&mut self, root: &Chess, board: &Board) -> Value {
        if board.is_insufficient_material() {
            return 0;
        }
        let mut best = if root.is_check() { mated_at(0) } else { 0 };
        let moves = canonical_moves(root);
        if !moves.is_empty() {
            best = -INFINITE;
        }
        for mv in moves {
            best = best.max(self.value(board, mv.into(), best, INFINITE));
        }
        best
    }

    /// Value of a root move from the view of the side that makes it, fail-soft in the window.
    fn value(&mut self, board: &Board, mv: CompactMove, alpha: Value, beta: Value) -> Value {
        let child = board.make(mv, &self.tables.sums);
        self.path[1] = mv;
        -self.search(&child, 1, -beta, -alpha)
    }

    /// The leaf of a root move whose value is known.
    fn leaf_after(&mut self, board: &Board, mv: CompactMove, value: Value) -> Leaf {
        let child = board.make(mv, &self.tables.sums);
        let mut line = vec![mv];
        let (end, terminal) = self.follow(&child, 1, -value, &mut line);
        self.leaf(&end, value, terminal, line)
    }

    /// A leaf with the value from the view of the side to move at the root.
    fn leaf(&mut self, end: &Board, value: Value, terminal: bool, line: Line) -> Leaf {
        let phase = self.tables.phase(end, self.root_phase);
        Leaf { value, line, placement: end.placement, phase, terminal }
    }

    #[inline]
    pub(super) fn evaluate(&mut self, board: &Board) -> Value {
        self.tables.evaluate(board, self.root_phase, &mut self.caches)
    }

    /// Value of a node above or at the horizon, from the view of its side to move, fail-soft in the window.
    pub(super) fn search(&mut self, board: &Board, ply: u32, alpha: Value, beta: Value) -> Value {
        if board.is_insufficient_material() {
            self.nodes += 1;
            return 0;
        }
        let key = TranspositionTable::key(board.key(), ply);
        let mut hint = CompactMove::NONE;
        if let Some(entry) = self.transpositions.get(key) {
            if let Some(value) = TranspositionTable::value_in_window(entry, alpha, beta) {
                return value;
            }
            hint = entry.best;
        }
        if ply == self.settings.depth {
            let value = self.horizon(board, ply, alpha, beta);
            self.transpositions.put(key, value, alpha, beta, hint);
            return value;
        }
        self.nodes += 1;
        let hinted = if hint == CompactMove::NONE { self.hints.get(key) } else { hint };
        let (value, best, at) = self.search_moves(board, ply, alpha, beta, hinted);
        // No hint is stored for a move that is tried first without one.
        if value > alpha && best != CompactMove::NONE && (at > 0 || best == hinted) {
            self.hints.put(key, best);
        }
        self.transpositions.put(key, value, alpha, beta, best);
        value
    }

    /// Searches the moves of an inner node. Returns the value, the best move or the one that caused a cutoff,
    /// and the number of moves tried before it.
    fn search_moves(
        &mut self,
        board: &Board,
        ply: u32,
        alpha: Value,
        beta: Value,
        hint: CompactMove,
    ) -> (Value, CompactMove, usize) {
        let checks = CheckInfo::new(board);
        let [first, second] = self.killers[ply as usize % 8];
        let countermove = self.countermoves[board.us()][self.path[ply as usize].butterfly_index()];
        let mut moves = StagedMoves::new([hint, countermove, first, second]);
        let mut at = 0;
        let mut best = (-INFINITE, CompactMove::NONE, 0);
        while let Some(mv) = moves.next(board, &checks, |mv| self.quiet_order(board, mv)) {
            let mut child = *board;
            child.play(mv, &self.tables.sums);
            self.path[ply as usize + 1] = mv;
            let floor = alpha.max(best.0);
            // Moves after the first are searched with a zero window, and again if they are better.
            let mut value = -INFINITE;
            let zero_window = at > 0 && beta - floor > 1;
            if zero_window {
                value = -self.search(&child, ply + 1, -floor - 1, -floor);
            }
            if !zero_window || (value > floor && value < beta) {
                value = -self.search(&child, ply + 1, -beta, -floor);
            }
            if value > best.0 {
                best = (value, mv, at);
                if value >= beta {
                    break;
                }
            }
            at += 1;
        }
        if best.1 == CompactMove::NONE {
            best.0 = if checks.checkers != 0 { mated_at(ply) } else { 0 };
        } else if best.0 > alpha {
            let weight = if best.0 < beta { EXACT } else { CUTOFF };
            self.record_best(board, ply, best.1, weight);
        }
        best
    }

    /// Score of a quiet move: its history, and the gain of its piece-square terms.
    fn quiet_order(&self, board: &Board, mv: CompactMove) -> i32 {
        HISTORY * self.history[board.us()][mv.butterfly_index()] + self.tables.square_gain(board, mv)
    }

    /// Updates killers, history and countermoves after the best move of a node was found.
    fn record_best(&mut self, board: &Board, ply: u32, mv: CompactMove, weight: i32) {
        let killers = &mut self.killers[ply as usize % 8];
        if killers[0] != mv {
            killers[1] = killers[0];
            killers[0] = mv;
        }
        self.history[board.us()][mv.butterfly_index()] += weight;
        self.countermoves[board.us()][self.path[ply as usize].butterfly_index()] = mv;
    }

    /// Value at the horizon: a draw, or the value of quiescence.
    pub(super) fn horizon(&mut self, board: &Board, ply: u32, alpha: Value, beta: Value) -> Value {
        let draw = board.is_insufficient_material()
            || (!movegen::any_legal_without_check(board) && board.checkers() == 0);
        if draw {
            self.nodes += 1;
            return 0;
        }
        if self.settings.quiescence {
            return self.quiesce(board, ply, 0, alpha, beta, self.path[ply as usize]);
        }
        self.nodes += 1;
        if movegen::any_legal(board) { self.evaluate(board) } else { mated_at(ply) }
    }

    /// Appends to `line` the canonical line from a node whose value, from the view of its side to move, is
    /// known. Returns the leaf, and whether it is terminal.
    fn follow(&mut self, board: &Board, ply: u32, value: Value, line: &mut Line) -> (Board, bool) {
        if board.is_insufficient_material() {
            return (*board, true);
        }
        if ply == self.settings.depth {
            return self.follow_horizon(board, ply, value, line);
        }
        let mut moves = Moves::new();
        movegen::legal(board, &CheckInfo::new(board), &mut moves);
        if moves.is_empty() {
            return (*board, true);
        }
        moves.sort_unstable_by_key(|mv| mv.canonical(board.placement.turn));
        for &mv in &moves {
            let child = board.make(mv, &self.tables.sums);
            if -self.search(&child, ply + 1, -value, 1 - value) >= value {
                line.push(mv);
                return self.follow(&child, ply + 1, -value, line);
            }
        }
        unreachable!("the value of a node is that of one of its moves")
    }

    /// [`Self::follow`] from a node at the horizon.
    fn follow_horizon(&mut self, board: &Board, ply: u32, value: Value, line: &mut Line) -> (Board, bool) {
        if board.is_insufficient_material() || !movegen::any_legal(board) {
            return (*board, true);
        }
        if self.settings.quiescence {
            self.follow_quiescence(board, ply, 0, value, line)
        } else {
            (*board, false)
        }
    }
}

/// What a point of history counts for the order of a quiet move, in 1/128 pawn.
const HISTORY: i32 = 16;

/// Points of history for the best move of a node of exact value.
const EXACT: i32 = 4;

/// Points of history for a move that caused a cutoff.
const CUTOFF: i32 = 1;

/// The threshold of 1988: half a pawn, in 1/65536 unit.
pub const HALF_PAWN: Value = 64 * UNIT;
