//! JSON export: every weight by key and cell, and the folded tables.
//!
//! `docs/export.schema.json` describes each field; a test validates the export against it.

use serde::Serialize;
use shakmaty::Role;

use super::{
    PROGRAM, WeightError, WeightsSource,
    fold::{self, PhasePair},
    numbers::{ExportUnit, ScaledWeights},
};
use crate::{
    error::Result,
    feature::{Key, Mode, Weights},
    run::json_text,
};

/// Version of the JSON format.
const VERSION: u32 = 1;

/// Value of a pawn in the units of a standard error.
const UNITS_OF_PAWN: u32 = 128;

#[derive(Serialize)]
struct ExportObject<'a> {
    format: &'static str,
    version: u32,
    program: &'static str,
    source: &'a WeightsSource,
    unit: UnitObject,
    /// Errors of the run that made the weights, where they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<ErrorObject<'a>>,
    features: Vec<FeatureObject>,
    tables: Vec<TableObject<'a>>,
}

/// The unit of all weights.
#[derive(Serialize)]
struct UnitObject {
    pawn: u32,
    exact: bool,
    largest_error: f64,
    meaning: String,
}

/// The standard error of a weight over the whole run, in the unit of the export.
#[derive(Serialize)]
struct ErrorObject<'a> {
    weight: &'a str,
    se_run: f64,
}

/// A feature with its weights.
#[derive(Serialize)]
struct FeatureObject {
    key: &'static str,
    group: &'static str,
    kind: &'static str,
    ends: &'static str,
    meaning: &'static str,
    folded: bool,
    /// Why it is not folded.
    reason: Option<&'static str>,
    cells: Vec<CellObject>,
}

#[derive(Serialize)]
struct CellObject {
    /// None for the one cell of a scalar.
    cell: Option<String>,
    open: i32,
    end: i32,
    tune: bool,
}

/// A piece-square table.
#[derive(Serialize)]
struct TableObject<'a> {
    #[serde(rename = "man")]
    piece: &'static str,
    folded: Vec<&'static str>,
    squares: &'a [PhasePair],
}

/// The JSON text of an export.
pub fn text(
    weights: &Weights,
    numbers: &ScaledWeights,
    origin: &WeightsSource,
    errors: &[WeightError],
) -> Result<String> {
    let scale = f64::from(numbers.unit.pawn()) / f64::from(UNITS_OF_PAWN);
    let tables = fold::ROLES.iter().zip(numbers.tables());
    let tables = tables.map(|(&(role, piece), squares)| table(numbers, role, piece, squares));
    let export = ExportObject {
        format: "texam-export",
        version: VERSION,
        program: PROGRAM,
        source: origin,
        unit: UnitObject {
            pawn: numbers.unit.pawn(),
            exact: numbers.unit == ExportUnit::Exact,
            largest_error: numbers.largest_error(),
            meaning: numbers.describe(),
        },
        errors: errors
            .iter()
            .map(|error| ErrorObject { weight: &error.weight, se_run: scale * error.units })
            .collect(),
        features: numbers.keys().map(|key| feature(weights, numbers, key)).collect(),
        tables: tables.collect(),
    };
    json_text(&export)
}

fn feature(weights: &Weights, numbers: &ScaledWeights, key: Key) -> FeatureObject {
    let (feature, setting) = (key.feature(), weights.setting(key));
    let cells = (0..feature.layout.cells()).map(|index| {
        let [open, end] = numbers.cell(key.cell_at(index));
        let entry = if setting.mode == Mode::Cells { index } else { 0 };
        let cell = feature.layout.is_table().then(|| feature.layout.label(index));
        CellObject { cell, open, end, tune: setting.tune[entry] }
    });
    let reason = fold::not_folded(key);
    FeatureObject {
        key: feature.key,
        group: feature.group.name(),
        kind: setting.mode.into(),
        ends: feature.ends.name(),
        meaning: feature.meaning,
        folded: reason.is_none(),
        reason,
        cells: cells.collect(),
    }
}

fn table<'a>(
    numbers: &ScaledWeights,
    role: Role,
    piece: &'static str,
    squares: &'a [PhasePair],
) -> TableObject<'a> {
    let folded = numbers.folded_into(role).iter().map(|key| key.feature().key).collect();
    TableObject { piece, folded, squares }
}
