//! Passed pawns: terms that depend on pawns only, then blockades, rooks behind, and the race with the kings.
//!
//! A pawn is passed when no enemy pawn is ahead on its own or an adjacent file and no own pawn is ahead
//! on its file. Which ones are is found in [`PawnFacts`].

use super::geometry::{ahead, behind, beside, bit, distance, file, files, on_files, rank, ranks, size};
use super::pawns::by_rank;
use super::side::squares;
use super::{Key, PawnFacts, Side, Sink};

/// Terms of passed pawns that depend on pawns only.
#[inline(always)]
pub(super) fn structure<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    if facts.passed == 0 {
        return;
    }
    by_rank(facts.passed, Key::Pass, sink);
    supported(facts, sink);
    connected(facts, sink);
    outside(facts, sink);
}

/// Terms of passed pawns that depend on the whole board.
#[inline(always)]
pub(super) fn side<S: Sink>(side: &Side, facts: &PawnFacts, sink: &mut S) {
    if facts.passed == 0 {
        return;
    }
    blockades(side, facts.passed, sink);
    rooks_behind(side, facts.passed, sink);
    kings(side, facts.passed, sink);
    free_paths(side, facts.passed, sink);
}

/// `pass_sup`: a passed pawn that a pawn defends ties up the pieces that attack it.
#[inline(always)]
fn supported<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    sink.add(Key::PassSup.cell(), size(facts.passed & facts.own_attacks));
}

/// `pass_con`: two passed pawns on adjacent files, at most one rank apart, guard each other's way. Each
/// of them counts.
#[inline(always)]
fn connected<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let within_a_rank = facts.passed | (facts.passed << 8) | (facts.passed >> 8);
    sink.add(Key::PassCon.cell(), size(facts.passed & beside(within_a_rank)));
}

/// `pass_out`: a passed pawn far from all others draws the enemy king away. No other pawn of either
/// colour stands on its file or the adjacent files, ahead or behind.
#[inline(always)]
fn outside<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let all = facts.own | facts.enemy;
    let near_another = beside(on_files(files(all))) | ahead(all) | behind(all);
    sink.add(Key::PassOut.cell(), size(facts.passed & !near_another));
}

/// `pass_blk_e`: an enemy piece on the next square stops the pawn and stands well there. `pass_blk_o`:
/// an own piece there only stops it. Kings are pieces too.
#[inline(always)]
fn blockades<S: Sink>(side: &Side, passed: u64, sink: &mut S) {
    let stops = passed << 8;
    sink.add(Key::PassBlkE.cell(), size(stops & side.enemy.all()));
    sink.add(Key::PassBlkO.cell(), size(stops & side.own.all()));
}

/// `pass_rook`: a rook behind its passed pawn gains room as the pawn goes. `pass_rook_x`: an enemy rook
/// behind it bears on it for good. Nothing stands between; every pawn so placed counts.
#[inline(always)]
fn rooks_behind<S: Sink>(side: &Side, passed: u64, sink: &mut S) {
    if side.own.rooks | side.enemy.rooks == 0 {
        return;
    }
    let occupied = side.occupied();
    let (mut own, mut enemy) = (0, 0);
    for square in squares(passed) {
        let below = behind(bit(square)) & occupied;
        // The highest piece or pawn below; without one both tests fail.
        let nearest = if below == 0 { 0 } else { 1 << below.ilog2() };
        own += i32::from(nearest & side.own.rooks != 0);
        enemy += i32::from(nearest & side.enemy.rooks != 0);
    }
    sink.add(Key::PassRook.cell(), own);
    sink.add(Key::PassRookX.cell(), enemy);
}

/// `pass_kown`, `pass_kopp`: in the ending kings decide what becomes of a passed pawn. Distances of the
/// own and the enemy king to the next square of each passed pawn from the fourth rank on.
#[inline(always)]
fn kings<S: Sink>(side: &Side, passed: u64, sink: &mut S) {
    let (king, enemy_king) = (side.own.king_square(), side.enemy.king_square());
    let (mut own, mut enemy) = (0, 0);
    for stop in squares((passed & ranks(4, 7)) << 8) {
        own += distance(king, stop) as i32;
        enemy += distance(enemy_king, stop) as i32;
    }
    sink.add(Key::PassKown.cell(), own);
    sink.add(Key::PassKopp.cell(), enemy);
}

