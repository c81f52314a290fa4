//! The page of a run: its passes, curves, histograms and weights, while it goes on and afterwards, alone or with another
//! run beside it.

mod charts;
mod passes;
mod weights;

use std::path::Path;

use ratatui::layout::Rect;
use texam_fit::{Agreement, Difference, PassReport};

use super::{
    number::{self, Judgement},
    pen::Pen,
};
use crate::{
    feature::Weights,
    screen::{
        app::{App, RunHistory, RunPass, RunState},
        layout::{self, List},
    },
    show::plot::{RUN_COLOURS, text},
};

/// The run of the page, with the run beside it.
struct Shown<'a> {
    run: &'a RunHistory,
    /// Its name in heads and plots: its number in this sitting.
    name: String,
    /// The run beside it, with its name.
    beside: Option<(&'a RunHistory, String)>,
    /// Number of the last pass of a run that is complete.
    last_pass: usize,
}

impl<'a> Shown<'a> {
    fn new(app: &'a App) -> Option<Shown<'a>> {
        let run = app.run_history()?;
        let name = |index: usize| format!("run {}", index + 1);
        let planned =
            app.fit_job.as_ref().and_then(|job| job.progress).map(|progress| progress.fits as usize);
        let planned = planned.filter(|_| run.state == RunState::Running).unwrap_or(0);
        let beside = app.runs.beside().filter(|_| !run.passes().is_empty());
        let beside = beside.map(|(index, run)| (run, name(index)));
        let last = beside.as_ref().map_or(0, |(run, _)| run.last());
        Some(Shown { run, name: name(app.runs.shown), last_pass: planned.max(run.last()).max(last), beside })
    }

    /// The runs with their names, that of the page first.
    fn runs(&self) -> impl Iterator<Item = (&'a RunHistory, &str)> {
        let beside = self.beside.as_ref().map(|(run, name)| (*run, &**name));
        std::iter::once((self.run, &*self.name)).chain(beside)
    }

    /// The pass that the chosen one is compared with: the start, or the same pass of the run beside it, whose last pass
    /// it is if that has fewer.
    fn reference(&self) -> &'a RunPass {
        match &self.beside {
            Some((other, _)) => &other.passes()[self.run.chosen().min(other.last())],
            None => &self.run.passes()[0],
        }
    }

    /// What heads of columns call the reference.
    fn reference_name(&self) -> &str {
        self.beside.as_ref().map_or("start", |(_, name)| name)
    }

    /// What heads of columns call the chosen pass.
    fn chosen_name(&self) -> String {
        if self.beside.is_some() { self.name.clone() } else { format!("pass {}", self.run.chosen()) }
    }

    fn chosen(&self) -> &'a RunPass {
        &self.run.passes()[self.run.chosen()]
    }

    /// Whether passes are judged by games held out: those of all runs shown have some.
    fn is_judged_on_held_out(&self) -> bool {
        self.runs().all(|(run, _)| run.has_held_out())
    }

    /// The games by which passes are judged.
    fn judged_on(&self) -> &'static str {
        if self.is_judged_on_held_out() { "held out" } else { "fitted" }
    }

    /// The agreement by which passes are compared.
    fn agreement_of<'r>(&self, report: &'r PassReport) -> &'r Agreement {
        report.held_out.as_ref().filter(|_| self.is_judged_on_held_out()).unwrap_or(&report.fitted)
    }

    /// The weights of the reference and of the chosen pass, if they are known.
    fn weights(&self) -> Option<[&'a Weights; 2]> {
        Some([self.reference().weights.as_ref()?, self.chosen().weights.as_ref()?])
    }
}

/// Draws the run: all of it, or a part of it where there is no room. Weights are listed from the `top`th on.
pub fn draw(pen: &mut Pen, app: &App, body: Rect, part: usize, top: usize) {
    let Some(shown) = Shown::new(app) else { return };
    let (run, theme) = (shown.run, pen.theme);
    let parts = layout::run_parts(app.display.size);
    let part = part.min(parts - 1);
    let title = title(app, run, (parts, part), usize::from(body.width) - 2);
    pen.within(1, body.y, body.width - 2, &title, theme.title());
    if run.passes().is_empty() {
        pen.within(1, body.y + 1, body.width - 2, "The start weights are being measured.", theme.plain());
        return;
    }
    let mut y = body.y + 1;
    if shown.beside.is_some() {
        y = legend(pen, &shown, Rect { y, ..body });
    }
    let verdict = number::wrap(&verdict(&shown), usize::from(body.width) - 2);
    for text in verdict.iter().take(usize::from(body.y + head(body, &shown) - y)) {
        pen.within(1, y, body.width - 2, text, theme.plain());
        y += 1;
    }
    for (part, area) in layout_of(parts, part, body, head(body, &shown)) {
        match part {
            Part::Passes => passes::draw(pen, &shown, area),
            Part::Weights => weights::draw(pen, &shown, area, top),
            chart => charts::draw(pen, &shown, chart, area),
        }
    }
}

