//! The weights of a run as its files hold them: ours in `.par` files, those of another program in tables.
//!
//! The fit knows only the values of a [`Model`]. They become weights here, where text is written and read.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use texam_fit::{Model, read_weights, write_weights};

use super::{Files, Warn, options::option_error, read_par, some_tuned};
use crate::{
    error::{Error, Result},
    feature::{Weights, nearest, pattern::glob},
    file, par,
    parameters::Parameters,
    run::stat::{self, FrozenWeight},
};

/// The weights that a run begins with, and the form of those of its passes.
pub enum RunWeights {
    /// Our evaluation.
    Own {
        weights: Box<Weights>,
        /// They as the parameters of a model.
        parameters: Box<Parameters>,
    },
    /// The evaluation of another program.
    Table(Model),
}

impl RunWeights {
    /// Our weights.
    pub fn own(weights: Weights) -> Result<RunWeights> {
        let parameters = Box::new(Parameters::new(&weights)?);
        Ok(RunWeights::Own { weights: Box::new(weights), parameters })
    }

    /// Reads the table of the weights of another program.
    pub fn read_table(path: &Path) -> Result<RunWeights> {
        let model = file::read_bytes(path).and_then(|table| Ok(read_weights(&*table)?));
        model.map(RunWeights::Table).map_err(|error| error.in_file(path))
    }

    /// The weights of another program with those tuned that match a pattern of `tune`, or else the flags of
    /// the table, and none that match a pattern of `freeze`.
    pub fn tuning(self, tune: &[String], freeze: &[String]) -> Result<RunWeights> {
        let RunWeights::Table(model) = self else { return Ok(self) };
        let mut parameters = model.parameters().to_vec();
        for (option, patterns) in [("tune", tune), ("freeze", freeze)] {
            if option == "tune" && !patterns.is_empty() {
                parameters.iter_mut().for_each(|parameter| parameter.tune = false);
            }
            for pattern in patterns {
                let mut matched =
                    parameters.iter_mut().filter(|weight| glob(pattern, &weight.name)).peekable();
                if matched.peek().is_none() {
                    let names = model.parameters().iter().map(|weight| &*weight.name);
                    let near = nearest(pattern, names);
                    let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
                    let found = format!("{pattern:?}, which no weight of the table has{near}");
                    let error = Error::expected("names of weights, or patterns", found);
                    return Err(option_error(option, error));
                }
                matched.for_each(|weight| weight.tune = option == "tune");
            }
        }
        Ok(RunWeights::Table(Model::new(parameters)?))
    }

    /// What the fit fits.
    pub fn model(&self) -> &Model {
        match self {
            RunWeights::Own { parameters, .. } => parameters.model(),
            RunWeights::Table(model) => model,
        }
    }

    /// Our weights with these values; none for another program.
    pub fn weights(&self, values: &[f64]) -> Option<Weights> {
        match self {
            RunWeights::Own { parameters, .. } => Some(parameters.weights(values)),
            RunWeights::Table(_) => None,
        }
    }

    /// Our weights as parameters; none for another program.
    pub fn parameters(&self) -> Option<&Parameters> {
        match self {
            RunWeights::Own { parameters, .. } => Some(parameters),
            RunWeights::Table(_) => None,
        }
    }

    /// A short digest of the values at the start, as it stands in the `.stat`.
    pub fn digest(&self) -> String {
        match self {
            RunWeights::Own { weights, .. } => par::digest(weights),
            RunWeights::Table(model) => {
                Sha256::digest(table(model)).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
            }
        }
    }

    /// There must be weights to tune.
    pub fn some_tuned(&self) -> Result<()> {
        match self {
            RunWeights::Own { weights, .. } => some_tuned(weights),
            RunWeights::Table(model) if model.tuned().is_empty() => {
                Err(Error::expected("a weight with tune true", "none"))
            }
            RunWeights::Table(_) => Ok(()),
        }
    }

    /// What is not tuned, as the `.stat` lists it.
    pub fn not_tuned(&self) -> Vec<FrozenWeight> {
        match self {
            RunWeights::Own { weights, .. } => stat::not_tuned(weights),
            RunWeights::Table(model) => stat::not_tuned_of(model),
        }
    }

    /// The file of the weights of a pass.
    pub fn path(&self, files: &Files, pass: u32) -> PathBuf {
        match self {
            RunWeights::Own { .. } => files.par(pass),
            RunWeights::Table(_) => files.csv(pass),
        }
    }

    /// Writes the file of a pass with these values. A `.par` has the remarks too.
    pub fn write(&self, path: &Path, values: &[f64], remarks: &[String]) -> Result<()> {
        match self {
            RunWeights::Own { parameters, .. } => par::write(path, &parameters.weights(values), remarks),
            RunWeights::Table(model) => file::write_whole(path, &table(&model.with_values(values)?)),
        }
    }

    /// The values in the file of a pass.
    pub fn read(&self, path: &Path, note: Warn) -> Result<Vec<f64>> {
        match self {
            RunWeights::Own { weights, parameters } => {
                let read = read_par(path, note)?;
                weights.check_modes(&read).map_err(|error| error.in_file(path))?;
                Ok(parameters.values(&read))
            }
            RunWeights::Table(_) => Ok(RunWeights::read_table(path)?.model().values()),
        }
    }
}

/// The weights of a model as a table.
fn table(model: &Model) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_weights(model, &mut bytes).expect("memory can be written to");
    bytes
}
