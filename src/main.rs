//! The program: parse, dispatch, print what went wrong, exit.

use std::process::ExitCode;

use clap::Parser;
use texam::{
    cli::Cli,
    commands::{self, Ending},
};

fn main() -> ExitCode {
    match commands::run(Cli::parse()) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Partly) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
