//! Game phase: a number from 0 (opening) to 256 (endgame), computed from the pieces on the board by a named scheme.

mod scheme;

pub use scheme::{FULL_POINTS, PhaseScheme, RUSTIC_ENDGAME, RUSTIC_OPENING};

use std::{fmt, str::FromStr};

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::error::{Error, unknown_name};

/// The text of `phase/scheme.rs`, which depends on no other file. The export in Rust contains it.
pub const SCHEME_SOURCE: &str = include_str!("phase/scheme.rs");

/// Whether the evaluation of a leaf uses the phase of the leaf or that of the root.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = Error, parse_err_fn = unknown_name::<PhaseAt>)]
pub enum PhaseAt {
    /// The phase of the leaf: the evaluation changes gradually.
    #[default]
    Leaf,
    /// The phase of the root for all leaves of its search. In 1988 the tables of the hardware were computed before each
    /// search, so the root decided; this is our reading.
    Root,
}

/// Numbers of knights, bishops, rooks and queens on the board, both sides together.
pub type PieceCounts = [u32; 4];

impl PhaseScheme {
    /// Phase of a position with these pieces, 0 (opening) to 256 (endgame).
    pub fn phase(self, pieces: PieceCounts) -> u16 {
        self.phase_of_points(
            pieces.iter().zip(self.points()).map(|(&count, points)| count as i32 * points).sum(),
        )
    }

    /// Name on the command line, where it has one.
    pub fn name(self) -> &'static str {
        match self {
            PhaseScheme::Fruit => "fruit",
            PhaseScheme::Madchess => "madchess",
            PhaseScheme::Rustic => "rustic",
            PhaseScheme::None => "none",
            PhaseScheme::Points(_) => "points",
        }
    }
}

impl PhaseAt {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

// Written by hand, since `scheme.rs` must compile without strum in the export.

impl VariantArray for PhaseScheme {
    const VARIANTS: &'static [PhaseScheme] = &PhaseScheme::ALL;
}

impl fmt::Display for PhaseScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PhaseScheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<PhaseScheme, Error> {
        let found = PhaseScheme::ALL.into_iter().find(|scheme| scheme.name() == name);
        found.ok_or_else(|| unknown_name::<PhaseScheme>(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::taper;

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
    fn the_queen_of_the_page_on_tapering_has_its_values_on_d4_and_a1() {
        // Both queens gone; a rook on either side; a knight and a bishop more.
        let phases =
            [[4, 4, 4, 0], [0, 0, 2, 0], [1, 1, 2, 0]].map(|pieces| PhaseScheme::Fruit.phase(pieces));
        assert_eq!(phases, [85, 213, 192]);
        let [d4, a1] = [(896, 970), (906, 886)].map(|(open, end)| taper(open, end, phases[1]));
        assert_eq!([d4, a1].map(|sum| format!("{:.3}", sum as f64 / 256.0)), ["957.570", "889.359"]);
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
        assert!("late".parse::<PhaseScheme>().unwrap_err().to_string().contains("rustic, none"));
    }

    #[test]
    fn points_of_fruit_give_its_phase_whatever_the_pieces() {
        let points = PhaseScheme::Points(PhaseScheme::Fruit.points().map(|points| 256 * points));
        for number in 0..9 * 9 * 9 * 9 {
            let pieces = [number % 9, number / 9 % 9, number / 81 % 9, number / 729];
            assert_eq!(points.phase(pieces), PhaseScheme::Fruit.phase(pieces), "{pieces:?}");
        }
    }

    #[test]
    fn points_below_0_and_beyond_24_leave_the_phase_between_its_ends() {
        let points = PhaseScheme::Points([-512, 128, 512, 1280]);
        // 2 rooks of 2 points: 20 of 24 are missing, 256 * 20 / 24 = 213.3; 2 knights of -2 take them away again.
        assert_eq!([points.phase([0, 0, 2, 0]), points.phase([2, 0, 2, 0])], [213, 256]);
        assert_eq!([points.phase([1, 0, 0, 0]), points.phase([0, 0, 0, 5])], [256, 0]);
    }

    #[test]
    fn more_pieces_than_at_the_start_stay_at_the_opening() {
        assert_eq!(PhaseScheme::Fruit.phase([4, 4, 4, 9]), 0);
        assert_eq!(PhaseScheme::Madchess.phase([4, 4, 4, 9]), 0);
        assert_eq!(PhaseScheme::Rustic.phase([4, 4, 4, 9]), 0);
    }
}
