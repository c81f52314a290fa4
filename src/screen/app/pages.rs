//! The pages that open over the main screen, and the actions of keys on them.

use super::{App, Effect, Finder, Palette, Purpose, Tour, reports::NO_RUN};
use crate::{
    feature::Layout,
    screen::{
        keys::{Action, KeyCode},
        layout::{self, List},
    },
    show::lesson::LESSONS,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// None: the main screen.
    Main,
    /// The keys.
    Help {
        /// First line shown.
        top: usize,
    },
    /// All moves; the one chosen is the one shown.
    Moves,
    /// The chosen parameter and the cells of its table.
    Cells {
        cell: usize,
        /// The line chosen of the positions that the parameter decides.
        line: usize,
    },
    Lessons {
        line: usize,
    },
    Lesson {
        number: u32,
        /// First line shown.
        top: usize,
    },
    Options {
        line: usize,
    },
    /// The current run, or the last one.
    Run {
        /// Which part of it is shown, where the screen has no room for all.
        part: usize,
        /// First line of the list of weights.
        top: usize,
    },
    /// The list of games, which a prompt filters.
    Games,
    /// The list of keys, which a prompt filters.
    Palette,
    /// The comparison with another set of weights.
    Compare {
        /// First line of the list of differences.
        top: usize,
    },
    /// Whether the weights are better than another set.
    Trial,
}

impl Page {
    /// The page of the run as it opens.
    pub(super) const RUN: Page = Page::Run { part: 0, top: 0 };

    /// The page that an action opens; also the one that the same action closes again.
    fn opened_by(action: Action) -> Option<Page> {
        match action {
            Action::Help => Some(Page::Help { top: 0 }),
            Action::Moves => Some(Page::Moves),
            Action::Open => Some(Page::Cells { cell: 0, line: 0 }),
            Action::Options => Some(Page::Options { line: 0 }),
            Action::History => Some(Page::RUN),
            Action::Lessons => Some(Page::Lessons { line: 0 }),
            _ => None,
        }
    }

    /// Whether the key that opened the page is pressed again.
    fn is_closed_by(self, action: Action) -> bool {
        let same = |page: &Page| std::mem::discriminant(page) == std::mem::discriminant(&self);
        action == Action::Quit || Page::opened_by(action).as_ref().is_some_and(same)
    }

    /// Scrolls the list that the page is; returns whether the action does so.
    fn scroll(&mut self, action: Action, list: &List) -> bool {
        let (Page::Help { top } | Page::Compare { top } | Page::Lesson { top, .. }) = self else {
            return false;
        };
        let to = list.scroll(action, *top);
        *top = to.unwrap_or(*top);
        to.is_some()
    }
}

impl App {
    pub(super) fn open_page(&mut self, action: Action) {
        if action == Action::History {
            let is_running = self.fit_job.is_some();
            self.runs.show_last(is_running);
            let Some(run) = self.run_history_mut() else {
                self.dialog.inform(NO_RUN);
                return;
            };
            if !is_running {
                run.choose(run.last());
            }
        }
        if action == Action::Moves {
            let analysis = self.browser.analysis();
            let shown = analysis.map(|analysis| analysis.moves[self.browser.move_index(analysis)].mv);
            self.move_before = shown.map(|mv| (self.browser.place(), mv));
        }
        self.page = Page::opened_by(action).unwrap_or(self.page);
    }

    /// Closes the open page without taking anything from it: the move shown is that from before the page of moves.
    pub(super) fn leave_page(&mut self) {
        if self.page == Page::Moves
            && let Some((place, before)) = self.move_before.take()
            && place == self.browser.place()
            && let Some(analysis) = self.browser.analysis()
            && let Some(index) = analysis.moves.iter().position(|analysed| analysed.mv == before)
        {
            self.browser.show_move(index);
        }
        self.page = Page::Main;
    }

    /// Opens the list of games with the prompt that filters it.
    pub(super) fn open_games(&mut self) {
        self.finder = Some(Finder::new(self.page));
        self.page = Page::Games;
        self.prompt_for(Purpose::Game);
    }

