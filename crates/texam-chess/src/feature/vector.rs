//! Sparse feature vectors: how often each cell occurs in a position, White minus Black.

use super::{Cell, Extras, Quantised};
use crate::value::{Value, taper};

/// Counts of cells, White minus Black, sorted by cell, without zeros.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeatureVector {
    counts: Vec<(Cell, i16)>,
}

impl FeatureVector {
    /// The vector of an array of counts indexed by cell. Of the optional features it contains those in
    /// `extras`.
    pub fn from_dense(dense: &[i16], extras: Extras) -> FeatureVector {
        let counts = extras.runs().flatten().map(|cell| (cell, dense[usize::from(cell)]));
        FeatureVector { counts: counts.filter(|&(_, count)| count != 0).collect() }
    }

    /// Cells that occur, ascending, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, i16)> + '_ {
        self.counts.iter().copied()
    }

    /// The counts as one slice, ascending by cell.
    pub fn as_slice(&self) -> &[(Cell, i16)] {
        &self.counts
    }

    /// Count of one cell; 0 where it does not occur.
    pub fn get(&self, cell: Cell) -> i16 {
        match self.counts.binary_search_by_key(&cell, |&(cell, _)| cell) {
            Ok(at) => self.counts[at].1,
            Err(_) => 0,
        }
    }

    /// Whether all counts are 0, as for a terminal leaf.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Value with quantised weights at `phase` (0 opening to 256 endgame), in 1/65536 unit from White's view.
    pub fn value(&self, weights: &Quantised, phase: u16) -> Value {
        let (mut open, mut end) = (0, 0);
        for &(cell, count) in &self.counts {
            open += weights.open(cell) * i32::from(count);
            end += weights.end(cell) * i32::from(count);
        }
        taper(open, end, phase)
    }
}

impl FromIterator<(Cell, i16)> for FeatureVector {
    /// Collects counts in any order; equal cells add up.
    fn from_iter<I: IntoIterator<Item = (Cell, i16)>>(counts: I) -> FeatureVector {
        let mut all: Vec<(Cell, i16)> = counts.into_iter().collect();
        all.sort_by_key(|&(cell, _)| cell);
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        all.retain(|&(_, count)| count != 0);
        FeatureVector { counts: all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{Key, Weights};
    use crate::value::UNIT;

    #[test]
    fn counts_of_equal_cells_add_and_zeros_vanish() {
        let vector: FeatureVector = [(5, 1), (2, 3), (5, 2), (7, 1), (7, -1)].into_iter().collect();
        assert_eq!(vector.as_slice(), [(2, 3), (5, 3)]);
        assert_eq!((vector.get(5), vector.get(7)), (3, 0));
    }

    #[test]
    fn a_bishop_is_worth_its_tapered_weight() {
        let vector: FeatureVector = [(Key::MatB.cell(), 1)].into_iter().collect();
        let weights = Weights::start().quantised();
        assert_eq!(vector.value(&weights, 0), 424 * UNIT);
        assert_eq!(vector.value(&weights, 128), 428 * UNIT);
        assert_eq!(vector.value(&weights, 256), 432 * UNIT);
    }
}
