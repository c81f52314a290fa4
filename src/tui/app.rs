//! The state of the screen, and what changes it.
//!
//! [`App::update`] is the whole of it: an [`Event`] comes in, the state changes, [`Effect`]s come out for the
//! event loop to carry out. Nothing here reads a file, starts a thread or draws; so every key can be tested
//! without a terminal. The view reads the state and changes nothing.

mod answer;
mod compare;
mod edit;
mod fitting;
mod library;
mod message;
mod method;
mod pages;
mod prompt;
mod walk;

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crossterm::event::{KeyEvent, KeyEventKind};

use self::edit::Change;
pub(in crate::tui) use self::{compare::differences, pages::TURN};
pub use self::{
    compare::{Comparison, Tally},
    fitting::{Fitting, Progress, Story},
    library::Library,
    message::{Effect, Ended, Event, Job, Report},
    method::Entry,
    pages::Page,
    prompt::{Prompt, Purpose},
};
use super::{
    Opening,
    found::{Found, Judged},
    keys::{self, Action},
    theme::Theme,
};
use crate::{
    feature::{Key, Weights},
    game::WinnerPosition,
    run::{RunPlace, RunSpec},
    sample::Sampling,
    search::CompactMove,
};

/// What the board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Board {
    /// The position before the choice.
    Root,
    /// The leaf of the move shown.
    Leaf,
}

/// What the columns of terms tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    /// The move shown against the position before it: what a fit sees.
    AgainstRoot,
    /// The move shown against the played one (the played one against the best other).
    AgainstRival,
    /// The leaf of the move shown.
    Leaf,
    /// The position before the choice.
    Root,
}

/// A line to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    pub is_error: bool,
}

/// A question that one key answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Weights are not saved.
    QuitUnsaved,
    /// A fit runs.
    QuitFitting,
    /// A file of this name is there.
    Overwrite(String),
}

/// All there is to show.
pub struct App {
    pub library: Library,
    /// Index of the position shown.
    pub at: usize,
    /// The run that a fit begins.
    pub spec: RunSpec,
    /// Where it runs.
    pub place: RunPlace,
    /// What each option means, by name.
    meanings: BTreeMap<String, String>,
    /// The weights that `spec` leads to.
    start: Weights,
    pub weights: Weights,
    /// Where the weights come from.
    pub source: String,
    saved: Weights,
    undo: Vec<Change>,
    save_as: Option<String>,
    quit_when_saved: bool,
    /// Whether a file is being written.
    saving: bool,
    /// Whether the games are being read again.
    reading: bool,
    /// Raised with every change of weights or of the search.
    pub epoch: u64,
    found: HashMap<usize, (u64, Arc<Found>)>,
    shown: Option<CompactMove>,
    pub board: Board,
    pub terms: Terms,
    /// The parameter chosen.
    pub cursor: Key,
    /// Page of the main screen, where it does not fit on one: 0 the board, then parameters.
    pub part: usize,
    pub page: Page,
    pub prompt: Option<Prompt>,
    pub question: Option<Question>,
    pub notice: Option<Notice>,
    pub fitting: Option<Fitting>,
    pub story: Option<Story>,
    pub comparison: Option<Comparison>,
    pub size: (u16, u16),
    pub theme: Theme,
}

/// Positions whose searches are kept.
const KEPT: usize = 256;

impl App {
    /// The state at the first position of the first game.
    pub fn new(opening: Opening, theme: Theme) -> App {
        let Opening { spec, place, meanings, collection, weights, source, .. } = opening;
        App {
            library: Library::new(Arc::new(collection)),
            at: 0,
            spec,
            place,
            meanings,
            start: weights.clone(),
            saved: weights.clone(),
            weights,
            source,
            undo: Vec::new(),
            save_as: None,
            quit_when_saved: false,
            saving: false,
            reading: false,
            epoch: 0,
            found: HashMap::new(),
            shown: None,
            board: Board::Root,
            terms: Terms::AgainstRoot,
            cursor: Key::ALL[0],
            part: 0,
            page: Page::Main,
            prompt: None,
            question: None,
            notice: None,
            fitting: None,
            story: None,
            comparison: None,
            size: (142, 40),
            theme,
        }
    }

