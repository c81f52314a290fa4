//! Safety of the king, by opening weights only: the pawns that shelter it and those that storm it.
//!
//! Shelter counts for a king at home on a wing: on files a to c or f to h and on its first two ranks. Its
//! *shelter files* are its own file and the two neighbours, the inner one towards the centre and the
//! outer one, as far as they exist: a king on the a- or h-file has no outer file.

use super::geometry::{CORNER_COLOR, around, file, on_files, rank, set};
use super::{Key, KingView, OwnView, PawnFacts, Sink};

/// Castled king, square of the fianchetto pawn: king's side, queen's side.
const FIANCHETTOS: [(u64, u64); 2] = [(set("g1 h1"), set("g2")), (set("a1 b1 c1"), set("b2"))];

/// Whether shelter counts: the king is on a wing and on its first two ranks.
#[inline(always)]
fn is_sheltered(king: u32) -> bool {
    rank(king) <= 1 && !matches!(file(king), 3 | 4)
}

/// Terms of the king's shelter that pawns decide.
#[inline(always)]
pub(super) fn shelter<S: Sink>(king: &KingView, facts: &PawnFacts, sink: &mut S) {
    if is_sheltered(king.square) {
        shelter_and_storm(file(king.square), facts, sink);
        bare_files(king, facts, sink);
    }
}

/// Terms of the king's safety that pieces and rights decide.
#[inline(always)]
pub(super) fn side<S: Sink>(view: &OwnView, sink: &mut S) {
    let king = view.own.king_square();
    if is_sheltered(king) {
        fianchetto_hole(view, sink);
    } else if rank(king) <= 1 {
        uncastled_in_centre(view, sink);
    }
}

/// `sh_ctr`: a king on the d- or e-file, on its first two ranks, that has lost all rights to castle.
#[inline(always)]
fn uncastled_in_centre<S: Sink>(view: &OwnView, sink: &mut S) {
    let stuck = !view.castles_king_side && !view.castles_queen_side;
    sink.add(Key::ShCtr.cell(), i32::from(stuck));
}

/// The king's own, the inner and the outer file, each with its row of the table `sh`.
#[inline(always)]
fn shelter_files(king: u32) -> impl Iterator<Item = (usize, u32)> {
    let (inner, outer) = if king < 4 { (king + 1, king.wrapping_sub(1)) } else { (king - 1, king + 1) };
    [king, inner, outer].into_iter().enumerate().filter(|&(_, file)| file < 8)
}

/// `sh`: pawns that have not moved shelter best. For each shelter file, where its rearmost own pawn
/// stands: second, third, a later rank, or there is none; all own pawns of the file are looked at, and
/// an enemy pawn before it does not matter. `storm`: an enemy pawn that has come near opens lines. For
/// each shelter file, how far the foremost enemy pawn has come, by rank from the own side: sixth or more,
/// fifth, fourth, third or less. A file without enemy pawns counts as sixth or more, so that each
/// shelter file counts once in each table.
#[inline(always)]
fn shelter_and_storm<S: Sink>(king_file: u32, facts: &PawnFacts, sink: &mut S) {
    for (row, file) in shelter_files(king_file) {
        let mask = on_files(1 << file);
        sink.add(Key::Sh.cell_at(4 * row + shelter_state(facts.own & mask)), 1);
        sink.add(Key::Storm.cell_at(storm_state(facts.enemy & mask)), 1);
    }
}

/// Column of `sh` for the own pawns on a file: r2, r3, r4 and later, none.
#[inline(always)]
fn shelter_state(own: u64) -> usize {
    if own == 0 { 3 } else { rank(own.trailing_zeros()).min(3) as usize - 1 }
}

/// Cell of `storm` for the enemy pawns on a file: r6 and later or none, r5, r4, r3 and less.
#[inline(always)]
fn storm_state(enemy: u64) -> usize {
    // No pawn leaves 64 trailing zeros, which is a rank beyond the last.
    5 - rank(enemy.trailing_zeros()).clamp(2, 5) as usize
}

