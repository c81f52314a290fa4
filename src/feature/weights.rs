//! Weights: for every feature its opening and endgame weight, and which of them a fit may change.
//!
//! A table is held either as a *gradient*, one number that scales the fixed shape of the table, or as
//! *cells*, each with a weight of its own. Freeing the cells keeps the evaluation as it is; the way back
//! is closed, since reshaped cells are no multiple of the shape.

use super::{CELLS, Cell, Ends, Key};
use crate::error::{Error, Result};

/// Largest weight of a cell, in units: keeps every sum of an evaluation far inside 32 bits.
pub const MAX_WEIGHT: f64 = 8192.0;

/// How the weights of a feature are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// One weight; the feature has no table.
    Scalar,
    /// One weight that scales the shape of the table.
    Gradient,
    /// A weight for each cell of the table.
    Cells,
}

/// Weights of one feature, in units: one entry, or one for each cell in [`Mode::Cells`].
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// How they are held.
    pub mode: Mode,
    /// Opening weights.
    pub open: Vec<f64>,
    /// Endgame weights; equal to the opening weights of a single, 0 for opening-only.
    pub end: Vec<f64>,
    /// Whether a fit may change the entry.
    pub tune: Vec<bool>,
}

/// Weights of all features.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    settings: Vec<Setting>,
}

impl Weights {
    /// The hand-set start: every table a gradient, every feature tuned that is not frozen by default.
    pub fn start() -> Weights {
        let settings = Key::ALL.iter().map(|key| {
            let feature = key.feature();
            Setting {
                mode: if feature.layout.is_table() { Mode::Gradient } else { Mode::Scalar },
                open: vec![feature.start[0]],
                end: vec![feature.start[1]],
                tune: vec![!feature.frozen],
            }
        });
        Weights { settings: settings.collect() }
    }

    /// Weights of one feature.
    pub fn setting(&self, key: Key) -> &Setting {
        &self.settings[key as usize]
    }

    /// Weights of one feature, to be changed; keep to the lengths that its mode asks for.
    pub fn setting_mut(&mut self, key: Key) -> &mut Setting {
        &mut self.settings[key as usize]
    }

    /// Opening and endgame weight of one cell, in units, whatever way they are held.
    pub fn of_cell(&self, cell: Cell) -> [f64; 2] {
        let (key, index) = Key::of_cell(cell);
        let setting = self.setting(key);
        match setting.mode {
            Mode::Scalar => [setting.open[0], setting.end[0]],
            Mode::Cells => [setting.open[index], setting.end[index]],
            Mode::Gradient => {
                let [open, end] = key.feature().shape.map(|shape| f64::from(shape[index]));
                [setting.open[0] * open, setting.end[0] * end]
            }
        }
    }

    /// Gives every cell of a table its own weight, without changing the evaluation. Cells are tuned,
    /// except those that [`pinned`] names; features that the free cells can imitate are frozen.
    ///
    /// # Errors
    ///
    /// When the feature has no table.
    pub fn free_table(&mut self, key: Key) -> Result<()> {
        let feature = key.feature();
        if !feature.layout.is_table() {
            return Err(Error::expected(
                "a feature with a table",
                format!("\"{}\", which has a single weight", feature.key),
            ));
        }
        if self.setting(key).mode == Mode::Cells {
            return Ok(());
        }
        let cells = feature.layout.cells();
        let weights: Vec<[f64; 2]> = (0..cells).map(|i| self.of_cell(key.cell_at(i))).collect();
        *self.setting_mut(key) = Setting {
            mode: Mode::Cells,
            open: weights.iter().map(|w| w[0]).collect(),
            end: weights.iter().map(|w| w[1]).collect(),
            tune: vec![true; cells],
        };
        let (pin, imitated) = pinned(key);
        if let Some(pin) = pin {
            self.setting_mut(key).tune[pin] = false;
        }
        for &other in imitated {
            self.setting_mut(other).tune.fill(false);
        }
        Ok(())
    }

    /// The same weights rounded to 1/256 unit, as the search uses them.
    pub fn rounded(&self) -> Weights {
        let mut rounded = self.clone();
        for setting in &mut rounded.settings {
            for weight in setting.open.iter_mut().chain(&mut setting.end) {
                *weight = quantise(*weight) as f64 / 256.0;
            }
        }
        rounded
    }

    /// Integer weights of all cells for the search.
    pub fn quantised(&self) -> Quantised {
        let mut cells = Box::new([[0; 2]; CELLS]);
        for &key in Key::ALL {
            let (feature, setting) = (key.feature(), self.setting(key));
            for index in 0..feature.layout.cells() {
                let entry = if setting.mode == Mode::Cells { index } else { 0 };
                let pair = [quantise(setting.open[entry]), quantise(setting.end[entry])];
                let factor = match setting.mode {
                    Mode::Gradient => feature.shape.map(|shape| i32::from(shape[index])),
                    Mode::Scalar | Mode::Cells => [1, 1],
                };
                cells[key.cell_at(index) as usize] = [pair[0] * factor[0], pair[1] * factor[1]];
            }
        }
        Quantised { cells }
    }

