//! The moves of a position by value: beside the board, and on a page of their own.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::{
    screen::{analysis::Analysis, app::App, keys::Target, layout::List},
    value::format_value,
};

/// Columns before the line of a move.
const BEFORE_LINE: u16 = 29;

/// Draws as many moves as fit, the one shown among them.
pub fn list(pen: &mut Pen, app: &App, area: Rect) {
    let theme = app.display.theme;
    let head = "  rank move       value";
    let at = pen.within(area.x, area.y, area.width, head, theme.title());
    if area.width > BEFORE_LINE + 8 {
        pen.text(at + 7, area.y, "line", theme.title());
    }
    let Some(analysis) = app.browser.analysis() else { return };
    let moves = all_moves(app, area);
    let first = moves.top_around(app.browser.move_index(analysis));
    for (line, index) in (first..moves.lines).take(moves.height).enumerate() {
        row(pen, app, analysis, index, Rect { y: area.y + 1 + line as u16, height: 1, ..area });
    }
    if let Some(text) = pages::describe_hidden(moves.hidden(first)) {
        let is_long = text.chars().count() > usize::from(area.width - 2);
        let text = if is_long { text.replace(" more below", " below") } else { text };
        pen.within(area.x + 2, area.bottom() - 1, area.width - 2, &text, theme.faint());
    }
}

/// The moves of the position below a head, of which some are shown.
fn all_moves(app: &App, area: Rect) -> List {
    let room = usize::from(area.height.saturating_sub(1));
    let count = app.browser.analysis().map_or(0, |analysis| analysis.moves.len());
    // The last line names the moves that are out of sight.
    List::new(count, if count > room { room.saturating_sub(1) } else { room })
}

fn row(pen: &mut Pen, app: &App, analysis: &Analysis, index: usize, area: Rect) {
    let theme = app.display.theme;
    let analysed = &analysis.moves[index];
    let is_shown = index == app.browser.move_index(analysis);
    pen.target(area, Target::Move(index));
    let is_played = index == analysis.played && !app.browser.is_typed();
    let style = if analysed.in_bound { theme.plain() } else { theme.faint() };
    let style = if is_played { theme.changed() } else { style };
    let style = if is_shown { style.patch(theme.strong()) } else { style };
    let mark = if is_shown { theme.shown_mark() } else { " " };
    let played = if is_played { "0" } else { " " };
    let at = pen.text(area.x, area.y, &format!("{mark}{played}{:>4} ", analysed.rank), style);
    let value = format!("{:<8}{:>8} ", analysed.name, format_value(analysed.leaf.value));
    let at = pen.text(at, area.y, &value, style);
    let (bound, bound_style) = if analysed.in_bound { ("in ", theme.good()) } else { ("out", theme.bad()) };
    let at = pen.within(at, area.y, area.right().saturating_sub(at), bound, bound_style);
    let room = usize::from(area.right().saturating_sub(at + 1));
    if room > 8 {
        let line = analysed.leaf.line.get(1..).unwrap_or_default().join(" ");
        pen.text(at + 2, area.y, &number::shorten(&line, room - 1), theme.faint());
    }
}

pub fn page(pen: &mut Pen, app: &App, body: Rect) {
    let title = "All moves by value in 1/128 pawn; 0 marks the played one";
    pen.within(1, body.y, body.width - 2, title, pen.theme.strong());
    // A FEN that is cut would be another one: on a narrow screen y shows it.
    let fen = app.browser.fen().map(|fen| format!("FEN {fen}"));
    if let Some(fen) = fen.filter(|fen| fen.len() <= usize::from(body.width - 2)) {
        pen.text(1, body.y + 1, &fen, pen.theme.faint());
    }
    list(pen, app, page_area(body));
}

fn page_area(body: Rect) -> Rect {
    Rect { x: 1, y: body.y + 2, width: body.width - 2, height: body.height.saturating_sub(3) }
}

/// The moves of the page.
pub fn page_list(app: &App, body: Rect) -> List {
    all_moves(app, page_area(body))
}
