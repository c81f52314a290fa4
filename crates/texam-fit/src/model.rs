//! What is fitted: a list of parameters, each a column of the rows.
//!
//! A model knows no chess. Whoever has weights of their own turns them into a model and takes the fitted
//! values back.

use crate::{
    error::{Error, Result},
    grid::Grid,
    units::{PRODUCT, QUANTA, to_quanta},
};

/// Largest absolute value that a parameter may have at all, in units.
const LARGEST: f64 = 1e12;

/// One number of a linear evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Name in reports and files.
    pub name: String,
    /// Value in units.
    pub value: f64,
    /// Whether a fit may change it.
    pub tune: bool,
    /// The value that a ridge towards the start pulls it to, in units.
    pub prior: f64,
    /// Parameters whose changes smoothing ties to its own, as indices into the model. The relation must be
    /// symmetric.
    pub neighbours: Vec<usize>,
    /// Largest absolute value in units; a fit that leaves it fails.
    pub bound: f64,
}

impl Parameter {
    /// A tuned parameter without neighbours whose prior is its value.
    pub fn new(name: impl Into<String>, value: f64) -> Parameter {
        Parameter {
            name: name.into(),
            value,
            tune: true,
            prior: value,
            neighbours: Vec::new(),
            bound: LARGEST,
        }
    }
}

/// All parameters of an evaluation, tuned or not, in the order of their columns.
///
/// ```
/// use texam_fit::{Model, Parameter};
///
/// let pawn = Parameter { tune: false, ..Parameter::new("pawn", 128.0) };
/// let model = Model::new(vec![pawn, Parameter::new("bishop_pair", 32.0)]).unwrap();
/// assert_eq!(model.tuned(), [1]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    parameters: Vec<Parameter>,
    /// Values in 1/256 unit, as a search uses them.
    quantised: Vec<i64>,
    /// For each parameter its number among the tuned ones, or [`UNTUNED`].
    tuned: Vec<u32>,
    /// Indices of the tuned parameters.
    columns: Vec<usize>,
    /// The grid of each column of rows that are given; none for those of a search, which takes the values
    /// quantised.
    grids: Option<Vec<Grid>>,
}

/// Marks a parameter that is not tuned.
const UNTUNED: u32 = u32::MAX;

impl Model {
    /// A model of these parameters.
    ///
    /// # Errors
    ///
    /// A value or prior that is no finite number within 10^12 units, a bound that is no number or negative,
    /// or a neighbour that is not there.
    pub fn new(parameters: Vec<Parameter>) -> Result<Model> {
        for parameter in &parameters {
            let numbers = [parameter.value, parameter.prior];
            if let Some(wrong) = numbers.into_iter().find(|value| !value.is_finite() || value.abs() > LARGEST)
            {
                let expected = format!("a value of {} within 10^12 units", parameter.name);
                return Err(Error::input(expected, format!("{wrong:e}")));
            }
            if parameter.bound.is_nan() || parameter.bound < 0.0 {
                return Err(Error::input(format!("a bound of {}", parameter.name), parameter.bound));
            }
            if let Some(&wrong) = parameter.neighbours.iter().find(|&&other| other >= parameters.len()) {
                let expected =
                    format!("neighbours of {} among {} parameters", parameter.name, parameters.len());
                return Err(Error::input(expected, wrong));
            }
        }
        let quantised = parameters.iter().map(|parameter| to_quanta(parameter.value)).collect();
        let columns: Vec<usize> = (0..parameters.len()).filter(|&index| parameters[index].tune).collect();
        let mut tuned = vec![UNTUNED; parameters.len()];
        for (number, &index) in columns.iter().enumerate() {
            tuned[index] = number as u32;
        }
        Ok(Model { parameters, quantised, tuned, columns, grids: None })
    }

    /// The same model with other values.
    ///
    /// # Errors
    ///
    /// As [`Model::new`]; also when `values` are not as many as the parameters.
    pub fn with_values(&self, values: &[f64]) -> Result<Model> {
        if values.len() != self.parameters.len() {
            return Err(Error::input(format!("{} values", self.parameters.len()), values.len()));
        }
        let mut parameters = self.parameters.clone();
        for (parameter, &value) in parameters.iter_mut().zip(values) {
            parameter.value = value;
        }
        Ok(Model { grids: self.grids.clone(), ..Model::new(parameters)? })
    }

