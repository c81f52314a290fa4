//! Passes and fits: search everything under the present values, measure, fit, and again with the new values.
//!
//! `N` fits are `N + 1` measured passes: pass 0 measures the start, pass `i` the values of fit `i`. Each pass
//! ends in a [`PassReport`] for an [`Observer`]. Time is a note beside the report, so that the same run gives
//! the same bytes.

use crate::{
    advice::fit_warnings,
    clock::Moment,
    collect::{Collected, Purpose},
    difference::Difference,
    error::{Error, Result},
    limits,
    loss::{LossReport, LossSets, MeanLoss},
    model::Model,
    objective::{Criterion, Objective},
    plan::{FitOptions, Plan},
    report::{FitReport, Pass, PassReport, Run, StopReason, Timing, extreme},
    searchers::{Losses, Of, Searchers},
    source::{Measured, Source},
    statistics::Statistics,
    step::{Fit, Solver, step},
    team::Team,
    temperature::{self, Temperature, TemperatureOrigin},
};

/// Follows a run, from the thread that runs it.
pub trait Observer {
    /// A pass begins.
    fn begins(&self, _pass: u32) {}

    /// The temperature is known, after the search of the first pass. Called only for an objective that has
    /// one.
    fn temperature(&self, _temperature: Temperature) {}

    /// A pass is measured. `fit` is the fit that led to it.
    ///
    /// # Errors
    ///
    /// What the observer could not do with it; ends the run.
    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()>;
}

/// Nobody follows.
impl Observer for () {
    fn measured(&self, _: &Pass, _: Option<&Fit>) -> Result<()> {
        Ok(())
    }
}

/// One pass and one fit. No result where the source was cancelled. The objective may be one of your own:
///
/// ```
/// use texam_fit::{Choice, Judged, Objective, in_units};
///
/// /// The loss of the perceptron: by how much the best other row leads the chosen one.
/// struct Perceptron;
///
/// impl Objective for Perceptron {
///     fn name(&self) -> &'static str {
///         "perceptron"
///     }
///
///     fn judge(&self, choice: &Choice, _temperature: f64, judged: &mut Judged) -> f64 {
///         let best = (0..choice.len()).max_by_key(|&row| choice.values()[row]);
///         if let Some(best) = best.filter(|_| choice.miss() > 0) {
///             (judged.pulls[0], judged.pulls[best]) = (1.0, -1.0);
///         }
///         in_units(choice.miss())
///     }
/// }
/// # let mut choice = Choice::default();
/// # choice.begin(0, 1);
/// # for value in [0, 5] {
/// #     choice.push(value * texam_fit::VALUE_UNIT, [])?;
/// # }
/// # let mut judged = Judged { pulls: vec![0.0; 2], weights: vec![1.0; 2], ..Judged::default() };
/// # assert_eq!(Perceptron.judge(&choice, 1.0, &mut judged), 5.0);
/// # assert_eq!(judged.pulls, [1.0, -1.0]);
/// # Ok::<(), texam_fit::Error>(())
/// ```
///
/// # Errors
///
/// Nothing to fit, a source that fails, or a fit without a solution.
pub fn fit_once(
    source: &mut dyn Source,
    objective: &dyn Objective,
    model: &Model,
    options: &FitOptions,
) -> Result<Option<(Measured, Fit)>> {
    options.validate()?;
    let purpose = purpose(objective, model, options, false)?;
    let mut searchers = Searchers::new(source, objective, model, None);
    let Some(collected) = searchers.pass(&model.values(), purpose)? else { return Ok(None) };
    let solver = match (objective.has_temperature(), options.temperature) {
        (false, _) => Solver::Linear { keep_spread: None },
        (true, Some(temperature)) => Solver::Newton { temperature },
        (true, None) => Solver::Newton { temperature: temperature::estimate(&searchers)?.value },
    };
    some_choices(objective, &collected.statistics)?;
    let model = model.clone().on_grids(searchers.grids());
    let fit = step(&searchers, &collected, &model, options, solver)?;
    Ok(Some((collected.measured, fit)))
}

/// Checks that a choice has an alternative, for objectives of choices.
fn some_choices(objective: &dyn Objective, statistics: &Statistics) -> Result<()> {
    let is_none = objective.criterion().has_choices() && statistics.rows <= statistics.choices;
    if is_none { Err(Error::NoChoices) } else { Ok(()) }
}

/// A run: what is fitted, from where, how, and who follows it.
pub struct Job<'a> {
    /// What pulls the rows of a choice.
    pub objective: &'a dyn Objective,
    /// The parameters, with the values that the run begins with.
    pub start: &'a Model,
    /// What is to be done.
    pub plan: &'a Plan,
    /// The passes that an interrupted run of the same plan has finished; none for a new run.
    pub finished: Vec<Pass>,
    /// Who follows the run.
    pub observer: &'a dyn Observer,
}

