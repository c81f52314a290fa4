//! Pictures of runs and of tables of weights, in SVG, in PNG and in characters.
//!
//! ```text
//! Story, Weights -> run, table -> Panel (data) -> svg, png, text
//! ```
//!
//! A [`Panel`] holds what a picture tells, as data: [`of_story`] makes those of a run, [`of_tables`] those of
//! tables of weights. [`svg()`] and [`png()`] draw one panel of any size, a [`Page`] several of them; [`text`] does
//! both in characters. The same panel gives the same bytes. Nothing here reads or writes files, or prints, and
//! how a run came about is not known.

mod chart;
mod draw;
mod heat;
mod letters;
mod page;
mod panel;
mod run;
mod scale;
mod sheet;
mod surface;
mod table;
pub mod text;
mod theme;
mod trace;

pub use self::{
    page::{Page, WIDTHS},
    panel::{Axis, Board, Boards, Body, Chart, Held, Hue, Kind, Look, Mark, Panel, Point, Series, Square},
    run::{
        Passes, TRENDS, agreement, ahead, forces, forces_of, miss, misses, of_story, rank, spread, trends,
    },
    table::{Kept, Pair, heat, list, of_tables, surface},
    theme::{PAGE_CSS, Theme},
    trace::of_trace,
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
///
/// # Errors
///
/// Whatever the drawing could not do.
pub fn svg(panel: &Panel, size: Size, theme: Theme) -> Result<String> {
    sheet::svg(size, theme, &panel.title, |paper| draw::draw(paper, panel))
}

/// One panel as PNG.
///
/// # Errors
///
/// Whatever the drawing could not do.
pub fn png(panel: &Panel, size: Size, theme: Theme) -> Result<Vec<u8>> {
    sheet::encoded(&sheet::pixels(size, theme, |paper| draw::draw(paper, panel))?, size)
}

impl Panel {
    /// The size at which a panel of this width looks well.
    pub fn natural_size(&self, width: u32) -> Size {
        Size { width, height: draw::natural_height(self, width) }
    }
}

#[cfg(test)]
mod tests;
