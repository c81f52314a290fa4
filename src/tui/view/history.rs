//! The page of the last run: its passes, the histogram of moves ahead, and the changes of the weights.

use ratatui::layout::Rect;
use texam_fit::ParameterReport;

use super::{number, pages, pen::Pen};
use crate::{
    parameters::Parameter,
    tui::app::{App, FinishedRun, SCROLL_LINES},
};

/// Draws the last run; weights are listed from the `top`th on.
pub fn draw(pen: &mut Pen, app: &App, body: Rect, top: usize) {
    let Some(run) = app.finished_run() else { return };
    let theme = pen.theme;
    let name = run.stat().unwrap_or_else(|| "one fit, no files".to_string());
    let title = format!("The last run: {name}");
    pen.within(1, body.y, body.width - 2, &title, theme.title());
    let places = Places::new(body);
    passes(pen, run, places.passes);
    if places.are_all_seen {
        histogram(pen, run, places.histogram);
        weights(pen, run, places.weights, top);
    } else if top == 0 {
        histogram(pen, run, places.histogram);
        pages::draw_more_below(pen, body, usize::from(!run.reports().is_empty()) * 10, theme);
    } else {
        weights(pen, run, places.weights, top.saturating_sub(SCROLL_LINES));
    }
}

/// The areas of the parts.
struct Places {
    passes: Rect,
    histogram: Rect,
    weights: Rect,
    /// Whether the weights have an area of their own; else they take that of the histogram on the second page.
    are_all_seen: bool,
}

impl Places {
    fn new(body: Rect) -> Places {
        let height = (body.height - 3) / 2;
        let y = body.y + 1;
        let across = Rect { x: 1, width: body.width - 2, ..body };
        if body.width >= 120 {
            let half = body.width / 2;
            let below = Rect { y: y + height + 1, height: body.height - height - 2, ..across };
            return Places {
                passes: Rect { y, width: half - 2, height, ..across },
                histogram: Rect { x: half, y, width: body.width - half - 1, height },
                weights: below,
                are_all_seen: true,
            };
        }
        let below = Rect { y: y + height, height: body.height - 1 - height, ..across };
        Places { passes: Rect { y, height, ..across }, histogram: below, weights: below, are_all_seen: false }
    }
}

/// The first line shown when the end of the list of weights is in view.
pub fn last_top(app: &App, body: Rect) -> usize {
    let places = Places::new(body);
    let changed = app.finished_run().map_or(0, |run| changed(run).len());
    let beyond = changed.saturating_sub(usize::from(places.weights.height) - 1);
    if places.are_all_seen { beyond } else { SCROLL_LINES + beyond }
}

