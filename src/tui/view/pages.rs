//! Pages that are lists: the help, from the table of keys, and the options of the method.

use ratatui::layout::Rect;

use super::{number, pen::Pen};
use crate::tui::{
    app::App,
    keys::{self, Chapter},
    theme::Theme,
};

/// A line of the help.
enum Line {
    /// The title of a chapter.
    Title(&'static str),
    /// A key with the beginning of its help.
    Key(&'static keys::Binding, String),
    /// The rest of that help.
    Rest(String),
    /// A line of a paragraph.
    Text(String),
    /// An empty line.
    Blank,
}

const INTRODUCTION: &str = "Each position is one in which the eventual winner of a grandmaster game had to \
    choose. All legal moves are searched. Ex is the value before the move, E0 that of the move played, En that of the \
    move shown, in 1/128 pawn from the mover's view. A fit changes the weights so that the moves played come \
    out on top more often.";

/// The meaning of the signs.
fn signs(theme: Theme) -> String {
    format!(
        "Signs: {} the played move is best, t it ties, 3 three are better; {} {} terms that decide for the move \
         shown and against it; = frozen; ~ changed by a fit; [] a table; 0 the played move; on the board [ ] is \
         the move shown, ( ) the one played.",
        theme.matched(),
        theme.speaks_for(),
        theme.speaks_against()
    )
}

/// Columns before the help of a key, and after it.
const BESIDE_HELP: [usize; 2] = [13, 20];

fn lines(width: usize, theme: Theme) -> Vec<Line> {
    let texts = [INTRODUCTION, &signs(theme)].map(|text| number::wrap(text, width - 2));
    let mut lines: Vec<Line> = texts.into_iter().flatten().map(Line::Text).collect();
    let [before, after] = BESIDE_HELP;
    for chapter in Chapter::ALL {
        lines.extend([Line::Blank, Line::Title(chapter.title())]);
        for binding in keys::chapter_of(chapter) {
            let mut help = number::wrap(binding.help, width - before - after).into_iter();
            lines.extend(help.next().map(|first| Line::Key(binding, first)));
            lines.extend(help.map(Line::Rest));
        }
    }
    lines
}

/// Lines of the help that are shown at once.
fn height_of_help(body: Rect) -> usize {
    usize::from(body.height) - 1
}

/// The first line shown when the end of the help is in view.
pub fn last_top_of_help(theme: Theme, body: Rect) -> usize {
    lines(usize::from(body.width), theme).len().saturating_sub(height_of_help(body))
}

/// Draws the help from line `top` on.
pub fn help(pen: &mut Pen, body: Rect, top: usize) {
    let theme = pen.theme;
    let lines = lines(usize::from(body.width), theme);
    let height = height_of_help(body);
    let top = top.min(last_top_of_help(theme, body));
    let text_begins = BESIDE_HELP[0] as u16;
    for (at, line) in lines.iter().skip(top).take(height).enumerate() {
        let y = body.y + at as u16;
        match line {
            Line::Title(title) => _ = pen.text(1, y, title, theme.title()),
            Line::Text(text) => _ = pen.within(1, y, body.width - 2, text, theme.plain()),
            Line::Blank => {}
            Line::Key(binding, text) => {
                pen.text(2, y, &format!("{:<10}", binding.name), theme.strong());
                pen.text(text_begins, y, text, theme.plain());
                pen.right(body.width - 1, y, binding.origin.name(), theme.faint());
            }
            Line::Rest(text) => _ = pen.text(text_begins, y, text, theme.plain()),
        }
    }
    draw_more_below(pen, body, lines.len().saturating_sub(top + height), theme);
}

/// Draws how many lines are below the last one shown.
pub fn draw_more_below(pen: &mut Pen, body: Rect, below: usize, theme: Theme) {
    if below > 0 {
        let text = format!("{below} more below: down, PgDn");
        pen.right(body.width - 1, body.bottom() - 1, &text, theme.changed());
    }
}

/// Lines below the options: the number of lines out of sight, and the whole meaning of the option chosen.
const BELOW_OPTIONS: u16 = 3;

/// Draws the options of the method.
pub fn options(pen: &mut Pen, app: &App, body: Rect, chosen: usize) {
    let theme = pen.theme;
    pen.text(
        1,
        body.y,
        "Options of the method: up and down choose, enter changes, esc leaves",
        theme.title(),
    );
    let entries = app.options().entries();
    let list = Rect { y: body.y + 1, height: body.height - 1 - BELOW_OPTIONS, ..body };
    let height = usize::from(list.height);
    let chosen = chosen.min(entries.len() - 1);
    let first = (chosen + 1).saturating_sub(height);
    for (at, entry) in entries.iter().enumerate().skip(first).take(height) {
        let y = list.y + (at - first) as u16;
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        pen.text(1, y, &format!(" {:<12} {:<14}", entry.name, number::cut(&entry.value, 14, theme)), style);
        let room = usize::from(body.width - 32);
        pen.text(31, y, &number::cut(&entry.meaning, room, theme), theme.faint());
    }
    draw_more_below(
        pen,
        Rect { height: list.height + 1, ..list },
        entries.len().saturating_sub(first + height),
        theme,
    );
    let meaning = number::wrap(&entries[chosen].meaning, usize::from(body.width) - 2);
    for (line, text) in meaning.iter().take(usize::from(BELOW_OPTIONS) - 1).enumerate() {
        pen.text(1, list.bottom() + 1 + line as u16, text, theme.plain());
    }
}
