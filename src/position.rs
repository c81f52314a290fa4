//! Positions of the fast searches: board, legal moves, and an evaluation from tables.
//!
//! Both searches use it: that of the method ([`search`](crate::search)) works with the board and the tables
//! themselves; that of the engine ([`engine`](crate::engine)) with [`Node`] and [`Evaluator`], which hide
//! both. The reference search uses neither; it takes positions and moves from shakmaty.

pub(crate) mod board;
pub(crate) mod movegen;
mod moves;
mod node;
pub(crate) mod tables;

pub use crate::eval::PIECE_VALUES;

pub use moves::{CompactMove, canonical_moves};
pub use node::{Evaluation, Evaluator, MoveList, Node};
