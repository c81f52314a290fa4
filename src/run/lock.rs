//! A lock on the name of a run, so that two processes never write the files of one run.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::run::interrupt::{self, AtEnd};

/// The exclusive right to write the files of a run. It ends when the value is dropped, and also when the
/// process dies, since the operating system releases the lock then.
#[derive(Debug)]
pub struct RunLock {
    held: Arc<Mutex<Held>>,
    _at_end: AtEnd,
}

#[derive(Debug)]
struct Held {
    path: PathBuf,
    /// Folders that were made for the run, the innermost first.
    folders: Vec<PathBuf>,
    /// Keeps the lock; none where the program has no operating system under it, and no other process.
    file: Option<File>,
}

impl RunLock {
    /// Takes the lock with this file; none if another process holds it. The file exists while the lock is
    /// held; one that a killed process left is taken over.
    pub(super) fn acquire(path: &Path) -> io::Result<Option<RunLock>> {
        loop {
            let mut options = File::options();
            options.create(true).truncate(false).write(true);
            #[cfg(windows)]
            std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
            let file = match options.open(path) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Some(RunLock::new(path, None)));
                }
                // Windows: it is open elsewhere.
                Err(error) if cfg!(windows) && error.raw_os_error() == Some(32) => return Ok(None),
                opened => opened?,
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                // Some network file systems have no locks; there, runs are on their own.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The owner before may have removed the file after it was opened here; then the lock protects
            // nothing.
            if is_file_at(&file, path) {
                return Ok(Some(RunLock::new(path, Some(file))));
            }
        }
    }

    fn new(path: &Path, file: Option<File>) -> RunLock {
        let held = Held { path: path.to_path_buf(), folders: Vec::new(), file };
        let held = Arc::new(Mutex::new(held));
        let of_signals = Arc::clone(&held);
        RunLock { held, _at_end: interrupt::at_end(move || release(&of_signals)) }
    }

    /// The same lock, with which these folders go if they are empty then.
    pub(super) fn with_folders(self, folders: Vec<PathBuf>) -> RunLock {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).folders = folders;
        self
    }
}

/// Removes the file and what is empty of the folders. Errors are ignored: a file without a lock is taken over
/// by the next run, and a folder with files stays.
fn release(held: &Mutex<Held>) {
    let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
    if cfg!(windows) {
        // There an open file stays. Elsewhere the file goes before the lock.
        held.file = None;
    }
    let _ = fs::remove_file(&held.path);
    let _ = held.folders.iter().try_for_each(fs::remove_dir);
}

impl Drop for RunLock {
    fn drop(&mut self) {
        release(&self.held);
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
    // As it is opened there, it cannot be removed.
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Files, RunPlace};

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
    fn folders_that_were_made_go_with_the_lock_unless_a_run_has_written_into_them() {
        let folder = tempfile::tempdir().unwrap();
        let claim = || {
            let out = folder.path().join("a/b");
            Files::claim(&RunPlace { out, ..RunPlace::default() }).unwrap()
        };
        drop(claim());
        assert!(!folder.path().join("a").exists());
        let (files, lock) = claim();
        fs::write(files.stat(), "").unwrap();
        drop(lock);
        assert!(files.stat().exists());
        fs::remove_file(files.stat()).unwrap();
        drop(claim());
        assert!(folder.path().join("a/b").exists(), "it was there before");
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_regular_file_is_no_lock_and_no_record() {
        use crate::{error::Error, file, run::StoredRun};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let pipe = |name: &str| {
            assert!(std::process::Command::new("mkfifo").arg(at(name)).status().unwrap().success());
        };
        let place = |name: &str| RunPlace {
            out: folder.path().into(),
            name: Some(name.into()),
            ..RunPlace::default()
        };
        std::os::unix::fs::symlink(at("elsewhere"), at(".a.lock")).unwrap();
        pipe(".b.lock");
        pipe("c.json");
        pipe("c.games");
        std::os::unix::fs::symlink("/dev/zero", at("d.json")).unwrap();
        let expected = |error: Error, name: &str, found: &str| {
            let text = format!(
                "{}: expected a file that texam has written, but found {found}; remove it",
                at(name).display()
            );
            assert!(error.to_string().starts_with(&text), "{error}");
        };
        expected(Files::claim(&place("a")).unwrap_err(), ".a.lock", "a link");
        assert!(!at("elsewhere").exists());
        expected(Files::claim(&place("b")).unwrap_err(), ".b.lock", "a pipe or a device");
        expected(StoredRun::open(&at("c.stat")).err().unwrap(), "c.json", "a pipe or a device");
        expected(StoredRun::open(&at("d.stat")).err().unwrap(), "d.json", "a link");
        expected(file::open_own(&at("c.games")).unwrap_err(), "c.games", "a pipe or a device");
        assert!(file::open_own(&at("none")).unwrap().is_none());
    }

    #[test]
    fn the_file_of_a_process_that_died_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".a.lock");
        fs::write(&path, "").unwrap();
        assert!(RunLock::acquire(&path).unwrap().is_some());
    }
}
