//! Spells the text of a game as pgn-reader expects it: tags, moves in SAN and results, without comments,
//! variations and remarks.
//!
//! Most words are moves in SAN. Only a word that is not is spelled anew by the table [`SIGNS`]. A word that
//! should be a move and cannot be read becomes an empty comment, because a game without it would be another
//! game. What is never closed becomes a comment that names it.

use std::{borrow::Cow, ops::Range};

use pgn_reader::RawTag;
use shakmaty::san::San;

use super::outcome;

/// Signs in moves, and what is read for each of them. Pieces have one sign for each side.
const SIGNS: [(&str, &str); 9] = [
    ("\u{2654}\u{265a}", "K"),
    ("\u{2655}\u{265b}", "Q"),
    ("\u{2656}\u{265c}", "R"),
    ("\u{2657}\u{265d}", "B"),
    ("\u{2658}\u{265e}", "N"),
    // Pawns, variants of signs, and dots.
    ("\u{2659}\u{265f}\u{fe0e}\u{fe0f}\u{2026})", ""),
    (outcome::DASHES, "-"),
    ("/(", "="),
    ("\u{d7}", "x"),
];

/// Remarks that follow a move, in the same word or in one of their own.
const REMARKS: [&str; 9] = ["ch", "check", "mate", "dbl", "double", "dis", "disc", "ep", "e.p"];

/// Remarks of whole words: a novelty, a diagram and a comment of the editor.
const WORDS: [&[u8]; 4] = [b"N", b"TN", b"D", b"RR"];

/// Longest tag in bytes.
pub(super) const LONGEST_TAG: usize = 16 << 10;

/// Adds the game in `text` to `pgn`, and returns the bytes of the text that each tag, move, result and comment
/// stands for: none if there is no game.
pub(super) fn spell(text: &[u8], pgn: &mut Vec<u8>) -> Vec<Range<usize>> {
    let text = text.trim_ascii_end();
    let mut speller = Speller { text, at: 0, depth: 0, in_tags: true, pgn, places: Vec::new() };
    while speller.at < text.len() {
        speller.at += speller.step();
    }
    if speller.depth > 0 {
        speller.put(0, &[b"{variation}"]);
    }
    // Between tags and the blank line that ends the game there must be more than white space.
    if !speller.places.is_empty() {
        speller.pgn.extend_from_slice(b".\n\n");
    }
    speller.places
}

