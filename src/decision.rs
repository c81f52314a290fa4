//! One choice as numbers: what the played move led to, and what the alternatives led to.
//!
//! Here chess ends and algebra begins: a [`Decision`] knows values, phases and feature vectors, and
//! neither board nor moves. `sample` makes decisions, `fit` uses them.

use crate::{feature::FeatureVector, value::Value};

/// A leaf as the fit sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Value in 1/65536 unit, from the chooser's side: the sign of the decision times the product of the
    /// quantised weights with `features` at `phase`.
    pub value: Value,
    /// Phase of the evaluation, 0 opening to 256 endgame.
    pub phase: u16,
    /// Feature vector, White minus Black.
    pub features: FeatureVector,
}

/// A position of the winner with the moves that are in bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Which game it comes from; rows of a game correlate, so errors are clustered by it.
    pub game: u32,
    /// +1 if the chooser has White, -1 if Black.
    pub sign: i8,
    /// The position before the choice.
    pub root: Outcome,
    /// What the played move led to; in bound.
    pub played: Outcome,
    /// What the alternatives in bound led to, in the order of their moves; not empty.
    pub alternatives: Vec<Outcome>,
    /// Number of legal moves, in bound or not, strictly above the played one.
    pub rank: u32,
}

impl Decision {
    /// The kept outcomes: the played one first, then the alternatives.
    pub fn kept(&self) -> impl Iterator<Item = &Outcome> {
        std::iter::once(&self.played).chain(&self.alternatives)
    }

    /// By how much the choice was missed: the best kept alternative less the played move, at least 0.
    pub fn miss(&self) -> Value {
        let best = self.alternatives.iter().map(|outcome| outcome.value).max();
        best.map_or(0, |best| (best - self.played.value).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(value: Value) -> Outcome {
        Outcome { value, phase: 0, features: FeatureVector::default() }
    }

    fn decision(played: Value, alternatives: &[Value]) -> Decision {
        Decision {
            game: 0,
            sign: 1,
            root: outcome(0),
            played: outcome(played),
            alternatives: alternatives.iter().map(|&value| outcome(value)).collect(),
            rank: 0,
        }
    }

    #[test]
    fn the_miss_is_the_lead_of_the_best_alternative_and_never_negative() {
        assert_eq!(decision(10, &[5, 25, 7]).miss(), 15);
        assert_eq!(decision(10, &[5, 7]).miss(), 0);
    }
}
