//! Prompts and questions: asking, and what follows from the answer.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{App, Effect, Prompt, Purpose, Question, prompt::Typed};
use crate::{
    error::{Error, Result},
    feature::{Key, nearest},
    par::Par,
};

impl App {
    pub(super) fn ask(&mut self, purpose: Purpose) {
        let (label, text) = match &purpose {
            Purpose::Game => ("go to game number".to_string(), String::new()),
            Purpose::Save => {
                let name = self.save_as.clone().unwrap_or_else(|| "mine.par".to_string());
                ("save weights to".to_string(), name)
            }
            Purpose::Restore => ("restore weights from".to_string(), String::new()),
            Purpose::Compare => ("compare with weights of".to_string(), String::new()),
            Purpose::Find => ("find parameter".to_string(), String::new()),
            Purpose::Edit(key, cell) => self.edit_prompt(*key, *cell),
            Purpose::Option(name) => (format!("--{name}"), self.option_value(name)),
        };
        self.prompt = Some(Prompt::new(purpose, label, &text));
    }

    /// Asks once more, with what was typed and what was wrong with it.
    pub(super) fn ask_again(&mut self, purpose: Purpose, typed: &str, wrong: &str) {
        self.ask(purpose);
        if let Some(prompt) = &mut self.prompt {
            *prompt = Prompt::new(prompt.purpose.clone(), prompt.label.clone(), typed);
            prompt.error = (!wrong.is_empty()).then(|| wrong.to_string());
        }
    }

    pub(super) fn ask_unless_fitting(&mut self, purpose: Purpose) {
        if self.may_change() {
            self.ask(purpose);
        }
    }

    /// Whether weights and options may be changed now; says why not.
    pub(super) fn may_change(&mut self) -> bool {
        if self.fitting.is_some() {
            self.complain("a fit runs: wait for it, or cancel it with esc");
        } else if self.reading {
            self.complain("the games are being read again: wait for them");
        }
        self.fitting.is_none() && !self.reading
    }

    pub(super) fn paste(&mut self, text: &str) -> Vec<Effect> {
        if let Some(prompt) = &mut self.prompt {
            prompt.insert(text.trim());
        }
        Vec::new()
    }

    pub(super) fn key_in_prompt(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(prompt) = &mut self.prompt else { return Vec::new() };
        match prompt.key(key) {
            Typed::Edited => Vec::new(),
            Typed::Left => {
                self.prompt = None;
                self.quit_when_saved = false;
                Vec::new()
            }
            Typed::Accepted => {
                let (purpose, text) = (prompt.purpose.clone(), prompt.text().trim().to_string());
                match self.accept(&purpose, &text) {
                    Ok(effects) => {
                        self.prompt = None;
                        effects
                    }
                    Err(error) => {
                        if let Some(prompt) = &mut self.prompt {
                            prompt.error = Some(error.to_string());
                        }
                        Vec::new()
                    }
                }
            }
        }
    }

    fn accept(&mut self, purpose: &Purpose, text: &str) -> Result<Vec<Effect>> {
        match purpose {
            Purpose::Game => self.accept_game(text),
            Purpose::Find => self.accept_find(text),
            Purpose::Edit(key, cell) => self.accept_edit(*key, *cell, text),
            Purpose::Option(name) => self.accept_option(name, text),
            Purpose::Save => {
                let path = named(text, "a file to save to, such as mine.par")?;
                let replace = self.save_as.as_deref() == Some(&*path);
                Ok(self.save(path, replace))
            }
            Purpose::Restore => Ok(vec![Effect::Restore(named(text, "a .par, such as params/start.par")?)]),
            Purpose::Compare => self.accept_compare(text),
        }
    }

    fn accept_compare(&mut self, text: &str) -> Result<Vec<Effect>> {
        let path = named(text, "a .par, such as params/gm1988.par")?;
        self.say(format!("comparing with {path} on this game"));
        let library = &self.library;
        let game = library.positions_of(library.game_of(self.at));
        Ok(vec![Effect::Compare {
            path,
            weights: Box::new(self.weights.clone()),
            sampling: self.sampling(),
            positions: library.collection.positions[game].to_vec(),
        }])
    }

    fn accept_game(&mut self, text: &str) -> Result<Vec<Effect>> {
        let last = self.library.head(self.library.games() - 1).number;
        let expected = format!("the number of a game, 1 to {last}");
        let number: u32 = text.parse().map_err(|_| Error::expected(&expected, format!("{text:?}")))?;
        match self.library.by_number(number) {
            Ok(game) => Ok(self.library.first_of(game).map_or(Vec::new(), |at| self.go_to(at))),
            Err(near) => {
                let near: Vec<String> = near.into_iter().flatten().map(|n| n.to_string()).collect();
                let found = format!("{number}; near it: {}", near.join(", "));
                Err(Error::expected("the number of a game with a winner and positions", found))
            }
        }
    }

