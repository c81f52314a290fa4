//! The curves of a run over its passes, and of the run beside it.

use ratatui::layout::Rect;
use texam_fit::{Agreement, LossReport, MeanLoss, PassReport};

use super::{Shown, run_signs};
use crate::tui::view::{
    chart::{Chart, Curve},
    pen::Pen,
};

/// Measures a pass, with the standard error.
type Measure<'a, T> = &'a dyn Fn(&T) -> (f64, f64);

/// The match of the played moves.
pub(super) fn match_rate(pen: &mut Pen, shown: &Shown, area: Rect) {
    let measure = |set: &Agreement| (100.0 * set.match_rate(), 100.0 * set.match_error());
    agreement(pen, shown, area, "match in %, bars of one s.e.", 1, &measure);
}

/// The mean rank of the played moves.
pub(super) fn mean_rank(pen: &mut Pen, shown: &Shown, area: Rect) {
    agreement(pen, shown, area, "mean rank", 2, &|set: &Agreement| (set.mean_rank(), 0.0));
}

/// The spread of the kept values.
pub(super) fn spread(pen: &mut Pen, shown: &Shown, area: Rect) {
    let measure = |report: &PassReport| Some((report.spread, 0.0));
    let curves = match shown.beside {
        Some(_) => of_both(pen, shown, &measure),
        None => vec![curve(pen, shown, 0, "spread", &measure)],
    };
    draw(pen, shown, area, "spread in units", 1, &curves);
}

/// The loss of the objective.
pub(super) fn loss(pen: &mut Pen, shown: &Shown, area: Rect) {
    let mean = |loss: MeanLoss| (loss.mean, loss.error);
    let fitted = |report: &PassReport| report.loss.map(|loss: LossReport| mean(loss.fitted));
    let held_out = |report: &PassReport| report.loss.and_then(|loss| loss.held_out).map(mean);
    let curves = match shown.beside {
        Some(_) if shown.is_judged_on_held_out() => of_both(pen, shown, &held_out),
        Some(_) => of_both(pen, shown, &fitted),
        None => fitted_and_held_out(pen, shown, &fitted, &held_out),
    };
    draw(pen, shown, area, "loss, bars of one s.e.", 4, &curves);
}

/// Curves of a measure of the agreement: of one run on the games fitted and on those held out, of two runs on the games by
/// which they are judged.
fn agreement(
    pen: &mut Pen,
    shown: &Shown,
    area: Rect,
    title: &str,
    digits: usize,
    measure: Measure<Agreement>,
) {
    let fitted = |report: &PassReport| Some(measure(&report.fitted));
    let held_out = |report: &PassReport| report.held_out.as_ref().map(measure);
    let curves = match shown.beside {
        Some(_) => of_both(pen, shown, &|report| Some(measure(shown.agreement_of(report)))),
        None => fitted_and_held_out(pen, shown, &fitted, &held_out),
    };
    draw(pen, shown, area, title, digits, &curves);
}

type Points<'a> = &'a dyn Fn(&PassReport) -> Option<(f64, f64)>;

fn fitted_and_held_out(pen: &Pen, shown: &Shown, fitted: Points, held_out: Points) -> Vec<Curve> {
    let mut curves = vec![curve(pen, shown, 0, "fitted", fitted), curve(pen, shown, 0, "held out", held_out)];
    (curves[1].sign, curves[1].style) = ("o", pen.theme.changed());
    curves.retain(|curve| !curve.points.is_empty());
    curves
}

/// The curve of each run.
fn of_both(pen: &Pen, shown: &Shown, measure: Points) -> Vec<Curve> {
    let curves =
        shown.runs().zip(run_signs(pen.theme)).enumerate().map(|(at, ((_, name), (sign, style)))| {
            let curve = curve(pen, shown, at, name, measure);
            Curve { sign, style, ..curve }
        });
    curves.collect()
}

/// The curve of the run of the page, or of that beside it.
fn curve(pen: &Pen, shown: &Shown, run: usize, name: &str, measure: Points) -> Curve {
    let passes = shown.runs().nth(run).into_iter().flat_map(|(run, _)| run.passes());
    let points = passes.filter_map(|pass| measure(&pass.report)).collect();
    Curve { name: name.to_string(), sign: "x", style: pen.theme.plain(), points }
}

fn draw(pen: &mut Pen, shown: &Shown, area: Rect, title: &str, digits: usize, curves: &[Curve]) {
    Chart { title, curves, last_pass: shown.last_pass, digits }.draw(pen, area);
}
