//! Lessons: the claims of 1988 as experiments, with their results.
//!
//! A lesson is one Markdown file, which is also a page of the book and is embedded in the program. The
//! sections that the program reads:
//!
//! - `## Prediction`: a question, and its choices as a list, `- a. ...`. A comment `<!-- answer: a -->` names
//!   the one that the result shows.
//! - `## Experiment`: the commands, in blocks ```` ```sh ````.
//! - `## Result`: the stored result, in the first block ````
//!   ```text ````, with the version that computed it in the line below. `scripts/lessons.py` writes both.
//!
//! The result and the verdict are folded on the page, so that readers predict them first.
//!
//! All else is text for the reader. This module runs no commands and prints nothing.

use crate::error::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lesson {
    /// Its number, from 1.
    pub number: u32,
    /// Name of its file in `docs/lessons`.
    pub file: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

/// The question that a reader is asked before the result is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prediction {
    /// The choices, as a list in Markdown.
    pub list: &'static str,
    /// The letters of the choices.
    pub choices: Vec<char>,
    /// The letter of the choice that the result shows.
    pub answer: char,
}

macro_rules! lessons {
    ($($number:literal $file:literal,)*) => {
        /// All lessons, in the order of their numbers.
        pub const LESSONS: &[Lesson] = &[$(Lesson {
            number: $number,
            file: $file,
            text: include_str!(concat!("../../docs/lessons/", $file)),
        }),*];
    };
}

lessons! {
    1 "01-identity.md",
    2 "02-balance.md",
    3 "03-agreement.md",
    4 "04-miss.md",
    5 "05-rank.md",
    6 "06-spread.md",
    7 "07-few-games.md",
    8 "08-depth.md",
    9 "09-iterations.md",
    10 "10-values.md",
    11 "11-tables.md",
    12 "12-jumps.md",
    13 "13-scratch.md",
    14 "14-after.md",
    15 "15-ablation.md",
    16 "16-attacks.md",
    17 "17-quiescence.md",
    18 "18-trees.md",
    19 "19-phase.md",
    20 "20-machine.md",
}

impl Lesson {
    /// The lesson with a number.
    pub fn find(number: u32) -> Result<Lesson> {
        let lesson = LESSONS.iter().find(|lesson| lesson.number == number).copied();
        lesson
            .ok_or_else(|| Error::expected(format!("the number of a lesson, 1 to {}", LESSONS.len()), number))
    }

    /// The title, without the number.
    pub fn title(&self) -> &'static str {
        let heading = self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim();
        heading.split_once(". ").map_or(heading, |(_, title)| title)
    }

    /// The sections with their headings, in order, unfolded.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let sections = self.text.split("\n## ").skip(1);
        sections.map(|section| {
            section.split_once('\n').map_or((section, ""), |(name, text)| (name, unfolded(text.trim())))
        })
    }

    /// The text of a section; empty if there is none.
    pub fn section(&self, name: &str) -> &'static str {
        self.sections().find(|(heading, _)| *heading == name).map_or("", |(_, text)| text)
    }

    /// The question, if the lesson asks one.
    pub fn prediction(&self) -> Option<Prediction> {
        let (text, answer) = self.section("Prediction").split_once("<!-- answer: ")?;
        let list = text[text.find("\n- ")?..].trim();
        let letter = |line: &str| line.strip_prefix("- ")?.split_once(". ")?.0.chars().next();
        Some(Prediction {
            list,
            choices: list.lines().filter_map(letter).collect(),
            answer: answer.chars().next()?,
        })
    }

    /// The commands of the experiment, each as its words. A remark begins with `#`. A line with a quote that
    /// does not end is one word, which no command accepts.
    pub fn commands(&self) -> Vec<Vec<String>> {
        let words = |line: &str| shell_words::split(line).unwrap_or_else(|_| vec![line.to_string()]);
        let commands = blocks(self.section("Experiment"), "sh").flat_map(str::lines).map(words);
        commands.filter(|words| !words.is_empty()).collect()
    }

    /// The stored result.
    pub fn result(&self) -> &'static str {
        blocks(self.section("Result"), "text").next().unwrap_or_default()
    }
}

/// The inside of a section that is folded as a whole, and any other section as it is.
fn unfolded(section: &str) -> &str {
    let inside = section.strip_prefix("<details>").and_then(|folded| folded.strip_suffix("</details>"));
    inside.and_then(|inside| inside.split_once('\n')).map_or(section, |(_summary, text)| text.trim())
}

pub fn without_comments(text: &str) -> String {
    let mut visible = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        visible.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, rest)| rest.trim_start_matches('\n'));
    }
    visible + rest
}

/// A text whose links are only their texts.
fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        if let Some(start) = plain.rfind('[') {
            plain.remove(start);
        }
        plain += part.split_once(')').map_or(part, |(_, after)| after);
    }
    plain
}

/// A section as plain text: without comments, pictures and signs of Markdown or HTML, with blocks of code
/// indented.
pub fn plain_text(section: &str) -> String {
    let visible = without_comments(section);
    let mut plain = String::new();
    let mut is_code = false;
    for line in visible.trim().lines() {
        match line {
            _ if line.starts_with("```") => is_code = !is_code,
            _ if ["</details", "!["].iter().any(|sign| line.starts_with(sign)) => {}
            _ if line.starts_with("<details") => {
                let summary = line.trim_start_matches("<details><summary>").trim_end_matches("</summary>");
                plain.push_str(&format!("{summary}:\n"));
            }
            _ if is_code => plain.push_str(&format!("    {line}\n")),
            _ => plain.push_str(&format!("{}\n", line.replace("**", ""))),
        }
    }
    plain.truncate(plain.trim_end().len());
    without_targets(&plain)
}

/// The fenced blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> impl Iterator<Item = &'a str> {
    let fence = format!("```{language}\n");
    let starts: Vec<&str> = text.split(fence.as_str()).skip(1).collect();
    starts.into_iter().map(|block| block.split_once("```").map_or(block, |(inside, _)| inside))
}
