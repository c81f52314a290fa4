//! Movetext as people write it, made such that pgn-reader reads all of it.
//!
//! pgn-reader passes over what it cannot read in silence: `Nf9` is no move to it, nor is `e8Q`, and what
//! follows is then read as moves of the wrong side, or as a shorter game. Here such words are either put
//! right or handed on as a null move, which no game may contain, together with what stood there. Comments,
//! variations and annotations are left out. Knows how moves are written, not whether they are legal.

use std::borrow::Cow;

use shakmaty::san::{San, SanPlus};

/// Damage that ends the reading of a game; a null move stands where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Damage {
    pub(super) expected: &'static str,
    pub(super) found: String,
}

/// What the end of a game is called in messages.
pub(super) const END: &str = "the end of the game";

/// Writes the main line of `text` to `out`, on one line, as far as it can be read.
pub(super) fn tidy(text: &[u8], out: &mut Vec<u8>) -> Option<Damage> {
    let damage = Scan { text, at: 0, out }.main_line().err();
    if damage.is_some() {
        out.extend_from_slice(b"-- ");
    }
    damage
}

/// The result that `word` is, as the standard writes it.
pub(super) fn outcome(word: &[u8]) -> Option<&'static str> {
    if !matches!(word.first()?, b'0' | b'1' | b'*' | b'\xbd' | b'\xc2') {
        return None; // nearly every word
    }
    let word = word.strip_suffix(b".").unwrap_or(word);
    if word == b"\xbd-\xbd" {
        return Some("1/2-1/2"); // Latin-1
    }
    match str::from_utf8(word).ok()?.replace(['–', '—'], "-").as_str() {
        "1-0" => Some("1-0"),
        "0-1" => Some("0-1"),
        "1/2-1/2" | "1/2" | "½-½" | "½" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// A piece of a file, fit to be shown in a message.
pub(super) fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 24;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let start: String = text.chars().take(SHOWN).collect();
    let more = if text.chars().count() > SHOWN { "..." } else { "" };
    format!("\"{}{more}\"", start.escape_debug())
}

struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    out: &'a mut Vec<u8>,
}

impl Scan<'_> {
    fn main_line(&mut self) -> Result<(), Damage> {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'{' => self.comment()?,
                b';' => self.pass_until(b'\n'),
                b'(' if self.promotion() => {}
                b'(' => self.variation()?,
                b'*' => {
                    self.out.extend_from_slice(b"* ");
                    self.at += 1;
                }
                b'$' => {
                    self.at += 1;
                    while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
                        self.at += 1;
                    }
                }
                b'!' | b'?' => self.at += 1,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => self.word()?,
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), Damage> {
        match self.text[self.at..].iter().position(|&byte| byte == b'}') {
            Some(length) => self.at += length + 1,
            None => return Err(Damage { expected: "\"}\" to close a comment", found: END.into() }),
        }
        Ok(())
    }

    fn pass_until(&mut self, end: u8) {
        let length = self.text[self.at..].iter().position(|&byte| byte == end);
        self.at = length.map_or(self.text.len(), |length| self.at + length);
    }

    fn variation(&mut self) -> Result<(), Damage> {
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'{' => self.comment()?,
                b';' => self.pass_until(b'\n'),
                _ => self.at += 1,
            }
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Ok(()),
                b')' => depth -= 1,
                _ => {}
            }
        }
        Err(Damage { expected: "\")\" to close a variation", found: END.into() })
    }

    /// `e8(Q)`: takes the brackets for a promotion where a last rank stands right before them.
    fn promotion(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let [b'(', piece @ (b'Q' | b'R' | b'B' | b'N'), b')', ..] = *rest else { return false };
        let joined = self.at > 0 && matches!(self.text[self.at - 1], b'1' | b'8');
        if joined && self.out.pop_if(|byte| *byte == b' ').is_some() {
            self.out.extend_from_slice(&[b'=', piece, b' ']);
            self.at += 3;
            return true;
        }
        false
    }

    fn word(&mut self) -> Result<(), Damage> {
        let rest = &self.text[self.at..];
        let is_end = |byte: &u8| {
            byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b';' | b'!' | b'?')
        };
        let end = rest.iter().position(|byte| is_end(byte) || matches!(byte, b'$' | b'*'));
        // A closing bracket with nothing open makes a word of its own, for the message.
        let word = &rest[..end.unwrap_or(rest.len()).max(1)];
        self.at += word.len();
        if !write_word(word, self.out) {
            return Err(Damage { expected: "a legal move", found: quoted(word) });
        }
        Ok(())
    }
}

/// Writes `word` if it is a move or a result; false if it is neither, nor anything else that may stand
/// in a main line.
fn write_word(word: &[u8], out: &mut Vec<u8>) -> bool {
    if let Some(outcome) = outcome(word) {
        out.extend_from_slice(outcome.as_bytes());
        out.push(b' ');
        return true;
    }
    let rest = without_number(word);
    if rest.len() < word.len() {
        return rest.is_empty() || write_word(rest, out);
    }
    if let Some(san) = as_move(word) {
        out.extend_from_slice(&san);
        out.push(b' ');
        return true;
    }
    is_annotation(word)
}

