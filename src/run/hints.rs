//! Files of hints: the best moves that a pass over a shard hands to the next one, which another process makes. They
//! change no result, so a file that is missing or cannot be used is no error of the pass.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use texam_fit::blocks::{BlockReader, BlockWriter, Format};

use crate::{
    error::{Error, Result},
    file::{self, Unfilled},
    game::Shard,
    run::stat::Header,
    search::MoveHints,
};

const FORMAT: Format = Format { letters: *b"HI", version: 1, name: "a file of hints", longest: 16 << 20 };

/// Positions whose hints stand in one block.
const POSITIONS_IN_BLOCK: usize = 64;

/// The hints of the positions of a shard, those to fit first, with what they belong to.
#[derive(Debug, Clone, PartialEq)]
pub struct ShardHints {
    pub head: HintsHead,
    pub hints: Vec<MoveHints>,
}

/// The run and the shard that hints belong to. All passes of the run have the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HintsHead {
    header: Header,
    shard: Shard,
}

impl HintsHead {
    /// That of a shard whose header counts its positions.
    pub fn new(header: &Header, shard: Shard) -> HintsHead {
        HintsHead { header: header.clone(), shard }
    }

    /// The file of the hints, beside the sums of any pass. None where the sums go into a pipe or a device.
    pub fn path_beside(&self, sums: &Path) -> Option<PathBuf> {
        let text = serde_json::to_vec(self).expect("text is valid JSON");
        let digest = Sha256::digest(text);
        let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let (number, count) = (self.shard.number(), self.shard.count());
        let name = format!("shard-{number}-of-{count}-{digest}.hints");
        (!file::is_stream(sums)).then(|| sums.with_file_name(name))
    }

    /// The positions of the shard.
    fn positions(&self) -> u64 {
        self.header.positions.iter().fold(0, |sum, &positions| sum.saturating_add(positions))
    }

    /// Reads the hints of a file; none if it is missing.
    ///
    /// # Errors
    ///
    /// The file is damaged, or has the hints of another run or shard.
    pub fn read(&self, path: &Path) -> Result<Option<Vec<MoveHints>>> {
        let input = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| Error::io("cannot read the file", error).in_file(path))?,
        };
        let ShardHints { head, hints } =
            ShardHints::read(BufReader::new(input)).map_err(|error| error.in_file(path))?;
        if head == *self {
            return Ok(Some(hints));
        }
        let expected = format!("hints of shard {} of this run", self.shard);
        Err(Error::expected(expected, "those of another run or shard").in_file(path))
    }

    /// Writes the hints of a pass.
    pub fn write<'a>(
        &self,
        to: &mut dyn Write,
        hints: impl IntoIterator<Item = &'a MoveHints>,
    ) -> Result<(), Unfilled> {
        let mut blocks = BlockWriter::new(to, &FORMAT)?;
        blocks.write_value(self)?;
        let mut hints = hints.into_iter().map(MoveHints::to_stored);
        loop {
            let some: Vec<Vec<u8>> = hints.by_ref().take(POSITIONS_IN_BLOCK).collect();
            if some.is_empty() {
                return Ok(());
            }
            blocks.write_value(&some)?;
        }
    }
}

impl ShardHints {
    /// Reads hints, those of as many positions as their head says.
    ///
    /// # Errors
    ///
    /// Those of reading, or bytes that are no such file.
    pub fn read(input: impl Read) -> Result<ShardHints> {
        let mut blocks = BlockReader::new(input, &FORMAT)?;
        let head: HintsHead = blocks.read_value("the run of the hints")?;
        let mut hints = Vec::new();
        while (hints.len() as u64) < head.positions() {
            let some: Vec<&[u8]> = blocks.read_value("hints of positions")?;
            let is_full = some.len() == POSITIONS_IN_BLOCK;
            hints.extend(some.into_iter().map(MoveHints::from_stored));
            if !is_full {
                break;
            }
        }
        blocks.end()?;
        if hints.len() as u64 == head.positions() {
            return Ok(ShardHints { head, hints });
        }
        Err(Error::expected(format!("hints of {} positions", head.positions()), hints.len()))
    }
}

/// Whether a file of hints may be written under a name: there is none, or one of its kind, of any content.
pub fn may_be_hints(path: &Path) -> bool {
    let mut first = Vec::new();
    match File::open(path).and_then(|file| file.take(8).read_to_end(&mut first)) {
        Ok(_) => first == FORMAT.signature(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Hints of 150 positions, of some of which there are none.
    fn some() -> (HintsHead, Vec<MoveHints>) {
        let header = Header { digest: "abc".to_string(), positions: [100, 50], ..Header::default() };
        let stored = |number: u8| [number, 3, 2, number, 5, number, 7, 1, 9];
        let hints = (0..150).map(|number: u8| match number % 3 {
            0 => MoveHints::default(),
            _ => MoveHints::from_stored(&stored(number / 2)),
        });
        (HintsHead::new(&header, Shard::new(3, 16).unwrap()), hints.collect())
    }

    fn written(head: &HintsHead, hints: &[MoveHints]) -> Vec<u8> {
        let mut bytes = Vec::new();
        head.write(&mut bytes, hints).unwrap();
        bytes
    }

    #[test]
    fn hints_come_back_and_every_cut_and_every_changed_byte_is_an_error() {
        let (head, hints) = some();
        let bytes = written(&head, &hints);
        assert_eq!(ShardHints::read(&bytes[..]).unwrap(), ShardHints { head, hints });
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert!(ShardHints::read(&changed[..]).is_err(), "changed at {at}");
            assert!(ShardHints::read(&bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(ShardHints::read(&[&bytes[..], b"x"].concat()[..]).is_err());
    }

    #[test]
    fn hints_of_more_or_fewer_positions_are_an_error() {
        let (head, hints) = some();
        for length in [0, 63, 64, 149, 151, 192] {
            let other: Vec<MoveHints> = hints.iter().cycle().take(length).cloned().collect();
            assert!(ShardHints::read(&written(&head, &other)[..]).is_err(), "{length}");
        }
    }

    #[test]
    fn a_file_of_another_run_or_shard_is_refused_and_a_missing_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let sums = folder.path().join("sums.bin");
        let (head, hints) = some();
        let path = head.path_beside(&sums).unwrap();
        assert_eq!(head.read(&path).unwrap(), None);
        fs::write(&path, written(&head, &hints)).unwrap();
        assert_eq!(head.read(&path).unwrap(), Some(hints));
        let other_run = Header { digest: "abd".to_string(), ..head.header.clone() };
        let others = [
            HintsHead::new(&other_run, head.shard),
            HintsHead::new(&head.header, Shard::new(4, 16).unwrap()),
        ];
        for other in others {
            assert_ne!(other.path_beside(&sums).unwrap(), path);
            let error = other.read(&path).unwrap_err().to_string();
            assert!(
                error.contains(".hints: expected hints of shard ") && error.contains("another"),
                "{error}"
            );
        }
        assert!(head.path_beside(Path::new("/dev/null")).is_none());
    }

    #[test]
    fn only_a_file_of_hints_may_be_replaced_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hints");
        assert!(may_be_hints(&path) && !may_be_hints(folder.path()));
        let (head, hints) = some();
        let bytes = written(&head, &hints);
        for (content, may) in
            [(&bytes[..], true), (&bytes[..20], true), (&bytes[..7], false), (b"mine", false)]
        {
            fs::write(&path, content).unwrap();
            assert_eq!(may_be_hints(&path), may, "{} bytes", content.len());
        }
    }
}
