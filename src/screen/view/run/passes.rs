//! The table of the passes of a run, or of two runs side by side.

use ratatui::layout::Rect;
use texam_fit::{Agreement, Difference, MeanLoss};

use super::Shown;
use crate::screen::{
    app::RunPass,
    theme::Theme,
    view::{number, pages, pen::Pen},
};

/// Draws the passes that fit, the chosen one among them.
pub(super) fn draw(pen: &mut Pen, shown: &Shown, area: Rect) {
    let (run, theme) = (shown.run, pen.theme);
    let heads = heads(shown);
    for (line, head) in heads.iter().enumerate() {
        pen.within(area.x, area.y + line as u16, area.width, head, theme.title());
    }
    let lines = usize::from(area.height).saturating_sub(heads.len() + 1);
    let count = shown.runs().map(|(run, _)| run.passes().len()).max().unwrap_or(0);
    let first = (run.chosen() + 1).saturating_sub(lines);
    for at in (first..count).take(lines) {
        let mark = if at == run.best() { "best" } else { "" };
        let text = format!("{at:>4} {mark:<4}{}", row(shown, at, theme));
        let style = if at == run.chosen() { theme.chosen() } else { theme.plain() };
        let y = area.y + heads.len() as u16 + (at - first) as u16;
        pen.within(area.x, y, area.width, &text, style);
    }
    let hidden = pages::describe_hidden([first, count.saturating_sub(first + lines)]).unwrap_or_default();
    pen.within(area.x, area.bottom().saturating_sub(1), area.width, &hidden, theme.faint());
}

fn heads(shown: &Shown) -> [String; 2] {
    let on = shown.judged_on();
    match (&shown.beside, shown.run.has_choices()) {
        (None, true) => {
            let last = if shown.run.has_loss() { "  loss" } else { "spread" };
            let below = if shown.run.has_loss() { "fitted" } else { " units" };
            [
                format!("              match in %        mean rank rank against {last} largest"),
                format!("pass     fitted held out  fitted held out       pass 0 {below}  change"),
            ]
        }
        (None, false) => [
            "           loss, with its standard error           largest".to_string(),
            "pass               fitted            held out       change".to_string(),
        ],
        (Some((_, other)), true) => {
            let own = &shown.name;
            [
                format!("         {:<26} {:<17} {}", format!("match in %, {on}"), "mean rank", "spread"),
                format!("pass     {own:>12} {other:>12}  {own:>8} {other:>8} {own:>7} {other:>7}"),
            ]
        }
        (Some((_, other)), false) => [
            format!("         loss, {on}, with its standard error"),
            format!("pass     {:>18}  {other:>18}", shown.name),
        ],
    }
}

/// The numbers of a pass.
fn row(shown: &Shown, at: usize, theme: Theme) -> String {
    let column = |width: usize, of: &dyn Fn(&RunPass) -> Option<String>| {
        let cells = shown.runs().map(|(run, _)| {
            let cell = run.passes().get(at).and_then(of).unwrap_or_else(|| "-".to_string());
            format!("{cell:>width$}")
        });
        cells.collect::<Vec<_>>().join(" ")
    };
    let rate = |set: &Agreement| {
        let (rate, error) = (100.0 * set.match_rate(), 100.0 * set.match_error());
        format!("{rate:.1} {} {error:.1}", theme.plus_minus())
    };
    let share = |set: &Agreement| format!("{:.2}", 100.0 * set.match_rate());
    let rank = |set: &Agreement| format!("{:.3}", set.mean_rank());
    let rank_change = |pass: &RunPass| {
        let Difference { mean_rank, mean_rank_error, .. } = pass.report.change()?;
        Some(format!("{mean_rank:+.2} {} {mean_rank_error:.2}", theme.plus_minus()))
    };
    let mean_loss = |loss: MeanLoss| format!("{:.5} {} {:.5}", loss.mean, theme.plus_minus(), loss.error);
    let change = |pass: &RunPass| Some(number::format_weight(pass.report.fit?.max_change));
    let spread = |pass: &RunPass| Some(format!("{:.2}", pass.report.spread));
    let fitted_loss = |pass: &RunPass| Some(mean_loss(pass.report.loss?.fitted));
    let held_out_loss = |pass: &RunPass| Some(mean_loss(pass.report.loss?.held_out?));
    match (&shown.beside, shown.run.has_choices()) {
        (None, true) => {
            let held_out = |of: &dyn Fn(&Agreement) -> String, width| {
                column(width, &|pass| pass.report.held_out.as_ref().map(of))
            };
            let short_loss = |pass: &RunPass| Some(format!("{:.4}", pass.report.loss?.fitted.mean));
            format!(
                "{} {} {} {} {} {} {}",
                column(6, &|pass| Some(share(&pass.report.fitted))),
                held_out(&share, 8),
                column(7, &|pass| Some(rank(&pass.report.fitted))),
                held_out(&rank, 8),
                column(12, &rank_change),
                if shown.run.has_loss() { column(6, &short_loss) } else { column(6, &spread) },
                column(7, &change),
            )
        }
        (None, false) => {
            let [fitted, held_out] = [column(18, &fitted_loss), column(19, &held_out_loss)];
            format!("{fitted} {held_out}  {}", column(8, &change))
        }
        (Some(_), true) => format!(
            "{}  {} {}",
            column(12, &|pass| Some(rate(shown.agreement_of(&pass.report)))),
            column(8, &|pass| Some(rank(shown.agreement_of(&pass.report)))),
            column(7, &spread),
        ),
        (Some(_), false) if shown.is_judged_on_held_out() => column(18, &held_out_loss),
        (Some(_), false) => column(18, &fitted_loss),
    }
}
