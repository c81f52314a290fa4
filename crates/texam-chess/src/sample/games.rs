//! The games of a pass on all threads: each thread takes a game at a time and searches its positions, or
//! walks through their stored trees. What comes of the games is merged in their order, so that it does not
//! depend on the threads.

use rayon::prelude::*;
use texam_fit::{ClusterCounts, Error, Pool, Result, Standing};

use super::{
    Recall, Sampling, Searched, Tick,
    forest::{Forest, Trees},
    search, standing,
};
use crate::{
    feature::{Quantised, Weights},
    game::WinnerPosition,
    position::CompactMove,
    search::{
        SearchedMoves,
        alphabeta::{AlphaBeta, Prepared},
        tree::Walker,
    },
};

/// How the positions fitted and those held out are valued in all passes.
pub(super) enum Valuation<'a> {
    /// By searches, each with the best moves of the one before.
    Search([Recall; 2]),
    /// By searches that share these moves with other sources.
    SharedSearch(&'a mut [Recall; 2]),
    /// By walks through stored trees.
    Walk(Trees),
}

impl Valuation<'_> {
    /// Begins a pass over both under these weights. None where `tick` says no.
    pub fn begin(
        &mut self,
        positions: [&[WinnerPosition]; 2],
        weights: &Weights,
        sampling: &Sampling,
        tick: Tick,
    ) -> Result<Option<[Values<'_>; 2]>> {
        Ok(match self {
            Valuation::Search(recalls) => Some(recalls.each_mut().map(Values::Search)),
            Valuation::SharedSearch(recalls) => Some(recalls.each_mut().map(Values::Search)),
            Valuation::Walk(trees) => {
                let goes_on = trees.grow_where_due(positions, weights, sampling, tick)?;
                goes_on.then(|| trees.forests.each_ref().map(Values::Walk))
            }
        })
    }
}

/// What the positions of a pass are valued by.
pub(super) enum Values<'a> {
    Search(&'a mut Recall),
    Walk(&'a Forest),
}

/// A pass over positions, those of a game next to each other.
pub(super) struct Pass<'a> {
    pub positions: &'a [WinnerPosition],
    pub weights: &'a Quantised,
    pub sampling: &'a Sampling,
    pub values: Values<'a>,
    /// Whether the standings are kept.
    pub keep: bool,
    pub tick: Tick<'a>,
}

/// Searches the position of a game at an index.
type SearchAt<'a> = &'a mut dyn FnMut(usize) -> Result<(Standing, SearchedMoves)>;

/// A game of a pass, whose positions one thread searches.
pub(super) struct Game<'a> {
    positions: &'a [WinnerPosition],
    search: SearchAt<'a>,
    keep: bool,
    tick: Tick<'a>,
}

