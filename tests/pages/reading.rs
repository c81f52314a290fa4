//! The page that leads through the sources of the method.

use std::{fs, path::Path};

use super::{check_made_page, links};

const PAGE: &str = "docs/READING.md";

/// Lines of a source without blank lines and the tests at its foot.
fn length(path: &Path) -> usize {
    let source = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().filter(|line| !line.is_empty()).count()
}

/// The page with the lengths of the files in its table, and these lengths. A row begins with the link of its
/// file.
fn with_lengths(page: &str) -> (String, Vec<usize>) {
    let mut made = String::new();
    let mut lengths = Vec::new();
    for line in page.lines() {
        let mut cells: Vec<String> = line.split(" | ").map(String::from).collect();
        if line.starts_with("| [") {
            lengths.push(length(&Path::new("docs").join(links(line)[0])));
            cells[1] = lengths.last().unwrap().to_string();
        } else if line.starts_with("| together | ") {
            cells[1] = lengths.iter().sum::<usize>().to_string();
        }
        made.push_str(&cells.join(" | "));
        made.push('\n');
    }
    (made, lengths)
}

#[test]
fn the_files_of_the_method_are_as_long_as_their_page_says_and_can_be_read_in_an_evening() {
    let (made, lengths) = with_lengths(&fs::read_to_string(PAGE).unwrap());
    check_made_page(PAGE, &made);
    let together: usize = lengths.iter().sum();
    assert!(lengths.len() >= 19 && together < 3600, "{} files with {together} lines", lengths.len());
    let example = fs::read_to_string("examples/tuner_1988.rs").unwrap().lines().count();
    assert!(example <= 300, "examples/tuner_1988.rs has {example} lines");
}
