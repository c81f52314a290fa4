//! Draws tables over the board as surfaces, seen from behind the owner's pieces and to the right.
//!
//! The cells of a table are the knots of a net. Its meshes are drawn from the far ones to the near ones, so
//! that what is in front hides what is behind.

use super::{
    canvas::{Area, Canvas, Spot},
    font::{Anchor, TextStyle},
    panel::{Board, Boards, Held, Hue},
    scale::Scale,
    theme::{Paint, Theme},
};

const LABEL: TextStyle = TextStyle::new(10.0, Anchor::Middle);
const TITLE: TextStyle = TextStyle { bold: true, ..TextStyle::new(11.0, Anchor::Start) };

/// Height of a line of small letters.
const LINE: f64 = 14.0;

/// Room between surfaces.
const GAP: f64 = 16.0;

/// Narrowest surface.
const NARROWEST: f64 = 230.0;

/// Width from which on all surfaces of a table stand in one row.
const WIDE: f64 = 330.0;

/// Height of a surface for its width.
const ASPECT: f64 = 0.76;

/// Sine and cosine of how far the board is turned, and of how far it is looked down on.
const TURN: (f64, f64) = (0.454, 0.891);
const DOWN: (f64, f64) = (0.5, 0.866);

/// Height of the whole scale of values, where the board goes from -1 to 1.
const HEIGHT: f64 = 1.1;

/// Height that surfaces of this width want.
pub(super) fn natural_height(boards: &Boards, width: f64) -> f64 {
    let columns = columns(boards, width);
    let rows = boards.boards.len().div_ceil(columns) as f64;
    rows * (ASPECT * surface_width(columns, width) + LINE) + (rows - 1.0) * GAP
}

/// Surfaces side by side: all, a row of them, or as many as have room.
fn columns(boards: &Boards, width: f64) -> usize {
    let room = |each: f64| ((width + GAP) / (each + GAP)) as usize;
    let all = boards.boards.len();
    if room(WIDE) >= all { all.max(1) } else { room(NARROWEST).clamp(1, boards.columns.max(1)) }
}

fn surface_width(columns: usize, width: f64) -> f64 {
    (width - (columns - 1) as f64 * GAP) / columns as f64
}

/// Draws surfaces into a part of a canvas, all on one scale.
pub(super) fn draw(canvas: &mut Canvas, area: Area, boards: &Boards) {
    let columns = columns(boards, area.width());
    let width = surface_width(columns, area.width());
    let rows = boards.boards.len().div_ceil(columns).max(1) as f64;
    let height = (area.height() - (rows - 1.0) * GAP) / rows;
    let values = boards.boards.iter().flat_map(|board| board.cells.iter().flatten()).map(|cell| cell.value);
    let scale = Scale::over(values.chain([0.0]), 5, false, true);
    for (index, board) in boards.boards.iter().enumerate() {
        let left = area.left + (index % columns) as f64 * (width + GAP);
        let top = area.top + (index / columns) as f64 * (height + GAP);
        let place = Area { left, top, right: left + width, bottom: top + height };
        draw_surface(canvas, place, boards, board, &scale);
    }
}

/// A place in the room over the board: files from -1 to 1, ranks from -1 to 1, values from 0 to 1.
type Place = (f64, f64, f64);

/// From places in the room to places on the canvas.
struct View {
    middle: Spot,
    size: f64,
}

impl View {
    /// The view in which the room just fits the area.
    fn into(area: Area) -> View {
        let reach = TURN.0 + TURN.1;
        let (top, bottom) = (HEIGHT * DOWN.1 + reach * DOWN.0, -reach * DOWN.0);
        let size = (area.width() / (2.0 * reach)).min(area.height() / (top - bottom));
        let middle = 0.5 * (area.top + area.bottom) + 0.5 * size * (top + bottom);
        View { middle: (0.5 * (area.left + area.right), middle), size }
    }

    fn spot(&self, (x, y, z): Place) -> Spot {
        let (across, away) = (x * TURN.1 + y * TURN.0, depth(x, y));
        let up = z * HEIGHT * DOWN.1 + away * DOWN.0;
        (self.middle.0 + self.size * across, self.middle.1 - self.size * up)
    }
}

/// How far away a place on the board is.
fn depth(x: f64, y: f64) -> f64 {
    y * TURN.1 - x * TURN.0
}

fn draw_surface(canvas: &mut Canvas, area: Area, boards: &Boards, board: &Board, scale: &Scale) {
    canvas.text(
        (area.left, area.top + 0.5 * LINE),
        &TITLE.fit(&board.title, area.width()),
        TITLE,
        Hue::Ink.into(),
    );
    let inner = Area {
        left: area.left + 34.0,
        top: area.top + LINE + 4.0,
        right: area.right - 12.0,
        bottom: area.bottom - 2.0 * LINE,
    };
    let view = View::into(inner);
    walls(canvas, &view, scale);
    net(canvas, &view, board, scale, boards.limit);
    edges(canvas, &view, boards, scale);
}

/// The floor and the two walls at the back, ruled at the ticks of the scale.
fn walls(canvas: &mut Canvas, view: &View, scale: &Scale) {
    let mut line = |places: &[Place], paint: Paint| {
        let spots: Vec<Spot> = places.iter().map(|&place| view.spot(place)).collect();
        canvas.line(&spots, 1.0, paint);
    };
    for &tick in &scale.ticks {
        let z = scale.share(tick);
        let paint = if tick == 0.0 { Hue::Grey.into() } else { Paint::Grid };
        line(&[(-1.0, -1.0, z), (-1.0, 1.0, z), (1.0, 1.0, z)], paint);
    }
    line(&[(-1.0, 1.0, 0.0), (-1.0, 1.0, 1.0)], Paint::Grid);
    line(&[(1.0, 1.0, 0.0), (1.0, 1.0, 1.0)], Paint::Grid);
    line(&[(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0)], Hue::Grey.into());
    line(&[(-1.0, -1.0, 0.0), (-1.0, -1.0, 1.0)], Hue::Grey.into());
}

