//! `texam export`: weights for other programs, as source code or data.

use super::{Outcome, print, read_par};
use crate::{
    cli::ExportArgs,
    error::Result,
    export::{self, ExportUnit},
    file,
};

pub(super) fn run(args: &ExportArgs) -> Result<Outcome> {
    let weights = read_par(&args.par)?;
    let unit = args.pawn.map_or(ExportUnit::Exact, ExportUnit::Pawn);
    let text = export::text(&weights, &args.par.display().to_string(), args.to, unit)?;
    match &args.output {
        Some(path) => {
            file::write_whole(path, text.as_bytes())?;
            print(&format!("wrote {}\n", path.display()))?;
        }
        None => print(&text)?,
    }
    Ok(Outcome::Complete)
}
