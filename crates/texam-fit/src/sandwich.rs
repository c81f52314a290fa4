//! Residuals of a fit, and the standard errors of its parameters.
//!
//! Rows of a cluster are alike, so they count together: with `H = M + P` and the score of a cluster
//! `u = sum of d e` over its rows, where `e` is the residual, the covariance of the parameters is
//! `H^-1 (sum of u u^T) H^-1` times `G/(G-1) * (N-1)/(N-K)`, for `G` clusters, `N` rows and `K` parameters:
//! the "sandwich", clustered (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986; the factor is the usual
//! one for clusters, as in A. C. Cameron and D. L. Miller, Journal of Human Resources 50, 2015). It estimates
//! how far the parameters would scatter over other clusters, not how far a penalty holds them off.
//!
//! For an objective with a temperature `e` is the pull at the solution times the temperature, `H` the matrix
//! there, and `N` the number of choices, because the rows of a choice are one observation.
//!
//! Residuals are rounded to 2^-32 unit and summed to the scores as integers; the scores are rounded to 2^-12
//! unit times an integer of the grid of their column, or for rows of another program to 2^-24 of what their
//! sum is expected to be, and the sum of their products is one of integers too: the result is the same for
//! any order of the choices.

use serde::{Deserialize, Serialize};

use crate::{
    choice::Choice,
    error::{Error, Result},
    grid::exponent,
    merge::Merge,
    model::Model,
    normal,
    rows::{RowMaker, TunedRow},
    searchers::{Kept, Question, Request, Residuals, Searchers},
    solve::Factor,
    triangle::Triangle,
    units::{PULL_UNIT, QUANTA, from_fraction},
};

/// Fractions of a residual in units.
const RESIDUAL: f64 = (1_u64 << 32) as f64;

/// Bits that a sum of entries times residuals, in 2^-32, loses to become a score.
const SCORE_SHIFT: u32 = 20;

/// Bits of the root of the sum of squared scores that are expected in a column of another program.
const SCORE_BITS: u32 = 24;

/// No sum of products of scores may need more bits, sign excluded.
const MOST_BITS: u32 = 126;

/// What the residuals tell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sandwich {
    /// Standard errors of the parameters solved for, in units; none where the choices do not tell, because
    /// there are too few of them or because the parameter is not determined.
    pub errors: Vec<Option<f64>>,
    /// Covariances of each parameter solved for with those after it, in squared units.
    pub covariances: Vec<Vec<f64>>,
    /// Root mean square of the residuals, in units.
    pub residual: f64,
    /// Number of clusters, where they are too few: the rank of the products is at most one less.
    pub few_clusters: Option<u64>,
}

/// Sums over clusters.
#[derive(Serialize, Deserialize)]
pub(crate) struct Sums {
    /// Products of the scores with themselves, over all tuned columns.
    products: Triangle,
    /// No product can be larger.
    bound: u128,
    /// Squared residuals in 2^-64 squared unit.
    squares: i128,
    rows: u64,
    choices: u64,
    clusters: u64,
}

/// Residuals over the choices of a pass with this model, and the standard errors of those that were solved
/// for.
pub(crate) fn sandwich(
    searchers: &Searchers,
    residuals: Residuals,
    model: &Model,
    kept: &[usize],
    factor: &Factor,
) -> Result<Sandwich> {
    let is_linear = matches!(residuals, Residuals::Linear { .. });
    let unit = |&column: &usize| {
        2_f64.powi(residuals.shift(column) as i32 - 32 - model.grid(model.tuned()[column]).bits)
    };
    let units: Vec<f64> = kept.iter().map(unit).collect();
    let sums = searchers.sums(residuals)?;
    let observations = if is_linear { sums.rows } else { sums.choices };
    let correction = small_sample(sums.clusters, observations, kept.len() as u64);
    let few_clusters = Some(sums.clusters).filter(|&clusters| clusters <= kept.len() as u64);
    let product = |a: usize, b: usize| sums.products.entry(kept[a], kept[b]) as f64 * units[a] * units[b];
    let (variances, mut covariances) = factor.sandwich(product);
    covariances.iter_mut().flatten().for_each(|covariance| *covariance *= correction.unwrap_or(f64::NAN));
    let error = |(index, &variance): (usize, &Option<f64>)| {
        let correction = correction.filter(|_| few_clusters.is_none() && factor.determines(index))?;
        Some((variance? * correction).sqrt())
    };
    Ok(Sandwich {
        errors: variances.iter().enumerate().map(error).collect(),
        covariances,
        few_clusters,
        residual: (sums.squares as f64 / RESIDUAL.powi(2) / sums.rows.max(1) as f64).sqrt(),
    })
}

/// How many bits the scores of each tuned column may lose at a solution with these sums. Where the residuals
/// scatter as the objective expects, their squares sum to the diagonal of the matrix times the squared
/// temperature.
pub(crate) fn score_shifts(model: &Model, sums: &normal::Sums) -> Vec<u32> {
    let shift = |column: usize| {
        let sum = sums.temperature() * RESIDUAL * sums.diagonal(column).sqrt();
        (exponent(sum).max(0) as u32).saturating_sub(SCORE_BITS).max(SCORE_SHIFT)
    };
    match model.grids() {
        Some(_) => (0..sums.size()).map(shift).collect(),
        None => Vec::new(),
    }
}

