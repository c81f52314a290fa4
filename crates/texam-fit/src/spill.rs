//! The choices of a pass, kept for a second look: standard errors need the rows once more after the solution.
//!
//! Choices are packed into some hundred bytes each, in memory up to a limit and beyond that in a temporary
//! file without a name, which is gone when the process ends, however it ends. Neither the number of choices
//! nor their order matters to what is computed from them.

use std::{
    io::{self, BufReader, Read, Seek, SeekFrom},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use crate::{
    blocks::{BlockPlace, BlockReader, BlockWriter, Format},
    choice::{Choice, LARGEST_VALUE, is_contiguous},
    error::{Error, Result},
    merge::Merge,
    pool::Pool,
};

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 48 << 20;

/// Bytes of a block, unless one cluster takes more.
const BLOCK: usize = 1 << 16;

/// Entries of a row that is kept as an array, if its columns are neighbours.
const DENSE: usize = 4;

/// Blocks that are read before they are worked on.
const BLOCKS: usize = 64;

/// The blocks of choices, for messages and limits.
const FORMAT: Format = Format { letters: *b"CH", version: 1, name: "the choices", longest: u32::MAX };

/// Choices on the side.
pub(crate) struct Spill(Mutex<Store>);

struct Store {
    file: SpooledTempFile,
    /// Where the next block will stand.
    end: BlockPlace,
    /// The block that is being filled.
    open: Vec<u8>,
}

impl Spill {
    pub fn new() -> Spill {
        let file = SpooledTempFile::new(IN_MEMORY);
        Spill(Mutex::new(Store { file, end: BlockPlace::default(), open: Vec::new() }))
    }

    /// Keeps the choices of whole clusters.
    pub fn keep(&self, choices: &[Choice]) -> Result<()> {
        let mut packed = Vec::new();
        choices.iter().for_each(|choice| pack(choice, &mut packed));
        let mut store = lock(&self.0);
        store.open.extend_from_slice(&packed);
        if store.open.len() < BLOCK { Ok(()) } else { store.close_block().map_err(spill_error) }
    }

    /// Sums over all choices, block by block, on all threads. The sums must not depend on the order of the
    /// blocks. The work may change the choices; the next fold has them as they were. Without entries, which
    /// take most of the time, the choices have their values only.
    pub fn fold<T: Merge + Send>(
        &self,
        with_entries: bool,
        zero: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut [Choice]) -> Result<()> + Sync,
    ) -> Result<T> {
        let mut store = lock(&self.0);
        let mut blocks = store.blocks().map_err(spill_error)?;
        let pool = Pool::default();
        let mut is_ended = false;
        while !is_ended {
            let mut group = Vec::new();
            while group.len() < BLOCKS && !is_ended {
                match next_block(&mut blocks).map_err(spill_error)? {
                    Some(block) => group.push(block.to_vec()),
                    None => is_ended = true,
                }
            }
            group.par_iter().try_for_each(|block| {
                pool.with(
                    || (zero(), Vec::new()),
                    |(part, choices)| {
                        let count = unpack_all(block, choices, with_entries).map_err(spill_error)?;
                        work(part, &mut choices[..count])
                    },
                )
            })?;
        }
        let mut sums = zero();
        for (part, _) in pool.into_values() {
            sums.merge(part)?;
        }
        Ok(sums)
    }
}

impl Store {
    /// Writes the block that is being filled at the end of the file.
    fn close_block(&mut self) -> io::Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.end.byte))?;
        let mut blocks = BlockWriter::resume(&mut self.file, self.end);
        blocks.write(&self.open)?;
        self.end = blocks.place();
        self.open.clear();
        Ok(())
    }

    /// All blocks, after the last one is written, and an empty one.
    fn blocks(&mut self) -> io::Result<BlockReader<impl Read>> {
        self.close_block()?;
        BlockWriter::resume(&mut self.file, self.end).write(&[])?;
        self.file.rewind()?;
        let file = BufReader::with_capacity(BLOCK, &mut self.file);
        Ok(BlockReader::resume(file, BlockPlace::default(), &FORMAT))
    }
}

fn spill_error(source: io::Error) -> Error {
    Error::Spill { folder: std::env::temp_dir().display().to_string(), source }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn changed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it was changed meanwhile")
}

/// The next block; none at the empty one.
fn next_block<R: Read>(blocks: &mut BlockReader<R>) -> io::Result<Option<&[u8]>> {
    Ok(Some(blocks.read()?).filter(|block| !block.is_empty()))
}

