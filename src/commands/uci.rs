//! `texam uci`: the engine for other programs.

use std::io;

use super::Ending;
use crate::{
    cli::UciArgs,
    error::Result,
    run,
    uci::{Conversation, Settings},
};

pub(super) fn run(args: &UciArgs) -> Result<Ending> {
    // Sent to the other program as well, which may not show standard error.
    let mut note = None;
    let (weights, _) = run::weights(args.par.as_deref(), &mut |text| note = Some(text.to_string()))?;
    let settings = Settings::new(weights, args.par.clone());
    let settings = Settings { phase: args.phase, phase_at: args.phase_at, note, ..settings };
    Conversation::new(settings, io::stdout()).listen(io::stdin().lock())?;
    Ok(Ending::Done)
}
