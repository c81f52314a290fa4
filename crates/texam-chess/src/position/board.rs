//! The board of the fast searches: bitboards and a mailbox, copied for each move (copy-make).
//!
//! Making a move also updates what the evaluation would otherwise have to recompute: the sum of all
//! piece-square terms, the points of the game phase, the material balance, and hash keys of the pawns and of
//! the pieces of each side.

use shakmaty::{Chess, Color, EnPassantMode, Position, Square, attacks};

use super::{moves::CompactMove, random::SplitMix64};
use crate::eval::{PIECE_VALUES, Placement, bishop_attacks, rook_attacks};

/// Index of the pawns.
pub(crate) const PAWN: usize = 0;
/// Index of the knights.
pub(crate) const KNIGHT: usize = 1;
/// Index of the bishops.
pub(crate) const BISHOP: usize = 2;
/// Index of the rooks.
pub(crate) const ROOK: usize = 3;
/// Index of the queens.
pub(crate) const QUEEN: usize = 4;
/// Index of the king.
pub(crate) const KING: usize = 5;
/// Marks an empty square in the mailbox.
pub(crate) const EMPTY: u8 = 6;
/// Value of `en_passant` if there is no en passant square.
const NO_SQUARE: u8 = 64;

/// Roles by the number of a promotion in [`CompactMove::promotion`].
const PROMOTED: [usize; 5] = [PAWN, QUEEN, ROOK, BISHOP, KNIGHT];

/// What each piece and pawn adds to the sums that a [`Board`] updates with each move.
pub(crate) struct Sums {
    /// Packed piece-square terms by colour, role and square; those of Black are negated.
    pub piece_square: Box<[[[i64; 64]; 6]; 2]>,
    /// Points of each role for the game phase.
    pub phase_points: [i32; 6],
}

/// The dark squares, a1 among them.
pub(crate) const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;

/// A position of standard chess.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    /// Bitboards, side to move and castling rights.
    pub placement: Placement,
    /// Role on each square, or [`EMPTY`].
    pub mailbox: [u8; 64],
    /// En passant square if an enemy pawn attacks it, or [`NO_SQUARE`].
    en_passant: u8,
    /// Packed sum of all piece-square terms, from White's view.
    pub piece_square: i64,
    /// Points of all pieces for the game phase.
    pub phase_points: i32,
    /// Material of White less that of Black by [`PIECE_VALUES`], in units of 1/128 pawn.
    pub lead: i32,
    /// Hash key of the pawns of both sides.
    pub pawn_key: u64,
    /// Hash keys of the pieces of each colour, without the pawns.
    pub non_pawn_keys: [u64; 2],
}

impl Board {
    /// The board of a position, with its sums computed from scratch.
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

