//! The work that the benchmarks measure: positions spread evenly over the shipped games.

use std::path::Path;

use shakmaty::Chess;
use texam::{
    decision::Decision,
    eval::{self, Placement},
    feature::{Quantised, Weights},
    fit::{self, FitOptions},
    game::{self, GameOptions, WinnerPosition},
    sample::{self, Sampling},
    search::{
        CompactMove, Replies, RootKind,
        alphabeta::{AlphaBeta, Prepared},
    },
};

/// Positions and what is needed to work on them.
pub struct Workload {
    winners: Vec<WinnerPosition>,
    positions: Vec<(Chess, CompactMove)>,
    placements: Vec<Placement>,
    weights: Weights,
    quantised: Quantised,
    prepared: Prepared,
}

/// Rows of so many positions, ready to be summed.
pub struct Rows {
    decisions: Vec<Decision>,
    weights: Weights,
}

impl Workload {
    /// About `count` positions.
    pub fn new(count: usize) -> Workload {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/gm1988.pgn");
        let all = game::load(&path, &GameOptions::default(), 1, &mut |_| {}).expect("the games are shipped");
        let step = all.positions.len() / count;
        let winners: Vec<_> = all.positions.into_iter().step_by(step).collect();
        let positions: Vec<_> =
            winners.iter().map(|winner| (winner.position(), CompactMove::from(winner.played()))).collect();
        let weights = Weights::start();
        let quantised = weights.quantised();
        Workload {
            placements: positions.iter().map(|(position, _)| Placement::from(position)).collect(),
            prepared: Prepared::new(Sampling::default().search, &quantised),
            winners,
            positions,
            weights,
            quantised,
        }
    }

    /// The evaluation of every position, without any table.
    pub fn evaluate(&self) -> i64 {
        let values = self.placements.iter().map(|placement| eval::evaluate(placement, &self.quantised));
        values.map(|(open, end)| i64::from(open) + i64::from(end)).sum()
    }

    /// Quiescence of every position.
    pub fn quiesce(&self) -> i64 {
        let mut search = AlphaBeta::new(&self.prepared);
        self.positions.iter().map(|(position, _)| search.root(position, RootKind::Quiescence).value).sum()
    }

    /// The search of every position, as a fit sees it.
    pub fn search(&self) -> u64 {
        let Sampling { root, threshold, .. } = Sampling::default();
        let mut search = AlphaBeta::new(&self.prepared);
        let ahead = |(position, played): &(Chess, CompactMove)| {
            u64::from(search.choice(position, *played, root, threshold).ahead)
        };
        self.positions.iter().map(ahead).sum()
    }

    /// The leaves of the same plies, counted by shakmaty: what it takes to generate and make the moves, with
    /// no evaluation, no quiescence and no move left out.
    pub fn perft(&self) -> u64 {
        let depth = Sampling::default().search.depth;
        self.positions.iter().map(|(position, _)| shakmaty::perft(position, depth)).sum()
    }

    /// The search of every position by these weights again, after an earlier one.
    pub fn search_again(&self, replies: &[Replies]) -> u64 {
        let Sampling { root, threshold, .. } = Sampling::default();
        let mut search = AlphaBeta::new(&self.prepared);
        let ahead = |((position, played), replies): (&(Chess, CompactMove), &Replies)| {
            let mut replies = replies.clone();
            u64::from(search.choice_again(position, *played, root, threshold, &mut replies).ahead)
        };
        self.positions.iter().zip(replies).map(ahead).sum()
    }

    /// What a search of every position hands on.
    pub fn replies(&self) -> Vec<Replies> {
        let Sampling { root, threshold, .. } = Sampling::default();
        let mut search = AlphaBeta::new(&self.prepared);
        let found = |(position, played): &(Chess, CompactMove)| {
            let mut replies = Replies::default();
            search.choice_again(position, *played, root, threshold, &mut replies);
            replies
        };
        self.positions.iter().map(found).collect()
    }

    /// The rows that a fit makes of the positions; `free` frees the cells of all tables.
    pub fn rows(&self, free: bool) -> Rows {
        let samples = sample::pass(&self.winners, &self.weights, &Sampling::default(), &|_| true);
        let decisions = samples.into_iter().flatten().filter_map(|sample| sample.decision).collect();
        let mut weights = self.weights.clone();
        if free {
            for &key in texam::feature::Key::ALL.iter().filter(|key| key.feature().layout.is_table()) {
                weights.free_table(key).expect("it has a table");
            }
        }
        Rows { decisions, weights }
    }
}

impl Rows {
    /// Forms and solves the normal equations; the largest change.
    pub fn fit(&self) -> f64 {
        let options = FitOptions { min_support: 1, ..FitOptions::default() };
        fit::fit(&self.decisions, &self.weights, &self.weights, &options).expect("there are rows").max_change
    }
}
