//! Perft: the number of lines of legal moves to a depth, which tests the move generator.

use shakmaty::Chess;

use super::Signals;
use texam_chess::{
    feature::Weights,
    phase::{PhaseAt, PhaseScheme},
    position::{CompactMove, Evaluation, Evaluator, Node},
};

/// Largest depth, in plies. It bounds the recursion; the time that it takes is far beyond any use.
pub const LARGEST_DEPTH: u32 = 64;

/// Calls `observe` for each root move with the number of lines that are `depth` plies long in all, and
/// returns their sum; none if the signals stopped the count. Depth 0 counts as 1; [`LARGEST_DEPTH`] must not
/// be exceeded.
pub fn perft(
    root: &Chess,
    depth: u32,
    signals: &Signals,
    observe: &mut dyn FnMut(CompactMove, u64),
) -> Option<u64> {
    let weights = Weights::start().quantised();
    let mut evaluator = Evaluator::new(&Evaluation::new(&weights, PhaseScheme::None, PhaseAt::Leaf));
    let node = evaluator.set_root(root);
    let mut sum = 0;
    for mv in node.legal_moves() {
        let count = lines(&node.make(mv, &evaluator), depth.max(1) - 1, &evaluator, signals)?;
        observe(mv, count);
        sum += count;
    }
    Some(sum)
}

/// The number of lines from a node; none if the signals stopped the count.
fn lines(node: &Node, depth: u32, evaluator: &Evaluator, signals: &Signals) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let moves = node.legal_moves();
    if depth == 1 {
        return Some(moves.len() as u64);
    }
    if signals.is_stopped() {
        return None;
    }
    moves.iter().map(|&mv| lines(&node.make(mv, evaluator), depth - 1, evaluator, signals)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::position;

    #[test]
    fn counts_are_those_published_for_the_usual_positions() {
        // Chessprogramming wiki, "Perft Results".
        for (fen, depth, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 1, 14),
        ] {
            let mut by_move = 0;
            let total = perft(&position(fen), depth, &Signals::default(), &mut |_, count| by_move += count);
            assert_eq!((total, by_move), (Some(expected), expected), "{fen}");
        }
    }

    #[test]
    fn a_stop_ends_a_count() {
        let signals = Signals::default();
        signals.stop();
        let start = Chess::default();
        assert_eq!(perft(&start, LARGEST_DEPTH, &signals, &mut |_, _| {}), None);
        assert_eq!(perft(&start, 1, &signals, &mut |_, _| {}), Some(20));
    }
}
