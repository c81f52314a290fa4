//! The grid of integers on which each column of the rows is summed.
//!
//! The rows of a search count in 1/256. Those of another program may count anything, so each of their columns
//! has a grid of its own: the coarsest that holds all its entries exactly, but none coarser than 1/256 and
//! none of more than [`BITS`] bits for the largest entry. What does not fit is rounded, by at most `2^-BITS`
//! of a power of two above the largest entry of the column.

/// Bits of the largest entry of a column, sign excluded. With them, 2^26 such entries of weight 1 can be
/// summed in 126 bits.
pub(crate) const BITS: i32 = 30;

/// Fraction bits of the entries that a search counts.
const SEARCH: i32 = 8;

/// Entries from outside are smaller.
pub(crate) const LARGEST_ENTRY: f64 = 1e30;

/// The grid of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    /// An entry of 1 is the integer `2^bits`.
    pub bits: i32,
    /// By so many bits the integers could be larger.
    pub spare: u32,
}

impl Grid {
    /// That of a search.
    pub const SEARCH: Grid = Grid { bits: SEARCH, spare: 0 };

    /// An entry of 1/256 as an integer of the grid, which is a power of 2.
    pub fn quantum(self) -> f64 {
        2_f64.powi(self.bits - SEARCH)
    }

    /// A power of 2 above all entries that the grid was found for.
    pub fn size(self) -> f64 {
        2_f64.powi(BITS - self.spare as i32 - self.bits)
    }

    /// An entry on the grid; rounded where it is not.
    pub fn integer(self, entry: f64) -> i64 {
        // The power of 2 and the rounding would be calls of `powi` and `round`.
        let scaled = entry * f64::from_bits(((self.bits + 1023) as u64) << 52);
        (scaled + 0.5_f64.next_down().copysign(scaled)) as i64
    }
}

/// Finds the grids of columns from all their entries.
#[derive(Debug, Clone, Default)]
pub(crate) struct GridFinder {
    /// For each column the largest absolute entry, and the exponent of the lowest bit that any has.
    columns: Vec<(f64, i32)>,
}

impl GridFinder {
    pub fn add(&mut self, entries: impl IntoIterator<Item = (u32, f64)>) {
        for (column, entry) in entries.into_iter().filter(|(_, entry)| *entry != 0.0) {
            let column = column as usize;
            if column >= self.columns.len() {
                self.columns.resize(column + 1, (0.0, 0));
            }
            let (largest, lowest) = &mut self.columns[column];
            *largest = largest.max(entry.abs());
            *lowest = lowest_bit(entry).min(*lowest);
        }
    }

    /// The grids of so many columns.
    pub fn finish(mut self, columns: usize) -> Vec<Grid> {
        self.columns.resize(columns, (0.0, 0));
        self.columns.into_iter().map(|(largest, lowest)| grid(largest, lowest)).collect()
    }
}

/// The grid of a column without bits below `2^lowest`.
fn grid(largest: f64, lowest: i32) -> Grid {
    if largest == 0.0 {
        return Grid::SEARCH;
    }
    let above = (exponent(largest) + 1).clamp(-100, 100);
    let bits = (-lowest).max(SEARCH).min(BITS - above);
    Grid { bits, spare: (BITS - above - bits) as u32 }
}

/// The exponent of the highest bit of a number that is not 0.
pub(crate) fn exponent(number: f64) -> i32 {
    (number.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// The exponent of the lowest bit of a number that is not 0.
fn lowest_bit(number: f64) -> i32 {
    exponent(number) - 52 + (number.to_bits() | 1 << 52).trailing_zeros() as i32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(entries: &[f64]) -> Grid {
        let mut finder = GridFinder::default();
        entries.iter().for_each(|&entry| finder.add([(1, entry)]));
        let grids = finder.finish(3);
        assert_eq!((grids[0], grids[2]), (Grid::SEARCH, Grid::SEARCH));
        grids[1]
    }

    #[test]
    fn counts_and_their_256ths_are_on_the_grid_of_a_search_and_finer_ones_on_their_own() {
        let cases: [(&[f64], i32); 7] = [
            (&[1.0, -3.0, 8.0], 8),
            (&[0.5, 1.0 / 256.0], 8),
            (&[1.0 / 1024.0, 1.0], 10),
            (&[0.1, 1.0], 29),
            (&[3e6], 8),
            (&[3e7], 5),
            (&[1e-6], 49),
        ];
        for (entries, bits) in cases {
            assert_eq!(found(entries).bits, bits, "{entries:?}");
        }
        assert_eq!(found(&[1.0, -3.0, 8.0]).size(), 16.0);
    }

    #[test]
    fn halves_are_rounded_away_from_0() {
        for entry in
            [0.5, 0.5_f64.next_down(), 2.5, 1e9 + 0.5, 2_f64.powi(52) - 0.5, 2_f64.powi(53) + 2.0, 1e20]
        {
            for entry in [entry, -entry] {
                assert_eq!(Grid { bits: 0, spare: 0 }.integer(entry), entry.round() as i64, "{entry}");
            }
        }
    }

    proptest! {
        #[test]
        fn integers_fill_at_most_their_bits_and_are_near_their_entries(
            entries in prop::collection::vec((-1.0..1.0_f64, -120..100_i32), 1..20),
        ) {
            let entries: Vec<f64> = entries.into_iter().map(|(part, power)| part * 2_f64.powi(power)).collect();
            let largest = entries.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
            let grid = found(&entries);
            for entry in entries {
                let integer = grid.integer(entry);
                prop_assert_eq!(integer, (entry * 2_f64.powi(grid.bits)).round() as i64);
                prop_assert!(integer.abs() << grid.spare <= 1 << BITS);
                let error = (integer as f64 * 2_f64.powi(-grid.bits) - entry).abs();
                prop_assert!(error <= largest * 2_f64.powi(-BITS) || largest < 2_f64.powi(-100));
            }
        }
    }
}