/// Cuts `12.` or `12...` off the front. A zero starts no number: `0-0`, and `0000`, which is a null move.
fn without_number(word: &[u8]) -> &[u8] {
    if word.starts_with(b"0") {
        return word;
    }
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|&&byte| byte == b'.').count();
    let rest = &word[digits + dots..];
    rest.strip_prefix("…".as_bytes()).unwrap_or(rest)
}

/// Signs of annotators outside comments: `+-`, `=`, `±`; N for novelty, D for diagram; `e.p.` on its own.
fn is_annotation(word: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"+-=/#~|<>^,:'\"_".contains(byte) || !byte.is_ascii();
    matches!(word, b"N" | b"D" | b"e.p." | b"ep" | b"e.p") || word.iter().all(is_sign)
}

/// `word` as a move that can be read as it stands, put right where its meaning is certain.
fn as_move(word: &[u8]) -> Option<Cow<'_, [u8]>> {
    if SanPlus::from_ascii(word).is_ok() {
        return Some(Cow::Borrowed(word));
    }
    let core = [b"e.p." as &[u8], b"ep"].iter().find_map(|end| word.strip_suffix(*end)).unwrap_or(word);
    // Double checks (`++`), evaluations (`+-`), offers of a draw (`=`) and stops, written onto the move.
    let junk = core.iter().rev().take_while(|byte| b"+-=/#~.,".contains(byte)).count();
    let core = &core[..core.len() - junk];
    // Zeros or small letters in castling; `e2-e4`, `N:d5`.
    let castle: Vec<u8> = core.iter().map(|byte| if b"0o".contains(byte) { b'O' } else { *byte }).collect();
    if matches!(&castle[..], b"O-O" | b"O-O-O") {
        return Some(Cow::Owned(castle));
    }
    let mut san: Vec<u8> = core.iter().filter(|byte| **byte != b'-').copied().collect();
    san.iter_mut().filter(|byte| **byte == b':').for_each(|byte| *byte = b'x');
    insert_promotion_sign(&mut san);
    San::from_ascii(&san).is_ok().then_some(Cow::Owned(san))
}

/// `e8Q` and `e8/Q` become `e8=Q`.
fn insert_promotion_sign(san: &mut Vec<u8>) {
    if let [.., b'1' | b'8', sign @ b'/', _] = &mut san[..] {
        *sign = b'=';
    } else if let [.., b'1' | b'8', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n'] = san[..] {
        san.insert(san.len() - 1, b'=');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(text: &str) -> (String, Option<Damage>) {
        let mut out = Vec::new();
        let damage = tidy(text.as_bytes(), &mut out);
        (String::from_utf8(out).unwrap().trim_end().to_string(), damage)
    }

    fn moves(text: &str) -> String {
        let (out, damage) = tidied(text);
        assert_eq!(damage, None, "{text}");
        out
    }

    fn found(text: &str) -> String {
        tidied(text).1.map(|damage| damage.found).unwrap_or_default()
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
    fn moves_written_otherwise_than_by_the_standard_are_put_right() {
        let cases = [
            ("0-0 0-0-0+ o-o 5.0-0", "O-O O-O-O O-O O-O"),
            ("e8Q e8=Q bxa1/N e8(Q) fxg8Q+", "e8=Q e8=Q bxa1=N e8=Q fxg8=Q"),
            ("exd6e.p. exd6ep", "exd6 exd6"),
            ("e2-e4 Ng1-f3 N:d5 Pe4 Ng1f3 e2e4", "e2e4 Ng1f3 Nxd5 Pe4 Ng1f3 e2e4"),
            ("Nf3++ Nf3+- Nf3. Nf3=", "Nf3 Nf3 Nf3 Nf3"),
        ];
        for (text, expected) in cases {
            assert_eq!(moves(text), expected);
        }
    }

    #[test]
    fn results_of_all_fashions_are_understood() {
        assert_eq!(moves("1-0 0–1 1/2 ½-½ 1/2-1/2 1-0. *"), "1-0 0-1 1/2-1/2 1/2-1/2 1/2-1/2 1-0 *");
        assert_eq!(outcome(b"\xbd-\xbd"), Some("1/2-1/2"));
        assert_eq!(outcome(b"10-0"), None);
    }

    #[test]
    fn unreadable_words_end_the_reading_and_are_named() {
        for word in
            ["Nf9", "Sf3", "e9", "Txe5", ")", "}", "[Event", "0000", "e4e5Nf3x", "\u{1}", "10-0", "e8(X"]
        {
            assert!(found(&format!("1. e4 e5 2. {word} d4")).len() > 2, "{word}");
        }
        assert_eq!(tidied("e4 Nf9 d4").0, "e4 --");
        assert_eq!(found("e4 Nf9 d4"), "\"Nf9\"");
        assert_eq!(found("e4 e5 } d4"), "\"}\"");
    }

    #[test]
    fn what_is_opened_and_never_closed_is_damage() {
        assert_eq!(found("e4 { oh 1-0"), END);
        assert_eq!(found("e4 (e5 (d4) 1-0"), END);
        assert_eq!(found("e4 (e5 { ) 1-0"), END);
    }

    #[test]
    fn long_and_binary_findings_are_shown_short_and_escaped() {
        assert_eq!(quoted(&[b'x'; 100]), format!("\"{}...\"", "x".repeat(24)));
        assert_eq!(quoted(b"\x00\xff\n"), "\"\\0\u{fffd}\\n\"");
    }
}
