//! The rows of a choice as the equations take them: tuned columns only, with what the objective says of each.
//!
//! All numbers are integers. The buffers of a [`RowMaker`] serve one choice after the other.

mod centre;

pub(crate) use self::centre::CentrePoint;
use crate::{
    choice::{Choice, deviations},
    error::{Error, Result},
    model::Model,
    objective::{Centre, Judged, Objective, judge_weighted},
    units::{FRACTION_BITS, PULL_BITS, PULL_UNIT, to_fraction},
};

/// Largest pull in units.
const LARGEST_PULL: f64 = 1e9;

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TunedRow<'a> {
    /// Numbers of tuned parameters, ascending.
    pub columns: &'a [u32],
    /// Entries on the grids of their columns.
    pub entries: &'a [i64],
    /// Weight in 2^-24.
    pub weight: i64,
    /// Pull in 2^-32 unit; with a temperature, in 2^-32 without unit.
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
    weights: Vec<i64>,
    pulls: Vec<i64>,
    deviations: Vec<i64>,
    /// The point from which the rows are measured; without columns, the root.
    pub centre: CentrePoint,
    /// The columns in which the rows differ from each other, where they are measured from a centre.
    differing: Option<Vec<u32>>,
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
            weight: self.weights[at],
            pull: self.pulls[at],
            deviation: self.deviations[at],
        })
    }

    /// Columns that the choice tells something about, some of them more than once.
    pub fn columns(&self) -> &[u32] {
        self.differing.as_deref().unwrap_or(&self.columns)
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.columns.clear();
        self.entries.clear();
        self.weights.clear();
        self.pulls.clear();
        self.deviations.clear();
    }
}

/// Turns choices into rows.
pub(crate) struct RowMaker<'a> {
    model: &'a Model,
    objective: &'a dyn Objective,
    temperature: f64,
    judged: Judged,
    rows: Rows,
    /// For each tuned column the sum of the weighted entries, the entry of the first row, how many rows have
    /// the same, and how many have one.
    columns: Vec<(i128, i64, [u32; 2])>,
}

