//! Draws tables over the board as colours: blue above 0, orange below, the stronger the further.

use super::{
    chart::{Area, pattern},
    letters::{Anchor, Type},
    panel::{Board, Boards, Hue, Square},
    scale::number,
    sheet::Paper,
    theme::Paint,
};

const LABEL: Type = Type::new(10.0, Anchor::Middle);
const TITLE: Type = Type { bold: true, ..Type::new(11.0, Anchor::Start) };

/// Height of a line of small letters.
const LINE: f64 = 14.0;

/// Room beside and between boards.
pub(super) const GAP: f64 = 18.0;

/// Room above and below the cells of a board: its title, labels, what these are.
const AROUND: f64 = 3.0 * LINE + 10.0;

/// Room for the scale of colours.
const SCALE: f64 = 30.0;

/// Narrowest board that has another one beside it.
const NARROWEST: f64 = 150.0;

/// How much of the colour the largest value has: letters have to be read on it.
const STRONGEST: f64 = 0.72;

/// Height at which cells are about as high as wide, or as high as their figures need.
pub(super) fn natural_height(boards: &Boards, width: f64) -> f64 {
    let columns = columns(boards, width);
    let board = board_width(columns, width) - beside(boards);
    let least = if boards.up.len() < 5 { 26.0 } else { 15.0 };
    let cell = (board / boards.across.len().max(1) as f64).clamp(least, 26.0);
    let rows = boards.boards.len().div_ceil(columns);
    rows as f64 * (cell * boards.up.len() as f64 + AROUND + GAP) - GAP + SCALE
}

/// Boards side by side: a whole row of them, or one where they would get too narrow.
fn columns(boards: &Boards, width: f64) -> usize {
    let columns = boards.columns.max(1);
    if board_width(columns, width) < NARROWEST { 1 } else { columns }
}

fn board_width(columns: usize, width: f64) -> f64 {
    (width - (columns - 1) as f64 * GAP) / columns as f64
}

/// Room at the left of the cells.
fn beside(boards: &Boards) -> f64 {
    let widest = boards.up.iter().map(|label| LABEL.width(label)).fold(0.0, f64::max);
    widest + 6.0 + if boards.up_title.is_empty() { 0.0 } else { LINE }
}

/// Draws boards into a part of a sheet.
pub(super) fn draw(paper: &mut dyn Paper, area: Area, boards: &Boards) {
    let columns = columns(boards, area.width());
    let width = board_width(columns, area.width());
    let rows = boards.boards.len().div_ceil(columns).max(1) as f64;
    let height = (area.height() - SCALE - (rows - 1.0) * GAP) / rows;
    for (index, board) in boards.boards.iter().enumerate() {
        let (column, row) = (index % columns, index / columns);
        let left = area.left + column as f64 * (width + GAP);
        let top = area.top + row as f64 * (height + GAP);
        draw_board(paper, Area { left, top, right: left + width, bottom: top + height }, boards, board);
    }
    colour_scale(paper, area, boards.limit);
}

/// The cells of a board on the sheet.
struct Cells {
    area: Area,
    width: f64,
    height: f64,
}

impl Cells {
    fn of(boards: &Boards, area: Area) -> Cells {
        let area = Area {
            left: area.left + beside(boards),
            top: area.top + LINE + 4.0,
            right: area.right,
            bottom: area.bottom - 2.0 * LINE - 6.0,
        };
        let (columns, rows) = (boards.across.len().max(1) as f64, boards.up.len().max(1) as f64);
        Cells { area, width: area.width() / columns, height: area.height() / rows }
    }

    fn cell(&self, column: usize, row: usize) -> Area {
        let left = self.area.left + column as f64 * self.width;
        let bottom = self.area.bottom - row as f64 * self.height;
        Area { left, top: bottom - self.height, right: left + self.width, bottom }
    }
}

fn draw_board(paper: &mut dyn Paper, area: Area, boards: &Boards, board: &Board) {
    let title = TITLE.fit(&board.title, area.width());
    paper.letters((area.left, area.top + 0.5 * LINE), &title, TITLE, Hue::Ink.into());
    let cells = Cells::of(boards, area);
    let figures = figures(boards, cells.width, cells.height);
    for (row, squares) in board.cells.iter().enumerate() {
        for (column, square) in squares.iter().enumerate() {
            draw_cell(paper, cells.cell(column, row), square, boards.limit, figures);
        }
    }
    outline(paper, cells.area);
    labels(paper, area, boards, &cells);
}

