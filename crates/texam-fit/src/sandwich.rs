//! Residuals of a fit, and the standard errors of its parameters.
//!
//! Rows of a game are alike, so its rows count together: with `H = M + P` and the score of a cluster
//! `u = sum of d e` over its rows, where `e` is the residual, the covariance of the parameters is
//! `H^-1 (sum of u u^T) H^-1` times `G/(G-1) * (N-1)/(N-K)`, for `G` clusters, `N` rows and `K` parameters:
//! the "sandwich", clustered (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986; the factor is the usual
//! one for clusters, as in A. C. Cameron and D. L. Miller, Journal of Human Resources 50, 2015). It estimates
//! how far the parameters would scatter over other games, not how far a penalty holds them off.
//!
//! For an objective with a temperature `e` is the pull at the solution times the temperature, `H` the matrix there,
//! and `N` the number of choices, because the rows of a choice are one observation.
//!
//! Residuals are rounded to 2^-32 unit, scores are sums of integers, and what a cluster adds to a variance is
//! rounded to 2^-64 squared unit: the result is the same for any order of the choices.

use crate::{
    choice::Choice,
    error::Result,
    model::Model,
    objective::Objective,
    rows::{RowMaker, TunedRow},
    solve::Factor,
    spill::Spill,
    units::{QUANTA, VALUE_UNIT, from_fraction},
};

/// Fractions of a residual in units.
const RESIDUAL: f64 = (1_u64 << 32) as f64;

/// Fractions of a variance in squared units: those of a squared residual.
const VARIANCE: f64 = RESIDUAL * RESIDUAL;

/// What the residuals tell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sandwich {
    /// Standard errors of the parameters solved for, in units; none where the choices do not tell, because there
    /// are too few of them or because the parameter is not determined.
    pub errors: Vec<Option<f64>>,
    /// Root mean square of the residuals, in units.
    pub residual: f64,
}

/// A solution, as the residuals need it.
pub(crate) struct Solved<'a> {
    pub model: &'a Model,
    pub objective: &'a dyn Objective,
    /// How the residuals are formed.
    pub residuals: Residuals<'a>,
    /// Tuned columns that were solved for.
    pub kept: &'a [usize],
    pub factor: &'a Factor,
}

/// How the residual of a row is formed.
#[derive(Clone, Copy)]
pub(crate) enum Residuals<'a> {
    /// That of the linear equations.
    Linear {
        /// Share of the deviations in the targets.
        compensation: f64,
        /// Values of all tuned columns, solved for or held, in units.
        values: &'a [f64],
    },
    /// The pull at the solution, times the temperature.
    Pulls {
        temperature: f64,
        /// Change of all parameters of the model from their values in the pass, in units.
        changes: &'a [f64],
    },
}

impl Residuals<'_> {
    fn temperature(self) -> f64 {
        match self {
            Residuals::Linear { .. } => 1.0,
            Residuals::Pulls { temperature, .. } => temperature,
        }
    }
}

/// Sums over clusters.
struct Sums {
    /// In 2^-64 squared unit.
    variances: Vec<i128>,
    /// Squared residuals in 2^-64 squared unit.
    squares: i128,
    rows: u64,
    choices: u64,
    clusters: u64,
}

/// Residuals over the choices of a pass, and the standard errors that follow.
pub(crate) fn sandwich(spill: &Spill, solved: &Solved) -> Result<Sandwich> {
    let zero =
        || Sums { variances: vec![0; solved.kept.len()], squares: 0, rows: 0, choices: 0, clusters: 0 };
    let sums = spill.fold(zero, |sums, choices| add(sums, choices, solved), merge)?;
    let observations = match solved.residuals {
        Residuals::Linear { .. } => sums.rows,
        Residuals::Pulls { .. } => sums.choices,
    };
    let factor = small_sample(sums.clusters, observations, solved.kept.len() as u64);
    let error = |(index, &variance): (usize, &i128)| {
        let factor = factor.filter(|_| solved.factor.determines(index))?;
        Some((variance as f64 / VARIANCE * factor).sqrt())
    };
    Ok(Sandwich {
        errors: sums.variances.iter().enumerate().map(error).collect(),
        residual: (sums.squares as f64 / VARIANCE / sums.rows.max(1) as f64).sqrt(),
    })
}

fn merge(mut a: Sums, b: Sums) -> Sums {
    for (to, from) in a.variances.iter_mut().zip(b.variances) {
        *to += from;
    }
    Sums {
        squares: a.squares + b.squares,
        rows: a.rows + b.rows,
        choices: a.choices + b.choices,
        clusters: a.clusters + b.clusters,
        ..a
    }
}

/// Adds the choices of whole clusters.
fn add(sums: &mut Sums, choices: &mut [Choice], solved: &Solved) -> Result<()> {
    if let Residuals::Pulls { changes, .. } = solved.residuals {
        choices.iter_mut().for_each(|choice| choice.revalue(changes));
    }
    let mut maker = RowMaker::new(solved.model, solved.objective, solved.residuals.temperature());
    let mut score = vec![0; solved.model.tuned().len()];
    let mut order: Vec<&Choice> = choices.iter().collect();
    order.sort_by_key(|choice| choice.cluster());
    for cluster in order.chunk_by(|a, b| a.cluster() == b.cluster()) {
        score.fill(0);
        for choice in cluster {
            sums.choices += 1;
            for row in maker.make(choice)?.iter() {
                let residual = residual(&row, solved.residuals);
                for (&column, &entry) in row.columns.iter().zip(row.entries) {
                    score[column as usize] += i128::from(entry) * i128::from(residual);
                }
                sums.squares += i128::from(residual).pow(2);
                sums.rows += 1;
            }
        }
        let kept = solved.kept.iter().map(|&column| score[column] as f64 / (RESIDUAL * QUANTA));
        let steps = solved.factor.solve(&kept.collect::<Vec<f64>>());
        for (variance, step) in sums.variances.iter_mut().zip(steps) {
            *variance += (step * step * VARIANCE).round() as i128;
        }
        sums.clusters += 1;
    }
    Ok(())
}

/// The residual of a row in 2^-32 unit.
fn residual(row: &TunedRow, residuals: Residuals) -> i64 {
    let pull = from_fraction(row.pull);
    let residual = match residuals {
        Residuals::Linear { compensation, values } => {
            let entries = row.columns.iter().zip(row.entries);
            let value: f64 = entries.map(|(&column, &entry)| values[column as usize] * entry as f64).sum();
            let missing = row.target as f64 / VALUE_UNIT as f64 - value / QUANTA;
            let pull = pull + compensation * from_fraction(row.deviation);
            from_fraction(row.weight) * missing + pull
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
