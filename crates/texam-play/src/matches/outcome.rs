//! Results of games, and the reasons why games end.

use strum::{Display, IntoStaticStr, VariantArray};

/// Result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
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

impl Outcome {
    /// Result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
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

impl Reason {
    /// Value of the tag `Termination` in the PGN.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
