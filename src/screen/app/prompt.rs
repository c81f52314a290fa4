//! A line that is edited in place. Knows how to edit a line, not what its text is for.

use crate::{
    feature::Key,
    screen::keys::{KeyCode, KeyEvent, Modifier},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// A game, by its number or by words.
    Game,
    /// A position by its FEN.
    Fen,
    /// A key, a sign or a word of the help.
    Key,
    Save,
    Restore,
    /// The `.stat` of a run to show.
    OpenRun,
    /// A file whose weights may be worse than those on the screen.
    Trial,
    /// A parameter by name or meaning.
    Find,
    /// The weights of a parameter, or of one cell of its table.
    Edit(Key, Option<usize>),
    /// The value of an option of the method.
    Option(String),
}

impl Purpose {
    /// The extensions of the files that may be named; none where no file is asked for.
    pub(super) fn extensions(&self) -> Option<&'static [&'static str]> {
        match self {
            Purpose::Save | Purpose::Restore | Purpose::Trial => Some(&["par"]),
            Purpose::OpenRun => Some(&["stat"]),
            Purpose::Game
            | Purpose::Fen
            | Purpose::Key
            | Purpose::Find
            | Purpose::Edit(..)
            | Purpose::Option(_) => None,
        }
    }

    /// Whether the name of a built-in set may be given.
    pub(super) fn takes_sets(&self) -> bool {
        matches!(self, Purpose::Restore | Purpose::Trial)
    }
}

/// Letters that a line may have. A path has at most 4,096 bytes on Linux.
const LONGEST: usize = 4096;

/// A line being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub purpose: Purpose,
    pub label: String,
    text: Vec<char>,
    /// Letters before the cursor.
    pub cursor: usize,
    /// Whether the first letter typed takes the place of the text.
    pub is_selected: bool,
    /// The error in the last answer.
    pub error: Option<String>,
}

/// The effect of a key on a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyResult {
    /// The line goes on.
    Edited,
    /// The line is complete.
    Entered,
    /// The line is given up.
    Cancelled,
}

impl Prompt {
    /// A prompt with an initial text, the cursor behind it.
    pub(super) fn new(purpose: Purpose, label: String, text: &str) -> Prompt {
        let text: Vec<char> = text.chars().collect();
        Prompt { purpose, label, cursor: text.len(), text, is_selected: false, error: None }
    }

    /// The same with its text selected: the first letter typed takes its place, and any other key keeps it.
    pub(super) fn selected(self) -> Prompt {
        Prompt { is_selected: !self.text.is_empty(), ..self }
    }

    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// The line from letter `first` on.
    pub fn text_from(&self, first: usize) -> String {
        self.text[first.min(self.text.len())..].iter().collect()
    }

    pub(super) fn insert(&mut self, text: &str) {
        if std::mem::take(&mut self.is_selected) {
            self.set_text("");
        }
        let letters: Vec<char> =
            text.chars().filter(|letter| !letter.is_control()).take(LONGEST + 1).collect();
        if self.text.len() + letters.len() > LONGEST {
            self.error = Some(format!("at most {LONGEST} letters fit here; nothing was added"));
            return;
        }
        let end = self.cursor + letters.len();
        self.text.splice(self.cursor..self.cursor, letters);
        self.cursor = end;
    }

