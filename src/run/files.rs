//! The files of a run: OUT/NAME.json, OUT/NAME.stat and OUT/NAME-00.par, -01, .. (or .csv); which names are
//! free, and what is left of other runs. Does not read them.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

use super::{RunPlace, RunSpec, lock::RunLock};
use crate::{
    error::{Error, ErrorKind, Result},
    file,
    printable::is_hidden,
};

/// Where the files of a run stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    pub folder: PathBuf,
    /// The name of the run.
    pub name: String,
}

impl Files {
    /// The files of a run in a folder.
    pub fn new(folder: &Path, name: &str) -> Result<Files> {
        if !is_plain(name) {
            return Err(Error::expected(PLAIN, format!("{name:?}")));
        }
        Ok(Files { folder: folder.to_path_buf(), name: name.to_string() })
    }

    /// The files of the run that the weights of a pass belong to, and the number of the pass.
    pub fn of_par(par: &Path) -> Result<(Files, u32)> {
        Files::of_pass(par, "par")
    }

    /// The same for the weights of an evaluation that is not ours.
    pub fn of_csv(csv: &Path) -> Result<(Files, u32)> {
        Files::of_pass(csv, "csv")
    }

    fn of_pass(path: &Path, extension: &str) -> Result<(Files, u32)> {
        let parts = || {
            let (name, found) = path.file_name()?.to_str()?.rsplit_once('.')?;
            let (name, number) = name.rsplit_once('-').filter(|_| found == extension)?;
            Some((name, number.parse::<u32>().ok()?))
        };
        let expected = format!("NAME-NN.{extension}, fit NN of the run NAME");
        let wrong = || Error::expected(expected, "another name").in_file(path);
        let Some((name, number)) = parts() else { return Err(wrong()) };
        let files = Files::new(path.parent().unwrap_or(Path::new("")), name)?;
        if files.pass(number, extension) == path { Ok((files, number)) } else { Err(wrong()) }
    }

    /// The files of the run that a path names one of: its `.stat` or `.json`, or the weights of a pass.
    pub fn of_any(path: &Path) -> Option<Files> {
        let of_pass = |found: Result<(Files, u32)>| found.ok().map(|(files, _)| files);
        let of_weights = || of_pass(Files::of_par(path)).or_else(|| of_pass(Files::of_csv(path)));
        Files::of_run(path).ok().or_else(of_weights)
    }

    /// Whether a path ends as those that name a run: in `.stat` or `.json`.
    pub fn is_run(path: &Path) -> bool {
        let is_own =
            |extension: &OsStr| ["stat", "json"].iter().any(|own| extension.eq_ignore_ascii_case(own));
        path.extension().is_some_and(is_own)
    }

    /// The files of the run that is named by its `.stat` or its `.json`.
    pub fn of_run(path: &Path) -> Result<Files> {
        let wrong = || Error::expected("the .stat of a run", not_a_stat(path)).in_file(path);
        let name = path.file_stem().and_then(|name| name.to_str()).filter(|_| Files::is_run(path));
        Files::new(path.parent().unwrap_or(Path::new("")), name.ok_or_else(wrong)?)
    }

    /// Refuses a name that cannot be used, is taken, or belongs to files that the run reads, before any work
    /// is done for it.
    pub fn check(place: &RunPlace, spec: &RunSpec) -> Result<()> {
        let Some(name) = &place.name else { return Ok(()) };
        let files = Files::new(&place.out, name)?;
        files.check_free(place.overwrite)?;
        files.check_inputs(spec)
    }

    /// Refuses a run that reads what it writes.
    pub fn check_inputs(&self, spec: &RunSpec) -> Result<()> {
        match spec.inputs().into_iter().find(|input| self.contain(input)) {
            Some(input) => {
                let found =
                    format!("{:?}, whose files this run would replace while it reads them", self.name);
                Err(Error::expected("another name for the run", found).in_file(input))
            }
            None => Ok(()),
        }
    }

    /// Whether a path names a file of this run that exists.
    pub fn contain(&self, path: &Path) -> bool {
        let of_passes = self.weights().into_iter().map(|(_, file)| file);
        of_passes.chain(self.others()).any(|own| file::is_same(&own, path))
    }

    /// Makes the folder and locks the name asked for, or the first free one. Others take the next name
    /// meanwhile. A folder that was made goes with the lock if it is still empty.
    pub fn claim(place: &RunPlace) -> Result<(Files, RunLock)> {
        let made = place.out.ancestors().take_while(|folder| !file::exists(folder_of(folder)));
        let made = made.map(Path::to_path_buf).collect();
        make_folder(&place.out)?;
        let (files, lock) = Files::claim_in(place)?;
        Ok((files, lock.with_folders(made)))
    }

    fn claim_in(place: &RunPlace) -> Result<(Files, RunLock)> {
        if let Some(name) = &place.name {
            let files = Files::new(&place.out, name)?;
            let lock = files.lock()?;
            files.check_free(place.overwrite)?;
            return Ok((files, lock));
        }
        for number in 1..=999 {
            let files = Files::new(&place.out, &format!("run-{number:03}"))?;
            if let Some(lock) = files.try_lock()?
                && files.are_free()
            {
                return Ok((files, lock));
            }
        }
        Err(Error::new("run-001 to run-999 are taken").of_kind(ErrorKind::NoNameLeft).in_file(&place.out))
    }

