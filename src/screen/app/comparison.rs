//! Two sets of weights side by side, with their agreement on the game shown.

use crate::show::diff::Entry;

/// Agreement on the positions of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameAgreement {
    /// Positions with a choice.
    pub positions: usize,
    pub matched: usize,
    /// Sum of the moves above the played one.
    pub ahead: usize,
}

/// A weight that differs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightChange {
    /// The weight in both sets.
    pub entry: Entry,
    /// By how much the change moves the values of the moves in bound apart, in units: the standard deviation within a
    /// position of what it adds.
    pub effect: f64,
}

/// The result of a comparison with the weights of a file.
#[derive(Debug)]
pub struct ComparedWeights {
    /// The file of the other set.
    pub path: String,
    /// The weights that differ, those first that move the values most.
    pub changes: Vec<WeightChange>,
    /// A note about the file of the other set.
    pub note: Option<String>,
    /// The number and the players of the game that both sets were measured on.
    pub game: String,
    /// Agreement of the present and of the other set.
    pub tallies: [GameAgreement; 2],
    /// Number of positions that only the present set matches, and only the other one.
    pub only: [usize; 2],
}
