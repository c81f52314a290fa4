//! The board of the fast search: copied and made in a few instructions, with its sums kept up to date.
//!
//! Beside the men it carries what the evaluation of a leaf would otherwise walk for: the sum of all
//! piece-square terms, the pieces that the phase counts, and hash keys of the position and of its pawns.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position, Square, attacks};

use super::moves::CompactMove;
use crate::eval::{PIECE_VALUES, Placement};

pub(crate) const PAWN: usize = 0;
pub(crate) const KNIGHT: usize = 1;
pub(crate) const BISHOP: usize = 2;
pub(crate) const ROOK: usize = 3;
pub(crate) const QUEEN: usize = 4;
pub(crate) const KING: usize = 5;
/// No man in the mailbox.
pub(crate) const EMPTY: u8 = 6;
/// No en passant square.
const NO_SQUARE: u8 = 64;

/// Roles that a promotion number stands for.
const PROMOTED: [usize; 5] = [PAWN, QUEEN, ROOK, BISHOP, KNIGHT];

/// What a man adds to the sums that a board keeps.
pub(crate) struct Sums {
    /// Packed piece-square terms: colour, role, square; Black's negated.
    pub piece_square: Box<[[[i64; 64]; 6]; 2]>,
    /// Points of each role for the phase.
    pub phase_points: [i32; 6],
}

/// A position of standard chess.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub placement: Placement,
    /// Role on each square, or [`EMPTY`].
    pub mailbox: [u8; 64],
    en_passant: u8,
    /// Packed sum of the piece-square terms of all men, White's view.
    pub piece_square: i64,
    /// Points of all pieces for the phase.
    pub phase_points: i32,
    /// White's lead in material by the frozen values of the evaluation.
    pub lead: i32,
    /// Hash of the pawns of both sides.
    pub pawn_key: u64,
    /// Hash of each colour's men but the pawns.
    pub non_pawn_keys: [u64; 2],
}

impl Board {
    /// The same position, with its sums.
    pub fn new(position: &Chess, sums: &Sums) -> Board {
        let placement = Placement::from(position);
        let en_passant = position
            .ep_square(EnPassantMode::PseudoLegal)
            .map_or(NO_SQUARE, |square| u32::from(square) as u8);
        let mut board = Board {
            placement: Placement { roles: [0; 6], colors: [0; 2], ..placement },
            mailbox: [EMPTY; 64],
            en_passant,
            piece_square: 0,
            phase_points: 0,
            lead: 0,
            pawn_key: 0,
            non_pawn_keys: [0; 2],
        };
        for square in 0..64 {
            let bit = 1 << square;
            let role = placement.roles.iter().position(|set| set & bit != 0);
            let color = usize::from(placement.colors[1] & bit != 0);
            if let Some(role) = role {
                board.put(color, role, square, sums);
            }
        }
        board
    }

    /// Hash of the position.
    #[inline]
    pub fn key(&self) -> u64 {
        let Placement { turn, castling, .. } = self.placement;
        self.pawn_key
            ^ self.non_pawn_keys[0]
            ^ self.non_pawn_keys[1]
            ^ state_key(turn, castling, self.en_passant)
    }

    /// Index of the side to move: 0 White, 1 Black.
    #[inline]
    pub fn us(&self) -> usize {
        self.placement.turn as usize ^ 1
    }

    #[inline]
    pub fn occupied(&self) -> u64 {
        self.placement.colors[0] | self.placement.colors[1]
    }

    /// Men of one colour and role.
    #[inline]
    pub fn pieces(&self, color: usize, role: usize) -> u64 {
        self.placement.roles[role] & self.placement.colors[color]
    }

    #[inline]
    pub fn king(&self, color: usize) -> u32 {
        self.pieces(color, KING).trailing_zeros()
    }

    /// En passant square as a set.
    #[inline]
    pub fn en_passant(&self) -> u64 {
        if self.en_passant == NO_SQUARE { 0 } else { 1 << self.en_passant }
    }

    /// Men of `color` that attack `square` through `occupied`.
    #[inline]
    pub fn attackers(&self, square: u32, color: usize, occupied: u64) -> u64 {
        let roles = &self.placement.roles;
        let diagonal = roles[BISHOP] | roles[QUEEN];
        let straight = roles[ROOK] | roles[QUEEN];
        let attackers = (pawn_attacks(color ^ 1, square) & roles[PAWN])
            | (knight_attacks(square) & roles[KNIGHT])
            | (king_attacks(square) & roles[KING])
            | (bishop_attacks(square, occupied) & diagonal)
            | (rook_attacks(square, occupied) & straight);
        attackers & self.placement.colors[color]
    }