/// `pass_free`: with nothing at all ahead, kings included, the pawn is the more dangerous the further it
/// is; ranks beyond the third. `pass_run`: see [`outruns`].
#[inline(always)]
fn free_paths<S: Sink>(side: &Side, passed: u64, sink: &mut S) {
    let occupied = side.occupied();
    let free = squares(passed & !behind(occupied));
    let bare = side.enemy.minors_and_majors() == 0;
    let (mut ranks, mut runners) = (0, 0);
    for square in free {
        ranks += rank(square).saturating_sub(2) as i32;
        runners += i32::from(bare && outruns(side, square));
    }
    sink.add(Key::PassFree.cell(), ranks);
    sink.add(Key::PassRun.cell(), runners);
}

/// `pass_run`: a free passed pawn runs home when the enemy has no pieces (pawns he may have) and his king
/// is outside the square. The pawn needs as many moves as ranks, one less from the second; the king must
/// reach the last square no later than one move after it, and has a move in hand when he is to move.
/// The own king's help is not looked at. Every pawn that runs counts.
fn outruns(side: &Side, square: u32) -> bool {
    let moves = (7 - rank(square)).min(5);
    let last = 56 + file(square);
    let in_hand = u32::from(!side.to_move);
    distance(side.enemy.king_square(), last) > moves + in_hand
}

#[cfg(test)]
mod tests {
    use super::super::testing::{black, count, white, white_cells};
    use super::*;
    use crate::eval::SymbolicSink;
    use crate::position::SplitMix64;

    #[test]
    fn passed_pawns_count_by_rank_and_enemy_pawns_behind_do_not_matter() {
        // a7 and c4 are passed; d2 and Black's e5 stop each other.
        let fen = "8/P5k1/8/4p3/2P5/8/3P4/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Pass), [(2, 1), (5, 1)]);
        assert_eq!(black(fen, Key::Pass), 0);
        assert_eq!(black("8/6k1/8/8/2Pp4/8/8/4K3 w - - 0 1", Key::Pass), 1);
    }

    #[test]
    fn a_rear_doubled_pawn_is_not_passed() {
        let fen = "4k3/8/8/2P5/8/2P5/8/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Pass), [(3, 1)]);
        assert_eq!(white(fen, Key::PassOut), 0);
    }

    #[test]
    fn a_passed_pawn_is_supported_by_a_pawn_that_defends_it() {
        assert_eq!(white("4k3/8/8/2P5/1P6/8/8/4K3 w - - 0 1", Key::PassSup), 1);
        assert_eq!(white("4k3/8/8/1PP5/8/8/8/4K3 w - - 0 1", Key::PassSup), 0);
    }

    #[test]
    fn connected_passed_pawns_are_at_most_one_rank_apart_and_each_counts() {
        assert_eq!(white("4k3/8/8/2P5/1P6/8/8/4K3 w - - 0 1", Key::PassCon), 2);
        assert_eq!(white("4k3/8/8/1PPP4/8/8/8/4K3 w - - 0 1", Key::PassCon), 3);
        assert_eq!(white("4k3/8/2P5/8/1P6/8/8/4K3 w - - 0 1", Key::PassCon), 0);
        assert_eq!(white("4k3/8/8/7P/P7/8/8/4K3 w - - 0 1", Key::PassCon), 0);
    }

    #[test]
    fn an_outside_passed_pawn_has_no_pawn_of_either_colour_near() {
        assert_eq!(white("4k3/6p1/8/8/P7/8/2P3P1/4K3 w - - 0 1", Key::PassOut), 2);
        // A black pawn behind on the adjacent file is near, and so is a white one.
        assert_eq!(white("4k3/8/8/8/P7/1p6/8/4K3 w - - 0 1", Key::PassOut), 0);
        assert_eq!(white("4k3/8/8/8/P7/8/1P6/4K3 w - - 0 1", Key::PassOut), 0);
    }

    #[test]
    fn blockers_are_told_apart_by_colour_and_kings_are_pieces() {
        let fen = "8/8/8/1k3B1n/1P3P1P/8/8/4K3 w - - 0 1";
        assert_eq!((white(fen, Key::PassBlkE), white(fen, Key::PassBlkO)), (2, 1));
    }

    #[test]
    fn free_pawns_count_their_ranks_beyond_the_third() {
        // a7: 4; c5: 2; e3: 0; g4 is not free, for a knight stands far ahead.
        let fen = "6n1/P7/7k/2P5/6P1/4P3/8/4K3 w - - 0 1";
        assert_eq!(white(fen, Key::PassFree), 6);
    }

