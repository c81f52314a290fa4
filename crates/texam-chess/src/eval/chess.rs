//! Imports `Color` and `Role` from shakmaty for the other files of the evaluation, and converts a position of
//! shakmaty to a [`Placement`].

use shakmaty::{Bitboard, CastlingSide, Chess, Position, Square, attacks};
pub use shakmaty::{Color, Role};

use super::Placement;

/// Squares that a bishop attacks, with `occupied` as blockers.
#[inline(always)]
pub fn bishop_attacks(square: u32, occupied: u64) -> u64 {
    attacks::bishop_attacks(Square::new(square & 63), Bitboard(occupied)).0
}

/// Squares that a rook attacks, with `occupied` as blockers.
#[inline(always)]
pub fn rook_attacks(square: u32, occupied: u64) -> u64 {
    attacks::rook_attacks(Square::new(square & 63), Bitboard(occupied)).0
}

impl From<&Chess> for Placement {
    fn from(position: &Chess) -> Placement {
        let (roles, colors) = position.board().clone().into_bitboards();
        let mut castling = 0;
        for (bit, (color, side)) in [
            (Color::White, CastlingSide::KingSide),
            (Color::White, CastlingSide::QueenSide),
            (Color::Black, CastlingSide::KingSide),
            (Color::Black, CastlingSide::QueenSide),
        ]
        .into_iter()
        .enumerate()
        {
            castling |= u8::from(position.castles().has(color, side)) << bit;
        }
        Placement {
            roles: [roles.pawn, roles.knight, roles.bishop, roles.rook, roles.queen, roles.king]
                .map(u64::from),
            colors: [u64::from(colors.white), u64::from(colors.black)],
            turn: position.turn(),
            castling,
        }
    }
}
