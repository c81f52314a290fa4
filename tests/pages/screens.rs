//! The screens shown on the pages: what the running program draws after the keys named in a comment.
//!
//! A comment such as `<!-- screen 142 x 40, columns 30 to 74, keys: g 283 enter -->` stands above the block
//! of text that shows the screen, or these columns of it. `lines 3 to 9` shows some lines only. In a picture
//! such a comment says what it shows, in a moving one what each frame shows; with `of stats/NAME.stat` that
//! is the page of this run, and `of every=10` is an option.

use std::{fs, path::Path};

use portable_pty::CommandBuilder;

use super::{folder, is_shown, is_updated, pages};
use crate::terminal::Session;

/// A screen that a page shows.
struct Shown<'a> {
    comment: &'a str,
    text: &'a str,
}

/// The screens of a page.
fn screens(page: &str) -> Vec<Shown<'_>> {
    let comments = page.split("<!-- screen ").skip(1);
    let shown = comments.map(|rest| {
        let (comment, rest) = rest.split_once(" -->\n").expect("a comment ends at the end of its line");
        let block = rest.trim_start().strip_prefix("```text\n").expect("a block of text follows the comment");
        Shown { comment, text: block.split_once("\n```").unwrap().0 }
    });
    shown.collect()
}

/// The two numbers after `word` in a comment.
fn range(comment: &str, word: &str) -> Option<[usize; 2]> {
    let mut words = comment.split_once(word)?.1.split([' ', ',']).filter(|part| !part.is_empty());
    let first = words.next()?.parse().ok()?;
    Some([first, words.nth(1)?.parse().ok()?])
}

/// What a terminal sends for the keys of a comment: names of keys, or what is typed.
fn typed(keys: &str) -> String {
    let key = |word: &str| match word {
        "enter" => "\r".to_string(),
        "esc" => "\x1b".to_string(),
        "tab" => "\t".to_string(),
        "space" => " ".to_string(),
        "up" => "\x1b[A".to_string(),
        "down" => "\x1b[B".to_string(),
        other => other.to_string(),
    };
    keys.split_whitespace().map(key).collect()
}

/// Some lines and columns of a screen, counted from 1.
fn part(contents: &str, comment: &str) -> String {
    let [first, last] = range(comment, "lines").unwrap_or([1, usize::MAX]);
    let [left, right] = range(comment, "columns").unwrap_or([1, usize::MAX]);
    let lines = contents.lines().take(last).skip(first - 1);
    let cut = |line: &str| line.chars().take(right).skip(left - 1).collect::<String>().trim_end().to_string();
    lines.map(cut).collect::<Vec<_>>().join("\n").trim_end().to_string()
}

/// The program on a screen of the size in a comment, with the files and options that it names.
fn session(comment: &str, folder: &Path) -> Session {
    let [columns, rows] = range(&format!("size {comment}"), "size").expect("a comment begins with a size");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_texam"));
    command.arg("screen");
    // Two dashes would end the comment of a picture.
    let argument = |of: &str| if of.contains('=') { format!("--{of}") } else { of.to_string() };
    let of = comment.split_once(" of ").map_or("", |(_, of)| of);
    command.args(of.split_whitespace().map(argument));
    command.cwd(folder);
    Session::run_on(command, rows as u16, columns as u16)
}

/// The keys of a comment.
fn keys(comment: &str) -> &str {
    let before = comment.split_once(" of ").map_or(comment, |(before, _)| before);
    before.split_once("keys:").map_or("", |(_, keys)| keys.trim())
}

/// The screen after these keys, as far as a comment wants it: the first that `is_right`, or the last one.
fn shown(session: &mut Session, keys: &str, comment: &str, is_right: impl Fn(&str) -> bool) -> String {
    session.press(&typed(keys));
    session.settled(|contents| is_right(&part(contents, comment)));
    part(&session.contents(), comment)
}

/// The screen of a comment, as the program draws it.
fn drawn(comment: &str, is_right: impl Fn(&str) -> bool, folder: &Path) -> String {
    let mut session = session(comment, folder);
    if !keys(comment).is_empty() {
        session.wait_for("rank 0/");
    }
    shown(&mut session, keys(comment), comment, is_right)
}

#[test]
fn every_screen_shown_on_a_page_is_what_the_program_draws() {
    let folder = folder();
    let mut count = 0;
    let mut differences = String::new();
    for page in pages() {
        let before = fs::read_to_string(&page).unwrap();
        let mut after = before.clone();
        for Shown { comment, text } in screens(&before) {
            let shown: Vec<&str> = text.lines().map(str::trim_end).collect();
            let is_same = |made: &str| is_shown(&shown, &made.lines().collect::<Vec<_>>());
            let made = drawn(comment, is_same, folder.path());
            count += 1;
            if !is_same(&made) {
                differences += &format!("{}: screen {comment}\n{made}\n", page.display());
                after = after.replace(text, &made);
            }
        }
        if is_updated() && after != before {
            fs::write(&page, after).unwrap();
        }
    }
    assert!(count > 0, "no page shows a screen");
    assert!(differences.is_empty() || is_updated(), "UPDATE_PAGES=1 makes them:\n{differences}");
}

/// The text of a line of a picture.
fn line_of_picture(line: &str) -> Option<String> {
    let parts = line
        .strip_prefix("<text ")?
        .split('>')
        .map(|part| part.split_once('<').map_or(part, |(text, _)| text));
    let text: String = parts.skip(1).collect();
    let text = text.replace('\u{a0}', " ").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(text.trim_end().to_string())
}

#[test]
fn the_pictures_of_the_screen_have_the_words_that_the_program_draws() {
    let folder = folder();
    for (name, count) in [("screen", 1), ("screen-run", 1), ("screen-moving", 5)] {
        let picture = fs::read_to_string(format!("docs/pictures/{name}.svg")).unwrap();
        let frames: Vec<_> =
            picture.split("<!-- screen ").skip(1).filter_map(|frame| frame.split_once(" -->")).collect();
        assert_eq!(frames.len(), count, "{name}");
        let mut session = session(frames[0].0, folder.path());
        let mut pressed = "";
        for (comment, drawing) in frames {
            if !keys(comment).is_empty() && pressed.is_empty() {
                session.wait_for("rank 0/");
            }
            let expected = drawing.lines().filter_map(line_of_picture).collect::<Vec<_>>().join("\n");
            let new = keys(comment).strip_prefix(pressed).expect("a frame goes on where the last one was");
            let made = shown(&mut session, new, comment, |made| made == expected.trim_end());
            assert_eq!(made, expected.trim_end(), "scripts/pictures.py makes {name}.svg: {comment}");
            pressed = keys(comment);
        }
    }
}
