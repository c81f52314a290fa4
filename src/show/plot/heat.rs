//! Draws tables as coloured cells: blue above 0, orange below 0, stronger for larger values.

use super::{
    canvas::{Area, Canvas, column_width},
    chart::pattern,
    font::{Anchor, LABEL, LINE, TITLE, TextStyle},
    panel::{Board, BoardCell, BoardGrid, Colour},
    scale::number,
    theme::Paint,
};

/// Room beside and between boards.
pub(super) const GAP: f64 = 18.0;

/// Room above and below the cells of a board, for its title, its labels and their title.
const AROUND: f64 = 3.0 * LINE + 10.0;

/// Room for the colour scale.
pub(super) const SCALE: f64 = 30.0;

/// Smallest width, in pixels, of a board with another one beside it.
const NARROWEST: f64 = 150.0;

/// Opacity of the colour of the largest value; below 1, so that the number on it can be read.
const STRONGEST: f64 = 0.72;

/// Height, in pixels, at which cells are about square, or high enough for their numbers.
pub(super) fn natural_height(boards: &BoardGrid, width: f64) -> f64 {
    let columns = columns(boards, width);
    let board = column_width(columns, GAP, width) - beside(boards);
    let least = if boards.row_labels.len() < 5 { 26.0 } else { 15.0 };
    let cell = (board / boards.column_labels.len().max(1) as f64).clamp(least, 26.0);
    let rows = boards.boards.len().div_ceil(columns);
    rows as f64 * (cell * boards.row_labels.len() as f64 + AROUND + GAP) - GAP + SCALE
}

/// Boards side by side: a whole row of them, or one where they would get too narrow.
fn columns(boards: &BoardGrid, width: f64) -> usize {
    let columns = boards.columns.max(1);
    if column_width(columns, GAP, width) < NARROWEST { 1 } else { columns }
}

/// Room at the left of the cells.
fn beside(boards: &BoardGrid) -> f64 {
    let widest = boards.row_labels.iter().map(|label| LABEL.width(label)).fold(0.0, f64::max);
    widest + 6.0 + if boards.row_title.is_empty() { 0.0 } else { LINE }
}

/// Draws boards into an area of a canvas.
pub(super) fn draw(canvas: &mut Canvas, area: Area, boards: &BoardGrid) {
    let columns = columns(boards, area.width());
    let above = Area { bottom: area.bottom - SCALE, ..area };
    for (board, area) in boards.boards.iter().zip(above.split(boards.boards.len(), columns, GAP)) {
        draw_board(canvas, area, boards, board);
    }
    let paint = |share: f64| match share {
        share if share < 0.0 => Paint::Colour(Colour::Orange, -STRONGEST * share),
        share => Paint::Colour(Colour::Blue, STRONGEST * share),
    };
    colour_scale(canvas, area, boards.limit, paint);
}

struct CellAreas {
    area: Area,
    width: f64,
    height: f64,
}

impl CellAreas {
    fn new(boards: &BoardGrid, area: Area) -> CellAreas {
        let area = Area {
            left: area.left + beside(boards),
            top: area.top + LINE + 4.0,
            right: area.right,
            bottom: area.bottom - 2.0 * LINE - 6.0,
        };
        let (columns, rows) =
            (boards.column_labels.len().max(1) as f64, boards.row_labels.len().max(1) as f64);
        CellAreas { area, width: area.width() / columns, height: area.height() / rows }
    }

    /// The area of a cell in whole pixels, so that there is neither overlap nor gap between cells.
    fn cell(&self, column: usize, row: usize) -> Area {
        let across = |column: usize| (self.area.left + column as f64 * self.width).round();
        let down = |row: usize| (self.area.bottom - row as f64 * self.height).round();
        Area { left: across(column), top: down(row + 1), right: across(column + 1), bottom: down(row) }
    }
}

fn draw_board(canvas: &mut Canvas, area: Area, boards: &BoardGrid, board: &Board) {
    let title = TITLE.fit(&board.title, area.width());
    canvas.text((area.left, area.top + 0.5 * LINE), &title, TITLE, Colour::Ink.into());
    let cells = CellAreas::new(boards, area);
    let numbers = number_style(boards, cells.width, cells.height);
    for (row, squares) in board.cells.iter().enumerate() {
        for (column, square) in squares.iter().enumerate() {
            draw_cell(canvas, cells.cell(column, row), square, boards.limit, numbers);
        }
    }
    canvas.outline(&cells.area, Colour::Grey.into());
    labels(canvas, area, boards, &cells);
}

