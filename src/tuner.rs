//! The iteration loop: search all positions, count, fit, and again with the new weights.
//!
//! `N` fits are `N + 1` measured passes: pass 0 measures the start, pass `i` the weights of fit `i`. Each
//! pass ends in an [`IterationReport`] that goes to an [`Observer`], who writes files, draws a screen or
//! does nothing. The loop knows no files, and time only as a note beside the report, so that the same run
//! gives the same bytes.

use std::time::Instant;

use crate::{
    decision::Decision,
    error::{Error, Result},
    feature::Weights,
    fit::{self, Fit, FitOptions},
    game::WinnerPosition,
    sample::{self, Agreement, Recall, Sample, Sampling},
    value::in_units,
};

/// The positions of a run.
#[derive(Debug, Clone, Copy)]
pub struct Data<'a> {
    /// Positions to fit.
    pub training: &'a [WinnerPosition],
    /// Positions of other games, measured and never fitted; may be empty.
    pub held_out: &'a [WinnerPosition],
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How positions are searched and kept.
    pub sampling: Sampling,
    /// How weights are fitted; its variance is set by `keep_spread`.
    pub fit: FitOptions,
    /// Whether the fit keeps the spread that the values had at the start.
    pub keep_spread: bool,
    /// Fits to make.
    pub iterations: u32,
    /// Fits without a better agreement after which to stop.
    pub patience: Option<u32>,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// All fits were made.
    Iterations,
    /// Agreement has not risen for long enough.
    Patience,
    /// The observer asked for it; the pass that ran is dropped.
    Cancelled,
}

/// Places of a [`Miss`] histogram: no miss, up to 8, 16, .. 128 units, more.
pub const MISS_PLACES: usize = 18;

/// Units of one place of a [`Miss`] histogram.
pub const MISS_STEP: f64 = 8.0;

/// How far the played move lies behind the best kept alternative.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Miss {
    /// Root of the mean square, in units.
    pub rms: f64,
    /// Counts by size: place 0 no miss, then steps of [`MISS_STEP`], the last place more.
    pub histogram: [u64; MISS_PLACES],
}

/// What one pass measured. Its numbers are rounded as files print them, so that a report read back from a
/// file is the same report.
#[derive(Debug, Clone, PartialEq)]
pub struct IterationReport {
    /// Number of the pass; 0 is the start.
    pub number: u32,
    /// Agreement on the positions fitted.
    pub training: Agreement,
    /// Agreement on the positions held out, where there are some.
    pub held_out: Option<Agreement>,
    /// Pooled within-position standard deviation of the kept values, in units.
    pub spread: f64,
    /// Mean of E - E_x over the kept rows, in units.
    pub mean_gain: f64,
    /// The misses over the positions in bound.
    pub miss: Miss,
    /// The fit that led to these weights; none at the start.
    pub fit: Option<FitReport>,
}

impl IterationReport {
    /// The agreement by which passes are compared: on the games held out, where there are some.
    pub fn judged_by(&self) -> f64 {
        self.held_out.as_ref().unwrap_or(&self.training).match_rate()
    }
}

/// What the fit before a pass did, in short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitReport {
    /// Parameters solved for.
    pub solved: usize,
    /// Rank of the equations.
    pub rank: usize,
    /// Condition number.
    pub condition: f64,
    /// Root mean square of the residuals, in units.
    pub residual: f64,
    /// Largest change of a parameter, in units.
    pub max_change: f64,
}

/// Where the time of a pass went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timing {
    /// Seconds of searching.
    pub search: f64,
    /// Seconds of the fit that led to the pass.
    pub fit: f64,
}

/// Follows a run. Called from the thread that runs it, but for [`Observer::searched`].
pub trait Observer: Sync {
    /// A pass begins, with so many positions to search.
    fn begins(&self, _pass: u32, _positions: usize) {}

    /// One more position is searched; says whether to go on. Called from all threads.
    fn searched(&self, _sample: &Sample) -> bool {
        true
    }

    /// A pass is measured. `fit` is the fit that led to it.
    ///
    /// # Errors
    ///
    /// What the observer could not do with it; ends the run.
    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()>;
}

