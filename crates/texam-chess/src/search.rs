//! The search of the fits: full minimax to a few plies, with quiescence at the horizon.
//!
//! The search is defined exactly, so that all implementations return the same value *and* the same leaf:
//!
//! - **Plies**: minimax to `depth` plies. At plies 0 to `depth` stalemate and insufficient material are worth
//!   0, with a zero feature vector; mate is worth less than any evaluation to the side mated, and more the
//!   later it comes; it is printed as -(30000 - ply) units.
//! - **Quiescence** at the horizon: not in check, stand pat, then captures and promotions to a queen, and up
//!   to quiescence ply `checks` - 1 also quiet moves that give check; in check, up to quiescence ply 5, all
//!   legal moves and no stand pat; from ply 6 on as if not in check.
//! - **Order and ties**: stand pat first, then moves by [`CompactMove::canonical`]; only a strictly greater
//!   value replaces the best.
//!
//! [`minimax`] is the reference implementation, [`alphabeta`] the fast one. Both return [`Leaf`]s. The
//! feature vector of a leaf is computed on demand, since most are never needed.

pub mod alphabeta;
mod choose;
mod hints;
pub mod minimax;
mod order;
mod quiesce;
mod transposition;
pub mod tree;

pub use hints::MoveHints;

use std::ops::RangeInclusive;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::{
    error::{Error, unknown_name},
    eval::{self, Placement},
    feature::{Extras, FeatureVector},
    phase::{PhaseAt, PhaseScheme},
    position::CompactMove,
    value::Value,
};

/// The moves from a root on.
type Line = Vec<CompactMove>;

/// In the first plies of quiescence a side in check searches all legal moves; from this ply on checks are
/// ignored, so that quiescence ends. The value is part of the definition of the search.
const CHECK_PLIES: u32 = 6;

/// Numbers of plies of quiescence in which quiet checks can be searched. After a check in a later ply the
/// side in check could not answer it.
pub const CHECKS: RangeInclusive<u32> = 0..=CHECK_PLIES;

/// Settings of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Depth of the full minimax in plies, at least 1.
    pub depth: u32,
    /// Whether quiescence follows at the horizon; if not, positions at the horizon are evaluated statically.
    pub quiescence: bool,
    /// Plies of quiescence, from its first, in which quiet moves that give check are searched too: one of
    /// [`CHECKS`].
    pub checks: u32,
    /// Scheme of the game phase.
    pub phase: PhaseScheme,
    /// Whether the phase is that of the leaf or of the root.
    pub phase_at: PhaseAt,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { depth: 3, quiescence: true, checks: 0, phase: PhaseScheme::Fruit, phase_at: PhaseAt::Leaf }
    }
}

/// Which leaf gives the value E_x of the root, the position before the choice.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = Error, parse_err_fn = unknown_name::<RootKind>)]
pub enum RootKind {
    /// The leaf of quiescence at the root.
    #[default]
    Quiescence,
    /// The root itself.
    Static,
    /// The leaf of the best move.
    Search,
}

/// The position at the end of a line, with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Value in 1/65536 unit, from the view of the side to move at the root.
    pub value: Value,
    /// Moves from the root, quiescence included.
    pub line: Vec<CompactMove>,
    /// The position at the leaf.
    pub placement: Placement,
    /// Phase used in its evaluation, 0 (opening) to 256 (endgame).
    pub phase: u16,
    /// Whether the leaf is a mate, a stalemate or insufficient material. Then the value is not an evaluation,
    /// and the feature vector is zero.
    pub terminal: bool,
}

impl Leaf {
    /// The feature vector, White minus Black. Of the optional features it contains those in `extras`.
    pub fn features(&self, extras: Extras) -> FeatureVector {
        if self.terminal { FeatureVector::default() } else { eval::features(&self.placement, extras) }
    }
}

/// A legal move with its leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveLeaf {
    /// The move.
    pub mv: CompactMove,
    /// The leaf of best play after the move, with its exact value.
    pub leaf: Leaf,
}

/// The result of searching a choice: what a fit and the measures of agreement need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchedMoves {
    /// The leaf that gives the value of the root.
    pub root: Leaf,
    /// Number of legal moves.
    pub legal: u32,
    /// Number of legal moves with a value strictly above that of the played move.
    pub ahead: u32,
    /// Number of other legal moves with exactly the value of the played move.
    pub tied: u32,
    /// The moves in bound: the played move first, the others in canonical order. Empty if the played move is
    /// not in bound or the root value is a mate.
    pub kept: Vec<MoveLeaf>,
}

/// Largest distance from E_x of a move in bound, in 1/65536 unit, inclusive. None: all moves but mates are in
/// bound.
pub type Threshold = Option<Value>;

/// Whether a move with this value is in bound. A mate never is.
pub fn in_bound(value: Value, root: Value, threshold: Threshold) -> bool {
    !crate::value::is_mate(value) && threshold.is_none_or(|bound| (value - root).abs() <= bound)
}
