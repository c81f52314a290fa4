//! Pictures of runs and of tables of weights, in SVG, in PNG and in characters.
//!
//! ```text
//! RunRecord, Weights -> run, table -> Panel (data) -> svg, png, text
//! ```
//!
//! A [`Panel`] is the data of a picture: [`run_panels`] makes the panels of a run, `table_panels` those of
//! tables of weights. [`svg()`] draws one panel at any size, a [`Page`] draws several, also as PNG; [`text`]
//! draws both in characters. The same panel always gives the same bytes. This module reads and writes no
//! files and prints nothing.

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
#[cfg(feature = "native")]
mod trace;

use self::canvas::{Area, Canvas};
pub(crate) use self::{
    canvas::escape_xml,
    panel::{Colour, PanelContent, PanelKind},
    run::{HistogramPass, MeasuredPasses, agreement, ahead, loss, misses, rank, roles_of_passes, spread},
    scale::{MINUS, number},
    table::{FrozenCells, WeightPair, table_panels},
};
pub use self::{
    font::wrap,
    page::Page,
    panel::Panel,
    run::{PassWeights, run_panels},
    theme::{PAGE_CSS, Theme},
};
#[cfg(feature = "native")]
pub(crate) use self::{page::WIDTHS, trace::trace_panel};

/// Size of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// One panel as SVG. Text stays text. The picture has a background, except with [`Theme::Page`].
pub fn svg(panel: &Panel, size: Size, theme: Theme) -> String {
    let mut canvas = Canvas::new(size, theme, &panel.title);
    let (right, bottom) = (f64::from(size.width), f64::from(size.height));
    draw::draw(&mut canvas, Area { left: 0.0, top: 0.0, right, bottom }, panel);
    canvas.finish()
}

impl Panel {
    /// The size of the panel at this width in pixels, with a height that suits its content.
    pub fn natural_size(&self, width: u32) -> Size {
        Size { width, height: draw::natural_height(self, width) }
    }
}

#[cfg(test)]
mod tests;
