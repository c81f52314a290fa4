//! The arguments of `texam fit`, which the screen takes as well.

use std::path::PathBuf;

use clap::Args;
use texam_fit::{Balance, Force};

use super::{BoundArgs, GamesArgs, SearchOptions, SolveArgs, Switch, WeightsArgs};
use crate::error::Error;

/// `texam fit`.
#[derive(Debug, Clone, Args)]
pub struct FitArgs {
    #[command(flatten)]
    pub games: GamesArgs,
    #[command(flatten)]
    pub weights: WeightsArgs,
    #[command(flatten)]
    pub search: SearchOptions,
    #[command(flatten)]
    pub bound: BoundArgs,
    #[command(flatten)]
    pub force: ForceArgs,
    #[command(flatten)]
    pub solve: SolveArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Names of the arguments that stand on the command line, as against defaults.
    #[arg(skip)]
    pub given: Vec<String>,
}

/// How the weights are pushed.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Force")]
pub struct ForceArgs {
    /// none, constant, linear, quadratic, sqrt, log, reciprocal or rank
    #[arg(long, value_name = "NAME", default_value_t)]
    pub force: Force,
    /// Strength of the force in 1/128 pawn [default: by measurement, for each force]
    #[arg(long, value_name = "F")]
    pub strength: Option<f64>,
    /// Miss at which the forces are equal, in 1/128 pawn
    #[arg(long, value_name = "S", default_value_t = 32.0)]
    pub scale: f64,
    /// Which alternatives pay for the force: all, ahead or none
    #[arg(long, value_name = "WHO", default_value_t)]
    pub balance: Balance,
    /// Keep the spread of the values: on or off
    #[arg(long, value_name = "SWITCH", default_value = "on", hide_possible_values = true)]
    pub variance: Switch,
}

/// How long to go on, and where to write.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Run")]
pub struct RunArgs {
    /// Fits to make [default: 15]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
    /// Stop when agreement has not risen for so many fits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: Option<u32>,
    /// Games to measure and never fit: a file, 1/K for every Kth game, or none
    #[arg(long, value_name = "FILE|1/K", default_value = "1/10")]
    pub holdout: Holdout,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value = "stats")]
    pub out: PathBuf,
    /// Name of the run [default: the first free run-NNN]
    #[arg(long)]
    pub name: Option<String>,
    /// Replace the files of an earlier run of this name
    #[arg(long)]
    pub overwrite: bool,
    /// Go on with an interrupted run; its options are those it was begun with
    #[arg(long, value_name = "NAME", conflicts_with_all = ["name", "overwrite"])]
    pub resume: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Games that are measured and never fitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holdout {
    /// None.
    None,
    /// Every Kth decisive game.
    EveryGame(u32),
    /// Those of another file.
    File(PathBuf),
}

impl std::str::FromStr for Holdout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Holdout, Error> {
        if text == "none" {
            return Ok(Holdout::None);
        }
        match text.strip_prefix("1/").map(str::parse) {
            None => Ok(Holdout::File(PathBuf::from(text))),
            Some(Ok(k)) if k >= 2 => Ok(Holdout::EveryGame(k)),
            Some(_) => Err(Error::expected("a file, none, or 1/K with K of 2 or more", format!("{text:?}"))),
        }
    }
}

impl std::fmt::Display for Holdout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Holdout::None => f.write_str("none"),
            Holdout::EveryGame(k) => write!(f, "1/{k}"),
            Holdout::File(path) => write!(f, "{}", path.display()),
        }
    }
}
