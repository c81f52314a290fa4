//! Schemes of the game phase: points for each piece, and the phase as a function of the sum of points.
//!
//! `fruit` follows Fruit 2 (Fabien Letouzey, as described in the Chessprogramming wiki, "Tapered Eval");
//! `madchess` follows MadChess 2.0 beta 021 (Erik Madsen); `rustic` follows Rustic 4 (Marcel Vanthoor,
//! github.com/mvanthoor/rustic, `evaluation/phase.rs`); `none` has no endgame. A set of weights can have points of
//! its own in place of a scheme.
//!
//! The phase depends on the sum of the points only, so a program can update the sum with each move instead of
//! counting pieces.

/// Largest sum of points at which the phase of [`PhaseScheme::Rustic`] is 256.
pub const RUSTIC_ENDGAME: i32 = 435;
/// Smallest sum of points at which the phase of [`PhaseScheme::Rustic`] is 0.
pub const RUSTIC_OPENING: i32 = 5255;

/// Smallest sum of points at which the phase of [`PhaseScheme::Points`] is 0: 24 points in 1/256 point.
pub const FULL_POINTS: i32 = 24 * 256;

/// How the phase is computed from the pieces on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
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
    /// sum above that of the start, possible after promotions, has the phase 0. A sum below 0, possible with negative
    /// points, has the phase 256.
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
}
