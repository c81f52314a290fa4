//! Panels in characters: curves in dots, everything else in numbers. A surface is shown as the numbers of its
//! table.
//!
//! The widgets of ratatui draw into a buffer of cells. [`page`] and [`panel()`] convert it to lines of text,
//! with or without colours; `draw` copies it into an area of the screen. Names and signs tell curves apart,
//! so both are complete without colours.

mod board;
mod curves;
mod figures;

pub(crate) use figures::spark;
use std::fmt::Write;

use ratatui::{
    buffer::{Buffer, Cell},
    layout::Rect,
    style::{Color, Modifier, Style},
};

use super::{
    font::wrap,
    page::Page,
    panel::{Chart, Colour, FrozenKind, Panel, PanelContent, PanelKind},
};
use crate::feature::Key;

/// Smallest width of the text, in columns.
pub const NARROWEST: u16 = 60;

/// Largest width of the text, in columns.
const WIDEST: u16 = 400;

/// Signs and styles of what is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub style: fn(Colour) -> Style,
    pub title: Style,
    /// Whether all signs are plain ASCII.
    pub ascii: bool,
}

impl Look {
    /// The look of text, whose colours are visible on white and on black.
    const TEXT: Look = Look { style, title: Style::new().add_modifier(Modifier::BOLD), ascii: false };

    fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { unicode }
    }
}

/// The sign that stands for the points of a curve, where there are no colours.
fn sign_of_curve(colour: Colour) -> &'static str {
    match colour {
        Colour::Orange => "o",
        Colour::Purple => "*",
        Colour::Green => "+",
        _ => "x",
    }
}

/// A page as text of this width, at least [`NARROWEST`]. With `colour` it contains ANSI escape sequences.
pub fn page(page: &Page, columns: u16, colour: bool) -> String {
    let columns = columns.clamp(NARROWEST, WIDEST);
    let mut text = String::new();
    let mut head = Sheet::new(columns, Look::TEXT);
    head.line(&page.title, Look::TEXT.title);
    head.wrapped(&page.note);
    text += &head.text(colour);
    let has_heat = |table: Option<Key>| {
        page.panels.iter().any(|panel| panel.kind == PanelKind::Heat && panel.table == table)
    };
    // The heat map of the same table has the same numbers.
    let is_repeated = |panel: &Panel| panel.kind == PanelKind::Surface && has_heat(panel.table);
    for panel in page.panels.iter().filter(|panel| !is_repeated(panel)) {
        text.push('\n');
        text += &self::panel(panel, columns, colour);
    }
    text
}

/// One panel as text of this width, at least [`NARROWEST`]. With `colour` it contains ANSI escape sequences.
pub fn panel(panel: &Panel, columns: u16, colour: bool) -> String {
    let mut sheet = Sheet::new(columns.clamp(NARROWEST, WIDEST), Look::TEXT);
    sheet.line(&panel.title, Look::TEXT.title);
    sheet.wrapped(&panel.note);
    contents(&mut sheet, panel);
    sheet.text(colour)
}

/// Draws a panel into an area, without its note. A panel of one chart fits into the area as far as it can; of
/// any other the upper part is drawn.
pub(crate) fn draw(panel: &Panel, look: Look, area: Rect, buffer: &mut Buffer) {
    let mut sheet = Sheet::new(area.width, look);
    match &panel.content {
        PanelContent::Charts(charts) if charts.len() == 1 && has_names(&charts[0]) => {
            figures::histogram(&mut sheet, &panel.title, &charts[0]);
        }
        PanelContent::Charts(charts) if charts.len() == 1 => {
            curves::draw_within(&mut sheet, &panel.title, &charts[0], area.height);
        }
        _ => {
            sheet.line(&panel.title, look.title);
            contents(&mut sheet, panel);
        }
    }
    let lines = area.height.min(sheet.buffer.area.height);
    for (x, y) in (0..lines).flat_map(|y| (0..area.width).map(move |x| (x, y))) {
        if let Some(cell) = buffer.cell_mut((area.x + x, area.y + y)) {
            *cell = sheet.buffer[(x, y)].clone();
        }
    }
}

fn contents(sheet: &mut Sheet, panel: &Panel) {
    match &panel.content {
        PanelContent::Charts(charts) if panel.kind == PanelKind::Trends => figures::trends(sheet, charts),
        PanelContent::Charts(charts) if charts.iter().all(has_names) => figures::table(sheet, charts),
        PanelContent::Charts(charts) => charts.iter().for_each(|chart| curves::draw(sheet, chart)),
        PanelContent::Heat(boards) | PanelContent::Surface(boards) => board::draw(sheet, boards),
    }
    for frozen in panel.frozen_kinds() {
        sheet.line(&format!("{} {}", sign(frozen), frozen.meaning()), sheet.faint());
    }
}

fn has_names(chart: &Chart) -> bool {
    !chart.x_axis.names.is_empty()
}

/// The sign after the number of a frozen weight.
fn sign(frozen: FrozenKind) -> char {
    match frozen {
        FrozenKind::Unsupported => '*',
        FrozenKind::NotTuned => '=',
    }
}

