//! The table of weights of a pass, with what the record of the run tells of each weight.

use std::{collections::HashMap, path::Path};

use texam_fit::Model;

use super::{Files, RunWeights, Warn};
use crate::{
    error::{Error, Result},
    file,
    run::stat::{FittedWeight, RunRecord, Trend},
};

/// Whether a path names weights of another program: a table and not a `.par`.
pub fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// Reads a table of weights, and what the data of the run beside NAME-NN.csv tell of them. If these cannot be
/// read, `warn` receives why.
pub fn read_fitted(path: &Path, warn: Warn) -> Result<Vec<FittedWeight>> {
    let table = RunWeights::read_table(path)?;
    let mut weights: Vec<FittedWeight> = table.model().parameters().iter().map(FittedWeight::of).collect();
    match add_record(path, table.model(), &mut weights) {
        Ok(()) => {}
        Err(error) => warn(&format!("without standard errors: {error}")),
    }
    Ok(weights)
}

/// Adds what the record of the run tells, if the table is of a run.
fn add_record(path: &Path, table: &Model, weights: &mut [FittedWeight]) -> Result<()> {
    let Ok((files, pass)) = Files::of_csv(path) else { return Ok(()) };
    if !file::exists(&files.data()) && !file::exists(&files.stat()) {
        return Ok(());
    }
    let record = RunRecord::read(&files)?;
    let start = RunWeights::read_table(&files.csv(0))?;
    let same = |(a, b): (&texam_fit::Parameter, &texam_fit::Parameter)| a.name == b.name;
    let [table, start] = [table, start.model()].map(Model::parameters);
    if !record.is_on_rows() || table.len() != start.len() || !table.iter().zip(start).all(same) {
        let found = "a run with other weights, or of an earlier run of this name";
        return Err(
            Error::expected("the record of the run that the table is of", found).in_file(files.data())
        );
    }
    let trends: HashMap<&str, &Trend> =
        record.trends.weights.iter().map(|trend| (&*trend.name, trend)).collect();
    for (weight, start) in weights.iter_mut().zip(start) {
        weight.from = Some(start.value);
        let Some(trend) = trends.get(&*weight.weight) else { continue };
        weight.se_run = pass.checked_sub(1).and_then(|fit| trend.run_errors.get(fit as usize)).copied();
        weight.se_step = trend.standard_error;
        weight.support = Some(trend.support);
        weight.games = trend.games;
        weight.held = trend.held;
        weight.deviation = (trend.change != 0.0).then(|| trend.moves / trend.change.abs());
    }
    Ok(())
}
