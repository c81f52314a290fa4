//! Markdown as styled lines of a given width: what the pages of the lessons use of it.
//!
//! Headings, paragraphs, lists, blocks and spans of code, emphasis, tables, and links as their text. Comments are left
//! out, and a picture is its caption. Knows no page and draws nothing.

use ratatui::style::{Modifier, Style};

use super::number::{self, Styled, styled, wrap_styled};
use crate::{screen::theme::Theme, show::lesson::without_comments};

/// The lines of a text, none of them wider than `width`, and those of code not wider than `code_width`.
pub fn render(text: &str, width: usize, code_width: usize, theme: Theme) -> Vec<Styled> {
    let mut rendering = Rendering {
        lines: Vec::new(),
        width,
        code_width,
        theme,
        paragraph: None,
        table: Vec::new(),
        code: None,
    };
    without_comments(text).trim().lines().for_each(|line| rendering.add(line));
    rendering.end_block();
    // A tag that is not shown may stand after the last blank line.
    if rendering.lines.last().is_some_and(Vec::is_empty) {
        rendering.lines.pop();
    }
    rendering.lines
}

/// A text with escape sequences for its styles, its paragraphs and tables not wider than `width`. Code keeps its columns.
#[cfg(feature = "native")]
pub fn with_escapes(text: &str, width: usize, theme: Theme) -> String {
    use crossterm::style::ContentStyle;
    use ratatui::backend::IntoCrossterm;

    let mut escaped = String::new();
    for line in render(text, width, usize::MAX, theme) {
        for span in line.chunk_by(|(_, one), (_, other)| one == other) {
            let letters: String = span.iter().map(|(letter, _)| letter).collect();
            let style: ContentStyle = span[0].1.into_crossterm();
            escaped += &style.apply(letters).to_string();
        }
        escaped.push('\n');
    }
    escaped
}

/// Columns before a line of code.
const CODE_INDENT: usize = 4;

/// A paragraph or an item of a list.
struct Paragraph {
    /// What stands before its first line: a bullet, a number, or nothing. The other lines are indented by as much.
    lead: String,
    text: String,
}

/// A page as it is being made, with the block that goes on.
struct Rendering {
    lines: Vec<Styled>,
    width: usize,
    code_width: usize,
    theme: Theme,
    paragraph: Option<Paragraph>,
    /// The rows of a table with the text of their cells.
    table: Vec<Vec<String>>,
    /// The language of a fenced block of code.
    code: Option<String>,
}

impl Rendering {
    fn add(&mut self, line: &str) {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            self.end_block();
            self.code = if self.code.is_some() { None } else { Some(language.to_string()) };
        } else if let Some(language) = &self.code {
            let is_command = language == "sh";
            self.add_code(line, is_command);
        } else if line.trim().is_empty() {
            self.end_block();
            if self.lines.last().is_some_and(|line| !line.is_empty()) {
                self.lines.push(Vec::new());
            }
        } else if let Some(row) = line.strip_prefix('|') {
            self.end_paragraph();
            self.add_row(row);
        } else if let Some(code) = line.strip_prefix("    ") {
            self.end_block();
            self.add_code(code, false);
        } else {
            self.add_text(line);
        }
    }

    fn add_text(&mut self, line: &str) {
        self.end_table();
        let [bold, faint] = [self.theme.strong(), self.theme.faint()];
        if line.starts_with('#') {
            self.end_paragraph();
            self.add_wrapped(
                "",
                &inline(line.trim_start_matches('#').trim(), self.theme.title(), self.theme),
            );
        } else if line.starts_with('<') {
            self.end_paragraph();
            if let Some((_, summary)) = line.split_once("<summary>") {
                let summary = summary.split("</summary>").next().unwrap_or_default();
                self.add_wrapped("", &inline(summary, bold, self.theme));
            }
        } else if let Some(picture) = line.strip_prefix("![") {
            self.end_paragraph();
            let caption = picture.split(']').next().unwrap_or_default();
            self.add_wrapped("", &styled(&format!("(picture: {caption})"), faint));
        } else if let Some((lead, text)) = self.item(line) {
            self.end_paragraph();
            self.paragraph = Some(Paragraph { lead, text: text.to_string() });
        } else if let Some(paragraph) = &mut self.paragraph {
            paragraph.text.push(' ');
            paragraph.text.push_str(line.trim());
        } else {
            self.paragraph = Some(Paragraph { lead: String::new(), text: line.trim().to_string() });
        }
    }

    /// The lead and the text of a line that begins an item of a list.
    fn item<'a>(&self, line: &'a str) -> Option<(String, &'a str)> {
        let text = line.trim_start();
        let indent = " ".repeat(line.len() - text.len());
        if let Some(text) = text.strip_prefix("- ") {
            return Some((format!("{indent}{} ", self.theme.bullet()), text));
        }
        let (number, text) = text.split_once(". ")?;
        number.parse::<u32>().is_ok().then(|| (format!("{indent}{number}. "), text))
    }

    /// Adds a line of code. A command is broken between words; other code has columns, and is cut.
    fn add_code(&mut self, line: &str, is_command: bool) {
        let style = self.theme.code();
        let indent = " ".repeat(CODE_INDENT);
        if is_command {
            let mut lead = indent;
            let room = self.width.saturating_sub(CODE_INDENT + 2);
            for line in wrap_styled(&styled(line, style), room) {
                self.push(&lead, line);
                lead = " ".repeat(CODE_INDENT + 2);
            }
        } else {
            let room = self.code_width.saturating_sub(CODE_INDENT);
            self.push(&indent, styled(&number::cut(line, room, self.theme), style));
        }
    }

    fn add_row(&mut self, row: &str) {
        let cells: Vec<String> =
            row.trim().trim_end_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
        let is_rule = cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| "-:".contains(c)));
        if !is_rule {
            self.table.push(cells);
        }
    }

    fn end_block(&mut self) {
        self.end_paragraph();
        self.end_table();
    }

    fn end_paragraph(&mut self) {
        if let Some(Paragraph { lead, text }) = self.paragraph.take() {
            self.add_wrapped(&lead, &inline(&text, self.theme.plain(), self.theme));
        }
    }

    fn add_wrapped(&mut self, lead: &str, text: &Styled) {
        let indent = lead.chars().count();
        let mut lead = lead.to_string();
        for line in wrap_styled(text, self.width.saturating_sub(indent)) {
            self.push(&lead, line);
            lead = " ".repeat(indent);
        }
    }

    fn push(&mut self, lead: &str, line: Styled) {
        self.lines.push([styled(lead, self.theme.plain()), line].concat());
    }

    /// Adds the table that has ended: its columns aligned, its first row as their heads.
    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.table);
        let theme = self.theme;
        let style = |row: usize| if row == 0 { theme.title() } else { theme.plain() };
        let cells = rows.iter().enumerate();
        let cells: Vec<Vec<Styled>> =
            cells.map(|(at, row)| row.iter().map(|cell| inline(cell, style(at), theme)).collect()).collect();
        let widths = column_widths(&cells, self.width);
        for (at, row) in cells.iter().enumerate() {
            self.lines.extend(row_lines(row, &widths));
            if at == 0 {
                let length = widths.iter().sum::<usize>() + COLUMN_GAP * widths.len().saturating_sub(1);
                let rule = theme.rule().repeat(length.min(self.width));
                self.lines.push(styled(&rule, theme.faint()));
            }
        }
    }
}

