//! What a run is, and where it runs.
//!
//! A [`RunSpec`] holds all that determines the result of a run. The command line makes one, the screen edits
//! one, a `.stat` stores one, and `--resume` reads it back, each option by its line in
//! [`OPTIONS`](super::OPTIONS).

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use strum::{Display, EnumString, VariantNames};
use texam_fit::{ObjectiveName, Plan, Ridge};

use super::{
    NONE, START_PAR,
    options::{Preset, option_error},
    path_text::{path_from_text, path_to_text},
};
use crate::{
    error::{Error, Result},
    game::{self, GameFiles},
    sample::Sampling,
    search::{RootKind, Settings, Threshold},
    value::UNIT,
};

/// Everything that determines the result of a run. Options that have no meaning for its [`Task`] keep their
/// defaults, so that the screen can change from one to another.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSpec {
    /// What gave options other defaults.
    pub preset: Option<Preset>,
    /// The file of games; `-` is standard input.
    pub games: GameFiles,
    /// Part of the name of the player whose moves are choices in place of the winners'; none in all fits.
    pub player: Option<String>,
    /// Full moves at the start of each game that are left out.
    pub skip_moves: u32,
    /// Each how many positions one is taken, at least 1.
    pub every: u32,
    /// How positions are searched.
    pub search: Settings,
    /// What stands for the position before the choice.
    pub root: RootKind,
    /// How far a move may be from the root value to be used.
    pub threshold: Bound,
    /// What is fitted, and how the equations are solved.
    pub settings: texam_fit::Settings,
    /// Games that are measured and never fitted.
    pub holdout: Holdout,
    /// Fits to make.
    pub iterations: u32,
    /// Fits without a better agreement after which the run stops, at least 1; none goes on to the last.
    pub patience: Option<u32>,
    /// Groups of games without each of which the run is made again, for its standard errors; 0, or 2 and
    /// more.
    pub groups: u32,
    /// Whether passes walk through stored trees in place of searching.
    pub trees: TreeUse,
    /// Passes after which the trees are grown anew; 0 is never.
    pub regrow: u32,
    /// The `.par` of the start weights; none is the default start.
    pub par: Option<PathBuf>,
    /// Patterns of what is tuned; with none of them the flags of the start weights decide.
    pub tune: Vec<String>,
    /// Patterns of what is not tuned.
    pub freeze: Vec<String>,
    /// The rows of another program, if these are fitted.
    pub rows: RowOptions,
}

/// The options of a run on the rows of another program, as they were given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowOptions {
    /// A file of choices, or of labelled positions.
    pub choices: Option<PathBuf>,
    /// A command that prints choices, or labelled positions, for every pass.
    pub choices_from: Option<String>,
    /// The table of the weights that the rows are made of.
    pub weights: Option<PathBuf>,
}

/// What is fitted to what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Task<'a> {
    /// Our evaluation to the choices of winners.
    Choices,
    /// Our evaluation to positions labelled with results.
    Labels,
    /// The evaluation of another program to its rows.
    Rows(RowsFrom<'a>),
}

