//! The pages of the documentation: outputs shown, links, and the page made from the table of features.
//!
//! With `UPDATE_PAGES=1` in the environment, outputs and the page of features are written anew instead of
//! compared.

use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use strum::VariantArray;
use tempfile::TempDir;
use texam::{
    feature::{Ends, Group, Key, Layout, Weights},
    show::lesson::LESSONS,
};

use crate::support::{shipped, succeeds, text, words};

mod reading;
#[cfg(unix)]
mod screens;

/// All pages, by their paths in the project.
fn pages() -> Vec<PathBuf> {
    let folders =
        [".", "benches", "docs", "docs/lessons", "docs/teachers", "games", "params", "stats"].map(Path::new);
    let entries = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    let pages: BTreeSet<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.into_iter().collect()
}

fn is_updated() -> bool {
    std::env::var_os("UPDATE_PAGES").is_some()
}

/// A comment before a block whose commands take minutes. They run in a test that is ignored by default.
const SLOW: &str = "<!-- takes minutes -->";

/// A folder in which the commands of a page run: with games, sets, runs and the example by hand as copies.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for part in ["games", "params", "stats"] {
        fs::create_dir(folder.path().join(part)).unwrap();
        for path in shipped(part) {
            fs::copy(&path, folder.path().join(&path)).unwrap();
        }
    }
    fs::create_dir_all(folder.path().join("examples/by_hand")).unwrap();
    for path in ["examples/by_hand/rows.txt", "examples/by_hand/weights.csv"] {
        fs::copy(path, folder.path().join(path)).unwrap();
    }
    folder
}

/// What a command of a page prints after these settings of variables. It runs in a shell, since some have
/// pipes.
fn printed(settings: &str, line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_texam")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let line = line.replace("cargo run --release -- ", "texam ");
    let scripts = shell_words::quote(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/"));
    let line = line.strip_prefix("scripts/").map_or(line.clone(), |rest| format!("{scripts}{rest}"));
    let line = format!("{settings}\n{line}");
    let output =
        Command::new("sh").args(["-c", &line]).current_dir(folder).env("PATH", path).output().unwrap();
    // Code 1 is that of `diff`, and of commands that skipped something.
    assert!(output.status.code().is_some_and(|code| code <= 1), "{line}: {}", text(&output.stderr));
    text(&output.stdout).to_string()
}

/// The lines of a page that set a variable for its commands.
fn settings(page: &str) -> String {
    let is_setting = |line: &&str| {
        let name = line.split_once("='").map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase())
    };
    page.lines().filter(is_setting).collect::<Vec<_>>().join("\n")
}

/// A line without what differs from one run to the next: times, and blanks at its end.
fn normalised(line: &str) -> String {
    let is_time = |word: &str| {
        word.strip_suffix('s').is_some_and(|number| number.contains('.') && number.parse::<f64>().is_ok())
    };
    let words = line.split_whitespace().map(|word| if is_time(word) { "TIME" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether an output is what a page shows. A line `...` of the page stands for any lines.
fn is_shown(shown: &[&str], output: &[&str]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((&"...", rest)) => (0..=output.len()).any(|at| is_shown(rest, &output[at..])),
        Some((line, rest)) => output
            .split_first()
            .is_some_and(|(first, others)| normalised(first) == normalised(line) && is_shown(rest, others)),
    }
}

/// The start of a comment before a block whose commands need files that are not shipped.
const NOT_RUN: &str = "<!-- not run";

/// A block of a page with commands after `$ ` and their outputs.
struct Block<'a> {
    text: &'a str,
    is_slow: bool,
}

/// Whether a command needs nothing but the program and what every system has.
fn is_runnable(command: &str) -> bool {
    ["texam ", "cargo run --release -- ", "cat ", "sed ", "diff ", "scripts/"]
        .iter()
        .any(|start| command.starts_with(start))
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("```text\n") {
        let (inside, next) = after.split_once("\n```").unwrap();
        if inside.starts_with("$ ") {
            let above = before.trim_end().lines().last().unwrap_or_default();
            let is_run = commands(inside).iter().all(|(command, _)| is_runnable(command));
            if is_run && !above.starts_with(NOT_RUN) {
                blocks.push(Block { text: inside, is_slow: above == SLOW });
            }
        }
        rest = next;
    }
    blocks
}

/// The commands of a block with the lines that it shows for each.
fn commands(block: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command, Vec::new())),
            None => commands.last_mut().unwrap().1.push(line),
        }
    }
    commands
}