    /// Enemy men that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> u64 {
        let us = self.us();
        self.attackers(self.king(us), us ^ 1, self.occupied())
    }

    /// Whether no sequence of moves can mate: bare kings, one knight, or bishops of one square colour.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        const DARK: u64 = 0xaa55_aa55_aa55_aa55;
        let roles = &self.placement.roles;
        if roles[PAWN] | roles[ROOK] | roles[QUEEN] != 0 {
            return false;
        }
        let (knights, bishops) = (roles[KNIGHT], roles[BISHOP]);
        match knights.count_ones() {
            0 => bishops & DARK == 0 || bishops & !DARK == 0,
            1 => bishops == 0,
            _ => false,
        }
    }

    /// The position after a legal move.
    #[inline]
    pub fn make(&self, mv: CompactMove, sums: &Sums) -> Board {
        let mut after = *self;
        let (us, from, to) = (self.us(), mv.origin(), mv.target());
        let role = self.mailbox[from as usize] as usize;
        let captured = self.mailbox[to as usize];
        if captured != EMPTY {
            after.remove(us ^ 1, captured as usize, to, sums);
        }
        after.remove(us, role, from, sums);
        after.put(us, if mv.promotion() == 0 { role } else { PROMOTED[mv.promotion() as usize] }, to, sums);
        after.en_passant = NO_SQUARE;
        if role == PAWN {
            if to as u8 == self.en_passant {
                after.remove(us ^ 1, PAWN, to ^ 8, sums);
            } else if from ^ to == 16 {
                let passed_over = (from + to) / 2;
                if pawn_attacks(us, passed_over) & self.pieces(us ^ 1, PAWN) != 0 {
                    after.en_passant = passed_over as u8;
                }
            }
        } else if role == KING && from.abs_diff(to) == 2 {
            let (rook_from, rook_to) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
            after.remove(us, ROOK, rook_from, sums);
            after.put(us, ROOK, rook_to, sums);
        }
        after.placement.castling &= KEPT_RIGHTS[from as usize] & KEPT_RIGHTS[to as usize];
        after.placement.turn = !self.placement.turn;
        after
    }

    /// The position if the side to move, not in check, could leave the move to the other.
    #[inline]
    pub fn make_null_move(&self) -> Board {
        let mut after = *self;
        after.en_passant = NO_SQUARE;
        after.placement.turn = !self.placement.turn;
        after
    }

    #[inline]
    fn put(&mut self, color: usize, role: usize, square: u32, sums: &Sums) {
        self.mailbox[square as usize] = role as u8;
        self.toggle(color, role, square);
        self.piece_square += sums.piece_square[color][role][square as usize];
        self.phase_points += sums.phase_points[role];
        self.lead += LEAD[color][role];
    }

    #[inline]
    fn remove(&mut self, color: usize, role: usize, square: u32, sums: &Sums) {
        self.mailbox[square as usize] = EMPTY;
        self.toggle(color, role, square);
        self.piece_square -= sums.piece_square[color][role][square as usize];
        self.phase_points -= sums.phase_points[role];
        self.lead -= LEAD[color][role];
    }

    #[inline]
    fn toggle(&mut self, color: usize, role: usize, square: u32) {
        let key = PIECE_KEYS[color][role][square as usize];
        self.placement.roles[role] ^= 1 << square;
        self.placement.colors[color] ^= 1 << square;
        if role == PAWN {
            self.pawn_key ^= key;
        } else {
            self.non_pawn_keys[color] ^= key;
        }
    }
}

/// What a man adds to White's lead.
const LEAD: [[i32; 6]; 2] = {
    let [p, n, b, r, q] = PIECE_VALUES;
    [[p, n, b, r, q, 0], [-p, -n, -b, -r, -q, 0]]
};

/// Rights that survive when something leaves or reaches a square.
const KEPT_RIGHTS: [u8; 64] = {
    let mut kept = [0b1111; 64];
    kept[0] = 0b1101;
    kept[4] = 0b1100;
    kept[7] = 0b1110;
    kept[56] = 0b0111;
    kept[60] = 0b0011;
    kept[63] = 0b1011;
    kept
};

/// Keys of men: colour, role, square.
pub(crate) static PIECE_KEYS: [[[u64; 64]; 6]; 2] = {
    let mut keys = [[[0; 64]; 6]; 2];
    let mut index = 0;
    while index < 2 * 6 * 64 {
        keys[index / 384][index / 64 % 6][index % 64] = splitmix64(index as u64 + 1);
        index += 1;
    }
    keys
};

static STATE_KEYS: [u64; 16 + 65] = {
    let mut keys = [0; 16 + 65];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = splitmix64(index as u64 + 10_001);
        index += 1;
    }
    keys
};

const BLACK_TO_MOVE: u64 = splitmix64(20_001);

#[inline]
fn state_key(turn: Color, castling: u8, en_passant: u8) -> u64 {
    let turn = if turn.is_white() { 0 } else { BLACK_TO_MOVE };
    turn ^ STATE_KEYS[castling as usize] ^ STATE_KEYS[16 + en_passant as usize]
}

/// Output `n` of the generator SplitMix64 (Steele, Lea, Flood 2014) started at 0.
pub(crate) const fn splitmix64(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[inline]
fn square(index: u32) -> Square {
    debug_assert!(index < 64);
    Square::new(index & 63)
}

/// Squares attacked by a pawn of `color` on `from`.
#[inline]
pub(crate) fn pawn_attacks(color: usize, from: u32) -> u64 {
    let color = if color == 0 { Color::White } else { Color::Black };
    attacks::pawn_attacks(color, square(from)).0
}

#[inline]
pub(crate) fn knight_attacks(from: u32) -> u64 {
    attacks::knight_attacks(square(from)).0
}

#[inline]
pub(crate) fn king_attacks(from: u32) -> u64 {
    attacks::king_attacks(square(from)).0
}

#[inline]
pub(crate) fn bishop_attacks(from: u32, occupied: u64) -> u64 {
    attacks::bishop_attacks(square(from), Bitboard(occupied)).0
}

#[inline]
pub(crate) fn rook_attacks(from: u32, occupied: u64) -> u64 {
    attacks::rook_attacks(square(from), Bitboard(occupied)).0
}

/// Squares strictly between two squares on a line; none if they share no line.
#[inline]
pub(crate) fn between(a: u32, b: u32) -> u64 {
    attacks::between(square(a), square(b)).0
}

/// The whole line through two squares; empty if they share none.
#[inline]
pub(crate) fn ray(a: u32, b: u32) -> u64 {
    attacks::ray(square(a), square(b)).0
}
