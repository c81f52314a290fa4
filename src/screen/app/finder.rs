//! The list of games that a prompt filters. Knows which games match and which one is chosen, not how they are drawn.

use super::{Library, Page};
use crate::{
    game::GameFilter,
    screen::{keys::Action, layout::List},
};

/// The games that match what is typed, and the one chosen.
#[derive(Debug)]
pub struct Finder {
    /// Indices of the games in the library.
    pub games: Vec<usize>,
    /// The line chosen; none if a number was typed that is not that of a game.
    pub chosen: Option<usize>,
    /// The text that the games were found by; none if they are to be found again.
    text: Option<String>,
    pub before: Page,
}

impl Finder {
    /// Finds no games yet. `before` is the page to go back to.
    pub(super) fn new(before: Page) -> Finder {
        Finder { games: Vec::new(), chosen: None, text: None, before }
    }

    pub(super) fn chosen_game(&self) -> Option<usize> {
        self.chosen.and_then(|line| self.games.get(line)).copied()
    }

    /// Forgets the games, which may be others now.
    pub(super) fn reset(&mut self) {
        self.text = None;
    }

    /// Finds the games that match a text. Without a text the game shown is chosen, after a number the one that has it, and
    /// after words the first that matches.
    pub(super) fn filter(&mut self, text: &str, library: &Library, shown: usize) {
        if self.text.as_deref() == Some(text) {
            return;
        }
        self.text = Some(text.to_string());
        let filter = GameFilter::new(text);
        self.games = (0..library.games()).filter(|&game| filter.matches(library.head(game))).collect();
        let is_meant = |&game: &usize| match text.trim().parse::<u32>() {
            Ok(number) => library.head(game).number == number,
            Err(_) => !text.trim().is_empty() || game == shown,
        };
        self.chosen = self.games.iter().position(is_meant);
    }

    /// Chooses another line; returns whether the action does so.
    pub(super) fn choose(&mut self, action: Action, list: &List) -> bool {
        let line = match self.chosen {
            Some(chosen) => list.choose(action, chosen),
            // The first key chooses the first line, and End the last one.
            None => list.choose(action, 0).map(|line| if action == Action::Last { line } else { 0 }),
        };
        if line.is_some() && !self.games.is_empty() {
            self.chosen = line;
        }
        line.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::screen::testing;

    fn library() -> Library {
        Library::new(Arc::new(testing::collection(1)))
    }

    #[test]
    fn a_number_chooses_its_game_words_the_first_that_matches_and_nothing_the_game_shown() {
        let (library, mut finder) = (library(), Finder::new(Page::Main));
        let number = |finder: &Finder| finder.chosen_game().map(|game| library.head(game).number);
        finder.filter("", &library, 6);
        assert_eq!((finder.games.len(), number(&finder)), (868, Some(7)));
        finder.filter("115", &library, 6);
        assert_eq!(number(&finder), Some(115));
        finder.filter("botvinnik TAL 1961", &library, 6);
        let games = finder.games.iter().map(|&game| library.head(game));
        assert!(games.clone().count() > 0);
        assert!(games.clone().all(|head| head.date.starts_with("1961")));
        assert_eq!(number(&finder), games.clone().next().map(|head| head.number));
        finder.filter("1961", &library, 6);
        assert!(finder.games.len() > 1 && number(&finder).is_none(), "there is no game of this number");
        finder.filter("no such player", &library, 6);
        assert_eq!((finder.games.len(), number(&finder)), (0, None));
    }

    #[test]
    fn keys_choose_among_the_games_that_match() {
        let (library, mut finder) = (library(), Finder::new(Page::Main));
        finder.filter("1961", &library, 0);
        let list = List::new(finder.games.len(), 10);
        assert!(finder.choose(Action::Down, &list) && finder.chosen == Some(0));
        assert!(finder.choose(Action::PageDown, &list) && finder.chosen == Some(10));
        assert!(finder.choose(Action::Last, &list) && finder.chosen == Some(list.lines - 1));
        assert!(!finder.choose(Action::Find, &list));
        finder.filter("no such player", &library, 0);
        assert!(finder.choose(Action::Down, &List::new(0, 10)) && finder.chosen.is_none());
    }
}
