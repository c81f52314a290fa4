//! Tables over the board as figures, on colours where there are some.

use ratatui::style::{Color, Modifier, Style};

use super::{Screen, faint, sign};
use crate::plot::{
    panel::{Board, Boards, Square},
    scale::number,
};

/// Columns between two boards.
const GAP: u16 = 2;

pub(super) fn draw(screen: &mut Screen, boards: &Boards) {
    let decimals = if boards.limit < 10.0 { 1 } else { 0 };
    let squares = || boards.boards.iter().flat_map(|board| board.cells.iter().flatten());
    let figure = squares().map(|square| number(square.value, decimals).chars().count()).max().unwrap_or(0);
    let labels = boards.across.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let signs = usize::from(squares().any(|square| square.held.is_some()));
    let cell = (figure.max(labels) + 1 + signs) as u16;
    let left = boards.up.iter().map(|label| label.chars().count()).max().unwrap_or(0) as u16;
    let width = left + cell * boards.across.len() as u16;
    let beside = ((screen.columns() + GAP) / (width + GAP)).max(1) as usize;
    for row in rows(boards, beside) {
        let top = screen.room(boards.up.len() as u16 + 2).y;
        for (place, board) in row.into_iter().enumerate() {
            let x = place as u16 * (width + GAP);
            draw_board(screen, (x, top), boards, board, Shape { left, cell, signs: signs as u16, decimals });
        }
    }
}

/// Boards in rows of at most `beside`. Where a row of its own is too wide, changes come last.
fn rows(boards: &Boards, beside: usize) -> Vec<Vec<&Board>> {
    let all = &boards.boards;
    if beside >= boards.columns {
        return all.chunks(boards.columns.max(1)).map(|row| row.iter().collect()).collect();
    }
    let sets = all.iter().enumerate().filter(|(at, _)| at % boards.columns != 2).map(|(_, board)| board);
    let changes = all.iter().enumerate().filter(|(at, _)| at % boards.columns == 2).map(|(_, board)| board);
    let ordered: Vec<&Board> = sets.chain(changes).collect();
    ordered.chunks(beside.min(2)).map(<[_]>::to_vec).collect()
}

/// Columns of a board, and how its figures are written.
#[derive(Clone, Copy)]
struct Shape {
    left: u16,
    cell: u16,
    signs: u16,
    decimals: usize,
}

fn draw_board(screen: &mut Screen, (x, top): (u16, u16), boards: &Boards, board: &Board, shape: Shape) {
    screen.put(x, top, &board.title, Style::new().add_modifier(Modifier::BOLD));
    let end = |column: usize| x + shape.left + shape.cell * (column as u16 + 1) - shape.signs;
    for (line, (label, squares)) in (top + 1..).zip(boards.up.iter().zip(&board.cells).rev()) {
        screen.put_right(x + shape.left, line, label, faint());
        for (column, square) in squares.iter().enumerate() {
            let figure = number(square.value, shape.decimals);
            let width = usize::from(shape.cell - shape.signs);
            let style = ground(square, boards.limit);
            screen.put_right(end(column), line, &format!("{figure:>width$}"), style);
            if shape.signs > 0 {
                let sign = square.held.map_or(' ', sign);
                screen.put(end(column), line, &sign.to_string(), style);
            }
        }
    }
    for (column, label) in boards.across.iter().enumerate() {
        screen.put_right(end(column), top + 1 + boards.up.len() as u16, label, faint());
    }
}

/// Blue above 0, orange below, the stronger the further.
fn ground(square: &Square, limit: f64) -> Style {
    const BLUE: [u8; 5] = [195, 153, 117, 75, 33];
    const ORANGE: [u8; 5] = [230, 223, 216, 215, 208];
    const BLACK: Color = Color::Indexed(16);
    let level = (square.value.abs() / limit * 5.0).round().min(5.0) as usize;
    let Some(level) = level.checked_sub(1) else { return Style::new() };
    let ground = if square.value > 0.0 { BLUE[level] } else { ORANGE[level] };
    Style::new().bg(Color::Indexed(ground)).fg(BLACK)
}
