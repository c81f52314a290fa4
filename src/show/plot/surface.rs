//! Draws tables over the board as surfaces, seen from behind the owner's pieces and to the right.
//!
//! The cells of a table are the corners of a mesh of quadrilaterals. These are drawn from far to near, so
//! that near ones cover far ones.

use super::{
    canvas::{Area, Canvas, PixelPoint, column_width},
    font::{Anchor, LABEL, LINE, TITLE, TextStyle},
    heat::{SCALE, colour_scale},
    panel::{Board, BoardGrid, Colour, FrozenKind},
    scale::Scale,
    theme::{Paint, Theme},
};

/// Room between surfaces.
const GAP: f64 = 16.0;

/// Smallest width of a surface, in pixels.
const NARROWEST: f64 = 230.0;

/// Width of a surface, in pixels, from which on all surfaces of a table are in one row.
const WIDE: f64 = 330.0;

/// Height of a surface divided by its width.
const ASPECT: f64 = 0.76;

/// Sine and cosine of the angle by which the board is turned, and of the angle of view from above.
const TURN: (f64, f64) = (0.454, 0.891);
const DOWN: (f64, f64) = (0.5, 0.866);

/// Height of the scale of values; the board extends from -1 to 1.
const HEIGHT: f64 = 1.1;

/// Height, in pixels, that suits surfaces in a panel of this width.
pub(super) fn natural_height(boards: &BoardGrid, width: f64) -> f64 {
    let columns = columns(boards, width);
    let rows = boards.boards.len().div_ceil(columns) as f64;
    rows * (ASPECT * column_width(columns, GAP, width) + LINE) + (rows - 1.0) * GAP + SCALE
}

/// Number of surfaces side by side: all, one row of the grid, or as many as fit.
fn columns(boards: &BoardGrid, width: f64) -> usize {
    let room = |each: f64| ((width + GAP) / (each + GAP)) as usize;
    let all = boards.boards.len();
    if room(WIDE) >= all { all.max(1) } else { room(NARROWEST).clamp(1, boards.columns.max(1)) }
}

/// Draws surfaces into an area of a canvas, all with the same scale.
pub(super) fn draw(canvas: &mut Canvas, area: Area, boards: &BoardGrid) {
    let columns = columns(boards, area.width());
    let values = boards.boards.iter().flat_map(|board| board.cells.iter().flatten()).map(|cell| cell.value);
    let scale = Scale::over(values.chain([0.0]), 5, false, true);
    let above = Area { bottom: area.bottom - SCALE, ..area };
    for (board, area) in boards.boards.iter().zip(above.split(boards.boards.len(), columns, GAP)) {
        draw_surface(canvas, area, boards, board, &scale);
    }
    let theme = canvas.theme();
    colour_scale(canvas, area, boards.limit, |share| Paint::Exact(colour(theme, share)));
}

/// A point in space: file from -1 to 1, rank from -1 to 1, value from 0 to 1.
type SpacePoint = (f64, f64, f64);

/// Projection of space onto the canvas.
struct Projection {
    middle: PixelPoint,
    size: f64,
}

impl Projection {
    /// The largest projection that fits into the area.
    fn fit(area: Area) -> Projection {
        let reach = TURN.0 + TURN.1;
        let (top, bottom) = (HEIGHT * DOWN.1 + reach * DOWN.0, -reach * DOWN.0);
        let size = (area.width() / (2.0 * reach)).min(area.height() / (top - bottom));
        let middle = 0.5 * (area.top + area.bottom) + 0.5 * size * (top + bottom);
        Projection { middle: (0.5 * (area.left + area.right), middle), size }
    }

    fn pixel(&self, (x, y, z): SpacePoint) -> PixelPoint {
        let (across, away) = (x * TURN.1 + y * TURN.0, depth(x, y));
        let up = z * HEIGHT * DOWN.1 + away * DOWN.0;
        (self.middle.0 + self.size * across, self.middle.1 - self.size * up)
    }
}

