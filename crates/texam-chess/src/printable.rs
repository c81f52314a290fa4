//! Text from files, tags and arguments, made safe to print.
//!
//! A terminal obeys the control characters that it is sent, and a browser or an editor those that change the
//! direction of text. So everything that prints passes its text through [`printable`], or through
//! [`printable_json`] if it is JSON.

pub mod quoted;

use std::borrow::Cow;

/// The text with its control characters escaped as `\u{1b}`, tabs and ends of lines excepted.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| letter.escape_unicode().to_string())
}

/// The text as one line: all its control characters are escaped.
pub fn one_line(text: &str) -> String {
    let escape = |letter: char| {
        if is_hidden(letter) { letter.escape_unicode().to_string() } else { letter.to_string() }
    };
    text.chars().map(escape).collect()
}

/// The same for JSON, with escapes as JSON has them.
pub fn printable_json(text: &str) -> Cow<'_, str> {
    let escape = |unit: &mut u16| format!("\\u{unit:04x}");
    escaped(text, |letter| letter.encode_utf16(&mut [0; 2]).iter_mut().map(escape).collect())
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

/// Whether a letter cannot be seen, or changes what is seen of others: control characters, ends of lines,
/// marks of the direction of text, letters of no width, and tags. Where a text from outside is written, such
/// letters are escaped.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(letter, '\u{e0000}'..='\u{e007f}')
}

fn is_control(letter: char) -> bool {
    is_hidden(letter) && !matches!(letter, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use texam_fit::{Model, Parameter, read_weights, write_weights};

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

    /// Texts with letters that mean something to a sink, and such that cannot be seen.
    pub(super) fn hostile() -> impl Strategy<Value = String> {
        let letters = "a \"'\\#[]{}<>&=;|%-\n\r\t\u{0}\u{1b}\u{7f}\u{85}\u{a0}\u{e9}\u{301}\u{200b}\u{200e}\u{2028}\u{202e}\
                       \u{2066}\u{feff}\u{e000}\u{fffe}\u{e0041}\u{1f600}";
        let letter = prop::sample::select(letters.chars().collect::<Vec<_>>());
        prop::collection::vec(letter, 0..12).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn every_sink_is_printable_and_what_is_stored_is_read_back(text in hostile()) {
            prop_assert!(!printable(&text).replace("\r\n", "").contains(is_control));
            prop_assert!(!one_line(&text).contains(is_hidden));
            let json = serde_json::to_string(&text).unwrap();
            let json = printable_json(&json);
            prop_assert!(!json.contains(is_hidden));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), &*text);
            let mut table = Vec::new();
            let model = Model::new(vec![Parameter::new(text.clone(), 1.0)]);
            model.map(|model| write_weights(&model, &mut table).unwrap()).ok();
            if let Ok(read) = read_weights(&*table) {
                prop_assert!(read.parameters().iter().all(|weight| weight.name == text.trim()));
            }
        }
    }

    #[test]
    fn json_stays_json() {
        let json = printable_json("\"a\u{9b}b\"").into_owned();
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "a\u{9b}b");
        assert!(json.is_ascii());
    }
}
