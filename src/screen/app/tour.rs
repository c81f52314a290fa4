//! Guides through the screen: the tour for a first visit, and the lessons that concern the screen. Each is a row of steps,
//! and a step is done with the key that its line names.

use crate::screen::keys::Action;

#[derive(Debug, PartialEq, Eq)]
pub struct Guide {
    name: &'static str,
    /// The action that a step waits for, and what it says.
    steps: &'static [(Action, &'static str)],
    /// What is said at the end.
    end: &'static str,
}

/// Makes a guide of its name, what it says at its end, and its steps.
macro_rules! guide {
    ($name:literal, $end:literal; $($action:ident: $text:literal;)*) => {
        Guide { name: $name, steps: &[$((Action::$action, $text)),*], end: $end }
    };
}

/// The tour for a first visit.
static TOUR: Guide = guide! {
    "Tour", "That was the tour. u takes the weights of its fit back, f without the tour fits all positions, ? shows \
        all keys.";
    NextMove: "This is a position in which the winner has moved. Press space: each legal move is shown, the best one \
        first.";
    NextPosition: "Press n to go to the winner's next position. The line of signs shows where the evaluation agrees.";
    Terms: "The last column below shows what each weight adds to the position on the board. Press c: now it shows the \
        difference between two moves. Pressed again, En - Ex, which is what a fit sees.";
    FitOnce: "Press f: one fit searches positions of all games and changes the weights. In this tour it takes every \
        20th position, which is enough to see how it goes. The line at the foot will show how far it is.";
    History: "Press h to see the run. The page fills as it continues: first match, mean rank and spread of the start, \
        then those after the fit, with the histograms and the weights that moved.";
    Save: "Press h again to leave the page of the run. While the fit runs, its progress is shown at the foot, and \
        weights cannot be saved. When it has ended, press S, which asks for the name of a file. Leave it with esc: \
        nothing is written.";
};

/// In the tour, a fit takes one of so many positions, so that it ends within the tour.
const TOUR_EVERY: u32 = 20;

/// The lessons that can be followed on the screen, with their numbers.
static LESSONS: [(u32, Guide); 4] = [
    (
        1,
        guide! {
            "Lesson 1", "That was lesson 1. u takes the fit back; o sets variance to on again.";
            Options: "Press o to open the options of the fit.";
            Options: "Without a force the targets are the evaluation's own values. Choose force with up and down, press \
                enter, type none, press enter. Do the same with variance: off. Then press o again.";
            FitOnce: "Press f. A fit to its own values must give the weights back: how large will the change be?";
            History: "Wait until the fit has ended, then press h and read the largest change, in the line of pass 1.";
            Options: "Press h, then o.";
            Options: "Set force to linear: the targets are no longer the evaluation's own values. Then press o again.";
            FitOnce: "Press f.";
            History: "When the fit has ended, press h: the largest change of pass 1 is not 0 any more.";
        },
    ),
    (
        2,
        guide! {
            "Lesson 2", "That was lesson 2. u takes the fit back; o sets force, strength and variance to linear, 512 and \
                on again.";
            Options: "Press o to open the options of the fit.";
            Options: "Set force to constant, strength to 256, balance to none and variance to off: choose each with up and \
                down, press enter, type the value, press enter. Then press o again.";
            FitOnce: "Press f. Every played move is pushed up, and nothing is pushed down.";
            History: "When the fit has ended, press h. The first line has the mean gain of pass 1 and of the start: note \
                both.";
            Undo: "Press h, then u: the weights are those from before the fit.";
            Options: "Press o.";
            Options: "Set balance to all: now the alternatives are pushed down as much. Then press o again.";
            FitOnce: "Press f.";
            History: "When the fit has ended, press h. How far has the mean gain moved this time?";
        },
    ),
    (
        11,
        guide! {
            "Lesson 11", "That was lesson 11. x holds the table as one gradient again.";
            Find: "Press /, type p_adv and press enter: the pawn advancement gradient is chosen.";
            Free: "Press x: every cell of the table gets a weight of its own.";
            Open: "Press enter to see the cells. They still have the values of the start.";
            FitOnce: "Press f and stay on this page: the fit changes the cells.";
            Undo: "When the fit has ended, compare the files d and e with the files a and h. Do advanced pawns near the \
                centre count more? Then press u to take the fit back.";
        },
    ),
    (
        12,
        guide! {
            "Lesson 12", "That was lesson 12.";
            GoToGame: "Press g, type 115 and press enter: Botvinnik against Tal, 1961.";
            Options: "Press n until White has to make move 24. E0 is the value after 24.Nxb4: note it. Press n and note \
                the E0 of move 25. Then go back with p, and press o.";
            Options: "Choose phase-at, press enter, type root, press enter, and press o again: all leaves are now \
                evaluated with the phase of the position before the move, as we read the record of \
                1988.";
            NextPosition: "Note the E0 of move 24 again. Both queens and a bishop are about to leave the board, but the \
                weights are still those before the exchanges. Then press n.";
            Options: "Note the E0 of move 25. How far did each pair of values jump? Then press o.";
            Options: "Set phase-at to leaf again, and press o.";
        },
    ),
];

