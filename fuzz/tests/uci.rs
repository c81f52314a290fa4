//! Any lines through the UCI handler: every `go` is answered by exactly one `bestmove`, which begins the last
//! variation sent, and the conversation ends with its input.
//!
//! What would take long, use much memory or read other files is changed or left out first: see [`tame`].

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use texam::{
    feature::Weights,
    uci::{EngineSettings, UciHandler},
};

crate::target!("uci", check, 60, 60);

/// Largest number of lines that are used.
const MAX_LINES: usize = 24;

/// Largest numbers after the words of `go`, and of megabytes of the hash table.
const LIMITS: [(&str, u64); 9] = [
    ("depth", 4),
    ("nodes", 2000),
    ("movetime", 10),
    ("wtime", 200),
    ("btime", 200),
    ("winc", 5),
    ("binc", 5),
    ("perft", 2),
    ("value", 2),
];

/// The words that begin a command; words before them are skipped.
const COMMANDS: &str = "uci isready setoption ucinewgame position go ponderhit stop quit debug register";

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = text.lines().filter_map(tame).take(MAX_LINES).collect();
    let one_by_one = check_lines(&lines);
    let (mut handler, output) = handler();
    handler.run(lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes()).expect("no end");
    let together = output.take();
    assert_eq!(best_moves(&together), one_by_one, "{together}");
    assert!(!together.contains("crashed"), "{together}");
}

/// Runs each line by itself to its end, and returns the number of best moves.
fn check_lines(lines: &[String]) -> usize {
    let (mut handler, output) = handler();
    let mut total = 0;
    for line in lines {
        handler.run(line.as_bytes()).expect("the input ends");
        let answer = output.take();
        let found = best_moves(&answer);
        total += found;
        match command(line) {
            Some("go") if line.split_whitespace().any(|word| word == "perft") => {
                assert!(found <= 1, "{line:?}: {answer}");
            }
            Some("go") => {
                assert_eq!(found, 1, "{line:?}: {answer}");
                assert!(ends_with_its_line(&answer), "{line:?}: {answer}");
            }
            Some("quit") => {
                assert_eq!(answer, "");
                break;
            }
            Some("isready") => assert_eq!(answer, "readyok\n"),
            _ => assert_eq!(found, 0, "{line:?}: {answer}"),
        }
        assert!(!answer.contains("crashed"), "{line:?}: {answer}");
    }
    total
}

fn command(line: &str) -> Option<&str> {
    line.split_whitespace().find(|word| COMMANDS.split(' ').any(|command| command == *word))
}

/// Whether the last variation sent begins with the best move, if there is a move.
fn ends_with_its_line(answer: &str) -> bool {
    let word_after = |line: &str, name: &str| {
        line.split_whitespace().skip_while(|word| *word != name).nth(1).map(String::from)
    };
    let best = answer.lines().find_map(|line| word_after(line, "bestmove"));
    let variation = answer
        .lines()
        .filter(|line| line.starts_with("info "))
        .filter_map(|line| word_after(line, "pv"))
        .next_back();
    best.as_deref() == Some("0000") || best == variation
}

fn best_moves(output: &str) -> usize {
    output.lines().filter(|line| line.starts_with("bestmove ")).count()
}

/// The line with smaller limits; none for options that name a file by its path.
fn tame(line: &str) -> Option<String> {
    let name = command(line);
    let is_path = || line.to_ascii_lowercase().contains("parfile") && line.contains('/');
    if name == Some("setoption") && is_path() {
        return None;
    }
    if !matches!(name, Some("go" | "setoption")) {
        return Some(line.to_string());
    }
    let mut words = Vec::new();
    let mut limit = None;
    for word in line.split_whitespace() {
        let number = word.parse::<u64>().ok();
        match limit.zip(number).filter(|(limit, number)| number > limit) {
            Some((limit, number)) => words.push((number % (limit + 1)).to_string()),
            None => words.push(word.to_string()),
        }
        limit = LIMITS.iter().find(|(name, _)| *name == word).map(|&(_, limit)| limit);
    }
    if name == Some("go") {
        // A limit for a search that has no other. After a word that wants a number this is an error.
        words.extend(["depth", "4", "nodes", "2000"].map(String::from));
    }
    Some(words.join(" "))
}

fn handler() -> (UciHandler, Output) {
    let output = Output::default();
    let settings = EngineSettings { hash: 1, ..EngineSettings::new(Weights::start(), None) };
    (UciHandler::new(settings, output.clone()), output)
}

/// Output that is kept.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    /// What was written since the last call.
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().expect("no writer panics"));
        String::from_utf8(bytes).expect("the engine writes text")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
