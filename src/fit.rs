//! Fits weights to decisions: new weights under which the played moves come out ahead more often.
//!
//! One fit is one linear least-squares problem. Its unknowns are the tuned weights, its rows the kept
//! moves of all positions, as differences from their roots, and its targets the values that the moves
//! have now, plus a small force on the played move and against its rivals. Without a force the fit gives
//! back the weights it was made with: the identity, which tests everything from the search to the solver.
//! (Andreas Nowatzyk, "Eval Tuning in Deep Thought", on the tuning of 1988.)
//!
//! ```text
//! Decision -> rows (columns, force, variance) -> normal sums -> solve (penalty) -> sandwich -> Fit
//! ```
//!
//! This is the mathematical column: vectors, phases and values, but no board, no moves, no files. It does
//! one fit; `tuner` iterates.

pub mod columns;
pub mod force;
pub mod normal;
pub mod options;
pub mod penalty;
pub mod rows;
mod sandwich;
pub mod solve;
#[cfg(test)]
pub(crate) mod synthetic;
pub mod variance;

use std::{collections::BTreeMap, fmt};

use rayon::prelude::*;

pub use self::{
    columns::{Columns, Parameter, Part},
    force::{Balance, Force, Forces},
    normal::NormalEquations,
    options::{FitOptions, RidgeTo},
    variance::spread,
};
use self::{
    penalty::Penalty,
    rows::{RowMaker, Targets},
    sandwich::Fitted,
};
use crate::{
    decision::Decision,
    error::{Error, Result},
    feature::Weights,
};

/// Games that a thread sums at least before its sums are merged.
const GAMES_AT_A_TIME: usize = 16;

/// Why a tuned parameter kept its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No kept move differs from its root there.
    Untouched,
    /// Only so many positions do.
    TooFewPositions(u32),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Untouched => f.pad("in no position"),
            Reason::TooFewPositions(1) => f.pad("in 1 position only"),
            Reason::TooFewPositions(count) => f.pad(&format!("in {count} positions only")),
        }
    }
}

/// What a fit did to one tuned parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterReport {
    /// The parameter.
    pub parameter: Parameter,
    /// Its value before, rounded to 1/256 unit as the search used it.
    pub before: f64,
    /// Its value after; equal to `before` where it was frozen.
    pub after: f64,
    /// Standard error of `after`, clustered by game; none where it was frozen or the games do not tell.
    pub standard_error: Option<f64>,
    /// Number of positions that touch it.
    pub support: u32,
    /// Why it kept its value, if it did.
    pub frozen: Option<Reason>,
}

/// What came of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The new weights, not rounded. What was not solved for is as it was, to the last bit.
    pub weights: Weights,
    /// The tuned parameters, frozen ones included, in the order of the table of features.
    pub parameters: Vec<ParameterReport>,
    /// Number of rows: kept moves, the played ones included.
    pub rows: u64,
    /// Number of positions.
    pub positions: u64,
    /// Number of parameters solved for.
    pub solved: usize,
    /// Rank of the sums alone over those parameters.
    pub rank: usize,
    /// Condition number of the system solved, penalty included, scaled to a unit diagonal.
    pub condition: f64,
    /// Root mean square of the residuals, in units.
    pub residual: f64,
    /// Largest change of a parameter, in units.
    pub max_change: f64,
    /// Pooled within-position standard deviation of the kept values before the fit, in units.
    pub spread: f64,
    /// Share by which the values were stretched about their means to keep their spread.
    pub compensation: f64,
}

/// Fits the tuned weights of `current`, under which `decisions` were searched, once. `start` serves only
/// a ridge towards it.
///
/// # Errors
///
/// When there is nothing to fit or to fit with, an option makes no sense, sums would overflow, or the
/// weights would leave their limits.
pub fn fit(decisions: &[Decision], current: &Weights, start: &Weights, options: &FitOptions) -> Result<Fit> {
    options.validate()?;
    current.validate()?;
    let problem = Problem::new(decisions, current, options)?;
    let kept = problem.kept()?;
    let solution = problem.solve(&kept, current, start, options)?;
    let mut values = problem.before();
    for (&column, &value) in kept.iter().zip(&solution.values) {
        values[column] = value;
    }
    let fitted = Fitted {
        columns: &problem.columns,
        targets: problem.targets,
        kept: &kept,
        values: &values,
        factor: &solution.factor,
    };
    let sandwich = sandwich::sandwich(&problem.games, &fitted)?;
    let parameters = problem.reports(&kept, &values, &sandwich.errors);
    Ok(Fit {
        weights: changed(current, &parameters)?,
        rows: problem.equations.rows(),
        positions: problem.equations.positions(),
        solved: kept.len(),
        rank: solution.rank,
        condition: solution.condition,
        residual: sandwich.residual,
        max_change: parameters.iter().fold(0.0, |most, p| most.max((p.after - p.before).abs())),
        spread: problem.spread,
        compensation: problem.targets.compensation,
        parameters,
    })
}

