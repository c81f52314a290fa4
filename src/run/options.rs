//! The options of a run: name, kind with its range, whom it belongs to, group and help, said once.
//!
//! The command line, the `[options]` of a `.stat`, the page of options on the screen, and the messages about wrong
//! values are all made from [`OPTIONS`]. A new option is a field of [`RunSpec`] with its default, and a line here.

/// A field of a [`Setup`].
macro_rules! field {
    ($($path:ident).+) => {
        Field { get: |setup| &setup.$($path).+, get_mut: |setup| &mut setup.$($path).+ }
    };
}

mod kind;
mod preset;

use std::{ffi::OsStr, fmt::Display, ops::RangeInclusive};

use strum::{IntoStaticStr, VariantArray};
use texam_fit::ObjectiveName::{self, Force, Logistic, Pairs, Softmax};

use self::kind::{
    AnyText, Field, FilePath, Flag, Kind, Maybe, MaybePath, OneLine, OneOf, Parsed, Patterns, Plain, Scale,
    Size, Strength, Switch,
};
pub use self::preset::Preset;
use self::preset::PresetName;
use super::{RunPlace, RunSpec, Task};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::nearest,
    game, par,
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

pub struct RunOption {
    /// Its name, without dashes.
    pub name: &'static str,
    pub group: Group,
    /// What stands for its value in the help.
    pub value_name: &'static str,
    /// What it means, and the default where that is no value.
    pub help: &'static str,
    owner: Owner,
    kind: &'static dyn Kind,
}

const FORCE: (Group, Owner) = (Group::Force, Owner::Objectives(&[Force]));
const NEWTON: (Group, Owner) = (Group::Objective, Owner::Objectives(&[Softmax, Pairs, Logistic]));
const SEARCH: (Group, Owner) = (Group::Search, Owner::Choices);
const SOLVING: (Group, Owner) = (Group::Solving, Owner::All);
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

/// Makes the table of options, each by name, group and owner, value in the help, kind, and help.
macro_rules! options {
    ($($name:literal, $place:expr, $value_name:literal, $kind:expr, $help:literal;)*) => {
        &[$(RunOption { name: $name, group: $place.0, owner: $place.1, value_name: $value_name, kind: &$kind, help: $help }),*]
    };
}

