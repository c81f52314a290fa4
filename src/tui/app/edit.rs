//! Changes of weights by hand: values, what is tuned, cells; and taking them back.
//!
//! Every change goes through [`App::change`], so that it can be undone and the position is searched again.

use super::{App, Effect, Page, Purpose};
use crate::{
    error::{Error, Result},
    feature::{Ends, Key, Mode, Weights, cell_name, pattern},
    parameters::{Parameter, Part},
};

/// Changes that can be taken back.
const UNDOS: usize = 100;

/// A change that can be taken back.
pub(super) struct Change {
    /// What was changed, for a message.
    what: String,
    /// The weights before it.
    weights: Weights,
    /// Where those came from, and what stands there; none once other weights were saved, which may have been
    /// to that very file.
    origin: Option<(String, Weights)>,
}

impl App {
    /// Puts other weights in the place of the present ones.
    pub(super) fn change(&mut self, weights: Weights, what: String) -> Vec<Effect> {
        if weights == self.weights {
            return Vec::new();
        }
        self.replace(weights, what);
        self.search_again()
    }

    /// Puts other weights in the place of the present ones where their values are the same.
    fn replace(&mut self, weights: Weights, what: String) {
        let origin = Some((self.source.clone(), self.saved.clone()));
        let weights = std::mem::replace(&mut self.weights, weights);
        self.undo.push(Change { what, weights, origin });
        if self.undo.len() > UNDOS {
            self.undo.remove(0);
        }
        self.stay_on_what_is_shown();
    }

    /// Leaves a parameter that has gone off.
    fn stay_on_what_is_shown(&mut self) {
        if !self.weights.is_on(self.cursor) {
            self.cursor = Key::ALL[0];
            self.page = Page::Main;
            self.follow_cursor();
        }
    }

    /// Has what is taken back from now on count as not saved.
    pub(super) fn forget_origins(&mut self) {
        self.undo.iter_mut().for_each(|change| change.origin = None);
    }

    /// Forgets what was found under other weights or another search; the position shown stays until then.
    pub(super) fn search_again(&mut self) -> Vec<Effect> {
        self.epoch += 1;
        let at = self.at;
        self.found.retain(|&index, _| index == at);
        vec![Effect::Search]
    }

