//! The choices of a pass, kept for a second look: standard errors need the rows once more after the solution.
//!
//! Choices are packed into some hundred bytes each, in memory up to a limit and beyond that in a temporary file
//! without a name, which is gone when the process ends, however it ends. Neither the number of choices nor
//! their order matters to what is computed from them.

use std::{
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;
use tempfile::SpooledTempFile;

use crate::{
    choice::Choice,
    error::{Error, Result},
};

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 48 << 20;

/// Bytes of a block, unless one cluster takes more.
const BLOCK: usize = 1 << 16;

/// Blocks that are read before they are worked on.
const BLOCKS: usize = 64;

/// Choices on the side.
pub(crate) struct Spill {
    store: Mutex<Store>,
}

struct Store {
    file: SpooledTempFile,
    /// The block that is being filled.
    open: Vec<u8>,
}

impl Spill {
    pub fn new() -> Spill {
        Spill { store: Mutex::new(Store { file: SpooledTempFile::new(IN_MEMORY), open: Vec::new() }) }
    }

    /// Keeps the choices of whole clusters.
    pub fn keep(&self, choices: &[Choice]) -> Result<()> {
        let mut packed = Vec::new();
        choices.iter().for_each(|choice| pack(choice, &mut packed));
        let mut store = self.store();
        store.open.extend_from_slice(&packed);
        if store.open.len() < BLOCK { Ok(()) } else { store.close_block().map_err(error) }
    }

    /// Works on all choices, block by block, on all threads, and gives the results of the threads, of which there is at
    /// least one. The work must not depend on the order of the blocks. It may change the choices; the next fold has
    /// them as they were.
    pub fn fold<T: Send>(
        &self,
        zero: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut [Choice]) -> Result<()> + Sync,
    ) -> Result<Vec<T>> {
        self.fold_parts(true, zero, work)
    }

    /// As [`fold`](Spill::fold), with choices that have their values and no entries: these take most of the time.
    pub fn fold_values<T: Send>(
        &self,
        zero: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut [Choice]) -> Result<()> + Sync,
    ) -> Result<Vec<T>> {
        self.fold_parts(false, zero, work)
    }

    fn fold_parts<T: Send>(
        &self,
        with_entries: bool,
        zero: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut [Choice]) -> Result<()> + Sync,
    ) -> Result<Vec<T>> {
        let mut store = self.store();
        store.close_block().and_then(|()| store.file.seek(SeekFrom::Start(0))).map_err(error)?;
        let mut file = BufReader::with_capacity(BLOCK, &mut store.file);
        let idle = Mutex::new(vec![(zero(), Vec::new())]);
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut blocks = Vec::new();
            while blocks.len() < BLOCKS
                && let Some(block) = next_block(&mut file).map_err(error)?
            {
                blocks.push(block);
            }
            if blocks.is_empty() {
                break;
            }
            blocks.par_iter().try_for_each(|block| {
                let taken = lock().pop();
                let (mut part, mut choices) = taken.unwrap_or_else(|| (zero(), Vec::new()));
                let count = unpack_all(block, &mut choices, with_entries)?;
                work(&mut part, &mut choices[..count])?;
                lock().push((part, choices));
                Ok(())
            })?;
        }
        let parts = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(parts.into_iter().map(|(part, _)| part).collect())
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Writes the block that is being filled at the end of the file.
    fn close_block(&mut self) -> io::Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(&(self.open.len() as u64).to_le_bytes())?;
        self.file.write_all(&self.open)?;
        self.open.clear();
        Ok(())
    }
}

fn error(source: io::Error) -> Error {
    Error::Spill { folder: std::env::temp_dir().display().to_string(), source }
}