/// One least-squares problem over all tuned parameters.
struct Problem<'a> {
    columns: Columns,
    targets: Targets,
    spread: f64,
    games: Vec<Vec<&'a Decision>>,
    equations: NormalEquations,
    frozen: Vec<Option<Reason>>,
    min_support: u32,
}

impl<'a> Problem<'a> {
    fn new(decisions: &'a [Decision], current: &Weights, options: &FitOptions) -> Result<Problem<'a>> {
        let columns = Columns::new(current);
        if decisions.is_empty() {
            return Err(Error::expected(
                "positions to fit",
                "none with two moves in bound; take more games, or raise --threshold",
            ));
        }
        if columns.is_empty() {
            return Err(Error::expected("weights to tune", "none; name some with --tune"));
        }
        let spread = spread(decisions);
        let targets = options.targets(spread);
        let games = by_game(decisions);
        let equations = sum(&games, &columns, targets)?;
        let min_support = options.min_support;
        let frozen = equations.support().iter().map(|&support| reason(support, min_support)).collect();
        Ok(Problem { columns, targets, spread, games, equations, frozen, min_support })
    }

    /// The columns to be solved for.
    fn kept(&self) -> Result<Vec<usize>> {
        let kept: Vec<usize> = (0..self.columns.len()).filter(|&at| self.frozen[at].is_none()).collect();
        if kept.is_empty() {
            return Err(Error::expected(
                format!("a tuned weight that {} or more positions touch", self.min_support.max(1)),
                "none; lower --min-support, take more games, or --tune more",
            ));
        }
        Ok(kept)
    }

    /// Solves for the columns `kept`; the others stay as the search used them.
    fn solve(
        &self,
        kept: &[usize],
        current: &Weights,
        start: &Weights,
        options: &FitOptions,
    ) -> Result<solve::Solution> {
        let sums = self.equations.sums().restrict(kept, self.columns.values());
        let rounded = current.rounded();
        let reference = match options.ridge_to {
            RidgeTo::Current => &rounded,
            RidgeTo::Start => start,
        };
        let strengths = [options.ridge, options.smooth];
        let penalty = Penalty::new(&self.columns, kept, strengths, &rounded, reference)?;
        solve::solve(&sums, &penalty)
    }

    /// Values of all columns before the fit, as the search used them.
    fn before(&self) -> Vec<f64> {
        self.columns.values().iter().map(|&value| value as f64 / 256.0).collect()
    }

    fn reports(&self, kept: &[usize], values: &[f64], errors: &[Option<f64>]) -> Vec<ParameterReport> {
        let before = self.before();
        let report = |column: usize| ParameterReport {
            parameter: self.columns.parameters()[column],
            before: before[column],
            after: values[column],
            standard_error: kept.binary_search(&column).ok().and_then(|at| errors[at]),
            support: self.equations.support()[column],
            frozen: self.frozen[column],
        };
        (0..self.columns.len()).map(report).collect()
    }
}

/// The decisions of each game, games by number.
fn by_game(decisions: &[Decision]) -> Vec<Vec<&Decision>> {
    let mut games: BTreeMap<u32, Vec<&Decision>> = BTreeMap::new();
    for decision in decisions {
        games.entry(decision.game).or_default().push(decision);
    }
    games.into_values().collect()
}

/// Sums the normal equations over all games.
fn sum(games: &[Vec<&Decision>], columns: &Columns, targets: Targets) -> Result<NormalEquations> {
    let zero = || NormalEquations::new(columns.len());
    let add = |mut equations: NormalEquations, game: &Vec<&Decision>| {
        let mut maker = RowMaker::new(columns, targets);
        for decision in game {
            equations.add(maker.make(decision)?)?;
        }
        Ok(equations)
    };
    let merge = |mut equations: NormalEquations, other: NormalEquations| {
        equations.merge(&other)?;
        Ok(equations)
    };
    let parts = games.par_iter().with_min_len(GAMES_AT_A_TIME).try_fold(zero, add);
    parts.try_reduce_with(merge).unwrap_or_else(|| Ok(zero()))
}

/// Why a parameter with this support is frozen, if it is.
fn reason(support: u32, least: u32) -> Option<Reason> {
    match support {
        0 => Some(Reason::Untouched),
        few if few < least => Some(Reason::TooFewPositions(few)),
        _ => None,
    }
}

/// The weights with the parameters that were solved for at their new values.
fn changed(current: &Weights, parameters: &[ParameterReport]) -> Result<Weights> {
    let mut weights = current.clone();
    for report in parameters.iter().filter(|report| report.frozen.is_none()) {
        report.parameter.set(&mut weights, report.after);
    }
    weights.validate().map_err(|error| {
        Error::new(format!(
            "the fit went astray: {error}; raise --ridge or --min-support, or lower --strength"
        ))
    })?;
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        decision::Outcome,
        feature::Key,
        fit::synthetic::{Kind, decisions, revalued, tuning},
    };

