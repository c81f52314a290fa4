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
    /// As --run, with a twentieth of the positions and games: quick, and not certain enough for a verdict
    #[arg(long, requires = "number")]
    pub quick: bool,
    /// As --run, and keep its files in this new or empty folder, with the page of the lesson with its new result
    #[arg(long, value_name = "DIR", requires = "number")]
    pub out: Option<PathBuf>,
}

impl LessonArgs {
    /// Whether the experiment is run.
    pub fn is_run(&self) -> bool {
        self.run || self.quick || self.out.is_some()
    }
}
