//! The list of lessons, and the page of a lesson.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::{
    lesson::{LESSONS, Lesson, plain_text},
    tui::app::Tour,
};

/// Draws the list of lessons.
pub fn list(pen: &mut Pen, body: Rect, chosen: usize) {
    let theme = pen.theme;
    pen.text(1, body.y, "Lessons: the claims of 1988, replayed", theme.title());
    let height = usize::from(body.height).saturating_sub(2);
    let first = (chosen + 1).saturating_sub(height);
    for (at, lesson) in LESSONS.iter().enumerate().skip(first).take(height) {
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        let mark = if Tour::has_lesson(lesson.number) { "can be followed here" } else { "" };
        let room = usize::from(body.width).saturating_sub(28);
        let title = number::cut(lesson.title(), room, theme);
        let y = body.y + 1 + (at - first) as u16;
        pen.within(1, y, body.width - 2, &format!(" {:>2} {title:<room$}", lesson.number), style);
        pen.right(body.width - 1, y, mark, theme.faint());
    }
    pages::draw_more(pen, body, [first, LESSONS.len().saturating_sub(first + height)], theme);
}

/// Draws a lesson from the `top`th line on.
pub fn draw(pen: &mut Pen, body: Rect, number: u32, top: usize) {
    let all = lines(number, body.width);
    let height = usize::from(body.height);
    let top = top.min(all.len().saturating_sub(height));
    for (at, (line, is_title)) in all.iter().skip(top).take(height).enumerate() {
        let style = if *is_title { pen.theme.title() } else { pen.theme.plain() };
        pen.within(1, body.y + at as u16, body.width - 2, line, style);
    }
    pages::draw_more(pen, body, [top, all.len().saturating_sub(top + height)], pen.theme);
}

/// The first line shown when the end of a lesson is in view.
pub fn last_top(body: Rect, number: u32) -> usize {
    lines(number, body.width).len().saturating_sub(usize::from(body.height))
}

/// The lines of a lesson, and whether each is a title.
fn lines(number: u32, width: u16) -> Vec<(String, bool)> {
    let Ok(lesson) = Lesson::find(number) else { return Vec::new() };
    let room = usize::from(width).saturating_sub(2);
    let mut lines = vec![(format!("{number}. {}", lesson.title()), true)];
    for (heading, text) in lesson.sections() {
        lines.extend([(String::new(), false), (heading.to_string(), true)]);
        lines.extend(fitted(&plain_text(text), room).into_iter().map(|line| (line, false)));
    }
    lines.push((String::new(), false));
    lines
}

/// The text with its paragraphs broken anew so that they fit. Tables, code and pictures stay as they are.
fn fitted(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut paragraph = String::new();
    for line in text.lines().chain([""]) {
        let has_columns = line.starts_with("    ") || line.starts_with('|');
        let begins_item =
            line.starts_with("- ") || line.split_once(". ").is_some_and(|(at, _)| at.parse::<u32>().is_ok());
        if (has_columns || begins_item || line.is_empty()) && !paragraph.is_empty() {
            lines.extend(number::wrap(&paragraph, room));
            paragraph.clear();
        }
        if has_columns || line.is_empty() {
            lines.push(line.to_string());
        } else {
            paragraph = format!("{paragraph} {line}").trim_start().to_string();
        }
    }
    lines.pop();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_broken_anew_and_tables_and_code_stay() {
        let text =
            "one two\nthree four\n\n- an item\n- another item\n\n    code  code  code  code\n| a | b |\nend";
        let expected = [
            "one two",
            "three four",
            "",
            "- an item",
            "- another",
            "item",
            "",
            "    code  code  code  code",
            "| a | b |",
            "end",
        ];
        assert_eq!(fitted(text, 11), expected);
        assert_eq!(fitted(text, 40)[0], "one two three four");
    }
}