    /// Hash key of the position: pieces and pawns, side to move, castling rights and en passant square.
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

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.placement.colors[0] | self.placement.colors[1]
    }

    /// Pieces (or pawns) of one colour and role.
    #[inline]
    pub fn pieces(&self, color: usize, role: usize) -> u64 {
        self.placement.roles[role] & self.placement.colors[color]
    }

    /// Square of the king.
    #[inline]
    pub fn king(&self, color: usize) -> u32 {
        self.pieces(color, KING).trailing_zeros()
    }

    /// En passant square as a set.
    #[inline]
    pub fn en_passant(&self) -> u64 {
        if self.en_passant == NO_SQUARE { 0 } else { 1 << self.en_passant }
    }

    /// Pieces and pawns of `color` that attack `square`, with `occupied` as blockers.
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

    /// Whether a piece or pawn of `color` attacks `square`, with `occupied` as blockers.
    #[inline]
    pub fn is_attacked(&self, square: u32, color: usize, occupied: u64) -> bool {
        let roles = &self.placement.roles;
        let pieces = self.placement.colors[color];
        let near = (pawn_attacks(color ^ 1, square) & roles[PAWN])
            | (knight_attacks(square) & roles[KNIGHT])
            | (king_attacks(square) & roles[KING]);
        near & pieces != 0
            || bishop_attacks(square, occupied) & (roles[BISHOP] | roles[QUEEN]) & pieces != 0
            || rook_attacks(square, occupied) & (roles[ROOK] | roles[QUEEN]) & pieces != 0
    }

    /// Enemy pieces and pawns that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> u64 {
        let us = self.us();
        self.attackers(self.king(us), us ^ 1, self.occupied())
    }

    /// Whether a move captures a piece or a pawn, also en passant.
    #[inline]
    pub fn is_capture(&self, mv: CompactMove) -> bool {
        let changes_file = (mv.origin() ^ mv.target()) & 7 != 0;
        let is_pawn = self.mailbox[mv.origin() as usize] == PAWN as u8;
        self.mailbox[mv.target() as usize] != EMPTY || (is_pawn && changes_file)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_in_check(&self) -> bool {
        let us = self.us();
        self.is_attacked(self.king(us), us ^ 1, self.occupied())
    }

    /// Whether neither side can mate by any sequence of moves: kings alone, kings and one knight, or kings
    /// and bishops on squares of one colour.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let roles = &self.placement.roles;
        if roles[PAWN] | roles[ROOK] | roles[QUEEN] != 0 {
            return false;
        }
        let (knights, bishops) = (roles[KNIGHT], roles[BISHOP]);
        match knights.count_ones() {
            0 => bishops & DARK_SQUARES == 0 || bishops & !DARK_SQUARES == 0,
            1 => bishops == 0,
            _ => false,
        }
    }

    /// Whether a move, from wherever it comes, can be made without breaking the board: as a legal one, but
    /// that the king may be in check after it, and may castle out of check or through one.
    pub fn can_make(&self, mv: CompactMove) -> bool {
        let (us, from, to) = (self.us(), mv.origin(), mv.target());
        let (own, occupied) = (self.placement.colors[us], self.occupied());
        let bit = 1 << to;
        let is_promotion = mv.promotion() != 0;
        if own >> from & 1 == 0 || (own | self.placement.roles[KING]) & bit != 0 || mv.promotion() > 4 {
            return false;
        }
        let targets = match self.mailbox[from as usize] as usize {
            PAWN => {
                if is_promotion != matches!(to / 8, 0 | 7) {
                    return false;
                }
                let ahead = |square: u32| if us == 0 { square + 8 } else { square - 8 };
                let one = ahead(from);
                let mut steps = 1_u64 << one & !occupied;
                if steps != 0 && from / 8 == [1, 6][us] {
                    steps |= 1 << ahead(one) & !occupied;
                }
                steps | pawn_attacks(us, from) & (self.placement.colors[us ^ 1] | self.en_passant())
            }
            _ if is_promotion => 0,
            KNIGHT => knight_attacks(from),
            BISHOP => bishop_attacks(from, occupied),
            ROOK => rook_attacks(from, occupied),
            QUEEN => bishop_attacks(from, occupied) | rook_attacks(from, occupied),
            _ if from.abs_diff(to) == 2 => {
                let (rook, right) = if to > from { (7, 1 << (2 * us)) } else { (0, 2 << (2 * us)) };
                let rook = rook + 56 * us as u32;
                let may_castle = from == 4 + 56 * us as u32 && self.placement.castling & right != 0;
                return may_castle && between(from, rook) & occupied == 0;
            }
            _ => king_attacks(from),
        };
        targets & bit != 0
    }

    /// The position after a legal move. Where it counts, copy the board and [`play`](Self::play) there: the
    /// compiler copies the result of this function once more.
    #[inline]
    pub fn make(&self, mv: CompactMove, sums: &Sums) -> Board {
        let mut after = *self;
        after.play(mv, sums);
        after
    }

    /// Plays a legal move.
    #[inline(never)]
    pub fn play(&mut self, mv: CompactMove, sums: &Sums) {
        let (us, from, to) = (self.us(), mv.origin(), mv.target());
        let role = self.mailbox[from as usize] as usize;
        let captured = self.mailbox[to as usize];
        let en_passant = std::mem::replace(&mut self.en_passant, NO_SQUARE);
        if captured != EMPTY {
            self.remove(us ^ 1, captured as usize, to, sums);
        }
        self.shift(us, role, from, to, sums);
        if role == PAWN {
            if mv.promotion() != 0 {
                self.remove(us, PAWN, to, sums);
                self.put(us, PROMOTED[mv.promotion() as usize], to, sums);
            } else if to as u8 == en_passant {
                self.remove(us ^ 1, PAWN, to ^ 8, sums);
            } else if from ^ to == 16 {
                let skipped = (from + to) / 2;
                if pawn_attacks(us, skipped) & self.pieces(us ^ 1, PAWN) != 0 {
                    self.en_passant = skipped as u8;
                }
            }
        } else if role == KING && from.abs_diff(to) == 2 {
            let (rook_from, rook_to) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
            self.shift(us, ROOK, rook_from, rook_to, sums);
        }
        self.placement.castling &= KEPT_RIGHTS[from as usize] & KEPT_RIGHTS[to as usize];
        self.placement.turn = !self.placement.turn;
    }

    /// The position after a null move. The side to move must not be in check.
    #[inline]
    pub fn make_null_move(&self) -> Board {
        let mut after = *self;
        after.en_passant = NO_SQUARE;
        after.placement.turn = !self.placement.turn;
        after
    }

    /// Moves a piece or pawn to an empty square.
    #[inline]
    fn shift(&mut self, color: usize, role: usize, from: u32, to: u32, sums: &Sums) {
        self.mailbox[from as usize] = EMPTY;
        self.mailbox[to as usize] = role as u8;
        let (squares, keys) = (&sums.piece_square[color][role], &PIECE_KEYS[color][role]);
        self.piece_square += squares[to as usize] - squares[from as usize];
        let (both, key) = (1 << from | 1 << to, keys[from as usize] ^ keys[to as usize]);
        self.placement.roles[role] ^= both;
        self.placement.colors[color] ^= both;
        if role == PAWN {
            self.pawn_key ^= key;
        } else {
            self.non_pawn_keys[color] ^= key;
        }
    }

    /// Puts a piece or pawn on an empty square.
    #[inline]
    fn put(&mut self, color: usize, role: usize, square: u32, sums: &Sums) {
        self.mailbox[square as usize] = role as u8;
        self.toggle(color, role, square);
        self.piece_square += sums.piece_square[color][role][square as usize];
        self.phase_points += sums.phase_points[role];
        self.lead += LEAD[color][role];
    }

    /// Removes a piece or pawn from its square.
    #[inline]
    fn remove(&mut self, color: usize, role: usize, square: u32, sums: &Sums) {
        self.mailbox[square as usize] = EMPTY;
        self.toggle(color, role, square);
        self.piece_square -= sums.piece_square[color][role][square as usize];
        self.phase_points -= sums.phase_points[role];
        self.lead -= LEAD[color][role];
    }

    /// Adds or removes a piece or pawn in the bitboards and keys.
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

