//! The engine: finds moves, so that sets of weights can play games against each other.
//!
//! The search is a principal variation search with a hash table, null move pruning, late move reductions,
//! check extensions and quiescence. Scores are only compared with each other, never with a margin in units.
//! So a match measures which moves the weights prefer, not how well their scale suits the margins of a
//! search.
//!
//! [`Searcher::think`] takes a [`GameState`] and [`Limits`], calls back with an [`IterationReport`] after
//! each iteration, and returns a [`SearchResult`]. [`uci`](crate::uci) connects it to other programs,
//! [`matches`](crate::matches) plays games with it. Board, moves and evaluation are those of the fits, from
//! [`position`](texam_chess::position).

mod clock;
mod deepen;
mod exchange;
mod game_state;
mod hash;
mod limits;
mod order;
pub mod perft;
mod quiesce;
mod score;
mod searcher;
mod stop;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use clock::{Clock, Signals};
pub use deepen::{IterationReport, SearchResult};
pub use game_state::GameState;
pub use hash::{LARGEST_HASH, SMALLEST_HASH};
pub use limits::Limits;
pub use score::{Score, centipawns, mate_in};
pub use searcher::Searcher;

/// Length of the longest line, in plies. Arrays indexed by ply have this size.
const MAX_PLY: usize = 128;
