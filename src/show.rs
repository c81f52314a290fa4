//! What is shown of weights and runs: plots, the report, exports, differences, the trace of an evaluation,
//! the tables of Deep Thought, lessons.
//!
//! It knows the records of runs ([`run::stat`](crate::run::stat)) and no run itself: no search, no fit, no thread.

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

use crate::{
    error::{Error, Result},
    printable::printable_json,
};

/// A value as one JSON object, with the letters that cannot be seen escaped, and the end of its last line.
///
/// # Errors
///
/// A value that JSON cannot hold.
pub fn json_text(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(format!("cannot write the result as JSON: {error}")))?;
    Ok(format!("{}\n", printable_json(&text)))
}
