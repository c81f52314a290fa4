//! A choice as bytes, which are smaller than the choice and are read at a few instructions an entry.
//!
//! All numbers are little-endian. A choice begins with its cluster (8 bytes), its rank, its label, what its
//! weight withholds, the number of its rows and that of its entries (4 bytes each), the widths of steps and
//! entries in bytes, and a shift (1 byte each). Arrays follow: the values of the rows (8 bytes each), for
//! each row the number of its entries and its first column (4 bytes each), all entries, and all steps. A step
//! is the number of columns between an entry and the one before it in the row. An entry is without the bits
//! that are 0 in all entries of the choice, as many as the shift. Steps and entries have the smallest width
//! that fits all of the choice; steps have none where the columns of each row are neighbours.

use super::{Choice, LARGEST_VALUE};

impl Choice {
    /// Appends the choice to `to`.
    pub(crate) fn pack(&self, to: &mut Vec<u8>) {
        let all_steps = self.rows().flat_map(|row| steps(row.columns));
        let step_width = width(all_steps.fold(0, |all, step| all | step));
        let shift = self.entries.iter().fold(1 << 31, |all, entry| all | entry).trailing_zeros();
        let sizes = self.entries.iter().fold(0, |all, &entry| all | (entry ^ (entry >> 31)) as u32);
        // One bit is the sign.
        let entry_width = width(sizes >> shift << 1).max(1);
        to.extend(self.cluster.to_le_bytes());
        let [rows, entries] = [self.values.len(), self.entries.len()].map(|length| length as u32);
        for number in [self.rank, self.label as u32, self.withheld as u32, rows, entries] {
            to.extend(number.to_le_bytes());
        }
        to.extend([step_width as u8, entry_width as u8, shift as u8]);
        put(to, self.values.iter(), |value| value.to_le_bytes());
        for row in self.rows() {
            to.extend((row.columns.len() as u32).to_le_bytes());
            to.extend(row.columns.first().map_or(0, |&first| first).to_le_bytes());
        }
        match entry_width {
            1 => put(to, self.entries.iter(), |entry| low_bytes::<1>((entry >> shift) as u32)),
            2 => put(to, self.entries.iter(), |entry| low_bytes::<2>((entry >> shift) as u32)),
            _ => put(to, self.entries.iter(), |entry| low_bytes::<4>((entry >> shift) as u32)),
        }
        match step_width {
            0 => (),
            1 => self.pack_steps::<1>(to),
            2 => self.pack_steps::<2>(to),
            _ => self.pack_steps::<4>(to),
        }
    }

    fn pack_steps<const N: usize>(&self, to: &mut Vec<u8>) {
        for row in self.rows().filter(|row| !row.columns.is_empty()) {
            to.extend([0; N]);
            put(to, steps(row.columns), low_bytes::<N>);
        }
    }

    /// Replaces the choice by the one that `from` begins with, and takes it from there. Without entries, the
    /// choice has its values only. None where the bytes are not those of a choice.
    pub(crate) fn unpack(&mut self, from: &mut &[u8], with_entries: bool) -> Option<()> {
        let cluster = u64::from_le_bytes(take(from)?);
        let mut number = || take(from).map(u32::from_le_bytes);
        self.begin(cluster, number()?);
        (self.label, self.withheld) = (number()?.into(), number()?.into());
        let [rows, entries] = [number()? as usize, number()? as usize];
        let [step_width, entry_width, shift] = take(from)?;
        let values = take_array(from, rows)?;
        self.values.extend(values.iter().map(|&value| i64::from_le_bytes(value)));
        self.values.iter().all(|value| value.unsigned_abs() <= LARGEST_VALUE as u64).then_some(())?;
        let rows = take_array(from, rows)?;
        if !with_entries {
            self.ends.resize(rows.len(), 0);
            from.split_off(..entries.checked_mul((step_width + entry_width).into())?)?;
            return Some(());
        }
        match entry_width {
            1 => self.unpack_entries::<1>(take_array(from, entries)?, shift),
            2 => self.unpack_entries::<2>(take_array(from, entries)?, shift),
            4 => self.unpack_entries::<4>(take_array(from, entries)?, shift),
            _ => None,
        }?;
        match step_width {
            0 => self.unpack_neighbours(rows, entries),
            1 => self.unpack_steps::<1>(rows, take_array(from, entries)?),
            2 => self.unpack_steps::<2>(rows, take_array(from, entries)?),
            4 => self.unpack_steps::<4>(rows, take_array(from, entries)?),
            _ => None,
        }
    }

    fn unpack_neighbours(&mut self, rows: &[[u8; 8]], entries: usize) -> Option<()> {
        for (count, first) in rows.iter().map(row_start) {
            if count > entries - self.columns.len() {
                return None;
            }
            self.columns.extend(first..first.checked_add(count as u32)?);
            self.ends.push(self.columns.len());
        }
        (self.columns.len() == entries).then_some(())
    }

    fn unpack_steps<const N: usize>(&mut self, rows: &[[u8; 8]], mut steps: &[[u8; N]]) -> Option<()> {
        for (count, first) in rows.iter().map(row_start) {
            let mut next = u64::from(first);
            self.columns.extend(steps.split_off(..count)?.iter().map(|&step| {
                let column = next + u64::from(high_bytes(step) >> (32 - 8 * N));
                next = column + 1;
                column as u32
            }));
            if next > u64::from(u32::MAX) {
                return None;
            }
            self.ends.push(self.columns.len());
        }
        steps.is_empty().then_some(())
    }

