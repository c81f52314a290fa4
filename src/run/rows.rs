//! Where the rows of another program come from: a file, or a command that prints them for every pass.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Seek, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::SystemTime,
};

use texam_fit::{KeptRows, Model, RowInput, RowKind, RowReader, svmrank::TextRows, write_weights};

use super::{Holdout, RowsFrom, RunSpec, path_to_text};
use crate::{
    error::{Error, Result},
    file, game,
    run::{interrupt, process_group::ProcessGroup},
};

/// What stands for the digest of rows that a command prints anew for every pass.
const NO_DIGEST: &str = "-";

/// Each how many games one is held out; none if no game is.
pub fn hold_out(spec: &RunSpec) -> Option<u64> {
    match spec.holdout {
        Holdout::EveryGame(every) => Some(every.into()),
        Holdout::None | Holdout::File(_) => None,
    }
}

/// Where the rows of a run come from.
pub enum RowOrigin {
    File(RowFile),
    Command(RowCommand),
}

impl RowOrigin {
    /// The rows that the options name. A file is read once, for its digest.
    pub fn new(from: RowsFrom) -> Result<RowOrigin> {
        match from {
            RowsFrom::File(path) => {
                if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
                    let expected = "a file, since its rows are read more than once";
                    let found = "a pipe or a device; write what it gives to a file";
                    return Err(Error::expected(expected, found).in_file(path));
                }
                let stamp = stamp(path);
                let digest = game::digest_of(path).map_err(|error| error.in_file(path))?;
                let (path, kept) = (path.to_path_buf(), KeptRows::default());
                Ok(RowOrigin::File(RowFile { path, digest, stamp, kept }))
            }
            RowsFrom::Command(command) => {
                Ok(RowOrigin::Command(RowCommand { command: command.to_string(), ..RowCommand::default() }))
            }
        }
    }

    /// Where the rows come from and what stands for their digest, as a `.stat` has them.
    pub fn origin(&self) -> (String, String) {
        match self {
            RowOrigin::File(file) => (path_to_text(&file.path), file.digest.clone()),
            RowOrigin::Command(command) => (command.command.clone(), NO_DIGEST.to_string()),
        }
    }

    /// The text that opens the rows for each pass.
    pub fn input(&mut self) -> &mut dyn RowInput {
        match self {
            RowOrigin::File(file) => file,
            RowOrigin::Command(command) => command,
        }
    }

    /// An error of a pass with what is known of its origin: the file, or how the command ended.
    pub fn explain(&mut self, error: Error) -> Error {
        match self {
            RowOrigin::File(file) => error.in_file(&file.path),
            RowOrigin::Command(command) => command.explain(error),
        }
    }
}

/// A text of rows, plain or packed.
pub struct RowFile {
    path: PathBuf,
    digest: String,
    stamp: Stamp,
    kept: KeptRows,
}

/// Length of a file, and when it was last changed.
type Stamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> Stamp {
    let found = fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()?))
}

impl RowInput for RowFile {
    fn open(&mut self, kind: RowKind, _: &Model) -> texam_fit::Result<Box<dyn RowReader>> {
        self.open_again(kind)
    }

    fn open_again(&mut self, kind: RowKind) -> texam_fit::Result<Box<dyn RowReader>> {
        let input = file::open_unpacked(&self.path).map_err(texam_fit::Error::external)?;
        if stamp(&self.path) != self.stamp {
            let found = "one that was changed meanwhile; begin the fit again";
            return Err(texam_fit::Error::external(Error::expected("the file as at the start", found)));
        }
        Ok(self.kept.reader(TextRows::new(BufReader::with_capacity(1 << 16, input), kind)))
    }
}

/// A command that prints rows.
#[derive(Default)]
pub struct RowCommand {
    command: String,
    running: Option<ProcessGroup>,
    /// What it has printed in this pass, in a temporary file without a name.
    printed: Option<File>,
    /// Whether this is read.
    is_read_again: bool,
}

impl RowInput for RowCommand {
    fn open(&mut self, kind: RowKind, model: &Model) -> texam_fit::Result<Box<dyn RowReader>> {
        self.is_read_again = false;
        let output = self.start(model).map_err(texam_fit::Error::external)?;
        Ok(Box::new(TextRows::new(output, kind)))
    }