/// Where the rows of another program come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowsFrom<'a> {
    File(&'a Path),
    /// What it prints for every pass.
    Command(&'a str),
}

impl Default for RunSpec {
    fn default() -> RunSpec {
        RunSpec {
            preset: None,
            games: GameFiles::new([]),
            player: None,
            skip_moves: 8,
            every: 1,
            search: Settings::default(),
            root: RootKind::default(),
            threshold: Bound(Some(64.0)),
            settings: texam_fit::Settings::default(),
            holdout: Holdout::EveryGame(10),
            iterations: 15,
            patience: None,
            groups: 0,
            trees: TreeUse::Off,
            regrow: 0,
            par: None,
            tune: Vec::new(),
            freeze: Vec::new(),
            rows: RowOptions::default(),
        }
    }
}

impl RunSpec {
    /// The files that the run reads.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let named = [self.rows.choices.as_ref(), self.rows.weights.as_ref(), self.holdout.file()];
        let mut paths: Vec<PathBuf> = named.into_iter().flatten().cloned().collect();
        if !self.is_on_rows() {
            paths.extend_from_slice(self.games.paths());
            paths.push(self.par.clone().unwrap_or_else(|| START_PAR.into()));
        }
        paths
    }

    /// What is fitted to what.
    pub fn task(&self) -> Task<'_> {
        match (&self.rows.choices, &self.rows.choices_from) {
            (Some(path), _) => Task::Rows(RowsFrom::File(path)),
            (None, Some(command)) => Task::Rows(RowsFrom::Command(command)),
            (None, None) if self.settings.objective == ObjectiveName::Logistic => Task::Labels,
            (None, None) => Task::Choices,
        }
    }

    /// Whether the rows of another program are fitted.
    pub fn is_on_rows(&self) -> bool {
        matches!(self.task(), Task::Rows(_))
    }

    /// What is counted in a pass over so many positions: twice as many where their trees are grown anew
    /// first.
    pub fn work_of_pass(&self, pass: u32, positions: usize) -> usize {
        let grows = pass > 0 && pass.checked_rem(self.regrow) == Some(0);
        if grows { 2 * positions } else { positions }
    }

    /// The same run from start weights that no option leads to, such as those edited on the screen.
    pub fn from_other_weights(self) -> RunSpec {
        RunSpec { par: None, tune: Vec::new(), freeze: Vec::new(), ..self }
    }

    /// Checks what the types leave open.
    pub fn validate(&self) -> Result<()> {
        self.check_values()?;
        if self.groups == 1 {
            return Err(option_error("groups", Error::expected("0, or 2 and more", 1)));
        }
        if self.search.checks > 0 && !self.search.quiescence {
            return Err(option_error("checks", Error::expected("0 without quiescence", self.search.checks)));
        }
        if self.regrow > 0 && self.trees != TreeUse::On {
            let found = format!("{}; use the trees of a database, or leave it out", self.regrow);
            return Err(option_error("regrow", Error::expected("0 without trees", found)));
        }
        let ridge = self.settings.solving.ridge;
        if ridge == Ridge::Auto && self.settings.objective == ObjectiveName::Force {
            let expected = "a number, since objective force has no loss to choose it by";
            return Err(option_error("ridge", Error::expected(expected, ridge)));
        }
        match self.task() {
            Task::Rows(from) => self.check_rows(from),
            Task::Choices | Task::Labels => Ok(()),
        }
    }

    /// Checks which options of a run on rows of another program go together.
    fn check_rows(&self, from: RowsFrom) -> Result<()> {
        let error = |name, expected, found: &dyn fmt::Display| {
            Err(option_error(name, Error::expected(expected, found)))
        };
        if self.rows.weights.is_none() {
            return error("weights", "the table of the weights that the rows are made of", &NONE);
        }
        if self.holdout.file().is_some() {
            return error("holdout", "1/K or none with rows of another program", &self.holdout);
        }
        match from {
            RowsFrom::File(_) if self.rows.choices_from.is_some() => {
                error("choices", "a file or a command, not both", &"both")
            }
            RowsFrom::File(path) if path == Path::new("-") => {
                error("choices", "a file, since choices are read more than once", &"standard input")
            }
            RowsFrom::File(_) if self.iterations > 1 => {
                let expected =
                    "0 or 1 with a file of choices, which cannot be searched again; inner makes more steps";
                error("iterations", expected, &self.iterations)
            }
            RowsFrom::Command(command) if !command.contains("{weights}") => {
                error("choices-from", "a command with {weights}, the path of the weights of a pass", &command)
            }
            RowsFrom::File(_) | RowsFrom::Command(..) => Ok(()),
        }
    }

    /// How positions are searched and kept.
    pub fn sampling(&self) -> Sampling {
        Sampling { search: self.search, root: self.root, threshold: self.threshold.threshold() }
    }

    /// What the fit is to do.
    pub fn plan(&self) -> Result<Plan> {
        self.validate()?;
        self.settings.method().validate()?;
        let mut plan = self.settings.plan(self.iterations);
        plan.patience = self.patience;
        plan.by_match = self.preset == Some(Preset::Y1988);
        Ok(plan)
    }
}

/// Whether passes walk through stored trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = Error, parse_err_fn = unknown_tree_use)]
pub enum TreeUse {
    On,
    Off,
    /// Where the games have trees. What that came to stands in the `.stat` in its place.
    Auto,
}

