//! Where each man stands: one-man terms, and nearness to the kings and pawns.
//!
//! [`man`] holds what one man and its square decide; [`side`] what takes a second man. Pawn structure,
//! open files and the shelter of the king are elsewhere.

use shakmaty::Role;

use super::geometry::{beside, bit, centrality, distance, file, file_class, rank, set, size, taxicab};
use super::{KingView, OwnView, PawnFacts, Sink};
use crate::feature::Key;

const KNIGHT_HOMES: u64 = set("b1 g1");
const BISHOP_HOMES: u64 = set("c1 f1");
const FIANCHETTO: u64 = set("b2 g2");
const QUEEN_HOME: u64 = set("d1");

/// Terms of one man and its square.
pub(super) fn man<S: Sink>(role: Role, square: u32, sink: &mut S) {
    match role {
        Role::Pawn => pawn(square, sink),
        Role::Knight => knight(square, sink),
        Role::Bishop => bishop(square, sink),
        Role::Rook => rook(square, sink),
        Role::Queen => queen(square, sink),
        Role::King => king(square, sink),
    }
    square_of(role, square, sink);
}

/// `pst_p` to `pst_k`, `pst64_p` to `pst64_k`, all of them optional: a cell for each square that a man may
/// stand on, the wings of the board taken together in the first, apart in the second.
fn square_of<S: Sink>(role: Role, square: u32, sink: &mut S) {
    let (mirrored, whole) = match role {
        Role::Pawn => (Key::PstP, Key::Pst64P),
        Role::Knight => (Key::PstN, Key::Pst64N),
        Role::Bishop => (Key::PstB, Key::Pst64B),
        Role::Rook => (Key::PstR, Key::Pst64R),
        Role::Queen => (Key::PstQ, Key::Pst64Q),
        Role::King => (Key::PstK, Key::Pst64K),
    };
    // A pawn stands on the ranks 2 to 7.
    let (ranks, first) = if role == Role::Pawn { (6, 1) } else { (8, 0) };
    let rank = rank(square) - first;
    sink.add(mirrored.cell_at((file_class(square) * ranks + rank) as usize), 1);
    sink.add(whole.cell_at((file(square) * ranks + rank) as usize), 1);
}

/// Terms of men in relation to other men.
#[inline(always)]
pub(super) fn side<S: Sink>(view: &OwnView, sink: &mut S) {
    early_queen(view, sink);
    mop_up(view, sink);
}

/// Cell of a table of file classes by the eight ranks.
fn board_cell(square: u32) -> usize {
    (file_class(square) * 8 + rank(square)) as usize
}

fn holds(set: u64, square: u32) -> i32 {
    i32::from(set & bit(square) != 0)
}

/// `p_adv`: a pawn gains by going forward, most of all in the centre. One cell for each file class and
/// rank.
fn pawn<S: Sink>(square: u32, sink: &mut S) {
    let index = file_class(square) * 6 + rank(square) - 1;
    sink.add(Key::PAdv.cell_at(index as usize), 1);
}

/// `n_cen`: a knight reaches most squares from the centre; one cell for each file class and rank.
/// `n_fwd`: it likes to be forward; ranks advanced, no more beyond the sixth. `n_rim`: on the a- or
/// h-file it is dim. `n_undev`: still on b1 or g1; any knight there counts, also one that came back.
fn knight<S: Sink>(square: u32, sink: &mut S) {
    sink.add(Key::NCen.cell_at(board_cell(square)), 1);
    sink.add(Key::NFwd.cell(), rank(square).min(5) as i32);
    sink.add(Key::NRim.cell(), i32::from(file_class(square) == 0));
    sink.add(Key::NUndev.cell(), holds(KNIGHT_HOMES, square));
}

/// `b_cen`: a bishop sees more from the centre; one cell for each file class and rank. `b_undev`: on c1
/// or f1, whichever bishop it is.
fn bishop<S: Sink>(square: u32, sink: &mut S) {
    sink.add(Key::BCen.cell_at(board_cell(square)), 1);
    sink.add(Key::BUndev.cell(), holds(BISHOP_HOMES, square));
}

