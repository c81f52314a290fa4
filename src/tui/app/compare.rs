//! Two sets of weights side by side, with their agreement on the game shown.

use super::{App, Effect, Page, Purpose};
use crate::{diff::Entry, error::Result, feature::Weights};

/// Agreement on the positions of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions with a choice.
    pub positions: usize,
    pub matched: usize,
    /// Sum of the moves above the played one.
    pub ahead: usize,
}

/// What the comparison found.
#[derive(Debug)]
pub struct Comparison {
    /// The name of the other set.
    pub path: String,
    pub other: Weights,
    /// A note about the file of the other set.
    pub note: Option<String>,
    /// The positions compared on, as indices of the game.
    pub game: String,
    /// Agreement of the present and of the other set.
    pub tallies: [Tally; 2],
    /// Positions that the one set alone matches, and the other alone.
    pub only: [usize; 2],
}

impl App {
    pub(super) fn compared(&mut self, path: &str, result: Result<Box<Comparison>>) -> Vec<Effect> {
        match result {
            Ok(mut comparison) => {
                let game = self.library.head(self.library.game_of(self.at));
                comparison.game = format!("game {}: {} - {}", game.number, game.white, game.black);
                self.notice = None;
                if let Some(note) = comparison.note.take() {
                    self.say(note);
                }
                self.comparison = Some(*comparison);
                self.page = Page::Compare { top: 0 };
            }
            Err(error) => self.ask_again(Purpose::Compare, path, &error.to_string()),
        }
        Vec::new()
    }
}

/// The entries in which two sets differ.
pub(in crate::tui) fn differences(one: &Weights, other: &Weights) -> Vec<Entry> {
    Entry::all(one, other).into_iter().filter(Entry::differs).collect()
}
