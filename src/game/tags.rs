//! Tag lines as people write them, made such as the standard has them.
//!
//! `[White "Joe "The Rook" Doe"]` would end the tags of its game for a strict reader, and take the result
//! with it. Knows the form of tags, not what they mean.

/// The name of a tag line, and whether a value in quotes follows.
pub(super) struct TagName<'a> {
    pub(super) name: &'a [u8],
    pub(super) quoted: bool,
}

/// Does `line` begin with a tag? `[%clk 0:01]` is none: a name starts with a letter.
pub(super) fn tag_name(line: &[u8]) -> Option<TagName<'_>> {
    let inner = line.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
    let end = inner.iter().position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_')?;
    let (name, rest) = inner.split_at(end);
    let next = rest.trim_ascii_start().first();
    let quoted = next == Some(&b'"');
    let is_tag = quoted || next == Some(&b']') || rest[0].is_ascii_whitespace();
    (is_tag && name.first()?.is_ascii_alphabetic()).then_some(TagName { name, quoted })
}

/// Writes the tags at the start of `text` to `out`, one a line, and returns where the movetext begins.
/// Comments before and between tags are dropped.
pub(super) fn tidy(text: &[u8], out: &mut Vec<u8>) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let line = &rest[..position(rest, b'\n').unwrap_or(rest.len())];
        at += match rest.first() {
            Some(byte) if byte.is_ascii_whitespace() => 1,
            Some(b'{') => match position(rest, b'}') {
                Some(end) => end + 1,
                None => return at,
            },
            Some(b';') => line.len(),
            Some(b'[') => match tag_name(line) {
                Some(tag) => tidy_tag(tag.name, line, out),
                None => return at,
            },
            _ => return at,
        };
    }
}

/// Writes the tag at the start of `line`, if it has a value, and returns its length.
fn tidy_tag(name: &[u8], line: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(open) = line.iter().position(|byte| matches!(byte, b'"' | b']')) else {
        return line.len();
    };
    if line[open] == b']' {
        return open + 1;
    }
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
    let mut at = open + 1;
    while at < line.len() {
        match line[at] {
            b'\\' if matches!(line.get(at + 1), Some(b'"' | b'\\')) => {
                out.extend_from_slice(&line[at..at + 2]);
                at += 1;
            }
            b'"' if closes(&line[at + 1..]) => break,
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            byte => out.push(byte),
        }
        at += 1;
    }
    out.extend_from_slice(b"\"]\n");
    let after = &line[(at + 1).min(line.len())..];
    let bracket = usize::from(after.trim_ascii_start().starts_with(b"]"));
    line.len() - after.trim_ascii_start().len() + bracket
}

/// Does a quote that `rest` follows close its value? Otherwise it is part of it.
fn closes(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start().first(), None | Some(b']'))
}

fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    bytes.iter().position(|&byte| byte == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(text: &str) -> (String, &str) {
        let mut out = Vec::new();
        let at = tidy(text.as_bytes(), &mut out);
        (String::from_utf8(out).unwrap(), &text[at..])
    }

    #[test]
    fn tags_as_in_the_standard_stay_as_they_are() {
        let tags = "[White \"Doe, Joe\"]\n[Black \"a \\\"b\\\" \\\\ c\"]\n";
        assert_eq!(tidied(tags), (tags.into(), ""));
    }

    #[test]
    fn quotes_within_a_value_are_escaped() {
        assert_eq!(tidied("[White \"Joe \"X\" Doe\"]\n1. e4").0, "[White \"Joe \\\"X\\\" Doe\"]\n");
    }

    #[test]
    fn several_tags_a_line_blanks_and_comments_are_understood() {
        let (tags, moves) = tidied("{c} [A \"1\"] [ B  \"2\" ]\n; x\n\n[C \"3\"] 1. e4");
        assert_eq!(tags, "[A \"1\"]\n[B \"2\"]\n[C \"3\"]\n");
        assert_eq!(moves, "1. e4");
    }

    #[test]
    fn a_tag_without_value_is_dropped_and_one_without_end_ends_with_its_line() {
        assert_eq!(tidied("[Event]\n[Site \"x\n[Date \"y\"\n1. d4").0, "[Site \"x\"]\n[Date \"y\"]\n");
        assert_eq!(tidied("[Site \"x]\n1. d4"), ("[Site \"x]\"]\n".into(), "1. d4"));
        assert_eq!(tidied("[Site \"x\\").0, "[Site \"x\\\\\"]\n");
    }

    #[test]
    fn clocks_and_other_brackets_are_no_tags() {
        for line in ["[%clk 0:01]", "[", "[]", "[ ]", "[1 \"a\"]", "[a-b]", "Event \"a\"", ""] {
            assert!(tag_name(line.as_bytes()).is_none(), "{line}");
        }
    }
}
