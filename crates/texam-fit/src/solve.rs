//! Solves the normal equations with their penalty: `(M + P) x = v + P r`. The one door to nalgebra.
//!
//! Matrix and right side are in counts and units as soon as they are floating-point numbers, whatever the
//! grids of their columns; powers of two cost no digit.
//!
//! The matrix is scaled to a unit diagonal and factorised by Cholesky. Where it is singular in working
//! precision, its significant eigenvectors serve instead, and the directions that the equations leave open
//! stay at the reference `r`. The factor only has to be good enough: the solution is refined with residuals
//! taken exactly, from the integer sums and a solution in fixed point, so that it is right to far below a
//! thousandth of a unit even where the condition is bad. Only the standard errors, which are good to a few
//! digits anyway, take an inverse.
//!
//! Source: iterative refinement with exact residuals and equilibration as in N. J. Higham, "Accuracy and
//! Stability of Numerical Algorithms", 2nd ed., chapters 7 and 12.

use std::borrow::Cow;

use nalgebra::{Cholesky, DMatrix, DVector, Dyn, SymmetricEigen};

use crate::{
    error::{Error, Result},
    grid::{BITS, Grid},
    normal::{MATRIX_BITS, RIGHT_BITS, System},
    penalty::Penalty,
};

/// Fraction bits of a solution whose column has counts, or entries just below 1; a double still resolves them
/// up to 2^13 units.
const SOLUTION_BITS: i32 = 40;

/// Solutions beyond so many bits cannot be held, and are no weights.
const MOST_BITS: i32 = 62;

/// Bits of the largest entry of a matrix whose products with a solution are summed in 128 bits.
const ENTRY_BITS: u32 = 62;

/// Steps of refinement at most; a few suffice unless the condition is near the end of the precision.
const REFINEMENTS: usize = 40;

/// Share of the terms of a variance that their sum must exceed, to be more than rounding.
const ROUNDING: f64 = 1e-10;

/// An eigenvalue below this share of the largest may be made by rounded products.
const ROUNDED: f64 = 1e-7;

/// Share of a unit vector among the open directions above which its parameter is not determined.
const OPEN_SHARE: f64 = 1e-9;

/// An eigenvalue below this share of the largest is made by rounding.
const OPEN: f64 = 1e-10;

/// An eigenvalue below this share of the largest is hardly one.
const LOOSE: f64 = 1e-5;

/// Share of a unit vector among such directions above which its parameter is named.
const LOOSE_SHARE: f64 = 1e-3;

/// Steps between two looks at an eigenvalue.
const LANCZOS_STEPS: usize = 8;

/// Share of an eigenvalue by which it may still rise.
const LANCZOS_CHANGE: f64 = 1e-7;

/// Entry of a direction, of which the largest is about 1, above which its parameter is named.
const LOOSE_ENTRY: f64 = 1e-2;

/// A solution, and how well the equations determine it.
#[derive(Debug, Clone)]
pub(crate) struct Solution {
    /// The unknowns.
    pub values: Vec<f64>,
    /// Rank of `M` alone, scaled to a unit diagonal: eigenvalues that rounding cannot hide.
    pub rank: usize,
    /// Largest over smallest significant eigenvalue of the penalised matrix, scaled to a unit diagonal.
    pub condition: f64,
    /// The directions that `M` alone hardly determines, if there are some.
    pub loose: Option<LooseDirections>,
    /// Share of the step of each unknown that the ridge holds back, from 0 to 1: the diagonal of
    /// `(M + P)^-1 R`, with the ridge `R`.
    pub held: Vec<f64>,
    /// The factor, for standard errors.
    pub factor: Factor,
}

/// Solves `sums` with `penalty`.
///
/// # Errors
///
/// When the solution is beyond what a weight can be.
pub(crate) fn solve(system: &System, penalty: &Penalty) -> Result<Solution> {
    let sums = Sums::of(system)?;
    let (matrix, scale) = penalised(&sums, penalty)?;
    let (factor, condition) = Factor::new(matrix, scale);
    let (data, scale) = scaled(&sums.dense());
    let (loose, rank) = match is_firm(&data) {
        true => (None, data.nrows()),
        false => {
            let (loose, rank) = LooseDirections::of(data, scale, system.is_rounded);
            (Some(loose).filter(|loose| loose.directions.ncols() > 0), rank)
        }
    };
    let values = refined(&sums, penalty, &factor)?;
    let held = |inverse: f64| (inverse * penalty.ridge()).clamp(0.0, 1.0);
    let held = factor.inverse_diagonal().into_iter().map(held).collect();
    Ok(Solution { values, rank, condition, loose, held, factor })
}

