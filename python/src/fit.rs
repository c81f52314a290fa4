//! A fit of rows in memory, by the same steps as `texam fit --choices`.

use std::{
    collections::HashMap,
    ops::RangeInclusive,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use numpy::PyArray1;
use pyo3::{
    exceptions::PyRuntimeError,
    prelude::*,
    types::{PyDict, PyList},
};
use texam_fit::{
    Agreement, Error, FIT_OPTIONS, Pass, RidgeLoss, RowCounts, RowFit, RowOptions, TemperatureOrigin, shorten,
};

use super::{exception, model, table::Table};

/// How often the keyboard is asked whether to stop.
const KEYBOARD: Duration = Duration::from_millis(50);

/// The texts of options by their names.
struct Options(HashMap<String, String>);

impl Options {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value of an option that is a whole number, or a default.
    fn number(&self, name: &str, range: RangeInclusive<u32>, expected: &str, default: u32) -> PyResult<u32> {
        let Some(text) = self.get(name) else { return Ok(default) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        let found = || shorten(&format!("{text:?}"));
        number.ok_or_else(|| exception(format!("option {name}: expected {expected}, but found {}", found())))
    }

    /// Each how many clusters one is held out.
    fn hold_out(&self) -> PyResult<Option<u64>> {
        let text = self.get("holdout").unwrap_or("1/10");
        match text.strip_prefix("1/").map(str::parse) {
            None if text == "none" => Ok(None),
            Some(Ok(every)) if every >= 2 => Ok(Some(every)),
            _ => {
                let expected = "option holdout: expected none, or 1/K with K of 2 or more";
                Err(exception(format!("{expected}, but found {}", shorten(&format!("{text:?}")))))
            }
        }
    }
}

/// What is to be done, without the check whether it goes on.
fn row_options(options: &Options) -> PyResult<RowOptions<'static>> {
    let Some(objective) = options.get("objective") else {
        let expected = "softmax, pairs, force or logistic: rows of another program have no default";
        return Err(exception(format!("option objective: expected {expected}, but found none")));
    };
    let wrong = |name: &str, error: Error| exception(format!("option {name}: {error}"));
    let objective = objective.parse().map_err(|error| wrong("objective", error))?;
    let mut plan = RowOptions::new(objective);
    for option in &FIT_OPTIONS {
        let name = option.name.replace('-', "_");
        if let Some(text) = options.get(&name) {
            plan.settings.set(option, text).map_err(|error| wrong(&name, error))?;
        }
    }
    let expected = "0 or 1, since rows in memory cannot be searched again; inner makes more steps";
    plan.iterations = options.number("iterations", 0..=1, expected, 1)?;
    plan.groups = options.number("groups", 0..=1000, "a whole number from 0 to 1000", 0)?;
    plan.hold_out = options.hold_out()?;
    Ok(plan)
}

/// Fits rows. `options` are texts, as on the command line.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit<'py>(
    py: Python<'py>,
    table: &Table,
    names: Vec<String>,
    start: Vec<f64>,
    prior: Vec<f64>,
    tune: Vec<bool>,
    options: HashMap<String, String>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options(options);
    let model = model(names, &start, &prior, &tune)?;
    let mut plan: RowOptions = row_options(&options)?;
    let threads = options.number("threads", 1..=1024, "a whole number, 1 to 1024", 0)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build().map_err(exception)?;
    let rows = Arc::clone(&table.0);
    let is_cancelled = AtomicBool::new(false);
    let goes_on = || !is_cancelled.load(Ordering::Relaxed);
    plan.goes_on = &goes_on;
    let work = || pool.install(|| texam_fit::fit(rows, &model, &plan));
    let found = py.detach(|| attentively(work, &is_cancelled))?;
    report(py, &found.map_err(exception)?)
}

/// Works in a thread of its own, and asks the keyboard meanwhile whether to stop.
fn attentively<T: Send>(work: impl FnOnce() -> T + Send, is_cancelled: &AtomicBool) -> PyResult<T> {
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let _done = done;
            work()
        });
        let mut stopped = Ok(());
        while wait.recv_timeout(KEYBOARD) == Err(RecvTimeoutError::Timeout) {
            if stopped.is_ok() {
                stopped = Python::attach(check_keyboard);
                is_cancelled.store(stopped.is_err(), Ordering::Relaxed);
            }
        }
        let result = worker.join().map_err(|_| PyRuntimeError::new_err("the fit failed without a reason"))?;
        stopped.map(|()| result)
    })
}

