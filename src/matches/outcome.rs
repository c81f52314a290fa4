//! How a game ends: who won, and why it is over.

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    White,
    Black,
    Draw,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Mate,
    Stalemate,
    Repetition,
    FiftyMoves,
    /// Neither side has the material to mate.
    Material,
    /// Adjudicated: both players agreed on the result for long enough.
    Agreement,
}

impl Reason {
    /// Name in the PGN.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Mate => "mate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "threefold repetition",
            Reason::FiftyMoves => "fifty moves",
            Reason::Material => "insufficient material",
            Reason::Agreement => "adjudication",
        }
    }
}
