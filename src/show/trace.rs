//! The value of each position of a game, with the phase of the leaf, with the phase of the root, and without
//! a phase.
//!
//! A [`Trace`] searches every position of a [`Game`] three times: with the phase of each leaf, with the phase
//! of the root for the whole search, as we read the record of 1988, and with opening weights only.
//!
//! With the phase of the root, the *same* leaf has another value when the root changes. This difference is
//! the evaluation discontinuity, here called the *jump* of a root: the position of the leaf is the same, but
//! the tables have been recomputed. With the phase of the leaf, or without a phase, every jump is 0 by
//! definition.

use rayon::prelude::*;
use shakmaty::{Chess, Position, san::SanPlus};
use strum::{Display, IntoStaticStr};

use crate::{
    eval::Placement,
    feature::Quantised,
    game::{Game, move_number},
    phase::{PhaseAt, PhaseScheme},
    position::CompactMove,
    search::{
        Leaf, RootKind, Settings,
        alphabeta::{AlphaBeta, Prepared},
    },
    value::{Value, is_mate},
};

/// Which phase the evaluations of a search use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum PhaseSource {
    /// The phase of each leaf.
    Leaf,
    /// The phase of the root of the search.
    Root,
    /// No phase: opening weights only.
    None,
}

impl PhaseSource {
    /// All of them, in the order of [`Point::values`].
    pub const ALL: [PhaseSource; 3] = [PhaseSource::Leaf, PhaseSource::Root, PhaseSource::None];

    /// Name in listings.
    pub fn name(self) -> &'static str {
        self.into()
    }

    fn settings(self, scheme: PhaseScheme, depth: u32) -> Settings {
        let (phase, phase_at) = match self {
            PhaseSource::Leaf => (scheme, PhaseAt::Leaf),
            PhaseSource::Root => (scheme, PhaseAt::Root),
            PhaseSource::None => (PhaseScheme::None, PhaseAt::Leaf),
        };
        Settings { depth, phase, phase_at, ..Settings::default() }
    }
}

/// A move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedMove {
    pub mv: CompactMove,
    /// The move in standard algebraic notation with its number, `12.Nf3` or `12...Nf6`.
    pub name: String,
}

/// A position of a game with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Number of half-moves before the position.
    pub ply: u32,
    /// The last move before the position; none at the start.
    pub after: Option<PlayedMove>,
    pub position: Chess,
    /// Phase of the position, 0 (opening) to 256 (endgame).
    pub phase: u16,
    /// Value of a search under each of [`PhaseSource::ALL`], in 1/65536 unit, from White's view.
    pub values: [Value; 3],
    /// Change of the value of the leaf under [`PhaseSource::Root`] when the phase of the next position of the
    /// game is used, in 1/65536 unit from White's view; none at the last position.
    pub jump: Option<Value>,
}

/// A game with the values of all its positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The positions, one more than there are moves.
    pub points: Vec<Point>,
}

/// Statistics of the changes of a value along a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Changes {
    /// Number of changes.
    pub count: usize,
    /// Number of changes that are not 0.
    pub nonzero: usize,
    /// Mean absolute change in 1/65536 unit; 0 if there are no changes.
    pub mean: f64,
    /// The change of largest absolute value, with its sign, in 1/65536 unit, and the ply before it; the first
    /// of equals. None if all are 0.
    pub largest: Option<(Value, u32)>,
}

impl Changes {
    fn new(changes: impl Iterator<Item = (Value, u32)>) -> Changes {
        let (mut count, mut nonzero, mut sum, mut largest) = (0, 0, 0, None);
        for (change, ply) in changes {
            count += 1;
            nonzero += usize::from(change != 0);
            sum += change.abs();
            if change.abs() > largest.map_or(0, |(most, _): (Value, u32)| most.abs()) {
                largest = Some((change, ply));
            }
        }
        Changes { count, nonzero, mean: if count == 0 { 0.0 } else { sum as f64 / count as f64 }, largest }
    }
}

