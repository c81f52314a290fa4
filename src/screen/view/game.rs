//! The game shown, the values of its position, and the line of the move shown.

use ratatui::layout::Rect;
use shakmaty::{Color, Position};

use super::{number, pen::Pen};
use crate::{
    game::{known_date, move_number},
    screen::{
        analysis::{AnalysedMove, Analysis, Verdict},
        app::{App, ScoreSheet, ShownBoard},
        keys::Target,
        theme::Theme,
    },
    value::format_value,
};

/// Draws the players, the number of the position, E_x, E_0, E_n, and how the played moves of the game rank.
pub fn draw(pen: &mut Pen, app: &App, area: Rect) {
    if app.browser.is_typed() {
        return draw_typed(pen, app, area);
    }
    let theme = app.display.theme;
    let game = app.browser.game_index();
    let head = app.browser.library.head(game);
    let positions = app.browser.library.positions_of(game);
    let Rect { x, y, width, .. } = area;
    let winner = head.result.winner();
    let of_games = format!(" of {}", app.browser.library.collection.tally.games);
    let at = app.browser.position_index() - positions.start + 1;
    let of_positions = match (app.browser.is_choice(), app.browser.is_chooser_to_move()) {
        (true, _) => format!("{}: position {at} of {}", head.result, positions.len()),
        (false, true) => format!("{}: left out of fits", head.result),
        (false, false) if winner == Some(head.chooser) => format!("{}: the loser moves", head.result),
        (false, false) => format!("{}: the opponent moves", head.result),
    };
    let title = fitting(width, &["Game ", &head.number.to_string(), &of_games, ", ", &of_positions], 2);
    pen.within(x, y, width, &title, theme.title());
    for (line, (name, side)) in
        [(&head.white, Color::White), (&head.black, Color::Black)].into_iter().enumerate()
    {
        let (y, colour) = (y + 1 + line as u16, side.fold_wb("White  ", "Black  "));
        let at = pen.within(x, y, width, colour, theme.faint());
        let name = number::cut(name, usize::from(width) - 14, theme);
        let style = if side == head.chooser { theme.strong() } else { theme.plain() };
        let at = pen.text(at, y, &name, style);
        if winner == Some(side) {
            pen.text(at, y, " wins", theme.good());
        }
    }
    let date = known_date(&head.date).map_or(String::new(), |date| format!(", {date}"));
    let room = usize::from(width).saturating_sub(date.chars().count());
    // Where there is no room for both, the address says more than the name of an event.
    let event = match &head.link {
        Some(link) => Some(format!("{}, {link}", head.event))
            .filter(|both| both.chars().count() <= room)
            .unwrap_or(link.clone()),
        None => head.event.clone(),
    };
    pen.text(x, y + 3, &(number::shorten(&event, room) + &date), theme.faint());
    let sheet = app.browser.score_sheet();
    score_sheet(pen, &sheet, Rect { y: y + 4, height: 1, ..area });
    if let Some(analysis) = app.browser.analysis() {
        values(pen, app, analysis, Rect { y: y + 5, ..area });
    }
    strip(pen, app, Rect { y: y + 8, ..area });
    // A large screen has room for the whole game.
    let below = area.height.saturating_sub(10);
    if below > 0 {
        score_sheet(pen, &sheet, Rect { y: y + 10, height: below, ..area });
    }
}

/// Draws that a position belongs to no game, and its values.
fn draw_typed(pen: &mut Pen, app: &App, area: Rect) {
    let Rect { x, y, width, .. } = area;
    let side = app.browser.position().position().turn().fold_wb("White", "Black");
    pen.within(x, y, width, &format!("A position, {side} to move"), pen.theme.title());
    pen.within(x, y + 1, width, "esc goes back to the games", pen.theme.faint());
    if let Some(analysis) = app.browser.analysis() {
        values(pen, app, analysis, Rect { y: y + 5, ..area });
    }
}

