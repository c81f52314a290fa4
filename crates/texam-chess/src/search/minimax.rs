//! The reference implementation of the search: plain minimax and plain quiescence. It is slow, and simple
//! enough to be checked by reading.
//!
//! An unpruned quiescence tree would be far too large. So quiescence is fail-soft alpha-beta in canonical
//! order, from a full window, without a table or other pruning; it returns the same value and leaf as
//! minimax. The evaluation is shared with the fast search, and nothing else.

use shakmaty::{Chess, Move, Position, Role};

use super::{CHECK_PLIES, Leaf, MoveLeaf, RootKind, SearchedMoves, Settings, Threshold, in_bound};
use crate::{
    eval::{self, Placement},
    feature::Quantised,
    phase::PhaseAt,
    position::{CompactMove, canonical_moves},
    value::{INFINITE, Value, mated_at, taper},
};

/// The reference searcher.
pub struct Minimax<'a> {
    settings: Settings,
    weights: &'a Quantised,
    root_phase: u16,
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes visited at the horizon.
    pub leaves: u64,
}

/// The best line from a node: its value from the view of the side to move there, and its moves in reverse
/// order.
struct BestLine {
    value: Value,
    reversed: Vec<CompactMove>,
    placement: Placement,
    phase: u16,
    terminal: bool,
}

impl BestLine {
    /// The line one ply higher, with `mv` before it.
    fn after(mut self, mv: Move) -> BestLine {
        self.value = -self.value;
        self.reversed.push(mv.into());
        self
    }
}

impl<'a> Minimax<'a> {
    /// A searcher with these weights.
    pub fn new(settings: Settings, weights: &'a Quantised) -> Minimax<'a> {
        let settings = Settings { phase: weights.scheme(settings.phase), ..settings };
        Minimax { settings, weights, root_phase: 0, nodes: 0, leaves: 0 }
    }

    /// Every legal move with its leaf, in canonical order.
    pub fn all_moves(&mut self, root: &Chess) -> Vec<MoveLeaf> {
        self.set_root(root);
        let depth = self.settings.depth;
        let values = canonical_moves(root).into_iter().map(|mv| {
            let leaf = self.search(&position_after(root, mv), 1, depth).after(mv);
            MoveLeaf { mv: mv.into(), leaf: leaf_of(leaf) }
        });
        values.collect()
    }

    /// The leaf that gives the value of the root.
    pub fn root(&mut self, root: &Chess, kind: RootKind) -> Leaf {
        self.set_root(root);
        match kind {
            RootKind::Quiescence => leaf_of(self.search(root, 0, 0)),
            RootKind::Static => leaf_of(self.stand_pat(root)),
            RootKind::Search => leaf_of(self.search(root, 0, self.settings.depth)),
        }
    }

    /// Searches a choice in which `played` was the played move, as the definition says.
    pub fn search_choice(
        &mut self,
        root: &Chess,
        played: CompactMove,
        kind: RootKind,
        threshold: Threshold,
    ) -> SearchedMoves {
        let before = self.root(root, kind);
        let moves = self.all_moves(root);
        let value = moves.iter().find(|m| m.mv == played).map_or(-INFINITE, |m| m.leaf.value);
        let count = |test: fn(&Value, &Value) -> bool| {
            moves.iter().filter(|m| m.mv != played && test(&m.leaf.value, &value)).count() as u32
        };
        let (ahead, tied) = (count(Value::gt), count(Value::eq));
        let legal = moves.len() as u32;
        let keeps = |v: Value| in_bound(v, before.value, threshold) && !crate::value::is_mate(before.value);
        let mut kept = Vec::new();
        if keeps(value) {
            kept = moves.into_iter().filter(|m| keeps(m.leaf.value)).collect();
            let at = kept.iter().position(|m| m.mv == played).unwrap_or(0);
            kept[..=at].rotate_right(1);
        }
        SearchedMoves { root: before, legal, ahead, tied, kept }
    }

    fn set_root(&mut self, root: &Chess) {
        self.root_phase = self.settings.phase.phase(Placement::from(root).piece_counts());
    }

    fn search(&mut self, position: &Chess, ply: u32, depth: u32) -> BestLine {
        let moves = canonical_moves(position);
        if position.is_insufficient_material() || (moves.is_empty() && !position.is_check()) {
            self.nodes += 1;
            self.leaves += u64::from(ply == depth);
            return self.terminal(position, 0);
        }
        if ply == depth {
            self.leaves += 1;
            return if self.settings.quiescence {
                self.quiesce(position, ply, 0, -INFINITE, INFINITE)
            } else {
                self.nodes += 1;
                if moves.is_empty() {
                    self.terminal(position, mated_at(ply))
                } else {
                    self.stand_pat(position)
                }
            };
        }
        self.nodes += 1;
        let mut best: Option<BestLine> = None;
        for mv in moves {
            let line = self.search(&position_after(position, mv), ply + 1, depth).after(mv);
            if best.as_ref().is_none_or(|best| line.value > best.value) {
                best = Some(line);
            }
        }
        best.unwrap_or_else(|| self.terminal(position, mated_at(ply)))
    }

    fn quiesce(
        &mut self,
        position: &Chess,
        ply: u32,
        quiescence_ply: u32,
        alpha: Value,
        beta: Value,
    ) -> BestLine {
        self.nodes += 1;
        let evasion = position.is_check() && quiescence_ply < CHECK_PLIES;
        let mut best = if evasion {
            self.terminal(position, mated_at(ply))
        } else {
            let stand_pat = self.stand_pat(position);
            if stand_pat.value >= beta {
                return stand_pat;
            }
            stand_pat
        };
        let moves = if evasion {
            canonical_moves(position)
        } else {
            forcing_moves(position, quiescence_ply < self.settings.checks)
        };
        for mv in moves {
            let alpha = alpha.max(best.value);
            let child = position_after(position, mv);
            let line = self.quiesce(&child, ply + 1, quiescence_ply + 1, -beta, -alpha).after(mv);
            if line.value > best.value {
                best = line;
            }
            if best.value >= beta {
                break;
            }
        }
        best
    }

    fn terminal(&self, position: &Chess, value: Value) -> BestLine {
        let placement = Placement::from(position);
        BestLine { value, reversed: Vec::new(), placement, phase: self.phase(&placement), terminal: true }
    }

    fn stand_pat(&self, position: &Chess) -> BestLine {
        let placement = Placement::from(position);
        let (open, end) = eval::evaluate(&placement, self.weights);
        let phase = self.phase(&placement);
        let value = taper(open, end, phase);
        let value = if position.turn().is_white() { value } else { -value };
        BestLine { value, reversed: Vec::new(), placement, phase, terminal: false }
    }

    fn phase(&self, placement: &Placement) -> u16 {
        match self.settings.phase_at {
            PhaseAt::Leaf => self.settings.phase.phase(placement.piece_counts()),
            PhaseAt::Root => self.root_phase,
        }
    }
}

/// Captures, en passant included, and queen promotions, in canonical order; no underpromotions. With `checks`
/// also quiet moves that give check.
fn forcing_moves(position: &Chess, checks: bool) -> Vec<Move> {
    let mut moves = canonical_moves(position);
    moves.retain(|&mv| match mv.promotion() {
        Some(role) => role == Role::Queen,
        None => mv.is_capture() || (checks && position_after(position, mv).is_check()),
    });
    moves
}

fn position_after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

fn leaf_of(line: BestLine) -> Leaf {
    Leaf {
        value: line.value,
        line: line.reversed.into_iter().rev().collect(),
        placement: line.placement,
        phase: line.phase,
        terminal: line.terminal,
    }
}
