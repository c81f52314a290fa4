//! The lessons: their form, their commands, and the numbers of their verdicts.

use clap::Parser;
use serde_json::json;
use texam::{
    commands::cli::Cli,
    show::lesson::{LESSONS, Lesson, plain_text},
};

use crate::support::{Bench, fails, object, require, run, succeeds, text};
#[cfg(unix)]
use crate::terminal::Session;

/// The headings of a lesson, in order. One that is the experiment of a chapter ends with its verdict.
const SECTIONS: [&str; 8] =
    ["Claim", "Idea", "Prediction", "Experiment", "Result", "Verdict", "Try next", "Exercises"];

/// The number of sections of the experiment of a chapter.
const OF_CHAPTER: usize = 6;

/// The fold around a result or a verdict.
const FOLD: &str = "\n\n<details><summary>Show it, after your prediction</summary>\n\n";

/// Words with which the verdict on a claim of the record begins.
const VERDICTS: [&str; 3] = ["replayed", "not replayed", "undecided"];

/// And that on a claim of ours, or of what came later, which says so.
const OWN_VERDICTS: [&str; 3] = ["confirmed", "refuted", "undecided"];

#[test]
fn every_lesson_has_its_sections_in_order_and_a_verdict() {
    for (number, lesson) in (1..).zip(LESSONS) {
        assert_eq!(lesson.number, number);
        assert!(lesson.text.starts_with(&format!("# {number}. {}\n", lesson.title())), "{}", lesson.file);
        let headings: Vec<_> = lesson.sections().map(|(heading, _)| heading).collect();
        let is_of_chapter = lesson.text.contains("\n\nAn experiment of the chapter [");
        assert_eq!(headings, SECTIONS[..if is_of_chapter { OF_CHAPTER } else { 8 }], "{}", lesson.file);
        assert!(is_of_chapter || lesson.text.contains("\n\nYou need: "), "{}", lesson.file);
        for heading in ["Result", "Verdict"] {
            assert!(lesson.text.contains(&format!("\n## {heading}{FOLD}")), "{}: {heading}", lesson.file);
        }
        assert_eq!(lesson.text.matches("<details>").count(), lesson.text.matches("\n\n</details>\n").count());
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

/// The commands that the reader may try next: those in blocks, and those in the text between backticks.
fn commands_to_try(lesson: &Lesson) -> Vec<Vec<String>> {
    let quoted = lesson.section("Try next").split('`').skip(1).step_by(2);
    let lines = quoted.flat_map(|quoted| match quoted.strip_prefix("sh\n") {
        Some(block) => block.lines().map(str::to_string).collect(),
        None => vec![quoted.replace('\n', " ")],
    });
    lines.filter(|line| line.starts_with("texam ")).map(|line| shell_words::split(&line).unwrap()).collect()
}

#[test]
fn every_command_of_a_lesson_can_be_parsed() {
    for lesson in LESSONS {
        let [commands, to_try] = [lesson.commands(), commands_to_try(lesson)];
        let is_complete = lesson.section("Try next").is_empty() || to_try.len() >= 2;
        assert!(!commands.is_empty() && is_complete, "{}: {to_try:?}", lesson.file);
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
        for words in lesson.commands().iter().chain(&commands_to_try(lesson)) {
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
    for lesson in LESSONS {
        let results = numbers(lesson.result());
        assert!(!results.is_empty(), "{}", lesson.file);
        for number in numbers(lesson.section("Verdict")) {
            assert!(results.contains(&number), "{}: {number} is not in the result", lesson.file);
        }
    }
}

#[test]
fn the_stored_results_name_version_and_date() {
    for lesson in LESSONS {
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
    assert!(first.result().lines().all(|line| shown.contains(line)), "{shown}");
    assert!(!shown.contains("<!--") && !shown.contains("```"), "{shown}");
}

#[test]
fn a_quick_run_shows_its_commands_with_their_outputs_and_the_stored_result() {
    let output = run(&["lesson", "12", "--quick"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("note: command 2 of 2, about "), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let (trace, agree) =
        printed.split_once("\n$ texam agree --phase-at leaf --against-phase-at root --every 40\n").unwrap();
    assert!(
        trace.starts_with("$ texam eval --trace games/gm1988.pgn:115\n") && trace.contains("22...Rb8"),
        "{trace}"
    );
    assert!(agree.contains("positions") && agree.contains("\nA quick run, "), "{agree}");
    assert!(agree.ends_with(Lesson::find(12).unwrap().result()), "{agree}");
    fails(&["lesson", "21"], &["expected the number of a lesson, 1 to 20, but found 21"]);
    fails(&["lesson", "--run"], &["<NUMBER>"]);
    fails(&["lesson", "12", "--json"], &["--run", "--quick"]);
}

#[test]
fn a_run_as_json_has_the_object_or_the_text_of_each_command() {
    let output = run(&["lesson", "11", "--quick", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut report = object(text(&output.stdout));
    let commands = report["commands"].take();
    let title = Lesson::find(11).unwrap().title();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        report,
        json!({"lesson": 11, "title": title, "version": version, "quick": true, "commands": null})
    );
    let [params, fit, diff, plot] = &commands.as_array().unwrap()[..] else { panic!("{commands}") };
    assert!(fit["command"].as_str().unwrap().ends_with(" --every 20"), "{}", fit["command"]);
    assert_eq!(params["output"], "wrote flat.par\n");
    require(&fit["output"], &["passes"]);
    require(&diff["output"], &["changes"]);
    assert!(plot["output"].as_str().unwrap().contains("p_adv"));
}

#[cfg(unix)]
#[test]
fn in_a_terminal_text_has_80_columns_and_the_choices_stand_above_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::open(&["lesson", "12"], folder.path());
    session.wait_for("Your prediction (a, b, c, d; Enter skips):");
    let shown = session.contents();
    let (above, _) = shown.split_once("Your prediction").unwrap();
    let last_lines: Vec<&str> = above.trim_end().lines().rev().take(6).collect();
    for choice in ["- a. ", "- b. ", "- c. ", "- d. "] {
        assert!(last_lines.iter().any(|line| line.starts_with(choice)), "{shown}");
    }
    assert!(above.lines().all(|line| line.trim_end().chars().count() <= 80), "{shown}");
    session.press("a\r");
    session.wait_for("Compute the result again: texam lesson 12 --run");
}
