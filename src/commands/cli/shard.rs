//! The arguments of a run in shards: those of `texam fit --shard`, and of `texam merge`.

use std::path::PathBuf;

use clap::Args;

use super::FitArgs;
use crate::game::Shard;

/// `texam fit`: a run, or a shard of one of its passes.
#[derive(Debug, Clone, Args)]
pub struct FitCommandArgs {
    /// The run.
    #[command(flatten)]
    pub fit: FitArgs,
    /// The shard.
    #[command(flatten)]
    pub shard: ShardArgs,
}

/// Options for a shard of a pass.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "One pass in shards")]
pub struct ShardArgs {
    /// Search only games I, I+N, I+2N, .. of one pass and write their sums to a file, for texam merge
    #[arg(long, value_name = "I/N", requires = "output", conflicts_with_all = ["resume", "name", "out", "json"])]
    pub shard: Option<Shard>,
    /// Weights of the pass, from texam merge [default: the start weights]
    #[arg(long, value_name = "FILE.par", requires = "shard")]
    pub pass: Option<PathBuf>,
    /// The file of sums to write; --overwrite replaces one that is there
    #[arg(short, long, value_name = "SUMS", requires = "shard")]
    pub output: Option<PathBuf>,
}

/// `texam merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The sums of all shards of a pass
    #[arg(required = true, value_name = "SUMS")]
    pub sums: Vec<PathBuf>,
    /// The weights to write, DIR/NAME-NN.par: fit NN of the run NAME. After the last pass none are written
    #[arg(short, long, value_name = "FILE.par")]
    pub output: PathBuf,
    /// Replace an older file of this name; with NAME-01.par all files of an earlier run of this name
    #[arg(long)]
    pub overwrite: bool,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}
