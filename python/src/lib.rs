//! The Python module `texam._texam`: arrays to rows, rows to a fit, and what the fit found as plain objects.
//! What users see is in `python/texam`.

mod fit;
mod table;

use pyo3::{create_exception, exceptions::PyValueError, prelude::*, types::PyBytes};
use texam_fit::{
    Model, Parameter,
    limits::{LONGEST_NAME, MOST_WEIGHTS},
    shorten, svmrank,
};

create_exception!(
    texam,
    Error,
    PyValueError,
    "Input that cannot be used, or a fit without a result. The message says where, what was expected and what was found."
);

/// The exception of an error of the fit.
fn exception(error: impl std::fmt::Display) -> PyErr {
    Error::new_err(error.to_string())
}

/// A model of arrays of the same length.
fn model(names: Vec<String>, start: &[f64], prior: &[f64], tune: &[bool]) -> PyResult<Model> {
    let weights = names.len();
    for (name, length) in [("start", start.len()), ("prior", prior.len()), ("tune", tune.len())] {
        if length != weights {
            let expected = format!("expected {name} with {weights} elements, one for each weight");
            return Err(exception(format!("{expected}, but found {length}")));
        }
    }
    if let Some(name) = names.iter().find(|name| name.len() > LONGEST_NAME || name.contains(char::is_control))
    {
        let expected = format!("expected names of at most {LONGEST_NAME} bytes without control characters");
        return Err(exception(format!("{expected}, but found {}", shorten(&format!("{name:?}")))));
    }
    let mut seen = std::collections::HashSet::new();
    if let Some(name) = names.iter().find(|name| name.is_empty() || !seen.insert(name.as_str())) {
        let found = shorten(&format!("{name:?}"));
        return Err(exception(format!("expected a name of its own for each weight, but found {found}")));
    }
    let parameter = |(at, name): (usize, String)| Parameter {
        tune: tune[at],
        prior: prior[at],
        ..Parameter::new(name, start[at])
    };
    Model::new(names.into_iter().enumerate().map(parameter).collect()).map_err(exception)
}

/// A table of weights as text, as the command writes it.
#[pyfunction]
fn format_weights<'py>(
    py: Python<'py>,
    names: Vec<String>,
    values: Vec<f64>,
    prior: Vec<f64>,
    tune: Vec<bool>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut text = Vec::new();
    texam_fit::write_weights(&model(names, &values, &prior, &tune)?, &mut text).map_err(exception)?;
    Ok(PyBytes::new(py, &text))
}

/// Names, values, priors and tune flags of a table of weights.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn parse_weights(text: &[u8]) -> PyResult<(Vec<String>, Vec<f64>, Vec<f64>, Vec<bool>)> {
    let model = texam_fit::read_weights(text).map_err(exception)?;
    let weights = model.parameters();
    Ok((
        weights.iter().map(|weight| weight.name.clone()).collect(),
        weights.iter().map(|weight| weight.value).collect(),
        weights.iter().map(|weight| weight.prior).collect(),
        weights.iter().map(|weight| weight.tune).collect(),
    ))
}

/// The number of a cluster with this name, as the remark `game:` of a text gives it.
#[pyfunction]
fn cluster_number(name: &str) -> u64 {
    svmrank::cluster_number(name)
}

#[pymodule]
fn _texam(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", module.py().get_type::<Error>())?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(fit::fit, module)?)?;
    module.add_function(wrap_pyfunction!(format_weights, module)?)?;
    module.add_function(wrap_pyfunction!(parse_weights, module)?)?;
    module.add_function(wrap_pyfunction!(cluster_number, module)?)?;
    module.add("MOST_WEIGHTS", MOST_WEIGHTS)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
