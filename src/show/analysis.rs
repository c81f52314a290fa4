//! The analysis of a position: every legal move with its exact value, its line and the features of its leaf,
//! and what each term of the evaluation adds to it.
//!
//! The screen, `agree --worst` and the page of a player show it. Values are in units of 1/128 pawn from the
//! mover's view.

use shakmaty::{Chess, Color, Move, Position};

use crate::{
    eval::Placement,
    feature::{Ends, Extras, FeatureVector, Key, Mode, Quantised, Weights},
    game::WinnerPosition,
    position::{CompactMove, legal_move, san_line},
    sample::Sampling,
    search::{Leaf, alphabeta::AlphaBeta, in_bound},
    value::{Value, is_mate, taper},
};

/// A leaf with its features.
#[derive(Debug, Clone)]
pub struct AnalysedLeaf {
    /// From the mover's view.
    pub value: Value,
    /// The moves that lead to it, in standard notation.
    pub line: Vec<String>,
    /// From and to of the last of them.
    pub last: Option<(u32, u32)>,
    /// The pieces and pawns of the leaf.
    pub placement: Placement,
    /// Phase of its evaluation, 0 opening to 256 endgame.
    pub phase: u16,
    /// Feature counts, White less Black.
    pub features: FeatureVector,
}

/// A legal move with its value.
#[derive(Debug, Clone)]
pub struct AnalysedMove {
    pub mv: CompactMove,
    /// Its name in standard notation.
    pub name: String,
    /// The leaf of its line.
    pub leaf: AnalysedLeaf,
    /// Number of moves with a strictly greater value.
    pub rank: usize,
    /// Whether a fit may use it.
    pub in_bound: bool,
}

impl AnalysedMove {
    /// The move in the position that it was searched in.
    pub fn in_position(&self, position: &Chess) -> Move {
        legal_move(position, self.mv).expect("every legal move was searched, and no other")
    }
}

/// A position with all its legal moves searched.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Side to move.
    pub mover: Color,
    /// The pieces and pawns before the choice.
    pub placement: Placement,
    /// The leaf that gives the value of the position itself, E_x.
    pub root: AnalysedLeaf,
    /// All legal moves, best first, ties in canonical order.
    pub moves: Vec<AnalysedMove>,
    /// Index of the played move among them.
    pub played: usize,
}

impl Analysis {
    /// Searches a position, every move exactly.
    pub fn search(winner: &WinnerPosition, sampling: &Sampling, searcher: &mut AlphaBeta) -> Analysis {
        let position = winner.position();
        let played = CompactMove::from(winner.played_in(&position));
        let root = searcher.root(&position, sampling.root);
        let mut leaves = searcher.all_moves(&position);
        leaves.sort_by_key(|entry| std::cmp::Reverse(entry.leaf.value));
        let values: Vec<Value> = leaves.iter().map(|entry| entry.leaf.value).collect();
        let (root_value, extras) = (root.value, searcher.extras());
        let analyse = |entry: crate::search::MoveLeaf| {
            let value = entry.leaf.value;
            let leaf = AnalysedLeaf::new(&position, entry.leaf, extras);
            AnalysedMove {
                mv: entry.mv,
                name: leaf.line.first().cloned().unwrap_or_else(|| entry.mv.to_string()),
                rank: values.partition_point(|&other| other > value),
                in_bound: in_bound(value, root_value, sampling.threshold) && !is_mate(root_value),
                leaf,
            }
        };
        let moves: Vec<AnalysedMove> = leaves.into_iter().map(analyse).collect();
        Analysis {
            mover: position.turn(),
            placement: Placement::from(&position),
            root: AnalysedLeaf::new(&position, root, extras),
            played: moves.iter().position(|analysed| analysed.mv == played).unwrap_or(0),
            moves,
        }
    }

    pub fn played(&self) -> &AnalysedMove {
        &self.moves[self.played]
    }

    /// Index of the best move: the played one if no move is above it.
    pub fn preferred(&self) -> usize {
        if self.played().rank == 0 { self.played } else { 0 }
    }

    /// Other moves exactly as good as the played one.
    pub fn ties(&self) -> usize {
        let value = self.played().leaf.value;
        self.moves.iter().filter(|analysed| analysed.leaf.value == value).count() - 1
    }

    /// Whether the winner's move is strictly above all others.
    pub fn is_match(&self) -> bool {
        self.moves.len() >= 2 && self.played().rank == 0 && self.ties() == 0
    }

    /// How the played move ranks.
    pub fn verdict(&self) -> Verdict {
        match self.played().rank {
            0 if self.is_match() => Verdict::Match,
            0 => Verdict::Tie,
            rank => Verdict::Behind(rank),
        }
    }

    /// Index of the move that move `index` is compared with: the played one, or for that the best other.
    pub fn rival(&self, index: usize) -> usize {
        if index != self.played {
            self.played
        } else {
            usize::from(self.played == 0).min(self.moves.len() - 1)
        }
    }

