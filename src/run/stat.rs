//! `.stat` files: what a run measured in every pass, as text for people and for programs.
//!
//! The layout is fixed (`docs/FORMATS.md`) and 80 to 142 columns wide. It contains no times, so the same run
//! gives the same bytes. [`parse`] reads all of it back. The complete weights of every pass are in the `.par`
//! files in the same folder.
//!
//! A line that begins with `#` is a remark. The rest is a header of names and values, then sections, each with
//! its title in brackets. Tables begin with a row of column titles of one word each. Fields contain no blanks,
//! so any program can split the lines. This module formats and reads numbers; it does not compute them.

mod as_printed;
mod fitted;
mod parse;
mod print;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod trends;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use texam_fit::{Criterion, Model, ObjectiveName, Outcome, PassReport, best};

pub use as_printed::as_printed;
pub use fitted::FittedWeight;
pub use parse::parse;
pub use print::{error_text, format};
pub use trends::{
    FreezeReason, FrozenWeight, MOSTLY_HELD, Trend, Trends, by_weight, is_clear, not_tuned, not_tuned_of,
};

/// First line of the file: the version of its format.
const FORMAT: &str = "texam-stat 2";

/// Column titles in the section of counts.
const COUNT_TITLES: [&str; 7] = ["positions", "moves", "matched", "ahead", "tied", "in-bound", "rows"];

/// Section titles, in the order of the file.
const OPTIONS: &str = "options";
const ITERATIONS: &str = "iterations";
const LOSS: &str = "loss";
const RIDGES: &str = "ridges";
const COUNTS: &str = "counts";
const CHANGES: &str = "changes from the start";
const RANK_ERRORS: &str = "errors of differences in mean rank";
const RUN_ERRORS: &str = "errors of the run";
const WEIGHT_ERRORS: &str = "errors of the weights";
const AHEAD: &str = "moves ahead of the played one";
const MISSES: &str = "misses of positions in bound";
const AHEAD_BY_PASS: &str = "moves ahead by pass";
const WEIGHTS: &str = "weights";
const FROZEN: &str = "frozen";

/// Number of columns for the moves ahead of the played one; the last column also counts all positions with more.
pub const AHEAD_PLACES: usize = 16;

/// Positions by the number of moves ahead of the played one, from a histogram with a place for each number.
pub fn ahead_counts(histogram: &[u64]) -> [u64; AHEAD_PLACES] {
    let mut counts = [0_u64; AHEAD_PLACES];
    for (ahead, &count) in histogram.iter().enumerate() {
        let place = &mut counts[ahead.min(AHEAD_PLACES - 1)];
        *place = place.saturating_add(count);
    }
    counts
}

/// Names of the two sets of positions in the section of counts.
const FITTED: &str = "fitted";
const HELD_OUT: &str = "held-out";

/// Label of the last row of a histogram, the sum of the rows above it.
const ALL: &str = "all";

/// Field without a value.
const NO_VALUE: &str = "-";

/// The header of a `.stat` file: program version, games and options of the run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program.
    pub version: String,
    /// Path of the games as given on the command line.
    pub games: String,
    /// SHA-256 of the decompressed games, in hexadecimal.
    pub digest: String,
    /// Number of decisive games in the file.
    pub decisive: u64,
    /// Number of games that could not be used: unreadable games and chess variants.
    pub skipped: u64,
    /// Number of games held out.
    pub held_out_games: u64,
    /// Numbers of fitted and of held-out positions.
    pub positions: [u64; 2],
    /// Digest of the start weights ([`crate::par::digest`]).
    pub start: String,
    /// Every option with its value, as on the command line, without the leading dashes.
    pub options: Vec<(String, String)>,
}

impl Header {
    /// The objective of the run; a run without this option has that of 1988.
    pub fn objective(&self) -> ObjectiveName {
        self.option("objective").and_then(|value| value.parse().ok()).unwrap_or_default()
    }

    /// The value of an option of the run, if the run has an option of this name.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Whether its passes walked through stored trees, so that match, rank and all else were measured there.
    pub fn walks_trees(&self) -> bool {
        self.option("trees") == Some("on")
    }

    /// Whether the run was made on rows of another program.
    pub fn is_on_rows(&self) -> bool {
        self.option("choices").or(self.option("choices-from")).is_some()
    }

    /// The unit of weights and values.
    pub fn unit(&self) -> &'static str {
        if self.is_on_rows() { "unit of the weights" } else { "1/128 pawn" }
    }

    /// Whether positions have several moves. Labelled positions do not.
    fn has_moves(&self) -> bool {
        self.criterion().has_choices()
    }

    /// Whether the file has a histogram of the misses: its steps are fractions of our pawn.
    fn has_misses(&self) -> bool {
        self.has_moves() && !self.is_on_rows()
    }

    /// How the passes of the run are compared.
    fn criterion(&self) -> Criterion {
        match self.objective() {
            ObjectiveName::Logistic => Criterion::Loss,
            _ if self.option("preset") == Some("1988") => Criterion::Match,
            ObjectiveName::Force | ObjectiveName::Softmax | ObjectiveName::Pairs => Criterion::Rank,
        }
    }
}

/// Whether a run is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum State {
    /// The run is still going on, or was interrupted.
    Unfinished,
    /// All fits were made, or the agreement has not risen for the number of fits that `patience` allows.
    Finished,
}

/// The contents of a `.stat` file.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// Program version, games and options of the run.
    pub header: Header,
    /// Whether the run is complete.
    pub state: State,
    /// The measurements of each pass. Only the first, the best and the last pass have complete histograms. Those of
    /// the other passes end at [`AHEAD_PLACES`].
    pub reports: Vec<PassReport>,
    /// The values of the weights over the run.
    pub trends: Trends,
}

impl RunRecord {
    /// The value of an option of the run, if the run has an option of this name.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.header.option(name)
    }

    /// Notes the standard errors of the run in each pass, on the parameters of `model`; no passes, that there are none.
    pub fn set_errors(&mut self, model: &Model, errors: &[Outcome]) {
        for (pass, report) in self.reports.iter_mut().enumerate() {
            report.run_errors = errors.get(pass).map(|errors| errors.figures);
        }
        self.trends.set_run_errors(model, errors);
    }

    /// Whether each pass has the standard errors of the run.
    pub fn has_errors(&self) -> bool {
        self.reports.iter().all(|report| report.run_errors.is_some())
    }

    /// Whether the run was made on rows of another program.
    pub fn is_on_rows(&self) -> bool {
        self.header.is_on_rows()
    }

    /// Indices of the first, the best and the last pass, the passes with complete histograms; none if no pass was
    /// measured.
    pub fn shown_passes(&self) -> Option<[usize; 3]> {
        shown_passes(&self.reports)
    }
}

/// Indices of the first, the best and the last pass, whose histograms are printed side by side.
fn shown_passes(reports: &[PassReport]) -> Option<[usize; 3]> {
    let last = reports.len().checked_sub(1)?;
    Some([0, best(reports.iter()), last])
}
