//! Weights as the parameters of a model that [`texam_fit`] fits, and back.
//!
//! A *parameter* is one number: the opening or endgame weight of a scalar or a cell, the gradient of a table
//! at one end of the game, or a weight that is the same in both phases. [`Parameters`] numbers those of a set
//! of weights, tuned or not, and says for every cell which parameters its count goes to.

use std::{fmt, ops::Range, str::FromStr};

use texam_fit::{Model, ParameterReport};

use crate::{
    error::{Error, Result},
    feature::{CELLS, Cell, Ends, Key, Layout, MAX_WEIGHT, Mode, POINTS, Weights},
};

/// Part of the game that a parameter counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Part {
    /// The opening weight.
    Opening,
    /// The endgame weight.
    Endgame,
    /// One weight for both phases.
    Both,
}

impl Part {
    /// The parts that a feature is tuned in.
    pub fn of(ends: Ends) -> &'static [Part] {
        match ends {
            Ends::Pair => &[Part::Opening, Part::Endgame],
            Ends::Single => &[Part::Both],
            Ends::OpeningOnly => &[Part::Opening],
        }
    }
}

/// One number that a fit may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The feature.
    pub key: Key,
    /// How its weights are held.
    pub mode: Mode,
    /// Entry of its setting: the cell in [`Mode::Cells`], else 0.
    pub index: usize,
    /// Opening, endgame or both.
    pub part: Part,
}

impl Parameter {
    /// The parameter that a report of a fit names.
    pub fn of(report: &ParameterReport) -> Parameter {
        report.name.parse().expect("reports of a fit name the parameters of its weights")
    }

    /// The parameters of a name, also of one without its part: `p_adv[de,r4]` has an opening and an endgame
    /// weight.
    pub fn named(name: &str) -> impl Iterator<Item = Parameter> {
        ["", ".o", ".e"].into_iter().filter_map(move |part| format!("{name}{part}").parse().ok())
    }

    /// The index of each cell of its table that it gives a weight.
    pub fn cells(&self) -> Range<usize> {
        match self.mode {
            Mode::Gradient => 0..self.key.feature().layout.cells(),
            Mode::Scalar | Mode::Cells | Mode::Off => self.index..self.index + 1,
        }
    }

    /// Its value in `weights`, which hold the feature in the same mode.
    pub fn get(&self, weights: &Weights) -> f64 {
        let setting = weights.setting(self.key);
        match self.part {
            Part::Opening | Part::Both => setting.open[self.index],
            Part::Endgame => setting.end[self.index],
        }
    }

    /// Its value in `weights`; none if they hold the feature in another mode.
    pub fn find(&self, weights: &Weights) -> Option<f64> {
        (weights.setting(self.key).mode == self.mode).then(|| self.get(weights))
    }

    /// Changes its value in `weights`, which hold the feature in the same mode.
    pub fn set(&self, weights: &mut Weights, value: f64) {
        let setting = weights.setting_mut(self.key);
        if self.part != Part::Endgame {
            setting.open[self.index] = value;
        }
        if self.part != Part::Opening {
            setting.end[self.index] = value;
        }
    }
}

impl fmt::Display for Parameter {
    /// `n_fwd.o`, `p_adv[de,r4].e`, `pass.o` for a gradient, `trade_pc` for one weight in both phases.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let feature = self.key.feature();
        let cell = match self.mode {
            Mode::Cells => format!("[{}]", feature.layout.label(self.index)),
            Mode::Scalar | Mode::Gradient | Mode::Off => String::new(),
        };
        let part = match self.part {
            Part::Opening => ".o",
            Part::Endgame => ".e",
            Part::Both => "",
        };
        f.pad(&format!("{}{cell}{part}", feature.key))
    }
}

impl FromStr for Parameter {
    type Err = Error;

