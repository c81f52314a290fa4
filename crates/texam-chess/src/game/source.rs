//! Opens a file of games, unpacks it, and computes the digest of the unpacked bytes.
//!
//! First step of reading games: a path (or `-`) becomes a stream of plain bytes. The format is recognised by
//! the first bytes, not by the name of the file. If a file of shipped games is missing, the copy in the
//! program takes its place. Does not know what the bytes mean.

use std::{
    ffi::OsStr,
    fmt,
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    error::Result,
    file::{self, LONGEST_UNPACKED},
};

/// The path that means standard input.
const STANDARD_INPUT: &str = "-";

/// The path of the shipped games, from the root of the project.
pub const SHIPPED: &str = "games/gm1988.pgn";

/// A collection of games that is built in. Wherever games are read, its name stands for its file.
struct Collection {
    name: &'static str,
    path: &'static str,
    /// The games, as build.rs packs them.
    packed: &'static [u8],
}

static COLLECTIONS: [Collection; 2] = [
    Collection {
        name: "gm1988",
        path: SHIPPED,
        packed: include_bytes!(concat!(env!("OUT_DIR"), "/gm1988.pgn.gz")),
    },
    Collection {
        name: "deep-thought",
        path: "games/deep-thought.pgn",
        packed: include_bytes!(concat!(env!("OUT_DIR"), "/deep-thought.pgn.gz")),
    },
];

/// The packed games of a collection, by its path in the project; none for any other path.
fn built_in(path: &Path) -> Option<&'static [u8]> {
    COLLECTIONS.iter().find(|games| path == Path::new(games.path)).map(|games| games.packed)
}

/// Whether the path is that of games that are built in.
pub fn is_shipped(path: &Path) -> bool {
    built_in(path).is_some()
}

/// The path that is meant where games are expected: the name of a collection that is built in, such as
/// `gm1988`, stands for its path, unless there is a file of this very name. Every other path stays as it is.
pub fn path_of(path: impl Into<PathBuf>) -> PathBuf {
    let path = path.into();
    let is_file = || file::exists(&path) && !file::is_folder(&path);
    match COLLECTIONS.iter().find(|games| path == Path::new(games.name)) {
        Some(games) if !is_file() => PathBuf::from(games.path),
        _ => path,
    }
}

/// Files of games, at least one, that are read one after the other as one collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFiles(Vec<PathBuf>);

impl GameFiles {
    /// These files, or that of the shipped games for none.
    pub fn new(files: impl IntoIterator<Item = PathBuf>) -> GameFiles {
        let mut files: Vec<PathBuf> = files.into_iter().collect();
        if files.is_empty() {
            files.push(SHIPPED.into());
        }
        GameFiles(files)
    }

    /// In the order in which they are read.
    pub fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// The file, if there is only one.
    pub fn only(&self) -> Option<&Path> {
        if let [file] = &self.0[..] { Some(file) } else { None }
    }

    /// Whether the games come from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.only() == Some(Path::new(STANDARD_INPUT))
    }
}

impl<P: AsRef<OsStr> + ?Sized> From<&P> for GameFiles {
    fn from(path: &P) -> GameFiles {
        GameFiles(vec![path.into()])
    }
}

impl From<&GameFiles> for GameFiles {
    fn from(files: &GameFiles) -> GameFiles {
        files.clone()
    }
}

/// For messages; no path is read back from it.
impl From<&GameFiles> for PathBuf {
    fn from(files: &GameFiles) -> PathBuf {
        if files.is_standard_input() { name_of(Path::new(STANDARD_INPUT)) } else { files.to_string().into() }
    }
}

/// As in messages.
impl fmt::Display for GameFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<String> = self.0.iter().map(|path| path.display().to_string()).collect();
        f.write_str(&files.join(" and "))
    }
}

/// A stream of plain bytes that computes their digest.
pub(super) struct GameBytes {
    input: Box<dyn Read + Send>,
    hasher: Sha256,
    is_built_in: bool,
    /// Bytes that may still be read; any number of a database.
    pub(super) left: u64,
}

impl GameBytes {
    /// Opens `path`; `-` is standard input, and the path of a shipped collection its built-in copy if there
    /// is no such file.
    ///
    /// # Errors
    ///
    /// No such file, a directory, no permission, or another format.
    pub(super) fn open(path: &Path) -> Result<GameBytes> {
        if path == Path::new(STANDARD_INPUT) {
            return GameBytes::new(io::stdin());
        }
        match built_in(path) {
            Some(packed) if !file::exists(path) => {
                Ok(GameBytes { is_built_in: true, ..GameBytes::new(packed)? })
            }
            _ => GameBytes::new(file::open(path)?),
        }
    }

    /// Opens a file that is read after others: its digest is that of all their bytes.
    pub(super) fn open_after(path: &Path, hasher: Sha256) -> Result<GameBytes> {
        Ok(GameBytes { hasher, ..GameBytes::open(path)? })
    }