fn passes(pen: &mut Pen, run: &FinishedRun, area: Rect) {
    let chosen = run.chosen();
    let theme = pen.theme;
    pen.within(
        area.x,
        area.y,
        area.width,
        "pass   match  held out  mean rank  spread  change",
        theme.title(),
    );
    let lines = usize::from(area.height) - 1;
    let first = (chosen + 1).saturating_sub(lines);
    for (at, pass) in run.passes().iter().enumerate().skip(first).take(lines) {
        let report = &pass.report;
        let held_out = report.held_out.as_ref().map_or("-".into(), |held_out| percent(held_out.match_rate()));
        let change = report.fit.map_or("-".into(), |fit| number::format_weight(fit.max_change));
        let best = if at == run.best() { " best" } else { "" };
        let text = format!(
            "{:>4}  {:>6}  {held_out:>8}  {:>9.3}  {:>6.2}  {change:>6}{best}",
            report.number,
            percent(report.fitted.match_rate()),
            report.fitted.mean_rank(),
            report.spread
        );
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        pen.within(area.x, area.y + 1 + (at - first) as u16, area.width, &text, style);
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Draws the shares of positions by moves ahead, at the start and in the chosen pass.
fn histogram(pen: &mut Pen, run: &FinishedRun, area: Rect) {
    let chosen = run.chosen();
    let theme = pen.theme;
    let title = format!("moves ahead: share of positions, pass 0 and pass {chosen}");
    pen.within(area.x, area.y, area.width, &title, theme.title());
    let shares = |pass: usize| {
        let training = &run.passes()[pass].report.fitted;
        let count = training.positions.max(1) as f64;
        training.histogram.iter().map(|&n| n as f64 / count).collect::<Vec<f64>>()
    };
    let [start, now] = [shares(0), shares(chosen)];
    let most = start.iter().chain(&now).fold(0.01, |a: f64, &b| a.max(b));
    let room = f64::from(area.width.saturating_sub(20));
    for line in 0..usize::from(area.height) - 1 {
        let share = |all: &[f64]| all.get(line).copied().unwrap_or(0.0);
        let (before, after) = (share(&start), share(&now));
        let y = area.y + 1 + line as u16;
        let head = format!("{line:>3} {:>6} {:>6} ", percent(before), percent(after));
        let at = pen.text(area.x, y, &head, theme.plain());
        let length = |share: f64| (share / most * room).round() as usize;
        let (filled, faint) = (length(before.min(after)), length(before.max(after)));
        let at = pen.text(at, y, &theme.bar().repeat(filled), theme.plain());
        let gained = after > before;
        // The signs at the end are the difference between the two passes.
        let (sign, style) = if gained { ("+", theme.good()) } else { ("-", theme.bad()) };
        pen.text(at, y, &sign.repeat(faint - filled), style);
    }
}

/// Blocks of eight heights.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The parameters that changed, ordered by change over standard error, the greatest first.
fn changed(run: &FinishedRun) -> Vec<&(Parameter, ParameterReport)> {
    let [first, last] = [run.start_weights(), run.last_weights()];
    let change = |parameter: &Parameter| parameter.get(last) - parameter.get(first);
    let mut reports: Vec<_> =
        run.reports().iter().filter(|(parameter, _)| change(parameter) != 0.0).collect();
    let in_errors = |(parameter, report): &(Parameter, ParameterReport)| {
        change(parameter).abs() / report.standard_error.unwrap_or(f64::INFINITY)
    };
    reports.sort_by(|a, b| in_errors(b).total_cmp(&in_errors(a)));
    reports
}

/// Draws the weights that changed: before, after, standard error and trend.
fn weights(pen: &mut Pen, run: &FinishedRun, area: Rect, top: usize) {
    let theme = pen.theme;
    let head =
        format!("{:<20} {:>8} {:>8} {:>7} {:>7}  trend", "weight", "before", "after", "s.e.", "support");
    pen.within(area.x, area.y, area.width, &head, theme.title());
    let [first, last] = [run.start_weights(), run.last_weights()];
    let reports = changed(run);
    let lines = usize::from(area.height) - 1;
    let top = top.min(reports.len().saturating_sub(lines));
    for (line, (parameter, report)) in reports.iter().copied().skip(top).take(lines).enumerate() {
        let error = report.standard_error.map_or("-".to_string(), number::format_weight);
        let text = format!(
            "{:<20} {:>8} {:>8} {error:>7} {:>7}  ",
            report.name,
            number::format_weight(parameter.get(first)),
            number::format_weight(parameter.get(last)),
            report.support,
        );
        let y = area.y + 1 + line as u16;
        let at = pen.within(area.x, y, area.width, &text, theme.plain());
        pen.within(
            at,
            y,
            area.right().saturating_sub(at),
            &trend(run, parameter, theme.ascii),
            theme.changed(),
        );
    }
    pages::draw_more_below(
        pen,
        Rect { y: area.y, height: area.height + 1, ..area },
        reports.len().saturating_sub(top + lines),
        theme,
    );
}

fn trend(run: &FinishedRun, parameter: &Parameter, ascii: bool) -> String {
    let values: Vec<f64> = run.passes().iter().map(|pass| parameter.get(&pass.weights)).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let height = |value: f64| ((value - least) / (most - least).max(1e-9) * 7.0).round() as usize;
    let sign = |value: f64| match ascii {
        true => char::from(b'1' + height(value) as u8),
        false => HEIGHTS[height(value).min(7)],
    };
    values.into_iter().map(sign).collect()
}