/// Distance of a point of the board from the viewer, larger for farther points.
fn depth(x: f64, y: f64) -> f64 {
    y * TURN.1 - x * TURN.0
}

fn draw_surface(canvas: &mut Canvas, area: Area, boards: &BoardGrid, board: &Board, scale: &Scale) {
    let title = TITLE.fit(&board.title, area.width());
    canvas.text((area.left, area.top + 0.5 * LINE), &title, TITLE, Colour::Ink.into());
    let inner = Area {
        left: area.left + 34.0,
        top: area.top + LINE + 4.0,
        right: area.right - 12.0,
        bottom: area.bottom - 2.0 * LINE,
    };
    let projection = Projection::fit(inner);
    draw_walls(canvas, &projection, scale);
    draw_quads(canvas, &projection, board, scale, boards.limit);
    draw_labels(canvas, &projection, boards, scale);
}

/// Draws the floor and the two back walls, with lines at the ticks of the scale.
fn draw_walls(canvas: &mut Canvas, projection: &Projection, scale: &Scale) {
    let mut line = |places: &[SpacePoint], paint: Paint| {
        let spots: Vec<PixelPoint> = places.iter().map(|&place| projection.pixel(place)).collect();
        canvas.line(&spots, 1.0, paint);
    };
    for &tick in &scale.ticks {
        let z = scale.share(tick);
        let paint = if tick == 0.0 { Colour::Grey.into() } else { Paint::Grid };
        line(&[(-1.0, -1.0, z), (-1.0, 1.0, z), (1.0, 1.0, z)], paint);
    }
    line(&[(-1.0, 1.0, 0.0), (-1.0, 1.0, 1.0)], Paint::Grid);
    line(&[(1.0, 1.0, 0.0), (1.0, 1.0, 1.0)], Paint::Grid);
    line(&[(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0)], Colour::Grey.into());
    line(&[(-1.0, -1.0, 0.0), (-1.0, -1.0, 1.0)], Colour::Grey.into());
}

/// Coordinate, from -1 to 1, of cell `index` of `count`.
fn grid_coordinate(index: usize, count: usize) -> f64 {
    if count < 2 { 0.0 } else { -1.0 + 2.0 * index as f64 / (count - 1) as f64 }
}

/// One quadrilateral of the mesh.
struct Quad {
    /// Rows and columns of its corners.
    corners: [(usize, usize); 4],
    /// Its corners in space.
    places: [SpacePoint; 4],
    /// Mean of the values at its corners.
    mean: f64,
}

/// The quadrilaterals from far to near.
fn quads(board: &Board, scale: &Scale) -> Vec<Quad> {
    let rows = board.cells.len();
    let columns = board.cells.first().map_or(0, Vec::len);
    let value = |(row, column): (usize, usize)| board.cells[row][column].value;
    let place = |(row, column): (usize, usize)| {
        (grid_coordinate(column, columns), grid_coordinate(row, rows), scale.share(value((row, column))))
    };
    let mut quads: Vec<(usize, usize)> =
        (1..rows).flat_map(|row| (1..columns).map(move |column| (row, column))).collect();
    let away =
        |&(row, column): &(usize, usize)| depth(grid_coordinate(column, columns), grid_coordinate(row, rows));
    quads.sort_by(|a, b| away(b).total_cmp(&away(a)));
    let quad = |(row, column)| {
        let corners = [(row - 1, column - 1), (row - 1, column), (row, column), (row, column - 1)];
        Quad { corners, places: corners.map(place), mean: corners.map(value).iter().sum::<f64>() / 4.0 }
    };
    quads.into_iter().map(quad).collect()
}

fn draw_quads(canvas: &mut Canvas, projection: &Projection, board: &Board, scale: &Scale, limit: f64) {
    for Quad { corners, places, mean } in quads(board, scale) {
        let spots = places.map(|place| projection.pixel(place));
        let colour = shaded(colour(canvas.theme(), mean / limit), &places);
        let edge = colour.map(|part| (f64::from(part) * 0.55) as u8);
        canvas.edged_polygon(&spots, Paint::Exact(colour), 0.8, Paint::Exact(edge));
        for ((row, column), spot) in corners.into_iter().zip(spots) {
            if let Some(frozen) = board.cells[row][column].frozen {
                draw_frozen_mark(canvas, spot, frozen);
            }
        }
    }
}