    /// Checks that every weight is a number the search can hold, that singles agree in both phases and
    /// that opening-only weights have no endgame part.
    ///
    /// # Errors
    ///
    /// Names the first weight that breaks a rule.
    pub fn validate(&self) -> Result<()> {
        for &key in Key::ALL {
            let (feature, setting) = (key.feature(), self.setting(key));
            for cell in key.cell()..key.cell() + feature.layout.cells() as Cell {
                if self.of_cell(cell).iter().any(|w| !w.is_finite() || w.abs() > MAX_WEIGHT) {
                    return Err(Error::expected(
                        format!("weights of {} between -{MAX_WEIGHT} and {MAX_WEIGHT} units", feature.key),
                        format!("{:?}", self.of_cell(cell)),
                    ));
                }
            }
            if feature.ends == Ends::Single && setting.open != setting.end {
                return Err(Error::expected(
                    format!("one weight for {}, the same in both phases", feature.key),
                    format!("{:?} and {:?}", setting.open, setting.end),
                ));
            }
            if feature.ends == Ends::OpeningOnly && setting.end.iter().any(|&w| w != 0.0) {
                return Err(Error::expected(
                    format!("no endgame weight for {}", feature.key),
                    format!("{:?}", setting.end),
                ));
            }
        }
        Ok(())
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::start()
    }
}

/// Where freeing a table would leave a direction that no data can fix: the cell to hold, and the
/// features that the free cells can imitate.
///
/// Shelter exists just where the king stands so: each of the three shelter files has one state, so the
/// sums of the rows of `sh` and of `storm` are alike. Every side has one king, so the cells of `k_cen`
/// sum to 0 over both sides. `n_cen`, `b_cen`, `p_adv` span other counts of the same men.
pub fn pinned(key: Key) -> (Option<usize>, &'static [Key]) {
    match key {
        Key::Sh => (Some(4), &[]),
        Key::Storm => (Some(0), &[]),
        Key::KCen => (Some(0), &[Key::KRank]),
        Key::NCen => (None, &[Key::NFwd, Key::NRim, Key::NUndev]),
        Key::BCen => (None, &[Key::BUndev]),
        Key::PAdv => (Some(0), &[Key::Rookpawn]),
        _ => (None, &[]),
    }
}

fn quantise(weight: f64) -> i32 {
    (weight * 256.0).round() as i32
}

/// Weights of all cells in 1/256 unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantised {
    cells: Box<[[i32; 2]; CELLS]>,
}

impl Quantised {
    /// Opening weight in 1/256 unit.
    #[inline]
    pub fn open(&self, cell: Cell) -> i32 {
        self.cells[cell as usize][0]
    }

    /// Endgame weight in 1/256 unit.
    #[inline]
    pub fn end(&self, cell: Cell) -> i32 {
        self.cells[cell as usize][1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freeing_a_table_keeps_the_weight_of_every_cell() {
        let start = Weights::start();
        let mut freed = start.clone();
        for &key in Key::ALL.iter().filter(|key| key.feature().layout.is_table()) {
            freed.free_table(key).unwrap();
        }
        assert_eq!(freed.quantised(), start.quantised());
        freed.validate().unwrap();
    }

    #[test]
    fn freeing_the_king_table_holds_one_cell_and_the_rank_it_can_imitate() {
        let mut weights = Weights::start();
        weights.free_table(Key::KCen).unwrap();
        assert_eq!(weights.setting(Key::KCen).tune.iter().filter(|&&tune| !tune).count(), 1);
        assert_eq!(weights.setting(Key::KRank).tune, [false]);
    }

    #[test]
    fn a_scalar_has_no_table_to_free() {
        let error = Weights::start().free_table(Key::MatQ).unwrap_err().to_string();
        assert!(error.contains("mat_q"), "{error}");
    }

    #[test]
    fn a_gradient_is_rounded_before_it_scales_its_shape() {
        let mut weights = Weights::start();
        weights.setting_mut(Key::Pass).open[0] = 1.001;
        let quantised = weights.quantised();
        assert_eq!(quantised.open(Key::Pass.cell_at(5)), 256 * 90);
        assert_eq!(quantised, weights.rounded().quantised());
    }

    #[test]
    fn weights_beyond_the_limit_and_endgame_parts_of_opening_weights_are_refused() {
        let mut large = Weights::start();
        large.setting_mut(Key::Pass).end[0] = 100.0;
        assert!(large.validate().is_err());
        let mut shelter = Weights::start();
        shelter.setting_mut(Key::Sh).end[0] = 1.0;
        assert!(shelter.validate().unwrap_err().to_string().contains("sh"));
    }
}