/// Solves once, without refinement, rank and condition, with a share `damping` of its diagonal added to the
/// penalised matrix. Unknowns that are `held` stay 0. None where that is not positive definite in working
/// precision. Also gives half the product of solution and right side: by how much the quadratic form that the
/// equations minimise falls.
///
/// # Errors
///
/// A penalty that is not finite, or sums that are too large.
pub(crate) fn damped(
    system: &System,
    penalty: &Penalty,
    held: &[bool],
    damping: f64,
) -> Result<Option<(Vec<f64>, f64)>> {
    let size = system.grids.len();
    let (mut matrix, scale) = penalised(&Sums::of(system)?, penalty)?;
    for at in 0..size {
        matrix[(at, at)] += damping;
    }
    let pulls = system.pulls().into_iter().zip(penalty.pull(&vec![0.0; size]));
    let mut right = DVector::from_iterator(size, pulls.map(|(data, pull)| data + pull));
    for at in (0..size).filter(|&at| held[at]) {
        matrix.row_mut(at).fill(0.0);
        matrix.column_mut(at).fill(0.0);
        matrix[(at, at)] = 1.0;
        right[at] = 0.0;
    }
    let Some(cholesky) = Cholesky::new(matrix) else { return Ok(None) };
    let step = cholesky.solve(&right.component_mul(&scale)).component_mul(&scale);
    let fall = step.dot(&right) / 2.0;
    Ok(Some((step.as_slice().to_vec(), fall)))
}

/// The inverse of equations with their penalty, in working precision.
pub(crate) struct Inverse {
    cholesky: Cholesky<f64, Dyn>,
    scale: DVector<f64>,
}

impl Inverse {
    /// That of these equations; none where they are not positive definite in working precision.
    pub fn of(system: &System, penalty: &Penalty) -> Result<Option<Inverse>> {
        let (matrix, scale) = penalised(&Sums::of(system)?, penalty)?;
        Ok(Cholesky::new(matrix).map(|cholesky| Inverse { cholesky, scale }))
    }

    /// Its product with a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let scaled = DVector::from_column_slice(vector).component_mul(&self.scale);
        self.cholesky.solve(&scaled).component_mul(&self.scale).as_slice().to_vec()
    }
}

/// The sums on grids that the largest entry of each column fills, without the low bits that no product with a
/// solution could keep. Where all weights of rows are 1, those bits are 0 in any problem that fits.
struct Sums<'a> {
    grids: &'a [Grid],
    matrix: Vec<i64>,
    /// Fraction bits of the matrix, beside those of the grids.
    bits: i32,
    right: &'a [i128],
    /// The right side in counts times units.
    pulls: Vec<f64>,
    /// Fraction bits of a product of the matrix, on the grid of its column, and a solution: those of both.
    product_bits: i32,
}

