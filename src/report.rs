//! A run as one page of HTML: what was run, results, plots, weights, and the positions that changed most.
//!
//! The last of the flow, and the door to askama. [`page`] lays out what others have computed: the record of a
//! `.stat`, plots of it, and the [`positions`] in which two sets of weights differ most. The page needs nothing
//! beside itself: styles, a small script, drawings and men all stand in it, and it asks for nothing from any
//! network. Files are not known here; nothing is printed.

mod board;
mod page;
mod pieces;
mod plots;
pub mod positions;
mod weights;
mod words;

pub use page::page;
pub use words::shown_path;

use self::positions::Comparison;
use crate::{plot::PassWeights, stat::RunRecord};

/// What a page is made of.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// The name of the run.
    pub name: &'a str,
    /// What its `.stat` tells.
    pub record: &'a RunRecord,
    /// The weights of its passes, as far as they are at hand.
    pub passes: &'a PassWeights,
    /// The pass that is set beside the start.
    pub pass: u32,
    /// The positions that changed most.
    pub positions: Positions,
}

/// The part on positions.
#[derive(Debug, Clone)]
pub enum Positions {
    /// The start compared with a pass.
    Found {
        /// What came of it.
        comparison: Box<Comparison>,
        /// What is to be said of it before all else.
        warnings: Vec<String>,
    },
    /// They could not be searched: why, and what is to be done.
    Missing(String),
}
