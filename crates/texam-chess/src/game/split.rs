//! Cuts a stream into the texts of its games.
//!
//! A text ends where tags follow moves, and at a blank line after a result. pgn-reader ends games in these places too.
//! It gets one text at a time for two reasons. A comment that is never closed ends with the text, and spoils no other
//! game. And several texts can be read at once, on all threads.

use std::io::{self, BufRead, Read};

/// Games of this many bytes or more are broken: they must not fill the memory.
pub(super) const LONGEST_GAME: usize = 16 << 20;

/// The text of a game, or comments only.
pub(super) struct GameText {
    /// Its lines, each with `\n` at its end.
    pub(super) bytes: Vec<u8>,
    /// Number of its first line in the file, from 1.
    pub(super) first_line: usize,
    /// Whether the game has [`LONGEST_GAME`] bytes or more; then only the first lines are there.
    pub(super) is_too_long: bool,
}

impl GameText {
    /// Number in the file of the line with the byte `at`, from 1.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.first_line + self.bytes[..at].iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// Reads the texts of games off a stream.
pub(super) struct GameSplitter<R> {
    input: R,
    /// The lines of the game, and after them the line that was read last.
    bytes: Vec<u8>,
    /// Lines read so far.
    lines: usize,
}

impl<R: BufRead> GameSplitter<R> {
    pub(super) fn new(input: R) -> GameSplitter<R> {
        GameSplitter { input, bytes: Vec::new(), lines: 0 }
    }

    pub(super) fn get_ref(&self) -> &R {
        &self.input
    }

    /// Reads the next text; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the stream.
    pub(super) fn read_text(&mut self) -> io::Result<Option<GameText>> {
        let (mut ends_at_event, mut has_moves, mut is_over, mut is_too_long) = (false, false, false, false);
        let (mut first_line, mut line_start) = (0, 0);
        while self.bytes.len() > line_start || self.read_line()? {
            let line = self.bytes[line_start..].trim_ascii_end();
            if line_start == 0 && !is_too_long {
                if line.is_empty() {
                    self.bytes.clear();
                    continue;
                }
                first_line = self.lines;
            }
            match line {
                [] if is_over => break,
                [] => ends_at_event = true,
                [b'%' | b';', ..] => {}
                // A game without moves ends at the Event tag of the next, which comes first and only once.
                _ if is_tag(line) && (has_moves || (ends_at_event && is_event(line))) => break,
                _ if is_tag(line) => ends_at_event |= is_event(line),
                _ => (has_moves, is_over) = (true, ends_with_result(line)),
            }
            is_too_long |= self.bytes.len() >= LONGEST_GAME;
            if is_too_long {
                self.bytes.truncate(line_start);
            }
            line_start = self.bytes.len();
        }
        let text = GameText { bytes: self.bytes[..line_start].to_vec(), first_line, is_too_long };
        self.bytes.drain(..line_start);
        Ok((line_start > 0 || is_too_long).then_some(text))
    }

    /// Appends the next line; false at the end of the stream. A line of more than [`LONGEST_GAME`] bytes is read in parts.
    fn read_line(&mut self) -> io::Result<bool> {
        let start = self.bytes.len();
        let count = self.input.by_ref().take(LONGEST_GAME as u64).read_until(b'\n', &mut self.bytes)?;
        if count > 0 && !self.bytes.ends_with(b"\n") {
            self.bytes.push(b'\n');
        }
        if self.bytes[start..].starts_with(b"\xef\xbb\xbf") {
            // Not at the start only: files with a byte order mark get concatenated.
            self.bytes.drain(start..start + 3);
        }
        self.lines += usize::from(count > 0);
        Ok(count > 0)
    }
}

/// Whether `line` begins with a tag. `[%clk 0:01]` is none: a name starts with a letter, and a value with a quote.
fn is_tag(line: &[u8]) -> bool {
    matches!(line, [b'[', letter, ..] if letter.is_ascii_alphabetic()) && line.contains(&b'"')
}

/// Whether the tag in `line` is the Event tag.
fn is_event(line: &[u8]) -> bool {
    let is_named_so = line.get(1..6).is_some_and(|name| name.eq_ignore_ascii_case(b"Event"));
    is_named_so && matches!(line.get(6), Some(b' ' | b'\t' | b'"'))
}

fn ends_with_result(line: &[u8]) -> bool {
    [b"1-0" as &[u8], b"0-1", b"1/2-1/2", b"*"].iter().any(|result| line.ends_with(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &[u8]) -> Vec<String> {
        let mut splitter = GameSplitter::new(input);
        let mut texts = Vec::new();
        while let Some(text) = splitter.read_text().unwrap() {
            texts.push(match text.is_too_long {
                true => "too long".into(),
                false => String::from_utf8_lossy(&text.bytes).trim().replace('\n', "|"),
            });
        }
        texts
    }

    #[test]
    fn a_text_ends_where_the_tags_of_the_next_game_begin() {
        let games = texts(b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4\n\n1... e5 *\n[Event \"c\"]\n\n1. d4 *");
        assert_eq!(games, ["[Event \"a\"]|[Site \"b\"]||1. e4||1... e5 *", "[Event \"c\"]||1. d4 *"]);
    }

    #[test]
    fn a_text_without_tags_ends_at_the_blank_line_after_its_result() {
        assert_eq!(texts(b"1. e4 e5\n2. Nf3 1-0\n\n\n1. d4 *\n"), ["1. e4 e5|2. Nf3 1-0", "1. d4 *"]);
    }

    #[test]
    fn an_open_comment_ends_with_the_tags_of_the_next_game() {
        let games = texts(b"[Event \"a\"]\n\n1. e4 { oh\n[%clk 1] 1-0\n\n[Event \"b\"]\n\n1. d4 *");
        assert_eq!(games.len(), 2);
        assert_eq!(games[1], "[Event \"b\"]||1. d4 *");
    }

    #[test]
    fn tags_alone_are_a_text_and_remarks_end_none() {
        let tags = b"[Event \"a\"]\n[EventDate \"1\"]\n\n\n[event \"b\"]\n[Result \"1-0\"]\n";
        assert_eq!(texts(tags).len(), 2);
        assert_eq!(texts(b"[Site \"a\"]\n% no\n; no\n[Event \"b\"]\n\n1. e4 *").len(), 1);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_at_the_start_of_any_line() {
        let games = texts(b"\xef\xbb\xbf[Event \"a\"]\n\n1. e4 *\n\n\xef\xbb\xbf[Event \"b\"]\n\n1. d4 *");
        assert_eq!(games, ["[Event \"a\"]||1. e4 *", "[Event \"b\"]||1. d4 *"]);
    }

    #[test]
    fn a_game_without_end_is_passed_over() {
        let mut input = b"[Event \"a\"]\n\n".to_vec();
        input.resize(LONGEST_GAME + 100, b'x');
        input.extend_from_slice(b"\n[Event \"b\"]\n\n1. e4 *");
        assert_eq!(texts(&input), ["too long", "[Event \"b\"]||1. e4 *"]);
    }
}
