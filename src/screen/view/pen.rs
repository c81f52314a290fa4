//! Writes text into a buffer, cut at its edges.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::{
    screen::theme::Theme,
    show::plot::{self, Panel},
};

/// A buffer with a theme.
pub struct Pen<'a> {
    buffer: &'a mut Buffer,
    /// Signs and colours.
    pub theme: Theme,
}

impl<'a> Pen<'a> {
    /// Writes into a buffer.
    pub fn new(buffer: &'a mut Buffer, theme: Theme) -> Pen<'a> {
        Pen { buffer, theme }
    }

    /// Writes text, and returns the column after it.
    pub fn text(&mut self, x: u16, y: u16, text: &str, style: Style) -> u16 {
        self.within(x, y, u16::MAX, text, style)
    }

    /// Writes at most `width` columns of text, and returns the column after it.
    pub fn within(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let area = self.buffer.area;
        if x >= area.right() || y >= area.bottom() {
            return x;
        }
        #[cfg(test)]
        note_cut(text, width.min(area.right() - x));
        self.buffer.set_stringn(x, y, text, usize::from(width), style).0
    }

    /// Writes letters, each in its style.
    pub fn styled(&mut self, x: u16, y: u16, line: &[(char, Style)]) {
        let mut x = x;
        for (letter, style) in line {
            x = self.text(x, y, letter.encode_utf8(&mut [0; 4]), *style);
        }
    }

    /// Writes text that ends before column `end`.
    pub fn right(&mut self, end: u16, y: u16, text: &str, style: Style) {
        let width = text.chars().count() as u16;
        self.text(end.saturating_sub(width), y, text, style);
    }

    /// Draws a panel of `plot`.
    pub fn panel(&mut self, panel: &Panel, area: Rect) {
        plot::text::draw(panel, self.theme.look(), area.intersection(self.buffer.area), self.buffer);
    }

    /// Sets the style of an area and leaves its text.
    pub fn fill(&mut self, area: Rect, style: Style) {
        self.buffer.set_style(area.intersection(self.buffer.area), style);
    }
}

#[cfg(test)]
thread_local! {
    /// The texts that were cut off.
    static CUT: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

#[cfg(test)]
fn note_cut(text: &str, width: u16) {
    if text.trim_end().chars().count() > usize::from(width) {
        CUT.with_borrow_mut(|cut| cut.push(text.to_string()));
    }
}

/// The texts that were cut off in this thread since the last call.
#[cfg(test)]
pub fn take_cut() -> Vec<String> {
    CUT.take()
}
