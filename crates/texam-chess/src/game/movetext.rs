//! Movetext becomes moves and results, one after the other.
//!
//! Comments, variations, annotations and move numbers are skipped. Moves and results that people write otherwise
//! than the standard (`0-0`, `e8Q`, `N:d5`, `½-½`) are understood where their meaning is certain. Any other word
//! ends the reading: a reader that skips it, as that of pgn-reader does, takes the next move for one of the wrong
//! side, or finds a shorter game. Knows how moves are written, not whether they are legal.

use arrayvec::ArrayVec;
use shakmaty::{
    CastlingSide, Color, KnownOutcome, Outcome, Role,
    san::{San, SanPlus},
};

/// A part of the main line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A move, legal or not.
    Move(SanPlus),
    /// A result; the unknown result `*` is one.
    Result(Outcome),
}

/// Something that cannot be read and ends the reading of its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// What was expected in its place.
    pub(super) expected: &'static str,
    /// What was found.
    pub(super) found: String,
}

/// What the end of a game is called in messages.
pub(super) const END: &str = "the end of the game";

/// The result that `word` is, in any of the usual spellings.
pub(super) fn outcome(word: &[u8]) -> Option<Outcome> {
    const LONGEST: usize = "1/2—1/2.".len();
    if !matches!(word.first()?, b'0' | b'1' | b'*' | b'\xbd' | b'\xc2') || word.len() > LONGEST {
        return None; // nearly every word
    }
    let word = word.strip_suffix(b".").unwrap_or(word);
    if word == b"\xbd-\xbd" {
        return Some(Outcome::Known(KnownOutcome::Draw)); // Latin-1
    }
    let word = str::from_utf8(word).ok()?;
    match (word.split_once(['-', '–', '—']), word) {
        (Some(("1", "0")), _) => Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::White })),
        (Some(("0", "1")), _) => Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::Black })),
        (Some(("1/2", "1/2") | ("½", "½")), _) | (None, "1/2" | "½") => {
            Some(Outcome::Known(KnownOutcome::Draw))
        }
        (None, "*") => Some(Outcome::Unknown),
        _ => None,
    }
}

/// The start of `bytes`, quoted and escaped for a message.
pub(super) fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 24;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let start: String = text.chars().take(SHOWN).collect();
    let more = if text.chars().count() > SHOWN { "..." } else { "" };
    format!("\"{}{more}\"", start.escape_debug())
}

/// Reads the tokens of a movetext.
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    /// Where the reading goes on.
    at: usize,
    /// Where the last token begins, or what could not be read.
    start: usize,
}

impl<'a> Tokens<'a> {
    /// Reads the movetext that begins at byte `at` of `text`.
    pub(super) fn new(text: &'a [u8], at: usize) -> Tokens<'a> {
        Tokens { text, at, start: at }
    }

    /// Where the last token begins, or what could not be read.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Reads the next move or result; `None` at the end of the text.
    ///
    /// # Errors
    ///
    /// A word that is neither, or a comment or variation that is never closed.
    pub(super) fn read(&mut self) -> Result<Option<Token>, Unreadable> {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'{' => self.skip_comment()?,
                b';' => self.skip_line(),
                b'(' => self.skip_variation()?,
                b'$' => self.at += 1 + count(&self.text[self.at + 1..], |byte| byte.is_ascii_digit()),
                b'!' | b'?' => self.at += 1,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => {
                    self.start = self.at;
                    if let Some(token) = self.read_word()? {
                        return Ok(Some(token));
                    }
                }
            }
        }
        Ok(None)
    }

    fn skip_comment(&mut self) -> Result<(), Unreadable> {
        let Some(length) = self.text[self.at..].iter().position(|&byte| byte == b'}') else {
            self.start = self.at;
            return Err(Unreadable { expected: "\"}\" to close a comment", found: END.into() });
        };
        self.at += length + 1;
        Ok(())
    }

    fn skip_line(&mut self) {
        self.at += count(&self.text[self.at..], |byte| byte != b'\n');
    }

    /// Skips a variation with the variations and comments inside it.
    fn skip_variation(&mut self) -> Result<(), Unreadable> {
        let start = self.at;
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'{' => self.skip_comment()?,
                b';' => self.skip_line(),
                _ => self.at += 1,
            }
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Ok(()),
                b')' => depth -= 1,
                _ => {}
            }
        }
        self.start = start;
        Err(Unreadable { expected: "\")\" to close a variation", found: END.into() })
    }

    /// Reads a word; `None` if it is only a move number or an annotation.
    fn read_word(&mut self) -> Result<Option<Token>, Unreadable> {
        let rest = &self.text[self.at..];
        // A bracket that closes nothing is a word of its own, for the message. So is `*`, the unknown result.
        let word = &rest[..count(rest, |byte| !ends_word(byte)).max(1)];
        self.at += word.len();
        let mut part = word;
        loop {
            if let Some(outcome) = outcome(part) {
                return Ok(Some(Token::Result(outcome)));
            }
            let rest = without_number(part);
            if rest.is_empty() {
                return Ok(None);
            }
            if rest.len() == part.len() {
                break;
            }
            part = rest;
        }
        match move_of(part) {
            Some(san) => Ok(Some(Token::Move(self.with_promotion_in_brackets(san)))),
            None if is_annotation(part) => Ok(None),
            None => Err(Unreadable { expected: "a legal move", found: quoted(word) }),
        }
    }

    /// Reads `(Q)` after `e8` as part of the move.
    fn with_promotion_in_brackets(&mut self, mut san: SanPlus) -> SanPlus {
        if let San::Normal { promotion, .. } = &mut san.san
            && let [b'1' | b'8', b'(', piece @ (b'Q' | b'R' | b'B' | b'N'), b')', ..] =
                self.text[self.at - 1..]
        {
            *promotion = Role::from_char(char::from(piece));
            self.at += 3;
        }
        san
    }
}