    /// Puts a text in the place of the line, the cursor behind it.
    pub(super) fn set_text(&mut self, text: &str) {
        self.text = text.chars().collect();
        self.cursor = self.text.len();
        self.is_selected = false;
        self.error = None;
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> KeyResult {
        let is_control = key.modifier == Modifier::Control;
        if !matches!(key.code, KeyCode::Esc | KeyCode::Enter) {
            self.error = None;
        }
        match key.code {
            KeyCode::Esc => return KeyResult::Cancelled,
            KeyCode::Char('c') if is_control => return KeyResult::Cancelled,
            KeyCode::Enter => return KeyResult::Entered,
            KeyCode::Char('u') if is_control => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('w') if is_control => self.delete_word(),
            KeyCode::Char('a') if is_control => self.cursor = 0,
            KeyCode::Char('e') if is_control => self.cursor = self.text.len(),
            KeyCode::Char(letter) if !is_control => self.insert(&letter.to_string()),
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            KeyCode::Delete if self.cursor < self.text.len() => _ = self.text.remove(self.cursor),
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => return KeyResult::Edited,
        }
        self.is_selected = false;
        KeyResult::Edited
    }

    fn delete_word(&mut self) {
        let before = &self.text[..self.cursor];
        let kept = before.iter().rposition(|c| !c.is_whitespace()).map_or(0, |last| {
            before[..=last].iter().rposition(|c| c.is_whitespace()).map_or(0, |blank| blank + 1)
        });
        self.text.drain(kept..self.cursor);
        self.cursor = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(prompt: &mut Prompt, codes: &[KeyCode]) {
        for &code in codes {
            prompt.key(KeyEvent::plain(code));
        }
    }

    #[test]
    fn a_line_is_edited_in_the_middle_and_at_its_ends() {
        let mut prompt = Prompt::new(Purpose::Game, String::new(), "ab");
        press(&mut prompt, &[KeyCode::Left, KeyCode::Char('é'), KeyCode::Home, KeyCode::Delete]);
        assert_eq!((prompt.text().as_str(), prompt.cursor), ("éb", 0));
        press(&mut prompt, &[KeyCode::Backspace, KeyCode::End, KeyCode::Right, KeyCode::Backspace]);
        assert_eq!((prompt.text().as_str(), prompt.cursor), ("é", 1));
    }

    #[test]
    fn control_w_takes_the_word_before_the_cursor_and_control_u_all_before_it() {
        let control = KeyEvent::control;
        let mut prompt = Prompt::new(Purpose::Save, String::new(), "one two  three ");
        prompt.key(control('w'));
        assert_eq!(prompt.text(), "one two  ");
        prompt.key(KeyEvent::plain(KeyCode::Home));
        prompt.key(KeyEvent::plain(KeyCode::Right));
        prompt.key(control('u'));
        assert_eq!(prompt.text(), "ne two  ");
    }

    #[test]
    fn a_letter_takes_the_place_of_a_selected_text_and_other_keys_keep_it() {
        let prompt = || Prompt::new(Purpose::Option("force".to_string()), String::new(), "linear").selected();
        let mut typed = prompt();
        press(&mut typed, &[KeyCode::Char('n'), KeyCode::Char('o')]);
        assert_eq!((typed.text().as_str(), typed.is_selected), ("no", false));
        let mut edited = prompt();
        press(&mut edited, &[KeyCode::Backspace, KeyCode::Char('x')]);
        assert_eq!(edited.text(), "lineax");
        assert!(!Prompt::new(Purpose::Game, String::new(), "").selected().is_selected);
    }

    #[test]
    fn a_line_has_a_longest_length_and_takes_a_pasted_text_whole_or_not_at_all() {
        let mut prompt = Prompt::new(Purpose::Save, String::new(), "ab");
        press(&mut prompt, &[KeyCode::Left]);
        prompt.insert(&"x".repeat(LONGEST - 2));
        assert_eq!(
            (prompt.text().len(), prompt.cursor, prompt.error.as_deref()),
            (LONGEST, LONGEST - 1, None)
        );
        let whole = prompt.text();
        for text in ["y".to_string(), "y".repeat(10 * LONGEST)] {
            prompt.insert(&text);
            assert_eq!(prompt.text(), whole);
            assert!(prompt.error.as_deref().unwrap().starts_with("at most 4096 letters"));
            prompt.error = None;
        }
        press(&mut prompt, &[KeyCode::Char('y')]);
        assert!(prompt.error.is_some());
        press(&mut prompt, &[KeyCode::Backspace, KeyCode::Char('y')]);
        assert_eq!((prompt.text().ends_with("xyb"), prompt.error), (true, None));
    }

    #[test]
    fn the_next_key_takes_the_error_away_and_keeps_the_text() {
        let mut prompt = Prompt::new(Purpose::Game, String::new(), "9x");
        prompt.error = Some("expected a number".to_string());
        press(&mut prompt, &[KeyCode::Backspace]);
        assert_eq!((prompt.text().as_str(), prompt.error), ("9", None));
    }
}
