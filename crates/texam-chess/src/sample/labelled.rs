//! Labelled positions as a source of choices: a pass evaluates them and searches nothing.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicBool, Ordering},
};

use rayon::prelude::*;
use shakmaty::{Chess, Position};
use texam_fit::{
    Agreement, Choice, ClusterSets, LeftOut, Measured, Model, Pool, Result, Sink, Source, Standing,
};

use super::{ChoiceMaker, Sampling, Tick, kept};
use crate::{
    feature::Weights,
    game::LabelledPosition,
    parameters::Parameters,
    search::{
        Leaf, RootKind,
        alphabeta::{AlphaBeta, Prepared},
    },
    value::Value,
};

/// Positions that are given to the sink at once. A game is never cut in two.
const AT_ONCE: usize = 1024;

/// The value of a position from the view of the side to move, if it is quiet: its quiescence ends in the
/// position itself, and it is neither the end of a game nor a draw for want of material.
pub fn quiet_value(searcher: &mut AlphaBeta, position: &Chess) -> Option<Value> {
    let is_over = position.is_insufficient_material() || position.legal_moves().is_empty();
    if is_over || position.is_check() {
        return None;
    }
    let Leaf { line, terminal, value, .. } = searcher.root(position, RootKind::Quiescence);
    (line.is_empty() && !terminal).then_some(value)
}

/// Those of the positions that are [quiet](quiet_value) under some weights.
pub fn quiet(all: Vec<LabelledPosition>, weights: &Weights, sampling: &Sampling) -> Vec<LabelledPosition> {
    let prepared = Prepared::new(sampling.search, &weights.quantised());
    let chunks = all.par_chunks(AT_ONCE);
    let begin = || AlphaBeta::new(&prepared);
    let kept = chunks.map_init(begin, |searcher, chunk| {
        let is_quiet = |at: &&LabelledPosition| quiet_value(searcher, &at.position()).is_some();
        chunk.iter().filter(is_quiet).copied().collect::<Vec<_>>()
    });
    kept.flatten_iter().collect()
}

/// Evaluates labelled positions for a fit.
pub struct LabelledSource<'a> {
    fitted: Cow<'a, [LabelledPosition]>,
    held_out: &'a [LabelledPosition],
    parameters: &'a Parameters,
    sampling: Sampling,
    tick: Tick<'a>,
}

impl<'a> LabelledSource<'a> {
    /// A source over these positions, those of a game next to each other. `tick` is called once for each
    /// position.
    pub fn new(
        [fitted, held_out]: [&'a [LabelledPosition]; 2],
        parameters: &'a Parameters,
        sampling: Sampling,
        tick: Tick<'a>,
    ) -> LabelledSource<'a> {
        LabelledSource { fitted: fitted.into(), held_out, parameters, sampling, tick }
    }

    /// Leaves out a group of the games that are fitted.
    pub fn leave_out(&mut self, group: LeftOut) {
        let kept = kept(&self.fitted, group, |position| position.game);
        self.fitted = kept.into_iter().map(|at| self.fitted[at]).collect();
    }

    /// Evaluates positions and gives them to `accept`, whole games at a time. Says whether all were
    /// evaluated.
    fn evaluate(
        &self,
        positions: &[LabelledPosition],
        weights: &Weights,
        accept: impl Fn(&[Choice]) -> Result<()> + Sync,
    ) -> Result<bool> {
        let quantised = weights.quantised();
        let prepared = Prepared::new(self.sampling.search, &quantised);
        let workers = Pool::default();
        let new = || Worker {
            searcher: AlphaBeta::new(&prepared),
            maker: ChoiceMaker::new(self.parameters, &quantised),
            choices: Vec::new(),
        };
        let is_cancelled = AtomicBool::new(false);
        blocks(positions).into_par_iter().try_for_each(|block| {
            workers.with(new, |Worker { searcher, maker, choices }| {
                choices.resize_with(block.len().max(choices.len()), Choice::default);
                for (position, choice) in block.iter().zip(&mut *choices) {
                    let chess = position.position();
                    let leaf = searcher.root(&chess, RootKind::Static);
                    let is_white = chess.turn().is_white();
                    maker.fill_labelled(&leaf, is_white, position.game, position.label.into(), choice)?;
                    if !(self.tick)(&Standing::default()) {
                        is_cancelled.store(true, Ordering::Relaxed);
                    }
                    if is_cancelled.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                }
                accept(&choices[..block.len()])
            })
        })?;
        Ok(!is_cancelled.into_inner())
    }
}

