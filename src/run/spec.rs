//! What a run is, and where it runs.
//!
//! A [`RunSpec`] holds all that determines the result of a run. The command line makes one, the screen edits
//! one, a `.stat` stores one, and `--resume` reads it back, each option by its line in [`OPTIONS`](super::OPTIONS).

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use strum::{Display, EnumString, VariantNames};
use texam_fit::{
    FitOptions, Forces, Logistic, Loss, Method, ObjectiveName, Pairs, Plan, Ridge, RidgeScale, Softmax,
};

use super::{
    DEFAULT_GAMES, NONE, START_PAR,
    options::{Preset, option_error},
    path_text::{path_from_text, path_to_text},
};
use crate::{
    error::{Error, Result},
    game,
    sample::Sampling,
    search::{RootKind, Settings, Threshold},
    value::UNIT,
};

/// Everything that determines the result of a run. Options that have no meaning for its [`Task`] keep their defaults, so that
/// the screen can change from one to another.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSpec {
    /// What gave options other defaults.
    pub preset: Option<Preset>,
    /// The file of games; `-` is standard input.
    pub games: PathBuf,
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
    /// What is fitted: the loss of a choice.
    pub objective: ObjectiveName,
    /// The force; its strength is that of [`RunSpec::strength()`].
    pub forces: Forces,
    /// Strength of the force in units; none is the default of the force.
    pub strength: Option<f64>,
    /// Whether the spread of the values is kept.
    pub variance: bool,
    /// Loss of a labelled position.
    pub loss: Loss,
    /// How the equations are solved; the scale of the ridge is that of [`RunSpec::ridge_scale()`].
    pub solving: FitOptions,
    /// In which unit the ridge measures changes; none is the default of the task.
    pub ridge_scale: Option<RidgeScale>,
    /// Games that are measured and never fitted.
    pub holdout: Holdout,
    /// Fits to make.
    pub iterations: u32,
    /// Fits without a better agreement after which the run stops, at least 1; none goes on to the last.
    pub patience: Option<u32>,
    /// Groups of games without each of which the run is made again, for its standard errors; 0, or 2 and more.
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
            games: DEFAULT_GAMES.into(),
            player: None,
            skip_moves: 8,
            every: 1,
            search: Settings::default(),
            root: RootKind::default(),
            threshold: Bound(Some(64.0)),
            objective: ObjectiveName::default(),
            forces: Forces::default(),
            strength: None,
            variance: true,
            loss: Loss::default(),
            solving: FitOptions::default(),
            ridge_scale: None,
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
        let holdout = match &self.holdout {
            Holdout::File(path) => Some(path),
            Holdout::None | Holdout::EveryGame(_) => None,
        };
        let of_rows = [&self.rows.choices, &self.rows.weights].map(Option::as_ref);
        let paths = of_rows.into_iter().flatten().chain(holdout).map(|path| &**path);
        let own: &[&Path] = match self.task() {
            Task::Rows(_) => &[],
            Task::Choices | Task::Labels => {
                &[&self.games, self.par.as_deref().unwrap_or(Path::new(START_PAR))]
            }
        };
        paths.chain(own.iter().copied()).flat_map(game::files_of).collect()
    }

    /// What is fitted to what.
    pub fn task(&self) -> Task<'_> {
        match (&self.rows.choices, &self.rows.choices_from) {
            (Some(path), _) => Task::Rows(RowsFrom::File(path)),
            (None, Some(command)) => Task::Rows(RowsFrom::Command(command)),
            (None, None) if self.objective == ObjectiveName::Logistic => Task::Labels,
            (None, None) => Task::Choices,
        }
    }

    /// Whether the rows of another program are fitted.
    pub fn is_on_rows(&self) -> bool {
        matches!(self.task(), Task::Rows(_))
    }

    /// What is counted in a pass over so many positions: twice as many where their trees are grown anew first.
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
            return Err(option_error(
                "regrow",
                Error::expected(
                    "0 without trees",
                    format!("{}; use the trees of a database, or leave it out", self.regrow),
                ),
            ));
        }
        if self.solving.ridge == Ridge::Auto {
            let expected = match (self.objective, &self.holdout) {
                (ObjectiveName::Force, _) => "a number, since objective force has no loss to choose it by",
                (_, Holdout::None) => "a number, since no games are held out to choose it by",
                _ => "",
            };
            if !expected.is_empty() {
                return Err(option_error("ridge", Error::expected(expected, self.solving.ridge)));
            }
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
        if matches!(self.holdout, Holdout::File(_)) {
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

    /// Strength of the force in units.
    pub fn strength(&self) -> f64 {
        self.strength.unwrap_or(self.forces.force.default_strength())
    }

    /// In which unit the ridge measures changes. The counts of another program have units of their own.
    pub fn ridge_scale(&self) -> RidgeScale {
        self.ridge_scale.unwrap_or(self.default_ridge_scale())
    }

    /// That where none is chosen.
    pub(super) fn default_ridge_scale(&self) -> RidgeScale {
        match self.task() {
            Task::Rows(_) => RidgeScale::Column,
            Task::Choices | Task::Labels => RidgeScale::Unit,
        }
    }

    /// How positions are searched and kept.
    pub fn sampling(&self) -> Sampling {
        Sampling { search: self.search, root: self.root, threshold: self.threshold.threshold() }
    }

    /// What pulls the moves of a choice.
    pub fn method(&self) -> Method {
        match self.objective {
            ObjectiveName::Force => Method::Force(Forces { strength: self.strength(), ..self.forces }),
            ObjectiveName::Softmax => Method::Softmax(Softmax),
            ObjectiveName::Pairs => Method::Pairs(Pairs),
            ObjectiveName::Logistic => Method::Logistic(Logistic { loss: self.loss }),
        }
    }

    /// How the equations are solved.
    pub fn fit_options(&self) -> FitOptions {
        let mut options = self.solving;
        options.ridge_scale = self.ridge_scale();
        options
    }

    /// What the fit is to do.
    pub fn plan(&self) -> Result<Plan> {
        self.validate()?;
        self.method().validate()?;
        let mut plan = Plan::default();
        plan.options = self.fit_options();
        plan.keep_spread = self.variance && self.objective == ObjectiveName::Force;
        plan.iterations = self.iterations;
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
    const EXPECTED: &str = "none, or units of 1/128 pawn from 0 to 20000";

    fn is_valid(&self) -> bool {
        self.0.is_none_or(|units| (0.0..=20_000.0).contains(&units))
    }

    /// The same for the search.
    pub fn threshold(self) -> Threshold {
        self.0.map(|units| (units * UNIT as f64).round() as i64)
    }
}

impl FromStr for Bound {
    type Err = Error;

    fn from_str(text: &str) -> Result<Bound> {
        let bound = if text == NONE { Ok(Bound(None)) } else { text.parse().map(|units| Bound(Some(units))) };
        match bound {
            Ok(bound) if bound.is_valid() => Ok(bound),
            _ => Err(Error::expected(Bound::EXPECTED, format!("{text:?}"))),
        }
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
    const EXPECTED: &str = "a file, none, or 1/K with K of 2 or more";
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
            Some(_) => Err(Error::expected(Holdout::EXPECTED, format!("{text:?}"))),
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
    use proptest::{option, prelude::*, sample::select};
    use strum::VariantArray;

    use super::*;
    use texam_fit::{Balance, Force, RidgeTo};

    use crate::run::{RunOption, Setup};

    use crate::{
        phase::{PhaseAt, PhaseScheme},
        search::CHECKS,
    };

    fn spec() -> impl Strategy<Value = RunSpec> {
        // No default strength has a fraction: that would be read as one that was not chosen.
        let size = || (0..100_000_u32).prop_map(|n| f64::from(n) + 0.1 + f64::EPSILON);
        let patterns = || proptest::collection::vec("(table:)?[a-z_*]{1,8}(\\[[a-z]{2},r[1-8]\\])?", 0..4);
        let threshold = option::of(0.0..=20_000.0).prop_map(Bound);
        let holdout = prop_oneof![
            Just(Holdout::None),
            (2..100_u32).prop_map(Holdout::EveryGame),
            "[a-z]{1,8}[.]pgn".prop_map(|path| Holdout::File(path.into())),
        ];
        let search = (
            "[a-z /]{1,20}",
            0..50_u32,
            1..100_u32,
            (1..=5_u32, prop_oneof![CHECKS.prop_map(|checks| (true, checks)), Just((false, 0))]),
            select(&PhaseScheme::ALL[..]),
            select(PhaseAt::VARIANTS),
            select(RootKind::VARIANTS),
            threshold,
        );
        let objective = select(ObjectiveName::VARIANTS);
        let loss = (select(Loss::VARIANTS), option::of(0.01..=1e6), 1..20_u32);
        let force =
            (select(Force::VARIANTS), option::of(size()), size(), select(Balance::VARIANTS), any::<bool>());
        // The default is read as one that was not chosen.
        let scale = select(vec![None, Some(RidgeScale::Column)]);
        let solve = (
            0..50_u32,
            size().prop_map(Ridge::Fixed),
            select(RidgeTo::VARIANTS),
            scale,
            size(),
            any::<bool>(),
        );
        let groups = prop_oneof![Just(0), 2..1000_u32];
        let run = (holdout, 0..50_u32, option::of(1..9_u32), groups, option::of("[a-z]{1,9}[.]par"));
        let start = (patterns(), patterns());
        let parts = (search, (objective, loss), force, solve, run, start);
        parts.prop_map(|(search, (objective, loss), force, solve, run, (tune, freeze))| {
            let (loss, temperature, inner) = loss;
            let (games, skip_moves, every, (depth, (quiescence, checks)), phase, phase_at, root, threshold) =
                search;
            let (force, strength, scale, balance, variance) = force;
            let (min_support, ridge, ridge_to, ridge_scale, smooth, errors) = solve;
            let (holdout, iterations, patience, groups, par) = run;
            let mut solving = FitOptions::default();
            (solving.min_support, solving.ridge, solving.ridge_to) = (min_support, ridge, ridge_to);
            (solving.smooth, solving.errors) = (smooth, errors);
            (solving.inner, solving.temperature) = (inner, temperature);
            let spec = RunSpec {
                games: games.into(),
                skip_moves,
                every,
                search: Settings { depth, quiescence, checks, phase, phase_at },
                root,
                threshold,
                objective,
                forces: Forces { force, scale, balance, ..Forces::default() },
                strength,
                variance,
                loss,
                solving,
                ridge_scale,
                holdout,
                iterations,
                patience,
                groups,
                par: par.map(PathBuf::from),
                tune,
                freeze,
                ..RunSpec::default()
            };
            without_foreign(spec)
        })
    }

    #[test]
    fn options_of_objectives_have_the_defaults_and_the_owners_that_texam_fit_gives_them() {
        let default = texam_fit::Settings::default();
        for (name, owners) in texam_fit::Settings::OPTIONS {
            let option = RunOption::find(name).unwrap();
            for &objective in ObjectiveName::VARIANTS {
                let spec = RunSpec { objective, ..RunSpec::default() };
                assert_eq!(option.is_of(&spec), owners.contains(&objective), "{name} {objective}");
            }
            let text = option.text(&Setup::default());
            let mut settings = texam_fit::Settings { objective: owners[0], ..default };
            let is_default = text.is_none_or(|text| {
                settings.set(name, &text).unwrap();
                settings.method() == texam_fit::Settings { objective: settings.objective, ..default }.method()
                    && (settings.variance, settings.solving) == (default.variance, default.solving)
            });
            assert!(is_default, "{name}");
        }
    }

    /// The spec with the defaults of all options that belong to other objectives.
    fn without_foreign(mut spec: RunSpec) -> RunSpec {
        let default = RunSpec::default();
        if spec.objective != ObjectiveName::Force {
            let RunSpec { forces, strength, variance, .. } = default;
            spec = RunSpec { forces, strength, variance, ..spec };
        } else {
            (spec.solving.temperature, spec.solving.inner) = (None, default.solving.inner);
        }
        if spec.objective == ObjectiveName::Logistic {
            let Settings { phase, phase_at, .. } = spec.search;
            let search = Settings { phase, phase_at, ..default.search };
            spec = RunSpec { search, root: default.root, threshold: default.threshold, ..spec };
        } else {
            spec.loss = Loss::default();
        }
        spec
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_run_is_read_back_from_its_options(spec in spec()) {
            let games = spec.games.display().to_string();
            prop_assert_eq!(&RunSpec::from_options(&games, &spec.options()).unwrap(), &spec);
        }

        #[test]
        fn an_option_set_to_the_text_that_it_has_changes_nothing(spec in spec()) {
            for (name, text) in spec.entries() {
                if !["strength", "ridge-scale"].contains(&name) {
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
        min-support 20\nridge 100\nridge-to current\nridge-scale unit\nsmooth 0\nerrors on\nholdout 1/10\n\
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
            ("trees off", "trees auto"),
        ];
        let of_preset =
            of_preset.iter().fold(format!("{DEFAULT}{LAST}"), |text, (old, new)| text.replace(old, new));
        assert_eq!(listed(&preset), format!("preset 1988\n{of_preset}tune *\n"));
        let beside = preset.with("trees", "off").unwrap();
        assert_eq!(RunSpec::from_options("a.pgn", &beside.options()).unwrap().trees, TreeUse::Off);
    }

    #[test]
    fn an_option_that_an_older_version_did_not_know_has_its_default() {
        let whole = RunSpec::default().options();
        for missing in &whole {
            let options: Vec<_> = whole.iter().filter(|option| *option != missing).cloned().collect();
            let games = RunSpec::default().games.display().to_string();
            assert_eq!(RunSpec::from_options(&games, &options).unwrap(), RunSpec::default(), "{missing:?}");
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
        assert_eq!(RunSpec::from_options("games/gm1988.pgn", &softmax.options()).unwrap(), softmax);
        let logistic = RunSpec::default().with("objective", "logistic").unwrap();
        assert!(!names(&logistic).contains(&"depth".to_string()));
        assert_eq!(RunSpec::from_options("games/gm1988.pgn", &logistic.options()).unwrap(), logistic);
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
            RunSpec::from_options("a.pgn", &options).unwrap_err().to_string()
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
        assert_eq!((rank.strength, rank.strength()), (None, Force::Rank.default_strength()));
        let read = RunSpec::from_options("a.pgn", &rank.options()).unwrap();
        assert_eq!(read.strength, None);
        let chosen = rank.with("strength", "33").unwrap().with("force", "linear").unwrap();
        assert_eq!(chosen.strength(), 33.0);
        assert_eq!(chosen.with("strength", "none").unwrap().strength(), Force::Linear.default_strength());
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
            changed("strength", |spec| spec.strength = Some(f64::INFINITY)),
            changed("scale", |spec| spec.forces.scale = 0.0),
            changed("ridge", |spec| spec.solving.ridge = Ridge::Fixed(-1.0)),
            changed("ridge", |spec| spec.solving.ridge = Ridge::Auto),
            changed("smooth", |spec| spec.solving.smooth = f64::NAN),
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
