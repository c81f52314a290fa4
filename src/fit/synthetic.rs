//! Random decisions for tests: whatever numbers, but values that agree with the weights.

use super::rows::{RowMaker, Rows, Targets};
use super::{Columns, FitOptions};
use crate::{
    decision::{Decision, Outcome},
    feature::{Cell, FeatureVector, Key, Quantised, STANDARD_CELLS, Weights},
};

/// Columns of [`rows`].
pub const COLUMNS: usize = 4;

/// A generator of numbers, splitmix64 (G. L. Steele, D. Lea and C. H. Flood, 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + ((z ^ (z >> 31)) % (high - low + 1) as u64) as i64
    }
}

/// What random decisions look like.
#[derive(Clone)]
pub struct Kind {
    /// Cells that may occur.
    pub cells: Vec<Cell>,
    /// Cells that occur in a leaf, about.
    pub density: usize,
    /// Largest phase.
    pub phase: u16,
    pub games: u32,
    pub positions: usize,
    pub alternatives: usize,
}

impl Kind {
    /// Decisions over the cells of these features.
    pub fn over(keys: &[Key]) -> Kind {
        let cells = keys.iter().flat_map(|&key| {
            let first = key.cell();
            first..first + key.feature().layout.cells() as Cell
        });
        Kind { cells: cells.collect(), density: 6, phase: 256, games: 7, positions: 60, alternatives: 4 }
    }

    /// Decisions over all cells.
    pub fn full() -> Kind {
        let cells = (0..STANDARD_CELLS as Cell).collect();
        Kind { cells, density: 30, phase: 256, games: 9, positions: 220, alternatives: 5 }
    }
}

/// Random decisions whose values come from `weights`.
pub fn decisions(seed: u64, kind: &Kind, weights: &Weights) -> Vec<Decision> {
    let mut random = Random::new(seed);
    let weights = weights.quantised();
    let mut decision = |at: usize| {
        let sign = if random.between(0, 1) == 0 { 1 } else { -1 };
        let mut leaf = || outcome(&mut random, kind, &weights, sign);
        let (root, played) = (leaf(), leaf());
        let alternatives: Vec<Outcome> = (0..kind.alternatives).map(|_| leaf()).collect();
        let ahead = alternatives.iter().filter(|other| other.value > played.value).count() as u32;
        Decision { game: at as u32 % kind.games, sign, root, played, alternatives, rank: ahead }
    };
    (0..kind.positions).map(&mut decision).collect()
}

fn outcome(random: &mut Random, kind: &Kind, weights: &Quantised, sign: i8) -> Outcome {
    let count = |_| {
        let cell = kind.cells[random.between(0, kind.cells.len() as i64 - 1) as usize];
        (cell, random.between(-3, 3) as i16)
    };
    let features: FeatureVector = (0..kind.density).map(count).collect();
    let phase = random.between(0, i64::from(kind.phase)) as u16;
    Outcome { value: i64::from(sign) * features.value(weights, phase), phase, features }
}

/// The same decisions with their values from other weights.
pub fn revalued(decisions: &[Decision], weights: &Weights) -> Vec<Decision> {
    let weights = weights.quantised();
    let mut decisions = decisions.to_vec();
    for decision in &mut decisions {
        let sign = i64::from(decision.sign);
        let outcomes = [&mut decision.root, &mut decision.played];
        for outcome in outcomes.into_iter().chain(&mut decision.alternatives) {
            outcome.value = sign * outcome.features.value(&weights, outcome.phase);
        }
    }
    decisions
}

/// The start with only `keys` tuned.
pub fn tuning(keys: &[Key]) -> Weights {
    let mut weights = Weights::start();
    for &key in Key::ALL {
        weights.setting_mut(key).tune.fill(keys.contains(&key));
    }
    weights
}

/// The rows of some positions over [`COLUMNS`] columns.
pub fn rows(positions: usize) -> Vec<Rows> {
    let weights = tuning(&[Key::NFwd, Key::Pass]);
    let columns = Columns::new(&weights);
    let mut maker = RowMaker::new(&columns, targets(&FitOptions::default()));
    let kind = Kind { positions, ..Kind::over(&[Key::NFwd, Key::Pass, Key::MatN]) };
    decisions(5, &kind, &weights).iter().map(|decision| maker.make(decision).unwrap().clone()).collect()
}

/// The targets of `options` where the spread is that of the start.
pub fn targets(options: &FitOptions) -> Targets {
    options.targets(options.variance.unwrap_or(0.0))
}
