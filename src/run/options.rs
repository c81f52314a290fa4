//! The options of a run: name, value with its range, whom it belongs to, group and help, said once.
//!
//! The command line, the options in the data of a run, the page of options on the screen, and the messages
//! about wrong values are all made from [`OPTIONS`]. A new option is a field of [`RunSpec`] with its default,
//! and a line here. The options of a fit stand in [`FIT_OPTIONS`].

#[macro_use]
mod value;
mod preset;

use std::{convert::identity, ffi::OsStr, fmt::Display, ops::RangeInclusive, sync::LazyLock};

use strum::{IntoStaticStr, VariantArray, VariantNames};
use texam_fit::{
    FIT_OPTIONS, FitOption,
    ObjectiveName::{self, Force, Pairs, Softmax},
    SWITCH, switch_text,
};

pub use self::preset::Preset;
use self::value::{
    Value, game_files, line, optional, optional_path, parsed, path, patterns, shown, shown_optional,
    shown_optional_path, shown_path, shown_patterns, switch, whole,
};
use super::{RunPlace, RunSpec, Task, TreeUse, game_files_from_texts};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::nearest,
    par,
    search::CHECKS,
};

/// The text of a field that is not given.
pub const NONE: &str = "none";

/// What a run is, and where it takes place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Setup {
    /// What determines its result.
    pub spec: RunSpec,
    /// Where it takes place.
    pub place: RunPlace,
}

/// A group of options: its heading in the help, in the order of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum Group {
    /// Options that are set together; first, since those given beside it win.
    Preset,
    /// Games and positions.
    Games,
    /// The start weights.
    Weights,
    /// How positions are searched.
    Search,
    /// Which moves are used.
    Bound,
    /// What is fitted.
    Objective,
    Force,
    /// The rows of another program.
    #[strum(serialize = "Another program's evaluation")]
    Rows,
    /// The equations.
    Solving,
    /// Errors of what was solved for.
    #[strum(serialize = "Solving")]
    Errors,
    /// Length of the run, and its files.
    Run,
}

/// Whom an option belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Every run.
    All,
    /// Runs on games.
    Games,
    /// Runs on the choices of games.
    Choices,
    /// Runs with one of these objectives.
    Objectives(&'static [ObjectiveName]),
    /// Runs on the rows of another program.
    Rows,
    /// The place of a run: it changes no result, and stands in no `.stat`.
    Place,
}

#[derive(Clone, Copy)]
pub struct RunOption {
    /// Its name, without dashes.
    pub name: &'static str,
    pub group: Group,
    /// What stands for its value in the help.
    pub value_name: &'static str,
    /// What it means, and the default where that is no value.
    pub help: &'static str,
    owner: Owner,
    value: Value,
}

const SEARCH: (Group, Owner) = (Group::Search, Owner::Choices);
const RUN: (Group, Owner) = (Group::Run, Owner::All);
const ROWS: (Group, Owner) = (Group::Rows, Owner::Rows);
const WEIGHTS: (Group, Owner) = (Group::Weights, Owner::Games);
const TUNED: (Group, Owner) = (Group::Weights, Owner::All);
const PLACE: (Group, Owner) = (Group::Run, Owner::Place);

/// Whole numbers from 0, and from 1.
const FROM_0: RangeInclusive<u32> = 0..=u32::MAX;
const FROM_1: RangeInclusive<u32> = 1..=u32::MAX;

/// Threads that can be asked for.
pub const THREADS: RangeInclusive<u32> = 1..=1024;

/// Makes the table of options, each by name, group and owner, value in the help, value, and help.
macro_rules! options {
    ($($name:literal, $place:expr, $value_name:literal, $value:expr, $help:literal;)*) => {
        &[$(RunOption { name: $name, group: $place.0, owner: $place.1, value_name: $value_name, value: $value, help: $help }),*]
    };
}

/// All options, in the order of the data of a run.
pub static OPTIONS: LazyLock<Vec<RunOption>> = LazyLock::new(|| {
    let of_fit = FIT_OPTIONS.iter().map(RunOption::of_fit);
    OF_GAMES.iter().copied().chain(of_fit).chain(OF_RUN.iter().copied()).collect()
});

