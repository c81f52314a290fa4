//! Output files of commands: what they may replace, and what is said of it.

use std::{fs, io::Write, path::Path};

use super::print;
use crate::{
    error::{Error, Result},
    file::{self, Unfilled},
};

/// A file that a command writes.
pub(super) struct OutputFile<'a> {
    path: &'a Path,
    replaces: bool,
}

impl<'a> OutputFile<'a> {
    /// A file that may replace an older one, but none of the files that the command reads.
    pub fn new(path: &'a Path, inputs: &[Option<&Path>]) -> Result<OutputFile<'a>> {
        if inputs.iter().flatten().any(|input| is_same_file(path, input)) {
            return Err(Error::expected("another name for the output", "that of an input").in_file(path));
        }
        let replaces = fs::metadata(path).is_ok_and(|found| found.is_file());
        Ok(OutputFile { path, replaces })
    }

    /// A file that replaces an older one only with `overwrite`.
    pub fn unused(path: &'a Path, overwrite: bool, inputs: &[Option<&Path>]) -> Result<OutputFile<'a>> {
        let output = OutputFile::new(path, inputs)?;
        if output.replaces && !overwrite {
            let found = "an existing one; choose another name, or give --overwrite";
            return Err(Error::expected("the name of a new file", found).in_file(path));
        }
        Ok(output)
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        file::write_whole(self.path, bytes)
    }

    /// Writes the file piece by piece, whole or not at all.
    pub fn write_in_pieces<T>(&self, fill: impl FnOnce(&mut dyn Write) -> Result<T, Unfilled>) -> Result<T> {
        file::write_in_pieces(self.path, fill)
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

/// Whether two paths name the same existing file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
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
        assert!(OutputFile::new(&old, &[Some(&new), None, Some(&dotted)]).is_err());
        assert!(OutputFile::unused(&old, false, &[]).is_err());
        assert!(OutputFile::unused(&new, false, &[Some(&old)]).is_ok());
        let output = OutputFile::unused(&old, true, &[]).unwrap();
        output.write(b"new").unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"new");
        assert!(output.summary().contains("in place of an older file"));
    }
}
