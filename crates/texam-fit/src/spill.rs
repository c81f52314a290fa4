//! The choices of a pass, kept for a second look: standard errors need the rows once more after the solution.
//!
//! Choices are packed into some hundred bytes each, in memory up to a limit and beyond that in a temporary file
//! without a name, which is gone when the process ends, however it ends. Neither the number of choices nor
//! their order matters to what is computed from them.

use std::{
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    sync::{Mutex, PoisonError},
};

use rayon::prelude::*;
use tempfile::SpooledTempFile;

use crate::{
    choice::Choice,
    error::{Error, Result},
};

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 48 << 20;

/// Blocks that are read before they are worked on.
const BLOCKS: usize = 64;

/// Choices on the side.
pub(crate) struct Spill {
    file: Mutex<SpooledTempFile>,
}

impl Spill {
    pub fn new() -> Spill {
        Spill { file: Mutex::new(SpooledTempFile::new(IN_MEMORY)) }
    }

    /// Keeps the choices of whole clusters.
    pub fn keep(&self, choices: &[Choice]) -> Result<()> {
        let mut block = Vec::new();
        choices.iter().for_each(|choice| pack(choice, &mut block));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&(block.len() as u64).to_le_bytes())
            .and_then(|()| file.write_all(&block))
            .map_err(error)
    }

    /// Works on all choices, block by block, on all threads, and merges what comes of them. The work must not
    /// depend on the order of the blocks. It may change the choices; the next fold has them as they were.
    pub fn fold<T: Send>(
        &self,
        zero: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut [Choice]) -> Result<()> + Sync,
        merge: impl Fn(T, T) -> T + Sync,
    ) -> Result<T> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(0)).map_err(error)?;
        let mut file = BufReader::with_capacity(1 << 16, &mut *file);
        let mut total = zero();
        loop {
            let mut blocks = Vec::new();
            while blocks.len() < BLOCKS
                && let Some(block) = next_block(&mut file).map_err(error)?
            {
                blocks.push(block);
            }
            if blocks.is_empty() {
                return Ok(total);
            }
            let part = blocks
                .par_iter()
                .try_fold(
                    || (zero(), Vec::new()),
                    |(mut part, mut choices), block| {
                        let count = unpack_all(block, &mut choices)?;
                        work(&mut part, &mut choices[..count]).map(|()| (part, choices))
                    },
                )
                .map(|part| part.map(|(part, _)| part))
                .try_reduce_with(|a, b| Ok(merge(a, b)));
            if let Some(part) = part {
                total = merge(total, part?);
            }
        }
    }
}

fn error(source: io::Error) -> Error {
    Error::Spill { folder: std::env::temp_dir().display().to_string(), source }
}

fn next_block(file: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    if file.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    file.read_exact(&mut length[1..])?;
    let mut block = vec![0; u64::from_le_bytes(length) as usize];
    file.read_exact(&mut block)?;
    Ok(Some(block))
}

/// Unpacks a block into buffers that are used again; says how many choices there are.
fn unpack_all(block: &[u8], choices: &mut Vec<Choice>) -> Result<usize> {
    let (mut reader, mut count) = (Reader { bytes: block }, 0);
    while !reader.bytes.is_empty() {
        if choices.len() == count {
            choices.push(Choice::default());
        }
        unpack(&mut reader, &mut choices[count])?;
        count += 1;
    }
    Ok(count)
}

fn pack(choice: &Choice, to: &mut Vec<u8>) {
    put(to, choice.cluster());
    put(to, choice.rank().into());
    put(to, choice.label() as u64);
    put(to, choice.len() as u64);
    for row in choice.rows() {
        put_signed(to, row.value);
        put(to, row.columns.len() as u64);
        let mut next = 0;
        for (&column, &entry) in row.columns.iter().zip(row.entries) {
            put(to, (column - next).into());
            put_signed(to, entry.into());
            next = column + 1;
        }
    }
}

fn unpack(from: &mut Reader, choice: &mut Choice) -> Result<()> {
    let cluster = from.take()?;
    let rank = from.take()? as u32;
    choice.begin_again(cluster, rank, from.take()? as i64);
    for _ in 0..from.take()? {
        let (value, entries) = (from.take_signed()?, from.take()?);
        let mut next = 0;
        let entries: Result<Vec<(u32, i64)>> = (0..entries)
            .map(|_| {
                let column = next + from.take()? as u32;
                next = column + 1;
                Ok((column, from.take_signed()?))
            })
            .collect();
        choice.push(value, entries?)?;
    }
    Ok(())
}

/// Seven bits a byte, the lowest first; the high bit says that more follow.
fn put(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// The sign goes to the lowest bit, so that small numbers stay short.
fn put_signed(to: &mut Vec<u8>, number: i64) {
    put(to, ((number << 1) ^ (number >> 63)) as u64);
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take(&mut self) -> Result<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let Some((&byte, rest)) = self.bytes.split_first().filter(|_| shift < 64) else {
                return Err(error(io::Error::new(io::ErrorKind::InvalidData, "it was changed meanwhile")));
            };
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Ok(number);
            }
        }
    }

    fn take_signed(&mut self) -> Result<i64> {
        let number = self.take()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::synthetic::{self, Kind};

    #[test]
    fn every_choice_comes_back_as_it_was() {
        let model = synthetic::random_model(1, 30);
        let all = synthetic::choices(1, &Kind { choices: 300, ..Kind::default() }, &model);
        let spill = Spill::new();
        all.chunks(3).for_each(|choices| spill.keep(choices).unwrap());
        let append = |a: Vec<Choice>, b: Vec<Choice>| [a, b].concat();
        let keep = |to: &mut Vec<Choice>, choices: &mut [Choice]| {
            to.extend_from_slice(choices);
            Ok(())
        };
        let mut found = spill.fold(Vec::new, keep, append).unwrap();
        let key = |choice: &Choice| format!("{choice:?}");
        let mut all = all;
        all.sort_by_key(key);
        found.sort_by_key(key);
        assert_eq!(found, all);
    }

    proptest! {
        #[test]
        fn numbers_of_any_size_come_back(plain in any::<u64>(), signed in any::<i64>()) {
            let mut bytes = Vec::new();
            put(&mut bytes, plain);
            put_signed(&mut bytes, signed);
            let mut reader = Reader { bytes: &bytes };
            prop_assert_eq!((reader.take().unwrap(), reader.take_signed().unwrap()), (plain, signed));
            prop_assert!(reader.take().is_err());
        }
    }
}
