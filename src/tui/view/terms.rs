//! The parameters in columns, and the few of them that decide between two moves.

use ratatui::{layout::Rect, style::Style};

use super::{number, pen::Pen};
use crate::{
    feature::{Ends, Key, Mode},
    parameters::{Parameter, Part},
    tui::{
        analysis::{AnalysedLeaf, Analysis},
        app::{App, Estimate, RunHistory, Terms},
        layout::{COLUMN, Slot},
    },
    value::{UNIT, Value, in_units},
};

/// The columns of counts and values for each parameter, in the order of the table.
struct TermColumns {
    title: String,
    counts: Vec<i32>,
    values: Vec<Value>,
    deciding: Vec<(Key, Value)>,
}

/// The leaves whose difference the columns show, with its name.
fn leaves<'a>(app: &App, analysis: &'a Analysis) -> (String, &'a AnalysedLeaf, Option<&'a AnalysedLeaf>) {
    let shown = app.browser().move_index(analysis);
    let leaf = &analysis.moves[shown].leaf;
    let rival = analysis.rival(shown);
    match app.browser().terms() {
        Terms::AgainstRoot => ("En-Ex".to_string(), leaf, Some(&analysis.root)),
        Terms::AgainstRival if shown == analysis.played => {
            ("E0-E1".to_string(), leaf, Some(&analysis.moves[rival].leaf))
        }
        Terms::AgainstRival => ("En-E0".to_string(), leaf, Some(&analysis.moves[rival].leaf)),
        Terms::Leaf => ("En".to_string(), leaf, None),
        Terms::Root => ("Ex".to_string(), &analysis.root, None),
    }
}

fn term_columns(app: &App) -> Option<TermColumns> {
    let analysis = app.browser().analysis()?;
    let (title, leaf, base) = leaves(app, analysis);
    let weights = app.editor().weights().quantised();
    let mut counts = analysis.counts(leaf, app.editor().weights());
    let mut values = analysis.terms(leaf, &weights);
    if let Some(base) = base {
        let (less_counts, less) =
            (analysis.counts(base, app.editor().weights()), analysis.terms(base, &weights));
        counts.iter_mut().zip(less_counts).for_each(|(count, less)| *count -= less);
        values.iter_mut().zip(less).for_each(|(value, less)| *value -= less);
    }
    Some(TermColumns { title, counts, values, deciding: deciding_terms(app, analysis) })
}

/// Number of deciding terms, at most.
const MOST_DECIDING: usize = 8;

/// The terms with the largest differences between the move shown and its rival: as many as cover four fifths of
/// the sum of all differences, none below half a unit.
fn deciding_terms(app: &App, analysis: &Analysis) -> Vec<(Key, Value)> {
    let shown = app.browser().move_index(analysis);
    let weights = app.editor().weights().quantised();
    let terms = |index: usize| analysis.terms(&analysis.moves[index].leaf, &weights);
    let differences =
        terms(shown).into_iter().zip(terms(analysis.rival(shown))).map(|(one, other)| one - other);
    let mut all: Vec<(Key, Value)> = Key::ALL.iter().copied().zip(differences).collect();
    all.retain(|&(_, value)| value.abs() * 2 >= UNIT);
    all.sort_by_key(|&(_, value)| std::cmp::Reverse(value.abs()));
    let total: Value = all.iter().map(|(_, value)| value.abs()).sum();
    let mut covered = 0;
    all.into_iter()
        .take(MOST_DECIDING)
        .take_while(|(_, value)| {
            let is_needed = covered * 5 < total * 4;
            covered += value.abs();
            is_needed
        })
        .collect()
}

/// The sign of a term that speaks for or against the move shown, and its style.
fn speaking_sign(pen: &Pen, value: Value) -> (&'static str, Style) {
    let theme = pen.theme;
    if value > 0 {
        (theme.speaks_for(), theme.good().patch(theme.strong()))
    } else {
        (theme.speaks_against(), theme.bad().patch(theme.strong()))
    }
}

/// Draws the terms that decide between the move shown and its rival.
pub fn deciding(pen: &mut Pen, app: &App, area: Rect) {
    let theme = pen.theme;
    let Some(analysis) = app.browser().analysis() else { return };
    let shown = app.browser().move_index(analysis);
    let (one, other) = (&analysis.moves[shown], &analysis.moves[analysis.rival(shown)]);
    if shown == analysis.rival(shown) {
        pen.within(area.x, area.y, area.width, "the only legal move", theme.title());
        return;
    }
    let difference = in_units(one.leaf.value - other.leaf.value);
    let title = if one.leaf.features.is_empty() || other.leaf.features.is_empty() {
        format!("{} over {}: an end of the game decides", one.name, other.name)
    } else {
        format!("{} over {}: {difference:+.1}, made of", one.name, other.name)
    };
    pen.within(area.x, area.y, area.width, &title, theme.title());
    let all = deciding_terms(app, analysis);
    let lines = area.height - 1;
    // A meaning may take a second line, the heaviest term first, as long as lines are left.
    let mut spare = lines.saturating_sub(all.len() as u16);
    let mut y = area.y + 1;
    for &(key, value) in all.iter().take(usize::from(lines)) {
        let used = draw_term(pen, key, value, Rect { y, height: 1 + spare.min(1), ..area });
        y += used;
        spare -= used - 1;
    }
    if all.is_empty() {
        pen.within(area.x, area.y + 1, area.width, "nothing: no term differs", theme.faint());
    }
}

