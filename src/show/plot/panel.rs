//! The data of a picture: titles, axes, series, boards. It does not depend on runs, pixels or characters, so
//! tests can check the content of a picture without drawing it.

use std::str::FromStr;

use strum::{Display, IntoStaticStr, VariantArray};

use crate::{
    error::{Error, Result},
    feature::Key,
};

/// Subject of a panel. Names on the command line are the variants in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum PanelKind {
    /// Match rate of fitted and held-out positions, by pass.
    Agreement,
    /// Mean rank of the played move, by pass.
    Rank,
    /// Mean loss of a choice, by pass. Runs of objectives with a temperature have one.
    Loss,
    /// Spread of the kept values within a choice, by pass.
    Spread,
    /// Root mean square of the misses, by pass.
    Miss,
    /// Histogram of the moves ahead of the played one.
    Ahead,
    Misses,
    /// The force as a function of the miss, for each kind of force.
    Forces,
    /// The weights that moved the values most, by pass.
    Trends,
    /// A table in two dimensions as coloured cells.
    Heat,
    /// A table over files and ranks as a surface.
    Surface,
    /// A table in one dimension, by file or by rank.
    List,
    /// The evaluation along a game. It belongs to `texam eval --trace` and has no name in `texam plot`.
    Trace,
}

impl PanelKind {
    /// Whether the panel shows a table of weights rather than a run.
    pub fn is_of_tables(self) -> bool {
        matches!(self, PanelKind::Heat | PanelKind::Surface | PanelKind::List)
    }

    /// Whether the panel takes a row of a page for itself.
    pub fn is_wide(self) -> bool {
        use PanelKind::{Forces, Heat, Surface, Trace, Trends};
        matches!(self, Forces | Trends | Heat | Surface | Trace)
    }
}

impl FromStr for PanelKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<PanelKind> {
        let named = || PanelKind::VARIANTS.iter().filter(|kind| **kind != PanelKind::Trace);
        named().find(|kind| <&str>::from(*kind) == name).copied().ok_or_else(|| {
            let names: Vec<&str> = named().map(<&str>::from).collect();
            Error::expected(format!("one of {}", names.join(", ")), format!("{name:?}"))
        })
    }
}

/// One picture with its title and notes.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Subject of the picture.
    pub kind: PanelKind,
    /// The feature whose table is shown; none for other pictures.
    pub table: Option<Key>,
    /// Subject in a few words.
    pub title: String,
    /// Explanation below the title, in smaller letters; may be empty.
    pub note: String,
    /// Meaning of the signs in the picture, after the note; may be empty. Text output has no such signs.
    pub signs: String,
    /// The data of the picture.
    pub content: PanelContent,
}

/// The data of a picture.
#[derive(Debug, Clone, PartialEq)]
pub enum PanelContent {
    /// One chart, or several in rows.
    Charts(Vec<Chart>),
    /// Boards of coloured cells.
    Heat(BoardGrid),
    Surface(BoardGrid),
}

/// Curves or bars over an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chart {
    /// Title of the chart if the panel has several; may be empty.
    pub title: String,
    /// Explanation below the title, in smaller letters; may be empty.
    pub note: String,
    pub x_axis: Axis,
    pub y_axis: Axis,
    /// The curves or bars, in drawing order: later ones cover earlier ones.
    pub series: Vec<Series>,
    /// A marked position on the horizontal axis.
    pub mark: Option<Mark>,
    /// A reference value on the vertical axis, drawn as a dashed line.
    pub level: Option<f64>,
}

/// An axis of numbers or of names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// Title with the unit; may be empty.
    pub title: String,
    /// Labels of the positions 0, 1, ..; empty for an axis of numbers.
    pub names: Vec<String>,
    /// Whether ticks are at whole numbers only.
    pub whole: bool,
    /// Whether the axis always includes 0.
    pub zero: bool,
    /// Another value that the axis always includes.
    pub to: Option<f64>,
}

impl Axis {
    pub fn numbers(title: impl Into<String>) -> Axis {
        Axis { title: title.into(), ..Axis::default() }
    }

    /// An axis of numbers that includes 0.
    pub fn from_zero(title: impl Into<String>) -> Axis {
        Axis { zero: true, ..Axis::numbers(title) }
    }

