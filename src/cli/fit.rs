//! The arguments of `texam fit`, which `texam screen` also accepts.

use std::path::PathBuf;

use clap::Args;
use texam_fit::{Balance, Force, Loss, ObjectiveName};

use super::{BoundArgs, GamesArgs, SearchOptions, SolveArgs, Switch, WeightsArgs};
use crate::run::{Holdout, RunPlace, RunSpec};

/// `texam fit`.
#[derive(Debug, Clone, Args)]
pub struct FitArgs {
    /// Games and positions.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Weights, and which of them are tuned.
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Bound.
    #[command(flatten)]
    pub bound: BoundArgs,
    /// Objective.
    #[command(flatten)]
    pub objective: ObjectiveArgs,
    /// Force.
    #[command(flatten)]
    pub force: ForceArgs,
    /// Rows of another program.
    #[command(flatten)]
    pub rows: RowsOfOthersArgs,
    /// Solver.
    #[command(flatten)]
    pub solve: SolveArgs,
    /// Standard errors of the weights: on or off
    #[arg(
        long,
        value_name = "SWITCH",
        default_value = "on",
        hide_possible_values = true,
        help_heading = "Solving"
    )]
    pub errors: Switch,
    /// Length of the run, held-out games and output.
    #[command(flatten)]
    pub run: RunArgs,
    /// Names of the arguments given on the command line; all others have their default values.
    #[arg(skip)]
    pub given: Vec<String>,
}

/// Options of the objective.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Objective")]
pub struct ObjectiveArgs {
    /// What is fitted: force, softmax, pairs or logistic
    #[arg(long, value_name = "NAME", default_value_t)]
    pub objective: ObjectiveName,
    /// Temperature of softmax and pairs, scale of logistic, in 1/128 pawn [default: estimated from the start]
    #[arg(long, value_name = "T")]
    pub temperature: Option<f64>,
    /// Newton steps on the rows of a pass, for softmax, pairs and logistic
    #[arg(long, value_name = "N", default_value_t = RunSpec::default().inner, value_parser = clap::value_parser!(u32).range(1..))]
    pub inner: u32,
    /// Loss of logistic: cross-entropy or squared
    #[arg(long, value_name = "NAME", default_value_t)]
    pub loss: Loss,
}

/// Options of a run on the rows of another program.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Another program's evaluation")]
pub struct RowsOfOthersArgs {
    /// Fit once to the choices in a file, or for logistic to labelled positions; see docs/FOREIGN.md
    #[arg(long, value_name = "FILE", conflicts_with_all = ["choices_from", "games"])]
    pub choices: Option<PathBuf>,
    /// Run this command before every pass, with the path of the weights for {weights}, and fit to the choices it prints
    #[arg(long, value_name = "COMMAND", conflicts_with = "games")]
    pub choices_from: Option<String>,
    /// The weights that the choices are made of: a table with name,value,tune
    #[arg(long = "weights", value_name = "CSV", id = "weights")]
    pub table: Option<PathBuf>,
    /// Stop the command after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
}

/// Options of the force.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Force")]
pub struct ForceArgs {
    /// Kind of force: none, constant, linear, quadratic, sqrt, log, reciprocal or rank
    #[arg(long, value_name = "NAME", default_value_t)]
    pub force: Force,
    /// Strength of the force in 1/128 pawn [default: by measurement, for each force]
    #[arg(long, value_name = "F")]
    pub strength: Option<f64>,
    /// Miss at which the forces are equal, in 1/128 pawn
    #[arg(long, value_name = "S", default_value_t = RunSpec::default().scale)]
    pub scale: f64,
    /// Alternatives whose targets are lowered to balance the force: all, ahead or none
    #[arg(long, value_name = "WHO", default_value_t)]
    pub balance: Balance,
    /// Keep the spread of the values: on or off
    #[arg(long, value_name = "SWITCH", default_value = "on", hide_possible_values = true)]
    pub variance: Switch,
}

/// Options for the length of the run, held-out games and output.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Run")]
pub struct RunArgs {
    /// Number of fits
    #[arg(long, value_name = "N", default_value_t = RunSpec::default().iterations)]
    pub iterations: u32,
    /// Stop when agreement has not risen for N fits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: Option<u32>,
    /// Held-out games, measured but never fitted: a file, 1/K for every Kth game, or none
    #[arg(long, value_name = "FILE|1/K", default_value_t = RunSpec::default().holdout)]
    pub holdout: Holdout,
    /// Threads and output files.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Continue an interrupted run with the options of that run
    #[arg(long, value_name = "NAME", conflicts_with_all = ["name", "overwrite"])]
    pub resume: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Options for threads and output files of a run.
#[derive(Debug, Clone, Args)]
pub struct PlaceArgs {
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value_os_t = RunPlace::default().out)]
    pub out: PathBuf,
    /// Name of the run [default: the first free run-NNN]
    #[arg(long)]
    pub name: Option<String>,
    /// Replace the files of an earlier run of this name
    #[arg(long)]
    pub overwrite: bool,
}

