//! Text files read whole, and files written whole or not at all.
//!
//! Every file that the program writes goes through [`write_whole`], so that a full disk or a stopped run
//! leaves the old file or none, never half of one; `.par` and its kin come in through [`read_text`]. What
//! stands in a file is not known here. Whatever is read may be packed ([`unpacked`]).
//!
//! With the feature `native` files are those of the operating system, without it they are in memory.

#[cfg(feature = "native")]
mod disk;
// For the files of the operating system only its tests are compiled.
#[cfg(any(test, not(feature = "native")))]
#[cfg_attr(feature = "native", allow(dead_code))]
mod memory;
mod unpack;

use std::{
    io::{self, BufWriter, ErrorKind, Read, Write},
    path::Path,
};

#[cfg(feature = "native")]
use self::disk as store;
#[cfg(feature = "native")]
pub use self::disk::folder_beside;
#[cfg(not(feature = "native"))]
use self::memory as store;
#[cfg(test)]
pub(crate) use self::unpack::packing;
pub use self::{
    store::{
        exists, is_file, is_folder, is_own, is_same, is_stream, make_folder, names_in, open, open_own, remove,
    },
    unpack::{LONGEST_UNPACKED, cannot_read_on, peek, unpacked},
};

use crate::error::{Error, Result};

/// Bytes of a `.par`, a `.stat` or another text that is read whole.
const LONGEST_TEXT: u64 = 64 << 20;

/// Writes `bytes` to `path`, whole or not at all: to a hidden temporary file beside it, to the disk, then
/// under its name. A link is followed, also one to a file that does not exist yet. A pipe, a device, and
/// whatever is in `/dev`, such as `/dev/stdout`, is written straight into.
///
/// # Errors
///
/// Names the file and what to do about it; the file is then as it was before.
pub fn write_whole(path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
    let path = path.as_ref();
    store::write_with(path, true, |file| file.write_all(bytes)).map_err(|error| error.in_file(path))
}

/// Why a file was not filled.
#[derive(Debug)]
pub enum Unfilled {
    /// It cannot be written.
    Write(io::Error),
    /// Something else failed.
    Other(Error),
}

impl From<io::Error> for Unfilled {
    fn from(error: io::Error) -> Unfilled {
        Unfilled::Write(error)
    }
}

impl From<Error> for Unfilled {
    fn from(error: Error) -> Unfilled {
        Unfilled::Other(error)
    }
}

/// As [`write_whole`], for a file that `fill` writes piece by piece. If `fill` fails, the file is as it was
/// before. A file that has appeared meanwhile is kept, unless files may be replaced.
///
/// # Errors
///
/// Those of [`write_whole`] and of `fill`.
pub fn write_in_pieces<T>(
    path: impl AsRef<Path>,
    may_replace: bool,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, Unfilled>,
) -> Result<T> {
    let path = path.as_ref();
    let mut filled = None;
    let written = store::write_with(path, may_replace, |file| {
        let mut out = BufWriter::new(file);
        match fill(&mut out) {
            Ok(result) => filled = Some(Ok(result)),
            Err(Unfilled::Write(error)) => return Err(error),
            Err(Unfilled::Other(error)) => {
                filled = Some(Err(error));
                return Err(ErrorKind::Interrupted.into());
            }
        }
        out.flush()
    });
    match (written, filled) {
        (_, Some(Err(error))) => Err(error),
        (Err(error), _) => Err(error.in_file(path)),
        (Ok(()), filled) => filled.expect("a file that was written was filled"),
    }
}

/// Reads a text file whole.
///
/// # Errors
///
/// When the file is missing, may not be read, is a folder, has more than 64 MiB or is not
/// UTF-8 (with the line of the first wrong byte).
pub fn read_text(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    let bytes = read_bytes(path).map_err(|error| error.in_file(path))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        let found = format!("the byte 0x{:02x}; save the file as UTF-8", error.as_bytes()[good.len()]);
        Error::expected("text in UTF-8", found).at_line(line).in_file(path)
    })
}

