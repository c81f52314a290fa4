//! The panels of `plot` for the run shown.

use ratatui::layout::Rect;

use super::Part;
use crate::{
    screen::{app::RunHistory, view::pen::Pen},
    show::plot::{self, Colour, HistogramPass, MeasuredPasses, Panel, PanelContent},
};

/// Draws a part of the page that is a chart, with room for passes up to `last`.
pub(super) fn draw(pen: &mut Pen, run: &RunHistory, last: usize, part: Part, area: Rect) {
    let measured = MeasuredPasses {
        objective: run.objective,
        unit: "1/128 pawn",
        reports: run.passes().iter().map(|pass| &pass.report).collect(),
    };
    let panel = match part {
        Part::Match if !run.has_choices() => plot::loss(&measured),
        Part::Spread if run.has_loss() => plot::loss(&measured),
        _ if !run.has_choices() => None,
        Part::Match => Some(plot::agreement(&measured)),
        Part::MeanRank => Some(plot::rank(&measured)),
        Part::Spread => Some(plot::spread(&measured)),
        Part::Ahead => return histogram(pen, run, area, plot::ahead),
        Part::Misses => return histogram(pen, run, area, plot::misses),
        Part::Passes | Part::Weights => None,
    };
    let Some(mut panel) = panel else { return };
    if let PanelContent::Charts(charts) = &mut panel.content {
        charts.iter_mut().for_each(|chart| chart.x_axis.to = Some(last as f64));
    }
    pen.panel(&panel, area);
}

/// Draws the histogram of the chosen pass beside that of the start.
fn histogram(pen: &mut Pen, run: &RunHistory, area: Rect, panel: impl Fn(&[HistogramPass]) -> Panel) {
    let reports = [&run.passes()[0].report, &super::chosen(run).report];
    let named = [("start".to_string(), Colour::Grey), (super::chosen_name(run), Colour::Ink)];
    let passes: Vec<HistogramPass> = (named.into_iter().zip(reports))
        .map(|((name, colour), report)| HistogramPass { name, colour, report })
        .collect();
    pen.panel(&panel(&passes), area);
}
