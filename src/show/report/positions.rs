//! The positions in which the rank of the played move differs most between two sets of weights.
//!
//! All positions of a run are searched under both sets, as in a fit, unless the run has kept the ranks. The
//! positions with the largest changes of rank are searched again, with exact values for every legal move.

use std::cmp::Reverse;

use rayon::prelude::*;
use shakmaty::{Chess, Move, Position};
use texam_fit::{Agreement, ClusterCounts, ClusterSets, Standing};

use crate::{
    feature::Weights,
    game::{GameHead, WinnerPosition},
    sample::{self, Difference, Recall, Sampling},
    search::alphabeta::{AlphaBeta, Prepared},
    show::analysis::Analysis,
    value::Value,
};

/// Positions with their games; [`WinnerPosition::game`] is an index into these.
#[derive(Debug, Clone, Copy)]
pub struct PositionSet<'a> {
    /// The positions; may be empty.
    pub positions: &'a [WinnerPosition],
    pub games: &'a [GameHead],
}

/// Result of a comparison. In pairs the first value is that of the weights before, the second that after.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionChanges {
    /// Counts of fitted and of held-out positions; none for an empty set.
    pub counts: [Option<Counts>; 2],
    /// Positions in which the rank improved most, the largest improvement first.
    pub improved: Vec<Example>,
    /// Positions in which the rank got worse most, the largest change first.
    pub worse: Vec<Example>,
}

/// Counts of positions with at least two legal moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    /// Positions with fewer moves ahead of the played one than before.
    pub improved: u64,
    /// Positions with as many moves ahead as before.
    pub equal: u64,
    /// Positions with more moves ahead than before.
    pub worse: u64,
    /// Agreement after less agreement before, paired by position.
    pub paired: Difference,
    /// Agreement of each set with the winners, where it was searched for.
    pub agreement: [Option<Agreement>; 2],
}

/// One position with its search result under each set of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Whether the position was held out; otherwise it was fitted.
    pub held_out: bool,
    pub game: GameHead,
    /// Full move number in the game, from 1.
    pub fullmove: u32,
    /// The position before the choice.
    pub position: Chess,
    pub played: Move,
    /// Number of legal moves.
    pub legal: u32,
    /// Search results under the weights before and after.
    pub results: [SearchResult; 2],
}

/// Search result of a position under one set of weights. Values are from the side of the player to move.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// Legal moves strictly above the played one.
    pub ahead: u32,
    /// Value of the played move, in 1/65536 unit.
    pub played: Value,
    /// The best move: the played one if no move is above it, else the first of the best in canonical order.
    pub preferred: Move,
    /// Value of the best move, in 1/65536 unit.
    pub best: Value,
}

/// Receives the progress of a comparison, from several threads.
pub trait ComparisonObserver: Sync {
    /// Called before `positions` positions are searched with the weights before (0) or after (1).
    fn begins(&self, weights: usize, positions: usize);

    /// Called after each position. Returns whether to continue.
    fn searched(&self) -> bool;
}

/// Compares two sets of weights on fitted and on held-out positions, which are searched where it is not
/// `known` what their games count. The result contains up to `most` improved and up to `most` worse
/// positions. None if the observer stopped the comparison.
pub fn compare(
    sets: [PositionSet; 2],
    weights: [&Weights; 2],
    known: [Option<&ClusterSets>; 2],
    sampling: &Sampling,
    most: usize,
    observer: &dyn ComparisonObserver,
) -> Option<PositionChanges> {
    let mut recalls = [Recall::default(), Recall::default()];
    let mut measure = |number: usize| {
        if let Some(games) = known[number] {
            return Some(games.clone().map(|games| MeasuredSet { games, agreement: None }));
        }
        observer.begins(number, sets[0].positions.len() + sets[1].positions.len());
        let [fitted, held_out] = &mut recalls;
        let fitted = measure(&sets[0], weights[number], sampling, fitted, observer)?;
        Some([fitted, measure(&sets[1], weights[number], sampling, held_out, observer)?])
    };
    let before = measure(0)?;
    let after = measure(1)?;
    let measured = [[&before[0], &after[0]], [&before[1], &after[1]]];
    let prepared = weights.map(|weights| Prepared::new(sampling.search, &weights.quantised()));
    let show = |chosen: Vec<RankChange>| {
        chosen.par_iter().map(|change| show(change, &sets, sampling, &prepared)).collect()
    };
    let changes = |sign: i64| {
        let both = (0..2).flat_map(|set| changes(set, measured[set]));
        greatest(both.filter(|change| change.rise() * sign > 0).collect(), most)
    };
    Some(PositionChanges {
        counts: [0, 1].map(|set| {
            let pair = measured[set];
            (!pair[0].games.is_empty()).then(|| counts(pair))
        }),
        improved: show(changes(1)),
        worse: show(changes(-1)),
    })
}

