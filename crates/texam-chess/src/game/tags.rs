//! The tags at the start of a game.
//!
//! Reads tags as people write them: several on a line, with comments between them, and with quotes inside the
//! value. `[White "Joe "The Rook" Doe"]` would end the tags of its game for a strict reader, and the Result tag
//! would be lost. Knows the form of tags, not what they mean.

use pgn_reader::RawTag;

/// A tag with a value: `[Name "value"]`.
#[derive(Clone, Copy)]
pub(super) struct Tag<'a> {
    /// Where it begins in the text of its game.
    pub(super) at: usize,
    /// Its name as it is written; names differ in case from file to file.
    pub(super) name: &'a [u8],
    /// The value between its quotes.
    pub(super) value: RawTag<'a>,
}

impl Tag<'_> {
    /// The value without escapes, in UTF-8 or else Latin-1, which old files have and where no byte is wrong.
    pub(super) fn text(&self) -> String {
        let bytes = self.value.decode();
        let text = str::from_utf8(&bytes).map(String::from);
        text.unwrap_or_else(|_| bytes.iter().copied().map(char::from).collect()).trim().to_string()
    }
}

/// Iterates over the tags at the start of a text. Tags without a value and comments are left out.
pub(super) struct Tags<'a> {
    text: &'a [u8],
    /// Where the next tag is looked for; where the movetext begins after the last tag.
    at: usize,
    /// Where the line ends that was looked at last. It is kept because a search for each tag of a long line
    /// would take quadratic time.
    line_end: usize,
}

impl<'a> Tags<'a> {
    pub(super) fn new(text: &'a [u8]) -> Tags<'a> {
        Tags { text, at: 0, line_end: 0 }
    }

    /// Where the movetext begins, once there are no more tags.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    /// The rest of the current line.
    fn rest_of_line(&mut self) -> &'a [u8] {
        if self.at >= self.line_end {
            self.line_end =
                position(&self.text[self.at..], b'\n').map_or(self.text.len(), |end| self.at + end);
        }
        &self.text[self.at..self.line_end]
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            let rest = &self.text[self.at..];
            self.at += match rest.first()? {
                byte if byte.is_ascii_whitespace() => 1,
                b'{' => position(rest, b'}')? + 1,
                b';' => self.rest_of_line().len(),
                b'[' => {
                    let line = self.rest_of_line();
                    let name = tag_name(line)?.name;
                    let (value, length) = tag_value(line);
                    let at = self.at;
                    self.at += length;
                    match value {
                        Some(value) => return Some(Tag { at, name, value }),
                        None => 0,
                    }
                }
                _ => return None,
            };
        }
    }
}

/// The name of a tag, and whether a value in quotes follows.
pub(super) struct TagName<'a> {
    pub(super) name: &'a [u8],
    pub(super) has_value: bool,
}

/// The name of the tag that `line` begins with, if it does. `[%clk 0:01]` is none: a name starts with a letter.
pub(super) fn tag_name(line: &[u8]) -> Option<TagName<'_>> {
    let inner = line.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
    let end = inner.iter().position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_')?;
    let (name, rest) = inner.split_at(end);
    let next = rest.trim_ascii_start().first();
    let has_value = next == Some(&b'"');
    let is_tag = has_value || next == Some(&b']') || rest[0].is_ascii_whitespace();
    (is_tag && name.first()?.is_ascii_alphabetic()).then_some(TagName { name, has_value })
}

/// The value of the tag that `line` begins with, if it has one, and the length of the tag. A value without a
/// closing quote ends with the line.
fn tag_value(line: &[u8]) -> (Option<RawTag<'_>>, usize) {
    let Some(open) = line.iter().position(|byte| matches!(byte, b'"' | b']')) else {
        return (None, line.len());
    };
    if line[open] == b']' {
        return (None, open + 1);
    }
    let start = open + 1;
    let mut end = start;
    while end < line.len() && !(line[end] == b'"' && is_end_of_tag(&line[end + 1..])) {
        let is_escape = line[end] == b'\\' && matches!(line.get(end + 1), Some(b'"' | b'\\'));
        end += if is_escape { 2 } else { 1 };
    }
    let after = line.get(end + 1..).unwrap_or_default().trim_ascii_start();
    let bracket = usize::from(after.starts_with(b"]"));
    (Some(RawTag(&line[start..end])), line.len() - after.len() + bracket)
}

/// Whether the quote before `rest` closes the value. Otherwise it is part of the value.
fn is_end_of_tag(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start().first(), None | Some(b']'))
}

fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    bytes.iter().position(|&byte| byte == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags of `text` as `name=value`, and the text behind them.
    fn read(text: &str) -> (Vec<String>, &str) {
        let mut tags = Tags::new(text.as_bytes());
        let found = tags
            .by_ref()
            .map(|tag| format!("{}={}", String::from_utf8_lossy(tag.name), tag.text()))
            .collect();
        (found, &text[tags.end()..])
    }

    #[test]
    fn escapes_in_a_value_are_decoded() {
        let tags = "[White \"Doe, Joe\"]\n[Black \"a \\\"b\\\" \\\\ c\"]\n";
        assert_eq!(read(tags), (vec!["White=Doe, Joe".into(), "Black=a \"b\" \\ c".into()], ""));
    }

    #[test]
    fn quotes_within_a_value_are_part_of_it() {
        assert_eq!(read("[White \"Joe \"X\" Doe\"]\n1. e4").0, ["White=Joe \"X\" Doe"]);
    }

    #[test]
    fn several_tags_a_line_blanks_and_comments_are_understood() {
        let (tags, moves) = read("{c} [A \"1\"] [ B  \"2\" ]\n; x\n\n[C \"3\"] 1. e4");
        assert_eq!(tags, ["A=1", "B=2", "C=3"]);
        assert_eq!(moves, "1. e4");
    }

    #[test]
    fn a_tag_without_value_is_left_out_and_one_without_end_ends_with_its_line() {
        assert_eq!(read("[Event]\n[Site \"x\n[Date \"y\"\n1. d4").0, ["Site=x", "Date=y"]);
        assert_eq!(read("[Site \"x]\n1. d4"), (vec!["Site=x]".into()], "1. d4"));
        assert_eq!(read("[Site \"x\\").0, ["Site=x\\"]);
    }

    #[test]
    fn clocks_and_other_brackets_are_no_tags() {
        for line in ["[%clk 0:01]", "[", "[]", "[ ]", "[1 \"a\"]", "[a-b]", "Event \"a\"", ""] {
            assert!(tag_name(line.as_bytes()).is_none(), "{line}");
        }
    }
}
