//! Matches: sets of weights play each other, and what the results are worth.
//!
//! "Maximizing the agreement and better play were not really the same thing": the team of 1988 judged its
//! sets by games of the machine against itself from seed positions, and so do we. [`openings`] yields the
//! positions, [`play`] plays one game under the rules, [`runner`] many of them in pairs on several threads,
//! [`score`] and [`sprt`] tell what the results mean, [`rating`] compares more than two players and [`pgn`]
//! writes games down.
//!
//! At a fixed number of nodes the same seed gives the same games, on any number of threads. Knows nothing
//! of fits, nor of where weights come from; prints nothing.

pub mod openings;
pub mod outcome;
pub mod pgn;
pub mod play;
pub mod rating;
mod referee;
pub mod runner;
pub mod score;
pub mod sprt;
