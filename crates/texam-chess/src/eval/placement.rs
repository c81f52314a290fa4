//! Terms of pieces in relation to others: distance to kings and pawns, and early queen moves.
//!
//! Terms that depend on one piece and its square only are in `piece_square`. Pawn structure, open files and
//! the shelter of the king are elsewhere.

use shakmaty::Role;

use super::geometry::{beside, bit, centrality, distance, set, size, taxicab};
use super::{Key, KingView, OwnView, PawnFacts, Sink};

/// Squares of the knights at the start of a game.
pub(super) const KNIGHT_HOMES: u64 = set("b1 g1");
/// Squares of the bishops at the start of a game.
pub(super) const BISHOP_HOMES: u64 = set("c1 f1");
const FIANCHETTO: u64 = set("b2 g2");
const QUEEN_HOME: u64 = set("d1");

/// Terms of pieces in relation to other pieces.
#[inline(always)]
pub(super) fn side<S: Sink>(view: &OwnView, sink: &mut S) {
    early_queen(view, sink);
    mop_up(view, sink);
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
    use super::super::testing::{count, white};
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

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
