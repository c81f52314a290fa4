//! Writes text into a buffer, cut at its edges.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::{
    screen::{keys::Target, theme::Theme},
    show::plot::{self, Panel},
};

/// A buffer with a theme.
pub struct Pen<'a> {
    buffer: &'a mut Buffer,
    /// Signs and colours.
    pub theme: Theme,
    targets: Vec<(Rect, Target)>,
}

impl<'a> Pen<'a> {
    /// Writes into a buffer.
    pub fn new(buffer: &'a mut Buffer, theme: Theme) -> Pen<'a> {
        Pen { buffer, theme, targets: Vec::new() }
    }

    /// Notes that a click in this area means this.
    pub fn target(&mut self, area: Rect, target: Target) {
        self.targets.push((area, target));
    }

    /// What a click at a cell means; what was drawn last lies above the rest.
    pub fn target_at(&self, (x, y): (u16, u16)) -> Option<Target> {
        let mut above = self.targets.iter().rev();
        above.find(|(area, _)| area.contains((x, y).into())).map(|(_, target)| *target)
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
        #[cfg(test)]
        note_overlap(self.buffer, x, y, text);
        self.buffer.set_stringn(x, y, text, usize::from(width), style).0
    }

    /// Takes away what stands in a line, for what is to lie above it.
    pub fn clear_line(&mut self, y: u16) {
        let blanks = " ".repeat(usize::from(self.buffer.area.width));
        self.text(0, y, &blanks, self.theme.plain());
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

#[cfg(test)]
thread_local! {
    /// The texts that were written over others.
    static OVERLAPS: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

#[cfg(test)]
fn note_overlap(buffer: &Buffer, x: u16, y: u16, text: &str) {
    let is_over = |(at, letter): (u16, char)| {
        let below = buffer.cell((x + at, y)).map_or(" ", ratatui::buffer::Cell::symbol);
        letter != ' ' && below != " " && !below.starts_with(letter)
    };
    if (0..).zip(text.chars()).any(is_over) {
        OVERLAPS.with_borrow_mut(|overlaps| overlaps.push(text.to_string()));
    }
}

/// The texts that were written over others in this thread since the last call.
#[cfg(test)]
pub fn take_overlaps() -> Vec<String> {
    OVERLAPS.take()
}