/// Unpacks a block into buffers that are used again; says how many choices there are.
fn unpack_all(mut block: &[u8], choices: &mut Vec<Choice>, with_entries: bool) -> io::Result<usize> {
    let mut count = 0;
    while !block.is_empty() {
        if choices.len() == count {
            choices.push(Choice::default());
        }
        unpack(&mut block, &mut choices[count], with_entries)?;
        count += 1;
    }
    Ok(count)
}

/// A choice is its cluster, rank, label, what its weight withholds, and values, and then its entries, as
/// bytes that can be skipped: for each row twice their number, and for each of them the columns since the one
/// before and the entry. A row of many neighbouring columns, which is read faster, has one more than twice
/// the number, the first column, and four bytes for each entry.
fn pack(choice: &Choice, to: &mut Vec<u8>) {
    let mut entries = Vec::with_capacity(4 * choice.entries());
    for row in choice.rows() {
        let is_dense = row.columns.len() >= DENSE && is_contiguous(row.columns);
        put(&mut entries, &(2 * row.columns.len() + usize::from(is_dense)));
        if is_dense {
            put(&mut entries, &row.columns[0]);
            entries.extend(row.entries.iter().flat_map(|entry| entry.to_le_bytes()));
            continue;
        }
        let mut next = 0;
        for (&column, &entry) in row.columns.iter().zip(row.entries) {
            put(&mut entries, &(column - next, entry));
            next = column + 1;
        }
    }
    let label = [choice.label(), choice.withheld()];
    put(to, &(choice.cluster(), choice.rank(), label, choice.values(), &entries[..]));
}

fn unpack(from: &mut &[u8], choice: &mut Choice, with_entries: bool) -> io::Result<()> {
    let (cluster, rank, label, rows): (_, _, _, usize) = take(from)?;
    choice.begin_again(cluster, rank, label);
    for _ in 0..rows {
        let value = take(from)?;
        if !(-LARGEST_VALUE..=LARGEST_VALUE).contains(&value) {
            return Err(changed());
        }
        choice.push_value(value);
    }
    let mut entries: &[u8] = take(from)?;
    for _ in 0..rows {
        let mut next = 0_u32;
        let count: usize = if with_entries { take(&mut entries)? } else { 0 };
        let (count, is_dense) = (count / 2, count % 2 == 1);
        if is_dense {
            let first: u32 = take(&mut entries)?;
            let (row, rest) = entries.split_at_checked(4 * count).ok_or_else(changed)?;
            if count as u64 + u64::from(first) > u64::from(u32::MAX) {
                return Err(changed());
            }
            for (column, entry) in (first..).zip(row.as_chunks().0) {
                choice.push_entry(column, i32::from_le_bytes(*entry));
            }
            entries = rest;
        }
        for _ in 0..if is_dense { 0 } else { count } {
            let (step, entry) = take(&mut entries)?;
            let column = next.checked_add(step).filter(|&column| column < u32::MAX).ok_or_else(changed)?;
            choice.push_entry(column, entry);
            next = column + 1;
        }
        choice.end_row();
    }
    Ok(())
}

fn put(to: &mut Vec<u8>, value: &impl Serialize) {
    *to = postcard::to_extend(value, std::mem::take(to)).expect("memory takes all bytes");
}

#[inline]
fn take<'a, T: Deserialize<'a>>(bytes: &mut &'a [u8]) -> io::Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|_| changed())?;
    *bytes = rest;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{self, Kind};

    impl Merge for Vec<Choice> {
        fn merge(&mut self, other: Vec<Choice>) -> Result<()> {
            self.extend(other);
            Ok(())
        }
    }

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
        assert_eq!(spill.fold(true, Vec::new, keep).unwrap().len(), first.len());
        later.chunks(3).for_each(|choices| spill.keep(choices).unwrap());
        let mut found = spill.fold(true, Vec::new, keep).unwrap();
        assert!(lock(&spill.0).file.stream_position().unwrap() > 2 * BLOCK as u64, "several blocks");
        let values = |choices: &[Choice]| {
            let mut values: Vec<Vec<i64>> = choices.iter().map(|choice| choice.values().to_vec()).collect();
            values.sort();
            values
        };
        assert_eq!(values(&spill.fold(false, Vec::new, keep).unwrap()), values(&all));
        let key = |choice: &Choice| format!("{choice:?}");
        all.sort_by_key(key);
        found.sort_by_key(key);
        assert_eq!(found, all);
    }
}
