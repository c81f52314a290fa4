//! The parameters in columns, with the contribution of each to the value or the difference shown.

use ratatui::layout::Rect;

use super::{
    account::{self, ShownLeaves},
    deciding::speaking_sign,
    number,
    pen::Pen,
};
use crate::{
    feature::{Ends, Key, Mode, Weights},
    parameters::Parameter,
    screen::{
        app::{App, Estimate, RunHistory},
        keys::Target,
        layout::{COLUMN, Slot},
    },
    show::deciding::heaviest_keys,
    value::Value,
};

/// The columns of counts and values for each parameter, in the order of the table.
struct TermColumns {
    title: String,
    counts: Vec<i32>,
    values: Vec<Value>,
    /// The parameters that decide, where the values are a difference.
    deciding: Vec<Key>,
}

/// What the rows of the table have in common.
struct Table {
    /// The changed parameters that are marked.
    marked: Vec<Key>,
    /// Whether weights have decimals, so that whole ones leave room for theirs.
    has_fractions: bool,
}

fn has_fractions(weights: &Weights) -> bool {
    let settings = Key::ALL.iter().map(|&key| weights.setting(key));
    settings
        .into_iter()
        .any(|setting| setting.open.iter().chain(&setting.end).any(|weight| weight.fract() != 0.0))
}

/// Number of changed parameters that are marked, at most, unless their change is beyond its error.
const MOST_MARKED: usize = 10;

/// The changed parameters that are marked: those that move values most, and those that the run moved by more
/// than two of its standard errors.
fn marked_keys(app: &App) -> Vec<Key> {
    let estimates = app.run_of_weights().map_or(&[][..], |run| &run.estimates);
    let before = base_weights(app);
    let moves = |key: Key| {
        let mut own = estimates.iter().filter(|(parameter, _)| parameter.key == key).peekable();
        // No fit has weighed what was changed by hand.
        let mut most = if own.peek().is_some() { 0.0 } else { f64::INFINITY };
        for (parameter, estimate) in own {
            let change =
                parameter.find(before).map_or(0.0, |old| (parameter.get(app.editor.weights()) - old).abs());
            let is_certain = estimate.run_errors.last().is_some_and(|error| change > 2.0 * error);
            most = f64::max(most, if is_certain { f64::INFINITY } else { change * estimate.deviation });
        }
        most
    };
    let changed = Key::ALL.iter().filter(|&&key| is_changed(app, key));
    let mut marked: Vec<(Key, f64)> = changed.map(|&key| (key, moves(key))).collect();
    marked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let most = marked.iter().take_while(|(_, moves)| moves.is_infinite()).count().max(MOST_MARKED);
    marked.into_iter().take(most).map(|(key, _)| key).collect()
}

fn term_columns(app: &App) -> Option<TermColumns> {
    let analysis = app.browser.analysis()?;
    let leaves = ShownLeaves::new(app, analysis);
    let title = leaves.title();
    let mut columns = TermColumns {
        title,
        counts: vec![0; Key::ALL.len()],
        values: vec![0; Key::ALL.len()],
        deciding: Vec::new(),
    };
    if leaves.has_end_of_game() {
        return Some(columns);
    }
    let weights = app.editor.weights();
    let quantised = weights.quantised();
    let (_, leaf) = leaves.first;
    columns.counts = analysis.counts(leaf, weights);
    columns.values = analysis.terms(leaf, &quantised);
    if let Some((_, base)) = leaves.base {
        let (less_counts, less) = (analysis.counts(base, weights), analysis.terms(base, &quantised));
        columns.counts.iter_mut().zip(less_counts).for_each(|(count, less)| *count -= less);
        columns.values.iter_mut().zip(less).for_each(|(value, less)| *value -= less);
        columns.deciding = heaviest_keys(&columns.values);
    }
    Some(columns)
}

/// Columns that a meaning beside a row needs at least.
const LEAST_MEANING: usize = 14;

