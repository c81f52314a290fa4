//! Cuts a stream into the texts of its games.
//!
//! A text ends where tags follow moves, and at a blank line after a result. A comment that is never closed ends
//! with the text, and spoils no other game: it ends before the Event tag after which another one begins. Several
//! texts can be read at once, on all threads.

use std::io::{self, BufRead, Read};

use super::outcome;

/// Games of this many bytes or more are broken: they must not fill the memory.
pub(super) const LONGEST_GAME: usize = 16 << 20;

/// Ends a line in place of the blank between a result and the next game: a form feed, which is white space and no
/// end of a line of the file.
const CUT: u8 = 0x0c;

/// The text of a game, or comments only.
pub(super) struct GameText {
    /// Its lines, each with `\n` at its end, or [`CUT`].
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
    /// Lines that were read. Those of the next text begin at `start`.
    bytes: Vec<u8>,
    start: usize,
    /// Lines before those of the next text.
    lines: usize,
}

impl<R: BufRead> GameSplitter<R> {
    pub(super) fn new(input: R) -> GameSplitter<R> {
        GameSplitter { input, bytes: Vec::new(), start: 0, lines: 0 }
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
        let (mut ends_at_event, mut has_moves, mut is_over) = (false, false, false);
        // Whether a comment is open, and where an Event tag stands in it.
        let (mut in_comment, mut event) = (false, None);
        let (mut length, mut lines_too_many) = (0, 0);
        while let Some(end) = self.line_end(length)? {
            let line = self.bytes[self.start + length..self.start + end].trim_ascii();
            if length == 0 && lines_too_many == 0 && line.is_empty() {
                (self.start, self.lines) = (self.start + end, self.lines + 1);
                continue;
            }
            if in_comment {
                let brace = line.iter().find(|byte| matches!(byte, b'{' | b'}'));
                if event.is_some() && brace == Some(&b'{') {
                    break;
                }
                if brace.is_none() && event.is_none() && is_event(line) {
                    event = Some(length);
                }
                (in_comment, is_over) = (is_open_after(line, true), ends_with_result(line));
                event = event.filter(|_| brace.is_none());
            } else {
                match line {
                    [] if is_over => break,
                    [] => ends_at_event = true,
                    [b'%' | b';', ..] => {}
                    // A game without moves ends at the Event tag of the next, which comes first and only
                    // once. After moves a remark may stand in brackets.
                    _ if is_event(line) && (has_moves || ends_at_event) => break,
                    _ if is_tag(line) && has_moves && line.contains(&b'"') => break,
                    _ if is_tag(line) => ends_at_event |= is_event(line),
                    _ => {
                        (has_moves, is_over, in_comment) =
                            (true, ends_with_result(line), is_open_after(line, false))
                    }
                }
            }
            if end < LONGEST_GAME {
                length = end;
            } else if event.is_some() {
                break;
            } else {
                self.bytes.drain(self.start + length..self.start + end);
                lines_too_many += 1;
            }
        }
        // A comment in which another one begins, or that never ends, was not closed before that Event tag.
        let length = event.unwrap_or(length);
        let bytes = self.bytes[self.start..self.start + length].to_vec();
        let text = GameText { bytes, first_line: self.lines + 1, is_too_long: lines_too_many > 0 };
        self.start += length;
        self.lines += lines_too_many + text.bytes.iter().filter(|&&byte| byte == b'\n').count();
        Ok((length > 0 || lines_too_many > 0).then_some(text))
    }

