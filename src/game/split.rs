//! Cuts a stream into the texts of its games, one at a time.
//!
//! Second step of reading games. A game ends where the tags of the next begin, or, in files without
//! tags, at the end of a line that ends with a result. A blank line alone ends nothing. So a comment
//! that was never closed costs its own game and not all that follow. Knows lines, tags and comments, but
//! no moves.

use std::io::{self, BufRead};

use super::tags;

/// No game is as long as this; what is, is damage, and must not fill the memory.
pub(super) const LONGEST_GAME: usize = 16 << 20;

/// The text of one game, line ends made `\n`.
pub(super) enum Text<'a> {
    Whole(&'a [u8]),
    /// More than [`LONGEST_GAME`] bytes; they were passed over.
    TooLong,
}

/// Reads games off a stream.
pub(super) struct Split<R> {
    input: R,
    line: Vec<u8>,
    /// `line` is read, but belongs to the next game.
    held: bool,
    /// The last line ended with a carriage return; a line feed right after it is part of the same end.
    after_return: bool,
    text: Vec<u8>,
    state: State,
}

/// What was seen of the current game.
#[derive(Default)]
struct State {
    tags: bool,
    event: bool,
    /// A blank line after tags, before any moves.
    gap: bool,
    moves: bool,
    ended: bool,
    in_comment: bool,
    too_long: bool,
}

/// What stands before a line.
enum Before {
    /// A whole game: the line belongs to the next.
    Game,
    /// Something that the line goes on with.
    More,
    /// A comment that was opened before the first tag and never closed.
    Nothing,
}

impl<R: BufRead> Split<R> {
    pub(super) fn new(input: R) -> Split<R> {
        let (line, text) = (Vec::new(), Vec::new());
        Split { input, line, held: false, after_return: false, text, state: State::default() }
    }

    pub(super) fn get_ref(&self) -> &R {
        &self.input
    }

    /// The next game, or `None` at the end; comments and blank lines alone are no game.
    ///
    /// # Errors
    ///
    /// Those of the stream.
    pub(super) fn next_text(&mut self) -> io::Result<Option<Text<'_>>> {
        self.text.clear();
        self.state = State::default();
        while std::mem::take(&mut self.held) || self.read_line()? {
            match self.state.before(&self.line) {
                Before::Game => {
                    self.held = true;
                    break;
                }
                Before::Nothing => {
                    self.text.clear();
                    self.state = State::default();
                }
                Before::More => {}
            }
            self.take_line();
        }
        Ok(match self.state {
            State { tags: false, moves: false, .. } => None,
            State { too_long: true, .. } => Some(Text::TooLong),
            _ => Some(Text::Whole(&self.text)),
        })
    }

    /// Adds the line to the game.
    fn take_line(&mut self) {
        if self.line.first() == Some(&b'%') && !self.state.in_comment {
            return;
        }
        if self.text.len() + self.line.len() >= LONGEST_GAME {
            self.state.too_long = true;
        }
        self.state.note(&self.line);
        if !self.state.too_long {
            self.text.extend_from_slice(&self.line);
            self.text.push(b'\n');
        }
    }

    /// Reads a line without its end, be it `\n`, `\r\n` or `\r`; false at the end of the stream. Bytes
    /// beyond the longest game are dropped.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
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
            let room = LONGEST_GAME - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.after_return = end.is_some_and(|end| bytes[end] == b'\r');
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if self.line.starts_with(b"\xef\xbb\xbf") {
            // Not at the start only: files with a byte order mark get concatenated.
            self.line.drain(..3);
        }
        Ok(any)
    }
}

impl State {
    /// What does `line` find before it?
    fn before(&self, line: &[u8]) -> Before {
        let tag = tags::tag_name(line).filter(|tag| tag.quoted || !self.in_comment);
        let Some(tag) = tag else {
            let over = self.ended && !self.in_comment && starts_with_text(line);
            return if over { Before::Game } else { Before::More };
        };
        // The Event tag comes first, and only once: before it may stand a game without moves.
        let new_event = (self.event || self.gap) && tag.name.eq_ignore_ascii_case(b"Event");
        if self.moves || new_event || (self.in_comment && self.tags) {
            Before::Game
        } else if self.in_comment {
            Before::Nothing
        } else {
            Before::More
        }
    }

    /// Takes note of what stands in `line`.
    fn note(&mut self, line: &[u8]) {
        self.gap |= self.tags && line.trim_ascii().is_empty();
        let mut rest = line;
        if !self.in_comment
            && let Some(tag) = tags::tag_name(line)
        {
            self.tags = true;
            self.event |= tag.name.eq_ignore_ascii_case(b"Event");
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

    /// Takes note of a piece of movetext without comments.
    fn note_moves(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        if !text.is_empty() {
            self.moves = true;
            let last = text.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
            self.ended = last.ends_with(b"*") || super::movetext::outcome(last).is_some();
        }
    }
}

/// Does `line` start with something else than a comment, a variation or an annotation?
fn starts_with_text(line: &[u8]) -> bool {
    let first = line.trim_ascii_start().first();
    first.is_some_and(|byte| !b"{;%()!?$".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &[u8]) -> Vec<String> {
        let mut split = Split::new(input);
        let mut texts = Vec::new();
        while let Some(text) = split.next_text().unwrap() {
            texts.push(match text {
                Text::Whole(text) => String::from_utf8_lossy(text).trim().replace('\n', "|"),
                Text::TooLong => "too long".into(),
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
