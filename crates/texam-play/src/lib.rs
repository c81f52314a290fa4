#![doc = include_str!("../README.md")]
//!
//! [`engine`] is the search for games, [`mod@matches`] plays matches between sets of weights, and [`uci`] is the
//! interface for other chess programs.

pub mod engine;
pub mod matches;
pub mod uci;
