//! Output files of commands: what they may replace, and what is said of it.
//!
//! Every file that a command writes goes through [`OutputFile`], except those of a run: the lock on its name
//! and [`Files::check`] protect these.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::print;
use crate::{
    error::{Error, Result},
    file::{self, Unfilled},
    run::Files,
};

/// The inputs of a command that reads no file.
pub(super) const NO_INPUT: [&Path; 0] = [];

/// A file that a command writes.
#[derive(Debug)]
pub(super) struct OutputFile<'a> {
    path: &'a Path,
    replaces: bool,
    /// Whether what is there may be replaced: with `overwrite`, and once it is this command's own.
    may_replace: AtomicBool,
}

impl<'a> OutputFile<'a> {
    /// The file, which replaces an older one only with `overwrite`, and never one of the `inputs` of the
    /// command, nor a file of a run that one of them belongs to. What is written into a pipe or a device
    /// replaces nothing.
    pub fn new<P: AsRef<Path>>(
        path: &'a Path,
        overwrite: bool,
        inputs: impl IntoIterator<Item = P>,
    ) -> Result<OutputFile<'a>> {
        let replaces = !file::is_stream(path) && fs::metadata(path).is_ok_and(|found| found.is_file());
        if !replaces {
            return Ok(OutputFile { path, replaces, may_replace: overwrite.into() });
        }
        for input in inputs {
            let input = input.as_ref();
            if file::is_same(path, input) {
                return Err(Error::expected("another name for the output", "that of an input").in_file(path));
            }
            let run = Files::of_any(input);
            if let Some(run) = run.filter(|run| run.contain(path)) {
                let found = format!("that of a file of the run {}, which is an input", run.name);
                return Err(Error::expected("another name for the output", found).in_file(path));
            }
        }
        if !overwrite {
            let found = "an existing one; choose another name, or give --overwrite";
            return Err(Error::expected("the name of a new file", found).in_file(path));
        }
        Ok(OutputFile { path, replaces, may_replace: overwrite.into() })
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        self.write_in_pieces(|out| Ok(out.write_all(bytes)?))
    }

    /// Writes the file piece by piece, whole or not at all.
    pub fn write_in_pieces<T>(&self, fill: impl FnOnce(&mut dyn Write) -> Result<T, Unfilled>) -> Result<T> {
        let written = file::write_in_pieces(self.path, self.may_replace.load(Relaxed), fill)?;
        self.may_replace.store(true, Relaxed);
        Ok(written)
    }

    /// Writes the file and prints its name.
    pub fn write_and_print(&self, bytes: &[u8]) -> Result<()> {
        self.write(bytes)?;
        print(&self.summary())
    }

    /// The line that names the file and says whether it replaced another.
    pub fn summary(&self) -> String {
        let replaced = if self.replaces { ", in place of an older file" } else { "" };
        format!("wrote {}{replaced}\n", self.path.display())
    }
}

/// Makes a new folder with these files, which appears under its name when all of them are written.
pub(super) fn write_folder(folder: &Path, files: &[(String, String)]) -> Result<()> {
    if fs::symlink_metadata(folder).is_ok() {
        let found = "an existing one; choose another name, or remove it";
        return Err(Error::expected("the name of a new folder", found).in_file(folder));
    }
    let cannot = |error: io::Error| Error::io("cannot make this folder", error.kind().into()).in_file(folder);
    let hidden = file::folder_beside(folder).map_err(cannot)?;
    for (name, text) in files {
        file::write_whole(hidden.path().join(name), text.as_bytes())?;
    }
    fs::rename(hidden.path(), folder).map_err(cannot)?;
    let _ = hidden.keep();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_never_replaced_and_an_older_file_only_when_it_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
        fs::write(&old, "old").unwrap();
        let dotted = folder.path().join(".").join("old");
        assert!(OutputFile::new(&old, true, [&new, &dotted]).is_err());
        assert!(OutputFile::new(&old, false, [&new]).is_err());
        assert!(OutputFile::new(&new, false, [&old]).is_ok());
        let output = OutputFile::new(&old, true, [&new]).unwrap();
        output.write(b"new").unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"new");
        assert!(output.summary().contains("in place of an older file"));
    }

    #[test]
    fn a_file_of_the_run_that_an_input_belongs_to_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let own = ["run.json", "run.stat", "run.games", "run.groups", "run-00.par", "run-02.csv"];
        for name in own.into_iter().chain(["other.stat", "run-1.par"]) {
            fs::write(path(name), "").unwrap();
        }
        for input in ["run.json", "run.stat", "run-00.par", "run-02.csv"] {
            for output in own {
                assert!(OutputFile::new(&path(output), true, [path(input)]).is_err(), "{input} {output}");
            }
            for output in ["other.stat", "run-1.par"] {
                assert!(OutputFile::new(&path(output), true, [path(input)]).is_ok(), "{input} {output}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_device_that_is_an_input_too_can_be_written_into() {
        let null = Path::new("/dev/null");
        OutputFile::new(null, false, [null]).unwrap().write(b"text").unwrap();
    }
}
