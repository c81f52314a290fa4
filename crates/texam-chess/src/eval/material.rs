//! Material: the bishop pair, the side to move, and trades by the side that is ahead.
//!
//! The lead is measured by the fixed `PIECE_VALUES`, so that counts do not depend on
//! the weights.

use shakmaty::Color;

use super::geometry::{CORNER_COLOR, size};
use super::{Key, OwnView, Placement, Sink};

/// Knights, bishops, rooks and queens of both sides at the start of a game.
const PIECES_AT_START: i32 = 14;
/// Pawns of both sides at the start of a game.
const PAWNS_AT_START: i32 = 16;

/// `b_pair`: two bishops cover squares of both colours, and no pawn chain shuts out both. Two bishops
/// of one colour are no pair.
#[inline(always)]
pub(super) fn side<S: Sink>(view: &OwnView, sink: &mut S) {
    let bishops = view.own.bishops;
    let pair = bishops & CORNER_COLOR != 0 && bishops & !CORNER_COLOR != 0;
    sink.add(Key::BPair.cell(), i32::from(pair));
}

/// Trades and the side to move, from White's view.
#[inline(always)]
pub(super) fn balance<S: Sink>(placement: &Placement, lead: i32, sink: &mut S) {
    trades(placement, lead, sink);
    tempo(placement, sink);
}

/// `trade_pc`, `trade_pn`: the side ahead wants pieces off and pawns on the board. The lead in whole pawns,
/// -4 to 4, times the pieces or pawns traded off by both sides, halved; each division rounds towards 0, so a
/// lead below a pawn is none. If promotions make more pieces than at the start, the number traded is 0.
#[inline(always)]
fn trades<S: Sink>(placement: &Placement, lead: i32, sink: &mut S) {
    let lead = (lead / 128).clamp(-4, 4);
    let [pawns, knights, bishops, rooks, queens, _] = placement.roles;
    let pieces_off = (PIECES_AT_START - size(knights | bishops | rooks | queens)).max(0);
    let pawns_off = (PAWNS_AT_START - size(pawns)).max(0);
    sink.add(Key::TradePc.cell(), lead * pieces_off / 2);
    sink.add(Key::TradePn.cell(), lead * pawns_off / 2);
}

/// `tempo`: to be on move is a small advantage. Its count is 1 with White to move, -1 with Black to move.
#[inline(always)]
fn tempo<S: Sink>(placement: &Placement, sink: &mut S) {
    sink.add(Key::Tempo.cell(), if placement.turn == Color::White { 1 } else { -1 });
}

#[cfg(test)]
mod tests {
    use super::super::testing::{count, placement, white};
    use super::*;

    #[test]
    fn a_pair_of_bishops_needs_both_square_colours() {
        assert_eq!(white("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", Key::BPair), 1);
        assert_eq!(white("4k3/8/8/8/8/4B3/8/2B1K3 w - - 0 1", Key::BPair), 0);
        assert_eq!(count("2b1kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", Key::BPair), -1);
    }

    #[test]
    fn the_lead_uses_the_frozen_starting_values() {
        let each = [Key::MatP, Key::MatN, Key::MatB, Key::MatR, Key::MatQ].map(|key| key.feature().start[0]);
        let fens = [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KR2 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1",
        ];
        assert_eq!(fens.map(|fen| f64::from(placement(fen).lead())), each);
    }

    #[test]
    fn a_knight_up_is_a_lead_of_three_times_half_the_pieces_off() {
        // Lead 416 / 128 = 3; one of 14 pieces off: 3 / 2 = 1. No pawn is off.
        let fen = "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!((count(fen, Key::TradePc), count(fen, Key::TradePn)), (1, 0));
        // The same for Black, with three pawns off on both sides: lead -3, (-3 * 1) / 2 = -1 and
        // (-3 * 6) / 2 = -9.
        let fen = "rnbqkbnr/ppppp3/8/8/8/8/PPPPP3/R1BQKBNR w KQkq - 0 1";
        assert_eq!((count(fen, Key::TradePc), count(fen, Key::TradePn)), (-1, -9));
    }

    #[test]
    fn the_lead_is_clamped_to_four_pawns_and_a_small_lead_is_none() {
        // A queen up is clamped to 4; 13 pieces and 16 pawns are off.
        let fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
        assert_eq!((count(fen, Key::TradePc), count(fen, Key::TradePn)), (26, 32));
        // Rook and knight 1056 against rook and bishop 1064: no lead.
        let fen = "4kb1r/8/8/8/8/8/8/4K1NR w - - 0 1";
        assert_eq!((count(fen, Key::TradePc), count(fen, Key::TradePn)), (0, 0));
        // A knight for two pawns: 416 - 256 = 160, a lead of 1; 13 pieces and 14 pawns are off.
        let fen = "4k3/pp6/8/8/8/8/8/4K1N1 w - - 0 1";
        assert_eq!((count(fen, Key::TradePc), count(fen, Key::TradePn)), (6, 7));
    }

    #[test]
    fn more_pieces_than_at_the_start_count_as_none_traded() {
        // No piece is off; 12 pawns are.
        let fen = "rnbqkbnr/8/8/8/8/8/PPPP4/RNBQKBNR w KQkq - 0 1";
        assert_eq!((count(fen, Key::TradePc), count(fen, Key::TradePn)), (0, 24));
        // Three more queens than at the start; 11 pawns are off.
        let fen = "rnbqkbnr/8/8/8/8/QQQ5/PPPPP3/RNBQKBNR w KQkq - 0 1";
        assert_eq!((count(fen, Key::TradePc), count(fen, Key::TradePn)), (0, 22));
    }

    #[test]
    fn the_move_counts_for_the_side_that_has_it() {
        assert_eq!(count("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Key::Tempo), 1);
        assert_eq!(count("4k3/8/8/8/8/8/8/4K3 b - - 0 1", Key::Tempo), -1);
    }
}