#[test]
fn every_output_shown_on_a_page_is_what_its_command_prints() {
    compare_outputs(false);
}

#[test]
#[ignore = "takes an hour"]
fn every_output_that_takes_minutes_is_what_its_command_prints() {
    compare_outputs(true);
}

#[test]
fn what_cargo_installs_is_what_the_tests_have_seen() {
    let lines = pages().into_iter().map(|page| fs::read_to_string(page).unwrap()).collect::<String>();
    let shown: Vec<&str> = lines.lines().filter(|line| line.starts_with("cargo install ")).collect();
    assert!(shown.len() > 2 && shown.iter().all(|line| line.contains("--locked")), "{shown:?}");
}

/// Runs the commands of the blocks of all pages.
fn compare_outputs(with_slow: bool) {
    let mut count = 0;
    let mut differences = String::new();
    for page in pages() {
        let before = fs::read_to_string(&page).unwrap();
        let mut after = before.clone();
        let folder = folder();
        for block in blocks(&before).iter().filter(|block| with_slow || !block.is_slow) {
            let mut made = Vec::new();
            for (command, shown) in commands(block.text) {
                let output = printed(&settings(&before), command, folder.path());
                let lines: Vec<&str> = output.trim_end().lines().collect();
                let shown_lines: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
                let is_same = is_shown(&shown_lines, &lines);
                count += 1;
                if !is_same {
                    writeln!(differences, "{}: $ {command}\n{output}", page.display()).unwrap();
                }
                made.push(format!("$ {command}"));
                let is_kept = is_same || shown.contains(&"...");
                made.extend(if is_kept { shown } else { lines }.into_iter().map(str::to_string));
            }
            after = after.replace(block.text, &made.join("\n"));
        }
        if is_updated() && after != before {
            fs::write(&page, after).unwrap();
        }
    }
    assert!(count >= 10, "{count} commands with outputs");
    assert!(differences.is_empty() || is_updated(), "{differences}");
}

/// The anchors of a page, as GitHub and mdBook make them from its headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut anchors = BTreeSet::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
            anchors.insert(kept.collect::<String>().replace(' ', "-"));
        }
    }
    anchors
}

/// The targets of the links of a page.
fn links(page: &str) -> Vec<&str> {
    let targets = page.split("](").skip(1).filter_map(|after| after.split_once(')'));
    targets
        .map(|(target, _)| target)
        .filter(|target| !target.contains("://") && !target.contains(' '))
        .collect()
}

/// The example of a `.stat` stands on a page with gaps. What it shows is what its command writes.
#[test]
fn the_sample_of_a_stat_is_what_its_command_writes() {
    let page = fs::read_to_string("docs/FORMATS.md").unwrap();
    let command = page.split("made in a second by `texam ").nth(1).unwrap();
    let command = command.split('`').next().unwrap().replace('\n', " ");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    succeeds(&[words(&command), vec!["--name", "sample", "--out", out]].concat());
    let stat = fs::read_to_string(folder.path().join("sample.stat")).unwrap();
    let mut written = stat.lines();
    let sample = page.split("```stat\n").nth(1).unwrap().split("```").next().unwrap();
    let shown: Vec<&str> = sample.lines().filter(|line| *line != "...").collect();
    assert!(shown.len() > 60);
    for line in shown {
        assert!(
            written.any(|other| other == line),
            "docs/FORMATS.md shows what {command:?} does not write: {line}"
        );
    }
}

