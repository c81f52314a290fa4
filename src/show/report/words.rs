//! Words and numbers of the page of a run.

use std::path::Path;

use crate::run::{RunOption, stat::Header};

/// An option of a run: its name, its value, and what it means.
pub(super) struct OptionRow<'a> {
    pub name: &'a str,
    pub value: String,
    pub meaning: &'static str,
}

/// All options of the run. Absolute paths are shortened as in [`shown_path`].
pub(super) fn options(header: &Header) -> Vec<OptionRow<'_>> {
    let options = header.options.iter().map(|(name, value)| OptionRow {
        name,
        value: shown_path(value),
        meaning: RunOption::find(name).map_or("", RunOption::meaning),
    });
    options.collect()
}

/// A path without private folder names: of an absolute path only the file name is kept.
pub fn shown_path(path: &str) -> String {
    let path = Path::new(path);
    match path.file_name() {
        Some(name) if path.is_absolute() => name.to_string_lossy().into_owned(),
        _ => path.display().to_string(),
    }
}

/// A count with commas between thousands.
pub(super) fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let shown: Vec<String> = [0, 999, 1000, 31353, 1234567].map(thousands).into();
        assert_eq!(shown, ["0", "999", "1,000", "31,353", "1,234,567"]);
    }

    #[test]
    fn a_path_from_the_root_is_shown_by_its_name() {
        let shown = ["games/gm1988.pgn", "/home/me/games.pgn", "../x.pgn"].map(shown_path);
        assert_eq!(shown, ["games/gm1988.pgn", "games.pgn", "../x.pgn"]);
    }
}
