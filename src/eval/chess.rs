//! Imports `Color` and `Role` from shakmaty for the other files of the evaluation, and converts a position of
//! shakmaty to a [`Placement`].

use shakmaty::{CastlingSide, Chess, Position};
pub use shakmaty::{Color, Role};

use super::Placement;

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