#[test]
fn every_link_of_a_page_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    for page in pages() {
        let written = fs::read_to_string(&page).unwrap();
        for link in links(&written) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let is_there = target.exists()
                && (anchor.is_empty() || anchors(&fs::read_to_string(&target).unwrap()).contains(anchor));
            if !is_there {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_page_of_the_documentation_is_in_the_summary_of_the_book() {
    let summary = fs::read_to_string("docs/SUMMARY.md").unwrap();
    let listed: BTreeSet<&str> = links(&summary).into_iter().collect();
    let missing: Vec<String> = pages()
        .iter()
        .filter_map(|page| page.strip_prefix("docs").ok())
        .map(|page| page.display().to_string())
        .filter(|page| page != "SUMMARY.md" && !listed.contains(page.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

/// A cell of a table in Markdown.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

/// The lists of the page of all features.
fn features() -> String {
    let start = Weights::start();
    let is_frozen = |key: Key| start.is_on(key) && !start.setting(key).tune[0];
    let frozen = Key::ALL.iter().filter(|&&key| is_frozen(key));
    let frozen: Vec<String> = frozen.map(|key| format!("`{}`", key.feature().key)).collect();
    let mut page = format!(
        "# All features\n\nThis page lists every feature of the evaluation, made from the table in \
         [feature.rs](../crates/texam-chess/src/feature.rs), and defines phases, tables\nand attack terms. \
         [TABLES](TABLES.md) explains these by experiments.\n\nThe numbers are start weights in 1/128 pawn, for \
         opening and endgame; a single one is for both. `[24]` marks a table of 24 cells, whose start\n\
         weight is the gradient that multiplies its [shape](#gradients-and-free-cells). Groups 1 to 7 \
         are tuned by default, without\n{}.\n",
        frozen.join(", ")
    );
    for &group in Group::VARIANTS {
        let (kind, head) = if group.is_optional() {
            ("; off by default", "| key | counts |\n|---|---|\n")
        } else {
            ("", "| key | start | counts |\n|---|---|---|\n")
        };
        write!(page, "\n## {} {}{kind}\n\n{head}", group.number(), group.name()).unwrap();
        for &key in Key::ALL.iter().filter(|key| key.feature().group == group) {
            let feature = key.feature();
            let cells = if feature.layout == Layout::Scalar {
                String::new()
            } else {
                format!(" [{}]", feature.layout.cells())
            };
            write!(page, "| `{}`{cells} | ", feature.key).unwrap();
            if start.is_on(key) {
                let setting = start.setting(key);
                let end = if feature.ends == Ends::Single {
                    String::new()
                } else {
                    format!(", {}", setting.end[0])
                };
                write!(page, "{}{end} | ", setting.open[0]).unwrap();
            }
            writeln!(page, "{} |", cell(&feature.description())).unwrap();
        }
    }
    page
}

/// The first heading of the page of all features whose text is not made.
const DEFINITIONS: &str = "\n## Phases\n";

/// Compares a page with what the program makes of it, or writes it anew.
fn check_made_page(path: &str, made: &str) {
    if is_updated() {
        fs::write(path, made).unwrap();
    }
    assert!(fs::read_to_string(path).unwrap() == made, "UPDATE_PAGES=1 cargo test pages makes {path}");
}

#[test]
fn the_lists_of_the_page_of_features_are_made_from_the_table() {
    let page = fs::read_to_string("docs/FEATURES.md").unwrap();
    let (_, definitions) = page.split_once(DEFINITIONS).expect("the definitions below the lists");
    check_made_page("docs/FEATURES.md", &(features() + DEFINITIONS + definitions));
}

/// The page of all commands.
const HOW_COMMANDS_END: &str = "
## How a command ends

| exit code | |
|---|---|
| 0 | everything was done |
| 1 | done, but something was skipped, a check failed, or the command was stopped early and has kept what was finished |
| 2 | an error, which is described on standard error |
| 128 + number of the signal | ended at once: 130 by SIGINT, 143 by SIGTERM, 129 by SIGHUP |

**Signals.** Ctrl-C (SIGINT), SIGTERM and SIGHUP, which is sent when the terminal is closed, are answered at once by a line on standard error.
SIGHUP is ignored if it was ignored at the start, as `nohup` does. On Windows the same holds for Ctrl-C, but a closed window ends the program at once.

- `fit`, `match`, `presearch`, `positions`, `rows`, `report` and `lesson --run` end in order: finished passes, and the games of `--pgn`, are kept, and where there
  are some, the command that continues the work is printed. Files that would be incomplete are not written. A second signal ends the program at once.
- All other commands end at once, by the signal itself. Files that they have written are whole.
- Either way the commands that texam has started end too, with all that these have started, and temporary files for them are removed. These are the
  command of `--choices-from` and those of a lesson. Only a process that has left its group, as by `setsid`, continues.

**Standard output.** If it cannot be written, as on a full disk, the command ends with an error. If its reader has gone, as with
`texam games | head`, this is no error: the command ends in silence, and a fit continues for its files. If it is closed (`>&-`), nothing is
printed.
";

fn commands_page() -> String {
    let mut page = "# The command line\n\nWhat `texam --help` and `texam COMMAND --help` print. Options of the method have the same names \
                    in all commands; [METHOD.md](METHOD.md) explains them.\n"
        .to_string()
        + HOW_COMMANDS_END;
    let help = |command: &str| {
        let line = format!("texam {command} --help");
        let printed = printed("", line.trim(), Path::new("."));
        printed.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    };
    write!(page, "\n```text\n{}\n```\n", help("").trim_end()).unwrap();
    for command in texam::commands::cli::command_names() {
        write!(page, "\n## texam {command}\n\n```text\n{}\n```\n", help(&command).trim_end()).unwrap();
    }
    page
}

#[test]
fn the_page_of_commands_is_what_their_help_prints() {
    check_made_page("docs/COMMANDS.md", &commands_page());
}

/// The list of lessons, and below it, folded, the verdicts of their pages: readers predict them first.
fn lessons_page() -> String {
    let alone = LESSONS.iter().filter(|lesson| !lesson.section("Exercises").is_empty());
    let alone: Vec<String> = alone.map(|lesson| lesson.number.to_string()).collect();
    let mut page = format!(
        "# Lessons\n\nEach lesson tests a claim about the tuning of 1988, or about later methods, by an experiment on the shipped \
         games.\nIt asks for a prediction, measures, and gives a verdict. Lessons {} stand alone and have exercises;\n\
         the others belong to chapters.\n\n\
         ```sh\ntexam lesson                  # the list\n\
         texam lesson 12               # a lesson in the terminal, with its stored result\n\
         texam lesson 12 --run         # run its commands again, and compare what they print with the stored result\n\
         texam lesson 12 --quick       # the same with a twentieth of the positions and games\n\
         ```\n\n\
         Each lesson states its rule before the result. By this rule a claim of the record is *replayed* or *not \
         replayed*, one of\nours or of later work *confirmed* or *refuted*. Everything else is *undecided*. \
         [ERRORS](../ERRORS.md) explains\nstandard errors and margins.\n\n",
        alone.join(", ")
    );
    for lesson in LESSONS {
        writeln!(page, "{}. [{}]({})", lesson.number, lesson.title(), lesson.file).unwrap();
    }
    page.push_str("\n<details><summary>The verdicts</summary>\n\n");
    for lesson in LESSONS {
        let topic = lesson.title().split(':').next().unwrap_or_default();
        let verdict = lesson.section("Verdict").trim_start_matches("**Verdict: ");
        let verdict = verdict.split(['.', ':', '*']).next().unwrap_or_default();
        writeln!(page, "{}. {topic}: {verdict}", lesson.number).unwrap();
    }
    page + "\n</details>\n"
}

#[test]
fn the_list_of_lessons_is_made_from_their_pages() {
    check_made_page("docs/lessons/README.md", &lessons_page());
}
