//! A symmetric matrix of integer sums.

use serde::{Deserialize, Serialize};

use crate::{choice::is_contiguous, rows::CentrePoint};

/// No sum of 64 bits may become larger.
const MOST: u64 = i64::MAX as u64;

/// Products beyond this are added in 128 bits at once: too few of them would fit.
const LARGE: u64 = MOST / 256;

/// Bits that a weighted entry of 54 bits loses so that its product with another entry of 30 bits is not
/// [`LARGE`].
const COARSE_BITS: u32 = 29;

/// The upper triangle of a symmetric matrix, row by row. Sums are of 128 bits, with some fraction bits; those
/// of the last rows are kept in 64 bits without these for as long as they are sure to fit, since these are
/// added faster.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Triangle {
    size: usize,
    fraction_bits: u32,
    entries: Vec<i128>,
    recent: Recent,
    /// Sums of rounded products, in 2^[`COARSE_BITS`]; empty until there is one.
    coarse: Recent,
}

/// Sums in 64 bits.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Recent {
    sums: Vec<i64>,
    /// None is larger.
    bound: u64,
}

impl Triangle {
    /// Zero in `size` rows, for sums with so many fraction bits.
    pub fn new(size: usize, fraction_bits: u32) -> Triangle {
        let entries = size * (size + 1) / 2;
        let recent = Recent { sums: vec![0; entries], bound: 0 };
        Triangle { size, fraction_bits, entries: vec![0; entries], recent, coarse: Recent::default() }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds `weight` times the product of a sparse row with itself. Columns ascend.
    pub fn add(&mut self, columns: &[u32], entries: &[i64], weight: i64) {
        let largest = entries.iter().map(|entry| entry.unsigned_abs()).max().unwrap_or(0);
        let product = largest.checked_pow(2).and_then(|square| square.checked_mul(weight.unsigned_abs()));
        let Some(product) = product.filter(|&product| product <= LARGE) else {
            return self.add_large(columns, entries, weight);
        };
        if product > MOST - self.recent.bound {
            self.settle();
        }
        self.recent.bound += product;
        self.recent.add(self.size, columns, entries, |entry| weight * entry);
    }

    /// As [`add`](Triangle::add), but where the products need more than 64 bits, weighted entries are rounded
    /// so that those do not: by at most 2^-26 of the largest one of 30 bits with the weight 1.
    pub fn add_rounded(&mut self, columns: &[u32], entries: &[i64], weight: i64) {
        let largest = entries.iter().map(|entry| entry.unsigned_abs()).max().unwrap_or(0);
        let weighted = largest.saturating_mul(weight.unsigned_abs());
        let coarse = (weighted >> COARSE_BITS).saturating_add(1).saturating_mul(largest);
        if coarse > LARGE || weighted.saturating_mul(largest) <= LARGE {
            return self.add(columns, entries, weight);
        }
        if coarse > MOST - self.coarse.bound {
            self.settle();
        }
        self.coarse.bound += coarse;
        self.coarse.sums.resize(self.entries.len(), 0);
        let half = 1 << (COARSE_BITS - 1);
        self.coarse.add(self.size, columns, entries, |entry| (weight * entry + half) >> COARSE_BITS);
    }

    /// As [`add`](Triangle::add), for products beyond 64 bits.
    fn add_large(&mut self, columns: &[u32], entries: &[i64], weight: i64) {
        let is_dense = is_contiguous(columns);
        for (at, (&column, &entry)) in columns.iter().zip(entries).enumerate() {
            let (column, start) = (column as usize, start(self.size, column as usize));
            let (line, bits) = (&mut self.entries[start..start + self.size - column], self.fraction_bits);
            let rest = &entries[at..];
            match weight.checked_mul(entry) {
                // The product of two numbers of 64 bits is one instruction.
                Some(weighted) if is_dense => line
                    .iter_mut()
                    .zip(rest)
                    .for_each(|(sum, &value)| *sum += (i128::from(weighted) * i128::from(value)) << bits),
                _ => {
                    let weighted = i128::from(weight) * i128::from(entry);
                    for (&other, &value) in columns[at..].iter().zip(rest) {
                        line[other as usize - column] += (weighted * i128::from(value)) << bits;
                    }
                }
            }
        }
    }

    /// Adds what the products of rows change by when the rows are measured from a centre, `c r^T - s c^T`,
    /// rounded.
    pub fn move_to(&mut self, point: &CentrePoint) {
        let CentrePoint { columns, centre, fraction_bits, sums, rests } = point;
        let has = 2 * fraction_bits;
        let half = if has > self.fraction_bits { 1 << (has - self.fraction_bits - 1) } else { 0 };
        for (at, &column) in columns.iter().enumerate() {
            let start = start(self.size, column as usize);
            let (c, s) = (i128::from(centre[at]), i128::from(sums[at]) << fraction_bits);
            let others = columns[at..].iter().zip(&centre[at..]).zip(&rests[at..]);
            for ((&other, &centre), &rest) in others {
                let product = c * i128::from(rest) - s * i128::from(centre);
                self.entries[start + (other - column) as usize] += if has > self.fraction_bits {
                    (product + half) >> (has - self.fraction_bits)
                } else {
                    product << (self.fraction_bits - has)
                };
            }
        }
    }

    /// Adds another of the same size.
    pub fn merge(&mut self, other: &Triangle) {
        for (at, to) in self.entries.iter_mut().enumerate() {
            *to += other.at(at);
        }
    }

    /// An entry.
    pub fn entry(&self, row: usize, column: usize) -> i128 {
        let (row, column) = (row.min(column), row.max(column));
        self.at(start(self.size, row) + column - row)
    }

    fn at(&self, at: usize) -> i128 {
        let coarse = self.coarse.sums.get(at).map_or(0, |&sum| i128::from(sum) << COARSE_BITS);
        self.entries[at] + ((i128::from(self.recent.sums[at]) + coarse) << self.fraction_bits)
    }

    /// Takes the recent sums to the others.
    fn settle(&mut self) {
        self.recent.settle(&mut self.entries, self.fraction_bits);
        self.coarse.settle(&mut self.entries, self.fraction_bits + COARSE_BITS);
    }
}

impl Recent {
    /// Adds the products of a row in a triangle of this size.
    fn add(&mut self, size: usize, columns: &[u32], entries: &[i64], weighted: impl Fn(i64) -> i64) {
        for (at, (&column, &entry)) in columns.iter().zip(entries).enumerate() {
            let column = column as usize;
            let start = start(size, column);
            let line = &mut self.sums[start..start + size - column];
            let weighted = weighted(entry);
            for (&other, &value) in columns[at..].iter().zip(&entries[at..]) {
                line[other as usize - column] += weighted * value;
            }
        }
    }

