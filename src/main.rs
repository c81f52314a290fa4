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
    if has_no_output() {
        let text = "error: standard output is closed; send it to a file, or to /dev/null if it is not wanted";
        commands::print_error(text);
        return ExitCode::from(2);
    }
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
            // The message contains what was typed. It has the colours of clap unless that contains control characters.
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

/// Whether standard output was closed when the program was started.
#[cfg(unix)]
fn has_no_output() -> bool {
    use std::sync::atomic::{AtomicBool, Ordering};

    static IS_CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look() {
        // SAFETY: the call only asks for flags; a number that is no open file is an error that it returns.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        IS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    /// Called when the program is loaded: before `main` the runtime of Rust opens /dev/null in the place of a closed file.
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;

    IS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(not(unix))]
fn has_no_output() -> bool {
    false
}