/// Draws columns of parameters below their heads.
pub fn grid(pen: &mut Pen, app: &App, area: Rect, columns: &[Vec<Slot>], across: usize) {
    let terms = term_columns(app);
    let table = Table { marked: marked_keys(app), has_fractions: has_fractions(app.editor.weights()) };
    let width = area.width / across as u16;
    for (at, column) in columns.iter().enumerate() {
        let x = area.x + at as u16 * width;
        head(pen, terms.as_ref(), x, area.y);
        for (line, &slot) in column.iter().enumerate() {
            let y = area.y + 1 + line as u16;
            if y < area.bottom() {
                match slot {
                    Slot::Title(group) => title(pen, group.name(), x, y, width),
                    Slot::Key(key) => {
                        row(pen, app, terms.as_ref(), key, &table, Rect { x, y, width, height: 1 });
                    }
                }
            }
        }
    }
}

fn head(pen: &mut Pen, terms: Option<&TermColumns>, x: u16, y: u16) {
    let style = pen.theme.title();
    let title = terms.map_or("", |terms| &terms.title);
    pen.text(x, y, &format!(" {:<12}{:>5} {:>5} {:>3} {title:>6}", "", "open", "end", "n"), style);
}

fn title(pen: &mut Pen, name: &str, x: u16, y: u16, width: u16) {
    let rule = pen.theme.rule().repeat(usize::from(width).saturating_sub(name.len() + 3));
    let at = pen.text(x + 1, y, name, pen.theme.title());
    pen.text(at, y, &format!(" {rule}"), pen.theme.faint());
}

fn row(pen: &mut Pen, app: &App, terms: Option<&TermColumns>, key: Key, table: &Table, area: Rect) {
    let theme = pen.theme;
    let Rect { x, y, .. } = area;
    pen.target(area, Target::Parameter(key));
    let setting = app.editor.weights().setting(key);
    let is_frozen = !setting.tune.contains(&true);
    let is_chosen = key == app.editor.cursor();
    let is_marked = table.marked.contains(&key);
    let deciding = terms.filter(|terms| terms.deciding.contains(&key));
    let deciding = deciding.map(|terms| speaking_sign(pen, terms.values[key as usize] > 0));
    let (count, value) =
        terms.map_or((0, 0), |terms| (terms.counts[key as usize], terms.values[key as usize]));
    let counts = count != 0 || value != 0;
    let style = if is_marked {
        theme.changed()
    } else if is_frozen || terms.is_some() && !counts {
        theme.faint()
    } else {
        theme.plain()
    };
    if let Some((sign, style)) = deciding {
        pen.text(x, y, sign, style);
    }
    let name_style = if is_chosen { theme.chosen() } else { style };
    pen.text(x + 1, y, &format!("{:<11}", display_name(app, key)), name_style);
    let flag = if is_marked {
        "~"
    } else if is_frozen {
        "="
    } else {
        " "
    };
    pen.text(x + 12, y, flag, style);
    let [open, end] = weight_texts(app, key, table.has_fractions);
    pen.text(x + 13, y, &format!("{open:>5} {end:>5}"), style);
    if counts {
        pen.text(x + 24, y, &format!(" {count:>3}"), theme.plain());
        let style = deciding.map_or(theme.plain(), |(_, style)| style);
        pen.text(x + 28, y, &format!(" {:>6}", number::format_contribution(value)), style);
    }
    let used = COLUMN + 1;
    let room = usize::from(area.width.saturating_sub(used + 1));
    if room >= LEAST_MEANING {
        pen.text(x + used, y, &number::shorten(key.feature().meaning, room), theme.faint());
    }
}

/// The key; for a table with `[]`, or the number of its free cells.
fn display_name(app: &App, key: Key) -> String {
    let feature = key.feature();
    match app.editor.weights().setting(key).mode {
        Mode::Scalar | Mode::Off => feature.key.to_string(),
        Mode::Gradient => format!("{}[]", feature.key),
        Mode::Cells => format!("{}[{}]", feature.key, feature.layout.cells()),
    }
}