    /// No ridge, no threshold, no force: what a test does not name does nothing.
    const BARE: FitOptions = FitOptions {
        force: Force::None,
        strength: 32.0,
        scale: 32.0,
        balance: Balance::All,
        variance: None,
        min_support: 0,
        ridge: 0.0,
        ridge_to: RidgeTo::Current,
        smooth: 0.0,
    };

    const PAIR: [Key; 2] = [Key::NFwd, Key::RFwd];

    /// Gradients, free cells, singles, opening weights and frozen ones, none of them on the grid of 1/256.
    fn mixed() -> Weights {
        let mut weights = Weights::start();
        for key in [Key::PAdv, Key::KCen, Key::Sh, Key::Storm, Key::Duo] {
            weights.free_table(key).unwrap();
        }
        for &key in Key::standard() {
            let setting = weights.setting_mut(key);
            if setting.tune[0] && key.feature().ends != crate::feature::Ends::OpeningOnly {
                setting.open.iter_mut().chain(&mut setting.end).for_each(|weight| *weight += 0.123_456);
            }
        }
        weights
    }

    fn report<'a>(fit: &'a Fit, name: &str) -> &'a ParameterReport {
        fit.parameters.iter().find(|report| report.parameter.to_string() == name).unwrap()
    }

    /// Mean over all kept moves of what they gain on the root, in units.
    fn mean_gain(decisions: &[Decision]) -> f64 {
        let gain = |d: &Decision| d.kept().map(|kept| kept.value - d.root.value).sum::<i64>() as f64;
        let rows: usize = decisions.iter().map(|d| d.kept().count()).sum();
        decisions.iter().map(gain).sum::<f64>() / crate::value::UNIT as f64 / rows as f64
    }

    #[test]
    fn without_a_force_the_fit_gives_back_its_weights() {
        let weights = mixed();
        let decisions = decisions(1, &Kind::full(), &weights);
        for (ridge, smooth) in [(0.0, 0.0), (100.0, 0.0), (100.0, 30.0)] {
            let options = FitOptions { ridge, smooth, ..FitOptions::default() }.identity();
            let fit = fit(&decisions, &weights, &Weights::start(), &options).unwrap();
            assert!(fit.max_change < 1e-9, "ridge {ridge}, smooth {smooth}: {}", fit.max_change);
            assert!(fit.residual < 1e-9, "{}", fit.residual);
            assert_eq!((fit.rank, fit.positions, fit.rows), (fit.solved, 220, 1320));
            assert!(fit.solved > 200);
        }
    }

    #[test]
    fn weights_planted_in_the_values_are_recovered() {
        let (mut current, mut planted) = (mixed(), mixed());
        planted.setting_mut(Key::NFwd).open[0] = -7.5;
        planted.setting_mut(Key::Pass).end[0] = 0.25;
        planted.setting_mut(Key::TradePn).open[0] = 5.0;
        planted.setting_mut(Key::TradePn).end[0] = 5.0;
        planted.setting_mut(Key::KCen).end[17] = 40.0;
        current.setting_mut(Key::QCen).open[0] = 99.0;
        let decisions = decisions(2, &Kind::full(), &planted);
        let fit = fit(&decisions, &current, &current, &BARE).unwrap();
        let rounded = planted.rounded();
        for report in &fit.parameters {
            let error = report.after - report.parameter.get(&rounded);
            assert!(error.abs() < 1e-9, "{}: {error}", report.parameter);
        }
    }

    #[test]
    fn without_an_endgame_its_weights_are_untouched_to_the_last_bit() {
        let weights = mixed();
        let kind = Kind { phase: 0, ..Kind::full() };
        let options = FitOptions { force: Force::Linear, ridge: 100.0, ..BARE };
        let fit = fit(&decisions(3, &kind, &weights), &weights, &weights, &options).unwrap();
        for report in &fit.parameters {
            let endgame = report.parameter.part == Part::Endgame;
            assert_eq!(report.frozen, endgame.then_some(Reason::Untouched), "{}", report.parameter);
            if endgame {
                let [before, after] = [&weights, &fit.weights].map(|weights| report.parameter.get(weights));
                assert_eq!(before.to_bits(), after.to_bits());
                assert_eq!(report.standard_error, None);
            }
        }
    }

    #[test]
    fn weights_with_little_support_stay_and_their_share_leaves_the_targets() {
        let weights = tuning(&[Key::NFwd, Key::RFwd, Key::BPost]);
        let mut all = decisions(4, &Kind::over(&PAIR), &weights);
        let rare = Kind { positions: 3, ..Kind::over(&[Key::BPost, Key::NFwd]) };
        all.extend(decisions(5, &rare, &weights));
        let options = FitOptions { min_support: 4, ..BARE };
        let held = fit(&all, &weights, &weights, &options).unwrap();
        assert_eq!(report(&held, "b_post.o").frozen, Some(Reason::TooFewPositions(3)));
        assert_eq!(report(&held, "b_post.o").support, 3);
        assert_eq!((held.solved, held.parameters.len()), (4, 6));
        assert!(held.max_change < 1e-9);
        let options = FitOptions { min_support: 3, ..BARE };
        assert_eq!(fit(&all, &weights, &weights, &options).unwrap().solved, 6);
    }

    #[test]
    fn balanced_forces_change_the_right_side_by_the_played_move_less_the_mean_whatever_the_root() {
        let weights = tuning(&PAIR);
        let columns = Columns::new(&weights);
        let mut decisions = decisions(6, &Kind::over(&PAIR), &weights);
        let forces = |decisions: &[Decision]| {
            let right = |force| {
                let targets = synthetic::targets(&FitOptions { force, ..BARE });
                sum(&by_game(decisions), &columns, targets).unwrap().sums().right().to_vec()
            };
            let (with, without) = (right(Force::Linear), right(Force::None));
            with.iter().zip(without).map(|(a, b)| (a - b) as f64 / 2_f64.powi(32)).collect::<Vec<f64>>()
        };
        let open = |d: &Decision, o: &Outcome| {
            let share = f64::from(256 - o.phase) / 256.0;
            f64::from(d.sign) * share * f64::from(o.features.get(Key::NFwd.cell()))
        };
        let expected: f64 = decisions
            .iter()
            .map(|d| {
                let mean = d.alternatives.iter().map(|o| open(d, o)).sum::<f64>() / 4.0;
                crate::value::in_units(d.miss()) * (open(d, &d.played) - mean)
            })
            .sum();
        let before = forces(&decisions);
        assert!((before[0] - expected).abs() < 1e-4, "{} {expected}", before[0]);
        for decision in &mut decisions {
            decision.root = decision.alternatives[0].clone();
        }
        assert!(before.iter().zip(forces(&decisions)).all(|(a, b)| (a - b).abs() < 1e-4));
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bytes() {
        let weights = mixed();
        let kind = Kind { games: 70, ..Kind::full() };
        let decisions = decisions(7, &kind, &weights);
        let options = FitOptions { variance: Some(50.0), smooth: 10.0, ..FitOptions::default() };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let fit = pool.install(|| fit(&decisions, &weights, &weights, &options).unwrap());
            format!("{fit:?}")
        };
        assert_eq!(on(1), on(4));
    }

    #[test]
    fn forces_bring_the_moves_of_a_player_with_other_weights_ahead() {
        let mut player = mixed();
        for key in [Key::NFwd, Key::BPost, Key::Iso, Key::ROpen, Key::QTrop] {
            let setting = player.setting_mut(key);
            setting.open.iter_mut().chain(&mut setting.end).for_each(|weight| *weight = 20.0 - *weight);
        }
        let kind = Kind { positions: 1500, density: 12, ..Kind::full() };
        let mut choices = decisions(8, &kind, &player);
        for choice in &mut choices {
            let best = choice.alternatives.iter().enumerate().max_by_key(|(_, other)| other.value);
            let (best, _) = best.filter(|(_, other)| other.value > choice.played.value).unzip();
            if let Some(best) = best {
                std::mem::swap(&mut choice.played, &mut choice.alternatives[best]);
            }
        }
        let agreement = |weights: &Weights| {
            revalued(&choices, weights).iter().filter(|choice| choice.miss() == 0).count()
        };
        let mut weights = mixed();
        let before = agreement(&weights);
        for _ in 0..8 {
            let options = FitOptions { force: Force::Linear, strength: 32.0, ridge: 1.0, ..BARE };
            weights = fit(&revalued(&choices, &weights), &weights, &weights, &options).unwrap().weights;
        }
        let after = agreement(&weights);
        assert!(after > before + 100, "{before} before, {after} after");
    }

    #[test]
    fn values_inflate_without_balance_and_do_not_with_it() {
        let mut weights = tuning(&[Key::NFwd, Key::RFwd, Key::Tempo]);
        weights.setting_mut(Key::Tempo).tune = vec![true];
        let kind = Kind { phase: 0, ..Kind::over(&PAIR) };
        let mut decisions = decisions(9, &kind, &weights);
        for decision in &mut decisions {
            // Every kept move gains the same count of one feature: a way for all values to rise.
            let sign = i16::from(decision.sign);
            for outcome in std::iter::once(&mut decision.played).chain(&mut decision.alternatives) {
                outcome.features = outcome.features.iter().chain([(Key::Tempo.cell(), sign)]).collect();
            }
        }
        let decisions = revalued(&decisions, &weights);
        let gain = |balance| {
            let options = FitOptions { force: Force::Constant, balance, ..BARE };
            let fit = fit(&decisions, &weights, &weights, &options).unwrap();
            mean_gain(&revalued(&decisions, &fit.weights))
        };
        let before = mean_gain(&decisions);
        assert!((gain(Balance::All) - before).abs() < 0.05);
        // 32 units on one of five rows.
        assert!((gain(Balance::None) - before - 32.0 / 5.0).abs() < 0.05);
    }

    #[test]
    fn a_ridge_holds_to_the_present_weights_or_to_the_start() {
        let (start, mut current) = (tuning(&PAIR), tuning(&PAIR));
        current.setting_mut(Key::NFwd).open[0] = 30.0;
        let decisions = decisions(10, &Kind::over(&PAIR), &current);
        let after = |ridge_to, ridge| {
            let options = FitOptions { ridge, ridge_to, ..BARE };
            report(&fit(&decisions, &current, &start, &options).unwrap(), "n_fwd.o").after
        };
        assert!((after(RidgeTo::Current, 1e9) - 30.0).abs() < 1e-9);
        assert!((after(RidgeTo::Start, 1e9) - 2.0).abs() < 1e-3);
        let between = after(RidgeTo::Start, 100.0);
        assert!(between > 3.0 && between < 29.0, "{between}");
    }

    #[test]
    fn smoothing_lets_a_cell_without_games_follow_its_neighbours() {
        let mut current = tuning(&[]);
        current.free_table(Key::Pass).unwrap();
        let mut planted = current.clone();
        planted.setting_mut(Key::Pass).open.iter_mut().for_each(|weight| *weight += 10.0);
        let kind = Kind { phase: 0, ..Kind::over(&[Key::Pass]) };
        let mut decisions = decisions(11, &kind, &planted);
        let unseen = Key::Pass.cell_at(2);
        for (at, decision) in decisions.iter_mut().enumerate() {
            let outcomes = [&mut decision.root, &mut decision.played];
            for outcome in outcomes.into_iter().chain(&mut decision.alternatives).filter(|_| at > 0) {
                outcome.features = outcome.features.iter().filter(|&(cell, _)| cell != unseen).collect();
            }
        }
        let decisions = revalued(&decisions, &planted);
        let change = |smooth| {
            let options = FitOptions { ridge: 100.0, smooth, ..BARE };
            let fit = fit(&decisions, &current, &current, &options).unwrap();
            let cell = report(&fit, "pass[r4].o");
            cell.after - cell.before
        };
        assert!(change(1e4) > 2.0 * change(0.0), "{} {}", change(1e4), change(0.0));
    }

    #[test]
    fn alike_features_share_a_change_and_keep_their_difference() {
        let weights = tuning(&PAIR);
        let mut planted = weights.clone();
        PAIR.iter().for_each(|&key| planted.setting_mut(key).open[0] += 8.0);
        let mut alike = decisions(12, &Kind::over(&[Key::NFwd, Key::MatN]), &planted);
        for decision in &mut alike {
            let outcomes = [&mut decision.root, &mut decision.played];
            for outcome in outcomes.into_iter().chain(&mut decision.alternatives) {
                let count = outcome.features.get(Key::NFwd.cell());
                outcome.features = outcome.features.iter().chain([(Key::RFwd.cell(), count)]).collect();
            }
        }
        let alike = revalued(&alike, &planted);
        let fit = fit(&alike, &weights, &weights, &BARE).unwrap();
        assert_eq!((fit.solved, fit.rank), (4, 2));
        for name in ["n_fwd.o", "r_fwd.o", "n_fwd.e", "r_fwd.e"] {
            let report = report(&fit, name);
            let expected = report.parameter.get(&planted);
            assert!((report.after - expected).abs() < 1e-9, "{name}: {}", report.after);
            assert_eq!(report.standard_error, None);
        }
    }

    #[test]
    fn variance_compensation_stretches_the_values_towards_the_spread_they_had() {
        let weights = tuning(&PAIR);
        let decisions = decisions(13, &Kind::over(&PAIR), &weights);
        let lost = FitOptions { variance: Some(1.1 * spread(&decisions)), ..BARE };
        let fit = fit(&decisions, &weights, &weights, &lost).unwrap();
        assert!((fit.compensation - 0.1).abs() < 1e-12);
        let after = spread(&revalued(&decisions, &fit.weights));
        assert!(after > 1.02 * fit.spread && after < 1.1 * fit.spread, "{after} {}", fit.spread);
    }

    #[test]
    fn standard_errors_are_those_of_the_formula() {
        let keys = [Key::TradePc, Key::TradePn];
        let weights = tuning(&keys);
        let kind = Kind { positions: 12, games: 4, density: 3, ..Kind::over(&keys) };
        let decisions = decisions(14, &kind, &weights);
        let options = FitOptions { force: Force::Linear, ridge: 5.0, ..BARE };
        let fit = fit(&decisions, &weights, &weights, &options).unwrap();
        let after = [0, 1].map(|at| fit.parameters[at].after);

        let mut h = [[5.0, 0.0], [0.0, 5.0]];
        let (mut scores, mut squares) = (vec![[0.0; 2]; 4], 0.0);
        for d in &decisions {
            let count = |o: &Outcome, at: usize| f64::from(o.features.get(keys[at].cell()));
            for (o, g) in d.kept().zip(synthetic::targets(&options).forces.on(d)) {
                let row = [0, 1].map(|at| f64::from(d.sign) * (count(o, at) - count(&d.root, at)));
                let target = crate::value::in_units(o.value - d.root.value) + g;
                let residual = target - row[0] * after[0] - row[1] * after[1];
                squares += residual * residual;
                for i in 0..2 {
                    scores[d.game as usize][i] += row[i] * residual;
                    (0..2).for_each(|j| h[i][j] += row[i] * row[j]);
                }
            }
        }
        let determinant = h[0][0] * h[1][1] - h[0][1] * h[1][0];
        let inverse = [[h[1][1], -h[0][1]], [-h[1][0], h[0][0]]].map(|row| row.map(|x| x / determinant));
        let factor = 4.0 / 3.0 * 59.0 / 58.0;
        for (line, report) in inverse.iter().zip(&fit.parameters) {
            let step = |u: &[f64; 2]| line[0] * u[0] + line[1] * u[1];
            let variance: f64 = scores.iter().map(|u| step(u).powi(2)).sum();
            let error = report.standard_error.unwrap();
            assert!((error - (factor * variance).sqrt()).abs() < 1e-9 * error, "{error}");
        }
        assert!((fit.residual - (squares / 60.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn nothing_to_fit_is_an_error_that_says_what_to_do() {
        let weights = tuning(&PAIR);
        let all = decisions(15, &Kind::over(&PAIR), &weights);
        let message = |decisions: &[Decision], weights: &Weights, options: &FitOptions| {
            fit(decisions, weights, weights, options).unwrap_err().to_string()
        };
        assert!(message(&[], &weights, &BARE).contains("--threshold"));
        assert!(message(&all, &tuning(&[]), &BARE).contains("--tune"));
        assert!(message(&all, &tuning(&[Key::BPost]), &BARE).contains("--min-support"));
        let violent = FitOptions { force: Force::Constant, strength: 1e8, ..BARE };
        assert!(message(&all, &weights, &violent).contains("astray"));
    }
}