/// Draws a term with its meaning in the one or two lines of the area; returns the number of lines used.
fn draw_term(pen: &mut Pen, key: Key, value: Value, area: Rect) -> u16 {
    let theme = pen.theme;
    let Rect { x, y, .. } = area;
    let (sign, style) = speaking_sign(pen, value);
    let below = pen.text(x, y, &format!("{sign}{:>6} ", number::format_contribution(value)), style);
    let at =
        pen.within(below, y, area.right() - below, &format!("{:<11} ", key.feature().key), theme.strong());
    let room = |from: u16| usize::from(area.right().saturating_sub(from));
    let meaning = key.feature().meaning;
    if area.height < 2 || meaning.chars().count() <= room(at) {
        pen.text(at, y, &number::cut(meaning, room(at), theme), theme.faint());
        return 1;
    }
    let first = number::wrap(meaning, room(at)).swap_remove(0);
    let rest = meaning.strip_prefix(&*first).unwrap_or_default().trim_start();
    pen.within(at, y, area.right().saturating_sub(at), &first, theme.faint());
    pen.text(below, y + 1, &number::cut(rest, room(below), theme), theme.faint());
    2
}

/// Width of a column that also shows the change by the last fit.
const WIDE: u16 = COLUMN + 13;

/// Draws columns of parameters below their heads.
pub fn grid(pen: &mut Pen, app: &App, area: Rect, columns: &[Vec<Slot>], across: usize) {
    let terms = term_columns(app);
    let width = area.width / across as u16;
    for (at, column) in columns.iter().enumerate() {
        let x = area.x + at as u16 * width;
        head(pen, app, terms.as_ref(), x, area.y, width);
        for (line, &slot) in column.iter().enumerate() {
            let y = area.y + 1 + line as u16;
            if y < area.bottom() {
                match slot {
                    Slot::Title(group) => title(pen, group.name(), x, y, width),
                    Slot::Key(key) => row(pen, app, terms.as_ref(), key, Rect { x, y, width, height: 1 }),
                }
            }
        }
    }
}

fn head(pen: &mut Pen, app: &App, terms: Option<&TermColumns>, x: u16, y: u16, width: u16) {
    let style = pen.theme.title();
    let title = terms.map_or("", |terms| &terms.title);
    let end = pen.text(x, y, &format!(" {:<12}{:>5} {:>5} {:>3} {title:>6}", "", "open", "end", "n"), style);
    if width >= WIDE && app.run_history().is_some() {
        pen.text(end, y, " change  s.e.", style);
    }
}

fn title(pen: &mut Pen, name: &str, x: u16, y: u16, width: u16) {
    let rule = pen.theme.rule().repeat(usize::from(width).saturating_sub(name.len() + 3));
    let at = pen.text(x + 1, y, name, pen.theme.title());
    pen.text(at, y, &format!(" {rule}"), pen.theme.faint());
}

fn row(pen: &mut Pen, app: &App, terms: Option<&TermColumns>, key: Key, area: Rect) {
    let theme = pen.theme;
    let Rect { x, y, .. } = area;
    let setting = app.editor().weights().setting(key);
    let is_frozen = !setting.tune.contains(&true);
    let is_chosen = key == app.editor().cursor();
    let deciding = terms.and_then(|terms| terms.deciding.iter().find(|&&(other, _)| other == key));
    let is_changed = is_changed(app, key);
    let style = if is_changed {
        theme.changed()
    } else if is_frozen {
        theme.faint()
    } else {
        theme.plain()
    };
    if let Some(&(_, value)) = deciding {
        let (sign, style) = speaking_sign(pen, value);
        pen.text(x, y, sign, style);
    }
    let name_style = if is_chosen { theme.chosen() } else { style };
    pen.text(x + 1, y, &format!("{:<11}", display_name(app, key)), name_style);
    let flag = if is_changed {
        "~"
    } else if is_frozen {
        "="
    } else {
        " "
    };
    pen.text(x + 12, y, flag, style);
    let [open, end] = weight_texts(app, key);
    pen.text(x + 13, y, &format!("{open:>5} {end:>5}"), style);
    let Some(terms) = terms else { return };
    let (count, value) = (terms.counts[key as usize], terms.values[key as usize]);
    if count != 0 || value != 0 {
        pen.text(x + 24, y, &format!(" {count:>3}"), theme.plain());
        let style = deciding.map_or(theme.plain(), |&(_, value)| speaking_sign(pen, value).1);
        pen.text(x + 28, y, &format!(" {:>6}", number::format_contribution(value)), style);
    }
    if area.width >= WIDE
        && let Some((change, error)) = change(app, key)
    {
        pen.text(x + COLUMN, y, &format!(" {change:>6} {error:>5}"), theme.changed());
    }
}

