//! Generation of legal moves: all of them, or the captures and queen promotions that quiescence searches.
//!
//! Only legal moves are generated. Legality follows from the checkers and the pinned pieces, found once for a
//! position.

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;

use super::{
    board::{
        BISHOP, Board, KING, KNIGHT, PAWN, QUEEN, ROOK, between, king_attacks, knight_attacks, pawn_attacks,
        ray,
    },
    moves::CompactMove,
};
use crate::eval::{bishop_attacks, rook_attacks, squares};

const RANK_1: u64 = 0xff;
const RANK_3: u64 = 0xff << 16;
const RANK_6: u64 = 0xff << 40;
const RANK_8: u64 = 0xff << 56;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Capacity of a list of moves. No legal position has more than 218.
pub(crate) const CAPACITY: usize = 256;

/// A list of moves, on the stack.
pub(crate) type Moves = ArrayVec<CompactMove, CAPACITY>;

/// Checkers and pinned pieces of the side to move.
pub(crate) struct CheckInfo {
    /// Enemy pieces and pawns that give check.
    pub checkers: u64,
    /// Pieces and pawns that alone stand between an enemy slider and the king. Only those of the side to move
    /// count.
    pinned: u64,
    king: u32,
}

impl CheckInfo {
    /// Checkers and pinned pieces of a position.
    #[inline]
    pub fn new(board: &Board) -> CheckInfo {
        let us = board.us();
        let king = board.king(us);
        let occupied = board.occupied();
        let roles = &board.placement.roles;
        let enemy = board.placement.colors[us ^ 1];
        let snipers = ((rook_attacks(king, enemy) & (roles[ROOK] | roles[QUEEN]))
            | (bishop_attacks(king, enemy) & (roles[BISHOP] | roles[QUEEN])))
            & enemy;
        let (mut pinned, mut sliding) = (0, 0);
        for sniper in squares(snipers) {
            let blockers = between(king, sniper) & occupied;
            if blockers == 0 {
                sliding |= 1 << sniper;
            } else if blockers & (blockers - 1) == 0 {
                pinned |= blockers;
            }
        }
        let leapers = (pawn_attacks(us, king) & roles[PAWN]) | (knight_attacks(king) & roles[KNIGHT]);
        CheckInfo { checkers: sliding | (leapers & enemy), pinned, king }
    }

    /// Squares to which a piece other than the king may move so that no check remains.
    #[inline]
    fn evasion_targets(&self) -> u64 {
        match self.checkers {
            0 => !0,
            one if one & (one - 1) == 0 => one | between(self.king, one.trailing_zeros()),
            _ => 0,
        }
    }

    /// Whether a move from `from` to `to` leaves no pin that exposes the king.
    #[inline]
    fn allows(&self, from: u32, to: u32) -> bool {
        self.pinned & 1 << from == 0 || ray(self.king, from) & 1 << to != 0
    }
}

/// All legal moves.
pub(crate) fn legal(board: &Board, checks: &CheckInfo, moves: &mut Moves) {
    let own = board.placement.colors[board.us()];
    let targets = checks.evasion_targets() & !own;
    king_moves(board, checks, !own, moves);
    if targets != 0 {
        piece_moves(board, checks, targets, moves);
        pawn_captures(board, checks, targets, ALL, moves);
        pawn_pushes(board, checks, targets, ALL, moves);
        en_passant(board, checks, moves);
    }
    if checks.checkers == 0 {
        castling(board, moves);
    }
}

/// Legal captures, en passant included, and queen promotions.
pub(crate) fn tactical(board: &Board, checks: &CheckInfo, moves: &mut Moves) {
    let enemy = board.placement.colors[board.us() ^ 1];
    let evasions = checks.evasion_targets();
    let targets = evasions & enemy;
    king_moves(board, checks, enemy, moves);
    if targets != 0 {
        piece_moves(board, checks, targets, moves);
        pawn_captures(board, checks, targets, QUEEN_ONLY, moves);
    }
    queen_promotions(board, checks, evasions, moves);
    en_passant(board, checks, moves);
}