/// All options, in the order of a `.stat`.
pub static OPTIONS: &[RunOption] = options! {
    "preset", (Group::Preset, Owner::Choices), "NAME", PresetName,
        "Other defaults under one name: 1988, the configuration of the record [default: none]";
    "games", (Group::Games, Owner::Games), "GAMES", FilePath(field!(spec.games), game::path_of),
        "Games in PGN or a .dbf of `texam presearch`, plain, .gz or .zst; - is standard input. The default is built in";
    "skip-moves", (Group::Games, Owner::Games), "N", Plain(field!(spec.skip_moves), FROM_0),
        "Number of the last move that is left out of each game";
    "every", (Group::Games, Owner::Games), "N", Plain(field!(spec.every), FROM_1),
        "Use only every Nth position of the file";
    "depth", SEARCH, "PLIES", Plain(field!(spec.search.depth), 1..=5),
        "Plies of full minimax before quiescence";
    "quiescence", SEARCH, "SWITCH", Switch(field!(spec.search.quiescence)),
        "Quiescence at the horizon: on or off";
    "checks", SEARCH, "N", Plain(field!(spec.search.checks), CHECKS),
        "Plies of quiescence in which quiet moves that give check are searched too, 0 to 6";
    "phase", (Group::Search, Owner::Games), "SCHEME", Parsed(field!(spec.search.phase)),
        "Scheme of the game phase: fruit, madchess, rustic or none";
    "phase-at", (Group::Search, Owner::Games), "PLACE", OneOf(Parsed(field!(spec.search.phase_at))),
        "Where the phase is taken from: leaf or root";
    "root", (Group::Bound, Owner::Choices), "KIND", OneOf(Parsed(field!(spec.root))),
        "How the value of the position before the choice is found: quiescence, static or search";
    "threshold", (Group::Bound, Owner::Choices), "UNITS", Parsed(field!(spec.threshold)),
        "Largest distance of a move from this value for the move to be used, in 1/128 pawn, or none";
    "objective", (Group::Objective, Owner::All), "NAME", OneOf(Parsed(field!(spec.objective))),
        "What is fitted: force, softmax, pairs or logistic";
    "force", FORCE, "NAME", OneOf(Parsed(field!(spec.forces.force))),
        "Kind of force: none, constant, linear, quadratic, sqrt, log, reciprocal or rank";
    "strength", FORCE, "F", Strength,
        "Strength of the force in 1/128 pawn [default: by measurement, for each force]";
    "scale", FORCE, "S", Plain(field!(spec.forces.scale), Size::Positive),
        "Miss at which the forces are equal, in 1/128 pawn";
    "balance", FORCE, "WHO", OneOf(Parsed(field!(spec.forces.balance))),
        "Alternatives whose targets are lowered to balance the force: all, ahead or none";
    "variance", FORCE, "SWITCH", Switch(field!(spec.variance)),
        "Keep the spread of the values: on or off";
    "loss", (Group::Objective, Owner::Objectives(&[Logistic])), "NAME", OneOf(Parsed(field!(spec.loss))),
        "Loss of logistic: cross-entropy or squared";
    "temperature", NEWTON, "T", Maybe(field!(spec.solving.temperature), Size::Within(0.01, 1e6), NONE, " to estimate it"),
        "Temperature of softmax and pairs, scale of logistic, in 1/128 pawn [default: estimated from the start]";
    "inner", NEWTON, "N", Plain(field!(spec.solving.inner), FROM_1),
        "Newton steps on the rows of a pass, for softmax, pairs and logistic";
    "min-support", SOLVING, "N", Plain(field!(spec.solving.min_support), FROM_0),
        "Positions that must touch a weight for it to be fitted";
    "ridge", SOLVING, "R", Parsed(field!(spec.solving.ridge)),
        "Strength of the ridge; auto takes that with the lowest loss on the games held out";
    "ridge-to", SOLVING, "WEIGHTS", OneOf(Parsed(field!(spec.solving.ridge_to))),
        "Weights towards which the ridge pulls: current or start";
    "ridge-scale", SOLVING, "SCALE", Scale,
        "How the ridge measures a change: unit, as it is; column, times the standard deviation of the count over the rows [default: unit; column with rows of another program]";
    "smooth", (Group::Solving, Owner::Games), "L", Plain(field!(spec.solving.smooth), Size::NotNegative),
        "Strength of the smoothing between neighbouring free cells";
    "errors", (Group::Errors, Owner::All), "SWITCH", Switch(field!(spec.solving.errors)),
        "Standard errors of the weights: on or off";
    "holdout", RUN, "FILE|1/K", Parsed(field!(spec.holdout)),
        "Held-out games, measured but never fitted: a file, 1/K for every Kth game, or none";
    "iterations", RUN, "N", Plain(field!(spec.iterations), FROM_0),
        "Number of fits";
    "patience", RUN, "N", Maybe(field!(spec.patience), FROM_1, NONE, ""),
        "Stop when agreement has not become better for N fits";
    "groups", RUN, "G", Plain(field!(spec.groups), 0..=1000),
        "Make the run again without each of G groups of the fitted games, for its standard errors; 10 is usual, 0 is none";
    "trees", (Group::Run, Owner::Choices), "SWITCH", Flag(Parsed(field!(spec.trees))),
        "Walk through the stored trees of a .dbf of `texam presearch` in place of searching: on, off, or auto, where the file has some";
    "regrow", (Group::Run, Owner::Choices), "N", Plain(field!(spec.regrow), FROM_0),
        "With trees: grow them anew after every N passes, under the weights of the moment; 0 is never";
    "par", WEIGHTS, "FILE|SET", MaybePath(field!(spec.par), par::path_of),
        "Start weights [default: params/start.par, or the built-in copy of it]";
    "tune", TUNED, "PATTERN,..", Patterns(field!(spec.tune)),
        "Tune only these: keys, groups, cells, `*`; `attack` and its keys turn attack terms on, `phase` the points of the pieces in the phase, `table:KEY` frees the cells of a table, `gradient:KEY` turns it into a gradient again; with another program's weights names, also with `*`";
    "freeze", TUNED, "PATTERN,..", Patterns(field!(spec.freeze)),
        "Do not tune these";
    "choices", ROWS, "FILE", MaybePath(field!(spec.rows.choices), |path| path),
        "Fit once to the choices in a file, or for logistic to labelled positions; see docs/FOREIGN.md";
    "choices-from", ROWS, "COMMAND", Maybe(field!(spec.rows.choices_from), OneLine, NONE, ""),
        "Run this command before every pass, with the path of the weights for {weights}, and fit to the choices it prints";
    "weights", ROWS, "CSV", MaybePath(field!(spec.rows.weights), |path| path),
        "The weights that the choices are made of: a table with name,value,tune";
    "threads", PLACE, "N", Maybe(field!(place.threads), THREADS, "all", ""),
        "Threads [default: one for each core]";
    "out", PLACE, "DIR", FilePath(field!(place.out), |path| path),
        "Folder for the files";
    "name", PLACE, "NAME", Maybe(field!(place.name), AnyText, "next free", ""),
        "Name of the run [default: the first free run-NNN]";
};