impl TreeUse {
    /// Whether trees are walked in games that have some, or have none.
    pub fn with(self, have_trees: bool) -> bool {
        self == TreeUse::On || self == TreeUse::Auto && have_trees
    }
}

fn unknown_tree_use(text: &str) -> Error {
    Error::expected("on, off or auto", format!("{text:?}"))
}

/// Where a run writes its files, and on how many threads it runs. Nothing here changes its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPlace {
    /// Threads, 1 to 1024; none is one for each core.
    pub threads: Option<u32>,
    /// Folder of the files.
    pub out: PathBuf,
    /// Name of the run; none is the first free `run-NNN`.
    pub name: Option<String>,
    /// Whether the files of an earlier run of this name are replaced.
    pub overwrite: bool,
}

impl Default for RunPlace {
    fn default() -> RunPlace {
        RunPlace { threads: None, out: "stats".into(), name: None, overwrite: false }
    }
}

/// How far a move may be from the root value, in units; none keeps every move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound(pub Option<f64>);

impl Bound {
    /// The same for the search.
    pub fn threshold(self) -> Threshold {
        self.0.map(|units| (units * UNIT as f64).round() as i64)
    }
}

impl FromStr for Bound {
    type Err = Error;

    fn from_str(text: &str) -> Result<Bound> {
        let units = text.parse().ok().filter(|units| (0.0..=20_000.0).contains(units));
        if units.is_none() && text != NONE {
            let expected = "none, or units of 1/128 pawn from 0 to 20000";
            return Err(Error::expected(expected, format!("{text:?}")));
        }
        Ok(Bound(units))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(units) => write!(f, "{units}"),
            None => f.write_str(NONE),
        }
    }
}

/// Games that are measured and never fitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holdout {
    None,
    /// Every Kth decisive game, K at least 2.
    EveryGame(u32),
    /// Those of another file.
    File(PathBuf),
}

impl Holdout {
    /// The file, if the games have one of their own.
    pub fn file(&self) -> Option<&PathBuf> {
        if let Holdout::File(path) = self { Some(path) } else { None }
    }
}

impl FromStr for Holdout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Holdout> {
        if text == NONE {
            return Ok(Holdout::None);
        }
        match text.strip_prefix("1/").map(str::parse) {
            None => Ok(Holdout::File(game::path_of(path_from_text(text)))),
            Some(Ok(k)) if k >= 2 => Ok(Holdout::EveryGame(k)),
            Some(_) => Err(Error::expected("a file, none, or 1/K with K of 2 or more", format!("{text:?}"))),
        }
    }
}

