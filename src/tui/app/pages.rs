//! The pages that open over the main screen, and the actions of keys on them.

use super::{App, Effect, Purpose, Tour, reports::NO_RUN};
use crate::{
    feature::Layout,
    lesson::LESSONS,
    tui::{keys::Action, layout},
};

/// The page that is open.
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
        /// The cell chosen.
        cell: usize,
    },
    /// The list of lessons.
    Lessons {
        /// The line chosen.
        line: usize,
    },
    /// A lesson.
    Lesson {
        /// Its number.
        number: u32,
        /// First line shown.
        top: usize,
    },
    /// The options.
    Options {
        /// The line chosen.
        line: usize,
    },
    /// The run that goes on, or the last one.
    Run {
        /// Which part of it is shown, where the screen has no room for all.
        part: usize,
        /// First line of the list of weights.
        top: usize,
    },
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
            Action::Open => Some(Page::Cells { cell: 0 }),
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

    /// Keeps a list from beginning further down than it needs to, so that the way back up begins at once.
    pub(super) fn limit_scroll(&mut self, last_top: usize) {
        match self {
            Page::Help { top } | Page::Compare { top } | Page::Run { top, .. } | Page::Lesson { top, .. } => {
                *top = last_top.min(*top);
            }
            Page::Main
            | Page::Moves
            | Page::Cells { .. }
            | Page::Options { .. }
            | Page::Lessons { .. }
            | Page::Trial => {}
        }
    }

    /// Scrolls a page that is a list; returns whether the action does so.
    fn scroll(&mut self, action: Action) -> bool {
        let (Page::Help { top } | Page::Compare { top } | Page::Lesson { top, .. }) = self else {
            return false;
        };
        let to = line_after(action, *top, usize::MAX);
        *top = to.unwrap_or(*top);
        to.is_some()
    }
}

/// Lines that a page key scrolls.
const SCROLL_LINES: usize = 10;

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
            self.move_before = shown.map(|mv| (self.browser.position_index(), mv));
        }
        self.page = Page::opened_by(action).unwrap_or(self.page);
    }

    /// Closes the open page without taking anything from it: the move shown is that from before the page of moves.
    pub(super) fn leave_page(&mut self) {
        if self.page == Page::Moves
            && let Some((position, before)) = self.move_before.take()
            && position == self.browser.position_index()
            && let Some(analysis) = self.browser.analysis()
            && let Some(index) = analysis.moves.iter().position(|analysed| analysed.mv == before)
        {
            self.browser.show_move(index);
        }
        self.page = Page::Main;
    }

    /// Carries out an action on the open page; none where it does the same as on the main screen.
    pub(super) fn page_action(&mut self, action: Action) -> Option<Vec<Effect>> {
        let is_done = match self.page {
            Page::Main => return None,
            Page::Trial => false,
            Page::Help { .. } | Page::Compare { .. } => self.page.scroll(action),
            Page::Lessons { line } => self.choose_lesson(action, line),
            Page::Lesson { number, .. } => self.read_lesson(action, number),
            Page::Moves => self.choose_move(action),
            Page::Cells { cell } => self.choose_cell(action, cell),
            Page::Options { line } => self.choose_option(action, line),
            Page::Run { .. } if action == Action::Open => return Some(self.take_chosen_pass()),
            Page::Run { part, top } => self.toggle_run_beside(action) || self.choose_pass(action, part, top),
        };
        // While a fit runs, its page is left with the key that opened it: esc cancels the fit, q asks.
        let shows_fit = self.fit_job.is_some() && matches!(self.page, Page::Run { .. });
        let closes = self.page.is_closed_by(action) && !(shows_fit && action == Action::Quit);
        if closes {
            self.leave_page();
        }
        (is_done || closes).then(Vec::new)
    }

    fn choose_move(&mut self, action: Action) -> bool {
        if action == Action::Open {
            self.page = Page::Main;
            return true;
        }
        let analysis = self.browser.analysis();
        let (count, shown) =
            analysis.map_or((1, 0), |analysis| (analysis.moves.len(), self.browser.move_index(analysis)));
        let Some(index) = line_after(action, shown, count) else { return false };
        self.browser.show_move(index);
        true
    }

    fn choose_cell(&mut self, action: Action, cell: usize) -> bool {
        let layout = self.editor.cursor().feature().layout;
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

    fn choose_lesson(&mut self, action: Action, line: usize) -> bool {
        if action == Action::Open {
            self.page = Page::Lesson { number: LESSONS[line].number, top: 0 };
            return true;
        }
        let Some(line) = line_after(action, line, LESSONS.len()) else { return false };
        self.page = Page::Lessons { line };
        true
    }

    /// Scrolls a lesson, follows it on the screen, or goes back to the list.
    fn read_lesson(&mut self, action: Action, number: u32) -> bool {
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
            _ => return self.page.scroll(action),
        }
        true
    }

    fn choose_option(&mut self, action: Action, line: usize) -> bool {
        let entries = self.options.entries();
        if matches!(action, Action::Open | Action::Edit) {
            let line = line.min(entries.len() - 1);
            self.prompt_for_change(Purpose::Option(entries[line].name.clone()));
            return true;
        }
        let Some(line) = line_after(action, line, entries.len()) else { return false };
        self.page = Page::Options { line };
        true
    }

    fn choose_pass(&mut self, action: Action, part: usize, top: usize) -> bool {
        let last_part = layout::run_parts(self.display.size()) - 1;
        self.page = match action {
            Action::Left | Action::Right => {
                if !self.runs.step(action, self.fit_job.is_some()) {
                    let end = if action == Action::Left { "first" } else { "last" };
                    self.dialog
                        .inform(format!("this is the {end} run of this sitting; up and down choose a pass"));
                }
                Page::Run { part, top: 0 }
            }
            Action::Up | Action::Down => {
                self.run_history_mut().into_iter().for_each(|run| run.move_choice(action));
                return true;
            }
            Action::PageDown if part < last_part => Page::Run { part: part + 1, top: 0 },
            Action::PageDown => Page::Run { part: last_part, top: top + SCROLL_LINES },
            Action::PageUp if top > 0 => Page::Run { part, top: top.saturating_sub(SCROLL_LINES) },
            Action::PageUp => Page::Run { part: part.min(last_part).saturating_sub(1), top: 0 },
            _ => return false,
        };
        true
    }
}

/// Entries of a table in one row of its page.
fn row_length(layout: Layout) -> usize {
    layout.axes().1.len().max(1)
}

/// The line that an action leads to out of so many.
pub(super) fn line_after(action: Action, line: usize, count: usize) -> Option<usize> {
    let to = match action {
        Action::Up => line.saturating_sub(1),
        Action::Down => line + 1,
        Action::PageUp => line.saturating_sub(SCROLL_LINES),
        Action::PageDown => line + SCROLL_LINES,
        _ => return None,
    };
    Some(to.min(count.saturating_sub(1)))
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

    #[test]
    fn a_list_is_left_neither_above_nor_below() {
        assert_eq!(line_after(Action::Up, 0, 5), Some(0));
        assert_eq!(line_after(Action::PageDown, 1, 5), Some(4));
        assert_eq!(line_after(Action::Down, 0, 0), Some(0));
        assert_eq!(line_after(Action::Find, 0, 5), None);
    }
}
