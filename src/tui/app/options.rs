//! The options of the run that a fit begins, as the screen shows and changes them.

use std::{collections::BTreeMap, sync::Arc};

use super::{Effect, FitRequest};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    game::Collection,
    run::{self, Files, NONE, OF_ROWS, RunPlace, RunSpec, START_OPTIONS},
    sample::Sampling,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionEntry {
    /// Name without dashes.
    pub name: String,
    /// Value as typed on the command line.
    pub value: String,
    /// Meaning, from the help of the command line.
    pub meaning: String,
}

/// The value shown for an option that is not given, where that is not `none`.
const NOT_GIVEN: [(&str, &str); 2] = [("threads", "all"), ("name", "next free")];

/// The value shown for an option that is not given.
fn value_not_given(name: &str) -> &'static str {
    NOT_GIVEN.iter().find(|(other, _)| *other == name).map_or(NONE, |(_, value)| value)
}

/// The values that an option takes, where its type and its limits give two different errors.
fn expected_values(name: &str) -> Option<&'static str> {
    Some(match name {
        "skip-moves" | "min-support" | "iterations" => "a whole number, 0 or more",
        "every" => "a whole number, 1 or more",
        "depth" => "1, 2 or 3",
        "checks" => "a whole number, 0 to 6",
        "patience" => "a whole number, 1 or more, or none",
        "threads" => "a whole number, 1 to 1024, or all",
        "strength" => "a number, 0 or more, or none for that of the force",
        "temperature" => "a number from 0.01 to 1000000, or none to estimate it",
        "inner" => "a whole number, 1 or more",
        "scale" => "a number above 0",
        "ridge" | "smooth" => "a number, 0 or more",
        _ => return None,
    })
}

#[derive(Debug)]
pub(super) struct OptionChange {
    pub message: String,
    /// The games to be read again, where the option chooses positions.
    pub read: Option<Effect>,
    /// Whether positions must be searched again.
    pub needs_search: bool,
}

/// The run that a fit begins.
pub struct Options {
    pub spec: RunSpec,
    /// Threads, names and folders.
    pub place: RunPlace,
    /// The meaning of each option by name.
    meanings: BTreeMap<String, String>,
    /// The weights that `spec` leads to.
    start: Weights,
    /// Whether the games are being read again for a change.
    pub is_reading: bool,
}

impl Options {
    /// The options of a run that starts from `start`.
    pub(super) fn new(
        spec: RunSpec,
        place: RunPlace,
        meanings: BTreeMap<String, String>,
        start: Weights,
    ) -> Options {
        Options { spec, place, meanings, start, is_reading: false }
    }

    /// How positions are searched, and which moves are in bound.
    pub fn sampling(&self) -> Sampling {
        self.spec.sampling()
    }

    /// All options that can be changed here. The start weights have pages of their own, and rows of other programs have no
    /// screen.
    pub fn entries(&self) -> Vec<OptionEntry> {
        let options = self.spec.entries().into_iter().chain(self.place.entries());
        let elsewhere = [&START_OPTIONS[..], &OF_ROWS].concat();
        let options = options.filter(|(name, _)| !elsewhere.contains(&&**name));
        let entry = |(name, value): (String, Option<String>)| OptionEntry {
            value: value.unwrap_or_else(|| value_not_given(&name).to_string()),
            meaning: self.meanings.get(&name).cloned().unwrap_or_default(),
            name,
        };
        options.map(entry).collect()
    }

    /// The value of an option as it is shown.
    pub(super) fn value(&self, name: &str) -> String {
        let entry = self.entries().into_iter().find(|entry| entry.name == name);
        entry.map_or(String::new(), |entry| entry.value)
    }

    /// Gives an option the value typed.
    pub(super) fn set(&mut self, name: &str, text: &str) -> Result<OptionChange> {
        if text.is_empty() {
            let expected = expected_values(name).unwrap_or("a value");
            return Err(Error::new(format!("option {name}: expected {expected}, but found nothing")));
        }
        self.set_value(name, text).map_err(|error| match expected_values(name) {
            Some(expected) if error.kind() != ErrorKind::OtherObjective => {
                Error::new(format!("option {name}: expected {expected}, but found {text:?}"))
            }
            _ => error,
        })
    }

