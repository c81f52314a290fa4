//! Sets of optional features.
//!
//! Feature vectors leave out the counts of optional features that are off, to save memory and time.

use std::ops::Range;

use super::{Cell, Key, STANDARD, STANDARD_CELLS};

/// A set of optional features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extras(u64);

impl Extras {
    /// All optional features.
    pub const ALL: Extras = Extras(u64::MAX);

    /// The optional features for which `is_on` returns true.
    pub fn of(is_on: impl Fn(Key) -> bool) -> Extras {
        let bits = Key::optional().iter().enumerate().filter(|&(_, &key)| is_on(key));
        Extras(bits.fold(0, |set, (bit, _)| set | 1 << bit))
    }

    /// Whether any of the attack terms is in the set.
    pub fn has_attacks(self) -> bool {
        const FIRST: usize = Key::MobN as usize - STANDARD;
        const AFTER: usize = Key::PhN as usize - STANDARD;
        (self.0 & ((1 << AFTER) - 1)) >> FIRST != 0
    }

    /// Whether any of the points of the phase is in the set.
    pub fn has_points(self) -> bool {
        self.0 >> (Key::PhN as usize - STANDARD) != 0
    }

    /// Whether a feature is in the set or not optional.
    pub fn has(self, key: Key) -> bool {
        let place = (key as usize).checked_sub(Key::standard().len());
        place.is_none_or(|bit| self.0 & 1 << bit != 0)
    }

    /// Ranges of cells: those of all features that are not optional, then those of each feature in the set.
    pub fn runs(self) -> impl Iterator<Item = Range<Cell>> {
        let on = Key::optional().iter().filter(move |&&key| self.has(key)).map(|&key| cells(key));
        std::iter::once(0..STANDARD_CELLS as Cell).chain(on)
    }
}

fn cells(key: Key) -> Range<Cell> {
    key.cell()..key.cell() + key.feature().layout.cells() as Cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{CELLS, Group};

    fn kept(extras: Extras) -> Vec<Cell> {
        extras.runs().flatten().collect()
    }

    #[test]
    fn all_extras_are_all_cells_in_order_and_none_are_those_of_the_standard() {
        assert_eq!(kept(Extras::ALL), (0..CELLS as Cell).collect::<Vec<_>>());
        assert_eq!(kept(Extras::default()), (0..STANDARD_CELLS as Cell).collect::<Vec<_>>());
        assert!(Key::optional().len() <= u64::BITS as usize);
    }

    #[test]
    fn an_extra_adds_its_own_cells() {
        let knights = Extras::of(|key| key == Key::PstN);
        let own: Vec<Cell> = kept(knights).split_off(STANDARD_CELLS);
        assert!(own.iter().all(|&cell| Key::of_cell(cell).0 == Key::PstN));
        assert_eq!(own.len(), 32);
        assert!(!knights.has_attacks() && Extras::of(|key| key == Key::MobN).has_attacks());
        assert!(Extras::of(|key| key == Key::Pin).has_attacks() && Extras::ALL.has_attacks());
        let points = Extras::of(|key| key.feature().group == Group::Phase);
        assert!(points.has_points() && !points.has_attacks() && !knights.has_points());
        assert!(knights.has(Key::PstN) && knights.has(Key::BKnsame) && !knights.has(Key::PstP));
    }
}
