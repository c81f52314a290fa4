//! From searched moves to the rows of a choice: feature vectors less that of the root, as entries of
//! parameters.
//!
//! The points of the phase have no count. Their entries are the derivatives of the value by the points, under
//! the present weights.

use texam_fit::{Choice, PRODUCT, Result};

use crate::{
    feature::{FeatureVector, Quantised},
    parameters::Parameters,
    phase::{FULL_POINTS, PhaseScheme},
    search::{Leaf, SearchedMoves},
};

/// Makes rows over the parameters of a set of weights. Its buffers serve one position after the other.
pub struct ChoiceMaker<'a> {
    parameters: &'a Parameters,
    weights: &'a Quantised,
    /// The parameters of the points of the phase that are tuned.
    points: [Option<u32>; 4],
    scratch: Scratch,
    root: Vec<(u32, i64)>,
    row: Vec<(u32, i64)>,
}

impl<'a> ChoiceMaker<'a> {
    /// A maker of rows over these parameters, under the present weights.
    pub fn new(parameters: &'a Parameters, weights: &'a Quantised) -> ChoiceMaker<'a> {
        let scratch = Scratch::new(parameters.parameters().len());
        let points = parameters.points();
        ChoiceMaker { parameters, weights, points, scratch, root: Vec::new(), row: Vec::new() }
    }

    /// Fills `choice` with the kept moves of a position of `game`: entries `s (F_m - F_x)`, each leaf at its
    /// own phase, `s` = +1 where the winner has White and -1 where Black, and values `E_m - E_x`.
    ///
    /// # Errors
    ///
    /// A value or a count that a row cannot hold.
    pub fn fill(
        &mut self,
        moves: &SearchedMoves,
        is_white: bool,
        game: u32,
        choice: &mut Choice,
    ) -> Result<()> {
        let sign = if is_white { 1 } else { -1 };
        choice.begin(game.into(), moves.ahead);
        self.gather(&moves.root, -sign);
        self.root.clear();
        self.scratch.drain(|column, entry| self.root.push((column, entry)));
        for kept in &moves.kept {
            for &(column, entry) in &self.root {
                self.scratch.add(column, entry);
            }
            self.gather(&kept.leaf, sign);
            self.row.clear();
            self.scratch.drain(|column, entry| self.row.push((column, entry)));
            choice.push(PRODUCT * (kept.leaf.value - moves.root.value), self.row.iter().copied())?;
        }
        Ok(())
    }

    /// Fills `choice` with a labelled position of `game`: one row, the features and the value of the position
    /// itself from the view of White, which is that of the label. `leaf` is the position, from the view of
    /// the side to move.
    ///
    /// # Errors
    ///
    /// A value or a count that a row cannot hold.
    pub fn fill_labelled(
        &mut self,
        leaf: &Leaf,
        is_white: bool,
        game: u32,
        label: f64,
        choice: &mut Choice,
    ) -> Result<()> {
        choice.begin_labelled(game.into(), label)?;
        self.gather(leaf, 1);
        self.row.clear();
        self.scratch.drain(|column, entry| self.row.push((column, entry)));
        choice.push(PRODUCT * if is_white { leaf.value } else { -leaf.value }, self.row.iter().copied())
    }

    /// Adds `sign` times the counts of a leaf, in 1/256, to the columns of its parameters.
    fn gather(&mut self, leaf: &Leaf, sign: i64) {
        let features: FeatureVector = leaf.features(self.weights.extras());
        let end_share = sign * i64::from(leaf.phase);
        let open_share = sign * 256 - end_share;
        for (cell, count) in features.iter() {
            let [open, end] = self.parameters.columns(cell);
            for (column, share) in [(open, open_share), (end, end_share)] {
                if let Some(column) = column {
                    self.scratch.add(column.parameter, column.factor * i64::from(count) * share);
                }
            }
        }
        if self.points.iter().any(Option::is_some) {
            self.gather_points(leaf, &features, sign);
        }
    }

    /// Adds `sign` times the derivatives of the value of a leaf by the points of the phase. The value is that
    /// of the endgame weights plus 1/24 of (opening minus endgame) for each point on the board, up to 24
    /// points; beyond, and below 0, the phase does not change. They are rounded to 1/256.
    fn gather_points(&mut self, leaf: &Leaf, features: &FeatureVector, sign: i64) {
        let PhaseScheme::Points(points) = self.weights.scheme(PhaseScheme::default()) else { return };
        let pieces = leaf.placement.piece_counts().map(i64::from);
        let present: i64 = pieces.iter().zip(points).map(|(count, points)| count * i64::from(points)).sum();
        if !(0..=i64::from(FULL_POINTS)).contains(&present) {
            return;
        }
        let lead: i64 = features
            .iter()
            .map(|(cell, count)| {
                i64::from(self.weights.open(cell) - self.weights.end(cell)) * i64::from(count)
            })
            .sum();
        for (parameter, pieces) in self.points.into_iter().zip(pieces) {
            if let Some(parameter) = parameter {
                let product = lead * pieces;
                // Rounded half away from 0, so that both colours have the same rows.
                self.scratch.add(parameter, sign * product.signum() * ((product.abs() + 12) / 24));
            }
        }
    }
}

