//! The page of a run: its passes, curves, histograms and weights, while it goes on and afterwards.

mod charts;
mod passes;
mod weights;

use std::path::Path;

pub use self::weights::moved_most;

use ratatui::layout::Rect;
use texam_fit::{Difference, PassReport};

use super::{
    number::{self, Judgement},
    pen::Pen,
};
use crate::{
    run::stat::error_text,
    screen::{
        app::{App, RunHistory, RunPass, RunState},
        layout::{self, List},
    },
};

/// What heads of columns call the chosen pass.
fn chosen_name(run: &RunHistory) -> String {
    format!("pass {}", run.chosen())
}

fn chosen(run: &RunHistory) -> &RunPass {
    &run.passes()[run.chosen()]
}

/// Draws the run: all of it, or a part of it where there is no room. Weights are listed from the `top`th on.
pub fn draw(pen: &mut Pen, app: &App, body: Rect, part: usize, top: usize) {
    let Some(run) = app.run_history() else { return };
    let theme = pen.theme;
    let parts = layout::run_parts(app.display.size);
    let part = part.min(parts - 1);
    let title = title(app, run, (parts, part), usize::from(body.width) - 2);
    pen.within(1, body.y, body.width - 2, &title, theme.title());
    if run.passes().is_empty() {
        let (passes, positions) = app.fit_job.as_ref().map_or((0, 0), |job| job.cost);
        let text = format!(
            "The start weights are being measured: {passes} passes over {positions} positions are to be made. The options \
             iterations and every make it less, and the trees of texam presearch make it faster."
        );
        for (line, text) in (1..).zip(number::wrap(&text, usize::from(body.width) - 2)) {
            pen.within(1, body.y + line, body.width - 2, &text, theme.plain());
        }
        return;
    }
    let head = head(body, run);
    for (line, text) in (1..head).zip(verdict(run, body)) {
        pen.within(1, body.y + line, body.width - 2, &text, theme.plain());
    }
    for (part, area) in layout_of(parts, part, body, head) {
        match part {
            Part::Passes => passes::draw(pen, run, area),
            Part::Weights => weights::draw(pen, run, area, top),
            chart => charts::draw(pen, run, last_pass(app, run), chart, area),
        }
    }
}

/// Number of the last pass of the run when it is complete.
fn last_pass(app: &App, run: &RunHistory) -> usize {
    let progress = app.fit_job.as_ref().and_then(|job| job.progress);
    let planned = progress.filter(|_| run.state == RunState::Running).map_or(0, |it| it.fits as usize);
    planned.max(run.last())
}

/// The name of the run, its number among those of this sitting, and the part shown. A path that is too long
/// for the width is shown by its last part.
fn title(app: &App, run: &RunHistory, (parts, part): (usize, usize), width: usize) -> String {
    let number = match app.run_count() {
        0 | 1 => "The run".to_string(),
        count => format!("Run {} of {count}", app.runs.shown + 1),
    };
    let part = match parts {
        1 => String::new(),
        _ => format!("  part {} of {parts}: PgDn, PgUp", part + 1),
    };
    let part = if run.walks_trees { format!(", measured in stored trees{part}") } else { part };
    let titled = |name: &str| match (run.state, app.fit_job.as_ref().and_then(|job| job.progress)) {
        (RunState::Running, Some(progress)) => {
            let what = if progress.pass == 0 { "measuring the start" } else { "measuring" };
            format!("{number} continues: {what}, pass {} of {}{part}", progress.pass, progress.fits)
        }
        (RunState::Running, None) => format!("{number} begins{part}"),
        (RunState::Finished, _) => format!("{number}: {name}, finished{part}"),
        (RunState::Unfinished, _) => format!("{number}: {name}, not finished{part}"),
    };
    let name = run.name();
    let whole = titled(&name);
    if whole.chars().count() <= width {
        return whole;
    }
    let last = Path::new(&name).file_name().map_or(name.clone(), |last| last.display().to_string());
    titled(&last)
}

/// The chosen pass beside the start, and whether the difference is more than chance, in lines.
fn verdict(run: &RunHistory, body: Rect) -> Vec<String> {
    let (now, start) = (&chosen(run).report, &run.passes()[0].report);
    let mut texts = Vec::new();
    if run.has_choices() {
        texts.push(match_verdict(run, now, start));
        texts.push(format!("Mean gain {:.2} (start {:.2}).", now.mean_gain, start.mean_gain));
    }
    if let Some(loss) = now.loss {
        let temperature = format!("temperature {:.1} units", loss.temperature);
        let held_out = loss.held_out.map_or(String::new(), |loss| format!(", held out {:.5}", loss.mean));
        let before = start.loss.map_or(String::new(), |loss| format!(" (start {:.5})", loss.fitted.mean));
        let mean = loss.fitted.mean;
        let loss = format!("loss of pass {} {mean:.5}{before}{held_out}", run.chosen());
        texts.push(format!("Objective {}, {temperature}: {loss}.", run.objective));
    }
    number::wrap(&texts.join(" "), usize::from(body.width) - 2)
}