    /// Chooses a line of the list of games with a key that edits no text; returns whether it does so.
    pub(super) fn choose_game(&mut self, code: KeyCode, action: Option<Action>) -> bool {
        let action = action.filter(|_| !matches!(code, KeyCode::Char(_)));
        let Some((finder, action)) = self.finder.as_mut().zip(action) else { return false };
        let chooses = finder.choose(action, &self.display.list);
        if chooses {
            self.dialog.clear_error();
        }
        chooses
    }

    /// Filters the list of games by the text of its prompt, and closes it with the prompt.
    pub(super) fn follow_game_prompt(&mut self) {
        let Some(finder) = &mut self.finder else { return };
        match self.dialog.prompt.as_ref().filter(|prompt| prompt.purpose == Purpose::Game) {
            Some(prompt) => finder.filter(&prompt.text(), &self.browser.library, self.browser.game_index()),
            None => {
                if self.page == Page::Games {
                    self.page = finder.before;
                }
                self.finder = None;
            }
        }
    }

    /// Opens the list of keys with the prompt that filters it.
    pub(super) fn open_palette(&mut self) {
        self.palette = Some(Palette::new(self.page));
        self.page = Page::Palette;
        self.prompt_for(Purpose::Key);
    }

    /// Chooses a line of the list of keys with a key that edits no text; returns whether it does so.
    pub(super) fn choose_key(&mut self, code: KeyCode, action: Option<Action>) -> bool {
        let action = action.filter(|_| !matches!(code, KeyCode::Char(_)));
        let Some((palette, action)) = self.palette.as_mut().zip(action) else { return false };
        palette.choose(action, &self.display.list)
    }

    /// Filters the list of keys by the text of its prompt, and closes it with the prompt.
    pub(super) fn follow_palette_prompt(&mut self) {
        let Some(palette) = &mut self.palette else { return };
        match self.dialog.prompt.as_ref().filter(|prompt| prompt.purpose == Purpose::Key) {
            Some(prompt) => palette.filter(&prompt.text()),
            None => {
                if self.page == Page::Palette {
                    self.page = palette.before;
                }
                self.palette = None;
            }
        }
    }

    /// Carries out an action on the open page; none where it does the same as on the main screen.
    pub(super) fn page_action(&mut self, action: Action) -> Option<Vec<Effect>> {
        let list = self.display.list.clone();
        let is_done = match self.page {
            Page::Main | Page::Games | Page::Palette => return None,
            Page::Trial => false,
            Page::Help { .. } | Page::Compare { .. } => self.page.scroll(action, &list),
            Page::Lessons { line } => self.choose_lesson(action, line, &list),
            Page::Lesson { number, .. } => self.read_lesson(action, number, &list),
            Page::Moves => self.choose_move(action, &list),
            Page::Cells { cell, line } => match self.choose_decision(action, line, &list) {
                Some(effects) => return Some(effects),
                None => self.choose_cell(action, cell, line),
            },
            Page::Options { line } if matches!(action, Action::Left | Action::Right) => {
                return Some(self.turn_option(line, action == Action::Right));
            }
            Page::Options { line } => self.choose_option(action, line, &list),
            Page::Run { .. } if action == Action::Open => return Some(self.take_chosen_pass()),
            Page::Run { part, top } => self.choose_pass(action, part, top, &list),
        };
        let closes = self.page.is_closed_by(action);
        if closes {
            self.leave_page();
        }
        (is_done || closes).then(Vec::new)
    }

    fn choose_move(&mut self, action: Action, list: &List) -> bool {
        if action == Action::Open {
            self.page = Page::Main;
            return true;
        }
        let shown = self.browser.analysis().map_or(0, |analysis| self.browser.move_index(analysis));
        let Some(index) = list.choose(action, shown) else { return false };
        self.browser.show_move(index);
        true
    }

