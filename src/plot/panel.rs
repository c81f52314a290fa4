//! What is drawn, as data: titles, axes, series, boards. Nothing here knows runs, pixels or characters, so
//! that what a picture tells can be tested without drawing it.

use std::{fmt, str::FromStr};

use crate::{
    error::{Error, Result},
    feature::Key,
};

/// What a panel tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PanelKind {
    /// Share of positions that match, fitted and held out, by pass.
    Agreement,
    /// Mean number of moves ahead of the played one, by pass.
    Rank,
    /// Spread of the values within a position, by pass.
    Spread,
    /// Root mean square of the misses, by pass.
    Miss,
    /// Positions by moves ahead of the played one.
    Ahead,
    /// Positions in bound by how far the played move was missed.
    Misses,
    /// The eight forces over the miss.
    Forces,
    /// The weights that changed most, by pass.
    Trends,
    /// A table over the board, as colours.
    Heat,
    /// A table over the board, as a surface.
    Surface,
    /// A table by file or by rank.
    List,
    /// The evaluation along a game.
    Trace,
}

impl PanelKind {
    /// All kinds of a run and of weights, in the order in which they are drawn.
    pub const ALL: [PanelKind; 11] = [
        PanelKind::Agreement,
        PanelKind::Rank,
        PanelKind::Spread,
        PanelKind::Miss,
        PanelKind::Ahead,
        PanelKind::Misses,
        PanelKind::Forces,
        PanelKind::Trends,
        PanelKind::Heat,
        PanelKind::Surface,
        PanelKind::List,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PanelKind::Agreement => "agreement",
            PanelKind::Rank => "rank",
            PanelKind::Spread => "spread",
            PanelKind::Miss => "miss",
            PanelKind::Ahead => "ahead",
            PanelKind::Misses => "misses",
            PanelKind::Forces => "forces",
            PanelKind::Trends => "trends",
            PanelKind::Heat => "heat",
            PanelKind::Surface => "surface",
            PanelKind::List => "list",
            PanelKind::Trace => "trace",
        }
    }

    /// Whether it shows a table of weights rather than a run.
    pub fn is_of_tables(self) -> bool {
        matches!(self, PanelKind::Heat | PanelKind::Surface | PanelKind::List)
    }
}

impl FromStr for PanelKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<PanelKind> {
        PanelKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = PanelKind::ALL.map(PanelKind::name).join(", ");
            Error::expected(format!("one of {names}"), format!("{name:?}"))
        })
    }
}

impl fmt::Display for PanelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One picture with its title.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What it tells.
    pub kind: PanelKind,
    /// The table it is about, if it is about one.
    pub table: Option<Key>,
    /// Title: what is shown.
    pub title: String,
    /// What the title does not say, in smaller letters; may be empty.
    pub note: String,
    /// What the signs of a picture mean, behind the note; may be empty.
    pub signs: String,
    /// The picture.
    pub content: PanelContent,
}

/// The kinds of pictures.
#[derive(Debug, Clone, PartialEq)]
pub enum PanelContent {
    /// Charts side by side; mostly one.
    Charts(Vec<Chart>),
    /// BoardGrid of coloured cells.
    Heat(BoardGrid),
    /// The same as surfaces.
    Surface(BoardGrid),
}

/// Curves or bars over an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Title of its own, where there are several; may be empty.
    pub title: String,
    /// The axis below.
    pub x_axis: Axis,
    /// The axis at the left.
    pub y_axis: Axis,
    /// What is drawn, the first below the others.
    pub series: Vec<Series>,
    /// A place on the axis below that is pointed out.
    pub mark: Option<Mark>,
    /// A value on the axis at the left to compare with.
    pub level: Option<f64>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What it measures, with the unit; may be empty.
    pub title: String,
    /// Names of the places 0, 1, .. where it has names; else it has numbers.
    pub names: Vec<String>,
    /// Whether only whole numbers mean something.
    pub whole: bool,
    /// Whether 0 belongs to it.
    pub zero: bool,
}

impl Axis {
    /// An axis of numbers.
    pub fn numbers(title: impl Into<String>) -> Axis {
        Axis { title: title.into(), ..Axis::default() }
    }

    /// An axis of numbers from 0.
    pub fn from_zero(title: impl Into<String>) -> Axis {
        Axis { zero: true, ..Axis::numbers(title) }
    }

    /// An axis of passes.
    pub fn passes() -> Axis {
        Axis { whole: true, zero: true, ..Axis::numbers("pass") }
    }

    /// An axis of places that have names.
    pub fn named(title: impl Into<String>, names: Vec<String>) -> Axis {
        Axis { names, ..Axis::numbers(title) }
    }
}

/// A curve, or bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name; may be empty.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// How it is drawn.
    pub style: SeriesStyle,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesStyle {
    /// Line and dots; errors as a band.
    Dots,
    /// Line and dots; errors as bars.
    ErrorBars,
    /// A plain line.
    Line,
    /// A line that stands out.
    Strong,
    /// A broken line.
    Dashed,
    /// Bars from 0.
    Bars,
}

/// One point of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Standard error of `y`, where one is known.
    pub error: Option<f64>,
    /// Whether it stands for a weight that the last fit kept.
    pub frozen: Option<FrozenKind>,
}

impl Point {
    /// A point without an error.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, error: None, frozen: None }
    }
}

/// A place on the axis below that is pointed out.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What is there.
    pub name: String,
}

/// Colours by name; a theme says what they style like. Anyone should be able to tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Colour {
    /// The colour of letters.
    Ink,
    /// What stands back.
    Grey,
    /// The first colour.
    Blue,
    /// Goes best with blue.
    Orange,
    /// The third colour.
    Green,
    /// The fourth colour.
    Purple,
    /// The fifth colour.
    Yellow,
    /// The sixth colour.
    Sky,
}

/// Why the last fit kept a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrozenKind {
    /// Too few positions bear on it.
    Unsupported,
    /// It is not among what is tuned.
    NotTuned,
}

impl FrozenKind {
    /// In words, for a legend.
    pub fn meaning(self) -> &'static str {
        match self {
            FrozenKind::Unsupported => "kept by the last fit: too few positions",
            FrozenKind::NotTuned => "kept by the last fit: not tuned",
        }
    }
}

/// BoardGrid in rows and columns, all on one scale of values.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardGrid {
    /// BoardGrid in a row.
    pub columns: usize,
    /// The boards, row by row.
    pub boards: Vec<Board>,
    /// Labels below a board: files, or states.
    pub column_labels: Vec<String>,
    /// Labels beside a board, from below: ranks, or files.
    pub row_labels: Vec<String>,
    /// What the labels below a board are.
    pub column_title: String,
    /// What the labels beside a board are.
    pub row_title: String,
    /// The largest value without its sign, more than 0.
    pub limit: f64,
}

/// A table over the board.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// Which one it is.
    pub title: String,
    /// Its cells, row by row from below.
    pub cells: Vec<Vec<BoardCell>>,
}

/// A cell of a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoardCell {
    /// Its weight, in units.
    pub value: f64,
    /// Whether the last fit kept it.
    pub frozen: Option<FrozenKind>,
}

impl Panel {
    /// The note and what the signs mean, as one.
    pub(super) fn whole_note(&self) -> String {
        let parts = [self.note.as_str(), self.signs.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// Every reason for which something shown was kept, each once.
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
