//! The page of a run: its passes, curves, histograms and weights, while it goes on and afterwards.

use ratatui::layout::Rect;
use texam_fit::{LossReport, MISS_PLACES, MISS_STEP, MeanLoss, PassReport};

use super::{
    chart::{Chart, Curve},
    number,
    pen::Pen,
};
use crate::{
    parameters::Parameter,
    stat::{AHEAD_PLACES, ahead_counts},
    tui::{
        app::{App, Estimate, FitJob, RunHistory, RunState},
        layout::{self, List},
    },
};

/// Draws the run: all of it, or a part of it where there is no room. Weights are listed from the `top`th on.
pub fn draw(pen: &mut Pen, app: &App, body: Rect, part: usize, top: usize) {
    let Some(run) = app.run_history() else { return };
    let theme = pen.theme;
    let parts = layout::run_parts(app.display().size());
    let part = part.min(parts - 1);
    let page = if parts > 1 { format!("  part {} of {parts}: PgDn, PgUp", part + 1) } else { String::new() };
    let gains = [run.chosen(), 0].map(|pass| run.passes().get(pass).map(|pass| pass.report.mean_gain));
    let gain = match gains {
        [Some(now), Some(start)] if run.has_choices() => {
            format!("   mean gain {now:.2}, at the start {start:.2}")
        }
        _ => String::new(),
    };
    pen.within(1, body.y, body.width - 2, &(title(app, run) + &page + &gain), theme.title());
    if run.passes().is_empty() {
        pen.within(1, body.y + 1, body.width - 2, "The start weights are being measured.", theme.plain());
        return;
    }
    let verdict = number::wrap(&verdict(run), usize::from(body.width) - 2);
    for (line, text) in verdict.iter().take(usize::from(head(body)) - 1).enumerate() {
        pen.within(1, body.y + 1 + line as u16, body.width - 2, text, theme.plain());
    }
    for (panel, area) in panels(parts, part, body) {
        match panel {
            Panel::Passes => passes(pen, run, area),
            Panel::Match if !run.has_choices() => loss_chart(pen, app, run, area),
            Panel::MeanRank | Panel::Spread | Panel::Ahead | Panel::Misses if !run.has_choices() => {}
            Panel::Spread if run.has_loss() => loss_chart(pen, app, run, area),
            Panel::Match => match_chart(pen, app, run, area),
            Panel::MeanRank => mean_rank_chart(pen, app, run, area),
            Panel::Spread => spread_chart(pen, app, run, area),
            Panel::Ahead => ahead(pen, run, area),
            Panel::Misses => misses(pen, run, area),
            Panel::Weights => weights(pen, run, area, top),
        }
    }
}

fn title(app: &App, run: &RunHistory) -> String {
    let name = run.stat().unwrap_or_else(|| "one fit, no files".to_string());
    match (run.state(), app.fit_job().and_then(FitJob::progress)) {
        (RunState::Running, Some(progress)) => {
            let what = if progress.pass == 0 { "measuring the start" } else { "measuring" };
            format!("The run goes on: {what}, pass {} of {}", progress.pass, progress.fits)
        }
        (RunState::Running, None) => "The run begins".to_string(),
        (RunState::Finished, _) => format!("The last run: {name}, finished"),
        (RunState::Unfinished, _) => format!("The last run: {name}, not finished"),
    }
}

/// The match of the chosen pass beside that of the start, and whether the difference is more than chance.
fn verdict(run: &RunHistory) -> String {
    let loss = |pass: usize| run.passes()[pass].report.loss;
    match loss(run.chosen()) {
        None => match_verdict(run),
        Some(now) if run.has_choices() => {
            let text =
                format!("Objective {}, temperature {:.1} units, loss", run.objective(), now.temperature);
            format!("{} {text} {:.5}.", match_verdict(run), now.fitted.mean)
        }
        Some(now) => {
            let held_out = now.held_out.map_or(String::new(), |loss| format!(", held out {:.5}", loss.mean));
            let start = loss(0).map_or(0.0, |loss| loss.fitted.mean);
            format!(
                "Objective {}, temperature {:.1} units: loss of pass {} {:.5} (start {start:.5}){held_out}.",
                run.objective(),
                now.temperature,
                run.chosen(),
                now.fitted.mean
            )
        }
    }
}

