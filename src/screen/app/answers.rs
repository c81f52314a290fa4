//! Prompts and questions: the text that a prompt begins with, and the consequences of an answer.

use super::{App, Effect, Finder, Page, Prompt, Purpose, Question, dialog::Answer};
use crate::error::{Error, Result};

impl App {
    pub(super) fn prompt_for(&mut self, purpose: Purpose) {
        let (label, text) = self.label_and_text(&purpose);
        self.dialog.open_prompt(Prompt::new(purpose, label, &text).selected());
    }

    /// Opens a prompt for weights or options, unless they must not change now.
    pub(super) fn prompt_for_change(&mut self, purpose: Purpose) {
        if self.may_change() {
            self.prompt_for(purpose);
        }
    }

    /// Opens a prompt again with the text typed and the error in it.
    pub(super) fn prompt_again(&mut self, purpose: Purpose, text: &str, error: Option<String>) {
        let (label, _) = self.label_and_text(&purpose);
        let mut prompt = Prompt::new(purpose, label, text);
        prompt.error = error;
        self.dialog.open_prompt(prompt);
    }

    fn label_and_text(&self, purpose: &Purpose) -> (String, String) {
        let empty = |label: &str| (label.to_string(), String::new());
        match purpose {
            Purpose::Game => empty("go to game: number or words"),
            Purpose::Fen => empty("position in FEN"),
            Purpose::Key => empty("find a key, a sign or a word"),
            Purpose::Save => ("save weights to".to_string(), self.editor.proposed_path().to_string()),
            Purpose::Restore => empty("restore weights from"),
            Purpose::OpenRun => empty("show the run of a .stat"),
            Purpose::Trial => self.trial_prompt(),
            Purpose::Find => empty("find parameter"),
            Purpose::Edit(key, cell) => self.editor.edit_prompt(*key, *cell),
            Purpose::Option(name) => (format!("--{name}"), self.options.value(name)),
        }
    }

    /// Carries out the answer to a prompt; the prompt stays open if the answer is wrong.
    pub(super) fn answer_prompt(&mut self, purpose: &Purpose, text: &str) -> Vec<Effect> {
        if *purpose == Purpose::Key
            && let Some(action) = self.chosen_key()
        {
            self.dialog.prompt = None;
            self.follow_list_prompt();
            return self.press(action);
        }
        match self.accept(purpose, text) {
            Ok(effects) => {
                self.dialog.prompt = None;
                effects
            }
            Err(error) => {
                self.dialog.reject_answer(error);
                Vec::new()
            }
        }
    }

    fn accept(&mut self, purpose: &Purpose, text: &str) -> Result<Vec<Effect>> {
        match purpose {
            Purpose::Game => {
                let effects = match self.finder.as_ref().and_then(Finder::chosen) {
                    Some(game) => self.browser.show_game(game),
                    None => self.browser.go_to_game(text)?,
                };
                self.page = Page::Main;
                Ok(effects)
            }
            Purpose::Fen => {
                let effects = self.show_typed(text)?;
                self.page = Page::Main;
                Ok(effects)
            }
            Purpose::Key => Err(Error::expected("a key, which enter presses", text)),
            Purpose::Find => {
                let key = self.editor.find(text)?;
                self.editor.choose(key);
                self.follow_cursor();
                Ok(Vec::new())
            }
            Purpose::Edit(key, cell) => {
                let edit = self.editor.set(*key, *cell, text)?;
                Ok(self.finish_edit(edit))
            }
            Purpose::Option(name) => self.set_option(name, text),
            Purpose::Save => Ok(self.editor.save_as(file_name(text, "a file to save to, such as mine.par")?)),
            Purpose::Restore => {
                Ok(vec![Effect::Restore(file_name(text, "a .par or a built-in set, such as start")?)])
            }
            Purpose::OpenRun => {
                Ok(vec![Effect::OpenRun(file_name(text, "a .stat, such as stats/gm1988.stat")?)])
            }
            Purpose::Trial => self.accept_trial(text),
        }
    }

    /// Opens a file that was handed to the screen, by the end of its name: weights, a run, or else games.
    pub fn open_file(&mut self, path: &str) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "par" => vec![Effect::Restore(path.to_string())],
            "stat" | "json" => vec![Effect::OpenRun(path.to_string())],
            _ => {
                self.dialog.inform(format!("reading the games of {path}"));
                vec![self.options.read_games(path)]
            }
        }
    }

    /// Gives an option the value typed.
    pub(super) fn set_option(&mut self, name: &str, text: &str) -> Result<Vec<Effect>> {
        let change = self.options.set(name, text)?;
        self.dialog.inform(change.message);
        let search = if change.needs_search { self.browser.restart_search() } else { Vec::new() };
        Ok(change.read.into_iter().chain(search).collect())
    }

    /// Carries out the answer to a question.
    pub(super) fn answer_question(&mut self, question: Question, answer: Answer) -> Vec<Effect> {
        match (question, answer) {
            (_, Answer::Stay) | (Question::QuitFitting | Question::CancelFit, Answer::No) => Vec::new(),
            (Question::GiveUpTrial | Question::FitMany(_), Answer::No) => Vec::new(),
            (Question::FitMany(_), Answer::Yes) => self.begin_fit(true, true),
            (Question::FitMany(_), Answer::Interrupt) => self.quit(),
            (Question::CancelFit, Answer::Interrupt) => self.quit(),
            (Question::CancelFit, Answer::Yes) => {
                self.dialog.inform("the fit is being cancelled; the weights are those from before it");
                self.cancel_fit()
            }
            (Question::GiveUpTrial, Answer::Yes) => self.give_up_trial(),
            (Question::GiveUpTrial, Answer::Interrupt) => vec![Effect::Quit],
            (Question::QuitUnsaved, Answer::Yes) => {
                self.dialog.quits_after_save = true;
                self.prompt_for(Purpose::Save);
                Vec::new()
            }
            (Question::QuitUnsaved, Answer::No | Answer::Interrupt) => vec![Effect::Quit],
            (Question::QuitFitting, Answer::Yes) if self.editor.is_unsaved() => {
                // The weights from before the fit are still to be saved.
                self.dialog.question = Some(Question::QuitUnsaved);
                self.cancel_fit()
            }
            (Question::QuitFitting, Answer::Yes | Answer::Interrupt) => vec![Effect::Cancel, Effect::Quit],
            (Question::Overwrite(path), Answer::Yes) => self.editor.save(path, true),
            (Question::Overwrite(path), Answer::No | Answer::Interrupt) => {
                self.prompt_again(Purpose::Save, &path, None);
                Vec::new()
            }
        }
    }
}

/// The name of a file, which must not be empty.
pub(super) fn file_name(text: &str, expected: &str) -> Result<String> {
    if text.is_empty() { Err(Error::expected(expected, "nothing")) } else { Ok(text.to_string()) }
}
