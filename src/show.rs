//! What is shown of weights and runs: plots, the report, exports, differences, the trace of an evaluation,
//! the tables of Deep Thought, lessons.
//!
//! It knows the records of runs ([`run::stat`](crate::run::stat)) and no run itself: no search, no fit, no
//! thread.

pub mod analysis;
pub mod deciding;
pub mod diff;
pub mod disagreement;
pub mod export;
pub mod lesson;
pub mod machine;
pub mod plot;
pub mod report;
pub mod trace;