/// `k_open`, `k_half`: shelter files without own pawns are roads to the king while the enemy has a rook
/// or queen: files without any pawns, files with enemy pawns only. `sh_noq`: without an enemy queen it
/// is not as bad; all shelter files without own pawns, a refund.
#[inline(always)]
fn bare_files<S: Sink>(king: &KingView, facts: &PawnFacts, sink: &mut S) {
    let bare = around(file(king.square)) & !facts.own_files;
    if king.enemy_rook || king.enemy_queen {
        sink.add(Key::KOpen.cell(), (bare & !facts.enemy_files).count_ones() as i32);
        sink.add(Key::KHalf.cell(), (bare & facts.enemy_files).count_ones() as i32);
    }
    if !king.enemy_queen {
        sink.add(Key::ShNoq.cell(), bare.count_ones() as i32);
    }
}

/// `fia_hole`: when the pawn has left g2 the squares around it are weak, unless the own bishop of their
/// colour guards them; with such a bishop the enemy uses them. King on g1 or h1 and no own pawn on g2; on
/// the other wing king on a1, b1 or c1 and no own pawn on b2. How the king came there does not matter.
#[inline(always)]
fn fianchetto_hole<S: Sink>(view: &OwnView, sink: &mut S) {
    let hole = FIANCHETTOS.iter().any(|&(kings, pawn)| {
        let color = color_of(pawn);
        view.own.king & kings != 0
            && view.own.pawns & pawn == 0
            && view.own.bishops & color == 0
            && view.enemy_bishops[usize::from(color != CORNER_COLOR)]
    });
    if hole {
        sink.add(Key::FiaHole.cell(), 1);
    }
}

