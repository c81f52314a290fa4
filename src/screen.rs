//! The screen: state, update and view, and the two places where it can stand.
//!
//! ```text
//! keys, signals, workers -> Event -> App::update -> Effect -> workers, terminal
//!                                        |
//!                                      view -> terminal
//! ```
//!
//! `event_loop` shows it in a terminal and gives work to threads; `hosted` is for a host that has neither,
//! such as a page in a browser. A page key moves by what is shown, so the state is told what that is before
//! each event.

mod app;
#[cfg(feature = "native")]
mod event_loop;
pub mod hosted;
mod keys;
mod layout;
#[cfg(test)]
mod random_keys;
#[cfg(feature = "native")]
mod terminal;
#[cfg(test)]
mod testing;
mod theme;
mod view;
mod worker;

#[cfg(feature = "native")]
pub use self::event_loop::{Ended, columns, run};
pub use self::{app::RunHistory, theme::Ground};
use self::{
    app::{App, Effect, Event, Notice},
    theme::Theme,
};
use crate::{
    error::Result,
    feature::Weights,
    game::Collection,
    run::{RunPlace, RunSpec},
    show::analysis,
};

/// The options and data that the screen opens with.
#[derive(Default)]
pub struct Opening {
    /// The run that a fit begins.
    pub spec: RunSpec,
    /// Where it runs.
    pub place: RunPlace,
    /// Whether signs are plain ASCII.
    pub ascii: bool,
    /// The background of the terminal, if it is given.
    pub ground: Option<Ground>,
    /// Whether the screen has the mouse.
    pub mouse: bool,
    /// Whether only what the record of 1988 names is shown, in plain ASCII: a guess at the screen of then.
    pub is_1988: bool,
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
    /// Digest of the games of the last sitting, and the place where it ended; empty where none is known.
    pub last_place: String,
}

/// The state at its beginning, with its first notice.
fn first_app(opening: Opening, theme: Theme) -> Result<App> {
    let (warnings, note, is_first_visit) =
        (opening.warnings.clone(), opening.note.clone(), opening.is_first_visit);
    let position = opening.position.clone();
    let mut app = App::new(opening, theme);
    let offer = app.offer();
    let is_new = is_first_visit && offer.is_empty() && app.has_tour();
    let mut notice = first_notice(&warnings, note.as_deref(), is_new);
    notice.text += &offer;
    if let Some(fen) = position {
        app.show_typed(&fen)?;
    }
    app.show_notice(notice);
    Ok(app)
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
            false => "space steps through the moves, n goes to the next position, ? shows all keys.",
        };
        return Notice { text: text.to_string(), is_error };
    }
    Notice { text: messages.join("; "), is_error }
}

/// Hands an event to the state, with the list that is shown; of a mouse, what it means there.
fn update(app: &mut App, event: Event) -> Vec<Effect> {
    app.display.list = view::list(app);
    let event = match event {
        Event::Mouse(mouse) => view::meaning_of(app, mouse),
        event => Some(event),
    };
    event.map_or_else(Vec::new, |event| app.update(event))
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
