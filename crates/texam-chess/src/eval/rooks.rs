//! Rooks and queens on files and on the seventh rank.
//!
//! A file is open without any pawns, half-open with enemy pawns only. Rooks behind passed pawns are with
//! the passed pawns.

use super::geometry::{ahead, around, behind, bit, file, file_class, files, on_files, ranks, set, size};
use super::pawns::levering;
use super::{Key, OwnView, PawnFacts, Sink};

const SEVENTH: u64 = ranks(7, 7);
const EIGHTH: u64 = ranks(8, 8);

/// King squares that shut a rook in, and the rook squares they shut: king's side, queen's side.
const TRAPS: [(u64, u64); 2] = [(set("f1 g1"), set("g1 h1 h2")), (set("b1 c1"), set("a1 b1 a2"))];

/// Terms of one rook among pawns.
#[inline(always)]
pub(super) fn rook<S: Sink>(square: u32, facts: &PawnFacts, enemy_king: u32, sink: &mut S) {
    own_file(square, facts, enemy_king, sink);
    nearest_pawn(square, facts, sink);
}

/// Terms of rooks together, and with other pieces.
#[inline(always)]
pub(super) fn side<S: Sink>(view: &OwnView, facts: &PawnFacts, sink: &mut S) {
    if view.own.rooks != 0 {
        doubled(view, facts, sink);
        seventh_rank(view, sink);
        trapped(view, sink);
    }
}

/// `r_open`, `r_half`: a rook works along files without own pawns, by file class; on a half-open file an
/// enemy pawn, ahead of the rook or behind it, is still in the way. `r_kfile`: such a file at most one
/// file from the enemy king's aims at him.
#[inline(always)]
fn own_file<S: Sink>(square: u32, facts: &PawnFacts, enemy_king: u32, sink: &mut S) {
    let rook = bit(square);
    if facts.without_own() & rook == 0 {
        return;
    }
    let key = if facts.without_any() & rook != 0 { Key::ROpen } else { Key::RHalf };
    sink.add(key.cell_at(file_class(square) as usize), 1);
    let near_king = on_files(around(file(enemy_king)));
    sink.add(Key::RKfile.cell(), i32::from(rook & near_king != 0));
}

/// `r_dbl`: two rooks on one open or half-open file add force; a file with two or more rooks counts once,
/// whatever is between them.
#[inline(always)]
fn doubled<S: Sink>(view: &OwnView, facts: &PawnFacts, sink: &mut S) {
    let free = view.own.rooks & facts.without_own();
    let rear = free & behind(free);
    if rear != 0 {
        sink.add(Key::RDbl.cell(), files(rear).count_ones() as i32);
    }
}

/// `r_shut`: a rook looks at the back of its own pawn; no harm if the pawn attacks an enemy pawn and may
/// open the file. `r_weak`: on a half-open file it bears down on an isolated or backward pawn. Both look
/// at the nearest pawn ahead of the rook on its file, of either colour; pieces between do not matter.
#[inline(always)]
fn nearest_pawn<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    let fixed = facts.own & !levering(facts);
    let half_open_targets = facts.enemy_weak & facts.without_own();
    let on_file = ahead(bit(square)) & (facts.own | facts.enemy);
    let nearest = on_file & on_file.wrapping_neg();
    sink.add(Key::RShut.cell(), i32::from(nearest & fixed != 0));
    sink.add(Key::RWeak.cell(), i32::from(nearest & half_open_targets != 0));
}

/// `r_7th`: a rook on the seventh cuts off a king on the eighth, or eats pawns on the seventh; 1 with at
/// least one rook there. `r_7th2`: a second rook doubles the trouble; 1 with at least two.
#[inline(always)]
fn seventh_rank<S: Sink>(view: &OwnView, sink: &mut S) {
    let prey = (view.enemy_king & EIGHTH) | (view.enemy_pawns & SEVENTH);
    let rooks = if prey == 0 { 0 } else { size(view.own.rooks & SEVENTH) };
    if rooks >= 1 {
        sink.add(Key::R7th.cell(), 1);
        sink.add(Key::R7th2.cell(), i32::from(rooks >= 2));
    }
}

/// `q_open`: a queen likes an open file, if less than a rook does.
#[inline(always)]
pub(super) fn queen<S: Sink>(square: u32, facts: &PawnFacts, sink: &mut S) {
    sink.add(Key::QOpen.cell(), i32::from(bit(square) & facts.without_any() != 0));
}