    fn open_again(&mut self, kind: RowKind) -> texam_fit::Result<Box<dyn RowReader>> {
        let mut printed = self.printed.take().expect("the command has printed the rows of the pass");
        let rewound =
            printed.rewind().map_err(|error| Error::io("cannot read what the command printed", error));
        rewound.map_err(texam_fit::Error::external)?;
        self.is_read_again = true;
        Ok(Box::new(TextRows::new(BufReader::with_capacity(1 << 16, printed), kind)))
    }

    fn is_made_anew(&self) -> bool {
        true
    }

    fn is_cancelled(&self) -> bool {
        interrupt::is_requested()
    }

    fn close(&mut self) -> texam_fit::Result<()> {
        let Some(group) = self.running.take() else { return Ok(()) };
        failure(group.wait()).map_or(Ok(()), |failure| Err(texam_fit::Error::external(failure)))
    }
}

impl RowCommand {
    fn start(&mut self, model: &Model) -> Result<Box<dyn BufRead>> {
        let failed = |error| Error::io("cannot write the weights for the command", error);
        let weights = tempfile::Builder::new().prefix("texam-").suffix(".csv").tempfile().map_err(failed)?;
        write_weights(model, weights.as_file()).map_err(failed)?;
        let line = self.command.replace("{weights}", &quoted(weights.path()));
        let (group, output) = ProcessGroup::start(shell(&line), Some(weights.into_temp_path()))
            .map_err(|error| Error::io("cannot start the command", error))?;
        self.running = Some(group);
        let failed = |error| Error::io("cannot keep what the command prints", error);
        let printed = tempfile::tempfile().map_err(failed)?;
        let copy = printed.try_clone().map_err(failed)?;
        self.printed = Some(printed);
        Ok(Box::new(BufReader::with_capacity(1 << 16, Tee { from: file::unpacked(output)?.0, to: copy })))
    }

    /// An error that came up while the output was read. The command gets a moment to end, and is ended then.
    fn explain(&mut self, error: Error) -> Error {
        let group = match self.running.take() {
            Some(group) => group,
            None if self.is_read_again => return Error::new(format!("output of the command: {error}")),
            None => return error,
        };
        let failure = group.dismiss().and_then(|status| failure(Some(status)));
        let failure = failure.map_or(String::new(), |failure| format!("; {failure}"));
        Error::new(format!("output of the command: {error}{failure}"))
    }
}

/// Reads, and writes what was read.
struct Tee<R> {
    from: R,
    to: File,
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(buffer)?;
        self.to.write_all(&buffer[..length])?;
        Ok(length)
    }
}

/// How a command has failed, if it has.
fn failure(status: Option<ExitStatus>) -> Option<Error> {
    let how = match status {
        Some(status) if status.success() => return None,
        Some(status) => format!("it ended with {status}"),
        None => "it cannot be waited for".to_string(),
    };
    Some(Error::new(format!("the command that gives choices failed: {how}")))
}

/// The shell of the system with a line to run.
fn shell(line: &str) -> Command {
    let mut command = Command::new(if cfg!(windows) { "cmd" } else { "sh" });
    // `cmd` takes off the outer two quotes, and reads the rest as it was typed.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::raw_arg(&mut command, format!("/D /S /C \"{line}\""));
    #[cfg(not(windows))]
    command.args(["-c", line]);
    command
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(windows) { format!("\"{path}\"") } else { shell_words::quote(&path).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_cannot_be_read_again_or_were_changed_are_an_error() {
        let error = |from| RowOrigin::new(from).err().map(|error| error.to_string());
        let expected = "a file, since its rows are read more than once, but found a pipe or a device";
        let device = Path::new("/dev/null");
        assert!(!device.exists() || error(RowsFrom::File(device)).unwrap().contains(expected));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.txt");
        fs::write(&path, "1 1:1\n0 1:2\n").unwrap();
        let mut origin = RowOrigin::new(RowsFrom::File(&path)).unwrap();
        let model = Model::new(Vec::new()).unwrap();
        assert!(origin.input().open(RowKind::Labelled, &model).is_ok());
        fs::write(&path, "1 1:1\n").unwrap();
        let found = origin.input().open_again(RowKind::Labelled).err().unwrap().to_string();
        assert!(found.contains("one that was changed meanwhile"), "{found}");
    }
}
