//! What earlier searches stored for positions: bytes whose meaning the search knows.

use super::WinnerPosition;

/// Stored hints of the positions of a [`Collection`](super::Collection).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredHints {
    bytes: Vec<u8>,
    /// Game and move of each position that has hints, ascending, with the place of its bytes.
    places: Vec<Place>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    game: u32,
    fullmove: u32,
    start: u32,
    end: u32,
}

/// Largest number of bytes that are kept. Positions beyond it have no hints, which makes their first search slower
/// and changes no result.
const MOST_BYTES: usize = 64 << 20;

impl StoredHints {
    /// Whether no position has hints.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The hints of a position; empty if it has none.
    pub fn get(&self, position: &WinnerPosition) -> &[u8] {
        let wanted = (position.game, position.fullmove);
        let found = self.places.binary_search_by_key(&wanted, |place| (place.game, place.fullmove));
        let place = found.ok().and_then(|at| self.places.get(at));
        place.map_or(&[], |place| &self.bytes[place.start as usize..place.end as usize])
    }

    /// Adds the hints of a position after those of all earlier positions.
    pub(super) fn push(&mut self, position: &WinnerPosition, hints: &[u8]) {
        let start = self.bytes.len();
        if start + hints.len() <= MOST_BYTES {
            self.bytes.extend_from_slice(hints);
            let (start, end) = (start as u32, self.bytes.len() as u32);
            self.places.push(Place { game: position.game, fullmove: position.fullmove, start, end });
        }
    }
}