struct MeasuredSet {
    games: Vec<ClusterCounts>,
    agreement: Option<Agreement>,
}

impl MeasuredSet {
    fn ranks(&self) -> impl Iterator<Item = u8> {
        self.games.iter().flat_map(|game| game.ranks.iter().map(|&[ahead, _]| ahead))
    }
}

fn measure(
    set: &PositionSet,
    weights: &Weights,
    sampling: &Sampling,
    recall: &mut Recall,
    observer: &dyn ComparisonObserver,
) -> Option<MeasuredSet> {
    let tick = |_: &Standing| observer.searched();
    let searched = sample::pass(set.positions, weights, sampling, recall, false, &tick)?;
    Some(MeasuredSet { games: searched.games, agreement: Some(searched.agreement) })
}

/// How the moves ahead of the played one changed in one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RankChange {
    /// 0 fitted, 1 held out.
    set: usize,
    index: usize,
    ahead: [u8; 2],
}

impl RankChange {
    /// Improvement of the rank, in moves.
    fn rise(&self) -> i64 {
        i64::from(self.ahead[0]) - i64::from(self.ahead[1])
    }
}

/// The changes in all positions of a set.
fn changes(set: usize, [before, after]: [&MeasuredSet; 2]) -> impl Iterator<Item = RankChange> {
    let pairs = before.ranks().zip(after.ranks()).enumerate();
    pairs.map(move |(index, (before, after))| RankChange { set, index, ahead: [before, after] })
}

/// The largest changes first. Equal changes are sorted by the better of the two ranks, then in the order of
/// the games.
fn greatest(mut changes: Vec<RankChange>, most: usize) -> Vec<RankChange> {
    changes.sort_by_key(|change| {
        let nearest = change.ahead[0].min(change.ahead[1]);
        (Reverse(change.rise().abs()), nearest, change.set, change.index)
    });
    changes.truncate(most);
    changes
}

fn counts([before, after]: [&MeasuredSet; 2]) -> Counts {
    let paired = Difference::by_game(&after.games, &before.games);
    let count = |sign| changes(0, [before, after]).filter(|change| change.rise().signum() == sign).count();
    let [improved, worse] = [1, -1].map(|sign| count(sign) as u64);
    let agreement = [before.agreement.clone(), after.agreement.clone()];
    Counts { improved, equal: paired.positions - improved - worse, worse, paired, agreement }
}

/// Searches the position of a change under both sets, with exact values for every move.
fn show(
    change: &RankChange,
    sets: &[PositionSet; 2],
    sampling: &Sampling,
    prepared: &[Prepared; 2],
) -> Example {
    let set = &sets[change.set];
    let winner = &set.positions[change.index];
    let position = winner.position();
    let played = winner.played_in(&position);
    let results = [0, 1].map(|number| result(winner, &position, sampling, &prepared[number]));
    Example {
        held_out: change.set == 1,
        game: set.games[winner.game as usize].clone(),
        fullmove: winner.fullmove,
        played,
        legal: position.legal_moves().len() as u32,
        position,
        results,
    }
}

fn result(
    winner: &WinnerPosition,
    position: &Chess,
    sampling: &Sampling,
    prepared: &Prepared,
) -> SearchResult {
    let analysis = Analysis::search(winner, sampling, &mut AlphaBeta::new(prepared));
    let (played, best) = (analysis.played(), &analysis.moves[analysis.preferred()]);
    SearchResult {
        ahead: played.rank as u32,
        played: played.leaf.value,
        preferred: best.in_position(position),
        best: best.leaf.value,
    }
}

