//! The screen: the event loop, and the dispatch of work to threads.
//!
//! ```text
//! keys, signals, workers -> Event -> App::update -> Effect -> workers, terminal
//!                                        |
//!                                      view -> terminal
//! ```
//!
//! All events come through one channel. The state takes each of them, its effects are carried out, and the screen
//! is drawn once no event is waiting. A page key moves by what is shown, so the state is told what that is before each
//! event. The loop knows no chess and no method.

mod app;
mod keys;
mod layout;
#[cfg(test)]
mod random_keys;
mod terminal;
#[cfg(test)]
mod testing;
mod theme;
mod view;
mod worker;

use std::{
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

pub use self::{app::RunHistory, theme::Ground};
use self::{
    app::{App, Effect, Event, Notice},
    terminal::{EndSignal, Screen},
    theme::Theme,
    worker::{AnalysisThread, CancelFlag, FitHandle, Gate},
};
use crate::{
    error::{Error, Result},
    feature::Weights,
    game::Collection,
    run::{RunPlace, RunSpec},
    show::analysis,
};

/// Columns of the terminal that standard output is, if it is one.
pub fn columns() -> Option<u16> {
    terminal::columns()
}

/// A text in Markdown as a terminal shows it, with escape sequences: its paragraphs and tables in `width` columns.
pub fn markdown(text: &str, width: usize) -> String {
    view::with_escapes(text, width, theme(false, None))
}

/// The signs and colours that the environment allows. Without a given ground the terminal is asked for it.
fn theme(ascii: bool, ground: Option<Ground>) -> Theme {
    let has_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let ground = has_colours.then(|| ground.unwrap_or_else(terminal::ground));
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    Theme { ground, ascii: ascii || cfg!(unix) && !theme::is_unicode_locale(variable) }
}

/// The options and data that the screen opens with.
pub struct Opening {
    /// The run that a fit begins.
    pub spec: RunSpec,
    /// Where it runs.
    pub place: RunPlace,
    /// Whether signs are plain ASCII.
    pub ascii: bool,
    /// The background of the terminal, if it is given.
    pub ground: Option<Ground>,
    /// The games; there is at least one position.
    pub collection: Collection,
    /// The start weights of the run.
    pub weights: Weights,
    /// The source of the weights.
    pub source: String,
    /// Warnings about games that were skipped.
    pub warnings: Vec<String>,
    /// A note about the file of the weights.
    pub note: Option<String>,
    /// The FEN of the position to show first, if it is none of the games.
    pub position: Option<String>,
    /// The run to show first.
    pub run: Option<Box<RunHistory>>,
    /// Whether no run is known yet, so that a tour is offered.
    pub is_first_visit: bool,
}

/// How the screen was left.
pub struct Ended {
    /// The number of the signal that ended it, if one did.
    pub signal: Option<i32>,
    /// The file that the weights were saved to.
    pub saved: Option<String>,
}

/// Shows the screen until the user leaves it, or a signal ends it.
pub fn run(opening: Opening) -> Result<Ended> {
    let theme = theme(opening.ascii, opening.ground);
    let notice = first_notice(&opening.warnings, opening.note.as_deref(), opening.is_first_visit);
    let position = opening.position.clone();
    let mut app = App::new(opening, theme);
    if let Some(fen) = position {
        app.show_typed(&fen)?;
    }
    app.show_notice(notice);
    let (events, inbox) = mpsc::channel();
    terminal::restore_on_panic();
    let mut screen = Screen::open()?;
    let end = terminal::listen(&events)?;
    let mut dispatcher = Dispatcher::new(events);
    let ended = event_loop(&mut app, &mut screen, &mut dispatcher, &inbox, &end);
    dispatcher.close();
    let signal = end.at_the_end();
    let closed = screen.close();
    if signal.is_none() {
        closed.and(ended)?;
    }
    Ok(Ended { signal, saved: app.editor.saved_as().map(str::to_string) })
}

/// Warnings and notes about the files that were read, or else a hint.
fn first_notice(warnings: &[String], note: Option<&str>, is_first_visit: bool) -> Notice {
    let warning = warnings.last().map(|last| format!("warning: {last}"));
    let note = note.map(|note| format!("note: {note}"));
    let is_error = warning.is_some();
    let messages: Vec<String> = warning.into_iter().chain(note).collect();
    if messages.is_empty() {
        let text = match is_first_visit {
            true => "New here? i begins a tour of two minutes. ? shows all keys.",
            false => "space steps through the moves, n goes to the next position, ? shows all keys",
        };
        return Notice { text: text.to_string(), is_error };
    }
    Notice { text: messages.join("; "), is_error }
}

fn event_loop(
    app: &mut App,
    screen: &mut Screen,
    dispatcher: &mut Dispatcher,
    inbox: &Receiver<Event>,
    end: &EndSignal,
) -> Result<()> {
    let (width, height) = screen.size()?;
    app.update(Event::Resize(width, height));
    dispatcher.search(app);
    loop {
        screen.draw(app)?;
        let first = inbox.recv().map_err(|_| Error::new("every source of events has ended"))?;
        for event in std::iter::once(first).chain(inbox.try_iter()) {
            if end.get().is_some() {
                return Ok(());
            }
            if let Event::ThreadFailed(message) = event {
                return Err(Error::new(format!("a thread of the screen has failed: {message}")));
            }
            for effect in update(app, event) {
                match effect {
                    Effect::Quit => return Ok(()),
                    Effect::Suspend => {
                        screen.suspend()?;
                        let (width, height) = screen.size()?;
                        app.resize((width, height));
                    }
                    Effect::Redraw => screen.clear()?,
                    Effect::Copy(text) => screen.copy(&text)?,
                    other => dispatcher.dispatch(app, other),
                }
            }
        }
    }
}

/// Hands an event to the state, with the list that is shown.
fn update(app: &mut App, event: Event) -> Vec<Effect> {
    app.display.list = view::list(app);
    app.update(event)
}

/// Gives work to threads.
struct Dispatcher {
    events: Sender<Event>,
    gate: Arc<Gate>,
    search_thread: AnalysisThread,
    /// The last fit, which may have ended.
    fit: Option<FitHandle>,
    /// The last trial, which may have ended.
    trial: Option<CancelFlag>,
    /// The last search for decisions, which may have ended.
    decisions: Option<CancelFlag>,
}

impl Dispatcher {
    fn new(events: Sender<Event>) -> Dispatcher {
        let gate = Arc::new(Gate::default());
        let search_thread = AnalysisThread::start(events.clone(), Arc::clone(&gate));
        Dispatcher { events, gate, search_thread, fit: None, trial: None, decisions: None }
    }

    fn dispatch(&mut self, app: &App, effect: Effect) {
        match effect {
            Effect::Search => self.search(app),
            Effect::Fit(request) => {
                self.fit = Some(worker::start_fit(self.events.clone(), Arc::clone(&self.gate), *request));
            }
            Effect::Cancel => self.fit.iter().for_each(FitHandle::cancel),
            Effect::BeginTrial(request) => {
                self.trial = Some(worker::start_trial(self.events.clone(), Arc::clone(&self.gate), *request));
            }
            Effect::FindDecisions(request) => {
                self.decisions.iter().for_each(CancelFlag::cancel);
                let search = worker::start_decisions(self.events.clone(), Arc::clone(&self.gate), *request);
                self.decisions = Some(search);
            }
            Effect::CancelTrial => self.trial.iter().for_each(CancelFlag::cancel),
            other => worker::start_task(self.events.clone(), other),
        }
    }

    fn search(&self, app: &App) {
        self.search_thread.request(app.search_request());
    }

    /// Ends the writing of a fit that still runs, or has just been cancelled, so that its files are whole.
    fn close(&self) {
        if let Some(fit) = &self.fit {
            fit.abandon();
        }
    }
}

/// Sends the events of a blocking source until the receiver is gone.
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
    fn warnings_and_notes_are_shown_before_any_hint() {
        let notice = |warnings: &[&str], note| {
            let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
            let Notice { text, is_error } = first_notice(&warnings, note, false);
            (text, is_error)
        };
        assert!(notice(&[], None).0.contains("? shows all keys"));
        assert!(first_notice(&[], None, true).text.contains("i begins a tour"));
        assert_eq!(notice(&[], Some("a.par: b")), ("note: a.par: b".to_string(), false));
        assert_eq!(notice(&["x", "y"], None), ("warning: y".to_string(), true));
        assert_eq!(notice(&["y"], Some("b")), ("warning: y; note: b".to_string(), true));
    }
}
