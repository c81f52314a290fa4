//! Stored trees: searched once, and walked under other weights.
//!
//! In 1988 the machine searched the trees and a database kept them; the tuning program only traversed them. A
//! tree here holds every legal move of a root, and below each the moves whose value, under the weights of the
//! search that [grows](AlphaBeta::grow) it, is within a margin of the best of their node. Standing pat in
//! quiescence is one of them, and the best is always there. So under the same weights a [`Walker`] finds the
//! values and the leaves of the search. Under other weights it finds those of minimax over what is stored.
//!
//! The bytes of a node are its kind and the number of its moves, then each move in two bytes with the node
//! that it leads to, in canonical order. The bytes of a choice are the node of quiescence at the root, then
//! the node of the root. A walker makes the stored moves and generates none. It checks that each could be
//! made, so that no bytes lead it astray.

use std::sync::Arc;

use shakmaty::Chess;

use super::{
    CHECK_PLIES, Leaf, Line, RootKind, SearchedMoves, Threshold,
    alphabeta::{AlphaBeta, Prepared},
    choose::{RootMoves, choose},
};
use crate::{
    error::{Error, Result},
    position::{
        CompactMove,
        board::Board,
        movegen::{self, CheckInfo, Moves},
        tables::{Caches, Tables},
    },
    value::{INFINITE, Value, mated_at},
};

/// How far a move may be from the best of its node to be stored, in 1/65536 unit. None: all moves are stored.
pub type Margin = Option<Value>;

/// What a node is worth without its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    /// Nothing: one of its moves has to be made.
    Moves,
    /// Its evaluation: the side to move may stand pat, or the position is at the horizon without quiescence.
    StandPat,
    /// A mate.
    Mate,
    /// 0: stalemate or insufficient material.
    Draw,
}

const KINDS: [NodeKind; 4] = [NodeKind::Moves, NodeKind::StandPat, NodeKind::Mate, NodeKind::Draw];

/// Moves that are counted in the first byte of a node; if there are as many or more, the second byte counts
/// them.
const MANY: usize = 63;

/// Bytes that a tree may have. Trees of quiescence with all moves grow beyond it in many positions.
pub const MOST_BYTES: usize = 8 << 20;

/// Plies of a line. No search has as many.
const MOST_PLIES: u32 = 128;

fn push_node(bytes: &mut Vec<u8>, kind: NodeKind, moves: usize) {
    bytes.push((kind as u8) << 6 | moves.min(MANY) as u8);
    if moves >= MANY {
        bytes.push(moves as u8);
    }
}

impl AlphaBeta {
    /// The stored tree of a root. The weights and the settings are those of the search.
    ///
    /// # Errors
    ///
    /// The tree would be larger than [`MOST_BYTES`].
    pub fn grow(&mut self, root: &Chess, margin: Margin) -> Result<Vec<u8>> {
        let board = self.set_root(root, &Default::default());
        let mut tree = Vec::new();
        let value = self.horizon(&board, 0, -INFINITE, INFINITE);
        self.grow_horizon(&board, 0, value, margin, &mut tree);
        // Every move of the root is wanted, whatever its value.
        let near = self.near(&board, 0, (-INFINITE, INFINITE), None);
        self.grow_moves(NodeKind::Moves, near, &mut tree, |searcher, child, value, tree| {
            searcher.grow_node(child, 1, value, margin, tree);
        });
        if tree.len() > MOST_BYTES {
            let expected =
                format!("a margin with which the tree of a position has at most {MOST_BYTES} bytes");
            return Err(Error::expected(expected, "a larger tree; choose a smaller margin"));
        }
        Ok(tree)
    }

    /// Stores a node whose value, from the view of its side to move, is known.
    fn grow_node(&mut self, board: &Board, ply: u32, value: Value, margin: Margin, tree: &mut Vec<u8>) {
        if board.is_insufficient_material() {
            return push_node(tree, NodeKind::Draw, 0);
        }
        if ply == self.settings.depth {
            return self.grow_horizon(board, ply, value, margin, tree);
        }
        if !movegen::any_legal(board) {
            let kind = if board.is_in_check() { NodeKind::Mate } else { NodeKind::Draw };
            return push_node(tree, kind, 0);
        }
        let near = self.near(board, ply, window(value, margin), None);
        self.grow_moves(NodeKind::Moves, near, tree, |searcher, child, value, tree| {
            searcher.grow_node(child, ply + 1, value, margin, tree);
        });
    }