impl Game<'_> {
    /// Searches the positions in their order, and counts how their played moves stand. `take` gets the moves
    /// of each position in which two or more are kept. Says whether all were searched, or the tick said no.
    pub fn search(
        self,
        counts: &mut Searched,
        mut take: impl FnMut(&WinnerPosition, &SearchedMoves) -> Result<()>,
    ) -> Result<bool> {
        counts.games.push(ClusterCounts::new(self.positions[0].game.into()));
        for (index, position) in self.positions.iter().enumerate() {
            let (standing, moves) = (self.search)(index)?;
            counts.count(&standing, &moves);
            if self.keep {
                counts.standings.push(standing);
            }
            if standing.rows > 0 {
                take(position, &moves)?;
            }
            if !(self.tick)(&standing) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Why a pass ends early.
enum Stop {
    Cancelled,
    Failed(Error),
}

/// The result of a pass that may end early.
type Ended = std::result::Result<Searched, Stop>;

/// Positions that a thread searches at least before others may take some of its share.
const POSITIONS_AT_A_TIME: usize = 32;

impl Pass<'_> {
    /// Works on all games. No result where the work on a game says that it was cancelled.
    pub fn each_game(
        self,
        work: impl Fn(&mut Searched, Game) -> Result<bool> + Sync,
    ) -> Result<Option<Searched>> {
        let Pass { positions, weights, sampling, values, keep, tick } = self;
        let prepared = Prepared::new(sampling.search, weights);
        let work = |counts: &mut Searched, positions: &[WinnerPosition], search: SearchAt| {
            work(counts, Game { positions, search, keep, tick })
        };
        let ended = match values {
            Values::Search(recall) => search_games(positions, sampling, &prepared, recall, work),
            Values::Walk(forest) => walk_games(positions, sampling, &prepared, forest, work),
        };
        match ended {
            Ok(searched) => Ok(Some(searched)),
            Err(Stop::Cancelled) => Ok(None),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// Searches the games, each position with the hints of the pass before, and keeps its hints for the next.
fn search_games(
    positions: &[WinnerPosition],
    sampling: &Sampling,
    prepared: &Prepared,
    recall: &mut Recall,
    work: impl Fn(&mut Searched, &[WinnerPosition], SearchAt) -> Result<bool> + Sync,
) -> Ended {
    let mut hints = recall.begin(positions.len());
    let mut rest = &mut hints[..];
    let of_game = |game| (game, rest.split_off_mut(..<[_]>::len(game)).unwrap_or_default());
    let games: Vec<_> = positions.chunk_by(|a, b| a.game == b.game).map(of_game).collect();
    let at_least = games.len() * POSITIONS_AT_A_TIME / positions.len().max(1);
    // Searchers hold tables of some size, so they are used again.
    let (searchers, begin) = (Pool::default(), || AlphaBeta::new(prepared));
    let shared = &*recall;
    let ended = merge_games(games, at_least.max(1), |counts, (positions, hints)| {
        searchers.with(begin, |searcher| {
            work(counts, positions, &mut |index| {
                let before = hints[index].bytes();
                let found = search(&positions[index], sampling, searcher, &mut hints[index]);
                shared.keep(before, &mut hints[index]);
                Ok(found)
            })
        })
    });
    recall.end(hints);
    ended
}

/// Walks through the trees of the games. While some are walked, the next ones are read.
fn walk_games(
    positions: &[WinnerPosition],
    sampling: &Sampling,
    prepared: &Prepared,
    forest: &Forest,
    work: impl Fn(&mut Searched, &[WinnerPosition], SearchAt) -> Result<bool> + Sync,
) -> Ended {
    let failed = |error: crate::error::Error| Stop::Failed(Error::external(error));
    let (walkers, begin) = (Pool::default(), || Walker::new(prepared));
    let mut chunks = forest.chunks(positions).map_err(failed)?;
    let mut all = Searched::default();
    let mut chunk = chunks.read().map_err(failed)?;
    while let Some((positions, trees)) = chunk {
        let mut rest = &trees[..];
        let of_game = |game| (game, rest.split_off(..<[_]>::len(game)).unwrap_or_default());
        let games: Vec<_> = positions.chunk_by(|a, b| a.game == b.game).map(of_game).collect();
        let walk_game = |counts: &mut Searched, (positions, trees): (&[WinnerPosition], &[Vec<u8>])| {
            walkers.with(begin, |walker| {
                let mut walk = |at: usize| walk(&positions[at], sampling, walker, &trees[at], forest);
                work(counts, positions, &mut walk)
            })
        };
        let (next, part) = rayon::join(|| chunks.read(), || merge_games(games, 1, walk_game));
        all = all.merge(part?);
        chunk = next.map_err(failed)?;
    }
    Ok(all)
}

/// Walks through the stored tree of a position, and finds how the played move stands.
fn walk(
    position: &WinnerPosition,
    sampling: &Sampling,
    walker: &mut Walker,
    tree: &[u8],
    forest: &Forest,
) -> Result<(Standing, SearchedMoves)> {
    let root = position.position();
    let played = CompactMove::from(position.played_in(&root));
    let moves = walker.choice(&root, played, sampling.root, sampling.threshold, tree).map_err(|error| {
        let error = error.in_game(position.game as usize + 1).at_move(position.fullmove);
        Error::external(error.in_file(forest.path()))
    })?;
    Ok((standing(&moves), moves))
}

/// Works on games on all threads, at least so many by one, and merges what comes of them in their order.
fn merge_games<G: Send>(
    games: Vec<G>,
    at_least: usize,
    work: impl Fn(&mut Searched, G) -> Result<bool> + Sync,
) -> Ended {
    let work = |mut part, game| match work(&mut part, game) {
        Ok(true) => Ok(part),
        Ok(false) => Err(Stop::Cancelled),
        Err(error) => Err(Stop::Failed(error)),
    };
    let parts = games.into_par_iter().with_min_len(at_least).try_fold(Searched::default, work);
    parts.try_reduce(Searched::default, |a, b| Ok(a.merge(b)))
}
