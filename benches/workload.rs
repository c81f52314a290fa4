//! The work that the benchmarks measure: positions spread evenly over the shipped games.

use std::path::Path;

use shakmaty::{Chess, Position};
use texam::{
    eval::{self, Placement},
    feature::{Group, Key, Quantised, Weights},
    game::{self, GameOptions, WinnerPosition},
    parameters::Parameters,
    position::CompactMove,
    sample::{self, ChoiceMaker, Sampling},
    search::{
        MoveHints, RootKind,
        alphabeta::{AlphaBeta, Prepared},
    },
};
use texam_fit::{Choice, FitOptions, Forces, Measured, Model, Sink, Source};

/// Positions and what is needed to work on them.
pub struct Workload {
    winners: Vec<WinnerPosition>,
    positions: Vec<(Chess, CompactMove)>,
    placements: Vec<Placement>,
    weights: Weights,
    quantised: Quantised,
    prepared: Prepared,
}

/// Choices of some positions, ready to be summed.
pub struct Stored {
    model: Model,
    choices: Vec<Choice>,
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
            u64::from(search.search_choice(position, *played, root, threshold).ahead)
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
    pub fn search_again(&self, hints: &[MoveHints]) -> u64 {
        let Sampling { root, threshold, .. } = Sampling::default();
        let mut search = AlphaBeta::new(&self.prepared);
        let ahead = |((position, played), hints): (&(Chess, CompactMove), &MoveHints)| {
            let mut hints = hints.clone();
            u64::from(search.search_choice_with_hints(position, *played, root, threshold, &mut hints).ahead)
        };
        self.positions.iter().zip(hints).map(ahead).sum()
    }

    /// What a search of every position hands on.
    pub fn hints(&self) -> Vec<MoveHints> {
        let Sampling { root, threshold, .. } = Sampling::default();
        let mut search = AlphaBeta::new(&self.prepared);
        let found = |(position, played): &(Chess, CompactMove)| {
            let mut hints = MoveHints::default();
            search.search_choice_with_hints(position, *played, root, threshold, &mut hints);
            hints
        };
        self.positions.iter().map(found).collect()
    }

    /// A source of the choices of the positions, searched once and given again and again; `free` frees the
    /// cells of all tables but those of attacks.
    pub fn stored(&self, free: bool) -> Stored {
        let mut weights = self.weights.clone();
        if free {
            let tables = |key: &&Key| key.feature().layout.is_table() && key.feature().group != Group::Attack;
            for &key in Key::ALL.iter().filter(tables) {
                weights.free_table(key).expect("it has a table");
            }
        }
        let parameters = Parameters::new(&weights).expect("weights of the start");
        let sampling = Sampling::default();
        let mut searcher = AlphaBeta::new(&self.prepared);
        let quantised = weights.quantised();
        let mut maker = ChoiceMaker::new(&parameters, &quantised);
        let mut choices = Vec::new();
        for winner in &self.winners {
            let (standing, moves) =
                sample::search(winner, &sampling, &mut searcher, &mut MoveHints::default());
            if standing.rows > 0 {
                let mut choice = Choice::default();
                let is_white = winner.position().turn().is_white();
                maker.fill(&moves, is_white, winner.game, &mut choice).expect("rows of a search");
                choices.push(choice);
            }
        }
        Stored { model: parameters.model().clone(), choices }
    }
}

impl Source for Stored {
    fn pass(&mut self, _: &Model, sink: &dyn Sink) -> texam_fit::Result<Option<Measured>> {
        for game in self.choices.chunk_by(|a, b| a.cluster() == b.cluster()) {
            sink.accept(game)?;
        }
        Ok(Some(Measured::default()))
    }
}

impl Stored {
    /// Forms and solves the normal equations; the largest change.
    pub fn fit(&mut self) -> f64 {
        let mut options = FitOptions::default();
        options.min_support = 1;
        let model = self.model.clone();
        let fit = texam_fit::fit_once(self, &Forces::default(), &model, &options);
        fit.expect("there are rows").expect("it is not cancelled").1.max_change
    }
}