/// Where cell `index` of `count` lies between -1 and 1.
fn knot(index: usize, count: usize) -> f64 {
    if count < 2 { 0.0 } else { -1.0 + 2.0 * index as f64 / (count - 1) as f64 }
}

/// A mesh of the net.
struct Mesh {
    /// Rows and columns of its corners.
    corners: [(usize, usize); 4],
    /// Its corners in the room.
    places: [Place; 4],
    /// Mean of the values at its corners.
    mean: f64,
}

/// The meshes of the net from far to near.
fn meshes(board: &Board, scale: &Scale) -> Vec<Mesh> {
    let rows = board.cells.len();
    let columns = board.cells.first().map_or(0, Vec::len);
    let value = |(row, column): (usize, usize)| board.cells[row][column].value;
    let place = |(row, column): (usize, usize)| {
        (knot(column, columns), knot(row, rows), scale.share(value((row, column))))
    };
    let mut meshes: Vec<(usize, usize)> =
        (1..rows).flat_map(|row| (1..columns).map(move |column| (row, column))).collect();
    let away = |&(row, column): &(usize, usize)| depth(knot(column, columns), knot(row, rows));
    meshes.sort_by(|a, b| away(b).total_cmp(&away(a)));
    let mesh = |(row, column)| {
        let corners = [(row - 1, column - 1), (row - 1, column), (row, column), (row, column - 1)];
        Mesh { corners, places: corners.map(place), mean: corners.map(value).iter().sum::<f64>() / 4.0 }
    };
    meshes.into_iter().map(mesh).collect()
}

/// The surface, mesh by mesh.
fn net(canvas: &mut Canvas, view: &View, board: &Board, scale: &Scale, limit: f64) {
    for Mesh { corners, places, mean } in meshes(board, scale) {
        let spots = places.map(|place| view.spot(place));
        let colour = shaded(colour(canvas.theme(), mean / limit), &places);
        let edge = colour.map(|part| (f64::from(part) * 0.55) as u8);
        canvas.edged_polygon(&spots, Paint::Exact(colour), 0.8, Paint::Exact(edge));
        for ((row, column), spot) in corners.into_iter().zip(spots) {
            if let Some(held) = board.cells[row][column].held {
                knot_mark(canvas, spot, held);
            }
        }
    }
}

/// Marks a cell that was kept.
fn knot_mark(canvas: &mut Canvas, spot: Spot, held: Held) {
    canvas.circle(spot, 2.8, Paint::Exact([40, 40, 40]));
    if held == Held::Unsupported {
        canvas.circle(spot, 1.7, Paint::Exact([250, 250, 250]));
    }
}

/// From orange over the middle of the theme to blue.
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

/// A colour as it looks on a mesh in this direction, with light from the left above the viewer.
fn shaded(colour: [u8; 3], places: &[Place; 4]) -> [u8; 3] {
    let raised = |place: Place| (place.0, place.1, place.2 * HEIGHT);
    let [a, b, c, d] = places.map(raised);
    let (u, v) = ((c.0 - a.0, c.1 - a.1, c.2 - a.2), (d.0 - b.0, d.1 - b.1, d.2 - b.2));
    let normal = (u.1 * v.2 - u.2 * v.1, u.2 * v.0 - u.0 * v.2, u.0 * v.1 - u.1 * v.0);
    let length = (normal.0 * normal.0 + normal.1 * normal.1 + normal.2 * normal.2).sqrt().max(1e-12);
    const LIGHT: Place = (-0.48, -0.36, 0.8);
    let lit = (normal.0 * LIGHT.0 + normal.1 * LIGHT.1 + normal.2 * LIGHT.2) / length;
    let strength = 0.78 + 0.26 * lit.max(-0.4);
    colour.map(|part| (f64::from(part) * strength).min(255.0) as u8)
}

/// What stands at the edges: files in front at the left, ranks at the right, values at the left corner.
fn edges(canvas: &mut Canvas, view: &View, boards: &Boards, scale: &Scale) {
    let grey: Paint = Hue::Grey.into();
    for (index, label) in boards.across.iter().enumerate() {
        let (x, y) = view.spot((knot(index, boards.across.len()), -1.0, 0.0));
        canvas.text((x - 4.0, y + 10.0), label, LABEL, grey);
    }
    for (index, label) in boards.up.iter().enumerate() {
        let (x, y) = view.spot((1.0, knot(index, boards.up.len()), 0.0));
        canvas.text((x + 8.0, y + 7.0), label, LABEL, grey);
    }
    for &tick in &scale.ticks {
        let (x, y) = view.spot((-1.0, -1.0, scale.share(tick)));
        canvas.text((x - 5.0, y), &scale.label(tick), TextStyle { anchor: Anchor::End, ..LABEL }, grey);
    }
    let (x, y) = view.spot((-1.0, -1.0, 1.0));
    canvas.text((x - 26.0, y - 13.0), "1/128 pawn", TextStyle { anchor: Anchor::Start, ..LABEL }, grey);
    let (x, y) = view.spot((0.0, -1.0, 0.0));
    canvas.text((x - 14.0, y + 24.0), &boards.across_title, LABEL, grey);
    let (x, y) = view.spot((1.0, 0.0, 0.0));
    canvas.text((x + 26.0, y + 14.0), &boards.up_title, LABEL, grey);
}
