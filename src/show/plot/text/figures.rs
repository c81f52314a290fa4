//! Histograms, lists and trends as tables of numbers, with bars or small curves.

use ratatui::style::Style;

use super::{Sheet, sign};
use crate::show::plot::{
    panel::{Axis, Chart, Colour, SeriesStyle},
    scale::number,
};

/// Charts over the same names as one table: a row for each name, a column for each series. A single chart has
/// bars beside the numbers.
pub(super) fn table(sheet: &mut Sheet, charts: &[Chart]) {
    let (end, body) = numbers(sheet, charts, 7);
    if let [chart] = charts {
        bars(sheet, chart, end + 2, body);
    }
}

/// A histogram of two series as numbers, with its title. Bars show the second; signs at their ends show by
/// how much it differs from the first.
pub(super) fn histogram(sheet: &mut Sheet, title: &str, chart: &Chart) {
    sheet.head(title, &chart.x_axis.title, &[]);
    let (x_axis, y_axis) = (Axis { title: String::new(), ..chart.x_axis.clone() }, Axis::default());
    let (end, body) = numbers(sheet, &[Chart { x_axis, y_axis, ..chart.clone() }], 5);
    let unit = chart.y_axis.title.rsplit(", ").next().unwrap_or_default();
    sheet.put(0, body - 1, unit, sheet.faint());
    sheet.put(end + 1, body - 1, "+more -less", sheet.faint());
    let [first, second] = &chart.series[..] else { return };
    let room = f64::from(sheet.columns().saturating_sub(end + 2));
    let most = first.points.iter().chain(&second.points).map(|point| point.y).fold(1.0, f64::max);
    for (row, (before, after)) in (body..).zip(first.points.iter().zip(&second.points)) {
        let length = |share: f64| (share / most * room).round() as usize;
        let (filled, longer) = (length(before.y.min(after.y)), length(before.y.max(after.y)));
        let bar = sheet.look.sign("█", "#").repeat(filled);
        let at = sheet.put(end + 2, row, &bar, sheet.style(second.colour));
        let (sign, colour) = if after.y > before.y { ("+", Colour::Green) } else { ("-", Colour::Orange) };
        sheet.put(at, row, &sign.repeat(longer - filled), sheet.style(colour));
    }
}

/// The names and numbers of charts, below a line of names and, if charts have titles, one of those. Columns
/// of numbers are at least `narrowest` wide. Returns the column after the last number, and the first line of
/// numbers.
fn numbers(sheet: &mut Sheet, charts: &[Chart], narrowest: u16) -> (u16, u16) {
    let Some(first) = charts.first() else { return (0, 0) };
    let names = &first.x_axis.names;
    let label = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(first.x_axis.title.chars().count());
    let label = label as u16;
    let columns: Vec<Vec<u16>> = places(charts, label + 2, narrowest);
    let title_of = |chart: &Chart| match chart.title.is_empty() {
        true => chart.y_axis.title.clone(),
        false => chart.title.clone(),
    };
    let has_titles = charts.iter().any(|chart| !title_of(chart).is_empty());
    let top = sheet.room(1 + u16::from(has_titles)).y;
    let names_at = top + u16::from(has_titles);
    sheet.put(0, names_at, &first.x_axis.title, sheet.faint());
    for (chart, ends) in charts.iter().zip(&columns) {
        for (series, &end) in chart.series.iter().zip(ends) {
            sheet.put_right(end, names_at, &series.name, sheet.style(series.colour));
        }
        if let Some(&last) = ends.last() {
            sheet.put_right(last, top, &title_of(chart), sheet.look.title);
        }
    }
    let body = sheet.room(names.len() as u16).y;
    for (row, (at, name)) in (body..).zip(names.iter().enumerate()) {
        sheet.put_right(label, row, name, Style::new());
        for (chart, ends) in charts.iter().zip(&columns) {
            let decimals = decimals(chart);
            for (series, &end) in chart.series.iter().zip(ends) {
                let Some(point) = series.points.get(at) else { continue };
                sheet.put_right(end, row, &number(point.y, decimals), Style::new());
                if let Some(frozen) = point.frozen {
                    sheet.put(end, row, &sign(frozen).to_string(), sheet.faint());
                }
            }
        }
    }
    (columns.last().and_then(|ends| ends.last()).copied().unwrap_or(label), body)
}

/// The columns in which the numbers of each series end.
fn places(charts: &[Chart], left: u16, narrowest: u16) -> Vec<Vec<u16>> {
    let mut end = left;
    let mut place = |width: u16| {
        end += width + 2;
        end
    };
    let width = |name: &str| (name.chars().count() as u16).max(narrowest);
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
fn bars(sheet: &mut Sheet, chart: &Chart, left: u16, top: u16) {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let Some(series) = chart.series.last().filter(|series| series.style == SeriesStyle::Bars) else { return };
    let room = sheet.columns().saturating_sub(left);
    let largest = series.points.iter().map(|point| point.y).fold(0.0, f64::max);
    if room < 8 || largest <= 0.0 || series.points.iter().any(|point| point.y < 0.0) {
        return;
    }
    for (row, point) in (top..).zip(&series.points) {
        let eighths = (point.y / largest * f64::from(room) * 8.0).round() as usize;
        let bar = format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8]);
        sheet.put(left, row, &bar, sheet.style(series.colour));
    }
}

/// A line for each weight: values at the start, in the best pass and at the end, its change, and a small
/// curve.
pub(super) fn trends(sheet: &mut Sheet, charts: &[Chart]) {
    let name = |chart: &Chart| {
        chart.title.split_once(": ").map_or(chart.title.clone(), |(name, _)| name.to_string())
    };
    let change =
        |chart: &Chart| chart.title.split_once(": ").map_or(String::new(), |(_, change)| change.to_string());
    let ends = [28, 37, 46];
    let top = sheet.room(1).y;
    sheet.put(0, top, "weight", sheet.faint());
    for (end, title) in ends.into_iter().zip(["start", "best", "end"]) {
        sheet.put_right(end, top, title, sheet.faint());
    }
    sheet.put(49, top, "change", sheet.faint());
    let room = sheet.columns().saturating_sub(72);
    for chart in charts {
        let row = sheet.room(1).y;
        let points = chart.series.first().map_or(&[][..], |series| &series.points);
        sheet.put(0, row, &name(chart), Style::new());
        let best = chart.mark.as_ref().and_then(|mark| points.iter().find(|point| point.x == mark.x));
        let shown = [points.first().map(|p| p.y), best.map(|p| p.y), points.last().map(|p| p.y)];
        for (end, value) in ends.into_iter().zip(shown) {
            sheet.put_right(end, row, &value.map_or("-".to_string(), |value| number(value, 2)), Style::new());
        }
        sheet.put(49, row, &change(chart), Style::new());
        if room >= 4 {
            let values: Vec<f64> = points.iter().map(|point| point.y).collect();
            sheet.put(72, row, &spark(&values, usize::from(room), false), sheet.style(Colour::Blue));
        }
    }
}

/// A curve in one line of at most `room` characters.
pub fn spark(values: &[f64], room: usize, ascii: bool) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    let level = |&value: &f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        let level = ((share * 7.0).round() as usize).min(7);
        if ascii { char::from(b'1' + level as u8) } else { LEVELS[level] }
    };
    let every = values.len().div_ceil(room.max(1)).max(1);
    values.iter().step_by(every).map(level).collect()
}
