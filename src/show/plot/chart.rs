//! Draws charts: axes, curves with standard errors, bars, and names that do not overlap.

use super::{
    canvas::{Area, Canvas, PixelPoint},
    font::{Anchor, LINE, TITLE, TextStyle},
    panel::{Axis, Chart, Colour, FrozenKind, Point, Series, SeriesStyle},
    scale::Scale,
    theme::Paint,
};

const TICK: TextStyle = TextStyle::new(10.6, Anchor::Middle);
const NAME: TextStyle = TextStyle::new(10.6, Anchor::Start);

/// Lines that a note may have.
const NOTE_LINES: usize = 2;

/// The plot area of a chart with the scales of its axes.
struct Frame {
    area: Area,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn pixel(&self, x: f64, y: f64) -> PixelPoint {
        let (across, up) = (self.x.share(x), self.y.share(y).clamp(-0.05, 1.05));
        (self.area.left + across * self.area.width(), self.area.bottom - up * self.area.height())
    }
}

/// Room beside a plot area: for labels at the left, for names at the right.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sides {
    left: f64,
    right: f64,
}

impl Sides {
    /// The room that both need.
    pub fn max(self, other: Sides) -> Sides {
        Sides { left: self.left.max(other.left), right: self.right.max(other.right) }
    }
}

/// Height of the lines for the note of a chart.
pub(super) fn note_height(chart: &Chart) -> f64 {
    if chart.note.is_empty() { 0.0 } else { NOTE_LINES as f64 * LINE }
}

/// Draws a chart into an area of a canvas, with at least this room beside its plot area.
pub(super) fn draw(canvas: &mut Canvas, area: Area, chart: &Chart, sides: Sides) {
    let mut top = area.top;
    if !chart.title.is_empty() {
        let title = TITLE.fit(&chart.title, area.width());
        canvas.text((area.left, top + 0.5 * LINE), &title, TITLE, Colour::Ink.into());
        top += LINE + 3.0;
    }
    for (line, text) in (0..).zip(note_lines(&chart.note, area.width())) {
        let middle = top + (f64::from(line) + 0.5) * LINE - 2.0;
        canvas.text((area.left, middle), &text, NAME, Colour::Grey.into());
    }
    top += note_height(chart);
    if is_of_bars(chart) && names(chart).count() > 0 {
        top = legend(canvas, Area { top, ..area }, chart) + 4.0;
    }
    if chart.mark.as_ref().is_some_and(|mark| !mark.name.is_empty()) {
        top += LINE;
    }
    let frame = frame(Area { top: top + 4.0, ..area }, chart, sides);
    axes(canvas, &area, &frame, chart);
    mark(canvas, &frame, chart);
    for series in chart.series.iter().filter(|series| series.style == SeriesStyle::Dots) {
        band(canvas, &frame, series);
    }
    for (index, series) in chart.series.iter().enumerate() {
        match series.style {
            SeriesStyle::Bars => bars(canvas, &frame, chart, index),
            _ => curve(canvas, &frame, series),
        }
    }
    if !is_of_bars(chart) {
        end_names(canvas, &area, &frame, chart);
    }
}

fn is_of_bars(chart: &Chart) -> bool {
    chart.series.iter().any(|series| series.style == SeriesStyle::Bars)
}

fn names(chart: &Chart) -> impl Iterator<Item = &str> {
    chart.series.iter().map(|series| series.name.as_str()).filter(|name| !name.is_empty())
}

/// All values that the vertical axis must include.
fn heights(chart: &Chart) -> impl Iterator<Item = f64> + '_ {
    let points = chart.series.iter().flat_map(|series| &series.points);
    let ends = points.flat_map(|point| [-1.0, 1.0].map(|sign| point.y + sign * point.error.unwrap_or(0.0)));
    ends.chain(chart.level).chain(chart.y_axis.zero.then_some(0.0))
}

/// The note in at most [`NOTE_LINES`] lines that fit; the last one is cut if there is more.
fn note_lines(note: &str, width: f64) -> Vec<String> {
    let mut lines = NAME.wrap(note, width);
    if lines.len() > NOTE_LINES {
        let rest = lines.split_off(NOTE_LINES - 1).join(" ");
        lines.push(NAME.fit(&rest, width));
    }
    lines
}

/// The vertical scale of a chart of this height.
fn up(chart: &Chart, height: f64) -> Scale {
    let rows = (height / 34.0) as usize;
    Scale::over(heights(chart), rows.clamp(2, 6), chart.y_axis.whole, true)
}

