//! The tour for a first visit: a row of steps, each of which is done with the key that it names.

use crate::screen::keys::Action;

/// The action that a step waits for, and what it says.
const STEPS: &[(Action, &str)] = &[
    (
        Action::NextMove,
        "This is a position in which the winner has moved. Press space: each legal move is shown, the best one \
        first.",
    ),
    (
        Action::NextPosition,
        "Press n to go to the winner's next position. The line of signs shows where the evaluation agrees.",
    ),
    (
        Action::Terms,
        "The last column below shows what each weight adds to the position on the board. Press c: now it shows the \
        difference between two moves. Pressed again, En - Ex, which is what a fit sees.",
    ),
    (
        Action::FitOnce,
        "Press f: one fit searches positions of all games and changes the weights. In this tour it takes every \
        20th position, which is enough to see how it goes. The line at the foot will show how far it is.",
    ),
    (
        Action::History,
        "Press h to see the run. The page fills as it continues: first match, mean rank and spread of the start, \
        then those after the fit, with the histograms and the weights that moved.",
    ),
    (
        Action::Save,
        "Press h again to leave the page of the run. While the fit runs, its progress is shown at the foot, and \
        weights cannot be saved. When it has ended, press S, which asks for the name of a file. Leave it with esc: \
        nothing is written.",
    ),
];

/// What is said at the end.
const END: &str = "That was the tour. u takes the weights of its fit back, f without the tour fits all positions, ? shows \
    all keys.";

/// In the tour, a fit takes one of so many positions, so that it ends within the tour.
const FIT_EVERY: u32 = 20;

/// Where the tour is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tour {
    /// It has not begun, or it was left.
    #[default]
    Off,
    /// This step is to be done.
    Step(usize),
    Done,
}

impl Tour {
    /// Begins the tour, or leaves it.
    pub(super) fn toggle(&mut self) {
        *self = if *self == Tour::Off { Tour::Step(0) } else { Tour::Off };
    }

    /// One of how many positions a fit takes at least, if the tour asks for it now.
    pub(super) fn fit_every(&self) -> u32 {
        match *self {
            Tour::Step(step) if STEPS[step].0 == Action::FitOnce => FIT_EVERY,
            _ => 1,
        }
    }

    /// Goes on if the action is the one that the step waits for. At its end the tour ends with the next key.
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
                Some(format!("Tour, step {} of {}: {} (i leaves it)", step + 1, STEPS.len(), STEPS[step].1))
            }
            Tour::Done => Some(END.to_string()),
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
            let place = format!("Tour, step {} of {}: ", at + 1, STEPS.len());
            assert!(shown.starts_with(&place) && shown.contains(text), "{shown}");
            tour.follow(*action);
        }
        assert_eq!(tour.text().unwrap(), END);
        tour.follow(Action::Escape);
        assert_eq!(tour, Tour::Off);
    }
}
