//! The moves of a position by value: beside the board, and on a page of their own.

use ratatui::layout::Rect;

use super::{number, pen::Pen};
use crate::tui::{
    app::App,
    found::{Found, shown},
};

/// Columns before the line of a move.
const BEFORE_LINE: u16 = 29;

/// Draws as many moves as there is room for, the one shown among them.
pub fn list(pen: &mut Pen, app: &App, area: Rect) {
    let theme = app.theme;
    let head = "  rank move       value";
    let at = pen.within(area.x, area.y, area.width, head, theme.title());
    if area.width > BEFORE_LINE + 8 {
        pen.text(at + 7, area.y, "line", theme.title());
    }
    let Some(found) = app.found() else { return };
    let lines = usize::from(area.height - 1);
    let chosen = app.shown(found);
    let first = chosen.saturating_sub(lines / 2).min(found.moves.len().saturating_sub(lines));
    for (line, index) in (first..found.moves.len()).take(lines).enumerate() {
        row(pen, app, found, index, Rect { y: area.y + 1 + line as u16, height: 1, ..area });
    }
}

fn row(pen: &mut Pen, app: &App, found: &Found, index: usize, area: Rect) {
    let theme = app.theme;
    let judged = &found.moves[index];
    let is_shown = index == app.shown(found);
    let is_played = index == found.played;
    let style = if judged.in_bound { theme.plain() } else { theme.faint() };
    let style = if is_played { theme.changed() } else { style };
    let style = if is_shown { style.patch(theme.strong()) } else { style };
    let mark = if is_shown { theme.shown_mark() } else { " " };
    let played = if is_played { "0" } else { " " };
    let at = pen.text(area.x, area.y, &format!("{mark}{played}{:>4} ", judged.rank), style);
    let at = pen.text(at, area.y, &format!("{:<8}{:>8} ", judged.name, shown(judged.leaf.value)), style);
    let (bound, bound_style) = if judged.in_bound { ("in ", theme.good()) } else { ("out", theme.bad()) };
    let at = pen.within(at, area.y, area.right().saturating_sub(at), bound, bound_style);
    let room = usize::from(area.right().saturating_sub(at + 1));
    if room > 8 {
        let line = judged.leaf.line.get(1..).unwrap_or_default().join(" ");
        pen.text(at + 2, area.y, &number::cut(&line, room - 1, theme), theme.faint());
    }
}

/// The page of all moves.
pub fn page(pen: &mut Pen, app: &App, body: Rect) {
    let title = "All moves by value, in units of 1/128 pawn from the mover's view; 0 marks the played one";
    pen.within(1, body.y, body.width - 2, title, pen.theme.strong());
    list(pen, app, Rect { x: 1, y: body.y + 2, width: body.width - 2, height: body.height - 3 });
}
