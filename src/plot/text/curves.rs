//! Curves in braille dots, with axes, and with names at the ends of the curves.

use ratatui::{
    layout::Rect,
    symbols::Marker,
    widgets::{
        Widget,
        canvas::{Canvas, Line},
    },
};

use super::{Screen, faint, style};
use crate::plot::{
    chart::apart,
    panel::{Chart, Colour, Series, SeriesStyle},
    scale::Scale,
};

/// Approximate height of the plot area, in lines.
const LINES: usize = 13;

pub(super) fn draw(screen: &mut Screen, chart: &Chart) {
    let named = || chart.series.iter().filter(|series| !series.name.is_empty());
    let names = named().map(|series| series.name.chars().count() as u16 + 4).max().unwrap_or(0);
    let y = Scale::over(heights(chart), LINES / 2, chart.y_axis.whole, true);
    let labels: Vec<String> = y.ticks.iter().map(|&tick| y.label(tick)).collect();
    let left = labels.iter().map(|label| label.chars().count() as u16).max().unwrap_or(0) + 2;
    let width = screen.columns().saturating_sub(left + names + 1).max(20);
    let xs = chart.series.iter().flat_map(|series| &series.points).map(|point| point.x);
    let xs = xs.chain(chart.x_axis.zero.then_some(0.0)).chain(chart.x_axis.to);
    let x = Scale::over(xs, usize::from(width / 8).clamp(2, 16), chart.x_axis.whole, false);
    screen.line(&chart.y_axis.title, faint());
    // The number of lines is chosen so that every tick is on its own line, at equal distances.
    let steps = y.ticks.len().saturating_sub(1).max(1);
    let lines = (steps * ((LINES + steps / 2) / steps).max(1) + 1) as u16;
    let area = Rect { x: left, width, ..screen.room(lines) };
    curves(screen, area, chart, [x.low, x.high], [y.low, y.high]);
    let row = |value: f64| {
        area.bottom() - 1 - ((y.share(value) * f64::from(lines - 1)).round() as u16).min(lines - 1)
    };
    let column = |value: f64| left + ((x.share(value) * f64::from(width - 1)).round() as u16).min(width - 1);
    for line in area.y..area.bottom() {
        screen.put(left - 1, line, "│", faint());
    }
    for (&tick, label) in y.ticks.iter().zip(&labels) {
        screen.put_right(left - 1, row(tick), label, faint());
        screen.put(left - 1, row(tick), "┤", faint());
    }
    if let Some(mark) = &chart.mark {
        pointed_out(screen, area, column(mark.x), &mark.name);
    }
    end_names(screen, area, named(), row);
    below(screen, left, width, &x, column, &chart.x_axis.title);
}

/// All values that the vertical axis must include. Standard errors are not drawn: a band of dots would look like
/// a curve.
fn heights(chart: &Chart) -> impl Iterator<Item = f64> + '_ {
    let points = chart.series.iter().flat_map(|series| &series.points).map(|point| point.y);
    points.chain(chart.level).chain(chart.y_axis.zero.then_some(0.0))
}

fn curves(screen: &mut Screen, area: Rect, chart: &Chart, x: [f64; 2], y: [f64; 2]) {
    let canvas = Canvas::default().marker(Marker::Braille).x_bounds(x).y_bounds(y).paint(|context| {
        for series in &chart.series {
            let colour = style(series.colour).fg.unwrap_or_default();
            let step = if series.style == SeriesStyle::Dashed { 2 } else { 1 };
            for pair in series.points.windows(2).step_by(step) {
                context.draw(&Line::new(pair[0].x, pair[0].y, pair[1].x, pair[1].y, colour));
            }
            if let [point] = series.points[..] {
                context.draw(&Line::new(point.x, point.y, point.x, point.y, colour));
            }
        }
    });
    canvas.render(area, &mut screen.buffer);
}

/// Draws a vertical line through empty cells, with its label in the lowest line that has room.
fn pointed_out(screen: &mut Screen, area: Rect, column: u16, name: &str) {
    let blank = |screen: &Screen, x: u16, y: u16| {
        screen.buffer.cell((x, y)).is_some_and(|cell| matches!(cell.symbol(), " " | "\u{2800}"))
    };
    for y in area.y..area.bottom() {
        if blank(screen, column, y) {
            screen.put(column, y, "┊", faint());
        }
    }
    let width = name.chars().count() as u16;
    let place =
        if column + 2 + width <= area.right() { column + 2 } else { column.saturating_sub(width + 1) };
    let free = (area.y..area.bottom()).rev().find(|&y| (place..place + width).all(|x| blank(screen, x, y)));
    if let Some(y) = free {
        screen.put(place, y, name, style(Colour::Ink));
    }
}

/// Draws the names of the curves at the right, without overlap.
fn end_names<'a>(
    screen: &mut Screen,
    area: Rect,
    named: impl Iterator<Item = &'a Series>,
    row: impl Fn(f64) -> u16,
) {
    let mut ends: Vec<(f64, &Series)> =
        named.filter_map(|series| Some((series.points.last()?.y, series))).collect();
    ends.sort_by(|a, b| b.0.total_cmp(&a.0));
    let wanted: Vec<f64> = ends.iter().map(|end| f64::from(row(end.0))).collect();
    let places = apart(&wanted, 1.0, f64::from(area.y), f64::from(area.bottom() - 1));
    for ((_, series), place) in ends.into_iter().zip(places) {
        let x = screen.put(area.right() + 1, place as u16, "─ ", style(series.colour));
        screen.put(x, place as u16, &series.name, style(series.colour));
    }
}

/// Draws the horizontal axis, with its title at the right end.
fn below(screen: &mut Screen, left: u16, width: u16, x: &Scale, column: impl Fn(f64) -> u16, title: &str) {
    let line = screen.room(2).y;
    screen.put(left - 1, line, &format!("└{}", "─".repeat(usize::from(width))), faint());
    let mut free = 0;
    for &tick in &x.ticks {
        let label = x.label(tick);
        let length = label.chars().count() as u16;
        let start = column(tick).saturating_sub(length / 2);
        screen.put(column(tick), line, "┬", faint());
        if start >= free {
            free = screen.put(start, line + 1, &label, faint()) + 1;
        }
    }
    let title_at = (left + width + 1).max(free + 1);
    if usize::from(title_at) + title.chars().count() <= usize::from(screen.columns()) {
        screen.put(title_at, line + 1, title, faint());
    } else {
        screen.line(title, faint());
    }
}
