//! The moves of a position by value: beside the board, and on a page of their own.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::{
    tui::{analysis::Analysis, app::App},
    value::format_value,
};

/// Columns before the line of a move.
const BEFORE_LINE: u16 = 29;

/// Draws as many moves as fit, the one shown among them.
pub fn list(pen: &mut Pen, app: &App, area: Rect) {
    let theme = app.display().theme();
    let head = "  rank move       value";
    let at = pen.within(area.x, area.y, area.width, head, theme.title());
    if area.width > BEFORE_LINE + 8 {
        pen.text(at + 7, area.y, "line", theme.title());
    }
    let Some(analysis) = app.browser().analysis() else { return };
    let room = usize::from(area.height - 1);
    let count = analysis.moves.len();
    // The last line names the moves that are out of sight.
    let lines = if count > room { room - 1 } else { room };
    let chosen = app.browser().move_index(analysis);
    let first = chosen.saturating_sub(lines / 2).min(count.saturating_sub(lines));
    for (line, index) in (first..count).take(lines).enumerate() {
        row(pen, app, analysis, index, Rect { y: area.y + 1 + line as u16, height: 1, ..area });
    }
    if let Some(text) = pages::describe_hidden([first, count.saturating_sub(first + lines)]) {
        let is_long = text.chars().count() > usize::from(area.width - 2);
        let text = if is_long { text.replace(" more below", " below") } else { text };
        pen.within(area.x + 2, area.bottom() - 1, area.width - 2, &text, theme.faint());
    }
}

fn row(pen: &mut Pen, app: &App, analysis: &Analysis, index: usize, area: Rect) {
    let theme = app.display().theme();
    let analysed = &analysis.moves[index];
    let is_shown = index == app.browser().move_index(analysis);
    let is_played = index == analysis.played;
    let style = if analysed.in_bound { theme.plain() } else { theme.faint() };
    let style = if is_played { theme.changed() } else { style };
    let style = if is_shown { style.patch(theme.strong()) } else { style };
    let mark = if is_shown { theme.shown_mark() } else { " " };
    let played = if is_played { "0" } else { " " };
    let at = pen.text(area.x, area.y, &format!("{mark}{played}{:>4} ", analysed.rank), style);
    let at = pen.text(
        at,
        area.y,
        &format!("{:<8}{:>8} ", analysed.name, format_value(analysed.leaf.value)),
        style,
    );
    let (bound, bound_style) = if analysed.in_bound { ("in ", theme.good()) } else { ("out", theme.bad()) };
    let at = pen.within(at, area.y, area.right().saturating_sub(at), bound, bound_style);
    let room = usize::from(area.right().saturating_sub(at + 1));
    if room > 8 {
        let line = analysed.leaf.line.get(1..).unwrap_or_default().join(" ");
        pen.text(at + 2, area.y, &number::shorten(&line, room - 1), theme.faint());
    }
}

/// The page of all moves.
pub fn page(pen: &mut Pen, app: &App, body: Rect) {
    let title = "All moves by value in 1/128 pawn; 0 marks the played one";
    pen.within(1, body.y, body.width - 2, title, pen.theme.strong());
    list(pen, app, Rect { x: 1, y: body.y + 2, width: body.width - 2, height: body.height - 3 });
}