    /// An axis of pass numbers.
    pub fn passes() -> Axis {
        Axis { whole: true, zero: true, ..Axis::numbers("pass") }
    }

    pub fn named(title: impl Into<String>, names: Vec<String>) -> Axis {
        Axis { names, ..Axis::numbers(title) }
    }
}

/// A curve, or a set of bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend; may be empty.
    pub name: String,
    pub colour: Colour,
    pub style: SeriesStyle,
    /// Points, from left to right.
    pub points: Vec<Point>,
}

impl Series {
    pub fn new(name: impl Into<String>, colour: Colour, style: SeriesStyle, points: Vec<Point>) -> Series {
        Series { name: name.into(), colour, style, points }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesStyle {
    /// Line and dots; errors as a band.
    Dots,
    /// Line and dots; errors as bars.
    ErrorBars,
    Line,
    /// A thick line.
    Strong,
    Dashed,
    /// Bars from 0.
    Bars,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// Standard error of `y`, if it is known.
    pub error: Option<f64>,
    /// Why the weight was frozen in the last fit; none for other points.
    pub frozen: Option<FrozenKind>,
}

impl Point {
    /// A point without standard error.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, error: None, frozen: None }
    }
}

/// A marked position on the horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Label; may be empty.
    pub name: String,
}

/// Colours of the palette, which readers with colour blindness can tell apart. A [`Theme`](super::Theme)
/// gives their RGB values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Colour of text.
    Ink,
    /// Grey, for axes and notes.
    Grey,
    /// Blue, for the first series.
    Blue,
    /// Orange, for the second series.
    Orange,
    Green,
    Purple,
    Yellow,
    Sky,
}

/// Why a weight was frozen in the last fit, as plots distinguish it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrozenKind {
    /// Too few choices touch the weight.
    Unsupported,
    /// The weight is not tuned.
    NotTuned,
}

impl FrozenKind {
    /// Text for the legend.
    pub fn meaning(self) -> &'static str {
        match self {
            FrozenKind::Unsupported => "kept by the last fit: too few positions",
            FrozenKind::NotTuned => "kept by the last fit: not tuned",
        }
    }
}

/// Boards in rows and columns with a common scale of values.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardGrid {
    /// Number of boards in a row.
    pub columns: usize,
    /// The boards, row by row.
    pub boards: Vec<Board>,
    /// Labels of the columns, below each board: files, or shelter states.
    pub column_labels: Vec<String>,
    /// Labels of the rows, from bottom to top: ranks, or shelter files.
    pub row_labels: Vec<String>,
    pub column_title: String,
    pub row_title: String,
    /// Largest absolute value of all cells, in units; above 0.
    pub limit: f64,
}

/// A table in two dimensions, for one phase and one set of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// Phase and name of the set.
    pub title: String,
    /// Cells, row by row from bottom to top.
    pub cells: Vec<Vec<BoardCell>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoardCell {
    /// Weight, in units.
    pub value: f64,
    /// Why the weight was frozen in the last fit; none if it was fitted.
    pub frozen: Option<FrozenKind>,
}

impl Panel {
    /// A panel without a table, whose picture has no signs to explain.
    pub fn new(
        kind: PanelKind,
        title: impl Into<String>,
        note: impl Into<String>,
        content: PanelContent,
    ) -> Panel {
        let (title, note, signs) = (title.into(), note.into(), String::new());
        Panel { kind, table: None, title, note, signs, content }
    }

    /// The note and the meaning of the signs as one text.
    pub(super) fn whole_note(&self) -> String {
        let parts = [self.note.as_str(), self.signs.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The reasons for which weights in this panel were frozen, each once.
    pub fn frozen_kinds(&self) -> Vec<FrozenKind> {
        let mut frozen: Vec<FrozenKind> = match &self.content {
            PanelContent::Charts(charts) => {
                let points = charts.iter().flat_map(|chart| &chart.series).flat_map(|series| &series.points);
                points.filter_map(|point| point.frozen).collect()
            }
            PanelContent::Heat(boards) | PanelContent::Surface(boards) => {
                let cells = boards.boards.iter().flat_map(|board| board.cells.iter().flatten());
                cells.filter_map(|cell| cell.frozen).collect()
            }
        };
        frozen.sort_unstable();
        frozen.dedup();
        frozen
    }
}
