//! The screen: the event loop, and what the state asks of the world.
//!
//! ```text
//! keys, signals, workers -> Event -> App::update -> Effect -> workers, terminal
//!                                        |
//!                                      view -> terminal
//! ```
//!
//! One channel brings every event, whoever it comes from; each is taken in by the state, its effects are carried
//! out, and the screen is drawn once nothing more is waiting. The loop knows no chess and no method.

pub mod app;
pub mod found;
pub mod keys;
mod layout;
mod terminal;
#[cfg(test)]
mod testing;
pub mod theme;
pub mod view;
mod worker;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use self::{
    app::{App, Effect, Event, Notice},
    terminal::Screen,
    theme::Theme,
    worker::{Cancel, Gate, Searcher, Wanted},
};
use crate::{
    error::{Error, Result},
    feature::Weights,
    game::Collection,
    run::{RunPlace, RunSpec},
};

/// Columns of the terminal that standard output is, if it is one.
pub fn columns() -> Option<u16> {
    terminal::columns()
}

/// What the screen opens with.
pub struct Opening {
    /// The run that a fit begins.
    pub spec: RunSpec,
    /// Where it runs.
    pub place: RunPlace,
    /// What each option means, by name.
    pub meanings: BTreeMap<String, String>,
    /// Whether signs are plain ASCII.
    pub ascii: bool,
    /// The games; there is at least one position.
    pub collection: Collection,
    /// The start weights of the run.
    pub weights: Weights,
    /// Where they come from.
    pub source: String,
    /// What was wrong with games that were skipped.
    pub warnings: Vec<String>,
    /// A note about the file of the weights.
    pub note: Option<String>,
}

/// Shows the screen until the user leaves it. What comes back is to be said once the terminal is as it was.
///
/// # Errors
///
/// The terminal cannot be used, or a thread has failed.
pub fn run(opening: Opening) -> Result<Option<String>> {
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let theme = Theme { colour, ascii: opening.ascii };
    let notice = greeting(&opening.warnings, opening.note.as_deref());
    let mut app = App::new(opening, theme);
    app.notice = Some(notice);
    let (events, inbox) = mpsc::channel();
    let mut screen = Screen::open()?;
    terminal::listen(&events)?;
    let mut desk = Desk::new(events);
    let ended = attend(&mut app, &mut screen, &mut desk, &inbox);
    desk.close();
    screen.close()?;
    ended
}

fn greeting(warnings: &[String], note: Option<&str>) -> Notice {
    let warning = warnings.last().map(|last| format!("warning: {last}"));
    let note = note.map(|note| format!("note: {note}"));
    let is_error = warning.is_some();
    let messages: Vec<String> = warning.into_iter().chain(note).collect();
    if messages.is_empty() {
        let text = "space steps through the moves, n goes to the next position, ? shows all keys".to_string();
        return Notice { text, is_error };
    }
    Notice { text: messages.join("; "), is_error }
}

fn attend(
    app: &mut App,
    screen: &mut Screen,
    desk: &mut Desk,
    inbox: &Receiver<Event>,
) -> Result<Option<String>> {
    let (width, height) = screen.size()?;
    app.update(Event::Resize(width, height));
    desk.search(app);
    loop {
        app.stop_at(view::last_top(app));
        screen.draw(app)?;
        let first = inbox.recv().map_err(|_| Error::new("every source of events has ended"))?;
        for event in std::iter::once(first).chain(inbox.try_iter()) {
            if let Event::Broken(message) = event {
                return Err(Error::new(format!("a thread of the screen has failed: {message}")));
            }
            for effect in app.update(event) {
                match effect {
                    Effect::Quit => return Ok(None),
                    Effect::Suspend => {
                        screen.suspend()?;
                        let (width, height) = screen.size()?;
                        app.size = (width, height);
                    }
                    Effect::Redraw => screen.clear()?,
                    other => desk.take(app, other),
                }
            }
        }
    }
}

/// Where work is given out.
struct Desk {
    events: Sender<Event>,
    gate: Arc<Gate>,
    searcher: Searcher,
    /// The last fit, which may have ended.
    fit: Option<Cancel>,
}

impl Desk {
    fn new(events: Sender<Event>) -> Desk {
        let gate = Arc::new(Gate::default());
        let searcher = Searcher::start(events.clone(), Arc::clone(&gate));
        Desk { events, gate, searcher, fit: None }
    }

    fn take(&mut self, app: &App, effect: Effect) {
        match effect {
            Effect::Search => self.search(app),
            Effect::Fit(job) => {
                self.fit = Some(worker::fit(self.events.clone(), Arc::clone(&self.gate), *job));
            }
            Effect::Cancel => self.fit.iter().for_each(Cancel::cancel),
            other => worker::errand(self.events.clone(), other),
        }
    }

    fn search(&self, app: &App) {
        let positions = &app.library.collection.positions;
        let wanted: Vec<_> = app.wanted().into_iter().map(|index| (index, positions[index])).collect();
        self.searcher.want(Wanted {
            epoch: app.epoch,
            weights: app.weights.clone(),
            sampling: app.sampling(),
            urgent: !app.is_fresh(),
            positions: wanted,
        });
    }

    /// Leaves the files of a fit that still runs, or has just been cancelled, in order.
    fn close(&self) {
        if let Some(fit) = &self.fit {
            fit.abandon();
        }
    }
}

/// Sends what a blocking source yields until nobody listens.
fn forward(events: &Sender<Event>, mut next: impl FnMut() -> Option<Event> + Send + 'static) {
    let events = events.clone();
    thread::spawn(move || {
        while let Some(event) = next() {
            if events.send(event).is_err() {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_screen_opens_with_what_is_wrong_or_missing_before_any_hint() {
        let notice = |warnings: &[&str], note| {
            let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
            let Notice { text, is_error } = greeting(&warnings, note);
            (text, is_error)
        };
        assert!(notice(&[], None).0.contains("? shows all keys"));
        assert_eq!(notice(&[], Some("a.par: b")), ("note: a.par: b".to_string(), false));
        assert_eq!(notice(&["x", "y"], None), ("warning: y".to_string(), true));
        assert_eq!(notice(&["y"], Some("b")), ("warning: y; note: b".to_string(), true));
    }
}
