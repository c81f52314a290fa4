//! Paths as text of one line, from which the same path is read back.
//!
//! Most paths stand as they are. One with blanks at an end, control characters, or bytes that are not UTF-8 stands in
//! double quotes, with `\\` for a backslash and `\x1b` for such a byte.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The path as text.
pub fn path_to_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) if is_plain(text) => text.to_string(),
        _ => {
            let mut quoted = String::from("\"");
            for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
                for letter in chunk.valid().chars() {
                    match letter {
                        '\\' => quoted.push_str("\\\\"),
                        letter if letter.is_control() => {
                            push_bytes(&mut quoted, letter.to_string().as_bytes())
                        }
                        letter => quoted.push(letter),
                    }
                }
                push_bytes(&mut quoted, chunk.invalid());
            }
            quoted + "\""
        }
    }
}

fn is_plain(text: &str) -> bool {
    text.trim() == text && !text.contains(char::is_control) && quoted_part(text).is_none()
}

fn push_bytes(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        text.push_str(&format!("\\x{byte:02x}"));
    }
}

/// The text between double quotes, if it is all in such.
fn quoted_part(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

/// The path of a text that [`path_to_text`] wrote. Every other text is a path as it is.
pub fn path_from_text(text: &str) -> PathBuf {
    let read = quoted_part(text).and_then(unescape).and_then(path_of);
    read.unwrap_or_else(|| PathBuf::from(text))
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
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

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(|text| OsString::from(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_paths_stand_as_they_are() {
        for text in ["games/gm1988.pgn", "-", "with blank.pgn", "C:\\games\\a.pgn", "\"half", "Müller.pgn"] {
            assert_eq!(path_to_text(Path::new(text)), text);
            assert_eq!(path_from_text(text), Path::new(text));
        }
    }

    #[test]
    fn every_other_path_is_read_back_as_it_was() {
        for (path, text) in [
            (" outer blanks.pgn ", "\" outer blanks.pgn \""),
            ("a\u{1b}\n\\b", "\"a\\x1b\\x0a\\\\b\""),
            ("\"quoted\"", "\"\"quoted\"\""),
        ] {
            assert_eq!(path_to_text(Path::new(path)), text);
            assert_eq!(path_from_text(text), Path::new(path));
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf_8_are_kept() {
        let path = path_of(b"caf\xe9 \xff.pgn".to_vec()).unwrap();
        assert_eq!(path_to_text(&path), "\"caf\\xe9 \\xff.pgn\"");
        assert_eq!(path_from_text(&path_to_text(&path)), path);
    }
}