/// The match of the chosen pass beside that of the start.
fn match_verdict(run: &RunHistory) -> String {
    let chosen = run.chosen();
    let on = if run.has_held_out() { "games held out" } else { "games fitted" };
    if chosen == 0 {
        let rate = run.judged(0);
        return format!(
            "Pass 0, the start, on the {on}: match {:.1} % (s.e. {:.1}).",
            100.0 * rate.match_rate(),
            100.0 * rate.match_error()
        );
    }
    let (gain, error) = run.gain(chosen);
    let judgement = match gain {
        _ if gain.abs() < 2.0 * error => "no clear difference",
        _ if gain > 0.0 => "better",
        _ => "worse",
    };
    format!(
        "Pass {chosen} against the start on the {on}: match {:+.1} points (s.e. at most {:.1}), {judgement}.",
        100.0 * gain,
        100.0 * error
    )
}

/// A part of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Panel {
    Passes,
    Match,
    MeanRank,
    Spread,
    Ahead,
    Misses,
    Weights,
}

/// Lines above the panels: the title and the verdict, which takes two lines of a narrow screen.
fn head(body: Rect) -> u16 {
    if body.width < 105 { 3 } else { 2 }
}

/// The panels of a part of the page with their areas.
fn panels(parts: usize, part: usize, body: Rect) -> Vec<(Panel, Rect)> {
    let area = Rect {
        x: 1,
        y: body.y + head(body),
        width: body.width.saturating_sub(2),
        height: body.height.saturating_sub(head(body)),
    };
    let pair = |above: Panel, below: Panel| {
        let height = area.height / 2;
        let rest = Rect { y: area.y + height, height: area.height - height, ..area };
        vec![(above, Rect { height, ..area }), (below, rest)]
    };
    if parts > 1 {
        return match part {
            0 => pair(Panel::Passes, Panel::Match),
            1 => pair(Panel::MeanRank, Panel::Spread),
            2 => pair(Panel::Ahead, Panel::Misses),
            _ => vec![(Panel::Weights, area)],
        };
    }
    let third = area.height / 3;
    let row = |line: u16, height: u16, places: &[Panel]| {
        let width = area.width / places.len() as u16;
        let place = |(at, &panel): (usize, &Panel)| {
            let x = area.x + at as u16 * width;
            (panel, Rect { x, y: area.y + line, width: width - 1, height })
        };
        places.iter().enumerate().map(place).collect::<Vec<_>>()
    };
    let mut all = row(0, third, &[Panel::Passes, Panel::Match]);
    all.extend(row(third, third, &[Panel::MeanRank, Panel::Spread, Panel::Ahead, Panel::Misses]));
    all.extend(row(2 * third, area.height - 2 * third, &[Panel::Weights]));
    all
}

/// The list of weights; empty where this part of the page has none.
pub fn list(app: &App, body: Rect, part: usize) -> List {
    let parts = layout::run_parts(app.display().size());
    let panels = panels(parts, part.min(parts - 1), body);
    let Some((_, area)) = panels.into_iter().find(|(panel, _)| *panel == Panel::Weights) else {
        return List::default();
    };
    let moved = app.run_history().map_or(0, |run| moved(run).len());
    List::new(moved, lines_of_weights(area))
}

