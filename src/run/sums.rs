//! Files of sums: what one process has searched of a pass, for a run in shards. Which files belong together, and what is
//! missing among them.
//!
//! A file begins with two lines of text, a name with its version and a JSON object that says of which run, pass and
//! shard the sums are. The sums follow as `texam_fit` writes them, and the CRC-32 of all that, the lowest byte first.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Read, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use texam_fit::ShardSums;

use super::RunWeights;
use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    file::{self, LONGEST_TEXT, Unfilled},
    game::Shard,
    par,
    stat::Header,
};

/// The first line of a file.
const FIRST_LINE: &str = "texam-sums 1\n";

/// Bytes of the check at the end.
const CHECK: u64 = 4;

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
    let mut out = Checked { inner: to, check: crc32fast::Hasher::new() };
    let head = serde_json::to_string(head).map_err(io::Error::other)?;
    writeln!(out, "{FIRST_LINE}{head}")?;
    sums.write(&mut out)?;
    let Checked { inner, check } = out;
    Ok(inner.write_all(&check.finalize().to_le_bytes())?)
}

/// Passes bytes on, and computes their CRC-32.
struct Checked<'a> {
    inner: &'a mut dyn Write,
    check: crc32fast::Hasher,
}

impl Write for Checked<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.check.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A file of sums that is whole.
pub struct SumsFile {
    pub path: PathBuf,
    /// What it says of itself.
    pub head: SumsHead,
    /// Where the sums begin, and where they must end.
    range: Range<u64>,
}

impl SumsFile {
    /// Reads the head of a file, and checks the rest.
    pub fn open(path: &Path) -> Result<SumsFile> {
        let (head, range) = read_head(path).map_err(|error| error.in_file(path))?;
        Ok(SumsFile { path: path.to_path_buf(), head, range })
    }

    /// Reads the sums. The choices stay in the file.
    pub fn sums(&self) -> Result<ShardSums> {
        let (sums, end) = ShardSums::open(&self.path, self.range.start).map_err(Error::from)?;
        if end == self.range.end { Ok(sums) } else { Err(damaged().in_file(&self.path)) }
    }
}

/// The head of a file, and where its sums are. The whole file is read for its check.
fn read_head(path: &Path) -> Result<(SumsHead, Range<u64>)> {
    let cannot_read = |error| Error::io("cannot read the file", error);
    let file = file::open(path)?;
    let found = file.metadata().map_err(cannot_read)?;
    let mut first = Vec::new();
    let mut reader = BufReader::new(file);
    reader.by_ref().take(FIRST_LINE.len() as u64).read_to_end(&mut first).map_err(cannot_read)?;
    if first != FIRST_LINE.as_bytes() {
        let found = "another file, or one of another version";
        return Err(Error::expected("a file of sums of a shard", found).of_kind(ErrorKind::Sums));
    }
    let mut line = Vec::new();
    reader.by_ref().take(LONGEST_TEXT).read_until(b'\n', &mut line).map_err(cannot_read)?;
    let mut check = crc32fast::Hasher::new();
    check.update(&first);
    check.update(&line);
    let start = (first.len() + line.len()) as u64;
    let end = found.len().checked_sub(CHECK).filter(|&end| end >= start).ok_or_else(damaged)?;
    let mut rest = reader.by_ref().take(end - start);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match rest.read(&mut buffer).map_err(cannot_read)? {
            0 => break,
            count => check.update(&buffer[..count]),
        }
    }
    let mut stored = [0; CHECK as usize];
    reader.read_exact(&mut stored).map_err(cannot_read)?;
    if u32::from_le_bytes(stored) != check.finalize() {
        return Err(damaged());
    }
    let head: SumsHead = serde_json::from_slice(&line).map_err(|_| damaged())?;
    let own = env!("CARGO_PKG_VERSION");
    if head.header.version != own {
        let found = format!("those of texam {}: make them again", head.header.version);
        return Err(Error::expected(format!("sums of texam {own}"), found));
    }
    Ok((head, start..end))
}

fn damaged() -> Error {
    Error::expected("whole sums", "damaged or cut ones").of_kind(ErrorKind::Sums)
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