/// One measured pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// What was measured.
    pub report: IterationReport,
    /// The weights it was measured with.
    pub weights: Weights,
    /// Where the time went.
    pub timing: Timing,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// All passes, those of an earlier part of a resumed run included.
    pub passes: Vec<Pass>,
    /// Why it ended.
    pub stopped: StopReason,
}

impl Run {
    /// The pass with the best agreement; the earliest of equals.
    pub fn best(&self) -> usize {
        best(self.passes.iter().map(|pass| &pass.report))
    }
}

/// Index of the report with the best agreement; the earliest of equals.
pub fn best<'a>(reports: impl Iterator<Item = &'a IterationReport>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, report) in reports.enumerate() {
        if report.judged_by() > best.1 {
            best = (index, report.judged_by());
        }
    }
    best.0
}

/// Runs a plan from `start`.
///
/// # Errors
///
/// No positions to fit, a fit that fails, or an observer that could not do its part.
pub fn tune(data: Data, start: &Weights, plan: &Plan, observer: &dyn Observer) -> Result<Run> {
    resume(data, start, plan, Vec::new(), observer)
}

/// Goes on after the passes that an interrupted run of the same plan has finished.
///
/// # Errors
///
/// As [`tune`].
pub fn resume(
    data: Data,
    start: &Weights,
    plan: &Plan,
    finished: Vec<Pass>,
    observer: &dyn Observer,
) -> Result<Run> {
    if data.training.is_empty() {
        return Err(Error::expected(
            "at least one position of a winner to fit",
            "none: give games with a result, or fewer --skip-moves",
        ));
    }
    let recalls = Default::default();
    let mut tuner = Tuner { data, start, plan, passes: finished, observer, recalls };
    let stopped = tuner.run()?;
    Ok(Run { passes: tuner.passes, stopped })
}

struct Tuner<'a> {
    data: Data<'a>,
    start: &'a Weights,
    plan: &'a Plan,
    passes: Vec<Pass>,
    observer: &'a dyn Observer,
    /// What passes hand on about the positions to fit and about those held out.
    recalls: [Recall; 2],
}

/// A pass with what the next fit needs of it.
struct Measured {
    training: Agreement,
    held_out: Option<Agreement>,
    decisions: Vec<Decision>,
    seconds: f64,
}

