//! `.stat` files: the whole story of a run as text, for people and for programs.
//!
//! The layout is fixed (`docs/FORMATS.md`), 80 to 142 columns wide, and holds no times: the same run gives
//! the same bytes. All of it can be read back by [`parse`]; the weights of every pass, in full, stand in the
//! `.par` files beside it.
//!
//! A line that begins with `#` is a remark. Everything else is a header of names and values, and then
//! sections, each with its title in brackets. Tables begin with a row of titles, one word each, and their
//! fields hold no blanks, so that any program can take them apart. How the figures came about is not
//! known here.

mod parse;
mod print;
#[cfg(test)]
mod tests;
mod trends;

use texam_fit::{Agreement, PassReport, best};

pub use parse::parse;
pub use print::format;
pub use trends::{Frozen, Trend, Trends, Why};

/// Formats of the file, by its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Of an earlier version, which did not count ties: its mean ranks are of moves strictly ahead. It is read only.
    One,
    /// The present one.
    Two,
}

impl Format {
    const ALL: [Format; 2] = [Format::One, Format::Two];

    fn first_line(self) -> &'static str {
        match self {
            Format::One => "texam-stat 1",
            Format::Two => "texam-stat 2",
        }
    }

    /// Titles of the counts.
    fn counts(self) -> &'static [&'static str] {
        match self {
            Format::One => &["positions", "moves", "matched", "ahead", "in-bound", "rows"],
            Format::Two => &["positions", "moves", "matched", "ahead", "tied", "in-bound", "rows"],
        }
    }
}

/// Titles of the sections, in their order.
const OPTIONS: &str = "options";
const ITERATIONS: &str = "iterations";
const COUNTS: &str = "counts";
const AHEAD: &str = "moves ahead of the played one";
const MISSES: &str = "misses of positions in bound";
const WEIGHTS: &str = "weights";
const FROZEN: &str = "frozen";

/// Names of the two sets of positions in the counts.
const FITTED: &str = "fitted";
const HELD_OUT: &str = "held-out";

/// Label of the last row of a histogram: the sum of the others.
const ALL: &str = "all";

/// Stands for a figure that there is not.
const NOTHING: &str = "-";

/// What was run, on which games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Version of the program.
    pub version: String,
    /// Games as named on the command line.
    pub games: String,
    /// SHA-256 of the unpacked games.
    pub digest: String,
    /// Decisive games in the file.
    pub decisive: u64,
    /// Games that could not be used: broken ones and chess variants.
    pub skipped: u64,
    /// Games held out.
    pub held_out_games: u64,
    /// Positions fitted and positions held out.
    pub positions: [u64; 2],
    /// Digest of the start weights.
    pub start: String,
    /// Options in full, as on the command line, without the leading dashes.
    pub options: Vec<(String, String)>,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// More passes are to come, or would have come.
    Unfinished,
    /// All fits were made, or patience ran out.
    Finished,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Unfinished => "unfinished",
            State::Finished => "finished",
        }
    }
}

/// A `.stat` as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// The format of the file.
    pub format: Format,
    /// What was run.
    pub header: Header,
    /// How far it has come.
    pub state: State,
    /// What each pass measured. Histograms are those of the first, the best and the last pass; those of the
    /// others are empty.
    pub reports: Vec<PassReport>,
    /// What became of the weights.
    pub trends: Trends,
}

impl Story {
    /// The value of an option of the run.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.header.options.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Whether a pass that is searched again has the counts of its report. Ties are not compared where the file does
    /// not have them.
    pub fn agrees(&self, report: &Agreement, again: &Agreement) -> bool {
        let tied_sum = if self.format == Format::One { report.tied_sum } else { again.tied_sum };
        report.counts_as(&Agreement { tied_sum, ..again.clone() })
    }

    /// Indices of the first, the best and the last pass; none where there is no pass.
    pub fn shown(&self) -> Option<[usize; 3]> {
        shown(&self.reports)
    }
}

/// Indices of the passes whose histograms are shown side by side: first, best and last.
fn shown(reports: &[PassReport]) -> Option<[usize; 3]> {
    let last = reports.len().checked_sub(1)?;
    Some([0, best(reports.iter()), last])
}
