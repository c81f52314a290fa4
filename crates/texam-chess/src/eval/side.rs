//! The input of the evaluation: the placement of pieces and pawns, and the placement from the view of one
//! side.

use shakmaty::{CastlingSide, Chess, Color, Position, Role};

use super::geometry::{CORNER_COLOR, set};
use crate::phase::PieceCounts;

/// The part of a position that the evaluation depends on. Bit 0 is a1, bit 63 is h8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// Squares of each role: pawn, knight, bishop, rook, queen, king.
    pub roles: [u64; 6],
    /// Squares of each colour: White, Black.
    pub colors: [u64; 2],
    /// Side to move.
    pub turn: Color,
    /// Rights to castle: bits 0 and 1 White's king and queen side, bits 2 and 3 Black's.
    pub castling: u8,
}

/// Fixed values of pawn, knight, bishop, rook and queen, in units of 1/128 pawn. They are the opening start
/// weights and do not follow the weights.
pub const PIECE_VALUES: [i32; 5] = [128, 416, 424, 640, 1216];

impl Placement {
    /// Numbers of knights, bishops, rooks and queens on the board, both sides together.
    pub fn piece_counts(&self) -> PieceCounts {
        [1, 2, 3, 4].map(|role| self.roles[role].count_ones())
    }

    /// Material of White less that of Black by [`PIECE_VALUES`], in units of 1/128 pawn.
    pub fn lead(&self) -> i32 {
        let [white, black] = self.colors;
        let surplus = |set: u64| (set & white).count_ones() as i32 - (set & black).count_ones() as i32;
        PIECE_VALUES.iter().zip(self.roles).map(|(value, set)| value * surplus(set)).sum()
    }
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

/// Bitboards of the pieces and pawns of one side. Bit 0 is a1 from the view of the side that evaluates.
#[derive(Debug, Clone, Copy)]
pub struct SideBitboards {
    /// Pawns.
    pub pawns: u64,
    /// Knights.
    pub knights: u64,
    /// Bishops.
    pub bishops: u64,
    /// Rooks.
    pub rooks: u64,
    /// Queens.
    pub queens: u64,
    /// The king.
    pub king: u64,
}

impl SideBitboards {
    /// All pieces and pawns.
    #[inline(always)]
    pub fn all(&self) -> u64 {
        self.pawns | self.minors_and_majors() | self.king
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    pub fn minors_and_majors(&self) -> u64 {
        self.knights | self.bishops | self.rooks | self.queens
    }

    /// Square of the king.
    #[inline(always)]
    pub fn king_square(&self) -> u32 {
        self.king.trailing_zeros()
    }

    /// Calls `f` with role and square of every piece and pawn.
    pub fn for_each(&self, mut f: impl FnMut(Role, u32)) {
        for (role, set) in [
            (Role::Pawn, self.pawns),
            (Role::Knight, self.knights),
            (Role::Bishop, self.bishops),
            (Role::Rook, self.rooks),
            (Role::Queen, self.queens),
            (Role::King, self.king),
        ] {
            squares(set).for_each(|square| f(role, square));
        }
    }
}

/// A position from the view of one side, whose own back rank is rank 1.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// Own pieces and pawns.
    pub own: SideBitboards,
    /// Enemy pieces and pawns.
    pub enemy: SideBitboards,
    /// Own material less that of the enemy, in units of 1/128 pawn, as in [`Placement::lead`].
    pub lead: i32,
    /// Own right to castle on the king's side.
    pub castles_king_side: bool,
    /// Own right to castle on the queen's side.
    pub castles_queen_side: bool,
    /// Whether this side is to move.
    pub to_move: bool,
}

impl Side {
    /// The position from the view of `color`; `lead` is [`Placement::lead`].
    #[inline(always)]
    pub fn new(placement: &Placement, color: Color, lead: i32) -> Side {
        let bitboards = |owner: Color| {
            let seen = |role: usize| {
                let set = placement.roles[role] & placement.colors[usize::from(owner.is_black())];
                if color.is_white() { set } else { set.swap_bytes() }
            };
            SideBitboards {
                pawns: seen(0),
                knights: seen(1),
                bishops: seen(2),
                rooks: seen(3),
                queens: seen(4),
                king: seen(5),
            }
        };
        let rights = placement.castling >> if color.is_white() { 0 } else { 2 };
        Side {
            own: bitboards(color),
            enemy: bitboards(color.other()),
            lead: if color.is_white() { lead } else { -lead },
            castles_king_side: rights & 1 != 0,
            castles_queen_side: rights & 2 != 0,
            to_move: placement.turn == color,
        }
    }

