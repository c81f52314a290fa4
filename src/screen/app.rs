//! The state of the screen, and what changes it.
//!
//! [`App::update`] takes an [`Event`], hands it to the part that it concerns, and returns the [`Effect`]s
//! that the event loop has to carry out. Each part owns its fields: what one part needs of another is an
//! argument. Nothing here reads a file, starts a thread or draws, so every key can be tested without a
//! terminal. The view gets a shared reference, so it changes nothing.
//!
//! | part | what it owns |
//! |---|---|
//! | [`Browser`] | games, the position and the move shown, analyses |
//! | [`Editor`] | weights, the parameter chosen, undo, the file of the weights |
//! | [`Options`] | the run that a fit begins |
//! | [`FitJob`] | a fit that runs: progress, its run so far |
//! | [`Finder`] | what is found in the list of games, or in the help |
//! | [`Runs`] | the runs since the start of the program; each [`RunHistory`] has passes, files, the pass chosen |
//! | [`Trial`] | whether the weights are better than another set: agreement and games |
//! | [`Dialog`] | notice, prompt, question |
//! | [`Tour`] | the tour for a first visit |
//! | [`Page`] | the page that is open |
//! | [`Display`] | size, theme, page of the main screen |

mod answers;
mod browser;
mod dialog;
mod display;
mod editor;
mod files;
mod finder;
mod fit_job;
mod help;
mod library;
mod message;
mod options;
mod pages;
mod prompt;
mod reports;
mod run_history;
mod runs;
mod tour;
mod trial;

use self::editor::Edit;
pub use self::{
    browser::{Browser, ScoreSheet, ShownBoard, Terms},
    dialog::{Dialog, Notice, Question},
    display::Display,
    editor::Editor,
    files::FolderListing,
    finder::Finder,
    fit_job::{FitJob, Progress},
    help::{HelpLine, help_lines},
    library::{Library, Place},
    message::{Effect, Event, FitRequest, FitResult, Report, SearchRequest},
    options::Options,
    prompt::{Prompt, Purpose},
    run_history::{Estimate, Estimates, RunHistory, RunPass, RunState, estimates_of},
    runs::Runs,
    tour::{FIT_EVERY, FITS, Tour},
    trial::{OtherSet, TRIAL_GAMES, TRIAL_NODES, Trial, TrialReport, TrialRequest, TrialState},
};
pub use super::keys::Page;
use std::path::Path;

use super::{
    Opening,
    keys::{self, Action, KeyCode, KeyEvent, Target},
    layout::Grid,
    theme::{Ground, Theme},
};
use crate::{
    error::{Error, Result},
    feature::Key,
    fen,
    game::GameFilter,
    par,
    parameters::Part,
    position::CompactMove,
    run::{RunSpec, Setup},
};

/// The state of the screen.
pub struct App {
    pub(super) browser: Browser,
    pub(super) editor: Editor,
    pub(super) options: Options,
    pub(super) fit_job: Option<FitJob>,
    pub(super) runs: Runs,
    /// The last trial, which may be running.
    pub(super) trial: Option<Trial>,
    pub(super) dialog: Dialog,
    pub(super) tour: Tour,
    pub(super) page: Page,
    /// What is found in the list of games or in the help, while one of them is open.
    pub(super) finder: Option<Finder>,
    /// The position and the move shown when the page of moves was opened.
    move_before: Option<(Place, CompactMove)>,
    pub(super) display: Display,
    /// Where the last sitting with these games ended; empty where none is known.
    last_place: String,
}

impl App {
    /// The state at the first position of the first game.
    pub fn new(opening: Opening, theme: Theme) -> App {
        let Opening { spec, place, collection, weights, source, run, last_place, is_1988, .. } = opening;
        let last_place =
            last_place.strip_prefix(&*collection.tally.digest).unwrap_or_default().trim().to_string();
        App {
            browser: Browser::new(collection),
            options: Options::new(Setup { spec, place }, weights.clone()),
            editor: Editor::new(weights, source, run.is_some().then_some(0)),
            fit_job: None,
            trial: None,
            dialog: Dialog::default(),
            finder: None,
            move_before: None,
            tour: Tour::default(),
            page: if run.is_some() { Page::RUN } else { Page::Main },
            runs: Runs::new(run.map(|run| *run)),
            display: Display::new(theme, is_1988),
            last_place,
        }
    }

