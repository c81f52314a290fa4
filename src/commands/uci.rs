//! `texam uci`: the engine for other programs.

use std::io;

use super::Outcome;
use crate::{
    cli::UciArgs,
    error::Result,
    run,
    uci::{EngineSettings, UciHandler},
};

pub(super) fn run(args: &UciArgs) -> Result<Outcome> {
    // Sent to the other program as well, which may not show standard error.
    let mut note = None;
    let (weights, _) = run::weights(args.par.as_deref(), &mut |text| note = Some(text.to_string()))?;
    let settings = EngineSettings::new(weights, args.par.clone());
    let settings = EngineSettings { phase: args.phase, phase_at: args.phase_at, note, ..settings };
    UciHandler::new(settings, io::stdout()).run(io::stdin().lock())?;
    Ok(Outcome::Complete)
}