/// The legal moves that are not [`tactical`].
pub(crate) fn quiet(board: &Board, checks: &CheckInfo, moves: &mut Moves) {
    let evasions = checks.evasion_targets();
    let empty = !board.occupied();
    king_moves(board, checks, empty, moves);
    if evasions != 0 {
        piece_moves(board, checks, evasions & empty, moves);
        pawn_captures(board, checks, evasions & (RANK_1 | RANK_8), MINOR, moves);
        pawn_pushes(board, checks, evasions, MINOR, moves);
    }
    if checks.checkers == 0 {
        castling(board, moves);
    }
}

/// Whether a move, from wherever it comes, is legal.
pub(crate) fn is_legal(board: &Board, checks: &CheckInfo, mv: CompactMove) -> bool {
    if !board.can_make(mv) {
        return false;
    }
    let (us, from, to) = (board.us(), mv.origin(), mv.target());
    if from == checks.king {
        let safe = |square| !board.is_attacked(square, us ^ 1, board.occupied() ^ 1 << from);
        let castles = from.abs_diff(to) == 2;
        return safe(to) && (!castles || (checks.checkers == 0 && safe((from + to) / 2)));
    }
    if board.en_passant() & 1 << to != 0 && board.mailbox[from as usize] == PAWN as u8 {
        return is_legal_en_passant(board, checks, from, to);
    }
    checks.evasion_targets() & 1 << to != 0 && checks.allows(from, to)
}

/// Whether there is a legal move.
pub(crate) fn any_legal(board: &Board) -> bool {
    if !board.is_in_check() {
        return any_legal_without_check(board);
    }
    let mut moves = Moves::new();
    legal(board, &CheckInfo::new(board), &mut moves);
    !moves.is_empty()
}

/// Whether there is a legal move, if the side to move is not in check. In nearly all positions a pawn or
/// knight that cannot be pinned has one, which is fast to see.
pub(crate) fn any_legal_without_check(board: &Board) -> bool {
    let us = board.us();
    let king = board.king(us);
    // Pieces that are on no rank, file or diagonal of their king cannot be pinned.
    let lines = rook_attacks(king, 0) | bishop_attacks(king, 0);
    let free = board.placement.colors[us] & !lines;
    let pawns = free & board.placement.roles[PAWN];
    let ahead = if us == 0 { pawns << 8 } else { pawns >> 8 };
    if ahead & !board.occupied() != 0 {
        return true;
    }
    let knights = free & board.placement.roles[KNIGHT];
    let blocked = board.placement.colors[us];
    if squares(knights).any(|from| knight_attacks(from) & !blocked != 0) {
        return true;
    }
    let mut moves = Moves::new();
    legal(board, &CheckInfo::new(board), &mut moves);
    !moves.is_empty()
}

fn king_moves(board: &Board, checks: &CheckInfo, targets: u64, moves: &mut Moves) {
    let us = board.us();
    let without_king = board.occupied() ^ 1 << checks.king;
    for to in squares(king_attacks(checks.king) & targets) {
        if !board.is_attacked(to, us ^ 1, without_king) {
            moves.push(CompactMove::new(checks.king, to, 0));
        }
    }
}

fn piece_moves(board: &Board, checks: &CheckInfo, targets: u64, moves: &mut Moves) {
    let us = board.us();
    let occupied = board.occupied();
    let own = board.placement.colors[us];
    let mut add = |from: u32, reach: u64| {
        let mut reach = reach & targets;
        if checks.pinned & 1 << from != 0 {
            reach &= ray(checks.king, from);
        }
        for to in squares(reach) {
            moves.push(CompactMove::new(from, to, 0));
        }
    };
    let roles = &board.placement.roles;
    for from in squares(roles[KNIGHT] & own) {
        add(from, knight_attacks(from));
    }
    for from in squares((roles[BISHOP] | roles[QUEEN]) & own) {
        add(from, bishop_attacks(from, occupied));
    }
    for from in squares((roles[ROOK] | roles[QUEEN]) & own) {
        add(from, rook_attacks(from, occupied));
    }
}

/// Direction and special ranks of the pawns of one side.
struct PawnMotion {
    forward: i32,
    last_rank: u64,
    double_rank: u64,
}

impl PawnMotion {
    #[inline]
    fn new(us: usize) -> PawnMotion {
        if us == 0 {
            PawnMotion { forward: 8, last_rank: RANK_8, double_rank: RANK_3 }
        } else {
            PawnMotion { forward: -8, last_rank: RANK_1, double_rank: RANK_6 }
        }
    }

