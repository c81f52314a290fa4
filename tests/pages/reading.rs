//! The section of a page that leads through the sources of the method.

use std::{collections::BTreeSet, fs, path::Path};

use super::{check_made_page, links};

const PAGE: &str = "docs/ARCHITECTURE.md";

/// Lines of a source without blank lines and the tests at its foot.
fn length(path: &Path) -> usize {
    let source = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().filter(|line| !line.is_empty()).count()
}

/// The lengths of the sources to which the section links.
fn lengths(page: &str) -> Vec<usize> {
    let (_, section) = page.split_once("\n### The files of the method\n").unwrap();
    let section = section.split("\n#").next().unwrap();
    let sources: BTreeSet<&str> = links(section).into_iter().filter(|link| link.ends_with(".rs")).collect();
    sources.into_iter().map(|source| length(&Path::new("docs").join(source))).collect()
}

#[test]
fn the_files_of_the_method_are_as_long_as_their_page_says_and_can_be_read_in_an_evening() {
    let page = fs::read_to_string(PAGE).unwrap();
    let lengths = lengths(&page);
    let together: usize = lengths.iter().sum();
    let (before, after) = page.split_once(" lines together").unwrap();
    let (before, _) = before.rsplit_once(' ').unwrap();
    check_made_page(PAGE, &format!("{before} {together} lines together{after}"));
    assert!(lengths.len() >= 19 && together < 3600, "{} files with {together} lines", lengths.len());
    let example = fs::read_to_string("examples/tuner_1988.rs").unwrap().lines().count();
    assert!(example <= 300, "examples/tuner_1988.rs has {example} lines");
}