fn title_room(axis: &Axis) -> f64 {
    if axis.title.is_empty() { 0.0 } else { LINE + 3.0 }
}

/// The room beside the plot area that a chart of this height needs.
pub(super) fn sides(chart: &Chart, height: f64) -> Sides {
    let y = up(chart, height);
    let widest = y.ticks.iter().map(|&tick| TICK.width(&y.label(tick))).fold(0.0, f64::max);
    let beside =
        if is_of_bars(chart) { None } else { names(chart).map(|name| NAME.width(name)).reduce(f64::max) };
    Sides { left: title_room(&chart.y_axis) + widest + 7.0, right: beside.map_or(6.0, |width| width + 24.0) }
}

/// The plot area that is left beside titles and labels, and its scales.
fn frame(area: Area, chart: &Chart, least: Sides) -> Frame {
    let y = up(chart, area.height());
    let Sides { left, right } = sides(chart, area.height()).max(least);
    let inner = Area {
        left: area.left + left,
        right: (area.right - right).max(area.left + 0.4 * area.width()),
        bottom: area.bottom - title_room(&chart.x_axis) - LINE - 4.0,
        ..area
    };
    Frame { x: across(chart, inner.width()), y, area: inner }
}

fn across(chart: &Chart, width: f64) -> Scale {
    let places = chart.x_axis.names.len();
    if places > 0 {
        let slack = if is_of_bars(chart) { 0.5 } else { 0.25 };
        return Scale {
            low: -slack,
            high: places as f64 - 1.0 + slack,
            ..Scale::over([0.0].into_iter(), 2, true, true)
        };
    }
    let xs = chart.series.iter().flat_map(|series| &series.points).map(|point| point.x);
    let ends = chart.x_axis.zero.then_some(0.0).into_iter().chain(chart.x_axis.to);
    let xs = xs.chain(chart.mark.iter().map(|mark| mark.x)).chain(ends);
    Scale::over(xs, ((width / 38.0) as usize).clamp(2, 16), chart.x_axis.whole, false)
}

fn axes(canvas: &mut Canvas, whole: &Area, frame: &Frame, chart: &Chart) {
    let area = &frame.area;
    for &tick in &frame.y.ticks {
        let (_, y) = frame.pixel(frame.x.low, tick);
        canvas.line(&[(area.left, y), (area.right, y)], 1.0, Paint::Grid);
        let label = TextStyle { anchor: Anchor::End, ..TICK };
        canvas.text((area.left - 6.0, y), &frame.y.label(tick), label, Colour::Grey.into());
    }
    let base = frame.pixel(frame.x.low, 0.0_f64.clamp(frame.y.low, frame.y.high)).1;
    canvas.line(&[(area.left, base), (area.right, base)], 1.0, Colour::Grey.into());
    for (x, label) in labels_across(frame, chart) {
        let (x, _) = frame.pixel(x, 0.0);
        if chart.x_axis.names.is_empty() {
            canvas.line(&[(x, area.bottom), (x, area.bottom + 3.0)], 1.0, Colour::Grey.into());
        }
        canvas.text((x, area.bottom + 0.5 * LINE + 3.0), &label, TICK, Colour::Grey.into());
    }
    let middle = 0.5 * (area.left + area.right);
    canvas.text((middle, whole.bottom - 0.5 * LINE), &chart.x_axis.title, TICK, Colour::Grey.into());
    let upward = TextStyle { upward: true, ..TICK };
    let title = upward.fit(&chart.y_axis.title, area.height() + 2.0 * LINE);
    let at = (whole.left + 0.5 * LINE, 0.5 * (area.top + area.bottom));
    canvas.text(at, &title, upward, Colour::Grey.into());
}

/// Labels below the horizontal axis; if not all names fit, only every nth of them.
fn labels_across(frame: &Frame, chart: &Chart) -> Vec<(f64, String)> {
    let names = &chart.x_axis.names;
    if names.is_empty() {
        return frame.x.ticks.iter().map(|&tick| (tick, frame.x.label(tick))).collect();
    }
    let widest = names.iter().map(|name| TICK.width(name)).fold(0.0, f64::max) + 2.0;
    let room = frame.area.width() / (frame.x.high - frame.x.low);
    let every = (widest / room).ceil().max(1.0) as usize;
    (0..).zip(names).step_by(every).map(|(x, name)| (f64::from(x), name.clone())).collect()
}

