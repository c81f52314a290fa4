//! From the winners' positions to standings and choices: search each, judge the played move, keep what is in bound.
//!
//! Chess comes in, numbers go out. Agreement is counted over all positions with at least two legal moves and over
//! all legal moves; a [`Choice`](texam_fit::Choice) holds only what a fit may use. [`PositionSource`] is the
//! source of choices for [`texam_fit`]; [`pass`] counts without a fit.

mod difference;
mod forest;
mod labelled;
mod presearch;
mod recall;
mod rows;
mod single;
mod source;
#[cfg(test)]
pub(crate) mod testing;

use rayon::prelude::*;
use texam_fit::{Agreement, ClusterCounts, LeftOut, Pool, Result, Spread, Standing};

pub use self::{
    difference::Difference,
    forest::{Forest, grow_all},
    labelled::{LabelledSource, quiet},
    presearch::Presearch,
    recall::Recall,
    rows::ChoiceMaker,
    single::SingleFit,
    source::PositionSource,
};
use crate::{
    feature::Weights,
    game::WinnerPosition,
    position::CompactMove,
    search::{
        MoveHints, RootKind, SearchedMoves, Settings, Threshold,
        alphabeta::{AlphaBeta, HALF_PAWN, Prepared},
        tree::Walker,
    },
};

/// How positions are searched and what is in bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// The search.
    pub search: Settings,
    /// What stands for the position before the choice.
    pub root: RootKind,
    /// The bound around its value.
    pub threshold: Threshold,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling { search: Settings::default(), root: RootKind::Quiescence, threshold: Some(HALF_PAWN) }
    }
}

/// Called with the standing of each position, from all threads; says whether to go on.
pub type Tick<'a> = &'a (dyn Fn(&Standing) -> bool + Sync);

/// Searches one position, with the hints of an earlier search of it, and finds how the played move stands.
pub fn search(
    position: &WinnerPosition,
    sampling: &Sampling,
    searcher: &mut AlphaBeta,
    hints: &mut MoveHints,
) -> (Standing, SearchedMoves) {
    let root = position.position();
    let played = CompactMove::from(position.played_in(&root));
    let moves = searcher.search_choice_with_hints(&root, played, sampling.root, sampling.threshold, hints);
    (standing(&moves), moves)
}

/// How the played move stands among the moves of a position.
fn standing(moves: &SearchedMoves) -> Standing {
    let SearchedMoves { legal, ahead, tied, kept, .. } = moves;
    let rows = if kept.len() >= 2 { kept.len() as u32 } else { 0 };
    Standing { alternatives: *legal, ahead: *ahead, tied: *tied, rows }
}

/// What a pass without a fit measures.
#[derive(Debug, Clone, Default)]
pub struct Searched {
    /// Counts over the positions.
    pub agreement: Agreement,
    /// Spread of the kept values.
    pub spread: Spread,
    /// What each game counts, in the order of the games.
    pub games: Vec<ClusterCounts>,
    /// How the played move stands in each position, where they are kept.
    pub standings: Vec<Standing>,
}

/// Searches all positions on all threads and counts. The standings are kept, in the order of the positions, where
/// `keep` says so. When `tick` says no, there is no result.
pub fn pass(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
    recall: &mut Recall,
    keep: bool,
    tick: Tick,
) -> Option<Searched> {
    let searched = measure(positions, weights, sampling, Values::Search(recall), keep, tick);
    searched.expect("a search does not fail")
}

