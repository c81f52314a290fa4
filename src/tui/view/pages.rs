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
    Title(&'static str),
    Key(&'static keys::Binding),
    Text(String),
    Blank,
}

const INTRODUCTION: &str = "Each position is one in which the eventual winner of a grandmaster game had to \
    choose. All legal moves are searched. Ex is the value before the move, E0 that of the move played, En that of the \
    move shown, in 1/128 pawn from the mover's view. A fit changes the weights so that the moves played come \
    out on top more often.";

/// What the signs mean.
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

/// Text in lines of at most so many columns.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let used = lines.last().map_or(0, |line| line.chars().count());
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn lines(width: usize, theme: Theme) -> Vec<Line> {
    let texts = [INTRODUCTION, &signs(theme)].map(|text| wrapped(text, width));
    let mut lines: Vec<Line> = texts.into_iter().flatten().map(Line::Text).collect();
    for chapter in Chapter::ALL {
        lines.extend([Line::Blank, Line::Title(chapter.title())]);
        lines.extend(keys::chapter_of(chapter).map(Line::Key));
    }
    lines
}

/// Draws the help from line `top` on.
pub fn help(pen: &mut Pen, body: Rect, top: usize) {
    let theme = pen.theme;
    let lines = lines(usize::from(body.width) - 2, theme);
    let height = usize::from(body.height) - 1;
    let top = top.min(lines.len().saturating_sub(height));
    for (at, line) in lines.iter().skip(top).take(height).enumerate() {
        let y = body.y + at as u16;
        match line {
            Line::Title(title) => _ = pen.text(1, y, title, theme.title()),
            Line::Text(text) => _ = pen.within(1, y, body.width - 2, text, theme.plain()),
            Line::Blank => {}
            Line::Key(binding) => {
                pen.text(2, y, &format!("{:<10}", binding.name), theme.strong());
                let end = body.width - 19;
                let text = number::cut(binding.help, usize::from(end.saturating_sub(13)), theme);
                pen.text(13, y, &text, theme.plain());
                pen.right(body.width - 1, y, binding.origin.name(), theme.faint());
            }
        }
    }
    more(pen, body, lines.len().saturating_sub(top + height), theme);
}

/// Says how many lines are below.
pub fn more(pen: &mut Pen, body: Rect, below: usize, theme: Theme) {
    if below > 0 {
        let text = format!("{below} more below: down, PgDn");
        pen.right(body.width - 1, body.bottom() - 1, &text, theme.changed());
    }
}

/// Draws the options of the method.
pub fn options(pen: &mut Pen, app: &App, body: Rect, chosen: usize) {
    let theme = pen.theme;
    pen.text(
        1,
        body.y,
        "Options of the method: up and down choose, enter changes, esc leaves",
        theme.title(),
    );
    let entries = app.entries();
    let height = usize::from(body.height) - 2;
    let chosen = chosen.min(entries.len() - 1);
    let first = (chosen + 1).saturating_sub(height);
    for (at, entry) in entries.iter().enumerate().skip(first).take(height) {
        let y = body.y + 1 + (at - first) as u16;
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        pen.text(1, y, &format!(" {:<12} {:<14}", entry.name, number::cut(&entry.value, 14, theme)), style);
        let room = usize::from(body.width - 32);
        pen.text(31, y, &number::cut(&entry.meaning, room, theme), theme.faint());
    }
}
