//! Several panels on one sheet: narrow ones side by side, wide ones below each other.

use super::{
    Size,
    draw::{self, natural_height},
    panel::{Kind, Panel},
    sheet::{self, Paper},
    theme::Theme,
};
use crate::error::{Error, Result};

/// Narrowest and widest page.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 280..=4000;

/// Narrowest panel that has another one beside it.
const HALF: u32 = 430;

/// Most pixels of a page in PNG.
const MOST_PIXELS: u64 = 100_000_000;

/// Panels under a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// What the title does not say; may be empty.
    pub note: String,
    /// Its panels, in their order.
    pub panels: Vec<Panel>,
}

/// A panel in its place.
struct Placed<'a> {
    panel: &'a Panel,
    left: u32,
    top: u32,
    size: Size,
}

/// Places panels on a page of this width, from `top` on. Says how high it is.
fn place(panels: &[Panel], width: u32, mut top: u32) -> (Vec<Placed<'_>>, u32) {
    let columns = (width / HALF).clamp(1, 3);
    let mut placed = Vec::new();
    let mut rest = panels;
    while let Some(first) = rest.first() {
        let alike = rest.iter().take_while(|panel| is_narrow(panel.kind) == is_narrow(first.kind)).count();
        let beside = if is_narrow(first.kind) { alike.min(columns as usize) } else { 1 };
        let (row, others) = rest.split_at(beside);
        let each = if is_narrow(first.kind) { width / columns } else { width };
        let height = row.iter().map(|panel| natural_height(panel, each)).max().unwrap_or(0);
        let row = (0..).zip(row).map(|(at, panel)| Placed {
            panel,
            left: at * each,
            top,
            size: Size { width: each, height },
        });
        placed.extend(row);
        (top, rest) = (top + height, others);
    }
    (placed, top)
}

/// Whether half a page is enough.
fn is_narrow(kind: Kind) -> bool {
    !matches!(kind, Kind::Forces | Kind::Trends | Kind::Heat | Kind::Surface | Kind::Trace)
}

impl Page {
    /// One SVG: panels below each other, those that are narrow side by side.
    ///
    /// # Errors
    ///
    /// Whatever the drawing could not do.
    pub fn svg(&self, width: u32, theme: Theme) -> Result<String> {
        let head = draw::head_height(&self.title, &self.note, width);
        let (placed, height) = place(&self.panels, width, head);
        let headed = sheet::svg(Size { width, height }, theme, &self.title, |paper| self.draw_head(paper))?;
        let mut text = headed.trim_end().trim_end_matches("</svg>").to_string();
        for Placed { panel, left, top, size } in placed {
            let scale = sheet::FINENESS as u32;
            let corner = format!("<svg x=\"{}\" y=\"{}\" ", left * scale, top * scale);
            let [from, to] = [1, scale]
                .map(|scale| format!("width=\"{}\" height=\"{}\"", size.width * scale, size.height * scale));
            let inner = super::svg(panel, size, theme)?;
            text += &inner.replacen("<svg ", &corner, 1).replacen(&from, &to, 1);
        }
        text += "</svg>\n";
        Ok(text)
    }

    /// The same as PNG.
    ///
    /// # Errors
    ///
    /// Also a page of too many pixels.
    pub fn png(&self, width: u32, theme: Theme) -> Result<Vec<u8>> {
        let head = draw::head_height(&self.title, &self.note, width);
        let (placed, height) = place(&self.panels, width, head);
        let size = Size { width, height };
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            let found = format!("{width} by {height}; choose fewer panels or tables, or draw an SVG");
            return Err(Error::expected(format!("a page of at most {MOST_PIXELS} pixels"), found));
        }
        let ground = sheet::pixels(Size { width: 1, height: 1 }, theme, |_| ())?;
        let mut pixels = ground.repeat(width as usize * height as usize);
        let top = Size { width, height: head };
        lay(&mut pixels, width, (0, 0), &sheet::pixels(top, theme, |paper| self.draw_head(paper))?, width);
        for Placed { panel, left, top, size: part } in placed {
            let inner = sheet::pixels(part, theme, |paper| draw::draw(paper, panel))?;
            lay(&mut pixels, width, (left, top), &inner, part.width);
        }
        sheet::encoded(&pixels, size)
    }

    fn draw_head(&self, paper: &mut dyn Paper) {
        draw::draw_head(paper, &self.title, &self.note);
    }
}

/// Lays pixels onto others, which are `width` wide.
fn lay(pixels: &mut [u8], width: u32, (left, top): (u32, u32), part: &[u8], part_width: u32) {
    if part_width == 0 {
        return;
    }
    for (row, line) in part.chunks_exact(3 * part_width as usize).enumerate() {
        let at = 3 * ((top as usize + row) * width as usize + left as usize);
        pixels[at..at + line.len()].copy_from_slice(line);
    }
}
