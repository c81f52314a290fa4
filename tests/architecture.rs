//! What cargo cannot check: inside a crate a module uses only those before it in the list of
//! docs/ARCHITECTURE.md, files are written in few places, and texts keep the rules of the page.

use std::{
    fs,
    path::{Path, PathBuf},
};

const PAGE: &str = include_str!("../docs/ARCHITECTURE.md");

#[test]
fn a_module_uses_only_those_before_it() {
    let mut wrong = Vec::new();
    for (folder, order) in module_order() {
        let mut seen = 0;
        for file in sources(Path::new(&folder)) {
            let inside = file.strip_prefix(&folder).unwrap().with_extension("");
            let module = inside.iter().next().unwrap().to_str().unwrap();
            if ["lib", "main"].contains(&module) || file.ends_with("testing.rs") || file.ends_with("tests.rs")
            {
                continue;
            }
            let Some(place) = order.iter().position(|name| name == module) else {
                panic!("{folder}: {module} is not in the list of docs/ARCHITECTURE.md");
            };
            seen += 1;
            let used = modules_used(&fs::read_to_string(&file).unwrap());
            let late = used.into_iter().filter(|name| order[place + 1..].contains(name));
            wrong.extend(late.map(|name| format!("{}: {module} uses {name}", file.display())));
        }
        assert!(seen >= order.len(), "{folder} has fewer files than docs/ARCHITECTURE.md names modules");
    }
    assert!(wrong.is_empty(), "uses of a later module:\n{}", wrong.join("\n"));
}

/// On Windows git may write other ends of lines than here, and shipped games and sets would have another digest.
#[test]
fn files_have_the_same_bytes_in_a_clone_on_every_system() {
    let listed = std::process::Command::new("git").args(["ls-files", "--eol"]).output();
    let Some(listed) = listed.ok().filter(|listed| listed.status.success()) else { return };
    let is_fixed = |line: &&str| {
        let is_text = line.starts_with("i/lf") || line.starts_with("i/none");
        line.contains("attr/-text") || is_text && line.contains("text=auto eol=lf")
    };
    let listed = String::from_utf8(listed.stdout).unwrap();
    let wrong: Vec<_> = listed.lines().filter(|line| !is_fixed(line)).collect();
    assert!(wrong.is_empty(), "expected a line in .gitattributes for:\n{}", wrong.join("\n"));
}

/// A command writes through `OutputFile`, which knows what the command reads. The files of a run have the
/// rule of `Files::check`, and the screen asks before it saves, but keeps
/// the place of the last sitting; on a page files are in memory.
#[test]
fn files_are_written_in_these_places_only() {
    let allowed = [
        "src/commands/output.rs",
        "src/commands/screen.rs",
        "src/run/block_file.rs",
        "src/run/counts.rs",
        "src/run/lock.rs",
        "src/run/stored.rs",
        "src/run/weights.rs",
        "src/screen/hosted.rs",
        "src/screen/worker.rs",
    ];
    let signs =
        ["file::write_", "write_whole(", "par::write(", "fs::write(", "File::create(", "File::options("];
    let writes = |file: &PathBuf| {
        let source = fs::read_to_string(file).unwrap();
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
        signs.iter().any(|sign| code.contains(sign))
    };
    let is_test = |file: &PathBuf| file.ends_with("tests.rs");
    let mut found: Vec<_> =
        sources(Path::new("src")).into_iter().filter(|f| !is_test(f) && writes(f)).collect();
    found.sort();
    assert_eq!(found, allowed.map(PathBuf::from));
}

/// The table of options, how texam is built for MPI, and tests.
const TEXT_OF_COMMANDS: [&str; 3] = ["run/options.rs", "run/ranks.rs", "tests.rs"];

/// A library does not know how it is called: `cli::remedy` adds what to do on the command line.
#[test]
fn messages_of_the_library_name_no_option() {
    let folders = ["crates/texam-fit/src", "crates/texam-chess/src", "crates/texam-play/src", "src/run"];
    let files = folders.iter().flat_map(|folder| sources(Path::new(folder)));
    let mut wrong = Vec::new();
    for file in files.filter(|file| !TEXT_OF_COMMANDS.iter().any(|name| file.ends_with(name))) {
        let source = fs::read_to_string(&file).unwrap();
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let texts = code.lines().filter(|line| !line.trim_start().starts_with("//") && line.contains('"'));
        let is_wrong = |line: &&str| [" --", "\"--", "`--", "`texam "].iter().any(|sign| line.contains(sign));
        wrong.extend(texts.filter(is_wrong).map(|line| format!("{}: {}", file.display(), line.trim())));
    }
    assert!(wrong.is_empty(), "messages that name an option or a command:\n{}", wrong.join("\n"));
}

/// The standard error of a weight is that of the last fit's step. Pages show the change of a run, which is
/// not divided by it.
#[test]
fn no_page_divides_a_change_by_the_error_of_a_step() {
    let folders = ["src/run/stat", "src/show/plot", "src/show/report", "src/screen"];
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| sources(Path::new(folder))).collect();
    assert!(files.len() > 50);
    let mut seen = 0;
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        let lines = source.lines().filter(|line| line.contains("standard_error"));
        for line in lines.filter(|line| !line.trim_start().starts_with("//")) {
            seen += 1;
            let is_divisor = line.contains("/ ") || line.contains("recip") || line.contains("div");
            assert!(!is_divisor, "{}: {}", file.display(), line.trim());
        }
        assert!(!source.contains("in_errors"), "{}", file.display());
    }
    assert!(seen > 5);
}

#[test]
fn modules_are_found_in_paths_and_groups_and_not_in_tests() {
    let source = "use crate::{\n    a::{self, x},\n    b,\n};\nuse crate::c::D;\nfn f() -> crate::e::T {}\n\
        #[cfg(test)]\nmod tests { use crate::g; }\n";
    assert_eq!(modules_used(source), ["a", "b", "c", "e"]);
}

/// The lines `folder: name, name` of the page.
fn module_order() -> Vec<(String, Vec<String>)> {
    let lines = PAGE.lines().skip_while(|line| *line != "```modules").skip(1);
    let parts = lines.take_while(|line| *line != "```").map(|line| line.split_once(": ").unwrap());
    let names = |list: &str| list.split(", ").map(String::from).collect();
    let listed: Vec<_> = parts.map(|(folder, list)| (folder.to_string(), names(list))).collect();
    assert!(listed.len() > 2, "docs/ARCHITECTURE.md has no block modules");
    listed
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The modules that a source, as rustfmt writes it, names after `crate::` before its tests begin.
fn modules_used(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = lines.join("\n");
    let mut names: Vec<String> = code.split("crate::").skip(1).flat_map(names_at).collect();
    names.sort();
    names.dedup();
    names
}

/// The first name of a path, or of each path in its group.
fn names_at(path: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut depth, mut paths) = (1, vec![String::new()]);
    for sign in group.chars() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => paths.push(String::new()),
            _ => paths.last_mut().unwrap().push(sign),
        }
        if depth == 0 {
            break;
        }
    }
    paths.iter().map(|path| name(path)).filter(|name: &String| !name.is_empty()).collect()
}
