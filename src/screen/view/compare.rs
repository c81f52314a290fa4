//! The page of two sets of weights side by side.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::screen::{
    app::{App, GameAgreement},
    layout::List,
};

/// What the order of the list is.
const ORDER: &str = "Ordered by how much the change moves values: the standard deviation, within a position of this \
    game, of what it adds to the moves in bound, in units.";

/// Draws the comparison from the `top`th difference on.
pub fn draw(pen: &mut Pen, app: &App, body: Rect, top: usize) {
    let Some(comparison) = app.comparison.as_ref() else { return };
    let theme = pen.theme;
    let room = usize::from(body.width / 2 - 10).min(30);
    let name = |name: &str| number::cut(name, room, theme);
    let (mine, other) = (name(app.editor.source()), name(&comparison.path));
    pen.within(1, body.y, body.width - 2, &comparison.game, theme.title());
    let rows = [
        ("this", &mine, comparison.tallies[0], comparison.only[0]),
        ("that", &other, comparison.tallies[1], comparison.only[1]),
    ];
    let room = room.min(mine.chars().count().max(other.chars().count()));
    let mut y = body.y + 1;
    for (set, name, tally, only) in rows {
        let text = format!("{set}  {name:<room$}  {}, {only} alone", agreement(tally));
        pen.within(1, y, body.width - 2, &text, theme.plain());
        y += 1;
    }
    for text in order(body) {
        pen.within(1, y, body.width - 2, &text, theme.faint());
        y += 1;
    }
    let all = &comparison.changes;
    let (heads, widths) = columns(body);
    let row = |name: &str, cells: [&str; 5]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!(" {cell:>width$}"));
        format!("{name:<20}{}", cells.collect::<String>())
    };
    pen.within(1, y, body.width - 2, &row("weight", heads), theme.title());
    let lines = lines(body);
    let top = top.min(all.len().saturating_sub(lines));
    for (line, change) in all.iter().skip(top).take(lines).enumerate() {
        let show = number::format_weight;
        let (name, [a, b]) = (change.entry.name(), change.entry.weights);
        let effect = format!("{:.2}", change.effect);
        let text = row(&name, [&show(a[0]), &show(a[1]), &show(b[0]), &show(b[1]), &effect]);
        pen.within(1, y + 1 + line as u16, body.width - 2, &text, theme.plain());
    }
    if all.is_empty() {
        pen.text(1, y + 1, "No weight differs.", theme.plain());
    }
    pages::draw_more(pen, body, [top, all.len().saturating_sub(top + lines)], theme);
}

/// The heads of the columns and their widths: on a narrow screen `o` and `e` stand for opening and endgame.
fn columns(body: Rect) -> ([&'static str; 5], [usize; 5]) {
    match body.width {
        ..84 => (["this.o", "this.e", "that.o", "that.e", "moves by"], [6, 6, 6, 6, 8]),
        _ => (["this: open", "end", "that: open", "end", "moves the value by"], [13, 9, 13, 9, 20]),
    }
}

fn order(body: Rect) -> Vec<String> {
    number::wrap(ORDER, usize::from(body.width) - 2)
}

/// Differences that are shown at once: the title, the two sets, the order, the head and the count of those out of sight
/// take the other lines.
fn lines(body: Rect) -> usize {
    usize::from(body.height).saturating_sub(5 + order(body).len())
}

/// The list of differences.
pub fn list(app: &App, body: Rect) -> List {
    let all = app.comparison.as_ref().map_or(0, |comparison| comparison.changes.len());
    List::new(all, lines(body))
}

fn agreement(tally: GameAgreement) -> String {
    let mean = tally.ahead as f64 / tally.positions.max(1) as f64;
    format!("match {} of {}, mean rank {mean:.2}", tally.matched, tally.positions)
}
