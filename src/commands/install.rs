//! `texam completions` and `texam man`: what an installation needs besides the program.

use std::fs;

use super::{Outcome, print, print_raw};
use crate::{
    cli::{self, CompletionsArgs, ManArgs},
    error::{Error, Result},
    file,
};

pub(super) fn completions(args: &CompletionsArgs) -> Result<Outcome> {
    print_raw(&String::from_utf8_lossy(&cli::completions(args.shell)))?;
    Ok(Outcome::Complete)
}

pub(super) fn man(args: &ManArgs) -> Result<Outcome> {
    let Some(folder) = &args.out else {
        print_raw(&String::from_utf8_lossy(&cli::manual(args.command.as_deref())?))?;
        return Ok(Outcome::Complete);
    };
    fs::create_dir_all(folder)
        .map_err(|error| Error::io("cannot make this folder", error).in_file(folder))?;
    file::write_whole(folder.join("texam.1"), &cli::manual(None)?)?;
    let commands = cli::command_names();
    for command in &commands {
        file::write_whole(folder.join(format!("texam-{command}.1")), &cli::manual(Some(command))?)?;
    }
    print(&format!("wrote {} pages to {}\n", commands.len() + 1, folder.display()))?;
    Ok(Outcome::Complete)
}
