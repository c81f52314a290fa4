//! Castling, development, and minor pieces in relation to pawns. Deep Thought had "a few special bonus
//! registers"; what they held is not recorded, and to look for these terms there is our guess.

use shakmaty::Role;

use super::geometry::{CORNER_COLOR, KING_WING, QUEEN_WING, bit, ranks, set, size};
use super::placement::{fianchetto, minors_at_home};
use super::{Key, OwnView, PawnFacts, Sink};

/// Squares of a castled king, and squares of a rook that show it has not castled: king's side, queen's side.
const CASTLED: [(u64, u64); 2] = [(set("g1 h1"), set("g1 h1")), (set("a1 b1 c1"), set("a1 b1"))];
/// Bishop at home, the pawn that shuts it in: queen's and king's bishop.
const SHUT_BISHOPS: [(u64, u64); 2] = [(set("c1"), set("d2")), (set("f1"), set("e2"))];
/// Where a bishop is trapped, and the enemy pawns that trap it.
const BISHOP_TRAPS: [(u64, u64); 2] = [(set("a7 b8"), set("b6 c7")), (set("h7 g8"), set("g6 f7"))];
/// The long diagonals, and the squares on which an own pawn blocks them.
const LONG_DIAGONALS: [(u64, u64); 2] = [
    (set("a1 b2 c3 d4 e5 f6 g7 h8"), set("c3 d4 e5 f6")),
    (set("h1 g2 f3 e4 d5 c6 b7 a8"), set("f3 e4 d5 c6")),
];
/// Ranks of outposts.
const OUTPOSTS: u64 = ranks(4, 6);

/// Terms of one knight among pawns.
#[inline(always)]
pub(super) fn knight<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    outpost(Role::Knight, square, facts, sink);
    blockader(square, facts, sink);
}

/// Terms of one bishop among pawns.
#[inline(always)]
pub(super) fn bishop<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    outpost(Role::Bishop, square, facts, sink);
    blockader(square, facts, sink);
    fianchetto(bit(square), facts, sink);
    bad_bishop(square, facts, sink);
    trapped_bishop(square, facts, sink);
    long_diagonal(square, facts, sink);
}

/// Terms of castling, development and pieces together.
#[inline(always)]
pub(super) fn side<S: Sink>(view: &OwnView, facts: &PawnFacts, sink: &mut S) {
    castling(view, sink);
    undeveloped(view, sink);
    bishops_against_knights(view, facts, sink);
    shut_bishops(view, sink);
}

/// `cas_k`, `cas_q`: castled, or the same placement reached without castling: king on g1 or h1 and no own
/// rook on g1, h1; king on a1, b1 or c1 and no own rook on a1, b1. `rt_k`, `rt_q`: rights to castle still
/// held. `k_moved`: no right left, and not castled, wherever the king stands.
#[inline(always)]
fn castling<S: Sink>(view: &OwnView, sink: &mut S) {
    let [king_side, queen_side] =
        CASTLED.map(|(kings, rooks)| view.own.king & kings != 0 && view.own.rooks & rooks == 0);
    let rights = view.castles_king_side || view.castles_queen_side;
    if king_side {
        sink.add(Key::CasK.cell(), 1);
    } else if queen_side {
        sink.add(Key::CasQ.cell(), 1);
    } else if !rights {
        sink.add(Key::KMoved.cell(), 1);
    }
    if rights {
        sink.add(Key::RtK.cell(), i32::from(view.castles_king_side));
        sink.add(Key::RtQ.cell(), i32::from(view.castles_queen_side));
    }
}

/// `undev`: each minor still at home hurts more than the last. Knights on b1, g1 and bishops on c1, f1,
/// squared.
#[inline(always)]
fn undeveloped<S: Sink>(view: &OwnView, sink: &mut S) {
    let minors = minors_at_home(view);
    sink.add(Key::Undev.cell(), minors * minors);
}