/// The number of bytes at the start of `bytes` that are as wanted.
fn count(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !is_wanted(byte)).unwrap_or(bytes.len())
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{}();!?$*".contains(&byte)
}

/// Cuts `12.` or `12...` off the front. A zero starts no number: `0-0`, and `0000`, which is a null move.
fn without_number(word: &[u8]) -> &[u8] {
    if word.starts_with(b"0") {
        return word;
    }
    let rest = &word[count(word, |byte| byte.is_ascii_digit())..];
    let rest = &rest[count(rest, |byte| byte == b'.')..];
    rest.strip_prefix("…".as_bytes()).unwrap_or(rest)
}

/// Whether `word` is an annotation outside a comment: `+-`, `=`, `±`; N for novelty, D for diagram; `e.p.` on its
/// own.
fn is_annotation(word: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"+-=/#~|<>^,:'\"_".contains(byte) || !byte.is_ascii();
    matches!(word, b"N" | b"D" | b"e.p." | b"ep" | b"e.p") || word.iter().all(is_sign)
}

/// The move that `word` is, in SAN or in another spelling whose meaning is certain.
fn move_of(word: &[u8]) -> Option<SanPlus> {
    SanPlus::from_ascii(word).ok().or_else(|| Some(SanPlus { san: nonstandard_move(word)?, suffix: None }))
}

