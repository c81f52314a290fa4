//! Results of games, and the reasons why games end.

use strum::{IntoStaticStr, VariantArray};

/// Result of a game; its text is that of PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum Outcome {
    /// White won.
    #[strum(serialize = "1-0")]
    White,
    /// Black won.
    #[strum(serialize = "0-1")]
    Black,
    /// Draw.
    #[strum(serialize = "1/2-1/2")]
    Draw,
}

/// Why a game ended; its text is the value of the tag `Termination` in the PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
pub enum Reason {
    /// Checkmate.
    #[strum(serialize = "mate")]
    Mate,
    /// Stalemate.
    #[strum(serialize = "stalemate")]
    Stalemate,
    /// The position occurred for the third time.
    #[strum(serialize = "threefold repetition")]
    Repetition,
    /// A hundred half-moves without a capture or a pawn move.
    #[strum(serialize = "fifty moves")]
    FiftyMoves,
    /// Neither side has the material to mate.
    #[strum(serialize = "insufficient material")]
    Material,
    /// Adjudicated: both players have agreed on the result for long enough.
    #[strum(serialize = "adjudication")]
    Adjudication,
}
