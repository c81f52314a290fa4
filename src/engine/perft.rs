//! Perft: the number of lines of legal moves to a depth, which tests the move generator.

use shakmaty::Chess;

use crate::{
    feature::Weights,
    phase::{PhaseAt, PhaseScheme},
    position::{CompactMove, Evaluation, Evaluator, Node},
};

/// For each root move, the number of lines that are `depth` plies long in all; depth 0 counts as 1.
pub fn perft(root: &Chess, depth: u32) -> Vec<(CompactMove, u64)> {
    let weights = Weights::start().quantised();
    let mut evaluator = Evaluator::new(&Evaluation::new(&weights, PhaseScheme::None, PhaseAt::Leaf));
    let node = evaluator.set_root(root);
    let count = |mv| lines(&node.make(mv, &evaluator), depth.max(1) - 1, &evaluator);
    node.legal_moves().into_iter().map(|mv| (mv, count(mv))).collect()
}

fn lines(node: &Node, depth: u32, evaluator: &Evaluator) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = node.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&mv| lines(&node.make(mv, evaluator), depth - 1, evaluator)).sum()
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
            let total: u64 = perft(&position(fen), depth).iter().map(|(_, count)| count).sum();
            assert_eq!(total, expected, "{fen}");
        }
    }
}
