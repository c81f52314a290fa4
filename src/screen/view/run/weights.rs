//! The weights that differ between the chosen pass and the start.

use ratatui::layout::Rect;

use crate::{
    parameters::Parameter,
    run::stat::is_clear,
    screen::{
        app::{Estimate, RunHistory},
        layout::List,
        view::{number, pages, pen::Pen},
    },
    show::plot::text::spark,
};

/// A weight at the start and in the chosen pass.
struct MovedWeight<'a> {
    parameter: Parameter,
    estimate: &'a Estimate,
    before: f64,
    now: f64,
    /// Standard error of the change, where it is known.
    error: Option<f64>,
}

impl MovedWeight<'_> {
    fn change(&self) -> f64 {
        self.now - self.before
    }

    /// How far the change moves values, in units.
    fn moves(&self) -> f64 {
        self.change().abs() * self.estimate.deviation
    }

    /// Whether the change is more than twice its error, where that is known.
    fn is_clear(&self) -> bool {
        is_clear(self.change(), self.error)
    }
}

/// Whether the errors of the changes are known: those of the run, against its start.
fn has_errors(run: &RunHistory) -> bool {
    run.estimates.iter().any(|(_, estimate)| !estimate.run_errors.is_empty())
}

/// The weights that differ between the start and the chosen pass, by how far that moves values, those first
/// whose change is clear.
fn moved(run: &RunHistory) -> Vec<MovedWeight<'_>> {
    let Some((before, now)) = run.start_weights().zip(super::chosen(run).weights.as_ref()) else {
        return Vec::new();
    };
    let mut all: Vec<MovedWeight> = run
        .estimates
        .iter()
        .filter_map(|(parameter, estimate)| {
            let (before, now) = (parameter.find(before)?, parameter.find(now)?);
            let error = run.chosen().checked_sub(1).and_then(|pass| estimate.run_errors.get(pass).copied());
            Some(MovedWeight { parameter: *parameter, estimate, before, now, error })
        })
        .filter(|weight| weight.change() != 0.0)
        .collect();
    all.sort_by(|a, b| b.is_clear().cmp(&a.is_clear()).then(b.moves().total_cmp(&a.moves())));
    all
}

/// The four weights whose changes up to the chosen pass move values most, with the changes; by their names or by the
/// words of chess players.
pub fn moved_most(run: &RunHistory, has_words: bool) -> String {
    let text = |weight: &MovedWeight| match weight.parameter {
        of if has_words => format!("{} ({}) {:+.1}", of.key.feature().called(), of.part, weight.change()),
        of => format!("{of} {:+.1}", weight.change()),
    };
    moved(run).iter().take(4).map(text).collect::<Vec<_>>().join(", ")
}

/// The list of weights in an area: the head and the count of those out of sight take a line each.
pub(super) fn list(run: &RunHistory, area: Rect) -> List {
    List::new(moved(run).len(), usize::from(area.height).saturating_sub(2))
}

/// Draws the weights from the `top`th on: start, chosen pass, change, its error or how far it moves values,
/// and trend.
pub(super) fn draw(pen: &mut Pen, run: &RunHistory, area: Rect, top: usize) {
    let theme = pen.theme;
    let is_wide = area.width >= 100;
    let more = if is_wide { format!(" {:>9} {:>8}", "step s.e.", "support") } else { String::new() };
    let error = if has_errors(run) { "s.e." } else { "moves" };
    let chosen = super::chosen_name(run);
    let head =
        format!("weight, in units        start {chosen:>8}   change {error:>6}{more}  over all passes");
    pen.within(area.x, area.y, area.width, &head, theme.title());
    let moved = moved(run);
    let list = list(run, area);
    let top = top.min(list.last_top());
    for (line, weight) in moved.iter().skip(top).take(list.height).enumerate() {
        let y = area.y + 1 + line as u16;
        let at = pen.within(area.x, y, area.width, &row(weight, is_wide), theme.plain());
        let values = run.passes().iter().filter_map(|pass| weight.parameter.find(pass.weights.as_ref()?));
        let trend = spark(&values.collect::<Vec<_>>(), usize::MAX, theme.ascii);
        pen.within(at, y, area.right().saturating_sub(at), &trend, theme.changed());
    }
    if moved.is_empty() {
        let text = match run.chosen() {
            0 => "These are the start weights: choose a later pass.",
            _ => "No weight has moved, or the .par files of the run cannot be read.",
        };
        pen.within(area.x, area.y + 1, area.width, text, theme.faint());
    }
    if let Some(text) = pages::describe_hidden(list.hidden(top)) {
        pen.right(area.right(), area.bottom() - 1, &format!("{text}: PgDn, PgUp"), theme.changed());
    }
}

fn row(weight: &MovedWeight, is_wide: bool) -> String {
    let held = if weight.estimate.is_mostly_held { "h" } else { "" };
    let error = weight.estimate.standard_error.map_or("-".to_string(), number::format_weight) + held;
    let more = match is_wide {
        true => format!(" {error:>9} {:>8}", weight.estimate.support),
        false => String::new(),
    };
    let name = weight.parameter.to_string();
    let [before, now] = [weight.before, weight.now].map(number::format_weight);
    let error = weight.error.unwrap_or_else(|| weight.moves());
    format!("{name:<20} {before:>8} {now:>8} {:>+8.2} {error:>6.2}{more}  ", weight.change())
}
