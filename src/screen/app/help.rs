//! The lines of the help: the keys from their table, then the signs of the screen and the words, both of them
//! from the glossary of the documentation.

use strum::VariantArray;

use crate::{
    screen::{
        keys::{self, Binding, Chapter, PageName},
        theme::Theme,
    },
    show::lesson::plain_text,
};

const GLOSSARY: &str = include_str!("../../../docs/GLOSSARY.md");

/// The section of the glossary whose table has the signs.
const SIGNS: &str = "On the screen";

/// A key, a sign or a word, and what is said of it.
#[derive(Debug)]
pub struct HelpLine {
    pub chapter: &'static str,
    pub name: String,
    pub text: String,
    /// The line of the table of keys, if it is a key.
    pub binding: Option<&'static Binding>,
}

impl HelpLine {
    /// Whether all of these words, in small letters, occur in it.
    pub(super) fn has(&self, words: &[String]) -> bool {
        let short = self.short().unwrap_or_default();
        let all = format!("{} {short} {} {}", self.name, self.text, self.chapter).to_lowercase();
        words.iter().all(|word| all.contains(word))
    }

    /// Whether it is named so, or by these two words.
    pub(super) fn is_named(&self, text: &str) -> bool {
        self.name == text || self.short().is_some_and(|short| short.eq_ignore_ascii_case(text))
    }

    /// What it says at the foot of the main page.
    fn short(&self) -> Option<&'static str> {
        self.binding?.at_foot(PageName::Main)
    }
}

/// The whole help, in the order of its chapters.
pub fn help_lines(theme: Theme) -> Vec<HelpLine> {
    let key = |binding: &'static Binding| HelpLine {
        chapter: binding.chapter.into(),
        name: binding.name.to_string(),
        text: binding.help.to_string(),
        binding: Some(binding),
    };
    let keys = Chapter::VARIANTS.iter().flat_map(|&chapter| keys::chapter_of(chapter)).map(key);
    let line = |chapter, name: &str, text: &str| {
        let [name, text] = [name, text].map(|part| theme.signs_in(&part.replace(['`', '*'], "")));
        HelpLine { chapter, name, text, binding: None }
    };
    let sections = || GLOSSARY.split("\n## ").skip(1).filter_map(|section| section.split_once("\n\n"));
    let rows = sections().filter(|(head, _)| *head == SIGNS).flat_map(|(_, text)| text.lines());
    let rows = rows.filter_map(|row| row.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    let signs = rows.skip(1).map(|(sign, meaning)| line("Signs", sign, meaning));
    let words = sections().filter(|(head, _)| *head != SIGNS).map(|(head, text)| {
        let text = plain_text(text);
        let paragraph = text.split("\n\n").next().unwrap_or_default();
        let meaning = paragraph.split("\nSee ").next().unwrap_or_default();
        line("Words", head.split(" and ").next().unwrap_or_default(), meaning)
    });
    keys.chain(signs).chain(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_words_come_from_the_glossary_without_its_markup() {
        let lines = help_lines(Theme { ground: None, ascii: true });
        let text_of = |name: &str| lines.iter().find(|line| line.name == name).map(|line| &*line.text);
        assert_eq!(text_of("rank 3/40"), Some("three of 40 legal moves are above this one"));
        assert!(
            text_of("* t 3 + .").is_some() && text_of("Match").unwrap().starts_with("A position matches if")
        );
        assert_eq!(
            text_of("Piece"),
            Some("A knight, bishop, rook, queen or king. Together with the pawns: \"pieces and pawns\".")
        );
        for line in lines.iter().filter(|line| line.binding.is_none()) {
            assert!(!line.text.contains(['`', '|', '[']) || line.chapter == "Signs", "{line:?}");
            assert!(!line.text.is_empty() && line.text.is_ascii(), "{line:?}");
        }
    }
}