fn passes(pen: &mut Pen, run: &RunHistory, area: Rect) {
    let (chosen, best) = (run.chosen(), run.best());
    let theme = pen.theme;
    let heads = match (run.has_choices(), run.has_loss()) {
        (true, false) => [
            "           match in %               mean rank          spread largest",
            "pass       fitted      held out       fitted held out   units  change",
        ],
        (true, true) => [
            "           match in %               mean rank            loss largest",
            "pass       fitted      held out       fitted held out  fitted  change",
        ],
        (false, _) => [
            "           loss, with its standard error           largest",
            "pass               fitted            held out       change",
        ],
    };
    for (line, head) in heads.into_iter().enumerate() {
        pen.within(area.x, area.y + line as u16, area.width, head, theme.title());
    }
    let lines = usize::from(area.height).saturating_sub(heads.len() + 1);
    let first = (chosen + 1).saturating_sub(lines);
    for (at, pass) in run.passes().iter().enumerate().skip(first).take(lines) {
        let PassReport { number, fitted, held_out, spread, fit, loss, .. } = &pass.report;
        let rate = |set: &texam_fit::Agreement| {
            let (rate, error) = (100.0 * set.match_rate(), 100.0 * set.match_error());
            format!("{rate:>5.1} {} {error:.1}", theme.plus_minus())
        };
        let none = || "-".to_string();
        let mark = if at == best { "best" } else { "" };
        let change = fit.map_or_else(none, |fit| number::format_weight(fit.max_change));
        let mean_loss = |loss: MeanLoss| format!("{:.5} {} {:.5}", loss.mean, theme.plus_minus(), loss.error);
        let of_labels = loss.filter(|_| !run.has_choices()).map(|loss| {
            let held_out = loss.held_out.map_or_else(none, mean_loss);
            format!("{number:>4} {mark:<4}{:>18}  {held_out:>18}  {change:>8}", mean_loss(loss.fitted))
        });
        let last = loss.map_or(format!("{spread:>6.2}"), |loss| format!("{:>6.4}", loss.fitted.mean));
        let of_choices = || {
            format!(
                "{number:>4} {mark:<4}{:>12}  {:>12} {:>8.3} {:>8}  {last} {change:>7}",
                rate(fitted),
                held_out.as_ref().map_or_else(none, rate),
                fitted.mean_rank(),
                held_out.as_ref().map_or_else(none, |set| format!("{:.3}", set.mean_rank())),
            )
        };
        let text = of_labels.unwrap_or_else(of_choices);
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        let y = area.y + heads.len() as u16 + (at - first) as u16;
        pen.within(area.x, y, area.width, &text, style);
    }
    let below = run.passes().len().saturating_sub(first + lines);
    let hidden = match (first, below) {
        (0, 0) => String::new(),
        (above, 0) => format!("{above} more above"),
        (0, below) => format!("{below} more below"),
        (above, below) => format!("{above} more above, {below} more below"),
    };
    pen.within(area.x, area.bottom().saturating_sub(1), area.width, &hidden, theme.faint());
}

/// Number of the last pass of a run that is complete.
fn last_pass(app: &App, run: &RunHistory) -> usize {
    let planned = app.fit_job().and_then(FitJob::progress).map(|progress| progress.fits as usize);
    planned.filter(|_| run.state() == RunState::Running).unwrap_or(0).max(run.last())
}

/// The curves of a measure with its standard error, on the games fitted and on those held out.
fn curves(pen: &Pen, run: &RunHistory, measure: impl Fn(&texam_fit::Agreement) -> (f64, f64)) -> Vec<Curve> {
    let theme = pen.theme;
    let reports = || run.passes().iter().map(|pass| &pass.report);
    let fitted = reports().map(|report| measure(&report.fitted)).collect();
    let held_out: Vec<_> = reports().filter_map(|report| report.held_out.as_ref()).map(&measure).collect();
    let mut curves = vec![Curve { name: "fitted", sign: "x", style: theme.plain(), points: fitted }];
    if !held_out.is_empty() {
        curves.push(Curve { name: "held out", sign: "o", style: theme.changed(), points: held_out });
    }
    curves
}

fn match_chart(pen: &mut Pen, app: &App, run: &RunHistory, area: Rect) {
    let curves = curves(pen, run, |set| (100.0 * set.match_rate(), 100.0 * set.match_error()));
    let title = "match in %, bars of one s.e.";
    Chart { title, curves: &curves, last_pass: last_pass(app, run), digits: 1 }.draw(pen, area);
}

fn mean_rank_chart(pen: &mut Pen, app: &App, run: &RunHistory, area: Rect) {
    let curves = curves(pen, run, |set| (set.mean_rank(), 0.0));
    Chart { title: "mean rank", curves: &curves, last_pass: last_pass(app, run), digits: 2 }.draw(pen, area);
}

/// The loss, on the games fitted and on those held out.
fn loss_chart(pen: &mut Pen, app: &App, run: &RunHistory, area: Rect) {
    let theme = pen.theme;
    let points = |of: fn(LossReport) -> Option<MeanLoss>| -> Vec<(f64, f64)> {
        let losses = run.passes().iter().filter_map(|pass| of(pass.report.loss?));
        losses.map(|loss| (loss.mean, loss.error)).collect()
    };
    let (fitted, held_out) = (points(|loss| Some(loss.fitted)), points(|loss| loss.held_out));
    let mut curves = vec![Curve { name: "fitted", sign: "x", style: theme.plain(), points: fitted }];
    if !held_out.is_empty() {
        curves.push(Curve { name: "held out", sign: "o", style: theme.changed(), points: held_out });
    }
    let title = "loss, bars of one s.e.";
    Chart { title, curves: &curves, last_pass: last_pass(app, run), digits: 4 }.draw(pen, area);
}