    /// [`Self::grow_node`] at the horizon.
    fn grow_horizon(&mut self, board: &Board, ply: u32, value: Value, margin: Margin, tree: &mut Vec<u8>) {
        let has_moves = movegen::any_legal(board);
        let kind = match (has_moves, board.is_in_check()) {
            _ if board.is_insufficient_material() => NodeKind::Draw,
            (false, false) => NodeKind::Draw,
            (false, true) => NodeKind::Mate,
            (true, _) if self.settings.quiescence => {
                return self.grow_quiescence(board, ply, 0, value, margin, tree);
            }
            (true, _) => NodeKind::StandPat,
        };
        push_node(tree, kind, 0);
    }

    fn grow_quiescence(
        &mut self,
        board: &Board,
        ply: u32,
        quiescence_ply: u32,
        value: Value,
        margin: Margin,
        tree: &mut Vec<u8>,
    ) {
        let window = window(value, margin);
        let evasion = quiescence_ply < CHECK_PLIES && board.is_in_check();
        let near = self.near(board, ply, window, Some(quiescence_ply));
        let kind = match evasion {
            true if near.is_empty() => NodeKind::Mate,
            false if self.evaluate(board) > window.0 => NodeKind::StandPat,
            _ => NodeKind::Moves,
        };
        self.grow_moves(kind, near, tree, |searcher, child, value, tree| {
            searcher.grow_quiescence(child, ply + 1, quiescence_ply + 1, value, margin, tree);
        });
    }

    /// The moves of a node whose values are within the window, in canonical order, with the boards and values
    /// of the nodes that they lead to. In quiescence those of its ply.
    fn near(
        &mut self,
        board: &Board,
        ply: u32,
        (alpha, beta): (Value, Value),
        quiescence_ply: Option<u32>,
    ) -> Vec<(CompactMove, Board, Value)> {
        let mut moves = Moves::new();
        match quiescence_ply {
            Some(quiescence_ply) => {
                let evasion = quiescence_ply < CHECK_PLIES && board.is_in_check();
                self.quiescence_moves(board, &CheckInfo::new(board), quiescence_ply, evasion, &mut moves);
            }
            None => movegen::legal(board, &CheckInfo::new(board), &mut moves),
        }
        moves.sort_unstable_by_key(|mv| mv.canonical(board.placement.turn));
        let near = moves.into_iter().filter_map(|mv| {
            let child = board.make(mv, &self.tables.sums);
            let value = match quiescence_ply {
                Some(quiescence_ply) => self.quiesce(&child, ply + 1, quiescence_ply + 1, -beta, -alpha, mv),
                None => {
                    self.path[ply as usize + 1] = mv;
                    self.search(&child, ply + 1, -beta, -alpha)
                }
            };
            (-value > alpha).then_some((mv, child, value))
        });
        near.collect()
    }

    fn grow_moves(
        &mut self,
        kind: NodeKind,
        near: Vec<(CompactMove, Board, Value)>,
        tree: &mut Vec<u8>,
        mut grow: impl FnMut(&mut AlphaBeta, &Board, Value, &mut Vec<u8>),
    ) {
        push_node(tree, kind, near.len());
        for (mv, child, value) in near {
            if tree.len() > MOST_BYTES {
                return;
            }
            tree.extend((mv.bits() as u16).to_le_bytes());
            grow(self, &child, value, tree);
        }
    }
}

/// The window of the moves that are stored in a node of this value.
fn window(value: Value, margin: Margin) -> (Value, Value) {
    (margin.map_or(-INFINITE, |margin| (value - margin - 1).max(-INFINITE)), (value + 1).min(INFINITE))
}

/// Walks through stored trees under a set of weights. Each thread has its own.
pub struct Walker {
    tables: Arc<Tables>,
    caches: Caches,
    root_phase: u16,
    /// Whether the bytes were no tree.
    is_damaged: bool,
}

/// The bytes of a tree that are still to be read.
type Bytes<'a> = &'a [u8];

impl Walker {
    /// A walker with these weights.
    pub fn new(prepared: &Prepared) -> Walker {
        let tables = Arc::clone(&prepared.tables);
        Walker { tables, caches: Caches::new(), root_phase: 0, is_damaged: false }
    }