fn draw_frozen_mark(canvas: &mut Canvas, spot: PixelPoint, frozen: FrozenKind) {
    canvas.circle(spot, 2.8, Paint::Exact([40, 40, 40]));
    if frozen == FrozenKind::Unsupported {
        canvas.circle(spot, 1.7, Paint::Exact([250, 250, 250]));
    }
}

/// Colour for a share of the largest value: orange below 0, blue above 0, the middle colour of the theme at
/// 0.
fn colour(theme: Theme, share: f64) -> [u8; 3] {
    const HIGH: [u8; 3] = [0, 104, 172];
    const LOW: [u8; 3] = [207, 88, 0];
    let (middle, end) = (theme.middle(), if share >= 0.0 { HIGH } else { LOW });
    let share = share.abs().min(1.0).sqrt();
    [0, 1, 2].map(|part| {
        let (from, to) = (f64::from(middle[part]), f64::from(end[part]));
        (from + share * (to - from)).round() as u8
    })
}

/// The colour of a quadrilateral with light from the upper left of the viewer.
fn shaded(colour: [u8; 3], places: &[SpacePoint; 4]) -> [u8; 3] {
    let raised = |place: SpacePoint| (place.0, place.1, place.2 * HEIGHT);
    let [a, b, c, d] = places.map(raised);
    let (u, v) = ((c.0 - a.0, c.1 - a.1, c.2 - a.2), (d.0 - b.0, d.1 - b.1, d.2 - b.2));
    let normal = (u.1 * v.2 - u.2 * v.1, u.2 * v.0 - u.0 * v.2, u.0 * v.1 - u.1 * v.0);
    let length = (normal.0 * normal.0 + normal.1 * normal.1 + normal.2 * normal.2).sqrt().max(1e-12);
    const LIGHT: SpacePoint = (-0.48, -0.36, 0.8);
    let lit = (normal.0 * LIGHT.0 + normal.1 * LIGHT.1 + normal.2 * LIGHT.2) / length;
    let strength = 0.78 + 0.26 * lit.max(-0.4);
    colour.map(|part| (f64::from(part) * strength).min(255.0) as u8)
}

/// Draws the labels: files at the front left, ranks at the right, values at the left corner.
fn draw_labels(canvas: &mut Canvas, projection: &Projection, boards: &BoardGrid, scale: &Scale) {
    let grey: Paint = Colour::Grey.into();
    for (index, label) in boards.column_labels.iter().enumerate() {
        let (x, y) = projection.pixel((grid_coordinate(index, boards.column_labels.len()), -1.0, 0.0));
        canvas.text((x - 4.0, y + 10.0), label, LABEL, grey);
    }
    for (index, label) in boards.row_labels.iter().enumerate() {
        let (x, y) = projection.pixel((1.0, grid_coordinate(index, boards.row_labels.len()), 0.0));
        canvas.text((x + 8.0, y + 7.0), label, LABEL, grey);
    }
    for &tick in &scale.ticks {
        let (x, y) = projection.pixel((-1.0, -1.0, scale.share(tick)));
        canvas.text((x - 5.0, y), &scale.label(tick), TextStyle { anchor: Anchor::End, ..LABEL }, grey);
    }
    let (x, y) = projection.pixel((-1.0, -1.0, 1.0));
    canvas.text((x - 26.0, y - 13.0), "1/128 pawn", TextStyle { anchor: Anchor::Start, ..LABEL }, grey);
    let (x, y) = projection.pixel((0.0, -1.0, 0.0));
    canvas.text((x - 14.0, y + 24.0), &boards.column_title, LABEL, grey);
    let (x, y) = projection.pixel((1.0, 0.0, 0.0));
    canvas.text((x + 26.0, y + 14.0), &boards.row_title, LABEL, grey);
}
