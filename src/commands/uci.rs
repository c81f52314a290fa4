//! `texam uci`: the engine for other programs.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use super::Outcome;
use crate::{
    commands::cli::UciArgs,
    error::{Error, Result},
    run,
    uci::{EngineSettings, UciHandler},
};

pub(super) fn run(args: &UciArgs) -> Result<Outcome> {
    // Sent to the other program as well, which may not show standard error.
    let mut note = None;
    let (weights, _) = run::weights(args.par.as_deref(), &mut |text| note = Some(text.to_string()))?;
    let settings = EngineSettings::new(weights, args.par.clone());
    let settings = EngineSettings { phase: args.phase, phase_at: args.phase_at, note, ..settings };
    let output = Output::default();
    UciHandler::new(settings, output.clone()).run(io::stdin().lock())?;
    match output.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(Error::io("cannot write to standard output", error)),
        None => Ok(Outcome::Complete),
    }
}

/// Standard output, and the first error of writing to it. The engine goes on, as the other program may end it
/// only so.
#[derive(Clone, Default)]
struct Output {
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl Output {
    fn note<T>(&self, written: io::Result<T>) -> io::Result<T> {
        written.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::BrokenPipe {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.note(io::stdout().flush())
    }
}
