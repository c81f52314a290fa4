//! Move ordering: hash move, winning captures by MVV/LVA, killers, quiet moves by history, losing captures.

use super::{MAX_PLY, exchange};
use arrayvec::ArrayVec;
use texam_chess::position::{CompactMove, MoveList, Node};

// Scores of the classes of moves. They only have to be further apart than the scores within a class.

/// The hash move comes first.
const HASH_MOVE: i32 = 1 << 30;
/// Captures and promotions that do not lose material.
const GOOD_CAPTURE: i32 = 1 << 28;
/// Killers, before other quiet moves.
const KILLER: i32 = 1 << 26;
/// Captures that lose material, and underpromotions: after all quiet moves.
const BAD_CAPTURE: i32 = -(1 << 28);

/// Limit of the history scores, positive and negative. It fixes the scale only: what matters is its ratio to
/// the bonus and to the divisor of the reductions. Hand-set; not tuned.
const MAX_HISTORY: i32 = 16_384;

/// Bonus of the history: this times the square of the depth, at most an eighth of the limit. Deep cutoffs
/// count more, since they are fewer and save more. Hand-set; not tuned.
const HISTORY_BONUS: i32 = 8;

/// Killer moves by ply, and history of quiet moves by colour, origin and target (butterfly boards).
pub(super) struct MoveHistory {
    killers: [[CompactMove; 2]; MAX_PLY],
    history: Box<[[i32; 4096]; 2]>,
}

impl MoveHistory {
    /// No killers, and all history scores 0.
    pub fn new() -> MoveHistory {
        MoveHistory { killers: [[CompactMove::NONE; 2]; MAX_PLY], history: Box::new([[0; 4096]; 2]) }
    }

    /// Removes all killers and sets all history scores to 0.
    pub fn clear(&mut self) {
        *self = MoveHistory::new();
    }

    /// Prepares the search of another root: killers are removed, since plies are counted from the root, and
    /// history scores are halved.
    pub fn age(&mut self) {
        self.killers = [[CompactMove::NONE; 2]; MAX_PLY];
        self.history.iter_mut().flatten().for_each(|value| *value /= 2);
    }

    /// History score of a quiet move, within [`MAX_HISTORY`] of 0.
    #[inline]
    pub fn history(&self, us: usize, mv: CompactMove) -> i32 {
        self.history[us][mv.butterfly_index()]
    }

    /// Whether a move is a killer at this ply.
    #[inline]
    pub fn is_killer(&self, ply: usize, mv: CompactMove) -> bool {
        self.killers[ply].contains(&mv)
    }

    /// Rewards a quiet move that caused a cutoff, and penalises the quiet moves tried before it.
    pub fn record_cutoff(
        &mut self,
        us: usize,
        ply: usize,
        depth: i32,
        mv: CompactMove,
        tried: &[CompactMove],
    ) {
        let [first, second] = &mut self.killers[ply];
        if *first != mv {
            *second = *first;
            *first = mv;
        }
        let bonus = (depth * depth * HISTORY_BONUS).min(MAX_HISTORY / 8);
        self.update(us, mv, bonus);
        for &mv in tried {
            self.update(us, mv, -bonus);
        }
    }

    /// Adds a bonus with "gravity": the nearer a score is to its limit, the less it changes, so it never
    /// passes it.
    fn update(&mut self, us: usize, mv: CompactMove, bonus: i32) {
        let value = &mut self.history[us][mv.butterfly_index()];
        *value += bonus - *value * bonus.abs() / MAX_HISTORY;
    }
}

/// The moves of a node in descending order of their scores, by selection sort: most nodes need only the first
/// few.
pub(super) struct MovePicker {
    moves: ArrayVec<(i32, CompactMove), 256>,
    at: usize,
}

