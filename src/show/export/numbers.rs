//! The numbers of an export: cells and piece-square tables as integers in the requested unit.
//!
//! Each exported number is rounded exactly once, here: a piece-square table is folded from exact weights and
//! rounded afterwards.

use shakmaty::Role;

use super::fold::{self, PhasePair};
use crate::{
    error::{Error, Result},
    feature::{CELLS, Cell, Extras, Key, Quantised},
};

/// Value of a pawn in 1/256 of 1/128 pawn, the unit in which the search counts.
pub const EXACT_PAWN: u32 = 256 * 128;

/// Unit of the exported numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportUnit {
    /// 1/256 of 1/128 pawn, without any rounding.
    Exact,
    /// Whole numbers in which a pawn has this value, 1 to [`EXACT_PAWN`], rounded to the nearest.
    Pawn(u32),
}

impl ExportUnit {
    /// Value of a pawn.
    pub fn pawn(self) -> u32 {
        match self {
            ExportUnit::Exact => EXACT_PAWN,
            ExportUnit::Pawn(value) => value,
        }
    }

    /// Checks that the pawn value is above 0 and that numbers in this unit fit into 32 bits.
    pub(super) fn validate(self) -> Result<()> {
        match self.pawn() {
            1..=EXACT_PAWN => Ok(()),
            other => Err(Error::expected(format!("a value of the pawn from 1 to {EXACT_PAWN}"), other)),
        }
    }

    /// `exact` rounded to this unit, and the rounding error in 1/[`EXACT_PAWN`] of the unit.
    fn round(self, exact: i32) -> (i32, i64) {
        let (scaled, whole) = (i64::from(exact) * i64::from(self.pawn()), i64::from(EXACT_PAWN));
        let half = if scaled < 0 { -whole / 2 } else { whole / 2 };
        let rounded = (scaled + half) / whole;
        (rounded as i32, (scaled - rounded * whole).abs())
    }
}

/// The cells and the piece-square tables of a set of weights, in one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaledWeights {
    /// Unit of all numbers.
    pub unit: ExportUnit,
    extras: Extras,
    cells: Vec<PhasePair>,
    tables: [[PhasePair; 64]; 6],
    largest_error: i64,
}

impl ScaledWeights {
    /// The numbers of `weights` in `unit`.
    pub fn new(weights: &Quantised, unit: ExportUnit) -> ScaledWeights {
        let mut largest_error = 0;
        let mut round = |exact: PhasePair| {
            exact.map(|exact| {
                let (rounded, error) = unit.round(exact);
                largest_error = largest_error.max(error);
                rounded
            })
        };
        let cells = (0..CELLS as Cell).map(|cell| round([weights.open(cell), weights.end(cell)])).collect();
        let tables = fold::tables(weights).map(|table| table.map(&mut round));
        ScaledWeights { unit, extras: weights.extras(), cells, tables, largest_error }
    }

    /// The features in use, in the order of the feature table: optional features only if they are on.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        let extras = self.extras;
        Key::ALL.iter().copied().filter(move |&key| extras.has(key))
    }

    /// The features in use that are folded into the table of a role.
    pub fn folded_into(&self, role: Role) -> Vec<Key> {
        let terms = fold::square_terms(role);
        self.keys().filter(|key| terms.contains(key)).collect()
    }

    /// Opening and endgame weight of a cell.
    pub fn cell(&self, cell: Cell) -> PhasePair {
        self.cells[cell as usize]
    }

    /// The folded table of each role, pawn to king, from a1 of the owner's side to h8.
    pub fn tables(&self) -> &[[PhasePair; 64]; 6] {
        &self.tables
    }

    /// The largest rounding error of any number, in its unit.
    pub fn largest_error(&self) -> f64 {
        self.largest_error as f64 / f64::from(EXACT_PAWN)
    }

    /// Description of the unit and the rounding error, for a comment in the export.
    pub fn describe(&self) -> String {
        let pawn = self.unit.pawn();
        match self.unit {
            ExportUnit::Exact => {
                format!("1/256 of 1/128 pawn, so that a pawn is {pawn}; exact, nothing is rounded")
            }
            ExportUnit::Pawn(_) => format!(
                "1/{pawn} pawn, rounded: each number is off by at most {} of it, and a sum by as much for each \
                 number that goes into it",
                format_rounded_up(self.largest_error())
            ),
        }
    }
}

