//! Text from files, tags and arguments, made safe to print.
//!
//! A terminal obeys the control characters that it is sent, and a browser or an editor those that change the direction of
//! text. So everything that prints passes its text through [`printable`], or through [`printable_json`] if it is JSON.

pub mod quoted;

use std::borrow::Cow;

/// The text with its control characters escaped as `\u{1b}`, tabs and ends of lines excepted.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| letter.escape_unicode().to_string())
}

/// The text as one line: all its control characters are escaped.
pub fn one_line(text: &str) -> String {
    let is_kept = |letter: char| !letter.is_control() && !is_control(letter);
    let escape =
        |letter: char| if is_kept(letter) { letter.to_string() } else { letter.escape_unicode().to_string() };
    text.chars().map(escape).collect()
}

/// The same for JSON, with escapes as JSON has them.
pub fn printable_json(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| format!("\\u{:04x}", u32::from(letter)))
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_line = letter == '\r' && letters.peek() == Some(&'\n');
        match is_control(letter) && !ends_line {
            true => safe.push_str(&escape(letter)),
            false => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

/// Control characters of terminals (C0, DEL, C1) and of the direction of text.
fn is_control(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\t'))
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_all_other_text_stays() {
        let text = "Bogoljubow\tEfim\n♞ ąß 中";
        assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        assert_eq!(printable("a\u{1b}[2J\u{7}\rb\r\n\0"), "a\\u{1b}[2J\\u{7}\\u{d}b\r\n\\u{0}");
        assert_eq!(printable("\u{9b}31m \u{7f} \u{202e}x"), "\\u{9b}31m \\u{7f} \\u{202e}x");
    }

    #[test]
    fn one_line_has_no_tabs_and_ends_of_lines_either() {
        assert_eq!(one_line("a\tb\r\n\u{1b}\u{202e}ü"), "a\\u{9}b\\u{d}\\u{a}\\u{1b}\\u{202e}ü");
    }

    #[test]
    fn json_stays_json() {
        let json = printable_json("\"a\u{9b}b\"").into_owned();
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "a\u{9b}b");
        assert!(json.is_ascii());
    }
}
