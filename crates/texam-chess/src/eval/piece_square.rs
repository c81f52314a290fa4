//! Terms that depend on one piece or pawn and its square only: material and placement.
//!
//! These terms, and no others, fold into piece-square tables.

use shakmaty::Role;

use super::geometry::{bit, centrality, file, file_class, rank};
use super::placement::{BISHOP_HOMES, KNIGHT_HOMES};
use super::{Key, Sink};

/// Terms of one piece or pawn on a square. The square is from the view of its owner: 0 is a1, on the own back
/// rank.
#[inline(always)]
pub fn piece_square<S: Sink>(role: Role, square: u32, sink: &mut S) {
    material(role, sink);
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

/// `pst_p` to `pst_k`, `pst64_p` to `pst64_k`, all of them optional: a cell for each square that a piece
/// may stand on, the wings of the board taken together in the first, apart in the second.
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

/// `mat_*`: the values of the pieces. The king has none, since each side always has one.
fn material<S: Sink>(role: Role, sink: &mut S) {
    let key = match role {
        Role::Pawn => Key::MatP,
        Role::Knight => Key::MatN,
        Role::Bishop => Key::MatB,
        Role::Rook => Key::MatR,
        Role::Queen => Key::MatQ,
        Role::King => return,
    };
    sink.add(key.cell(), 1);
}

/// Cell of a table of file classes by the eight ranks.
fn board_cell(square: u32) -> usize {
    (file_class(square) * 8 + rank(square)) as usize
}

fn holds(set: u64, square: u32) -> i32 {
    i32::from(set & bit(square) != 0)
}

/// `p_adv`: a pawn gains by going forward, most of all in the centre. One cell for each file class and
/// rank. `rookpawn`: a pawn on the a- or h-file attacks one square where others attack two, and draws more
/// endings.
fn pawn<S: Sink>(square: u32, sink: &mut S) {
    let index = file_class(square) * 6 + rank(square) - 1;
    sink.add(Key::PAdv.cell_at(index as usize), 1);
    sink.add(Key::Rookpawn.cell(), i32::from(file_class(square) == 0));
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

#[cfg(test)]
mod tests {
    use super::super::testing::{black, count, white, white_cells};
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn pieces_are_counted_white_minus_black() {
        let fen = "rnbqkbnr/pppp4/8/8/8/8/PPPPPPPP/1NB1KBN1 w - - 0 1";
        assert_eq!(count(fen, Key::MatP), 4);
        assert_eq!(count(fen, Key::MatN), 0);
        assert_eq!(count(fen, Key::MatB), 0);
        assert_eq!(count(fen, Key::MatR), -2);
        assert_eq!(count(fen, Key::MatQ), -1);
    }

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
    fn rook_pawns_stand_on_the_a_and_h_file() {
        assert_eq!(count("4k3/p7/8/8/7P/8/P3P3/4K3 w - - 0 1", Key::Rookpawn), 1);
    }
}
