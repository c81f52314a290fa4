//! Several panels on one picture: narrow ones side by side, wide ones below each other.

use super::{
    Size,
    canvas::{Area, Canvas},
    draw::{self, natural_height},
    panel::Panel,
    png,
    theme::Theme,
};
use crate::error::{Error, Result};

/// Allowed widths of a page, in pixels.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 280..=4000;

/// Smallest width, in pixels, of a panel with another one beside it.
const HALF: u32 = 430;

/// Largest number of pixels of a page in PNG.
const MOST_PIXELS: u64 = 100_000_000;

/// Several panels under a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Title of the page.
    pub title: String,
    /// Explanation below the title; may be empty.
    pub note: String,
    /// The panels, in drawing order.
    pub panels: Vec<Panel>,
}

/// A panel with its area on the page.
struct PlacedPanel<'a> {
    panel: &'a Panel,
    area: Area,
}

/// Places panels on a page of this width, from `top` downwards. Also returns the height of the page.
fn place_panels(panels: &[Panel], width: u32, mut top: u32) -> (Vec<PlacedPanel<'_>>, u32) {
    let columns = (width / HALF).clamp(1, 3);
    let mut placed = Vec::new();
    let mut rest = panels;
    while let Some(first) = rest.first() {
        let is_wide = first.kind.is_wide();
        let alike = rest.iter().take_while(|panel| panel.kind.is_wide() == is_wide).count();
        let beside = if is_wide { 1 } else { alike.min(columns as usize) };
        let (row, others) = rest.split_at(beside);
        let each = if is_wide { width } else { width / columns };
        let height = row.iter().map(|panel| natural_height(panel, each)).max().unwrap_or(0);
        placed.extend((0..).zip(row).map(|(at, panel)| {
            let [left, right] = [at * each, (at + 1) * each].map(f64::from);
            let (top, bottom) = (f64::from(top), f64::from(top + height));
            PlacedPanel { panel, area: Area { left, top, right, bottom } }
        }));
        (top, rest) = (top + height, others);
    }
    (placed, top)
}

impl Page {
    /// The page as SVG, `width` pixels wide. Narrow panels are side by side.
    pub fn svg(&self, width: u32, theme: Theme) -> String {
        let head = draw::head_height(&self.title, &self.note, width);
        let (placed, height) = place_panels(&self.panels, width, head);
        let mut canvas = Canvas::new(Size { width, height }, theme, &self.title);
        draw::draw_head(&mut canvas, width, &self.title, &self.note);
        for PlacedPanel { panel, area } in placed {
            draw::draw(&mut canvas, area, panel);
        }
        canvas.finish()
    }

    /// The page as PNG, `width` pixels wide.
    pub fn png(&self, width: u32, theme: Theme) -> Result<Vec<u8>> {
        let head = draw::head_height(&self.title, &self.note, width);
        let (_, height) = place_panels(&self.panels, width, head);
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            let found = format!("{width} by {height}; choose fewer panels or tables, or draw an SVG");
            return Err(Error::expected(format!("a page of at most {MOST_PIXELS} pixels"), found));
        }
        png::render(&self.svg(width, theme.for_pixels()))
    }
}