    pub fn run_history(&self) -> Option<&RunHistory> {
        self.runs.shown_run().or(self.fit_job.as_ref().map(|job| &job.history))
    }

    /// The number of runs since the start of the program, with the current one.
    pub fn run_count(&self) -> usize {
        self.runs.all.len() + usize::from(self.fit_job.is_some())
    }

    fn run_history_mut(&mut self) -> Option<&mut RunHistory> {
        self.runs.shown_run_mut().or(self.fit_job.as_mut().map(|job| &mut job.history))
    }

    /// The run that the weights shown come from; later edits are counted as its changes. None once other
    /// weights were restored, or all changes by runs taken back.
    pub fn run_of_weights(&self) -> Option<&RunHistory> {
        let running = self.fit_job.as_ref().map(|job| &job.history).filter(|_| self.editor.has_preview());
        running.or_else(|| self.runs.all.get(self.editor.run()?))
    }

    /// What offers the place of the last sitting.
    pub fn offer(&self) -> String {
        let offer = |game| format!(" L goes to game {game}, where you were last.");
        place_part(&self.last_place, "game").map_or(String::new(), offer)
    }

    /// The parameters laid out on the screen.
    pub fn grid(&self) -> Grid {
        self.display.grid(self.editor.weights().extras())
    }

    /// The search that the position shown needs.
    pub fn search_request(&self) -> SearchRequest {
        self.browser.search_request(self.editor.weights(), self.options.sampling())
    }

    /// Shows the position of a FEN, which is none of the games.
    pub fn show_typed(&mut self, fen: &str) -> Result<Vec<Effect>> {
        self.browser.show_typed(fen, &mut |text| self.dialog.inform(format!("warning: {text}")))
    }

    /// The place shown, as [`App::go_to`] takes it: game, move, and weights that can be found again. Empty for a position that
    /// was typed.
    pub fn place(&self) -> String {
        if self.browser.is_typed() {
            return String::new();
        }
        let game = self.browser.library.head(self.browser.game_index()).number;
        let place = format!("game={game}&move={}", self.browser.position().fullmove);
        let source = self.editor.source();
        let set = par::SETS.iter().find(|set| set.path() == Path::new(source)).map_or(source, |set| set.name);
        if self.editor.is_unsaved() {
            place
        } else {
            format!("{place}&set={}", set.trim_start_matches("built-in "))
        }
    }

    /// Shows a place, and takes its weights.
    pub fn go_to(&mut self, place: &str) -> Result<Vec<Effect>> {
        let mut parts = place.split('&').filter(|part| !part.is_empty());
        let is_known =
            |part: &str| ["game", "move", "set"].iter().any(|name| place_part(part, name).is_some());
        if let Some(unknown) = parts.find(|part| !is_known(part)) {
            return Err(Error::expected("game, move and set in a place", format!("{unknown:?}")));
        }
        let mut effects = self.browser.leave_typed();
        if let Some(game) = place_part(place, "game") {
            let number = |text: &str| text.parse().map_err(|_| Error::expected("the number of a move", text));
            let fullmove = place_part(place, "move").map(number).transpose()?;
            effects.extend(self.browser.show_place(game, fullmove)?);
        }
        let is_other = |set: &&str| !self.place().ends_with(&format!("&set={set}"));
        let set = place_part(place, "set").filter(is_other).filter(|_| self.fit_job.is_none());
        effects.extend(set.map(|set| Effect::Restore(set.to_string())));
        Ok(effects)
    }

    pub fn show_notice(&mut self, notice: Notice) {
        self.dialog.show(notice);
    }

