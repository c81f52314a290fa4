//! Moves packed into two bytes, and their canonical order.

use std::fmt;

use shakmaty::{Chess, Color, Move, Position, Role, Square, san::SanPlus};

/// A move: origin, target and promotion. Castling is a move of the king by two squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CompactMove(u16);

/// Roles by number of the promotion.
const PROMOTIONS: [Option<Role>; 5] =
    [None, Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];

impl CompactMove {
    /// No move: a1 to a1.
    pub const NONE: CompactMove = CompactMove(0);

    /// A move between two squares (0 = a1 to 63 = h8); promotion 0 none, 1 to 4 queen, rook, bishop, knight.
    #[inline]
    pub const fn new(from: u32, to: u32, promotion: u32) -> CompactMove {
        CompactMove((from | to << 6 | promotion << 12) as u16)
    }

    /// The move as the lower 16 bits of a number.
    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// The move in the lower 16 bits of a number.
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> CompactMove {
        CompactMove(bits as u16)
    }

    /// Square that the move starts from, 0 (a1) to 63 (h8).
    #[inline]
    pub const fn origin(self) -> u32 {
        self.0 as u32 & 63
    }

    /// Square that the move goes to, 0 (a1) to 63 (h8).
    #[inline]
    pub const fn target(self) -> u32 {
        self.0 as u32 >> 6 & 63
    }

    /// Promotion: 0 none, 1 queen, 2 rook, 3 bishop, 4 knight.
    #[inline]
    pub const fn promotion(self) -> u32 {
        self.0 as u32 >> 12
    }

    /// Sort key of the canonical order: origin, target, promotion (queen, rook, bishop, knight). For Black
    /// the board is flipped, so that mirrored positions have the same order.
    #[inline]
    pub fn canonical(self, mover: Color) -> u32 {
        let flip = if mover.is_white() { 0 } else { 56 };
        (self.origin() ^ flip) << 9 | (self.target() ^ flip) << 3 | self.promotion()
    }

    /// Index of origin and target below 4096, for butterfly boards. Promotions to different pieces share one.
    #[inline]
    pub const fn butterfly_index(self) -> usize {
        self.0 as usize & 4095
    }
}

impl From<Move> for CompactMove {
    fn from(mv: Move) -> CompactMove {
        let from = mv.from().map_or(0, u32::from);
        let to = match mv {
            Move::Castle { king, rook } if rook > king => u32::from(king) + 2,
            Move::Castle { king, .. } => u32::from(king) - 2,
            _ => u32::from(mv.to()),
        };
        let promotion = PROMOTIONS.iter().position(|&role| role == mv.promotion()).unwrap_or(0);
        CompactMove::new(from, to, promotion as u32)
    }
}

impl fmt::Display for CompactMove {
    /// UCI notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Square::new(self.origin()), Square::new(self.target()))?;
        match PROMOTIONS[self.promotion() as usize] {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

/// Legal moves in canonical order.
pub fn canonical_moves(position: &Chess) -> Vec<Move> {
    let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
    moves.sort_by_key(|&mv| CompactMove::from(mv).canonical(position.turn()));
    moves
}

/// A line in standard algebraic notation, without numbers; from a move on that is not legal, as squares.
pub fn san_line(root: &Chess, line: &[CompactMove]) -> Vec<String> {
    let mut position = Some(root.clone());
    let name = |&mv: &CompactMove| match position.as_mut().and_then(|p| Some((legal_move(p, mv)?, p))) {
        Some((mv, position)) => SanPlus::from_move_and_play_unchecked(position, mv).to_string(),
        None => {
            position = None;
            mv.to_string()
        }
    };
    line.iter().map(name).collect()
}

/// The move as shakmaty has it; none if it is not legal.
pub fn legal_move(position: &Chess, mv: CompactMove) -> Option<Move> {
    position.legal_moves().into_iter().find(|&legal| CompactMove::from(legal) == mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotions_come_as_queen_rook_bishop_knight() {
        let keys = [1, 2, 3, 4].map(|promotion| CompactMove::new(48, 56, promotion));
        assert_eq!(keys.map(|mv| mv.to_string()), ["a7a8q", "a7a8r", "a7a8b", "a7a8n"]);
        assert!(keys.is_sorted_by_key(|mv| mv.canonical(Color::White)));
    }

    #[test]
    fn black_orders_its_moves_as_white_would_in_the_mirror() {
        let (white, black) = (CompactMove::new(8, 16, 0), CompactMove::new(48, 40, 0));
        assert_eq!(white.canonical(Color::White), black.canonical(Color::Black));
    }

    #[test]
    fn castling_is_written_as_the_move_of_the_king() {
        let castle = Move::Castle { king: Square::E8, rook: Square::A8 };
        assert_eq!(CompactMove::from(castle).to_string(), "e8c8");
    }

    #[test]
    fn a_line_is_written_in_standard_notation_and_as_squares_from_an_illegal_move_on() {
        let moves = [(12, 28), (51, 35), (28, 35), (59, 35), (0, 63), (8, 16)];
        let line = moves.map(|(from, to)| CompactMove::new(from, to, 0));
        assert_eq!(san_line(&Chess::default(), &line), ["e4", "d5", "exd5", "Qxd5", "a1h8", "a2a3"]);
    }
}
