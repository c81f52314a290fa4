//! The choices of a pass, kept for a second look: standard errors need the rows once more after the solution.
//!
//! Choices are packed. The first blocks of them stay in memory, and those beyond a limit are in a temporary
//! file without a name, which is gone when the process ends, however it ends. Neither the number of choices
//! nor their order matters to what is computed from them.

use std::{
    fs::File,
    io::{self, BufReader, Seek, SeekFrom},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

use crate::{
    blocks::{BlockPlace, BlockReader, BlockWriter, Format},
    choice::Choice,
    error::{Error, Result},
    merge::Merge,
    pool::Pool,
};

/// Bytes of blocks that are kept in memory.
const IN_MEMORY: usize = 48 << 20;

/// Bytes of a block, unless one cluster takes more.
const BLOCK: usize = 1 << 16;

/// Blocks that are read from the file before they are worked on.
const BLOCKS: usize = 64;

/// The blocks of choices, for messages and limits.
const FORMAT: Format = Format { letters: *b"CH", version: 1, name: "the choices", longest: u32::MAX };

/// Choices on the side.
pub(crate) struct Spill(Mutex<Store>);

#[derive(Default)]
struct Store {
    blocks: Vec<Box<[u8]>>,
    /// Bytes that may be added to the blocks in memory.
    room: usize,
    /// The blocks after those in memory, if there are any.
    file: Option<File>,
    /// Where the next block in the file will begin.
    end: BlockPlace,
    /// The block that is being filled.
    open: Vec<u8>,
}

impl Spill {
    pub fn new() -> Spill {
        Spill::with_room(IN_MEMORY)
    }

    fn with_room(room: usize) -> Spill {
        Spill(Mutex::new(Store { room, ..Store::default() }))
    }

    /// Keeps the choices of whole clusters.
    pub fn keep(&self, choices: &[Choice]) -> Result<()> {
        let mut packed = Vec::with_capacity(BLOCK);
        choices.iter().for_each(|choice| choice.pack(&mut packed));
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
        store.close_block().map_err(spill_error)?;
        let (pool, begin) = (Pool::default(), || (zero(), Vec::new()));
        let work = |block: &[u8]| {
            pool.with(begin, |(part, choices)| {
                let count = unpack_all(block, choices, with_entries).map_err(spill_error)?;
                work(part, &mut choices[..count])
            })
        };
        store.blocks.par_iter().try_for_each(|block| work(block))?;
        let end = store.end;
        if let Some(mut blocks) = store.file_blocks().map_err(spill_error)? {
            while blocks.place() != end {
                let mut group = Vec::new();
                while group.len() < BLOCKS && blocks.place() != end {
                    group.push(blocks.read().map_err(|error| spill_error(error.into()))?.to_vec());
                }
                group.par_iter().try_for_each(|block| work(block))?;
            }
        }
        let mut sums = zero();
        for (part, _) in pool.into_values() {
            sums.merge(part)?;
        }
        Ok(sums)
    }
}

impl Store {
    /// Adds the block that is being filled to those in memory, or beyond the limit to the file.
    fn close_block(&mut self) -> io::Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        if self.file.is_none() && self.open.len() <= self.room {
            self.room -= self.open.len();
            self.blocks.push(self.open[..].into());
        } else {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(tempfile::tempfile()?),
            };
            file.seek(SeekFrom::Start(self.end.byte))?;
            let mut blocks = BlockWriter::resume(file, self.end);
            blocks.write(&self.open)?;
            self.end = blocks.place();
        }
        self.open.clear();
        Ok(())
    }

    /// The blocks of the file, if there is one.
    fn file_blocks(&mut self) -> io::Result<Option<BlockReader<BufReader<&mut File>>>> {
        let Some(file) = &mut self.file else { return Ok(None) };
        file.rewind()?;
        let file = BufReader::with_capacity(BLOCK, file);
        Ok(Some(BlockReader::resume(file, BlockPlace::default(), &FORMAT)))
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

/// Unpacks a block into buffers that are used again; says how many choices there are.
fn unpack_all(mut block: &[u8], choices: &mut Vec<Choice>, with_entries: bool) -> io::Result<usize> {
    let mut count = 0;
    while !block.is_empty() {
        if choices.len() == count {
            choices.push(Choice::default());
        }
        choices[count].unpack(&mut block, with_entries).ok_or_else(changed)?;
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;
    use crate::synthetic::{self, Kind};

    impl Merge for Vec<Choice> {
        fn merge(&mut self, other: Vec<Choice>) -> Result<()> {
            self.extend(other);
            Ok(())
        }
    }

    /// Keeps all choices that `fold` brings.
    fn collect(to: &mut Vec<Choice>, choices: &mut [Choice]) -> Result<()> {
        to.extend_from_slice(choices);
        Ok(())
    }

    #[test]
    fn every_choice_comes_back_as_it_was_also_those_kept_after_a_first_look() {
        let model = synthetic::random_model(1, 30);
        let all = synthetic::choices(1, &Kind { choices: 4000, ..Kind::default() }, &model);
        let key = |choice: &Choice| format!("{choice:?}");
        let (first, later) = all.split_at(3000);
        let mut sorted = all.clone();
        sorted.sort_by_key(key);
        let values = |choices: &[Choice]| {
            let mut values: Vec<Vec<i64>> = choices.iter().map(|choice| choice.values().to_vec()).collect();
            values.sort();
            values
        };
        for room in [0, 3 * BLOCK, IN_MEMORY] {
            let spill = Spill::with_room(room);
            first.chunks(3).for_each(|choices| spill.keep(choices).unwrap());
            assert_eq!(spill.fold(true, Vec::new, collect).unwrap().len(), first.len());
            later.chunks(3).for_each(|choices| spill.keep(choices).unwrap());
            assert_eq!(values(&spill.fold(false, Vec::new, collect).unwrap()), values(&all));
            let mut found = spill.fold(true, Vec::new, collect).unwrap();
            found.sort_by_key(key);
            assert_eq!(found, sorted);
            let store = lock(&spill.0);
            assert_eq!((store.blocks.is_empty(), store.file.is_some()), (room == 0, room < IN_MEMORY));
        }
    }

    #[test]
    fn a_damaged_byte_of_the_file_is_an_error() {
        let model = synthetic::random_model(1, 30);
        let spill = Spill::with_room(0);
        spill.keep(&synthetic::choices(1, &Kind { choices: 3, ..Kind::default() }, &model)).unwrap();
        assert_eq!(spill.fold(true, Vec::new, collect).unwrap().len(), 3);
        let mut store = lock(&spill.0);
        for place in 0..store.end.byte {
            store.change(place);
            drop(store);
            assert!(matches!(spill.fold(true, Vec::new, collect), Err(Error::Spill { .. })), "byte {place}");
            store = lock(&spill.0);
            store.change(place);
        }
    }

    impl Store {
        /// Changes a byte of the file, or changes it back.
        fn change(&mut self, place: u64) {
            let file = self.file.as_mut().unwrap();
            let mut byte = [0];
            file.seek(SeekFrom::Start(place)).unwrap();
            file.read_exact(&mut byte).unwrap();
            file.seek(SeekFrom::Start(place)).unwrap();
            file.write_all(&[byte[0] ^ 0x55]).unwrap();
        }
    }
}