/// Draws the mark and the reference level.
fn mark(canvas: &mut Canvas, frame: &Frame, chart: &Chart) {
    let area = &frame.area;
    if let Some(level) = chart.level {
        let (_, y) = frame.pixel(frame.x.low, level);
        canvas.dashed(&[(area.left, y), (area.right, y)], 3.0, 1.0, Colour::Grey.into());
    }
    let Some(mark) = &chart.mark else { return };
    let (x, _) = frame.pixel(mark.x, 0.0);
    canvas.dashed(&[(x, area.top - 2.0), (x, area.bottom)], 3.0, 1.0, Colour::Grey.into());
    let half = 0.5 * TICK.width(&mark.name);
    let middle = x.clamp(area.left + half, (area.right - half).max(area.left + half));
    canvas.text((middle, area.top - 0.5 * LINE - 2.0), &mark.name, TICK, Colour::Ink.into());
}

fn curve(canvas: &mut Canvas, frame: &Frame, series: &Series) {
    let paint: Paint = series.colour.into();
    let spots: Vec<PixelPoint> = series.points.iter().map(|point| frame.pixel(point.x, point.y)).collect();
    if series.style == SeriesStyle::ErrorBars {
        error_bars(canvas, frame, series);
    }
    match series.style {
        SeriesStyle::Dashed => canvas.dashed(&spots, 5.0, 1.6, paint),
        SeriesStyle::Strong => canvas.line(&spots, 3.4, paint),
        SeriesStyle::Line => canvas.line(&spots, 1.6, paint),
        _ => canvas.line(&spots, 1.8, paint),
    }
    if matches!(series.style, SeriesStyle::Dots | SeriesStyle::ErrorBars) {
        for (point, &spot) in series.points.iter().zip(&spots) {
            dot(canvas, spot, point, paint);
        }
    }
}

/// A dot, hollow if the weight was frozen.
fn dot(canvas: &mut Canvas, spot: PixelPoint, point: &Point, paint: Paint) {
    canvas.circle(spot, 2.6, paint);
    match point.frozen {
        Some(FrozenKind::Unsupported) => canvas.circle(spot, 1.5, Paint::Ground),
        Some(FrozenKind::NotTuned) => canvas.circle(spot, 0.8, Paint::Ground),
        None => {}
    }
}

fn band(canvas: &mut Canvas, frame: &Frame, series: &Series) {
    let edge = |sign: f64| {
        let known = series.points.iter().filter_map(|point| Some((point, point.error?)));
        known.map(|(point, error)| frame.pixel(point.x, point.y + sign * error)).collect::<Vec<_>>()
    };
    let corners: Vec<PixelPoint> = edge(1.0).into_iter().chain(edge(-1.0).into_iter().rev()).collect();
    if !corners.is_empty() {
        canvas.polygon(&corners, Paint::Colour(series.colour, 0.16));
    }
}

fn error_bars(canvas: &mut Canvas, frame: &Frame, series: &Series) {
    for point in &series.points {
        let Some(error) = point.error else { continue };
        let (low, high) = (frame.pixel(point.x, point.y - error), frame.pixel(point.x, point.y + error));
        let end = |(x, y): PixelPoint| vec![(x - 3.0, y), (x + 3.0, y)];
        canvas.lines(&[vec![low, high], end(low), end(high)], 1.4, series.colour.into());
    }
}

/// The bars of one series, beside those of the others.
fn bars(canvas: &mut Canvas, frame: &Frame, chart: &Chart, index: usize) {
    let series = &chart.series[index];
    let width = 0.8 / chart.series.len() as f64;
    for point in &series.points {
        let left = point.x - 0.4 + width * index as f64;
        let (from, to) = (frame.pixel(left, 0.0), frame.pixel(left + width, point.y));
        let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
        let bar = Area { left: from.0, top, right: to.0 - 0.5, bottom };
        match point.frozen {
            None => canvas.rect(&bar, series.colour.into()),
            Some(frozen) => {
                canvas.rect(&bar, Paint::Colour(series.colour, 0.45));
                pattern(canvas, &bar, frozen);
            }
        }
    }
}

