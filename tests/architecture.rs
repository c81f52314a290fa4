//! The modules import each other as docs/ARCHITECTURE.md says, and no further.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Names of modules.
type Names = BTreeSet<String>;

/// For each module the modules it may name.
type Table = BTreeMap<String, Names>;

#[test]
fn no_module_names_another_outside_the_table() {
    let table = documented_table();
    let mut surplus = Vec::new();
    for (module, file, named) in imports() {
        let allowed = table.get(&module);
        let stranger = |other: &&String| **other != module && allowed.is_none_or(|a| !a.contains(*other));
        surplus.extend(named.iter().filter(stranger).map(|other| format!("{file}: {module} -> {other}")));
    }
    assert!(
        surplus.is_empty(),
        "edges that are not in docs/ARCHITECTURE.md; go another way, or add them there:\n{}",
        surplus.join("\n")
    );
}

#[test]
fn every_module_has_a_line_in_the_table() {
    let table = documented_table();
    let modules: Names = imports().into_iter().map(|(module, ..)| module).collect();
    let missing: Vec<_> = modules.iter().filter(|module| !table.contains_key(*module)).collect();
    assert!(missing.is_empty(), "modules without a line in docs/ARCHITECTURE.md: {missing:?}");
}

#[test]
fn every_module_that_the_table_allows_has_a_line_of_its_own() {
    let table = documented_table();
    let unknown: Vec<_> = table.values().flatten().filter(|module| !table.contains_key(*module)).collect();
    assert!(unknown.is_empty(), "allowed in docs/ARCHITECTURE.md, but without a line: {unknown:?}");
}

#[test]
fn the_table_has_no_cycle() {
    let left = without_what_ends(documented_table());
    assert!(left.is_empty(), "these lines of docs/ARCHITECTURE.md lead into a circle: {left:?}");
}

#[test]
fn a_cycle_in_a_table_is_found() {
    let left = without_what_ends(parse_table("```modules\na: b\nb: c\nc: b, d\nd:\n```\n"));
    assert_eq!(left.into_keys().collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn the_fit_depends_on_no_chess_no_terminal_and_no_command_line() {
    let manifest = fs::read_to_string(root().join("crates/texam-fit/Cargo.toml")).unwrap();
    let names = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once([' ', '.', '=']).map(|(name, _)| name));
    let allowed = ["csv", "nalgebra", "postcard", "rayon", "serde", "strum", "tempfile", "thiserror"];
    let strangers: Vec<&str> = names.filter(|name| !allowed.contains(name)).collect();
    assert!(strangers.is_empty(), "dependencies of texam-fit: {strangers:?}");
}

#[test]
fn groups_within_groups_and_paths_in_code_are_seen() {
    let source = "
        use crate::{a::{self, x, y::Z}, b, c::*, d as e};
        pub(crate) fn f() -> crate::g::T { texam::h::go::<u8>(crate :: i :: J) }
    ";
    assert_eq!(named(source, 1), ["a", "b", "c", "d", "g", "h", "i"]);
}

#[test]
fn super_leads_to_the_root_only_as_often_as_a_file_is_deep() {
    let source = "use super::{super::b, a};";
    assert_eq!(named(source, 1), ["a"], "below the root");
    assert_eq!(named(source, 2), ["b"], "in a folder");
    assert_eq!(named("mod m { use super::a; use super::super::b; } use super::c;", 1), ["b", "c"]);
}

#[test]
fn tests_comments_and_texts_are_no_imports() {
    let source = r##"
        //! [`crate::a`]
        /* crate::b /* crate::c */ crate::d */
        const S: &str = "crate::e \" crate::f";
        const R: &str = r#"crate::g " crate::h"#;
        const Q: [char; 3] = ['"', '\'', '\u{22}'];
        #[cfg(test)]
        use crate::{i, j::K};
        #[cfg(test)]
        mod synthetic;
        #[cfg(test)]
        #[allow(dead_code)]
        mod tests {
            use crate::k;
            fn f() { crate::l::go() }
        }
        fn g<'a>(x: &'a crate::m::T) {}
    "##;
    assert_eq!(named(source, 1), ["m"]);
    assert_eq!(without_tests(tokens(source)).1, ["synthetic"]);
}

fn named(source: &str, depth: usize) -> Vec<String> {
    modules_named(&without_tests(tokens(source)).0, depth).into_iter().collect()
}

// The table.