    #[test]
    fn rooks_stand_behind_a_passed_pawn_with_nothing_between() {
        // a5 has the own rook a1 behind, h4 the enemy rook h2; on c5 the king is between.
        let fen = "4k3/8/8/P1P5/7P/2K5/7r/R1R5 w - - 0 1";
        assert_eq!((white(fen, Key::PassRook), white(fen, Key::PassRookX)), (1, 1));
        // A rook ahead is not behind.
        let fen = "R3k3/8/8/P7/8/8/8/4K3 b - - 0 1";
        assert_eq!((white(fen, Key::PassRook), white(fen, Key::PassRookX)), (0, 0));
    }

    #[test]
    fn kings_are_measured_to_the_stops_of_pawns_from_the_fourth_rank_on() {
        // c4: stop c5; the king d4 is 1 away, the king g8 4. h3 is too far back.
        let fen = "6k1/8/8/8/2PK4/7P/8/8 w - - 0 1";
        assert_eq!((white(fen, Key::PassKown), white(fen, Key::PassKopp)), (1, 4));
        assert_eq!(count("6k1/8/8/7p/8/8/8/K7 w - - 0 1", Key::PassKopp), -7);
    }

    #[test]
    fn a_pawn_runs_when_the_king_is_outside_the_square() {
        // a5 needs 3 moves, king e5 is 4 from a8: it runs with the move, not without.
        assert_eq!(white("8/8/8/P3k3/8/8/8/7K w - - 0 1", Key::PassRun), 1);
        assert_eq!(white("8/8/8/P3k3/8/8/8/7K b - - 0 1", Key::PassRun), 0);
        assert_eq!(white("8/8/8/P4k2/8/8/8/7K b - - 0 1", Key::PassRun), 1);
        assert_eq!(white("8/8/8/P2k4/8/8/8/7K w - - 0 1", Key::PassRun), 0);
        // From the second rank it needs 5 moves, as from the third.
        assert_eq!(white("8/8/8/8/6k1/8/P7/7K w - - 0 1", Key::PassRun), 1);
        assert_eq!(white("8/8/8/8/5k2/8/P7/7K w - - 0 1", Key::PassRun), 0);
        assert_eq!(white("8/8/8/8/6k1/P7/8/7K w - - 0 1", Key::PassRun), 1);
    }

    #[test]
    fn a_pawn_does_not_run_against_pieces_or_with_its_way_obstructed() {
        assert_eq!(white("7n/8/8/P6k/8/8/8/7K w - - 0 1", Key::PassRun), 0);
        assert_eq!(white("8/8/K7/P6k/8/8/8/8 w - - 0 1", Key::PassRun), 0);
        // Enemy pawns are no pieces, and each runner counts.
        assert_eq!(white("8/8/8/P1P4k/7p/8/8/7K w - - 0 1", Key::PassRun), 2);
        assert_eq!(count("8/8/8/8/7K/p7/8/7k b - - 0 1", Key::PassRun), -1);
    }

    #[test]
    fn terms_of_pawns_alone_on_random_pawns_are_what_the_definitions_say() {
        let mut random = SplitMix64(3);
        for _ in 0..2000 {
            let draw = random.next() & random.next() & random.next() & ranks(2, 7);
            let enemy = random.next() & random.next() & random.next() & ranks(2, 7) & !draw;
            let facts = PawnFacts::new(draw, enemy);
            let near = |a: u32, b: u32| a != b && file(a).abs_diff(file(b)) <= 1;
            let mut plain = SymbolicSink::new();
            for pawn in squares(facts.passed) {
                let any = |set: u64, f: &dyn Fn(u32) -> bool| i32::from(squares(set).any(f));
                plain.add(Key::Pass.cell_at(rank(pawn) as usize - 1), 1);
                let defends = |o: u32| file(o).abs_diff(file(pawn)) == 1 && rank(o) + 1 == rank(pawn);
                plain.add(Key::PassSup.cell(), any(facts.own, &defends));
                let joins = |o: u32| file(o).abs_diff(file(pawn)) == 1 && rank(o).abs_diff(rank(pawn)) <= 1;
                plain.add(Key::PassCon.cell(), any(facts.passed, &joins));
                plain.add(Key::PassOut.cell(), 1 - any(facts.own | facts.enemy, &|o| near(o, pawn)));
            }
            let mut fast = SymbolicSink::new();
            structure(&facts, &mut fast);
            assert_eq!(fast.into_vector(), plain.into_vector());
        }
    }
}
