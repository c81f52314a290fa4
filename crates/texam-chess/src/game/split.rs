//! Cuts a stream into the texts of its games, one at a time.
//!
//! Second step of reading games. A game ends where the tags of the next begin, or, in files without tags, at the
//! end of a line that ends with a result. A blank line alone ends nothing. So a comment that was never closed
//! spoils its own game and not all that follow. Knows lines, tags and comments, but no moves.

use std::{
    borrow::Cow,
    io::{self, BufRead},
};

use super::tags;

/// Games of this many bytes or more are broken: they must not fill the memory.
pub(super) const LONGEST_GAME: usize = 16 << 20;

/// The text of one game.
pub(super) struct GameText<'a> {
    /// Its bytes. Line ends are `\n`; lines that begin with `%` are empty.
    pub(super) bytes: Cow<'a, [u8]>,
    /// Number of its first line in the file, from 1.
    pub(super) first_line: usize,
    /// Whether the game has [`LONGEST_GAME`] bytes or more; then only the first lines are there.
    pub(super) is_too_long: bool,
}

impl GameText<'_> {
    /// The text with bytes of its own.
    pub(super) fn into_owned(self) -> GameText<'static> {
        GameText { bytes: Cow::Owned(self.bytes.into_owned()), ..self }
    }

    /// Number in the file of the line with the byte `at`, from 1.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.first_line + self.bytes[..at].iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// Reads the texts of games off a stream.
pub(super) struct GameSplitter<R> {
    input: R,
    /// The lines of the game, and after them the line that was read last.
    text: Vec<u8>,
    /// Where the line that was read last begins in `text`.
    line_start: usize,
    /// Number of the line that was read last, from 1.
    line_number: usize,
    /// The line that was read last belongs to the next game.
    is_line_pending: bool,
    /// The last line ended with a carriage return; a line feed right after it is part of the same end.
    after_return: bool,
}

/// What was seen of the current game.
#[derive(Default)]
struct GameState {
    /// There are tags.
    has_tags: bool,
    /// There is an Event tag.
    has_event: bool,
    /// There is a blank line after a tag.
    has_gap: bool,
    /// There is movetext.
    has_moves: bool,
    /// The movetext ends with a result.
    is_over: bool,
    /// A comment is open.
    in_comment: bool,
    /// There are [`LONGEST_GAME`] bytes or more.
    is_too_long: bool,
}

/// What a line is to the current game.
enum LineKind {
    /// The first line of the next game.
    StartOfNext,
    /// One more line of the game.
    Continuation,
    /// The first line of the game: before it is only a comment that was never closed.
    Start,
}

impl<R: BufRead> GameSplitter<R> {
    pub(super) fn new(input: R) -> GameSplitter<R> {
        GameSplitter {
            input,
            text: Vec::new(),
            line_start: 0,
            line_number: 0,
            is_line_pending: false,
            after_return: false,
        }
    }

    pub(super) fn get_ref(&self) -> &R {
        &self.input
    }

    /// Reads the next game; `None` at the end. Comments and blank lines alone are no game.
    ///
    /// # Errors
    ///
    /// Those of the stream.
    pub(super) fn read_game(&mut self) -> io::Result<Option<GameText<'_>>> {
        let mut state = GameState::default();
        let mut first_line = self.line_number;
        self.drop_lines();
        while std::mem::take(&mut self.is_line_pending) || self.read_line()? {
            match state.kind_of(&self.text[self.line_start..]) {
                LineKind::StartOfNext => {
                    self.is_line_pending = true;
                    break;
                }
                LineKind::Start => {
                    state = GameState::default();
                    self.drop_lines();
                }
                LineKind::Continuation => {}
            }
            if self.line_start == 0 && !state.is_too_long {
                first_line = self.line_number;
            }
            self.take_line(&mut state);
        }
        let bytes = &self.text[..self.line_start];
        let is_game = state.has_tags || state.has_moves;
        Ok(is_game.then_some(GameText {
            bytes: Cow::Borrowed(bytes),
            first_line,
            is_too_long: state.is_too_long,
        }))
    }

    /// Drops all lines before the one that was read last.
    fn drop_lines(&mut self) {
        self.text.drain(..self.line_start);
        self.line_start = 0;
    }

    /// Adds the line that was read last to the game. Blank lines at its start are left out.
    fn take_line(&mut self, state: &mut GameState) {
        let line = &self.text[self.line_start..];
        if line.first() == Some(&b'%') && !state.in_comment {
            self.text.truncate(self.line_start);
        } else {
            state.note(line);
        }
        if self.line_start == 0 && self.text.trim_ascii().is_empty() {
            return self.text.clear();
        }
        state.is_too_long |= self.text.len() >= LONGEST_GAME;
        if state.is_too_long {
            self.text.truncate(self.line_start);
        } else {
            self.text.push(b'\n');
            self.line_start = self.text.len();
        }
    }

    /// Reads a line without its end, be it `\n`, `\r\n` or `\r`; false at the end of the stream. Bytes beyond
    /// the longest game are dropped.
    fn read_line(&mut self) -> io::Result<bool> {
        let mut any = false;
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if bytes.is_empty() {
                break;
            }
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            any = true;
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let room = self.line_start + LONGEST_GAME - self.text.len();
            self.text.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.after_return = end.is_some_and(|end| bytes[end] == b'\r');
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        self.line_number += usize::from(any);
        if self.text[self.line_start..].starts_with(b"\xef\xbb\xbf") {
            // Not at the start only: files with a byte order mark get concatenated.
            self.text.drain(self.line_start..self.line_start + 3);
        }
        Ok(any)
    }
}

