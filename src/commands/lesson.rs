//! `texam lesson`: the claims of 1988 replayed. It lists and shows lessons, and runs their experiments by
//! running this program.

use std::{
    fs,
    io::{self, BufRead, IsTerminal, Read},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use clap::Parser;
use serde::Serialize;
use serde_json::Value;

use super::{
    Outcome, print, print_json, print_raw,
    progress::{self, interrupted},
};
use crate::{
    commands::cli::{Cli, LessonArgs},
    error::{Error, Result},
    run::{interrupt, process_group::ProcessGroup},
    screen,
    show::{
        lesson::{LESSONS, Lesson, Prediction, plain_text},
        plot::wrap,
    },
};

/// In a quick run, positions and games are divided by this.
const QUICK: u32 = 20;

/// In a quick run, no command uses fewer than one of so many positions: of the shipped games about 150 are
/// left.
const QUICK_EVERY: u32 = 200;

pub(super) fn run(args: &LessonArgs) -> Result<Outcome> {
    let Some(number) = args.number else {
        let list = LESSONS.iter().map(|lesson| format!("{:>2} {}\n", lesson.number, lesson.title()));
        return print(&list.collect::<String>()).map(|()| Outcome::Complete);
    };
    let lesson = Lesson::find(number)?;
    if args.run || args.quick { experiment(lesson, args) } else { show(lesson) }
}

/// Largest width of the text in a terminal, in columns: longer lines are hard to read.
const WIDEST: u16 = 80;

/// Prints a lesson. In a terminal its paragraphs are broken to the width, and the reader is asked for a
/// prediction before the result is shown.
fn show(lesson: Lesson) -> Result<Outcome> {
    let width = screen::columns().map(|columns| usize::from(columns.min(WIDEST)));
    print(&format!("{}. {}\n", lesson.number, lesson.title()))?;
    for (heading, text) in lesson.sections() {
        if heading == "Result"
            && let Some(width) = width
            && io::stdin().is_terminal()
            && let Some(prediction) = lesson.prediction()
        {
            ask(&prediction, width)?;
        }
        let text = plain_text(text);
        let text = width.map_or_else(|| text.clone(), |width| broken(&text, width));
        print(&format!("\n{}\n\n{text}\n", heading.to_uppercase()))?;
    }
    print(&format!("\nCompute the result again: texam lesson {} --run\n", lesson.number))?;
    Ok(Outcome::Complete)
}

/// A plain text whose paragraphs and points are broken to the width; blocks of code and tables stay as they
/// are.
fn broken(text: &str, width: usize) -> String {
    let stays = |line: &str| line.is_empty() || line.starts_with("    ") || line.starts_with('|');
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines() {
        let begins = stays(line) || line.starts_with("- ");
        match parts.last_mut().filter(|last| !begins && !stays(last)) {
            Some(last) => *last += &format!(" {}", line.trim_start()),
            None => parts.push(line.to_string()),
        }
    }
    let fits = |line: &str| line.chars().count() <= width;
    let lines = |part: &String| if stays(part) { vec![part.clone()] } else { wrap(part, fits) };
    parts.iter().flat_map(lines).collect::<Vec<_>>().join("\n")
}

/// Asks for a prediction, and compares it with what was measured. The choices stand above the prompt once
/// more, since the section with the question may be out of view.
fn ask(prediction: &Prediction, width: usize) -> Result<()> {
    let letters: Vec<String> = prediction.choices.iter().map(char::to_string).collect();
    let choices = broken(prediction.list, width);
    print_raw(&format!("\n{choices}\n\nYour prediction ({}; Enter skips): ", letters.join(", ")))?;
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| Error::io("cannot read standard input", error))?;
    match line.trim().to_lowercase().chars().next() {
        None => Ok(()),
        Some(letter) if letter == prediction.answer => print("That is what was measured.\n"),
        Some(_) => print(&format!("Measured was {}.\n", prediction.answer)),
    }
}

/// What the commands of a lesson printed, as JSON.
#[derive(Serialize)]
struct Report {
    lesson: u32,
    title: &'static str,
    version: &'static str,
    quick: bool,
    commands: Vec<CommandReport>,
}

#[derive(Serialize)]
struct CommandReport {
    command: String,
    /// The JSON object of the command, or its text.
    output: Value,
}

