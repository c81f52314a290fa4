//! The table of the passes of a run.

use ratatui::layout::Rect;
use texam_fit::{Agreement, Difference, MeanLoss};

use crate::{
    run::stat::error_text,
    screen::{
        app::{RunHistory, RunPass},
        keys::Target,
        theme::Theme,
        view::{number, pages, pen::Pen},
    },
};

/// Draws the passes that fit, the chosen one among them.
pub(super) fn draw(pen: &mut Pen, run: &RunHistory, area: Rect) {
    let theme = pen.theme;
    let heads = heads(run);
    for (line, head) in heads.iter().enumerate() {
        pen.within(area.x, area.y + line as u16, area.width, head, theme.title());
    }
    let lines = usize::from(area.height).saturating_sub(heads.len() + 1);
    let count = run.passes().len();
    let first = (run.chosen() + 1).saturating_sub(lines);
    for (at, pass) in run.passes().iter().enumerate().skip(first).take(lines) {
        let mark = if run.best() == Some(at) { "best" } else { "" };
        let text = format!("{at:>4} {mark:<4}{}", row(run, pass, theme));
        let style = if at == run.chosen() { theme.chosen() } else { theme.plain() };
        let y = area.y + heads.len() as u16 + (at - first) as u16;
        pen.within(area.x, y, area.width, &text, style);
        pen.target(Rect { y, height: 1, ..area }, Target::Line(at));
    }
    let hidden = pages::describe_hidden([first, count.saturating_sub(first + lines)]).unwrap_or_default();
    pen.within(area.x, area.bottom().saturating_sub(1), area.width, &hidden, theme.faint());
}

fn heads(run: &RunHistory) -> [String; 2] {
    if !run.has_choices() {
        return [
            "           loss, with its standard error           largest".to_string(),
            "pass               fitted            held out       change".to_string(),
        ];
    }
    let (last, below) = if run.has_loss() { ("  loss", "fitted") } else { ("spread", " units") };
    [
        format!("              match in %        mean rank rank against {last} largest"),
        format!("pass     fitted held out  fitted held out       pass 0 {below}  change"),
    ]
}

/// The numbers of a pass.
fn row(run: &RunHistory, pass: &RunPass, theme: Theme) -> String {
    let report = &pass.report;
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
    let change = or_none(report.fit.map(|fit| number::format_weight(fit.max_change)));
    if !run.has_choices() {
        let loss = |loss: MeanLoss| format!("{:.5} {} {:.5}", loss.mean, theme.plus_minus(), loss.error);
        let fitted = or_none(report.loss.map(|it| loss(it.fitted)));
        let held_out = or_none(report.loss.and_then(|it| it.held_out).map(loss));
        return format!("{fitted:>18} {held_out:>19}  {change:>8}");
    }
    let share = |set: &Agreement| format!("{:.2}", 100.0 * set.match_rate());
    let rank = |set: &Agreement| format!("{:.3}", set.mean_rank());
    let rank_change = report.change().map(|Difference { mean_rank, mean_rank_error, .. }| {
        format!("{mean_rank:+.2} {} {}", theme.plus_minus(), error_text(mean_rank_error, 2))
    });
    let last = match run.has_loss() {
        true => or_none(report.loss.map(|loss| format!("{:.4}", loss.fitted.mean))),
        false => format!("{:.2}", report.spread),
    };
    let held_out = report.held_out.as_ref();
    let shares = format!("{:>6} {:>8}", share(&report.fitted), or_none(held_out.map(share)));
    let ranks = format!("{:>7} {:>8}", rank(&report.fitted), or_none(held_out.map(rank)));
    format!("{shares} {ranks} {:>12} {last:>6} {change:>7}", or_none(rank_change))
}
