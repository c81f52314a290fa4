//! The options of the method as the screen shows and changes them.
//!
//! An option is changed by reading the whole list of options anew, as from a command line; so what is allowed,
//! and what is said of a mistake, is the same there and here.

use super::{App, Effect};
use crate::{
    cli::{self, FitArgs},
    error::{Error, Result},
    game::Collection,
    run::{self, begun_with},
};

/// An option with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub value: String,
    /// What it means, from the help of the command line.
    pub meaning: String,
}

/// Stand for options that are not given.
const NOT_GIVEN: [(&str, &str); 3] = [("patience", "none"), ("threads", "all"), ("name", "next free")];

impl App {
    /// All options that can be changed here.
    pub fn entries(&self) -> Vec<Entry> {
        let args = &self.args;
        let mut options = run::options(args);
        let given = |value: Option<String>, at: usize| value.unwrap_or(NOT_GIVEN[at].1.to_string());
        options.retain(|(name, _)| name != NOT_GIVEN[0].0);
        options.push(("patience".into(), given(args.run.patience.map(|n| n.to_string()), 0)));
        options.push(("threads".into(), given(args.run.threads.map(|n| n.to_string()), 1)));
        options.push(("out".into(), args.run.out.display().to_string()));
        options.push(("name".into(), given(args.run.name.clone(), 2)));
        let entry = |(name, value): (String, String)| Entry {
            meaning: cli::meaning(&name).map(without_default).unwrap_or_default(),
            name,
            value,
        };
        options.into_iter().map(entry).collect()
    }

    pub(super) fn option_value(&self, name: &str) -> String {
        let entry = self.entries().into_iter().find(|entry| entry.name == name);
        entry.map_or(String::new(), |entry| entry.value)
    }

    pub(super) fn accept_option(&mut self, name: &str, text: &str) -> Result<Vec<Effect>> {
        if text.is_empty() {
            return Err(Error::expected(format!("a value for --{name}"), "nothing"));
        }
        let changed = self.changed_options(name, text)?;
        run::plan(&changed)?;
        let (old, new) = (&self.args, &changed);
        if (old.games.skip_moves, old.games.every) != (new.games.skip_moves, new.games.every) {
            self.reading = true;
            self.say(format!("reading the games again for --{name} {text}"));
            return Ok(vec![Effect::Read(Box::new(changed))]);
        }
        let before = self.sampling();
        self.args = changed;
        self.say(format!("--{name} is now {text}"));
        Ok(if self.sampling() == before { Vec::new() } else { self.search_again() })
    }

    /// The options with one of them changed.
    fn changed_options(&self, name: &str, text: &str) -> Result<FitArgs> {
        let args = &self.args;
        let strength_is_default =
            args.force.strength.is_none_or(|s| s == args.force.force.default_strength());
        let keeps = |entry: &Entry| {
            let is_placeholder = NOT_GIVEN.contains(&(&*entry.name, &*entry.value));
            // A strength is that of its force unless it was chosen.
            let is_of_old_force = name == "force" && entry.name == "strength" && strength_is_default;
            !is_placeholder && !is_of_old_force
        };
        let mut entries = self.entries();
        for entry in entries.iter_mut().filter(|entry| entry.name == name) {
            entry.value = text.to_string();
        }
        let options: Vec<(String, String)> =
            entries.into_iter().filter(keeps).map(|entry| (entry.name, entry.value)).collect();
        let mut changed = begun_with(&args.games.games.display().to_string(), &options)?;
        changed.games.games.clone_from(&args.games.games);
        changed.weights = args.weights.clone();
        changed.run.overwrite = args.run.overwrite;
        Ok(changed)
    }

    /// The games as other options choose their positions.
    pub(super) fn read(&mut self, args: FitArgs, result: Result<Box<Collection>>) -> Vec<Effect> {
        self.reading = false;
        let collection = match result.and_then(|games| run::some_positions(&games).map(|()| games)) {
            Ok(collection) => *collection,
            Err(error) => {
                self.complain(format!("{error}; the options stay as they were"));
                return Vec::new();
            }
        };
        let number = self.library.head(self.library.game_of(self.at)).number;
        self.args = args;
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

/// The help of an option without its remark on the default, which stands beside it here.
fn without_default(help: String) -> String {
    help.split(" [default").next().unwrap_or_default().to_string()
}