/// The chosen pass beside the start, in a sentence.
pub fn reading(run: &RunHistory) -> String {
    match_verdict(run, &chosen(run).report, &run.passes()[0].report)
}

/// The match of the chosen pass beside that of the start.
fn match_verdict(run: &RunHistory, now: &PassReport, start: &PassReport) -> String {
    let on = if run.has_held_out() { "held out" } else { "fitted" };
    let [agreement, before] = [now, start].map(|report| report.held_out.as_ref().unwrap_or(&report.fitted));
    let (rate, error) = (100.0 * agreement.match_rate(), 100.0 * agreement.match_error());
    if run.chosen() == 0 {
        let error = error_text(error, 1);
        return format!("Pass 0, the start, on the games {on}: match {rate:.1} % (s.e. {error}).");
    }
    let against = format!("Pass {} against the start on the games {on}", run.chosen());
    if let Some(change) = now.change() {
        let [gain, error] = [100.0 * change.match_rate, 100.0 * change.match_error];
        let Difference { mean_rank, mean_rank_error, .. } = change;
        let rank = format!("mean rank {mean_rank:+.3} (s.e. {})", error_text(mean_rank_error, 3));
        let gain = format!("match {gain:+.1} points (s.e. {})", error_text(error, 1));
        return format!("{against}: {rank}, {}; {gain}.", Judgement::new(-mean_rank, mean_rank_error));
    }
    let gain = rate - 100.0 * before.match_rate();
    // Both passes see the same positions, so the true error is smaller; the counts do not tell by how much.
    let error = libm::hypot(error, 100.0 * before.match_error());
    format!("{against}: match {gain:+.1} points (s.e. at most {error:.1}), {}.", Judgement::new(gain, error))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Passes,
    Match,
    MeanRank,
    Spread,
    Ahead,
    Misses,
    Weights,
}

/// Lines above the panels: the title and the verdict.
fn head(body: Rect, run: &RunHistory) -> u16 {
    1 + verdict(run, body).len() as u16
}

/// The panels of a part of the page with their areas, below so many lines.
fn layout_of(parts: usize, part: usize, body: Rect, head: u16) -> Vec<(Part, Rect)> {
    let (width, height) = (body.width.saturating_sub(2), body.height.saturating_sub(head));
    let area = Rect { x: 1, y: body.y + head, width, height };
    let pair = |above: Part, below: Part| {
        let height = area.height / 2;
        let rest = Rect { y: area.y + height, height: area.height - height, ..area };
        vec![(above, Rect { height, ..area }), (below, rest)]
    };
    if parts > 1 {
        return match part {
            0 => pair(Part::Passes, Part::Match),
            1 => pair(Part::MeanRank, Part::Spread),
            2 => pair(Part::Ahead, Part::Misses),
            _ => vec![(Part::Weights, area)],
        };
    }
    let third = area.height / 3;
    let row = |line: u16, height: u16, places: &[Part]| {
        let width = area.width / places.len() as u16;
        let place = |(at, &part): (usize, &Part)| {
            let x = area.x + at as u16 * width;
            (part, Rect { x, y: area.y + line, width: width - 1, height })
        };
        places.iter().enumerate().map(place).collect::<Vec<_>>()
    };
    let mut all = row(0, third, &[Part::Passes, Part::Match]);
    all.extend(row(third, third, &[Part::MeanRank, Part::Spread, Part::Ahead, Part::Misses]));
    all.extend(row(2 * third, area.height - 2 * third, &[Part::Weights]));
    all
}

/// The list of weights; empty where this part of the page has none.
pub fn list(app: &App, body: Rect, part: usize) -> List {
    let Some(run) = app.run_history().filter(|run| !run.passes().is_empty()) else { return List::default() };
    let parts = layout::run_parts(app.display.size);
    let panels = layout_of(parts, part.min(parts - 1), body, head(body, run));
    let area = panels.into_iter().find(|(part, _)| *part == Part::Weights);
    area.map_or_else(List::default, |(_, area)| weights::list(run, area))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panels_of_a_page_lie_in_it_and_do_not_overlap() {
        for (width, height) in [(60, 20), (80, 24), (100, 30), (120, 38), (142, 40), (220, 50)] {
            let body = Rect { x: 0, y: 1, width, height: height - 3 };
            let parts = layout::run_parts((width, height));
            for (part, head) in (0..parts).flat_map(|part| [(part, 2), (part, 5)]) {
                let panels = layout_of(parts, part, body, head);
                for (at, (_, area)) in panels.iter().enumerate() {
                    assert_eq!(body.intersection(*area), *area, "{width} x {height}");
                    assert!(panels[..at].iter().all(|(_, other)| !other.intersects(*area)));
                }
            }
        }
    }
}
