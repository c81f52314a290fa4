//! A lock on the name of a run, so that two processes never write the files of one run.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use crate::run::interrupt::{self, AtEnd};

/// The exclusive right to write the files of a run. It ends when the value is dropped, and also when the process dies, since
/// the operating system releases the lock then.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    _at_end: AtEnd,
    /// Keeps the lock.
    _file: File,
}

impl RunLock {
    /// Takes the lock with this file; none if another process holds it. The file exists while the lock is held; one that a
    /// killed process left is taken over.
    pub(super) fn acquire(path: &Path) -> io::Result<Option<RunLock>> {
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                // Some network file systems have no locks; there, runs are on their own.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The owner before may have removed the file after it was opened here; then the lock protects nothing.
            if is_file_at(&file, path) {
                let path = path.to_path_buf();
                let of_end = path.clone();
                let _at_end = interrupt::at_end(move || _ = fs::remove_file(&of_end));
                return Ok(Some(RunLock { path, _at_end, _file: file }));
            }
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // The file goes before the lock. An error is ignored: a file without a lock is taken over by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    matches!(
        (file.metadata().map(identity), fs::metadata(path).map(identity)),
        (Ok(open), Ok(there)) if open == there
    )
}

#[cfg(not(unix))]
fn is_file_at(_: &File, _: &Path) -> bool {
    // An open file cannot be removed there.
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".a.lock");
        let lock = RunLock::acquire(&path).unwrap().expect("a free name");
        assert!(RunLock::acquire(&path).unwrap().is_none());
        drop(lock);
        assert!(!path.exists());
        assert!(RunLock::acquire(&path).unwrap().is_some());
    }

    #[test]
    fn the_file_of_a_process_that_died_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".a.lock");
        fs::write(&path, "").unwrap();
        assert!(RunLock::acquire(&path).unwrap().is_some());
    }
}
