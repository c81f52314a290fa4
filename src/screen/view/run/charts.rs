//! The panels of `plot` for the run shown, alone or with the run beside it.

use ratatui::layout::Rect;
use texam_fit::PassReport;

use super::{Part, Shown};
use crate::{
    screen::{
        app::RunHistory,
        view::{number, pen::Pen},
    },
    show::plot::{self, Colour, HistogramPass, MeasuredPasses, Panel, PanelContent, RUN_COLOURS},
};

/// Draws a part of the page that is a chart.
pub(super) fn draw(pen: &mut Pen, shown: &Shown, part: Part, area: Rect) {
    let panel = match part {
        Part::Match if !shown.run.has_choices() => curves(shown, plot::loss),
        Part::Spread if shown.run.has_loss() && shown.beside.is_none() => curves(shown, plot::loss),
        _ if !shown.run.has_choices() => None,
        Part::Match => curves(shown, |run| Some(plot::agreement(run))),
        Part::MeanRank => curves(shown, |run| Some(plot::rank(run))),
        Part::Spread => curves(shown, |run| Some(plot::spread(run))),
        Part::Ahead => {
            return histogram(pen, shown, area, plot::ahead, |report| report.fitted.histogram.iter().sum());
        }
        Part::Misses => {
            return histogram(pen, shown, area, plot::misses, |report| report.misses.histogram.iter().sum());
        }
        Part::Passes | Part::Weights => None,
    };
    panel.into_iter().for_each(|panel| pen.panel(&panel, area));
}

/// The curves of a measure, over all passes that a run may still make.
fn curves(shown: &Shown, panel: impl Fn(&MeasuredPasses) -> Option<Panel>) -> Option<Panel> {
    let of = |run: &RunHistory| {
        let reports = run.passes().iter().map(|pass| &pass.report).collect();
        panel(&MeasuredPasses { objective: run.objective, unit: "1/128 pawn", reports })
    };
    let mut panel = match &shown.beside {
        Some((other, name)) => plot::beside([of(shown.run)?, of(other)?], [&shown.name, name]),
        None => of(shown.run)?,
    };
    if let PanelContent::Charts(charts) = &mut panel.content {
        charts.iter_mut().for_each(|chart| chart.x_axis.to = Some(shown.last_pass as f64));
    }
    Some(panel)
}

/// Draws the histogram of the chosen pass beside that of the reference.
fn histogram(
    pen: &mut Pen,
    shown: &Shown,
    area: Rect,
    panel: impl Fn(&[HistogramPass]) -> Panel,
    positions: impl Fn(&PassReport) -> u64,
) {
    let [this, other] = RUN_COLOURS;
    let colours = if shown.beside.is_some() { [other, this] } else { [Colour::Grey, Colour::Ink] };
    let names = [shown.reference_name().to_string(), shown.chosen_name()];
    let reports = [&shown.reference().report, &shown.chosen().report];
    let passes: Vec<HistogramPass> = (names.into_iter().zip(colours).zip(reports))
        .map(|((name, colour), report)| HistogramPass { name, colour, report })
        .collect();
    let panel = panel(&passes);
    if reports.iter().all(|report| positions(report) > 0) {
        return pen.panel(&panel, area);
    }
    pen.within(area.x, area.y, area.width, &panel.title, pen.theme.title());
    let text = "The .stat has this histogram of the first, the best and the last pass only.";
    for (line, text) in number::wrap(text, usize::from(area.width)).iter().enumerate() {
        pen.within(area.x, area.y + 1 + line as u16, area.width, text, pen.theme.faint());
    }
}
