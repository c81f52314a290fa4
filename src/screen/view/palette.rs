//! The list of keys that a prompt filters: a line for each, with its name and what it does.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::screen::{
    app::{App, Palette},
    layout::List,
};

/// Columns before the words of a key.
const NAME: usize = 13;

/// Draws the keys that have the words typed.
pub fn draw(pen: &mut Pen, app: &App, body: Rect) {
    let Some(palette) = app.palette.as_ref() else { return };
    let theme = pen.theme;
    let title = format!("Keys: {} have these words", palette.bindings.len());
    pen.within(1, body.y, body.width - 2, &title, theme.title());
    let list = list(palette, body);
    let top = list.top_around(palette.chosen);
    for (at, binding) in palette.bindings.iter().enumerate().skip(top).take(list.height) {
        let style = if at == palette.chosen { theme.chosen() } else { theme.plain() };
        let help = number::cut(binding.help, usize::from(body.width) - 2 - NAME, theme);
        let text = format!("{:<NAME$}{help}", binding.name);
        pen.within(1, body.y + 1 + (at - top) as u16, body.width - 2, &text, style);
    }
    pages::draw_more(pen, body, list.hidden(top), theme);
}

/// The keys below the title.
pub fn list(palette: &Palette, body: Rect) -> List {
    List::new(palette.bindings.len(), usize::from(body.height).saturating_sub(2))
}