    /// The choice of `played` in a root, from the stored tree of the root.
    ///
    /// # Errors
    ///
    /// Bytes that are no tree of this root.
    pub fn choice(
        &mut self,
        root: &Chess,
        played: CompactMove,
        kind: RootKind,
        threshold: Threshold,
        mut tree: &[u8],
    ) -> Result<SearchedMoves> {
        let board = Board::new(root, &self.tables.sums);
        self.root_phase = self.tables.phase_of_board(&board);
        self.is_damaged = false;
        let quiescence = tree;
        self.skip(&mut tree);
        let best = tree;
        let moves = self.root_moves(&mut tree);
        if self.is_damaged || !tree.is_empty() || !moves.iter().any(|&(mv, _)| mv == played) {
            return Err(damaged());
        }
        let before = match kind {
            RootKind::Static => {
                let value = self.evaluate(&board);
                self.leaf(&board, value, false, Vec::new())
            }
            RootKind::Search if board.is_insufficient_material() => self.leaf(&board, 0, true, Vec::new()),
            RootKind::Search => self.leaf_of(&board, best, 0, None, Vec::new()),
            RootKind::Quiescence => self.leaf_of(&board, quiescence, 0, None, Vec::new()),
        };
        let mut at_root = AtRoot { walker: self, board: &board, moves: &moves };
        let found = choose(&mut at_root, before, moves.iter().map(|&(mv, _)| mv), played, threshold);
        if self.is_damaged { Err(damaged()) } else { Ok(found) }
    }

    /// The moves of the node of the root, each with the bytes of the node that it leads to and of those after
    /// it.
    fn root_moves<'a>(&mut self, tree: &mut Bytes<'a>) -> Vec<(CompactMove, Bytes<'a>)> {
        let (kind, count) = self.node(tree);
        self.is_damaged |= kind != NodeKind::Moves;
        let one = |_| {
            let mv = self.read_move(tree);
            let child = *tree;
            self.skip(tree);
            (mv, child)
        };
        (0..count).map(one).collect()
    }

    fn evaluate(&mut self, board: &Board) -> Value {
        self.tables.evaluate(board, self.root_phase, &mut self.caches)
    }

    /// Value of a node from the view of its side to move, fail-soft in the window. Reads the bytes of the
    /// node.
    fn value(&mut self, board: &Board, tree: &mut Bytes, ply: u32, mut alpha: Value, beta: Value) -> Value {
        let (kind, count) = self.node(tree);
        let mut best = match kind {
            NodeKind::Moves => -INFINITE,
            NodeKind::StandPat => self.evaluate(board),
            NodeKind::Mate => return mated_at(ply),
            NodeKind::Draw => return 0,
        };
        for at in 0..count {
            if best >= beta {
                (at..count).for_each(|_| {
                    self.read_move(tree);
                    self.skip(tree);
                });
                break;
            }
            alpha = alpha.max(best);
            let Some(child) = self.make(board, tree, ply) else { return 0 };
            best = best.max(-self.value(&child, tree, ply + 1, -beta, -alpha));
        }
        best
    }

    /// Appends to `line` the canonical line from a node whose value, from the view of its side to move, is
    /// known. Returns the leaf, and whether it is terminal.
    fn follow(
        &mut self,
        board: &Board,
        mut tree: Bytes,
        ply: u32,
        value: Value,
        line: &mut Line,
    ) -> (Board, bool) {
        let (kind, count) = self.node(&mut tree);
        match kind {
            NodeKind::Mate | NodeKind::Draw => return (*board, true),
            NodeKind::StandPat if count == 0 || self.evaluate(board) == value => {
                return (*board, false);
            }
            NodeKind::StandPat | NodeKind::Moves => {}
        }
        for left in (0..count).rev() {
            let mut after = tree;
            let mv = self.read_move(&mut after);
            let Some(child) = self.make(board, &mut tree, ply) else { break };
            let child_tree = tree;
            // The value of a node is that of one of its moves.
            if left == 0 || -self.value(&child, &mut tree, ply + 1, -value, 1 - value) >= value {
                line.push(mv);
                return self.follow(&child, child_tree, ply + 1, -value, line);
            }
        }
        (*board, false)
    }

    /// The leaf of a node, from the view of the side that is to move there or, after moves of a line, of the
    /// one that made the last of them. Its value is found where it is not known.
    fn leaf_of(
        &mut self,
        board: &Board,
        tree: Bytes,
        ply: u32,
        value: Option<Value>,
        mut line: Line,
    ) -> Leaf {
        let node_value = value.unwrap_or_else(|| self.value(board, &mut { tree }, ply, -INFINITE, INFINITE));
        let (end, terminal) = self.follow(board, tree, ply, node_value, &mut line);
        let value = if ply == 0 { node_value } else { -node_value };
        self.leaf(&end, value, terminal, line)
    }

    fn leaf(&self, end: &Board, value: Value, terminal: bool, line: Line) -> Leaf {
        let phase = self.tables.phase(end, self.root_phase);
        Leaf { value, line, placement: end.placement, phase, terminal }
    }

    /// The board after the next move of a node. None if it cannot be made there.
    fn make(&mut self, board: &Board, tree: &mut Bytes, ply: u32) -> Option<Board> {
        let mv = self.read_move(tree);
        self.is_damaged |= ply >= MOST_PLIES || !board.can_make(mv);
        (!self.is_damaged).then(|| board.make(mv, &self.tables.sums))
    }

    /// Reads the kind of a node and the number of its moves.
    fn node(&mut self, tree: &mut Bytes) -> (NodeKind, usize) {
        let mut byte = || tree.split_off_first().map_or(0, |&byte| usize::from(byte));
        let first = byte();
        let (kind, few) = (KINDS[first >> 6], first & MANY);
        let count = if few == MANY { byte() } else { few };
        // A node is worth something. Bytes of 0 are a node without anything, and so is the end of the bytes.
        self.is_damaged |= match kind {
            NodeKind::Moves => count == 0,
            NodeKind::StandPat => false,
            NodeKind::Mate | NodeKind::Draw => count > 0,
        };
        (kind, if self.is_damaged { 0 } else { count })
    }

    fn read_move(&mut self, tree: &mut Bytes) -> CompactMove {
        match tree.split_off(..2) {
            Some(bytes) => CompactMove::from_bits(u64::from(u16::from_le_bytes([bytes[0], bytes[1]]))),
            None => {
                self.is_damaged = true;
                CompactMove::NONE
            }
        }
    }

    /// Passes over the bytes of a node.
    fn skip(&mut self, tree: &mut Bytes) {
        let mut left = 1_usize;
        while left > 0 && !self.is_damaged {
            let (_, count) = self.node(tree);
            left += count;
            left -= 1;
            if left > 0 {
                self.read_move(tree);
            }
        }
    }
}

