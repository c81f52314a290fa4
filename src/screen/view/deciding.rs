//! The panel of the terms that decide between two moves.

use ratatui::{layout::Rect, style::Style};

use super::{number, pen::Pen};
use crate::{
    feature::Key,
    screen::{app::App, keys::Target},
    show::deciding::{Line, deciding_terms, format_tenths, in_tenths},
};

/// The sign of a term that speaks for or against the move shown, and its style.
pub fn speaking_sign(pen: &Pen, is_for: bool) -> (&'static str, Style) {
    let theme = pen.theme;
    if is_for {
        (theme.speaks_for(), theme.good().patch(theme.strong()))
    } else {
        (theme.speaks_against(), theme.bad().patch(theme.strong()))
    }
}

/// Draws the terms that decide between the move shown and its rival.
pub fn draw(pen: &mut Pen, app: &App, area: Rect) {
    let theme = pen.theme;
    let Some(analysis) = app.browser.analysis() else { return };
    let shown = app.browser.move_index(analysis);
    let rival = analysis.rival(shown);
    let (one, other) = (&analysis.moves[shown], &analysis.moves[rival]);
    if shown == rival {
        pen.within(area.x, area.y, area.width, "the only legal move", theme.title());
        return;
    }
    if one.leaf.features.is_empty() || other.leaf.features.is_empty() {
        let title = format!("{} over {}: an end of the game decides", one.name, other.name);
        pen.within(area.x, area.y, area.width, &title, theme.title());
        return;
    }
    let total = one.leaf.value - other.leaf.value;
    let title = format!("{} over {}: {}, from", one.name, other.name, format_tenths(in_tenths(total)));
    pen.within(area.x, area.y, area.width, &title, theme.title());
    let room = usize::from(area.height - 1);
    let all = deciding_terms(analysis, [shown, rival], app.editor.weights(), room);
    // A meaning may take a second line, the heaviest term first, as long as lines are left.
    let mut spare = room.saturating_sub(all.len()) as u16;
    let mut y = area.y + 1;
    for line in &all {
        let used = draw_line(pen, line, Rect { y, height: 1 + spare.min(1), ..area });
        y += used;
        spare -= used - 1;
    }
    if all.is_empty() {
        pen.within(area.x, area.y + 1, area.width, "nothing: no term differs", theme.faint());
    }
}

/// Draws a line with its meaning in the one or two lines of the area; returns the number of lines used.
fn draw_line(pen: &mut Pen, line: &Line, area: Rect) -> u16 {
    let theme = pen.theme;
    let Rect { x, y, .. } = area;
    let (sign, style) = match line.tenths {
        0 => (" ", theme.plain()),
        tenths => speaking_sign(pen, tenths > 0),
    };
    let below = pen.text(x, y, &format!("{sign}{:>7} ", format_tenths(line.tenths)), style);
    let at = pen.within(below, y, area.right() - below, &format!("{:<11} ", line.name), theme.strong());
    if let Some(key) = Key::from_name(&line.name) {
        pen.target(area, Target::Parameter(key));
    }
    let room = |from: u16| usize::from(area.right().saturating_sub(from));
    if area.height < 2 || line.meaning.chars().count() <= room(at) {
        pen.text(at, y, &number::shorten(&line.meaning, room(at)), theme.faint());
        return 1;
    }
    // The lines have different lengths: the first ends before a word of the second.
    let mut text = line.meaning.clone();
    for bracketed in [true, false] {
        let first = number::wrap(&text, room(at)).swap_remove(0);
        let rest = text.strip_prefix(&*first).unwrap_or_default().trim_start();
        if !bracketed || rest.chars().count() <= room(below) {
            pen.within(at, y, area.right().saturating_sub(at), &first, theme.faint());
            pen.text(below, y + 1, &number::shorten(rest, room(below)), theme.faint());
            break;
        }
        text = number::without_brackets(&text);
    }
    2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{app, finish_search, press_all};

    #[test]
    fn the_lines_add_up_to_the_difference_in_the_title() {
        let mut app = app();
        for _ in 0..5 {
            for _ in 0..20 {
                let analysis = app.browser.analysis().unwrap();
                let shown = app.browser.move_index(analysis);
                let (one, other) = (&analysis.moves[shown], &analysis.moves[analysis.rival(shown)]);
                for room in 1..12 {
                    let moves = [shown, analysis.rival(shown)];
                    let lines = deciding_terms(analysis, moves, app.editor.weights(), room);
                    assert!(lines.len() <= room, "{lines:?}");
                    let sum: i64 = lines.iter().map(|line| line.tenths).sum();
                    assert_eq!(sum, in_tenths(one.leaf.value - other.leaf.value), "{lines:?}");
                }
                press_all(&mut app, " ");
            }
            press_all(&mut app, "N");
            finish_search(&mut app);
        }
    }
}