/// Draws the labels of columns and rows.
fn labels(canvas: &mut Canvas, area: Area, boards: &BoardGrid, cells: &CellAreas) {
    let grey: Paint = Colour::Grey.into();
    for (column, label) in boards.column_labels.iter().enumerate() {
        let (x, y) = cells.cell(column, 0).below();
        canvas.text((x, y + 0.5 * LINE + 2.0), &LABEL.fit(label, cells.width), LABEL, grey);
    }
    for (row, label) in boards.row_labels.iter().enumerate() {
        let (_, y) = cells.cell(0, row).middle();
        canvas.text((cells.area.left - 5.0, y), label, TextStyle { anchor: Anchor::End, ..LABEL }, grey);
    }
    let (x, y) = cells.area.middle();
    canvas.text((x, area.bottom - 0.5 * LINE), &boards.column_title, LABEL, grey);
    let upward = TextStyle { upward: true, ..LABEL };
    canvas.text((area.left + 0.5 * LINE, y), &boards.row_title, upward, grey);
}

/// The largest text style in which every number fits into its cell; none if no style does.
fn number_style(boards: &BoardGrid, width: f64, height: f64) -> Option<TextStyle> {
    let squares = || boards.boards.iter().flat_map(|board| board.cells.iter().flatten());
    let has_room = |kind: &TextStyle| {
        let widest =
            squares().map(|square| kind.width(&format_cell(square, boards.limit))).fold(0.0, f64::max);
        widest <= width - 2.0 && kind.size <= height
    };
    [10.0, 9.0, 8.0].map(|size| TextStyle { size, ..LABEL }).into_iter().find(has_room)
}

fn format_cell(square: &BoardCell, limit: f64) -> String {
    number(square.value, if limit < 10.0 { 1 } else { 0 })
}

fn draw_cell(canvas: &mut Canvas, area: Area, square: &BoardCell, limit: f64, numbers: Option<TextStyle>) {
    let share = (square.value.abs() / limit).min(1.0);
    let colour = if square.value >= 0.0 { Colour::Blue } else { Colour::Orange };
    if share > 0.004 {
        canvas.rect(&area, Paint::Colour(colour, STRONGEST * share));
    }
    if let Some(frozen) = square.frozen {
        pattern(canvas, &area, frozen);
    }
    if let Some(style) = numbers {
        canvas.text(area.middle(), &format_cell(square, limit), style, Colour::Ink.into());
    }
}

/// Draws the scale of colours below the boards, at the right. `paint` is the colour for a share of the limit,
/// -1 to 1.
pub(super) fn colour_scale(canvas: &mut Canvas, area: Area, limit: f64, paint: impl Fn(f64) -> Paint) {
    const STEPS: i32 = 10;
    let (height, step) = (9.0, 7.0);
    let unit = "1/128 pawn";
    let left = area.right - LABEL.width(unit) - 26.0 - step * f64::from(2 * STEPS + 1);
    let (left, top) = (left.round(), (area.bottom - 12.0 - height).round());
    for at in -STEPS..=STEPS {
        let x = left + step * f64::from(at + STEPS);
        if at != 0 {
            let cell = Area { left: x, top, right: x + step, bottom: top + height };
            canvas.rect(&cell, paint(f64::from(at) / f64::from(STEPS)));
        }
    }
    let right = left + step * f64::from(2 * STEPS + 1);
    canvas.outline(&Area { left, top, right, bottom: top + height }, Colour::Grey.into());
    let decimals = if limit < 10.0 { 1 } else { 0 };
    for (x, value) in [(left, -limit), (0.5 * (left + right), 0.0), (right, limit)] {
        canvas.text((x, top + height + 8.0), &number(value, decimals), LABEL, Colour::Grey.into());
    }
    let kind = TextStyle { anchor: Anchor::Start, ..LABEL };
    canvas.text((right + 24.0, top + 0.5 * height), unit, kind, Colour::Grey.into());
}
