//! The current position of a game with the moves that led to it, which are needed to detect repetitions.

use shakmaty::{Chess, Move, Position};

use texam_chess::position::CompactMove;

/// A game up to the current position.
#[derive(Debug, Clone, Default)]
pub struct GameState {
    start: Chess,
    moves: Vec<CompactMove>,
    position: Chess,
}

impl GameState {
    /// A game that begins with this position.
    pub fn new(start: Chess) -> GameState {
        GameState { position: start.clone(), start, moves: Vec::new() }
    }

    /// The current position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position that the game began with.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The moves from the start to the current position.
    pub fn moves(&self) -> &[CompactMove] {
        &self.moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.moves.push(mv.into());
        self.position.play_unchecked(mv);
    }

    /// The legal move that equals a compact move; none if it is not legal.
    pub fn find(&self, mv: CompactMove) -> Option<Move> {
        self.position.legal_moves().into_iter().find(|&legal| CompactMove::from(legal) == mv)
    }
}