impl RunOption {
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
        self.kind.text(setup)
    }

    /// What stands for its value where it is not given.
    pub fn unset(&self) -> &'static str {
        self.kind.unset()
    }

    /// The default as it is typed; none where none is given, or where the help says what it is.
    pub fn default_text(&self) -> Option<String> {
        self.text(&Setup::default()).filter(|_| !self.help.contains("[default"))
    }

    /// Whether it may be given several times, as parts of a list.
    pub fn is_list(&self) -> bool {
        self.kind.is_list()
    }

    /// Whether its name alone means `on`.
    pub fn is_flag(&self) -> bool {
        self.kind.is_flag()
    }

    /// The value after the present one, or the one before it; none where any number or text is taken.
    pub fn turned(&self, setup: &Setup, is_forward: bool) -> Option<String> {
        self.kind.turned(setup, is_forward)
    }

    /// The values that there are, if it takes no others.
    pub fn values(&self) -> &'static [&'static str] {
        self.kind.values()
    }

    /// Gives it the value of a text.
    pub fn set(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        self.check(setup, text).map_err(|error| option_error(self.name, error))
    }

    /// [`RunOption::set`] with an error that does not name the option.
    pub fn check(&self, setup: &mut Setup, text: &OsStr) -> Result<()> {
        if text.is_empty() {
            return Err(Error::expected(self.kind.expected(), "nothing"));
        }
        self.kind.set(setup, text)
    }

    /// Whether it has a meaning for a run.
    pub fn is_of(&self, spec: &RunSpec) -> bool {
        match self.owner {
            Owner::All | Owner::Place => true,
            Owner::Games => !spec.is_on_rows(),
            Owner::Choices => spec.task() == Task::Choices,
            Owner::Objectives(objectives) => objectives.contains(&spec.objective),
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
        let owners: Vec<&str> = expected.iter().map(Into::into).collect();
        let why = format!("with objective {}, because it belongs to {}", spec.objective, owners.join(", "));
        self.without(&why, found).of_kind(ErrorKind::OtherObjective)
    }

    fn without(&self, why: &str, found: impl Display) -> Error {
        option_error(self.name, Error::expected(format!("none {why}"), found))
    }
}

/// The options that determine the result of a run, and stand in its `.stat`. The games have a line of their own there.
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

    /// The options that determine the result, but the games, in the order of the `.stat`, and the text of those that are
    /// given. Options that have no meaning for this run are among them. The strength is given in full also where it is
    /// the default.
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

    /// Reads the options of a `.stat`, written by [`RunSpec::options`]. One that is missing has its default, because files of
    /// older versions lack newer options. A strength that is the default of its force counts as not chosen, and so does
    /// a scale that is that of the task.
    pub fn from_options(games: &str, options: &[(String, String)]) -> Result<RunSpec> {
        let mut setup = Setup::default();
        RunOption::find("games")?.set(&mut setup, games.as_ref())?;
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
        spec.strength = spec.strength.filter(|&strength| strength != spec.forces.force.default_strength());
        spec.ridge_scale = spec.ridge_scale.filter(|&scale| scale != spec.default_ridge_scale());
        spec.validate()?;
        Ok(spec)
    }

    /// [`Setup::with`] for an option that determines the result.
    pub fn with(&self, name: &str, text: &str) -> Result<RunSpec> {
        Ok(self.setup().with(name, text)?.spec)
    }

    /// Checks that the options with these names, which were given, have a meaning for this run.
    pub fn check_given(&self, names: &[&str]) -> Result<()> {
        let given = OPTIONS.iter().filter(|option| names.contains(&option.name));
        match given.into_iter().find(|option| !option.is_of(self)) {
            Some(option) => Err(option.has_no_meaning(self, "one that was given")),
            None => Ok(()),
        }
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
