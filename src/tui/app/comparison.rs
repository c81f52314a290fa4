//! Two sets of weights side by side, with their agreement on the game shown.

use crate::{diff::Entry, feature::Weights};

/// Agreement on the positions of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions with a choice.
    pub positions: usize,
    /// Positions matched.
    pub matched: usize,
    /// Sum of the moves above the played one.
    pub ahead: usize,
}

/// The result of a comparison with the weights of a file.
#[derive(Debug)]
pub struct Comparison {
    /// The file of the other set.
    pub path: String,
    /// The other set.
    pub other: Weights,
    /// A note about the file of the other set.
    pub note: Option<String>,
    /// The number and the players of the game that both sets were measured on.
    pub game: String,
    /// Agreement of the present and of the other set.
    pub tallies: [Tally; 2],
    /// Number of positions that only the present set matches, and only the other one.
    pub only: [usize; 2],
}

impl Comparison {
    /// The entries in which the other set differs from these weights.
    pub fn differences(&self, weights: &Weights) -> Vec<Entry> {
        Entry::all(weights, &self.other).into_iter().filter(Entry::differs).collect()
    }
}