impl Sums<'_> {
    fn of(system: &System) -> Result<Sums<'_>> {
        let System { grids, matrix, right, .. } = system;
        let spare = |at: usize| grids[at / grids.len()].spare + grids[at % grids.len()].spare;
        let filled = |(at, &entry): (usize, &i128)| entry.checked_mul(1 << spare(at));
        let matrix: Option<Vec<i128>> = matrix.iter().enumerate().map(filled).collect();
        let matrix = matrix.ok_or(Error::SumsTooLarge)?;
        let largest = matrix.iter().map(|entry| entry.unsigned_abs()).max().unwrap_or(0);
        let shift = (128 - largest.leading_zeros()).saturating_sub(ENTRY_BITS);
        let half = if shift == 0 { 0 } else { 1 << (shift - 1) };
        let is_search = grids.iter().all(|&grid| grid == Grid::SEARCH);
        Ok(Sums {
            grids,
            matrix: matrix.into_iter().map(|entry| ((entry + half) >> shift) as i64).collect(),
            bits: MATRIX_BITS - shift as i32,
            right,
            pulls: system.pulls(),
            product_bits: SOLUTION_BITS + if is_search { Grid::SEARCH.bits } else { BITS },
        })
    }

    /// Fraction bits of the entries of a column.
    fn column_bits(&self, at: usize) -> i32 {
        self.grids[at].bits + self.grids[at].spare as i32
    }

    /// The grid of a solution.
    fn step_of(&self, at: usize) -> f64 {
        2_f64.powi(self.column_bits(at) - self.product_bits)
    }

    /// `M` in squared counts.
    fn dense(&self) -> DMatrix<f64> {
        let size = self.grids.len();
        let units: Vec<f64> = (0..size).map(|at| 2_f64.powi(-self.column_bits(at))).collect();
        let unit = 2_f64.powi(-self.bits);
        DMatrix::from_fn(size, size, |row, column| {
            self.matrix[row * size + column] as f64 * unit * units[row] * units[column]
        })
    }

    /// `v - M x`, exact before the final rounding, for `x` on its grid.
    fn residual(&self, values: &[f64]) -> Result<Vec<f64>> {
        let fixed = |(at, &value): (usize, &f64)| {
            let steps = value / self.step_of(at);
            (steps.abs() < 2_f64.powi(MOST_BITS)).then_some(steps as i128)
        };
        let values: Option<Vec<i128>> = values.iter().enumerate().map(fixed).collect();
        let values = values.ok_or(Error::NoSolution)?;
        let rows = self.right.iter().zip(self.matrix.chunks_exact(values.len())).enumerate();
        let rows = rows.map(|(at, (&right, row))| {
            let bits = self.bits + self.column_bits(at) + self.product_bits;
            let shift = bits - RIGHT_BITS - self.grids[at].bits;
            let mut left = match shift {
                0.. => right.checked_mul(1_i128.checked_shl(shift as u32)?)?,
                _ => right.checked_shr(-shift as u32)?,
            };
            for (&entry, value) in row.iter().zip(&values) {
                left = left.checked_sub(i128::from(entry).checked_mul(*value)?)?;
            }
            Some(left as f64 * 2_f64.powi(-bits))
        });
        rows.collect::<Option<_>>().ok_or(Error::NoSolution)
    }

    /// `values + step`, rounded to their grids.
    fn stepped(&self, values: &[f64], step: &[f64]) -> Vec<f64> {
        let sums = values.iter().zip(step).map(|(value, step)| value + step).enumerate();
        sums.map(|(at, sum)| (sum / self.step_of(at)).round() * self.step_of(at)).collect()
    }
}

/// The first solution from the right side itself, then corrected until that does not help any more.
fn refined(sums: &Sums, penalty: &Penalty, factor: &Factor) -> Result<Vec<f64>> {
    let with_penalty = |data: &[f64], values: &[f64]| -> Vec<f64> {
        data.iter().zip(penalty.pull(values)).map(|(data, pull)| data + pull).collect()
    };
    let right = with_penalty(&sums.pulls, &vec![0.0; sums.grids.len()]);
    let open = factor.open_part(penalty.reference());
    let mut values = sums.stepped(&open, &factor.solve(&right));
    let mut last = f64::INFINITY;
    for _ in 0..REFINEMENTS {
        let step = factor.solve(&with_penalty(&sums.residual(&values)?, &values));
        let steps = step.iter().enumerate().map(|(at, step)| (step / sums.step_of(at)).abs());
        let size = steps.fold(0.0, f64::max);
        if size > last / 2.0 || size < 0.5 {
            break;
        }
        values = sums.stepped(&values, &step);
        last = size;
    }
    Ok(values)
}

/// `S H S` with unit diagonal, and the diagonal `S`.
fn scaled(matrix: &DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let scale = matrix.diagonal().map(|entry| if entry > 0.0 { 1.0 / entry.sqrt() } else { 1.0 });
    let scaled = DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |row, column| {
        matrix[(row, column)] * scale[row] * scale[column]
    });
    (scaled, scale)
}