impl FitArgs {
    /// The options of the run. The destructuring names every option, so none can be forgotten.
    pub fn spec(&self) -> RunSpec {
        let FitArgs { games, weights, search, bound, objective, force, rows, solve, errors, run, given } =
            self.clone();
        let [tune, freeze] = weights.patterns();
        let WeightsArgs { par, tune: _, freeze: _ } = weights;
        let GamesArgs { games, skip_moves, every } = games;
        let SearchOptions { depth, checks, phase, phase_at } = search;
        let BoundArgs { root, threshold } = bound;
        let ObjectiveArgs { objective, temperature, inner, loss } = objective;
        let ForceArgs { force, strength, scale, balance, variance } = force;
        let SolveArgs { min_support, ridge, ridge_to, smooth } = solve;
        let RowsOfOthersArgs { choices, choices_from, table, timeout } = rows;
        let RunArgs { iterations, patience, holdout, place: _, resume: _, json: _ } = run;
        // A file of choices cannot be searched anew.
        let is_once = choices.is_some() && !given.iter().any(|name| name == "iterations");
        let iterations = if is_once { 1 } else { iterations };
        RunSpec {
            games,
            skip_moves,
            every,
            depth,
            checks,
            phase,
            phase_at,
            root,
            threshold,
            objective,
            force,
            strength,
            scale,
            balance,
            variance: variance.is_on(),
            loss,
            temperature,
            inner,
            min_support,
            ridge,
            ridge_to,
            smooth,
            errors: errors.is_on(),
            holdout,
            iterations,
            patience,
            par,
            tune,
            freeze,
            choices,
            choices_from,
            weights: table,
            timeout,
        }
    }

    /// Threads and output files of the run.
    pub fn place(&self) -> RunPlace {
        let PlaceArgs { threads, out, name, overwrite } = self.run.place.clone();
        RunPlace { threads, out, name, overwrite }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cli, Command, meanings};
    use super::*;
    use crate::run::OF_ROWS;

    fn args(line: &[&str]) -> Result<FitArgs, clap::Error> {
        match Cli::read([&["texam", "fit"], line].concat())?.command {
            Command::Fit(args) => Ok(args.fit),
            other => panic!("{other:?}"),
        }
    }