    #[inline]
    fn advance(&self, set: u64) -> u64 {
        shift(set, self.forward)
    }
}

#[inline]
fn shift(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

/// Promotions to generate, as numbers of [`CompactMove::promotion`].
type Promotions = RangeInclusive<u32>;

const ALL: Promotions = 1..=4;
const QUEEN_ONLY: Promotions = 1..=1;
const MINOR: Promotions = 2..=4;

fn push_pawn(from: u32, to: u32, last_rank: u64, promotions: Promotions, moves: &mut Moves) {
    if last_rank & 1 << to == 0 {
        moves.push(CompactMove::new(from, to, 0));
    } else {
        for promotion in promotions {
            moves.push(CompactMove::new(from, to, promotion));
        }
    }
}

fn pawn_captures(board: &Board, checks: &CheckInfo, targets: u64, promotions: Promotions, moves: &mut Moves) {
    let us = board.us();
    let motion = PawnMotion::new(us);
    let pawns = board.pieces(us, PAWN);
    let targets = targets & board.placement.colors[us ^ 1];
    for (side, edge) in [(-1, FILE_A), (1, FILE_H)] {
        let by = motion.forward + side;
        for to in squares(shift(pawns & !edge, by) & targets) {
            let from = (to as i32 - by) as u32;
            if checks.allows(from, to) {
                push_pawn(from, to, motion.last_rank, promotions.clone(), moves);
            }
        }
    }
}

fn pawn_pushes(board: &Board, checks: &CheckInfo, targets: u64, promotions: Promotions, moves: &mut Moves) {
    let us = board.us();
    let motion = PawnMotion::new(us);
    let empty = !board.occupied();
    let single = motion.advance(board.pieces(us, PAWN)) & empty;
    let double = motion.advance(single & motion.double_rank) & empty;
    for (set, steps) in [(single, 1), (double, 2)] {
        for to in squares(set & targets) {
            let from = (to as i32 - steps * motion.forward) as u32;
            if checks.allows(from, to) {
                push_pawn(from, to, motion.last_rank, promotions.clone(), moves);
            }
        }
    }
}

fn queen_promotions(board: &Board, checks: &CheckInfo, targets: u64, moves: &mut Moves) {
    let us = board.us();
    let motion = PawnMotion::new(us);
    let ahead = motion.advance(board.pieces(us, PAWN)) & motion.last_rank & !board.occupied() & targets;
    for to in squares(ahead) {
        let from = (to as i32 - motion.forward) as u32;
        if checks.allows(from, to) {
            moves.push(CompactMove::new(from, to, 1));
        }
    }
}

/// En passant removes two pawns from a rank, so pins do not tell whether it is legal. The check is looked for
/// with the occupied squares after the capture.
fn en_passant(board: &Board, checks: &CheckInfo, moves: &mut Moves) {
    let target = board.en_passant();
    if target == 0 {
        return;
    }
    let us = board.us();
    let to = target.trailing_zeros();
    for from in squares(pawn_attacks(us ^ 1, to) & board.pieces(us, PAWN)) {
        if is_legal_en_passant(board, checks, from, to) {
            moves.push(CompactMove::new(from, to, 0));
        }
    }
}

fn is_legal_en_passant(board: &Board, checks: &CheckInfo, from: u32, to: u32) -> bool {
    let victim = 1u64 << (to ^ 8);
    let occupied = (board.occupied() ^ victim ^ 1 << from) | 1 << to;
    board.attackers(checks.king, board.us() ^ 1, occupied) & !victim == 0
}

/// Castling moves. The side to move must not be in check.
fn castling(board: &Board, moves: &mut Moves) {
    let us = board.us();
    let (home, shift) = if us == 0 { (4, 0) } else { (60, 2) };
    let rights = board.placement.castling >> shift;
    let occupied = board.occupied();
    let safe = |square: u32| !board.is_attacked(square, us ^ 1, occupied);
    debug_assert!(rights & 0b11 == 0 || board.mailbox[home as usize] == KING as u8);
    if rights & 1 != 0 && occupied & 0b11 << (home + 1) == 0 && safe(home + 1) && safe(home + 2) {
        moves.push(CompactMove::new(home, home + 2, 0));
    }
    if rights & 2 != 0 && occupied & 0b111 << (home - 3) == 0 && safe(home - 1) && safe(home - 2) {
        moves.push(CompactMove::new(home, home - 2, 0));
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::{
        feature::Weights,
        phase::{PhaseAt, PhaseScheme},
        position::{board::Sums, tables::Tables},
    };

    /// Positions and leaf counts of the Chessprogramming wiki, "Perft Results".
    const PERFT: [(&str, u32, u64); 7] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4, 182_838),
    ];

    fn position(fen: &str) -> Chess {
        crate::fen::parse(fen).unwrap()
    }

    fn perft(board: &Board, depth: u32, sums: &Sums) -> u64 {
        let mut moves = Moves::new();
        legal(board, &CheckInfo::new(board), &mut moves);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|&mv| perft(&board.make(mv, sums), depth - 1, sums)).sum()
    }

    #[test]
    fn legal_moves_count_as_the_published_perft_results() {
        let sums = Tables::new(&Weights::start().quantised(), PhaseScheme::Fruit, PhaseAt::Leaf).sums;
        for (fen, depth, leaves) in PERFT {
            assert_eq!(perft(&Board::new(&position(fen), &sums), depth, &sums), leaves, "{fen}");
        }
    }

    /// Walks the tree and compares the forcing moves, the keys and the sums with a board made anew.
    fn compare(position: &Chess, board: &Board, depth: u32, sums: &Sums) {
        use shakmaty::{Position, Role};
        let anew = Board::new(position, sums);
        assert_eq!((anew.key(), anew.pawn_key), (board.key(), board.pawn_key));
        assert_eq!(anew.non_pawn_keys, board.non_pawn_keys);
        assert_eq!((anew.piece_square, anew.phase_points), (board.piece_square, board.phase_points));
        assert_eq!(board.is_insufficient_material(), position.is_insufficient_material());
        assert_eq!(any_legal(board), !position.legal_moves().is_empty());
        let mut expected: Vec<u32> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.promotion().map_or(mv.is_capture(), |role| role == Role::Queen))
            .map(|mv| CompactMove::from(mv).canonical(position.turn()))
            .collect();
        let mut found = Moves::new();
        tactical(board, &CheckInfo::new(board), &mut found);
        let mut found: Vec<u32> = found.iter().map(|mv| mv.canonical(position.turn())).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        let checks = CheckInfo::new(board);
        let (mut all, mut staged) = (Moves::new(), Moves::new());
        legal(board, &checks, &mut all);
        quiet(board, &checks, &mut staged);
        tactical(board, &checks, &mut staged);
        let by_test: Vec<_> =
            (0..5 << 12).map(CompactMove::from_bits).filter(|&mv| is_legal(board, &checks, mv)).collect();
        all.sort_unstable_by_key(|mv| mv.bits());
        staged.sort_unstable_by_key(|mv| mv.bits());
        assert!(all == staged && all[..] == by_test[..], "{position:?}");
        if depth > 0 {
            for mv in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(mv);
                compare(&after, &board.make(mv.into(), sums), depth - 1, sums);
            }
        }
    }

    #[test]
    fn forcing_moves_keys_and_sums_agree_with_a_board_made_anew() {
        let sums = Tables::new(&Weights::start().quantised(), PhaseScheme::Fruit, PhaseAt::Leaf).sums;
        for (fen, ..) in PERFT {
            let position = position(fen);
            compare(&position, &Board::new(&position, &sums), 2, &sums);
        }
    }

    #[test]
    fn a_lone_king_shut_in_has_no_move_and_pinned_pieces_do_not_count() {
        let sums = Tables::new(&Weights::start().quantised(), PhaseScheme::Fruit, PhaseAt::Leaf).sums;
        for (fen, any) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false),
            ("k7/8/1Q6/8/8/7p/8/7K b - - 0 1", true),
            ("k7/1n6/K7/8/4B3/8/8/8 b - - 0 1", true),
            ("k7/P7/K7/8/8/8/8/8 b - - 0 1", false),
        ] {
            assert_eq!(any_legal(&Board::new(&position(fen), &sums)), any, "{fen}");
        }
    }
}
