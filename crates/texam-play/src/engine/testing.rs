//! Helpers for the tests of the engine.

use shakmaty::{Chess, uci::UciMove};

use super::{GameState, Limits, SearchResult, Searcher};
use texam_chess::{
    feature::Weights,
    phase::{PhaseAt, PhaseScheme},
    position::{CompactMove, Evaluation, Evaluator, Node},
};

pub fn position(fen: &str) -> Chess {
    texam_chess::fen::parse(fen).unwrap()
}

pub fn evaluation() -> Evaluation {
    Evaluation::new(&Weights::start().quantised(), PhaseScheme::Fruit, PhaseAt::Leaf)
}

pub fn node(fen: &str) -> (Node, Evaluator) {
    let mut evaluator = Evaluator::new(&evaluation());
    (evaluator.set_root(&position(fen)), evaluator)
}

pub fn move_of(fen: &str, uci: &str) -> CompactMove {
    uci.parse::<UciMove>().unwrap().to_move(&position(fen)).unwrap().into()
}

pub fn searcher() -> Searcher {
    Searcher::new(&evaluation(), 4)
}

/// A game from a position with these moves.
pub fn game(fen: &str, moves: &str) -> GameState {
    let mut game = GameState::new(position(fen));
    for uci in moves.split_whitespace() {
        let mv = uci.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
        game.play(mv);
    }
    game
}

pub fn think(fen: &str, limits: &Limits) -> SearchResult {
    searcher().think(&game(fen, ""), limits, &mut |_| {})
}
