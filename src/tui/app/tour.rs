//! A tour of the screen in a few steps. Each names a key; once it is pressed, the next step follows.

use crate::tui::keys::Action;

/// A step: the action that completes it, and what is shown before that.
const STEPS: [(Action, &str); 6] = [
    (
        Action::NextMove,
        "The winner of this game is to move. Press space to see another legal move: En is its value, rank counts the \
         moves above it, and the list at the top right shows the terms that decide between it and the move played.",
    ),
    (
        Action::NextPosition,
        "Press n to go to the winner's next position. The line of signs tells where the evaluation agrees.",
    ),
    (
        Action::Terms,
        "Press c: the last column of the weights below changes what it shows. En - Ex is what a fit sees.",
    ),
    (
        Action::FitOnce,
        "Press f: one fit searches the positions of all games and changes the weights. The line at the foot shows how \
         far it is; esc cancels it.",
    ),
    (
        Action::History,
        "Press h to see the run: match, mean rank, spread, histograms, and the weights that moved.",
    ),
    (
        Action::Save,
        "Press esc to leave the page of the run. When the fit has ended, press S, which asks for the name of a file. \
         Leave it with esc: nothing is written.",
    ),
];

/// Where the tour stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tour {
    /// It has not begun, or was left.
    #[default]
    Off,
    /// This step is to be done.
    Step(usize),
    /// All steps are done.
    Done,
}

impl Tour {
    /// Begins the tour, or leaves it.
    pub(super) fn toggle(&mut self) {
        *self = if *self == Tour::Off { Tour::Step(0) } else { Tour::Off };
    }

    /// Goes on if the action is the one that the step waits for. A tour that is done ends with the next key.
    pub(super) fn follow(&mut self, action: Action) {
        *self = match *self {
            Tour::Step(step) if STEPS[step].0 != action => return,
            Tour::Step(step) if step + 1 < STEPS.len() => Tour::Step(step + 1),
            Tour::Step(_) => Tour::Done,
            Tour::Off | Tour::Done => Tour::Off,
        };
    }

    /// The text shown.
    pub fn text(&self) -> Option<String> {
        match *self {
            Tour::Off => None,
            Tour::Step(step) => {
                let (_, text) = STEPS[step];
                Some(format!("Tour {} of {}: {text} (i leaves the tour)", step + 1, STEPS.len()))
            }
            Tour::Done => Some("That was the tour. ? shows all keys.".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tour_goes_on_with_the_key_it_names_and_with_no_other() {
        let mut tour = Tour::default();
        assert_eq!(tour.text(), None);
        tour.toggle();
        for (at, (action, text)) in STEPS.iter().enumerate() {
            tour.follow(Action::Help);
            let shown = tour.text().unwrap();
            assert!(shown.starts_with(&format!("Tour {} of 6: ", at + 1)) && shown.contains(text));
            tour.follow(*action);
        }
        assert_eq!(tour, Tour::Done);
        tour.follow(Action::Escape);
        assert_eq!(tour, Tour::Off);
    }
}
