//! The options of the run that a fit begins, as the screen shows and changes them.

use std::sync::Arc;

use super::{Effect, FitRequest};
use crate::{
    error::{Error, Result},
    feature::Weights,
    game::Collection,
    run::{self, Files, Group, OPTIONS, RunOption, RunSpec, Setup},
    sample::Sampling,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionEntry {
    /// Name without dashes.
    pub name: &'static str,
    /// Value as typed on the command line.
    pub value: String,
    /// Meaning, as in the help of the command line.
    pub meaning: &'static str,
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
    pub setup: Setup,
    /// The weights that its options lead to.
    start: Weights,
    /// Whether the games are being read again for a change.
    pub is_reading: bool,
}

impl Options {
    /// The options of a run that starts from `start`.
    pub(super) fn new(setup: Setup, start: Weights) -> Options {
        Options { setup, start, is_reading: false }
    }

    /// How positions are searched, and which moves are in bound.
    pub fn sampling(&self) -> Sampling {
        self.setup.spec.sampling()
    }

    /// All options that can be changed here. The start weights have pages of their own, and rows of other
    /// programs have no screen.
    pub fn entries(&self) -> Vec<OptionEntry> {
        let is_elsewhere = |option: &RunOption| {
            matches!(option.group, Group::Weights | Group::Rows) || option.name == "games"
        };
        let entry = |option: &'static RunOption| OptionEntry {
            name: option.name,
            value: option.text(&self.setup).unwrap_or_else(|| option.unset().to_string()),
            meaning: option.meaning(),
        };
        OPTIONS.iter().filter(|option| !is_elsewhere(option)).map(entry).collect()
    }

    /// The value of an option as it is shown.
    pub(super) fn value(&self, name: &str) -> String {
        let entry = self.entries().into_iter().find(|entry| entry.name == name);
        entry.map_or(String::new(), |entry| entry.value)
    }

    /// The next or the previous value of an option, if it has names for them.
    pub(super) fn turned(&self, name: &str, is_forward: bool) -> Option<String> {
        RunOption::find(name).ok()?.turned(&self.setup, is_forward)
    }

    /// Gives an option the value typed.
    pub(super) fn set(&mut self, name: &str, text: &str) -> Result<OptionChange> {
        let changed = self.setup.with(name, text)?;
        if self.setup.spec.skip_moves != changed.spec.skip_moves {
            if changed.spec.games.is_standard_input() {
                let found = format!("games of standard input; begin with texam screen --{name} {text} -");
                return Err(Error::expected("games that can be read again", found));
            }
            self.is_reading = true;
            return Ok(OptionChange {
                message: format!("reading the games again for --{name} {text}"),
                read: Some(Effect::Read(Box::new(changed.spec))),
                needs_search: false,
            });
        }
        let before = self.sampling();
        self.setup = changed;
        let message = format!("--{name} is now {text}");
        Ok(OptionChange { message, read: None, needs_search: self.sampling() != before })
    }

    /// Begins to read the games of a file.
    pub(super) fn read_games(&mut self, path: &str) -> Effect {
        self.is_reading = true;
        Effect::Read(Box::new(RunSpec { games: path.into(), player: None, ..self.setup.spec.clone() }))
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
        self.setup.spec = spec;
        Ok(collection)
    }

    /// The fit that these options describe, if it can be made.
    pub(super) fn fit_request(
        &self,
        weights: &Weights,
        collection: &Arc<Collection>,
        writes_files: bool,
    ) -> Result<FitRequest> {
        self.setup.spec.validate()?;
        if let Some(player) = &self.setup.spec.player {
            let found =
                format!("the moves of one player, won or lost; open the screen without --player {player}");
            return Err(Error::expected("moves of winners to fit", found));
        }
        run::some_tuned(weights)?;
        run::check_points(weights, &self.setup.spec)?;
        if writes_files {
            Files::check(&self.setup.place, &self.setup.spec)?;
        }
        let mut spec = self.setup.spec.clone();
        if !writes_files {
            (spec.iterations, spec.patience, spec.groups) = (1, None, 0);
        }
        // The options that made the start weights are named only while the weights are those.
        let spec = if *weights == self.start { spec } else { spec.from_other_weights() };
        Ok(FitRequest {
            spec,
            place: self.setup.place.clone(),
            collection: Arc::clone(collection),
            weights: weights.clone(),
            writes_files,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing;

    fn options() -> Options {
        Options::new(Setup::default(), Weights::start())
    }

    #[test]
    fn an_option_that_chooses_positions_holds_once_the_games_are_read() {
        let mut options = options();
        let change = options.set("skip-moves", "12").unwrap();
        let Some(Effect::Read(spec)) = change.read else { panic!("{change:?}") };
        assert!(options.is_reading);
        assert!(options.finish_reading(*spec.clone(), Err(Error::new("cut off"))).is_err());
        assert_eq!((options.setup.spec.skip_moves, options.is_reading), (8, false));
        options.finish_reading(*spec, Ok(Box::new(testing::collection(50)))).unwrap();
        assert_eq!(options.setup.spec.skip_moves, 12);
    }

    #[test]
    fn games_of_standard_input_are_not_read_again() {
        let mut options = options();
        options.setup.spec.games = "-".into();
        let error = options.set("skip-moves", "12").unwrap_err().to_string();
        assert!(error.ends_with("begin with texam screen --skip-moves 12 -"), "{error}");
        assert!(!options.is_reading);
    }

    #[test]
    fn the_moves_of_a_player_are_not_fitted() {
        let mut options = options();
        let collection = Arc::new(testing::collection(50));
        let request = |options: &Options| options.fit_request(&Weights::start(), &collection, false);
        assert!(request(&options).is_ok());
        options.setup.spec.player = Some("fischer".to_string());
        let error = request(&options).unwrap_err().to_string();
        assert!(error.ends_with("won or lost; open the screen without --player fischer"), "{error}");
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
            assert_eq!(
                error("depth", text),
                format!("option depth: expected a whole number, 1 to 5, but found {text:?}")
            );
        }
        assert_eq!(error("every", ""), "option every: expected a whole number, 1 or more, but found nothing");
        assert_eq!(
            error("threads", "0"),
            "option threads: expected a whole number, 1 to 1024, or all, but found \"0\""
        );
        let names: Vec<&str> = options.entries().into_iter().map(|entry| entry.name).collect();
        for name in names {
            // Any text may be the name of a run, a folder or a file of games.
            if !["name", "out", "holdout"].contains(&name) {
                let error = options.set(name, "nan").unwrap_err().to_string();
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
