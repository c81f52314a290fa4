//! The page of one parameter: its meaning, its weights, and the cells of its table.

use ratatui::layout::Rect;

use super::{account, number, pen::Pen};
use crate::{
    feature::{Ends, Key, Mode, cell_name},
    parameters::Parameter,
    screen::app::{App, Estimate},
    show::plot::text::spark,
};

/// Columns of a cell.
const CELL: u16 = 12;

/// Draws the parameter chosen: facts, the table if there is one, and texts.
pub fn draw(pen: &mut Pen, app: &App, body: Rect, cell: usize) {
    let theme = pen.theme;
    let key = app.editor.cursor();
    let feature = key.feature();
    let is_table = feature.layout.is_table();
    let mut lines = vec![(feature.key.to_string(), theme.title())];
    let wrapped = |text: &str| number::wrap(text, usize::from(body.width) - 2).into_iter();
    lines.extend(wrapped(feature.meaning).map(|text| (text, theme.plain())));
    lines.extend(wrapped(&facts(app, key)).map(|text| (text, theme.faint())));
    lines.push((String::new(), theme.plain()));
    if is_table {
        let area = Rect { y: body.y + lines.len() as u16, ..body };
        let rows = cells(pen, app, key, area, cell);
        lines.extend((0..=rows).map(|_| (String::new(), theme.plain())));
    }
    let texts = texts(app, key, is_table.then_some(cell));
    lines.extend(texts.iter().flat_map(|text| wrapped(text)).map(|text| (text, theme.plain())));
    for ((text, style), y) in lines.iter().zip(body.y..body.bottom()) {
        pen.within(1, y, body.width - 2, text, *style);
    }
}

/// What a parameter is.
fn facts(app: &App, key: Key) -> String {
    let (feature, setting) = (key.feature(), app.editor.weights().setting(key));
    let held = match setting.mode {
        Mode::Scalar => "one count".to_string(),
        Mode::Gradient => format!(
            "a table held as a gradient: {} times its fixed shape; x frees the cells",
            format_ends(feature.ends, setting.open[0], setting.end[0])
        ),
        Mode::Off => "off".to_string(),
        Mode::Cells if key.is_optional() => "a table with a weight for each cell".to_string(),
        Mode::Cells => "a table with a weight for each cell; x makes it a gradient again".to_string(),
    };
    let kind = match feature.ends {
        Ends::Pair => "opening and endgame weight",
        Ends::Single => "one weight for both phases",
        Ends::OpeningOnly => "counts in the opening only",
    };
    format!("group {}, {kind}, {held}", feature.group.name())
}

/// The weight, how its contribution comes about, and its course over the run; of a table, after what its keys
/// do.
fn texts(app: &App, key: Key, cell: Option<usize>) -> Vec<String> {
    let setting = app.editor.weights().setting(key);
    let first = match (cell, setting.mode) {
        (None, _) => {
            let weight = format_ends(key.feature().ends, setting.open[0], setting.end[0]);
            format!("weight {weight}{}", frozen_mark(setting.tune[0]))
        }
        (Some(chosen), Mode::Cells) => {
            let cell = cell_name(key.cell_at(chosen));
            format!("{cell}: e edits, t tunes or freezes it; = frozen, ? too few positions in the last fit")
        }
        (Some(chosen), _) => {
            let cell = cell_name(key.cell_at(chosen));
            format!("{cell}: e edits the gradient, t takes it in or out of tuning, x frees the cells")
        }
    };
    [vec![first], accounts(app, key, cell), course(app, key)].concat()
}

/// Columns of a curve.
const CURVE: usize = 16;

/// The weights of a parameter over the passes of the run that they come from, with what the last fit says of
/// them.
pub fn course(app: &App, key: Key) -> Vec<String> {
    let Some(run) = app.run_of_weights() else { return Vec::new() };
    let mode = app.editor.weights().setting(key).mode;
    let own = run.estimates.iter().filter(|(parameter, _)| parameter.key == key && parameter.mode == mode);
    let line = |(parameter, estimate): &(Parameter, Estimate)| {
        let weights = run.passes().iter().filter_map(|pass| pass.weights.as_ref());
        let values: Vec<f64> = weights.filter_map(|weights| parameter.find(weights)).collect();
        let [first, last] = [values.first()?, values.last()?].map(|value| number::format_weight(*value));
        let curve = spark(&values, CURVE, app.display.theme.ascii);
        let error = |error: Option<f64>| error.map_or("-".to_string(), |error| format!("{error:.2}"));
        Some(format!(
            "{parameter}: {first} to {last} {curve}, s.e. of the fit {}, of the run {}, touched by {}",
            error(estimate.standard_error),
            error(estimate.run_errors.last().copied()),
            crate::run::count(estimate.support.into(), "choice"),
        ))
    };
    own.take(MOST_LINES).filter_map(line).collect()
}

