//! The game shown, the values of the position, and the line of the search.

use ratatui::layout::Rect;

use super::{number, pen::Pen};
use crate::tui::{
    app::{App, Board},
    found::{Found, Judged, Verdict, shown},
    theme::Theme,
};

/// Draws who played, where we are, E_x, E_0, E_n and how the game goes so far.
pub fn draw(pen: &mut Pen, app: &App, area: Rect) {
    let theme = app.theme;
    let game = app.library.game_of(app.at);
    let head = app.library.head(game);
    let positions = app.library.positions_of(game);
    let Rect { x, y, width, .. } = area;
    let result = if head.winner.is_white() { "1-0" } else { "0-1" };
    let title = format!("Game {} of {}  {result}", head.number, app.library.collection.tally.games);
    pen.within(x, y, width, &title, theme.title());
    for (line, (name, wins)) in
        [(&head.white, head.winner.is_white()), (&head.black, head.winner.is_black())].into_iter().enumerate()
    {
        let side = if line == 0 { "White" } else { "Black" };
        let at = pen.within(x, y + 1 + line as u16, width, &format!("{side}  "), theme.faint());
        let name = number::cut(name, usize::from(width) - 14, theme);
        let at = pen.text(at, y + 1 + line as u16, &name, if wins { theme.strong() } else { theme.plain() });
        if wins {
            pen.text(at, y + 1 + line as u16, " wins", theme.good());
        }
    }
    let event = number::cut(&format!("{}, {}", head.event, head.date), usize::from(width), theme);
    pen.text(x, y + 3, &event, theme.faint());
    let place = format!(
        "move {}, position {} of {}",
        app.position().fullmove,
        app.at - positions.start + 1,
        positions.len()
    );
    pen.within(x, y + 4, width, &place, theme.plain());
    if let Some(found) = app.found() {
        values(pen, app, found, Rect { y: y + 5, ..area });
    }
    strip(pen, app, Rect { y: y + 8, ..area });
}

fn values(pen: &mut Pen, app: &App, found: &Found, area: Rect) {
    let theme = app.theme;
    let Rect { x, y, .. } = area;
    let at = pen.text(x, y, &format!("Ex {:>9}  ", shown(found.root.value)), theme.strong());
    let phase = format!("before the move{}", if app.is_fresh() { "" } else { ", searching" });
    pen.within(at, y, area.right() - at, &phase, theme.faint());
    let played = found.played();
    let (sign, style) = match Verdict::of(found) {
        Verdict::Match => (theme.matched(), theme.good()),
        Verdict::Tie => ("tie", theme.changed()),
        Verdict::Behind(_) => (theme.missed(), theme.bad()),
        Verdict::Unknown => ("", theme.plain()),
    };
    let at = value(pen, "E0", played, found, Rect { y: y + 1, ..area }, theme);
    pen.within(at, y + 1, area.right().saturating_sub(at), &format!(" {sign}"), style);
    let judged = &found.moves[app.shown(found)];
    value(pen, "En", judged, found, Rect { y: y + 2, ..area }, theme);
}

/// A move with its value, rank and whether it is in bound.
fn value(pen: &mut Pen, name: &str, judged: &Judged, found: &Found, area: Rect, theme: Theme) -> u16 {
    let Rect { x, y, .. } = area;
    let at = pen.text(x, y, &format!("{name} {:>9}  ", shown(judged.leaf.value)), theme.strong());
    let move_name = if name == "E0" { theme.changed() } else { theme.strong() };
    let at = pen.text(at, y, &format!("{:<7}", judged.name), move_name);
    let rank = format!("rank {}/{} ", judged.rank, found.moves.len());
    let at = pen.within(at, y, area.right().saturating_sub(at), &rank, theme.plain());
    let (bound, style) = if judged.in_bound { ("in", theme.good()) } else { ("out", theme.bad()) };
    pen.within(at, y, area.right().saturating_sub(at), bound, style)
}

/// A sign for each position of the game, the one shown between bars, and the agreement so far.
fn strip(pen: &mut Pen, app: &App, area: Rect) {
    let theme = app.theme;
    let positions = app.library.positions_of(app.library.game_of(app.at));
    let verdict = |at: usize| app.found_at(at).map_or(Verdict::Unknown, Verdict::of);
    let known = positions.clone().filter(|&at| verdict(at) != Verdict::Unknown).count();
    let matched = positions.clone().filter(|&at| verdict(at) == Verdict::Match).count();
    let label = format!("match {matched}/{known} ");
    let at = pen.text(area.x, area.y, &label, theme.plain());
    let room = usize::from(area.right().saturating_sub(at + 2));
    // A long game scrolls so that the position shown stays in sight.
    let first = positions.start + (app.at - positions.start).saturating_sub(room.saturating_sub(3));
    let mut x = at;
    for index in (first..positions.end).take(room) {
        let (sign, style) = match verdict(index) {
            Verdict::Unknown => (theme.dot().to_string(), theme.faint()),
            Verdict::Match => (theme.matched().to_string(), theme.good()),
            Verdict::Tie => ("t".to_string(), theme.changed()),
            Verdict::Behind(rank @ 1..=9) => (rank.to_string(), theme.bad()),
            Verdict::Behind(_) => ("+".to_string(), theme.bad()),
        };
        if index == app.at {
            x = pen.text(x, area.y, "[", theme.strong());
            x = pen.text(x, area.y, &sign, style.patch(theme.strong()));
            x = pen.text(x, area.y, "]", theme.strong());
        } else {
            x = pen.text(x, area.y, &sign, style);
        }
    }
}

/// The line of the search for the move shown, and what the board shows.
pub fn line(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let theme = app.theme;
    let Some(found) = app.found() else { return };
    let judged = &found.moves[app.shown(found)];
    let board = match app.board {
        Board::Root => "board: before the move",
        Board::Leaf => "board: the leaf",
    };
    let start = pen.text(1, y, "line ", theme.faint());
    let moves = numbered(app, found, &judged.leaf.line);
    let room = usize::from(width.saturating_sub(start + 30));
    pen.text(start, y, &number::cut(&moves, room, theme), theme.strong());
    pen.right(
        width - 1,
        y,
        &format!("{board} (tab)"),
        if app.board == Board::Leaf { theme.changed() } else { theme.faint() },
    );
}

/// Moves with their numbers: `12.Nf3 Nc6 13.d4`.
fn numbered(app: &App, found: &Found, line: &[String]) -> String {
    let mut number = app.position().fullmove;
    let mut is_white = found.mover.is_white();
    let mut text = String::new();
    for (index, name) in line.iter().enumerate() {
        if is_white {
            text += &format!("{number}.");
        } else if index == 0 {
            text += &format!("{number}...");
        }
        text += name;
        text.push(' ');
        number += u32::from(!is_white);
        is_white = !is_white;
    }
    text
}