/// [`pass`] by a search or by stored trees.
fn measure(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
    values: Values,
    keep: bool,
    tick: Tick,
) -> Result<Option<Searched>> {
    let count = |counts: &mut Searched, standing: Standing, moves: &SearchedMoves| {
        counts.agreement.count(&standing);
        counts.games.last_mut().expect("the game has begun").count(&standing);
        if standing.rows > 0 {
            let values: Vec<i64> = moves.kept.iter().map(|kept| kept.leaf.value).collect();
            counts.spread.add(&values);
        }
        if keep {
            counts.standings.push(standing);
        }
    };
    let game = |counts: &mut Searched, game: Game| {
        counts.games.push(game.counts());
        game.search(sampling, tick, |_, standing, moves| count(counts, standing, moves))
    };
    let merge = |mut a: Searched, mut b: Searched| {
        a.agreement.merge(&b.agreement);
        a.spread.merge(b.spread);
        a.games.append(&mut b.games);
        a.standings.append(&mut b.standings);
        a
    };
    each_game(positions, weights, sampling, values, Searched::default, game, merge)
}

/// The positions of a game, to be searched or walked by one thread.
struct Game<'a> {
    positions: &'a [WinnerPosition],
    way: Way<'a>,
}

/// How the moves of the positions of a game are valued.
enum Way<'a> {
    Search { hints: Vec<&'a mut MoveHints>, recall: &'a Recall, searcher: &'a mut AlphaBeta },
    Walk { trees: &'a [Vec<u8>], forest: &'a Forest, walker: &'a mut Walker },
}

impl Game<'_> {
    /// What it counts before its first position.
    fn counts(&self) -> ClusterCounts {
        ClusterCounts::new(self.positions[0].game.into())
    }

    /// Takes the positions in their order. Says whether all were taken, or the tick said no.
    fn search(
        self,
        sampling: &Sampling,
        tick: Tick,
        mut take: impl FnMut(&WinnerPosition, Standing, &SearchedMoves),
    ) -> Result<bool> {
        match self.way {
            Way::Search { hints, recall, searcher } => {
                Ok(self.positions.iter().zip(hints).all(|(position, hints)| {
                    let before = hints.bytes();
                    let (standing, moves) = search(position, sampling, searcher, hints);
                    recall.keep(before, hints);
                    take(position, standing, &moves);
                    tick(&standing)
                }))
            }
            Way::Walk { trees, forest, walker } => {
                for (position, tree) in self.positions.iter().zip(trees) {
                    let (standing, moves) = walk(position, sampling, walker, tree).map_err(|error| {
                        let error = error.in_game(position.game as usize + 1).at_move(position.fullmove);
                        texam_fit::Error::external(error.in_file(forest.path()))
                    })?;
                    take(position, standing, &moves);
                    if !tick(&standing) {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

/// Walks through the stored tree of a position, and finds how the played move stands.
fn walk(
    position: &WinnerPosition,
    sampling: &Sampling,
    walker: &mut Walker,
    tree: &[u8],
) -> crate::error::Result<(Standing, SearchedMoves)> {
    let root = position.position();
    let played = CompactMove::from(position.played_in(&root));
    let moves = walker.choice(&root, played, sampling.root, sampling.threshold, tree)?;
    Ok((standing(&moves), moves))
}

/// The positions without those of the games of a group.
fn without<P: Copy>(positions: &[P], group: LeftOut, game: fn(&P) -> u32) -> Vec<P> {
    let games = positions.chunk_by(|a, b| game(a) == game(b)).zip(0..);
    games.filter(|&(_, place)| !group.has(place)).flat_map(|(positions, _)| positions).copied().collect()
}

/// Why a pass ends early.
enum Stop {
    Cancelled,
    Failed(texam_fit::Error),
}

/// What the positions of a pass are valued by.
enum Values<'a> {
    /// A search, and what it recalls.
    Search(&'a mut Recall),
    /// Stored trees.
    Walk(&'a Forest),
}

/// Works on all games on all threads and merges what comes of them, in the order of the games. No result where the
/// work on a game says that it was cancelled.
fn each_game<T: Send>(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
    values: Values,
    zero: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, Game) -> Result<bool> + Sync,
    merge: impl Fn(T, T) -> T + Sync,
) -> Result<Option<T>> {
    let prepared = Prepared::new(sampling.search, &weights.quantised());
    let at_least = |games: usize| (games * POSITIONS_AT_A_TIME / positions.len().max(1)).max(1);
    let found = match values {
        Values::Search(recall) => {
            let mut hints = recall.begin(positions.len());
            let mut rest = hints.iter_mut();
            let of_game = |game| (game, rest.by_ref().take(<[_]>::len(game)).collect::<Vec<_>>());
            let games: Vec<_> = positions.chunk_by(|a, b| a.game == b.game).map(of_game).collect();
            // Searchers hold tables of some size, so they are used again.
            let searchers = Pool::default();
            let shared = &*recall;
            let work = |part: &mut T, (positions, hints)| {
                let new = || AlphaBeta::new(&prepared);
                searchers.with(new, |searcher| {
                    work(part, Game { positions, way: Way::Search { hints, recall: shared, searcher } })
                })
            };
            let at_least = at_least(games.len());
            let found = each(games, at_least, &zero, work, &merge);
            recall.end(hints);
            found
        }
        Values::Walk(forest) => {
            let walkers = Pool::default();
            let external = |error: crate::error::Error| Stop::Failed(texam_fit::Error::external(error));
            forest.chunks(positions).map_err(external).and_then(|mut chunks| {
                let mut all = zero();
                let mut chunk = chunks.read().map_err(external)?;
                while let Some((positions, trees)) = chunk {
                    let mut rest = &trees[..];
                    let of_game = |game| (game, rest.split_off(..<[_]>::len(game)).unwrap_or_default());
                    let games: Vec<_> = positions.chunk_by(|a, b| a.game == b.game).map(of_game).collect();
                    let work = |part: &mut T, (positions, trees)| {
                        walkers.with(
                            || Walker::new(&prepared),
                            |walker| work(part, Game { positions, way: Way::Walk { trees, forest, walker } }),
                        )
                    };
                    let (next, part) = rayon::join(|| chunks.read(), || each(games, 1, &zero, work, &merge));
                    all = merge(all, part?);
                    chunk = next.map_err(external)?;
                }
                Ok(all)
            })
        }
    };
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Stop::Cancelled) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Works on games on all threads, at least so many by one, and merges what comes of them in their order.
fn each<G: Send, T: Send>(
    games: Vec<G>,
    at_least: usize,
    zero: &(impl Fn() -> T + Sync),
    work: impl Fn(&mut T, G) -> Result<bool> + Sync,
    merge: &(impl Fn(T, T) -> T + Sync),
) -> std::result::Result<T, Stop> {
    games
        .into_par_iter()
        .with_min_len(at_least)
        .try_fold(zero, |mut part, game| match work(&mut part, game) {
            Ok(true) => Ok(part),
            Ok(false) => Err(Stop::Cancelled),
            Err(error) => Err(Stop::Failed(error)),
        })
        .try_reduce(zero, |a, b| Ok(merge(a, b)))
}

/// Positions that a thread searches at least before others may take some of its share.
const POSITIONS_AT_A_TIME: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standings_come_in_the_order_of_the_positions_on_any_number_of_threads() {
        let positions = testing::positions(150);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut recall = Recall::default();
            pool.install(|| {
                pass(positions, &Weights::start(), &testing::shallow(), &mut recall, true, &|_| true).unwrap()
            })
        };
        let [one, many] = [on(1), on(5)];
        assert_eq!((&one.standings, &one.agreement), (&many.standings, &many.agreement));
        assert_eq!(one.spread.units(), many.spread.units());
        assert_eq!(one.standings.len(), positions.len());
        assert_eq!(one.agreement, Agreement::of(&one.standings));
        assert!(one.spread.units() > 5.0);
    }

    #[test]
    fn a_pass_that_is_told_to_stop_has_no_result() {
        let mut recall = Recall::default();
        let positions = testing::positions(150);
        assert!(
            pass(positions, &Weights::start(), &testing::shallow(), &mut recall, false, &|_| false).is_none()
        );
    }
}
