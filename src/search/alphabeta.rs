//! The fast search: the same values and leaves as [`minimax`](super::minimax), with far fewer nodes.
//!
//! Two steps, apart. First the *value* of a move is found by alpha-beta, in whatever order refutes soonest
//! and with the help of tables. Then, only where it is wanted, the *leaf* is found by following the value:
//! at each node, the first move in canonical order that is worth it, each tried with a window that asks no
//! more than "is it at least this?". So nothing that speeds up the first step can touch the leaf.
//!
//! For a fit, the bound around E_x does the rest: a move outside needs one refutation only.

use std::sync::Arc;

use shakmaty::{Chess, Position};

use super::{
    Leaf, MoveLeaf, RootKind, SearchedMoves, Settings, Threshold,
    hints::{HintTable, MoveHints},
    order::{MovePicker, capture_order},
    transposition::TranspositionTable,
};
use crate::{
    feature::{Extras, Quantised},
    position::{
        CompactMove,
        board::{Board, EMPTY},
        canonical_moves,
        movegen::{self, CheckInfo, Moves},
        tables::{Caches, Tables},
    },
    value::{INFINITE, UNIT, Value, is_mate, mated_at},
};

/// Weights made ready for searching; shared by all threads of a pass.
#[derive(Clone)]
pub struct Prepared {
    settings: Settings,
    tables: Arc<Tables>,
}

impl Prepared {
    /// Computes the tables.
    pub fn new(settings: Settings, weights: &Quantised) -> Prepared {
        Prepared { settings, tables: Arc::new(Tables::new(weights, settings.phase, settings.phase_at)) }
    }
}

/// The fast searcher; one for each thread.
pub struct AlphaBeta {
    settings: Settings,
    pub(super) tables: Arc<Tables>,
    caches: Caches,
    pub(super) transpositions: TranspositionTable,
    killers: [[CompactMove; 2]; 8],
    history: Box<[[i32; 4096]; 2]>,
    /// The move that refuted a move, by colour of the refuter and by the move refuted.
    countermoves: Box<[[CompactMove; 4096]; 2]>,
    /// Moves that lead to the node being searched, by ply.
    path: [CompactMove; 8],
    root_phase: u16,
    /// Moves that the last search of this root found best, and this one.
    hints: HintTable,
    /// Positions visited.
    pub nodes: u64,
}

