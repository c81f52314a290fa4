//! The page of the options, and the note on a list that is longer than the screen.

use ratatui::layout::Rect;

use super::{number, pen::Pen};
use crate::screen::{app::App, keys::Target, layout::List, theme::Theme};

/// Draws how many lines of a list are above the first one shown and below the last one.
pub fn draw_more(pen: &mut Pen, body: Rect, hidden: [usize; 2], theme: Theme) {
    if let Some(text) = describe_hidden(hidden) {
        let keys = match hidden {
            [0, _] => "down, PgDn",
            [_, 0] => "up, PgUp",
            _ => "up, down, PgUp, PgDn",
        };
        pen.right(body.width - 1, body.bottom() - 1, &format!("{text}: {keys}"), theme.changed());
    }
}

/// Names the numbers of lines that are hidden above and below.
pub fn describe_hidden([above, below]: [usize; 2]) -> Option<String> {
    let named = [(above, "above"), (below, "below")].into_iter().filter(|&(count, _)| count > 0);
    let texts: Vec<String> = named.map(|(count, place)| format!("{count} more {place}")).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Lines below the options: the number of lines out of sight, and the whole meaning of the option chosen.
const BELOW_OPTIONS: u16 = 3;

/// The area of the options between the title and what stands below them.
fn list_area(body: Rect) -> Rect {
    Rect { y: body.y + 1, height: body.height.saturating_sub(1 + BELOW_OPTIONS), ..body }
}

/// The options, of which some lines are shown.
pub fn all_options(app: &App, body: Rect) -> List {
    List::new(app.options.entries().len(), usize::from(list_area(body).height))
}

/// Draws the options of the method.
pub fn options(pen: &mut Pen, app: &App, body: Rect, chosen: usize) {
    let theme = pen.theme;
    pen.text(1, body.y, "Options of the method", theme.title());
    let entries = app.options.entries();
    let area = list_area(body);
    let list = all_options(app, body);
    let chosen = chosen.min(entries.len() - 1);
    let first = list.top_around(chosen);
    for (at, entry) in entries.iter().enumerate().skip(first).take(list.height) {
        let y = area.y + (at - first) as u16;
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        pen.target(Rect { y, height: 1, ..area }, Target::Line(at));
        pen.text(1, y, &format!(" {:<12} {:<14}", entry.name, number::cut(&entry.value, 14, theme)), style);
        let room = usize::from(body.width - 32);
        pen.text(31, y, &number::shorten(entry.meaning, room), theme.faint());
    }
    draw_more(pen, Rect { height: area.height + 1, ..area }, list.hidden(first), theme);
    let meaning = number::wrap(entries[chosen].meaning, usize::from(body.width) - 2);
    for (line, text) in meaning.iter().take(usize::from(BELOW_OPTIONS) - 1).enumerate() {
        pen.text(1, area.bottom() + 1 + line as u16, text, theme.plain());
    }
}
