//! The rows of a choice as the equations take them: tuned columns only, measured from the centre of the
//! choice, with what the objective says of each.
//!
//! All numbers are integers. The buffers of a [`RowMaker`] serve one choice after the other.

use crate::{
    choice::{Choice, deviations},
    error::{Error, Result},
    model::Model,
    objective::{Centre, Judged, Objective, judge_weighted},
    units::{QUANTA, divide_rounded, to_fraction},
};

/// Largest pull in units.
const LARGEST_PULL: f64 = 1e9;

/// Largest absolute target in 1/65536 unit.
const LARGEST_TARGET: i128 = 1 << 50;

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TunedRow<'a> {
    /// Numbers of tuned parameters, ascending.
    pub columns: &'a [u32],
    /// Entries in 1/256 count.
    pub entries: &'a [i64],
    /// What the tuned parameters contribute to the value, in 1/65536 unit.
    pub target: i64,
    /// Weight in 2^-24.
    pub weight: i64,
    /// Pull in 2^-24 unit; with a temperature, in 2^-24 without unit.
    pub pull: i64,
    /// Value less the mean value of the choice, in 2^-24 unit.
    pub deviation: i64,
}

/// The rows of one choice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    ends: Vec<usize>,
    columns: Vec<u32>,
    entries: Vec<i64>,
    targets: Vec<i64>,
    weights: Vec<i64>,
    pulls: Vec<i64>,
    deviations: Vec<i64>,
    /// Loss of the choice in 2^-24.
    pub loss: i64,
}

impl Rows {
    /// The rows, the chosen one first.
    pub fn iter(&self) -> impl Iterator<Item = TunedRow<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).enumerate().map(|(at, (start, &end))| TunedRow {
            columns: &self.columns[start..end],
            entries: &self.entries[start..end],
            target: self.targets[at],
            weight: self.weights[at],
            pull: self.pulls[at],
            deviation: self.deviations[at],
        })
    }

    /// Columns with an entry, some of them more than once.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.columns.clear();
        self.entries.clear();
        self.targets.clear();
        self.weights.clear();
        self.pulls.clear();
        self.deviations.clear();
    }

    /// Ends a row whose entries have been pushed.
    fn end_row(&mut self, target: i128, model: &Model) -> Result<()> {
        if target.abs() > LARGEST_TARGET {
            let row = self.ends.last().copied().unwrap_or(0)..;
            let largest = row.clone().zip(&self.entries[row]).max_by_key(|&(_, entry)| entry.abs());
            let of_largest = largest.map_or_else(String::new, |(at, entry)| {
                let name = &model.parameters()[model.tuned()[self.columns[at] as usize]].name;
                format!("; the row counts {} of {name}: count it in a larger unit", *entry as f64 / QUANTA)
            });
            let found = format!("{:e} units{of_largest}", target as f64 / 65536.0);
            return Err(Error::input("values of rows that differ by less than 2^34 units", found));
        }
        self.targets.push(target as i64);
        self.ends.push(self.columns.len());
        Ok(())
    }
}

/// Turns choices into rows.
pub(crate) struct RowMaker<'a> {
    model: &'a Model,
    objective: &'a dyn Objective,
    temperature: f64,
    judged: Judged,
    rows: Rows,
    /// The rows before they are measured from a centre.
    plain: Rows,
    centre: Vec<(u32, i64)>,
    sums: Vec<i128>,
}

