//! The evaluation: a function that counts how often each cell of each feature occurs in a position.
//!
//! Every term is written once, generic over a [`Sink`] that receives the counts. [`NumericSink`] multiplies
//! them by weights, [`SymbolicSink`] collects the [`FeatureVector`]; so both always agree. The evaluation
//! depends on the [`Placement`] only: the pieces and pawns, the side to move and the castling rights.
//!
//! Terms are written from the view of the side that owns them: a [`Side`] holds the pieces of both sides with
//! the first rank of the owner as rank 1. Counts are added for White and subtracted for Black. The terms are
//! grouped in layers by what they depend on, so that the fast evaluation can cache their sums:
//! [`piece_square`] (one piece and its square), [`pawn_structure`] (pawns only), [`king_and_pawns`],
//! [`piece_among_pawns`], [`whole_side`] (the pieces of one side), and [`passed_pawns`], [`balance`],
//! [`piece_attacks`] and [`threats`] (the whole board).

mod attacks;
mod geometry;
mod king;
mod layers;
mod material;
mod passed;
mod pawns;
mod piece_square;
mod placement;
mod registers;
mod rooks;
mod side;
#[cfg(test)]
pub(crate) mod testing;

pub use attacks::{Attacked, piece_attacks, threats};
pub(crate) use attacks::{bishop_attacks, rook_attacks};
pub use layers::{
    Sink, balance, king_and_pawns, passed_pawns, pawn_structure, piece_among_pawns, relations, whole_side,
};
pub use pawns::PawnFacts;
pub use piece_square::piece_square;
pub(crate) use side::squares;
pub use side::{KingView, OwnView, PIECE_VALUES, Placement, Side, SideBitboards, WINNING_LEAD};

use shakmaty::Color;

use crate::feature::{CELLS, Cell, Extras, FeatureVector, Key, Quantised};

/// A sink that sums weights times counts, in 1/256 unit, from White's view.
pub struct NumericSink<'a> {
    weights: &'a Quantised,
    /// Sum of the opening weights, in 1/256 unit.
    pub open: i32,
    /// Sum of the endgame weights, in 1/256 unit.
    pub end: i32,
}

impl<'a> NumericSink<'a> {
    /// A sink with sums of 0.
    pub fn new(weights: &'a Quantised) -> NumericSink<'a> {
        NumericSink { weights, open: 0, end: 0 }
    }
}

impl Sink for NumericSink<'_> {
    #[inline]
    fn add(&mut self, cell: Cell, count: i32) {
        // With extreme weights a sum may wrap before the other side is subtracted. The total fits: weights
        // are at most 8192 units, and the counts of a position add up to less than 1,024.
        self.open = self.open.wrapping_add(self.weights.open(cell).wrapping_mul(count));
        self.end = self.end.wrapping_add(self.weights.end(cell).wrapping_mul(count));
    }
}

/// A sink that collects the counts of all cells.
pub struct SymbolicSink {
    counts: [i16; CELLS],
}

impl SymbolicSink {
    /// A sink with all counts 0.
    pub fn new() -> SymbolicSink {
        SymbolicSink { counts: [0; CELLS] }
    }

    /// The feature vector of all counts.
    pub fn into_vector(self) -> FeatureVector {
        self.keeping(Extras::ALL)
    }

    /// The feature vector without the optional features that are not in `extras`.
    pub fn keeping(self, extras: Extras) -> FeatureVector {
        FeatureVector::from_dense(&self.counts, extras)
    }
}

impl Default for SymbolicSink {
    fn default() -> SymbolicSink {
        SymbolicSink::new()
    }
}

impl Sink for SymbolicSink {
    fn add(&mut self, cell: Cell, count: i32) {
        self.counts[cell as usize] += count as i16;
    }
}

/// A sink that multiplies counts by 1 for White or -1 for Black and passes them on.
struct Signed<'a, S> {
    sink: &'a mut S,
    sign: i32,
}

impl<S: Sink> Sink for Signed<'_, S> {
    #[inline]
    fn add(&mut self, cell: Cell, count: i32) {
        self.sink.add(cell, self.sign * count);
    }
}

/// Reports the counts of all terms of a position, except attack terms.
#[inline(always)]
pub fn walk<S: Sink>(placement: &Placement, sink: &mut S) {
    let lead = placement.lead();
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let side = Side::new(placement, color, lead);
        let sink = &mut Signed { sink: &mut *sink, sign };
        side.own.for_each(|role, square| piece_square(role, square, sink));
        relations(&side, sink);
    }
    balance(placement, lead, sink);
}