#[cfg(test)]
mod tests {
    use std::{
        path::Path,
        sync::{
            Mutex, OnceLock,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use super::*;
    use crate::{
        game::{self, Collection, GameOptions},
        sample::Searched,
        search::Settings,
    };

    /// Some hundred positions, two of three of them fitted.
    fn collection() -> &'static (Collection, Vec<WinnerPosition>, Vec<WinnerPosition>) {
        static COLLECTION: OnceLock<(Collection, Vec<WinnerPosition>, Vec<WinnerPosition>)> = OnceLock::new();
        COLLECTION.get_or_init(|| {
            let path = Path::new("games/gm1988.pgn");
            let collection = game::load(path, &GameOptions::default(), 150, &mut |_| {}).unwrap();
            let is_held_out = |position: &WinnerPosition| position.game % 3 == 2;
            let (held_out, fitted) = collection.positions.iter().copied().partition(is_held_out);
            (collection, fitted, held_out)
        })
    }

    fn sets() -> [PositionSet<'static>; 2] {
        let (collection, fitted, held_out) = collection();
        [fitted, held_out].map(|positions| PositionSet { positions, games: &collection.games })
    }

    fn sampling() -> Sampling {
        Sampling { search: Settings { depth: 1, ..Settings::default() }, ..Sampling::default() }
    }

    /// Notes what it is told, and says no after so many positions.
    #[derive(Default)]
    struct CountingObserver {
        begun: Mutex<Vec<(usize, usize)>>,
        searched: AtomicUsize,
        enough: Option<usize>,
    }

    impl ComparisonObserver for CountingObserver {
        fn begins(&self, weights: usize, positions: usize) {
            self.begun.lock().unwrap().push((weights, positions));
        }

        fn searched(&self) -> bool {
            let searched = self.searched.fetch_add(1, Ordering::Relaxed);
            self.enough.is_none_or(|enough| searched < enough)
        }
    }

    /// From the start weights to material alone.
    fn compared(most: usize) -> PositionChanges {
        let weights = [Weights::start(), Weights::material_only()];
        compare(sets(), weights.each_ref(), [None; 2], &sampling(), most, &CountingObserver::default())
            .unwrap()
    }

    #[test]
    fn known_ranks_take_the_place_of_the_search() {
        let weights = [Weights::start(), Weights::material_only()];
        let games_by = |weights: &Weights| sets().map(|set| searched(set.positions, weights).games);
        let [before, after] = weights.each_ref().map(games_by);
        let searched = compared(4);
        for (known, searches) in [([Some(&before), Some(&after)], 0), ([Some(&before), None], 1)] {
            let observer = CountingObserver::default();
            let found = compare(sets(), weights.each_ref(), known, &sampling(), 4, &observer).unwrap();
            assert_eq!((&found.improved, &found.worse), (&searched.improved, &searched.worse));
            for (found, searched) in found.counts.iter().zip(&searched.counts) {
                let [found, searched] = [found, searched].map(|counts| counts.as_ref().unwrap());
                assert_eq!(found.paired, searched.paired);
                assert_eq!(
                    (found.improved, found.equal, found.worse),
                    (searched.improved, searched.equal, searched.worse)
                );
            }
            assert_eq!(observer.begun.into_inner().unwrap().len(), searches);
        }
    }

    fn searched(positions: &[WinnerPosition], weights: &Weights) -> Searched {
        let mut recall = Recall::default();
        sample::pass(positions, weights, &sampling(), &mut recall, true, &|_| true).unwrap()
    }

    #[test]
    fn every_position_with_a_choice_is_improved_equal_or_worse() {
        let comparison = compared(0);
        assert!(comparison.improved.is_empty() && comparison.worse.is_empty());
        for (set, counts) in sets().iter().zip(&comparison.counts) {
            let counts = counts.as_ref().unwrap();
            let weights = [Weights::start(), Weights::material_only()];
            let [before, after] = weights.map(|weights| searched(set.positions, &weights).standings);
            let pairs = || before.iter().zip(&after).filter(|(before, _)| before.alternatives >= 2);
            let improved = pairs().filter(|(before, after)| after.ahead < before.ahead).count() as u64;
            let worse = pairs().filter(|(before, after)| after.ahead > before.ahead).count() as u64;
            assert_eq!((counts.improved, counts.worse), (improved, worse));
            assert_eq!(counts.improved + counts.equal + counts.worse, pairs().count() as u64);
            assert_eq!(counts.agreement, [&before, &after].map(|all| Some(Agreement::of(all))));
            assert!(improved > 0 && worse > 0 && counts.equal > 0);
        }
    }

    #[test]
    fn the_greatest_changes_of_both_sets_come_first() {
        let comparison = compared(usize::MAX);
        let rises = |examples: &[Example]| -> Vec<i64> {
            let rise =
                |example: &Example| i64::from(example.results[0].ahead) - i64::from(example.results[1].ahead);
            examples.iter().map(rise).collect()
        };
        let (improved, worse) = (rises(&comparison.improved), rises(&comparison.worse));
        assert!(improved.is_sorted_by(|a, b| a >= b) && improved.iter().all(|&rise| rise > 0));
        assert!(worse.is_sorted() && worse.iter().all(|&rise| rise < 0));
        let sum =
            |count: fn(&Counts) -> u64| comparison.counts.iter().flatten().map(count).sum::<u64>() as usize;
        assert_eq!((improved.len(), worse.len()), (sum(|c| c.improved), sum(|c| c.worse)));
        let held_out = comparison.improved.iter().filter(|example| example.held_out).count() as u64;
        assert_eq!(held_out, comparison.counts[1].as_ref().unwrap().improved);
        let few = compared(5);
        assert_eq!((&few.improved[..], &few.worse[..]), (&comparison.improved[..5], &comparison.worse[..5]));
    }

    #[test]
    fn an_example_shows_its_position_as_either_set_sees_it() {
        for example in compared(20).improved {
            assert_eq!(example.position.turn(), example.game.chooser);
            assert_eq!(example.legal as usize, example.position.legal_moves().len());
            for result in &example.results {
                assert!(example.position.is_legal(result.preferred));
                assert_eq!(result.ahead == 0, result.preferred == example.played);
                assert_eq!(result.ahead == 0, result.best == result.played);
                assert!(result.best >= result.played);
            }
        }
    }

    #[test]
    fn the_same_weights_change_nothing() {
        let weights = Weights::start();
        let observer = CountingObserver::default();
        let same = compare(sets(), [&weights, &weights], [None; 2], &sampling(), 6, &observer).unwrap();
        assert!(same.improved.is_empty() && same.worse.is_empty());
        let counts = same.counts[0].as_ref().unwrap();
        assert_eq!(
            (counts.improved, counts.worse, counts.paired.only_first, counts.paired.only_second),
            (0, 0, 0, 0)
        );
        let all = sets().iter().map(|set| set.positions.len()).sum();
        assert_eq!(*observer.begun.lock().unwrap(), [(0, all), (1, all)]);
        assert_eq!(observer.searched.into_inner(), 2 * all);
    }

    #[test]
    fn without_positions_held_out_nothing_is_counted_of_them() {
        let [fitted, held_out] = sets();
        let none = PositionSet { positions: &[], ..held_out };
        let weights = [Weights::start(), Weights::material_only()];
        let observer = CountingObserver::default();
        let alone =
            compare([fitted, none], weights.each_ref(), [None; 2], &sampling(), 3, &observer).unwrap();
        assert!(alone.counts[0].is_some() && alone.counts[1].is_none());
        assert!(alone.improved.iter().all(|example| !example.held_out));
    }

    #[test]
    fn a_comparison_ends_when_it_is_told_to() {
        let weights = Weights::start();
        let observer = CountingObserver { enough: Some(3), ..CountingObserver::default() };
        assert!(compare(sets(), [&weights, &weights], [None; 2], &sampling(), 6, &observer).is_none());
    }
}