struct Speller<'a> {
    text: &'a [u8],
    at: usize,
    /// Variations that are open.
    depth: usize,
    /// No move or result has been read.
    in_tags: bool,
    pgn: &'a mut Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Speller<'_> {
    /// Adds parts that stand for the next bytes of the text, and returns their number.
    fn put(&mut self, length: usize, parts: &[&[u8]]) -> usize {
        self.in_tags &= parts[0] == b"[";
        self.places.push(self.at..self.at + length);
        parts.iter().for_each(|part| self.pgn.extend_from_slice(part));
        length
    }

    /// Spells what stands next, and returns the number of bytes passed.
    fn step(&mut self) -> usize {
        let rest = &self.text[self.at..];
        let starts_line = self.at == 0 || self.text[self.at - 1] == b'\n';
        match rest[0] {
            b'{' => length_to(rest, b'}').unwrap_or_else(|| {
                self.at = self.text.len();
                self.put(0, &[b"{comment}"])
            }),
            byte if byte == b';' || byte == b'%' && starts_line => {
                length_to(rest, b'\n').unwrap_or(rest.len())
            }
            byte if byte == b'(' || byte == b')' && self.depth > 0 => {
                self.depth = if byte == b'(' { self.depth + 1 } else { self.depth - 1 };
                1
            }
            _ if self.depth > 0 => 1,
            b')' | b'}' => self.put(1, &[UNKNOWN]),
            b'[' if self.in_tags => self.spell_tag(rest),
            // What is left of a tag.
            b'"' | b']' if self.in_tags => 1,
            b'*' => self.put(1, &[b"* "]),
            b'1'..=b'9' => self.spell_result(rest).unwrap_or_else(|| {
                // `1)` is the number of a move, and `10-0` ends with castling.
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let castles = rest[..digits].ends_with(b"0") && rest[digits..].starts_with(b"-");
                if castles { digits - 1 } else { digits + usize::from(rest[digits..].starts_with(b")")) }
            }),
            byte if ENDS_WORD[usize::from(byte)] => 1,
            byte => {
                let is_result = (byte == b'0' || !byte.is_ascii()).then(|| self.spell_result(rest)).flatten();
                is_result.unwrap_or_else(|| self.spell_word(rest))
            }
        }
    }

    /// The tag at the begin of `rest` up to the end of its value, also one without quotes. A quote ends the
    /// value if the tag or its line ends there, because people write quotes in values.
    fn spell_tag(&mut self, rest: &[u8]) -> usize {
        let is_name_end = |byte: &u8| matches!(byte, b'"' | b']' | b'\n');
        let name_end = rest.iter().position(is_name_end).unwrap_or(rest.len());
        let name = rest[1..name_end].trim_ascii();
        let is_name = name.first().is_some_and(u8::is_ascii_alphabetic);
        if !is_name || rest.get(name_end).is_none_or(|&byte| byte == b'\n') {
            return name_end;
        }
        if rest[name_end] == b']' {
            let split = name.iter().position(u8::is_ascii_whitespace).unwrap_or(name.len());
            let (name, value) = name.split_at(split);
            return self.put_tag(name_end, name, value.trim_ascii());
        }
        let mut end = name_end + 1;
        while let Some(&byte) = rest.get(end).filter(|&&byte| byte != b'\n') {
            let after = || rest[end + 1..].iter().find(|&byte| !b" \t\r".contains(byte));
            if byte == b'"' && matches!(after(), None | Some(b']' | b'[' | b'\n')) {
                break;
            }
            end += if byte == b'\\' { 2 } else { 1 };
        }
        let end = end.min(rest.len());
        self.put_tag(end, name, &rest[name_end + 1..end])
    }

    /// Adds a tag of so many bytes, or that it is too long.
    fn put_tag(&mut self, length: usize, name: &[u8], value: &[u8]) -> usize {
        if length > LONGEST_TAG {
            return self.put(length, &[b"{tag}"]);
        }
        let is_plain = !value.iter().any(|byte| matches!(byte, b'"' | b'\\'));
        let escaped = if is_plain { Cow::Borrowed(value) } else { Cow::Owned(escaped(value)) };
        self.put(length, &[b"[", name, b" \"", &escaped, b"\"]\n"])
    }

    /// The result at the begin of `rest`.
    fn spell_result(&mut self, rest: &[u8]) -> Option<usize> {
        let is_number = matches!(rest, [b'0' | b'1', b'-' | b':' | b'/' | b'.' | b',' | 0x80.., ..]);
        if !is_number && !rest.starts_with("\u{bd}".as_bytes()) {
            return None;
        }
        let is_end = |byte: &u8| *byte != b'.' && ENDS_WORD[usize::from(*byte)] || *byte == b'[';
        // No result is longer.
        let word = &rest[..rest.len().min(16)];
        let word = &word[..word.iter().position(is_end).unwrap_or(word.len())];
        let result = outcome::read(String::from_utf8_lossy(word).trim_end_matches('.'))?;
        Some(self.put(word.len(), &[result.as_str().as_bytes(), b" "]))
    }

    fn spell_word(&mut self, rest: &[u8]) -> usize {
        let mut end = 0;
        loop {
            end +=
                rest[end..].iter().position(|&byte| ENDS_WORD[usize::from(byte)]).unwrap_or(rest.len() - end);
            match (&rest[..end], &rest[end..]) {
                (_, [b'.', b'p', ..]) => end += 2,
                ([.., b'1' | b'8' | b'='], [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..]) => end += 3,
                _ => break,
            }
        }
        let word = &rest[..end];
        let is_move = |word: &[u8]| match word {
            // Most are so short.
            [b'a'..=b'h', b'1'..=b'8'] | [b'K' | b'Q' | b'R' | b'B' | b'N', b'a'..=b'h', b'1'..=b'8'] => true,
            word => San::from_ascii(word).is_ok(),
        };
        if is_move(word) {
            return self.put(end, &[word, b" "]);
        }
        let spelled = spelled_anew(&String::from_utf8_lossy(word));
        if is_move(spelled.as_bytes()) {
            return self.put(end, &[spelled.as_bytes(), b" "]);
        }
        let is_remark =
            WORDS.contains(&word) || !spelled.contains(|letter: char| letter.is_ascii_alphabetic());
        if is_remark { end } else { self.put(end, &[UNKNOWN]) }
    }
}

