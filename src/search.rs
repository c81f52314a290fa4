//! What is searched: full minimax to a few plies with quiescence at the horizon, in a fixed order.
//!
//! The definition is fixed to the last unit, so that any two searchers of it agree on value *and* leaf:
//!
//! - **Plies**: minimax to `depth` plies. At plies 0 to `depth` stalemate and insufficient material are
//!   worth 0, with a zero feature vector; mate is worth -(30000 - ply) units to the side mated.
//! - **Quiescence** at the horizon: not in check, stand pat, then captures and promotions to a queen; in
//!   check, up to quiescence ply 5, all legal moves and no stand pat; from ply 6 on as if not in check.
//! - **Order and ties**: stand pat first, then moves by [`CompactMove::canonical`]; only a strictly greater
//!   value replaces the best.
//!
//! [`minimax`] computes this plainly and is the reference; [`alphabeta`] computes the same fast. Both
//! yield [`Leaf`]s; the feature vector of a leaf is collected on demand, since most are never asked for.

pub mod alphabeta;
mod hints;
pub mod minimax;
mod order;
mod quiesce;
mod transposition;

pub use hints::MoveHints;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::{
    error::{Error, unknown_name},
    eval::{self, Placement},
    feature::{Extras, FeatureVector},
    phase::{PhaseAt, PhaseScheme},
    position::CompactMove,
    value::Value,
};

/// From this quiescence ply on a check is treated as if it were none, so that quiescence ends.
const CHECK_PLIES: u32 = 6;

/// What the search computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Plies of full minimax, at least 1.
    pub depth: u32,
    /// Quiescence at the horizon; without it the horizon is evaluated as it stands.
    pub quiescence: bool,
    /// Scheme of the game phase.
    pub phase: PhaseScheme,
    /// Where the phase is taken from.
    pub phase_at: PhaseAt,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { depth: 3, quiescence: true, phase: PhaseScheme::Fruit, phase_at: PhaseAt::Leaf }
    }
}

/// Which leaf stands for the position before the choice, with value E_x.
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

/// Where a line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Value from the view of the side to move at the root.
    pub value: Value,
    /// Moves from the root, quiescence included.
    pub line: Vec<CompactMove>,
    /// The position there.
    pub placement: Placement,
    /// Phase of its evaluation.
    pub phase: u16,
    /// Mate, stalemate or insufficient material: the value is no evaluation, the feature vector is zero.
    pub terminal: bool,
}

impl Leaf {
    /// The feature vector, White minus Black, of optional features those of a set only.
    pub fn features(&self, extras: Extras) -> FeatureVector {
        if self.terminal { FeatureVector::default() } else { eval::features(&self.placement, extras) }
    }
}

/// A legal move with the leaf it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveLeaf {
    /// The move.
    pub mv: CompactMove,
    /// Best play after it, exactly.
    pub leaf: Leaf,
}

/// What a fit needs to know of a position in which `played` was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchedMoves {
    /// The position before the choice.
    pub root: Leaf,
    /// Number of legal moves.
    pub legal: u32,
    /// Legal moves strictly above the played one.
    pub ahead: u32,
    /// Other legal moves exactly as good as the played one.
    pub tied: u32,
    /// Moves in bound, the played one first, the others in canonical order; empty if the played move is
    /// out of bound or the root value is a mate.
    pub kept: Vec<MoveLeaf>,
}

/// The bound around E_x, in 1/65536 unit, both sides inclusive; none keeps everything but mates.
pub type Threshold = Option<Value>;

/// Whether a move of this value is in bound. A mate never is.
pub fn in_bound(value: Value, root: Value, threshold: Threshold) -> bool {
    !crate::value::is_mate(value) && threshold.is_none_or(|bound| (value - root).abs() <= bound)
}
