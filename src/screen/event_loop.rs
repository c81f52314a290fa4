//! The event loop of a terminal, and the dispatch of work to threads.
//!
//! All events come through one channel. The state takes each of them, its effects are carried out, and the
//! screen is drawn once no event is waiting. The loop knows no chess and no method.

use std::sync::{
    Arc,
    mpsc::{self, Receiver, Sender},
};

use super::{
    Ground, Opening,
    app::{App, Effect, Event},
    first_app,
    terminal::{self, EndSignal, Screen},
    theme::{self, Theme},
    update,
    worker::{self, AnalysisThread, CancelFlag, FitHandle, Gate, Outbox},
};
use crate::error::{Error, Result};

/// Columns of the terminal that standard output is, if it is one.
pub fn columns() -> Option<u16> {
    terminal::columns()
}

/// The signs and colours that the environment allows.
fn theme(ascii: bool, ground: Option<Ground>) -> Theme {
    let has_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let ground = has_colours.then_some(ground.unwrap_or(Ground::Unknown));
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    Theme { ground, ascii: ascii || cfg!(unix) && !theme::is_unicode_locale(variable) }
}

/// How the screen was left.
pub struct Ended {
    /// The number of the signal that ended it, if one did.
    pub signal: Option<i32>,
    /// The file that the weights were saved to.
    pub saved: Option<String>,
    /// Digest of the games, and the place shown at the end; empty where it is none of theirs.
    pub place: String,
}

/// Shows the screen until the user leaves it, or a signal ends it.
pub fn run(opening: Opening) -> Result<Ended> {
    let theme = match opening.is_1988 {
        true => Theme { ground: None, ascii: true },
        false => theme(opening.ascii, opening.ground),
    };
    let has_mouse = opening.mouse;
    let mut app = first_app(opening, theme)?;
    let (events, inbox) = mpsc::channel();
    terminal::restore_on_panic();
    let mut screen = Screen::open(has_mouse, theme.ground == Some(Ground::Unknown))?;
    let end = terminal::listen(&events)?;
    let mut dispatcher = Dispatcher::new(events);
    let ended = event_loop(&mut app, &mut screen, &mut dispatcher, &inbox, &end);
    dispatcher.close();
    let signal = end.at_the_end();
    let closed = screen.close();
    if signal.is_none() {
        closed.and(ended)?;
    }
    let place = Some(app.place()).filter(|place| !place.is_empty());
    let digest = &app.browser.games().collection.tally.digest;
    let place = place.map_or(String::new(), |place| format!("{digest} {place}"));
    Ok(Ended { signal, saved: app.editor.saved_as().map(str::to_string), place })
}

fn event_loop(
    app: &mut App,
    screen: &mut Screen,
    dispatcher: &mut Dispatcher,
    inbox: &Receiver<Event>,
    end: &EndSignal,
) -> Result<()> {
    measure(app)?;
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
                        measure(app)?;
                    }
                    Effect::Redraw => screen.clear()?,
                    Effect::Copy(text) => screen.copy(&text)?,
                    other => dispatcher.dispatch(app, other),
                }
            }
        }
    }
}

/// Has the state know the size of the terminal.
fn measure(app: &mut App) -> Result<()> {
    app.resize(terminal::size().map_err(|error| Error::io("cannot measure the terminal", error))?);
    Ok(())
}

/// Gives work to threads.
struct Dispatcher {
    outbox: Outbox,
    gate: Arc<Gate>,
    search_thread: AnalysisThread,
    /// The last fit, which may have ended.
    fit: Option<FitHandle>,
    /// The last trial, which may have ended.
    trial: Option<CancelFlag>,
}

impl Dispatcher {
    fn new(events: Sender<Event>) -> Dispatcher {
        // The event loop is gone only when the program ends.
        let outbox: Outbox = Arc::new(move |event| _ = events.send(event));
        let gate = Arc::new(Gate::default());
        let search_thread = AnalysisThread::start(Arc::clone(&outbox), Arc::clone(&gate));
        Dispatcher { outbox, gate, search_thread, fit: None, trial: None }
    }

    fn dispatch(&mut self, app: &App, effect: Effect) {
        match effect {
            Effect::Search => self.search(app),
            Effect::Fit(request) => {
                self.fit =
                    Some(worker::start_fit(Arc::clone(&self.outbox), Arc::clone(&self.gate), *request));
            }
            Effect::Cancel => self.fit.iter().for_each(FitHandle::cancel),
            Effect::BeginTrial(request) => {
                self.trial =
                    Some(worker::start_trial(Arc::clone(&self.outbox), Arc::clone(&self.gate), *request));
            }
            Effect::CancelTrial => self.trial.iter().for_each(CancelFlag::cancel),
            other => worker::start_task(Arc::clone(&self.outbox), other),
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