/// A dense row that remembers which columns it touched, in ascending order at no cost.
struct Scratch {
    dense: Vec<i64>,
    touched: Vec<u64>,
}

impl Scratch {
    fn new(columns: usize) -> Scratch {
        Scratch { dense: vec![0; columns], touched: vec![0; columns.div_ceil(64)] }
    }

    #[inline]
    fn add(&mut self, column: u32, entry: i64) {
        self.dense[column as usize] += entry;
        self.touched[column as usize / 64] |= 1 << (column % 64);
    }

    /// Hands out the entries that are not 0, by column, and starts anew.
    fn drain(&mut self, mut take: impl FnMut(u32, i64)) {
        for (word, touched) in self.touched.iter_mut().enumerate() {
            while *touched != 0 {
                let column = word * 64 + touched.trailing_zeros() as usize;
                *touched &= *touched - 1;
                let entry = std::mem::take(&mut self.dense[column]);
                if entry != 0 {
                    take(column as u32, entry);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::{
        feature::{Ends, Key, POINTS, Weights},
        sample::{self, Sampling, testing},
        search::alphabeta::{AlphaBeta, Prepared},
    };

    /// Weights with free cells, singles and opening weights, none of them on the grid of 1/256.
    fn mixed() -> Weights {
        let mut weights = Weights::start();
        for key in [Key::PAdv, Key::KCen, Key::Sh, Key::PstN] {
            weights.free_table(key).unwrap();
        }
        for &key in Key::standard().iter().filter(|key| !key.is_piece_value()) {
            let setting = weights.setting_mut(key);
            setting.open.iter_mut().for_each(|weight| *weight += 0.123_456);
            if key.feature().ends == Ends::Single {
                setting.end.clone_from(&setting.open);
            }
        }
        weights
    }

    /// Weights with points of the phase that are tuned, most of them with a fraction.
    fn with_points() -> Weights {
        let mut weights = mixed();
        weights.turn_on(Key::PhN);
        for (key, points) in POINTS.into_iter().zip([0.75, 1.5, 2.0, 3.25]) {
            let setting = weights.setting_mut(key);
            setting.open.fill(points);
            setting.end.fill(points);
        }
        weights
    }

    /// Value of a leaf from White's view in 1/65536 unit, with the phase by these points and not rounded.
    /// Rows have the slope of this value.
    fn exact_value(leaf: &Leaf, weights: &Quantised, points: [f64; 4]) -> f64 {
        let features = leaf.features(weights.extras());
        let [open, end] = [0, 256].map(|phase| features.value(weights, phase) as f64);
        let pieces = leaf.placement.piece_counts();
        let present: f64 = pieces.iter().zip(points).map(|(&count, points)| f64::from(count) * points).sum();
        end + present.clamp(0.0, 24.0) / 24.0 * (open - end)
    }

    #[test]
    fn the_entry_of_a_point_is_the_difference_of_values_that_it_makes() {
        let weights = with_points();
        let parameters = Parameters::new(&weights).unwrap();
        let quantised = weights.quantised();
        let sampling = Sampling { threshold: None, ..testing::shallow() };
        let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, &quantised));
        let mut maker = ChoiceMaker::new(&parameters, &quantised);
        let present = POINTS.map(|key| weights.setting(key).open[0]);
        let (mut choice, mut compared, mut flat) = (Choice::default(), 0, 0);
        for position in testing::positions(100) {
            let (_, moves) = sample::search(position, &sampling, &mut searcher, &mut Default::default());
            let is_white = position.position().turn().is_white();
            let sign = if is_white { 1.0 } else { -1.0 };
            maker.fill(&moves, is_white, position.game, &mut choice).unwrap();
            for (row, kept) in choice.rows().zip(&moves.kept) {
                for (number, parameter) in parameters.points().into_iter().enumerate() {
                    const STEP: f64 = 1.0 / 1024.0;
                    let value = |leaf: &Leaf, step: f64| {
                        let mut points = present;
                        points[number] += step;
                        exact_value(leaf, &quantised, points)
                    };
                    let slope = |leaf: &Leaf| (value(leaf, STEP) - value(leaf, -STEP)) / (2.0 * STEP);
                    let expected = sign * (slope(&kept.leaf) - slope(&moves.root)) / 256.0;
                    let at = parameter.unwrap() as usize;
                    let entry = row.iter().find(|&(column, _)| column == at).map_or(0, |(_, entry)| entry);
                    // Both derivatives are rounded to 1/256.
                    assert!((f64::from(entry) - expected).abs() <= 1.001, "{entry} {expected}");
                    compared += 1;
                    flat += u32::from(entry == 0);
                }
            }
        }
        assert!(compared > 20_000 && flat < compared / 2, "{flat} of {compared}");
    }

    #[test]
    fn points_that_are_not_tuned_or_give_no_phase_have_no_entries() {
        let entries = |weights: &Weights| {
            let parameters = Parameters::new(weights).unwrap();
            let quantised = weights.quantised();
            let sampling = testing::shallow();
            let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, &quantised));
            let mut maker = ChoiceMaker::new(&parameters, &quantised);
            let points = POINTS.map(|key| parameters.columns(key.cell())[0].unwrap().parameter as usize);
            let (mut choice, mut entries) = (Choice::default(), 0);
            for position in testing::positions(20) {
                let (_, moves) = sample::search(position, &sampling, &mut searcher, &mut Default::default());
                maker.fill(&moves, true, position.game, &mut choice).unwrap();
                entries += choice
                    .rows()
                    .map(|row| row.iter().filter(|(at, _)| points.contains(at)).count())
                    .sum::<usize>();
            }
            entries
        };
        let mut weights = with_points();
        assert!(entries(&weights) > 1_000);
        let mut frozen = weights.clone();
        POINTS.into_iter().for_each(|key| frozen.setting_mut(key).tune.fill(false));
        assert_eq!(entries(&frozen), 0);
        // With 100 points a single piece is beyond the opening.
        for key in POINTS {
            weights.setting_mut(key).open.fill(100.0);
            weights.setting_mut(key).end.fill(100.0);
        }
        assert_eq!(entries(&weights), 0);
    }