impl Tuner<'_> {
    fn run(&mut self) -> Result<StopReason> {
        let Some(mut decisions) = self.first_decisions()? else {
            return Ok(StopReason::Cancelled);
        };
        loop {
            if let Some(reason) = self.finished() {
                return Ok(reason);
            }
            let began = Instant::now();
            let fit = self.fit(&decisions)?;
            let seconds = began.elapsed().as_secs_f64();
            // The rows of the pass before are let go before the next ones are made.
            drop(decisions);
            let Some(measured) = self.measure(self.passes.len() as u32, &fit.weights)? else {
                return Ok(StopReason::Cancelled);
            };
            decisions = self.report(measured, fit.weights.clone(), Some((&fit, seconds)))?;
        }
    }

    /// Decisions to fit next: those of the start, or those of the last pass of a resumed run, which is
    /// searched again and not reported again. It must find again what it found then: other weights, games
    /// or another way of searching would make another run.
    fn first_decisions(&mut self) -> Result<Option<Vec<Decision>>> {
        if let Some(last) = self.passes.last() {
            if self.finished().is_some() {
                return Ok(Some(Vec::new()));
            }
            let last = last.clone();
            let Some(measured) = self.measure(self.passes.len() as u32 - 1, &last.weights)? else {
                return Ok(None);
            };
            let report = &last.report;
            let same_held_out = match (&measured.held_out, &report.held_out) {
                (Some(measured), Some(report)) => measured.counts_as(report),
                (measured, report) => measured.is_none() && report.is_none(),
            };
            if !measured.training.counts_as(&report.training) || !same_held_out {
                return Err(Error::expected(
                    format!("the agreement that pass {} was measured with", report.number),
                    "another: its weights or the program have changed since; begin a new run",
                ));
            }
            return Ok(Some(measured.decisions));
        }
        match self.measure(0, self.start)? {
            Some(measured) => self.report(measured, self.start.clone(), None).map(Some),
            None => Ok(None),
        }
    }

    fn finished(&self) -> Option<StopReason> {
        let fits = self.passes.len() as u32 - 1;
        let best = best(self.passes.iter().map(|pass| &pass.report)) as u32;
        if fits >= self.plan.iterations {
            Some(StopReason::Iterations)
        } else if self.plan.patience.is_some_and(|patience| fits - best >= patience) {
            Some(StopReason::Patience)
        } else {
            None
        }
    }

    fn fit(&self, decisions: &[Decision]) -> Result<Fit> {
        let (first, last) = match self.passes.as_slice() {
            [first, .., last] => (first, last),
            [only] => (only, only),
            [] => unreachable!("a fit follows a pass"),
        };
        let variance = self.plan.keep_spread.then_some(first.report.spread);
        let options = FitOptions { variance, ..self.plan.fit };
        fit::fit(decisions, &last.weights, self.start, &options)
    }

    fn measure(&mut self, number: u32, weights: &Weights) -> Result<Option<Measured>> {
        let began = Instant::now();
        let Data { training, held_out } = self.data;
        self.observer.begins(number, training.len() + held_out.len());
        let tick = |sample: &Sample| self.observer.searched(sample);
        let sampling = &self.plan.sampling;
        let samples = |positions, recall| sample::pass_again(positions, weights, sampling, recall, &tick);
        let [recall, held_out_recall] = &mut self.recalls;
        let Some(held_out_samples) = samples(held_out, held_out_recall) else { return Ok(None) };
        let held_out = (!held_out.is_empty()).then(|| Agreement::of(&held_out_samples));
        drop(held_out_samples);
        let Some(samples) = samples(training, recall) else { return Ok(None) };
        let training = Agreement::of(&samples);
        let decisions = samples.into_iter().filter_map(|sample: Sample| sample.decision).collect();
        let seconds = began.elapsed().as_secs_f64();
        Ok(Some(Measured { training, held_out, decisions, seconds }))
    }

    /// Notes a pass and tells the observer; hands the decisions back for the next fit.
    fn report(
        &mut self,
        measured: Measured,
        weights: Weights,
        fit: Option<(&Fit, f64)>,
    ) -> Result<Vec<Decision>> {
        let Measured { training, held_out, decisions, seconds } = measured;
        let report = IterationReport {
            number: self.passes.len() as u32,
            training,
            held_out,
            spread: rounded(fit::spread(&decisions), 4),
            mean_gain: rounded(mean_gain(&decisions), 4),
            miss: miss(&decisions),
            fit: fit.map(|(fit, _)| FitReport {
                solved: fit.solved,
                rank: fit.rank,
                condition: rounded_scientific(fit.condition),
                residual: rounded(fit.residual, 4),
                max_change: rounded(fit.max_change, 4),
            }),
        };
        let timing = Timing { search: seconds, fit: fit.map_or(0.0, |(_, seconds)| seconds) };
        let pass = Pass { report, weights, timing };
        self.observer.measured(&pass, fit.map(|(fit, _)| fit))?;
        self.passes.push(pass);
        Ok(decisions)
    }
}

/// Mean of E - E_x over the kept rows, in units; 0 without rows.
pub fn mean_gain(decisions: &[Decision]) -> f64 {
    let (mut sum, mut rows) = (0, 0);
    for decision in decisions {
        for kept in decision.kept() {
            sum += kept.value - decision.root.value;
            rows += 1;
        }
    }
    if rows == 0 { 0.0 } else { in_units(sum) / rows as f64 }
}

/// The misses of the played moves.
pub fn miss(decisions: &[Decision]) -> Miss {
    let mut miss = Miss::default();
    let mut squares = 0.0;
    for decision in decisions {
        let units = in_units(decision.miss());
        squares += units * units;
        let place = (units / MISS_STEP).ceil() as usize;
        miss.histogram[place.min(MISS_PLACES - 1)] += 1;
    }
    if !decisions.is_empty() {
        miss.rms = rounded((squares / decisions.len() as f64).sqrt(), 4);
    }
    miss
}

/// `value` with so many decimals, as a file prints it; zero without a sign.
fn rounded(value: f64, decimals: usize) -> f64 {
    format!("{value:.decimals$}").parse().unwrap_or(value) + 0.0
}