fn spread_chart(pen: &mut Pen, app: &App, run: &RunHistory, area: Rect) {
    let points = run.passes().iter().map(|pass| (pass.report.spread, 0.0)).collect();
    let curves = [Curve { name: "spread", sign: "x", style: pen.theme.plain(), points }];
    let title = "spread in units";
    Chart { title, curves: &curves, last_pass: last_pass(app, run), digits: 1 }.draw(pen, area);
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Shares of a histogram; none if the run has no histogram of this pass.
fn shares(counts: &[u64]) -> Option<Vec<f64>> {
    let sum: u64 = counts.iter().sum();
    (sum > 0).then(|| counts.iter().map(|&count| count as f64 / sum as f64).collect())
}

/// Draws two histograms as bars, that of the start and that of the chosen pass. The signs at the end of a bar are the
/// difference between the two.
fn histogram(
    pen: &mut Pen,
    run: &RunHistory,
    area: Rect,
    title: &str,
    counts: impl Fn(&PassReport) -> Vec<u64>,
    label: impl Fn(usize) -> String,
) {
    let theme = pen.theme;
    let chosen = run.chosen();
    pen.within(area.x, area.y, area.width, title, theme.title());
    let of = |pass: usize| shares(&counts(&run.passes()[pass].report));
    let [Some(start), Some(now)] = [of(0), of(chosen)] else {
        let text = "The .stat has this histogram of the first, the best and the last pass only.";
        for (line, text) in number::wrap(text, usize::from(area.width)).iter().enumerate() {
            pen.within(area.x, area.y + 1 + line as u16, area.width, text, theme.faint());
        }
        return;
    };
    let column = |pass: usize| format!("pass {pass}");
    let head = format!("{:>7} {:>6} {:>7}  in %, + more, - fewer", "", column(0), column(chosen));
    pen.within(area.x, area.y + 1, area.width, &head, theme.faint());
    let most = start.iter().chain(&now).fold(0.01, |a: f64, &b| a.max(b));
    let room = f64::from(area.width.saturating_sub(24));
    for line in 0..usize::from(area.height).saturating_sub(2).min(start.len().max(now.len())) {
        let share = |all: &[f64]| all.get(line).copied().unwrap_or(0.0);
        let (before, after) = (share(&start), share(&now));
        let y = area.y + 2 + line as u16;
        let head = format!("{:>7} {:>6} {:>7}  ", label(line), percent(before), percent(after));
        let at = pen.within(area.x, y, area.width, &head, theme.plain());
        let length = |share: f64| (share / most * room).round() as usize;
        let (filled, longer) = (length(before.min(after)), length(before.max(after)));
        let at = pen.text(at, y, &theme.bar().repeat(filled), theme.plain());
        let (sign, style) = if after > before { ("+", theme.good()) } else { ("-", theme.bad()) };
        pen.text(at, y, &sign.repeat(longer - filled), style);
    }
}

fn ahead(pen: &mut Pen, run: &RunHistory, area: Rect) {
    let counts = |report: &PassReport| {
        let places = report.fitted.histogram.len().min(AHEAD_PLACES);
        ahead_counts(&report.fitted.histogram)[..places].to_vec()
    };
    let label = |line: usize| format!("{line}{}", if line == AHEAD_PLACES - 1 { "+" } else { "" });
    histogram(pen, run, area, "moves ahead, games fitted", counts, label);
}

fn misses(pen: &mut Pen, run: &RunHistory, area: Rect) {
    let counts = |report: &PassReport| report.misses.histogram.to_vec();
    let label = |place: usize| match place {
        0 => "0".to_string(),
        _ if place == MISS_PLACES - 1 => format!("> {}", (place - 1) as f64 * MISS_STEP),
        _ => format!("to {}", place as f64 * MISS_STEP),
    };
    histogram(pen, run, area, "misses in units, games fitted", counts, label);
}

/// Blocks of eight heights.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A weight over a run.
struct MovedWeight<'a> {
    parameter: Parameter,
    estimate: &'a Estimate,
    start: f64,
    now: f64,
}

