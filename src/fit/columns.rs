//! Which numbers a fit may change, and in which column of its matrix each of them stands.
//!
//! A *parameter* is one tunable number: the opening or endgame weight of a scalar or a cell, the gradient
//! of a table at one end of the game, or a weight that is the same in both phases. [`Columns`] numbers
//! them and knows, for every cell, which columns its count goes to and what the untuned rest of it is
//! worth. It knows weights, but no decisions, targets or sums.

use std::{fmt, str::FromStr};

use crate::{
    error::{Error, Result},
    feature::{Cell, Ends, Key, Mode, Weights},
};

/// Part of the game that a parameter counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// Its value in `weights`, which hold the feature in the same mode.
    pub fn get(&self, weights: &Weights) -> f64 {
        let setting = weights.setting(self.key);
        match self.part {
            Part::Opening | Part::Both => setting.open[self.index],
            Part::Endgame => setting.end[self.index],
        }
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

    /// Its value in `weights`, in whatever mode these hold the feature: free cells find their weight in a
    /// gradient.
    ///
    /// # Errors
    ///
    /// When the parameter is a gradient and `weights` hold free cells.
    pub fn get_from(&self, weights: &Weights) -> Result<f64> {
        let mode = weights.setting(self.key).mode;
        if mode == self.mode {
            return Ok(self.get(weights));
        }
        if self.mode == Mode::Gradient {
            let key = self.key.feature().key;
            return Err(Error::expected(
                format!("{key} as a gradient in the weights that the ridge holds to"),
                "free cells, which are no multiple of its shape; use --ridge-to current",
            ));
        }
        let [open, end] = weights.of_cell(self.key.cell_at(self.index));
        Ok(if self.part == Part::Endgame { end } else { open })
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
        let (key, label) = match rest.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
            Some((key, label)) => (key, Some(label)),
            None => (rest, None),
        };
        let key = Key::from_name(key).ok_or_else(unknown)?;
        let layout = key.feature().layout;
        let (mode, index) = match label {
            Some(label) => {
                let index =
                    (0..layout.cells()).find(|&index| layout.is_table() && layout.label(index) == label);
                (Mode::Cells, index.ok_or_else(unknown)?)
            }
            // An optional table has free cells, or none.
            None if key.is_optional() => return Err(unknown()),
            None if layout.is_table() => (Mode::Gradient, 0),
            None => (Mode::Scalar, 0),
        };
        if !Part::of(key.feature().ends).contains(&part) {
            return Err(unknown());
        }
        Ok(Parameter { key, mode, index, part })
    }
}

/// A column, and how often one count of a cell counts there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tap {
    pub(super) column: u16,
    pub(super) factor: i64,
}

/// Where the count of a cell goes at each end, and the weight (1/256 unit) of the ends that go nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellColumns {
    pub(super) open: Option<Tap>,
    pub(super) end: Option<Tap>,
    pub(super) held: [i64; 2],
}

/// The tuned parameters of a set of weights in a fixed order: by key, by cell, opening before endgame.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    parameters: Vec<Parameter>,
    values: Vec<i64>,
    cells: Vec<CellColumns>,
}

impl Columns {
    /// Numbers the parameters that `weights` mark as tuned.
    pub fn new(weights: &Weights) -> Columns {
        let parameters: Vec<Parameter> = tuned(weights).collect();
        let rounded = weights.rounded();
        let values = parameters.iter().map(|parameter| (parameter.get(&rounded) * 256.0) as i64).collect();
        let quantised = weights.quantised();
        let cells = (0..crate::feature::CELLS as Cell).map(|cell| CellColumns {
            open: None,
            end: None,
            held: [i64::from(quantised.open(cell)), i64::from(quantised.end(cell))],
        });
        let mut columns = Columns { parameters, values, cells: cells.collect() };
        for column in 0..columns.len() {
            columns.connect(column);
        }
        columns
    }

    /// Sends the counts of the cells of a parameter to its column.
    fn connect(&mut self, column: usize) {
        let Parameter { key, mode, index, part } = self.parameters[column];
        let indices = if mode == Mode::Gradient { 0..key.feature().layout.cells() } else { index..index + 1 };
        for index in indices {
            let tap = |end: usize| {
                let factor = if mode == Mode::Gradient { key.feature().shape[end][index] } else { 1 };
                Some(Tap { column: column as u16, factor: i64::from(factor) })
            };
            let cell = &mut self.cells[usize::from(key.cell_at(index))];
            if part != Part::Endgame {
                (cell.open, cell.held[0]) = (tap(0), 0);
            }
            if part != Part::Opening {
                (cell.end, cell.held[1]) = (tap(1), 0);
            }
        }
    }