impl Trace {
    /// Searches every position of a game to `depth` plies and quiescence.
    pub fn new(game: &Game, weights: &Quantised, scheme: PhaseScheme, depth: u32) -> Trace {
        let prepared = PhaseSource::ALL.map(|source| Prepared::new(source.settings(scheme, depth), weights));
        let positions = positions(game);
        let searchers = || prepared.each_ref().map(AlphaBeta::new);
        let search = |searchers: &mut [AlphaBeta; 3], (_, position): &(_, Chess)| {
            searchers.each_mut().map(|searcher| searcher.root(position, RootKind::Search))
        };
        let searched: Vec<[Leaf; 3]> = positions.par_iter().map_init(searchers, search).collect();
        let own = weights.scheme(scheme);
        let phases: Vec<u16> = positions.iter().map(|(_, position)| phase(position, own)).collect();
        let mut points = Vec::with_capacity(positions.len());
        for (at, ((after, position), leaves)) in positions.into_iter().zip(searched).enumerate() {
            let sign = if position.turn().is_white() { 1 } else { -1 };
            let jump_to =
                |&next: &u16| jump(&leaves[PhaseSource::Root as usize], weights, [phases[at], next]);
            points.push(Point {
                ply: at as u32,
                after,
                phase: phases[at],
                values: leaves.each_ref().map(|leaf| sign * leaf.value),
                jump: phases.get(at + 1).map(jump_to),
                position,
            });
        }
        Trace { points }
    }

    /// The jumps with the phase of the root.
    pub fn jumps(&self) -> Changes {
        Changes::new(self.points.iter().filter_map(|point| Some((point.jump?, point.ply))))
    }

    /// Changes of the value from each position to the next with the same side to move, as a player sees them
    /// from one search to the next. Changes from or to a mate are left out.
    pub fn steps(&self, source: PhaseSource) -> Changes {
        let value = |point: &Point| point.values[source as usize];
        let pairs = self.points.windows(3).map(|three| [value(&three[0]), value(&three[2])]).zip(0..);
        let counted = pairs.filter(|([one, other], _)| !is_mate(*one) && !is_mate(*other));
        Changes::new(counted.map(|([one, other], ply)| (other - one, ply)))
    }
}

/// Change of the value of a leaf between two phases, from White's view; 0 if the leaf is terminal.
fn jump(leaf: &Leaf, weights: &Quantised, [from, to]: [u16; 2]) -> Value {
    let features = leaf.features(weights.extras());
    features.value(weights, to) - features.value(weights, from)
}

/// Phase of a position, 0 (opening) to 256 (endgame).
pub fn phase(position: &Chess, scheme: PhaseScheme) -> u16 {
    scheme.phase(Placement::from(position).piece_counts())
}

