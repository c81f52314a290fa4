//! Text from outside as it is stored in files of lines: from what is written here, the same text is read back.
//!
//! Most texts stand as they are. Others stand in double quotes, with `\\` for a backslash and `\x1b` for a byte that
//! cannot stand in the file.

use super::is_hidden;

/// The bytes in double quotes. Characters for which `is_escaped` holds, and bytes that are not UTF-8, are escaped.
pub fn quoted(bytes: &[u8], is_escaped: impl Fn(char) -> bool) -> String {
    let mut text = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\\' => text.push_str("\\\\"),
                letter if is_escaped(letter) => {
                    push_bytes(&mut text, letter.encode_utf8(&mut [0; 4]).as_bytes())
                }
                letter => text.push(letter),
            }
        }
        push_bytes(&mut text, chunk.invalid());
    }
    text + "\""
}

fn push_bytes(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        text.push_str(&format!("\\x{byte:02x}"));
    }
}

/// The text between double quotes, if it is all in such.
pub fn quoted_part(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

/// The bytes that [`quoted`] has made this text of; none for any other text.
pub fn unquoted(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = quoted_part(text)?;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        if let Some(next) = rest.strip_prefix('\\') {
            bytes.push(b'\\');
            rest = next;
        } else {
            let code = rest.strip_prefix('x')?;
            bytes.push(u8::from_str_radix(code.get(..2)?, 16).ok()?);
            rest = &code[2..];
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

/// A name as one word, without blanks: it can stand in a column of a table, and begins neither a remark nor a section.
pub fn word_of(name: &str) -> String {
    let is_escaped = |letter: char| letter.is_whitespace() || is_hidden(letter);
    match name.is_empty() || name.starts_with(['"', '#', '[']) || name.contains(is_escaped) {
        true => quoted(name.as_bytes(), is_escaped),
        false => name.to_string(),
    }
}

/// The name of a word that [`word_of`] has made; none for a word that it does not make.
pub fn name_of(word: &str) -> Option<String> {
    let name = match word.starts_with('"') {
        true => String::from_utf8(unquoted(word)?).ok()?,
        false => word.to_string(),
    };
    (word_of(&name) == word).then_some(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_text_is_read_back_and_its_word_has_no_blank(name in any::<String>(), bytes in any::<Vec<u8>>()) {
            let word = word_of(&name);
            prop_assert_eq!(name_of(&word), Some(name));
            prop_assert_eq!(word.split_whitespace().collect::<Vec<_>>(), [&*word]);
            prop_assert!(!word.starts_with(['#', '[']));
            prop_assert_eq!(unquoted(&quoted(&bytes, char::is_control)), Some(bytes));
        }
    }

    #[test]
    fn a_name_is_one_word_from_which_it_is_read_back() {
        for (name, word) in [
            ("rook_open", "rook_open"),
            ("p_adv[de,r4].o", "p_adv[de,r4].o"),
            ("a\"b\\", "a\"b\\"),
            ("rook open,1,true", "\"rook\\x20open,1,true\""),
            ("[frozen]", "\"[frozen]\""),
            ("# remark", "\"#\\x20remark\""),
            ("\"quoted\"", "\"\"quoted\"\""),
            ("\"\\", "\"\"\\\\\""),
            ("", "\"\""),
            ("a\u{a0}\u{3000}ü", "\"a\\xc2\\xa0\\xe3\\x80\\x80ü\""),
            ("-", "-"),
        ] {
            assert_eq!(word_of(name), word);
            assert_eq!(name_of(word).as_deref(), Some(name));
        }
        for wrong in ["\"", "\"a", "\"a\"", "\"\\x2\"", "\"\\xff\"", "\"\\", "[frozen]", "#"] {
            assert_eq!(name_of(wrong), None, "{wrong}");
        }
    }
}
