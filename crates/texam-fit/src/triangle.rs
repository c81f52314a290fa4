//! A symmetric matrix of integer sums.

use serde::{Deserialize, Serialize};

use crate::rows::CentrePoint;

/// No sum of 64 bits may become larger.
const MOST: u64 = i64::MAX as u64;

/// Products beyond this are added in 128 bits at once: too few of them would fit.
const LARGE: u64 = MOST / 256;

/// Bits that a weighted entry of 54 bits loses so that its product with another entry of 30 bits is not
/// [`LARGE`].
const COARSE_BITS: u32 = 29;

/// The upper triangle of a symmetric matrix, each row with room for all columns. Sums are of 128 bits, with
/// some fraction bits; those of the last rows are kept in 64 bits without these for as long as they are sure
/// to fit, since these are added faster. Each kind of sums has no room until there is one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Triangle {
    size: usize,
    fraction_bits: u32,
    entries: Vec<i128>,
    recent: Recent,
    /// Sums of rounded products, in 2^[`COARSE_BITS`], of entries raised by the bits that their columns can
    /// spare, so that all columns are as large.
    coarse: Recent,
    /// These bits, where products may be rounded.
    spares: Vec<u32>,
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
        let (entries, [recent, coarse], spares) = Default::default();
        Triangle { size, fraction_bits, entries, recent, coarse, spares }
    }

    /// The same sums, in which products may be rounded; `spares` are the bits by which the entries of each
    /// column could be larger.
    pub fn rounding(self, spares: impl Iterator<Item = u32>) -> Triangle {
        // A sum that is lowered by them again stays whole.
        let most = (COARSE_BITS + self.fraction_bits) / 2;
        Triangle { spares: spares.map(|spare| spare.min(most)).collect(), ..self }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds `weight` times the product of a sparse row with itself. Columns ascend.
    pub fn add(&mut self, columns: &[u32], entries: &[i64], weight: i64) {
        let product =
            largest(entries).checked_pow(2).and_then(|square| square.checked_mul(weight.unsigned_abs()));
        let Some(product) = product.filter(|&product| product <= LARGE) else {
            return self.add_large(columns, entries, weight);
        };
        let size = self.size;
        self.make_room(false, product).add(size, columns, entries, |entry| weight * entry);
    }

    /// As [`add`](Triangle::add), but where the products need more than 64 bits, weighted entries are rounded
    /// so that those do not: by at most 2^-26 of one of 30 bits with the weight 1.
    pub fn add_rounded(&mut self, columns: &[u32], entries: &[i64], weight: i64) {
        let plain = largest(entries);
        if self.spares.is_empty() || plain.saturating_pow(2).saturating_mul(weight.unsigned_abs()) <= LARGE {
            return self.add(columns, entries, weight);
        }
        let raised = self.raised(columns, entries);
        let largest = largest(&raised);
        let weighted = largest.saturating_mul(weight.unsigned_abs());
        let product = (weighted >> COARSE_BITS).saturating_add(1).saturating_mul(largest);
        if product > LARGE {
            return self.add(columns, entries, weight);
        }
        let half = 1 << (COARSE_BITS - 1);
        let weighted = |entry| (weight * entry + half) >> COARSE_BITS;
        let size = self.size;
        self.make_room(true, product).add(size, columns, &raised, weighted);
    }

    /// As [`add`](Triangle::add), for products beyond 64 bits.
    fn add_large(&mut self, columns: &[u32], entries: &[i64], weight: i64) {
        let bits = self.fraction_bits;
        for (at, (&column, &entry)) in columns.iter().zip(entries).enumerate() {
            let line = self.line(column);
            for (&other, &value) in columns[at..].iter().zip(&entries[at..]) {
                line[other as usize] += (i128::from(weight) * i128::from(entry) * i128::from(value)) << bits;
            }
        }
    }

    /// Adds what the products of rows change by when the rows are measured from a centre, `c r^T - s c^T`. A
    /// centre with fraction bits is so near to the mean that `r` is 0; its products may be rounded where those
    /// of rows are.
    pub fn move_to(&mut self, point: &CentrePoint) {
        let CentrePoint { columns, centre, fraction_bits, sums, rests } = point;
        let product = (u128::from(largest(sums)) * u128::from(largest(centre))) >> fraction_bits;
        let is_small = *fraction_bits == 0 || product <= LARGE.into() || self.spares.is_empty();
        let (size, bits) = (self.size, fraction_bits + COARSE_BITS);
        let [raised, centres] = match is_small {
            true => Default::default(),
            false => [sums, centre].map(|numbers| self.raised(columns, numbers)),
        };
        let coarse = (u128::from(largest(&raised)) * u128::from(largest(&centres))) >> bits;
        let coarse = u64::try_from(coarse + 1).unwrap_or(u64::MAX);
        if !is_small && coarse <= LARGE {
            let to = self.make_room(true, coarse);
            for (at, (&column, &sum)) in columns.iter().zip(&raised).enumerate() {
                let line = &mut to.sums[column as usize * size..][..size];
                for (&other, &centre) in columns[at..].iter().zip(&centres[at..]) {
                    let product = i128::from(sum) * i128::from(centre) + (1 << (bits - 1));
                    line[other as usize] -= (product >> bits) as i64;
                }
            }
            return;
        }
        let bits = self.fraction_bits;
        for (at, &column) in columns.iter().enumerate() {
            let line = self.line(column);
            let (c, s) = (i128::from(centre[at]), i128::from(sums[at]) << fraction_bits);
            for ((&other, &centre), &rest) in columns[at..].iter().zip(&centre[at..]).zip(&rests[at..]) {
                let product = c * i128::from(rest) - s * i128::from(centre);
                line[other as usize] += (product >> fraction_bits << bits) >> fraction_bits;
            }
        }
    }

    /// Adds another of the same size.
    pub fn merge(&mut self, other: &Triangle) {
        for (is_coarse, from) in [(false, &other.recent), (true, &other.coarse)] {
            if !from.sums.is_empty() {
                let to = self.make_room(is_coarse, from.bound);
                to.sums.iter_mut().zip(&from.sums).for_each(|(to, from)| *to += from);
            }
        }
        if !other.entries.is_empty() {
            self.entries.resize(self.size * self.size, 0);
            self.entries.iter_mut().zip(&other.entries).for_each(|(to, from)| *to += from);
        }
    }

    /// Whether products were rounded.
    pub fn is_rounded(&self) -> bool {
        !self.coarse.sums.is_empty()
    }

    /// An entry.
    pub fn entry(&self, row: usize, column: usize) -> i128 {
        let at = row.min(column) * self.size + row.max(column);
        let [recent, coarse] =
            [&self.recent, &self.coarse].map(|sums| sums.sums.get(at).map_or(0, |&sum| i128::from(sum)));
        let rest = self.entries.get(at).copied().unwrap_or(0);
        rest + (recent << self.fraction_bits) + (coarse << self.coarse_bits(at))
    }

    /// Entries of columns, raised by the bits that these can spare; the highest number for what is too large.
    fn raised(&self, columns: &[u32], entries: &[i64]) -> Vec<i64> {
        let spare = |&column: &u32| self.spares[column as usize];
        let raised =
            |(column, &entry): (&u32, &i64)| entry.checked_mul(1 << spare(column)).unwrap_or(i64::MAX);
        columns.iter().zip(entries).map(raised).collect()
    }

    /// The fraction bits of a coarse sum, less those that its columns are raised by.
    fn coarse_bits(&self, at: usize) -> u32 {
        let spare = |column: usize| self.spares.get(column).copied().unwrap_or(0);
        self.fraction_bits + COARSE_BITS - spare(at / self.size) - spare(at % self.size)
    }

    /// The sums in 64 bits to which products up to this may be added.
    fn make_room(&mut self, is_coarse: bool, product: u64) -> &mut Recent {
        let squared = self.size * self.size;
        let to = if is_coarse { &mut self.coarse } else { &mut self.recent };
        to.sums.resize(squared, 0);
        if product > MOST - to.bound {
            let settled = std::mem::take(to);
            self.entries.resize(squared, 0);
            for (at, sum) in settled.sums.into_iter().enumerate() {
                let bits = if is_coarse { self.coarse_bits(at) } else { self.fraction_bits };
                self.entries[at] += i128::from(sum) << bits;
            }
        }
        let to = if is_coarse { &mut self.coarse } else { &mut self.recent };
        to.sums.resize(squared, 0);
        to.bound += product;
        to
    }

    /// A row of the sums of 128 bits.
    fn line(&mut self, column: u32) -> &mut [i128] {
        self.entries.resize(self.size * self.size, 0);
        &mut self.entries[column as usize * self.size..][..self.size]
    }
}

