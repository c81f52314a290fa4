//! The lessons: their form, their commands, and the numbers of their verdicts.

use clap::Parser;
use texam::{
    commands::cli::Cli,
    show::lesson::{LESSONS, Lesson, plain_text},
};

use crate::support::{Bench, fails, run, succeeds, text};
#[cfg(unix)]
use crate::terminal::Session;

/// The headings of a lesson, in order.
const SECTIONS: [&str; 10] = [
    "Claim",
    "Idea",
    "Prediction",
    "Experiment",
    "Result",
    "Verdict",
    "What the authors may have seen",
    "Try next",
    "Exercises",
    "For teachers",
];

/// Words with which the verdict on a claim of the record begins.
const VERDICTS: [&str; 3] = ["replayed", "not replayed", "undecided"];

/// And that on a claim of ours, or of what came later, which says so.
const OWN_VERDICTS: [&str; 3] = ["confirmed", "refuted", "undecided"];

/// The lessons with their stored results.
fn measured() -> impl Iterator<Item = (&'static Lesson, &'static str)> {
    LESSONS
        .iter()
        .map(|lesson| (lesson, lesson.result().unwrap_or_else(|| panic!("{}: no result", lesson.file))))
}

#[test]
fn every_lesson_has_its_sections_in_order_and_a_verdict() {
    for (number, lesson) in (1..).zip(LESSONS) {
        assert_eq!(lesson.number, number);
        assert!(lesson.text.starts_with(&format!("# {number}. {}\n", lesson.title())), "{}", lesson.file);
        let headings: Vec<_> = lesson.sections().map(|(heading, _)| heading).collect();
        assert_eq!(headings, SECTIONS, "{}", lesson.file);
        let verdict = lesson.section("Verdict").strip_prefix("**Verdict: ").unwrap();
        let is_of_record =
            !["claim is ours", "claim is later"].iter().any(|own| lesson.section("Claim").contains(own));
        let words = if is_of_record { VERDICTS } else { OWN_VERDICTS };
        assert!(words.iter().any(|word| verdict.starts_with(word)), "{}: {verdict}", lesson.file);
    }
}

#[test]
fn the_answer_of_every_prediction_is_one_of_its_choices() {
    for lesson in LESSONS {
        let prediction = lesson.prediction().unwrap();
        assert!(prediction.choices.len() >= 2, "{}", lesson.file);
        assert!(prediction.choices.contains(&prediction.answer), "{}", lesson.file);
    }
}

#[test]
fn every_command_of_a_lesson_can_be_parsed() {
    for lesson in LESSONS {
        let [commands, to_try] = [lesson.commands(), lesson.commands_to_try()];
        assert!(!commands.is_empty() && to_try.len() >= 2, "{}: {to_try:?}", lesson.file);
        for words in commands.iter().chain(&to_try) {
            assert_eq!(words[0], "texam");
            Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{}: {words:?}: {error}", lesson.file));
        }
    }
}

#[test]
fn no_match_of_a_lesson_needs_more_openings_than_there_are() {
    let bench = Bench::new(0);
    let openings = bench.path("openings.epd");
    succeeds(&["match", "--write-openings", &openings]);
    let openings = std::fs::read_to_string(openings).unwrap().lines().count();
    for lesson in LESSONS {
        for words in lesson.commands().iter().chain(&lesson.commands_to_try()) {
            let Some(at) = words.iter().position(|word| word == "--games") else { continue };
            assert!(words[at + 1].parse::<usize>().unwrap() <= 2 * openings, "{}: {words:?}", lesson.file);
        }
    }
}

/// The numbers with a decimal point in a text, without their signs.
fn numbers(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_matches('.'));
    words.filter(|word| word.contains('.') && word.parse::<f64>().is_ok()).collect()
}

#[test]
fn every_number_of_a_verdict_is_in_the_stored_result() {
    for (lesson, result) in measured() {
        let results = numbers(result);
        assert!(!results.is_empty(), "{}", lesson.file);
        for number in numbers(lesson.section("Verdict")) {
            assert!(results.contains(&number), "{}: {number} is not in the result", lesson.file);
        }
    }
}

#[test]
fn the_stored_results_name_version_and_date() {
    for (lesson, _) in measured() {
        assert!(lesson.section("Result").contains("\nComputed by texam 0."), "{}", lesson.file);
    }
}

#[test]
fn links_and_folded_parts_are_shown_as_their_texts() {
    assert_eq!(
        plain_text("See [lesson\n4](04-miss.md), and ([TAPER.md](../TAPER.md#a))."),
        "See lesson\n4, and (TAPER.md)."
    );
    for (lesson, (_, text)) in
        LESSONS.iter().flat_map(|lesson| lesson.sections().map(move |section| (lesson, section)))
    {
        assert!(!plain_text(text).contains("]("), "{}", lesson.file);
    }
}

#[test]
fn the_list_has_numbers_and_titles_and_a_lesson_is_shown_with_its_result() {
    let list = succeeds(&["lesson"]);
    assert_eq!(list.lines().count(), LESSONS.len());
    for (line, lesson) in list.lines().zip(LESSONS) {
        let (number, title) = line.trim_start().split_once(' ').unwrap();
        assert_eq!((number.parse(), title), (Ok(lesson.number), lesson.title()));
    }
    let shown = succeeds(&["lesson", "1"]);
    let first = Lesson::find(1).unwrap();
    assert!(first.result().unwrap().lines().all(|line| shown.contains(line)), "{shown}");
    assert!(!shown.contains("<!--") && !shown.contains("```"), "{shown}");
}

#[test]
fn a_quick_run_fills_the_result_and_keeps_its_files() {
    let bench = Bench::new(0);
    let out = bench.path("lesson");
    let output = run(&["lesson", "12", "--quick", "--out", &out]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("note: command 2 of 2, about "), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let heading = Lesson::find(12).unwrap().result().unwrap().lines().next().unwrap();
    assert!(printed.starts_with(heading), "{printed}");
    assert!(printed.contains("A quick run") && !printed.contains('{'), "{printed}");
    assert!(std::path::Path::new(&out).is_dir());
    let again = ["lesson", "12", "--out", &out];
    std::fs::write(bench.path("lesson/mine"), "").unwrap();
    fails(&again, &["expected a new or an empty folder"]);
    fails(&["lesson", "20"], &["expected the number of a lesson, 1 to 19, but found 20"]);
    fails(&["lesson", "--run"], &["<NUMBER>"]);
}

#[cfg(unix)]
#[test]
fn the_choices_of_a_prediction_stand_above_its_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::open(&["lesson", "12"], folder.path());
    session.wait_for("Your prediction (a, b, c, d; Enter skips):");
    let shown = session.contents();
    let (above, _) = shown.split_once("Your prediction").unwrap();
    let last_lines: Vec<&str> = above.trim_end().lines().rev().take(6).collect();
    for choice in ["- a. ", "- b. ", "- c. ", "- d. "] {
        assert!(last_lines.iter().any(|line| line.starts_with(choice)), "{shown}");
    }
    session.press("a\r");
    session.wait_for("Compute the result again: texam lesson 12 --run");
}