    /// Takes what its printing gives.
    fn from_str(name: &str) -> Result<Parameter> {
        let unknown = || Error::expected("the name of a weight, such as n_fwd.o", format!("{name:?}"));
        let (rest, part) = match name.rsplit_once('.') {
            Some((rest, "o")) => (rest, Part::Opening),
            Some((rest, "e")) => (rest, Part::Endgame),
            _ => (name, Part::Both),
        };
        let cell = rest.strip_suffix(']').and_then(|rest| rest.split_once('['));
        let (key, label) = cell.map_or((rest, None), |(key, label)| (key, Some(label)));
        let key = Key::from_name(key).ok_or_else(unknown)?;
        let layout = key.feature().layout;
        let (mode, index) = match label {
            Some(label) => {
                let index =
                    (0..layout.cells()).find(|&index| layout.is_table() && layout.label(index) == label);
                (Mode::Cells, index.ok_or_else(unknown)?)
            }
            // An optional table has free cells, or none.
            None if layout.is_table() && key.is_optional() => return Err(unknown()),
            None if layout.is_table() => (Mode::Gradient, 0),
            None => (Mode::Scalar, 0),
        };
        if !Part::of(key.feature().ends).contains(&part) {
            return Err(unknown());
        }
        Ok(Parameter { key, mode, index, part })
    }
}

/// A parameter that the count of a cell goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Number of the parameter.
    pub parameter: u32,
    /// How often one count of the cell counts there.
    pub factor: i64,
}

/// The parameters of a set of weights in a fixed order: by key, by cell, opening before endgame. Optional
/// features that are off have none.
#[derive(Debug, Clone)]
pub struct Parameters {
    weights: Weights,
    parameters: Vec<Parameter>,
    model: Model,
    /// For each cell the column of its opening and of its endgame count.
    columns: Vec<[Option<Column>; 2]>,
}

impl Parameters {
    /// Numbers the parameters of `weights`. Their values are also what a ridge towards the start pulls to.
    ///
    /// # Errors
    ///
    /// A weight that is no number, or too large.
    pub fn new(weights: &Weights) -> Result<Parameters> {
        let parameters: Vec<Parameter> = all(weights).collect();
        let mut columns = vec![[None; 2]; CELLS];
        for (number, parameter) in (0..).zip(&parameters) {
            connect(&mut columns, number, parameter);
        }
        let mut described = Vec::with_capacity(parameters.len());
        let mut first = 0;
        for of_key in parameters.chunk_by(|one, other| one.key == other.key) {
            described.extend(of_key.iter().map(|parameter| describe(parameter, weights, first)));
            first += of_key.len();
        }
        let model = Model::new(described)?;
        Ok(Parameters { weights: weights.clone(), parameters, model, columns })
    }

    /// The parameters in the order of the model.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The model of the weights.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The weights with these values of all parameters, in units.
    pub fn weights(&self, values: &[f64]) -> Weights {
        let mut weights = self.weights.clone();
        for (parameter, &value) in self.parameters.iter().zip(values) {
            parameter.set(&mut weights, value);
        }
        weights
    }

    /// The values of all parameters in weights that hold every feature in the same mode, in units.
    pub fn values(&self, weights: &Weights) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.get(weights)).collect()
    }

    /// The parameters that are the points of a knight, a bishop, a rook and a queen in the phase, where they
    /// are tuned.
    pub fn points(&self) -> [Option<u32>; 4] {
        POINTS.map(|key| {
            let column = self.columns[usize::from(key.cell())][0]?;
            self.model.parameters()[column.parameter as usize].tune.then_some(column.parameter)
        })
    }

    /// Where the opening and the endgame count of a cell go.
    #[inline]
    pub fn columns(&self, cell: Cell) -> &[Option<Column>; 2] {
        &self.columns[usize::from(cell)]
    }
}

/// All parameters of `weights`, tuned or not.
fn all(weights: &Weights) -> impl Iterator<Item = Parameter> {
    Key::ALL.iter().flat_map(|&key| {
        let setting = weights.setting(key);
        (0..setting.open.len()).flat_map(move |index| {
            let parts = Part::of(key.feature().ends);
            parts.iter().map(move |&part| Parameter { key, mode: setting.mode, index, part })
        })
    })
}