impl Recent {
    /// Adds the products of a row in a triangle of this size.
    fn add(&mut self, size: usize, columns: &[u32], entries: &[i64], weighted: impl Fn(i64) -> i64) {
        // Four rows of the matrix at once share what is read of the others; what they add left of the diagonal
        // is not looked at.
        let (fours, rest) = columns.as_chunks::<4>();
        for (&four, at) in fours.iter().zip((0..).step_by(4)) {
            let starts = four.map(|column| column as usize * size);
            let (abc, d) = self.sums.split_at_mut(starts[3]);
            let (ab, c) = abc.split_at_mut(starts[2]);
            let (a, b) = ab.split_at_mut(starts[1]);
            let (a, b, c, d) = (&mut a[starts[0]..][..size], &mut b[..size], &mut c[..size], &mut d[..size]);
            let [ea, eb, ec, ed] = [0, 1, 2, 3].map(|k| weighted(entries[at + k]));
            for (&other, &value) in columns[at..].iter().zip(&entries[at..]) {
                let other = other as usize;
                a[other] += ea * value;
                b[other] += eb * value;
                c[other] += ec * value;
                d[other] += ed * value;
            }
        }

        let entries = &entries[entries.len() - rest.len()..];
        for (&column, &entry) in rest.iter().zip(entries) {
            let line = &mut self.sums[column as usize * size..][..size];
            let weighted = weighted(entry);
            rest.iter().zip(entries).for_each(|(&other, &value)| line[other as usize] += weighted * value);
        }
    }
}