    /// Adds what the last fit says about a parameter.
    #[cfg(test)]
    pub(in crate::screen) fn add_estimate(
        &mut self,
        parameter: crate::parameters::Parameter,
        estimate: Estimate,
    ) {
        self.runs.shown_run_mut().into_iter().for_each(|run| run.add_estimate(parameter, estimate.clone()));
    }

    /// Takes another size of the terminal.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.display.resize(size);
        // The board stays if it is shown.
        if self.display.main_page > 0 {
            self.follow_cursor();
        }
    }

    /// Takes an event and returns its effects.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = self.take(event);
        self.follow_list_prompt();
        effects.extend(self.dialog.folder_to_list().map(Effect::ListFolder));
        effects
    }

    fn take(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) | Event::Chosen(Target::Key(key)) => self.key(key),
            Event::Chosen(target) => self.choose(target),
            Event::Mouse(_) => Vec::new(),
            Event::Paste(text) if self.dialog.prompt.is_none() && fen::parse(&text).is_ok() => {
                self.answer_prompt(&Purpose::Fen, &text)
            }
            Event::Paste(text) => {
                self.dialog.paste(&text);
                Vec::new()
            }
            Event::Resize(width, height) => {
                self.resize((width, height));
                vec![Effect::Redraw]
            }
            Event::Ground(ground) => {
                let known = &mut self.display.theme.ground;
                *known = known.map(|known| if known == Ground::Unknown { ground } else { known });
                Vec::new()
            }
            Event::Report(report) => self.report(report),
            Event::Suspend => vec![Effect::Suspend],
            Event::End | Event::ThreadFailed(_) => vec![Effect::Quit],
        }
    }

    /// Chooses what was clicked; a parameter or a line that is chosen already is opened or taken.
    fn choose(&mut self, target: Target) -> Vec<Effect> {
        let is_of_prompt = self.dialog.prompt.is_some() && matches!(target, Target::Line(_));
        if self.dialog.question.is_some() || self.dialog.prompt.is_some() && !is_of_prompt {
            return Vec::new();
        }
        self.dialog.notice = None;
        match target {
            Target::Move(index) => self.browser.show_move(index),
            Target::Square(square) => self.browser.show_move_at(square),
            Target::Position(index) => return self.browser.show_position(index),
            Target::Ply(ply) => {
                let shown = self.browser.show_ply(ply);
                return self.effects_or_notice(shown);
            }
            Target::Parameter(key) if key == self.editor.cursor() => self.open_page(Action::Open),
            Target::Parameter(key) => self.editor.choose(key),
            Target::Line(line) => return self.choose_clicked(line),
            Target::Key(_) => {}
        }
        Vec::new()
    }

    /// Chooses a line that was clicked, or takes it if it is chosen already or what a prompt may mean.
    fn choose_clicked(&mut self, line: usize) -> Vec<Effect> {
        let enter = KeyEvent::plain(KeyCode::Enter);
        let is_chosen = match (&mut self.page, &mut self.finder) {
            (_, Some(finder)) => finder.chosen.replace(line) == Some(line),
            _ if self.dialog.prompt.is_some() => {
                let keys = self.dialog.prompt.as_ref().map(|prompt| self.editor.matches(&prompt.text()));
                let key = keys.and_then(|keys| keys.get(line).map(|key| key.feature().key));
                self.dialog.take_choice(line, key)
            }
            (Page::Options { line: chosen }, _) => std::mem::replace(chosen, line) == line,
            (Page::Run { .. }, _) => self.run_history_mut().is_some_and(|run| run.choose(line)),
            _ => false,
        };
        if is_chosen { self.key(enter) } else { Vec::new() }
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let action = keys::action(key);
        if let Some(action @ (Action::Suspend | Action::Redraw)) = action {
            return self.action(action);
        }
        if self.dialog.question.is_some() {
            let answer = self.dialog.key_in_question(key);
            return answer.map_or(Vec::new(), |(question, answer)| self.answer_question(question, answer));
        }
        if self.dialog.prompt.is_some() {
            if self.choose_line(key.code, action) {
                return Vec::new();
            }
            let entered = self.dialog.key_in_prompt(key);
            return entered.map_or(Vec::new(), |(purpose, text)| self.answer_prompt(&purpose, &text));
        }
        let Some(action) = action else {
            self.dialog.inform("no such key; ? shows them all");
            return Vec::new();
        };
        self.press(action)
    }

    /// Carries out the action of a key.
    pub(super) fn press(&mut self, action: Action) -> Vec<Effect> {
        self.dialog.notice = None;
        let effects = self.page_action(action);
        let mut effects = effects.unwrap_or_else(|| self.action(action));
        // A step of the tour is done once its key could do its work.
        if self.dialog.notice.as_ref().is_none_or(|notice| !notice.is_error) {
            effects.extend(self.follow_tour(Some(action)));
        }
        effects
    }

    fn action(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::NextMove
            | Action::PreviousMove
            | Action::NextPosition
            | Action::PreviousPosition
            | Action::NextGame
            | Action::PreviousGame
            | Action::First
            | Action::Last
            | Action::Left
            | Action::Right
            | Action::Leaf
            | Action::Terms => {
                let result = self.browser.action(action);
                return self.effects_or_notice(result);
            }
            Action::GoToGame => {
                let effects = self.browser.leave_typed();
                self.open_list(Page::Games, Purpose::Game);
                return effects;
            }
            Action::LastPlace if self.last_place.is_empty() => {
                self.dialog.inform("no earlier sitting with these games is known");
            }
            Action::LastPlace => {
                let place = self.last_place.clone();
                return self.go_to(&place).unwrap_or_else(|error| self.refuse(error));
            }
            Action::Help => self.open_list(Page::Help, Purpose::Key),
            Action::EnterFen => self.prompt_for(Purpose::Fen),
            Action::Fen => return self.copy_fen(),
            Action::Up | Action::Down | Action::ColumnLeft | Action::ColumnRight => {
                let grid = self.grid();
                self.editor.move_cursor(action, &grid);
                self.follow_cursor();
            }
            Action::PageDown | Action::PageUp => self.turn_page(action == Action::PageDown),
            Action::Find => self.prompt_for(Purpose::Find),
            Action::Moves | Action::Open | Action::Options | Action::History => self.open_page(action),
            Action::Edit
            | Action::Tune
            | Action::TuneGroup
            | Action::TuneOnlyGroup
            | Action::Free
            | Action::Undo => {
                return self.edit(action);
            }
            Action::Save => self.prompt_for_change(Purpose::Save),
            Action::Restore => self.prompt_for_change(Purpose::Restore),
            Action::Trial => self.open_trial(),
            // The next step of the tour opens its run.
            Action::OpenRun if self.tour.asks_for(Some(Action::OpenRun)) => {}
            Action::OpenRun => self.prompt_for_change(Purpose::OpenRun),
            Action::TakeBest => return self.take_best_pass(),
            Action::FitOnce | Action::FitMany => return self.begin_fit(action == Action::FitMany, false),
            Action::Escape if self.page == Page::Main && self.browser.is_typed() => {
                return self.browser.leave_typed();
            }
            Action::Escape => self.escape(),
            Action::Quit => return self.quit(),
            Action::Tour => {
                let result = self.toggle_tour();
                return self.effects_or_notice(result);
            }
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
        }
        Vec::new()
    }

    fn effects_or_notice(&mut self, result: std::result::Result<Vec<Effect>, &'static str>) -> Vec<Effect> {
        result.unwrap_or_else(|notice| {
            self.dialog.inform(notice);
            Vec::new()
        })
    }

    /// Whether a key at the foot would do more than say why it does nothing.
    pub fn has_effect(&self, action: Action) -> bool {
        let may_change = self.fit_job.is_none() && !self.options.is_reading;
        match action {
            Action::History => self.run_history().is_some(),
            Action::FitOnce | Action::FitMany => may_change && self.options.setup.spec.player.is_none(),
            Action::Undo => may_change && self.editor.can_undo(),
            Action::Edit | Action::Tune | Action::Free | Action::Save | Action::Restore => may_change,
            _ => true,
        }
    }

    /// Whether weights and options may change now; if not, a notice says why.
    fn may_change(&mut self) -> bool {
        let obstacle = if self.fit_job.is_some() {
            "a fit runs: wait for it, or cancel it with esc on the main page"
        } else if self.options.is_reading {
            "the games are being read again: wait for them"
        } else {
            return true;
        };
        self.dialog.show_error(obstacle);
        false
    }

    /// Does what an action means for the weights.
    fn edit(&mut self, action: Action) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let cell = self.chosen_cell();
        let edit = match action {
            Action::Edit => return self.prompt_for_weights(cell),
            Action::Free => self.editor.toggle_cells(),
            Action::Undo => match self.editor.undo() {
                Some(edit) => Ok(edit),
                None => {
                    self.dialog.inform("no change of weights to take back");
                    return Vec::new();
                }
            },
            Action::TuneGroup => self.editor.toggle_group(),
            Action::TuneOnlyGroup => self.editor.tune_only_group(),
            _ => self.editor.toggle_tune(cell),
        };
        match edit {
            Ok(edit) => self.finish_edit(edit),
            Err(error) => self.refuse(error),
        }
    }

    /// Shows an error, and does nothing else.
    fn refuse(&mut self, error: impl ToString) -> Vec<Effect> {
        self.dialog.show_error(error);
        Vec::new()
    }

    fn prompt_for_weights(&mut self, cell: Option<usize>) -> Vec<Effect> {
        match self.editor.edit_purpose(cell) {
            Ok(purpose) => self.prompt_for(purpose),
            Err(error) => self.dialog.show_error(error),
        }
        Vec::new()
    }

    /// The cell chosen, where the cells of a table are shown.
    fn chosen_cell(&self) -> Option<usize> {
        match self.page {
            Page::Cells { cell, .. } if self.editor.cursor().feature().layout.is_table() => Some(cell),
            _ => None,
        }
    }

    /// Shows the message of an edit, and has positions searched again if values have changed.
    fn finish_edit(&mut self, edit: Edit) -> Vec<Effect> {
        self.dialog.inform(edit.message);
        self.weights_replaced(edit.needs_search)
    }

    /// Chooses another parameter if the chosen one is off, and has positions searched again if needed.
    fn weights_replaced(&mut self, needs_search: bool) -> Vec<Effect> {
        if self.editor.leave_hidden_parameter() {
            self.page = Page::Main;
            self.display.main_page = 0;
        }
        if needs_search { self.browser.restart_search() } else { Vec::new() }
    }

    /// Gives a parameter another weight, as a control that is dragged does: all of one drag are one change.
    pub(super) fn slide(&mut self, key: Key, part: Part, weight: f64) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        self.tour = Tour::default();
        match self.editor.slide(key, part, weight) {
            Ok(()) => self.weights_replaced(true),
            Err(error) => self.refuse(error),
        }
    }

    /// Reads the games again, so that the choices are the moves of a player; without one, those of winners.
    pub(super) fn read_player(&mut self, player: Option<String>) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let spec = RunSpec { player, ..self.options.setup.spec.clone() };
        vec![Effect::Read(Box::new(spec))]
    }

    /// Shows the game of a number, or the next one that has all the words.
    pub(super) fn find_game(&mut self, text: &str) -> Vec<Effect> {
        let mut effects = self.browser.leave_typed();
        let (library, shown, filter) =
            (&self.browser.library, self.browser.game_index(), GameFilter::new(text));
        let all = library.games();
        let mut next = (1..=all).map(|by| (shown + by) % all);
        let next = next.find(|&game| filter.matches(library.head(game)));
        let found = self.browser.go_to_game(text);
        let found = found.or_else(|error| next.map(|game| self.browser.show_game(game)).ok_or(error));
        effects.extend(found.unwrap_or_else(|error| self.refuse(error)));
        effects
    }

    fn copy_fen(&mut self) -> Vec<Effect> {
        let Some(fen) = self.browser.fen() else {
            self.dialog.inform("the leaf is still being searched");
            return Vec::new();
        };
        self.dialog.inform(format!("copied: {fen}"));
        vec![Effect::Copy(fen)]
    }

    fn follow_cursor(&mut self) {
        self.display.follow_cursor(self.editor.cursor(), self.editor.weights().extras());
    }

    fn turn_page(&mut self, is_forward: bool) {
        match self.display.turn_page(is_forward, self.editor.weights().extras()) {
            Ok(first) => first.into_iter().for_each(|key| self.editor.choose(key)),
            Err(notice) => self.dialog.inform(notice),
        }
    }

    /// Begins one fit, or many that write files. Those it asks about first, with their cost.
    pub(super) fn begin_fit(&mut self, writes_files: bool, is_asked: bool) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let collection = &self.browser.games().collection;
        let have_trees = collection.trees.is_some();
        let mut request = match self.options.fit_request(self.editor.weights(), collection, writes_files) {
            Ok(request) => request,
            Err(error) => return self.refuse(error),
        };
        if writes_files && !is_asked {
            let (passes, positions) = request.cost();
            let minutes = self.runs.pace.map(|pace| (pace * passes as f64 * positions as f64 / 60.0).ceil());
            let time = minutes.map_or(String::new(), |minutes| format!(", {minutes} min"));
            let folder = request.place.out.display();
            let cost = format!("{passes} passes over {positions} positions{time}, files in {folder}");
            self.dialog.question = Some(Question::FitMany(cost));
            return Vec::new();
        }
        if !writes_files && self.tour.asks_for(Some(Action::FitOnce)) {
            (request.spec.every, request.spec.iterations) = (tour::FIT_EVERY, tour::FITS);
        }
        let mut job = FitJob::new(&request);
        job.history.walks_trees = request.spec.trees.with(have_trees);
        self.fit_job = Some(job);
        self.runs.show_last(true);
        if writes_files {
            self.page = Page::RUN;
        }
        vec![Effect::Fit(Box::new(request))]
    }

    /// Closes the open page, or asks whether to cancel the fit that runs.
    fn escape(&mut self) {
        if self.page != Page::Main {
            self.leave_page();
        } else if self.fit_job.as_ref().is_some_and(|job| !job.is_cancelled) {
            self.dialog.question = Some(Question::CancelFit);
        } else if self.fit_job.is_none() && self.has_trial_to_give_up() {
            self.dialog.question = Some(Question::GiveUpTrial);
        }
    }

    /// Cancels the fit that runs, and shows the weights from before it again.
    pub(super) fn cancel_fit(&mut self) -> Vec<Effect> {
        let mut effects: Vec<Effect> = self.fit_job.iter_mut().map(FitJob::cancel).collect();
        effects.extend(self.end_preview());
        effects
    }

    /// Shows the weights of the user in the place of those of a running fit.
    fn end_preview(&mut self) -> Vec<Effect> {
        if self.editor.end_preview() { self.weights_replaced(true) } else { Vec::new() }
    }

    fn quit(&mut self) -> Vec<Effect> {
        if self.fit_job.is_some() {
            self.dialog.question = Some(Question::QuitFitting);
        } else if self.has_trial_to_give_up() {
            self.dialog.question = Some(Question::GiveUpTrial);
        } else if self.editor.is_saving() {
            self.dialog.quits_after_save = true;
        } else if self.editor.is_unsaved() {
            self.dialog.question = Some(Question::QuitUnsaved);
        } else {
            return vec![Effect::Quit];
        }
        Vec::new()
    }
}

/// The value behind a name in a place such as `game=283&move=9&set=best`.
pub fn place_part<'a>(place: &'a str, name: &str) -> Option<&'a str> {
    place.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

#[cfg(test)]
pub(in crate::screen) mod tests;