    /// Refuses a name that is taken, unless its files may be replaced.
    fn check_free(&self, overwrite: bool) -> Result<()> {
        if overwrite || self.are_free() {
            return Ok(());
        }
        let (found, kind) = match file::exists(&self.data()) {
            true => ("there is a run of this name", ErrorKind::NameTaken),
            false => ("there are files of this name, but no run", ErrorKind::NameOfRest),
        };
        Err(Error::new(found).of_kind(kind).in_file(self.stat()))
    }

    /// Locks the name for as long as the result lives.
    pub fn lock(&self) -> Result<RunLock> {
        self.try_lock()?.ok_or_else(|| {
            Error::new("another process is writing this run")
                .of_kind(ErrorKind::RunIsLocked)
                .in_file(self.stat())
        })
    }

    fn try_lock(&self) -> Result<Option<RunLock>> {
        let path = self.folder.join(format!(".{}.lock", self.name));
        file::is_own(&path)?;
        RunLock::acquire(&path).map_err(|error| {
            Error::io("cannot write this file", error).of_kind(ErrorKind::Folder).in_file(path)
        })
    }

    /// Whether there are no files of a run of this name.
    pub fn are_free(&self) -> bool {
        !self.others().iter().any(|path| file::exists(path)) && self.weights().is_empty()
    }

    /// All files but those of the weights.
    fn others(&self) -> [PathBuf; 4] {
        [self.data(), self.stat(), self.games(), self.groups()]
    }

    /// What the run measured, as data.
    pub fn data(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.name))
    }

    /// The same as text for people.
    pub fn stat(&self) -> PathBuf {
        self.folder.join(format!("{}.stat", self.name))
    }

    pub fn par(&self, pass: u32) -> PathBuf {
        self.pass(pass, "par")
    }

    fn pass(&self, pass: u32, extension: &str) -> PathBuf {
        self.folder.join(format!("{}-{pass:02}.{extension}", self.name))
    }

    /// What each game counts in each pass.
    pub fn games(&self) -> PathBuf {
        self.folder.join(format!("{}.games", self.name))
    }

    /// What the runs without groups of games have come to, until all are made.
    pub fn groups(&self) -> PathBuf {
        self.folder.join(format!("{}.groups", self.name))
    }

    /// Removes what is left of the runs without groups of games.
    pub fn remove_groups(&self) -> Result<()> {
        remove(&self.groups())
    }

    /// The weights of a pass of an evaluation that is not ours.
    pub fn csv(&self, pass: u32) -> PathBuf {
        self.pass(pass, "csv")
    }

    /// Every file of weights of a run of this name that there is, with its pass.
    fn weights(&self) -> Vec<(u32, PathBuf)> {
        let pass = |name: &str| -> Option<u32> {
            let (stem, extension) = name.rsplit_once('.')?;
            let pass = stem.strip_prefix(&self.name)?.strip_prefix('-')?.parse().ok()?;
            let is_own = name == format!("{}-{pass:02}.{extension}", self.name);
            (is_own && ["par", "csv"].contains(&extension)).then_some(pass)
        };
        let names = file::names_in(folder_of(&self.folder)).into_iter();
        names.filter_map(|name| Some((pass(&name)?, self.folder.join(&name)))).collect()
    }

    /// Removes the record of an earlier run of the same name, before other files of it are replaced.
    pub fn remove_record(&self) -> Result<()> {
        [self.stat(), self.data()].iter().filter(|path| file::is_file(path)).try_for_each(|path| remove(path))
    }

    /// Removes what a longer run of the same name has left behind.
    pub fn remove_beyond(&self, last: u32) -> Result<()> {
        let mut beyond = self.weights().into_iter().filter(|&(pass, _)| pass > last);
        beyond.try_for_each(|(_, path)| remove(&path))
    }
}

/// What a name of files has to be.
const PLAIN: &str = "a plain name: none of < > : \" / \\ | ? *, not hidden, no device of Windows such as NUL";

/// Whether a name is one of a file on every system. Windows has names of devices, with any ending.
fn is_plain(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let is_device = match first.strip_suffix(|c: char| c.is_ascii_digit() || "¹²³".contains(c)) {
        Some(port) => ["COM", "LPT"].contains(&port),
        None => ["CON", "CONIN$", "CONOUT$", "PRN", "AUX", "NUL"].contains(&&*first),
    };
    let is_elsewhere = |c: char| "<>:\"/\\|?*".contains(c) || is_hidden(c);
    !first.is_empty() && !is_device && !name.ends_with(['.', ' ']) && !name.contains(is_elsewhere)
}

/// What a path is that does not end in `.stat`.
fn not_a_stat(path: &Path) -> String {
    let mut longer = path.as_os_str().to_os_string();
    longer.push(".stat");
    if file::is_file(Path::new(&longer)) {
        format!("nothing of this name; did you mean {}?", Path::new(&longer).display())
    } else if file::is_folder(path) {
        "a folder; name a file in it".to_string()
    } else if file::exists(path) {
        "a file that does not end so".to_string()
    } else {
        "nothing of this name; check the name".to_string()
    }
}

/// A folder by a path that is not empty.
fn folder_of(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Removes a file of an earlier run, if there is one.
pub(super) fn remove(path: &Path) -> Result<()> {
    match file::remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io("cannot remove this old file", error).in_file(path))
        }
        _ => Ok(()),
    }
}

fn make_folder(folder: &Path) -> Result<()> {
    file::make_folder(folder_of(folder)).map_err(|error| {
        Error::io("cannot make this folder", error).of_kind(ErrorKind::Folder).in_file(folder)
    })
}
