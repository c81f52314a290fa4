//! Board, legal moves and table-based evaluation for the two fast searches.
//!
//! The search of the fits ([`search`](crate::search)) uses the board and the tables directly. The search of
//! the engine (crate `texam-play`) uses them through [`Node`] and [`Evaluator`]. The reference search
//! ([`minimax`](crate::search::minimax)) uses neither: it takes positions and moves from shakmaty, so that
//! the two implementations can be compared.

pub(crate) mod board;
pub(crate) mod movegen;
mod moves;
mod node;
mod random;
pub(crate) mod tables;

pub use crate::eval::PIECE_VALUES;

pub use moves::{CompactMove, canonical_moves, legal_move, san_line};
pub use node::{Evaluation, Evaluator, MoveList, Node};
pub use random::SplitMix64;