/// Opening and endgame weight; for free cells their mean. Decimals stand below one another, but for factors
/// of a gradient, which have one more.
fn weight_texts(app: &App, key: Key, has_fractions: bool) -> [String; 2] {
    let setting = app.editor.weights().setting(key);
    let text = |weights: &[f64]| {
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        match setting.mode {
            Mode::Gradient => number::format_weight(mean),
            _ if mean.fract() != 0.0 && mean.abs() < 999.95 => format!("{mean:.1}"),
            _ if has_fractions && mean.abs() < 999.0 => format!("{:.0}  ", mean + 0.0),
            _ => format!("{:.0}", mean + 0.0),
        }
    };
    match key.feature().ends {
        Ends::Pair => [text(&setting.open), text(&setting.end)],
        Ends::Single => [text(&setting.open), "same".to_string()],
        Ends::OpeningOnly => [text(&setting.open), String::new()],
    }
}

/// The weights that changes are counted from: those before the run that the weights come from, or else those
/// at the start of the sitting.
fn base_weights(app: &App) -> &Weights {
    let of_run = app.run_of_weights().and_then(RunHistory::start_weights);
    of_run.unwrap_or(app.editor.opening_weights())
}

/// Whether a parameter differs from what it was in those weights.
pub fn is_changed(app: &App, key: Key) -> bool {
    let (old, new) = (base_weights(app).setting(key), app.editor.weights().setting(key));
    (old.mode, &old.open, &old.end) != (new.mode, &new.open, &new.end)
}

/// Draws the meaning of the chosen parameter, and its change by the run that the weights come from.
pub fn meaning(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let theme = pen.theme;
    let key = app.editor.cursor();
    let feature = key.feature();
    let setting = app.editor.weights().setting(key);
    let tuned = match (setting.tune.contains(&true), setting.tune.contains(&false)) {
        (true, true) => "partly tuned",
        (true, false) => "tuned",
        _ => "frozen",
    };
    let at = pen.text(1, y, &format!("{}: ", feature.key), theme.strong());
    let mut text = String::new();
    for (parameter, before) in history(app, key) {
        let now = number::format_weight(parameter.get(app.editor.weights()));
        text += &format!("; {parameter} {} to {now}", number::format_weight(before));
    }
    text += &format!(" ({tuned})");
    // What the run changed is more important than the whole meaning.
    let room = usize::from(width.saturating_sub(at + 1));
    let meaning = number::shorten(feature.meaning, room.saturating_sub(text.chars().count()));
    pen.text(at, y, &number::shorten(&(meaning + &text), room), theme.plain());
}

/// Draws the name and the weights of the chosen parameter, and how its contribution comes about.
pub fn account(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let key = app.editor.cursor();
    let [open, end] = weight_texts(app, key, false);
    let name = format!("{} {open} {end}", display_name(app, key));
    let at = pen.text(1, y, name.trim_end(), pen.theme.strong()) + 2;
    let room = usize::from(width.saturating_sub(at + 1));
    let text = account::describe(app, key, None).unwrap_or_else(|| "does not count here".to_string());
    let text = if text.chars().count() <= room { text } else { account::describe_briefly(app, key) };
    pen.text(at, y, &number::shorten(&text, room), pen.theme.faint());
}

/// Values before the run that the weights come from, of a parameter that is no table of free cells.
fn history(app: &App, key: Key) -> Vec<(Parameter, f64)> {
    let Some(run) = app.run_of_weights().filter(|_| is_changed(app, key)) else { return Vec::new() };
    let mode = app.editor.weights().setting(key).mode;
    if mode == Mode::Cells {
        return Vec::new();
    }
    let own = run.estimates.iter().filter(|(parameter, _)| parameter.key == key && parameter.mode == mode);
    let entry =
        |(parameter, _): &(Parameter, Estimate)| Some((*parameter, parameter.find(run.start_weights()?)?));
    own.filter_map(entry).collect()
}
