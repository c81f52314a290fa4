//! The pages that open over the main screen, and the actions of keys on them.

use super::{App, Effect, Finder, Purpose, help_lines, reports::NO_RUN};
use crate::screen::{
    keys::{Action, KeyCode, Page},
    layout::{self, List},
};

impl Page {
    /// The page of the run as it opens.
    pub(super) const RUN: Page = Page::Run { part: 0, top: 0 };

    /// The page that an action opens; also the one that the same action closes again.
    fn opened_by(action: Action) -> Option<Page> {
        match action {
            Action::Moves => Some(Page::Moves),
            Action::Open => Some(Page::Cells { cell: 0 }),
            Action::Options => Some(Page::Options { line: 0 }),
            Action::History => Some(Page::RUN),
            _ => None,
        }
    }

    /// Whether the key that opened the page is pressed again.
    fn is_closed_by(self, action: Action) -> bool {
        let same = |page: &Page| std::mem::discriminant(page) == std::mem::discriminant(&self);
        action == Action::Quit || Page::opened_by(action).as_ref().is_some_and(same)
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

    /// Closes the open page without taking anything from it: the move shown is that from before the page of
    /// moves.
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

    /// Opens the list of games or the help, with the prompt that filters it.
    pub(super) fn open_list(&mut self, page: Page, purpose: Purpose) {
        self.finder = Some(Finder::new(self.page));
        self.page = page;
        self.prompt_for(purpose);
    }

    /// Chooses a line of the open list with a key that edits no text; returns whether it does so.
    pub(super) fn choose_line(&mut self, code: KeyCode, action: Option<Action>) -> bool {
        let action = action.filter(|_| !matches!(code, KeyCode::Char(_)));
        let Some((finder, action)) = self.finder.as_mut().zip(action) else { return false };
        let chooses = finder.choose(action, self.display.list);
        if chooses {
            self.dialog.clear_error();
        }
        chooses
    }

    /// Filters the open list by the text of its prompt, and closes it with the prompt.
    pub(super) fn follow_list_prompt(&mut self) {
        let Some(finder) = &mut self.finder else { return };
        match self.dialog.prompt.as_ref().map(|prompt| (&prompt.purpose, prompt.text())) {
            Some((Purpose::Game, text)) => {
                finder.find_games(&text, &self.browser.library, self.browser.game_index());
            }
            Some((Purpose::Key, text)) => finder.find_help(&text, &help_lines(self.display.theme)),
            _ => {
                if matches!(self.page, Page::Games | Page::Help) {
                    self.page = finder.before;
                }
                self.finder = None;
            }
        }
    }

    /// The action of the key that is chosen in the help.
    pub(super) fn chosen_key(&self) -> Option<Action> {
        let chosen = self.finder.as_ref()?.chosen()?;
        help_lines(self.display.theme)[chosen].binding.map(|binding| binding.action)
    }

    /// Carries out an action on the open page; none where it does the same as on the main screen.
    pub(super) fn page_action(&mut self, action: Action) -> Option<Vec<Effect>> {
        let list = self.display.list;
        let is_done = match self.page {
            Page::Main | Page::Games | Page::Help => return None,
            Page::Trial => false,
            Page::Moves => self.choose_move(action, list),
            Page::Cells { cell } => self.choose_cell(action, cell),
            Page::Options { line } if matches!(action, Action::Left | Action::Right) => {
                return Some(self.turn_option(line, action == Action::Right));
            }
            Page::Options { line } => self.choose_option(action, line, list),
            Page::Run { .. } if action == Action::Open => return Some(self.take_chosen_pass()),
            Page::Run { part, top } => self.choose_pass(action, part, top, list),
        };
        let closes = self.page.is_closed_by(action);
        if closes {
            self.leave_page();
        }
        (is_done || closes).then(Vec::new)
    }

    fn choose_move(&mut self, action: Action, list: List) -> bool {
        if action == Action::Open {
            self.page = Page::Main;
            return true;
        }
        let shown = self.browser.analysis().map_or(0, |analysis| self.browser.move_index(analysis));
        let Some(index) = list.choose(action, shown) else { return false };
        self.browser.show_move(index);
        true
    }

    fn choose_cell(&mut self, action: Action, cell: usize) -> bool {
        let layout = self.editor.cursor().feature().layout;
        // Entries of a table in one row of its page.
        let (cells, row) = (layout.cells(), layout.axes().1.len().max(1));
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
        self.page = Page::Cells { cell: to.filter(|&to| to < cells).unwrap_or(cell) };
        true
    }

    fn choose_option(&mut self, action: Action, line: usize, list: List) -> bool {
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
        self.set_option(entry.name, &text).unwrap_or_else(|error| self.refuse(error))
    }

    fn choose_pass(&mut self, action: Action, part: usize, top: usize, list: List) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_closed_by_the_key_that_opens_it_and_by_quit() {
        for action in [Action::Moves, Action::Open, Action::Options, Action::History] {
            let page = Page::opened_by(action).unwrap();
            assert!(page.is_closed_by(action) && page.is_closed_by(Action::Quit));
            assert!(!page.is_closed_by(Action::Find));
        }
    }
}