impl MovedWeight<'_> {
    fn change(&self) -> f64 {
        self.now - self.start
    }

    /// The change in standard errors; 0 if the error is not known.
    fn in_errors(&self) -> f64 {
        self.change().abs() / self.estimate.standard_error.unwrap_or(f64::INFINITY)
    }
}

/// The weights that differ between the start and the chosen pass, ordered by change over standard error, the greatest
/// first.
fn moved(run: &RunHistory) -> Vec<MovedWeight<'_>> {
    let Some(pass) = run.passes().get(run.chosen()) else { return Vec::new() };
    let mut all: Vec<MovedWeight> = run
        .estimates()
        .iter()
        .filter_map(|(parameter, estimate)| {
            let start = parameter.find(run.start_weights()?)?;
            let now = parameter.find(pass.weights.as_ref()?)?;
            Some(MovedWeight { parameter: *parameter, estimate, start, now })
        })
        .filter(|weight| weight.change() != 0.0)
        .collect();
    all.sort_by(|a, b| b.in_errors().total_cmp(&a.in_errors()));
    all
}

/// Lines of weights in an area: the head and the count of those below take a line each.
fn lines_of_weights(area: Rect) -> usize {
    usize::from(area.height).saturating_sub(2)
}

/// Draws the weights that moved: start, chosen pass, change, standard error and trend.
fn weights(pen: &mut Pen, run: &RunHistory, area: Rect, top: usize) {
    let theme = pen.theme;
    let now = format!("pass {}", run.chosen());
    let is_wide = area.width >= 100;
    let more = if is_wide { format!(" {:>6} {:>8}", "x s.e.", "support") } else { String::new() };
    let head = format!(
        "{:<20} {:>8} {now:>8} {:>8} {:>6}{more}  over all passes",
        "weight, in units", "start", "change", "s.e."
    );
    pen.within(area.x, area.y, area.width, &head, theme.title());
    let moved = moved(run);
    let lines = lines_of_weights(area);
    let top = top.min(moved.len().saturating_sub(lines));
    for (line, weight) in moved.iter().skip(top).take(lines).enumerate() {
        let error = weight.estimate.standard_error;
        let in_errors = error.map_or("-".to_string(), |_| format!("{:.1}", weight.in_errors()));
        let more = match is_wide {
            true => format!(" {in_errors:>6} {:>8}", weight.estimate.support),
            false => String::new(),
        };
        let text = format!(
            "{:<20} {:>8} {:>8} {:>8} {:>6}{more}  ",
            weight.parameter.to_string(),
            number::format_weight(weight.start),
            number::format_weight(weight.now),
            format!("{:+.2}", weight.change()),
            error.map_or("-".to_string(), number::format_weight),
        );
        let y = area.y + 1 + line as u16;
        let at = pen.within(area.x, y, area.width, &text, theme.plain());
        let trend = trend(run, &weight.parameter, theme.ascii);
        pen.within(at, y, area.right().saturating_sub(at), &trend, theme.changed());
    }
    if moved.is_empty() {
        let text = match run.chosen() {
            0 => "These are the start weights: choose a later pass.",
            _ => "No weight has moved, or the .par files of the run cannot be read.",
        };
        pen.within(area.x, area.y + 1, area.width, text, theme.faint());
    }
    let below = moved.len().saturating_sub(top + lines);
    if below > 0 {
        pen.right(area.right(), area.bottom() - 1, &format!("{below} more below: PgDn"), theme.changed());
    }
}

/// The values of a weight as heights between their least and their greatest.
fn trend(run: &RunHistory, parameter: &Parameter, ascii: bool) -> String {
    let values: Vec<f64> =
        run.passes().iter().filter_map(|pass| parameter.find(pass.weights.as_ref()?)).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let height = |value: f64| ((value - least) / (most - least).max(1e-9) * 7.0).round() as usize;
    let sign = |value: f64| match ascii {
        true => char::from(b'1' + height(value) as u8),
        false => HEIGHTS[height(value).min(7)],
    };
    values.into_iter().map(sign).collect()
}