    fn unpack_entries<const N: usize>(&mut self, entries: &[[u8; N]], shift: u8) -> Option<()> {
        let entry = |&entry| high_bytes(entry) as i32 >> (32 - 8 * N) << (shift % 32);
        self.entries.extend(entries.iter().map(entry));
        (shift < 32).then_some(())
    }
}

/// The columns between each entry of a row and the one before, from the second entry on.
fn steps(columns: &[u32]) -> impl ExactSizeIterator<Item = u32> {
    columns.array_windows().map(|[before, column]| column - before - 1)
}

/// Bytes of a number that has no bit beside these; none for 0.
fn width(bits: u32) -> usize {
    [0, 1, 2, 4, 4][4 - bits.leading_zeros() as usize / 8]
}

fn low_bytes<const N: usize>(number: u32) -> [u8; N] {
    *number.to_le_bytes().first_chunk().expect("a number has four bytes")
}

/// The number with these bytes as its highest ones.
fn high_bytes<const N: usize>(bytes: [u8; N]) -> u32 {
    let mut number = [0; 4];
    number[4 - N..].copy_from_slice(&bytes);
    u32::from_le_bytes(number)
}

/// The number of entries of a row, and its first column.
fn row_start(row: &[u8; 8]) -> (usize, u32) {
    let both = u64::from_le_bytes(*row);
    (both as u32 as usize, (both >> 32) as u32)
}

fn put<T, const N: usize>(
    to: &mut Vec<u8>,
    from: impl ExactSizeIterator<Item = T>,
    bytes: impl Fn(T) -> [u8; N],
) {
    let start = to.len();
    to.resize(start + N * from.len(), 0);
    for (to, from) in to[start..].as_chunks_mut().0.iter_mut().zip(from) {
        *to = bytes(from);
    }
}

fn take<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
    from.split_off(..N)?.try_into().ok()
}

fn take_array<'a, const N: usize>(from: &mut &'a [u8], count: usize) -> Option<&'a [[u8; N]]> {
    Some(from.split_off(..count.checked_mul(N)?)?.as_chunks().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Choices with steps and entries of each width, with and without rows and entries.
    fn choices() -> Vec<Choice> {
        let rows: [&[&[(u32, i64)]]; 8] = [
            &[],
            &[&[], &[]],
            &[&[(3, 256), (4, -512)], &[(0, 1 << 15)]],
            &[&[(u32::MAX - 2, -1), (u32::MAX - 1, i64::from(i32::MIN))], &[]],
            &[&[(7, 127), (9, -128)], &[], &[(5, 3)]],
            &[&[(7, 128), (263, -129)]],
            &[&[(0, 32_767), (400, -32_768)], &[(1, 5), (65_537, 1)]],
            &[&[(0, i64::from(i32::MAX)), (70_000, 1)]],
        ];
        let choice = |(number, rows): (u64, &&[&[(u32, i64)]])| {
            let mut choice = Choice::default();
            choice.begin_labelled(u64::MAX - number, 1.0 / (number + 1) as f64).unwrap();
            choice.rank = number as u32;
            choice.set_weight(0.75).unwrap();
            for (value, row) in [LARGEST_VALUE, -LARGEST_VALUE, 5].into_iter().zip(*rows) {
                choice.push(value, row.iter().copied()).unwrap();
            }
            choice
        };
        (0..).zip(&rows).map(choice).collect()
    }

    #[test]
    fn a_choice_of_any_width_comes_back_and_only_its_bytes_are_taken() {
        let mut found = Choice::default();
        for choice in choices() {
            let mut packed = Vec::new();
            choice.pack(&mut packed);
            packed.push(7);
            let mut rest = &packed[..];
            found.unpack(&mut rest, true).unwrap();
            assert_eq!((&found, rest), (&choice, &[7][..]));
            rest = &packed;
            found.unpack(&mut rest, false).unwrap();
            assert_eq!((found.values(), rest), (choice.values(), &[7][..]));
            assert_eq!(found.rows().map(|row| row.columns.len()).sum::<usize>(), 0);
        }
    }

    #[test]
    fn rows_of_neighbours_in_multiples_of_a_count_take_a_byte_an_entry() {
        let mut choice = Choice::default();
        choice.begin(0, 0);
        choice.push(0, (0..100).map(|column| (column, 256))).unwrap();
        let mut packed = Vec::new();
        choice.pack(&mut packed);
        assert_eq!(packed.len(), 31 + 16 + 100);
    }

    #[test]
    fn damage_gives_no_choice_or_one_with_columns_in_order() {
        let mut found = Choice::default();
        for choice in choices() {
            let mut packed = Vec::new();
            choice.pack(&mut packed);
            (0..packed.len()).for_each(|end| assert_eq!(found.unpack(&mut &packed[..end], true), None));
            for (place, bit) in (0..packed.len()).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
                packed[place] ^= 1 << bit;
                if found.unpack(&mut &packed[..], true).is_some() {
                    assert!(found.rows().all(|row| row.columns.is_sorted_by(|a, b| a < b)));
                    assert!(found.columns.iter().all(|&column| column < u32::MAX));
                    assert_eq!(found.columns.len(), found.entries.len());
                }
                packed[place] ^= 1 << bit;
            }
        }
    }
}