impl Job<'_> {
    /// Runs the plan over the choices of `source`.
    ///
    /// # Errors
    ///
    /// Nothing to fit, a source that fails, a fit without a solution, or an observer that could not do its
    /// part. Also when the last finished pass is searched again and does not agree with its report.
    pub fn run(self, source: &mut dyn Source) -> Result<Run> {
        self.lead(None, source)
    }

    /// [`run`](Job::run) as the leader of a team, if there is one; then `source` has the share of this
    /// process.
    ///
    /// # Errors
    ///
    /// As [`run`](Job::run); also when another rank fails, which the error names.
    pub fn lead(self, team: Option<&Team>, source: &mut dyn Source) -> Result<Run> {
        let team = team.map(Team::communicator);
        let searchers = Searchers::new(source, self.objective, self.start, team);
        let mut tuner = Tuner::new(searchers, self)?;
        let stopped = tuner.run()?;
        Ok(Run { passes: tuner.job.finished, stopped })
    }
}

/// What a pass is searched for: a fit follows it, unless it is the last.
fn purpose(objective: &dyn Objective, model: &Model, options: &FitOptions, is_last: bool) -> Result<Purpose> {
    if is_last {
        return Ok(if objective.has_temperature() { Purpose::Keep } else { Purpose::Measure });
    }
    if model.tuned().is_empty() {
        return Err(Error::NothingTuned);
    }
    limits::check_sums(model.tuned().len())?;
    Ok(match (objective.has_temperature(), options.errors) {
        (true, _) => Purpose::Keep,
        (false, true) => Purpose::FitWithErrors,
        (false, false) => Purpose::Fit,
    })
}

/// A job under way. Its finished passes grow.
struct Tuner<'a> {
    searchers: Searchers<'a>,
    job: Job<'a>,
    /// The temperature of the objective, where it has one and it is known.
    temperature: Option<f64>,
}

