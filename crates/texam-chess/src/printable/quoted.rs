//! Text from outside as it is stored in files of lines: from what is written here, the same text is read
//! back.
//!
//! Most texts stand as they are. Others stand in double quotes, with `\\` for a backslash and `\x1b` for a
//! byte that cannot stand in the file.

/// The bytes in double quotes. Characters for which `is_escaped` holds, and bytes that are not UTF-8, are
/// escaped.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_bytes_are_read_back(bytes in any::<Vec<u8>>()) {
            prop_assert_eq!(unquoted(&quoted(&bytes, char::is_control)), Some(bytes));
        }
    }
}