/// The positions of a game, each with the move that led to it.
fn positions(game: &Game) -> Vec<(Option<PlayedMove>, Chess)> {
    let mut position = game.played.start.clone();
    let mut all = vec![(None, position.clone())];
    for &mv in &game.played.moves {
        let number = move_number(position.fullmoves().get(), position.turn(), true);
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        let played = PlayedMove { mv: mv.into(), name: format!("{number}{san}") };
        all.push((Some(played), position.clone()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        feature::{Key, Weights},
        game::{Entry, Games},
        search::minimax::Minimax,
        value::{UNIT, taper},
    };

    fn game(pgn: &'static str) -> Game {
        let mut games = Games::from_reader(pgn.as_bytes(), "a.pgn").unwrap();
        match games.next().unwrap().unwrap() {
            Entry::Decisive(game) => game,
            Entry::Skipped(skipped) => panic!("{}", skipped.error),
        }
    }

    /// Queens and a rook each come off.
    const QUEENS: &str = "[FEN \"3rk3/3q1ppp/8/8/8/8/3Q1PPP/3RK3 w - - 0 1\"]\n\n1. Qxd7+ Rxd7 2. Rxd7 Kxd7 \
                          3. Kd2 Ke6 4. Ke3 1-0";

    /// Queens and bishops alone have weights: 1000 units each in the opening, 1256 in the endgame.
    fn plain_weights() -> Quantised {
        let mut weights = Weights::material_only();
        for key in [Key::MatQ, Key::MatB] {
            let setting = weights.setting_mut(key);
            (setting.open[0], setting.end[0]) = (1000.0, 1256.0);
        }
        weights.quantised()
    }

    #[test]
    fn the_jump_is_what_the_leaf_gains_from_one_phase_to_the_next() {
        let start = "4k2q/8/8/8/8/8/8/B3KQ2 w - - 0 1";
        let pgn = Box::leak(format!("[FEN \"{start}\"]\n\n1. Bxh8 Kd7 2. Kd2 Kc7 1-0").into_boxed_str());
        let trace = Trace::new(&game(pgn), &plain_weights(), PhaseScheme::Fruit, 1);
        let phases: Vec<u16> = trace.points.iter().map(|point| point.phase).collect();
        // Nine points of 24, then five: (15 * 256 + 12) / 24 = 160, (19 * 256 + 12) / 24 = 203.
        assert_eq!(phases, [160, 203, 203, 203, 203]);
        // After Bxh8 White is a bishop and a queen ahead, each worth 1 unit more with each 256th.
        let jumps: Vec<_> = trace.points.iter().map(|point| point.jump).collect();
        assert_eq!(jumps, [Some(2 * 43 * UNIT), Some(0), Some(0), Some(0), None]);
        let [open, end] = [2 * 1000, 2 * 1256].map(|units| units * 256);
        assert_eq!(trace.points[0].values[..2], [203, 160].map(|phase| taper(open, end, phase)));
        assert_eq!(trace.points[0].values[2], 2000 * UNIT);
        assert_eq!(trace.points[1].values[..2], [taper(open, end, 203); 2]);
        let changes = trace.jumps();
        assert_eq!((changes.count, changes.nonzero, changes.largest), (4, 1, Some((86 * UNIT, 0))));
        assert_eq!(changes.mean, 86.0 / 4.0 * UNIT as f64);
        let steps = [PhaseSource::Root, PhaseSource::Leaf].map(|source| trace.steps(source));
        assert_eq!(steps.map(|steps| (steps.count, steps.nonzero)), [(3, 1), (3, 0)]);
        assert_eq!(steps.map(|steps| steps.largest), [Some((86 * UNIT, 0)), None]);
    }

    #[test]
    fn every_value_is_that_of_the_reference_from_whites_view() {
        let (game, weights) = (game(QUEENS), Weights::start().quantised());
        for scheme in [PhaseScheme::Madchess, PhaseScheme::Rustic] {
            let trace = Trace::new(&game, &weights, scheme, 2);
            assert_eq!(trace.points.len(), game.played.moves.len() + 1);
            for point in &trace.points {
                let sign = if point.position.turn().is_white() { 1 } else { -1 };
                for source in PhaseSource::ALL {
                    let mut plain = Minimax::new(source.settings(scheme, 2), &weights);
                    let leaf = plain.root(&point.position, RootKind::Search);
                    assert_eq!(
                        point.values[source as usize],
                        sign * leaf.value,
                        "{source:?} {:?}",
                        point.after
                    );
                }
            }
        }
    }

    #[test]
    fn what_a_root_sees_is_worth_its_value_and_the_jump_to_the_next() {
        let (game, weights) = (game(QUEENS), Weights::start().quantised());
        let trace = Trace::new(&game, &weights, PhaseScheme::Fruit, 2);
        let mut searcher =
            AlphaBeta::new(&Prepared::new(PhaseSource::Root.settings(PhaseScheme::Fruit, 2), &weights));
        for pair in trace.points.windows(2) {
            let leaf = searcher.root(&pair[0].position, RootKind::Search);
            let seen_again = leaf.features(weights.extras()).value(&weights, pair[1].phase);
            assert_eq!(pair[0].values[PhaseSource::Root as usize] + pair[0].jump.unwrap(), seen_again);
        }
        assert!(trace.jumps().nonzero >= 3, "{:?}", trace.jumps());
    }

    #[test]
    fn without_a_phase_all_three_values_are_equal() {
        let trace = Trace::new(&game(QUEENS), &Weights::start().quantised(), PhaseScheme::None, 1);
        assert!(trace.points.iter().all(|point| point.phase == 0 && point.values == [point.values[0]; 3]));
        assert_eq!(trace.jumps().nonzero, 0);
    }

    #[test]
    fn a_mate_has_no_jump_and_is_no_step() {
        let mate = game("1. f3 e5 2. g4 Qh4# 0-1");
        let trace = Trace::new(&mate, &Weights::start().quantised(), PhaseScheme::Fruit, 3);
        let [before, last] = [3, 4].map(|ply| &trace.points[ply]);
        assert_eq!((last.values[0], last.jump), (crate::value::mated_at(0), None));
        assert_eq!((before.values[0], before.jump), (crate::value::mated_at(1), Some(0)));
        assert_eq!(trace.steps(PhaseSource::Leaf).count, 1);
    }

    #[test]
    fn moves_have_the_numbers_of_their_positions_also_where_black_begins() {
        let names = |pgn| -> Vec<String> {
            positions(&game(pgn)).into_iter().filter_map(|(played, _)| Some(played?.name)).collect()
        };
        assert_eq!(names("1. f3 e5 2. g4 Qh4# 0-1"), ["1.f3", "1...e5", "2.g4", "2...Qh4#"]);
        let black = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 Kc7 1-0";
        assert_eq!(names(black), ["30...Kd7", "31.e4", "31...Kc7"]);
    }
}