/// The pattern of a frozen weight: strokes for too little support, dots for not tuned.
pub(super) fn pattern(canvas: &mut Canvas, area: &Area, frozen: FrozenKind) {
    let paint = Paint::Colour(Colour::Ink, 0.55);
    match frozen {
        FrozenKind::Unsupported => {
            let reach = area.width() + area.height();
            let strokes = (0..).map(|stroke| 3.0 + 6.0 * f64::from(stroke)).take_while(|&at| at < reach);
            let lines = strokes.map(|at| {
                let from = (area.left + (at - area.height()).max(0.0), area.top + at.min(area.height()));
                let to = (area.left + at.min(area.width()), area.top + (at - area.width()).max(0.0));
                vec![from, to]
            });
            canvas.lines(&lines.collect::<Vec<_>>(), 0.8, paint);
        }
        FrozenKind::NotTuned => {
            let last = area.left + 6.0 * (area.width() / 6.0).floor() - 2.9;
            let row = |row: u32| {
                let y = area.top + 3.0 + 6.0 * f64::from(row);
                vec![(area.left + 3.0, y), (last, y)]
            };
            let count = if area.width() < 6.0 { 0 } else { (area.height() / 6.0) as u32 };
            let rows = (0..count).map(row);
            canvas.dotted(&rows.collect::<Vec<_>>(), 6.0, 1.4, paint);
        }
    }
}

/// Draws the names of the bars above them, in as many lines as needed. Returns the bottom of the last line.
fn legend(canvas: &mut Canvas, area: Area, chart: &Chart) -> f64 {
    let (mut x, mut y) = (area.left, area.top);
    for series in chart.series.iter().filter(|series| !series.name.is_empty()) {
        let width = NAME.width(&series.name) + 30.0;
        if x > area.left && x + width > area.right {
            (x, y) = (area.left, y + LINE);
        }
        let middle = y + 0.5 * LINE;
        let square = Area { left: x, top: middle - 5.0, right: x + 10.0, bottom: middle + 5.0 };
        canvas.rect(&square, series.colour.into());
        canvas.text((x + 15.0, middle), &series.name, NAME, Colour::Ink.into());
        x += width;
    }
    y + LINE
}

/// Draws the names of the curves at their ends, without overlap.
fn end_names(canvas: &mut Canvas, whole: &Area, frame: &Frame, chart: &Chart) {
    let named = chart.series.iter().filter(|series| !series.name.is_empty());
    let mut ends: Vec<(f64, &Series)> = named
        .filter_map(|series| series.points.last().map(|point| (frame.pixel(point.x, point.y).1, series)))
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted: Vec<f64> = ends.iter().map(|end| end.0).collect();
    let places = apart(&wanted, LINE - 1.0, frame.area.top, frame.area.bottom);
    let left = frame.area.right + 6.0;
    for ((end, series), place) in ends.into_iter().zip(places) {
        let width = if series.style == SeriesStyle::Strong { 3.4 } else { 1.8 };
        let line = [(left, end), (left + 5.0, place), (left + 12.0, place)];
        match series.style {
            SeriesStyle::Dashed => canvas.dashed(&line, 3.0, width, series.colour.into()),
            _ => canvas.line(&line, width, series.colour.into()),
        }
        let name = NAME.fit(&series.name, whole.right - left - 15.0);
        let kind = TextStyle { bold: series.style == SeriesStyle::Strong, ..NAME };
        canvas.text((left + 16.0, place), &name, kind, Colour::Ink.into());
    }
}

/// Positions close to the wanted ones, in the same order, at least `gap` apart, and between `low` and `high`
/// as far as there is room.
pub(super) fn apart(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut places = wanted.to_vec();
    for at in 0..places.len() {
        let before = if at > 0 { places[at - 1] + gap } else { low };
        places[at] = places[at].max(before);
    }
    for at in (0..places.len()).rev() {
        let after = if at + 1 < places.len() { places[at + 1] - gap } else { high };
        places[at] = places[at].min(after);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_moved_apart_and_keep_their_order() {
        assert_eq!(apart(&[10.0, 50.0], 12.0, 0.0, 100.0), [10.0, 50.0]);
        assert_eq!(apart(&[99.0, 99.0, 99.0], 12.0, 0.0, 100.0), [76.0, 88.0, 100.0]);
        assert_eq!(apart(&[-5.0, 3.0], 12.0, 0.0, 100.0), [0.0, 12.0]);
        assert_eq!(apart(&[40.0, 41.0], 12.0, 0.0, 100.0), [40.0, 52.0]);
    }
}
