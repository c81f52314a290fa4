//! Shell completions and manual pages, made from the definition of the command line.

use std::path::PathBuf;

use clap::{Arg, Args, builder::PossibleValuesParser};
use clap_complete::Shell;

use super::definition;
use crate::{error::Error, phase::PhaseScheme, show::lesson::LESSONS};

/// `texam completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell that the script is for
    pub shell: Shell,
}

/// `texam man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Command of the page [default: the program]
    pub command: Option<String>,
    /// Write the pages of the program and of all commands to this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub out: Option<PathBuf>,
    /// Replace older pages in the folder
    #[arg(long, requires = "out")]
    pub overwrite: bool,
}

/// The page of the manual of the program, or of one of its commands.
pub fn manual(command: Option<&str>) -> Result<Vec<u8>, Error> {
    let program = definition();
    let page = match command {
        None => program,
        Some(name) => {
            let named = program.get_subcommands().find(|command| command.get_name() == name).cloned();
            let unknown = || Error::expected("a command of texam", format!("{name:?}"));
            named.ok_or_else(unknown)?.bin_name(format!("texam {name}")).display_name(format!("texam-{name}"))
        }
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut roff)
        .map_err(|error| Error::io("cannot write the page", error))?;
    Ok(roff)
}

/// Names of all commands.
pub fn command_names() -> Vec<String> {
    definition().get_subcommands().map(|command| command.get_name().to_string()).collect()
}

/// The script by which a shell completes command lines. Schemes of the phase and lessons have names there, too.
pub fn completions(shell: Shell) -> Vec<u8> {
    let words = |arg: Arg| match arg.get_id().as_str() {
        "phase" | "against_phase" => arg.value_parser(PhaseScheme::ALL.map(<&str>::from)),
        "number" => arg
            .value_parser(PossibleValuesParser::new(LESSONS.iter().map(|lesson| lesson.number.to_string()))),
        _ => arg,
    };
    let mut program = command_names()
        .into_iter()
        .fold(definition(), |program, name| program.mut_subcommand(name, |command| command.mut_args(words)));
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "texam", &mut script);
    script
}
