//! Game phase: how far a position has gone from opening (0) to endgame (256), by named schemes.
//!
//! `fruit` follows Fruit 2 (Fabien Letouzey, as described in the Chessprogramming wiki, "Tapered
//! Eval"); `madchess` follows MadChess 2.0 beta 021 (Erik Madsen); `none` has no endgame.

use std::{fmt, str::FromStr};

use crate::error::Error;

/// How a phase is read off the pieces on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum PhaseScheme {
    /// Knight 1, bishop 1, rook 2, queen 4, of 24; 256ths rounded half up.
    #[default]
    Fruit,
    /// Knight 1, bishop 1, rook 1, queen 2, of 16, in whole per cent; then 256ths rounded half up.
    Madchess,
    /// Always 0: opening weights alone.
    None,
}

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
    /// Phase in 256ths, 0 (opening) to 256 (endgame); promoted extra pieces count as none missing.
    pub fn phase(self, [knights, bishops, rooks, queens]: PieceCounts) -> u16 {
        match self {
            PhaseScheme::Fruit => {
                let present = knights + bishops + 2 * rooks + 4 * queens;
                let missing = 24 - present.min(24);
                ((missing * 256 + 12) / 24) as u16
            }
            PhaseScheme::Madchess => {
                let present = knights + bishops + rooks + 2 * queens;
                let middlegame_percent = (100 * present / 16).min(100);
                (((100 - middlegame_percent) * 256 + 50) / 100) as u16
            }
            PhaseScheme::None => 0,
        }
    }

    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PhaseScheme::Fruit => "fruit",
            PhaseScheme::Madchess => "madchess",
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
        [PhaseScheme::Fruit, PhaseScheme::Madchess, PhaseScheme::None]
            .into_iter()
            .find(|scheme| scheme.name() == name)
            .ok_or_else(|| Error::expected("fruit, madchess or none", format!("{name:?}")))
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
        for scheme in [PhaseScheme::Fruit, PhaseScheme::Madchess] {
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
    fn more_pieces_than_at_the_start_stay_at_the_opening() {
        assert_eq!(PhaseScheme::Fruit.phase([4, 4, 4, 9]), 0);
        assert_eq!(PhaseScheme::Madchess.phase([4, 4, 4, 9]), 0);
    }
}
