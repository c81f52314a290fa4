//! Curves in dots, with axes. With room for them, the names of the curves are at their ends; in a given area
//! they are above, and points have signs and bars of their standard errors.

use ratatui::{
    layout::Rect,
    symbols::Marker,
    widgets::{
        Widget,
        canvas::{Canvas, Line},
    },
};

use super::{Sheet, sign_of_curve};
use crate::show::plot::{
    chart::apart,
    panel::{Chart, Colour, Series, SeriesStyle},
    scale::{MINUS, Scale},
};

/// Approximate height of the plot area, in lines.
const LINES: usize = 13;

/// Smallest number of columns between two signs of a curve.
const SIGN_DISTANCE: f64 = 3.0;

/// Draws a chart as high as it needs to be.
pub(super) fn draw(sheet: &mut Sheet, chart: &Chart) {
    let named = || chart.series.iter().filter(|series| !series.name.is_empty());
    let names = named().map(|series| series.name.chars().count() as u16 + 4).max().unwrap_or(0);
    // Standard errors are not drawn: a band of dots would look like a curve.
    let y = Scale::over(heights(chart), LINES / 2, chart.y_axis.whole, true);
    sheet.line(&chart.y_axis.title, sheet.faint());
    // The number of lines is chosen so that every tick is on its own line, at equal distances.
    let steps = y.ticks.len().saturating_sub(1).max(1);
    let lines = (steps * ((LINES + steps / 2) / steps).max(1) + 1) as u16;
    let plot = Plot::new(sheet, chart, y, lines, Some(names));
    plot.curves(sheet, chart);
    plot.vertical_axis(sheet);
    plot.mark(sheet, chart);
    end_names(sheet, plot.area, named(), |value| plot.row(value));
    let rule = sheet.room(2).y;
    let axis = format!("└{}", "─".repeat(usize::from(plot.area.width)));
    sheet.put(plot.area.x - 1, rule, &axis, sheet.faint());
    for &tick in &plot.x.ticks {
        sheet.put(plot.column(tick), rule, "┬", sheet.faint());
    }
    let free = plot.labels_below(sheet, rule + 1);
    let title = &chart.x_axis.title;
    let title_at = (plot.area.right() + 1).max(free);
    if usize::from(title_at) + title.chars().count() <= usize::from(sheet.columns()) {
        sheet.put(title_at, rule + 1, title, sheet.faint());
    } else {
        sheet.line(title, sheet.faint());
    }
}

/// Draws a chart in at most `height` lines.
pub(super) fn draw_within(sheet: &mut Sheet, title: &str, chart: &Chart, height: u16) {
    let named = chart.series.iter().filter(|series| !series.name.is_empty());
    let key = named.map(|series| {
        (format!("{} {}", sign_of_curve(series.colour), series.name), sheet.style(series.colour))
    });
    let head = sheet.head(title, &chart.y_axis.title, &key.collect::<Vec<_>>());
    let lines = height.saturating_sub(head + 1);
    if lines < 2 || sheet.columns() < 16 {
        return;
    }
    let points = chart.series.iter().flat_map(|series| &series.points);
    let errors = points.filter_map(|point| Some((point.y, point.error?)));
    let ends = errors.flat_map(|(value, error)| [value - error, value + error]);
    let most = usize::from(2 * lines / 3).max(3);
    let y = Scale::over(heights(chart).chain(ends), most, chart.y_axis.whole, false);
    let plot = Plot::new(sheet, chart, y, lines, None);
    plot.curves(sheet, chart);
    plot.vertical_axis(sheet);
    plot.signs(sheet, chart);
    plot.mark(sheet, chart);
    let line = sheet.room(1).y;
    sheet.put_right(plot.area.x - 1, line, &chart.x_axis.title, sheet.faint());
    plot.labels_below(sheet, line);
}

/// All values that the vertical axis must include.
fn heights(chart: &Chart) -> impl Iterator<Item = f64> + '_ {
    let points = chart.series.iter().flat_map(|series| &series.points).map(|point| point.y);
    points.chain(chart.level).chain(chart.y_axis.zero.then_some(0.0))
}

/// A plot area with its scales.
struct Plot {
    x: Scale,
    y: Scale,
    /// Labels of the ticks of the vertical axis.
    labels: Vec<String>,
    area: Rect,
    /// Dots of a character, across and upwards, to which places are rounded.
    dots: (u16, u16),
    /// Whether a height in the middle between two lines belongs to the lower one, as for the points of the
    /// canvas.
    rounds_down: bool,
}

