//! Game phase: a number from 0 (opening) to 256 (endgame), computed from the pieces on the board by a named
//! scheme.
//!
//! `fruit` follows Fruit 2 (Fabien Letouzey, as described in the Chessprogramming wiki, "Tapered Eval");
//! `madchess` follows MadChess 2.0 beta 021 (Erik Madsen); `rustic` follows Rustic 4 (Marcel Vanthoor,
//! github.com/mvanthoor/rustic, `evaluation/phase.rs`); `none` has no endgame. A set of weights can have
//! points of its own in place of a scheme.
//!
//! The phase depends on the sum of the points only, so a program can update the sum with each move instead of
//! counting pieces.

use std::str::FromStr;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::error::{Error, unknown_name};

/// Whether the evaluation of a leaf uses the phase of the leaf or that of the root.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = Error, parse_err_fn = unknown_name::<PhaseAt>)]
pub enum PhaseAt {
    /// The phase of the leaf: the evaluation changes gradually.
    #[default]
    Leaf,
    /// The phase of the root for all leaves of its search. In 1988 the tables of the hardware were computed
    /// before each search, so the root decided; this is our reading.
    Root,
}

/// Numbers of knights, bishops, rooks and queens on the board, both sides together.
pub type PieceCounts = [u32; 4];

/// Largest sum of points at which the phase of [`PhaseScheme::Rustic`] is 256.
pub const RUSTIC_ENDGAME: i32 = 435;
/// Smallest sum of points at which the phase of [`PhaseScheme::Rustic`] is 0.
pub const RUSTIC_OPENING: i32 = 5255;

/// Smallest sum of points at which the phase of [`PhaseScheme::Points`] is 0: 24 points in 1/256 point.
pub const FULL_POINTS: i32 = 24 * 256;

/// How the phase is computed from the pieces on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum PhaseScheme {
    /// Knight 1, bishop 1, rook 2, queen 4, of 24; 256ths rounded half up.
    #[default]
    Fruit,
    /// Knight 1, bishop 1, rook 1, queen 2, of 16, in whole per cent; then 256ths rounded half up.
    Madchess,
    /// Knight 155, bishop 305, rook 405, queen 1050, together 5560 at the start. Opening from 5255 points,
    /// endgame up to 435, linear between. 256ths are rounded half up, where Rustic keeps the fraction.
    Rustic,
    /// Always 0: only opening weights count.
    None,
    /// As `fruit`, with these points of a knight, a bishop, a rook and a queen, in 1/256 point.
    Points([i32; 4]),
}

impl PhaseScheme {
    /// All schemes with a name on the command line.
    pub const ALL: [PhaseScheme; 4] =
        [PhaseScheme::Fruit, PhaseScheme::Madchess, PhaseScheme::Rustic, PhaseScheme::None];

    /// Points of a knight, a bishop, a rook and a queen. Pawns and kings have none in any scheme.
    pub fn points(self) -> [i32; 4] {
        match self {
            PhaseScheme::Fruit => [1, 1, 2, 4],
            PhaseScheme::Madchess => [1, 1, 1, 2],
            PhaseScheme::Rustic => [155, 305, 405, 1050],
            PhaseScheme::None => [0; 4],
            PhaseScheme::Points(points) => points,
        }
    }

    /// Phase in 256ths, 0 (opening) to 256 (endgame), of a position by the sum of the points of its pieces. A
    /// sum above that of the start, possible after promotions, has the phase 0. A sum below 0, possible with
    /// negative points, has the phase 256.
    #[inline]
    pub fn phase_of_points(self, present: i32) -> u16 {
        match self {
            PhaseScheme::Fruit => {
                let missing = 24 - present.min(24);
                ((missing * 256 + 12) / 24) as u16
            }
            PhaseScheme::Madchess => {
                let middlegame_percent = (100 * present / 16).min(100);
                (((100 - middlegame_percent) * 256 + 50) / 100) as u16
            }
            PhaseScheme::Rustic => {
                const SPAN: i32 = RUSTIC_OPENING - RUSTIC_ENDGAME;
                let missing = RUSTIC_OPENING - present.clamp(RUSTIC_ENDGAME, RUSTIC_OPENING);
                ((missing * 256 + SPAN / 2) / SPAN) as u16
            }
            PhaseScheme::None => 0,
            PhaseScheme::Points(_) => {
                let missing = FULL_POINTS - present.clamp(0, FULL_POINTS);
                ((missing + 12) / 24) as u16
            }
        }
    }

    /// Phase of a position with these pieces, 0 (opening) to 256 (endgame).
    pub fn phase(self, pieces: PieceCounts) -> u16 {
        self.phase_of_points(
            pieces.iter().zip(self.points()).map(|(&count, points)| count as i32 * points).sum(),
        )
    }

    /// Name on the command line, where it has one.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl PhaseAt {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl VariantArray for PhaseScheme {
    const VARIANTS: &'static [PhaseScheme] = &PhaseScheme::ALL;
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
        // 2 rooks of 2 points: 20 of 24 are missing, 256 * 20 / 24 = 213.3; 2 knights of -2 take them away
        // again.
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
