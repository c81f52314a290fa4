//! The list of lessons, and the page of a lesson.

use ratatui::layout::Rect;

use super::{
    markdown,
    number::{self, Styled},
    pages,
    pen::Pen,
};
use crate::{
    screen::{app::Tour, layout::List, theme::Theme},
    show::lesson::{LESSONS, Lesson},
};

/// Draws the list of lessons.
pub fn contents(pen: &mut Pen, body: Rect, chosen: usize) {
    let theme = pen.theme;
    pen.text(1, body.y, "Lessons: the claims of 1988, replayed", theme.title());
    let list = all_lessons(body);
    let first = list.top_around(chosen);
    for (at, lesson) in LESSONS.iter().enumerate().skip(first).take(list.height) {
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        let mark = if Tour::has_lesson(lesson.number) { "can be followed here" } else { "" };
        let room = usize::from(body.width).saturating_sub(28);
        let title = number::shorten(lesson.title(), room);
        let y = body.y + 1 + (at - first) as u16;
        pen.within(1, y, body.width - 2, &format!(" {:>2} {title:<room$}", lesson.number), style);
        pen.right(body.width - 1, y, mark, theme.faint());
    }
    pages::draw_more(pen, body, list.hidden(first), theme);
}

/// The lessons, of which some lines are shown below the title.
pub fn all_lessons(body: Rect) -> List {
    List::new(LESSONS.len(), usize::from(body.height).saturating_sub(2))
}

/// Draws a lesson from the `top`th line on.
pub fn draw(pen: &mut Pen, body: Rect, number: u32, top: usize) {
    let (lines, list) = lines(number, body, pen.theme);
    let top = top.min(list.last_top());
    for (at, line) in lines.iter().skip(top).take(list.height).enumerate() {
        pen.styled(1, body.y + at as u16, line);
    }
    pages::draw_more(pen, body, list.hidden(top), pen.theme);
}

/// The lines of a lesson with its sections.
pub fn list(theme: Theme, body: Rect, number: u32) -> List {
    lines(number, body, theme).1
}

/// The lines of a lesson, and its sections among them. The last line of the area says how many are out of view.
fn lines(number: u32, body: Rect, theme: Theme) -> (Vec<Styled>, List) {
    let Ok(lesson) = Lesson::find(number) else { return Default::default() };
    let width = usize::from(body.width).saturating_sub(2);
    let mut lines = Vec::new();
    let mut sections = vec![0];
    let title = format!("## {number}. {}", lesson.title());
    lines.extend(markdown::render(&title, width, width, theme));
    for (heading, text) in lesson.sections() {
        lines.push(Styled::new());
        sections.push(lines.len());
        lines.extend(markdown::render(&format!("## {heading}\n\n{text}"), width, width, theme));
    }
    let list = List { sections, ..List::new(lines.len(), usize::from(body.height).saturating_sub(1)) };
    (lines, list)
}