fn documented_table() -> Table {
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let table = parse_table(&page);
    assert!(!table.is_empty(), "docs/ARCHITECTURE.md has no block ```modules");
    table
}

/// Reads the lines `module: allowed, allowed` of the block ```` ```modules ````.
fn parse_table(page: &str) -> Table {
    let block = page.lines().skip_while(|line| *line != "```modules").skip(1);
    let mut table = Table::new();
    for line in block.take_while(|line| *line != "```") {
        let (module, allowed) = line.split_once(':').unwrap_or_else(|| panic!("no colon in {line:?}"));
        let allowed = allowed.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
        let twice = table.insert(module.trim().to_string(), allowed.collect());
        assert!(twice.is_none(), "two lines for {module}");
    }
    table
}

/// Takes away, again and again, what leads only to what was taken away before: what stays has a cycle.
fn without_what_ends(mut table: Table) -> Table {
    loop {
        let names: Names = table.keys().cloned().collect();
        let before = table.len();
        table.retain(|_, allowed| !allowed.is_disjoint(&names));
        if table.len() == before {
            return table;
        }
    }
}

// The sources.

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Of each source file its top-level module, its path and the top-level modules it names. The crate root
/// is left out: it declares the modules.
fn imports() -> Vec<(String, String, Names)> {
    let source = root().join("src");
    let mut files = Vec::new();
    collect(&source, &mut files);
    files.sort();
    let read = |file: &PathBuf| without_tests(tokens(&fs::read_to_string(file).unwrap()));
    let sources: Vec<_> = files.iter().map(|file| (file, read(file))).collect();
    let for_tests: Vec<PathBuf> = sources
        .iter()
        .flat_map(|(file, (_, names))| names.iter().map(move |name| home_of_children(file).join(name)))
        .collect();
    let mut imports = Vec::new();
    for (file, (tokens, _)) in &sources {
        let inside = file.strip_prefix(&source).unwrap().with_extension("");
        let module = file.with_extension("");
        if inside == Path::new("lib") || for_tests.iter().any(|path| module.starts_with(path)) {
            continue;
        }
        let mut parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        parts.retain(|part| part != "mod");
        let depth = if parts[0] == "main" { 0 } else { parts.len() };
        let shown = file.strip_prefix(root()).unwrap().display().to_string();
        imports.push((parts[0].clone(), shown, modules_named(tokens, depth)));
    }
    assert!(imports.len() > 10, "the sources were not found in {}", source.display());
    imports
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The folder where the modules that `file` declares have their files.
fn home_of_children(file: &Path) -> PathBuf {
    match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "main" | "mod") => file.with_file_name(""),
        _ => file.with_extension(""),
    }
}

// A little Rust: just enough to find paths.

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(char),
}

impl Token {
    fn is(&self, text: &str) -> bool {
        match self {
            Token::Word(word) => word == text,
            Token::Sign(sign) => text.len() == 1 && text.starts_with(*sign),
        }
    }
}

/// Words and signs of a source, without comments, texts and characters.
fn tokens(source: &str) -> Vec<Token> {
    let text: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&here) = text.get(at) {
        let rest = &text[at..];
        at += match here {
            '/' if rest.starts_with(&['/', '/']) => rest.iter().take_while(|&&c| c != '\n').count(),
            '/' if rest.starts_with(&['/', '*']) => length_of_comment(rest),
            '"' => length_of_text(rest),
            '\'' => length_of_quote(rest),
            'r' | 'b' | 'c' if hashes_of_raw_text(rest).is_some() => length_of_raw_text(rest),
            c if c.is_alphanumeric() || c == '_' => {
                let word: String = rest.iter().take_while(|&&c| c.is_alphanumeric() || c == '_').collect();
                let length = word.chars().count();
                tokens.push(Token::Word(word));
                length
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push(Token::Sign(c));
                }
                1
            }
        };
    }
    tokens
}

