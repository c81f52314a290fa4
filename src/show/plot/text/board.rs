//! Boards as text: numbers on coloured cells.

use ratatui::style::{Color, Modifier, Style};

use super::{Sheet, sign};
use crate::show::plot::{
    panel::{Board, BoardCell, BoardGrid},
    scale::number,
};

/// Columns between two boards.
const GAP: u16 = 2;

pub(super) fn draw(sheet: &mut Sheet, boards: &BoardGrid) {
    let decimals = if boards.limit < 10.0 { 1 } else { 0 };
    let squares = || boards.boards.iter().flat_map(|board| board.cells.iter().flatten());
    let figure = squares().map(|square| number(square.value, decimals).chars().count()).max().unwrap_or(0);
    let labels = boards.column_labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let signs = usize::from(squares().any(|square| square.frozen.is_some()));
    let cell = (figure.max(labels) + 1 + signs) as u16;
    let left = boards.row_labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as u16;
    let width = left + cell * boards.column_labels.len() as u16;
    let beside = ((sheet.columns() + GAP) / (width + GAP)).max(1) as usize;
    for row in rows(boards, beside) {
        let top = sheet.room(boards.row_labels.len() as u16 + 2).y;
        for (place, board) in row.into_iter().enumerate() {
            let x = place as u16 * (width + GAP);
            let layout = BoardLayout { left, cell, signs: signs as u16, decimals };
            draw_board(sheet, (x, top), boards, board, layout);
        }
    }
}

/// Boards in rows of at most `beside`. If a row of the grid does not fit, the boards of changes come last.
fn rows(boards: &BoardGrid, beside: usize) -> Vec<Vec<&Board>> {
    let all = &boards.boards;
    if beside >= boards.columns {
        return all.chunks(boards.columns.max(1)).map(|row| row.iter().collect()).collect();
    }
    let sets = all.iter().enumerate().filter(|(at, _)| at % boards.columns != 2).map(|(_, board)| board);
    let changes = all.iter().enumerate().filter(|(at, _)| at % boards.columns == 2).map(|(_, board)| board);
    let ordered: Vec<&Board> = sets.chain(changes).collect();
    ordered.chunks(beside.min(2)).map(<[_]>::to_vec).collect()
}

/// Widths of the parts of a board, in columns, and number of decimals.
#[derive(Clone, Copy)]
struct BoardLayout {
    left: u16,
    cell: u16,
    signs: u16,
    decimals: usize,
}

fn draw_board(sheet: &mut Sheet, (x, top): (u16, u16), grid: &BoardGrid, board: &Board, layout: BoardLayout) {
    sheet.put(x, top, &board.title, Style::new().add_modifier(Modifier::BOLD));
    let end = |column: usize| x + layout.left + layout.cell * (column as u16 + 1) - layout.signs;
    for (line, (label, squares)) in (top + 1..).zip(grid.row_labels.iter().zip(&board.cells).rev()) {
        sheet.put_right(x + layout.left, line, label, sheet.faint());
        for (column, square) in squares.iter().enumerate() {
            let figure = number(square.value, layout.decimals);
            let width = usize::from(layout.cell - layout.signs);
            let style = ground(square, grid.limit);
            sheet.put_right(end(column), line, &format!("{figure:>width$}"), style);
            if layout.signs > 0 {
                let sign = square.frozen.map_or(' ', sign);
                sheet.put(end(column), line, &sign.to_string(), style);
            }
        }
    }
    for (column, label) in grid.column_labels.iter().enumerate() {
        sheet.put_right(end(column), top + 1 + grid.row_labels.len() as u16, label, sheet.faint());
    }
}

/// Background colour of a cell: blue above 0, orange below 0, stronger for larger values.
fn ground(square: &BoardCell, limit: f64) -> Style {
    const BLUE: [u8; 5] = [195, 153, 117, 75, 33];
    const ORANGE: [u8; 5] = [230, 223, 216, 215, 208];
    const BLACK: Color = Color::Indexed(16);
    let level = (square.value.abs() / limit * 5.0).round().min(5.0) as usize;
    let Some(level) = level.checked_sub(1) else { return Style::new() };
    let ground = if square.value > 0.0 { BLUE[level] } else { ORANGE[level] };
    Style::new().bg(Color::Indexed(ground)).fg(BLACK)
}
