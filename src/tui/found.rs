//! What a search finds out about one position, ready to be shown: every legal move with its exact value,
//! its line and the features of its leaf; and what each term of the evaluation has to do with it.
//!
//! Made by the worker, read by the view. Knows no terminal and nothing of keys; values are in units of
//! 1/128 pawn from the mover's view.

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use crate::{
    eval::Placement,
    feature::{Extras, FeatureVector, Key, Mode, Quantised, Weights},
    game::WinnerPosition,
    sample::Sampling,
    search::{CompactMove, Leaf, alphabeta::AlphaBeta, in_bound},
    value::{MATE, UNIT, Value, in_units, is_mate, taper},
};

/// A leaf with its features.
#[derive(Debug, Clone)]
pub struct Seen {
    /// From the mover's view.
    pub value: Value,
    /// The moves that lead there, in standard notation.
    pub line: Vec<String>,
    /// From and to of the last of them.
    pub last: Option<(u32, u32)>,
    /// The men there.
    pub placement: Placement,
    /// Phase of its evaluation, 0 opening to 256 endgame.
    pub phase: u16,
    /// White less Black.
    pub features: FeatureVector,
}

/// A legal move.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The move.
    pub mv: CompactMove,
    /// Its name in standard notation.
    pub name: String,
    /// Where it leads.
    pub leaf: Seen,
    /// Moves strictly above it.
    pub rank: usize,
    /// Whether a fit may use it.
    pub in_bound: bool,
}

/// A position, searched.
#[derive(Debug, Clone)]
pub struct Found {
    /// Side to move, and the winner of the game.
    pub mover: Color,
    /// The men before the choice.
    pub placement: Placement,
    /// What stands for the position itself: E_x.
    pub root: Seen,
    /// All legal moves, best first, ties in canonical order.
    pub moves: Vec<Judged>,
    /// Index of the played move among them.
    pub played: usize,
    /// Phase of the position before the choice.
    pub phase: u16,
}

impl Found {
    /// Searches a position, every move exactly.
    pub fn search(winner: &WinnerPosition, sampling: &Sampling, searcher: &mut AlphaBeta) -> Found {
        let position = winner.position();
        let played = CompactMove::from(winner.played_in(&position));
        let root = searcher.root(&position, sampling.root);
        let mut leaves = searcher.all_moves(&position);
        leaves.sort_by_key(|found| std::cmp::Reverse(found.leaf.value));
        let values: Vec<Value> = leaves.iter().map(|found| found.leaf.value).collect();
        let (root_value, extras) = (root.value, searcher.extras());
        let judge = |found: crate::search::MoveLeaf| {
            let value = found.leaf.value;
            let leaf = Seen::new(&position, found.leaf, extras);
            Judged {
                mv: found.mv,
                name: leaf.line.first().cloned().unwrap_or_else(|| found.mv.to_string()),
                rank: values.partition_point(|&other| other > value),
                in_bound: in_bound(value, root_value, sampling.threshold) && !is_mate(root_value),
                leaf,
            }
        };
        let moves: Vec<Judged> = leaves.into_iter().map(judge).collect();
        let placement = Placement::from(&position);
        Found {
            mover: position.turn(),
            phase: sampling.search.phase.phase(placement.piece_counts()),
            placement,
            root: Seen::new(&position, root, extras),
            played: moves.iter().position(|judged| judged.mv == played).unwrap_or(0),
            moves,
        }
    }

    /// The played move.
    pub fn played(&self) -> &Judged {
        &self.moves[self.played]
    }

    /// Other moves exactly as good as the played one.
    pub fn ties(&self) -> usize {
        let value = self.played().leaf.value;
        self.moves.iter().filter(|judged| judged.leaf.value == value).count() - 1
    }

    /// Whether the winner's move is strictly above all others.
    pub fn is_match(&self) -> bool {
        self.moves.len() >= 2 && self.played().rank == 0 && self.ties() == 0
    }

    /// The move that is weighed against move `shown`: the played one, or, for that itself, the best other.
    pub fn rival(&self, shown: usize) -> usize {
        if shown != self.played {
            self.played
        } else {
            usize::from(self.played == 0).min(self.moves.len() - 1)
        }
    }

    /// What each term adds to the value of a leaf, in the order of the table, mover's view.
    pub fn terms(&self, leaf: &Seen, weights: &Quantised) -> Vec<Value> {
        let sign = if self.mover.is_white() { 1 } else { -1 };
        let mut terms = vec![0; Key::ALL.len()];
        for (cell, count) in leaf.features.iter() {
            let [open, end] = [weights.open(cell), weights.end(cell)];
            let (key, _) = Key::of_cell(cell);
            terms[key as usize] += sign * taper(open, end, leaf.phase) * Value::from(count);
        }
        terms
    }

