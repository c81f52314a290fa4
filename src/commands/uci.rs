//! `texam uci`: the engine for other programs.

use std::io;

use super::{Ending, weights};
use crate::{
    cli::UciArgs,
    error::Result,
    uci::{Conversation, Settings},
};

pub(super) fn run(args: &UciArgs) -> Result<Ending> {
    let (weights, _) = weights(args.par.as_deref())?;
    let settings =
        Settings { phase: args.phase, phase_at: args.phase_at, ..Settings::new(weights, args.par.clone()) };
    Conversation::new(settings, io::stdout()).listen(io::stdin().lock())?;
    Ok(Ending::Done)
}