/// Lines of a course, at most: a table of free cells has many weights.
const MOST_LINES: usize = 4;

/// The weight at the phase of the leaf shown, and how the contribution comes about: of the parameter, or of a
/// cell of its table and then of the whole table.
fn accounts(app: &App, key: Key, cell: Option<usize>) -> Vec<String> {
    let name = |cell: usize| cell_name(key.cell_at(cell));
    let weight = account::describe_weight(app, key, cell.unwrap_or(0));
    let mut texts: Vec<String> = weight.into_iter().map(|weight| format!("weight {weight}")).collect();
    let counts_nowhere = || "it does not count in the leaves shown".to_string();
    match cell {
        Some(cell) => {
            let own = account::describe(app, key, Some(cell)).unwrap_or_else(counts_nowhere);
            texts.push(format!("{}: {own}", name(cell)));
            texts.extend(account::describe(app, key, None).map(|all| format!("whole table: {all}")));
        }
        None => texts.push(account::describe(app, key, None).unwrap_or_else(counts_nowhere)),
    }
    texts
}

fn format_ends(ends: Ends, open: f64, end: f64) -> String {
    match ends {
        Ends::Pair => format!("{}/{}", number::format_weight(open), number::format_weight(end)),
        Ends::Single | Ends::OpeningOnly => number::format_weight(open),
    }
}

fn frozen_mark(tune: bool) -> &'static str {
    if tune { "" } else { "=" }
}

/// Whether the last fit left a cell unchanged, in either phase, for lack of positions.
fn is_kept(app: &App, key: Key, index: usize) -> bool {
    app.run_of_weights().into_iter().flat_map(|run| &run.estimates).any(|(parameter, report)| {
        let is_cell = parameter.mode == Mode::Cells && (parameter.key, parameter.index) == (key, index);
        is_cell && report.frozen.is_some()
    })
}

/// Draws the cells, each with its opening and endgame weight; `=` marks frozen cells, `?` those that the last
/// fit left unchanged. Returns the number of lines.
fn cells(pen: &mut Pen, app: &App, key: Key, area: Rect, chosen: usize) -> usize {
    let theme = pen.theme;
    let feature = key.feature();
    let setting = app.editor.weights().setting(key);
    let (rows, columns) = feature.layout.axes();
    // Where there is no room for all columns, they move so that the one chosen is in sight.
    let room = (usize::from(area.width.saturating_sub(9)) / usize::from(CELL)).max(1);
    let first = (chosen % columns.len() + 1).saturating_sub(room);
    let left = |column: usize| area.x + 9 + (column - first) as u16 * CELL;
    for (at, name) in columns.iter().enumerate().skip(first).take(room) {
        pen.text(left(at), area.y, &format!("{name:>10}"), theme.title());
    }
    if columns.len() > room {
        pen.text(area.x + 1, area.y, &format!("{} of {}", room, columns.len()), theme.changed());
    }
    for index in 0..feature.layout.cells() {
        let (row, column) = (index / columns.len(), index % columns.len());
        if column < first || column >= first + room {
            continue;
        }
        let (x, y) = (left(column), area.y + 1 + row as u16);
        if column == first {
            pen.text(area.x + 1, y, rows.get(row).map_or("", |name| name), theme.title());
        }
        let [open, end] = app.editor.weights().of_cell(key.cell_at(index));
        let entry = if setting.mode == Mode::Cells { index } else { 0 };
        let mark = if is_kept(app, key, index) { "?" } else { frozen_mark(setting.tune[entry]) };
        let text = format!("{}{mark}", format_ends(feature.ends, open, end));
        let style = if setting.tune[entry] { theme.plain() } else { theme.faint() };
        pen.text(x, y, &format!("{text:>10}"), if index == chosen { theme.chosen() } else { style });
    }
    1 + feature.layout.cells().div_ceil(columns.len())
}