    /// What each term adds to the value of a leaf, in the order of the table, mover's view.
    pub fn terms(&self, leaf: &AnalysedLeaf, weights: &Quantised) -> Vec<Value> {
        let sign = if self.mover.is_white() { 1 } else { -1 };
        let mut terms = vec![0; Key::ALL.len()];
        for (cell, count) in leaf.features.iter() {
            let [open, end] = [weights.open(cell), weights.end(cell)];
            let (key, _) = Key::of_cell(cell);
            terms[key as usize] += sign * taper(open, end, leaf.phase) * Value::from(count);
        }
        terms
    }

    /// What each term adds to the value of one move less that of another, in the order of the table.
    pub fn differences(&self, moves: [usize; 2], weights: &Quantised) -> Vec<Value> {
        let [one, other] = moves.map(|index| self.terms(&self.moves[index].leaf, weights));
        one.iter().zip(&other).map(|(one, other)| one - other).collect()
    }

    /// How often each term counts in a leaf, mover's view: for a gradient its factor in the nearer phase of
    /// the game, for free cells the sum over the cells.
    pub fn counts(&self, leaf: &AnalysedLeaf, weights: &Weights) -> Vec<i32> {
        let sign = if self.mover.is_white() { 1 } else { -1 };
        let mut counts = vec![0; Key::ALL.len()];
        for (cell, count) in leaf.features.iter() {
            let (key, index) = Key::of_cell(cell);
            let is_late = leaf.phase >= 128 && key.feature().ends != Ends::OpeningOnly;
            let shape = key.feature().shape[usize::from(is_late)];
            let factor = match weights.setting(key).mode {
                Mode::Gradient => i32::from(shape[index]),
                Mode::Scalar | Mode::Cells | Mode::Off => 1,
            };
            counts[key as usize] += sign * factor * i32::from(count);
        }
        counts
    }
}

impl AnalysedLeaf {
    fn new(root: &Chess, leaf: Leaf, extras: Extras) -> AnalysedLeaf {
        AnalysedLeaf {
            value: leaf.value,
            line: san_line(root, &leaf.line),
            last: leaf.line.last().map(|mv| (mv.origin(), mv.target())),
            features: leaf.features(extras),
            placement: leaf.placement,
            phase: leaf.phase,
        }
    }
}

/// How the played move ranks in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The position is not searched yet.
    Unknown,
    /// The played move is strictly above all others.
    Match,
    /// No move is above it, but others have the same value.
    Tie,
    /// So many moves are above it.
    Behind(usize),
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;
    use crate::{
        game::{self, GameOptions},
        search::alphabeta::Prepared,
    };

    /// Positions spread evenly over the shipped games.
    fn some_positions() -> Vec<WinnerPosition> {
        game::load("games/gm1988.pgn", &GameOptions::default(), 780, &mut |_| {}).unwrap().positions
    }

    fn search(position: &WinnerPosition) -> Analysis {
        let sampling = Sampling::default();
        let prepared = Prepared::new(sampling.search, &Weights::start().quantised());
        Analysis::search(position, &sampling, &mut AlphaBeta::new(&prepared))
    }

    #[test]
    fn the_terms_of_a_leaf_add_up_to_its_value() {
        let weights = Weights::start();
        for analysis in some_positions().iter().map(search) {
            let quantised = weights.quantised();
            for analysed in analysis.moves.iter().filter(|analysed| !analysed.leaf.features.is_empty()) {
                assert_eq!(
                    analysis.terms(&analysed.leaf, &quantised).iter().sum::<Value>(),
                    analysed.leaf.value
                );
            }
            assert_eq!(analysis.terms(&analysis.root, &quantised).iter().sum::<Value>(), analysis.root.value);
        }
    }

    #[test]
    fn an_analysis_agrees_with_what_a_fit_counts() {
        let sampling = Sampling::default();
        let prepared = Prepared::new(sampling.search, &Weights::start().quantised());
        let mut searcher = AlphaBeta::new(&prepared);
        for winner in some_positions() {
            let hints = &mut Default::default();
            let (standing, _) = crate::sample::search(&winner, &sampling, &mut searcher, hints);
            let analysis = Analysis::search(&winner, &sampling, &mut searcher);
            assert_eq!(analysis.played().rank as u32, standing.ahead);
            assert_eq!(analysis.ties() as u32, standing.tied);
            assert_eq!(analysis.is_match(), standing.is_match());
            let kept = analysis.moves.iter().filter(|analysed| analysed.in_bound).count();
            if standing.rows > 0 {
                assert_eq!(kept as u32, standing.rows);
            }
        }
    }

    #[test]
    fn every_move_and_every_line_is_in_standard_notation() {
        for winner in some_positions() {
            let analysis = search(&winner);
            for analysed in &analysis.moves {
                assert_eq!(analysed.leaf.line.first(), Some(&analysed.name));
                let mut position = winner.position();
                for name in &analysed.leaf.line {
                    let mv = name.parse::<San>().unwrap().to_move(&position).unwrap();
                    position.play_unchecked(mv);
                }
            }
        }
    }

    #[test]
    fn the_rival_of_a_move_is_the_played_one_and_of_that_the_best_other() {
        for analysis in some_positions().iter().map(search).filter(|analysis| analysis.moves.len() > 1) {
            for shown in 0..analysis.moves.len() {
                let rival = analysis.rival(shown);
                assert_ne!(rival, shown);
                assert_eq!(rival == analysis.played, shown != analysis.played);
            }
        }
    }
}
