//! Fits weights to decisions: new weights under which the played moves come out ahead more often.
//!
//! One fit is one linear least-squares problem. Its unknowns are the tuned weights, its rows the kept
//! moves of all positions, as differences from their roots, and its targets the values that the moves
//! have now, plus a small force on the played move and against its rivals. Without a force the fit gives
//! back the weights it was made with: the identity, which tests everything from the search to the solver.
//! (Andreas Nowatzyk, "Eval Tuning in Deep Thought", on the tuning of 1988.)
//!
//! ```text
//! Decision -> rows (columns, force, variance) -> normal sums -> solve (penalty) -> sandwich -> Fit
//! ```
//!
//! This is the mathematical column: vectors, phases and values, but no board, no moves, no files. It does
//! one fit; `tuner` iterates.

pub mod columns;
pub mod force;
pub mod normal;
pub mod options;
pub mod penalty;
pub mod rows;
pub mod solve;
#[cfg(test)]
mod synthetic;
pub mod variance;

pub use self::{
    columns::{Columns, Parameter, Part},
    force::{Balance, Force, Forces},
    normal::NormalEquations,
    options::{FitOptions, RidgeTo},
    variance::spread,
};
