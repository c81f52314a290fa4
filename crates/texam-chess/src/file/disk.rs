//! The files of the operating system.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{self, Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

#[cfg(unix)]
use std::{io::IsTerminal, os::unix::fs::FileTypeExt};

use tempfile::NamedTempFile;

use super::cannot_read;
use crate::error::{Error, Result};

/// Writes a file whole with whatever `fill` writes, or leaves it as it was.
pub(super) fn write_with(
    path: &Path,
    may_replace: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    if is_stream(path) {
        return write_into(path, fill).map_err(|e| cannot_write(path, e));
    }
    let target = target_of(path);
    match fs::metadata(&target) {
        Ok(found) if found.is_dir() => Err(Error::expected("a file name", "a folder; add a name to it")),
        Ok(found) if found.permissions().readonly() => Err(Error::expected(
            "a file that may be written",
            "one that is read-only; choose another name, or make it writable",
        )),
        Ok(found) => write_beside(&target, Some(found.permissions()), may_replace, fill)
            .map_err(|e| cannot_write(path, e)),
        Err(_) => write_beside(&target, None, may_replace, fill).map_err(|e| cannot_write(path, e)),
    }
}

/// Whether a path names what bytes are sent to and not a file that is kept: a pipe, a device, or whatever is
/// in `/dev`. There `/dev/stdout` may lead to a file that a shell has opened.
pub fn is_stream(path: &Path) -> bool {
    let Ok(found) = fs::metadata(path) else { return false };
    let is_in_dev = || path::absolute(path).is_ok_and(|path| path.starts_with("/dev"));
    !found.is_dir() && (!found.is_file() || is_in_dev())
}

/// Whether two paths name the same existing file, by symbolic or by hard links, too.
pub fn is_same(a: &Path, b: &Path) -> bool {
    matches!((identity(a), identity(b)), (Some(a), Some(b)) if a == b)
}

/// What two paths to the same file have in common.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// The file that a path names once links are followed.
fn target_of(path: &Path) -> PathBuf {
    /// As many links as Linux follows.
    const LINKS: usize = 40;
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => break,
        }
    }
    target
}

/// Writes into a stream.
fn write_into(target: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(target)?;
    fill(&mut file)?;
    file.flush()
}

/// Writes a new file under a temporary name in the same folder, then renames it.
fn write_beside(
    target: &Path,
    permissions: Option<fs::Permissions>,
    may_replace: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(target);
    remove_abandoned(folder);
    let mut temporary = tempfile::Builder::new();
    temporary.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    temporary.permissions(new_permissions());
    // Its name is of no use in a message.
    let mut temporary = temporary.tempfile_in(folder).map_err(|error| error.kind())?;
    // The lock says that the file is in use. Where a file system has no locks, age alone has to tell.
    let _ = temporary.as_file().try_lock();
    fill(temporary.as_file_mut())?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    temporary.as_file_mut().flush()?;
    temporary.as_file().sync_all()?;
    let name = |file: NamedTempFile| match may_replace {
        true => file.persist(target),
        false => file.persist_noclobber(target),
    };
    let mut named = name(temporary);
    for _ in 0..20 {
        named = named.or_else(|error| match error.error.kind() {
            // A process that looks at each new file, such as a virus scanner, has it open: access is denied, or
            // the file is used or locked elsewhere.
            _ if cfg!(windows) && matches!(error.error.raw_os_error(), Some(5 | 32 | 33)) => {
                thread::sleep(Duration::from_millis(50));
                name(error.file)
            }
            // Some file systems cannot refuse to replace a file.
            kind if kind != ErrorKind::AlreadyExists && !may_replace && !target.exists() => {
                error.file.persist(target)
            }
            _ => Err(error),
        });
    }
    named?;
    // The new name is on the disk once its folder is; where folders cannot be synchronised, the file
    // is whole all the same.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Names of temporary files begin and end so.
const TEMPORARY_PREFIX: &str = ".texam-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// A new folder under a temporary name beside `folder`, which goes with the result.
///
/// # Errors
///
/// Those of the operating system.
pub fn folder_beside(folder: &Path) -> io::Result<tempfile::TempDir> {
    let parent = folder_of(folder);
    remove_abandoned(parent);
    let mut temporary = tempfile::Builder::new();
    temporary.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    temporary.tempdir_in(parent)
}

/// A temporary file that is not locked may have been made a moment ago, and be locked in the next.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

/// Removes the temporary files that killed processes left in a folder. Each folder is searched once.
fn remove_abandoned(folder: &Path) {
    static SEARCHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if SEARCHED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_path_buf()) {
        remove_older(folder, ABANDONED_AFTER);
    }
}