impl MovePicker {
    /// All moves of a node.
    pub fn all(
        moves: &MoveList,
        node: &Node,
        move_history: &MoveHistory,
        ply: usize,
        hash_move: CompactMove,
    ) -> MovePicker {
        let score = |mv| {
            if mv == hash_move {
                HASH_MOVE
            } else if node.is_noisy(mv) {
                score_noisy(node, mv)
            } else {
                match move_history.killers[ply].iter().position(|&killer| killer == mv) {
                    Some(place) => KILLER - place as i32,
                    None => move_history.history(node.us(), mv),
                }
            }
        };
        MovePicker { moves: moves.iter().map(|&mv| (score(mv), mv)).collect(), at: 0 }
    }

    /// Captures and queen promotions of a node that do not lose material by static exchange evaluation.
    pub fn winning(moves: &MoveList, node: &Node) -> MovePicker {
        let scored = moves.iter().map(|&mv| (score_noisy(node, mv), mv));
        MovePicker { moves: scored.filter(|&(score, _)| score > 0).collect(), at: 0 }
    }
}

/// Score of a capture or promotion: MVV/LVA (most valuable victim, then least valuable attacker), with losing
/// captures and underpromotions last.
fn score_noisy(node: &Node, mv: CompactMove) -> i32 {
    let victim = node.captured(mv).map_or(0, |role| exchange::EXCHANGE_VALUES[role]);
    let attacker = node.role_at(mv.origin()).unwrap_or(0);
    let promoted = match mv.promotion() {
        0 => 0,
        1 => exchange::EXCHANGE_VALUES[4],
        _ => return BAD_CAPTURE,
    };
    let order = 8 * (victim + promoted) - attacker as i32;
    let safe = victim >= exchange::EXCHANGE_VALUES[attacker] || exchange::see_at_least(node, mv, 0);
    if safe { GOOD_CAPTURE + order } else { BAD_CAPTURE + order }
}

impl Iterator for MovePicker {
    type Item = CompactMove;

    fn next(&mut self) -> Option<CompactMove> {
        let rest = self.moves.get_mut(self.at..)?;
        let best = (0..rest.len()).reduce(|best, at| if rest[at].0 > rest[best].0 { at } else { best })?;
        rest.swap(0, best);
        self.at += 1;
        Some(rest[0].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::{move_of, node};

    const FEN: &str = "4k3/2p1p3/1p1q4/3rP3/2B5/8/4R3/4K3 w - - 0 1";

    #[test]
    fn the_hash_move_comes_first_then_captures_by_victim_and_losing_captures_last() {
        let (node, _) = node(FEN);
        let quiet = move_of(FEN, "e1f1");
        let mut move_history = MoveHistory::new();
        let killer = move_of(FEN, "e1f2");
        move_history.record_cutoff(0, 3, 4, killer, &[]);
        let order: Vec<_> = MovePicker::all(&node.legal_moves(), &node, &move_history, 3, quiet).collect();
        let expected = ["e1f1", "e5d6", "c4d5", "e1f2"].map(|mv| move_of(FEN, mv));
        assert_eq!(order[..4], expected);
        assert_eq!(order.len(), node.legal_moves().len());
    }

    #[test]
    fn quiescence_gets_no_capture_that_loses() {
        let fen = "4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1";
        let (node, _) = node(fen);
        assert_eq!(node.tactical_moves().len(), 1);
        assert_eq!(MovePicker::winning(&node.tactical_moves(), &node).count(), 0);
    }

    #[test]
    fn history_stays_within_its_limit_and_punishes_what_failed() {
        let mut move_history = MoveHistory::new();
        let (good, bad) = (CompactMove::new(1, 18, 0), CompactMove::new(6, 21, 0));
        for _ in 0..1000 {
            move_history.record_cutoff(1, 0, 20, good, &[bad]);
        }
        let most = move_history.history(1, good);
        assert!(most > MAX_HISTORY / 2 && most <= MAX_HISTORY);
        assert!(move_history.history(1, bad) < -MAX_HISTORY / 2);
        assert_eq!(move_history.history(0, good), 0);
        move_history.age();
        assert_eq!(move_history.history(1, good), most / 2);
        assert!(!move_history.is_killer(0, good));
    }
}
