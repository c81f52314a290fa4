//! `texam export`: weights for other programs, as source code or data.

use std::path::Path;

use super::{Outcome, output::OutputFile, print, read_par, warn};
use crate::{
    commands::cli::ExportArgs,
    error::{Error, Result},
    run::{Files, is_table, option_error, read_fitted, stat::RunRecord},
    show::export::{self, ExportUnit, Format, WeightError},
};

pub(super) fn run(args: &ExportArgs) -> Result<Outcome> {
    let output = args.output.as_deref().map(|path| OutputFile::new(path, args.overwrite, [&args.par]));
    let output = output.transpose()?;
    let text = if is_table(&args.par) { of_table(args)? } else { of_par(args)? };
    match output {
        Some(output) => output.write_and_print(text.as_bytes())?,
        None => print(&text)?,
    }
    Ok(Outcome::Complete)
}

/// The text for our weights.
fn of_par(args: &ExportArgs) -> Result<String> {
    if let Some(step) = args.round {
        let found = format!("{step} for a .par; --pawn N rounds its weights");
        return Err(option_error("round", Error::expected("a .csv of another program", found)));
    }
    if let Some(prefix) = &args.prefix {
        let found = format!("{prefix:?} for a .par, whose names in C begin with texam_");
        return Err(option_error("prefix", Error::expected("a .csv of another program", found)));
    }
    let weights = read_par(&args.par)?;
    let unit = args.pawn.map_or(ExportUnit::Exact, ExportUnit::Pawn);
    let errors = if args.to == Format::Json { run_errors(&args.par) } else { Vec::new() };
    export::text(&weights, &args.par.display().to_string(), args.to, unit, &errors)
}

/// The text for the weights of another program.
fn of_table(args: &ExportArgs) -> Result<String> {
    if let Some(pawn) = args.pawn {
        let found = format!("{pawn} for a .csv, whose unit is its author's; --round STEP rounds its weights");
        return Err(option_error("pawn", Error::expected("a .par", found)));
    }
    if let Some(step) = args.round.filter(|step| !(step.is_finite() && *step > 0.0)) {
        return Err(option_error("round", Error::expected("a step above 0", step)));
    }
    if let Some(prefix) = &args.prefix {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if !prefix.starts_with(|letter: char| letter.is_ascii_alphabetic()) || !prefix.chars().all(is_letter)
        {
            let expected = "letters of English, digits and _, the first a letter";
            return Err(option_error("prefix", Error::expected(expected, format!("{prefix:?}"))));
        }
        if !matches!(args.to, Format::C | Format::Rust) {
            let found = format!("--to {}, which has the names of the table", args.to);
            return Err(option_error("prefix", Error::expected("--to c or rust", found)));
        }
    }
    let weights = read_fitted(&args.par, &mut warn)?;
    export::table::text(weights, &args.par.display().to_string(), args.to, args.round, args.prefix.as_deref())
}

/// The standard errors of weights NAME-NN.par, if the data of the run are beside them and have any.
fn run_errors(par: &Path) -> Vec<WeightError> {
    let Ok((files, pass)) = Files::of_par(par) else { return Vec::new() };
    if !files.data().exists() && !files.stat().exists() {
        return Vec::new();
    }
    let record = match RunRecord::read(&files) {
        Ok(record) => record,
        Err(error) => {
            warn(&format!("exported without standard errors: {error}"));
            return Vec::new();
        }
    };
    let at = |errors: &[f64]| errors.get((pass as usize).checked_sub(1)?).copied();
    let trends = record.trends.weights.into_iter();
    trends
        .filter_map(|trend| Some(WeightError { units: at(&trend.run_errors)?, weight: trend.name }))
        .collect()
}
