//! The files of a run: OUT/NAME.stat and OUT/NAME-00.par, -01, ..; which names are free, and what is left
//! of other runs.

use std::{
    fs::{self, OpenOptions},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use crate::{
    cli::RunArgs,
    error::{Error, Result},
    file,
};

/// Where the files of a run stand.
pub(super) struct Files {
    pub folder: PathBuf,
    pub name: String,
}

impl Files {
    /// The files of a run in a folder.
    ///
    /// # Errors
    ///
    /// The name is none for a file.
    pub fn new(folder: &Path, name: &str) -> Result<Files> {
        if name.is_empty()
            || name.starts_with('.')
            || name.contains(|c: char| "/\\".contains(c) || c.is_control())
        {
            return Err(Error::expected("a plain name for the files of the run", format!("{name:?}")));
        }
        Ok(Files { folder: folder.to_path_buf(), name: name.to_string() })
    }

    /// Takes the name asked for, or the first free one, and makes the folder.
    pub fn choose(run: &RunArgs) -> Result<Files> {
        let files = match &run.name {
            Some(name) => Files::new(&run.out, name)?,
            None => Files::first_free(&run.out)?,
        };
        if !run.overwrite && !files.are_free() {
            return Err(files.taken());
        }
        fs::create_dir_all(&run.out).map_err(|error| {
            Error::io("cannot make this folder; give another --out", error).in_file(&run.out)
        })?;
        Ok(files)
    }

    fn first_free(folder: &Path) -> Result<Files> {
        let mut names = (1..=999).map(|number| format!("run-{number:03}"));
        names
            .find_map(|name| Files::new(folder, &name).ok().filter(Files::are_free))
            .ok_or_else(|| Error::new("run-001 to run-999 are taken; give a --name").in_file(folder))
    }

    fn are_free(&self) -> bool {
        !self.stat().exists() && self.pars().is_empty()
    }

    fn taken(&self) -> Error {
        Error::new("there is a run of this name: give another --name, or --overwrite, or --resume")
            .in_file(self.stat())
    }

    /// The `.stat`.
    pub fn stat(&self) -> PathBuf {
        self.folder.join(format!("{}.stat", self.name))
    }

    /// The `.par` of a pass.
    pub fn par(&self, pass: u32) -> PathBuf {
        self.folder.join(format!("{}-{pass:02}.par", self.name))
    }

    /// Every `.par` of a run of this name that there is, with its pass.
    fn pars(&self) -> Vec<(u32, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let pass = |path: &Path| -> Option<u32> {
            let name = path.file_name()?.to_str()?.strip_suffix(".par")?;
            let pass = name.strip_prefix(&self.name)?.strip_prefix('-')?.parse().ok()?;
            (self.par(pass) == path).then_some(pass)
        };
        entries.flatten().filter_map(|entry| Some((pass(&entry.path())?, entry.path()))).collect()
    }

    /// Makes the name this run's own, so that another one begun meanwhile takes the next; `text` is the
    /// `.stat` until the first pass is measured.
    pub fn claim(&self, text: &str) -> Result<Claim> {
        let path = self.stat();
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => {
                let claim = Claim { path: Some(path) };
                file::write_whole(self.stat(), text.as_bytes()).map(|()| claim)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(self.taken()),
            Err(error) => Err(Error::io("cannot write this file; give another --out", error).in_file(path)),
        }
    }

    /// Removes what a longer run of the same name has left behind.
    pub fn remove_beyond(&self, last: u32) -> Result<()> {
        for (_, path) in self.pars().into_iter().filter(|&(pass, _)| pass > last) {
            fs::remove_file(&path)
                .map_err(|error| Error::io("cannot remove this old file", error).in_file(path))?;
        }
        Ok(())
    }
}

/// A name that is given back unless it is used.
pub(super) struct Claim {
    path: Option<PathBuf>,
}

impl Claim {
    /// The name is used from now on.
    pub fn keep(mut self) {
        self.path = None;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Nothing is left to be done where it cannot be removed.
            let _ = fs::remove_file(path);
        }
    }
}