/// A root whose moves are walked.
struct AtRoot<'a> {
    walker: &'a mut Walker,
    board: &'a Board,
    moves: &'a [(CompactMove, Bytes<'a>)],
}

impl<'a> AtRoot<'a> {
    /// The board after a move, and the bytes of its node. None if it cannot be made.
    fn child(&mut self, mv: CompactMove) -> Option<(Board, Bytes<'a>)> {
        let stored = self.moves.iter().find(|&&(stored, _)| stored == mv && self.board.can_make(mv));
        self.walker.is_damaged |= stored.is_none();
        stored.map(|&(mv, tree)| (self.board.make(mv, &self.walker.tables.sums), tree))
    }
}

impl RootMoves for AtRoot<'_> {
    fn value(&mut self, mv: CompactMove, alpha: Value, beta: Value) -> Value {
        let Some((child, mut tree)) = self.child(mv) else { return 0 };
        -self.walker.value(&child, &mut tree, 1, -beta, -alpha)
    }

    fn leaf(&mut self, mv: CompactMove, value: Value) -> Leaf {
        match self.child(mv) {
            Some((child, tree)) => self.walker.leaf_of(&child, tree, 1, Some(-value), vec![mv]),
            None => self.walker.leaf(self.board, 0, true, Vec::new()),
        }
    }
}

