//! The line for messages: a notice, a prompt or a question, and the keys that answer them.
//!
//! Knows how an answer is given, not its consequences.

use super::{
    files::{FolderListing, common_start, split_path},
    prompt::{KeyResult, Prompt, Purpose},
};
use crate::{
    par,
    screen::keys::{KeyCode, KeyEvent},
};

/// A line to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// Whether it says that something cannot be done.
    pub is_error: bool,
}

/// A question that one key answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Weights are not saved.
    QuitUnsaved,
    /// A run of many fits, which costs this, is to begin.
    FitMany(String),
    /// A fit runs, and the user quits.
    QuitFitting,
    /// A fit runs, and the user may want to cancel it.
    CancelFit,
    /// A trial runs, and the user may want to give it up.
    GiveUpTrial,
    /// A file of this name exists.
    Overwrite(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    /// No, by Ctrl-C.
    Interrupt,
    /// Neither: the user goes on as before.
    Stay,
}

/// The content of the line for messages. A question goes before a prompt, and a prompt before a notice.
#[derive(Debug, Default)]
pub struct Dialog {
    pub notice: Option<Notice>,
    pub prompt: Option<Prompt>,
    pub question: Option<Question>,
    /// The folder that the prompt names.
    listing: Option<FolderListing>,
    /// The folder that was asked for last.
    folder_asked: Option<String>,
    /// Whether the program ends once the weights are saved.
    pub quits_after_save: bool,
}

impl Dialog {
    pub(super) fn show(&mut self, notice: Notice) {
        self.notice = Some(notice);
    }

    /// Shows a message.
    pub(super) fn inform(&mut self, text: impl Into<String>) {
        self.show(Notice { text: text.into(), is_error: false });
    }

    pub(super) fn show_error(&mut self, error: impl ToString) {
        self.show(Notice { text: error.to_string(), is_error: true });
    }

    /// Takes a question back that an event has answered.
    pub(super) fn withdraw(&mut self, question: &Question) {
        self.question.take_if(|asked| asked == question);
    }

    pub(super) fn open_prompt(&mut self, prompt: Prompt) {
        self.prompt = Some(prompt);
        self.folder_asked = None;
    }

    /// Whether the prompt asks for the name of a file.
    pub fn asks_for_file(&self) -> bool {
        self.prompt.as_ref().is_some_and(|prompt| prompt.purpose.extensions().is_some())
    }

    /// The folder that the prompt names now, unless it was asked for already.
    pub(super) fn folder_to_list(&mut self) -> Option<String> {
        let prompt = self.prompt.as_ref().filter(|prompt| prompt.purpose.extensions().is_some())?;
        let text = prompt.text();
        let (folder, _) = split_path(&text);
        if self.folder_asked.as_deref() == Some(folder) {
            return None;
        }
        self.folder_asked = Some(folder.to_string());
        self.folder_asked.clone()
    }

    /// Takes the listing of a folder. One that was asked for earlier may arrive later, and is dropped.
    pub(super) fn folder_listed(&mut self, listing: FolderListing) {
        if self.folder_asked.as_ref() == Some(&listing.folder) {
            self.listing = Some(listing);
        }
    }

    /// The names of files and folders that begin as the prompt says, and of built-in sets where weights are
    /// asked for; none where the prompt asks for no file or its folder is not listed yet.
    pub fn matching_files(&self) -> Option<Vec<&str>> {
        let prompt = self.prompt.as_ref()?;
        let extensions = prompt.purpose.extensions()?;
        let text = prompt.text();
        let (folder, start) = split_path(&text);
        let listing = self.listing.as_ref().filter(|listing| listing.folder == folder)?;
        let is_name = prompt.purpose.takes_sets() && folder.is_empty();
        let sets = par::SETS.iter().map(|set| set.name).filter(|name| is_name && name.starts_with(start));
        Some(listing.matches(start, extensions).into_iter().chain(sets).collect())
    }

    /// Completes the name of the file as far as it is the same for all that match.
    fn complete(&mut self) {
        let Some(start) = self.matching_files().map(|names| common_start(&names)) else { return };
        let Some(prompt) = self.prompt.as_mut().filter(|_| !start.is_empty()) else { return };
        let text = prompt.text();
        let (folder, _) = split_path(&text);
        prompt.set_text(&format!("{folder}{start}"));
    }

    /// Takes a line of what the prompt may mean, which is the name of a parameter if one is given, else of a
    /// file; returns whether that is a whole answer, and no folder.
    pub(super) fn take_choice(&mut self, line: usize, key: Option<&str>) -> bool {
        let file = self.matching_files().and_then(|names| names.get(line).map(ToString::to_string));
        let Some((name, prompt)) = file.or(key.map(str::to_string)).zip(self.prompt.as_mut()) else {
            return false;
        };
        let text = prompt.text();
        prompt.set_text(&format!("{}{name}", split_path(&text).0));
        !name.ends_with('/')
    }

    /// Keeps the prompt open: its answer was wrong.
    pub(super) fn reject_answer(&mut self, error: impl ToString) {
        if let Some(prompt) = &mut self.prompt {
            prompt.error = Some(error.to_string());
        }
    }

    /// Takes the error of the last answer away.
    pub(super) fn clear_error(&mut self) {
        self.prompt.iter_mut().for_each(|prompt| prompt.error = None);
    }

    /// Inserts pasted text into the prompt.
    pub(super) fn paste(&mut self, text: &str) {
        if let Some(prompt) = &mut self.prompt {
            prompt.insert(text.trim());
        }
    }

