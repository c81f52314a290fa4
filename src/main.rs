//! The program: parses the command line, runs the command, prints errors and sets the exit code.

use std::{
    borrow::Cow,
    io::{ErrorKind, IsTerminal, Write, stdin, stdout},
    process::ExitCode,
};

use texam::{
    commands::{
        self, Outcome,
        cli::{self, Cli},
    },
    printable::printable,
};

fn main() -> ExitCode {
    let line = cli::with_default_command(std::env::args_os(), stdin().is_terminal());
    let cli = match Cli::read(line) {
        Ok(cli) => cli,
        Err(text) if !text.use_stderr() => {
            return match text.print().and_then(|()| stdout().flush()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    commands::print_error(&format!("error: cannot write to standard output: {error}"));
                    ExitCode::from(2)
                }
                _ => ExitCode::SUCCESS,
            };
        }
        Err(usage) => {
            // The message contains what was typed. It has the colours of clap unless that contains control
            // characters.
            let text = usage.render().to_string();
            if matches!(printable(&text), Cow::Borrowed(_)) {
                usage.exit();
            }
            commands::print_error(&text);
            return ExitCode::from(2);
        }
    };
    match commands::run(cli) {
        Ok(Outcome::Complete) => ExitCode::SUCCESS,
        Ok(Outcome::Incomplete) => ExitCode::from(1),
        Err(error) => {
            let remedy = cli::remedy(&error).map_or_else(String::new, |remedy| format!("; {remedy}"));
            commands::print_error(&format!("error: {error}{remedy}"));
            ExitCode::from(2)
        }
    }
}