    /// Where the line ends that begins so many bytes after `start`, which is read if need be; none at the end
    /// of the stream. A line of more than [`LONGEST_GAME`] bytes is read in parts.
    fn line_end(&mut self, from: usize) -> io::Result<Option<usize>> {
        let bytes = &self.bytes[self.start + from..];
        if let Some(end) = bytes.iter().position(|&byte| byte == b'\n' || byte == CUT) {
            return Ok(Some(from + end + 1));
        }
        if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..std::mem::take(&mut self.start));
        }
        let begin = self.bytes.len();
        if self.input.by_ref().take(LONGEST_GAME as u64).read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        if !self.bytes.ends_with(b"\n") {
            self.bytes.push(b'\n');
        }
        match self.clean_line(begin) {
            true => self.line_end(from),
            false => Ok(Some(self.bytes.len() - self.start)),
        }
    }

    /// Makes a space of every no-break and zero-width space of the last line, which begins at `begin`, and UTF-8
    /// of Latin-1, which old files have and where no byte is wrong. A byte order mark is such a space: files that
    /// begin with it get concatenated. Cuts it where a game begins in it, and returns whether one does.
    fn clean_line(&mut self, begin: usize) -> bool {
        let line = &self.bytes[begin..self.bytes.len() - 1];
        let is_space = |letter: char| {
            letter.is_whitespace() || matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
        };
        if !line.is_ascii() {
            let latin = || line.iter().copied().map(char::from).collect();
            let text = str::from_utf8(line).map_or_else(|_| latin(), String::from);
            self.bytes.splice(begin..self.bytes.len() - 1, text.replace(is_space, " ").into_bytes());
        }
        let (mut at, mut is_cut) = (begin, false);
        while self.bytes[at + 1..].contains(&b'[') {
            at += 1 + self.bytes[at + 1..].iter().take_while(|&&byte| byte != b'[').count();
            let (before, rest) = self.bytes[begin..].split_at(at - begin);
            if before.ends_with(b" ") && is_event(rest) && ends_with_result(before.trim_ascii_end()) {
                (self.bytes[at - 1], is_cut) = (CUT, true);
            }
        }
        is_cut
    }
}

/// Whether a comment is open after a line of moves, at whose begin one `is_open` or not.
fn is_open_after(line: &[u8], mut is_open: bool) -> bool {
    // Most lines have no comment.
    if !is_open && !line.contains(&b'{') {
        return false;
    }
    for byte in line {
        match byte {
            b'}' => is_open = false,
            b'{' => is_open = true,
            b';' if !is_open => return false,
            _ => {}
        }
    }
    is_open
}

/// Whether `line` begins with a tag. `[%clk 0:01]` is none: a name starts with a letter, and a value with a
/// quote, or the tag ends with the line.
fn is_tag(line: &[u8]) -> bool {
    tag_name(line).is_some_and(|name| name.first().is_some_and(u8::is_ascii_alphabetic))
        && (line.contains(&b'"') || line.ends_with(b"]"))
}

/// Whether `line` begins with the Event tag.
fn is_event(line: &[u8]) -> bool {
    tag_name(line).is_some_and(|name| name.eq_ignore_ascii_case(b"Event")) && is_tag(line)
}

/// The first word after a bracket.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let tag = line.strip_prefix(b"[")?.trim_ascii_start();
    Some(&tag[..tag.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(tag.len())])
}

/// Whether the result stands at the end of a line.
fn ends_with_result(line: &[u8]) -> bool {
    line.ends_with(b"*") || outcome::at_end(line).is_some()
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
    fn a_closed_comment_may_hold_a_result_a_blank_line_and_tags() {
        for inside in
            ["1-0\n\nand on", "\n\n", "[Event \"x\"]", "a\n[Event \"x\"]\n\n1. d4 *\n\n", "; \n", "%"]
        {
            let game = format!("[Event \"a\"]\n\n1. e4 {{ {inside}\n}} e5 *\n\n");
            assert_eq!(texts(format!("{game}{game}").as_bytes()).len(), 2, "{inside}");
        }
        // What follows a semicolon opens none.
        assert_eq!(texts(b"1. e4 ; { no\ne5 *\n\n1. d4 *\n").len(), 2);
    }

    #[test]
    fn each_open_comment_ends_at_the_next_event_and_lines_keep_their_numbers() {
        let game = "[Event \"a\"]\n\n1. e4 { oh\n\n1-0\n\n";
        let text = game.repeat(3) + "[Event \"b\"]\n\n1. d4 {well} *\n";
        let mut splitter = GameSplitter::new(text.as_bytes());
        for first_line in [1, 7, 13, 19] {
            assert_eq!(splitter.read_text().unwrap().unwrap().first_line, first_line);
        }
        assert!(splitter.read_text().unwrap().is_none());
    }

    #[test]
    fn white_space_of_every_kind_may_stand_in_tags_and_before_them() {
        for space in ["", " ", "\t ", "\u{a0}", "\u{200b}", "\u{feff}"] {
            let game = format!("{space}[{space}Event{space}\"a\"{space}]\n\n1.{space}e4{space}*\n\n");
            let found = texts(game.repeat(2).as_bytes());
            assert_eq!(found.len(), 2, "{space:?}");
            assert!(found[0].is_ascii(), "{found:?}");
        }
        assert_eq!(texts(b"1.\xa0e4 {caf\xe9} *\n").len(), 1);
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
