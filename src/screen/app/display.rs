//! The size and the theme of the screen, and the page of the main screen that a small one shows.

use crate::{
    feature::{Extras, Key},
    screen::{
        layout::{Grid, List},
        theme::Theme,
    },
};

/// Size, theme and page of the main screen.
#[derive(Debug, Clone)]
pub struct Display {
    pub size: (u16, u16),
    pub theme: Theme,
    /// Whether only what the record of 1988 names is shown.
    pub is_1988: bool,
    /// Page of the main screen, where it does not fit on one: 0 the board, then parameters.
    pub main_page: usize,
    /// The list on the open page before the event, so that a page key moves by what is shown.
    pub list: List,
}

impl Display {
    /// The smallest screen that shows everything at once, until the terminal reports its size.
    pub(super) fn new(theme: Theme, is_1988: bool) -> Display {
        Display { size: crate::screen::layout::whole(), theme, is_1988, main_page: 0, list: List::default() }
    }

    /// The parameters laid out on this screen.
    pub fn grid(&self, extras: Extras) -> Grid {
        Grid::new(self.size, extras)
    }

    /// Takes another size. [`Display::follow_cursor`] has to come after it.
    pub(super) fn resize(&mut self, size: (u16, u16)) {
        self.size = size;
    }

    /// On a small screen, turns to the page of the parameter chosen.
    pub(super) fn follow_cursor(&mut self, cursor: Key, extras: Extras) {
        let grid = self.grid(extras);
        self.main_page = if grid.pages == 0 { 0 } else { grid.page_of(cursor) + 1 };
    }

    /// On a small screen, turns the page; returns the first parameter of a page of parameters. The error is a
    /// notice.
    pub(super) fn turn_page(&mut self, is_next: bool, extras: Extras) -> Result<Option<Key>, &'static str> {
        let grid = self.grid(extras);
        let count = grid.pages + 1;
        if count == 1 {
            return Err("everything is on this page");
        }
        self.main_page = (self.main_page + if is_next { 1 } else { count - 1 }) % count;
        Ok((self.main_page > 0).then(|| grid.first_of_page(self.main_page - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display() -> Display {
        Display::new(Theme::DARK, false)
    }

    #[test]
    fn pages_turn_round_and_round_on_a_small_screen_only() {
        let mut display = display();
        assert!(display.turn_page(true, Extras::default()).is_err());
        display.resize((80, 24));
        assert_eq!(display.turn_page(true, Extras::default()), Ok(Some(Key::ALL[0])));
        assert_eq!(display.turn_page(false, Extras::default()), Ok(None));
        assert!(display.turn_page(false, Extras::default()).unwrap().is_some());
        assert_eq!(display.main_page, display.grid(Extras::default()).pages);
    }

    #[test]
    fn the_page_follows_the_cursor() {
        let mut display = display();
        let last = *Key::standard().last().unwrap();
        display.resize((80, 24));
        display.follow_cursor(last, Extras::default());
        assert!(display.main_page > 1);
        display.resize(crate::screen::layout::whole());
        display.follow_cursor(last, Extras::default());
        assert_eq!(display.main_page, 0);
    }
}