fn length_of_comment(text: &[char]) -> usize {
    let (mut at, mut open) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with(&['/', '*']) {
            open += 1;
            at += 2;
        } else if text[at..].starts_with(&['*', '/']) {
            open -= 1;
            at += 2;
            if open == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn length_of_text(text: &[char]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != '"' {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// A character, or the mark of a lifetime alone.
fn length_of_quote(text: &[char]) -> usize {
    match text {
        [_, '\\', _, rest @ ..] => 3 + rest.iter().take_while(|&&c| c != '\'').count() + 1,
        [_, _, '\'', ..] => 3,
        _ => 1,
    }
}

/// The number of `#` where a raw text begins: `r"`, `r#"`, `br##"`.
fn hashes_of_raw_text(text: &[char]) -> Option<usize> {
    let rest = match text {
        ['r', rest @ ..] | ['b' | 'c', 'r', rest @ ..] => rest,
        _ => return None,
    };
    let hashes = rest.iter().take_while(|&&c| c == '#').count();
    (rest.get(hashes) == Some(&'"')).then_some(hashes)
}

fn length_of_raw_text(text: &[char]) -> usize {
    let hashes = hashes_of_raw_text(text).unwrap_or(0);
    let mut end = vec!['"'];
    end.resize(1 + hashes, '#');
    let begin = text.iter().take_while(|&&c| c != '"').count() + 1;
    let length = text[begin.min(text.len())..].windows(end.len()).take_while(|window| *window != end).count();
    begin + length + end.len()
}

/// Takes out what is compiled for tests only, and names the modules among it that have their own files.
fn without_tests(tokens: Vec<Token>) -> (Vec<Token>, Vec<String>) {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut files) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if rest.len() > MARK.len() && rest.iter().zip(MARK).all(|(token, mark)| token.is(mark)) {
            let item = &rest[MARK.len()..];
            let length = length_of_item(item);
            if let [.., keyword, Token::Word(name), end] = &item[..length]
                && keyword.is("mod")
                && end.is(";")
            {
                files.push(name.clone());
            }
            at += MARK.len() + length;
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    (kept, files)
}

/// Up to the first `;` or the end of the first `{}` outside of parentheses and brackets.
fn length_of_item(tokens: &[Token]) -> usize {
    let mut open = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => open += 1,
            Token::Sign(')' | ']' | '}') if open == 0 => return at,
            Token::Sign('}') if open == 1 => return at + 1,
            Token::Sign(')' | ']' | '}') => open -= 1,
            Token::Sign(';') if open == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The top-level modules that a file `depth` modules below the crate root names.
fn modules_named(tokens: &[Token], depth: usize) -> Names {
    let mut found = BTreeSet::new();
    let mut braces = 0;
    let mut inline: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let leads_on = begins_with_colons(&tokens[at + 1..]);
        match &tokens[at] {
            Token::Word(word) if leads_on && (word == "crate" || word == "texam") => {
                at = follow(tokens, at + 3, Some(0), &mut found);
                continue;
            }
            Token::Word(word) if leads_on && word == "super" => {
                at = follow(tokens, at, Some(depth + inline.len()), &mut found);
                continue;
            }
            Token::Word(word) if word == "mod" && tokens.get(at + 2).is_some_and(|t| t.is("{")) => {
                inline.push(braces);
            }
            Token::Sign('{') => braces += 1,
            Token::Sign('}') => {
                braces -= 1;
                if inline.last() == Some(&braces) {
                    inline.pop();
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn begins_with_colons(tokens: &[Token]) -> bool {
    tokens.len() > 1 && tokens[0].is(":") && tokens[1].is(":")
}

/// Follows a path or a tree of paths from `at` on, `level` modules below the crate root (none once it has
/// gone down into one), and says where it ends.
fn follow(tokens: &[Token], mut at: usize, mut level: Option<usize>, found: &mut Names) -> usize {
    loop {
        match tokens.get(at) {
            Some(Token::Word(word)) if word == "super" => level = level.and_then(|n| n.checked_sub(1)),
            Some(Token::Word(word)) if word == "self" => {}
            Some(Token::Word(word)) => {
                if level == Some(0) {
                    found.insert(word.clone());
                }
                level = None;
            }
            Some(Token::Sign('*')) if level == Some(0) => _ = found.insert("*".to_string()),
            Some(Token::Sign('*')) => {}
            Some(Token::Sign('{')) => return follow_group(tokens, at + 1, level, found),
            _ => return at,
        }
        at += 1;
        if !begins_with_colons(&tokens[at..]) {
            return at;
        }
        at += 2;
    }
}

/// The same for the paths between braces; `at` is behind the opening one.
fn follow_group(tokens: &[Token], mut at: usize, level: Option<usize>, found: &mut Names) -> usize {
    while let Some(token) = tokens.get(at) {
        if token.is("}") {
            return at + 1;
        }
        at = match token {
            Token::Word(word) if word == "as" => at + 2,
            Token::Sign(',') => at + 1,
            _ => follow(tokens, at, level, found).max(at + 1),
        };
    }
    at
}
