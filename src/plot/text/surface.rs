//! Tables over the board as nets of dots. Meshes are drawn from far to near, each on a blank of its own, so
//! that what is in front hides what is behind.

use ratatui::{
    layout::Rect,
    style::{Modifier, Style},
    symbols::Marker,
    widgets::{
        Widget,
        canvas::{Canvas, Points},
    },
};

use super::{Screen, faint, style};
use crate::plot::{
    chart::Area,
    panel::{Board, Boards, Hue},
    scale::Scale,
    sheet::Spot,
    surface::{Place, View, meshes},
};

/// Lines of a surface.
const LINES: u16 = 16;

/// Columns of a surface at least, and between two of them.
const NARROWEST: u16 = 44;
const GAP: u16 = 2;

pub(super) fn draw(screen: &mut Screen, boards: &Boards) {
    let values = boards.boards.iter().flat_map(|board| board.cells.iter().flatten()).map(|cell| cell.value);
    let scale = Scale::over(values.chain([0.0]), 5, false, true);
    let beside = usize::from((screen.columns() + GAP) / (NARROWEST + GAP)).clamp(1, boards.columns.max(1));
    let width = (screen.columns() + GAP) / beside as u16 - GAP;
    for row in boards.boards.chunks(beside) {
        let area = screen.room(LINES + 1);
        for (x, board) in (0..).step_by(usize::from(width + GAP)).zip(row) {
            screen.put(x, area.y, &board.title, Style::new().add_modifier(Modifier::BOLD));
            surface(
                screen,
                Rect { x, y: area.y + 1, width: width.min(72), height: LINES },
                boards,
                board,
                &scale,
            );
        }
    }
}

fn surface(screen: &mut Screen, area: Rect, boards: &Boards, board: &Board, scale: &Scale) {
    // Dots of braille: two across and four down in each cell, about as far apart in both directions.
    let (width, height) = (usize::from(area.width) * 2, usize::from(area.height) * 4);
    let inner = Area { left: 12.0, top: 0.0, right: width as f64 - 6.0, bottom: height as f64 - 5.0 };
    let view = View::into(inner);
    let mut dots = Dots { width, height, lit: vec![None; width * height] };
    let (left, near, right) = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0));
    for (from, to) in [(left, near), (near, right), (left, (-1.0, -1.0, 1.0))] {
        dots.stroke(view.spot(from), view.spot(to), Hue::Grey);
    }
    for mesh in meshes(board, scale) {
        let spots = mesh.places.map(|place| view.spot(place));
        let hue = if mesh.mean >= 0.0 { Hue::Blue } else { Hue::Orange };
        dots.clear(&spots);
        for at in 0..4 {
            dots.stroke(spots[at], spots[(at + 1) % 4], hue);
        }
    }
    dots.render(screen, area);
    labels(screen, area, &view, boards, scale);
}

/// The ends of the files, of the ranks and of the scale.
fn labels(screen: &mut Screen, area: Rect, view: &View, boards: &Boards, scale: &Scale) {
    let mut label = |place: Place, shift: (i32, i32), text: &str| {
        let (x, y) = view.spot(place);
        let x = (i32::from(area.x) + (x / 2.0).round() as i32 + shift.0).max(0) as u16;
        let y = (i32::from(area.y) + (y / 4.0).floor() as i32 + shift.1).max(0) as u16;
        screen.put(x, y.min(area.bottom() - 1), text, faint());
    };
    for (x, text) in [(-1.0, boards.across.first()), (1.0, boards.across.last())] {
        label((x, -1.0, 0.0), (-1, 1), text.map_or("", String::as_str));
    }
    for (y, text) in [(-1.0, boards.up.first()), (1.0, boards.up.last())] {
        label((1.0, y, 0.0), (1, 0), text.map_or("", String::as_str));
    }
    for tick in [scale.ticks.first(), scale.ticks.last()].into_iter().flatten() {
        let text = scale.label(*tick);
        label((-1.0, -1.0, scale.share(*tick)), (-(text.chars().count() as i32) - 1, 0), &text);
    }
}

/// Dots that are lit, each in a colour.
struct Dots {
    width: usize,
    height: usize,
    lit: Vec<Option<Hue>>,
}

impl Dots {
    fn set(&mut self, x: f64, y: f64, hue: Option<Hue>) {
        if (0.0..self.width as f64).contains(&x) && (0.0..self.height as f64).contains(&y) {
            self.lit[y as usize * self.width + x as usize] = hue;
        }
    }

    fn stroke(&mut self, from: Spot, to: Spot, hue: Hue) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
        for step in 0..=steps as u32 {
            let share = f64::from(step) / steps;
            self.set(from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1), Some(hue));
        }
    }

    /// Puts out what lies within a mesh.
    fn clear(&mut self, corners: &[Spot; 4]) {
        let bound = |pick: fn(&Spot) -> f64| {
            corners
                .iter()
                .map(pick)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
        };
        let ((left, right), (top, bottom)) = (bound(|spot| spot.0), bound(|spot| spot.1));
        for y in top.floor() as i32..=bottom.ceil() as i32 {
            for x in left.floor() as i32..=right.ceil() as i32 {
                let middle = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                if is_within(corners, middle) {
                    self.set(middle.0, middle.1, None);
                }
            }
        }
    }

    fn render(&self, screen: &mut Screen, area: Rect) {
        let coords = |wanted: Hue| -> Vec<(f64, f64)> {
            let lit = self.lit.iter().enumerate().filter(|(_, hue)| **hue == Some(wanted));
            lit.map(|(at, _)| ((at % self.width) as f64, (self.height - 1 - at / self.width) as f64))
                .collect()
        };
        let layers =
            [Hue::Grey, Hue::Orange, Hue::Blue].map(|hue| (coords(hue), style(hue).fg.unwrap_or_default()));
        let canvas = Canvas::default()
            .marker(Marker::Braille)
            .x_bounds([0.0, (self.width - 1) as f64])
            .y_bounds([0.0, (self.height - 1) as f64])
            .paint(|context| {
                for (coords, color) in &layers {
                    context.draw(&Points { coords, color: *color });
                }
            });
        canvas.render(area, &mut screen.buffer);
    }
}

/// Whether a spot lies within a polygon: a line from it to the right crosses the edge an odd number of times.
fn is_within(corners: &[Spot; 4], (x, y): Spot) -> bool {
    let crosses = |&at: &usize| {
        let ((x1, y1), (x2, y2)) = (corners[at], corners[(at + 1) % 4]);
        (y1 > y) != (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
    };
    (0..4).filter(crosses).count() % 2 == 1
}
