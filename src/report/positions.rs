//! The positions in which two sets of weights judge the winner's move most differently.
//!
//! Both sets search all positions of a run, as a fit does. Where the number of moves ahead of the played one
//! fell or rose most, each set is asked once more, now for every legal move exactly. What comes of it are
//! plain results: files, words and pages are not known here.

use std::cmp::Reverse;

use rayon::prelude::*;
use shakmaty::{Chess, Move};
use texam_fit::{Agreement, Standing};

use crate::{
    feature::Weights,
    game::{GameHead, WinnerPosition},
    position::canonical_moves,
    sample::{self, Difference, Recall, Sampling},
    search::alphabeta::{AlphaBeta, Prepared},
    value::Value,
};

/// Positions with the games they come from, of which [`WinnerPosition::game`] is an index.
#[derive(Debug, Clone, Copy)]
pub struct Set<'a> {
    /// The positions; may be none.
    pub positions: &'a [WinnerPosition],
    /// The games.
    pub games: &'a [GameHead],
}

/// What came of a comparison; pairs are before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Counts over the positions fitted, and over those held out where there are some.
    pub counts: [Option<Counts>; 2],
    /// Where the played move rose most, the greatest rise first.
    pub improved: Vec<Example>,
    /// Where it fell most.
    pub worse: Vec<Example>,
}

/// Counts over positions with at least two legal moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    /// With fewer moves ahead of the played one than before.
    pub improved: u64,
    /// With as many.
    pub equal: u64,
    /// With more.
    pub worse: u64,
    /// The weights after less those before.
    pub paired: Difference,
    /// How each set agrees with the winners.
    pub agreement: [Agreement; 2],
}

/// One position, with what each set makes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Whether it was held out, else fitted.
    pub held_out: bool,
    /// Its game.
    pub game: GameHead,
    /// Number of the move in its game, from 1.
    pub fullmove: u32,
    /// The position before the choice.
    pub position: Chess,
    /// The move of the winner.
    pub played: Move,
    /// Number of legal moves.
    pub legal: u32,
    /// By either set.
    pub views: [View; 2],
}

/// A position seen with one set of weights; values from the mover's side.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Legal moves strictly above the played one.
    pub ahead: u32,
    /// Value of the played move.
    pub played: Value,
    /// The best move: the played one where none is above it, else the first of equals in canonical order.
    pub preferred: Move,
    /// Its value.
    pub best: Value,
}

/// Follows a comparison. Searching is told of from all threads.
pub trait Watch: Sync {
    /// The weights before (0) or after (1) begin with so many positions.
    fn begins(&self, weights: usize, positions: usize);

    /// One more position is searched; says whether to go on.
    fn searched(&self) -> bool;
}

/// Compares two sets of weights on the positions fitted and those held out, and shows up to `most` positions
/// of either kind. Without a result when the watch says not to go on.
pub fn compare(
    sets: [Set; 2],
    weights: [&Weights; 2],
    sampling: &Sampling,
    most: usize,
    watch: &dyn Watch,
) -> Option<Comparison> {
    let mut recalls = [Recall::default(), Recall::default()];
    let mut measure = |number: usize| {
        watch.begins(number, sets[0].positions.len() + sets[1].positions.len());
        let [fitted, held_out] = &mut recalls;
        let fitted = measure(&sets[0], weights[number], sampling, fitted, watch)?;
        Some([fitted, measure(&sets[1], weights[number], sampling, held_out, watch)?])
    };
    let before = measure(0)?;
    let after = measure(1)?;
    let measured = [[&before[0], &after[0]], [&before[1], &after[1]]];
    let prepared = weights.map(|weights| Prepared::new(sampling.search, &weights.quantised()));
    let show = |chosen: Vec<Change>| chosen.par_iter().map(|change| show(change, &sets, &prepared)).collect();
    let changes = |sign: i64| {
        let both = (0..2).flat_map(|set| changes(set, measured[set]));
        greatest(both.filter(|change| change.rise() * sign > 0).collect(), most)
    };
    Some(Comparison {
        counts: measured.map(|pair| (!pair[0].standings.is_empty()).then(|| counts(pair))),
        improved: show(changes(1)),
        worse: show(changes(-1)),
    })
}