impl Plot {
    /// A plot area of so many lines, with columns at the right for names or, in a given area, with room at
    /// the left for the title below.
    fn new(sheet: &mut Sheet, chart: &Chart, y: Scale, lines: u16, names: Option<u16>) -> Plot {
        let minus = sheet.look.sign(MINUS, "-");
        let labels: Vec<String> = y.ticks.iter().map(|&tick| y.label(tick).replace(MINUS, minus)).collect();
        let title = chart.x_axis.title.chars().count().min(if names.is_some() { 0 } else { usize::MAX });
        let left = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).max(title) as u16 + 2;
        let width = sheet.columns().saturating_sub(left + names.map_or(0, |names| names + 1));
        // A page has room for this.
        let width = width.max(if names.is_some() { 20 } else { 2 });
        let xs = chart.series.iter().flat_map(|series| &series.points).map(|point| point.x);
        let xs = xs.chain(chart.x_axis.zero.then_some(0.0)).chain(chart.x_axis.to);
        let x = Scale::over(xs, usize::from(width / 8).clamp(2, 16), chart.x_axis.whole, false);
        let area = Rect { x: left, width, ..sheet.room(lines) };
        let dots = if names.is_some() || sheet.look.ascii { (1, 1) } else { (2, 4) };
        Plot { x, y, labels, area, dots, rounds_down: names.is_none() }
    }

    fn row(&self, value: f64) -> u16 {
        let share = self.y.share(value) - if self.rounds_down { 1e-9 } else { 0.0 };
        self.area.bottom() - 1 - place(share, self.area.height, self.dots.1)
    }

    fn column(&self, value: f64) -> u16 {
        self.area.x + place(self.x.share(value), self.area.width, self.dots.0)
    }

    fn curves(&self, sheet: &mut Sheet, chart: &Chart) {
        let look = sheet.look;
        let marker = if look.ascii { Marker::Custom('.') } else { Marker::Braille };
        let canvas = Canvas::default().marker(marker);
        let canvas = canvas.x_bounds([self.x.low, self.x.high]).y_bounds([self.y.low, self.y.high]);
        let canvas = canvas.paint(|context| {
            for series in &chart.series {
                let colour = (look.style)(series.colour).fg.unwrap_or_default();
                let step = if series.style == SeriesStyle::Dashed { 2 } else { 1 };
                for pair in series.points.windows(2).step_by(step) {
                    context.draw(&Line::new(pair[0].x, pair[0].y, pair[1].x, pair[1].y, colour));
                }
                if let [point] = series.points[..] {
                    context.draw(&Line::new(point.x, point.y, point.x, point.y, colour));
                }
            }
        });
        canvas.render(self.area, &mut sheet.buffer);
    }

    /// Draws bars of standard errors where nothing else is, and the signs of points if there are several
    /// curves.
    fn signs(&self, sheet: &mut Sheet, chart: &Chart) {
        let has_signs = chart.series.len() > 1 || sheet.look.ascii;
        let bar = sheet.look.sign("│", "|");
        let distance = f64::from(self.area.width) / (self.x.high - self.x.low).max(1.0);
        let every = if sheet.look.ascii { 1 } else { (SIGN_DISTANCE / distance).ceil().max(1.0) as usize };
        let shown = |series: &Series| series.points.clone().into_iter().rev().step_by(every);
        for series in &chart.series {
            let barred = shown(series).filter_map(|point| Some((point, point.error?)));
            for (point, error) in barred.filter(|(_, error)| *error > 0.0) {
                for line in self.row(point.y + error)..=self.row(point.y - error) {
                    if sheet.is_blank(self.column(point.x), line) {
                        sheet.put(self.column(point.x), line, bar, sheet.faint());
                    }
                }
            }
        }
        for series in chart.series.iter().filter(|_| has_signs) {
            for point in shown(series) {
                let (sign, style) = (sign_of_curve(series.colour), sheet.style(series.colour));
                sheet.put(self.column(point.x), self.row(point.y), sign, style);
            }
        }
    }

    fn vertical_axis(&self, sheet: &mut Sheet) {
        let (left, faint) = (self.area.x, sheet.faint());
        for line in self.area.y..self.area.bottom() {
            sheet.put(left - 1, line, sheet.look.sign("│", "|"), faint);
        }
        for (&tick, label) in self.y.ticks.iter().zip(&self.labels) {
            sheet.put_right(left - 1, self.row(tick), label, faint);
            sheet.put(left - 1, self.row(tick), sheet.look.sign("┤", "+"), faint);
        }
    }

    /// Draws a vertical line through empty cells, with its label in the lowest line that has room.
    fn mark(&self, sheet: &mut Sheet, chart: &Chart) {
        let Some(mark) = &chart.mark else { return };
        let (area, column) = (self.area, self.column(mark.x));
        for y in area.y..area.bottom() {
            if sheet.is_blank(column, y) {
                sheet.put(column, y, sheet.look.sign("┊", ":"), sheet.faint());
            }
        }
        let width = mark.name.chars().count() as u16;
        let place =
            if column + 2 + width <= area.right() { column + 2 } else { column.saturating_sub(width + 1) };
        let is_free = |&y: &u16| (place..place + width).all(|x| sheet.is_blank(x, y));
        if let Some(y) = (area.y..area.bottom()).rev().find(is_free) {
            sheet.put(place, y, &mark.name, sheet.style(Colour::Ink));
        }
    }

    /// Labels the ticks of the horizontal axis. Returns the first column with room after them.
    fn labels_below(&self, sheet: &mut Sheet, line: u16) -> u16 {
        let mut free = 0;
        for &tick in &self.x.ticks {
            let label = self.x.label(tick);
            let start = self.column(tick).saturating_sub(label.chars().count() as u16 / 2);
            if start >= free {
                free = sheet.put(start, line, &label, sheet.faint()) + 1;
            }
        }
        free + 1
    }
}

/// The cell of a share of the cells, each of so many dots.
fn place(share: f64, cells: u16, dots: u16) -> u16 {
    let dot = (share * f64::from(cells * dots - 1)).round() as u16;
    (dot / dots).min(cells - 1)
}

/// Draws the names of the curves at the right, without overlap.
fn end_names<'a>(
    sheet: &mut Sheet,
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
        let x = sheet.put(area.right() + 1, place as u16, "─ ", sheet.style(series.colour));
        sheet.put(x, place as u16, &series.name, sheet.style(series.colour));
    }
}
