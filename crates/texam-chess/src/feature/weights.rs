//! Weights: for every feature its opening and endgame weight, and which of them a fit may change.
//!
//! The weights of a table are either a *gradient*, one number that multiplies the fixed shape of the table,
//! or *cells*, each with its own weight. Freeing the cells does not change the evaluation. The reverse is
//! possible only while the cells are an exact multiple of the shape. An optional feature is *off*, without
//! weights, until it is turned on.

use strum::{Display, IntoStaticStr};

use super::{CELLS, Cell, Ends, Extras, Key, POINTS, cell_name};
use crate::error::{Error, Result};
use crate::phase::PhaseScheme;

/// Largest absolute weight of a cell, in units. With it no sum of an evaluation overflows 32 bits.
pub const MAX_WEIGHT: f64 = 8192.0;

/// The unit of all weights: 128 in both phases, never tuned.
pub const UNIT: Key = Key::MatP;

/// How the weights of a feature are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Mode {
    /// One weight; the feature has no table.
    Scalar,
    /// One weight that scales the shape of the table.
    Gradient,
    /// A weight for each cell of the table.
    Cells,
    /// No weights: an optional feature that is off.
    Off,
}

/// Weights of one feature, in units: one entry, one for each cell in [`Mode::Cells`], none in
/// [`Mode::Off`].
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// How the weights are held.
    pub mode: Mode,
    /// Opening weights, in units.
    pub open: Vec<f64>,
    /// Endgame weights, in units: equal to the opening weights for [`Ends::Single`], 0 for
    /// [`Ends::OpeningOnly`].
    pub end: Vec<f64>,
    /// Whether a fit may change the entry.
    pub tune: Vec<bool>,
}

impl Setting {
    /// The setting of an optional feature that is off.
    pub fn off() -> Setting {
        Setting { mode: Mode::Off, open: Vec::new(), end: Vec::new(), tune: Vec::new() }
    }
}

/// Weights of all features.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    settings: Vec<Setting>,
}

impl Weights {
    /// The hand-set start weights: tables are gradients, features are tuned unless frozen by default, and
    /// optional features are off.
    pub fn start() -> Weights {
        let settings = Key::ALL.iter().map(|key| {
            let feature = key.feature();
            if key.is_optional() {
                return Setting::off();
            }
            Setting {
                mode: if feature.layout.is_table() { Mode::Gradient } else { Mode::Scalar },
                open: vec![feature.start[0]],
                end: vec![feature.start[1]],
                tune: vec![!feature.frozen],
            }
        });
        Weights { settings: settings.collect() }
    }

    /// The start weights with all weights and gradients 0 except the values of the pieces and pawns.
    pub fn material_only() -> Weights {
        let mut weights = Weights::start();
        for &key in Key::ALL.iter().filter(|key| !key.is_piece_value()) {
            let setting = weights.setting_mut(key);
            setting.open.fill(0.0);
            setting.end.fill(0.0);
        }
        weights
    }

    /// Weights of one feature.
    pub fn setting(&self, key: Key) -> &Setting {
        &self.settings[key as usize]
    }

    /// Weights of one feature for changes. The numbers of entries must stay those of its mode.
    pub fn setting_mut(&mut self, key: Key) -> &mut Setting {
        &mut self.settings[key as usize]
    }

    /// Checks that other weights hold every feature in the same mode, so that both have the same parameters.
    ///
    /// # Errors
    ///
    /// Names the first feature that does not.
    pub fn check_modes(&self, other: &Weights) -> Result<()> {
        let mode = |weights: &Weights, key| weights.setting(key).mode;
        match Key::ALL.iter().find(|&&key| mode(self, key) != mode(other, key)) {
            None => Ok(()),
            Some(&key) => {
                let name = key.feature().key;
                let form = |weights| match mode(weights, key) {
                    Mode::Scalar => "one weight",
                    Mode::Gradient => "one weight for its table",
                    Mode::Cells => "a weight for each cell",
                    Mode::Off => "no weights",
                };
                let expected = format!("{name} with {}, as at the start of the run", form(self));
                Err(Error::expected(expected, form(other)))
            }
        }
    }

