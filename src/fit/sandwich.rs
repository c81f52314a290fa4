//! Residuals of a fit, and the standard errors of its weights.
//!
//! Rows of a game are alike, so its rows count together: with `H = M + P` and the score of a game
//! `u = sum of d e` over its rows, where `e` is the residual, the covariance of the weights is
//! `H^-1 (sum of u u^T) H^-1` times `G/(G-1) * (N-1)/(N-K)`, for `G` games, `N` rows and `K` weights:
//! the "sandwich", clustered (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986; the factor is the usual
//! one for clusters, as in A. C. Cameron and D. L. Miller, Journal of Human Resources 50, 2015). It says
//! how far the weights would scatter over other games, not how far a penalty holds them off.

use rayon::prelude::*;

use super::{
    columns::Columns,
    rows::{COUNT_UNIT, RowMaker, TARGET_UNIT, Targets},
    solve::Factor,
};
use crate::{decision::Decision, error::Result};

/// Games whose scores are held at a time.
const BATCH: usize = 1024;

/// What the residuals tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Sandwich {
    /// Standard errors of the weights solved for, in units; none where the games do not tell, be it that
    /// there are too few of them or that the weight is not determined.
    pub errors: Vec<Option<f64>>,
    /// Root mean square of the residuals, in units.
    pub residual: f64,
}

/// What a fit came to, as the residuals need it.
pub struct Fitted<'a> {
    /// The parameters.
    pub columns: &'a Columns,
    /// What was added to the values.
    pub targets: Targets,
    /// Columns that were solved for.
    pub kept: &'a [usize],
    /// Values of all columns, solved for or held.
    pub values: &'a [f64],
    /// The factor of `H`.
    pub factor: &'a Factor,
}

/// Residuals over `games`, each a list of its decisions, and the standard errors that follow. Sums are
/// taken within a game and then over the games in their order, whatever the number of threads.
///
/// # Errors
///
/// Where the rows cannot be formed.
pub fn sandwich(games: &[Vec<&Decision>], fitted: &Fitted) -> Result<Sandwich> {
    let mut total = Share { variances: vec![0.0; fitted.kept.len()], squares: 0.0, rows: 0 };
    for batch in games.chunks(BATCH) {
        let shares: Result<Vec<Share>> = batch.par_iter().map(|game| share(game, fitted)).collect();
        for share in shares? {
            total.squares += share.squares;
            total.rows += share.rows;
            for (sum, variance) in total.variances.iter_mut().zip(&share.variances) {
                *sum += variance;
            }
        }
    }
    let factor = small_sample(games.len(), total.rows, fitted.kept.len());
    let error = |(index, variance): (usize, &f64)| {
        factor.filter(|_| fitted.factor.determines(index)).map(|factor| (variance * factor).sqrt())
    };
    Ok(Sandwich {
        errors: total.variances.iter().enumerate().map(error).collect(),
        residual: (total.squares / total.rows.max(1) as f64).sqrt(),
    })
}

/// What one game adds to the sums.
struct Share {
    variances: Vec<f64>,
    squares: f64,
    rows: usize,
}

fn share(game: &[&Decision], fitted: &Fitted) -> Result<Share> {
    let mut maker = RowMaker::new(fitted.columns, fitted.targets);
    let mut score = vec![0.0; fitted.columns.len()];
    let (mut squares, mut count) = (0.0, 0);
    for decision in game {
        for row in maker.make(decision)?.iter() {
            let entries = || row.columns.iter().map(|&c| usize::from(c)).zip(row.entries);
            let value: f64 = entries().map(|(column, &entry)| fitted.values[column] * entry as f64).sum();
            let residual = row.target as f64 * TARGET_UNIT - value * COUNT_UNIT;
            for (column, &entry) in entries() {
                score[column] += entry as f64 * COUNT_UNIT * residual;
            }
            squares += residual * residual;
            count += 1;
        }
    }
    let score: Vec<f64> = fitted.kept.iter().map(|&column| score[column]).collect();
    let variances = fitted.factor.solve(&score).iter().map(|step| step * step).collect();
    Ok(Share { variances, squares, rows: count })
}

/// The factor for small samples; none where there are too few games or rows to tell.
fn small_sample(games: usize, rows: usize, parameters: usize) -> Option<f64> {
    let ratio = |a: usize, b: usize| a as f64 / b as f64;
    (games > 1 && rows > parameters).then(|| ratio(games, games - 1) * ratio(rows - 1, rows - parameters))
}
