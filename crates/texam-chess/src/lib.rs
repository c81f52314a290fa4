#![doc = include_str!("../README.md")]
//!
//! ```text
//! PGN -> Game -> WinnerPosition -> search -> SearchedMoves -> texam_fit::Choice
//! ```
//!
//! [`game`] reads the games, [`eval`] evaluates, [`search`] searches, and [`sample`] hands the choices to
//! [`texam_fit`]. [`feature`] names the weights, and [`par`] reads and writes them as text.

pub mod error;
pub mod eval;
pub mod feature;
pub mod fen;
pub mod file;
pub mod game;
pub mod par;
pub mod parameters;
pub mod phase;
pub mod position;
pub mod printable;
pub mod sample;
pub mod search;
pub mod value;

pub use error::{Error, Result};