/// The parts of a text, without the one that can be missed where there is no room for all: a number that is
/// cut off would be another number.
fn fitting(room: u16, parts: &[&str], dispensable: usize) -> String {
    let whole = parts.concat();
    if whole.chars().count() <= usize::from(room) {
        return whole;
    }
    let kept = parts.iter().enumerate().filter(|&(at, _)| at != dispensable);
    kept.map(|(_, part)| *part).collect()
}

/// Plies before the position that a single line begins with.
const PLIES_BEFORE: usize = 2;

/// Draws the moves of the game around the position, the one to be played in brackets.
fn score_sheet(pen: &mut Pen, sheet: &ScoreSheet, area: Rect) {
    let theme = pen.theme;
    let width = usize::from(area.width);
    let first = if area.height == 1 { sheet.ply.saturating_sub(PLIES_BEFORE) } else { 0 };
    let mut lines: Vec<Vec<(usize, String)>> = vec![Vec::new()];
    let mut used = 0;
    let mut current = 0;
    for ply in first..sheet.names.len() {
        let name = sheet.numbered(ply, ply == first);
        let name = if ply == sheet.ply { format!("[{name}]") } else { name };
        let length = name.chars().count() + 1;
        if used + length > width {
            lines.push(Vec::new());
            used = 0;
        }
        used += length;
        if ply == sheet.ply {
            current = lines.len() - 1;
        }
        lines.iter_mut().last().into_iter().for_each(|line| line.push((ply, name.clone())));
    }
    let height = usize::from(area.height);
    let top = current.saturating_sub(height / 2).min(lines.len().saturating_sub(height));
    for (line, moves) in lines.iter().skip(top).take(height).enumerate() {
        let mut x = area.x;
        for (ply, name) in moves {
            let style = if *ply == sheet.ply { theme.changed() } else { theme.plain() };
            let y = area.y + line as u16;
            let end = pen.text(x, y, name, style);
            pen.target(Rect { x, y, width: end - x, height: 1 }, Target::Ply(*ply));
            x = end + 1;
        }
    }
}

fn values(pen: &mut Pen, app: &App, analysis: &Analysis, area: Rect) {
    let theme = app.display.theme;
    let Rect { x, y, .. } = area;
    let at = pen.text(x, y, &format!("Ex {:>9}  ", format_value(analysis.root.value)), theme.strong());
    let searching = if app.browser.is_fresh() { "" } else { ", searching" };
    let room = area.right().saturating_sub(at);
    let phase = format!("phase {}{searching}", analysis.root.phase);
    pen.within(at, y, room, &fitting(room, &["before the move, ", &phase], 0), theme.faint());
    let analysed = &analysis.moves[app.browser.move_index(analysis)];
    draw_value(pen, "En", analysed, analysis, Rect { y: y + 2, ..area }, theme);
    if app.browser.is_typed() {
        return;
    }
    let played = analysis.played();
    let (sign, style) = match analysis.verdict() {
        Verdict::Match => (theme.matched(), theme.good()),
        Verdict::Tie => ("tie", theme.changed()),
        Verdict::Behind(_) => (theme.missed(), theme.bad()),
        Verdict::Unknown => ("", theme.plain()),
    };
    let at = draw_value(pen, "E0", played, analysis, Rect { y: y + 1, ..area }, theme);
    pen.within(at, y + 1, area.right().saturating_sub(at), &format!(" {sign}"), style);
}

/// Draws a move with its value, its rank and whether it is in bound.
fn draw_value(
    pen: &mut Pen,
    name: &str,
    analysed: &AnalysedMove,
    analysis: &Analysis,
    area: Rect,
    theme: Theme,
) -> u16 {
    let Rect { x, y, .. } = area;
    let at = pen.text(x, y, &format!("{name} {:>9}  ", format_value(analysed.leaf.value)), theme.strong());
    let move_name = if name == "E0" { theme.changed() } else { theme.strong() };
    let at = pen.text(at, y, &format!("{:<7}", analysed.name), move_name);
    let rank = format!("rank {}/{} ", analysed.rank, analysis.moves.len());
    let at = pen.within(at, y, area.right().saturating_sub(at), &rank, theme.plain());
    let (bound, style) = if analysed.in_bound { ("in", theme.good()) } else { ("out", theme.bad()) };
    pen.within(at, y, area.right().saturating_sub(at), bound, style)
}

