//! Histograms, lists and trends as tables of numbers, with bars or small curves.

use ratatui::style::{Modifier, Style};

use super::{Screen, faint, sign, style};
use crate::plot::{
    panel::{Chart, Point, SeriesStyle},
    scale::number,
};

/// Charts over the same names as one table: a row for each name, a column for each series. A single chart has
/// bars beside the numbers.
pub(super) fn table(screen: &mut Screen, charts: &[Chart]) {
    let Some(first) = charts.first() else { return };
    let names = &first.x_axis.names;
    let label = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(first.x_axis.title.chars().count());
    let label = label as u16;
    let columns: Vec<Vec<u16>> = places(charts, label + 2);
    let top = screen.room(2).y;
    screen.put(0, top + 1, &first.x_axis.title, faint());
    for (chart, ends) in charts.iter().zip(&columns) {
        for (series, &end) in chart.series.iter().zip(ends) {
            screen.put_right(end, top + 1, &series.name, style(series.colour));
        }
        let title = if chart.title.is_empty() { &chart.y_axis.title } else { &chart.title };
        if let Some(&last) = ends.last() {
            screen.put_right(last, top, title, Style::new().add_modifier(Modifier::BOLD));
        }
    }
    let body = screen.room(names.len() as u16).y;
    for (row, (at, name)) in (body..).zip(names.iter().enumerate()) {
        screen.put_right(label, row, name, Style::new());
        for (chart, ends) in charts.iter().zip(&columns) {
            let decimals = decimals(chart);
            for (series, &end) in chart.series.iter().zip(ends) {
                let Some(point) = series.points.get(at) else { continue };
                screen.put_right(end, row, &number(point.y, decimals), Style::new());
                if let Some(frozen) = point.frozen {
                    screen.put(end, row, &sign(frozen).to_string(), faint());
                }
            }
        }
    }
    if let ([chart], Some(&end)) = (charts, columns.last().and_then(|ends| ends.last())) {
        bars(screen, chart, end + 2, body);
    }
}

/// The columns in which the numbers of each series end.
fn places(charts: &[Chart], left: u16) -> Vec<Vec<u16>> {
    let mut end = left;
    let mut place = |width: u16| {
        end += width + 2;
        end
    };
    let width = |name: &str| (name.chars().count() as u16).max(7);
    charts
        .iter()
        .map(|chart| chart.series.iter().map(|series| place(width(&series.name))).collect())
        .collect()
}

fn decimals(chart: &Chart) -> usize {
    let points = chart.series.iter().flat_map(|series| &series.points);
    let largest = points.map(|point| point.y.abs()).fold(0.0, f64::max);
    if largest < 10.0 { 2 } else { 1 }
}

/// Draws a bar for the last series in each row, if all its values are at least 0.
fn bars(screen: &mut Screen, chart: &Chart, left: u16, top: u16) {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let Some(series) = chart.series.last().filter(|series| series.style == SeriesStyle::Bars) else { return };
    let room = screen.columns().saturating_sub(left);
    let largest = series.points.iter().map(|point| point.y).fold(0.0, f64::max);
    if room < 8 || largest <= 0.0 || series.points.iter().any(|point| point.y < 0.0) {
        return;
    }
    for (row, point) in (top..).zip(&series.points) {
        let eighths = (point.y / largest * f64::from(room) * 8.0).round() as usize;
        let bar = format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8]);
        screen.put(left, row, &bar, style(series.colour));
    }
}

/// A line for each weight: values at the start, in the best pass and at the end, standard error, and a small curve.
pub(super) fn trends(screen: &mut Screen, charts: &[Chart]) {
    let name = |chart: &Chart| {
        chart.title.split_once(": ").map_or(chart.title.clone(), |(name, _)| name.to_string())
    };
    let change =
        |chart: &Chart| chart.title.split_once(": ").map_or(String::new(), |(_, change)| change.to_string());
    let ends = [28, 37, 46, 54];
    let top = screen.room(1).y;
    screen.put(0, top, "weight", faint());
    for (end, title) in ends.into_iter().zip(["start", "best", "end", "s.e."]) {
        screen.put_right(end, top, title, faint());
    }
    screen.put(57, top, "change", faint());
    let room = screen.columns().saturating_sub(78);
    for chart in charts {
        let row = screen.room(1).y;
        let points = chart.series.first().map_or(&[][..], |series| &series.points);
        screen.put(0, row, &name(chart), Style::new());
        let best = chart.mark.as_ref().and_then(|mark| points.iter().find(|point| point.x == mark.x));
        let shown = [
            points.first().map(|p| p.y),
            best.map(|p| p.y),
            points.last().map(|p| p.y),
            points.last().and_then(|p| p.error),
        ];
        for (end, value) in ends.into_iter().zip(shown) {
            screen.put_right(
                end,
                row,
                &value.map_or("-".to_string(), |value| number(value, 2)),
                Style::new(),
            );
        }
        screen.put(57, row, &change(chart), Style::new());
        if room >= 4 {
            screen.put(78, row, &spark(points, usize::from(room)), style(crate::plot::Colour::Blue));
        }
    }
}

/// A curve in one line of characters.
fn spark(points: &[Point], room: usize) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (low, high) =
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.y), h.max(p.y)));
    let level = |point: &Point| {
        let share = if high > low { (point.y - low) / (high - low) } else { 0.5 };
        LEVELS[((share * 7.0).round() as usize).min(7)]
    };
    let every = points.len().div_ceil(room.max(1)).max(1);
    points.iter().step_by(every).map(level).collect()
}