/// The name of the run, its number among those of this sitting, and the part shown. A path that is too long for the
/// width is shown by its last part.
fn title(app: &App, run: &RunHistory, (parts, part): (usize, usize), width: usize) -> String {
    let count = app.runs.all.len() + usize::from(app.fit_job.is_some());
    let number = match count {
        0 | 1 => "The run".to_string(),
        _ => format!("Run {} of {count}", app.runs.shown + 1),
    };
    let part = match parts {
        1 => String::new(),
        _ => format!("  part {} of {parts}: PgDn, PgUp", part + 1),
    };
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

/// Draws which sign is whose, and the options in which two runs differ. Returns the line after it.
fn legend(pen: &mut Pen, shown: &Shown, area: Rect) -> u16 {
    let runs: Vec<_> = shown.runs().collect();
    let mut y = area.y;
    for (at, colour) in RUN_COLOURS.into_iter().enumerate() {
        let (sign, style) = (text::sign_of_curve(colour), (pen.theme.look().style)(colour));
        let ((run, name), (other, _)) = (runs[at], runs[1 - at]);
        let options = match run.options_unlike(other) {
            options if options.is_empty() => String::new(),
            options => format!(": {}", options.join(", ")),
        };
        let text = format!("{sign} {name}, {}{options}", run.name());
        let text = number::cut(&text, usize::from(area.width) - 2, pen.theme);
        pen.within(1, y, area.width - 2, &text, style);
        y += 1;
    }
    y
}

/// The chosen pass beside the reference, and whether the difference is more than chance.
fn verdict(shown: &Shown) -> String {
    let run = shown.run;
    let (now, reference) = (&shown.chosen().report, &shown.reference().report);
    let mut texts = Vec::new();
    if run.has_choices() {
        texts.push(match_verdict(shown));
        let before = shown.reference_name();
        texts.push(format!("Mean gain {:.2} ({before} {:.2}).", now.mean_gain, reference.mean_gain));
    }
    if let Some(loss) = now.loss {
        let temperature = format!("temperature {:.1} units", loss.temperature);
        let held_out = loss.held_out.map_or(String::new(), |loss| format!(", held out {:.5}", loss.mean));
        let before = reference
            .loss
            .map_or(String::new(), |loss| format!(" ({} {:.5})", shown.reference_name(), loss.fitted.mean));
        let mean = loss.fitted.mean;
        texts.push(format!(
            "Objective {}, {temperature}: loss of pass {} {mean:.5}{before}{held_out}.",
            run.objective,
            run.chosen()
        ));
    }
    texts.join(" ")
}

/// The match of the chosen pass beside that of the reference.
fn match_verdict(shown: &Shown) -> String {
    let on = shown.judged_on();
    let (chosen, reference) = (shown.chosen(), shown.reference());
    let [now, before] = [chosen, reference].map(|pass| shown.agreement_of(&pass.report));
    let (rate, error) = (100.0 * now.match_rate(), 100.0 * now.match_error());
    if shown.beside.is_none() && shown.run.chosen() == 0 {
        return format!("Pass 0, the start, on the games {on}: match {rate:.1} % (s.e. {error:.1}).");
    }
    if let (None, Some(change)) = (&shown.beside, chosen.report.change()) {
        let [gain, error] = [100.0 * change.match_rate, 100.0 * change.match_error];
        let Difference { mean_rank, mean_rank_error, .. } = change;
        return format!(
            "Pass {} against the start on the games {on}: match {gain:+.1} points (s.e. {error:.1}), mean rank {mean_rank:+.3} \
             (s.e. {mean_rank_error:.3}): {}.",
            shown.run.chosen(),
            Judgement::new(-mean_rank, mean_rank_error)
        );
    }
    let gain = rate - 100.0 * before.match_rate();
    // Both passes see the same positions, so the true error is smaller; the counts do not tell by how much.
    let error = error.hypot(100.0 * before.match_error());
    let against = match &shown.beside {
        Some((_, name)) => format!("pass {} of {name}", reference.report.number),
        None => "the start".to_string(),
    };
    format!(
        "Pass {} against {against} on the games {on}: match {gain:+.1} points (s.e. at most {error:.1}), {}.",
        shown.run.chosen(),
        Judgement::new(gain, error)
    )
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

/// Lines above the panels: the title, the legend of two runs, and the verdict, which is longer on a narrow screen and for
/// an objective with a loss.
fn head(body: Rect, shown: &Shown) -> u16 {
    let legend = if shown.beside.is_some() { 2 } else { 0 };
    let verdict = match body.width {
        ..75 => 3,
        75..142 => 2,
        _ => 1 + u16::from(shown.beside.is_some()),
    };
    1 + legend + verdict + u16::from(shown.run.has_loss())
}

/// The panels of a part of the page with their areas, below so many lines.
fn layout_of(parts: usize, part: usize, body: Rect, head: u16) -> Vec<(Part, Rect)> {
    let area = Rect {
        x: 1,
        y: body.y + head,
        width: body.width.saturating_sub(2),
        height: body.height.saturating_sub(head),
    };
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
    let Some(shown) = Shown::new(app).filter(|shown| !shown.run.passes().is_empty()) else {
        return List::default();
    };
    let parts = layout::run_parts(app.display.size);
    let panels = layout_of(parts, part.min(parts - 1), body, head(body, &shown));
    let area = panels.into_iter().find(|(part, _)| *part == Part::Weights);
    area.map_or_else(List::default, |(_, area)| weights::list(&shown, area))
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
