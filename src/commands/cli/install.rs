//! Shell completions and manual pages, made from the definition of the command line.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::definition;
use crate::{error::Error, par};

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

/// The script by which a shell completes command lines.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition(), "texam", &mut script);
    match String::from_utf8(script) {
        Ok(script) => with_files(shell, &script).into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// The script with files added to the names of built-in sets: clap completes either names or files.
fn with_files(shell: Shell, script: &str) -> String {
    let names: Vec<&str> = par::SETS.iter().map(|set| set.name).collect();
    let list = names.join(" ");
    match shell {
        Shell::Bash => {
            let files = "$(compgen -f -- \"${cur}\")";
            let words = format!("$(compgen -W \"{list}\" -- \"${{cur}}\")");
            let filenames = "compopt -o filenames 2> /dev/null";
            let positional = "COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\")";
            script
                .replace(
                    &format!("COMPREPLY=({words})"),
                    &format!("COMPREPLY=({words} {files}); {filenames}"),
                )
                .replace(&format!("{positional} )"), &format!("{positional} {files} ); {filenames}"))
        }
        Shell::Zsh => {
            let start = "autoload -U is-at-least\n";
            let function = format!(
                "{start}\n_texam_sets() {{\n    _alternative 'sets:set:({list})' 'files:file:_files'\n}}\n"
            );
            script.replace(&format!(":({list})"), ":_texam_sets").replacen(start, &function, 1)
        }
        Shell::Fish => {
            let list = names.iter().map(|name| format!("{name}\\t''")).collect::<Vec<_>>().join("\n");
            script.replace(&format!("-r -f -a \"{list}\""), &format!("-r -F -a \"{list}\""))
        }
        _ => script.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sets_are_completed_beside_files() {
        let script = |shell| String::from_utf8(completions(shell)).unwrap();
        let takes_sets = script(Shell::Zsh).matches(":_texam_sets").count();
        assert!(takes_sets >= 15, "{takes_sets} arguments take sets");
        assert!(
            script(Shell::Bash)
                .contains("best large tables material pst flat\" -- \"${cur}\") $(compgen -f -- ")
        );
        let fish = script(Shell::Fish);
        assert!(fish.lines().any(|line| line.contains("-l par ") && line.contains("-r -F -a \"start\\t''")));
    }
}
