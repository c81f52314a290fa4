//! The program: parses the command line, runs the command, prints errors and sets the exit code.

use std::{
    io::{IsTerminal, stdin},
    process::ExitCode,
};

use texam::{
    cli::{self, Cli},
    commands::{self, Outcome},
};

fn main() -> ExitCode {
    let line = cli::with_default_command(std::env::args_os(), stdin().is_terminal());
    let cli = Cli::read(line).unwrap_or_else(|usage| usage.exit());
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