/// What stands below the cells and beside them.
fn labels(paper: &mut dyn Paper, area: Area, boards: &Boards, cells: &Cells) {
    let grey: Paint = Hue::Grey.into();
    for (column, label) in boards.across.iter().enumerate() {
        let (x, y) = cells.cell(column, 0).below();
        paper.letters((x, y + 0.5 * LINE + 2.0), &LABEL.fit(label, cells.width), LABEL, grey);
    }
    for (row, label) in boards.up.iter().enumerate() {
        let (_, y) = cells.cell(0, row).middle();
        paper.letters((cells.area.left - 5.0, y), label, Type { anchor: Anchor::End, ..LABEL }, grey);
    }
    let (x, y) = cells.area.middle();
    paper.letters((x, area.bottom - 0.5 * LINE), &boards.across_title, LABEL, grey);
    let upward = Type { upward: true, ..LABEL };
    paper.letters((area.left + 0.5 * LINE, y), &boards.up_title, upward, grey);
}

/// How figures are lettered so that the widest has room in a cell; none where none has.
fn figures(boards: &Boards, width: f64, height: f64) -> Option<Type> {
    let squares = || boards.boards.iter().flat_map(|board| board.cells.iter().flatten());
    let has_room = |kind: &Type| {
        let widest = squares().map(|square| kind.width(&figure(square, boards.limit))).fold(0.0, f64::max);
        widest <= width - 2.0 && kind.size <= height
    };
    [10.0, 9.0, 8.0].map(|size| Type { size, ..LABEL }).into_iter().find(has_room)
}

fn figure(square: &Square, limit: f64) -> String {
    number(square.value, if limit < 10.0 { 1 } else { 0 })
}

fn draw_cell(paper: &mut dyn Paper, area: Area, square: &Square, limit: f64, figures: Option<Type>) {
    let share = (square.value.abs() / limit).min(1.0);
    let hue = if square.value >= 0.0 { Hue::Blue } else { Hue::Orange };
    if share > 0.004 {
        paper.rect((area.left, area.top), (area.right, area.bottom), Paint::Hue(hue, STRONGEST * share));
    }
    if let Some(held) = square.held {
        pattern(paper, &area, held);
    }
    if let Some(kind) = figures {
        paper.letters(area.middle(), &figure(square, limit), kind, Hue::Ink.into());
    }
}

fn outline(paper: &mut dyn Paper, area: Area) {
    let corners =
        [(area.left, area.top), (area.right, area.top), (area.right, area.bottom), (area.left, area.bottom)];
    paper.path(&[&corners[..], &corners[..1]].concat(), 1.0, Hue::Grey.into());
}

/// What the colours mean, at the right below the boards.
fn colour_scale(paper: &mut dyn Paper, area: Area, limit: f64) {
    const STEPS: i32 = 10;
    let (height, step) = (9.0, 7.0);
    let unit = "1/128 pawn";
    let left =
        area.right - Type::new(10.0, Anchor::Start).width(unit) - 26.0 - step * f64::from(2 * STEPS + 1);
    let top = area.bottom - 12.0 - height;
    for at in -STEPS..=STEPS {
        let x = left + step * f64::from(at + STEPS);
        let hue = if at >= 0 { Hue::Blue } else { Hue::Orange };
        let share = f64::from(at.abs()) / f64::from(STEPS);
        if at != 0 {
            paper.rect((x, top), (x + step, top + height), Paint::Hue(hue, STRONGEST * share));
        }
    }
    let right = left + step * f64::from(2 * STEPS + 1);
    outline(paper, Area { left, top, right, bottom: top + height });
    let decimals = if limit < 10.0 { 1 } else { 0 };
    for (x, value) in [(left, -limit), (0.5 * (left + right), 0.0), (right, limit)] {
        paper.letters((x, top + height + 8.0), &number(value, decimals), LABEL, Hue::Grey.into());
    }
    let kind = Type { anchor: Anchor::Start, ..LABEL };
    paper.letters((right + 24.0, top + 0.5 * height), unit, kind, Hue::Grey.into());
}