/// Opens a file to read its [`unpacked`] bytes.
///
/// # Errors
///
/// Those of [`open`] and of [`unpacked`].
pub fn open_unpacked(path: impl AsRef<Path>) -> Result<Box<dyn Read + Send>> {
    let path = path.as_ref();
    unpacked(open(path)?).map(|(input, _)| input).map_err(|error| error.in_file(path))
}

/// Reads a file whole.
///
/// # Errors
///
/// When the file is missing, may not be read, is a folder, or has more than 64 MiB.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_unpacked(path)?.take(LONGEST_TEXT + 1).read_to_end(&mut bytes).map_err(cannot_read)?;
    if bytes.len() as u64 > LONGEST_TEXT {
        return Err(Error::expected(
            format!("a text of at most {} MB", LONGEST_TEXT >> 20),
            "more; is this the right file?",
        ));
    }
    Ok(bytes)
}

fn cannot_read(error: io::Error) -> Error {
    let remedy = match error.kind() {
        ErrorKind::NotFound => "; check the name",
        ErrorKind::PermissionDenied => "; allow it to be read",
        _ => "",
    };
    Error::io(&format!("cannot read this file{remedy}"), error)
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, File},
        thread,
        time::Duration,
    };

    use super::{
        disk::{cannot_write, remove_older, write_with},
        *,
    };
    use tempfile::TempDir;

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_written_whole_and_replaced_whole() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.par");
        write_whole(&path, b"a longer first text").unwrap();
        write_whole(&path, b"second").unwrap();
        assert_eq!(read_text(&path).unwrap(), "second");
        assert_eq!(names(&folder), ["a.par"]);
    }

    #[test]
    fn a_failure_halfway_leaves_the_old_file_and_nothing_beside_it() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.par");
        write_whole(&path, b"old").unwrap();
        let error = write_with(&path, true, |file| {
            file.write_all(b"half of the n")?;
            Err(ErrorKind::StorageFull.into())
        });
        assert!(error.unwrap_err().to_string().contains("make room on the disk"));
        assert_eq!(read_text(&path).unwrap(), "old");
        assert_eq!(names(&folder), ["a.par"]);
    }

    #[test]
    fn a_file_in_pieces_is_written_whole_or_not_at_all() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.dbf");
        let stopped = write_in_pieces(&path, true, |out| {
            out.write_all(b"half")?;
            Err::<(), _>(Unfilled::Other(Error::new("no more games")))
        });
        assert_eq!(stopped.unwrap_err().to_string(), "no more games");
        let full =
            write_in_pieces(&path, true, |_| Err::<(), _>(io::Error::from(ErrorKind::StorageFull).into()));
        assert!(
            full.unwrap_err().to_string().contains("a.dbf: cannot write this file; make room on the disk")
        );
        assert!(names(&folder).is_empty());
        let written = write_in_pieces(&path, true, |out| {
            [b"one ", b"two "].iter().try_for_each(|piece| out.write_all(*piece))?;
            Ok(7)
        });
        assert_eq!((written.unwrap(), &*read_text(&path).unwrap()), (7, "one two "));
    }

    #[test]
    fn a_file_that_appears_while_it_is_written_is_replaced_only_where_it_may_be() {
        let folder = TempDir::new().unwrap();
        for (name, may_replace, kept) in [("a", false, "other"), ("b", true, "own")] {
            let path = folder.path().join(name);
            let written = write_in_pieces(&path, may_replace, |out| {
                std::fs::write(&path, "other")?;
                Ok(out.write_all(b"own")?)
            });
            assert_eq!((written.is_ok(), &*read_text(&path).unwrap()), (may_replace, kept));
        }
        assert_eq!(names(&folder).len(), 2, "nothing else is left");
    }

    #[test]
    fn a_folder_that_is_a_file_is_named_with_the_remedy() {
        let folder = TempDir::new().unwrap();
        write_whole(folder.path().join("a"), b"text").unwrap();
        let error = write_whole(folder.path().join("a/b"), b"text").unwrap_err().to_string();
        assert!(error.contains("choose another folder"), "{error}");
    }

    #[test]
    fn missing_permission_is_named_with_the_remedy() {
        let denied = || io::Error::from(ErrorKind::PermissionDenied);
        let error = cannot_write(Path::new("runs/a.par"), denied()).to_string();
        assert!(error.contains("choose a folder that may be written, for runs may not"), "{error}");
        assert!(cannot_read(denied()).to_string().contains("allow it to be read"));
    }

    #[test]
    fn a_read_only_file_is_kept() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.par");
        write_whole(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let error = write_whole(&path, b"new").unwrap_err().to_string();
        assert!(error.contains("read-only"), "{error}");
        assert_eq!(read_text(&path).unwrap(), "old");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_and_rights_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = TempDir::new().unwrap();
        let (path, link) = (folder.path().join("a.par"), folder.path().join("link"));
        write_whole(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&path, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read_text(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_does_not_exist_yet_is_followed() {
        let folder = TempDir::new().unwrap();
        let link = folder.path().join("link");
        fs::create_dir(folder.path().join("sub")).unwrap();
        std::os::unix::fs::symlink("sub/a.par", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read_text(folder.path().join("sub/a.par")).unwrap(), "new");
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_in_use_stays() {
        let folder = TempDir::new().unwrap();
        for name in ["a.par", ".texam-left.tmp", ".texam-used.tmp", ".texam-x.bak", ".other.tmp"] {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        let used = File::open(folder.path().join(".texam-used.tmp")).unwrap();
        used.try_lock().unwrap();
        remove_older(folder.path(), Duration::from_secs(3600));
        assert_eq!(names(&folder).len(), 5, "all of them are new");
        remove_older(folder.path(), Duration::ZERO);
        let mut left = names(&folder);
        left.sort();
        assert_eq!(left, [".other.tmp", ".texam-used.tmp", ".texam-x.bak", "a.par"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_among_what_was_left_is_not_opened() {
        let folder = TempDir::new().unwrap();
        let pipe = folder.path().join(".texam-pipe.tmp");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        remove_older(folder.path(), Duration::ZERO);
        assert!(pipe.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_of_either_kind_is_the_file_and_an_equal_copy_is_not() {
        let folder = TempDir::new().unwrap();
        let [file, hard, soft, copy, missing] =
            ["a", "hard", "soft", "copy", "missing"].map(|name| folder.path().join(name));
        fs::write(&file, "text").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        std::os::unix::fs::symlink("a", &soft).unwrap();
        fs::copy(&file, &copy).unwrap();
        for same in [&file, &hard, &soft, &folder.path().join("./a")] {
            assert!(is_same(&file, same), "{}", same.display());
        }
        for other in [&copy, &missing, &folder.path().to_path_buf()] {
            assert!(!is_same(&file, other), "{}", other.display());
        }
        assert!(!is_same(&missing, &missing));
    }

    #[test]
    fn many_writers_of_one_file_leave_the_text_of_one_of_them() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.par");
        thread::scope(|scope| {
            for number in 0..8 {
                let path = &path;
                scope.spawn(move || write_whole(path, number.to_string().repeat(1000).as_bytes()).unwrap());
            }
        });
        let text = read_text(&path).unwrap();
        assert_eq!(text, text[..1].repeat(1000));
        assert_eq!(names(&folder), ["a.par"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_reported_with_their_line() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.par");
        write_whole(&path, b"one\ntwo\nf\xfcnf\n").unwrap();
        let error = read_text(&path).unwrap_err();
        assert_eq!(error.place().line, Some(3));
        assert!(error.to_string().contains("0xfc; save the file as UTF-8"), "{error}");
    }

    #[test]
    fn a_text_beyond_the_limit_is_refused() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.par");
        let file = File::create(&path).unwrap();
        file.set_len(LONGEST_TEXT).unwrap();
        assert!(read_text(&path).is_ok());
        file.set_len(LONGEST_TEXT + 1).unwrap();
        let error = read_text(&path).unwrap_err().to_string();
        assert!(error.contains("at most 64 MB"), "{error}");
    }
}