    /// The own pieces and pawns, and the facts about the enemy that their terms depend on.
    #[inline(always)]
    pub fn own_view(&self) -> OwnView {
        OwnView {
            own: self.own,
            enemy_pawns: self.enemy.pawns,
            enemy_king: self.enemy.king,
            enemy_queen: self.enemy.queens != 0,
            enemy_rook: self.enemy.rooks != 0,
            enemy_bishops: [CORNER_COLOR, !CORNER_COLOR].map(|color| self.enemy.bishops & color != 0),
            center_blockers: self.enemy.all() & CENTER_STOPS,
            is_winning: self.lead >= WINNING_LEAD,
            castles_king_side: self.castles_king_side,
            castles_queen_side: self.castles_queen_side,
        }
    }

    /// All pieces and pawns on the board.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.own.all() | self.enemy.all()
    }
}

/// d3 and e3, where any piece or pawn blocks the centre pawns.
const CENTER_STOPS: u64 = set("d3 e3");

/// A lead of two pawns, in units of 1/128 pawn. From here on `k_mopup` counts.
pub const WINNING_LEAD: i32 = 256;

/// All that the terms of one side, except those of passed pawns, depend on: its own pieces and pawns, and a
/// few facts about the enemy. Since there are few facts, the same view occurs in many positions, and the fast
/// evaluation caches its sum.
#[derive(Debug, Clone, Copy)]
pub struct OwnView {
    /// Own pieces and pawns.
    pub own: SideBitboards,
    /// Enemy pawns.
    pub enemy_pawns: u64,
    /// Enemy king.
    pub enemy_king: u64,
    /// Whether the enemy has a queen.
    pub enemy_queen: bool,
    /// Whether the enemy has a rook.
    pub enemy_rook: bool,
    /// Whether the enemy has a bishop on squares of the colour of a1, and on the others.
    pub enemy_bishops: [bool; 2],
    /// Enemy pieces and pawns on d3 and e3.
    pub center_blockers: u64,
    /// Whether the own lead is [`WINNING_LEAD`] or more.
    pub is_winning: bool,
    /// Own right to castle on the king's side.
    pub castles_king_side: bool,
    /// Own right to castle on the queen's side.
    pub castles_queen_side: bool,
}

impl OwnView {
    /// Own pawns on d2 and e2 that are blocked by a piece or pawn of either side.
    #[inline(always)]
    pub fn blocked_center_pawns(&self) -> u64 {
        self.own.pawns & (((self.own.all() & CENTER_STOPS) | self.center_blockers) >> 8)
    }

    /// The part of the view that the terms of king and pawns depend on.
    #[inline(always)]
    pub fn king_view(&self) -> KingView {
        KingView {
            square: self.own.king_square(),
            enemy_queen: self.enemy_queen,
            enemy_rook: self.enemy_rook,
        }
    }
}

/// A king, and whether the enemy has the pieces that make open files dangerous to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KingView {
    /// Square of the king, from the view of its side.
    pub square: u32,
    /// Whether the enemy has a queen.
    pub enemy_queen: bool,
    /// Whether the enemy has a rook.
    pub enemy_rook: bool,
}

/// The squares of a set, ascending.
#[inline(always)]
pub fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros();
        set &= set - 1;
        Some(square)
    })
}