/// `r_trap`: a king that walked to f1 or g1 without castling shuts in the rook on g1, h1 or h2; on the
/// queen's side b1, c1 and a1, b1, a2. Either it is so or not: a second rook there adds nothing.
#[inline(always)]
fn trapped<S: Sink>(view: &OwnView, sink: &mut S) {
    let trapped =
        TRAPS.iter().any(|&(kings, rooks)| view.own.king & kings != 0 && view.own.rooks & rooks != 0);
    if trapped {
        sink.add(Key::RTrap.cell(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{count, white, white_cells};
    use super::*;

    #[test]
    fn rooks_on_open_and_half_open_files_count_by_file_class() {
        // a: own pawn; c: enemy pawn; d: none. The pawn on c5 counts behind the rook as well.
        let fen = "4k3/2R5/8/2p5/8/8/P7/R2RK3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::ROpen), [(3, 1)]);
        assert_eq!(white_cells(fen, Key::RHalf), [(2, 1)]);
        assert_eq!(count("4k2r/8/8/8/8/8/8/4K3 w - - 0 1", Key::ROpen), -1);
    }

    #[test]
    fn a_rook_is_shut_by_the_nearest_pawn_ahead_unless_that_is_a_lever() {
        // a1 behind a2; c1 behind c4, which attacks d5; e3 in front of e2 looks at nothing.
        let fen = "6k1/8/8/3p4/2P5/4R3/P3P3/R1R3K1 w - - 0 1";
        assert_eq!(white(fen, Key::RShut), 1);
        // The nearest pawn ahead is the enemy's: the own pawn beyond it does not shut in the rook.
        assert_eq!(white("6k1/8/8/P7/p7/8/8/R5K1 w - - 0 1", Key::RShut), 0);
        // A piece between does not open the way.
        assert_eq!(white("6k1/8/8/P7/8/N7/8/R5K1 w - - 0 1", Key::RShut), 1);
    }

    #[test]
    fn the_seventh_rank_needs_a_king_on_the_eighth_or_pawns() {
        let king = "6k1/R7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!((white(king, Key::R7th), white(king, Key::R7th2)), (1, 0));
        let pawns = "8/RR5p/6k1/8/8/8/8/4K3 w - - 0 1";
        assert_eq!((white(pawns, Key::R7th), white(pawns, Key::R7th2)), (1, 1));
        let nothing = "8/RR6/6k1/7p/8/8/8/4K3 w - - 0 1";
        assert_eq!((white(nothing, Key::R7th), white(nothing, Key::R7th2)), (0, 0));
        let three = "6k1/RRR5/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!((white(three, Key::R7th), white(three, Key::R7th2)), (1, 1));
    }

    #[test]
    fn doubled_rooks_count_once_for_each_file_without_own_pawns() {
        assert_eq!(white("6k1/8/8/8/3R4/3N4/3R4/6K1 w - - 0 1", Key::RDbl), 1);
        assert_eq!(white("6k1/3p4/8/3R4/3R4/8/3R4/6K1 w - - 0 1", Key::RDbl), 1);
        assert_eq!(white("6k1/8/8/8/3R4/3R4/3P4/6K1 w - - 0 1", Key::RDbl), 0);
        assert_eq!(white("6k1/8/8/8/2RR4/8/2RR4/6K1 w - - 0 1", Key::RDbl), 2);
        assert_eq!(white("6k1/8/8/8/2RR4/8/8/6K1 w - - 0 1", Key::RDbl), 0);
    }

    #[test]
    fn a_rook_bears_on_isolated_and_backward_pawns_of_half_open_files() {
        // d6 is isolated.
        assert_eq!(white("6k1/8/3p4/8/8/8/8/3R2K1 w - - 0 1", Key::RWeak), 1);
        // d6 is backward: c5 and e5 have gone ahead and e4 guards d5.
        assert_eq!(white("6k1/8/3p4/2p1p3/4P3/8/8/3R2K1 w - - 0 1", Key::RWeak), 1);
        assert_eq!(white("6k1/8/3p4/2p1p3/8/4P3/8/3R2K1 w - - 0 1", Key::RWeak), 0);
        // An own pawn on the file, or the rook past the pawn: no.
        assert_eq!(white("6k1/8/3p4/8/8/8/3P4/3R2K1 w - - 0 1", Key::RWeak), 0);
        assert_eq!(white("6k1/3R4/3p4/8/8/8/8/6K1 w - - 0 1", Key::RWeak), 0);
        // The front pawn shields the isolated pawn behind it only if it is sound itself.
        assert_eq!(white("6k1/8/3p4/3p4/8/8/8/3R2K1 w - - 0 1", Key::RWeak), 1);
    }

    #[test]
    fn files_next_to_the_enemy_king_count_when_free_of_own_pawns() {
        // King g8: f (half-open) and h (open) count, g has an own pawn, e is too far.
        let fen = "6k1/5p2/8/8/8/8/6P1/K3RRRR w - - 0 1";
        assert_eq!(white(fen, Key::RKfile), 2);
        // King h8: no file beyond, and the a-file is not next to it.
        assert_eq!(white("7k/8/8/8/8/8/8/RK4R1 w - - 0 1", Key::RKfile), 1);
    }

    #[test]
    fn queens_count_on_open_files_only() {
        assert_eq!(white("6k1/3p4/8/8/8/8/8/2QQ2K1 w - - 0 1", Key::QOpen), 1);
    }

    #[test]
    fn a_king_beside_the_corner_traps_its_rook() {
        let trapped = |rank: &str| white(&format!("4k3/8/8/8/8/8/8/{rank} w - - 0 1"), Key::RTrap);
        for rank in ["5K1R", "5KR1", "6KR", "RNKR4", "1RK5", "RK6"] {
            assert_eq!(trapped(rank), 1, "{rank}");
        }
        for rank in ["5RK1", "4K2R", "6RK", "R3K3", "1K5R"] {
            assert_eq!(trapped(rank), 0, "{rank}");
        }
        assert_eq!(white("4k3/8/8/8/8/8/R6R/1K6 w - - 0 1", Key::RTrap), 1);
        assert_eq!(white("4k3/8/8/8/8/8/7R/6KR w - - 0 1", Key::RTrap), 1);
        assert_eq!(count("6kr/8/8/8/8/8/8/4K3 w - - 0 1", Key::RTrap), -1);
    }
}
