//! A fit of rows in memory, by the same steps as `texam fit --choices`.

use std::{
    cell::RefCell,
    collections::HashMap,
    ops::RangeInclusive,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use pyo3::{
    exceptions::PyRuntimeError,
    prelude::*,
    types::{PyDict, PyList},
};
use texam_fit::{
    Agreement, Duplicates, Error, Fit, Job, Method, Model, ObjectiveName, Observer, Pass, Plan, Result,
    Ridge, RidgeScale, RowCounts, RowKind, RowSource, RowTable, Run, Settings, Standing, Temperature,
    TemperatureOrigin,
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
        number.ok_or_else(|| exception(format!("option {name}: expected {expected}, but found {text:?}")))
    }

    /// Whether clusters that repeat an earlier one are left out.
    fn drops_duplicates(&self) -> PyResult<bool> {
        match self.get("duplicates") {
            None | Some("keep") => Ok(false),
            Some("drop") => Ok(true),
            Some(text) => {
                Err(exception(format!("option duplicates: expected keep or drop, but found {text:?}")))
            }
        }
    }

    /// Each how many clusters one is held out.
    fn hold_out(&self) -> PyResult<Option<u64>> {
        let text = self.get("holdout").unwrap_or("1/10");
        match text.strip_prefix("1/").map(str::parse) {
            None if text == "none" => Ok(None),
            Some(Ok(every)) if every >= 2 => Ok(Some(every)),
            _ => {
                let expected = "option holdout: expected none, or 1/K with K of 2 or more";
                Err(exception(format!("{expected}, but found {text:?}")))
            }
        }
    }
}

/// What is to be done, and by which objective.
fn plan(options: &Options) -> PyResult<(Method, Plan)> {
    if options.get("objective").is_none() {
        let expected = "softmax, pairs, force or logistic: rows of another program have no default";
        return Err(exception(format!("option objective: expected {expected}, but found none")));
    }
    let mut settings = Settings::default();
    settings.solving.ridge_scale = RidgeScale::Column;
    for (option, _) in Settings::OPTIONS {
        let name = option.replace('-', "_");
        if let Some(text) = options.get(&name) {
            settings.set(option, text).map_err(|error| exception(format!("option {name}: {error}")))?;
        }
    }
    let mut plan = Plan::default();
    plan.options = settings.solving;
    plan.keep_spread = settings.variance && settings.objective == ObjectiveName::Force;
    let expected = "0 or 1, since rows in memory cannot be searched again; inner makes more steps";
    plan.iterations = options.number("iterations", 0..=1, expected, 1)?;
    if settings.solving.ridge == Ridge::Auto && settings.objective == ObjectiveName::Force {
        return Err(exception(Error::NoLoss));
    }
    Ok((settings.method(), plan))
}

