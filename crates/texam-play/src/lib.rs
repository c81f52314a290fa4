//! A chess player with tuned weights: the search for games ([`engine`]), matches between sets of weights
//! ([`mod@matches`]), and the interface for other chess programs ([`uci`]).

pub mod engine;
pub mod matches;
pub mod uci;