    /// The model of rows on these grids, one for each parameter, whose values are taken as they are.
    pub(crate) fn on_grids(self, grids: Option<Vec<Grid>>) -> Model {
        Model { grids, ..self }
    }

    /// By what the values of its rows are rounded when its parameters change, in 2^-32 unit.
    pub(crate) fn value_step(&self) -> i64 {
        if self.grids.is_some() { 1 } else { PRODUCT }
    }

    /// The grids of rows that are given.
    pub(crate) fn grids(&self) -> Option<&Vec<Grid>> {
        self.grids.as_ref()
    }

    /// The grid of the column of a parameter.
    pub(crate) fn grid(&self, index: usize) -> Grid {
        self.grids.as_ref().map_or(Grid::SEARCH, |grids| grids[index])
    }

    /// By how much a change of 1 of a parameter can move the value of a row, in units: what the entries stay
    /// below, if that is known, or else 1.
    pub(crate) fn size(&self, index: usize) -> f64 {
        self.grids.as_ref().map_or(1.0, |grids| grids[index].size())
    }

    /// The parameters in the order of their columns.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Values of all parameters in units, not rounded.
    pub fn values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// Values of all parameters in 1/256 unit, as a search must use them.
    pub fn quantised(&self) -> &[i64] {
        &self.quantised
    }

    /// The value of a row of a search with these entries, in 2^-32 unit: the sum of their products with the
    /// quantised parameters, which is exact.
    pub fn value(&self, entries: impl IntoIterator<Item = (u32, i64)>) -> i64 {
        let product = |(at, entry): (u32, i64)| self.quantised[at as usize] * entry;
        PRODUCT * entries.into_iter().map(product).sum::<i64>()
    }

    /// Value of a parameter in units, as the rows are valued: in a search rounded to 1/256 unit.
    pub fn used(&self, index: usize) -> f64 {
        if self.grids.is_some() {
            self.parameters[index].value
        } else {
            self.quantised[index] as f64 / QUANTA
        }
    }

    /// Indices of the tuned parameters, ascending.
    pub fn tuned(&self) -> &[usize] {
        &self.columns
    }

    /// The tuned parameter with the largest entries, where these are far from 0.
    pub(crate) fn farthest(&self) -> Option<&str> {
        const FAR: f64 = (1 << 16) as f64;
        let sizes = self.columns.iter().map(|&index| (index, self.size(index)));
        let (index, size) = sizes.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (size > FAR).then(|| &*self.parameters[index].name)
    }

    /// Number of a parameter among the tuned ones.
    pub(crate) fn tuned_column(&self, index: usize) -> Option<u32> {
        Some(self.tuned[index]).filter(|&column| column != UNTUNED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuned_parameters_are_numbered_in_their_order() {
        let mut parameters: Vec<Parameter> =
            ["a", "b", "c"].iter().map(|name| Parameter::new(*name, 1.501)).collect();
        parameters[1].tune = false;
        let model = Model::new(parameters).unwrap();
        assert_eq!(model.tuned(), [0, 2]);
        assert_eq!([0, 1, 2].map(|index| model.tuned_column(index)), [Some(0), None, Some(1)]);
        assert_eq!((model.quantised()[0], model.used(0)), (384, 1.5));
    }

    #[test]
    fn values_that_are_no_numbers_and_neighbours_that_are_not_there_are_refused() {
        let with = |change: &dyn Fn(&mut Parameter)| {
            let mut parameter = Parameter::new("a", 1.0);
            change(&mut parameter);
            Model::new(vec![parameter]).map(drop).map_err(|error| error.to_string())
        };
        assert!(with(&|_| ()).is_ok());
        assert!(with(&|p| p.value = f64::NAN).unwrap_err().contains("of a within"));
        assert!(with(&|p| p.prior = 1e13).is_err());
        assert!(with(&|p| p.bound = f64::NAN).is_err());
        assert!(with(&|p| p.bound = -1.0).is_err());
        assert!(with(&|p| p.neighbours = vec![1]).unwrap_err().contains("neighbours of a"));
        let model = Model::new(vec![Parameter::new("a", 1.0)]).unwrap();
        assert!(model.with_values(&[1.0, 2.0]).is_err());
    }
}
