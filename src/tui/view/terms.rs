//! The parameters in columns, and the few of them that decide between two moves.

use ratatui::{layout::Rect, style::Style};

use super::{number, pen::Pen};
use crate::{
    feature::{Ends, Key, Mode},
    parameters::{Parameter, Part},
    tui::{
        app::{App, Terms},
        found::{Found, Seen},
        layout::{COLUMN, Slot},
    },
    value::{UNIT, Value, in_units},
};

/// What the columns tell of each parameter, in the order of the table.
struct Told {
    title: String,
    counts: Vec<i32>,
    values: Vec<Value>,
    deciding: Vec<(Key, Value)>,
}

/// The leaves whose difference the columns tell.
fn leaves<'a>(app: &App, found: &'a Found) -> (String, &'a Seen, Option<&'a Seen>) {
    let shown = app.shown(found);
    let leaf = &found.moves[shown].leaf;
    let rival = found.rival(shown);
    match app.terms {
        Terms::AgainstRoot => ("En-Ex".to_string(), leaf, Some(&found.root)),
        Terms::AgainstRival if shown == found.played => {
            ("E0-E1".to_string(), leaf, Some(&found.moves[rival].leaf))
        }
        Terms::AgainstRival => ("En-E0".to_string(), leaf, Some(&found.moves[rival].leaf)),
        Terms::Leaf => ("En".to_string(), leaf, None),
        Terms::Root => ("Ex".to_string(), &found.root, None),
    }
}

fn told(app: &App) -> Option<Told> {
    let found = app.found()?;
    let (title, leaf, base) = leaves(app, found);
    let weights = app.weights.quantised();
    let mut counts = found.counts(leaf, &app.weights);
    let mut values = found.terms(leaf, &weights);
    if let Some(base) = base {
        let (less_counts, less) = (found.counts(base, &app.weights), found.terms(base, &weights));
        counts.iter_mut().zip(less_counts).for_each(|(count, less)| *count -= less);
        values.iter_mut().zip(less).for_each(|(value, less)| *value -= less);
    }
    Some(Told { title, counts, values, deciding: decide(app, found) })
}

/// Terms that decide, at most.
const MOST: usize = 8;

/// The terms that make the most of the difference between the move shown and its rival: enough of them to
/// cover four fifths of all that differs, none below half a unit.
fn decide(app: &App, found: &Found) -> Vec<(Key, Value)> {
    let shown = app.shown(found);
    let weights = app.weights.quantised();
    let terms = |index: usize| found.terms(&found.moves[index].leaf, &weights);
    let differences = terms(shown).into_iter().zip(terms(found.rival(shown))).map(|(one, other)| one - other);
    let mut all: Vec<(Key, Value)> = Key::ALL.iter().copied().zip(differences).collect();
    all.retain(|&(_, value)| value.abs() * 2 >= UNIT);
    all.sort_by_key(|&(_, value)| std::cmp::Reverse(value.abs()));
    let total: Value = all.iter().map(|(_, value)| value.abs()).sum();
    let mut covered = 0;
    all.into_iter()
        .take(MOST)
        .take_while(|(_, value)| {
            let is_needed = covered * 5 < total * 4;
            covered += value.abs();
            is_needed
        })
        .collect()
}

fn sign_of(pen: &Pen, value: Value) -> (&'static str, Style) {
    let theme = pen.theme;
    if value > 0 {
        (theme.speaks_for(), theme.good().patch(theme.strong()))
    } else {
        (theme.speaks_against(), theme.bad().patch(theme.strong()))
    }
}