impl<'a> Tuner<'a> {
    fn new(searchers: Searchers<'a>, job: Job<'a>) -> Result<Tuner<'a>> {
        let Job { objective, start, plan, .. } = job;
        plan.options.validate()?;
        if plan.iterations > 0 {
            purpose(objective, start, &plan.options, false)?;
        }
        let known = job.finished.first().and_then(|pass| Some(pass.report.loss?.temperature));
        let temperature = plan.options.temperature.map(temperature::rounded).or(known);
        Ok(Tuner { searchers, job, temperature })
    }

    fn run(&mut self) -> Result<StopReason> {
        if !self.job.finished.is_empty()
            && let Some(reason) = self.finished()
        {
            return Ok(reason);
        }
        let first =
            if self.job.finished.is_empty() { self.measure(None, 0.0)? } else { self.search_again()? };
        let Some(mut collected) = first else { return Ok(StopReason::Cancelled) };
        loop {
            if let Some(reason) = self.finished() {
                return Ok(reason);
            }
            let began = Moment::now();
            let fit = self.fit(&collected)?;
            let seconds = began.elapsed().as_secs_f64();
            match self.measure(Some(&fit), seconds)? {
                Some(next) => collected = next,
                None => return Ok(StopReason::Cancelled),
            }
        }
    }

    /// Searches and reports the next pass: that of the start, or under the values of a fit, which took so
    /// many seconds.
    fn measure(&mut self, fit: Option<&Fit>, seconds: f64) -> Result<Option<Collected>> {
        let values = fit.map_or_else(|| self.job.start.values(), |fit| fit.values.clone());
        let model = self.job.start.with_values(&values)?;
        let Some((mut collected, timing)) = self.search(self.job.finished.len() as u32, &model)? else {
            return Ok(None);
        };
        self.report(&mut collected, values, fit, Timing { fit: seconds, ..timing })?;
        Ok(Some(collected))
    }

    /// Searches the last pass of a resumed run again, which is not reported again. It must find again what it
    /// found then: other values, other choices or another way of searching would make another run.
    fn search_again(&mut self) -> Result<Option<Collected>> {
        let last = self.job.finished.last().expect("the run has a pass");
        let model = self.job.start.with_values(&last.values)?;
        let report = last.report.clone();
        let Some((collected, _)) = self.search(report.number, &model)? else { return Ok(None) };
        let Collected { measured, .. } = &collected;
        let means =
            |loss: LossReport| (loss.temperature, loss.fitted.mean, loss.held_out.map(|loss| loss.mean));
        let same_loss = self.loss()?.0.map(means) == report.loss.map(means);
        let same_held_out = match (&measured.held_out, &report.held_out) {
            (Some(measured), Some(report)) => measured.counts_as(report),
            (measured, report) => measured.is_none() && report.is_none(),
        };
        if !measured.fitted.counts_as(&report.fitted) || !same_held_out || !same_loss {
            return Err(Error::OtherPass(report.number));
        }
        Ok(Some(collected))
    }

    fn finished(&self) -> Option<StopReason> {
        let fits = self.job.finished.len() as u32 - 1;
        let reports: Vec<&PassReport> = self.job.finished.iter().map(|pass| &pass.report).collect();
        let best = extreme(&reports) as u32;
        if fits >= self.job.plan.iterations {
            Some(StopReason::Iterations)
        } else if self.job.plan.patience.is_some_and(|patience| fits - best >= patience) {
            Some(StopReason::Patience)
        } else {
            None
        }
    }

    fn fit(&self, collected: &Collected) -> Result<Fit> {
        let last = self.job.finished.last().expect("a fit follows a pass");
        some_choices(self.job.objective, &collected.statistics)?;
        let model = self.job.start.with_values(&last.values)?.on_grids(self.searchers.grids());
        let start = self.job.finished.first().map(|pass| pass.report.spread);
        let solver = match last.report.loss {
            Some(LossReport { temperature, .. }) => Solver::Newton { temperature },
            None => Solver::Linear { keep_spread: start.filter(|_| self.job.plan.keep_spread) },
        };
        let found = step(&self.searchers, collected, &model, &self.job.plan.options, solver);
        found.map_err(|error| match (error, model.farthest()) {
            (Error::NoSolution, Some(name)) => Error::FarColumn(name.to_string()),
            (error, _) => error,
        })
    }

    fn search(&mut self, number: u32, model: &Model) -> Result<Option<(Collected, Timing)>> {
        let began = Moment::now();
        self.job.observer.begins(number);
        let is_last = number >= self.job.plan.iterations;
        let purpose = purpose(self.job.objective, model, &self.job.plan.options, is_last)?;
        let pass = self.searchers.pass(&model.values(), purpose)?;
        let timing = Timing { search: began.elapsed().as_secs_f64(), fit: 0.0 };
        Ok(pass.map(|collected| (collected, timing)))
    }

    /// The loss of the pass that was searched, and those of its clusters; none for an objective without a
    /// temperature. Estimates the temperature where it is not known yet.
    fn loss(&mut self) -> Result<(Option<LossReport>, LossSets)> {
        if !self.job.objective.has_temperature() {
            return Ok(Default::default());
        }
        if self.job.finished.is_empty() {
            let given = |value| Temperature { value, origin: TemperatureOrigin::Given };
            let estimate = || temperature::estimate(&self.searchers);
            let temperature = self.temperature.map(given).map_or_else(estimate, Ok)?;
            self.job.observer.temperature(temperature);
            self.temperature = Some(temperature.value);
        }
        let temperature = self.temperature.expect("the first pass has determined it");
        let mut losses = LossSets::default();
        for (losses, of) in losses.iter_mut().zip([Of::Fitted, Of::HeldOut]) {
            *losses = self.searchers.sums(Losses { temperature, of, changes: None })?;
            losses.sort_unstable_by_key(|loss| loss.cluster);
        }
        let change = |set: usize| MeanLoss::of_change(&losses[set], &self.job.finished.first()?.losses[set]);
        let report = LossReport {
            temperature,
            fitted: MeanLoss::of(&losses[0]).ok_or(Error::NoChoices)?,
            held_out: MeanLoss::of(&losses[1]),
            changes: [change(0), change(1)],
        };
        Ok((Some(report), losses))
    }

    /// Notes a pass and tells the observer.
    fn report(
        &mut self,
        collected: &mut Collected,
        values: Vec<f64>,
        fit: Option<&Fit>,
        timing: Timing,
    ) -> Result<()> {
        let (loss, losses) = self.loss()?;
        let Collected { measured, statistics, .. } = collected;
        let mut clusters = std::mem::take(&mut measured.clusters);
        clusters.iter_mut().for_each(|set| set.sort_unstable_by_key(|counts| counts.cluster));
        let change = |set: usize| {
            let start = self.job.finished.first()?;
            Difference::between(&clusters[set], &start.clusters[set])
        };
        let rank_error = |pass: &Pass| {
            let difference = Difference::between(&clusters[1], &pass.clusters[1]);
            difference.map(|difference| difference.mean_rank_error).filter(|error| error.is_finite())
        };
        let criterion = match self.job.objective.criterion() {
            Criterion::Rank if self.job.plan.by_match => Criterion::Match,
            criterion => criterion,
        };
        let has_choices = criterion.has_choices();
        let mut report = PassReport {
            number: self.job.finished.len() as u32,
            fitted: measured.fitted.clone(),
            held_out: measured.held_out.clone(),
            spread: statistics.spread.units(),
            mean_gain: if has_choices { statistics.mean_gain() } else { 0.0 },
            misses: statistics.misses(),
            fit: fit.map(FitReport::of),
            loss,
            criterion,
            against_start: [change(0), change(1)],
            rank_errors: self.job.finished.iter().map(rank_error).collect(),
            ridges: fit.map(|fit| fit.path.clone()).unwrap_or_default(),
            run_errors: None,
            warnings: Vec::new(),
        };
        report.warnings = fit.map_or_else(Vec::new, |fit| fit_warnings(&report, fit));
        let losses = if report.number == 0 { losses } else { LossSets::default() };
        let pass = Pass { report, values, timing, clusters, losses };
        self.job.observer.measured(&pass, fit)?;
        self.job.finished.push(pass);
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests;