    /// Takes an event in and says what is to be done about it.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
            Event::Key(key) => self.key(key),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(width, height) => {
                self.size = (width, height);
                self.follow_cursor();
                vec![Effect::Redraw]
            }
            Event::Report(report) => self.report(report),
            Event::Suspend => vec![Effect::Suspend],
            Event::Continue => vec![Effect::Redraw],
            Event::End | Event::Broken(_) => vec![Effect::Quit],
        }
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let action = keys::action(key);
        if matches!(action, Some(Action::Suspend | Action::Redraw)) {
            return vec![if action == Some(Action::Suspend) { Effect::Suspend } else { Effect::Redraw }];
        }
        if self.question.is_some() {
            return self.answer_question(key);
        }
        if self.prompt.is_some() {
            return self.key_in_prompt(key);
        }
        let Some(action) = action else {
            self.say("no such key; ? shows them all");
            return Vec::new();
        };
        self.notice = None;
        match self.page_action(action) {
            Some(effects) => effects,
            None => self.action(action),
        }
    }

    fn action(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::NextMove => self.step(1),
            Action::PreviousMove => self.step(-1),
            Action::NextPosition => return self.walk(1),
            Action::PreviousPosition => return self.walk(-1),
            Action::NextGame => return self.walk_game(1),
            Action::PreviousGame => return self.walk_game(-1),
            Action::GoToGame => self.ask(Purpose::Game),
            Action::Leaf => self.board = if self.board == Board::Root { Board::Leaf } else { Board::Root },
            Action::Terms => self.next_terms(),
            Action::Up | Action::Down | Action::Left | Action::Right => self.move_cursor(action),
            Action::PageDown | Action::PageUp => self.turn_page(action == Action::PageDown),
            Action::Find => self.ask(Purpose::Find),
            Action::Moves | Action::Open | Action::Help | Action::Options | Action::History => {
                self.open(action);
            }
            Action::Edit => self.ask_edit(),
            Action::Tune => return self.toggle_tune(false),
            Action::TuneGroup => return self.toggle_tune(true),
            Action::Free => return self.toggle_free(),
            Action::Undo => return self.undo(),
            Action::Save => self.ask(Purpose::Save),
            Action::Restore => self.ask_unless_fitting(Purpose::Restore),
            Action::Compare => self.ask(Purpose::Compare),
            Action::FitOnce => return self.begin_fit(false),
            Action::FitMany => return self.begin_fit(true),
            Action::Escape => return self.escape(),
            Action::Quit => return self.quit(),
            Action::Suspend | Action::Redraw => {}
        }
        Vec::new()
    }

    /// Leaves what is in front: a page, then a fit.
    fn escape(&mut self) -> Vec<Effect> {
        if self.page != Page::Main {
            self.page = Page::Main;
            return Vec::new();
        }
        match &mut self.fitting {
            Some(fitting) => {
                fitting.cancelled = true;
                self.say("the fit is being cancelled; the weights stay as they are");
                vec![Effect::Cancel]
            }
            None => Vec::new(),
        }
    }

    fn quit(&mut self) -> Vec<Effect> {
        if self.fitting.is_some() {
            self.question = Some(Question::QuitFitting);
        } else if self.saving {
            self.quit_when_saved = true;
        } else if self.is_unsaved() {
            self.question = Some(Question::QuitUnsaved);
        } else {
            return vec![Effect::Quit];
        }
        Vec::new()
    }

    fn report(&mut self, report: Report) -> Vec<Effect> {
        match report {
            Report::Found { epoch, index, found } => {
                if epoch == self.epoch {
                    self.note(index, found);
                }
                Vec::new()
            }
            Report::Progress(progress) => {
                if let Some(fitting) = &mut self.fitting {
                    fitting.progress = Some(progress);
                }
                Vec::new()
            }
            Report::Measured(pass, fit) => self.measured(*pass, fit),
            Report::Ended(ended) => self.ended(ended),
            Report::Restored(path, result) => self.restored(path, result),
            Report::Saved(path, result) => self.saved(path, result),
            Report::Taken(path) => {
                self.saving = false;
                self.question = Some(Question::Overwrite(path));
                Vec::new()
            }
            Report::Compared(path, result) => self.compared(&path, result),
            Report::Read(spec, result) => self.read(*spec, result),
        }
    }

    fn note(&mut self, index: usize, found: Arc<Found>) {
        if self.found.len() >= KEPT {
            let game = self.library.game_of(self.at);
            let positions = self.library.positions_of(game);
            self.found.retain(|index, _| positions.contains(index));
        }
        self.found.insert(index, (self.epoch, found));
    }

    // What the view asks.

    /// What is known of the position shown; from before the last change of weights while the new search runs.
    pub fn found(&self) -> Option<&Found> {
        self.found.get(&self.at).map(|(_, found)| &**found)
    }

    /// Whether [`App::found`] holds under the present weights.
    pub fn is_fresh(&self) -> bool {
        self.found.get(&self.at).is_some_and(|&(epoch, _)| epoch == self.epoch)
    }

    /// What is known of another position under the present weights.
    pub fn found_at(&self, index: usize) -> Option<&Found> {
        self.found.get(&index).filter(|&&(epoch, _)| epoch == self.epoch).map(|(_, found)| &**found)
    }

    /// Index of the move shown: the best one until another is chosen.
    pub fn shown(&self, found: &Found) -> usize {
        let chosen = |judged: &Judged| Some(judged.mv) == self.shown;
        found.moves.iter().position(chosen).unwrap_or(0)
    }

    /// The position shown.
    pub fn position(&self) -> &WinnerPosition {
        &self.library.collection.positions[self.at]
    }

    /// How positions are searched and what is in bound.
    pub fn sampling(&self) -> Sampling {
        self.spec.sampling()
    }

    /// Whether quitting would lose something.
    pub fn is_unsaved(&self) -> bool {
        self.weights != self.saved
    }

    /// Positions to search, the one shown first, then those that may be asked for next.
    pub fn wanted(&self) -> Vec<usize> {
        let library = &self.library;
        let game = library.game_of(self.at);
        let near = [0, 1, 2, -1].into_iter().filter_map(|by| self.at.checked_add_signed(by));
        let games = [game + 1, game.wrapping_sub(1)].into_iter().filter_map(|game| library.first_of(game));
        let all = near.chain(games).chain(library.positions_of(game));
        let mut wanted: Vec<usize> = Vec::new();
        for index in all.filter(|&index| index < library.collection.positions.len()) {
            if self.found_at(index).is_none() && !wanted.contains(&index) {
                wanted.push(index);
            }
        }
        wanted
    }

    fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), is_error: false });
    }

    fn complain(&mut self, text: impl ToString) {
        self.notice = Some(Notice { text: text.to_string(), is_error: true });
    }
}

#[cfg(test)]
pub(in crate::tui) mod tests;