struct Measured {
    standings: Vec<Standing>,
    agreement: Agreement,
}

fn measure(
    set: &Set,
    weights: &Weights,
    sampling: &Sampling,
    recall: &mut Recall,
    watch: &dyn Watch,
) -> Option<Measured> {
    let tick = |_: &Standing| watch.searched();
    let searched = sample::pass(set.positions, weights, sampling, recall, true, &tick)?;
    Some(Measured { standings: searched.standings, agreement: searched.agreement })
}

/// How the moves ahead of the played one changed in one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change {
    /// 0 fitted, 1 held out.
    set: usize,
    index: usize,
    legal: u32,
    ahead: [u32; 2],
}

impl Change {
    /// By how many moves the played one rose.
    fn rise(&self) -> i64 {
        i64::from(self.ahead[0]) - i64::from(self.ahead[1])
    }
}

/// The positions of a set in which there was a choice.
fn changes(set: usize, [before, after]: [&Measured; 2]) -> impl Iterator<Item = Change> {
    let pairs = before.standings.iter().zip(&after.standings).enumerate();
    pairs.filter(|(_, (before, _))| before.legal >= 2).map(move |(index, (before, after))| Change {
        set,
        index,
        legal: before.legal,
        ahead: [before.ahead, after.ahead],
    })
}

/// The greatest changes first; of equal ones those that come nearest to the winner's move before or after, and
/// then in the order of the games.
fn greatest(mut changes: Vec<Change>, most: usize) -> Vec<Change> {
    changes.sort_by_key(|change| {
        let nearest = change.ahead[0].min(change.ahead[1]);
        (Reverse(change.rise().abs()), nearest, change.set, change.index)
    });
    changes.truncate(most);
    changes
}

fn counts([before, after]: [&Measured; 2]) -> Counts {
    let mut counts = Counts {
        improved: 0,
        equal: 0,
        worse: 0,
        paired: Difference::of(&after.standings, &before.standings),
        agreement: [before.agreement.clone(), after.agreement.clone()],
    };
    for change in changes(0, [before, after]) {
        match change.rise() {
            1.. => counts.improved += 1,
            0 => counts.equal += 1,
            _ => counts.worse += 1,
        }
    }
    counts
}

/// Searches the position of a change, every move exactly, with both sets.
fn show(change: &Change, sets: &[Set; 2], prepared: &[Prepared; 2]) -> Example {
    let set = &sets[change.set];
    let winner = &set.positions[change.index];
    let position = winner.position();
    let played = winner.played_in(&position);
    let views = [0, 1].map(|number| view(&position, played, &prepared[number]));
    Example {
        held_out: change.set == 1,
        game: set.games[winner.game as usize].clone(),
        fullmove: winner.fullmove,
        position,
        played,
        legal: change.legal,
        views,
    }
}