/// The exception of an interrupt that has come, if one has.
fn check_keyboard(py: Python) -> PyResult<()> {
    py.check_signals()
}

/// What a run has found as plain objects.
fn report<'py>(py: Python<'py>, found: &RowFit) -> PyResult<Bound<'py, PyDict>> {
    let RowFit { temperature, fit, counts, .. } = found;
    let report = PyDict::new(py);
    report.set_item("weights", &found.after().values)?;
    report.set_item("before", pass(py, found.before(), counts)?)?;
    report.set_item("after", pass(py, found.after(), counts)?)?;
    report.set_item("temperature", temperature.map(|temperature| temperature.value))?;
    report.set_item("temperature_origin", temperature.map(|temperature| origin(temperature.origin)))?;
    report.set_item("run_errors", found.run_errors.as_ref().map(|errors| &errors.values))?;
    report.set_item("warnings", found.warnings())?;
    let Some(fit) = fit else {
        report.set_item("fit", py.None())?;
        return Ok(report);
    };
    let solved = PyDict::new(py);
    solved.set_item("rank", fit.rank)?;
    solved.set_item("solved", fit.solved)?;
    solved.set_item("condition", fit.condition)?;
    solved.set_item("residual", fit.residual)?;
    solved.set_item("ridge", fit.ridge)?;
    solved.set_item("effective", fit.effective)?;
    let tried = |of: &RidgeLoss| (of.ridge.unwrap_or(f64::INFINITY), of.loss, of.above.mean, of.above.error);
    solved.set_item("ridge_path", fit.path.tried.iter().map(tried).collect::<Vec<_>>())?;
    solved.set_item("ridge_reason", fit.path.reason())?;
    let weights = PyList::empty(py);
    for weight in &fit.parameters {
        let reason = weight.frozen.map(|reason| reason.to_string());
        weights.append((
            weight.index,
            weight.standard_error,
            weight.held,
            weight.support,
            weight.clusters,
            weight.is_open,
            reason,
        ))?;
    }
    solved.set_item("tuned", weights)?;
    let covariances = fit.parameters.iter().flat_map(|weight| &weight.covariances);
    let covariances = covariances.map(|covariance| covariance.unwrap_or(f64::NAN)).collect();
    solved.set_item("covariances", PyArray1::from_vec(py, covariances))?;
    report.set_item("fit", solved)?;
    Ok(report)
}

/// What a pass measured, on the games fitted and on those held out.
fn pass<'py>(py: Python<'py>, pass: &Pass, counts: &RowCounts) -> PyResult<Bound<'py, PyList>> {
    let report = &pass.report;
    let sets = [Some(&report.fitted), report.held_out.as_ref()];
    let losses = report.loss.map_or([None; 2], |loss| [Some(loss.fitted), loss.held_out]);
    let list = PyList::empty(py);
    let changes = report.loss.map_or([None; 2], |loss| loss.changes);
    for (set, (agreement, (loss, change))) in
        sets.into_iter().zip(losses.into_iter().zip(changes)).enumerate()
    {
        let Some(agreement) = agreement.filter(|_| counts.choices[set] > 0) else {
            list.append(py.None())?;
            continue;
        };
        let has_choices = report.criterion.has_choices();
        let figure = |get: fn(&Agreement) -> f64| has_choices.then(|| get(agreement));
        list.append((
            counts.choices[set],
            counts.clusters[set],
            figure(Agreement::match_rate),
            figure(Agreement::mean_rank),
            loss.map(|loss| loss.mean),
            loss.map(|loss| loss.error),
            change.map(|change| change.mean),
            change.map(|change| change.error),
        ))?;
    }
    Ok(list)
}

fn origin(origin: TemperatureOrigin) -> &'static str {
    match origin {
        TemperatureOrigin::Given => "given",
        TemperatureOrigin::Estimated => "estimated",
        TemperatureOrigin::AtBound => "at bound",
        TemperatureOrigin::Undetermined => "undetermined",
    }
}
