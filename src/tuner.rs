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
    sample::{self, Agreement, Sample, Sampling},
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
    fn searched(&self) -> bool {
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
    let mut tuner = Tuner { data, start, plan, passes: finished, observer };
    let stopped = tuner.run()?;
    Ok(Run { passes: tuner.passes, stopped })
}

struct Tuner<'a> {
    data: Data<'a>,
    start: &'a Weights,
    plan: &'a Plan,
    passes: Vec<Pass>,
    observer: &'a dyn Observer,
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
    /// searched again and not reported again.
    fn first_decisions(&mut self) -> Result<Option<Vec<Decision>>> {
        if let Some(last) = self.passes.last() {
            if self.finished().is_some() {
                return Ok(Some(Vec::new()));
            }
            let weights = last.weights.clone();
            let measured = self.measure(self.passes.len() as u32 - 1, &weights)?;
            return Ok(measured.map(|measured| measured.decisions));
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

    fn measure(&self, number: u32, weights: &Weights) -> Result<Option<Measured>> {
        let began = Instant::now();
        let Data { training, held_out } = self.data;
        self.observer.begins(number, training.len() + held_out.len());
        let tick = || self.observer.searched();
        let samples = |positions| sample::pass(positions, weights, &self.plan.sampling, &tick);
        let Some(held_out_samples) = samples(held_out) else { return Ok(None) };
        let held_out = (!held_out.is_empty()).then(|| Agreement::of(&held_out_samples));
        drop(held_out_samples);
        let Some(samples) = samples(training) else { return Ok(None) };
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

/// `value` with so many decimals, as a file prints it.
fn rounded(value: f64, decimals: usize) -> f64 {
    format!("{value:.decimals$}").parse().unwrap_or(value)
}

/// `value` with three significant digits.
fn rounded_scientific(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
