//! The words in the text of a game that should be moves.
//!
//! pgn-reader passes over a word that it cannot read, and reports nothing. The next move would then be played by the
//! wrong side, or the game would be shorter than it was. So the words are counted here, and a game is broken if
//! pgn-reader found another number of moves.

use std::iter;

use shakmaty::san::SanPlus;

/// The words outside tags, comments and variations that should be moves, each with the byte at which it begins.
///
/// Numbers of moves, results and annotations (`+-`, `N` for a novelty, `D` for a diagram, `e.p.`) are none. A brace that
/// closes nothing is one, because what stands before it may have been meant as a comment.
pub(super) fn move_words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let (mut at, mut depth, mut in_tags) = (0, 0_usize, true);
    iter::from_fn(move || {
        loop {
            at += text[at..].iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'.' | b'1'..=b'9'))?;
            let (start, byte, rest) = (at, text[at], &text[at..]);
            if rest.starts_with(b"e.p.") {
                at += 4;
                continue;
            }
            let starts_line = start == 0 || text[start - 1] == b'\n';
            let is_word = match byte {
                b'%' => !starts_line,
                b'[' => !starts_line || !in_tags,
                _ => !ENDS_WORD[usize::from(byte)],
            };
            if is_word {
                at += rest.iter().position(|&byte| ENDS_WORD[usize::from(byte)]).unwrap_or(rest.len());
                let word = &text[start..at];
                if depth == 0 && should_be_move(word) {
                    in_tags = false;
                    return Some((start, word));
                }
                continue;
            }
            at += match byte {
                b'{' => length_to(rest, b'}'),
                b';' | b'%' => length_to(rest, b'\n'),
                b'[' => {
                    let line = &rest[..length_to(rest, b'\n')];
                    line.iter().rposition(|&byte| byte == b']').map_or(line.len(), |end| end + 1)
                }
                _ => 1,
            };
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'}' if depth == 0 => return Some((start, &rest[..1])),
                _ => {}
            }
        }
    })
}

/// Whether pgn-reader reads this word as a move.
pub(super) fn is_move(word: &[u8]) -> bool {
    if let [b'a'..=b'h', b'1'..=b'8'] | [b'N' | b'B' | b'R' | b'Q' | b'K', b'a'..=b'h', b'1'..=b'8'] = word {
        return true; // most words
    }
    let is_castling = || matches!(word.strip_suffix(b"+").unwrap_or(word), b"0-0" | b"0-0-0");
    SanPlus::from_ascii(word).is_ok() || is_castling()
}

fn should_be_move(word: &[u8]) -> bool {
    let has_letter = word.iter().any(u8::is_ascii_alphabetic);
    (has_letter && !matches!(word, b"N" | b"D")) || word.starts_with(b"0-0") || word == b"0000"
}

/// The bytes at which pgn-reader ends a word. A table, because it is asked for every byte of every game.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut bytes: &[u8] = b" \t\n\r{}()!?$;.*";
    while let [byte, rest @ ..] = bytes {
        ends[*byte as usize] = true;
        bytes = rest;
    }
    ends
};

/// The number of bytes up to and including the first `end`, or of all.
fn length_to(bytes: &[u8], end: u8) -> usize {
    bytes.iter().position(|&byte| byte == end).map_or(bytes.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let words = move_words(text.as_bytes()).map(|(_, word)| String::from_utf8_lossy(word));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tags_comments_variations_numbers_results_and_signs_are_no_words() {
        let text = "[A \"1\"] [B \"x \"y\" z\"] 1. e4 {a (b} e5 $14 2.Nf3!? (2. f4 (2. d4 {)} ) exf4) Nc6 ; no\n% no\n3.Bb5 1-0";
        assert_eq!(words(text), "e4 e5 Nf3 Nc6 Bb5");
        assert_eq!(words("1. e4 +/= N D e.p. ± 12... = 0-1 1/2-1/2 ½-½ *"), "e4");
        assert_eq!(words("1e4 0-0 0-0-0+ O-O 0000 e7-e5 a}b"), "e4 0-0 0-0-0+ O-O 0000 e7-e5 a } b");
    }

    #[test]
    fn words_that_pgn_reader_reads_are_told_from_others() {
        for word in ["e4", "Ng1f3", "dc6", "exd8=Q#", "0-0", "0-0-0+", "O-O"] {
            assert!(is_move(word.as_bytes()), "{word}");
        }
        for word in ["e7-e5", "Bb5:c6", "exd6e", "a8Q", "Nf3++", "o-o", "Sf3", "0000", "}", "Nf"] {
            assert!(!is_move(word.as_bytes()), "{word}");
        }
    }
}