    #[test]
    fn every_row_times_the_quantised_values_is_the_value_of_its_move_less_that_of_the_root() {
        for weights in [Weights::start(), mixed(), Weights::material_only(), with_points()] {
            let parameters = Parameters::new(&weights).unwrap();
            let quantised = parameters.model().quantised();
            let sampling = Sampling { threshold: None, ..testing::shallow() };
            let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, &weights.quantised()));
            let searched_with = weights.quantised();
            let mut maker = ChoiceMaker::new(&parameters, &searched_with);
            let (mut choice, mut rows) = (Choice::default(), 0);
            for position in testing::positions(100) {
                let (_, moves) = sample::search(position, &sampling, &mut searcher, &mut Default::default());
                let is_white = position.position().turn().is_white();
                maker.fill(&moves, is_white, position.game, &mut choice).unwrap();
                assert_eq!(choice.len(), moves.kept.len());
                for row in choice.rows() {
                    // Those of the phase are derivatives.
                    let is_phase = |at: usize| parameters.model().parameters()[at].name.starts_with("ph_");
                    let counts = row.iter().filter(|&(at, _)| !is_phase(at));
                    let value: i64 = counts.map(|(at, entry)| quantised[at] * i64::from(entry)).sum();
                    assert_eq!(PRODUCT * value, row.value);
                    rows += 1;
                }
            }
            assert!(rows > 5_000, "{rows}");
        }
    }
}
