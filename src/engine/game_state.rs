//! Where a game stands: the position and how it came about, which repetitions depend on.

use shakmaty::{Chess, Move, Position};

use crate::position::CompactMove;

/// A game up to the move that is to be found.
#[derive(Debug, Clone, Default)]
pub struct GameState {
    start: Chess,
    moves: Vec<CompactMove>,
    position: Chess,
}

impl GameState {
    /// A game that begins here.
    pub fn new(start: Chess) -> GameState {
        GameState { position: start.clone(), start, moves: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position that the game began with.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The moves since then.
    pub fn moves(&self) -> &[CompactMove] {
        &self.moves
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.moves.push(mv.into());
        self.position.play_unchecked(mv);
    }

    /// The legal move that is written so in the engine's way.
    pub fn find(&self, mv: CompactMove) -> Option<Move> {
        self.position.legal_moves().into_iter().find(|&legal| CompactMove::from(legal) == mv)
    }
}