/// Draws a sign for each position of the game, the one shown in brackets, and the agreement so far.
fn strip(pen: &mut Pen, app: &App, area: Rect) {
    let theme = app.display.theme;
    let positions = app.browser.library.positions_of(app.browser.game_index());
    let verdict = |at: usize| app.browser.fresh_analysis(at).map_or(Verdict::Unknown, Analysis::verdict);
    let known = positions.clone().filter(|&at| verdict(at) != Verdict::Unknown).count();
    let matched = positions.clone().filter(|&at| verdict(at) == Verdict::Match).count();
    let label = format!("match {matched} of {known}  ");
    let at = pen.text(area.x, area.y, &label, theme.plain());
    // Each sign has a blank or a bracket on both sides, so that counts are not read as one number.
    let room = usize::from(area.right().saturating_sub(at + 1)) / 2;
    // A long game scrolls so that the position shown stays in sight.
    let first = positions.start
        + (app.browser.position_index() - positions.start).saturating_sub(room.saturating_sub(3));
    let mut x = at;
    for index in (first..positions.end).take(room) {
        let (sign, style) = match verdict(index) {
            Verdict::Unknown => (theme.dot().to_string(), theme.faint()),
            Verdict::Match => (theme.matched().to_string(), theme.good()),
            Verdict::Tie => ("t".to_string(), theme.changed()),
            Verdict::Behind(rank @ 1..=9) => (rank.to_string(), theme.bad()),
            Verdict::Behind(_) => ("+".to_string(), theme.bad()),
        };
        pen.target(Rect { x, width: 1, height: 1, ..area }, Target::Position(index));
        if index == app.browser.position_index() && app.browser.is_choice() {
            pen.text(x - 1, area.y, "[", theme.strong());
            x = pen.text(x, area.y, &sign, style.patch(theme.strong()));
            x = pen.text(x, area.y, "]", theme.strong());
        } else {
            x = pen.text(x, area.y, &sign, style) + 1;
        }
    }
}

/// Columns from which the line of the move shown has room for whole sentences beside it.
const WIDE_LINE: u16 = 120;

/// Draws the line of the move shown, and whether the board shows its leaf.
pub fn line(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let theme = app.display.theme;
    let Some(analysis) = app.browser.analysis() else { return };
    let analysed = &analysis.moves[app.browser.move_index(analysis)];
    let phase = analysed.leaf.phase;
    let board = match (app.browser.board, width >= WIDE_LINE) {
        (ShownBoard::Root, true) => format!("phase used {phase} of 256; board: before the move (tab)"),
        (ShownBoard::Leaf, true) => format!("phase used {phase} of 256; board: the leaf (tab)"),
        (ShownBoard::Root, false) => format!("phase used {phase}; before the move"),
        (ShownBoard::Leaf, false) => format!("phase used {phase}; the leaf"),
    };
    let start = pen.text(1, y, "line ", theme.faint());
    let moves = numbered(app, analysis, &analysed.leaf.line);
    let room = usize::from(width.saturating_sub(start + 2)).saturating_sub(board.len());
    pen.text(start, y, &number::shorten(&moves, room), theme.strong());
    let style = if app.browser.board == ShownBoard::Leaf { theme.changed() } else { theme.faint() };
    pen.right(width - 1, y, &board, style);
}

/// Moves with their numbers: `12.Nf3 Nc6 13.d4`.
fn numbered(app: &App, analysis: &Analysis, line: &[String]) -> String {
    let (mut number, mut mover) = (app.browser.position().fullmove, analysis.mover);
    let mut text = String::new();
    for (index, name) in line.iter().enumerate() {
        text += &format!("{}{name} ", move_number(number, mover, index == 0));
        number += u32::from(mover.is_black());
        mover = !mover;
    }
    text
}
