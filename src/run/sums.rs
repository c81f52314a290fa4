//! Files of sums: what one process has searched of a pass, for a run in shards. Which files belong together, and what is
//! missing among them.
//!
//! The first block of a file says of which run, pass and shard the sums are. The sums follow as `texam_fit` writes them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use texam_fit::{
    ShardSums,
    blocks::{BlockError, BlockReader, BlockWriter, Format},
    limits::LONGEST_SUM_BLOCK,
};

use super::RunWeights;
use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    file::{self, Unfilled},
    game::Shard,
    par,
    run::stat::Header,
};

const FORMAT: Format =
    Format { letters: *b"SU", version: 1, name: "a file of sums", longest: LONGEST_SUM_BLOCK };

/// What a file of sums says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SumsHead {
    /// The run. Its numbers of positions are those of the shard.
    pub header: Header,
    shard: Shard,
    /// The start weights of the run, and those of the pass, as text.
    start: String,
    weights: String,
}

impl SumsHead {
    /// The head of the sums over a shard, searched under the weights of a pass.
    pub fn new(header: &Header, shard: Shard, start: &RunWeights, values: &[f64]) -> SumsHead {
        let text =
            |values: &[f64]| par::format(&start.weights(values).expect("shards have our weights"), &[]);
        let [start, weights] = [text(&start.model().values()), text(values)];
        SumsHead { header: header.clone(), shard, start, weights }
    }

    /// The start weights of the run.
    pub fn start(&self) -> Result<RunWeights> {
        RunWeights::own(par::parse(&self.start)?.weights)
    }

    /// The weights of the pass.
    pub fn weights(&self) -> Result<Weights> {
        Ok(par::parse(&self.weights)?.weights)
    }

    /// Where this head and another are not of one pass of one run.
    fn difference(&self, other: &SumsHead) -> Option<String> {
        let [a, b] = [&self.header, &other.header];
        let differs = [
            ("versions of texam", a.version != b.version),
            ("games", a.digest != b.digest),
            ("paths of the games", a.games != b.games),
            ("options", a.options != b.options),
            ("start weights", self.start != other.start),
            ("weights of the pass", self.weights != other.weights),
            ("numbers of shards", self.shard.count() != other.shard.count()),
            ("counts of games", Header { positions: b.positions, ..a.clone() } != *b),
        ];
        let (what, _) = differs.into_iter().find(|(_, differs)| *differs)?;
        Some(match (what, changed_option(&a.options, &b.options)) {
            ("options", Some(name)) => format!("{what} (--{name})"),
            _ => what.to_string(),
        })
    }
}

/// The first option that is not in both lists with the same value.
fn changed_option<'a>(a: &'a [(String, String)], b: &'a [(String, String)]) -> Option<&'a str> {
    let missing = |from: &'a [(String, String)], to: &[(String, String)]| {
        from.iter().find(|option| !to.contains(option)).map(|(name, _)| name.as_str())
    };
    missing(a, b).or_else(|| missing(b, a))
}

/// Writes a file of sums.
pub fn write(to: &mut dyn Write, head: &SumsHead, sums: &ShardSums) -> Result<(), Unfilled> {
    let mut blocks = BlockWriter::new(to, &FORMAT)?;
    blocks.write_value(head)?;
    Ok(sums.write(&mut blocks)?)
}

/// A file of sums that is whole.
pub struct SumsFile {
    pub path: PathBuf,
    /// What it says of itself.
    pub head: SumsHead,
}

impl SumsFile {
    /// Reads the head of a file, and checks the rest.
    pub fn open(path: &Path) -> Result<SumsFile> {
        let (head, _) = read(path)?;
        Ok(SumsFile { path: path.to_path_buf(), head })
    }

    /// Reads the sums. The choices stay in the file.
    pub fn sums(&self) -> Result<ShardSums> {
        Ok(read(&self.path)?.1)
    }
}

fn read(path: &Path) -> Result<(SumsHead, ShardSums)> {
    let (head, blocks) = read_head(path).map_err(|error| error.in_file(path))?;
    let sums = ShardSums::open(path, blocks).map_err(|error| Error::from(error).of_kind(ErrorKind::Sums))?;
    Ok((head, sums))
}

fn read_head(path: &Path) -> Result<(SumsHead, BlockReader<BufReader<File>>)> {
    let mut blocks = BlockReader::new(BufReader::new(file::open(path)?), &FORMAT).map_err(of_sums)?;
    let head: SumsHead = blocks.read_value("the options of the sums").map_err(of_sums)?;
    let own = env!("CARGO_PKG_VERSION");
    if head.header.version != own {
        let found = format!("those of texam {}: make them again", head.header.version);
        return Err(Error::expected(format!("sums of texam {own}"), found));
    }
    Ok((head, blocks))
}

fn of_sums(error: BlockError) -> Error {
    Error::from(error).of_kind(ErrorKind::Sums)
}

/// Checks that files have all shards of one pass, each once. The head of all: that of the first, with the numbers of
/// positions of all.
pub fn check_whole(files: &[SumsFile]) -> Result<SumsHead> {
    let Some(first) = files.first() else {
        return Err(Error::expected("files of sums", "none"));
    };
    let mut whole =
        SumsHead { header: Header { positions: [0; 2], ..first.head.header.clone() }, ..first.head.clone() };
    let mut of_shards: BTreeMap<u32, &Path> = BTreeMap::new();
    for SumsFile { path, head, .. } in files {
        if let Some(what) = first.head.difference(head) {
            let found = format!("other {what} than in {}", first.path.display());
            return Err(Error::expected("sums of one pass", found).in_file(path));
        }
        if let Some(other) = of_shards.insert(head.shard.number(), path) {
            let found = format!("{} also in {}", head.shard, other.display());
            return Err(Error::expected("each shard once", found).in_file(path));
        }
        for (to, from) in whole.header.positions.iter_mut().zip(head.header.positions) {
            *to = to.saturating_add(from);
        }
    }
    let count = whole.shard.count();
    let missing = count as usize - of_shards.len();
    if missing == 0 {
        return Ok(whole);
    }
    const SHOWN: usize = 8;
    let shown = (1..=count).filter(|number| !of_shards.contains_key(number)).take(SHOWN);
    let shown: Vec<String> = shown.map(|number| format!("{number}/{count}")).collect();
    let more = if missing > SHOWN { format!(" and {} more", missing - SHOWN) } else { String::new() };
    let found = format!("none of {}{more}", shown.join(", "));
    Err(Error::expected(format!("the sums of all {count} shards"), found))
}

#[cfg(test)]
mod tests;