    /// How often each term counts in a leaf, mover's view: for a gradient what it is multiplied by at the
    /// nearer end of the game, for free cells the sum over the cells.
    pub fn counts(&self, leaf: &Seen, weights: &Weights) -> Vec<i32> {
        let sign = if self.mover.is_white() { 1 } else { -1 };
        let mut counts = vec![0; Key::ALL.len()];
        for (cell, count) in leaf.features.iter() {
            let (key, index) = Key::of_cell(cell);
            let shape = key.feature().shape[usize::from(leaf.phase >= 128)];
            let factor = match weights.setting(key).mode {
                Mode::Gradient => i32::from(shape[index]),
                Mode::Scalar | Mode::Cells | Mode::Off => 1,
            };
            counts[key as usize] += sign * factor * i32::from(count);
        }
        counts
    }
}

impl Seen {
    fn new(root: &Chess, leaf: Leaf, extras: Extras) -> Seen {
        Seen {
            value: leaf.value,
            line: names(root, &leaf.line),
            last: leaf.line.last().map(|mv| (mv.origin(), mv.target())),
            features: leaf.features(extras),
            placement: leaf.placement,
            phase: leaf.phase,
        }
    }
}

/// A line in standard notation; from a move that cannot be played on, as squares.
fn names(root: &Chess, line: &[CompactMove]) -> Vec<String> {
    let mut position = Some(root.clone());
    let name = |&mv: &CompactMove| match position.as_mut().and_then(|p| Some((legal(p, mv)?, p))) {
        Some((mv, position)) => SanPlus::from_move_and_play_unchecked(position, mv).to_string(),
        None => {
            position = None;
            mv.to_string()
        }
    };
    line.iter().map(name).collect()
}

fn legal(position: &Chess, mv: CompactMove) -> Option<Move> {
    position.legal_moves().into_iter().find(|&legal| CompactMove::from(legal) == mv)
}

/// A value for people: units with a sign, or the moves to a mate.
pub fn shown(value: Value) -> String {
    if is_mate(value) {
        let moves = ((MATE - value.abs()) / UNIT + 1) / 2 * value.signum();
        return format!("mate {moves:+}");
    }
    format!("{:+.1}", in_units(value) + 0.0)
}

/// A winner's game as far as it has been looked at: what became of each of its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Not yet searched.
    Unknown,
    /// The winner's move is above all others.
    Match,
    /// Others are as good.
    Tie,
    /// So many are better.
    Behind(usize),
}

impl Verdict {
    /// What a search found.
    pub fn of(found: &Found) -> Verdict {
        match found.played().rank {
            0 if found.is_match() => Verdict::Match,
            0 => Verdict::Tie,
            rank => Verdict::Behind(rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{search::alphabeta::Prepared, tui::testing};

    #[test]
    fn the_terms_of_a_leaf_add_up_to_its_value() {
        let weights = Weights::start();
        for found in testing::some_found(40) {
            let quantised = weights.quantised();
            for judged in found.moves.iter().filter(|judged| !judged.leaf.features.is_empty()) {
                assert_eq!(found.terms(&judged.leaf, &quantised).iter().sum::<Value>(), judged.leaf.value);
            }
            assert_eq!(found.terms(&found.root, &quantised).iter().sum::<Value>(), found.root.value);
        }
    }

    #[test]
    fn what_the_screen_finds_is_what_a_fit_counts() {
        let sampling = Sampling::default();
        let prepared = Prepared::new(sampling.search, &Weights::start().quantised());
        let mut searcher = AlphaBeta::new(&prepared);
        for winner in testing::some_positions(40) {
            let hints = &mut Default::default();
            let (standing, _) = crate::sample::search(&winner, &sampling, &mut searcher, hints);
            let found = Found::search(&winner, &sampling, &mut searcher);
            assert_eq!(found.played().rank as u32, standing.ahead);
            assert_eq!(found.ties() as u32, standing.tied);
            assert_eq!(found.is_match(), standing.is_match());
            let kept = found.moves.iter().filter(|judged| judged.in_bound).count();
            if standing.rows > 0 {
                assert_eq!(kept as u32, standing.rows);
            }
        }
    }

    #[test]
    fn the_rival_of_a_move_is_the_played_one_and_of_that_the_best_other() {
        for found in testing::some_found(40).into_iter().filter(|found| found.moves.len() > 1) {
            for shown in 0..found.moves.len() {
                let rival = found.rival(shown);
                assert_ne!(rival, shown);
                assert_eq!(rival == found.played, shown != found.played);
            }
        }
    }
}
