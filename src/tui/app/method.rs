//! The options of a run as the screen shows and changes them.

use super::{App, Effect};
use crate::{
    error::{Error, Result},
    game::Collection,
    run::{self, NONE, RunSpec, START_OPTIONS},
};

/// An option with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub value: String,
    /// What it means, from the help of the command line.
    pub meaning: String,
}

/// What the screen shows for an option that is not given, where that is not `none`.
const NOT_GIVEN: [(&str, &str); 2] = [("threads", "all"), ("name", "next free")];

/// The value of an option that is not given.
fn not_given(name: &str) -> &'static str {
    NOT_GIVEN.iter().find(|(other, _)| *other == name).map_or(NONE, |(_, value)| value)
}

impl App {
    /// All options that can be changed here. The start weights have pages of their own.
    pub fn entries(&self) -> Vec<Entry> {
        let options = self.spec.entries().into_iter().chain(self.place.entries());
        let options = options.filter(|(name, _)| !START_OPTIONS.contains(&&**name));
        let entry = |(name, value): (String, Option<String>)| Entry {
            value: value.unwrap_or_else(|| not_given(&name).to_string()),
            meaning: self.meanings.get(&name).cloned().unwrap_or_default(),
            name,
        };
        options.map(entry).collect()
    }

    pub(super) fn option_value(&self, name: &str) -> String {
        let entry = self.entries().into_iter().find(|entry| entry.name == name);
        entry.map_or(String::new(), |entry| entry.value)
    }

    pub(super) fn accept_option(&mut self, name: &str, text: &str) -> Result<Vec<Effect>> {
        if text.is_empty() {
            return Err(Error::expected(format!("a value for --{name}"), "nothing"));
        }
        let value = if text == not_given(name) { NONE } else { text };
        if self.place.entries().iter().any(|(other, _)| other == name) {
            self.place = self.place.with(name, value)?;
            self.say(format!("--{name} is now {text}"));
            return Ok(Vec::new());
        }
        let changed = self.spec.with(name, value)?;
        if (self.spec.skip_moves, self.spec.every) != (changed.skip_moves, changed.every) {
            self.reading = true;
            self.say(format!("reading the games again for --{name} {text}"));
            return Ok(vec![Effect::Read(Box::new(changed))]);
        }
        let before = self.sampling();
        self.spec = changed;
        self.say(format!("--{name} is now {text}"));
        Ok(if self.sampling() == before { Vec::new() } else { self.search_again() })
    }

    /// The games as other options choose their positions.
    pub(super) fn read(&mut self, spec: RunSpec, result: Result<Box<Collection>>) -> Vec<Effect> {
        self.reading = false;
        let collection = match result.and_then(|games| run::some_positions(&games).map(|()| games)) {
            Ok(collection) => *collection,
            Err(error) => {
                self.complain(format!("{error}; the options stay as they were"));
                return Vec::new();
            }
        };
        let number = self.library.head(self.library.game_of(self.at)).number;
        self.spec = spec;
        self.library = super::Library::new(collection.into());
        let library = &self.library;
        let game = library
            .by_number(number)
            .or_else(|near| near[1].or(near[0]).map_or(Ok(0), |n| library.by_number(n)));
        self.at = game.ok().and_then(|game| library.first_of(game)).unwrap_or(0);
        self.shown = None;
        self.found.clear();
        let positions = run::count(self.library.collection.positions.len() as u64, "position");
        self.say(format!("{positions} of {} games", self.library.games()));
        self.search_again()
    }
}
