//! A list that a prompt filters: that of the games, or the help. Knows which lines match and which one is
//! chosen, not how they are drawn.

use super::{HelpLine, Library, Page};
use crate::{
    game::GameFilter,
    screen::{keys::Action, layout::List},
};

/// The lines that match what is typed, and the one chosen.
#[derive(Debug)]
pub struct Finder {
    /// Indices of the games in the library, or of the lines of the help.
    pub found: Vec<usize>,
    /// The line chosen; none if a number was typed that is not that of a game.
    pub chosen: Option<usize>,
    /// The text that they were found by; none if they are to be found again.
    text: Option<String>,
    pub before: Page,
}

impl Finder {
    /// Finds nothing yet. `before` is the page to go back to.
    pub(super) fn new(before: Page) -> Finder {
        Finder { found: Vec::new(), chosen: None, text: None, before }
    }

    /// Index of the game or of the line of the help that is chosen.
    pub(super) fn chosen(&self) -> Option<usize> {
        self.chosen.and_then(|line| self.found.get(line)).copied()
    }

    /// Forgets the games, which may be others now.
    pub(super) fn reset(&mut self) {
        self.text = None;
    }

    /// Takes another text; returns whether it is one.
    fn takes(&mut self, text: &str) -> bool {
        let is_other = self.text.as_deref() != Some(text);
        self.text = Some(text.to_string());
        is_other
    }

    /// Finds the games that match a text. Without a text the game shown is chosen, after a number the one
    /// that has it, and after words the first that matches.
    pub(super) fn find_games(&mut self, text: &str, library: &Library, shown: usize) {
        if !self.takes(text) {
            return;
        }
        let filter = GameFilter::new(text);
        self.found = (0..library.games()).filter(|&game| filter.matches(library.head(game))).collect();
        let is_meant = |&game: &usize| match text.trim().parse::<u32>() {
            Ok(number) => library.head(game).number == number,
            Err(_) => !text.trim().is_empty() || game == shown,
        };
        self.chosen = self.found.iter().position(is_meant);
    }

    /// Finds the lines of the help that have all words of a text. A key that is typed, or named by its two
    /// words, is chosen before one whose help mentions them.
    pub(super) fn find_help(&mut self, text: &str, lines: &[HelpLine]) {
        if !self.takes(text) {
            return;
        }
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        self.found = (0..lines.len()).filter(|&line| lines[line].has(&words)).collect();
        self.chosen = Some(self.found.iter().position(|&line| lines[line].is_named(text)).unwrap_or(0));
    }

    /// Chooses another line; returns whether the action does so.
    pub(super) fn choose(&mut self, action: Action, list: List) -> bool {
        let line = match self.chosen {
            Some(chosen) => list.choose(action, chosen),
            // The first key chooses the first line, and End the last one.
            None => list.choose(action, 0).map(|line| if action == Action::Last { line } else { 0 }),
        };
        if line.is_some() && !self.found.is_empty() {
            self.chosen = line;
        }
        line.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::screen::{app::help_lines, testing, theme::Theme};

    fn library() -> Library {
        Library::new(Arc::new(testing::collection(1)))
    }

    #[test]
    fn a_number_chooses_its_game_words_the_first_that_matches_and_nothing_the_game_shown() {
        let (library, mut finder) = (library(), Finder::new(Page::Main));
        let number = |finder: &Finder| finder.chosen().map(|game| library.head(game).number);
        finder.find_games("", &library, 6);
        assert_eq!((finder.found.len(), number(&finder)), (868, Some(7)));
        finder.find_games("115", &library, 6);
        assert_eq!(number(&finder), Some(115));
        finder.find_games("botvinnik TAL 1961", &library, 6);
        let games = finder.found.iter().map(|&game| library.head(game));
        assert!(games.clone().count() > 0);
        assert!(games.clone().all(|head| head.date.starts_with("1961")));
        assert_eq!(number(&finder), games.clone().next().map(|head| head.number));
        finder.find_games("1961", &library, 6);
        assert!(finder.found.len() > 1 && number(&finder).is_none(), "there is no game of this number");
        finder.find_games("no such player", &library, 6);
        assert_eq!((finder.found.len(), number(&finder)), (0, None));
    }

    #[test]
    fn keys_choose_among_the_games_that_match() {
        let (library, mut finder) = (library(), Finder::new(Page::Main));
        finder.find_games("1961", &library, 0);
        let list = List::new(finder.found.len(), 10);
        assert!(finder.choose(Action::Down, list) && finder.chosen == Some(0));
        assert!(finder.choose(Action::PageDown, list) && finder.chosen == Some(10));
        assert!(finder.choose(Action::Last, list) && finder.chosen == Some(list.lines - 1));
        assert!(!finder.choose(Action::Find, list));
        finder.find_games("no such player", &library, 0);
        assert!(finder.choose(Action::Down, List::new(0, 10)) && finder.chosen.is_none());
    }

    #[test]
    fn all_words_must_occur_and_a_key_or_its_two_words_are_chosen_first() {
        let lines = help_lines(Theme::DARK);
        let mut finder = Finder::new(Page::Main);
        finder.find_help("", &lines);
        assert_eq!((finder.found.len(), finder.chosen()), (lines.len(), Some(0)));
        for (text, action) in [
            ("F", Action::FitMany),
            ("many fits", Action::FitMany),
            ("SAVE", Action::Save),
            ("fen copy", Action::Fen),
        ] {
            finder.find_help(text, &lines);
            let binding = lines[finder.chosen().unwrap()].binding;
            assert_eq!(binding.map(|binding| binding.action), Some(action), "{text}");
            assert!(finder.found.len() < lines.len());
        }
        finder.find_help("xyzzy", &lines);
        assert_eq!(finder.chosen(), None);
    }
}