/// A terminal colour that is visible on white and on black.
fn style(colour: Colour) -> Style {
    let colour = match colour {
        Colour::Ink => Color::Reset,
        Colour::Grey => Color::Indexed(244),
        Colour::Blue => Color::Indexed(33),
        Colour::Orange => Color::Indexed(208),
        Colour::Green => Color::Indexed(35),
        Colour::Purple => Color::Indexed(170),
        Colour::Yellow => Color::Indexed(178),
        Colour::Sky => Color::Indexed(74),
    };
    Style::new().fg(colour)
}

/// A buffer of character cells that grows downwards.
struct Sheet {
    buffer: Buffer,
    look: Look,
}

impl Sheet {
    fn new(columns: u16, look: Look) -> Sheet {
        Sheet { buffer: Buffer::empty(Rect::new(0, 0, columns, 0)), look }
    }

    fn style(&self, colour: Colour) -> Style {
        (self.look.style)(colour)
    }

    fn faint(&self) -> Style {
        self.style(Colour::Grey)
    }

    fn columns(&self) -> u16 {
        self.buffer.area.width
    }

    /// Adds lines at the end; returns their area.
    fn room(&mut self, lines: u16) -> Rect {
        let top = self.buffer.area.height;
        self.buffer.resize(Rect { height: top.saturating_add(lines), ..self.buffer.area });
        Rect { y: top, height: self.buffer.area.height - top, ..self.buffer.area }
    }

    fn line(&mut self, text: &str, style: Style) {
        let y = self.room(1).y;
        self.put(0, y, text, style);
    }

    /// Adds the head of a chart: title, unit and the names of curves, in one line if they fit, else in two.
    /// Returns the number of lines.
    fn head(&mut self, title: &str, unit: &str, key: &[(String, Style)]) -> u16 {
        let length = |text: &str| text.chars().count() + 2;
        let whole = length(title) + length(unit) + key.iter().map(|(name, _)| length(name)).sum::<usize>();
        let lines = if whole <= usize::from(self.columns()) + 2 { 1 } else { 2 };
        let top = self.room(lines).y;
        let end = self.put(0, top, title, self.look.title);
        let mut x = if lines == 1 { end + 2 } else { 0 };
        for (text, style) in
            std::iter::once((unit, self.faint())).chain(key.iter().map(|(name, style)| (&**name, *style)))
        {
            x = self.put(x, top + lines - 1, text, style) + 2;
        }
        lines
    }

    /// Adds text, broken into lines.
    fn wrapped(&mut self, text: &str) {
        let columns = usize::from(self.columns());
        for line in wrap(text, |line| line.chars().count() <= columns) {
            self.line(&line, self.faint());
        }
    }

    /// Writes into an existing line; returns the column after the text.
    fn put(&mut self, x: u16, y: u16, text: &str, style: Style) -> u16 {
        let area = self.buffer.area;
        if x >= area.width || y >= area.height {
            return x;
        }
        self.buffer.set_stringn(x, y, text, usize::from(area.width - x), style).0
    }

    /// Whether a cell is empty; one outside is not.
    fn is_blank(&self, x: u16, y: u16) -> bool {
        self.buffer.cell((x, y)).is_some_and(|cell| matches!(cell.symbol(), " " | "\u{2800}"))
    }

    /// Writes text that ends before column `end`.
    fn put_right(&mut self, end: u16, y: u16, text: &str, style: Style) {
        let width = text.chars().count() as u16;
        self.put(end.saturating_sub(width), y, text, style);
    }

    /// All lines as text.
    fn text(&self, colour: bool) -> String {
        let mut text = String::new();
        for row in self.buffer.content.chunks(usize::from(self.columns()).max(1)) {
            let blank = |cell: &Cell| cell.symbol().trim().is_empty() && (!colour || cell.bg == Color::Reset);
            let end = row.iter().rposition(|cell| !blank(cell)).map_or(0, |last| last + 1);
            write_row(&mut text, &row[..end], colour);
            text.push('\n');
        }
        text
    }
}

/// Writes a row, with an escape sequence at each change of style.
fn write_row(text: &mut String, row: &[Cell], colour: bool) {
    const PLAIN: (Color, Color, Modifier) = (Color::Reset, Color::Reset, Modifier::empty());
    let mut current = PLAIN;
    for cell in row {
        let style = (cell.fg, cell.bg, cell.modifier);
        if colour && style != current {
            text.push_str("\x1b[0");
            if let Color::Indexed(index) = style.0 {
                let _ = write!(text, ";38;5;{index}");
            }
            if let Color::Indexed(index) = style.1 {
                let _ = write!(text, ";48;5;{index}");
            }
            if style.2.contains(Modifier::BOLD) {
                text.push_str(";1");
            }
            text.push('m');
            current = style;
        }
        // A cell of braille without a dot is a blank.
        text.push_str(if cell.symbol() == "\u{2800}" { " " } else { cell.symbol() });
    }
    if current != PLAIN {
        text.push_str("\x1b[0m");
    }
}
