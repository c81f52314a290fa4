//! From searched moves to the rows of a choice: feature vectors less that of the root, as entries of parameters.

use texam_fit::{Choice, Result};

use crate::{
    feature::{Extras, FeatureVector},
    parameters::Parameters,
    search::{Leaf, SearchedMoves},
};

/// Makes rows over the parameters of a set of weights. Its buffers serve one position after the other.
pub struct ChoiceMaker<'a> {
    parameters: &'a Parameters,
    extras: Extras,
    scratch: Scratch,
    root: Vec<(u32, i64)>,
    row: Vec<(u32, i64)>,
}

impl<'a> ChoiceMaker<'a> {
    /// A maker of rows over these parameters; `extras` are the optional features that the weights have on.
    pub fn new(parameters: &'a Parameters, extras: Extras) -> ChoiceMaker<'a> {
        let scratch = Scratch::new(parameters.parameters().len());
        ChoiceMaker { parameters, extras, scratch, root: Vec::new(), row: Vec::new() }
    }

    /// Fills `choice` with the kept moves of a position of `game`: entries `s (F_m - F_x)`, each leaf at its own
    /// phase, `s` = +1 where the winner has White and -1 where Black, and values `E_m - E_x`.
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
            choice.push(kept.leaf.value - moves.root.value, self.row.iter().copied())?;
        }
        Ok(())
    }

    /// Fills `choice` with a labelled position of `game`: one row, the features and the value of the position itself from
    /// the view of White, which is that of the label. `leaf` is the position, from the view of the side to move.
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
        choice.push(if is_white { leaf.value } else { -leaf.value }, self.row.iter().copied())
    }

    /// Adds `sign` times the counts of a leaf, in 1/256, to the columns of its parameters.
    fn gather(&mut self, leaf: &Leaf, sign: i64) {
        let features: FeatureVector = leaf.features(self.extras);
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
        feature::{Ends, Key, Weights},
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

    #[test]
    fn every_row_times_the_quantised_values_is_the_value_of_its_move_less_that_of_the_root() {
        for weights in [Weights::start(), mixed(), Weights::material_only()] {
            let parameters = Parameters::new(&weights).unwrap();
            let quantised = parameters.model().quantised();
            let sampling = Sampling { threshold: None, ..testing::shallow() };
            let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, &weights.quantised()));
            let mut maker = ChoiceMaker::new(&parameters, weights.extras());
            let (mut choice, mut rows) = (Choice::default(), 0);
            for position in testing::positions(100) {
                let (_, moves) = sample::search(position, &sampling, &mut searcher, &mut Default::default());
                let is_white = position.position().turn().is_white();
                maker.fill(&moves, is_white, position.game, &mut choice).unwrap();
                assert_eq!(choice.len(), moves.kept.len());
                for row in choice.rows() {
                    let value: i64 = row.iter().map(|(at, entry)| quantised[at] * i64::from(entry)).sum();
                    assert_eq!(value, row.value);
                    rows += 1;
                }
            }
            assert!(rows > 5_000, "{rows}");
        }
    }
}
