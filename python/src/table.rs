//! Rows in memory.

use std::sync::Arc;

use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};
use texam_fit::{RowKind, RowParts, RowTable};

use super::exception;

/// Checked rows.
#[pyclass(frozen, module = "texam._texam")]
pub struct Table(pub Arc<RowTable>);

/// The elements of an array, copied, since another thread could change it later.
fn copied<T: Element + Copy>(array: &PyReadonlyArray1<T>) -> Vec<T> {
    array.as_array().iter().copied().collect()
}

#[pymethods]
impl Table {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python,
        data: PyReadonlyArray1<f64>,
        indices: PyReadonlyArray1<i64>,
        indptr: PyReadonlyArray1<i64>,
        columns: usize,
        label: PyReadonlyArray1<f64>,
        choice: Option<PyReadonlyArray1<u64>>,
        cluster: Option<PyReadonlyArray1<u64>>,
        weight: Option<PyReadonlyArray1<f64>>,
        value: Option<PyReadonlyArray1<f64>>,
        number: Option<PyReadonlyArray1<u64>>,
    ) -> PyResult<Table> {
        let (data, indices, indptr, label) =
            (copied(&data), copied(&indices), copied(&indptr), copied(&label));
        let [choice, cluster, number] = [choice, cluster, number].map(|array| array.as_ref().map(copied));
        let [weight, value] = [weight, value].map(|array| array.as_ref().map(copied));
        let table = py.detach(|| {
            RowTable::new(&RowParts {
                data: &data,
                indices: &indices,
                indptr: &indptr,
                columns,
                label: &label,
                choice: choice.as_deref(),
                cluster: cluster.as_deref(),
                weight: weight.as_deref(),
                value: value.as_deref(),
                number: number.as_deref(),
            })
        });
        Ok(Table(Arc::new(table.map_err(exception)?)))
    }

    /// Reads a text in the format of SVMrank. Its first row decides whether it has choices or labelled
    /// positions.
    #[staticmethod]
    fn parse(py: Python, text: &[u8], columns: usize) -> PyResult<Table> {
        let table = py.detach(|| {
            let mut table = RowTable::read(text, kind_of(text))?;
            table.widen(columns);
            Ok::<RowTable, texam_fit::Error>(table)
        });
        Ok(Table(Arc::new(table.map_err(exception)?)))
    }

    /// The rows as text.
    fn to_text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = py.detach(|| {
            let mut text = Vec::new();
            self.0.write_text(&mut text).map(|()| text)
        });
        Ok(PyBytes::new(py, &text?))
    }

    /// The arrays by their names.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = &self.0;
        let arrays = PyDict::new(py);
        let (data, indices, indptr) = table.matrix();
        arrays.set_item("data", PyArray1::from_slice(py, data))?;
        let indices: Vec<i64> = indices.iter().map(|&column| column.into()).collect();
        arrays.set_item("indices", PyArray1::from_vec(py, indices))?;
        arrays.set_item("indptr", PyArray1::from_vec(py, indptr))?;
        let label: Vec<f64> = table.labels().iter().map(|labels| labels.label).collect();
        arrays.set_item("label", PyArray1::from_vec(py, label))?;
        let choice = table.column("choice", |labels| labels.query, None).map_err(exception)?;
        let cluster = table.column("cluster", |labels| labels.cluster, None).map_err(exception)?;
        let weight = table.column("weight", |labels| labels.weight, Some(1.0)).map_err(exception)?;
        let value = table.column("value", |labels| labels.value, Some(f64::NAN)).map_err(exception)?;
        arrays.set_item("choice", choice.map(|array| PyArray1::from_vec(py, array)))?;
        arrays.set_item("cluster", cluster.map(|array| PyArray1::from_vec(py, array)))?;
        arrays.set_item("weight", weight.map(|array| PyArray1::from_vec(py, array)))?;
        arrays.set_item("value", value.map(|array| PyArray1::from_vec(py, array)))?;
        Ok(arrays)
    }

    /// Rows and columns of the matrix.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.labels().len(), self.0.width())
    }

    /// Whether the rows are labelled positions, and not moves of choices.
    #[getter]
    fn is_labelled(&self) -> bool {
        self.0.labels().first().is_some_and(|labels| labels.query.is_none())
    }
}

/// What the rows of a text are, by the first of them.
fn kind_of(text: &[u8]) -> RowKind {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let words = first.unwrap_or_default().split(u8::is_ascii_whitespace);
    match words.filter(|word| !word.is_empty()).nth(1) {
        Some(word) if !word.starts_with(b"qid:") => RowKind::Labelled,
        Some(_) => RowKind::Choices,
        None if first.is_some() => RowKind::Labelled,
        None => RowKind::Choices,
    }
}
