//! `texam completions` and `texam man`: what an installation needs besides the program.

use std::fs;

use super::{
    Outcome,
    output::{NO_INPUT, OutputFile},
    print, print_raw,
};
use crate::{
    commands::cli::{self, CompletionsArgs, ManArgs},
    error::{Error, Result},
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
    let commands = cli::command_names();
    let mut pages = vec![(folder.join("texam.1"), cli::manual(None)?)];
    for command in &commands {
        pages.push((folder.join(format!("texam-{command}.1")), cli::manual(Some(command))?));
    }
    let files = pages.iter().map(|(path, _)| OutputFile::new(path, args.overwrite, NO_INPUT));
    let files = files.collect::<Result<Vec<_>>>()?;
    for (file, (_, page)) in files.iter().zip(&pages) {
        file.write(page)?;
    }
    print(&format!("wrote {} pages to {}\n", pages.len(), folder.display()))?;
    Ok(Outcome::Complete)
}