    /// The parameters in the order of their columns.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Their values in 1/256 unit, as the search used them.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Whether nothing is tuned.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }

    /// Where the counts of `cell` go.
    pub(super) fn cell(&self, cell: Cell) -> &CellColumns {
        &self.cells[usize::from(cell)]
    }
}

/// The tuned parameters of `weights`.
fn tuned(weights: &Weights) -> impl Iterator<Item = Parameter> {
    Key::ALL.iter().flat_map(|&key| {
        let setting = weights.setting(key);
        let entries = setting.tune.iter().enumerate().filter(|&(_, &tune)| tune);
        entries.flat_map(move |(index, _)| {
            let parts = Part::of(key.feature().ends);
            parts.iter().map(move |&part| Parameter { key, mode: setting.mode, index, part })
        })
    })
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

    #[test]
    fn parameters_are_named_by_key_cell_and_end() {
        let mut weights = only(&[Key::NFwd, Key::TradePc, Key::Pass, Key::ShCtr, Key::Dbl]);
        weights.free_table(Key::Dbl).unwrap();
        weights.setting_mut(Key::Dbl).tune = vec![false, false, false, true];
        let columns = Columns::new(&weights);
        let names: Vec<String> = columns.parameters().iter().map(Parameter::to_string).collect();
        assert_eq!(
            names,
            ["trade_pc", "n_fwd.o", "n_fwd.e", "dbl[de].o", "dbl[de].e", "pass.o", "pass.e", "sh_ctr.o"]
        );
    }

    #[test]
    fn names_of_parameters_are_read_back_and_others_are_refused() {
        let mut weights = only(Key::ALL);
        let names = |weights: &Weights| Columns::new(weights).parameters().to_vec();
        let mut parameters = names(&weights);
        for &key in Key::ALL.iter().filter(|key| key.feature().layout.is_table()) {
            weights.free_table(key).unwrap();
        }
        parameters.extend(names(&weights));
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
    fn a_gradient_counts_its_shape_and_an_untuned_cell_keeps_its_weight() {
        let columns = Columns::new(&only(&[Key::Pass]));
        let rank7 = columns.cell(Key::Pass.cell_at(5));
        assert_eq!(rank7.open, Some(Tap { column: 0, factor: 90 }));
        assert_eq!(rank7.end, Some(Tap { column: 1, factor: 200 }));
        assert_eq!(rank7.held, [0, 0]);
        let knight = columns.cell(Key::MatN.cell());
        assert_eq!((knight.open, knight.held), (None, [416 * 256, 416 * 256]));
    }

    #[test]
    fn a_single_weight_has_one_column_for_both_ends_and_an_opening_weight_one_for_the_opening() {
        let columns = Columns::new(&only(&[Key::TradePn, Key::Storm]));
        assert_eq!(columns.len(), 2);
        let single = columns.cell(Key::TradePn.cell());
        assert_eq!((single.open, single.end), (single.end, Some(Tap { column: 0, factor: 1 })));
        let storm = columns.cell(Key::Storm.cell_at(3));
        assert_eq!((storm.open, storm.end), (Some(Tap { column: 1, factor: -14 }), None));
    }

    #[test]
    fn setting_a_parameter_changes_what_it_names() {
        let mut weights = only(&[Key::TradePn, Key::NFwd]);
        for (value, &parameter) in (1..).zip(Columns::new(&weights).parameters()) {
            parameter.set(&mut weights, f64::from(value));
            assert_eq!(parameter.get(&weights), f64::from(value));
        }
        assert_eq!(weights.of_cell(Key::TradePn.cell()), [1.0, 1.0]);
        assert_eq!(weights.of_cell(Key::NFwd.cell()), [2.0, 3.0]);
    }

    #[test]
    fn free_cells_find_their_weight_in_a_gradient_but_not_the_other_way_round() {
        let start = only(&[Key::Pass]);
        let mut freed = start.clone();
        freed.free_table(Key::Pass).unwrap();
        let cell = Columns::new(&freed).parameters()[11];
        assert_eq!((cell.to_string().as_str(), cell.get_from(&start).unwrap()), ("pass[r7].e", 200.0));
        let gradient = Columns::new(&start).parameters()[0];
        assert!(gradient.get_from(&freed).unwrap_err().to_string().contains("pass as a gradient"));
    }
}