impl Residuals {
    /// Bits that a sum of entries of a column times residuals loses to become a score.
    fn shift(&self, column: usize) -> u32 {
        match self {
            Residuals::Pulls { shifts, .. } => shifts.get(column).copied().unwrap_or(SCORE_SHIFT),
            Residuals::Linear { .. } => SCORE_SHIFT,
        }
    }
}

impl Question for Residuals {
    type Sums = Sums;
    const REQUEST: fn(Residuals) -> Request = Request::Scores;

    fn sums(&self, kept: &Kept) -> Result<Sums> {
        let zero = || Sums::new(kept.model.tuned().len());
        kept.fitted.fold(true, zero, |sums, choices| add(sums, choices, kept, self))
    }
}

impl Merge for Sums {
    fn merge(&mut self, other: Sums) -> Result<()> {
        self.raise_bound(other.bound)?;
        self.products.merge(&other.products);
        self.squares += other.squares;
        self.rows += other.rows;
        self.choices += other.choices;
        self.clusters += other.clusters;
        Ok(())
    }
}

impl Sums {
    fn new(columns: usize) -> Sums {
        Sums { products: Triangle::new(columns, 0), bound: 0, squares: 0, rows: 0, choices: 0, clusters: 0 }
    }

    /// Adds a cluster with these scores.
    fn add_cluster(&mut self, columns: &[u32], scores: &[i64]) -> Result<()> {
        let largest = scores.iter().map(|score| score.unsigned_abs()).max().unwrap_or(0);
        self.raise_bound(u128::from(largest).pow(2))?;
        self.products.add(columns, scores, 1);
        self.clusters += 1;
        Ok(())
    }

    fn raise_bound(&mut self, by: u128) -> Result<()> {
        self.bound = self.bound.saturating_add(by);
        if self.bound >> MOST_BITS == 0 { Ok(()) } else { Err(Error::SumsTooLarge) }
    }
}

/// Adds the choices of whole clusters.
fn add(sums: &mut Sums, choices: &mut [Choice], kept: &Kept, residuals: &Residuals) -> Result<()> {
    let Kept { model, objective, .. } = kept;
    if let Residuals::Pulls { changes, .. } = residuals {
        choices.iter_mut().for_each(|choice| choice.revalue(changes, model.value_step()));
    }
    let mut maker = RowMaker::new(model, *objective, residuals.temperature());
    let mut score = vec![0_i128; model.tuned().len()];
    let (mut columns, mut scores): (Vec<u32>, Vec<i64>) = Default::default();
    choices.sort_by_key(Choice::cluster);
    for cluster in choices.chunk_by(|a, b| a.cluster() == b.cluster()) {
        columns.clear();
        for choice in cluster {
            sums.choices += 1;
            let rows = maker.make(choice)?;
            let centre_moves = moves(&rows.centre.columns, &rows.centre.centre, residuals, model);
            let centre_moves = centre_moves / f64::from(1 << rows.centre.fraction_bits);
            let mut total = 0;
            for row in rows.iter() {
                let moves = moves(row.columns, row.entries, residuals, model) - centre_moves;
                let residual = residual(&row, residuals, moves);
                total += i128::from(residual);
                for (&column, &entry) in row.columns.iter().zip(row.entries) {
                    score[column as usize] += i128::from(entry) * i128::from(residual);
                }
                sums.squares += i128::from(residual).pow(2);
                sums.rows += 1;
            }
            for (&column, &centre) in rows.centre.columns.iter().zip(&rows.centre.centre) {
                score[column as usize] -= (total * i128::from(centre)) >> rows.centre.fraction_bits;
            }
            columns.extend_from_slice(rows.columns());
        }
        columns.sort_unstable();
        columns.dedup();
        scores.clear();
        for &column in &columns {
            let score = std::mem::take(&mut score[column as usize]);
            let shift = residuals.shift(column as usize);
            let rounded = (score + (1 << (shift - 1))) >> shift;
            scores.push(i64::try_from(rounded).map_err(|_| Error::SumsTooLarge)?);
        }
        sums.add_cluster(&columns, &scores)?;
    }
    Ok(())
}

/// By how much the solution of the linear equations moves the value of some entries, in units.
fn moves(columns: &[u32], entries: &[i64], residuals: &Residuals, model: &Model) -> f64 {
    let Residuals::Linear { changes, .. } = residuals else { return 0.0 };
    let entries = columns.iter().zip(entries);
    let change = |(&column, &entry): (&u32, &i64)| changes[model.tuned()[column as usize]] * entry as f64;
    entries.map(change).sum::<f64>() / QUANTA
}

/// The residual in 2^-32 unit of a row whose value the solution moves by so much.
fn residual(row: &TunedRow, residuals: &Residuals, moves: f64) -> i64 {
    let pull = row.pull as f64 / PULL_UNIT;
    let residual = match residuals {
        Residuals::Linear { compensation, .. } => {
            pull + compensation * from_fraction(row.deviation) - from_fraction(row.weight) * moves
        }
        Residuals::Pulls { temperature, .. } => temperature * pull,
    };
    (residual * RESIDUAL).round() as i64
}

/// The factor for small samples; none where there are too few clusters or observations to tell.
fn small_sample(clusters: u64, rows: u64, parameters: u64) -> Option<f64> {
    let ratio = |a: u64, b: u64| a as f64 / b as f64;
    (clusters > 1 && rows > parameters)
        .then(|| ratio(clusters, clusters - 1) * ratio(rows - 1, rows - parameters))
}