/// The matrix with its penalty, [`scaled`].
fn penalised(sums: &Sums, penalty: &Penalty) -> Result<(DMatrix<f64>, DVector<f64>)> {
    let mut matrix = sums.dense();
    penalty.stiffen(|row, column, value| matrix[(row, column)] += value);
    let (matrix, scale) = scaled(&matrix);
    if matrix.iter().all(|entry| entry.is_finite()) { Ok((matrix, scale)) } else { Err(Error::Penalty) }
}

/// The directions that equations without a penalty leave open, where a step would go as far as rounding takes
/// it.
pub(crate) struct OpenDirections {
    scale: DVector<f64>,
    /// As columns, scaled, orthogonal and of length 1.
    directions: DMatrix<f64>,
}

impl OpenDirections {
    /// Those of these equations; none where a factor shows that each unknown is determined.
    pub fn of(system: &System) -> Result<Option<OpenDirections>> {
        let (matrix, scale) = scaled(&Sums::of(system)?.dense());
        let pivot = |cholesky: Cholesky<f64, Dyn>| cholesky.l_dirty().diagonal().min().powi(2);
        let open = if system.is_rounded { ROUNDED } else { OPEN };
        if Cholesky::new(matrix.clone()).map_or(0.0, pivot) > open.sqrt() {
            return Ok(None);
        }
        let eigen = SymmetricEigen::new(matrix);
        let most = eigen.eigenvalues.max() * open;
        let open: Vec<usize> = (0..scale.len()).filter(|&at| eigen.eigenvalues[at] < most).collect();
        let directions = eigen.eigenvectors.select_columns(&open);
        Ok((!open.is_empty()).then_some(OpenDirections { scale, directions }))
    }

    /// Takes their part from a step.
    pub fn leave(&self, step: &mut [f64]) {
        let scaled = DVector::from_column_slice(step).component_div(&self.scale);
        let part = &self.directions * self.directions.tr_mul(&scaled);
        for ((step, part), scale) in step.iter_mut().zip(&part).zip(&self.scale) {
            *step -= part * scale;
        }
    }
}

/// The directions that equations hardly determine.
#[derive(Debug, Clone)]
pub(crate) struct LooseDirections {
    scale: DVector<f64>,
    /// As columns, scaled, orthogonal and of length 1.
    directions: DMatrix<f64>,
}

impl LooseDirections {
    /// Those of a scaled matrix, and its rank.
    fn of(matrix: DMatrix<f64>, scale: DVector<f64>, is_rounded: bool) -> (LooseDirections, usize) {
        let eigen = SymmetricEigen::new(matrix);
        let (values, most) = (&eigen.eigenvalues, eigen.eigenvalues.max());
        let least = if is_rounded { ROUNDED } else { rounding(values.len()) };
        let rank = values.iter().filter(|&&value| value > most * least).count();
        let loose: Vec<usize> = (0..values.len()).filter(|&at| values[at] <= most * LOOSE).collect();
        let directions = eigen.eigenvectors.select_columns(&loose);
        (LooseDirections { scale, directions }, rank)
    }

    /// Whether each unknown has a part in one.
    pub fn unknowns(&self) -> Vec<bool> {
        self.directions.row_iter().map(|row| row.norm_squared() > LOOSE_SHARE).collect()
    }

    /// The unknowns of each, by directions of few unknowns, of fewest first.
    pub fn sets(&self) -> Vec<Vec<usize>> {
        few_unknowns(self.directions.clone())
    }

    /// Those of them that other equations hardly determine either.
    pub fn of_both(&self, system: &System) -> Result<LooseDirections> {
        let (matrix, scale) = scaled(&Sums::of(system)?.dense());
        let mut directions = self.directions.clone();
        for (mut row, factor) in directions.row_iter_mut().zip(&self.scale.component_div(&scale)) {
            row *= *factor;
        }
        let basis = directions.qr().q();
        let inner = SymmetricEigen::new(basis.tr_mul(&(&matrix * &basis)));
        let most = largest_eigenvalue(matrix.nrows(), |vector| &matrix * vector) * LOOSE;
        let loose: Vec<usize> = (0..basis.ncols()).filter(|&at| inner.eigenvalues[at] <= most).collect();
        let directions = basis * inner.eigenvectors.select_columns(&loose);
        Ok(LooseDirections { scale, directions })
    }
}