/// The key; for a table with `[]`, or the number of its free cells.
fn display_name(app: &App, key: Key) -> String {
    let feature = key.feature();
    match app.editor().weights().setting(key).mode {
        Mode::Scalar | Mode::Off => feature.key.to_string(),
        Mode::Gradient => format!("{}[]", feature.key),
        Mode::Cells => format!("{}[{}]", feature.key, feature.layout.cells()),
    }
}

/// Opening and endgame weight; for free cells their mean.
fn weight_texts(app: &App, key: Key) -> [String; 2] {
    let setting = app.editor().weights().setting(key);
    let mean = |weights: &[f64]| weights.iter().sum::<f64>() / weights.len() as f64;
    let open = number::format_weight(mean(&setting.open));
    match key.feature().ends {
        Ends::Pair => [open, number::format_weight(mean(&setting.end))],
        Ends::Single => [open, "same".to_string()],
        Ends::OpeningOnly => [open, String::new()],
    }
}

/// Whether a parameter differs from what it was before the last run.
pub fn is_changed(app: &App, key: Key) -> bool {
    let before = app.run_history().and_then(RunHistory::start_weights);
    before.is_some_and(|before| {
        let (old, new) = (before.setting(key), app.editor().weights().setting(key));
        (old.mode, &old.open, &old.end) != (new.mode, &new.open, &new.end)
    })
}

/// The change of the opening weight by the last run, and its standard error.
fn change(app: &App, key: Key) -> Option<(String, String)> {
    let run = app.run_history()?;
    let mut reports = run.estimates().iter();
    let (parameter, report) =
        reports.find(|(parameter, _)| parameter.key == key && parameter.part != Part::Endgame)?;
    let same_mode = app.editor().weights().setting(key).mode == parameter.mode;
    if parameter.mode == Mode::Cells || !same_mode || !is_changed(app, key) {
        return None;
    }
    let change = parameter.get(app.editor().weights()) - parameter.find(run.start_weights()?)?;
    let error = report.standard_error.map_or("-".to_string(), number::format_weight);
    let sign = if change > 0.0 { "+" } else { "" };
    Some((format!("{sign}{}", number::format_weight(change)), error))
}

/// Draws the meaning of the chosen parameter, and its change by the last run.
pub fn meaning(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let theme = pen.theme;
    let key = app.editor().cursor();
    let feature = key.feature();
    let setting = app.editor().weights().setting(key);
    let tuned = match (setting.tune.contains(&true), setting.tune.contains(&false)) {
        (true, true) => "partly tuned",
        (true, false) => "tuned",
        _ => "frozen",
    };
    let at = pen.text(1, y, &format!("{}: ", feature.key), theme.strong());
    let mut text = feature.meaning.to_string();
    for (parameter, before, error) in history(app, key) {
        let now = number::format_weight(parameter.get(app.editor().weights()));
        text += &format!("; {parameter} {} to {now}", number::format_weight(before));
        if let Some(error) = error {
            text += &format!(" {} {}", theme.plus_minus(), number::format_weight(error));
        }
    }
    text += &format!(" ({tuned}, {})", feature.home);
    pen.text(at, y, &number::cut(&text, usize::from(width.saturating_sub(at + 1)), theme), theme.plain());
}

/// Values before the last run and standard errors after it, of a parameter that is no table of free cells.
fn history(app: &App, key: Key) -> Vec<(Parameter, f64, Option<f64>)> {
    let Some(run) = app.run_history().filter(|_| is_changed(app, key)) else { return Vec::new() };
    let mode = app.editor().weights().setting(key).mode;
    if mode == Mode::Cells {
        return Vec::new();
    }
    let own = run.estimates().iter().filter(|(parameter, _)| parameter.key == key && parameter.mode == mode);
    let entry = |(parameter, estimate): &(Parameter, Estimate)| {
        Some((*parameter, parameter.find(run.start_weights()?)?, estimate.standard_error))
    };
    own.filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{app, press_all};

    #[test]
    fn the_deciding_terms_are_the_largest_differences_and_most_of_the_total() {
        let mut app = app();
        for _ in 0..20 {
            let analysis = app.browser().analysis().unwrap();
            let weights = app.editor().weights().quantised();
            let shown = app.browser().move_index(analysis);
            let terms = |index: usize| analysis.terms(&analysis.moves[index].leaf, &weights);
            let difference: Vec<Value> = terms(shown)
                .iter()
                .zip(terms(analysis.rival(shown)))
                .map(|(one, other)| one - other)
                .collect();
            let all = deciding_terms(&app, analysis);
            assert!(all.iter().all(|&(key, value)| difference[key as usize] == value));
            assert!(all.is_sorted_by_key(|&(_, value)| std::cmp::Reverse(value.abs())));
            let left = difference.iter().map(|value| value.abs()).filter(|value| value * 2 >= UNIT);
            let (covered, total) = (all.iter().map(|(_, v)| v.abs()).sum::<Value>(), left.sum::<Value>());
            assert!(all.len() == MOST_DECIDING || covered * 5 >= total * 4, "{covered} of {total}");
            press_all(&mut app, " ");
        }
    }
}