/// `r_cen`: rooks belong on central files; the file class. `r_fwd`: later they belong forward; ranks
/// advanced, at most 5 for each rook.
fn rook<S: Sink>(square: u32, sink: &mut S) {
    sink.add(Key::RCen.cell(), file_class(square) as i32);
    sink.add(Key::RFwd.cell(), rank(square).min(5) as i32);
}

/// `q_cen`: a queen in the centre rules an ending. `q_adv`: ranks beyond the third, where she is soon
/// chased in the opening.
fn queen<S: Sink>(square: u32, sink: &mut S) {
    sink.add(Key::QCen.cell(), centrality(square) as i32);
    sink.add(Key::QAdv.cell(), rank(square).saturating_sub(2) as i32);
}

/// `k_cen`: the king hides in the opening and fights in the ending; one cell for each file class and
/// rank. `k_rank`: ranks it has left its back rank, at most 4.
fn king<S: Sink>(square: u32, sink: &mut S) {
    sink.add(Key::KCen.cell_at(board_cell(square)), 1);
    sink.add(Key::KRank.cell(), rank(square).min(4) as i32);
}

/// `b_fianch`: a bishop on b2 or g2 is at home behind its own pawn on b3 or g3, on the same file.
#[inline(always)]
pub(super) fn fianchetto<S: Sink>(bishop: u64, facts: &PawnFacts, sink: &mut S) {
    if bishop & FIANCHETTO & (facts.own >> 8) != 0 {
        sink.add(Key::BFianch.cell(), 1);
    }
}

/// `q_early`: a queen out before the minors only loses time. Each queen not on d1 counts the own minors
/// at home, that is knights on b1, g1 and bishops on c1, f1: a knight on f1 has moved.
#[inline(always)]
fn early_queen<S: Sink>(view: &OwnView, sink: &mut S) {
    let out = size(view.own.queens & !QUEEN_HOME);
    sink.add(Key::QEarly.cell(), out * minors_at_home(view));
}

/// Own knights on b1, g1 and own bishops on c1, f1.
#[inline(always)]
pub(super) fn minors_at_home(view: &OwnView) -> i32 {
    size((view.own.knights & KNIGHT_HOMES) | (view.own.bishops & BISHOP_HOMES))
}

/// `n_trop`, `b_trop`, `r_trop`, `q_trop`: pieces near the enemy king attack it sooner. For each knight
/// and bishop 7 less the distance of a king, for each rook and queen 14 less the taxicab distance.
#[inline(always)]
pub(super) fn near_enemy_king<S: Sink>(role: Role, square: u32, king: u32, sink: &mut S) {
    let near = || 7 - distance(square, king) as i32;
    let near_by_taxi = || 14 - taxicab(square, king) as i32;
    match role {
        Role::Knight => sink.add(Key::NTrop.cell(), near()),
        Role::Bishop => sink.add(Key::BTrop.cell(), near()),
        Role::Rook => sink.add(Key::RTrop.cell(), near_by_taxi()),
        Role::Queen => sink.add(Key::QTrop.cell(), near_by_taxi()),
        Role::Pawn | Role::King => {}
    }
}

/// `k_pawns`: in the ending the king must be where the pawns are. The mean distance to all pawns on the
/// board, of both colours, rounded to the nearest integer, a half upwards; 0 without pawns.
#[inline(always)]
pub(super) fn king_and_pawns<S: Sink>(king: &KingView, facts: &PawnFacts, sink: &mut S) {
    let pawns = facts.own | facts.enemy;
    if pawns != 0 {
        let (sum, n) = (sum_of_distances(bit(king.square), pawns), size(pawns));
        sink.add(Key::KPawns.cell(), (2 * sum + n) / (2 * n));
    }
}