    /// Whether a feature is on: all are, except optional ones in [`Mode::Off`].
    pub fn is_on(&self, key: Key) -> bool {
        self.setting(key).mode != Mode::Off
    }

    /// The optional features that are on.
    pub fn extras(&self) -> Extras {
        Extras::of(|key| self.is_on(key))
    }

    /// Opening and endgame weight of one cell, in units, in any mode.
    pub fn of_cell(&self, cell: Cell) -> [f64; 2] {
        let (key, index) = Key::of_cell(cell);
        let setting = self.setting(key);
        match setting.mode {
            Mode::Scalar => [setting.open[0], setting.end[0]],
            Mode::Cells => [setting.open[index], setting.end[index]],
            Mode::Off => [0.0; 2],
            Mode::Gradient => {
                let [open, end] = key.feature().shape.map(|shape| f64::from(shape[index]));
                [setting.open[0] * open, setting.end[0] * end]
            }
        }
    }

    /// Gives every cell of a table its own weight, without changing the evaluation: the gradient is
    /// rounded first, as it is for the search, and an optional table that was off begins at 0. Cells are
    /// tuned, except those that [`Self::is_pinned`] names; features that the free cells can imitate are
    /// frozen.
    ///
    /// # Errors
    ///
    /// When the feature has no table.
    pub fn free_table(&mut self, key: Key) -> Result<()> {
        let feature = key.feature();
        if !feature.layout.is_table() {
            return Err(without_table(key));
        }
        if self.setting(key).mode == Mode::Cells {
            return Ok(());
        }
        let cells = feature.layout.cells();
        let rounded = self.rounded();
        // A negative gradient times 0 is -0; adding 0 drops the sign.
        let cell = |index| rounded.of_cell(key.cell_at(index)).map(|weight| weight + 0.0);
        let weights: Vec<[f64; 2]> = (0..cells).map(cell).collect();
        *self.setting_mut(key) = Setting {
            mode: Mode::Cells,
            open: weights.iter().map(|w| w[0]).collect(),
            end: weights.iter().map(|w| w[1]).collect(),
            tune: vec![true; cells],
        };
        for &(key, cell, _) in &PINNED {
            if self.is_pinned(key, cell) {
                self.setting_mut(key).tune[cell] = false;
            }
        }
        for &other in imitated(key) {
            self.setting_mut(other).tune.fill(false);
        }
        Ok(())
    }

    /// Turns an optional feature on: a table with free cells, see [`Self::free_table`], or one weight. All
    /// are tuned and have their start weights. A feature that is on stays as it is. The points of the phase
    /// are turned on together.
    pub fn turn_on(&mut self, key: Key) {
        if self.is_on(key) {
            return;
        }
        if key.feature().layout.is_table() {
            self.free_table(key).expect("a feature with a table");
        } else {
            let together = if POINTS.contains(&key) { &POINTS[..] } else { &[key] };
            for &key in together {
                let [open, end] = key.feature().start.map(|weight| vec![weight]);
                *self.setting_mut(key) = Setting { mode: Mode::Scalar, open, end, tune: vec![true] };
            }
        }
    }

    /// Whether an entry is a free cell that is not tuned because the features are linearly dependent; see
    /// `PINNED` in the source.
    pub fn is_pinned(&self, key: Key, entry: usize) -> bool {
        let is_free = |key: Key| self.setting(key).mode == Mode::Cells;
        let pins = |&(table, cell, other): &(Key, usize, Key)| {
            (table, cell) == (key, entry) && is_free(table) && is_free(other)
        };
        PINNED.iter().any(pins)
    }