/// Reports the counts of the attack terms of a position.
#[inline(always)]
pub fn walk_attacks<S: Sink>(placement: &Placement, sink: &mut S) {
    let lead = placement.lead();
    let [white, black] = [Color::White, Color::Black].map(|color| Side::new(placement, color, lead));
    let of_white = piece_attacks(&white, &mut Signed { sink: &mut *sink, sign: 1 });
    let of_black = piece_attacks(&black, &mut Signed { sink: &mut *sink, sign: -1 });
    threats(&white, &of_white, &of_black.flipped(), &mut Signed { sink: &mut *sink, sign: 1 });
    threats(&black, &of_black, &of_white.flipped(), &mut Signed { sink, sign: -1 });
}

/// Opening and endgame sum of a position, each in 1/256 unit, from White's view.
///
/// ```
/// use texam_chess::{eval, feature::{Extras, Weights}, fen, value::taper};
///
/// let position = eval::Placement::from(&fen::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?);
/// let weights = Weights::start().quantised();
/// let (open, end) = eval::evaluate(&position, &weights);
/// // The phase is 256, the endgame. The value is the sum of weights times counts.
/// let counts = eval::features(&position, Extras::default());
/// assert_eq!(taper(open, end, 256), counts.value(&weights, 256));
/// # Ok::<(), texam_chess::Error>(())
/// ```
pub fn evaluate(placement: &Placement, weights: &Quantised) -> (i32, i32) {
    #[cfg(target_arch = "x86_64")]
    if has_popcount() {
        // SAFETY: the processor has the instructions that the function uses.
        return unsafe { sums_with_popcount(placement, weights) };
    }
    sums(placement, weights)
}

/// Whether the processor has the instructions POPCNT, BMI1 and BMI2, which make the evaluation faster.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_popcount() -> bool {
    is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
fn sums_with_popcount(placement: &Placement, weights: &Quantised) -> (i32, i32) {
    sums(placement, weights)
}

#[inline(always)]
fn sums(placement: &Placement, weights: &Quantised) -> (i32, i32) {
    let mut sink = NumericSink::new(weights);
    walk(placement, &mut sink);
    if weights.extras().has_attacks() {
        walk_attacks(placement, &mut sink);
    }
    (sink.open, sink.end)
}

/// The feature vector of a position, White minus Black. Of the optional features it contains those in
/// `extras`.
pub fn features(placement: &Placement, extras: Extras) -> FeatureVector {
    let mut sink = SymbolicSink::new();
    walk(placement, &mut sink);
    if extras.has_attacks() {
        walk_attacks(placement, &mut sink);
    }
    sink.keeping(extras)
}

#[cfg(test)]
mod tests {
    use super::testing::{attack_terms, flipped, placement, random_placements};
    use super::*;
    use crate::feature::{Group, Key, Weights};
    use crate::position::SplitMix64;
    use crate::value::taper;

    /// Weights at random, all cells apart, each a multiple of 1/256 unit.
    fn random_weights(random: &mut SplitMix64) -> Weights {
        let mut weights = Weights::start();
        for &key in Key::ALL {
            weights.turn_on(key);
            if key.feature().layout.is_table() {
                weights.free_table(key).unwrap();
            }
            let setting = weights.setting_mut(key);
            for weight in setting.open.iter_mut().chain(&mut setting.end) {
                *weight = random.below(200_000) as f64 / 256.0 - 390.0;
            }
        }
        weights
    }

    fn all_among_pawns(side: &Side, facts: &PawnFacts, sink: &mut SymbolicSink) {
        let king = side.enemy.king_square();
        side.own.for_each(|role, square| piece_among_pawns(role, square, facts, king, sink));
    }

    fn collect(report: impl FnOnce(&mut SymbolicSink)) -> FeatureVector {
        let mut sink = SymbolicSink::new();
        report(&mut sink);
        sink.into_vector()
    }

    #[test]
    fn flipping_colours_negates_every_feature() {
        for placement in random_placements() {
            let negated =
                features(&flipped(&placement), Extras::ALL).iter().map(|(cell, n)| (cell, -n)).collect();
            assert_eq!(features(&placement, Extras::ALL), negated, "{placement:x?}");
        }
    }

    #[test]
    fn the_numeric_sums_are_the_counts_times_the_weights() {
        let mut random = SplitMix64(7);
        for placement in random_placements() {
            let weights = random_weights(&mut random).quantised();
            let (open, end) = evaluate(&placement, &weights);
            for phase in [0, 100, 256] {
                assert_eq!(taper(open, end, phase), features(&placement, Extras::ALL).value(&weights, phase));
            }
        }
    }