/// Sends the counts of the cells of a parameter to its column.
fn connect(columns: &mut [[Option<Column>; 2]], number: u32, parameter: &Parameter) {
    let Parameter { key, mode, part, .. } = *parameter;
    for index in parameter.cells() {
        let column = |end: usize| {
            let factor = if mode == Mode::Gradient { key.feature().shape[end][index] } else { 1 };
            Some(Column { parameter: number, factor: i64::from(factor) })
        };
        let cell = &mut columns[usize::from(key.cell_at(index))];
        if part != Part::Endgame {
            cell[0] = column(0);
        }
        if part != Part::Opening {
            cell[1] = column(1);
        }
    }
}

/// A parameter as the model knows it; `first` is the number of the first one of its key.
fn describe(parameter: &Parameter, weights: &Weights, first: usize) -> texam_fit::Parameter {
    let Parameter { key, mode, index, part } = *parameter;
    let feature = key.feature();
    let parts = Part::of(feature.ends);
    let offset = parts.iter().position(|&other| other == part).unwrap_or(0);
    let near = if mode == Mode::Cells { neighbours(feature.layout, index) } else { Vec::new() };
    let largest = |end: usize| feature.shape[end].iter().map(|shape| shape.unsigned_abs()).max().unwrap_or(0);
    let factor = match (mode, part) {
        (Mode::Gradient, Part::Opening) => largest(0),
        (Mode::Gradient, Part::Endgame) => largest(1),
        (Mode::Gradient, Part::Both) => largest(0).max(largest(1)),
        _ => 1,
    };
    texam_fit::Parameter {
        tune: weights.setting(key).tune[index],
        neighbours: near.into_iter().map(|other| first + other * parts.len() + offset).collect(),
        bound: MAX_WEIGHT / f64::from(factor),
        ..texam_fit::Parameter::new(parameter.to_string(), parameter.get(weights))
    }
}