    /// What the digest is computed of.
    pub(super) fn hasher(&self) -> Sha256 {
        self.hasher.clone()
    }

    /// Whether these are the built-in games and not those of a file.
    pub(super) fn is_built_in(&self) -> bool {
        self.is_built_in
    }

    /// The unpacked bytes of `raw`.
    pub(super) fn new(raw: impl Read + Send + 'static) -> Result<GameBytes> {
        let (input, is_packed) = file::unpacked(raw)?;
        let left = if is_packed { LONGEST_UNPACKED } else { u64::MAX };
        Ok(GameBytes { input, hasher: Sha256::new(), is_built_in: false, left })
    }

    /// The first `count` bytes, as by [`file::peek`].
    pub(super) fn peek(&mut self, count: usize) -> Vec<u8> {
        file::peek(&mut self.input, count)
    }

    /// SHA-256 of the unpacked bytes read so far, in hexadecimal.
    pub(super) fn digest(&self) -> String {
        hexadecimal(self.hasher.clone())
    }
}

fn hexadecimal(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of the unpacked bytes of a file, in hexadecimal.
///
/// # Errors
///
/// The file cannot be read to its end.
pub fn digest_of(path: &Path) -> Result<String> {
    let mut source = GameBytes::new(file::open(path)?).map_err(|error| error.in_file(path))?;
    source.left = u64::MAX;
    io::copy(&mut source, &mut io::sink()).map_err(|error| file::cannot_read_on(error).in_file(path))?;
    Ok(source.digest())
}

impl Read for GameBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or(ErrorKind::FileTooLarge)?;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

/// The name under which errors speak of `path`.
pub(super) fn name_of(path: &Path) -> PathBuf {
    if path == Path::new(STANDARD_INPUT) { PathBuf::from("standard input") } else { path.to_path_buf() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::packing::Format;

    fn digest(bytes: &'static [u8]) -> String {
        let mut source = GameBytes::new(bytes).unwrap();
        io::copy(&mut source, &mut io::sink()).unwrap();
        source.digest()
    }

    #[test]
    fn the_digest_is_sha_256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest(b""), empty);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), abc);
    }

    #[test]
    fn a_packed_file_that_unpacks_to_too_much_is_an_error_that_says_so() {
        for (format, is_limited) in [(None, false), (Some(Format::Gzip), true), (Some(Format::Zstd), true)] {
            let bytes = format.map_or(vec![b' '; 9000], |format| format.pack(&[b' '; 9000]));
            let mut source = GameBytes::new(io::Cursor::new(bytes)).unwrap();
            assert_eq!(source.left < u64::MAX, is_limited);
            source.left = 8999;
            let error = file::cannot_read_on(io::copy(&mut source, &mut io::sink()).unwrap_err()).to_string();
            assert!(error.starts_with("expected a packed file of at most 4 GiB when unpacked"), "{error}");
        }
    }

    #[test]
    fn the_built_in_games_are_the_bytes_of_the_shipped_files() {
        let read = |mut games: GameBytes| {
            let mut bytes = Vec::new();
            games.read_to_end(&mut bytes).unwrap();
            (games.is_built_in(), bytes, games.digest())
        };
        // The pages name the first, and every `.stat` of a run on these games.
        let digests = [
            "15a69342c0e4d13ccea35312b5292d8911cad9f9c020534d08f22e3bd4d09649",
            "0b496fcb84fad83f3de595d11228524dae6848a0a4c670683c2e73eeca6d9239",
        ];
        for (games, expected) in COLLECTIONS.iter().zip(digests) {
            let (is_built_in, file, digest) =
                read(GameBytes::open(&Path::new("../..").join(games.path)).unwrap());
            assert!(!is_built_in);
            assert!(read(GameBytes::open(Path::new(games.path)).unwrap()) == (true, file, digest.clone()));
            assert_eq!(digest, expected);
        }
    }

    #[test]
    fn the_shipped_games_have_a_name_and_every_other_path_stays() {
        assert_eq!(path_of("gm1988"), Path::new(SHIPPED));
        assert_eq!(path_of("deep-thought"), Path::new("games/deep-thought.pgn"));
        for path in ["gm1988.pgn", "./gm1988", "games/gm1988", "-", SHIPPED, "a + gm1988"] {
            assert_eq!(path_of(path), Path::new(path));
        }
    }

    #[test]
    fn what_cannot_be_opened_is_refused_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let missing = GameBytes::open(&folder.path().join("none.pgn")).err().unwrap().to_string();
        assert!(missing.contains("check the name"), "{missing}");
        let directory = GameBytes::open(folder.path()).err().unwrap().to_string();
        assert!(directory.contains("found a folder"), "{directory}");
    }
}