fn largest(numbers: &[i64]) -> u64 {
    numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0)
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

        /// Rows as large as those of another program may be, measured from their mean.
        #[test]
        fn rounded_sums_are_near_the_exact_ones(rows in vec((any::<[i32; SIZE]>(), 1_i64..1 << 20), 1..20)) {
            const FRACTION_BITS: u32 = 20;
            const SPARES: [u32; SIZE] = [0, 3, 10, 16];
            let mut exact = Triangle::new(SIZE, 3);
            let mut rounded = Triangle::new(SIZE, 3).rounding(SPARES.into_iter());
            let columns: Vec<u32> = (0..SIZE as u32).collect();
            let mut sums = [0_i64; SIZE];
            let total: i64 = rows.iter().map(|(_, weight)| weight).sum();
            for (row, weight) in &rows {
                let row: [i64; SIZE] = std::array::from_fn(|at| i64::from(row[at] / 2) >> SPARES[at]);
                exact.add(&columns, &row, *weight);
                rounded.add_rounded(&columns, &row, *weight);
                sums.iter_mut().zip(row).for_each(|(sum, entry)| *sum += weight * entry);
            }
            let centre = sums.map(|sum| (i128::from(sum) << FRACTION_BITS) / i128::from(total));
            let point = CentrePoint {
                columns,
                centre: centre.map(|centre| centre as i64).into(),
                fraction_bits: FRACTION_BITS,
                sums: sums.into(),
                rests: vec![0; SIZE],
            };
            rounded.move_to(&point);
            let unit = 1_i128 << (3 + COARSE_BITS);
            for (i, j) in (0..SIZE).flat_map(|i| (i..SIZE).map(move |j| (i, j))) {
                let centre = (i128::from(sums[i]) * centre[j]) >> FRACTION_BITS << 3;
                let error = rounded.entry(i, j) - (exact.entry(i, j) - centre);
                let most = (unit * (rows.len() as i128 + 1)) << 30 >> (SPARES[i] + SPARES[j]);
                prop_assert!(error.abs() <= most, "{error} {most}");
            }
        }
    }
}