/// `n_post`, `b_post`: on ranks 4 to 6, defended by a pawn, where no enemy pawn attacks or can come to
/// attack, a minor cannot be driven off. `n_weak`: a knight so placed without the pawn's defence.
#[inline(always)]
fn outpost<S: Sink>(role: Role, square: u32, facts: &PawnFacts, sink: &mut S) {
    if OUTPOSTS & !facts.enemy_span & bit(square) == 0 {
        return;
    }
    let defended = facts.own_attacks & bit(square) != 0;
    match (role, defended) {
        (Role::Knight, true) => sink.add(Key::NPost.cell(), 1),
        (Role::Knight, false) => sink.add(Key::NWeak.cell(), 1),
        (Role::Bishop, true) => sink.add(Key::BPost.cell(), 1),
        _ => {}
    }
}

/// `min_blk`: a knight or bishop right in front of an enemy passed pawn stops it and is safe there.
#[inline(always)]
fn blockader<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    let stops = facts.enemy_passed >> 8;
    sink.add(Key::MinBlk.cell(), i32::from(stops & bit(square) != 0));
}

/// `pc_attp`: own knights, bishops, rooks and queens that an enemy pawn attacks must go.
#[inline(always)]
pub(super) fn attacked_piece<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    sink.add(Key::PcAttp.cell(), i32::from(facts.enemy_attacks & bit(square) != 0));
}

/// `b_knsame`: with pawns on both wings bishops are better than knights. Own bishops less own knights,
/// when there are pawns of either colour both on files a to c and on files f to h.
#[inline(always)]
fn bishops_against_knights<S: Sink>(view: &OwnView, facts: &PawnFacts, sink: &mut S) {
    let files = facts.own_files | facts.enemy_files;
    if files & QUEEN_WING != 0 && files & KING_WING != 0 {
        sink.add(Key::BKnsame.cell(), size(view.own.bishops) - size(view.own.knights));
    }
}

/// `b_bad`: own pawns on the squares of a bishop's colour take away its squares, and those on files c to
/// f twice as many. Summed over bishops.
#[inline(always)]
fn bad_bishop<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    let [corner, other] = facts.color_load.map(i32::from);
    let load = if bit(square) & CORNER_COLOR != 0 { corner } else { other };
    sink.add(Key::BBad.cell(), load);
}

/// `b_shut`: a bishop on c1 or f1 whose pawn on d2 or e2 is blocked by a piece or pawn of either side. Each
/// bishop counts.
#[inline(always)]
fn shut_bishops<S: Sink>(view: &OwnView, sink: &mut S) {
    let blocked = view.blocked_center_pawns();
    for (home, pawn) in SHUT_BISHOPS {
        if view.own.bishops & home != 0 && blocked & pawn != 0 {
            sink.add(Key::BShut.cell(), 1);
        }
    }
}

/// `b_trap`: a bishop that took on a7 is lost behind pawns on b6 and c7, and so it is on b8; on the other
/// wing h7, g8 and pawns on g6, f7. Each bishop counts.
#[inline(always)]
fn trapped_bishop<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    let trapped = |&(squares, pawns): &(u64, u64)| bit(square) & squares != 0 && facts.enemy & pawns == pawns;
    sink.add(Key::BTrap.cell(), i32::from(BISHOP_TRAPS.iter().any(trapped)));
}

