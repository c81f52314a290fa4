//! A line that is edited in place. Knows how to edit, and nothing of what is asked.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::feature::Key;

/// What a prompt asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// A game by its number.
    Game,
    /// A file to save to.
    Save,
    /// A file to restore from.
    Restore,
    /// A file to compare with.
    Compare,
    /// A parameter by name or meaning.
    Find,
    /// The weights of a parameter, or of one cell of its table.
    Edit(Key, Option<usize>),
    /// The value of an option of the method.
    Option(String),
}

/// A line being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub purpose: Purpose,
    /// What stands before the line.
    pub label: String,
    text: Vec<char>,
    /// Letters before the cursor.
    pub cursor: usize,
    /// What was wrong with the last answer.
    pub error: Option<String>,
}

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typed {
    Edited,
    Accepted,
    Left,
}

impl Prompt {
    /// A prompt with a text to begin from, the cursor behind it.
    pub(super) fn new(purpose: Purpose, label: String, text: &str) -> Prompt {
        let text: Vec<char> = text.chars().collect();
        Prompt { purpose, label, cursor: text.len(), text, error: None }
    }

    /// The line as it stands.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// The line from letter `first` on.
    pub fn text_from(&self, first: usize) -> String {
        self.text[first.min(self.text.len())..].iter().collect()
    }

    pub(super) fn insert(&mut self, text: &str) {
        for letter in text.chars().filter(|letter| !letter.is_control()) {
            self.text.insert(self.cursor, letter);
            self.cursor += 1;
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> Typed {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return Typed::Left,
            KeyCode::Char('c') if is_control => return Typed::Left,
            KeyCode::Enter => return Typed::Accepted,
            KeyCode::Char('u') if is_control => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('w') if is_control => self.rub_word(),
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
            _ => return Typed::Edited,
        }
        self.error = None;
        Typed::Edited
    }

    fn rub_word(&mut self) {
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

    fn typed(prompt: &mut Prompt, codes: &[KeyCode]) {
        for &code in codes {
            prompt.key(KeyEvent::new(code, KeyModifiers::NONE));
        }
    }

    #[test]
    fn a_line_is_edited_in_the_middle_and_at_its_ends() {
        let mut prompt = Prompt::new(Purpose::Game, String::new(), "ab");
        typed(&mut prompt, &[KeyCode::Left, KeyCode::Char('é'), KeyCode::Home, KeyCode::Delete]);
        assert_eq!((prompt.text().as_str(), prompt.cursor), ("éb", 0));
        typed(&mut prompt, &[KeyCode::Backspace, KeyCode::End, KeyCode::Right, KeyCode::Backspace]);
        assert_eq!((prompt.text().as_str(), prompt.cursor), ("é", 1));
    }

    #[test]
    fn control_w_takes_the_word_before_the_cursor_and_control_u_all_before_it() {
        let control = |c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
        let mut prompt = Prompt::new(Purpose::Save, String::new(), "one two  three ");
        prompt.key(control('w'));
        assert_eq!(prompt.text(), "one two  ");
        prompt.key(KeyEvent::new(KeyCode::Home, KeyModifiers::NONE));
        prompt.key(KeyEvent::new(KeyCode::Right, KeyModifiers::NONE));
        prompt.key(control('u'));
        assert_eq!(prompt.text(), "ne two  ");
    }

    #[test]
    fn the_next_key_takes_the_error_away_and_keeps_the_text() {
        let mut prompt = Prompt::new(Purpose::Game, String::new(), "9x");
        prompt.error = Some("expected a number".to_string());
        typed(&mut prompt, &[KeyCode::Backspace]);
        assert_eq!((prompt.text().as_str(), prompt.error), ("9", None));
    }
}