    fn choose_cell(&mut self, action: Action, cell: usize, line: usize) -> bool {
        let layout = self.editor.cursor().feature().layout;
        let (cells, row) = (layout.cells(), row_length(layout));
        let to = match action {
            Action::Left => cell.checked_sub(1),
            Action::Right => Some(cell + 1),
            Action::Up => cell.checked_sub(row),
            Action::Down => Some(cell + row),
            Action::PageUp => Some(cell % row),
            Action::PageDown => Some(cells - row + cell % row),
            Action::First => Some(0),
            Action::Last => Some(cells - 1),
            _ => return false,
        };
        self.page = Page::Cells { cell: to.filter(|&to| to < cells).unwrap_or(cell), line };
        true
    }

    fn choose_lesson(&mut self, action: Action, line: usize, list: &List) -> bool {
        if action == Action::Open {
            self.page = Page::Lesson { number: LESSONS[line].number, top: 0 };
            return true;
        }
        let Some(line) = list.choose(action, line) else { return false };
        self.page = Page::Lessons { line };
        true
    }

    /// Scrolls a lesson, follows it on the screen, or goes back to the list.
    fn read_lesson(&mut self, action: Action, number: u32, list: &List) -> bool {
        match action {
            Action::Open => match Tour::of_lesson(number) {
                Some(tour) => {
                    self.tour = tour;
                    self.page = Page::Main;
                }
                None => self
                    .dialog
                    .inform(format!("this lesson runs outside the screen: texam lesson {number} --run")),
            },
            Action::Escape | Action::Lessons => {
                let line = LESSONS.iter().position(|lesson| lesson.number == number).unwrap_or(0);
                self.page = Page::Lessons { line };
            }
            _ => return self.page.scroll(action, list),
        }
        true
    }

    fn choose_option(&mut self, action: Action, line: usize, list: &List) -> bool {
        let entries = self.options.entries();
        if matches!(action, Action::Open | Action::Edit) {
            let line = line.min(entries.len() - 1);
            self.prompt_for_change(Purpose::Option(entries[line].name.to_string()));
            return true;
        }
        let Some(line) = list.choose(action, line) else { return false };
        self.page = Page::Options { line };
        true
    }

    /// Gives an option of several words the next or the previous one.
    fn turn_option(&mut self, line: usize, is_forward: bool) -> Vec<Effect> {
        let entries = self.options.entries();
        let entry = &entries[line.min(entries.len() - 1)];
        let Some(text) = self.options.turned(entry.name, is_forward) else {
            self.dialog.inform(format!("--{} takes a value that is typed: enter", entry.name));
            return Vec::new();
        };
        if !self.may_change() {
            return Vec::new();
        }
        self.set_option(entry.name, &text).unwrap_or_else(|error| {
            self.dialog.show_error(error);
            Vec::new()
        })
    }

    fn choose_pass(&mut self, action: Action, part: usize, top: usize, list: &List) -> bool {
        let last_part = layout::run_parts(self.display.size) - 1;
        self.page = match action {
            Action::Left | Action::Right => {
                if !self.runs.step(action, self.fit_job.is_some()) {
                    let end = if action == Action::Left { "first" } else { "last" };
                    self.dialog.inform(format!(
                        "this is the {end} run since the start of the program; up and down choose a pass"
                    ));
                }
                Page::Run { part, top: 0 }
            }
            Action::Up | Action::Down | Action::First | Action::Last => {
                self.run_history_mut().into_iter().for_each(|run| run.move_choice(action));
                return true;
            }
            Action::PageDown if part < last_part => Page::Run { part: part + 1, top: 0 },
            Action::PageUp if top == 0 => Page::Run { part: part.min(last_part).saturating_sub(1), top: 0 },
            Action::PageDown | Action::PageUp => {
                Page::Run { part: last_part, top: list.scroll(action, top).unwrap_or(top) }
            }
            _ => return false,
        };
        true
    }
}

/// Entries of a table in one row of its page.
fn row_length(layout: Layout) -> usize {
    layout.axes().1.len().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_closed_by_the_key_that_opens_it_and_by_quit() {
        for action in [Action::Help, Action::Moves, Action::Open, Action::Options, Action::History] {
            let page = Page::opened_by(action).unwrap();
            assert!(page.is_closed_by(action) && page.is_closed_by(Action::Quit));
            assert!(!page.is_closed_by(Action::Find));
        }
    }
}