    fn set_value(&mut self, name: &str, text: &str) -> Result<OptionChange> {
        let value = if text == value_not_given(name) { NONE } else { text };
        let message = format!("--{name} is now {text}");
        if self.place.entries().iter().any(|(other, _)| other == name) {
            self.place = self.place.with(name, value)?;
            return Ok(OptionChange { message, read: None, needs_search: false });
        }
        let changed = self.spec.with(name, value)?;
        if self.spec.skip_moves != changed.skip_moves {
            self.is_reading = true;
            return Ok(OptionChange {
                message: format!("reading the games again for --{name} {text}"),
                read: Some(Effect::Read(Box::new(changed))),
                needs_search: false,
            });
        }
        let before = self.sampling();
        self.spec = changed;
        Ok(OptionChange { message, read: None, needs_search: self.sampling() != before })
    }

    /// Takes the games that were read for changed options; only with them does the change hold.
    pub(super) fn finish_reading(
        &mut self,
        spec: RunSpec,
        result: Result<Box<Collection>>,
    ) -> Result<Collection> {
        self.is_reading = false;
        let collection = *result?;
        run::some_positions(&collection)?;
        self.spec = spec;
        Ok(collection)
    }

    /// The fit that these options describe, if it can be made.
    pub(super) fn fit_request(
        &self,
        weights: &Weights,
        collection: &Arc<Collection>,
        writes_files: bool,
    ) -> Result<FitRequest> {
        self.spec.validate()?;
        run::some_tuned(weights)?;
        if writes_files {
            Files::check(&self.place, &self.spec)?;
        }
        let spec = self.spec.clone();
        // The options that made the start weights are named only while the weights are those.
        let spec = if *weights == self.start { spec } else { spec.from_other_weights() };
        Ok(FitRequest {
            spec,
            place: self.place.clone(),
            collection: Arc::clone(collection),
            weights: weights.clone(),
            writes_files,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    fn options() -> Options {
        Options::new(RunSpec::default(), RunPlace::default(), BTreeMap::new(), Weights::start())
    }

    #[test]
    fn an_option_that_chooses_positions_holds_once_the_games_are_read() {
        let mut options = options();
        let change = options.set("skip-moves", "12").unwrap();
        let Some(Effect::Read(spec)) = change.read else { panic!("{change:?}") };
        assert!(options.is_reading);
        assert!(options.finish_reading(*spec.clone(), Err(Error::new("cut off"))).is_err());
        assert_eq!((options.spec.skip_moves, options.is_reading), (8, false));
        options.finish_reading(*spec, Ok(Box::new(testing::collection(50)))).unwrap();
        assert_eq!(options.spec.skip_moves, 12);
    }

    #[test]
    fn an_option_that_thins_the_positions_of_the_fit_reads_and_searches_nothing() {
        let change = options().set("every", "20").unwrap();
        assert!(change.read.is_none() && !change.needs_search);
    }

    #[test]
    fn a_wrong_value_is_answered_by_all_values_that_the_option_takes() {
        let mut options = options();
        let mut error = |name: &str, text: &str| options.set(name, text).unwrap_err().to_string();
        for text in ["x", "0", "9", "-1", "1.5"] {
            assert_eq!(error("depth", text), format!("option depth: expected 1, 2 or 3, but found {text:?}"));
        }
        assert_eq!(error("every", ""), "option every: expected a whole number, 1 or more, but found nothing");
        assert_eq!(
            error("threads", "0"),
            "option threads: expected a whole number, 1 to 1024, or all, but found \"0\""
        );
        let names: Vec<String> = options.entries().into_iter().map(|entry| entry.name).collect();
        for name in names {
            // Any text may be the name of a run, a folder or a file of games.
            if !["name", "out", "holdout"].contains(&&*name) {
                let error = options.set(&name, "nan").unwrap_err().to_string();
                assert!(error.starts_with(&format!("option {name}: expected ")), "{error}");
                assert!(error.ends_with(", but found \"nan\""), "{error}");
            }
        }
    }

    #[test]
    fn only_an_option_of_the_search_needs_a_search() {
        assert!(options().set("depth", "1").unwrap().needs_search);
        assert!(!options().set("ridge", "7").unwrap().needs_search);
        assert!(!options().set("threads", "2").unwrap().needs_search);
        assert!(options().set("depth", "").is_err());
    }
}