/// All squares of the colour of one square.
#[inline(always)]
const fn color_of(square: u64) -> u64 {
    if square & CORNER_COLOR != 0 { CORNER_COLOR } else { !CORNER_COLOR }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{black, count, white, white_cells};
    use super::*;

    #[test]
    fn shelter_counts_the_rearmost_own_pawn_of_each_shelter_file() {
        // King g1: own file g, pawns g3 and g5; inner f, f2; outer h, h4.
        let fen = "4k3/8/8/6P1/7P/6P1/5P2/6K1 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Sh), [(1, 1), (4, 1), (8 + 2, 1)]);
        // King b1: inner is c, outer a; no pawn on b.
        let fen = "4k3/8/8/2P5/8/P7/8/1K6 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Sh), [(3, 1), (4 + 2, 1), (8 + 1, 1)]);
        // King f2 on the second rank: inner e, outer g.
        let fen = "4k3/8/8/8/8/4P3/6P1/5K2 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Sh), [(3, 1), (4 + 1, 1), (8, 1)]);
    }

    #[test]
    fn a_king_on_the_edge_has_two_shelter_files() {
        let h_file = "4k3/8/8/8/8/7P/6P1/7K w - - 0 1";
        assert_eq!(white_cells(h_file, Key::Sh), [(1, 1), (4, 1)]);
        assert_eq!(white(h_file, Key::Storm), 2);
        let a_file = "4k3/8/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(white_cells(a_file, Key::Sh), [(3, 1), (7, 1)]);
        assert_eq!(white("3qk3/8/8/8/8/8/8/K7 w - - 0 1", Key::KOpen), 2);
    }

    #[test]
    fn only_a_king_on_a_wing_and_its_first_two_ranks_has_a_shelter() {
        let keys = [Key::Sh, Key::Storm, Key::KOpen, Key::KHalf, Key::ShNoq];
        for fen in ["rk6/1p6/8/8/8/8/8/4K2R w - - 0 1", "r3k3/7p/8/8/8/6K1/8/7R w - - 0 1"] {
            assert_eq!(keys.map(|key| white(fen, key)), [0; 5], "{fen}");
        }
        assert_eq!(white("4k3/8/8/8/8/8/6K1/8 w - - 0 1", Key::Sh), 3);
    }

    #[test]
    fn a_king_in_the_centre_is_stuck_without_rights_to_castle() {
        assert_eq!(white("4k3/8/8/8/8/8/8/4K2R w - - 0 1", Key::ShCtr), 1);
        assert_eq!(white("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Key::ShCtr), 0);
        assert_eq!(white("4k3/8/8/8/8/8/3K4/8 w - - 0 1", Key::ShCtr), 1);
        assert_eq!(white("4k3/8/8/8/8/3K4/8/8 w - - 0 1", Key::ShCtr), 0);
        assert_eq!(white("4k3/8/8/8/8/8/8/5K2 w - - 0 1", Key::ShCtr), 0);
        assert_eq!(count("3k4/8/8/8/8/8/8/6K1 w - - 0 1", Key::ShCtr), -1);
    }

    #[test]
    fn storming_pawns_count_by_the_rank_they_have_reached() {
        // King g1: f, foremost pawn f4; g, g5; h, h3.
        let fen = "4k3/5p2/8/6p1/5p2/7p/8/6K1 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Storm), [(1, 1), (2, 1), (3, 1)]);
        // Pawns at home, and a file without: all count as far away. A pawn on the second is near.
        assert_eq!(white_cells("4k3/6pp/8/8/8/8/8/6K1 w - - 0 1", Key::Storm), [(0, 3)]);
        assert_eq!(white_cells("4k3/8/6p1/8/8/8/7p/5K2 w - - 0 1", Key::Storm), [(0, 3)]);
        assert_eq!(white_cells("4k3/8/8/8/8/8/7p/7K w - - 0 1", Key::Storm), [(0, 1), (3, 1)]);
        assert_eq!(black("6k1/8/7P/8/8/8/8/4K3 w - - 0 1", Key::Storm), 3);
    }

    #[test]
    fn bare_files_are_roads_for_enemy_rooks_and_queens() {
        // King g1: f is bare, g half-open, h has an own pawn.
        let rook = "r3k3/6p1/8/8/8/8/7P/6K1 w - - 0 1";
        assert_eq!([Key::KOpen, Key::KHalf, Key::ShNoq].map(|key| white(rook, key)), [1, 1, 2]);
        let queen = "q3k3/6p1/8/8/8/8/7P/6K1 w - - 0 1";
        assert_eq!([Key::KOpen, Key::KHalf, Key::ShNoq].map(|key| white(queen, key)), [1, 1, 0]);
        let minor = "n3k3/6p1/8/8/8/8/7P/6K1 w - - 0 1";
        assert_eq!([Key::KOpen, Key::KHalf, Key::ShNoq].map(|key| white(minor, key)), [0, 0, 2]);
    }

    #[test]
    fn a_fianchetto_hole_needs_the_enemy_bishop_and_no_own_bishop_of_the_colour() {
        // g2 is light; d7 is light, d6 is dark.
        assert_eq!(white("4k3/3b4/8/8/8/6P1/8/6K1 w - - 0 1", Key::FiaHole), 1);
        assert_eq!(white("4k3/3b4/8/8/8/8/6P1/6K1 w - - 0 1", Key::FiaHole), 0);
        assert_eq!(white("4k3/8/3b4/8/8/6P1/8/6K1 w - - 0 1", Key::FiaHole), 0);
        assert_eq!(white("4k3/3b4/8/8/8/6P1/6B1/6K1 w - - 0 1", Key::FiaHole), 0);
        assert_eq!(white("4k3/3b4/8/8/8/6P1/5B2/6K1 w - - 0 1", Key::FiaHole), 1);
        // b2 is dark; c1 belongs to the wing, f1 does not.
        assert_eq!(white("4k3/8/3b4/8/8/1P6/8/2K5 w - - 0 1", Key::FiaHole), 1);
        assert_eq!(white("4k3/3b4/8/8/8/6P1/8/5K2 w - - 0 1", Key::FiaHole), 0);
        // g7 is dark.
        assert_eq!(count("6k1/8/6p1/8/8/8/3B4/4K3 w - - 0 1", Key::FiaHole), -1);
    }
}
