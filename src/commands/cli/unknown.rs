//! What the command line says about a word that it does not know: what has become of it, or what was meant.

use std::{
    error::Error,
    ffi::OsString,
    num::{ParseFloatError, ParseIntError},
    path::Path,
};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::feature::nearest;

/// Commands and options that are gone, and what to do instead. For a command as a whole there is no option.
const GONE: &[(&str, &str, &str)] = &[
    ("merge", "", SHARDS),
    ("fit", "--shard", SHARDS),
    ("fit", "--pass", SHARDS),
    ("fit", "--hints-memory", HINTS),
    ("screen", "--hints-memory", HINTS),
    ("agree", "--hints-memory", HINTS),
    (
        "presearch",
        "--least-nodes",
        "--least-nodes is gone: a .dbf holds search trees, and --margin sets their size",
    ),
    ("presearch", "--par", "presearch takes one --par, the weights that its trees are grown with"),
    ("bench", "--stored", "--stored is gone: a .dbf holds no best moves; --after searches for them first"),
    (
        "rows",
        "--to",
        "--to is gone: rows are text, and texam.Rows.read of the Python package makes arrays of it",
    ),
    ("lesson", "--out", "--out is gone: --run prints the result, with --json as one object"),
];

const SHARDS: &str = "shards are gone: run on many machines with MPI, see docs/SCALE.md";
const HINTS: &str = "--hints-memory is gone: leave it out, since best moves have a limit of 256 MiB";

fn gone(command: &str, option: &str) -> Option<&'static str> {
    let entry = GONE.iter().find(|(of, name, _)| (*of, *name) == (command, option));
    entry.map(|(.., sentence)| *sentence)
}

/// The message about a first word that is neither a command nor a file, but was a command or is close to one.
pub fn message_on_command(definition: &clap::Command, line: &[OsString]) -> Option<String> {
    let word = line.get(1)?.to_str().filter(|word| !word.starts_with('-'))?;
    let commands: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
    if commands.contains(&word) || word == "help" || Path::new(word).exists() {
        return None;
    }
    if let Some(sentence) = gone(word, "") {
        return Some(sentence.to_string());
    }
    let near = nearest(word, commands)?;
    Some(format!("there is no command and no file {word:?}; did you mean {near:?}?"))
}

/// The message about a FEN that a shell has split.
const QUOTE_THE_FEN: &str = "expected the position as one argument, but found several; put the FEN in quotes, as in \
                             texam eval 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'";

/// Whether an argument is the first field of a FEN and nothing else: eight ranks of eight squares. A path may have as many
/// slashes.
fn has_split_fen(line: &[OsString]) -> bool {
    let is_board =
        |word: &OsString| word.to_str().is_some_and(|word| word.parse::<shakmaty::Board>().is_ok());
    line.iter().skip(1).any(is_board)
}

/// A better error than that of clap, if there is one. The second word of the line is the command; `is_default` if it was not
/// typed.
pub fn explained(mut error: clap::Error, line: &[OsString], is_default: bool) -> clap::Error {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    // One that may be given only once stands there with its value.
    let option = argument.split(' ').next().unwrap_or_default().to_string();
    let command = line.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    let is_gone = is_unknown || error.kind() == ErrorKind::ArgumentConflict;
    let fen = || (is_unknown && has_split_fen(line)).then_some(QUOTE_THE_FEN);
    if let Some(sentence) = is_gone.then(|| gone(command, &option)).flatten().or_else(fen) {
        return self::error(error.kind(), sentence);
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
    if is_default && let Some(near) = nearest(&option, ["--help", "--version"]) {
        return self::error(error.kind(), &format!("there is no option {option:?}; did you mean {near:?}?"));
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
    use super::{super::Cli, GONE};

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

    #[test]
    fn what_is_gone_gets_its_sentence() {
        for (command, option, sentence) in GONE {
            // Twice, since an option may still be there, but no longer several times.
            let words = ["texam", command, option, "x", option, "x"];
            let error = Cli::read(words.into_iter().filter(|word| !word.is_empty())).unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("error: {sentence}\n")),
                "{command} {option}: {error}"
            );
            assert_eq!(error.exit_code(), 2);
        }
    }
}