/// An eigenvalue below this share of the largest may be made by rounding.
fn rounding(size: usize) -> f64 {
    size as f64 * f64::EPSILON
}

/// Whether a scaled matrix is sure to determine all directions.
fn is_firm(matrix: &DMatrix<f64>) -> bool {
    let Some(cholesky) = Cholesky::new(matrix.clone()) else { return false };
    let of_inverse = largest_eigenvalue(matrix.nrows(), |vector| cholesky.solve(vector));
    // Twice, because the eigenvalues are estimates.
    2.0 * largest_eigenvalue(matrix.nrows(), |vector| matrix * vector) * of_inverse < 1.0 / LOOSE
}

/// The largest eigenvalue of a symmetric positive matrix, given by its products with vectors of this size: by
/// the method of Lanczos with full orthogonalisation (G. H. Golub and C. F. Van Loan, Matrix Computations, 4th
/// ed., 10.3). It comes from below.
fn largest_eigenvalue(size: usize, times: impl Fn(&DVector<f64>) -> DVector<f64>) -> f64 {
    /// The golden section: a start that is no sum of few eigenvectors.
    const SECTION: f64 = 0.618_033_988_749_894_8;
    let start = DVector::from_fn(size, |at, _| 0.5 + ((at + 1) as f64 * SECTION).fract()).normalize();
    let (mut basis, mut last) = (vec![start], 0.0);
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    loop {
        let mut next = times(&basis[basis.len() - 1]);
        diagonal.push(basis[basis.len() - 1].dot(&next));
        for old in basis.iter().chain(&basis) {
            next.axpy(-old.dot(&next), old, 1.0);
        }
        let length = next.norm();
        let is_last = basis.len() == size || length < f64::EPSILON * size as f64;
        if is_last || basis.len().is_multiple_of(LANCZOS_STEPS) {
            let inner =
                DMatrix::from_fn(basis.len(), basis.len(), |row, column| match row.abs_diff(column) {
                    0 => diagonal[row],
                    1 => beside[row.min(column)],
                    _ => 0.0,
                });
            let found = inner.symmetric_eigenvalues().max();
            if is_last || found - last <= LANCZOS_CHANGE * found {
                return found;
            }
            last = found;
        }
        beside.push(length);
        basis.push(next / length);
    }
}

/// A column as a slice.
fn column_of(matrix: &DMatrix<f64>, at: usize) -> &[f64] {
    &matrix.as_slice()[at * matrix.nrows()..][..matrix.nrows()]
}

/// The product of two vectors. Products of matrices are made of it, because those of the library depend on
/// what the processor can do at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        sums = std::array::from_fn(|at| sums[at] + a[at] * b[at]);
    }
    sums.into_iter().chain(a_rest.iter().zip(b_rest).map(|(a, b)| a * b)).sum()
}

/// The inverse of a matrix by its factor.
fn inverse(cholesky: &Cholesky<f64, Dyn>) -> DMatrix<f64> {
    let factor = cholesky.l_dirty();
    let size = factor.nrows();
    let mut lower = DMatrix::identity(size, size);
    for at in 0..size {
        let rest = factor.view((at, at), (size - at, size - at));
        rest.solve_lower_triangular_unchecked_mut(&mut lower.view_mut((at, at), (size - at, 1)));
    }
    let mut inverse = DMatrix::zeros(size, size);
    for column in 0..size {
        for row in 0..=column {
            let [a, b] = [row, column].map(|at| &column_of(&lower, at)[column..]);
            let entry = dot(a, b);
            (inverse[(row, column)], inverse[(column, row)]) = (entry, entry);
        }
    }
    inverse
}

/// The same space by directions of few unknowns each, of fewest first: by Gauss and Jordan's elimination,
/// each direction has an unknown of its own.
fn few_unknowns(mut directions: DMatrix<f64>) -> Vec<Vec<usize>> {
    for at in 0..directions.ncols() {
        let (row, column) = directions.columns_range(at..).abs().iamax_full();
        directions.swap_columns(at, at + column);
        let pivot = directions.column(at) / directions[(row, at)];
        for other in (0..directions.ncols()).filter(|&other| other != at) {
            let share = directions[(row, other)];
            directions.column_mut(other).axpy(-share, &pivot, 1.0);
        }
        directions.set_column(at, &pivot);
    }
    let unknowns = |direction: nalgebra::DVectorView<f64>| -> Vec<usize> {
        (0..direction.len()).filter(|&at| direction[at].abs() > LOOSE_ENTRY).collect()
    };
    let mut all: Vec<Vec<usize>> = directions.column_iter().map(unknowns).collect();
    all.sort_by_key(|unknowns| (unknowns.len(), unknowns[0]));
    all
}