impl<'a> RowMaker<'a> {
    /// A maker of rows for `objective` over the tuned parameters of `model`. Objectives without a temperature
    /// ignore it.
    pub fn new(model: &'a Model, objective: &'a dyn Objective, temperature: f64) -> RowMaker<'a> {
        let (judged, rows) = Default::default();
        RowMaker { model, objective, temperature, judged, rows, columns: Vec::new() }
    }

    /// The rows of `choice`.
    ///
    /// # Errors
    ///
    /// An entry of a parameter that is not there, a pull that is too large, or weighted entries that are.
    pub fn make(&mut self, choice: &Choice) -> Result<&Rows> {
        self.judge(choice)?;
        let weights = self.judged.weights.iter().map(|&weight| to_fraction(weight.clamp(0.0, 1.0)));
        self.rows.weights.extend(weights);
        let deviations = deviations(choice.values());
        match choice.withheld() {
            // Nothing takes them.
            _ if self.objective.has_temperature() => self.rows.deviations.resize(choice.len(), 0),
            0 => self.rows.deviations.extend(deviations),
            _ => self.rows.deviations.extend(deviations.map(|d| (d as f64 * choice.weight()).round() as i64)),
        }
        self.take_entries(choice)?;
        match self.judged.centre {
            Centre::Root => (self.rows.centre, self.rows.differing) = Default::default(),
            Centre::Chosen | Centre::Mean => self.find_centre()?,
        }
        Ok(&self.rows)
    }

    /// The loss of a choice, and the pulls of its rows. Those of several rows add up to 0.
    ///
    /// # Errors
    ///
    /// A pull that is too large.
    pub fn pulls(&mut self, choice: &Choice) -> Result<(i64, &[i64])> {
        self.judge(choice)?;
        if self.judged.centre != Centre::Root {
            let total: i64 = self.rows.pulls.iter().sum();
            self.rows.pulls[..1].iter_mut().for_each(|chosen| *chosen -= total);
        }
        Ok((self.rows.loss, &self.rows.pulls))
    }

    fn judge(&mut self, choice: &Choice) -> Result<()> {
        let loss = judge_weighted(self.objective, choice, self.temperature, &mut self.judged);
        self.rows.clear();
        self.rows.loss = to_fraction(loss);
        for &pull in &self.judged.pulls {
            if !pull.is_finite() || pull.abs() > LARGEST_PULL {
                return Err(Error::Pull(pull));
            }
            self.rows.pulls.push(match self.model.grids() {
                Some(_) => (pull * PULL_UNIT).round() as i64,
                None => to_fraction(pull) << (PULL_BITS - FRACTION_BITS),
            });
        }
        Ok(())
    }

    /// Takes the entries of the tuned parameters.
    fn take_entries(&mut self, choice: &Choice) -> Result<()> {
        let parameters = self.model.parameters().len();
        for row in choice.rows() {
            if row.columns.last().is_some_and(|&last| last as usize >= parameters) {
                let expected = format!("entries of {parameters} parameters");
                return Err(Error::input(expected, "one of a later parameter"));
            }
            if self.model.tuned().len() == parameters {
                self.rows.columns.extend_from_slice(row.columns);
                self.rows.entries.extend(row.entries.iter().copied().map(i64::from));
                self.rows.ends.push(self.rows.columns.len());
                continue;
            }
            for (index, entry) in row.iter() {
                if let Some(column) = self.model.tuned_column(index) {
                    self.rows.columns.push(column);
                    self.rows.entries.push(entry.into());
                }
            }
            self.rows.ends.push(self.rows.columns.len());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        normal::Sums,
        objective::{Balance, Force, Forces},
        synthetic,
        units::{ONE, PRODUCT},
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
        let value = |entries: [i64; 3]| {
            entries.iter().zip([2, 5, 7]).map(|(e, w)| e * w * 256).sum::<i64>() * PRODUCT
        };
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
    fn rows_have_the_tuned_columns_and_the_root_is_no_centre() {
        let (model, objective) = (model(), Weighted(Centre::Root));
        let mut maker = RowMaker::new(&model, &objective, 1.0);
        let rows = maker.make(&choice()).unwrap();
        let found: Vec<(&[u32], &[i64])> = rows.iter().map(|row| (row.columns, row.entries)).collect();
        assert_eq!(found, [(&[0][..], &[256][..]), (&[0, 1], &[512, 128]), (&[1], &[128])]);
        assert_eq!((rows.loss, rows.iter().next().unwrap().weight), (3 * ONE / 2, ONE / 2));
        assert_eq!((rows.columns(), rows.centre.columns.len()), (&[0, 0, 1, 1][..], 0));
    }

    /// The products of rows as measured from their centre, in counts, by the definition.
    #[test]
    fn products_from_a_centre_are_those_of_the_rows_less_the_chosen_one_or_the_weighted_mean() {
        let rows = [[1.0, 0.0, 0.0], [2.0, 0.5, 0.0], [0.0, 0.5, 0.0]];
        let weights = [0.5, 0.25, 0.25];
        let model = model();
        for (which, centre) in [(Centre::Chosen, [1.0, 0.0]), (Centre::Mean, [1.0, 0.25])] {
            let objective = Weighted(which);
            let mut maker = RowMaker::new(&model, &objective, 1.0);
            let mut sums = Sums::new(2);
            sums.add(maker.make(&choice()).unwrap()).unwrap();
            let system = sums.system(&model, &[0, 1], 0.0);
            for (at, &found) in system.matrix.iter().enumerate() {
                let [i, j] = [at / 2, at % 2];
                let terms = rows
                    .iter()
                    .zip(weights)
                    .map(|(row, weight)| weight * (row[i] - centre[i]) * (row[j] - centre[j]));
                assert_eq!(found as f64 / 2_f64.powi(56), terms.sum::<f64>(), "{which:?}");
            }
        }
    }

    #[test]
    fn columns_that_are_the_same_in_all_rows_tell_nothing() {
        let (model, objective) = (synthetic::model(&[1.0; 4]), Weighted(Centre::Mean));
        let mut choice = Choice::default();
        choice.begin(0, 0);
        for entries in [[7, 5, 0, 1], [7, 5, 3, 0], [7, 4, 0, 1]] {
            choice.push(0, (0..).zip(entries)).unwrap();
        }
        let mut maker = RowMaker::new(&model, &objective, 1.0);
        assert_eq!(maker.make(&choice).unwrap().columns(), [1, 2, 3]);
        assert_eq!(maker.make(&choice).unwrap().columns(), [1, 2, 3], "again");
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
