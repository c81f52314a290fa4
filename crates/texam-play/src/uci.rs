//! The Universal Chess Interface (UCI), by which other programs use the engine.
//!
//! [`UciHandler`] reads commands, holds the options and the current game, and runs searches on another
//! thread. A line that is not a valid command is answered by `info string` and otherwise ignored, so that the
//! engine stays usable.

mod handler;
mod lines;
mod options;
mod parse;
mod report;
mod search_thread;

pub use handler::UciHandler;
pub use options::EngineSettings;
