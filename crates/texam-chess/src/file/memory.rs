//! Files in memory, by path, where the program has no operating system under it.
//!
//! A folder is there as soon as a file is in it. The path of a file is compared as it was given.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Cursor, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::cannot_read;
use crate::error::Result;

/// The bytes of a file, to be read.
pub type File = Cursor<Vec<u8>>;

static FILES: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

fn files() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<u8>>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file whole with whatever `fill` writes, or leaves it as it was.
pub(super) fn write_with(
    path: &Path,
    _: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let mut bytes = Vec::new();
    fill(&mut bytes).map_err(|error| crate::error::Error::io("cannot write this file", error))?;
    files().insert(path.to_path_buf(), bytes);
    Ok(())
}

/// Whether a path names what bytes are sent to; none does.
pub fn is_stream(_: &Path) -> bool {
    false
}

/// Whether two paths name the same existing file.
pub fn is_same(a: &Path, b: &Path) -> bool {
    a == b && is_file(a)
}

/// Opens a file to read it.
///
/// # Errors
///
/// There is none of this name.
pub fn open(path: impl AsRef<Path>) -> Result<File> {
    let path = path.as_ref();
    let bytes = files().get(path).cloned().ok_or_else(|| io::Error::from(ErrorKind::NotFound));
    bytes.map(Cursor::new).map_err(|error| cannot_read(error).in_file(path))
}

/// Opens a file that this program keeps beside others; none if it is missing.
///
/// # Errors
///
/// None.
pub fn open_own(path: &Path) -> Result<Option<File>> {
    Ok(files().get(path).cloned().map(Cursor::new))
}

/// Whether there is a file that this program keeps beside others.
///
/// # Errors
///
/// None.
pub fn is_own(path: &Path) -> Result<bool> {
    Ok(is_file(path))
}

/// Whether there is something of this name.
pub fn exists(path: &Path) -> bool {
    is_file(path) || is_folder(path)
}

/// Whether there is a file of this name.
pub fn is_file(path: &Path) -> bool {
    files().contains_key(path)
}

/// Whether there are files in a folder of this name.
pub fn is_folder(path: &Path) -> bool {
    let path = path.strip_prefix(".").unwrap_or(path);
    files().keys().any(|file| file != path && file.starts_with(path))
}

/// What is in a folder, in order: names, those of folders with a slash behind.
pub fn names_in(folder: &Path) -> Vec<String> {
    let folder = folder.strip_prefix(".").unwrap_or(folder);
    let name = |path: &PathBuf| {
        let mut parts = path.strip_prefix(folder).ok()?.iter();
        let name = parts.next()?.to_str()?;
        Some(if parts.next().is_some() { format!("{name}/") } else { name.to_string() })
    };
    files().keys().filter_map(name).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Makes a folder: nothing is to be done.
///
/// # Errors
///
/// None.
pub fn make_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes a file.
///
/// # Errors
///
/// There is none of this name.
pub fn remove(path: &Path) -> io::Result<()> {
    files().remove(path).map(drop).ok_or_else(|| ErrorKind::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_memory_is_read_listed_and_removed_and_a_failed_one_stays_as_it_was() {
        let path = Path::new("memory/runs/a.par");
        write_with(path, true, |file| file.write_all(b"old")).unwrap();
        let failed = write_with(path, true, |file| {
            file.write_all(b"half")?;
            Err(ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!(open(path).unwrap().into_inner(), b"old");
        assert_eq!(names_in(Path::new("./memory")), ["runs/"]);
        assert_eq!(names_in(Path::new("memory/runs")), ["a.par"]);
        assert!(is_folder(Path::new("memory")) && !is_folder(path) && is_same(path, path));
        remove(path).unwrap();
        assert!(!exists(path) && !exists(Path::new("memory")));
        let missing = open(path).unwrap_err().to_string();
        assert!(missing.contains("a.par: cannot read this file; check the name"), "{missing}");
    }
}