impl GameState {
    /// What `line` is to the game.
    fn kind_of(&self, line: &[u8]) -> LineKind {
        let tag = tags::tag_name(line).filter(|tag| tag.has_value || !self.in_comment);
        let Some(tag) = tag else {
            let is_over = self.is_over && !self.in_comment && starts_with_text(line);
            return if is_over { LineKind::StartOfNext } else { LineKind::Continuation };
        };
        // The Event tag comes first, and only once: before it there may be a game without moves.
        let is_new_event = (self.has_event || self.has_gap) && tag.name.eq_ignore_ascii_case(b"Event");
        if self.has_moves || is_new_event || (self.in_comment && self.has_tags) {
            LineKind::StartOfNext
        } else if self.in_comment {
            LineKind::Start
        } else {
            LineKind::Continuation
        }
    }

    /// Notes what `line` contains.
    fn note(&mut self, line: &[u8]) {
        self.has_gap |= self.has_tags && line.trim_ascii().is_empty();
        let mut rest = line;
        if !self.in_comment
            && let Some(tag) = tags::tag_name(line)
        {
            self.has_tags = true;
            self.has_event |= tag.name.eq_ignore_ascii_case(b"Event");
            let end = line.iter().rposition(|&byte| byte == b']').map_or(line.len(), |at| at + 1);
            rest = &line[end..];
        }
        while !rest.is_empty() {
            if self.in_comment {
                let Some(end) = rest.iter().position(|&byte| byte == b'}') else { return };
                self.in_comment = false;
                rest = &rest[end + 1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'{' | b';'));
            self.note_moves(&rest[..end.unwrap_or(rest.len())]);
            let Some(end) = end else { return };
            if rest[end] == b';' {
                return;
            }
            self.in_comment = true;
            rest = &rest[end + 1..];
        }
    }

    /// Notes what a piece of movetext without comments contains.
    fn note_moves(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        if !text.is_empty() {
            self.has_moves = true;
            let last = text.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
            self.is_over = last.ends_with(b"*") || super::movetext::outcome(last).is_some();
        }
    }
}

/// Whether `line` starts with anything but a comment, a variation or an annotation.
fn starts_with_text(line: &[u8]) -> bool {
    let first = line.trim_ascii_start().first();
    first.is_some_and(|byte| !b"{;%()!?$".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &[u8]) -> Vec<String> {
        let mut splitter = GameSplitter::new(input);
        let mut texts = Vec::new();
        while let Some(text) = splitter.read_game().unwrap() {
            texts.push(match text.is_too_long {
                true => "too long".into(),
                false => String::from_utf8_lossy(&text.bytes).trim().replace('\n', "|"),
            });
        }
        texts
    }

    #[test]
    fn a_game_ends_where_the_tags_of_the_next_begin() {
        let games = texts(b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4\n\n1... e5 *\n\n[Event \"c\"]\n\n1. d4 *");
        assert_eq!(games, ["[Event \"a\"]|[Site \"b\"]||1. e4||1... e5 *", "[Event \"c\"]||1. d4 *"]);
    }

    #[test]
    fn line_ends_of_all_kinds_are_the_same() {
        let unix = texts(b"[Event \"a\"]\n\n1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 0-1\n");
        assert_eq!(unix, texts(b"[Event \"a\"]\r\n\r\n1. e4 1-0\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 0-1\r\n"));
        assert_eq!(unix, texts(b"[Event \"a\"]\r\r1. e4 1-0\r\r[Event \"b\"]\r\r1. d4 0-1\r"));
    }

    #[test]
    fn games_without_tags_end_with_the_line_of_their_result() {
        assert_eq!(
            texts(b"1. e4 e5\n2. Nf3 1-0 {good}\n\n1. d4 *\n1. c4 0-1"),
            ["1. e4 e5|2. Nf3 1-0 {good}", "1. d4 *", "1. c4 0-1"]
        );
    }

    #[test]
    fn an_open_comment_ends_with_the_tags_of_the_next_game() {
        let games = texts(b"[Event \"a\"]\n\n1. e4 { oh\n[%clk 1] 1-0\n\n[Event \"b\"]\n\n1. d4 *");
        assert_eq!(games.len(), 2);
        assert_eq!(games[1], "[Event \"b\"]||1. d4 *");
    }

    #[test]
    fn a_comment_may_hold_results_blank_lines_and_clock_lines() {
        assert_eq!(texts(b"1. e4 {he won 1-0\n\n[%clk 0:01]\nagain} e5 1-0").len(), 1);
        assert_eq!(texts(b"1. e4 ; { no comment\n e5 1-0\n\n1. d4 1-0").len(), 2);
    }

    #[test]
    fn tags_alone_are_a_game_and_comments_alone_are_none() {
        let tags = b"[Event \"a\"]\n[Result \"1-0\"]\n\n\n[Event \"b\"]\n[Result \"1-0\"]\n";
        assert_eq!(texts(tags).len(), 2);
        assert_eq!(texts(b"\n; nothing\n% nothing\n{ nothing }\n\n").len(), 0);
        assert_eq!(texts(b"{ never closed\n[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4 *").len(), 2);
        assert_eq!(texts(b"{ collected by hand }\n[Event \"a\"]\n\n1. e4 *").len(), 1);
    }

    #[test]
    fn an_escaped_line_between_tags_is_no_blank_line() {
        assert_eq!(texts(b"[Site \"a\"]\n% no\n[Event \"b\"]\n\n1. e4 *").len(), 1);
        assert_eq!(texts(b"[Site \"a\"]\n\n[Event \"b\"]\n\n1. e4 *").len(), 2);
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