/// A factorised matrix.
#[derive(Debug, Clone)]
pub(crate) struct Factor {
    scale: DVector<f64>,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// Of full rank, with the inverse.
    Cholesky(Cholesky<f64, Dyn>, DMatrix<f64>),
    /// Eigenvectors, and 1 over their eigenvalues; 0 for those without significance.
    Eigen { vectors: DMatrix<f64>, inverses: DVector<f64> },
}

impl Factor {
    /// The factor of a scaled matrix, and the condition number.
    fn new(matrix: DMatrix<f64>, scale: DVector<f64>) -> (Factor, f64) {
        let rounding = rounding(matrix.nrows());
        if let Some(cholesky) = Cholesky::new(matrix.clone()) {
            let inverse = inverse(&cholesky);
            let [most, most_of_inverse] = [&matrix, &inverse]
                .map(|matrix| largest_eigenvalue(matrix.nrows(), |vector| matrix * vector));
            let condition = most * most_of_inverse;
            if condition * rounding < 1.0 {
                return (Factor { scale, kind: Kind::Cholesky(cholesky, inverse) }, condition);
            }
        }
        let eigen = SymmetricEigen::new(matrix);
        let largest = eigen.eigenvalues.max();
        let significant = |value: &f64| *value > largest * rounding;
        let smallest = eigen.eigenvalues.iter().copied().filter(significant).fold(f64::INFINITY, f64::min);
        let invert = |value| if significant(&value) { 1.0 / value } else { 0.0 };
        let kind = Kind::Eigen { vectors: eigen.eigenvectors, inverses: eigen.eigenvalues.map(invert) };
        (Factor { scale, kind }, largest / smallest)
    }

