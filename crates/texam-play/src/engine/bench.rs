//! A fixed workload for the engine. A different node count shows that a change of the code has changed the
//! search.

use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::{GameState, Limits, Searcher, Signals};
use texam_chess::position::Evaluation;

/// Depth of each search, in plies.
pub const DEPTH: u32 = 9;

/// Size of the hash table, in megabytes.
const HASH: usize = 16;

/// Openings, middlegames and endgames.
const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r3k1/pp3ppp/2n1b3/3pP3/3P4/P4N2/1P3PPP/2R2BK1 b - - 1 22",
    "6k1/5ppp/8/3q4/8/2P2Q2/5PPP/6K1 w - - 0 30",
    "8/5pk1/4p1p1/1R5p/1r2P2P/5PP1/6K1/8 b - - 3 41",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39",
];

/// Searches every position to [`DEPTH`] and returns the number of nodes, which is the same in every run with
/// the same weights; none if the signals stopped a search.
pub fn run(evaluation: &Evaluation, signals: &Signals) -> Option<u64> {
    let mut searcher = Searcher::new(evaluation, HASH).with_signals(signals.clone());
    let mut search = |fen: &&str| {
        searcher.new_game();
        let found = searcher.think(&GameState::new(position(fen)), &Limits::depth(DEPTH), &mut |_| {});
        (!signals.is_stopped()).then_some(found.nodes)
    };
    POSITIONS.iter().map(&mut search).sum()
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("the positions of the workload are FENs");
    fen.into_position(CastlingMode::Standard).expect("the positions of the workload are legal")
}