/// Runs the commands of a lesson, prints what they print, and the stored result below it.
fn experiment(lesson: Lesson, args: &LessonArgs) -> Result<Outcome> {
    progress::handle_interrupts();
    let folder = tempfile::TempDir::new().map_err(|error| Error::io("cannot make a folder", error))?;
    let path = folder.path().to_path_buf();
    let _at_end = interrupt::at_end(move || _ = fs::remove_dir_all(&path));
    let commands = lesson.commands();
    let (start, count) = (Instant::now(), commands.len());
    let mut reports = Vec::new();
    for (done, words) in commands.iter().enumerate() {
        let words = if args.quick { quick(words) } else { words.clone() };
        let left = match done as u32 {
            0 => String::new(),
            done => format!(", about {} left", minutes(start.elapsed() / done * (count as u32 - done))),
        };
        let command = shell_words::join(&words);
        super::note(&format!("command {} of {count}{left}: {command}", done + 1));
        match execute(&words, args.json, folder.path())? {
            Value::String(text) if !args.json => print(&format!("$ {command}\n{text}\n"))?,
            output => reports.push(CommandReport { command, output }),
        }
    }
    if args.json {
        let (version, title) = (env!("CARGO_PKG_VERSION"), lesson.title());
        print_json(&Report { lesson: lesson.number, title, version, quick: args.quick, commands: reports })?;
    } else {
        let part =
            if args.quick { "A quick run, with a part of the positions and games" } else { "The whole run" };
        let time = minutes(start.elapsed());
        print(&format!("{part}; {time}. The stored result is:\n\n{}", lesson.result()))?;
    }
    Ok(Outcome::Complete)
}

/// The words of a command with a twentieth of its positions and games.
fn quick(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    let (option, smaller): (&str, fn(u32) -> u32) = match words.get(1).map(String::as_str) {
        // Such positions are those of a run, which is already thinned.
        Some("agree") if words.iter().any(|word| word == "--held-out-of") => return words,
        Some("fit" | "check" | "agree") => {
            ("--every", |every| every.saturating_mul(QUICK).min(QUICK_EVERY.max(every)))
        }
        Some("match") => ("--games", |games| (games / QUICK).max(2) & !1),
        _ => return words,
    };
    let at = words.iter().position(|word| word == option);
    if let Some(number) = at.and_then(|at| words.get_mut(at + 1)) {
        *number = number.parse().map_or(QUICK, smaller).to_string();
    } else if option == "--every" {
        words.extend([option.to_string(), QUICK.to_string()]);
    }
    words
}

/// Runs a command in a folder; what it printed, as an object if JSON is wanted and the command can print it.
fn execute(words: &[String], json: bool, folder: &Path) -> Result<Value> {
    let program = std::env::current_exe().map_err(|error| Error::io("cannot find this program", error))?;
    let failed = |why: String| Error::new(format!("{}: {why}", words.join(" ")));
    // Some commands, such as plot, print text only.
    let is_json = json && Cli::try_parse_from(words.iter().map(String::as_str).chain(["--json"])).is_ok();
    let mut command = Command::new(program);
    command.args(&words[1..]).args(is_json.then_some("--json")).current_dir(folder);
    let (group, mut output) =
        ProcessGroup::start(command, None).map_err(|error| Error::io("cannot run this program", error))?;
    let mut bytes = Vec::new();
    let read = output.read_to_end(&mut bytes);
    let status = group.wait();
    if interrupted() {
        return Err(Error::new("cancelled; the result needs all commands"));
    }
    read.map_err(|error| failed(format!("its output cannot be read: {error}")))?;
    match status {
        Some(status) if status.code().is_some_and(|code| code <= 1) => {}
        Some(status) => return Err(failed(format!("ended with {status}"))),
        None => return Err(failed("it cannot be waited for".to_string())),
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // With -o a command says what it has written, in words.
    let object = is_json.then(|| serde_json::from_str(&text).ok()).flatten();
    Ok(object.unwrap_or(Value::String(text)))
}

/// A duration in words.
fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_a_quick_run_can_be_parsed_too() {
        for words in LESSONS.iter().flat_map(crate::show::lesson::Lesson::commands).map(|words| quick(&words))
        {
            Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        }
    }
}
