//! Arguments of `texam lesson`.

use std::path::PathBuf;

use clap::Args;

/// `texam lesson`.
#[derive(Debug, Args)]
pub struct LessonArgs {
    /// Number of the lesson; without it the lessons are listed
    pub number: Option<u32>,
    /// Compute the result again, and compare it with the stored one; the exit code is 1 if they differ
    #[arg(long, requires = "number")]
    pub run: bool,
    /// Use a twentieth of the positions and games: quick, and not certain enough for a verdict
    #[arg(long, requires = "run")]
    pub quick: bool,
    /// Keep the files of the run in this new or empty folder, with the page of the lesson with its new result
    #[arg(long, value_name = "DIR", requires = "run")]
    pub out: Option<PathBuf>,
}
