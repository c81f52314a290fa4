//! The help: the keys from their table, the signs and the words that have what is typed.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::screen::{
    app::{App, Finder, help_lines},
    keys::Target,
    layout::List,
    theme::Theme,
};

const TITLE: &str = "Help: keys and signs";

/// A row of the page: the title of a chapter, or a part of a line.
struct Row {
    /// Which of the lines found it belongs to; none for a title.
    line: Option<usize>,
    name: String,
    /// The column that the text begins in.
    column: u16,
    text: String,
    /// What stands at the right edge.
    note: &'static str,
}

/// The rows of the lines found, with the titles of their chapters.
fn rows(finder: &Finder, width: u16, theme: Theme) -> Vec<Row> {
    let all = help_lines(theme);
    let (mut rows, mut chapter) = (Vec::new(), "");
    for (at, line) in finder.found.iter().map(|&at| &all[at]).enumerate() {
        if line.chapter != chapter {
            let title =
                |name: &str| Row { line: None, name: name.into(), column: 1, text: "".into(), note: "" };
            rows.extend((!rows.is_empty()).then(|| title("")));
            chapter = line.chapter;
            rows.push(title(chapter));
        }
        let (column, after) = if line.binding.is_some() { (13, 20) } else { (21, 2) };
        let texts = number::wrap(&line.text, usize::from(width - column - after));
        let mut name = line.name.clone();
        let mut note = line.binding.map_or("", |binding| binding.origin.into());
        rows.extend(texts.into_iter().map(|text| {
            let (name, note) = (std::mem::take(&mut name), std::mem::take(&mut note));
            Row { line: Some(at), name, column, text, note }
        }));
    }
    rows
}

/// The room for rows below the title.
fn room(body: Rect) -> usize {
    usize::from(body.height).saturating_sub(2)
}

/// The lines found; on a page are as many as have room on the average.
pub fn list(finder: &Finder, body: Rect, theme: Theme) -> List {
    let rows = rows(finder, body.width, theme).len().max(1);
    List::new(finder.found.len(), finder.found.len() * room(body) / rows)
}

/// Draws the lines found, the one chosen among them.
pub fn draw(pen: &mut Pen, app: &App, body: Rect) {
    let Some(finder) = app.finder.as_ref() else { return };
    let theme = pen.theme;
    pen.text(1, body.y, TITLE, theme.title());
    let rows = rows(finder, body.width, theme);
    let list = List::new(rows.len(), room(body));
    let is_chosen = |row: &Row| row.line.is_some() && row.line == finder.chosen;
    let top = list.top_around(rows.iter().position(is_chosen).unwrap_or(0));
    for (row, y) in rows.iter().skip(top).take(list.height).zip(body.y + 1..) {
        let [name, text] = match row.line {
            None => [theme.title(); 2],
            Some(_) if is_chosen(row) => [theme.chosen(); 2],
            Some(_) => [theme.strong(), theme.plain()],
        };
        if let Some(line) = row.line {
            pen.target(Rect { y, height: 1, ..body }, Target::Line(line));
        }
        pen.text(1, y, &row.name, name);
        pen.text(row.column, y, &row.text, text);
        pen.right(body.width - 1, y, row.note, theme.faint());
    }
    if rows.is_empty() {
        pen.text(1, body.y + 1, "no key, sign or word has all that is typed", theme.plain());
    }
    pages::draw_more(pen, body, list.hidden(top), theme);
}