    /// Gives a key to the prompt; returns the purpose and the text once it is entered.
    pub(super) fn key_in_prompt(&mut self, key: KeyEvent) -> Option<(Purpose, String)> {
        if key.code == KeyCode::Tab {
            self.complete();
            return None;
        }
        let prompt = self.prompt.as_mut()?;
        match prompt.key(key) {
            KeyResult::Edited => None,
            KeyResult::Cancelled => {
                self.prompt = None;
                self.quits_after_save = false;
                None
            }
            KeyResult::Entered => Some((prompt.purpose.clone(), prompt.text().trim().to_string())),
        }
    }

    /// Gives a key to the question; returns the question and the answer, if the key is one.
    pub(super) fn key_in_question(&mut self, key: KeyEvent) -> Option<(Question, Answer)> {
        let is_control_c = key == KeyEvent::control('c');
        let answer = match key.code {
            KeyCode::Char(_) if is_control_c => Answer::Interrupt,
            KeyCode::Char('y' | 'Y') => Answer::Yes,
            KeyCode::Char('n' | 'N') => Answer::No,
            KeyCode::Esc => Answer::Stay,
            _ => return None,
        };
        let question = self.question.take()?;
        if answer == Answer::Stay {
            self.quits_after_save = false;
        }
        Some((question, answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::plain(code)
    }

    #[test]
    fn a_question_stays_until_a_key_answers_it() {
        let mut dialog = Dialog { question: Some(Question::QuitFitting), ..Dialog::default() };
        assert_eq!(dialog.key_in_question(key(KeyCode::Char('x'))), None);
        assert!(dialog.question.is_some());
        let answer = dialog.key_in_question(key(KeyCode::Char('Y')));
        assert_eq!(answer, Some((Question::QuitFitting, Answer::Yes)));
        assert!(dialog.question.is_none());
    }

    #[test]
    fn tab_completes_the_name_of_a_file_and_goes_on_into_a_folder() {
        let mut dialog = Dialog::default();
        dialog.open_prompt(Prompt::new(Purpose::Restore, String::new(), "pa"));
        assert_eq!(dialog.folder_to_list().as_deref(), Some(""));
        assert_eq!((dialog.folder_to_list(), dialog.matching_files()), (None, None));
        let listing = |folder: &str, names: &[&str]| FolderListing {
            folder: folder.to_string(),
            names: names.iter().map(ToString::to_string).collect(),
        };
        dialog.folder_listed(listing("", &["a.par", "params/"]));
        assert_eq!(dialog.matching_files(), Some(vec!["params/"]));
        dialog.key_in_prompt(key(KeyCode::Tab));
        assert_eq!(dialog.prompt.as_ref().unwrap().text(), "params/");
        assert_eq!(dialog.folder_to_list().as_deref(), Some("params/"));
        assert_eq!(dialog.matching_files(), None, "until it is listed");
        dialog.folder_listed(listing("params/", &["best.par", "best2.par", "start.par"]));
        dialog.folder_listed(listing("", &["late.par"]));
        dialog.key_in_prompt(key(KeyCode::Char('b')));
        dialog.key_in_prompt(key(KeyCode::Tab));
        assert_eq!(dialog.prompt.as_ref().unwrap().text(), "params/best");
        dialog.key_in_prompt(key(KeyCode::Char('x')));
        dialog.key_in_prompt(key(KeyCode::Tab));
        assert_eq!(dialog.prompt.as_ref().unwrap().text(), "params/bestx", "nothing begins so");
    }

    #[test]
    fn tab_completes_the_name_of_a_built_in_set_where_weights_are_read() {
        for (purpose, completed) in [(Purpose::Restore, "large"), (Purpose::Save, "l")] {
            let mut dialog = Dialog::default();
            dialog.open_prompt(Prompt::new(purpose, String::new(), "l"));
            dialog.folder_to_list();
            dialog.folder_listed(FolderListing { folder: String::new(), names: vec!["best.par".into()] });
            dialog.key_in_prompt(key(KeyCode::Tab));
            assert_eq!(dialog.prompt.as_ref().unwrap().text(), completed);
        }
        let mut dialog = Dialog::default();
        dialog.open_prompt(Prompt::new(Purpose::Restore, String::new(), "b"));
        dialog.folder_to_list();
        dialog.folder_listed(FolderListing { folder: String::new(), names: vec!["best.par".into()] });
        assert_eq!(dialog.matching_files(), Some(vec!["best.par", "best"]), "a file beside the set");
    }

    #[test]
    fn a_prompt_for_no_file_lists_no_folder() {
        let mut dialog = Dialog::default();
        dialog.open_prompt(Prompt::new(Purpose::Game, String::new(), "1"));
        assert_eq!((dialog.folder_to_list(), dialog.matching_files()), (None, None));
        dialog.key_in_prompt(key(KeyCode::Tab));
        assert_eq!(dialog.prompt.as_ref().unwrap().text(), "1");
    }

    #[test]
    fn a_prompt_that_is_left_calls_off_the_end_of_the_program() {
        let mut dialog = Dialog { quits_after_save: true, ..Dialog::default() };
        dialog.open_prompt(Prompt::new(Purpose::Save, String::new(), "a.par"));
        assert_eq!(dialog.key_in_prompt(key(KeyCode::Enter)), Some((Purpose::Save, "a.par".to_string())));
        assert!(dialog.prompt.is_some(), "until the answer is known to be right");
        assert_eq!(dialog.key_in_prompt(key(KeyCode::Esc)), None);
        assert!(dialog.prompt.is_none() && !dialog.quits_after_save);
    }
}
