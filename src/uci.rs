//! The conversation: the engine as other programs speak to it, by the Universal Chess Interface.
//!
//! Lines come in, lines go out; [`UciHandler`] holds what was agreed on so far and lets a thread think
//! meanwhile. A line that cannot be understood is answered by `info string` and otherwise ignored: a runner
//! must never lose its engine to a word. Knows nothing of how moves are found ([`engine`](crate::engine))
//! nor of where the lines come from.

mod handler;
mod options;
mod parse;
mod report;
mod search_thread;

pub use handler::UciHandler;
pub use options::EngineSettings;