fn changed() -> Error {
    error(io::Error::new(io::ErrorKind::InvalidData, "it was changed meanwhile"))
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
fn unpack_all(block: &[u8], choices: &mut Vec<Choice>, with_entries: bool) -> Result<usize> {
    let (mut reader, mut count) = (Reader { bytes: block }, 0);
    while !reader.bytes.is_empty() {
        if choices.len() == count {
            choices.push(Choice::default());
        }
        unpack(&mut reader, &mut choices[count], with_entries)?;
        count += 1;
    }
    Ok(count)
}

/// A choice is its values, and then the number of bytes that its entries take, so that they can be skipped, and these.
fn pack(choice: &Choice, to: &mut Vec<u8>) {
    put(to, choice.cluster());
    put(to, choice.rank().into());
    put(to, choice.label() as u64);
    put(to, choice.len() as u64);
    choice.values().iter().for_each(|&value| put_signed(to, value));
    let mut entries = Vec::new();
    for row in choice.rows() {
        put(&mut entries, row.columns.len() as u64);
        let mut next = 0;
        for (&column, &entry) in row.columns.iter().zip(row.entries) {
            put(&mut entries, (column - next).into());
            put_signed(&mut entries, entry.into());
            next = column + 1;
        }
    }
    put(to, entries.len() as u64);
    to.extend_from_slice(&entries);
}

fn unpack(from: &mut Reader, choice: &mut Choice, with_entries: bool) -> Result<()> {
    let cluster = from.take()?;
    let rank = from.take()? as u32;
    choice.begin_again(cluster, rank, from.take()? as i64);
    let rows = from.take()?;
    for _ in 0..rows {
        choice.push_value(from.take_signed()?);
    }
    let mut entries = from.part()?;
    for _ in 0..rows {
        let mut next = 0;
        let count = if with_entries { entries.take()? } else { 0 };
        for _ in 0..count {
            let column = next + entries.take()? as u32;
            choice.push_entry(column, entries.take_signed()? as i32);
            next = column + 1;
        }
        choice.end_row();
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
    #[inline]
    fn take(&mut self) -> Result<u64> {
        if let Some((&byte, rest)) = self.bytes.split_first()
            && byte < 0x80
        {
            self.bytes = rest;
            return Ok(byte.into());
        }
        self.take_long()
    }

    fn take_long(&mut self) -> Result<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let Some((&byte, rest)) = self.bytes.split_first().filter(|_| shift < 64) else {
                return Err(changed());
            };
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Ok(number);
            }
        }
    }

    /// The next bytes, as many as their length before them says.
    fn part(&mut self) -> Result<Reader<'_>> {
        let length = self.take()? as usize;
        let (part, rest) = self.bytes.split_at_checked(length).ok_or_else(changed)?;
        self.bytes = rest;
        Ok(Reader { bytes: part })
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
    fn every_choice_comes_back_as_it_was_also_those_kept_after_a_first_look() {
        let model = synthetic::random_model(1, 30);
        let mut all = synthetic::choices(1, &Kind { choices: 4000, ..Kind::default() }, &model);
        let spill = Spill::new();
        let keep = |to: &mut Vec<Choice>, choices: &mut [Choice]| {
            to.extend_from_slice(choices);
            Ok(())
        };
        let (first, later) = all.split_at(3000);
        first.chunks(3).for_each(|choices| spill.keep(choices).unwrap());
        assert_eq!(spill.fold(Vec::new, keep).unwrap().concat().len(), first.len());
        later.chunks(3).for_each(|choices| spill.keep(choices).unwrap());
        let mut found = spill.fold(Vec::new, keep).unwrap().concat();
        assert!(spill.store().file.stream_position().unwrap() > 2 * BLOCK as u64, "several blocks");
        let values = |choices: &[Choice]| {
            let mut values: Vec<Vec<i64>> = choices.iter().map(|choice| choice.values().to_vec()).collect();
            values.sort();
            values
        };
        assert_eq!(values(&spill.fold_values(Vec::new, keep).unwrap().concat()), values(&all));
        let key = |choice: &Choice| format!("{choice:?}");
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