/// What each piece and pawn adds to the material balance, by colour and role.
const LEAD: [[i32; 6]; 2] = {
    let [p, n, b, r, q] = PIECE_VALUES;
    [[p, n, b, r, q, 0], [-p, -n, -b, -r, -q, 0]]
};

/// Castling rights that remain after a move from or to a square.
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

/// Zobrist keys of pieces and pawns by colour, role and square.
pub(crate) static PIECE_KEYS: [[[u64; 64]; 6]; 2] = {
    let mut keys = [[[0; 64]; 6]; 2];
    let mut index = 0;
    while index < 2 * 6 * 64 {
        keys[index / 384][index / 64 % 6][index % 64] = SplitMix64::nth(index as u64 + 1);
        index += 1;
    }
    keys
};

/// Zobrist keys of the 16 sets of castling rights and of the en passant squares, [`NO_SQUARE`] included.
static STATE_KEYS: [u64; 16 + 65] = {
    let mut keys = [0; 16 + 65];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = SplitMix64::nth(index as u64 + 10_001);
        index += 1;
    }
    keys
};

/// Zobrist key of Black to move.
const BLACK_TO_MOVE: u64 = SplitMix64::nth(20_001);

#[inline]
fn state_key(turn: Color, castling: u8, en_passant: u8) -> u64 {
    let turn = if turn.is_white() { 0 } else { BLACK_TO_MOVE };
    turn ^ STATE_KEYS[castling as usize] ^ STATE_KEYS[16 + en_passant as usize]
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

/// Squares attacked by a knight.
#[inline]
pub(crate) fn knight_attacks(from: u32) -> u64 {
    attacks::knight_attacks(square(from)).0
}

/// Squares attacked by a king.
#[inline]
pub(crate) fn king_attacks(from: u32) -> u64 {
    attacks::king_attacks(square(from)).0
}

/// Squares strictly between two squares of a rank, file or diagonal; empty for other pairs of squares.
#[inline]
pub(crate) fn between(a: u32, b: u32) -> u64 {
    attacks::between(square(a), square(b)).0
}

/// The whole rank, file or diagonal through two squares; empty if there is none.
#[inline]
pub(crate) fn ray(a: u32, b: u32) -> u64 {
    attacks::ray(square(a), square(b)).0
}
