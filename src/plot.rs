//! Pictures of runs and of tables of weights, in SVG, in PNG and in characters.
//!
//! ```text
//! RunRecord, Weights -> run, table -> Panel (data) -> svg, png, text
//! ```
//!
//! A [`Panel`] holds what a picture tells, as data: [`run_panels`] makes those of a run, [`table_panels`] those of
//! tables of weights. [`svg()`] and [`png()`] draw one panel of any size, a [`Page`] several of them; [`text`] does
//! both in characters. The same panel gives the same bytes. Nothing here reads or writes files, or prints, and
//! how a run came about is not known.

mod canvas;
mod chart;
mod draw;
mod font;
mod heat;
mod page;
mod panel;
mod png;
mod run;
mod scale;
mod surface;
mod table;
pub mod text;
mod theme;
mod trace;

use self::canvas::{Area, Canvas};
pub use self::{
    page::{Page, WIDTHS},
    panel::{
        Axis, Board, BoardCell, BoardGrid, Chart, Colour, FrozenKind, Mark, Panel, PanelContent, PanelKind,
        Point, Series, SeriesStyle,
    },
    run::{
        PassWeights, TRENDS, agreement, ahead, forces, miss, misses, rank, run_forces, run_panels, spread,
        trends,
    },
    table::{FrozenCells, WeightPair, heat, list, surface, table_panels},
    theme::{PAGE_CSS, Theme},
    trace::trace_panel,
};
use crate::error::Result;

/// Size of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Across.
    pub width: u32,
    /// Down.
    pub height: u32,
}

/// One panel as SVG: text as text, and a ground of its own but for [`Theme::Page`].
pub fn svg(panel: &Panel, size: Size, theme: Theme) -> String {
    let mut canvas = Canvas::new(size, theme, &panel.title);
    let (right, bottom) = (f64::from(size.width), f64::from(size.height));
    draw::draw(&mut canvas, Area { left: 0.0, top: 0.0, right, bottom }, panel);
    canvas.finish()
}

/// One panel as PNG.
///
/// # Errors
///
/// A picture without pixels, or with more than memory has room for.
pub fn png(panel: &Panel, size: Size, theme: Theme) -> Result<Vec<u8>> {
    png::render(&svg(panel, size, theme.for_pixels()))
}

impl Panel {
    /// The size at which a panel of this width looks well.
    pub fn natural_size(&self, width: u32) -> Size {
        Size { width, height: draw::natural_height(self, width) }
    }
}

#[cfg(test)]
mod tests;