/// `value` with three significant digits.
fn rounded_scientific(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use std::{
        path::Path,
        sync::atomic::{AtomicUsize, Ordering},
        sync::{Mutex, OnceLock},
    };

    use super::*;
    use crate::{
        decision::Outcome,
        feature::{FeatureVector, Key},
        fit::Force,
        game::{self, GameOptions},
        search::Settings,
        value::UNIT,
    };

    /// What an observer was told, and when it says no.
    #[derive(Default)]
    struct Witness {
        begun: Mutex<Vec<(u32, usize)>>,
        searched: AtomicUsize,
        measured: Mutex<Vec<u32>>,
        cancel_after: Option<usize>,
        fail_at: Option<u32>,
    }

    impl Observer for Witness {
        fn begins(&self, pass: u32, positions: usize) {
            self.begun.lock().unwrap().push((pass, positions));
        }

        fn searched(&self, _sample: &Sample) -> bool {
            let searched = self.searched.fetch_add(1, Ordering::Relaxed);
            self.cancel_after.is_none_or(|limit| searched < limit)
        }

        fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
            let number = pass.report.number;
            assert_eq!(fit.is_some(), number > 0);
            assert!(fit.is_none_or(|fit| fit.weights == pass.weights));
            self.measured.lock().unwrap().push(number);
            if self.fail_at == Some(number) { Err(Error::new("the disk is full")) } else { Ok(()) }
        }
    }

    /// Every 150th position of the shipped games.
    fn positions() -> &'static [WinnerPosition] {
        static POSITIONS: OnceLock<Vec<WinnerPosition>> = OnceLock::new();
        POSITIONS.get_or_init(|| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/gm1988.pgn");
            game::load(&path, &GameOptions::default(), 150, &mut |error| panic!("{error}")).unwrap().positions
        })
    }

    /// A quarter of the positions held out.
    fn data() -> Data<'static> {
        let (held_out, training) = positions().split_at(positions().len() / 4);
        Data { training, held_out }
    }

    /// Fits that move at once, on shallow searches.
    fn plan(iterations: u32) -> Plan {
        Plan {
            sampling: Sampling {
                search: Settings { depth: 1, ..Settings::default() },
                ..Sampling::default()
            },
            fit: FitOptions { strength: 256.0, ..FitOptions::default() },
            keep_spread: true,
            iterations,
            patience: None,
        }
    }

    fn run(plan: &Plan, witness: &Witness) -> Run {
        tune(data(), &Weights::start(), plan, witness).unwrap()
    }

    /// All of a run that does not depend on the clock.
    fn timeless(run: &Run) -> (Vec<(&IterationReport, &Weights)>, StopReason) {
        (run.passes.iter().map(|pass| (&pass.report, &pass.weights)).collect(), run.stopped)
    }

    #[test]
    fn three_fits_are_four_measured_passes() {
        let witness = Witness::default();
        let run = run(&plan(3), &witness);
        assert_eq!(run.stopped, StopReason::Iterations);
        let all = positions().len();
        assert_eq!(witness.begun.into_inner().unwrap(), [(0, all), (1, all), (2, all), (3, all)]);
        assert_eq!(witness.measured.into_inner().unwrap(), [0, 1, 2, 3]);
        assert_eq!(witness.searched.into_inner(), 4 * all);
        for (number, pass) in run.passes.iter().enumerate() {
            let report = &pass.report;
            assert_eq!((report.number as usize, report.fit.is_some()), (number, number > 0));
            assert!(report.training.positions > 0 && report.held_out.as_ref().unwrap().positions > 0);
        }
        assert_eq!(run.passes[0].weights, Weights::start());
        assert_ne!(run.passes[3].weights, run.passes[2].weights);
        assert_ne!(run.passes[3].report.training, run.passes[0].report.training);
    }

    #[test]
    fn without_fits_the_start_is_measured_and_that_is_all() {
        let run = run(&plan(0), &Witness::default());
        assert_eq!((run.passes.len(), run.stopped), (1, StopReason::Iterations));
    }

    #[test]
    fn without_a_force_nothing_moves_and_patience_runs_out() {
        let still = FitOptions { force: Force::None, ..plan(9).fit };
        for patience in [1, 3] {
            let plan = Plan { fit: still, patience: Some(patience), ..plan(9) };
            let run = run(&plan, &Witness::default());
            assert_eq!((run.passes.len() as u32, run.stopped), (1 + patience, StopReason::Patience));
            assert_eq!(run.best(), 0);
            for pass in &run.passes[1..] {
                assert_eq!(pass.report.fit.unwrap().max_change, 0.0);
                assert_eq!(pass.report.training, run.passes[0].report.training);
            }
        }
    }

    #[test]
    fn patience_counts_from_the_best_pass() {
        let patient = Plan { patience: Some(2), ..plan(60) };
        let run = run(&patient, &Witness::default());
        let last = run.passes.len() - 1;
        assert_eq!((run.stopped, last - run.best()), (StopReason::Patience, 2));
    }

    #[test]
    fn a_pass_that_is_cancelled_is_dropped_and_the_others_stay() {
        let whole = run(&plan(3), &Witness::default());
        let all = positions().len();
        for (limit, passes) in [(0, 0), (all / 2, 0), (all + 1, 1), (3 * all - 1, 2), (3 * all, 3)] {
            let witness = Witness { cancel_after: Some(limit), ..Witness::default() };
            let broken = run(&plan(3), &witness);
            assert_eq!((broken.stopped, broken.passes.len()), (StopReason::Cancelled, passes));
            assert_eq!(timeless(&broken).0, timeless(&whole).0[..passes]);
            assert_eq!(witness.measured.into_inner().unwrap().len(), passes);
        }
    }

    #[test]
    fn a_resumed_run_is_the_same_as_an_unbroken_one() {
        let whole = run(&plan(3), &Witness::default());
        for finished in 0..=4 {
            let witness = Witness::default();
            let passes = whole.passes[..finished].to_vec();
            let resumed = resume(data(), &Weights::start(), &plan(3), passes, &witness).unwrap();
            assert_eq!(timeless(&resumed), timeless(&whole), "after {finished} passes");
            let told: Vec<u32> = (finished as u32..4).collect();
            assert_eq!(witness.measured.into_inner().unwrap(), told);
        }
    }

    #[test]
    fn a_finished_run_can_go_on_for_more_fits() {
        let whole = run(&plan(3), &Witness::default());
        let short = run(&plan(1), &Witness::default());
        let longer = resume(data(), &Weights::start(), &plan(3), short.passes, &Witness::default()).unwrap();
        assert_eq!(timeless(&longer), timeless(&whole));
    }

    #[test]
    fn a_pass_with_other_weights_than_it_was_measured_with_is_not_gone_on_from() {
        let mut short = tune(data(), &Weights::start(), &plan(1), &Witness::default()).unwrap();
        short.passes[1].weights = Weights::material_only();
        let refused = resume(data(), &Weights::start(), &plan(3), short.passes, &Witness::default());
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("pass 1 was measured with"), "{message}");
    }

    #[test]
    fn a_resumed_run_that_is_cancelled_at_once_keeps_what_it_had() {
        let passes = run(&plan(1), &Witness::default()).passes;
        let witness = Witness { cancel_after: Some(3), ..Witness::default() };
        let resumed = resume(data(), &Weights::start(), &plan(3), passes.clone(), &witness).unwrap();
        assert_eq!((resumed.stopped, resumed.passes), (StopReason::Cancelled, passes));
    }

    #[test]
    fn one_thread_yields_the_same_run_as_many() {
        let runs = [1, 2, 7].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&plan(2), &Witness::default()))
        });
        assert_eq!(timeless(&runs[0]), timeless(&runs[1]));
        assert_eq!(timeless(&runs[0]), timeless(&runs[2]));
    }

    #[test]
    fn an_observer_that_fails_ends_the_run() {
        let witness = Witness { fail_at: Some(1), ..Witness::default() };
        let error = tune(data(), &Weights::start(), &plan(3), &witness).unwrap_err();
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert_eq!(witness.measured.into_inner().unwrap(), [0, 1]);
    }

    #[test]
    fn without_positions_there_is_no_run() {
        let nothing = Data { training: &[], held_out: positions() };
        let error = tune(nothing, &Weights::start(), &plan(1), &Witness::default()).unwrap_err();
        assert!(error.to_string().contains("position of a winner"), "{error}");
    }

    #[test]
    fn what_is_held_out_does_not_change_the_weights() {
        let alone = Data { held_out: &[], ..data() };
        let alone = tune(alone, &Weights::start(), &plan(2), &Witness::default()).unwrap();
        let both = run(&plan(2), &Witness::default());
        for (alone, both) in alone.passes.iter().zip(&both.passes) {
            assert_eq!((&alone.weights, &alone.report.training), (&both.weights, &both.report.training));
            assert_eq!((alone.report.held_out.is_some(), both.report.held_out.is_some()), (false, true));
        }
    }

    #[test]
    fn every_figure_of_a_report_has_the_decimals_that_a_file_has() {
        let run = run(&plan(2), &Witness::default());
        let same = |value: f64, text: String| assert_eq!(text.parse::<f64>().unwrap(), value);
        for IterationReport { spread, mean_gain, miss, fit, .. } in run.passes.iter().map(|pass| &pass.report)
        {
            let fitted = fit.map(|fit| [fit.residual, fit.max_change]).unwrap_or_default();
            for value in [*spread, *mean_gain, miss.rms].into_iter().chain(fitted) {
                same(value, format!("{value:.4}"));
            }
            if let Some(fit) = fit {
                same(fit.condition, format!("{:.2e}", fit.condition));
            }
        }
        assert_eq!(rounded(-0.000_04, 4).to_bits(), 0.0_f64.to_bits());
    }

    fn report(matched: u64, held_out: Option<u64>) -> IterationReport {
        let agreement = |matched| Agreement { positions: 100, matched, ..Agreement::default() };
        IterationReport {
            number: 0,
            training: agreement(matched),
            held_out: held_out.map(agreement),
            spread: 0.0,
            mean_gain: 0.0,
            miss: Miss::default(),
            fit: None,
        }
    }

    #[test]
    fn the_best_pass_is_the_earliest_of_equals() {
        let best_of =
            |matched: &[u64]| best(matched.iter().map(|&m| report(m, None)).collect::<Vec<_>>().iter());
        assert_eq!(
            [best_of(&[30, 32, 32, 31]), best_of(&[5, 5]), best_of(&[1, 2, 3]), best_of(&[])],
            [1, 0, 2, 0]
        );
    }

    #[test]
    fn the_best_pass_is_judged_on_games_held_out_where_there_are_some() {
        let reports = [report(30, Some(20)), report(40, Some(19)), report(35, Some(21))];
        assert_eq!(best(reports.iter()), 2);
        assert_eq!(reports[1].judged_by(), 0.19);
        assert_eq!(report(40, None).judged_by(), 0.4);
    }

    /// A decision whose kept values, in 1/2 unit, are these, the root first and then the played move.
    fn decision(halves: &[i64]) -> Decision {
        let outcome = |&halves: &i64| Outcome {
            value: halves * UNIT / 2,
            phase: 0,
            features: [(Key::NFwd.cell(), 1)].into_iter().collect::<FeatureVector>(),
        };
        Decision {
            game: 0,
            sign: -1,
            root: outcome(&halves[0]),
            played: outcome(&halves[1]),
            alternatives: halves[2..].iter().map(outcome).collect(),
            rank: 0,
        }
    }

    #[test]
    fn misses_are_counted_by_eight_units_and_their_square_is_averaged() {
        let behind = |halves: i64| decision(&[0, 0, -50, halves]);
        let places = [(-9, 0), (0, 0), (1, 1), (16, 1), (17, 2), (256, 16), (257, 17), (4000, 17)];
        for (halves, place) in places {
            let miss = miss(&[behind(halves)]);
            assert_eq!(miss.histogram[place], 1, "{halves}");
            assert_eq!(miss.rms, halves.max(0) as f64 / 2.0);
        }
        let several = miss(&[behind(6), behind(8), behind(-2)]);
        assert_eq!(
            (several.rms, &several.histogram[..2]),
            (rounded((25.0_f64 / 3.0).sqrt(), 4), &[1, 2][..])
        );
        assert_eq!(miss(&[]), Miss::default());
    }

    #[test]
    fn the_mean_gain_is_that_of_all_kept_moves_on_their_roots() {
        assert_eq!(mean_gain(&[decision(&[10, 14, 8]), decision(&[-4, -3, -4, -2])]), 1.0 / 2.0);
        assert_eq!(mean_gain(&[]), 0.0);
    }
}