    /// Takes the sums to those of 128 bits, which have so many fraction bits more.
    fn settle(&mut self, entries: &mut [i128], bits: u32) {
        for (to, recent) in entries.iter_mut().zip(&mut self.sums) {
            *to += i128::from(std::mem::take(recent)) << bits;
        }
        self.bound = 0;
    }
}

/// Where a row of a triangle of this size begins.
fn start(size: usize, row: usize) -> usize {
    row * (2 * size + 1 - row) / 2
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    const SIZE: usize = 4;

    fn sum(rows: &[([i64; SIZE], i64)]) -> Triangle {
        let mut sum = Triangle::new(SIZE, 3);
        for (row, weight) in rows {
            let columns: Vec<u32> =
                (0..).zip(row).filter(|(_, entry)| **entry != 0).map(|(at, _)| at).collect();
            let entries: Vec<i64> = row.iter().copied().filter(|&entry| entry != 0).collect();
            sum.add(&columns, &entries, *weight);
        }
        sum
    }

    proptest! {
        /// The weights reach from products that fit 64 bits many times to those that never do.
        #[test]
        fn sums_are_exact_for_entries_of_any_size(
            rows in vec((any::<[i8; SIZE]>(), 0_u32..36, 0_u32..30), 1..40),
            cut in 0..40_usize,
        ) {
            let rows: Vec<([i64; SIZE], i64)> = rows
                .into_iter()
                .map(|(row, shift, weight)| (row.map(|entry| i64::from(entry) << shift), 1 << weight))
                .collect();
            let (head, tail) = rows.split_at(cut.min(rows.len()));
            let (whole, mut parts) = (sum(&rows), sum(tail));
            parts.merge(&sum(head));
            for i in 0..SIZE {
                for j in 0..SIZE {
                    let products = rows.iter().map(|(row, weight)| {
                        i128::from(*weight) * i128::from(row[i]) * i128::from(row[j])
                    });
                    let product = products.sum::<i128>() << 3;
                    prop_assert_eq!([whole.entry(i, j), parts.entry(i, j)], [product; 2]);
                }
            }
        }
    }
}
