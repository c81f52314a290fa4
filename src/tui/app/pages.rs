//! The pages that open over the main screen: which there are, and what keys do on them.

use super::{App, Effect, Purpose};
use crate::{feature::Layout, tui::keys::Action};

/// What is in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    Main,
    Help {
        top: usize,
    },
    /// All moves; the one chosen is the one shown.
    Moves,
    /// The chosen parameter and the cells of its table.
    Cells {
        cell: usize,
    },
    /// The options; `line` is chosen.
    Options {
        line: usize,
    },
    /// The last run; `pass` is chosen.
    History {
        pass: usize,
        top: usize,
    },
    Compare {
        top: usize,
    },
}

/// Lines that a page key turns.
pub(in crate::tui) const TURN: usize = 10;

impl App {
    pub(super) fn open(&mut self, action: Action) {
        self.page = match action {
            Action::Help => Page::Help { top: 0 },
            Action::Moves => Page::Moves,
            Action::Options => Page::Options { line: 0 },
            Action::History => match &self.story {
                Some(story) => Page::History { pass: story.passes.len() - 1, top: 0 },
                None => {
                    self.say("no run yet: f makes one fit, F many");
                    return;
                }
            },
            _ => Page::Cells { cell: 0 },
        };
    }

    /// What an action does on the page in front; none where it does there what it does everywhere.
    pub(super) fn page_action(&mut self, action: Action) -> Option<Vec<Effect>> {
        let done = match self.page {
            Page::Main => false,
            Page::Help { top } => self.scroll(action, top, |top| Page::Help { top }),
            Page::Compare { top } => self.scroll(action, top, |top| Page::Compare { top }),
            Page::Moves => self.in_moves(action),
            Page::Cells { cell } => self.in_cells(action, cell),
            Page::Options { line } => self.in_options(action, line),
            Page::History { pass, top } => return self.in_history(action, pass, top),
        };
        let closes = self.page != Page::Main && (action == Action::Quit || self.is_own_key(action));
        if closes {
            self.page = Page::Main;
        }
        (done || closes).then(Vec::new)
    }

    /// Whether the key that opened a page is pressed again.
    fn is_own_key(&self, action: Action) -> bool {
        matches!(
            (self.page, action),
            (Page::Help { .. }, Action::Help)
                | (Page::Moves, Action::Moves)
                | (Page::Cells { .. }, Action::Open)
                | (Page::Options { .. }, Action::Options)
                | (Page::History { .. }, Action::History)
        )
    }

    fn scroll(&mut self, action: Action, top: usize, page: impl Fn(usize) -> Page) -> bool {
        let Some(top) = moved(action, top, usize::MAX) else { return false };
        self.page = page(top);
        true
    }

    /// Does not let the page in front begin further down than it needs to, so that the way back up begins at
    /// once.
    pub fn stop_at(&mut self, last_top: usize) {
        match &mut self.page {
            Page::Help { top } | Page::Compare { top } | Page::History { top, .. } => {
                *top = last_top.min(*top)
            }
            Page::Main | Page::Moves | Page::Cells { .. } | Page::Options { .. } => {}
        }
    }

    fn in_moves(&mut self, action: Action) -> bool {
        let moves = self.found().map_or(1, |found| found.moves.len());
        let at = self.found().map_or(0, |found| self.shown(found));
        if action == Action::Open {
            self.page = Page::Main;
            return true;
        }
        let Some(at) = moved(action, at, moves) else { return false };
        self.show_move(at);
        true
    }

    fn in_cells(&mut self, action: Action, cell: usize) -> bool {
        let layout = self.cursor.feature().layout;
        let (cells, row) = (layout.cells(), row_length(layout));
        let to = match action {
            Action::Left => cell.checked_sub(1),
            Action::Right => Some(cell + 1),
            Action::Up => cell.checked_sub(row),
            Action::Down => Some(cell + row),
            Action::PageDown | Action::PageUp => None,
            _ => return false,
        };
        self.page = Page::Cells { cell: to.filter(|&to| to < cells).unwrap_or(cell) };
        true
    }

    fn in_options(&mut self, action: Action, line: usize) -> bool {
        let entries = self.entries();
        if matches!(action, Action::Open | Action::Edit) {
            let line = line.min(entries.len() - 1);
            self.ask_unless_fitting(Purpose::Option(entries[line].name.clone()));
            return true;
        }
        let Some(line) = moved(action, line, entries.len()) else { return false };
        self.page = Page::Options { line };
        true
    }

    fn in_history(&mut self, action: Action, pass: usize, top: usize) -> Option<Vec<Effect>> {
        let passes = self.story.as_ref().map_or(1, |story| story.passes.len());
        match action {
            Action::Open => return Some(self.take_from_story(pass)),
            Action::Left | Action::Right | Action::Up | Action::Down => {
                let towards = match action {
                    Action::Left => Action::Up,
                    Action::Right => Action::Down,
                    other => other,
                };
                let pass = moved(towards, pass, passes).unwrap_or(pass);
                self.page = Page::History { pass, top };
            }
            Action::PageDown => self.page = Page::History { pass, top: top + TURN },
            Action::PageUp => self.page = Page::History { pass, top: top.saturating_sub(TURN) },
            Action::Quit | Action::History => self.page = Page::Main,
            _ => return None,
        }
        Some(Vec::new())
    }
}

/// Entries of a table that stand in one row of its page.
pub(in crate::tui) fn row_length(layout: Layout) -> usize {
    layout.axes().1.len().max(1)
}

/// The line that an action leads to out of so many.
fn moved(action: Action, at: usize, lines: usize) -> Option<usize> {
    let to = match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => at + 1,
        Action::PageUp => at.saturating_sub(TURN),
        Action::PageDown => at + TURN,
        _ => return None,
    };
    Some(to.min(lines.saturating_sub(1)))
}
