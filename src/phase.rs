//! Game phase: how far a position has gone from opening (0) to endgame (256), by named schemes.

mod scheme;

pub use scheme::{PhaseScheme, RUSTIC_ENDGAME, RUSTIC_OPENING};

use std::{fmt, str::FromStr};

use crate::error::Error;

/// The text of the file of the schemes, which depends on nothing else, for programs that take them along.
pub const SCHEME_SOURCE: &str = include_str!("phase/scheme.rs");

/// Where the phase of an evaluation is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum PhaseAt {
    /// From the position evaluated: smooth.
    #[default]
    Leaf,
    /// Once, from the root of the search, as the hardware of 1988 had to.
    Root,
}

/// Knights, bishops, rooks and queens on the board, both sides together.
pub type PieceCounts = [u32; 4];

impl PhaseScheme {
    /// [`PhaseScheme::phase_of_points`] of a position with these pieces.
    pub fn phase(self, pieces: PieceCounts) -> u16 {
        self.phase_of_points(pieces.iter().zip(self.points()).map(|(count, points)| count * points).sum())
    }

    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PhaseScheme::Fruit => "fruit",
            PhaseScheme::Madchess => "madchess",
            PhaseScheme::Rustic => "rustic",
            PhaseScheme::None => "none",
        }
    }
}

impl PhaseAt {
    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PhaseAt::Leaf => "leaf",
            PhaseAt::Root => "root",
        }
    }
}

impl fmt::Display for PhaseScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for PhaseAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PhaseScheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<PhaseScheme, Error> {
        PhaseScheme::ALL
            .into_iter()
            .find(|scheme| scheme.name() == name)
            .ok_or_else(|| Error::expected("fruit, madchess, rustic or none", format!("{name:?}")))
    }
}

impl FromStr for PhaseAt {
    type Err = Error;

    fn from_str(name: &str) -> Result<PhaseAt, Error> {
        [PhaseAt::Leaf, PhaseAt::Root]
            .into_iter()
            .find(|at| at.name() == name)
            .ok_or_else(|| Error::expected("leaf or root", format!("{name:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: PieceCounts = [4, 4, 4, 2];

    #[test]
    fn the_starting_pieces_are_opening_and_bare_kings_are_endgame() {
        for scheme in [PhaseScheme::Fruit, PhaseScheme::Madchess, PhaseScheme::Rustic] {
            assert_eq!(scheme.phase(FULL), 0);
            assert_eq!(scheme.phase([0; 4]), 256);
        }
        assert_eq!(PhaseScheme::None.phase([0; 4]), 0);
    }

    #[test]
    fn fruit_rounds_its_24ths_half_up() {
        // One knight missing: (1 * 256 + 12) / 24 = 11; both queens: (8 * 256 + 12) / 24 = 85.
        assert_eq!(PhaseScheme::Fruit.phase([3, 4, 4, 2]), 11);
        assert_eq!(PhaseScheme::Fruit.phase([4, 4, 4, 0]), 85);
    }

    #[test]
    fn madchess_goes_through_whole_per_cents() {
        // One minor missing: 1500 / 16 = 93 per cent opening; 7 per cent = 17.92, rounded 18.
        assert_eq!(PhaseScheme::Madchess.phase([3, 4, 4, 2]), 18);
    }

    #[test]
    fn rustic_is_linear_between_its_two_edges_and_flat_beyond() {
        let rustic = |pieces| PhaseScheme::Rustic.phase(pieces);
        // 5560 points in full; a bishop less is 5255, the edge; two knights less is 5 below: 0.27, rounded 0.
        assert_eq!([rustic([4, 3, 4, 2]), rustic([2, 4, 4, 2])], [0, 0]);
        // Both queens: 3460 of 5560 left, 1795 below the edge: 1795 * 256 / 4820 = 95.3.
        assert_eq!(rustic([4, 4, 4, 0]), 95);
        // A rook each: 810, 375 above the lower edge: 256 - 375 * 256 / 4820 = 236.08.
        assert_eq!(rustic([0, 0, 2, 0]), 236);
        // A lone rook, 405, is the endgame as much as no piece is; a lone queen, 1050, is not yet.
        assert_eq!([rustic([0, 0, 1, 0]), rustic([0, 0, 0, 1])], [256, 223]);
    }

    #[test]
    fn a_scheme_is_read_back_by_its_name() {
        for scheme in PhaseScheme::ALL {
            assert_eq!(scheme.to_string().parse::<PhaseScheme>().unwrap(), scheme);
        }
        assert!("late".parse::<PhaseScheme>().unwrap_err().to_string().contains("rustic or none"));
    }

    #[test]
    fn more_pieces_than_at_the_start_stay_at_the_opening() {
        assert_eq!(PhaseScheme::Fruit.phase([4, 4, 4, 9]), 0);
        assert_eq!(PhaseScheme::Madchess.phase([4, 4, 4, 9]), 0);
        assert_eq!(PhaseScheme::Rustic.phase([4, 4, 4, 9]), 0);
    }
}