fn nonstandard_move(word: &[u8]) -> Option<San> {
    let core = [b"e.p." as &[u8], b"ep"].iter().find_map(|end| word.strip_suffix(*end)).unwrap_or(word);
    // Double checks (`++`), evaluations (`+-`), offers of a draw (`=`) and stops, written onto the move.
    let signs = core.iter().rev().take_while(|byte| b"+-=/#~.,".contains(byte)).count();
    let core = &core[..core.len() - signs];
    // Zeros or small letters in castling.
    let is_castling = |standard: &[u8]| {
        let letters = core.iter().map(|byte| if b"0o".contains(byte) { b'O' } else { *byte });
        letters.eq(standard.iter().copied())
    };
    if is_castling(b"O-O") {
        return Some(San::Castle(CastlingSide::KingSide));
    }
    if is_castling(b"O-O-O") {
        return Some(San::Castle(CastlingSide::QueenSide));
    }
    // `e2-e4`, `N:d5`.
    let mut san = ArrayVec::<u8, 12>::new();
    for &byte in core.iter().filter(|byte| **byte != b'-') {
        san.try_push(if byte == b':' { b'x' } else { byte }).ok()?;
    }
    // `e8Q` and `e8/Q` for `e8=Q`.
    if let [.., b'1' | b'8', sign @ b'/', _] = &mut san[..] {
        *sign = b'=';
    } else if let [.., b'1' | b'8', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n'] = san[..] {
        san.try_insert(san.len() - 1, b'=').ok()?;
    }
    San::from_ascii(&san).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of `text` up to the first that cannot be read, and that.
    fn read(text: &str) -> (String, Option<Unreadable>) {
        let mut tokens = Tokens::new(text.as_bytes(), 0);
        let mut found = Vec::new();
        loop {
            match tokens.read() {
                Ok(Some(Token::Move(san))) => found.push(san.to_string()),
                Ok(Some(Token::Result(outcome))) => found.push(outcome.to_string()),
                Ok(None) => return (found.join(" "), None),
                Err(unreadable) => return (found.join(" "), Some(unreadable)),
            }
        }
    }

    fn moves(text: &str) -> String {
        let (tokens, unreadable) = read(text);
        assert_eq!(unreadable, None, "{text}");
        tokens
    }

    fn unreadable(text: &str) -> String {
        read(text).1.map(|unreadable| unreadable.found).unwrap_or_default()
    }

    #[test]
    fn comments_variations_numbers_and_annotations_are_left_out() {
        assert_eq!(
            moves("1. e4 {a (b} e5 $14 2.Nf3!? (2. f4 (2. d4 {)} ) exf4) Nc6 1-0"),
            "e4 e5 Nf3 Nc6 1-0"
        );
        assert_eq!(moves("1 e4 1... e5 2. ... ; rest ( {\n Nf3 +- N ± = e.p. *"), "e4 e5 Nf3 *");
        assert_eq!(moves("1.e4! e5?! 2.O-O-O#!?0-1"), "e4 e5 O-O-O# 0-1");
        assert_eq!(moves("12…Nf6 3. .. e5"), "Nf6 e5");
    }

    #[test]
    fn moves_written_otherwise_than_by_the_standard_are_understood() {
        let cases = [
            ("0-0 0-0-0+ o-o 5.0-0", "O-O O-O-O O-O O-O"),
            ("e8Q e8=Q bxa1/N e8(Q) fxg8Q+", "e8=Q e8=Q bxa1=N e8=Q fxg8=Q"),
            ("exd6e.p. exd6ep", "exd6 exd6"),
            ("e2-e4 Ng1-f3 N:d5 Pe4 Ng1f3 e2e4", "e2e4 Ng1f3 Nxd5 e4 Ng1f3 e2e4"),
            ("Nf3++ Nf3+- Nf3. Nf3=", "Nf3 Nf3 Nf3 Nf3"),
        ];
        for (text, expected) in cases {
            assert_eq!(moves(text), expected);
        }
    }

    #[test]
    fn results_of_all_fashions_are_understood() {
        assert_eq!(moves("1-0 0–1 1/2 ½-½ 1/2-1/2 1-0. *"), "1-0 0-1 1/2-1/2 1/2-1/2 1/2-1/2 1-0 *");
        assert_eq!(outcome(b"\xbd-\xbd"), Some(Outcome::Known(KnownOutcome::Draw)));
        assert_eq!(outcome(b"10-0"), None);
    }

    #[test]
    fn unreadable_words_end_the_reading_and_are_named() {
        for word in
            ["Nf9", "Sf3", "e9", "Txe5", ")", "}", "[Event", "0000", "e4e5Nf3x", "\u{1}", "10-0", "e8(X"]
        {
            assert!(unreadable(&format!("1. e4 e5 2. {word} d4")).len() > 2, "{word}");
        }
        assert_eq!(read("e4 Nf9 d4").0, "e4");
        assert_eq!(unreadable("e4 Nf9 d4"), "\"Nf9\"");
        assert_eq!(unreadable("e4 e5 } d4"), "\"}\"");
    }

    #[test]
    fn what_is_opened_and_never_closed_cannot_be_read() {
        assert_eq!(unreadable("e4 { oh 1-0"), END);
        assert_eq!(unreadable("e4 (e5 (d4) 1-0"), END);
        assert_eq!(unreadable("e4 (e5 { ) 1-0"), END);
    }

    #[test]
    fn long_and_binary_findings_are_shown_short_and_escaped() {
        assert_eq!(quoted(&[b'x'; 100]), format!("\"{}...\"", "x".repeat(24)));
        assert_eq!(quoted(b"\x00\xff\n"), "\"\\0\u{fffd}\\n\"");
    }
}
