//! Paths as text of one line, from which the same path is read back.
//!
//! Most paths stand as they are. One with blanks at an end, hidden letters, or bytes that are not UTF-8
//! stands in double quotes, with `\\` for a backslash and `\x1b` for such a byte.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::{
    game::{self, GameFiles},
    printable::{
        is_hidden,
        quoted::{quoted, quoted_part, unquoted},
    },
};

/// The path as text.
pub fn path_to_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) if is_plain(text) => text.to_string(),
        _ => quoted(path.as_os_str().as_encoded_bytes(), is_hidden),
    }
}

fn is_plain(text: &str) -> bool {
    let is_whole = !text.is_empty() && text.trim() == text;
    is_whole && !text.contains(is_hidden) && quoted_part(text).is_none()
}

/// The path of a text that [`path_to_text`] wrote. Every other text is a path as it is.
pub fn path_from_text(text: &str) -> PathBuf {
    unquoted(text).and_then(path_of).unwrap_or_else(|| PathBuf::from(text))
}

/// The files as texts.
pub fn game_files_to_texts(files: &GameFiles) -> Vec<String> {
    files.paths().iter().map(|path| path_to_text(path)).collect()
}

/// The files of texts that [`game_files_to_texts`] wrote.
pub fn game_files_from_texts(texts: &[String]) -> GameFiles {
    GameFiles::new(texts.iter().map(|text| game::path_of(path_from_text(text))))
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
            ("", "\"\""),
            (" outer blanks.pgn ", "\" outer blanks.pgn \""),
            ("a\u{1b}\n\\b", "\"a\\x1b\\x0a\\\\b\""),
            ("\"quoted\"", "\"\"quoted\"\""),
            ("\u{202e}ngp.a", "\"\\xe2\\x80\\xaengp.a\""),
        ] {
            assert_eq!(path_to_text(Path::new(path)), text);
            // Nothing is left for the escapes of the data.
            assert_eq!(crate::printable::one_line(text), text);
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
