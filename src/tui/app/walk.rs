//! Walking: through moves, positions and games, and over the parameters.

use super::{App, Effect, Terms};
use crate::{
    feature::Key,
    tui::{keys::Action, layout},
};

impl App {
    /// Shows the next or previous move by value, round and round.
    pub(super) fn step(&mut self, by: isize) {
        let Some(found) = self.found() else { return };
        let moves = found.moves.len();
        let next = (self.shown(found) as isize + by).rem_euclid(moves as isize) as usize;
        self.shown = Some(found.moves[next].mv);
    }

    pub(super) fn show_move(&mut self, index: usize) {
        self.shown = self.found().and_then(|found| found.moves.get(index)).map(|judged| judged.mv);
    }

    /// Goes on by so many positions.
    pub(super) fn walk(&mut self, by: isize) -> Vec<Effect> {
        let positions = self.library.collection.positions.len();
        match self.at.checked_add_signed(by).filter(|&at| at < positions) {
            Some(at) => self.go_to(at),
            None if by > 0 => self.stay("this is the last position of the last game"),
            None => self.stay("this is the first position of the first game"),
        }
    }

    /// Goes on by so many games.
    pub(super) fn walk_game(&mut self, by: isize) -> Vec<Effect> {
        let game = self.library.game_of(self.at).checked_add_signed(by);
        match game.and_then(|game| self.library.first_of(game)) {
            Some(at) => self.go_to(at),
            None if by > 0 => self.stay("this is the last game"),
            None => self.stay("this is the first game"),
        }
    }

    pub(super) fn go_to(&mut self, at: usize) -> Vec<Effect> {
        self.at = at;
        self.shown = None;
        vec![Effect::Search]
    }

    fn stay(&mut self, why: &str) -> Vec<Effect> {
        self.say(why);
        Vec::new()
    }

    pub(super) fn next_terms(&mut self) {
        self.terms = match self.terms {
            Terms::AgainstRoot => Terms::AgainstRival,
            Terms::AgainstRival => Terms::Leaf,
            Terms::Leaf => Terms::Root,
            Terms::Root => Terms::AgainstRoot,
        };
    }

    /// Chooses a neighbouring parameter, as they stand on the screen.
    pub(super) fn move_cursor(&mut self, action: Action) {
        let grid = self.grid();
        self.cursor = grid.neighbour(self.cursor, action);
        self.follow_cursor();
    }

    /// The parameters laid out on the screen.
    pub fn grid(&self) -> layout::Grid {
        layout::Grid::of(self.size, self.weights.extras())
    }

    pub(super) fn choose(&mut self, key: Key) {
        self.cursor = key;
        self.follow_cursor();
    }

    /// On a small screen, turns to the page of the parameter chosen unless the board is shown.
    pub(super) fn follow_cursor(&mut self) {
        let grid = self.grid();
        if grid.pages == 0 {
            self.part = 0;
        } else if self.part > 0 {
            self.part = grid.page_of(self.cursor) + 1;
        }
    }

    /// On a small screen, turns the page.
    pub(super) fn turn_page(&mut self, forth: bool) {
        let parts = self.grid().pages + 1;
        if parts == 1 {
            self.say("everything is on this page");
            return;
        }
        self.part = (self.part + if forth { 1 } else { parts - 1 }) % parts;
        if self.part > 0 {
            self.cursor = self.grid().first_of_page(self.part - 1);
        }
    }
}
