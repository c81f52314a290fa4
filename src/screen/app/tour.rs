//! The tour for a first visit: from a position of Fischer to a fit and to the shipped run. Its steps stand in
//! `tour.txt`; each ends with the key that it names, or with the end of a fit.

use std::sync::LazyLock;

use super::{App, Effect, Page, RunHistory, ShownBoard, Terms};
use crate::{
    error::Result,
    feature::{Key, Weights},
    run::RunSpec,
    screen::keys::{Action, BINDINGS},
};

/// In the tour, a fit takes one of so many positions, so that it ends within the tour.
pub const FIT_EVERY: u32 = 20;

/// The fits of the tour.
pub const FITS: u32 = 2;

/// A step of the tour.
pub struct Step {
    /// The action that it waits for; none for the end of a fit.
    pub ends_with: Option<Action>,
    /// What is shown with it: a kind and a name.
    shows: Vec<&'static str>,
    /// What the button of a page says.
    pub button: &'static str,
    text: &'static str,
}

impl Step {
    /// The text, as the screen or a page has it.
    pub fn text(&self, is_on_page: bool) -> String {
        let mut parts = self.text.split('‹');
        let first = parts.next().unwrap_or_default().to_string();
        parts.filter_map(|part| part.split_once('›')).fold(first, |text, (choice, rest)| {
            let chosen = choice.split('|').nth(usize::from(is_on_page)).unwrap_or_default();
            text + chosen + rest
        })
    }
}

static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let paragraphs = include_str!("tour.txt").split("\n\n").filter(|paragraph| !paragraph.starts_with('#'));
    let step = |paragraph: &'static str| {
        let (head, text) = paragraph.split_once('\n')?;
        let [key, shows, button] = head.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            return None;
        };
        let ends_with = BINDINGS.iter().find(|binding| binding.name == key).map(|binding| binding.action);
        Some(Step { ends_with, shows: shows.split(' ').collect(), button, text: text.trim() })
    };
    paragraphs.filter_map(step).collect()
});

/// Where the tour is: the index of its step. None before it, after it, and where it was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tour(Option<usize>);

impl Tour {
    /// Whether the step waits for this action; for none, whether it waits for the end of a fit.
    pub(super) fn asks_for(self, action: Option<Action>) -> bool {
        self.0.is_some_and(|step| STEPS[step].ends_with == action)
    }

    /// The step, its number from 1, and that of all.
    pub fn step(self) -> Option<(&'static Step, [usize; 2])> {
        let step = self.0?;
        Some((&STEPS[step], [step + 1, STEPS.len()]))
    }
}

impl App {
    /// Whether the tour can be made: what it says holds for the shipped games, the start weights and the usual
    /// options.
    pub fn has_tour(&self) -> bool {
        let spec = RunSpec { every: 1, ..self.options.setup.spec.clone() };
        spec == RunSpec::default() && *self.editor.weights() == Weights::start()
    }

    /// Begins the tour, or leaves it.
    pub(super) fn toggle_tour(&mut self) -> Result<Vec<Effect>, &'static str> {
        match self.tour.0.take() {
            Some(_) => Ok(Vec::new()),
            None if self.fit_job.is_none() && self.has_tour() => Ok(self.go_to_step(0)),
            None => Err(
                "the tour begins as texam without options does, with the start weights and no fit running",
            ),
        }
    }

    /// Goes on if the action, or with none the end of a fit, is what the step waits for.
    pub(super) fn follow_tour(&mut self, ended: Option<Action>) -> Vec<Effect> {
        match self.tour.0 {
            Some(step) if self.tour.asks_for(ended) => self.go_to_step(step + 1),
            _ => Vec::new(),
        }
    }

    fn go_to_step(&mut self, step: usize) -> Vec<Effect> {
        self.tour.0 = (step < STEPS.len()).then_some(step);
        self.dialog.notice = None;
        let shows = self.tour.0.map_or(&[][..], |step| &STEPS[step].shows);
        match *shows {
            ["game", game, "move", number] => {
                (self.page, self.display.main_page, self.dialog.prompt) = (Page::Main, 0, None);
                (self.browser.board, self.browser.terms) = (ShownBoard::Root, Terms::Shown);
                let mut effects = self.browser.leave_typed();
                effects.extend(self.browser.show_place(game, number.parse().ok()).into_iter().flatten());
                return effects;
            }
            ["weight", name] => {
                Key::from_name(name).into_iter().for_each(|key| self.editor.choose(key));
                self.follow_cursor();
            }
            ["run", ..] => match RunHistory::shipped() {
                Ok(run) => {
                    self.runs.show(run);
                    self.page = Page::RUN;
                }
                Err(error) => self.dialog.show_error(error),
            },
            _ => {}
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{app, press_all};

    #[test]
    fn each_step_names_its_key_and_ends_with_it_alone() {
        let keys: Vec<Option<Action>> = STEPS.iter().map(|step| step.ends_with).collect();
        use Action::{Escape, FitOnce, History, NextMove, OpenRun, Terms};
        let expected =
            [Some(NextMove), Some(Terms), Some(FitOnce), None, Some(History), Some(OpenRun), Some(Escape)];
        assert_eq!(keys, expected);
        for step in STEPS.iter().filter(|step| step.ends_with.is_some()) {
            let binding = BINDINGS.iter().find(|binding| Some(binding.action) == step.ends_with).unwrap();
            assert!(step.text.contains(&format!("Press {}", binding.name)), "{}", step.text);
        }
        let mut app = app();
        press_all(&mut app, "in");
        assert_eq!(app.tour, Tour(Some(0)));
        press_all(&mut app, " ");
        assert_eq!(app.tour, Tour(Some(1)));
        press_all(&mut app, "i");
        assert_eq!(app.tour, Tour::default());
        // What it says holds for the start weights only.
        press_all(&mut app, "/n_fwd\ne7 3\ni");
        assert_eq!((app.tour, app.has_tour()), (Tour::default(), false));
        press_all(&mut app, "ui");
        assert_eq!(app.tour, Tour(Some(0)));
    }
}