    pub(super) fn undo(&mut self) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        match self.undo.pop() {
            Some(Change { what, weights, origin }) => {
                self.weights = weights;
                self.stay_on_what_is_shown();
                if let Some((source, saved)) = origin {
                    (self.source, self.saved) = (source, saved);
                }
                self.say(format!("taken back: {what}"));
                self.search_again()
            }
            None => {
                self.say("no change of weights to take back");
                Vec::new()
            }
        }
    }

    /// The cell chosen, where the cells of a table are shown.
    fn cell(&self) -> Option<usize> {
        match self.page {
            Page::Cells { cell } if self.cursor.feature().layout.is_table() => Some(cell),
            _ => None,
        }
    }

    pub(super) fn ask_edit(&mut self) {
        if !self.may_change() {
            return;
        }
        let (key, cell) = (self.cursor, self.cell());
        let name = key.feature().key;
        match (self.weights.setting(key).mode, cell) {
            (Mode::Cells, None) => {
                self.complain(format!("{name} has a weight for each cell: enter opens them"));
            }
            (Mode::Gradient, Some(_)) => {
                self.ask(Purpose::Edit(key, None));
            }
            (Mode::Cells, cell) => self.ask(Purpose::Edit(key, cell)),
            (Mode::Scalar | Mode::Gradient | Mode::Off, _) => self.ask(Purpose::Edit(key, None)),
        }
    }

    /// Label and present text of the prompt for a weight.
    pub(super) fn edit_prompt(&self, key: Key, cell: Option<usize>) -> (String, String) {
        let (feature, setting) = (key.feature(), self.weights.setting(key));
        let name = match (setting.mode, cell) {
            (Mode::Cells, Some(cell)) => cell_name(key.cell_at(cell)),
            (Mode::Gradient, _) => format!("gradient of {}", feature.key),
            _ => feature.key.to_string(),
        };
        let entry = cell.unwrap_or(0);
        let (open, end) = (setting.open[entry], setting.end[entry]);
        match feature.ends {
            Ends::Pair => (format!("{name}: opening endgame"), format!("{open} {end}")),
            Ends::Single => (format!("{name}: one weight for both phases"), open.to_string()),
            Ends::OpeningOnly => (format!("{name}: opening"), open.to_string()),
        }
    }

    pub(super) fn accept_edit(&mut self, key: Key, cell: Option<usize>, text: &str) -> Result<Vec<Effect>> {
        let feature = key.feature();
        let parts = Part::of(feature.ends);
        let expected = match feature.ends {
            Ends::Pair => "two numbers, opening and endgame, such as 12 -3.5",
            Ends::Single | Ends::OpeningOnly => "one number, such as -3.5",
        };
        let wrong = || Error::expected(expected, format!("{text:?}"));
        let numbers = text.split_whitespace().map(|word| word.parse::<f64>().map_err(|_| wrong()));
        let numbers = numbers.collect::<Result<Vec<f64>>>()?;
        if numbers.len() != parts.len() {
            return Err(wrong());
        }
        let mut weights = self.weights.clone();
        let mode = weights.setting(key).mode;
        for (&part, &number) in parts.iter().zip(&numbers) {
            Parameter { key, mode, index: cell.unwrap_or(0), part }.set(&mut weights, number);
        }
        weights.validate_key(key)?;
        let name = cell.map_or(feature.key.to_string(), |cell| cell_name(key.cell_at(cell)));
        self.say(format!("{name} is now {text}; u takes it back"));
        Ok(self.change(weights, format!("{name} to {text}")))
    }

    pub(super) fn toggle_tune(&mut self, whole_group: bool) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let (key, mode) = (self.cursor, self.weights.setting(self.cursor).mode);
        let keys: Vec<Key> = match whole_group {
            true => group_of(key).collect(),
            false => vec![key],
        };
        let (name, entries) = match self.cell() {
            Some(cell) if !whole_group && mode == Mode::Cells => (cell_name(key.cell_at(cell)), vec![cell]),
            _ if whole_group => (key.feature().group.name().to_string(), Vec::new()),
            _ => (key.feature().key.to_string(), Vec::new()),
        };
        let is_tuned = |key: &Key| {
            let flags = &self.weights.setting(*key).tune;
            if entries.is_empty() { flags.contains(&true) } else { entries.iter().any(|&at| flags[at]) }
        };
        let freeze = keys.iter().any(is_tuned);
        let mut weights = self.weights.clone();
        match set_tuned(&mut weights, &name, !freeze) {
            Ok(()) => {
                let what = format!("{name} is {}", if freeze { "frozen" } else { "tuned" });
                self.say(format!("{what} from now on; u takes it back"));
                // The values stay, so that nothing needs to be searched again.
                self.replace(weights, what);
            }
            Err(error) => self.complain(error),
        }
        Vec::new()
    }

    /// Frees the cells of the chosen table, or holds them as a gradient again.
    pub(super) fn toggle_free(&mut self) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let key = self.cursor;
        let name = key.feature().key;
        let mut weights = self.weights.clone();
        let (done, what) = match weights.setting(key).mode {
            Mode::Cells => (weights.hold_as_gradient(key), format!("{name} is one gradient again")),
            Mode::Scalar | Mode::Gradient | Mode::Off => {
                (weights.free_table(key), format!("{name} has a weight for each cell"))
            }
        };
        match done {
            Ok(()) => {
                let others = frozen_by(&self.weights, &weights, key);
                self.say(format!("{what}{others}; u takes it back"));
                self.change(weights, what)
            }
            Err(error) => {
                self.complain(error);
                Vec::new()
            }
        }
    }
}

fn group_of(key: Key) -> impl Iterator<Item = Key> {
    let group = key.feature().group;
    Key::ALL.iter().copied().filter(move |key| key.feature().group == group)
}

/// Tunes or freezes what a pattern chooses and leaves the rest as it is.
fn set_tuned(weights: &mut Weights, name: &str, tune: bool) -> Result<()> {
    if !tune {
        return pattern::apply(weights, &[], &[name.to_string()]);
    }
    let mut patterns = vec![name.to_string()];
    for &key in Key::ALL {
        let setting = weights.setting(key);
        let tuned = setting.tune.iter().enumerate().filter(|&(_, &tune)| tune);
        patterns.extend(tuned.map(|(entry, _)| match setting.mode {
            Mode::Cells => cell_name(key.cell_at(entry)),
            Mode::Scalar | Mode::Gradient | Mode::Off => key.feature().key.to_string(),
        }));
    }
    pattern::apply(weights, &patterns, &[])
}

/// Names the other features that were frozen by a change, for a message.
fn frozen_by(before: &Weights, after: &Weights, key: Key) -> String {
    let tuned = |weights: &Weights, key: Key| weights.setting(key).tune.contains(&true);
    let others = Key::ALL.iter().filter(|&&other| other != key);
    let frozen = others.filter(|&&other| tuned(before, other) && !tuned(after, other));
    let names: Vec<&str> = frozen.map(|key| key.feature().key).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        ", and {}, which its cells can imitate, {} frozen",
        names.join(", "),
        if names.len() == 1 { "is" } else { "are" }
    )
}
