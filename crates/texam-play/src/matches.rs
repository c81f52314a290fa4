//! Matches between sets of weights, and statistics of their results.
//!
//! More agreement is not better play (Nowatzyk 2000). So the team of 1988 compared its
//! sets of weights by games of the machine against itself from seed positions, and so do we. [`openings`]
//! selects the positions, [`play`] plays one game, [`runner`] plays many in pairs on several threads,
//! [`score`] and [`sprt`] compute the statistics, and [`pgn`] writes games.
//!
//! At a fixed number of nodes the same seed gives the same games, on any number of threads.

pub mod openings;
pub mod outcome;
pub mod pgn;
pub mod play;
mod referee;
pub mod runner;
pub mod score;
pub mod sprt;