/// A number from 0 to 1 with three decimals, rounded up, so that it is still an upper bound.
fn format_rounded_up(bound: f64) -> String {
    format!("{:.3}", (bound * 1000.0).ceil() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{Key, Weights};

    #[test]
    fn the_exact_unit_keeps_what_the_search_counts_with() {
        let weights = Weights::start().quantised();
        let numbers = ScaledWeights::new(&weights, ExportUnit::Exact);
        for cell in 0..CELLS as Cell {
            assert_eq!(numbers.cell(cell), [weights.open(cell), weights.end(cell)]);
        }
        assert_eq!(numbers.cell(Key::MatP.cell()), [EXACT_PAWN as i32; 2]);
        assert_eq!(numbers.largest_error(), 0.0);
    }

    #[test]
    fn centipawns_are_rounded_to_the_nearest_with_the_half_away_from_0() {
        // 416 units are 325 centipawns; 1 unit is 0.78; 32 units are 25.
        let round = |units: i32| ExportUnit::Pawn(100).round(256 * units).0;
        assert_eq!([416, 1, -1, 32, -416].map(round), [325, 1, -1, 25, -325]);
        // Half a centipawn is 0.64 units, not a multiple of 1/256; with a pawn of 64, 1 unit is a half.
        let round = |units: i32| ExportUnit::Pawn(64).round(256 * units);
        assert_eq!([1, -1, 3].map(round), [(1, 16_384), (-1, 16_384), (2, 16_384)]);
    }

    #[test]
    fn a_rounded_number_is_off_by_no_more_than_is_said_and_by_half_at_most() {
        let mut weights = Weights::start();
        weights.setting_mut(Key::NCen).open[0] = 1.0 / 3.0;
        let exact = weights.quantised();
        for pawn in [1, 10, 100, 1000, EXACT_PAWN] {
            let numbers = ScaledWeights::new(&exact, ExportUnit::Pawn(pawn));
            let off = |exact: i32, rounded: i32| {
                (f64::from(exact) * f64::from(pawn) / f64::from(EXACT_PAWN) - f64::from(rounded)).abs()
            };
            let mut most: f64 = 0.0;
            for cell in 0..CELLS as Cell {
                let [open, end] = numbers.cell(cell);
                most = most.max(off(exact.open(cell), open)).max(off(exact.end(cell), end));
            }
            for (table, exact) in numbers.tables().iter().zip(fold::tables(&exact)) {
                for (pair, exact) in table.iter().zip(exact) {
                    most = most.max(off(exact[0], pair[0])).max(off(exact[1], pair[1]));
                }
            }
            assert!((most - numbers.largest_error()).abs() < 1e-9, "{pawn}: {most}");
            assert!(most <= 0.5);
        }
    }

    #[test]
    fn an_optional_table_folds_once_it_is_on_and_is_left_out_before() {
        let mut weights = Weights::start();
        let folded = |weights: &Weights| {
            let numbers = ScaledWeights::new(&weights.quantised(), ExportUnit::Exact);
            let d1 = numbers.tables()[4][3];
            (numbers.folded_into(Role::Queen), d1, numbers.keys().count())
        };
        let queen = vec![Key::MatQ, Key::QCen, Key::QAdv];
        // Centrality 3 of 0 and 4.
        assert_eq!(folded(&weights), (queen.clone(), [256 * 1216, 256 * (1248 + 12)], Key::standard().len()));
        weights.free_table(Key::PstQ).unwrap();
        weights.setting_mut(Key::PstQ).open[3 * 8] = 7.0;
        let queen = [queen, vec![Key::PstQ]].concat();
        assert_eq!(folded(&weights), (queen, [256 * 1223, 256 * 1260], Key::standard().len() + 1));
    }

    #[test]
    fn a_bound_is_shown_rounded_up() {
        assert_eq!([0.0, 0.4961, 0.5, 0.1231].map(format_rounded_up), ["0.000", "0.497", "0.500", "0.124"]);
    }
}
