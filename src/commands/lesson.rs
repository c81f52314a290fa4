//! `texam lesson`: the claims of 1988 replayed. It lists and shows lessons, and runs their experiments by running this
//! program.

use std::{
    fs,
    io::{self, BufRead, IsTerminal, Read},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use super::{
    Outcome,
    output::{NO_INPUT, OutputFile},
    print,
    progress::{self, interrupted},
};
use crate::{
    commands::cli::LessonArgs,
    error::{Error, Result},
    run::{interrupt, process_group::ProcessGroup},
    show::lesson::{LESSONS, Lesson, Output, Prediction, fill, plain_text},
};

/// In a quick run, positions and games are divided by this.
const QUICK: u32 = 20;

/// In a quick run, no command uses fewer than one of so many positions: of the shipped games about 150 are left.
const QUICK_EVERY: u32 = 200;

pub(super) fn run(args: &LessonArgs) -> Result<Outcome> {
    let Some(number) = args.number else {
        let list = LESSONS.iter().map(|lesson| format!("{:>2} {}\n", lesson.number, lesson.title()));
        return print(&list.collect::<String>()).map(|()| Outcome::Complete);
    };
    let lesson = Lesson::find(number)?;
    if args.is_run() { experiment(lesson, args) } else { show(lesson) }
}

/// Prints a lesson. In a terminal the reader is asked for a prediction before the result is shown.
fn show(lesson: Lesson) -> Result<Outcome> {
    let is_asked = io::stdin().is_terminal() && io::stdout().is_terminal();
    print(&format!("{}. {}\n", lesson.number, lesson.title()))?;
    for (heading, text) in lesson.sections() {
        if heading == "Result"
            && let Some(prediction) = lesson.prediction().filter(|_| is_asked && lesson.result().is_some())
        {
            ask(&prediction)?;
        }
        print(&format!("\n{}\n\n{}\n", heading.to_uppercase(), plain_text(text)))?;
    }
    print(&format!("\nCompute the result again: texam lesson {} --run\n", lesson.number))?;
    Ok(Outcome::Complete)
}

/// Asks for a prediction, and compares it with what was measured. The choices stand above the prompt once more, since the
/// section with the question may be out of view.
fn ask(prediction: &Prediction) -> Result<()> {
    let letters: Vec<String> = prediction.choices.iter().map(char::to_string).collect();
    let choices = plain_text(prediction.choices_text());
    print(&format!("\n{choices}\n\nYour prediction ({}; Enter skips): ", letters.join(", ")))?;
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

/// Runs the commands of a lesson and compares the result with the stored one.
fn experiment(lesson: Lesson, args: &LessonArgs) -> Result<Outcome> {
    progress::handle_interrupts();
    let temporary = tempfile::TempDir::new().map_err(|error| Error::io("cannot make a folder", error))?;
    let path = temporary.path().to_path_buf();
    let _at_end = interrupt::at_end(move || _ = fs::remove_dir_all(&path));
    let folder = args.out.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder).map_err(|error| Error::io("cannot make the folder", error).in_file(folder))?;
    let mut entries =
        fs::read_dir(folder).map_err(|error| Error::io("cannot read", error).in_file(folder))?;
    if entries.next().is_some() {
        let expected = "a new or an empty folder for the files of a lesson";
        return Err(Error::expected(expected, "one with files").in_file(folder));
    }
    let commands = lesson.commands();
    let (start, count) = (Instant::now(), commands.len());
    let mut outputs = Vec::new();
    for (done, words) in commands.iter().enumerate() {
        let words = if args.quick { quick(words) } else { words.clone() };
        let left = match u32::try_from(done) {
            Ok(done) if done > 0 => {
                format!(", about {} left", minutes(start.elapsed() / done * (count as u32 - done)))
            }
            _ => String::new(),
        };
        super::note(&format!("command {} of {count}{left}: {}", done + 1, words.join(" ")));
        outputs.push(execute(&words, folder)?);
    }
    let result = fill(lesson.template(), &outputs)?;
    print(&result)?;
    let time = minutes(start.elapsed());
    let stored = lesson.result().unwrap_or("(no result is stored yet)\n");
    if args.quick {
        let text = "A quick run, with a part of the positions and games";
        print(&format!("\n{text}; {time}. The stored result is:\n\n{stored}"))?;
        return Ok(Outcome::Complete);
    }
    if let Some(out) = &args.out {
        let origin = concat!("Computed by texam ", env!("CARGO_PKG_VERSION"), ".");
        let page = out.join(lesson.file);
        OutputFile::new(&page, false, NO_INPUT)?.write(lesson.with_result(&result, origin).as_bytes())?;
    }
    if lesson.result().is_none() {
        print(&format!("\nThere is no stored result to compare it with; {time}.\n"))?;
        return Ok(Outcome::Complete);
    }
    if result == stored {
        print(&format!("\nThis is the stored result, to the last digit; {time}.\n"))?;
        return Ok(Outcome::Complete);
    }
    print(&format!("\nThis differs from the stored result; {time}. Stored is:\n\n{stored}"))?;
    Ok(Outcome::Incomplete)
}

/// The words of a command with a twentieth of its positions and games.
fn quick(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    let number = |words: &[String], name: &str| -> Option<usize> {
        words.iter().position(|word| word == name).map(|at| at + 1).filter(|&at| at < words.len())
    };
    match words.get(1).map(String::as_str) {
        Some("fit" | "check" | "agree") => match number(&words, "--every") {
            Some(at) => {
                let every =
                    words[at].parse().map_or(QUICK, |every: u32| (every * QUICK).min(QUICK_EVERY.max(every)));
                words[at] = every.to_string();
            }
            None => words.extend(["--every".to_string(), QUICK.to_string()]),
        },
        Some("match") => {
            if let Some(at) = number(&words, "--games") {
                words[at] =
                    words[at].parse().map_or(20, |games: u32| (games / QUICK).max(2) & !1).to_string();
            }
        }
        _ => {}
    }
    words
}

/// Commands that print no JSON object.
const TEXTS: [&str; 3] = ["plot", "params", "export"];

/// Runs a command in a folder; what it printed.
fn execute(words: &[String], folder: &Path) -> Result<Output> {
    let program = std::env::current_exe().map_err(|error| Error::io("cannot find this program", error))?;
    let failed = |why: String| Error::new(format!("{}: {why}", words.join(" ")));
    let [name, arguments @ ..] = words else { return Err(failed("no command".to_string())) };
    if name != "texam" {
        return Err(failed("not a command of texam".to_string()));
    }
    let is_text = arguments.first().is_some_and(|command| TEXTS.contains(&command.as_str()));
    let mut command = Command::new(program);
    command.args(arguments).args((!is_text).then_some("--json")).current_dir(folder);
    let (group, mut output) = ProcessGroup::start(command, None, None)
        .map_err(|error| Error::io("cannot run this program", error))?;
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
    if is_text {
        return Ok(Output::Text(text));
    }
    serde_json::from_str(&text).map(Output::Json).map_err(|error| failed(format!("no JSON object: {error}")))
}

/// A duration in words.
fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    }
}
