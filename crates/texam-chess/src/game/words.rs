//! The words in the text of a game that should be moves.
//!
//! pgn-reader passes over a word that it cannot read, and reports nothing. The next move would then be played
//! by the wrong side, or the game would be shorter than it was. So the words are counted here, and a game is
//! broken if pgn-reader found another number of moves.

use std::iter;

use shakmaty::san::SanPlus;

/// The words outside tags, comments and variations that should be moves, each with the byte at which it
/// begins.
///
/// Numbers of moves, results and annotations (`+-`, `N` for a novelty, `D` for a diagram, `e.p.`) are none. A
/// brace that closes nothing is one, because what stands before it may have been meant as a comment.
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
    let is_move = has_letter && !matches!(word, b"N" | b"D");
    // The others are null moves.
    is_move || word.starts_with(b"0-0") || matches!(word, b"0000" | [b'-', b'-'] | b"<>" | b"@@@@")
}

/// The text with old spellings of moves replaced by those that pgn-reader reads: `e2-e4`, `d:e5`, `exd6ep`,
/// `a8Q`, `a8(Q)`, `o-o`. None if there are none.
pub(super) fn respelled(text: &[u8]) -> Option<Vec<u8>> {
    let (mut new, mut done) = (Vec::new(), 0);
    for (at, word) in move_words(text) {
        let end = at + word.len();
        let (word, end) = match (word, &text[end..]) {
            ([.., b'1' | b'8'], [b'(', piece @ (b'Q' | b'R' | b'B' | b'N'), b')', ..]) => {
                ([word, &[b'=', *piece]].concat(), end + 3)
            }
            _ if is_move(word) => continue,
            _ => (respelled_word(word), end),
        };
        if is_move(&word) {
            new.extend([&text[done..at], &word].concat());
            done = end;
        }
    }
    (done > 0).then(|| [&new, &text[done..]].concat())
}

fn respelled_word(word: &[u8]) -> Vec<u8> {
    if word.iter().all(|byte| matches!(byte, b'o' | b'O' | b'0' | b'-' | b'+')) {
        return word.iter().map(|byte| if matches!(byte, b'-' | b'+') { *byte } else { b'O' }).collect();
    }
    let mut new: Vec<u8> = word.strip_suffix(b"ep").unwrap_or(word).to_vec();
    new.retain(|&byte| byte != b'-');
    new.iter_mut().filter(|byte| **byte == b':').for_each(|byte| *byte = b'x');
    let piece = new.iter().rposition(|byte| matches!(byte, b'Q' | b'R' | b'B' | b'N'));
    if let Some(at) = piece.filter(|&at| at > 0 && matches!(new[at - 1], b'1' | b'8')) {
        new.insert(at, b'=');
    }
    new
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

    #[test]
    fn old_spellings_of_moves_are_replaced_outside_comments_and_variations_alone() {
        for (old, new) in [
            ("e2-e4", "e2e4"),
            ("Ng1-f3+", "Ng1f3+"),
            ("d:e5", "dxe5"),
            ("Bb5:c6", "Bb5xc6"),
            ("e5:d6ep", "e5xd6"),
            ("a7-a8Q", "a7a8=Q"),
            ("bxa1N#", "bxa1=N#"),
            ("a8(Q)", "a8=Q"),
            ("o-o", "O-O"),
            ("0-0-O+", "O-O-O+"),
        ] {
            let text = |word: &str| format!("[A \"{old}\"]\n1. {word} {{{old}}} ({old}) 1... {word} 1-0");
            assert_eq!(respelled(text(old).as_bytes()), Some(text(new).into_bytes()), "{old}");
            assert_eq!(respelled(text(new).as_bytes()), None, "{new}");
        }
        for other in ["Z0", "Sf3", "Nf3++", "e4", "--", "a8 (Q)"] {
            assert_eq!(respelled(other.as_bytes()), None, "{other}");
        }
    }
}