/// What a word becomes that cannot be read.
const UNKNOWN: &[u8] = b"{}";

/// The value of a tag on one line, with a backslash before each quote and backslash of it.
fn escaped(value: &[u8]) -> Vec<u8> {
    let text = RawTag(value).decode();
    let escape = |byte| [b'\\', byte].into_iter().skip(usize::from(!matches!(byte, b'"' | b'\\')));
    text.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).flat_map(escape).collect()
}

/// A word as SAN, if it is a move. A remark has no letter left, and a null move has some.
fn spelled_anew(word: &str) -> String {
    let spell = |text: String, sign: &(&str, &str)| text.replace(|letter| sign.0.contains(letter), sign.1);
    let signed = SIGNS.iter().fold(word.to_string(), spell);
    if matches!(signed.as_bytes(), [b'-', b'-'] | b"0000" | b"<>" | b"@@@@") {
        return "null".to_string();
    }
    let is_mark = |letter: char| !letter.is_ascii_alphanumeric() && !letter.is_control();
    let mut text = signed.trim_end_matches(is_mark);
    while let Some(shorter) = REMARKS.iter().find_map(|remark| text.strip_suffix(remark)) {
        text = shorter.trim_end_matches(is_mark);
    }
    let castling = text.replace(['0', 'o'], "O");
    if castling.starts_with("O-O") {
        return castling;
    }
    let mut text = text.replace('-', "").replace(':', "x").replace("==", "=");
    match text.as_bytes() {
        [.., b'2'..=b'7', b'N'] => _ = text.pop(),
        [.., b'1' | b'8', piece] if b"QRBNqrbn".contains(piece) => text.insert(text.len() - 1, '='),
        _ => {}
    }
    text
}

/// The bytes at which a word ends. A table, because it is asked for every byte of every game.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut bytes: &[u8] = b" \t\n\r\x0c{}()!?$;.*";
    while let [byte, rest @ ..] = bytes {
        ends[*byte as usize] = true;
        bytes = rest;
    }
    ends
};

