//! Positions in which the evaluation prefers another move than the played one, and the terms that decide
//! between the two.

use std::cmp::Reverse;

use rayon::prelude::*;
use serde::Serialize;
use shakmaty::{Chess, Move, Position};
use texam_fit::Standing;

use super::{
    analysis::Analysis,
    deciding::{Line, deciding_terms},
};
use crate::{
    feature::Weights,
    fen,
    game::{Collection, move_number},
    sample::Sampling,
    search::alphabeta::{AlphaBeta, Prepared},
    value::in_units,
};

/// Terms that are named, at most.
const TERMS: usize = 8;

/// A position with the played and the preferred move. Values are in units, from the view of the side to move.
#[derive(Debug, Serialize)]
pub struct Disagreement {
    /// Number of the game in its file.
    pub game: u32,
    /// Player of White.
    pub white: String,
    /// Player of Black.
    pub black: String,
    /// Address of the game, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Number of the move, with its dots: `12.` of White, `12...` of Black.
    pub number: String,
    /// The position.
    pub fen: String,
    /// The played move.
    pub played: String,
    /// The move with the highest value.
    pub preferred: String,
    /// Moves strictly ahead of the played one.
    pub rank: usize,
    /// Legal moves.
    pub legal: usize,
    /// Value of the played move.
    pub played_value: f64,
    /// Value of the preferred move.
    pub preferred_value: f64,
    /// What the preferred move is better or worse by, the weightiest first.
    pub terms: Vec<Line>,
    /// The position, the played and the preferred move.
    #[serde(skip)]
    pub on_board: (Chess, [Move; 2]),
}

/// What is needed to search positions.
pub struct Searcher<'a> {
    collection: &'a Collection,
    weights: &'a Weights,
    sampling: &'a Sampling,
    prepared: Prepared,
}

impl<'a> Searcher<'a> {
    /// For the positions of a collection, under these weights.
    pub fn new(collection: &'a Collection, weights: &'a Weights, sampling: &'a Sampling) -> Searcher<'a> {
        let prepared = Prepared::new(sampling.search, &weights.quantised());
        Searcher { collection, weights, sampling, prepared }
    }

    /// The analysis of a position.
    pub fn analysis(&self, index: usize) -> Analysis {
        let position = &self.collection.positions[index];
        Analysis::search(position, self.sampling, &mut AlphaBeta::new(&self.prepared))
    }

    /// A position with its preferred move.
    pub fn disagreement(&self, index: usize) -> Disagreement {
        let choice = &self.collection.positions[index];
        let analysis = self.analysis(index);
        let head = &self.collection.games[choice.game as usize];
        let position = choice.position();
        let (played, preferred) = (analysis.played(), &analysis.moves[analysis.preferred()]);
        Disagreement {
            game: head.number,
            white: head.white.clone(),
            black: head.black.clone(),
            link: head.link.clone(),
            number: move_number(choice.fullmove, position.turn(), true),
            fen: fen::format(&position),
            played: played.name.clone(),
            preferred: preferred.name.clone(),
            rank: played.rank,
            legal: analysis.moves.len(),
            played_value: in_units(played.leaf.value),
            preferred_value: in_units(preferred.leaf.value),
            terms: deciding_terms(&analysis, [analysis.preferred(), analysis.played], self.weights, TERMS),
            on_board: (position.clone(), [played, preferred].map(|mv| mv.in_position(&position))),
        }
    }

    /// Of the positions whose played move is in bound, those with most moves ahead of it, in the order of the
    /// games where they are equal.
    pub fn worst(&self, standings: &[Standing], most: usize) -> Vec<Disagreement> {
        let is_behind = |&index: &usize| standings[index].rows > 0 && standings[index].ahead > 0;
        let mut behind: Vec<usize> = (0..standings.len()).filter(is_behind).collect();
        behind.sort_by_key(|&index| Reverse(standings[index].ahead));
        behind.truncate(most);
        behind.into_par_iter().map(|index| self.disagreement(index)).collect()
    }
}