    /// The next parameter after the chosen one whose key, group or meaning holds the text.
    fn accept_find(&mut self, text: &str) -> Result<Vec<Effect>> {
        let text = text.to_lowercase();
        let holds = |key: &Key| {
            let feature = key.feature();
            [feature.key, feature.meaning, feature.group.name()].iter().any(|t| t.contains(&*text))
        };
        let after = self.cursor as usize + 1;
        let exact = Key::from_name(&text);
        let around = Key::ALL[after..].iter().chain(&Key::ALL[..after]).copied();
        let around: Vec<Key> = around.filter(|&key| self.weights.is_on(key)).collect();
        if let Some(key) = exact.filter(|&key| !self.weights.is_on(key)) {
            let name = key.feature().key;
            return Err(Error::expected(
                "a parameter of these weights",
                format!("\"{name}\", which is off; `texam --tune '*,table:{name}'` turns it on"),
            ));
        }
        match exact.or_else(|| around.into_iter().find(holds)).filter(|_| !text.is_empty()) {
            Some(key) => {
                self.choose(key);
                Ok(Vec::new())
            }
            None => {
                let keys = Key::ALL.iter().map(|key| key.feature().key);
                let near = nearest(&text, keys).map_or(String::new(), |key| format!("; perhaps {key}"));
                Err(Error::expected("a key or a word of a meaning", format!("{text:?}{near}")))
            }
        }
    }

    pub(super) fn answer_question(&mut self, key: KeyEvent) -> Vec<Effect> {
        let is_control_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        let letter = match key.code {
            KeyCode::Char(_) if is_control_c => 'n',
            KeyCode::Char(letter) => letter.to_ascii_lowercase(),
            KeyCode::Esc => '\x1b',
            _ => return Vec::new(),
        };
        let Some(question) = self.question.clone() else { return Vec::new() };
        let is_known = matches!(letter, 'y' | 'n' | '\x1b');
        if is_known {
            self.question = None;
        }
        match (question, letter) {
            (Question::QuitUnsaved, 'y') => {
                self.quit_when_saved = true;
                self.ask(Purpose::Save);
            }
            (Question::QuitUnsaved, 'n') => return vec![Effect::Quit],
            (Question::QuitFitting, 'y') => return self.quit_a_fit(),
            (Question::QuitFitting, 'n') if is_control_c => return vec![Effect::Cancel, Effect::Quit],
            (Question::Overwrite(path), 'y') => {
                return self.save(path, true);
            }
            (Question::Overwrite(path), 'n') => {
                self.ask_again(Purpose::Save, &path, "");
            }
            (_, '\x1b') => self.quit_when_saved = false,
            _ => {}
        }
        Vec::new()
    }

    /// Gives the fit up; asks for the weights from before it, where they are not saved.
    fn quit_a_fit(&mut self) -> Vec<Effect> {
        if self.is_unsaved() {
            self.question = Some(Question::QuitUnsaved);
            return vec![Effect::Cancel];
        }
        vec![Effect::Cancel, Effect::Quit]
    }

    fn save(&mut self, path: String, replace: bool) -> Vec<Effect> {
        self.saving = true;
        vec![Effect::Save { path, weights: Box::new(self.weights.clone()), replace }]
    }

    pub(super) fn saved(&mut self, path: String, result: Result<()>) -> Vec<Effect> {
        self.saving = false;
        match result {
            Ok(()) => {
                self.saved = self.weights.clone();
                self.forget_origins();
                self.say(format!("saved to {path}"));
                self.source.clone_from(&path);
                self.save_as = Some(path);
                if self.quit_when_saved {
                    return vec![Effect::Quit];
                }
            }
            Err(error) => {
                self.ask_again(Purpose::Save, &path, &error.to_string());
            }
        }
        Vec::new()
    }

    pub(super) fn restored(&mut self, path: String, result: Result<Box<Par>>) -> Vec<Effect> {
        match result {
            Ok(par) => {
                let restored = par.note(&path).unwrap_or_else(|| format!("weights of {path}"));
                self.say(format!("{restored}; u takes back the change"));
                let effects = self.change(par.weights.clone(), format!("restoring {path}"));
                self.saved = par.weights;
                self.source = path;
                self.story = None;
                effects
            }
            Err(error) => {
                self.ask_again(Purpose::Restore, &path, &format!("{error}; nothing was changed"));
                Vec::new()
            }
        }
    }
}

/// The name of a file, which is not empty.
fn named(text: &str, expected: &str) -> Result<String> {
    if text.is_empty() { Err(Error::expected(expected, "nothing")) } else { Ok(text.to_string()) }
}