/// Buffers of a thread.
struct Worker<'a> {
    searcher: AlphaBeta,
    maker: ChoiceMaker<'a>,
    choices: Vec<Choice>,
}

/// The positions in blocks of whole games.
fn blocks(positions: &[LabelledPosition]) -> Vec<&[LabelledPosition]> {
    let mut blocks = Vec::new();
    let mut rest = positions;
    while !rest.is_empty() {
        let mut end = AT_ONCE.min(rest.len());
        while end < rest.len() && rest[end].game == rest[end - 1].game {
            end += 1;
        }
        let (block, others) = rest.split_at(end);
        blocks.push(block);
        rest = others;
    }
    blocks
}

/// The counts of positions without a choice: only how many there are.
fn counts(positions: &[LabelledPosition]) -> Agreement {
    let count = positions.len() as u64;
    Agreement { choices: count, kept_choices: count, rows: count, ..Agreement::default() }
}

impl Source for LabelledSource<'_> {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let weights = self.parameters.weights(&model.values());
        let all = self.evaluate(&self.fitted, &weights, |choices| sink.accept(choices))?
            && self.evaluate(self.held_out, &weights, |choices| sink.accept_held_out(choices))?;
        let held_out = (!self.held_out.is_empty()).then(|| counts(self.held_out));
        Ok(all.then(|| Measured { fitted: counts(&self.fitted), held_out, clusters: ClusterSets::default() }))
    }
}

#[cfg(test)]
mod tests {
    use texam_fit::PRODUCT;

    use super::*;
    use crate::sample::testing;

    fn labelled(count: usize) -> Vec<LabelledPosition> {
        let positions = testing::positions(count).iter();
        positions.map(|at| LabelledPosition::new(&at.position(), 0.5, at.game)).collect()
    }

    #[test]
    fn blocks_hold_whole_games_and_all_positions() {
        let mut positions = labelled(20);
        positions.resize(5000, positions[19]);
        for (at, position) in positions.iter_mut().enumerate() {
            position.game = (at / 700) as u32;
        }
        let blocks = blocks(&positions);
        assert!(blocks.len() > 2);
        assert_eq!(blocks.concat(), positions);
        for pair in blocks.windows(2) {
            assert_ne!(pair[0].last().unwrap().game, pair[1][0].game);
        }
    }

    #[test]
    fn a_quiet_position_is_worth_its_static_evaluation_from_the_view_of_white() {
        let weights = Weights::start();
        let sampling = Sampling::default();
        let all = labelled(25);
        let quiet = quiet(all.clone(), &weights, &sampling);
        assert!(!quiet.is_empty() && quiet.len() < all.len());
        let parameters = Parameters::new(&weights).unwrap();
        let quantised = parameters.model().quantised();
        let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, &weights.quantised()));
        let searched_with = weights.quantised();
        let mut maker = ChoiceMaker::new(&parameters, &searched_with);
        let mut choice = Choice::default();
        for position in quiet {
            let chess = position.position();
            let [leaf, whole] =
                [RootKind::Static, RootKind::Quiescence].map(|kind| searcher.root(&chess, kind));
            assert_eq!(leaf.value, whole.value);
            let is_white = chess.turn().is_white();
            maker.fill_labelled(&leaf, is_white, position.game, 0.5, &mut choice).unwrap();
            let row = choice.rows().next().unwrap();
            let value: i64 = row.iter().map(|(at, entry)| quantised[at] * i64::from(entry)).sum();
            assert_eq!(
                (row.value, value),
                (PRODUCT * value, if is_white { leaf.value } else { -leaf.value })
            );
        }
    }
}