impl<'a> RowMaker<'a> {
    /// A maker of rows for `objective` over the tuned parameters of `model`. Objectives without a temperature
    /// ignore it.
    pub fn new(model: &'a Model, objective: &'a dyn Objective, temperature: f64) -> RowMaker<'a> {
        RowMaker {
            model,
            objective,
            temperature,
            judged: Judged::default(),
            rows: Rows::default(),
            plain: Rows::default(),
            centre: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// The rows of `choice`.
    ///
    /// # Errors
    ///
    /// An entry of a parameter that is not there, or a pull or a target that is too large.
    pub fn make(&mut self, choice: &Choice) -> Result<&Rows> {
        let loss = judge_weighted(self.objective, choice, self.temperature, &mut self.judged);
        self.rows.clear();
        let target = if self.judged.centre == Centre::Root { &mut self.rows } else { &mut self.plain };
        target.clear();
        split(self.model, choice, target)?;
        if self.judged.centre != Centre::Root {
            self.measure_from_centre()?;
        }
        self.rows.loss = to_fraction(loss);
        for &pull in &self.judged.pulls {
            if !pull.is_finite() || pull.abs() > LARGEST_PULL {
                return Err(Error::Pull(pull));
            }
            self.rows.pulls.push(to_fraction(pull));
        }
        self.rows
            .weights
            .extend(self.judged.weights.iter().map(|&weight| to_fraction(weight.clamp(0.0, 1.0))));
        let deviations = deviations(choice.values());
        match choice.withheld() {
            0 => self.rows.deviations.extend(deviations),
            _ => self.rows.deviations.extend(deviations.map(|d| (d as f64 * choice.weight()).round() as i64)),
        }
        Ok(&self.rows)
    }

    /// Fills `rows` with the plain rows less the centre.
    fn measure_from_centre(&mut self) -> Result<()> {
        self.find_centre();
        let values = self.model.quantised();
        let value = |&(column, entry): &(u32, i64)| {
            i128::from(values[self.model.tuned()[column as usize]]) * i128::from(entry)
        };
        let centre_value: i128 = self.centre.iter().map(value).sum();
        let mut start = 0;
        for (&end, &target) in self.plain.ends.iter().zip(&self.plain.targets) {
            let row = self.plain.columns[start..end].iter().copied();
            let mut row = row.zip(self.plain.entries[start..end].iter().copied()).peekable();
            let mut centre = self.centre.iter().copied().peekable();
            loop {
                let next = match (row.peek(), centre.peek()) {
                    (Some(&(a, _)), Some(&(b, _))) => a.min(b),
                    (Some(&(a, _)), None) => a,
                    (None, Some(&(b, _))) => b,
                    (None, None) => break,
                };
                let mine = row.next_if(|&(column, _)| column == next).map_or(0, |(_, entry)| entry);
                let its = centre.next_if(|&(column, _)| column == next).map_or(0, |(_, entry)| entry);
                if mine != its {
                    self.rows.columns.push(next);
                    self.rows.entries.push(mine - its);
                }
            }
            self.rows.end_row(i128::from(target) - centre_value, self.model)?;
            start = end;
        }
        Ok(())
    }

    fn find_centre(&mut self) {
        self.centre.clear();
        let entries = |start: usize, end: usize| {
            let columns = self.plain.columns[start..end].iter().copied();
            columns.zip(self.plain.entries[start..end].iter().copied())
        };
        if self.judged.centre == Centre::Chosen {
            self.centre.extend(entries(0, self.plain.ends.first().copied().unwrap_or(0)));
            return;
        }
        self.sums.clear();
        self.sums.resize(self.model.tuned().len(), 0);
        let (mut start, mut total) = (0, 0);
        for (&end, weight) in self.plain.ends.iter().zip(&self.judged.weights) {
            let weight = i128::from(to_fraction(*weight));
            total += weight;
            for (column, entry) in entries(start, end) {
                self.sums[column as usize] += weight * i128::from(entry);
            }
            start = end;
        }
        if total > 0 {
            let means = self.sums.iter().map(|&sum| divide_rounded(sum, total) as i64);
            self.centre.extend((0..).zip(means).filter(|&(_, mean)| mean != 0));
        }
    }
}

/// Takes the tuned entries of each row; what the others contribute leaves its value. To derivatives it adds the share that
/// their parameters would have in a linear value, which is that of the rows to first order.
fn split(model: &Model, choice: &Choice, rows: &mut Rows) -> Result<()> {
    let (values, parameters) = (model.quantised(), model.parameters().len());
    let share = |index: usize, entry: i32| i128::from(values[index]) * i128::from(entry);
    for row in choice.rows() {
        let mut target = i128::from(row.value);
        if row.columns.last().is_some_and(|&last| last as usize >= parameters) {
            return Err(Error::input(
                format!("entries of {parameters} parameters"),
                "one of a later parameter",
            ));
        }
        for (index, entry) in row.iter() {
            match model.tuned_column(index) {
                Some(column) => {
                    rows.columns.push(column);
                    rows.entries.push(i64::from(entry));
                    if model.parameters()[index].is_derivative {
                        target += share(index, entry);
                    }
                }
                None if model.parameters()[index].is_derivative => {}
                None => target -= share(index, entry),
            }
        }
        rows.end_row(target, model)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        objective::{Balance, Force, Forces},
        synthetic::{self, Kind},
        units::{ONE, VALUE_UNIT},
    };

    /// Three parameters worth 2, 5 and 7 units, of which the second is not tuned.
    fn model() -> Model {
        let mut model = synthetic::model(&[2.0, 5.0, 7.0]);
        model = synthetic::tuning(&model, &[0, 2]);
        model
    }

    fn choice() -> Choice {
        let mut choice = Choice::default();
        choice.begin(0, 0);
        let value = |entries: [i64; 3]| entries.iter().zip([2, 5, 7]).map(|(e, w)| e * w * 256).sum::<i64>();
        for entries in [[256, -256, 0], [512, 256, 128], [0, 256, 128]] {
            choice.push(value(entries), (0..).zip(entries)).unwrap();
        }
        choice
    }

    struct Weighted(Centre);

    impl Objective for Weighted {
        fn name(&self) -> &'static str {
            "weighted"
        }

        fn judge(&self, _: &Choice, _: f64, judged: &mut Judged) -> f64 {
            judged.weights = vec![0.5, 0.25, 0.25];
            judged.centre = self.0;
            1.5
        }
    }