/// `b_diag`: a bishop on a long diagonal with none of its own pawns on the four inner squares of it.
#[inline(always)]
fn long_diagonal<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    let clear = |&(diagonal, inner): &(u64, u64)| bit(square) & diagonal != 0 && facts.own & inner == 0;
    sink.add(Key::BDiag.cell(), i32::from(LONG_DIAGONALS.iter().any(clear)));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{black, count, white};
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn castled_is_a_king_on_the_wing_with_its_rook_let_out() {
        let keys = [Key::CasK, Key::CasQ, Key::KMoved];
        let cases = [
            ("5RK1", [1, 0, 0]),
            ("5R1K", [1, 0, 0]),
            ("6KR", [0, 0, 1]),
            ("6RK", [0, 0, 1]),
            ("5K1R", [0, 0, 1]),
            ("2KR4", [0, 1, 0]),
            ("K1R5", [0, 1, 0]),
            ("1K6", [0, 1, 0]),
            ("R1K5", [0, 0, 1]),
            ("1RK5", [0, 0, 1]),
            ("4K3", [0, 0, 1]),
            ("R5K1", [1, 0, 0]),
        ];
        for (rank, expected) in cases {
            let fen = format!("4k3/8/8/8/8/8/8/{rank} w - - 0 1");
            assert_eq!(keys.map(|key| white(&fen, key)), expected, "{rank}");
        }
        // Off its back rank a king is not castled.
        assert_eq!(keys.map(|key| white("4k3/8/8/8/8/8/6K1/8 w - - 0 1", key)), [0, 0, 1]);
        assert_eq!(count("5rk1/8/8/8/8/8/8/4K3 w - - 0 1", Key::CasK), -1);
    }

    #[test]
    fn rights_to_castle_count_while_they_are_held() {
        let keys = [Key::RtK, Key::RtQ, Key::KMoved];
        let rights = |fen: &str| (keys.map(|key| white(fen, key)), keys.map(|key| black(fen, key)));
        assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), ([1, 1, 0], [1, 1, 0]));
        assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"), ([1, 0, 0], [0, 1, 0]));
        assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w Q - 0 1"), ([0, 1, 0], [0, 0, 1]));
    }

    #[test]
    fn undeveloped_minors_count_squared() {
        assert_eq!(white(START, Key::Undev), 16);
        assert_eq!(white("4k3/8/8/8/8/8/8/1NB1K1N1 w - - 0 1", Key::Undev), 9);
        // A knight on c1 and a bishop on b1 are not at home.
        assert_eq!(white("4k3/8/8/8/8/8/8/1BN1K3 w - - 0 1", Key::Undev), 0);
    }

    #[test]
    fn a_bad_bishop_counts_own_pawns_of_its_colour_twice_in_the_centre() {
        // Bishop e3 is dark: d4 twice, b2 once, h2 once (dark); e4 is light.
        let fen = "4k3/8/8/8/3PP3/4B3/1P5P/4K3 w - - 0 1";
        assert_eq!(white(fen, Key::BBad), 4);
        // A light bishop as well: e4 twice. Enemy pawns do not count.
        let fen = "4k3/3p4/8/8/3PP3/4B3/1P5P/4KB2 w - - 0 1";
        assert_eq!(white(fen, Key::BBad), 6);
    }

    #[test]
    fn bishops_are_shut_in_by_blocked_centre_pawns() {
        assert_eq!(white(START, Key::BShut), 0);
        assert_eq!(white("4k3/8/8/8/8/3Nn3/3PP3/2B2BK1 w - - 0 1", Key::BShut), 2);
        assert_eq!(white("4k3/8/8/8/8/3N4/3PP3/2B2BK1 w - - 0 1", Key::BShut), 1);
        assert_eq!(white("4k3/8/8/8/8/3N4/3PP3/5BK1 w - - 0 1", Key::BShut), 0);
    }

    #[test]
    fn bishops_are_trapped_in_the_corner_by_two_pawns() {
        assert_eq!(white("4k3/B1p5/1p6/8/8/8/8/4K3 w - - 0 1", Key::BTrap), 1);
        assert_eq!(white("1B2k3/2p5/1p6/8/8/8/8/4K3 w - - 0 1", Key::BTrap), 1);
        assert_eq!(white("k7/5p1B/6p1/8/8/8/8/4K3 w - - 0 1", Key::BTrap), 1);
        assert_eq!(white("k5B1/5p2/6p1/8/8/8/8/4K3 w - - 0 1", Key::BTrap), 1);
        // Without the second pawn there is a way out, and c7 is not f7.
        assert_eq!(white("4k3/B7/1p6/8/8/8/8/4K3 w - - 0 1", Key::BTrap), 0);
        assert_eq!(white("k7/2p4B/6p1/8/8/8/8/4K3 w - - 0 1", Key::BTrap), 0);
        assert_eq!(count("4k3/8/8/8/8/1P6/b1P5/4K3 w - - 0 1", Key::BTrap), -1);
    }

    #[test]
    fn outposts_are_safe_from_pawns_for_good_and_defended_by_one() {
        let keys = [Key::NPost, Key::BPost, Key::NWeak];
        let posts = |fen: &str| keys.map(|key| white(fen, key));
        // Knight d5 defended by e4; c7 gone, e-pawn already past.
        assert_eq!(posts("4k3/8/8/3N4/4P3/4p3/8/4K3 w - - 0 1"), [1, 0, 0]);
        assert_eq!(posts("4k3/8/8/3B4/4P3/8/8/4K3 w - - 0 1"), [0, 1, 0]);
        // The pawn on c7 can come to c6 and attack d5.
        assert_eq!(posts("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1"), [0, 0, 0]);
        // Not defended: a weak post for the knight, none for the bishop.
        assert_eq!(posts("4k3/8/8/3N1B2/8/8/8/4K3 w - - 0 1"), [0, 0, 1]);
        // Third and seventh rank are no outposts.
        assert_eq!(posts("4k3/N7/1P6/8/8/N7/1P6/4K3 w - - 0 1"), [0, 0, 0]);
    }

    #[test]
    fn minors_block_enemy_passed_pawns_from_the_square_in_front() {
        // Knight c3 before c4; bishop f2 is not right in front of f4.
        assert_eq!(white("4k3/8/8/8/2p2p2/2N5/5B2/4K3 w - - 0 1", Key::MinBlk), 1);
        // The pawn on c4 is not passed with b2 ahead of it; a rook blocks nothing here.
        assert_eq!(white("4k3/8/8/8/2p2p2/2N2R2/1P6/4K3 w - - 0 1", Key::MinBlk), 0);
        // Of doubled pawns only the front one is passed: the knight between them blocks the rear one.
        assert_eq!(white("4k3/8/2p5/2N5/2p5/2B5/8/4K3 w - - 0 1", Key::MinBlk), 1);
        assert_eq!(count("4k3/8/8/2b5/2P5/8/8/4K3 w - - 0 1", Key::MinBlk), -1);
    }

    #[test]
    fn pieces_attacked_by_a_pawn_count_but_pawns_and_the_king_do_not() {
        // e5 attacks d4 and f4; h5 attacks g4.
        assert_eq!(white("6k1/8/8/4p2p/3N1QP1/8/8/4K3 w - - 0 1", Key::PcAttp), 2);
        assert_eq!(white("6k1/8/8/8/8/8/5p2/4K3 w - - 0 1", Key::PcAttp), 0);
    }

    #[test]
    fn bishops_count_on_long_diagonals_clear_of_own_pawns() {
        assert_eq!(white("4k3/8/8/8/8/8/1B4B1/4K3 w - - 0 1", Key::BDiag), 2);
        // An own pawn on d4 spoils one, an own pawn on b7 or an enemy pawn on d5 not the other.
        assert_eq!(white("4k3/1P6/8/3p4/3P4/8/1B4B1/4K3 w - - 0 1", Key::BDiag), 1);
        assert_eq!(white("4k3/8/8/8/8/8/3B4/4K3 w - - 0 1", Key::BDiag), 0);
    }

    #[test]
    fn bishops_less_knights_count_with_pawns_on_both_wings() {
        assert_eq!(white("4k3/7p/8/8/8/8/P7/2B1KBN1 w - - 0 1", Key::BKnsame), 1);
        assert_eq!(white("4k3/8/8/8/8/8/P6P/1N2KBN1 w - - 0 1", Key::BKnsame), -1);
        assert_eq!(white("4k3/3pp3/8/8/8/8/P7/2B1KBN1 w - - 0 1", Key::BKnsame), 0);
    }
}
