//! The histograms of the chosen pass beside those of the start, or of the run beside it.

use ratatui::layout::Rect;
use texam_fit::{MISS_PLACES, MISS_STEP, PassReport};

use super::Shown;
use crate::{
    stat::{AHEAD_PLACES, ahead_counts},
    tui::view::{number, pen::Pen},
};

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Shares of a histogram; none if the run has no histogram of this pass.
fn shares(counts: &[u64]) -> Option<Vec<f64>> {
    let sum: u64 = counts.iter().sum();
    (sum > 0).then(|| counts.iter().map(|&count| count as f64 / sum as f64).collect())
}

/// Draws two histograms as bars, that of the reference and that of the chosen pass. The signs at the end of a bar are
/// the difference between the two.
fn histogram(
    pen: &mut Pen,
    shown: &Shown,
    area: Rect,
    title: &str,
    counts: impl Fn(&PassReport) -> Vec<u64>,
    label: impl Fn(usize) -> String,
) {
    let theme = pen.theme;
    pen.within(area.x, area.y, area.width, title, theme.title());
    let [Some(start), Some(now)] =
        [shown.reference(), shown.chosen()].map(|pass| shares(&counts(&pass.report)))
    else {
        let text = "The .stat has this histogram of the first, the best and the last pass only.";
        for (line, text) in number::wrap(text, usize::from(area.width)).iter().enumerate() {
            pen.within(area.x, area.y + 1 + line as u16, area.width, text, theme.faint());
        }
        return;
    };
    let (before, now_name) = (shown.reference_name(), shown.chosen_name());
    let head = format!("{:>6}{before:>7}{now_name:>8}  +more -less", "");
    pen.within(area.x, area.y + 1, area.width, &head, theme.faint());
    let most = start.iter().chain(&now).fold(0.01, |a: f64, &b| a.max(b));
    let room = f64::from(area.width.saturating_sub(23));
    for line in 0..usize::from(area.height).saturating_sub(2).min(start.len().max(now.len())) {
        let share = |all: &[f64]| all.get(line).copied().unwrap_or(0.0);
        let (before, after) = (share(&start), share(&now));
        let y = area.y + 2 + line as u16;
        let head = format!("{:>6}{:>7}{:>8}  ", label(line), percent(before), percent(after));
        let at = pen.within(area.x, y, area.width, &head, theme.plain());
        let length = |share: f64| (share / most * room).round() as usize;
        let (filled, longer) = (length(before.min(after)), length(before.max(after)));
        let at = pen.text(at, y, &theme.bar().repeat(filled), theme.plain());
        let (sign, style) = if after > before { ("+", theme.good()) } else { ("-", theme.bad()) };
        pen.text(at, y, &sign.repeat(longer - filled), style);
    }
}

/// The moves ahead of the played one.
pub(super) fn ahead(pen: &mut Pen, shown: &Shown, area: Rect) {
    let counts = |report: &PassReport| {
        let places = report.fitted.histogram.len().min(AHEAD_PLACES);
        ahead_counts(&report.fitted.histogram)[..places].to_vec()
    };
    let label = |line: usize| format!("{line}{}", if line == AHEAD_PLACES - 1 { "+" } else { "" });
    histogram(pen, shown, area, "moves ahead in %, games fitted", counts, label);
}

/// By how much the best alternative leads the played move.
pub(super) fn misses(pen: &mut Pen, shown: &Shown, area: Rect) {
    let counts = |report: &PassReport| report.misses.histogram.to_vec();
    let label = |place: usize| match place {
        0 => "0".to_string(),
        _ if place == MISS_PLACES - 1 => format!("> {}", (place - 1) as f64 * MISS_STEP),
        _ => format!("to {}", place as f64 * MISS_STEP),
    };
    histogram(pen, shown, area, "misses in units, % of games fitted", counts, label);
}