    #[test]
    fn the_layers_of_both_sides_and_the_balance_sum_to_the_whole() {
        for placement in random_placements() {
            let lead = placement.lead();
            let mut parts = collect(|sink| balance(&placement, lead, sink)).as_slice().to_vec();
            for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
                let side = Side::new(&placement, color, lead);
                let facts = PawnFacts::new(side.own.pawns, side.enemy.pawns);
                for layer in [
                    collect(|sink| side.own.for_each(|role, square| piece_square(role, square, sink))),
                    collect(|sink| pawn_structure(&facts, sink)),
                    collect(|sink| king_and_pawns(&side.own_view().king_view(), &facts, sink)),
                    collect(|sink| all_among_pawns(&side, &facts, sink)),
                    collect(|sink| whole_side(&side.own_view(), &facts, sink)),
                    collect(|sink| passed_pawns(&side, &facts, sink)),
                    collect(|sink| attack_terms(&placement, color, sink)),
                ] {
                    parts.extend(layer.iter().map(|(cell, n)| (cell, sign * n)));
                }
            }
            assert_eq!(features(&placement, Extras::ALL), parts.into_iter().collect());
        }
    }

    #[test]
    fn every_feature_occurs_and_in_one_layer_only() {
        let mut layers = [const { std::collections::BTreeSet::new() }; 8];
        let keys =
            |vector: FeatureVector| vector.iter().map(|(cell, _)| Key::of_cell(cell).0).collect::<Vec<_>>();
        for placement in random_placements() {
            let lead = placement.lead();
            let side = Side::new(&placement, Color::White, lead);
            let facts = PawnFacts::new(side.own.pawns, side.enemy.pawns);
            layers[0].extend(keys(collect(|sink| {
                side.own.for_each(|role, square| piece_square(role, square, sink));
            })));
            layers[1].extend(keys(collect(|sink| pawn_structure(&facts, sink))));
            layers[2].extend(keys(collect(|sink| whole_side(&side.own_view(), &facts, sink))));
            layers[6].extend(keys(collect(|sink| passed_pawns(&side, &facts, sink))));
            layers[7].extend(keys(collect(|sink| attack_terms(&placement, Color::White, sink))));
            layers[5].extend(keys(collect(|sink| all_among_pawns(&side, &facts, sink))));
            layers[3].extend(keys(collect(|sink| balance(&placement, lead, sink))));
            layers[4]
                .extend(keys(collect(|sink| king_and_pawns(&side.own_view().king_view(), &facts, sink))));
        }
        let total: usize = layers.iter().map(std::collections::BTreeSet::len).sum();
        let all: std::collections::BTreeSet<Key> = layers.into_iter().flatten().collect();
        assert_eq!(total, all.len());
        // The points of the phase have no count.
        let counted = Key::ALL.iter().filter(|key| key.feature().group != Group::Phase);
        assert!(all.iter().eq(counted));
    }

    #[test]
    fn the_fixed_piece_values_are_the_opening_start_weights() {
        let start = Weights::start();
        for (key, value) in
            [Key::MatP, Key::MatN, Key::MatB, Key::MatR, Key::MatQ].into_iter().zip(PIECE_VALUES)
        {
            assert_eq!(start.setting(key).open, [f64::from(value)]);
        }
    }

    #[test]
    fn counts_stay_small() {
        for placement in random_placements() {
            for (cell, count) in features(&placement, Extras::ALL).iter() {
                assert!(count.abs() <= 127, "{}: {count}", crate::feature::cell_name(cell));
            }
        }
    }

    #[test]
    fn of_optional_features_a_vector_holds_those_asked_for() {
        let knight = placement("4k3/8/8/8/8/5N2/8/4K3 w - - 0 1");
        let optional = |extras| {
            let vector = features(&knight, extras);
            vector.iter().filter(|&(cell, _)| Key::of_cell(cell).0.is_optional()).collect::<Vec<_>>()
        };
        assert_eq!(optional(Extras::default()), []);
        let cell = Key::PstN.cell_at(2 * 8 + 2);
        assert_eq!(optional(Extras::of(|key| key == Key::PstN)), [(cell, 1)]);
        // The kings stand on their own e1: they cancel out.
        let squares = Extras::of(|key| key.feature().group == Group::Squares);
        assert_eq!(optional(squares), [(cell, 1), (Key::Pst64N.cell_at(5 * 8 + 2), 1)]);
    }

    #[test]
    fn the_starting_position_is_level_but_for_the_move() {
        let start = placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(features(&start, Extras::ALL).as_slice(), [(Key::Tempo.cell(), 1)]);
    }
}