/// The options before those of a fit.
static OF_GAMES: &[RunOption] = options! {
    "preset", (Group::Preset, Owner::Choices), "NAME", Value::Own { text: preset::text, set: preset::set, words: <Preset as VariantNames>::VARIANTS },
        "Other defaults under one name: 1988, the configuration of the record [default: none]";
    "games", (Group::Games, Owner::Games), "GAMES", value!(spec.games, shown, game_files()),
        "Games in PGN or a .dbf of `texam presearch`, plain, .gz or .zst; - is standard input. The default is built in";
    "skip-moves", (Group::Games, Owner::Games), "N", value!(spec.skip_moves, shown, whole(FROM_0)),
        "Number of the last move that is left out of each game";
    "every", (Group::Games, Owner::Games), "N", value!(spec.every, shown, whole(FROM_1)),
        "Use only every Nth position of the file";
    "depth", SEARCH, "PLIES", value!(spec.search.depth, shown, whole(1..=5)),
        "Plies of full minimax before quiescence";
    "quiescence", SEARCH, "SWITCH", value!(spec.search.quiescence, switch_text, switch(), SWITCH),
        "Quiescence at the horizon: on or off";
    "checks", SEARCH, "N", value!(spec.search.checks, shown, whole(CHECKS)),
        "Plies of quiescence in which quiet moves that give check are searched too, 0 to 6";
    "phase", (Group::Search, Owner::Games), "SCHEME", value!(spec.search.phase, shown, parsed()),
        "Scheme of the game phase: fruit, madchess, rustic or none";
    "phase-at", (Group::Search, Owner::Games), "PLACE", value!(spec.search.phase_at, shown, parsed(), &["leaf", "root"]),
        "Where the phase is taken from: leaf or root";
    "root", (Group::Bound, Owner::Choices), "KIND", value!(spec.root, shown, parsed(), &["quiescence", "static", "search"]),
        "How the value of the position before the choice is found: quiescence, static or search";
    "threshold", (Group::Bound, Owner::Choices), "UNITS", value!(spec.threshold, shown, parsed()),
        "Largest distance of a move from this value for the move to be used, in 1/128 pawn, or none";
};

/// The options behind those of a fit.
static OF_RUN: &[RunOption] = options! {
    "holdout", RUN, "FILE|1/K", value!(spec.holdout, shown, parsed()),
        "Held-out games, measured but never fitted: a file, 1/K for every Kth game, or none";
    "iterations", RUN, "N", value!(spec.iterations, shown, whole(FROM_0)),
        "Number of fits";
    "patience", RUN, "N", value!(spec.patience, shown_optional, optional(FROM_1, NONE)),
        "Stop when agreement has not become better for N fits";
    "groups", RUN, "G", value!(spec.groups, shown, whole(0..=1000)),
        "Make the run again without each of G groups of the fitted games, for its standard errors; 10 is usual, 0 is none";
    "trees", (Group::Run, Owner::Choices), "SWITCH", value!(spec.trees, shown, parsed(), TreeUse::VARIANTS),
        "Walk through the stored trees of a .dbf of `texam presearch` in place of searching: on, off, or auto, where the file has some";
    "regrow", (Group::Run, Owner::Choices), "N", value!(spec.regrow, shown, whole(FROM_0)),
        "With trees: grow them anew after every N passes, under the weights of the moment; 0 is never";
    "par", WEIGHTS, "FILE|SET", value!(spec.par, shown_optional_path, optional_path(par::path_of)),
        "Start weights [default: params/start.par, or the built-in copy of it]";
    "tune", TUNED, "PATTERN,..", value!(spec.tune, shown_patterns, patterns()),
        "Tune only these: keys, groups, cells, `*`; `attack` and its keys turn attack terms on, `phase` the points of the pieces in the phase, `table:KEY` frees the cells of a table, `gradient:KEY` turns it into a gradient again; with another program's weights names, also with `*`";
    "freeze", TUNED, "PATTERN,..", value!(spec.freeze, shown_patterns, patterns()),
        "Do not tune these";
    "choices", ROWS, "FILE", value!(spec.rows.choices, shown_optional_path, optional_path(identity)),
        "Fit once to the choices in a file, or for logistic to labelled positions; see docs/FOREIGN.md";
    "choices-from", ROWS, "COMMAND", value!(spec.rows.choices_from, shown_optional, line(NONE)),
        "Run this command before every pass, with the path of the weights for {weights}, and fit to the choices it prints";
    "weights", ROWS, "CSV", value!(spec.rows.weights, shown_optional_path, optional_path(identity)),
        "The weights that the choices are made of: a table with name,value,tune";
    "threads", PLACE, "N", value!(place.threads, shown_optional, optional(THREADS, "all")),
        "Threads [default: one for each core]";
    "out", PLACE, "DIR", value!(place.out, shown_path, path(identity)),
        "Folder for the files";
    "name", PLACE, "NAME", value!(place.name, shown_optional, line("next free")),
        "Name of the run [default: the first free run-NNN]";
};