/// Columns between those of a table.
const COLUMN_GAP: usize = 2;

/// The widths of the columns of a table. Where there is no room for all, the widest give way.
fn column_widths(rows: &[Vec<Styled>], width: usize) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(Vec::len).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..count).map(widest).collect();
    let room = width.saturating_sub(COLUMN_GAP * count.saturating_sub(1)).max(count);
    while widths.iter().sum::<usize>() > room {
        if let Some(widest) = widths.iter_mut().max() {
            *widest -= 1;
        }
    }
    widths
}

/// The lines of a row, each cell broken to its column.
fn row_lines(row: &[Styled], widths: &[usize]) -> Vec<Styled> {
    let cells: Vec<Vec<Styled>> =
        row.iter().zip(widths).map(|(cell, &width)| wrap_styled(cell, width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        let mut line = Styled::new();
        let mut start = 0;
        for (cell, width) in cells.iter().zip(widths) {
            line.resize(start, (' ', Style::new()));
            line.extend(cell.get(at).into_iter().flatten());
            start += width + COLUMN_GAP;
        }
        line
    };
    (0..height).map(line).collect()
}

/// A text with its spans of code, its emphasis and its links.
fn inline(text: &str, base: Style, theme: Theme) -> Styled {
    let letters: Vec<char> = text.chars().collect();
    let mut out = Styled::new();
    let mut at = 0;
    while at < letters.len() {
        match span(&letters, at) {
            Some(Span { inside, after, kind }) => {
                let inside: String = letters[inside].iter().collect();
                match kind {
                    // Without colours the signs stay: nothing else would show where code begins and ends.
                    Kind::Code if !theme.has_colours() => out.extend(styled(&format!("`{inside}`"), base)),
                    Kind::Code => out.extend(styled(&inside, theme.code())),
                    Kind::Strong => out.extend(inline(&inside, base.patch(theme.strong()), theme)),
                    Kind::Emphasis => {
                        out.extend(inline(&inside, base.add_modifier(Modifier::ITALIC), theme));
                    }
                    Kind::Link => out.extend(inline(&inside, base, theme)),
                }
                at = after;
            }
            None => {
                out.push((letters[at], base));
                at += 1;
            }
        }
    }
    out
}

enum Kind {
    Code,
    Strong,
    Emphasis,
    Link,
}

/// A span of a text: where its inside is, and where the text goes on.
struct Span {
    inside: std::ops::Range<usize>,
    after: usize,
    kind: Kind,
}

/// The span that begins at a letter, if one does.
fn span(letters: &[char], at: usize) -> Option<Span> {
    let starts =
        |at: usize, sign: &str| sign.chars().enumerate().all(|(i, c)| letters.get(at + i) == Some(&c));
    let find = |from: usize, sign: &str| (from..letters.len()).find(|&end| starts(end, sign));
    // A star with a blank on its inner side is one of arithmetic.
    let is_tight = |start: usize, end: usize| {
        end > start && !letters[start].is_whitespace() && !letters[end - 1].is_whitespace()
    };
    let between = |sign: &str, kind: Kind| {
        let start = at + sign.len();
        let end = find(start, sign)?;
        (matches!(kind, Kind::Code) || is_tight(start, end)).then_some(Span {
            inside: start..end,
            after: end + sign.len(),
            kind,
        })
    };
    match letters[at] {
        '`' => between("`", Kind::Code),
        '*' if starts(at, "**") => between("**", Kind::Strong),
        '*' => between("*", Kind::Emphasis),
        '[' => {
            let end = find(at + 1, "](")?;
            let is_plain = !letters[at + 1..end].contains(&']');
            let close = find(end, ")")?;
            is_plain.then_some(Span { inside: at + 1..end, after: close + 1, kind: Kind::Link })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::lesson::LESSONS;

    const COLOURS: Theme = Theme::DARK;
    const ASCII: Theme = Theme { ground: None, ascii: true };

    fn plain(text: &str, width: usize, theme: Theme) -> Vec<String> {
        let line = |line: Styled| line.into_iter().map(|(letter, _)| letter).collect::<String>();
        render(text, width, width, theme).into_iter().map(|text| line(text).trim_end().to_string()).collect()
    }

    #[test]
    fn paragraphs_lists_and_code_are_set_apart_and_broken_to_the_width() {
        let text = "## A **title**\none two\nthree [four](x.md)\n\n<!-- not\nshown -->\n\n- an item that\n  goes on\n12. a number\n\n\
                    ```sh\ntexam fit --every 20\n```\n    a   b   c   d   e   f\n![a picture](p.svg)\n<details><summary>Answers</summary>\n\n</details>";
        let expected = [
            "A title",
            "one two three four",
            "",
            "• an item that goes",
            "  on",
            "12. a number",
            "",
            "    texam fit",
            "      --every 20",
            "    a   b   c   d …",
            "(picture: a",
            "picture)",
            "Answers",
        ];
        assert_eq!(plain(text, 19, COLOURS), expected);
        assert_eq!(plain("- an item", 19, ASCII), ["- an item"]);
    }

    #[test]
    fn spans_have_styles_and_stars_of_arithmetic_and_of_code_stay() {
        let style = |text: &str, letter: char| {
            let lines = render(text, 80, 80, COLOURS);
            lines[0].iter().find(|(other, _)| *other == letter).unwrap().1
        };
        assert_eq!(style("a **b** c", 'b'), COLOURS.strong());
        assert_eq!(style("a *b* c", 'b'), Style::new().add_modifier(Modifier::ITALIC));
        assert_eq!(style("a `b` c", 'b'), COLOURS.code());
        assert_eq!(style("**a `b` c**", 'b'), COLOURS.code());
        let text = "100 * 6 = 2 * 300, `--tune '*,tempo'`, [0; 1], a ` and [";
        assert_eq!(plain(text, 80, COLOURS), ["100 * 6 = 2 * 300, --tune '*,tempo', [0; 1], a ` and ["]);
        assert_eq!(plain("a `b` c", 80, ASCII), ["a `b` c"], "without colours the signs stay");
    }

    #[test]
    fn the_columns_of_a_table_are_aligned_and_its_widest_column_is_broken() {
        let text = "| row | what it says |\n|---|:--|\n| 1 | `a` b |\n| 22 | one two three four |";
        let wide = ["row  what it says", "───────────────────────", "1    a b", "22   one two three four"];
        assert_eq!(plain(text, 40, COLOURS), wide);
        let narrow = [
            "row  what it",
            "     says",
            "--------------",
            "1    `a` b",
            "22   one two",
            "     three",
            "     four",
        ];
        assert_eq!(plain(text, 14, ASCII), narrow);
        assert_eq!(plain("| a | b |\n|---|---|\n| 1 |", 1, ASCII).len(), 3, "no room at all");
    }

    #[test]
    fn escape_sequences_repeat_the_styles_and_code_keeps_its_columns() {
        let text = "a **bold** word\n\n    a long line of code";
        let plain = Theme { ground: None, ascii: true };
        assert_eq!(
            with_escapes(text, 10, plain),
            "a \u{1b}[1mbold\u{1b}[0m\nword\n\n    a long line of code\n"
        );
    }

    #[test]
    fn every_lesson_fits_and_shows_no_signs_of_markdown() {
        for lesson in LESSONS {
            let (_, text) = lesson.text.split_once('\n').unwrap();
            for width in [60, 80, 142] {
                for line in plain(text, width, COLOURS) {
                    assert!(line.chars().count() <= width, "{}: {line}", lesson.file);
                    let signs = ["**", "](", "```", "<!--", "<details", "|---"];
                    assert!(!signs.iter().any(|sign| line.contains(sign)), "{}: {line}", lesson.file);
                }
            }
        }
    }
}