/// The number of bytes up to and including the first `end`.
fn length_to(bytes: &[u8], end: u8) -> Option<usize> {
    bytes.iter().position(|&byte| byte == end).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text as it is spelled, with single blanks, and moves as shakmaty prints them.
    fn spelled(text: &str) -> String {
        let mut pgn = Vec::new();
        spell(text.as_bytes(), &mut pgn);
        let pgn = String::from_utf8(pgn).unwrap();
        let word = |word: &str| San::from_ascii(word.as_bytes()).map_or(word.into(), |san| san.to_string());
        pgn.trim_end_matches(".\n\n").split_whitespace().map(word).collect::<Vec<String>>().join(" ")
    }

    #[test]
    fn comments_variations_numbers_and_remarks_are_left_out() {
        let text = "[A \"1\"] [B \"x \"y\" z\"] 1. e4 {a (b} e5 $14 2.Nf3!? (2. f4 (2. d4 {)} ) exf4) Nc6 ; no\n% no\n3.Bb5 1-0";
        assert_eq!(spelled(text), "[A \"1\"] [B \"x \\\"y\\\" z\"] e4 e5 Nf3 Nc6 Bb5 1-0");
        for remark in
            "+/- N D e.p. ep ± 12... 1) = +0.35/12 -0.2 ∞ ⩲ −+ □ ch mate dbl ch. † ‡ TN (=) $0 0 00 … !! ?!"
                .split(' ')
        {
            assert_eq!(spelled(&format!("1. e4 {remark} e5")), "e4 e5", "{remark}");
        }
        assert_eq!(spelled("e4 a}b ) [Event"), "e4 {}{}{}{}{}");
        assert_eq!(spelled("e4 {no"), "e4 {comment}");
        assert_eq!(spelled("e4 (no {)}"), "e4 {variation}");
    }

    #[test]
    fn tags_are_read_with_quotes_in_values_and_without_any() {
        for (tag, expected) in [
            ("[Round 2]", "[Round \"2\"]"),
            ("[Round 2\\]", "[Round \"2\\\\\"]"),
            ("[ Round  2 ] e4", "[Round \"2\"] e4"),
            ("[White\"Joe\"]", "[White \"Joe\"]"),
            ("[White \"Joe\" [Black \"Al\"]", "[White \"Joe\"] [Black \"Al\"]"),
            ("[White \"Joe\n[Black \"Al\"", "[White \"Joe\"] [Black \"Al\"]"),
            ("[A \"a \\\"b\\\" ]c\"]", "[A \"a \\\"b\\\" ]c\"]"),
            ("[A \"\"] [%b] [] e4", "[A \"\"] e4"),
            ("[A", ""),
        ] {
            assert_eq!(spelled(tag), expected, "{tag}");
        }
    }

    #[test]
    fn every_spelling_of_a_move_is_read() {
        for (san, spellings) in [
            ("e2e4", "e2-e4 e2–e4 e2—e4 e2−e4 e2\u{2011}e4 P\u{ad}e2e4 ♙e2-e4 …e2e4 e2e4± e2-e4ep,"),
            ("Ng1f3", "♘g1-f3 ♞g1f3+ ♘\u{fe0e}g1–f3++ Ng1f3N Ng1f3dbl"),
            ("dxe5", "d:e5 d×e5 dxe5# dxe5mate dxe5† d:e5checkmate dxe5ch"),
            ("Qch4", "♕ch4 ♛ch4ch Qc-h4+/-"),
            ("exd6", "exd6ep exd6e.p. e:d6e.p exd6e.p.+"),
            ("exd8=Q", "exd8Q exd8(Q) exd8=(Q) exd8/Q exd8q exd8♕ e:d8(Q)+ exd8Q#"),
            ("Ka1", "♔a1 ♚a1"),
            ("Rxb1", "♖xb1 ♜:b1"),
            ("Bb8", "♗b8 ♝b8"),
            ("O-O", "0-0 o-o O–O 0—0 0−0+ O\u{2011}O 0-0++ 0-O 10-0"),
            ("O-O-O", "0-0-0 o–o–o 0-0-0# O-O-Och"),
        ] {
            for spelling in spellings.split(' ') {
                assert_eq!(spelled(&format!("1.{spelling} *")), format!("{san} *"), "{spelling}");
            }
        }
    }

    #[test]
    fn what_should_be_a_move_and_is_none_is_a_comment() {
        for word in "Nf N1 Sf3 Nf3Nc6 Nf3=Nc6 Nf3\0 e9 0000 <> @@@@ 0-0-1 null ♘".split(' ') {
            assert_eq!(spelled(word), "{}", "{word}");
        }
        assert_eq!(spelled("-- Z0 ––"), "-- -- {}");
    }

    #[test]
    fn results_are_read_beside_moves_and_alone() {
        for (result, spellings) in [
            ("1-0", "1-0 1:0 1–0"),
            ("0-1", "0-1 0:1 0−1."),
            ("1/2-1/2", "1/2-1/2 1/2:1/2 1/2 ½-½ ½ 0.5-0.5 0,5-0,5 0.5:0.5 ½–½"),
            ("*", "*"),
        ] {
            for spelling in spellings.split(' ') {
                assert_eq!(spelled(&format!("e4 {spelling}")), format!("e4 {result}"), "{spelling}");
            }
        }
        assert_eq!(spelled("e4 0.5 e5 0.05 1.5"), "e4 e5");
    }
}
