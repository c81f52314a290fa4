//! A choice from the values of the moves of a root: which moves are in bound, and how the played move stands.

use super::{Leaf, MoveLeaf, SearchedMoves, Threshold, alphabeta::BoundedValue};
use crate::{
    position::CompactMove,
    value::{INFINITE, Value, is_mate},
};

/// What finds the values of the moves of a root: a search, or a walk through a stored tree.
pub(super) trait RootMoves {
    /// Value of a move from the view of the side that makes it, fail-soft in the window.
    fn value(&mut self, mv: CompactMove, alpha: Value, beta: Value) -> Value;

    /// The leaf of a move whose value is known.
    fn leaf(&mut self, mv: CompactMove, value: Value) -> Leaf;

    /// A move in relation to the bound around the value of the root.
    fn bounded(&mut self, mv: CompactMove, root: Value, threshold: Threshold) -> BoundedValue {
        // Without a threshold all values but mates are in bound.
        let (low, high) = match threshold {
            Some(bound) => (root - bound, root + bound),
            None => (-INFINITE + 1, INFINITE - 1),
        };
        let value = self.value(mv, low - 1, high + 1);
        if value > high || (is_mate(value) && value > 0) {
            BoundedValue::Above
        } else if value < low || is_mate(value) {
            BoundedValue::Below
        } else {
            BoundedValue::Inside(self.leaf(mv, value))
        }
    }
}

/// The choice of `played` among the moves of a root, which come in canonical order. `root` is the leaf that
/// gives the value of the root.
pub(super) fn choose(
    moves: &mut impl RootMoves,
    root: Leaf,
    all: impl ExactSizeIterator<Item = CompactMove>,
    played: CompactMove,
    threshold: Threshold,
) -> SearchedMoves {
    let legal = all.len() as u32;
    let others = all.filter(|&mv| mv != played);
    let chosen = match is_mate(root.value) {
        true => BoundedValue::Below,
        false => moves.bounded(played, root.value, threshold),
    };
    let mut found = SearchedMoves { root, legal, ahead: 0, tied: 0, kept: Vec::new() };
    match chosen {
        BoundedValue::Inside(leaf) => {
            let value = leaf.value;
            found.kept.push(MoveLeaf { mv: played, leaf });
            for mv in others {
                match moves.bounded(mv, found.root.value, threshold) {
                    BoundedValue::Above => found.ahead += 1,
                    BoundedValue::Below => {}
                    BoundedValue::Inside(leaf) => {
                        found.ahead += u32::from(leaf.value > value);
                        found.tied += u32::from(leaf.value == value);
                        found.kept.push(MoveLeaf { mv, leaf });
                    }
                }
            }
        }
        BoundedValue::Above | BoundedValue::Below => {
            let value = moves.value(played, -INFINITE, INFINITE);
            for mv in others {
                let other = moves.value(mv, value - 1, value + 1);
                found.ahead += u32::from(other > value);
                found.tied += u32::from(other == value);
            }
        }
    }
    found
}