pub(super) fn remove_older(folder: &Path, age: Duration) {
    // All errors are ignored: this tidies up and is no part of the writing.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(TEMPORARY_PREFIX) || !name.ends_with(TEMPORARY_SUFFIX) {
            continue;
        }
        // Opening a pipe would wait until a process opens it for writing.
        let Ok(found) = entry.metadata() else { continue };
        let is_old = found.modified().is_ok_and(|time| time.elapsed().is_ok_and(|elapsed| elapsed >= age));
        if is_old && found.is_dir() {
            let _ = fs::remove_dir_all(entry.path());
        } else if is_old
            && found.is_file()
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The permissions of a new file, from which the system takes the user's mask; temporary files are private by
/// default.
#[cfg(unix)]
fn new_permissions() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// The folder that holds `path`.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

pub(super) fn cannot_write(path: &Path, error: io::Error) -> Error {
    let folder = folder_of(path).display();
    let remedy = match error.kind() {
        ErrorKind::NotFound if !folder_of(path).is_dir() => {
            format!("make the folder {folder} first, or choose another")
        }
        ErrorKind::NotADirectory => format!("choose another folder, for {folder} is none"),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            format!("choose a folder that may be written, for {folder} may not")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::WriteZero => {
            "make room on the disk and try again".to_string()
        }
        ErrorKind::AlreadyExists => "it has appeared meanwhile; choose another name".to_string(),
        _ => "choose another name or folder".to_string(),
    };
    Error::io(&format!("cannot write this file; {remedy}"), error)
}

/// Opens a file that this program keeps beside others, to read it; none if it is missing.
///
/// # Errors
///
/// When it may not be read, or is no regular file: what a link leads to is not ours, and a pipe or a device
/// may have no end.
pub fn open_own(path: &Path) -> Result<Option<File>> {
    match is_own(path)? {
        true => File::open(path).map(Some).map_err(|error| cannot_read(error).in_file(path)),
        false => Ok(None),
    }
}

/// Whether there is a file that this program keeps beside others.
///
/// # Errors
///
/// When there is something else than a regular file.
pub fn is_own(path: &Path) -> Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(found) => {
            let found = match (found.is_dir(), found.is_symlink()) {
                (true, _) => "a folder",
                (_, true) => "a link",
                _ => "a pipe or a device",
            };
            let found = format!("{found}; remove it, or choose another name or folder");
            Err(Error::expected("a file that texam has written", found).in_file(path))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(cannot_read(error).in_file(path)),
    }
}

/// Opens a file to read it.
///
/// # Errors
///
/// When the file is missing, may not be read, or is a folder, or a device that is no terminal.
pub fn open(path: impl AsRef<Path>) -> Result<File> {
    let path = path.as_ref();
    // Windows opens no folder.
    if path.is_dir() {
        return Err(Error::expected("a file", "a folder; name a file in it").in_file(path));
    }
    let file = File::open(path).map_err(|error| cannot_read(error).in_file(path))?;
    #[cfg(unix)]
    let is_device = file.metadata().is_ok_and(|found| found.file_type().is_char_device());
    #[cfg(unix)]
    if is_device && !file.is_terminal() && path != Path::new("/dev/null") {
        return Err(Error::expected("a file", "a device, which may have no end").in_file(path));
    }
    Ok(file)
}

/// Whether there is something of this name.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether there is a file of this name.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether there is a folder of this name.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// What is in a folder, in no order: names, those of folders with a slash behind. Names that are no text are
/// left out, and a folder that cannot be read has none.
pub fn names_in(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        Some(if entry.path().is_dir() { format!("{name}/") } else { name })
    };
    fs::read_dir(folder).into_iter().flatten().flatten().filter_map(name).collect()
}

/// Makes a folder, and those above it.
///
/// # Errors
///
/// Those of the operating system.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Removes a file.
///
/// # Errors
///
/// Those of the operating system.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}