/// Which clusters are fitted.
#[derive(Clone, Copy)]
struct UseOfRows {
    /// Each how many clusters one is held out.
    hold_out: Option<u64>,
    drops_duplicates: bool,
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

/// What a run has found.
struct Found {
    run: Run,
    temperature: Option<Temperature>,
    fit: Option<Fit>,
    counts: RowCounts,
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
    let (method, plan) = plan(&options)?;
    let use_of_rows =
        UseOfRows { hold_out: options.hold_out()?, drops_duplicates: options.drops_duplicates()? };
    let threads = options.number("threads", 1..=1024, "a whole number, 1 to 1024", 0)?;
    if table.0.labels().is_empty() {
        return Err(exception("expected rows, but found none"));
    }
    let kind = match method {
        Method::Logistic(_) => RowKind::Labelled,
        _ => RowKind::Choices,
    };
    let has_choices = table.0.labels()[0].query.is_some();
    if has_choices != (kind == RowKind::Choices) {
        let (expected, found) = match has_choices {
            true => ("labelled positions, which have no choice,", "choices"),
            false => ("rows of choices", "labelled positions"),
        };
        let objective = method.objective().name();
        return Err(exception(format!("expected {expected} for objective {objective}, but found {found}")));
    }
    let rows = Arc::clone(&table.0);
    let is_cancelled = AtomicBool::new(false);
    let found = py.detach(|| {
        let work = || run(rows, kind, use_of_rows, &method, &model, &plan, threads, &is_cancelled);
        attentively(work, &is_cancelled)
    })?;
    let found = found.map_err(exception)?;
    report(py, &model, &found)
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

#[allow(clippy::too_many_arguments)]
fn run(
    rows: Arc<RowTable>,
    kind: RowKind,
    use_of_rows: UseOfRows,
    method: &Method,
    model: &Model,
    plan: &Plan,
    threads: u32,
    is_cancelled: &AtomicBool,
) -> Result<Found> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build().map_err(Error::external)?;
    pool.install(|| {
        let mut rows = rows;
        let (notes, counts) = (Notes::default(), Mutex::default());
        let tick = |_: &Standing| !is_cancelled.load(Ordering::Relaxed);
        let mut source = RowSource::new(&mut rows, kind, use_of_rows.hold_out, &tick, &counts);
        if use_of_rows.drops_duplicates {
            source.drop_duplicates();
        }
        let objective = method.objective();
        let run =
            Job { objective, start: model, plan, finished: Vec::new(), observer: &notes }.run(&mut source)?;
        let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Found { run, temperature: notes.temperature.take(), fit: notes.fit.take(), counts })
    })
}

/// What a run has found as plain objects.
fn report<'py>(py: Python<'py>, model: &Model, found: &Found) -> PyResult<Bound<'py, PyDict>> {
    let Found { run, temperature, fit, counts } = found;
    let report = PyDict::new(py);
    let (Some(first), Some(last)) = (run.passes.first(), run.passes.last()) else {
        return Err(PyRuntimeError::new_err("the fit was cancelled"));
    };
    report.set_item("weights", &last.values)?;
    report.set_item("before", pass(py, first, counts)?)?;
    report.set_item("after", pass(py, last, counts)?)?;
    report.set_item("temperature", temperature.map(|temperature| temperature.value))?;
    report.set_item("temperature_origin", temperature.map(|temperature| origin(temperature.origin)))?;
    let mut warnings: Vec<String> = Vec::new();
    let is_telling = model.parameters().iter().any(|weight| weight.value != 0.0);
    if first.report.criterion.has_choices() && is_telling {
        warnings
            .extend(texam_fit::Suspicion::of(&first.report.fitted).map(|suspicion| suspicion.to_string()));
    }
    let separated = fit.as_ref().and_then(|fit| texam_fit::separation(&last.report, fit));
    warnings.extend(separated.or_else(|| fit.as_ref().and_then(texam_fit::open_weights)));
    warnings.extend(duplicates(counts.duplicates));
    let reports: Vec<_> = run.passes.iter().map(|pass| pass.report.clone()).collect();
    warnings.extend(texam_fit::Warning::of(&reports).map(|warning| warning.to_string()));
    report.set_item("warnings", warnings)?;
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
    let path: Vec<(f64, f64)> = fit.path.losses.iter().map(|&[ridge, loss]| (ridge, loss)).collect();
    solved.set_item("ridge_path", path)?;
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
    report.set_item("fit", solved)?;
    Ok(report)
}

/// What there is to say of groups that occur twice, if some do.
fn duplicates(Duplicates { repeats, also_fitted }: Duplicates) -> Option<String> {
    let text = format!(
        "groups with the rows of an earlier one: {repeats}; held out and also fitted: {also_fitted} (see duplicates)"
    );
    (repeats > 0).then_some(text)
}

/// What a pass measured, on the games fitted and on those held out.
fn pass<'py>(py: Python<'py>, pass: &Pass, counts: &RowCounts) -> PyResult<Bound<'py, PyList>> {
    let report = &pass.report;
    let sets = [Some(&report.fitted), report.held_out.as_ref()];
    let losses = report.loss.map_or([None; 2], |loss| [Some(loss.fitted), loss.held_out]);
    let list = PyList::empty(py);
    for (set, (agreement, loss)) in sets.into_iter().zip(losses).enumerate() {
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
