//! The list of keys that a prompt filters by words, for those who do not know the key.

use super::Page;
use crate::screen::{
    keys::{Action, BINDINGS, Binding},
    layout::List,
};

/// The lines of the table of keys that have all words typed, and the one chosen.
#[derive(Debug)]
pub struct Palette {
    pub bindings: Vec<&'static Binding>,
    pub chosen: usize,
    text: String,
    pub(super) before: Page,
}

impl Palette {
    /// All keys but the one of the list itself. `before` is the page to go back to.
    pub(super) fn new(before: Page) -> Palette {
        let mut palette = Palette { bindings: Vec::new(), chosen: 0, text: String::new(), before };
        palette.find();
        palette
    }

    pub(super) fn filter(&mut self, text: &str) {
        if self.text != text {
            self.text = text.to_string();
            self.find();
        }
    }

    fn find(&mut self) {
        let words: Vec<String> = self.text.split_whitespace().map(str::to_lowercase).collect();
        let matches = |binding: &&Binding| {
            let Binding { name, short, help, chapter, .. } = binding;
            let all = format!("{name} {short} {help} {}", <&str>::from(*chapter)).to_lowercase();
            binding.action != Action::Palette && words.iter().all(|word| all.contains(word))
        };
        self.bindings = BINDINGS.iter().filter(matches).collect();
        // A key that is typed, or named by its two words, is meant before one whose help mentions it.
        let is_meant =
            |binding: &&Binding| binding.name == self.text || binding.short.eq_ignore_ascii_case(&self.text);
        self.chosen = self.bindings.iter().position(is_meant).unwrap_or(0);
    }

    pub(super) fn chosen_action(&self) -> Option<Action> {
        self.bindings.get(self.chosen).map(|binding| binding.action)
    }

    /// Chooses another line; returns whether the action does so.
    pub(super) fn choose(&mut self, action: Action, list: &List) -> bool {
        let line = list.choose(action, self.chosen);
        self.chosen = line.filter(|&line| line < self.bindings.len()).unwrap_or(self.chosen);
        line.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_must_occur_and_a_key_or_its_two_words_are_chosen_first() {
        let mut palette = Palette::new(Page::Main);
        let all = palette.bindings.len();
        assert_eq!(all, BINDINGS.len() - 1);
        for (text, action) in [
            ("F", Action::FitMany),
            ("many fits", Action::FitMany),
            ("SAVE", Action::Save),
            ("fen copy", Action::Fen),
        ] {
            palette.filter(text);
            assert_eq!(palette.chosen_action(), Some(action), "{text}");
            assert!(palette.bindings.len() < all);
        }
        palette.filter("no such words");
        assert_eq!(palette.chosen_action(), None);
    }
}