/// A move seen through the bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoundedValue {
    /// Better than the bound allows.
    Above,
    /// In bound, exactly.
    Inside(Leaf),
    /// Worse than the bound allows.
    Below,
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

    /// The optional features that the weights have on.
    pub fn extras(&self) -> Extras {
        self.tables.extras
    }

    /// Every legal move with its exact leaf, in canonical order.
    pub fn all_moves(&mut self, root: &Chess) -> Vec<MoveLeaf> {
        let board = self.set_root(root, &MoveHints::default());
        let moves = canonical_moves(root).into_iter().map(CompactMove::from);
        moves.map(|mv| MoveLeaf { mv, leaf: self.exact(&board, mv) }).collect()
    }

    /// The leaf that stands for the root itself.
    pub fn root(&mut self, root: &Chess, kind: RootKind) -> Leaf {
        let board = self.set_root(root, &MoveHints::default());
        self.root_leaf(root, &board, kind)
    }

    /// Every legal move as a fit sees it, in canonical order: exact in bound, no more than a side outside.
    pub fn bounded_moves(
        &mut self,
        root: &Chess,
        kind: RootKind,
        threshold: Threshold,
    ) -> (Leaf, Vec<(CompactMove, BoundedValue)>) {
        let board = self.set_root(root, &MoveHints::default());
        let before = self.root_leaf(root, &board, kind);
        let moves = canonical_moves(root).into_iter().map(CompactMove::from);
        let bounded = moves.map(|mv| (mv, self.bounded(&board, mv, before.value, threshold)));
        let bounded = bounded.collect();
        (before, bounded)
    }

    /// What a fit needs to know of the position in which `played` was chosen.
    pub fn search_choice(
        &mut self,
        root: &Chess,
        played: CompactMove,
        kind: RootKind,
        threshold: Threshold,
    ) -> SearchedMoves {
        self.search_choice_with_hints(root, played, kind, threshold, &mut MoveHints::default())
    }

    /// As [`search_choice`](Self::search_choice), with moves ordered by the best moves of an earlier search of the root, which are
    /// replaced by those of this search. The result is the same.
    pub fn search_choice_with_hints(
        &mut self,
        root: &Chess,
        played: CompactMove,
        kind: RootKind,
        threshold: Threshold,
        hints: &mut MoveHints,
    ) -> SearchedMoves {
        let board = self.set_root(root, hints);
        let moves = self.search_choice_at(root, &board, played, kind, threshold);
        *hints = self.hints.save();
        moves
    }

    fn search_choice_at(
        &mut self,
        root: &Chess,
        board: &Board,
        played: CompactMove,
        kind: RootKind,
        threshold: Threshold,
    ) -> SearchedMoves {
        let before = self.root_leaf(root, board, kind);
        let all: Vec<_> = canonical_moves(root).into_iter().map(CompactMove::from).collect();
        let legal = all.len() as u32;
        let others = all.into_iter().filter(|&mv| mv != played);
        let chosen = match is_mate(before.value) {
            true => BoundedValue::Below,
            false => self.bounded(board, played, before.value, threshold),
        };
        let mut moves = SearchedMoves { root: before, legal, ahead: 0, tied: 0, kept: Vec::new() };
        match chosen {
            BoundedValue::Inside(leaf) => {
                let value = leaf.value;
                moves.kept.push(MoveLeaf { mv: played, leaf });
                for mv in others {
                    match self.bounded(board, mv, moves.root.value, threshold) {
                        BoundedValue::Above => moves.ahead += 1,
                        BoundedValue::Below => {}
                        BoundedValue::Inside(leaf) => {
                            moves.ahead += u32::from(leaf.value > value);
                            moves.tied += u32::from(leaf.value == value);
                            moves.kept.push(MoveLeaf { mv, leaf });
                        }
                    }
                }
            }
            BoundedValue::Above | BoundedValue::Below => {
                let value = self.value(board, played, -INFINITE, INFINITE);
                for mv in others {
                    let other = self.value(board, mv, value - 1, value + 1);
                    moves.ahead += u32::from(other > value);
                    moves.tied += u32::from(other == value);
                }
            }
        }
        moves
    }

    fn set_root(&mut self, root: &Chess, hints: &MoveHints) -> Board {
        self.transpositions.clear();
        self.hints.load(hints);
        self.killers = Default::default();
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.countermoves.iter_mut().for_each(|side| side.fill(CompactMove::NONE));
        let board = Board::new(root, &self.tables.sums);
        self.root_phase = self.tables.phase_of_board(&board);
        board
    }

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

    /// Value of the root, from its side to move.
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

    /// Value of a root move from the root's side, fail-soft in the window.
    fn value(&mut self, board: &Board, mv: CompactMove, alpha: Value, beta: Value) -> Value {
        let child = board.make(mv, &self.tables.sums);
        self.path[1] = mv;
        -self.search(&child, 1, -beta, -alpha)
    }

    fn exact(&mut self, board: &Board, mv: CompactMove) -> Leaf {
        let value = self.value(board, mv, -INFINITE, INFINITE);
        self.leaf_after(board, mv, value)
    }

    fn bounded(&mut self, board: &Board, mv: CompactMove, root: Value, threshold: Threshold) -> BoundedValue {
        // Without a threshold only mates are outside.
        let (low, high) = match threshold {
            Some(bound) => (root - bound, root + bound),
            None => (-INFINITE + 1, INFINITE - 1),
        };
        let value = self.value(board, mv, low - 1, high + 1);
        if value > high || (is_mate(value) && value > 0) {
            BoundedValue::Above
        } else if value < low || is_mate(value) {
            BoundedValue::Below
        } else {
            BoundedValue::Inside(self.leaf_after(board, mv, value))
        }
    }

    fn leaf_after(&mut self, board: &Board, mv: CompactMove, value: Value) -> Leaf {
        let child = board.make(mv, &self.tables.sums);
        let mut line = vec![mv];
        let (end, terminal) = self.follow(&child, 1, -value, &mut line);
        self.leaf(&end, value, terminal, line)
    }

    fn leaf(&mut self, end: &Board, value: Value, terminal: bool, line: Vec<CompactMove>) -> Leaf {
        let phase = self.tables.phase(end, self.root_phase);
        Leaf { value, line, placement: end.placement, phase, terminal }
    }

    #[inline]
    pub(super) fn evaluate(&mut self, board: &Board) -> Value {
        self.tables.evaluate(board, self.root_phase, &mut self.caches)
    }

    /// Value of a node above or at the horizon, from its side to move, fail-soft in the window.
    fn search(&mut self, board: &Board, ply: u32, alpha: Value, beta: Value) -> Value {
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
        // What would be tried first without a hint needs none.
        if value > alpha && best != CompactMove::NONE && (at > 0 || best == hinted) {
            self.hints.put(key, best);
        }
        self.transpositions.put(key, value, alpha, beta, best);
        value
    }

    /// Searches the moves of an inner node; value, the move that is best or refutes, and as which one it
    /// was tried.
    fn search_moves(
        &mut self,
        board: &Board,
        ply: u32,
        alpha: Value,
        beta: Value,
        hint: CompactMove,
    ) -> (Value, CompactMove, usize) {
        let checks = CheckInfo::new(board);
        let mut moves = Moves::new();
        movegen::legal(board, &checks, &mut moves);
        if moves.is_empty() {
            let value = if checks.checkers != 0 { mated_at(ply) } else { 0 };
            return (value, CompactMove::NONE, 0);
        }
        let mut picker = MovePicker::new();
        picker.extend(&moves, |mv| self.order(board, ply, mv, hint));
        let mut at = 0;
        let mut best = (-INFINITE, CompactMove::NONE, 0);
        while let Some(mv) = picker.next() {
            let child = board.make(mv, &self.tables.sums);
            self.path[ply as usize + 1] = mv;
            let floor = alpha.max(best.0);
            // Once a move is found, the others need only be shown not to be better.
            let mut value = -INFINITE;
            let scout = at > 0 && beta - floor > 1;
            if scout {
                value = -self.search(&child, ply + 1, -floor - 1, -floor);
            }
            if !scout || (value > floor && value < beta) {
                value = -self.search(&child, ply + 1, -beta, -floor);
            }
            if value > best.0 {
                best = (value, mv, at);
                if value >= beta {
                    self.record_cutoff(board, ply, mv);
                    break;
                }
            }
            at += 1;
        }
        best
    }

    /// What to try first: the move of the table, captures that win something, what refuted the same move
    /// before, what refuted its siblings, other captures, and the rest by how often they refuted.
    fn order(&self, board: &Board, ply: u32, mv: CompactMove, hint: CompactMove) -> i32 {
        const RANK: i32 = 1 << 28;
        if mv == hint {
            return 6 * RANK;
        }
        let capture = (board.mailbox[mv.target() as usize] != EMPTY).then(|| capture_order(board, mv));
        let killers = &self.killers[ply as usize % 8];
        match capture {
            Some(order) if order >= 0 => 5 * RANK + order,
            _ if mv == self.countermoves[board.us()][self.path[ply as usize].butterfly_index()] => 4 * RANK,
            _ if mv == killers[0] => 3 * RANK,
            _ if mv == killers[1] => 2 * RANK,
            Some(order) => RANK + order,
            None => self.history[board.us()][mv.butterfly_index()],
        }
    }

    fn record_cutoff(&mut self, board: &Board, ply: u32, mv: CompactMove) {
        let killers = &mut self.killers[ply as usize % 8];
        if killers[0] != mv {
            killers[1] = killers[0];
            killers[0] = mv;
        }
        self.history[board.us()][mv.butterfly_index()] += 1;
        self.countermoves[board.us()][self.path[ply as usize].butterfly_index()] = mv;
    }

    /// Value at the horizon of the plies: a drawn end, or quiescence.
    fn horizon(&mut self, board: &Board, ply: u32, alpha: Value, beta: Value) -> Value {
        let draw = board.is_insufficient_material() || (!movegen::any_legal(board) && board.checkers() == 0);
        if draw {
            self.nodes += 1;
            return 0;
        }
        if self.settings.quiescence {
            return self.quiesce(board, ply, 0, alpha, beta);
        }
        self.nodes += 1;
        if movegen::any_legal(board) { self.evaluate(board) } else { mated_at(ply) }
    }

    /// Follows the canonical line from a node whose value, from its side to move, is known.
    fn follow(
        &mut self,
        board: &Board,
        ply: u32,
        value: Value,
        line: &mut Vec<CompactMove>,
    ) -> (Board, bool) {
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
        for &mv in moves.iter() {
            let child = board.make(mv, &self.tables.sums);
            if -self.search(&child, ply + 1, -value, 1 - value) >= value {
                line.push(mv);
                return self.follow(&child, ply + 1, -value, line);
            }
        }
        unreachable!("the value of a node is that of one of its moves")
    }

    fn follow_horizon(
        &mut self,
        board: &Board,
        ply: u32,
        value: Value,
        line: &mut Vec<CompactMove>,
    ) -> (Board, bool) {
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

/// The bound of 1988: half a pawn.
pub const HALF_PAWN: Value = 64 * UNIT;
