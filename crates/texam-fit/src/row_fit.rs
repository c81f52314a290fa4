//! A fit of rows in memory, in one call.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    advice::{Suspicion, Warning},
    agreement::Standing,
    error::{Error, Result},
    jackknife::{LeftOut, Outcome, run_errors},
    model::Model,
    objective::ObjectiveName,
    plan::{ARRIVES, Plan, Ridge},
    report::{Pass, PassReport, Run, StopReason},
    row_source::{RowCounts, RowKind, RowSource},
    row_table::RowTable,
    settings::Settings,
    step::Fit,
    temperature::Temperature,
    tuner::{Job, Observer},
};

/// What [`fit`] is to do. The defaults are those of `texam fit --choices`.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct RowOptions<'a> {
    /// The objective, its options, and how its equations are solved.
    pub settings: Settings,
    /// Each how many clusters one is held out; none if all are fitted.
    pub hold_out: Option<u64>,
    /// Fits to make: 1, or 0 to measure the start only.
    pub iterations: u32,
    /// Groups of clusters of which each is left out once, for the errors of the run; 0 for none.
    pub groups: u32,
    /// Asked now and then whether to go on.
    pub goes_on: &'a (dyn Fn() -> bool + Sync),
}

impl RowOptions<'_> {
    /// The defaults of an objective.
    pub fn new(objective: ObjectiveName) -> Self {
        let mut settings = Settings { objective, ..Settings::default() };
        if objective != ObjectiveName::Force {
            settings.solving.inner = ARRIVES;
        }
        let (hold_out, goes_on) = (Some(10), &|| true);
        RowOptions { settings, hold_out, iterations: 1, groups: 0, goes_on }
    }

    fn plan(&self) -> Result<Plan> {
        let Settings { objective, solving, .. } = self.settings;
        if solving.ridge == Ridge::Auto && objective == ObjectiveName::Force {
            return Err(Error::NoLoss);
        }
        Ok(self.settings.plan(self.iterations))
    }
}

/// What a fit of rows has found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RowFit {
    /// The passes; there is one at least.
    pub run: Run,
    /// The temperature of an objective that has one.
    pub temperature: Option<Temperature>,
    /// The equations and their solution; none where only the start was measured.
    pub fit: Option<Fit>,
    /// Clusters and choices of the rows.
    pub counts: RowCounts,
    /// Standard errors by [leaving out groups](RowOptions::groups), where there are some.
    pub run_errors: Option<Outcome>,
}

impl RowFit {
    /// What was measured with the start weights.
    pub fn before(&self) -> &Pass {
        self.run.passes.first().expect("a run that is not cancelled has a pass")
    }

    /// The fitted weights, and what was measured with them.
    pub fn after(&self) -> &Pass {
        self.run.passes.last().expect("a run that is not cancelled has a pass")
    }

    /// What the rows, and the clusters held out, say against the weights.
    pub fn warnings(&self) -> Vec<String> {
        let before = self.before();
        let is_telling =
            before.report.criterion.has_choices() && before.values.iter().any(|&value| value != 0.0);
        let suspicion = is_telling.then(|| Suspicion::of(&before.report.fitted)).flatten();
        let reports: Vec<PassReport> = self.run.passes.iter().map(|pass| pass.report.clone()).collect();
        let of_fit = self.after().report.warnings.clone();
        let of_rows = self.counts.duplicates.warning("rows");
        let of_run = Warning::of(&reports).map(|warning| warning.to_string());
        let suspicion = suspicion.map(|suspicion| suspicion.to_string());
        suspicion.into_iter().chain(of_fit).chain(of_rows).chain(of_run).collect()
    }
}

/// Fits the weights of `start` to rows: those of choices, or labelled ones for [`ObjectiveName::Logistic`].
/// It uses the threads of the rayon pool that it is called in, and its result does not depend on how many
/// they are.
///
/// # Errors
///
/// Rows or options that cannot be used, equations without a solution, or `goes_on` has said no.
pub fn fit(table: impl Into<Arc<RowTable>>, start: &Model, options: &RowOptions) -> Result<RowFit> {
    let table = table.into();
    let (mut plan, method) = (options.plan()?, options.settings.method());
    method.validate()?;
    check_kind(&table, RowKind::of(options.settings.objective), options.settings.objective)?;
    let (notes, counts) = (Notes::default(), Mutex::default());
    let objective = method.objective();
    let run = |plan: &Plan, observer: &dyn Observer, left_out: Option<LeftOut>| {
        let tick = |_: &Standing| (options.goes_on)();
        let (mut table, kind) = (Arc::clone(&table), RowKind::of(options.settings.objective));
        let mut source = RowSource::new(&mut table, kind, options.hold_out, &tick, &counts);
        left_out.into_iter().for_each(|group| source.leave_out(group));
        let run = Job { objective, start, plan, finished: Vec::new(), observer }.run(&mut source)?;
        if run.stopped == StopReason::Cancelled { Err(Error::Cancelled) } else { Ok(run) }
    };
    let whole = run(&plan, &notes, None)?;
    let found = *counts.lock().unwrap_or_else(PoisonError::into_inner);
    let groups = options.groups;
    if groups == 1 || u64::from(groups) > found.clusters[0] {
        let expected = format!("groups from 2 to the number of clusters fitted, {}", found.clusters[0]);
        return Err(Error::input(expected, groups));
    }
    plan.options.errors = false;
    let without = |group| {
        let run = run(&plan, &(), Some(LeftOut { group, groups }))?;
        Ok(run.passes.iter().map(Outcome::of).collect())
    };
    let without = (0..groups).map(without).collect::<Result<Vec<_>>>()?;
    let run_errors = run_errors(&without).pop();
    let (temperature, fit) = (notes.temperature.take(), notes.fit.take());
    Ok(RowFit { run: whole, temperature, fit, counts: found, run_errors })
}

fn check_kind(table: &RowTable, kind: RowKind, objective: ObjectiveName) -> Result<()> {
    let first = table.labels().first().ok_or_else(|| Error::input("rows", "none"))?;
    let (expected, found) = match (first.query.is_some(), kind) {
        (true, RowKind::Labelled) => ("labelled positions, which have no choice,", "choices"),
        (false, RowKind::Choices) => ("rows of choices", "labelled positions"),
        _ => return Ok(()),
    };
    Err(Error::input(format!("{expected} for objective {objective}"), found))
}

/// What is kept of a run as it goes.
#[derive(Default)]
struct Notes {
    temperature: RefCell<Option<Temperature>>,
    fit: RefCell<Option<Fit>>,
}

impl Observer for Notes {
    fn temperature(&self, temperature: Temperature) {
        *self.temperature.borrow_mut() = Some(temperature);
    }

    fn measured(&self, _: &Pass, fit: Option<&Fit>) -> Result<()> {
        *self.fit.borrow_mut() = fit.cloned();
        Ok(())
    }
}