fn damaged() -> Error {
    Error::expected("a stored tree of the position", "bytes that are none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        feature::Weights,
        position::canonical_moves,
        sample::testing,
        search::{Settings, alphabeta::HALF_PAWN},
        value::UNIT,
    };

    fn settings() -> impl Iterator<Item = Settings> {
        [(1, 0, true), (2, 0, true), (2, 2, true), (2, 0, false), (3, 0, true)]
            .into_iter()
            .map(|(depth, checks, quiescence)| Settings { depth, checks, quiescence, ..Settings::default() })
    }

    #[test]
    fn under_the_weights_of_the_search_a_walk_finds_what_the_search_finds_whatever_the_margin() {
        let weights = Weights::start().quantised();
        for settings in settings() {
            let prepared = Prepared::new(settings, &weights);
            let (mut searcher, mut walker) = (AlphaBeta::new(&prepared), Walker::new(&prepared));
            let step = if settings.depth == 3 { 50 } else { 9 };
            for position in testing::positions(150).iter().step_by(step) {
                let root = position.position();
                let played = CompactMove::from(position.played_in(&root));
                let mut sizes = Vec::new();
                for margin in [0, 8, 40] {
                    let tree = searcher.grow(&root, Some(margin * UNIT)).unwrap();
                    for kind in [RootKind::Quiescence, RootKind::Static, RootKind::Search] {
                        for threshold in [Some(HALF_PAWN), Some(0), None] {
                            let searched = searcher.search_choice(&root, played, kind, threshold);
                            let walked = walker.choice(&root, played, kind, threshold, &tree).unwrap();
                            assert_eq!(
                                walked, searched,
                                "{settings:?} {margin} {kind} {threshold:?} {root:?}"
                            );
                        }
                    }
                    sizes.push(tree.len());
                }
                assert!(sizes.is_sorted(), "{sizes:?}");
            }
        }
    }

    #[test]
    fn a_whole_tree_gives_the_search_under_any_weights() {
        let settings = Settings { depth: 1, ..Settings::default() };
        let grower = Prepared::new(settings, &Weights::start().quantised());
        let material = crate::par::read("material").unwrap().weights.quantised();
        let prepared = Prepared::new(settings, &material);
        let (mut whole_trees, mut differ) = (0, 0);
        for position in testing::positions(150).iter().step_by(40) {
            let root = position.position();
            let played = CompactMove::from(position.played_in(&root));
            let choice = |tree: &[u8]| {
                let mut walker = Walker::new(&prepared);
                walker.choice(&root, played, RootKind::Quiescence, Some(HALF_PAWN), tree).unwrap()
            };
            let mut searcher = AlphaBeta::new(&prepared);
            let searched = searcher.search_choice(&root, played, RootKind::Quiescence, Some(HALF_PAWN));
            match AlphaBeta::new(&grower).grow(&root, None) {
                Ok(whole) => {
                    assert_eq!(choice(&whole), searched, "{root:?}");
                    whole_trees += 1;
                }
                Err(error) => assert!(error.to_string().contains("choose a smaller margin"), "{error}"),
            }
            let lines = AlphaBeta::new(&grower).grow(&root, Some(0)).unwrap();
            differ += usize::from(choice(&lines) != searched);
        }
        assert!(whole_trees > 0, "{whole_trees}");
        assert!(differ > 0, "single lines cannot answer other weights");
    }

    #[test]
    fn bytes_that_are_no_tree_are_an_error_and_lead_nowhere() {
        let prepared =
            Prepared::new(Settings { depth: 2, ..Settings::default() }, &Weights::start().quantised());
        let (mut searcher, mut walker) = (AlphaBeta::new(&prepared), Walker::new(&prepared));
        let mut random = fastrand::Rng::with_seed(3);
        let mut refused = 0;
        for position in testing::positions(150).iter().step_by(15) {
            let root = position.position();
            let played = CompactMove::from(position.played_in(&root));
            let tree = searcher.grow(&root, Some(8 * UNIT)).unwrap();
            let mut choice =
                |tree: &[u8]| walker.choice(&root, played, RootKind::Quiescence, Some(HALF_PAWN), tree);
            for length in (0..tree.len()).step_by(7) {
                assert!(choice(&tree[..length]).is_err());
            }
            for _ in 0..200 {
                let mut forged = tree.clone();
                for _ in 0..random.usize(1..4) {
                    let at = random.usize(..forged.len());
                    forged[at] = random.u8(..);
                }
                refused += usize::from(choice(&forged).is_err());
            }
            let nested: Vec<u8> = std::iter::repeat_n([1, 12, 28], 10_000).flatten().collect();
            assert!(choice(&nested).is_err());
        }
        assert!(refused > 500, "{refused}");
    }

    #[test]
    fn a_board_can_make_its_legal_moves_and_few_others() {
        let prepared = Prepared::new(Settings::default(), &Weights::start().quantised());
        for position in testing::positions(150).iter().step_by(5) {
            let root = position.position();
            let board = Board::new(&root, &prepared.tables.sums);
            let legal: Vec<CompactMove> = canonical_moves(&root).into_iter().map(CompactMove::from).collect();
            for bits in 0..=u16::MAX {
                let mv = CompactMove::from_bits(bits.into());
                if legal.contains(&mv) {
                    assert!(board.can_make(mv), "{mv} in {root:?}");
                } else if board.can_make(mv) {
                    // Only the king's safety is not looked at.
                    let pseudo = board.make(mv, &prepared.tables.sums).make_null_move();
                    assert!(
                        pseudo.is_in_check() || mv.origin().abs_diff(mv.target()) == 2,
                        "{mv} in {root:?}"
                    );
                }
            }
        }
    }
}
