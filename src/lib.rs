//! Learn the weights of a chess evaluation from the moves of grandmasters, as in 1988.
//!
//! In spring 1988 Andreas Nowatzyk wrote `texam`, the program that tuned the evaluation of Deep Thought. Deep
//! Thought searched the positions of some 868 games in which the eventual winner was to move. The program
//! carried the feature vector of the best leaf of each move back to the root, and fitted the weights by least
//! squares so that the winner's move would come out ahead. This crate does the same, and says where it has to
//! guess.
//!
//! The flow:
//!
//! ```text
//! PGN -> Game -> Position -> search -> SearchedMoves -> Choice -> fit (crate texam-fit)
//!     -> Weights -> PassReport -> .par, .stat, screen
//! ```
//!
//! Chess (`game`, `eval`, `search`, `sample`) ends at `sample::PositionSource`, which hands choices to
//! [`texam_fit`]; `run` makes weights of the values that come back. `show` draws and writes what a run has
//! found, and `screen` and `commands` are what people use.

#![allow(missing_docs, clippy::missing_errors_doc)]

#[cfg(feature = "native")]
pub mod commands;
pub mod run;
// Some of it only the command line and the terminal use.
#[cfg_attr(not(feature = "native"), allow(dead_code))]
pub mod screen;
#[cfg_attr(not(feature = "native"), allow(dead_code))]
pub mod show;

pub use texam_chess::{
    Error, Result, error, eval, feature, fen, file, game, par, parameters, phase, position, printable,
    sample, search, value,
};
pub use texam_play::{engine, matches, uci};
