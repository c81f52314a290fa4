//! A run as one page of HTML: what was run, results, plots, weights, and the positions that changed most.
//!
//! [`page`] fills the askama template with the record of a run, plots of it, and the [`positions`] in which
//! two sets of weights differ most. The page is self-contained: it includes styles, a small script, drawings
//! and pieces, and loads nothing from the network. This module reads and writes no files and prints nothing.

pub(crate) mod board;
mod page;
pub(crate) mod pieces;
pub mod player;
mod plots;
pub mod positions;
mod weights;
mod words;

pub use page::page;
pub use words::shown_path;

use self::positions::PositionChanges;
use crate::{run::stat::RunRecord, show::plot::PassWeights};

/// The contents of a page.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// Name of the run.
    pub name: &'a str,
    /// The contents of its `.stat` file.
    pub record: &'a RunRecord,
    /// The weights of its passes. Passes whose `.par` file cannot be read are left out.
    pub passes: &'a PassWeights,
    /// Number of the pass that is compared with the start.
    pub pass: u32,
    /// The positions that changed most.
    pub positions: Positions,
}

/// The section on positions.
#[derive(Debug, Clone)]
pub struct Positions {
    /// The comparison of the start with a pass; none where the positions were not searched.
    pub comparison: Option<PositionChanges>,
    /// Warnings that are shown before the results, or why there are none.
    pub warnings: Vec<String>,
}
