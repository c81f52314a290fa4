//! Searches positions for what is stored beside them in a database of games: the best moves of inner nodes.

use rayon::prelude::*;
use texam_fit::Standing;

use super::{Sampling, Tick, grow_all, search};
use crate::{
    feature::Weights,
    game::{TreeHead, WinnerPosition},
    par,
    search::{
        MoveHints,
        alphabeta::{AlphaBeta, Prepared},
        tree::Margin,
    },
};

/// Searches that leave hints, under one set of weights or several.
pub struct Presearch {
    prepared: Vec<Prepared>,
    /// Digest of the last of the weights.
    digest: String,
    sampling: Sampling,
    least_nodes: u64,
}

impl Presearch {
    /// Searches under each of the weights in turn. Each begins with the hints of the one before. A hint is kept for a
    /// node whose search visits at least `least_nodes` nodes.
    pub fn new(weights: &[Weights], sampling: Sampling, least_nodes: u64) -> Presearch {
        let prepare = |weights: &Weights| Prepared::new(sampling.search, &weights.quantised());
        let digest = weights.last().map(par::digest).unwrap_or_default();
        Presearch { prepared: weights.iter().map(prepare).collect(), digest, sampling, least_nodes }
    }

    /// The hints of the positions of some games, in their order, beginning with those of earlier searches. All threads
    /// take part. No result where `tick` says no.
    pub fn hints(
        &self,
        games: Vec<Vec<(WinnerPosition, MoveHints)>>,
        tick: Tick,
    ) -> Option<Vec<Vec<MoveHints>>> {
        games
            .into_par_iter()
            .map_init(|| self.searchers(), |searchers, game| self.game(searchers, game, tick))
            .collect()
    }

    /// What the trees are grown by.
    pub fn tree_head(&self, margin: Margin) -> TreeHead {
        TreeHead::new(&self.sampling.search, margin, self.digest.clone())
    }

    /// The trees of positions, in their order, under the last of the weights. No result where `tick` says no.
    ///
    /// # Errors
    ///
    /// A tree is too large.
    pub fn trees(
        &self,
        positions: &[WinnerPosition],
        margin: Margin,
        tick: Tick,
    ) -> crate::error::Result<Option<Vec<Vec<u8>>>> {
        let prepared = self.prepared.last().expect("a presearch has weights");
        grow_all(positions, prepared, margin, tick)
    }

    fn searchers(&self) -> Vec<AlphaBeta> {
        let searcher = |prepared: &Prepared| {
            let mut searcher = AlphaBeta::new(prepared);
            searcher.keep_hints_from(self.least_nodes, false);
            searcher
        };
        self.prepared.iter().map(searcher).collect()
    }

    fn game(
        &self,
        searchers: &mut [AlphaBeta],
        game: Vec<(WinnerPosition, MoveHints)>,
        tick: Tick,
    ) -> Option<Vec<MoveHints>> {
        let position = |(position, mut hints): (WinnerPosition, MoveHints)| {
            let mut standing = Standing::default();
            for searcher in &mut *searchers {
                (standing, _) = search(&position, &self.sampling, searcher, &mut hints);
            }
            tick(&standing).then_some(hints)
        };
        game.into_iter().map(position).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{self, GameOptions, StoredHints},
        sample::testing,
        search::Settings,
    };

    /// At one ply there is no inner node.
    fn two_plies() -> Sampling {
        Sampling { search: Settings { depth: 2, ..Settings::default() }, ..Sampling::default() }
    }

    #[test]
    fn a_first_pass_over_the_shipped_games_visits_fewer_nodes_by_their_stored_hints() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gm1988.pgn");
        let games = game::load(&path, &GameOptions::default(), 600, &mut |error| panic!("{error}")).unwrap();
        let prepared = Prepared::new(Settings::default(), &Weights::start().quantised());
        let nodes = |stored: &StoredHints| {
            let mut searcher = AlphaBeta::new(&prepared);
            for position in &games.positions {
                let mut hints = MoveHints::from_stored(stored.get(position));
                search(position, &Sampling::default(), &mut searcher, &mut hints);
            }
            searcher.nodes
        };
        let [without, with] = [StoredHints::default(), games.hints.clone()].map(|stored| nodes(&stored));
        // Hints under keys that the search no longer uses save nothing: then games/README.md says how to make them again.
        assert!(10 * with < 9 * without, "{with} nodes with stored hints, {without} without");
    }

    #[test]
    fn the_hints_of_a_presearch_do_not_depend_on_threads_and_change_no_standing() {
        let positions = testing::positions(150);
        let weights = Weights::start();
        let presearch = Presearch::new(std::slice::from_ref(&weights), two_plies(), 1);
        let games = || {
            let pairs = positions.chunk_by(|a, b| a.game == b.game);
            pairs
                .map(|game| game.iter().map(|&position| (position, MoveHints::default())).collect())
                .collect()
        };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| presearch.hints(games(), &|_| true).unwrap())
        };
        let hints: Vec<_> = on(1);
        assert_eq!(hints, on(3));
        let mut hints: Vec<MoveHints> = hints.into_iter().flatten().collect();
        assert!(hints.iter().any(|hints| hints.bytes() > 0));
        let prepared = Prepared::new(two_plies().search, &weights.quantised());
        let mut searcher = AlphaBeta::new(&prepared);
        for (position, hints) in positions.iter().zip(&mut hints) {
            let mut standing = |hints: &mut MoveHints| search(position, &two_plies(), &mut searcher, hints).0;
            assert_eq!(standing(hints), standing(&mut MoveHints::default()));
        }
        assert!(presearch.hints(games(), &|_| false).is_none());
    }
}