/// Cells next to cell `index` in its table. Shelter files are no scale (the own file lies between the
/// inner and the outer), so there only the states of one file are neighbours.
fn neighbours(layout: Layout, index: usize) -> Vec<usize> {
    let (columns, rows_are_a_scale) = match layout {
        Layout::Scalar => return Vec::new(),
        Layout::FileRank { ranks, .. } | Layout::Square { ranks, .. } => (usize::from(ranks), true),
        Layout::Shelter => (4, false),
        Layout::File | Layout::Rank { .. } | Layout::Storm | Layout::Number { .. } => (layout.cells(), true),
        Layout::Role => return Vec::new(),
    };
    let (row, column) = (index / columns, index % columns);
    let mut near = Vec::new();
    if column > 0 {
        near.push(index - 1);
    }
    if column + 1 < columns {
        near.push(index + 1);
    }
    if rows_are_a_scale && row > 0 {
        near.push(index - columns);
    }
    if rows_are_a_scale && index + columns < layout.cells() {
        near.push(index + columns);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(keys: &[Key]) -> Weights {
        let mut weights = Weights::start();
        for &key in Key::ALL {
            weights.setting_mut(key).tune.fill(keys.contains(&key));
        }
        weights
    }

    fn named(parameters: &Parameters, name: &str) -> usize {
        parameters.model().parameters().iter().position(|parameter| parameter.name == name).unwrap()
    }

    #[test]
    fn parameters_are_named_by_key_cell_and_end() {
        let mut weights = only(&[Key::NFwd, Key::TradePc, Key::Pass, Key::ShCtr, Key::Dbl]);
        weights.free_table(Key::Dbl).unwrap();
        weights.setting_mut(Key::Dbl).tune = vec![false, false, false, true];
        let parameters = Parameters::new(&weights).unwrap();
        let model = parameters.model();
        let names: Vec<&str> = model.tuned().iter().map(|&at| &*model.parameters()[at].name).collect();
        assert_eq!(
            names,
            ["trade_pc", "n_fwd.o", "n_fwd.e", "dbl[de].o", "dbl[de].e", "pass.o", "pass.e", "sh_ctr.o"]
        );
    }

    #[test]
    fn names_of_parameters_are_read_back_and_others_are_refused() {
        let mut weights = Weights::start();
        let all = |weights: &Weights| Parameters::new(weights).unwrap().parameters().to_vec();
        let mut parameters = all(&weights);
        for &key in Key::ALL.iter().filter(|key| key.feature().layout.is_table()) {
            weights.free_table(key).unwrap();
        }
        parameters.extend(all(&weights));
        assert!(parameters.len() > 500);
        for parameter in parameters {
            assert_eq!(parameter.to_string().parse::<Parameter>().unwrap(), parameter);
        }
        for wrong in [
            "",
            "n_fwd",
            "n_fwd.x",
            "trade_pc.o",
            "sh_ctr.e",
            "n_fwd[r2].o",
            "pass[r8].o",
            "pass[r7.o",
            "pst_n.o",
        ] {
            assert!(wrong.parse::<Parameter>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_count_of_a_gradient_goes_to_its_column_times_the_shape() {
        let parameters = Parameters::new(&Weights::start()).unwrap();
        let [open, end] = parameters.columns(Key::Pass.cell_at(5)).map(Option::unwrap);
        assert_eq!((open.factor, end.factor), (90, 200));
        let names = [open, end].map(|c| &*parameters.model().parameters()[c.parameter as usize].name);
        assert_eq!(names, ["pass.o", "pass.e"]);
    }

    #[test]
    fn a_single_weight_has_one_column_for_both_ends_and_an_opening_weight_one_for_the_opening() {
        let parameters = Parameters::new(&Weights::start()).unwrap();
        let [open, end] = *parameters.columns(Key::TradePn.cell());
        assert!(open.is_some() && open == end);
        let [open, end] = *parameters.columns(Key::Storm.cell_at(3));
        assert_eq!((open.unwrap().factor, end), (-14, None));
        assert_eq!(*parameters.columns(Key::PstN.cell()), [None, None]);
    }

    #[test]
    fn values_of_the_model_are_those_of_the_weights_there_and_back() {
        let mut weights = only(&[Key::TradePn, Key::NFwd]);
        weights.free_table(Key::KCen).unwrap();
        let parameters = Parameters::new(&weights).unwrap();
        assert_eq!(parameters.weights(&parameters.model().values()), weights);
        let mut values = parameters.values(&weights);
        values[named(&parameters, "trade_pn")] = 1.0;
        values[named(&parameters, "n_fwd.e")] = 3.0;
        let changed = parameters.weights(&values);
        assert_eq!(changed.of_cell(Key::TradePn.cell()), [1.0, 1.0]);
        assert_eq!(changed.of_cell(Key::NFwd.cell()), [2.0, 3.0]);
        assert_eq!(parameters.values(&changed), values);
    }

    #[test]
    fn neighbours_are_those_of_the_board_and_shelter_files_have_none() {
        assert_eq!(neighbours(Layout::FileRank { low: 2, ranks: 6 }, 7), [6, 8, 1, 13]);
        assert_eq!(neighbours(Layout::FileRank { low: 2, ranks: 6 }, 23), [22, 17]);
        assert_eq!(neighbours(Layout::File, 3), [2]);
        assert_eq!(neighbours(Layout::Shelter, 4), [5]);
        assert!(neighbours(Layout::Scalar, 0).is_empty());
        let mut weights = Weights::start();
        weights.free_table(Key::Dbl).unwrap();
        let parameters = Parameters::new(&weights).unwrap();
        let cell = &parameters.model().parameters()[named(&parameters, "dbl[bg].e")];
        let near = ["dbl[ah].e", "dbl[cf].e"].map(|name| named(&parameters, name));
        assert_eq!(cell.neighbours, near);
    }

    #[test]
    fn the_bound_of_a_gradient_is_that_of_its_largest_cell() {
        let parameters = Parameters::new(&Weights::start()).unwrap();
        let bound = |name| parameters.model().parameters()[named(&parameters, name)].bound;
        assert_eq!((bound("n_fwd.o"), bound("pass.e")), (8192.0, 8192.0 / 200.0));
    }
}