    fn names() -> Vec<String> {
        RunSpec::default().entries().into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn without_options_a_run_is_the_default_one() {
        let args = args(&[]).unwrap();
        assert_eq!((args.spec(), args.place()), (RunSpec::default(), RunPlace::default()));
    }

    #[test]
    fn the_command_line_and_the_screen_make_the_same_run_of_the_same_text() {
        let options = [
            ("skip-moves", "3"),
            ("every", "20"),
            ("depth", "1"),
            ("checks", "2"),
            ("phase", "rustic"),
            ("phase-at", "root"),
            ("root", "static"),
            ("threshold", "none"),
            ("threshold", "12.5"),
            ("objective", "pairs"),
            ("temperature", "80.5"),
            ("inner", "2"),
            ("loss", "squared"),
            ("force", "rank"),
            ("strength", "1e3"),
            ("scale", "0.25"),
            ("balance", "ahead"),
            ("variance", "off"),
            ("min-support", "0"),
            ("ridge", "0"),
            ("ridge-to", "start"),
            ("smooth", "1000"),
            ("errors", "off"),
            ("holdout", "none"),
            ("holdout", "1/7"),
            ("holdout", "other.pgn"),
            ("iterations", "0"),
            ("patience", "4"),
            ("par", "params/material.par"),
            ("tune", "n_*, p_adv[de,r4],table:pass"),
            ("freeze", "tempo"),
        ];
        for (name, text) in options {
            let objective = match name {
                "temperature" | "inner" => "softmax",
                "loss" => "logistic",
                _ => "force",
            };
            let base = RunSpec::default().with("objective", objective).unwrap();
            let from_line = args(&["--objective", objective, &format!("--{name}"), text]);
            // An option may be given once only.
            let from_line = if name == "objective" { args(&["--objective", text]) } else { from_line };
            let from_line = from_line.unwrap().spec();
            assert_eq!(from_line, base.with(name, text).unwrap(), "{name} {text}");
            assert_ne!(from_line, base, "{name} {text}");
        }
        for name in names().iter().filter(|name| !OF_ROWS.contains(&&***name)) {
            assert!(options.iter().any(|(other, _)| other == name), "no text for {name} above");
        }
        let games = args(&["a.pgn"]).unwrap().spec();
        assert_eq!(games, RunSpec::default().with("games", "a.pgn").unwrap());
        for (name, text) in [("threads", "2"), ("out", "a/b"), ("name", "trial")] {
            let from_line = args(&[&format!("--{name}"), text]).unwrap().place();
            assert_eq!(from_line, RunPlace::default().with(name, text).unwrap(), "{name} {text}");
        }
    }

    #[test]
    fn a_run_on_rows_of_another_program_is_read_back_from_its_options() {
        let file =
            args(&["--choices", "a.txt", "--weights", "w.csv", "--objective", "pairs"]).unwrap().spec();
        assert_eq!((file.choices.as_deref(), file.iterations), (Some(std::path::Path::new("a.txt")), 1));
        let line = ["--choices-from", "my engine {weights}", "--weights", "w.csv", "--timeout", "2.5"];
        let command = args(&line).unwrap().spec();
        assert_eq!((command.choices_from.as_deref(), command.iterations), (Some("my engine {weights}"), 15));
        for spec in [file, command] {
            spec.validate().unwrap();
            let options = spec.options();
            assert!(options.iter().all(|(name, _)| !["depth", "every", "par", "games"].contains(&&**name)));
            assert_eq!(RunSpec::from_options("games/gm1988.pgn", &options).unwrap(), spec);
        }
        assert!(args(&["--choices", "a", "--choices-from", "b"]).is_err());
        assert!(args(&["a.pgn", "--choices", "a"]).is_err());
    }

    #[test]
    fn what_the_screen_refuses_the_command_line_refuses() {
        let wrong = [
            ("every", "0"),
            ("depth", "4"),
            ("checks", "7"),
            ("phase", "late"),
            ("threshold", "-1"),
            ("threshold", "NaN"),
            ("objective", "softmin"),
            ("temperature", "0"),
            ("inner", "0"),
            ("loss", "cross"),
            ("force", "Linear"),
            ("strength", "inf"),
            ("scale", "0"),
            ("variance", "true"),
            ("ridge", "-1"),
            ("smooth", "x"),
            ("errors", "yes"),
            ("holdout", "1/1"),
            ("iterations", "1.5"),
            ("patience", "0"),
        ];
        for (name, text) in wrong {
            let error = RunSpec::default().with(name, text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("option {name}: expected ")), "{error}");
            let line = args(&[&format!("--{name}={text}")]);
            assert!(line.is_err() || line.is_ok_and(|args| args.spec().validate().is_err()), "{name} {text}");
        }
        assert!(RunPlace::default().with("threads", "0").is_err() && args(&["--threads", "0"]).is_err());
    }

    #[test]
    fn patterns_given_in_several_places_are_one_list() {
        let spec = args(&["--tune", "n_*,b_*", "--tune", "p_adv[de,r4]"]).unwrap().spec();
        assert_eq!(spec.tune, ["n_*", "b_*", "p_adv[de,r4]"]);
    }

    #[test]
    #[cfg(unix)]
    fn paths_need_not_be_utf_8_and_stay_when_another_option_changes() {
        use std::os::unix::ffi::OsStringExt;
        let path = |name: &str| std::ffi::OsString::from_vec([b"\xff", name.as_bytes()].concat());
        let line = ["texam", "fit", "--par"].map(Into::into).into_iter();
        let line = line.chain([path("a.par"), "--out".into(), path("out"), path("a.pgn")]);
        let Ok(Command::Fit(args)) = Cli::read(line).map(|cli| cli.command) else { panic!("not a fit") };
        let args = args.fit;
        let changed = args.spec().with("every", "2").unwrap();
        assert_eq!(changed, RunSpec { every: 2, ..args.spec() });
        assert_eq!((changed.games, changed.par), (path("a.pgn").into(), Some(path("a.par").into())));
        let place = args.place().with("threads", "2").unwrap();
        assert_eq!(place.out, PathBuf::from(path("out")));
        let par = args.spec().options().into_iter().find(|(name, _)| name == "par");
        assert_eq!(par.unwrap().1, "\"\\xffa.par\"");
    }

    #[test]
    fn every_option_of_a_run_has_a_meaning() {
        let meanings = meanings();
        let places = RunPlace::default().entries().into_iter().map(|(name, _)| name);
        for name in names().into_iter().chain(places) {
            assert!(!meanings[&name].is_empty() && !meanings[&name].contains("[default"), "{name}");
        }
    }
}
