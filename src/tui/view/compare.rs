//! The page of two sets of weights side by side.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::tui::{
    app::{App, Tally},
    layout::List,
};

/// Draws the comparison from the `top`th difference on.
pub fn draw(pen: &mut Pen, app: &App, body: Rect, top: usize) {
    let Some(comparison) = app.comparison() else { return };
    let theme = pen.theme;
    let room = usize::from(body.width / 2 - 10).min(30);
    let name = |name: &str| number::cut(name, room, theme);
    let (mine, other) = (name(app.editor().source()), name(&comparison.path));
    pen.within(1, body.y, body.width - 2, &comparison.game, theme.title());
    let rows = [
        (&mine, comparison.tallies[0], comparison.only[0]),
        (&other, comparison.tallies[1], comparison.only[1]),
    ];
    for (line, (name, tally, only)) in rows.into_iter().enumerate() {
        let text = format!("{name:<room$}  {}, {only} of them alone", agreement(tally));
        pen.within(1, body.y + 1 + line as u16, body.width - 2, &text, theme.plain());
    }
    let all = comparison.differences(app.editor().weights());
    let y = body.y + 4;
    // On a narrow screen the columns are as wide as their heads.
    let widths = if body.width < 84 { [10, 7] } else { [13, 15] };
    let row = |name: &str, [a, b, c, d]: [&str; 4]| {
        let [open, end] = widths;
        format!("{name:<20} {a:>open$} {b:>end$} {c:>open$} {d:>end$}")
    };
    let head = row("differ in", ["this: open", "end", "that: open", "end"]);
    pen.within(1, y, body.width - 2, &head, theme.title());
    let lines = lines(body);
    let top = top.min(all.len().saturating_sub(lines));
    for (line, entry) in all.iter().skip(top).take(lines).enumerate() {
        let show = number::format_weight;
        let (name, [a, b]) = (entry.name(), entry.weights);
        let text = row(&name, [&show(a[0]), &show(a[1]), &show(b[0]), &show(b[1])]);
        pen.within(1, y + 1 + line as u16, body.width - 2, &text, theme.plain());
    }
    if all.is_empty() {
        pen.text(1, y + 1, "nothing: the weights are the same", theme.plain());
    }
    pages::draw_more(pen, body, [top, all.len().saturating_sub(top + lines)], theme);
}

/// Differences that are shown at once.
fn lines(body: Rect) -> usize {
    usize::from(body.height.saturating_sub(6))
}

/// The list of differences.
pub fn list(app: &App, body: Rect) -> List {
    let all = app.comparison().map_or(0, |other| other.differences(app.editor().weights()).len());
    List::new(all, lines(body))
}

fn agreement(tally: Tally) -> String {
    let mean = tally.ahead as f64 / tally.positions.max(1) as f64;
    format!("match {} of {}, mean rank {mean:.2}", tally.matched, tally.positions)
}
