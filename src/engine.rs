//! The engine: plays games with the weights that are to be judged.
//!
//! A vehicle for weights: principal variation search with a hash table, null move, late move reductions,
//! check extension and quiescence, none of which looks at the size of a value beyond comparing it. So a set
//! of weights is judged by what it prefers, and not by how well its scale suits the margins of a search.
//!
//! A [`GameState`] and [`Limits`] go in, [`IterationReport`]s come by, a [`SearchResult`] comes out. Knows no text: the
//! conversation is [`uci`](crate::uci)'s, and games are [`matches`](crate::matches)'s. The board, the moves
//! and the evaluation are those of the method, from [`position`](crate::position).

pub mod bench;
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

/// Moves of the longest line.
const MAX_PLY: usize = 128;