    /// Converts the free cells of a table back to a gradient, which is tuned if any of the cells was. An
    /// optional feature has no gradient: it is turned off, if its weights are those that it started with.
    ///
    /// # Errors
    ///
    /// When the feature has no table and is not optional, or its cells have been reshaped: only an exact
    /// multiple of the fixed shape is a gradient.
    pub fn hold_as_gradient(&mut self, key: Key) -> Result<()> {
        let (feature, setting) = (key.feature(), self.setting(key));
        let gradients = match setting.mode {
            Mode::Gradient | Mode::Off => return Ok(()),
            Mode::Scalar if key.is_optional() && [setting.open[0], setting.end[0]] == feature.start => {
                [Some(0.0); 2]
            }
            Mode::Scalar => return Err(without_table(key)),
            Mode::Cells => {
                [multiple(&setting.open, feature.shape[0]), multiple(&setting.end, feature.shape[1])]
            }
        };
        let [Some(open), Some(end)] = gradients else {
            return Err(Error::expected(
                format!("cells of {} that are an exact multiple of its fixed shape", feature.key),
                "cells that were reshaped, and no one gradient holds them; keep the cells, or start from \
                 a .par that still holds the gradient",
            ));
        };
        let tune = vec![setting.tune.contains(&true)];
        if key.is_optional() {
            *self.setting_mut(key) = Setting::off();
            return Ok(());
        }
        *self.setting_mut(key) = Setting { mode: Mode::Gradient, open: vec![open], end: vec![end], tune };
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

    /// Whether the set has points of the phase of its own.
    pub fn has_points(&self) -> bool {
        self.extras().has_points()
    }

    /// The weights as integers for the search.
    pub fn quantised(&self) -> Quantised {
        let rounded = self.rounded();
        let cells = Box::new(std::array::from_fn(|cell| rounded.of_cell(cell as Cell).map(quantise)));
        Quantised { cells, extras: self.extras() }
    }

    /// Checks that every weight is a number the search can hold, that singles agree in both phases,
    /// that opening-only weights have no endgame part, and that the pawn is still the unit.
    ///
    /// # Errors
    ///
    /// Names the first weight that breaks a rule.
    pub fn validate(&self) -> Result<()> {
        Key::ALL.iter().try_for_each(|&key| self.validate_key(key))
    }

    /// [`Weights::validate`] for one feature.
    ///
    /// # Errors
    ///
    /// Names the rule that its weights break.
    pub fn validate_key(&self, key: Key) -> Result<()> {
        let (feature, setting) = (key.feature(), self.setting(key));
        for cell in key.cell()..key.cell() + feature.layout.cells() as Cell {
            if self.of_cell(cell).iter().any(|w| !w.is_finite() || w.abs() > MAX_WEIGHT) {
                let name = cell_name(cell);
                let expected = format!("weights of {name} between -{MAX_WEIGHT} and {MAX_WEIGHT} units");
                return Err(Error::expected(expected, format!("{:?}", self.of_cell(cell))));
            }
        }
        if feature.ends == Ends::Single && setting.open != setting.end {
            let expected = format!("one weight for {}, the same in both phases", feature.key);
            return Err(Error::expected(expected, format!("{:?} and {:?}", setting.open, setting.end)));
        }
        if feature.ends == Ends::OpeningOnly && setting.end.iter().any(|&w| w != 0.0) {
            let expected =
                format!("0 as endgame weight of {}, which counts in the opening only", feature.key);
            return Err(Error::expected(expected, format!("{:?}", setting.end)));
        }
        if key == UNIT && (setting.open[0], setting.end[0], setting.tune[0]) != (128.0, 128.0, false) {
            let expected = format!("128, 128, frozen for {}, the unit of all weights", feature.key);
            let (open, end) = (setting.open[0], setting.end[0]);
            let tune = if setting.tune[0] { "tuned" } else { "frozen" };
            let found = format!("{open}, {end}, {tune}; change the other weights instead");
            return Err(Error::expected(expected, found));
        }
        Ok(())
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::start()
    }
}

/// Cells that are not tuned when their own table and another have free cells, since these are linearly
/// dependent, so that no data can determine all of them: table, cell, the other table (or the same, if its
/// own cells are dependent).
///
/// Each shelter file has one state in `sh` and one in `storm`, so the sums of their rows are equal; the row
/// of the outer file equals the sum of the squares of the king that have an outer file. Each side has one
/// king, so the cells of its table sum to 0 over both sides, as do those of `ring_cnt`. The cells of the
/// pawns sum to the number of pawns, those of a mobility to the number of such pieces. A pawn on the seventh
/// rank is always passed.
const PINNED: [(Key, usize, Key); 19] = [
    (Key::Sh, 4, Key::Sh),
    (Key::Sh, 8, Key::KCen),
    (Key::Sh, 8, Key::PstK),
    (Key::Sh, 8, Key::Pst64K),
    (Key::Storm, 0, Key::Storm),
    (Key::KCen, 0, Key::KCen),
    (Key::PstK, 0, Key::PstK),
    (Key::Pst64K, 0, Key::Pst64K),
    (Key::PAdv, 0, Key::PAdv),
    (Key::PstP, 0, Key::PstP),
    (Key::Pst64P, 0, Key::Pst64P),
    (Key::Pass, 5, Key::PAdv),
    (Key::Pass, 5, Key::PstP),
    (Key::Pass, 5, Key::Pst64P),
    (Key::MobN, 4, Key::MobN),
    (Key::MobB, 6, Key::MobB),
    (Key::MobR, 7, Key::MobR),
    (Key::MobQ, 13, Key::MobQ),
    (Key::RingCnt, 2, Key::RingCnt),
];

/// Features that are linear combinations of the free cells of a table: other counts of the same piece, and
/// the number of pieces. They are frozen when the table is freed. `sh_ctr`, an uncastled king on d1 to e2
/// without castling rights, is included.
pub fn imitated(table: Key) -> &'static [Key] {
    match table {
        Key::KCen => &[Key::KRank, Key::ShCtr],
        Key::NCen => &[Key::MatN, Key::NFwd, Key::NRim, Key::NUndev],
        Key::BCen => &[Key::MatB, Key::BUndev],
        Key::PAdv => &[Key::Rookpawn],
        Key::PstP => &[Key::PAdv, Key::Rookpawn],
        Key::PstN => &[Key::MatN, Key::NCen, Key::NFwd, Key::NRim, Key::NUndev],
        Key::PstB => &[Key::MatB, Key::BCen, Key::BUndev],
        Key::PstR => &[Key::MatR, Key::RCen, Key::RFwd],
        Key::PstQ => &[Key::MatQ, Key::QCen, Key::QAdv],
        Key::PstK => &[Key::KCen, Key::KRank, Key::ShCtr],
        Key::Pst64P => &[Key::PAdv, Key::Rookpawn, Key::PstP],
        Key::Pst64N => &[Key::MatN, Key::NCen, Key::NFwd, Key::NRim, Key::NUndev, Key::PstN],
        Key::Pst64B => &[Key::MatB, Key::BCen, Key::BUndev, Key::PstB],
        Key::Pst64R => &[Key::MatR, Key::RCen, Key::RFwd, Key::PstR],
        Key::Pst64Q => &[Key::MatQ, Key::QCen, Key::QAdv, Key::PstQ],
        Key::Pst64K => &[Key::KCen, Key::KRank, Key::ShCtr, Key::PstK],
        _ => &[],
    }
}

