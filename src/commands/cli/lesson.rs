//! Arguments of `texam lesson`.

use clap::{ArgGroup, Args};

/// `texam lesson`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("experiment").args(["run", "quick"]).multiple(true))]
pub struct LessonArgs {
    /// Number of the lesson; without it the lessons are listed
    pub number: Option<u32>,
    /// Run the commands of the experiment, and print what they print and the stored result
    #[arg(long, requires = "number")]
    pub run: bool,
    /// As --run, with a twentieth of the positions and games: quick, and not certain enough for a verdict
    #[arg(long, requires = "number")]
    pub quick: bool,
    /// With --run or --quick, print what the commands print as one JSON object
    #[arg(long, requires = "experiment")]
    pub json: bool,
}
