//! Panels as text, for a terminal or a file: curves in dots, everything else in numbers. A surface is shown as
//! the numbers of its table.
//!
//! The widgets of ratatui draw into a buffer of cells, which is then converted to lines of text, with or without
//! colours. Curves have their names at their ends, so the text is complete without colours.

mod board;
mod curves;
mod figures;

use std::fmt::Write;

use ratatui::{
    buffer::{Buffer, Cell},
    layout::Rect,
    style::{Color, Modifier, Style},
};

use super::{
    page::Page,
    panel::{Chart, Colour, FrozenKind, Panel, PanelContent, PanelKind},
};
use crate::feature::Key;

/// Smallest width of the text, in columns.
pub const NARROWEST: u16 = 60;

/// Largest width of the text, in columns.
const WIDEST: u16 = 400;

/// A page as text of this width, at least [`NARROWEST`]. With `colour` it contains ANSI escape sequences.
pub fn page(page: &Page, columns: u16, colour: bool) -> String {
    let columns = columns.clamp(NARROWEST, WIDEST);
    let mut text = String::new();
    let mut head = Screen::new(columns);
    head.line(&page.title, Style::new().add_modifier(Modifier::BOLD));
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
    let mut screen = Screen::new(columns.clamp(NARROWEST, WIDEST));
    screen.line(&panel.title, Style::new().add_modifier(Modifier::BOLD));
    screen.wrapped(&panel.note);
    match &panel.content {
        PanelContent::Charts(charts) if panel.kind == PanelKind::Trends => {
            figures::trends(&mut screen, charts)
        }
        PanelContent::Charts(charts) if charts.iter().all(has_names) => figures::table(&mut screen, charts),
        PanelContent::Charts(charts) => charts.iter().for_each(|chart| curves::draw(&mut screen, chart)),
        PanelContent::Heat(boards) | PanelContent::Surface(boards) => board::draw(&mut screen, boards),
    }
    for frozen in panel.frozen_kinds() {
        screen.line(&format!("{} {}", sign(frozen), frozen.meaning()), faint());
    }
    screen.text(colour)
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

fn faint() -> Style {
    style(Colour::Grey)
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
struct Screen {
    buffer: Buffer,
}

impl Screen {
    fn new(columns: u16) -> Screen {
        Screen { buffer: Buffer::empty(Rect::new(0, 0, columns, 0)) }
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

    /// Adds a line of text.
    fn line(&mut self, text: &str, style: Style) {
        let y = self.room(1).y;
        self.put(0, y, text, style);
    }

    /// Adds text, broken into lines.
    fn wrapped(&mut self, text: &str) {
        let columns = usize::from(self.columns());
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > columns {
                self.line(&std::mem::take(&mut line), faint());
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            self.line(&line, faint());
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
