//! The program: parse, dispatch, print what went wrong, exit.

use std::process::ExitCode;

use texam::{
    cli::Cli,
    commands::{self, Ending},
};

fn main() -> ExitCode {
    let cli = Cli::read(std::env::args_os()).unwrap_or_else(|usage| usage.exit());
    match commands::run(cli) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Partly) => ExitCode::from(1),
        Err(error) => {
            commands::complain(&format!("error: {error}"));
            ExitCode::from(2)
        }
    }
}