/// Draws what decides between the move shown and its rival.
pub fn deciding(pen: &mut Pen, app: &App, area: Rect) {
    let theme = pen.theme;
    let Some(found) = app.found() else { return };
    let shown = app.shown(found);
    let (one, other) = (&found.moves[shown], &found.moves[found.rival(shown)]);
    if shown == found.rival(shown) {
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
    let all = decide(app, found);
    let lines = area.height - 1;
    // A meaning may go on in a second line, that of the heaviest term first, as far as lines are left.
    let mut spare = lines.saturating_sub(all.len() as u16);
    let mut y = area.y + 1;
    for &(key, value) in all.iter().take(usize::from(lines)) {
        let used = reason(pen, key, value, Rect { y, height: 1 + spare.min(1), ..area });
        y += used;
        spare -= used - 1;
    }
    if all.is_empty() {
        pen.within(area.x, area.y + 1, area.width, "nothing: no term differs", theme.faint());
    }
}

/// Draws a term with its meaning, in one line or two as the area has, and says how many it took.
fn reason(pen: &mut Pen, key: Key, value: Value, area: Rect) -> u16 {
    let theme = pen.theme;
    let Rect { x, y, .. } = area;
    let (sign, style) = sign_of(pen, value);
    let below = pen.text(x, y, &format!("{sign}{:>6} ", number::contribution(value)), style);
    let at =
        pen.within(below, y, area.right() - below, &format!("{:<11} ", key.feature().key), theme.strong());
    let room = |from: u16| usize::from(area.right().saturating_sub(from));
    let meaning = key.feature().meaning;
    if area.height < 2 || meaning.chars().count() <= room(at) {
        pen.text(at, y, &number::cut(meaning, room(at), theme), theme.faint());
        return 1;
    }
    let first = number::wrapped(meaning, room(at)).swap_remove(0);
    let rest = meaning.strip_prefix(&*first).unwrap_or_default().trim_start();
    pen.within(at, y, area.right().saturating_sub(at), &first, theme.faint());
    pen.text(below, y + 1, &number::cut(rest, room(below), theme), theme.faint());
    2
}

/// Width of a column that also tells what the last fit changed.
const WIDE: u16 = COLUMN + 13;

/// Draws columns of parameters below their heads.
pub fn grid(pen: &mut Pen, app: &App, area: Rect, columns: &[Vec<Slot>], across: usize) {
    let told = told(app);
    let width = area.width / across as u16;
    for (at, column) in columns.iter().enumerate() {
        let x = area.x + at as u16 * width;
        head(pen, app, told.as_ref(), x, area.y, width);
        for (line, &slot) in column.iter().enumerate() {
            let y = area.y + 1 + line as u16;
            if y < area.bottom() {
                match slot {
                    Slot::Title(group) => title(pen, group.name(), x, y, width),
                    Slot::Key(key) => row(pen, app, told.as_ref(), key, Rect { x, y, width, height: 1 }),
                }
            }
        }
    }
}

fn head(pen: &mut Pen, app: &App, told: Option<&Told>, x: u16, y: u16, width: u16) {
    let style = pen.theme.title();
    let title = told.map_or("", |told| &told.title);
    let end = pen.text(x, y, &format!(" {:<12}{:>5} {:>5} {:>3} {title:>6}", "", "open", "end", "n"), style);
    if width >= WIDE && app.story.is_some() {
        pen.text(end, y, " change  s.e.", style);
    }
}

fn title(pen: &mut Pen, name: &str, x: u16, y: u16, width: u16) {
    let rule = pen.theme.rule().repeat(usize::from(width).saturating_sub(name.len() + 3));
    let at = pen.text(x + 1, y, name, pen.theme.title());
    pen.text(at, y, &format!(" {rule}"), pen.theme.faint());
}

fn row(pen: &mut Pen, app: &App, told: Option<&Told>, key: Key, area: Rect) {
    let theme = pen.theme;
    let Rect { x, y, .. } = area;
    let setting = app.weights.setting(key);
    let is_frozen = !setting.tune.contains(&true);
    let is_chosen = key == app.cursor;
    let deciding = told.and_then(|told| told.deciding.iter().find(|&&(other, _)| other == key));
    let is_changed = is_changed(app, key);
    let style = if is_changed {
        theme.changed()
    } else if is_frozen {
        theme.faint()
    } else {
        theme.plain()
    };
    if let Some(&(_, value)) = deciding {
        let (sign, style) = sign_of(pen, value);
        pen.text(x, y, sign, style);
    }
    let name_style = if is_chosen { theme.chosen() } else { style };
    pen.text(x + 1, y, &format!("{:<11}", name_of(app, key)), name_style);
    let flag = if is_changed {
        "~"
    } else if is_frozen {
        "="
    } else {
        " "
    };
    pen.text(x + 12, y, flag, style);
    let [open, end] = weights_of(app, key);
    pen.text(x + 13, y, &format!("{open:>5} {end:>5}"), style);
    let Some(told) = told else { return };
    let (count, value) = (told.counts[key as usize], told.values[key as usize]);
    if count != 0 || value != 0 {
        pen.text(x + 24, y, &format!(" {count:>3}"), theme.plain());
        let style = deciding.map_or(theme.plain(), |&(_, value)| sign_of(pen, value).1);
        pen.text(x + 28, y, &format!(" {:>6}", number::contribution(value)), style);
    }
    if area.width >= WIDE
        && let Some((change, error)) = change(app, key)
    {
        pen.text(x + COLUMN, y, &format!(" {change:>6} {error:>5}"), theme.changed());
    }
}

/// The key; of a table with `[]`, or the number of its free cells.
fn name_of(app: &App, key: Key) -> String {
    let feature = key.feature();
    match app.weights.setting(key).mode {
        Mode::Scalar | Mode::Off => feature.key.to_string(),
        Mode::Gradient => format!("{}[]", feature.key),
        Mode::Cells => format!("{}[{}]", feature.key, feature.layout.cells()),
    }
}

/// Opening and endgame weight; of free cells their mean.
fn weights_of(app: &App, key: Key) -> [String; 2] {
    let setting = app.weights.setting(key);
    let mean = |weights: &[f64]| weights.iter().sum::<f64>() / weights.len() as f64;
    let open = number::weight(mean(&setting.open));
    match key.feature().ends {
        Ends::Pair => [open, number::weight(mean(&setting.end))],
        Ends::Single => [open, "same".to_string()],
        Ends::OpeningOnly => [open, String::new()],
    }
}

/// Whether a parameter differs from what it was before the last run.
pub fn is_changed(app: &App, key: Key) -> bool {
    let before = app.story.as_ref().and_then(|story| story.before());
    before.is_some_and(|before| {
        let (old, new) = (before.setting(key), app.weights.setting(key));
        (old.mode, &old.open, &old.end) != (new.mode, &new.open, &new.end)
    })
}

/// What the last run changed in the opening weight, and its standard error.
fn change(app: &App, key: Key) -> Option<(String, String)> {
    let story = app.story.as_ref()?;
    let mut reports = story.reports.iter();
    let (parameter, report) =
        reports.find(|(parameter, _)| parameter.key == key && parameter.part != Part::Endgame)?;
    let same_mode = app.weights.setting(key).mode == parameter.mode;
    if parameter.mode == Mode::Cells || !same_mode || !is_changed(app, key) {
        return None;
    }
    let change = parameter.get(&app.weights) - parameter.get(story.before()?);
    let error = report.standard_error.map_or("-".to_string(), number::weight);
    let sign = if change > 0.0 { "+" } else { "" };
    Some((format!("{sign}{}", number::weight(change)), error))
}

/// Draws what the chosen parameter means, and what a fit did to it.
pub fn meaning(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let theme = pen.theme;
    let key = app.cursor;
    let feature = key.feature();
    let setting = app.weights.setting(key);
    let tuned = match (setting.tune.contains(&true), setting.tune.contains(&false)) {
        (true, true) => "partly tuned",
        (true, false) => "tuned",
        _ => "frozen",
    };
    let at = pen.text(1, y, &format!("{}: ", feature.key), theme.strong());
    let mut text = feature.meaning.to_string();
    for (parameter, before, error) in history(app, key) {
        let now = number::weight(parameter.get(&app.weights));
        text += &format!("; {parameter} {} to {now}", number::weight(before));
        if let Some(error) = error {
            text += &format!(" {} {}", theme.plus_minus(), number::weight(error));
        }
    }
    text += &format!(" ({tuned}, {})", feature.home);
    pen.text(at, y, &number::cut(&text, usize::from(width.saturating_sub(at + 1)), theme), theme.plain());
}

/// Values before the last run and standard errors after it, of a parameter that is no table of free cells.
fn history(app: &App, key: Key) -> Vec<(Parameter, f64, Option<f64>)> {
    let Some(story) = app.story.as_ref().filter(|_| is_changed(app, key)) else { return Vec::new() };
    let Some(before) = story.before() else { return Vec::new() };
    let mode = app.weights.setting(key).mode;
    if mode == Mode::Cells || before.setting(key).mode != mode {
        return Vec::new();
    }
    let own = story.reports.iter().filter(|(parameter, _)| parameter.key == key && parameter.mode == mode);
    own.map(|(parameter, report)| (*parameter, parameter.get(before), report.standard_error)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{app, press_all};

    #[test]
    fn what_decides_is_the_heaviest_of_what_differs_and_most_of_it() {
        let mut app = app();
        for _ in 0..20 {
            let found = app.found().unwrap();
            let weights = app.weights.quantised();
            let shown = app.shown(found);
            let terms = |index: usize| found.terms(&found.moves[index].leaf, &weights);
            let difference: Vec<Value> =
                terms(shown).iter().zip(terms(found.rival(shown))).map(|(one, other)| one - other).collect();
            let all = decide(&app, found);
            assert!(all.iter().all(|&(key, value)| difference[key as usize] == value));
            assert!(all.is_sorted_by_key(|&(_, value)| std::cmp::Reverse(value.abs())));
            let left = difference.iter().map(|value| value.abs()).filter(|value| value * 2 >= UNIT);
            let (covered, total) = (all.iter().map(|(_, v)| v.abs()).sum::<Value>(), left.sum::<Value>());
            assert!(all.len() == MOST || covered * 5 >= total * 4, "{covered} of {total}");
            press_all(&mut app, " ");
        }
    }
}