impl RunOption {
    fn of_fit(option: &'static FitOption) -> RunOption {
        let FitOption { name, objectives, value_name, help, .. } = *option;
        let (group, owner) = match name {
            // Other programs have no tables whose cells are neighbours.
            "smooth" => (Group::Solving, Owner::Games),
            "min-support" | "ridge" | "ridge-to" => (Group::Solving, Owner::All),
            "errors" => (Group::Errors, Owner::All),
            _ if objectives == [Force] => (Group::Force, Owner::Objectives(objectives)),
            _ => (Group::Objective, Owner::Objectives(objectives)),
        };
        RunOption { name, group, value_name, help, owner, value: Value::OfFit(option) }
    }

    pub fn find(name: &str) -> Result<&'static RunOption> {
        OPTIONS.iter().find(|option| option.name == name).ok_or_else(|| {
            let near = nearest(name, OPTIONS.iter().map(|option| option.name));
            let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
            Error::expected("an option of a run", format!("{name:?}{near}"))
        })
    }

    /// The help without the remark on the default.
    pub fn meaning(&self) -> &'static str {
        self.help.split(" [default").next().unwrap_or_default()
    }

    /// The text of its value; none if it is not given.
    pub fn text(&self, setup: &Setup) -> Option<String> {
        self.value.text(setup)
    }

    /// What stands for its value where it is not given.
    pub fn unset(&self) -> &'static str {
        match self.name {
            "threads" => "all",
            "name" => "next free",
            _ => NONE,
        }
    }

    /// The default as it is typed; none where none is given, or where the help says what it is.
    pub fn default_text(&self) -> Option<String> {
        self.text(&Setup::default()).filter(|_| !self.help.contains("[default"))
    }

    /// Whether it may be given several times, as parts of a list.
    pub fn is_list(&self) -> bool {
        matches!(self.name, "tune" | "freeze")
    }

    /// Whether its name alone means `on`.
    pub fn is_flag(&self) -> bool {
        self.name == "trees"
    }

    /// The value after the present one, or the one before it, round the ends; none where any number or text
    /// is taken.
    pub fn turned(&self, setup: &Setup, is_forward: bool) -> Option<String> {
        let values = self.values();
        let step = if is_forward { 1 } else { values.len().checked_sub(1)? };
        let now = self.text(setup).unwrap_or_else(|| self.unset().to_string());
        let next = values.iter().position(|value| *value == now).map_or(0, |at| at + step);
        values.get(next % values.len().max(1)).map(ToString::to_string)
    }

    /// The values that there are, if it takes no others.
    pub fn values(&self) -> &'static [&'static str] {
        self.value.words()
    }

    /// Gives it the value of a text.
    pub fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        self.check(setup, text).map_err(|error| option_error(self.name, error))
    }

    /// [`RunOption::set`] with an error that does not name the option.
    pub fn check(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        self.value.set(setup, text)?;
        if text.is_empty() { Err(Error::expected("a value", "nothing")) } else { Ok(()) }
    }

    /// Whether it has a meaning for a run.
    pub fn is_of(&self, spec: &RunSpec) -> bool {
        match self.owner {
            Owner::All | Owner::Place => true,
            Owner::Games => !spec.is_on_rows(),
            Owner::Choices => spec.task() == Task::Choices,
            Owner::Objectives(objectives) => objectives.contains(&spec.settings.objective),
            Owner::Rows => spec.is_on_rows(),
        }
    }

    /// The error of an option that has no meaning for a run.
    fn has_no_meaning(&self, spec: &RunSpec, found: impl Display) -> Error {
        let expected = match (self.owner, spec.task()) {
            (Owner::Games | Owner::Choices, Task::Rows(_)) => {
                return self.without("with rows of another program, which has searched already", found);
            }
            (Owner::Rows, _) => return self.without("without a file or a command that gives choices", found),
            (Owner::Objectives(owners), _) => owners,
            _ => &[Force, Softmax, Pairs],
        };
        let owners = expected.iter().map(<&str>::from).collect::<Vec<_>>().join(", ");
        let why = format!("with objective {}, because it belongs to {owners}", spec.settings.objective);
        self.without(&why, found).of_kind(ErrorKind::OtherObjective)
    }

    fn without(&self, why: &str, found: impl Display) -> Error {
        option_error(self.name, Error::expected(format!("none {why}"), found))
    }
}

