//! JSON: every weight by key and cell, and the folded tables, for programs that make something of them.
//!
//! The committed schema says what each field means; a test holds one to the other.

use serde::Serialize;
use shakmaty::Role;

use super::{
    Origin, PROGRAM,
    fold::{self, Pair},
    numbers::{Numbers, Unit},
};
use crate::{
    error::{Error, Result},
    feature::{Key, Mode, Weights},
};

/// Version of the form, for programs that read it.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Export<'a> {
    format: &'static str,
    version: u32,
    program: &'static str,
    source: Source<'a>,
    unit: UnitOfNumbers,
    features: Vec<Feature>,
    tables: Vec<Table<'a>>,
}

/// The weights that were exported.
#[derive(Serialize)]
struct Source<'a> {
    file: &'a str,
    digest: &'a str,
    features: &'a str,
}

/// What all weights count in.
#[derive(Serialize)]
struct UnitOfNumbers {
    pawn: u32,
    exact: bool,
    largest_error: f64,
    meaning: String,
}

/// A row of the table of features.
#[derive(Serialize)]
struct Feature {
    key: &'static str,
    group: &'static str,
    kind: &'static str,
    ends: &'static str,
    meaning: &'static str,
    folded: bool,
    /// Why it is not folded.
    reason: Option<&'static str>,
    cells: Vec<CellOfFeature>,
}

#[derive(Serialize)]
struct CellOfFeature {
    /// None for the one cell of a scalar.
    cell: Option<String>,
    open: i32,
    end: i32,
    tune: bool,
}

/// A piece-square table.
#[derive(Serialize)]
struct Table<'a> {
    man: &'static str,
    folded: Vec<&'static str>,
    squares: &'a [Pair],
}

/// How the weights of a feature are held, in a word.
pub(super) fn kind(mode: Mode) -> &'static str {
    match mode {
        Mode::Scalar => "scalar",
        Mode::Gradient => "gradient",
        Mode::Cells => "cells",
        Mode::Off => "off",
    }
}

/// One object with everything.
pub fn text(weights: &Weights, numbers: &Numbers, origin: &Origin) -> Result<String> {
    let tables = fold::ROLES.iter().zip(numbers.tables());
    let tables = tables.map(|(&(role, man), squares)| table(numbers, role, man, squares));
    let export = Export {
        format: "texam-export",
        version: VERSION,
        program: PROGRAM,
        source: Source { file: &origin.file, digest: &origin.digest, features: &origin.features },
        unit: UnitOfNumbers {
            pawn: numbers.unit.pawn(),
            exact: numbers.unit == Unit::Exact,
            largest_error: numbers.largest_error(),
            meaning: numbers.describe(),
        },
        features: numbers.keys().map(|key| feature(weights, numbers, key)).collect(),
        tables: tables.collect(),
    };
    let text = serde_json::to_string_pretty(&export)
        .map_err(|error| Error::new(format!("cannot write the weights as JSON: {error}")))?;
    Ok(text + "\n")
}

fn feature(weights: &Weights, numbers: &Numbers, key: Key) -> Feature {
    let (feature, setting) = (key.feature(), weights.setting(key));
    let cells = (0..feature.layout.cells()).map(|index| {
        let [open, end] = numbers.cell(key.cell_at(index));
        let entry = if setting.mode == Mode::Cells { index } else { 0 };
        let cell = feature.layout.is_table().then(|| feature.layout.label(index));
        CellOfFeature { cell, open, end, tune: setting.tune[entry] }
    });
    let reason = fold::not_folded(key);
    Feature {
        key: feature.key,
        group: feature.group.name(),
        kind: kind(setting.mode),
        ends: feature.ends.name(),
        meaning: feature.meaning,
        folded: reason.is_none(),
        reason,
        cells: cells.collect(),
    }
}

fn table<'a>(numbers: &Numbers, role: Role, man: &'static str, squares: &'a [Pair]) -> Table<'a> {
    let folded = numbers.folded_into(role).iter().map(|key| key.feature().key).collect();
    Table { man, folded, squares }
}