fn without_table(key: Key) -> Error {
    let name = key.feature().key;
    Error::expected("a feature with a table", format!("\"{name}\", which has a single weight"))
}

/// The number that times each entry of `shape` gives exactly the cells.
fn multiple(cells: &[f64], shape: &[i16]) -> Option<f64> {
    let exact = |gradient: &f64| cells.iter().zip(shape).all(|(&c, &s)| gradient * f64::from(s) == c);
    let quotients = cells.iter().zip(shape).filter(|&(_, &s)| s != 0).map(|(&c, &s)| c / f64::from(s));
    quotients.chain([0.0]).find(exact)
}

fn quantise(weight: f64) -> i32 {
    (weight * 256.0).round() as i32
}

/// Integer weights of all cells, in 1/256 unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantised {
    cells: Box<[[i32; 2]; CELLS]>,
    extras: Extras,
}

impl Quantised {
    /// Opening weight of a cell, in 1/256 unit.
    #[inline]
    pub fn open(&self, cell: Cell) -> i32 {
        self.cells[cell as usize][0]
    }

    /// The optional features that are on.
    pub fn extras(&self) -> Extras {
        self.extras
    }

    /// Endgame weight of a cell, in 1/256 unit.
    #[inline]
    pub fn end(&self, cell: Cell) -> i32 {
        self.cells[cell as usize][1]
    }

