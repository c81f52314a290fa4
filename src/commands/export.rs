//! `texam export`: weights for other programs, as source code or data.

use super::{Outcome, output::OutputFile, print, read_par};
use crate::{
    cli::ExportArgs,
    error::Result,
    export::{self, ExportUnit},
};

pub(super) fn run(args: &ExportArgs) -> Result<Outcome> {
    let weights = read_par(&args.par)?;
    let unit = args.pawn.map_or(ExportUnit::Exact, ExportUnit::Pawn);
    let text = export::text(&weights, &args.par.display().to_string(), args.to, unit)?;
    match &args.output {
        Some(path) => {
            OutputFile::new(path, &[Some(&args.par)])?.write_and_print(text.as_bytes())?;
        }
        None => print(&text)?,
    }
    Ok(Outcome::Complete)
}
