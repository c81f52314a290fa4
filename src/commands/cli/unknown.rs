//! What the command line says about a word that it does not know: what was meant.

use std::{
    error::Error,
    ffi::OsString,
    num::{ParseFloatError, ParseIntError},
    path::Path,
};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::feature::nearest;

/// The message about a first word that is neither a command nor a file, but close to a command.
pub fn message_on_command(definition: &clap::Command, line: &[OsString]) -> Option<String> {
    let word = line.get(1)?.to_str().filter(|word| !word.starts_with('-'))?;
    let commands: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
    if commands.contains(&word) || word == "help" || Path::new(word).exists() {
        return None;
    }
    let near = nearest(word, commands)?;
    Some(format!("there is no command and no file {word:?}; did you mean {near:?}?"))
}

/// The message about a FEN that a shell has split.
const QUOTE_THE_FEN: &str = "expected the position as one argument, but found several; put the FEN in quotes, as in \
                             texam eval 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'";

/// Whether an argument is the first field of a FEN and nothing else: eight ranks of eight squares. A path may
/// have as many slashes.
fn has_split_fen(line: &[OsString]) -> bool {
    let is_board =
        |word: &OsString| word.to_str().is_some_and(|word| word.parse::<shakmaty::Board>().is_ok());
    line.iter().skip(1).any(is_board)
}

/// A better error than that of clap, if there is one. `is_default`: whether the command was not typed.
pub fn explained(mut error: clap::Error, line: &[OsString], is_default: bool) -> clap::Error {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    if is_unknown && has_split_fen(line) {
        return self::error(error.kind(), QUOTE_THE_FEN);
    }
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && error.source().is_some_and(|source| source.is::<ParseIntError>() || source.is::<ParseFloatError>())
    {
        let sentence =
            format!("invalid value '{value}' for '{argument}': expected a number, but found {value:?}");
        return self::error(error.kind(), &format!("{sentence}\n\nFor more information, try '--help'."));
    }
    if !is_unknown {
        return error;
    }
    if is_default && let Some(near) = nearest(argument, ["--help", "--version"]) {
        let sentence = format!("there is no option {argument:?}; did you mean {near:?}?");
        return self::error(error.kind(), &sentence);
    }
    // The advice to put `--` before it, so that it is a value. A word with dashes is not meant so.
    error.remove(ContextKind::Suggested);
    error
}

/// An error that says all in one sentence.
pub fn error(kind: ErrorKind, sentence: &str) -> clap::Error {
    clap::Error::raw(kind, format!("{sentence}\n"))
}

#[cfg(test)]
mod tests {
    use super::super::Cli;

    #[test]
    fn a_number_that_is_none_is_told_in_our_words() {
        for (line, argument, value) in [
            ("match --nodes x", "--nodes <N>", "x"),
            ("plot --width 1e9 a.stat", "--width <N>", "1e9"),
            ("bench --positions 1.5", "--positions <N>", "1.5"),
            ("lesson balance", "[NUMBER]", "balance"),
        ] {
            let error = Cli::read(["texam"].into_iter().chain(line.split(' '))).unwrap_err().to_string();
            let expected = format!(
                "error: invalid value '{value}' for '{argument}': expected a number, but found {value:?}\n"
            );
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}