impl fmt::Display for Holdout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holdout::None => f.write_str(NONE),
            Holdout::EveryGame(k) => write!(f, "1/{k}"),
            Holdout::File(path) => f.write_str(&path_to_text(path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{
        prelude::*,
        sample::{Index, select},
    };
    use texam_fit::Force;

    use super::*;
    use crate::run::{OPTIONS, RunOption, game_files_to_texts};

    /// A run that some options have changed, each to a text that it takes.
    fn spec() -> impl Strategy<Value = RunSpec> {
        let text = prop_oneof![
            "[1-9][0-9]?",
            "[0-9]{1,5}[.][0-9]{1,3}[1-9]",
            "none|auto|0|1/[1-9][0-9]",
            "[a-z /]{1,8}[.](pgn|par)",
            "(table:)?[a-z_*]{1,8}(\\[[a-z]{2},r[1-8]\\])?(,[a-z_*]{1,8}){0,3}",
        ];
        // A preset sets the weights that are tuned, and a `.stat` does not tell that none were named beside
        // it.
        let names = OPTIONS.iter().map(|option| option.name).filter(|&name| name != "preset");
        let change = (select(names.collect::<Vec<_>>()), text, any::<Index>());
        proptest::collection::vec(change, 0..60).prop_map(|changes| {
            changes.into_iter().fold(RunSpec::default(), |spec, (name, text, word)| {
                let words = RunOption::find(name).unwrap().values();
                let text = if words.is_empty() { text.as_str() } else { *word.get(words) };
                let mut changed = spec.with(name, text).unwrap_or(spec);
                // The default strength of a force is read as one that was not chosen.
                let fit = &mut changed.settings;
                fit.strength =
                    fit.strength.filter(|&strength| strength != fit.forces.force.default_strength());
                changed
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_run_is_read_back_from_its_options(spec in spec()) {
            let games = game_files_to_texts(&spec.games);
            prop_assert_eq!(&RunSpec::from_options(&games, &spec.options()).unwrap(), &spec);
        }

        #[test]
        fn an_option_set_to_the_text_that_it_has_changes_nothing(spec in spec()) {
            for (name, text) in spec.entries() {
                if name != "strength" {
                    prop_assert_eq!(&spec.with(name, text.as_deref().unwrap_or(NONE)).unwrap(), &spec);
                }
            }
        }
    }

    fn listed(spec: &RunSpec) -> String {
        spec.options().iter().map(|(name, text)| format!("{name} {text}\n")).collect()
    }

    const DEFAULT: &str = "skip-moves 8\nevery 1\ndepth 3\nquiescence on\nchecks 0\nphase fruit\nphase-at leaf\n\
        root quiescence\nthreshold 64\nobjective force\nforce linear\nstrength 512\nscale 32\nbalance all\nvariance on\n\
        min-support 20\nridge 100\nridge-to current\nsmooth 0\nerrors on\nholdout 1/10\n\
        iterations 15\n";

    /// What follows the iterations, and the patience where it is given.
    const LAST: &str = "groups 0\ntrees off\nregrow 0\n";

    #[test]
    fn the_list_of_options_holds_defaults_too_and_the_others_where_they_are_given() {
        assert_eq!(listed(&RunSpec::default()), format!("{DEFAULT}{LAST}"));
        let whole = RunSpec {
            patience: Some(3),
            par: Some("a.par".into()),
            tune: vec!["n_*".to_string(), "p_adv[de,r4]".to_string()],
            freeze: vec!["tempo".to_string()],
            ..RunSpec::default()
        };
        let more = "par a.par\ntune n_*,p_adv[de,r4]\nfreeze tempo\n";
        assert_eq!(listed(&whole), format!("{DEFAULT}patience 3\n{LAST}{more}"));
        let preset = RunSpec::default().with("preset", "1988").unwrap();
        let of_preset = [
            ("phase-at leaf", "phase-at root"),
            ("min-support 20\nridge 100", "min-support 1\nridge 0"),
            ("holdout 1/10", "holdout none"),
            ("iterations 15", "iterations 15\npatience 1"),
            ("trees off", "trees auto"),
        ];
        let of_preset =
            of_preset.iter().fold(format!("{DEFAULT}{LAST}"), |text, (old, new)| text.replace(old, new));
        assert_eq!(listed(&preset), format!("preset 1988\n{of_preset}tune *\n"));
        let beside = preset.with("trees", "off").unwrap();
        assert_eq!(RunSpec::from_options(&[], &beside.options()).unwrap().trees, TreeUse::Off);
    }

    #[test]
    fn an_option_that_an_older_version_did_not_know_has_its_default() {
        let whole = RunSpec::default().options();
        for missing in &whole {
            let options: Vec<_> = whole.iter().filter(|option| *option != missing).cloned().collect();
            assert_eq!(RunSpec::from_options(&[], &options).unwrap(), RunSpec::default(), "{missing:?}");
        }
    }

    #[test]
    fn options_of_other_objectives_are_not_listed_and_an_error_where_they_are_given() {
        let softmax = RunSpec::default().with("objective", "softmax").unwrap();
        let names = |spec: &RunSpec| spec.options().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        for name in ["force", "strength", "scale", "balance", "variance", "loss"] {
            assert!(!names(&softmax).contains(&name.to_string()), "{name}");
        }
        assert!(listed(&softmax).contains("objective softmax\ninner 4\n"), "{}", listed(&softmax));
        assert_eq!(RunSpec::from_options(&[], &softmax.options()).unwrap(), softmax);
        let logistic = RunSpec::default().with("objective", "logistic").unwrap();
        assert!(!names(&logistic).contains(&"depth".to_string()));
        assert_eq!(RunSpec::from_options(&[], &logistic.options()).unwrap(), logistic);
        let error = |spec: &RunSpec, name: &str, text: &str| spec.with(name, text).unwrap_err().to_string();
        assert_eq!(
            error(&softmax, "balance", "ahead"),
            "option balance: expected none with objective softmax, because it belongs to force, but found ahead"
        );
        assert!(error(&logistic, "depth", "2").contains("belongs to force, softmax, pairs"));
        assert!(error(&RunSpec::default(), "temperature", "70").contains("with objective force"));
        assert!(error(&softmax, "loss", "squared").contains("belongs to logistic"));
        let given = ["every", "force"];
        assert!(softmax.check_given(&given).is_err() && RunSpec::default().check_given(&given).is_ok());
        assert!(!softmax.plan().unwrap().keep_spread);
    }

    #[test]
    fn a_pass_before_which_trees_are_grown_counts_every_position_twice() {
        let work = |regrow| {
            [0, 1, 2, 3, 4].map(|pass| RunSpec { regrow, ..RunSpec::default() }.work_of_pass(pass, 5))
        };
        assert_eq!((work(0), work(1), work(2)), ([5; 5], [5, 10, 10, 10, 10], [5, 5, 10, 5, 10]));
    }

    #[test]
    fn a_list_with_an_unknown_option_or_one_that_makes_no_sense_is_refused() {
        let error = |name: &str, text: &str| {
            let mut options = RunSpec::default().options();
            options.retain(|(other, _)| other != name);
            options.push((name.to_string(), text.to_string()));
            RunSpec::from_options(&[], &options).unwrap_err().to_string()
        };
        assert_eq!(error("depth", "9"), "option depth: expected a whole number, 1 to 5, but found \"9\"");
        assert!(error("force", "x").starts_with("option force: expected one of none, constant"));
        assert!(error("smoth", "1").ends_with("did you mean \"smooth\"?"));
        assert_eq!(error("games", "b.pgn"), "option games: expected one value, but found two");
        assert!(error("threads", "2").ends_with("that determines the result, but found \"threads\""));
        assert!(error("every", "99999999999").ends_with("found \"99999999999\", which is too large"));
    }

    #[test]
    fn a_strength_that_was_not_chosen_is_that_of_any_force() {
        let rank = RunSpec::default().with("force", "rank").unwrap();
        assert_eq!(
            (rank.settings.strength, rank.settings.strength()),
            (None, Force::Rank.default_strength())
        );
        let read = RunSpec::from_options(&[], &rank.options()).unwrap();
        assert_eq!(read.settings.strength, None);
        let chosen = rank.with("strength", "33").unwrap().with("force", "linear").unwrap();
        assert_eq!(chosen.settings.strength(), 33.0);
        assert_eq!(
            chosen.with("strength", "none").unwrap().settings.strength(),
            Force::Linear.default_strength()
        );
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused_whoever_made_them() {
        let changed = |name: &'static str, change: fn(&mut RunSpec)| {
            let mut spec = RunSpec::default();
            change(&mut spec);
            (name, spec)
        };
        let wrong = [
            changed("every", |spec| spec.every = 0),
            changed("depth", |spec| spec.search.depth = 0),
            changed("checks", |spec| spec.search.checks = 7),
            changed("checks", |spec| (spec.search.checks, spec.search.quiescence) = (1, false)),
            changed("threshold", |spec| spec.threshold = Bound(Some(f64::NAN))),
            changed("strength", |spec| spec.settings.strength = Some(f64::INFINITY)),
            changed("scale", |spec| spec.settings.forces.scale = 0.0),
            changed("ridge", |spec| spec.settings.solving.ridge = Ridge::Fixed(-1.0)),
            changed("ridge", |spec| spec.settings.solving.ridge = Ridge::Auto),
            changed("smooth", |spec| spec.settings.solving.smooth = f64::NAN),
            changed("holdout", |spec| spec.holdout = Holdout::EveryGame(1)),
            changed("patience", |spec| spec.patience = Some(0)),
        ];
        for (name, spec) in wrong {
            let error = spec.plan().unwrap_err().to_string();
            assert!(error.starts_with(&format!("option {name}: expected ")), "{error}");
        }
        RunSpec::default().plan().unwrap();
    }
}