/// Where a guide stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tour {
    /// No guide has begun, or it was left.
    #[default]
    Off,
    /// This step is to be done.
    Step(&'static Guide, usize),
    Done(&'static Guide),
}

impl Tour {
    /// Begins the tour, or leaves the guide that goes on.
    pub(super) fn toggle(&mut self) {
        *self = if *self == Tour::Off { Tour::Step(&TOUR, 0) } else { Tour::Off };
    }

    /// The guide of a lesson at its first step; none if the lesson cannot be followed on the screen.
    pub(super) fn of_lesson(number: u32) -> Option<Tour> {
        LESSONS.iter().find(|(other, _)| *other == number).map(|(_, guide)| Tour::Step(guide, 0))
    }

    /// Whether a lesson can be followed on the screen.
    pub fn has_lesson(number: u32) -> bool {
        Tour::of_lesson(number).is_some()
    }

    /// One of how many positions a fit takes at least, if the tour asks for it now.
    pub(super) fn fit_every(&self) -> u32 {
        match *self {
            Tour::Step(guide, step) if *guide == TOUR && guide.steps[step].0 == Action::FitOnce => TOUR_EVERY,
            _ => 1,
        }
    }

    /// Goes on if the action is the one that the step waits for. A guide that is done ends with the next key.
    pub(super) fn follow(&mut self, action: Action) {
        *self = match *self {
            Tour::Step(guide, step) if guide.steps[step].0 != action => return,
            Tour::Step(guide, step) if step + 1 < guide.steps.len() => Tour::Step(guide, step + 1),
            Tour::Step(guide, _) => Tour::Done(guide),
            Tour::Off | Tour::Done(_) => Tour::Off,
        };
    }

    /// The text shown.
    pub fn text(&self) -> Option<String> {
        match *self {
            Tour::Off => None,
            Tour::Step(guide, step) => {
                let (_, text) = guide.steps[step];
                let (name, count) = (guide.name, guide.steps.len());
                Some(format!("{name}, step {} of {count}: {text} (i leaves it)", step + 1))
            }
            Tour::Done(guide) => Some(guide.end.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::lesson;

    #[test]
    fn a_guide_goes_on_with_the_key_it_names_and_with_no_other() {
        let mut tour = Tour::default();
        assert_eq!(tour.text(), None);
        tour.toggle();
        let lessons = LESSONS.iter().map(|(number, _)| Tour::of_lesson(*number).unwrap());
        for mut tour in [tour].into_iter().chain(lessons) {
            let Tour::Step(guide, 0) = tour else { panic!("{tour:?}") };
            for (at, (action, text)) in guide.steps.iter().enumerate() {
                tour.follow(Action::Help);
                let shown = tour.text().unwrap();
                let place = format!("{}, step {} of {}: ", guide.name, at + 1, guide.steps.len());
                assert!(shown.starts_with(&place) && shown.contains(text), "{shown}");
                tour.follow(*action);
            }
            assert_eq!(tour.text().unwrap(), guide.end);
            tour.follow(Action::Escape);
            assert_eq!(tour, Tour::Off);
        }
    }

    #[test]
    fn the_lessons_with_a_guide_exist() {
        for (number, guide) in &LESSONS {
            assert!(lesson::Lesson::find(*number).is_ok());
            assert_eq!(guide.name, format!("Lesson {number}"));
        }
        assert!(Tour::has_lesson(1) && !Tour::has_lesson(3));
    }
}