    /// Solves for one right side; open directions get no share.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let scaled = DVector::from_column_slice(right).component_mul(&self.scale);
        let solved = match &self.kind {
            Kind::Cholesky(cholesky, _) => cholesky.solve(&scaled),
            Kind::Eigen { vectors, inverses } => vectors * vectors.tr_mul(&scaled).component_mul(inverses),
        };
        solved.component_mul(&self.scale).as_slice().to_vec()
    }

    /// The diagonal of `H^-1 B H^-1` for a symmetric `B` of these entries, and of each row the entries behind
    /// it; open directions get no share. None on the diagonal where it is no larger than its rounding.
    pub fn sandwich(&self, entry: impl Fn(usize, usize) -> f64) -> (Vec<Option<f64>>, Vec<Vec<f64>>) {
        let size = self.scale.len();
        let middle = DMatrix::from_fn(size, size, |row, column| {
            entry(row, column) * self.scale[row] * self.scale[column]
        });
        let inverse = self.scaled_inverse();
        let right = |row, column| dot(column_of(&middle, row), column_of(&inverse, column));
        let right = DMatrix::from_fn(size, size, right);
        let variance = |at: usize| {
            let (inverse, right) = (column_of(&inverse, at), column_of(&right, at));
            let variance = dot(inverse, right);
            let rounding = inverse.iter().zip(right).map(|(a, b)| (a * b).abs()).sum::<f64>() * ROUNDING;
            (variance > rounding || rounding == 0.0).then(|| variance * self.scale[at].powi(2))
        };
        let covariance = |a: usize, b: usize| {
            dot(column_of(&inverse, a), column_of(&right, b)) * self.scale[a] * self.scale[b]
        };
        let behind = |a: usize| (a + 1..size).map(|b| covariance(a, b)).collect();
        ((0..size).map(variance).collect(), (0..size).map(behind).collect())
    }

    /// The diagonal of the inverse; open directions get no share.
    fn inverse_diagonal(&self) -> Vec<f64> {
        let inverse = self.scaled_inverse();
        (0..self.scale.len()).map(|at| inverse[(at, at)] * self.scale[at].powi(2)).collect()
    }

    /// The inverse of the matrix as it was factorised, with a unit diagonal.
    fn scaled_inverse(&self) -> Cow<'_, DMatrix<f64>> {
        match &self.kind {
            Kind::Cholesky(_, inverse) => Cow::Borrowed(inverse),
            Kind::Eigen { vectors, inverses } => {
                Cow::Owned(vectors * DMatrix::from_diagonal(inverses) * vectors.transpose())
            }
        }
    }

    /// Whether the equations determine unknown `index`, and not merely its sum with others.
    pub fn determines(&self, index: usize) -> bool {
        match &self.kind {
            Kind::Cholesky(..) => true,
            Kind::Eigen { vectors, inverses } => {
                let row = vectors.row(index);
                let open = row.iter().zip(inverses.iter()).filter(|&(_, &inverse)| inverse == 0.0);
                open.map(|(entry, _)| entry * entry).sum::<f64>() < OPEN_SHARE
            }
        }
    }

    /// The part of `values` along the directions that the equations leave open.
    fn open_part(&self, values: &[f64]) -> Vec<f64> {
        match &self.kind {
            Kind::Cholesky(..) => vec![0.0; values.len()],
            Kind::Eigen { vectors, inverses } => {
                let scaled = DVector::from_column_slice(values).component_div(&self.scale);
                let open = inverses.map(|inverse| if inverse == 0.0 { 1.0 } else { 0.0 });
                let part = vectors * vectors.tr_mul(&scaled).component_mul(&open);
                part.component_mul(&self.scale).as_slice().to_vec()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{plan::FitOptions, synthetic};

    /// The planted solution in 1/256 unit.
    const PLANTED: [i64; 3] = [-3 * 256 + 7, 11 * 256 + 100, 2 * 256 + 1];

    /// The equations of rows in 1/256 count whose targets, in 1/65536 unit, are these.
    fn system(rows: &[[i64; 3]], target: impl Fn(&[i64; 3]) -> i64) -> System {
        let mut system =
            System { grids: vec![Grid::SEARCH; 3], matrix: vec![0; 9], right: vec![0; 3], is_rounded: false };
        for row in rows {
            for i in 0..3 {
                system.right[i] += (i128::from(row[i]) * i128::from(target(row))) << 40;
                for j in 0..3 {
                    system.matrix[3 * i + j] += i128::from(row[i] * row[j]) << MATRIX_BITS;
                }
            }
        }
        system
    }

    fn planted(rows: &[[i64; 3]]) -> System {
        system(rows, |row| row.iter().zip(PLANTED).map(|(d, a)| d * a).sum())
    }

    /// A ridge towards 6, 2 and 1.
    fn penalty(ridge: f64) -> Penalty {
        let model = synthetic::model(&[6.0, 2.0, 1.0]);
        Penalty::new(&model, &[0, 1, 2], ridge, &FitOptions::default())
    }

    fn largest_error(solution: &Solution) -> f64 {
        let errors = solution.values.iter().zip(PLANTED).map(|(x, planted)| x - planted as f64 / 256.0);
        errors.fold(0.0, |most: f64, error| most.max(error.abs()))
    }

    #[test]
    fn a_consistent_system_is_solved_to_the_last_digit_of_the_grid() {
        let rows = [[256, 0, 100], [30, -512, 7], [0, 90, 256], [100, 100, -100]];
        let solution = solve(&planted(&rows), &penalty(0.0)).unwrap();
        assert_eq!((largest_error(&solution), solution.rank), (0.0, 3));
        assert!(solution.loose.is_none());
        assert!((0..3).all(|index| solution.factor.determines(index)));
    }

    #[test]
    fn a_nearly_singular_system_is_solved_all_the_same() {
        let mut random = fastrand::Rng::with_seed(3);
        let rows: Vec<[i64; 3]> = (0..200)
            .map(|at| {
                let long = random.i64(-100_000..=100_000);
                [long, long + i64::from(at % 50 == 0), random.i64(-1000..=1000)]
            })
            .collect();
        let solution = solve(&planted(&rows), &penalty(0.0)).unwrap();
        assert!(solution.condition > 1e8, "{}", solution.condition);
        assert!(largest_error(&solution) < 1e-9, "{}", largest_error(&solution));
    }

    #[test]
    fn sums_of_more_than_62_bits_are_solved_without_their_lowest_bits() {
        let rows: Vec<[i64; 3]> =
            [[1, 0, 3], [2, -1, 0], [0, 1, 1], [1, 1, -1]].map(|row| row.map(|d| d << 22)).to_vec();
        let system = planted(&rows);
        assert!(system.matrix.iter().any(|&entry| entry > 1 << 82));
        assert!(largest_error(&solve(&system, &penalty(0.0)).unwrap()) < 1e-9);
    }

    /// Columns in a 1024th, in 1 and in 65536, so that their grids differ, and solutions that differ as much
    /// the other way.
    #[test]
    fn columns_of_any_size_are_solved_as_if_they_were_of_one() {
        let rows = [[256, 0, 100], [30, -512, 7], [0, 90, 256], [100, 100, -100]];
        let (plain, units) = (planted(&rows), [-10, 0, 16]);
        let grids = units.map(|unit| Grid { bits: 8 - unit, spare: 20 });
        let system = System { grids: grids.to_vec(), ..plain };
        let solution = solve(&system, &penalty(0.0)).unwrap();
        let scaled = solution.values.iter().zip(units).map(|(value, unit)| value * 2_f64.powi(unit));
        assert_eq!(scaled.collect::<Vec<f64>>(), PLANTED.map(|value| value as f64 / 256.0));
    }

    #[test]
    fn directions_that_a_singular_system_leaves_open_stay_at_the_reference() {
        let rows = [[256, 0, 0], [0, 256, 256], [100, 30, 30], [10, -70, -70]];
        let solution = solve(&planted(&rows), &penalty(0.0)).unwrap();
        assert_eq!(solution.rank, 2);
        let [first, second, third] = solution.values[..] else { panic!("three unknowns") };
        let planted = PLANTED.map(|value| value as f64 / 256.0);
        assert!((first - planted[0]).abs() < 1e-9);
        assert!((second + third - planted[1] - planted[2]).abs() < 1e-9);
        assert!((second - third - (2.0 - 1.0)).abs() < 1e-9, "the references are 2 and 1");
        assert_eq!([0, 1, 2].map(|index| solution.factor.determines(index)), [true, false, false]);
        let loose = solution.loose.unwrap();
        assert_eq!((loose.unknowns(), loose.sets()), (vec![false, true, true], vec![vec![1, 2]]));
    }

    #[test]
    fn open_directions_are_told_by_few_unknowns_each() {
        // The first is the sum of the next two, and the last two say the same.
        let rows = [[3, 1, 2, 4, 4], [5, 4, 1, -1, -1], [1, 0, 1, 2, 2], [7, 5, 2, 8, 8], [9, 1, 8, 1, 1]];
        let rows = DMatrix::from_fn(5, 5, |row, column| f64::from(rows[row][column]));
        let (matrix, scale) = scaled(&rows.tr_mul(&rows));
        let loose = LooseDirections::of(matrix, scale, false).0;
        assert_eq!((loose.unknowns(), loose.sets()), (vec![true; 5], vec![vec![3, 4], vec![0, 1, 2]]));
    }

    #[test]
    fn a_strong_ridge_holds_to_the_reference_and_makes_any_system_regular() {
        let solution = solve(&planted(&[[256, 0, 0], [0, 256, 256]]), &penalty(1e9)).unwrap();
        let errors = solution.values.iter().zip([6.0, 2.0, 1.0]).map(|(x, reference)| x - reference);
        assert!(errors.into_iter().all(|error: f64| error.abs() < 1e-6));
        assert_eq!((solution.rank, solution.loose.unwrap().unknowns()), (2, vec![false, true, true]));
        assert!(solution.condition < 1.001);
    }

    #[test]
    fn a_solution_beyond_all_weights_is_an_error() {
        let rows = [[1, 0, 0], [0, 256, 0], [0, 0, 256]];
        let system = system(&rows, |row| if row[0] == 1 { 1 << 48 } else { 0 });
        assert!(matches!(solve(&system, &penalty(0.0)), Err(Error::NoSolution)));
    }
}