    #[test]
    fn the_share_of_what_is_not_tuned_leaves_the_value() {
        let (model, forces) = (model(), Forces::none());
        let mut maker = RowMaker::new(&model, &forces, 1.0);
        let rows: Vec<(Vec<u32>, Vec<i64>, i64)> = maker
            .make(&choice())
            .unwrap()
            .iter()
            .map(|row| (row.columns.to_vec(), row.entries.to_vec(), row.target))
            .collect();
        let unit = VALUE_UNIT;
        assert_eq!(rows[0], (vec![0], vec![256], 2 * unit));
        assert_eq!(rows[1], (vec![0, 1], vec![512, 128], 4 * unit + 7 * unit / 2));
    }

    #[test]
    fn rows_are_measured_from_the_chosen_move_or_from_their_weighted_mean() {
        let model = model();
        for (centre, first, second) in
            [(Centre::Chosen, vec![], vec![256, 128]), (Centre::Mean, vec![0, -64], vec![256, 64])]
        {
            let objective = Weighted(centre);
            let mut maker = RowMaker::new(&model, &objective, 1.0);
            let rows = maker.make(&choice()).unwrap();
            let found: Vec<TunedRow> = rows.iter().collect();
            let first: Vec<i64> = first.into_iter().filter(|&entry| entry != 0).collect();
            assert_eq!((found[0].entries, found[1].entries), (&first[..], &second[..]));
            for row in found {
                let value: i64 = row
                    .columns
                    .iter()
                    .zip(row.entries)
                    .map(|(&column, entry)| model.quantised()[model.tuned()[column as usize]] * entry)
                    .sum();
                assert_eq!(row.target, value, "{centre:?}");
            }
            assert_eq!((rows.loss, rows.iter().next().unwrap().weight), (3 * ONE / 2, ONE / 2));
        }
    }

    #[test]
    fn every_target_is_the_value_of_its_row_under_the_parameters_of_the_search() {
        let (model, forces) =
            (synthetic::tuning(&synthetic::random_model(1, 40), &[1, 2, 3, 20, 39]), Forces::default());
        let mut maker = RowMaker::new(&model, &forces, 1.0);
        for choice in synthetic::choices(2, &Kind::default(), &model) {
            for row in maker.make(&choice).unwrap().iter() {
                let entries = row.columns.iter().zip(row.entries);
                let value = |(&column, &entry): (&u32, &i64)| {
                    model.quantised()[model.tuned()[column as usize]] * entry
                };
                assert_eq!(row.target, entries.map(value).sum::<i64>());
            }
        }
    }

    #[test]
    fn a_pull_beyond_all_bounds_is_an_error() {
        let model = model();
        let forces = Forces { force: Force::Constant, strength: 1e12, balance: Balance::All, scale: 1.0 };
        let error = RowMaker::new(&model, &forces, 1.0).make(&choice()).unwrap_err();
        assert!(matches!(error, Error::Pull(_)), "{error}");
    }

    #[test]
    fn an_entry_of_a_parameter_that_is_not_there_is_an_error() {
        let (model, forces) = (model(), Forces::none());
        let mut choice = choice();
        choice.push(0, [(3, 1)]).unwrap();
        assert!(RowMaker::new(&model, &forces, 1.0).make(&choice).is_err());
    }
}