    /// The scheme that gives the phase: the points of the set, if it has any, in place of the scheme that was
    /// `chosen`. With opening weights only there is no phase.
    pub fn scheme(&self, chosen: PhaseScheme) -> PhaseScheme {
        if chosen == PhaseScheme::None || !self.extras.has_points() {
            return chosen;
        }
        PhaseScheme::Points(POINTS.map(|key| match self.extras.has(key) {
            true => self.open(key.cell()),
            false => quantise(key.feature().start[0]),
        }))
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
        for cell in 0..CELLS as Cell {
            assert_eq!(freed.of_cell(cell), start.of_cell(cell), "{}", cell_name(cell));
        }
        assert_eq!(freed.quantised().cells, start.quantised().cells);
        freed.validate().unwrap();
    }

    #[test]
    fn tables_that_span_each_other_hold_one_cell_more_in_either_order() {
        for order in [[Key::PAdv, Key::Pass], [Key::Pass, Key::PAdv]] {
            let mut weights = Weights::start();
            weights.free_table(order[0]).unwrap();
            assert!(!weights.is_pinned(Key::Pass, 5));
            weights.free_table(order[1]).unwrap();
            assert_eq!(weights.setting(Key::Pass).tune, [true, true, true, true, true, false]);
        }
    }

    #[test]
    fn freeing_the_king_table_holds_one_cell_and_the_rank_it_can_imitate() {
        let mut weights = Weights::start();
        weights.free_table(Key::KCen).unwrap();
        assert_eq!(weights.setting(Key::KCen).tune.iter().filter(|&&tune| !tune).count(), 1);
        assert_eq!(weights.setting(Key::KRank).tune, [false]);
    }

    #[test]
    fn a_freed_table_can_be_held_as_its_gradient_until_a_cell_is_reshaped() {
        for &key in Key::standard().iter().filter(|key| key.feature().layout.is_table()) {
            let mut weights = Weights::start();
            let setting = weights.setting_mut(key);
            setting.open[0] *= 1.0 / 3.0;
            setting.end[0] *= 0.123;
            let gradient = weights.clone();
            weights.free_table(key).unwrap();
            assert_eq!(weights.quantised(), gradient.quantised());
            weights.hold_as_gradient(key).unwrap();
            assert_eq!(weights.setting(key), gradient.rounded().setting(key));

            weights.free_table(key).unwrap();
            *weights.setting_mut(key).open.last_mut().unwrap() += 0.5;
            let error = weights.hold_as_gradient(key).unwrap_err().to_string();
            assert!(error.contains("reshaped"), "{error}");
        }
        assert!(Weights::start().hold_as_gradient(Key::MatQ).is_err());
    }

    #[test]
    fn material_only_keeps_piece_values_and_flags_of_the_start() {
        let (start, material) = (Weights::start(), Weights::material_only());
        for &key in Key::standard() {
            assert_eq!(material.setting(key).tune, start.setting(key).tune);
            let expected = if key.is_piece_value() { start.setting(key).open[0] } else { 0.0 };
            assert_eq!(material.setting(key).open, [expected], "{key:?}");
        }
    }

    #[test]
    fn a_pawn_that_is_not_128_or_is_tuned_is_refused() {
        let mut cheap = Weights::start();
        cheap.setting_mut(Key::MatP).end[0] = 100.0;
        assert!(cheap.validate().unwrap_err().to_string().contains("mat_p"));
        let mut tuned = Weights::start();
        tuned.setting_mut(Key::MatP).tune[0] = true;
        assert!(tuned.validate().unwrap_err().to_string().contains("the unit"));
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