/// The options that determine the result of a run, and stand in its `.stat`. The games have a line of their
/// own there.
fn recorded() -> impl Iterator<Item = &'static RunOption> {
    OPTIONS.iter().filter(|option| option.owner != Owner::Place && option.name != "games")
}

/// An error in the value of an option.
pub fn option_error(name: &str, error: impl Display) -> Error {
    Error::new(format!("option {name}: {error}"))
}

impl Setup {
    /// The same with another value of one option, given as text.
    pub fn with(&self, name: &str, text: &str) -> Result<Setup> {
        let mut changed = self.clone();
        RunOption::find(name)?.set(&mut changed, text.as_ref())?;
        changed.spec.validate()?;
        Ok(changed)
    }
}

impl RunSpec {
    fn setup(&self) -> Setup {
        Setup { spec: self.clone(), place: RunPlace::default() }
    }

    /// The options that determine the result, but the games, in the order of the `.stat`, and the text of
    /// those that are given. Options that have no meaning for this run are among them. The strength is given
    /// in full also where it is the default.
    pub fn entries(&self) -> Vec<(&'static str, Option<String>)> {
        let setup = self.setup();
        recorded().map(|option| (option.name, option.text(&setup))).collect()
    }

    /// The options that are given, as a `.stat` lists them; the games have a line of their own there.
    pub fn options(&self) -> Vec<(String, String)> {
        let setup = self.setup();
        let of_run = recorded().filter(|option| option.is_of(self));
        of_run.filter_map(|option| Some((option.name.to_string(), option.text(&setup)?))).collect()
    }

    /// Reads the options in the data of a run, written by [`RunSpec::options`]. One that is missing has its
    /// default. A strength that is the default of its force counts as not chosen.
    pub fn from_options(games: &[String], options: &[(String, String)]) -> Result<RunSpec> {
        let mut setup = Setup::default();
        setup.spec.games = game_files_from_texts(games);
        for (at, (name, text)) in options.iter().enumerate() {
            let option = RunOption::find(name)?;
            if option.owner == Owner::Place {
                return Err(Error::expected("an option that determines the result", format!("{name:?}")));
            }
            if name == "games" || options[..at].iter().any(|(other, _)| other == name) {
                return Err(option_error(name, Error::expected("one value", "two")));
            }
            option.set(&mut setup, text.as_ref())?;
        }
        let mut spec = setup.spec;
        let fit = &mut spec.settings;
        fit.strength = fit.strength.filter(|&strength| strength != fit.forces.force.default_strength());
        spec.validate()?;
        Ok(spec)
    }

    /// [`Setup::with`] for an option that determines the result.
    pub fn with(&self, name: &str, text: &str) -> Result<RunSpec> {
        Ok(self.setup().with(name, text)?.spec)
    }

    /// Checks that the options with these names, which were given, have a meaning for this run.
    pub fn check_given(&self, names: &[&str]) -> Result<()> {
        let mut given = OPTIONS.iter().filter(|option| names.contains(&option.name));
        let wrong = given.find(|option| !option.is_of(self));
        wrong.map_or(Ok(()), |option| Err(option.has_no_meaning(self, "one that was given")))
    }

    /// Checks that every option has a value that it can have, which is the default where it has no meaning.
    pub(super) fn check_values(&self) -> Result<()> {
        let (mut setup, default) = (self.setup(), Setup::default());
        for option in recorded() {
            let text = option.text(&setup);
            if let Some(text) = &text {
                option.set(&mut setup, text.as_ref())?;
            }
            if !option.is_of(self) && text != option.text(&default) {
                return Err(option.has_no_meaning(self, text.as_deref().unwrap_or(NONE)));
            }
        }
        Ok(())
    }
}