fn view(position: &Chess, played: Move, prepared: &Prepared) -> View {
    let leaves = AlphaBeta::new(prepared).all_moves(position);
    // Both lists are in canonical order.
    let moves: Vec<(Move, Value)> =
        canonical_moves(position).into_iter().zip(leaves.iter().map(|found| found.leaf.value)).collect();
    let value = moves.iter().find(|(mv, _)| *mv == played).map_or(Value::MIN, |&(_, value)| value);
    let mut best = (played, value);
    for &(mv, value) in &moves {
        if value > best.1 {
            best = (mv, value);
        }
    }
    let ahead = moves.iter().filter(|(_, other)| *other > value).count() as u32;
    View { ahead, played: value, preferred: best.0, best: best.1 }
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

    use shakmaty::Position;

    use super::*;
    use crate::{
        game::{self, Collection, GameOptions},
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

    fn sets() -> [Set<'static>; 2] {
        let (collection, fitted, held_out) = collection();
        [fitted, held_out].map(|positions| Set { positions, games: &collection.games })
    }

    fn sampling() -> Sampling {
        Sampling { search: Settings { depth: 1, ..Settings::default() }, ..Sampling::default() }
    }

    /// Notes what it is told, and says no after so many positions.
    #[derive(Default)]
    struct Witness {
        begun: Mutex<Vec<(usize, usize)>>,
        searched: AtomicUsize,
        enough: Option<usize>,
    }

    impl Watch for Witness {
        fn begins(&self, weights: usize, positions: usize) {
            self.begun.lock().unwrap().push((weights, positions));
        }

        fn searched(&self) -> bool {
            let searched = self.searched.fetch_add(1, Ordering::Relaxed);
            self.enough.is_none_or(|enough| searched < enough)
        }
    }

    /// From the start weights to material alone.
    fn compared(most: usize) -> Comparison {
        let weights = [Weights::start(), Weights::material_only()];
        compare(sets(), weights.each_ref(), &sampling(), most, &Witness::default()).unwrap()
    }

    fn standings(positions: &[WinnerPosition], weights: &Weights) -> Vec<Standing> {
        let mut recall = Recall::default();
        sample::pass(positions, weights, &sampling(), &mut recall, true, &|_| true).unwrap().standings
    }

    #[test]
    fn every_position_with_a_choice_is_improved_equal_or_worse() {
        let comparison = compared(0);
        assert!(comparison.improved.is_empty() && comparison.worse.is_empty());
        for (set, counts) in sets().iter().zip(&comparison.counts) {
            let counts = counts.as_ref().unwrap();
            let weights = [Weights::start(), Weights::material_only()];
            let [before, after] = weights.map(|weights| standings(set.positions, &weights));
            let pairs = || before.iter().zip(&after).filter(|(before, _)| before.legal >= 2);
            let improved = pairs().filter(|(before, after)| after.ahead < before.ahead).count() as u64;
            let worse = pairs().filter(|(before, after)| after.ahead > before.ahead).count() as u64;
            assert_eq!((counts.improved, counts.worse), (improved, worse));
            assert_eq!(counts.improved + counts.equal + counts.worse, pairs().count() as u64);
            assert_eq!(counts.agreement, [Agreement::of(&before), Agreement::of(&after)]);
            assert!(improved > 0 && worse > 0 && counts.equal > 0);
        }
    }

    #[test]
    fn the_greatest_changes_of_both_sets_come_first() {
        let comparison = compared(usize::MAX);
        let rises = |examples: &[Example]| -> Vec<i64> {
            let rise =
                |example: &Example| i64::from(example.views[0].ahead) - i64::from(example.views[1].ahead);
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
            assert_eq!(example.position.turn(), example.game.winner);
            assert_eq!(example.legal as usize, example.position.legal_moves().len());
            for view in &example.views {
                assert!(example.position.is_legal(view.preferred));
                assert_eq!(view.ahead == 0, view.preferred == example.played);
                assert_eq!(view.ahead == 0, view.best == view.played);
                assert!(view.best >= view.played);
            }
        }
    }

    #[test]
    fn the_same_weights_change_nothing() {
        let weights = Weights::start();
        let witness = Witness::default();
        let same = compare(sets(), [&weights, &weights], &sampling(), 6, &witness).unwrap();
        assert!(same.improved.is_empty() && same.worse.is_empty());
        let counts = same.counts[0].as_ref().unwrap();
        assert_eq!(
            (counts.improved, counts.worse, counts.paired.only_first, counts.paired.only_second),
            (0, 0, 0, 0)
        );
        let all = sets().iter().map(|set| set.positions.len()).sum();
        assert_eq!(*witness.begun.lock().unwrap(), [(0, all), (1, all)]);
        assert_eq!(witness.searched.into_inner(), 2 * all);
    }

    #[test]
    fn without_positions_held_out_nothing_is_counted_of_them() {
        let [fitted, held_out] = sets();
        let none = Set { positions: &[], ..held_out };
        let weights = [Weights::start(), Weights::material_only()];
        let alone = compare([fitted, none], weights.each_ref(), &sampling(), 3, &Witness::default()).unwrap();
        assert!(alone.counts[0].is_some() && alone.counts[1].is_none());
        assert!(alone.improved.iter().all(|example| !example.held_out));
    }

    #[test]
    fn a_comparison_ends_when_it_is_told_to() {
        let weights = Weights::start();
        let witness = Witness { enough: Some(3), ..Witness::default() };
        assert!(compare(sets(), [&weights, &weights], &sampling(), 6, &witness).is_none());
    }
}
