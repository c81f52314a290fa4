//! The choices of a pass, kept for a second look: standard errors need the rows once more after the solution.
//!
//! Choices are packed into some hundred bytes each, in memory up to a limit and beyond that in a temporary file
//! without a name, which is gone when the process ends, however it ends. Those of another process are read from the
//! file that it has written. Neither the number of choices nor their order matters to what is computed from them.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;
use tempfile::SpooledTempFile;

use crate::{
    choice::{Choice, LARGEST_VALUE},
    error::{Error, Result},
};

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 48 << 20;

/// Bytes of a block, unless one cluster takes more.
const BLOCK: usize = 1 << 16;

/// Blocks that are read before they are worked on.
const BLOCKS: usize = 64;

/// Choices on the side.
pub(crate) enum Spill {
    /// Those of this process, in a temporary file that grows.
    Own(Mutex<Store>),
    /// Those of another process, in a file from `start` on. It is opened for each use, since there may be many.
    Written { path: PathBuf, start: u64 },
}

pub(crate) struct Store {
    file: SpooledTempFile,
    /// The block that is being filled.
    open: Vec<u8>,
}

impl Spill {
    pub fn new() -> Spill {
        Spill::Own(Mutex::new(Store { file: SpooledTempFile::new(IN_MEMORY), open: Vec::new() }))
    }

    /// The choices that [`write`](Spill::write) has put into a file at `start`, and where they end.
    pub fn open(path: &Path, start: u64) -> Result<(Spill, u64)> {
        let end = || -> io::Result<u64> {
            let mut file = File::open(path)?;
            let length = file.metadata()?.len();
            let mut at = start;
            loop {
                file.seek(SeekFrom::Start(at))?;
                let mut bytes = [0; 8];
                file.read_exact(&mut bytes)?;
                let block = u64::from_le_bytes(bytes);
                let next = block.checked_add(8).and_then(|bytes| at.checked_add(bytes));
                at = next.filter(|&at| at <= length).ok_or(io::ErrorKind::UnexpectedEof)?;
                if block == 0 {
                    return Ok(at);
                }
            }
        };
        let spill = Spill::Written { path: path.to_path_buf(), start };
        end().map_err(|error| spill.error(error)).map(|end| (spill, end))
    }

    /// Writes the choices of this process: blocks with their lengths in bytes, of 64 bits, the lowest byte first, and a
    /// length of 0 at the end.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let Spill::Own(store) = self else { return Err(io::ErrorKind::ReadOnlyFilesystem.into()) };
        let mut store = lock(store);
        store.rewind()?;
        io::copy(&mut store.file, to)?;
        to.write_all(&0_u64.to_le_bytes())
    }

    /// Keeps the choices of whole clusters.
    pub fn keep(&self, choices: &[Choice]) -> Result<()> {
        let Spill::Own(store) = self else {
            return Err(self.error(io::ErrorKind::ReadOnlyFilesystem.into()));
        };
        let mut packed = Vec::new();
        choices.iter().for_each(|choice| pack(choice, &mut packed));
        let mut store = lock(store);
        store.open.extend_from_slice(&packed);
        let closed = if store.open.len() < BLOCK { Ok(()) } else { store.close_block() };
        closed.map_err(|error| self.error(error))
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
        let error = |source| self.error(source);
        let (mut own, mut written);
        let file: &mut (dyn Read + Send) = match self {
            Spill::Own(store) => {
                own = lock(store);
                own.rewind().map_err(error)?;
                &mut own.file
            }
            Spill::Written { path, start } => {
                written = File::open(path).map_err(error)?;
                written.seek(SeekFrom::Start(*start)).map_err(error)?;
                &mut written
            }
        };
        let mut file = BufReader::with_capacity(BLOCK, file);
        let idle = Mutex::new(vec![(zero(), Vec::new())]);
        let mut is_ended = false;
        while !is_ended {
            let mut blocks = Vec::new();
            while blocks.len() < BLOCKS && !is_ended {
                match next_block(&mut file).map_err(error)? {
                    Some(block) => blocks.push(block),
                    None => is_ended = true,
                }
            }
            blocks.par_iter().try_for_each(|block| {
                let taken = lock(&idle).pop();
                let (mut part, mut choices) = taken.unwrap_or_else(|| (zero(), Vec::new()));
                let count = unpack_all(block, &mut choices, with_entries).map_err(error)?;
                work(&mut part, &mut choices[..count])?;
                lock(&idle).push((part, choices));
                Ok(())
            })?;
        }
        let parts = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(parts.into_iter().map(|(part, _)| part).collect())
    }

    fn error(&self, source: io::Error) -> Error {
        match self {
            Spill::Own(_) => Error::Spill { folder: std::env::temp_dir().display().to_string(), source },
            Spill::Written { path, .. } => Error::Sums { file: path.display().to_string(), source },
        }
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

    /// Goes to the first block, after the last one is written.
    fn rewind(&mut self) -> io::Result<()> {
        self.close_block()?;
        self.file.rewind()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn changed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it was changed meanwhile")
}

fn next_block(file: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    if file.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    file.read_exact(&mut length[1..])?;
    if length == [0; 8] {
        return Ok(None);
    }
    let length = u64::from_le_bytes(length);
    let mut block = Vec::new();
    file.take(length).read_to_end(&mut block)?;
    if block.len() as u64 == length { Ok(Some(block)) } else { Err(changed()) }
}

/// Unpacks a block into buffers that are used again; says how many choices there are.
fn unpack_all(block: &[u8], choices: &mut Vec<Choice>, with_entries: bool) -> io::Result<usize> {
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

fn unpack(from: &mut Reader, choice: &mut Choice, with_entries: bool) -> io::Result<()> {
    let cluster = from.take()?;
    let rank = from.take()? as u32;
    choice.begin_again(cluster, rank, from.take()? as i64);
    let rows = from.take()?;
    for _ in 0..rows {
        let value = from.take_signed()?;
        if !(-LARGEST_VALUE..=LARGEST_VALUE).contains(&value) {
            return Err(changed());
        }
        choice.push_value(value);
    }
    let mut entries = from.part()?;
    for _ in 0..rows {
        let mut next = 0;
        let count = if with_entries { entries.take()? } else { 0 };
        for _ in 0..count {
            let column = u32::try_from(entries.take()?).ok().and_then(|step| step.checked_add(next));
            let column = column.filter(|&column| column < u32::MAX).ok_or_else(changed)?;
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
    fn take(&mut self) -> io::Result<u64> {
        if let Some((&byte, rest)) = self.bytes.split_first()
            && byte < 0x80
        {
            self.bytes = rest;
            return Ok(byte.into());
        }
        self.take_long()
    }

    fn take_long(&mut self) -> io::Result<u64> {
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
    fn part(&mut self) -> io::Result<Reader<'_>> {
        let length = self.take()? as usize;
        let (part, rest) = self.bytes.split_at_checked(length).ok_or_else(changed)?;
        self.bytes = rest;
        Ok(Reader { bytes: part })
    }

    fn take_signed(&mut self) -> io::Result<i64> {
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
        assert!(
            {
                let Spill::Own(store) = &spill else { panic!() };
                lock(store).file.stream_position().unwrap()
            } > 2 * BLOCK as u64,
            "several blocks"
        );
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