/// Sum of the distances from `center` to all squares of a set: at every step outwards, those not yet
/// reached count once more.
#[inline(always)]
fn sum_of_distances(center: u64, set: u64) -> i32 {
    let (mut reached, mut sum) = (center, 0);
    loop {
        let far = set & !reached;
        if far == 0 {
            return sum;
        }
        sum += size(far);
        reached |= beside(reached);
        reached |= (reached << 8) | (reached >> 8);
    }
}

/// `k_mopup`: to mate, drive the enemy king to the edge and bring the own king near. With a lead of two
/// pawns or more: 6 less the centrality of the enemy king, plus half of 7 less the distance of the
/// kings, rounded towards 0.
#[inline(always)]
fn mop_up<S: Sink>(view: &OwnView, sink: &mut S) {
    if view.is_winning {
        let (own, enemy) = (view.own.king_square(), view.enemy_king.trailing_zeros());
        let count = 6 - centrality(enemy) as i32 + (7 - distance(own, enemy) as i32) / 2;
        sink.add(Key::KMopup.cell(), count);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{black, count, white, white_cells};
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn pawns_are_told_apart_by_file_class_and_rank() {
        // e4: class 3, r4; a2: class 0, r2; g7: class 1, r7.
        let fen = "8/2k3P1/8/8/4P3/8/P7/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::PAdv), [(0, 1), (6 + 5, 1), (3 * 6 + 2, 1)]);
        assert_eq!(count(START, Key::PAdv), 0);
    }

    #[test]
    fn the_tables_of_knight_bishop_and_king_have_a_cell_for_class_and_rank() {
        // Knight f3: class 2, rank index 2; bishop h8: class 0, rank index 7; king e1: class 3, index 0.
        let fen = "7B/8/8/1k6/8/5N2/8/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::NCen), [(2 * 8 + 2, 1)]);
        assert_eq!(white_cells(fen, Key::BCen), [(7, 1)]);
        assert_eq!(white_cells(fen, Key::KCen), [(3 * 8, 1)]);
        // Black's king on b5 stands on its fourth rank: class 1, index 3.
        assert_eq!(black(fen, Key::KCen), 1);
        assert_eq!(black(fen, Key::KRank), 3);
    }

    #[test]
    fn knights_count_ranks_to_the_sixth_the_rim_and_their_homes() {
        let fen = "N3k3/8/8/8/7N/2N5/8/1N2K1N1 w - - 0 1";
        assert_eq!(white(fen, Key::NFwd), 5 + 3 + 2);
        assert_eq!(white(fen, Key::NRim), 2);
        assert_eq!(white(fen, Key::NUndev), 2);
    }

    #[test]
    fn bishops_at_home_stand_on_c1_and_f1() {
        assert_eq!(white(START, Key::BUndev), 2);
        assert_eq!(white("4k3/8/8/8/2B5/8/8/2B1K3 w - - 0 1", Key::BUndev), 1);
    }

    #[test]
    fn rooks_count_file_class_and_at_most_five_ranks_each() {
        // a8: class 0, 7 ranks capped to 5; d3: class 3, 2 ranks.
        let fen = "R7/8/8/6k1/8/3R4/8/4K3 w - - 0 1";
        assert_eq!((white(fen, Key::RCen), white(fen, Key::RFwd)), (3, 7));
    }

    #[test]
    fn queens_count_centrality_and_ranks_beyond_the_third() {
        // b3: 1 + 2, none beyond; h7: 0 + 1, four beyond.
        let fen = "8/7Q/8/2k5/8/1Q6/8/4K3 w - - 0 1";
        assert_eq!((white(fen, Key::QCen), white(fen, Key::QAdv)), (3 + 1, 4));
        // d4: 3 + 3, one beyond.
        let fen = "8/8/8/8/3Q4/8/6k1/K7 b - - 0 1";
        assert_eq!((white(fen, Key::QCen), white(fen, Key::QAdv)), (6, 1));
    }

    #[test]
    fn the_king_leaves_its_back_rank_by_at_most_four() {
        assert_eq!(white("8/8/4K3/8/8/8/8/4k3 w - - 0 1", Key::KRank), 4);
        assert_eq!(white("8/8/8/8/8/8/4K3/7k w - - 0 1", Key::KRank), 1);
    }

    #[test]
    fn a_fianchetto_needs_the_pawn_in_front_of_the_bishop() {
        assert_eq!(white("4k3/8/8/8/8/1P4P1/1B4B1/4K3 w - - 0 1", Key::BFianch), 2);
        assert_eq!(white("4k3/8/8/8/8/P1P3P1/1B4B1/4K3 w - - 0 1", Key::BFianch), 1);
        assert_eq!(white("4k3/8/8/8/8/2P5/2B5/4K3 w - - 0 1", Key::BFianch), 0);
    }

    #[test]
    fn each_queen_off_d1_counts_the_minors_at_home() {
        assert_eq!(white(START, Key::QEarly), 0);
        // At home: b1, c1, g1. The knight on f1 is none of them.
        let fen = "4k3/8/8/8/3Q4/8/8/1NB1KNN1 w - - 0 1";
        assert_eq!(white(fen, Key::QEarly), 3);
        assert_eq!(white("4k3/8/8/8/3Q4/Q7/8/1NBQK3 w - - 0 1", Key::QEarly), 4);
    }

    #[test]
    fn minors_count_king_steps_and_major_pieces_taxicab_steps_to_the_enemy_king() {
        // King g8. Knight e5: distance 3; bishop b2: 6; rook a1: 6 + 7; queen c4: 4 + 4.
        let fen = "6k1/8/8/4N3/2Q5/8/1B6/R3K3 b - - 0 1";
        assert_eq!(white(fen, Key::NTrop), 4);
        assert_eq!(white(fen, Key::BTrop), 1);
        assert_eq!(white(fen, Key::RTrop), 1);
        assert_eq!(white(fen, Key::QTrop), 6);
    }

    #[test]
    fn the_mean_distance_to_pawns_is_rounded_with_the_half_upwards() {
        // From e1: e2 1, e4 3: mean 2.
        assert_eq!(white("7k/8/8/8/4P3/8/4P3/4K3 w - - 0 1", Key::KPawns), 2);
        // e2 1, e3 2: mean 1.5, rounded 2.
        assert_eq!(white("7k/8/8/8/8/4P3/4P3/4K3 w - - 0 1", Key::KPawns), 2);
        // d2, e2 1 and e3 2: 4/3, rounded 1. Black's pawns count as well: e7 6 makes 10/4, rounded 3.
        assert_eq!(white("7k/8/8/8/8/4P3/3PP3/4K3 w - - 0 1", Key::KPawns), 1);
        assert_eq!(white("7k/4p3/8/8/8/4P3/3PP3/4K3 w - - 0 1", Key::KPawns), 3);
        assert_eq!(white("7k/8/8/8/8/8/8/R3K3 w - - 0 1", Key::KPawns), 0);
    }

    #[test]
    fn distances_summed_in_steps_are_those_summed_one_by_one() {
        for king in 0..64 {
            let one_by_one: u32 = (0..64).map(|square| distance(king, square)).sum();
            assert_eq!(sum_of_distances(bit(king), u64::MAX), one_by_one as i32);
        }
    }

    #[test]
    fn mopping_up_needs_a_lead_of_two_pawns() {
        // Enemy king in the corner: 6; kings 2 apart: 5 / 2 = 2.
        assert_eq!(white("k7/8/K7/8/8/8/8/7R w - - 0 1", Key::KMopup), 8);
        // Enemy king d4, centrality 6; kings 3 apart: 4 / 2 = 2.
        assert_eq!(white("8/8/8/8/3k4/8/8/R3K3 w - - 0 1", Key::KMopup), 2);
        assert_eq!(white("k7/8/K7/8/8/8/6PP/8 w - - 0 1", Key::KMopup), 8);
        assert_eq!(white("k7/8/K7/8/8/8/7P/8 w - - 0 1", Key::KMopup), 0);
        assert_eq!(count("k7/8/K7/8/8/8/8/7r w - - 0 1", Key::KMopup), -(6 - 2 + 2));
    }
}
