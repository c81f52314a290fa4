//! Opens a file of games, unpacks it, and computes the digest of the unpacked bytes.
//!
//! First step of reading games: a path (or `-`) becomes a stream of plain bytes. The format is recognised by the
//! first bytes, not by the name of the file. If the file of the shipped games is missing, the copy in the program
//! takes its place. Does not know what the bytes mean.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// The path that means standard input.
const STANDARD_INPUT: &str = "-";

/// The path of the shipped games, from the root of the project.
pub const SHIPPED: &str = "games/gm1988.pgn";

/// Name of the shipped games, wherever a file of games is read.
const SHIPPED_NAME: &str = "gm1988";

/// The shipped games, as build.rs packs them.
static BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/gm1988.pgn.gz"));

/// Length of the longest first bytes by which a format is recognised.
const LONGEST_MAGIC: usize = 5;

/// First bytes of other formats in which people have games, and what to do about each.
const OTHER_FORMATS: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"7z\xbc\xaf\x27", "a 7z archive: unpack it first"),
    (b"Rar!", "a rar archive: unpack it first"),
    (b"\xfd7zXZ", "an xz file: unpack it first"),
    (b"\xff\xfe", "UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "UTF-16: save it as UTF-8"),
];

/// The path that is meant where games are expected: `gm1988` stands for [`SHIPPED`], unless there is a file of this very
/// name. Every other path stays as it is.
pub fn path_of(path: impl Into<PathBuf>) -> PathBuf {
    let path = path.into();
    let is_name = path == Path::new(SHIPPED_NAME) && (path.is_dir() || !path.exists());
    if is_name { PathBuf::from(SHIPPED) } else { path }
}

/// A stream of plain bytes that computes their digest.
pub(super) struct GameBytes {
    input: Box<dyn Read + Send>,
    hasher: Sha256,
    is_built_in: bool,
}

impl GameBytes {
    /// Opens `path`; `-` is standard input, and [`SHIPPED`] the built-in games if there is no such file.
    ///
    /// # Errors
    ///
    /// No such file, a directory, no permission, or another format.
    pub(super) fn open(path: &Path) -> Result<GameBytes> {
        if path == Path::new(STANDARD_INPUT) {
            return GameBytes::new(Box::new(io::stdin()));
        }
        if path.is_dir() {
            return Err(Error::expected("a file of games", "a directory: name a file in it"));
        }
        let file = match File::open(path) {
            Err(error) if path == Path::new(SHIPPED) && is_missing(&error) => return GameBytes::built_in(),
            opened => opened,
        };
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                Error::expected("a file of games", "nothing of that name: check the path")
            }
            io::ErrorKind::PermissionDenied => {
                Error::expected("a file that may be read", "no permission: check its mode and owner")
            }
            _ => Error::io("cannot open the file", error),
        })?;
        GameBytes::new(Box::new(file))
    }

    /// The built-in games.
    fn built_in() -> Result<GameBytes> {
        Ok(GameBytes { is_built_in: true, ..GameBytes::new(Box::new(BUILT_IN))? })
    }

    /// Whether these are the built-in games and not those of a file.
    pub(super) fn is_built_in(&self) -> bool {
        self.is_built_in
    }

    /// Unpacks `raw` if it is packed.
    ///
    /// # Errors
    ///
    /// Its first bytes cannot be read, or are those of another format.
    pub(super) fn new(mut raw: Box<dyn Read + Send>) -> Result<GameBytes> {
        let mut head = Vec::with_capacity(LONGEST_MAGIC);
        raw.by_ref().take(LONGEST_MAGIC as u64).read_to_end(&mut head).map_err(cannot_read)?;
        if let Some((_, what)) = OTHER_FORMATS.iter().find(|(magic, _)| head.starts_with(magic)) {
            return Err(Error::expected("games as plain text, .gz, .bz2 or .zst", what));
        }
        let input = unpack(&head.clone(), io::Cursor::new(head).chain(raw))?;
        Ok(GameBytes { input, hasher: Sha256::new(), is_built_in: false })
    }

    /// The first `count` unpacked bytes, or as many as there are. They are read again afterwards, and so is an error that
    /// ended them.
    pub(super) fn peek(&mut self, count: usize) -> Vec<u8> {
        let mut head = Vec::with_capacity(count);
        let error = self.input.by_ref().take(count as u64).read_to_end(&mut head).err();
        let rest = std::mem::replace(&mut self.input, Box::new(io::empty()));
        self.input = Box::new(io::Cursor::new(head.clone()).chain(FailsOnce(error)).chain(rest));
        head
    }

    /// SHA-256 of the unpacked bytes read so far, in hexadecimal.
    pub(super) fn digest(&self) -> String {
        self.hasher.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The unpacked bytes of a file that is plain or packed.
///
/// # Errors
///
/// The file cannot be opened, or is packed in another format.
pub fn unpacked(path: &Path) -> Result<impl Read + Send + 'static> {
    open_unpacked(path)
}

/// A file that is not of games, so that no built-in copy stands for it.
fn open_unpacked(path: &Path) -> Result<GameBytes> {
    let file = File::open(path).map_err(|error| Error::io("cannot open the file", error));
    file.and_then(|file| GameBytes::new(Box::new(file))).map_err(|error| error.in_file(path))
}

/// SHA-256 of the unpacked bytes of a file, in hexadecimal.
///
/// # Errors
///
/// The file cannot be read to its end.
pub fn digest_of(path: &Path) -> Result<String> {
    let mut source = open_unpacked(path)?;
    io::copy(&mut source, &mut io::sink()).map_err(|error| cannot_read(error).in_file(path))?;
    Ok(source.digest())
}

/// No bytes, after an error if there is one.
struct FailsOnce(Option<io::Error>);

impl Read for FailsOnce {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl Read for GameBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

/// Whether there is no file of this name.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The name under which errors speak of `path`.
pub(super) fn name_of(path: &Path) -> PathBuf {
    if path == Path::new(STANDARD_INPUT) { PathBuf::from("standard input") } else { path.to_path_buf() }
}

/// The error of a stream that cannot be read to its end.
pub(super) fn cannot_read(error: io::Error) -> Error {
    // What zstd says of a window beyond the 128 MB that it allows by itself.
    if error.to_string().contains("requires too much memory") {
        let found = "a larger one: pack it again with a smaller one";
        return Error::expected("a file packed by zstd with a window of at most 128 MB", found);
    }
    Error::io("cannot read on, the file may be damaged or cut off", error)
}

/// The plain bytes of `packed`, which begins with `head`. All members of a packed file are read, one after the other.
fn unpack(head: &[u8], packed: impl Read + Send + 'static) -> Result<Box<dyn Read + Send>> {
    Ok(match head {
        [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(packed)),
        [b'B', b'Z', b'h', ..] => Box::new(MultiBzDecoder::new(packed)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Box::new(zstd::Decoder::new(packed).map_err(cannot_read)?),
        _ => Box::new(packed),
    })
}

/// Files packed in every way that is read, for tests.
#[cfg(test)]
pub(super) mod packing {
    use std::io::Write;

    use bzip2::write::BzEncoder;
    use flate2::write::GzEncoder;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Format {
        Gzip,
        Bzip,
        Zstd,
    }

    impl Format {
        pub const ALL: [Format; 3] = [Format::Gzip, Format::Bzip, Format::Zstd];

        pub fn pack(self, text: &[u8]) -> Vec<u8> {
            match self {
                Format::Gzip => {
                    let mut writer = GzEncoder::new(Vec::new(), flate2::Compression::fast());
                    writer.write_all(text).unwrap();
                    writer.finish().unwrap()
                }
                Format::Bzip => {
                    let mut writer = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
                    writer.write_all(text).unwrap();
                    writer.finish().unwrap()
                }
                Format::Zstd => zstd::encode_all(text, 1).unwrap(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{packing::Format, *};

    fn read(bytes: Vec<u8>) -> (Vec<u8>, String) {
        let mut source = GameBytes::new(Box::new(io::Cursor::new(bytes))).unwrap();
        let mut text = Vec::new();
        source.read_to_end(&mut text).unwrap();
        (text, source.digest())
    }

    #[test]
    fn every_packing_gives_the_same_bytes_and_the_same_digest() {
        let plain = read(b"1. e4 e5 1-0\n".to_vec());
        assert_eq!(plain.0, b"1. e4 e5 1-0\n");
        for format in Format::ALL {
            assert_eq!(read(format.pack(b"1. e4 e5 1-0\n")), plain, "{format:?}");
        }
    }

    #[test]
    fn concatenated_members_are_read_to_the_last() {
        for format in Format::ALL {
            let members = [format.pack(b"one "), format.pack(b"two")].concat();
            assert_eq!(read(members).0, b"one two", "{format:?}");
        }
    }

    #[test]
    fn a_zstd_file_with_too_large_a_window_says_how_to_pack_it() {
        // A frame of zstd with a window of 2 GiB, as by `zstd --long=31`, and one empty block.
        let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x01, 0x00, 0x00];
        let mut source = GameBytes::new(Box::new(io::Cursor::new(frame))).unwrap();
        let error = cannot_read(source.read_to_end(&mut Vec::new()).unwrap_err()).to_string();
        assert_eq!(
            error,
            "expected a file packed by zstd with a window of at most 128 MB, but found a larger one: pack it again with \
             a smaller one"
        );
    }

    #[test]
    fn the_shortest_files_are_plain_text() {
        for text in ["", "*", "1-0", "1-0\n"] {
            assert_eq!(read(text.into()).0, text.as_bytes());
        }
    }

    #[test]
    fn the_digest_is_sha_256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(read(Vec::new()).1, empty);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(read(b"abc".to_vec()).1, abc);
    }

    #[test]
    fn the_built_in_games_are_the_bytes_of_the_shipped_file() {
        let read = |mut games: GameBytes| {
            let mut bytes = Vec::new();
            games.read_to_end(&mut bytes).unwrap();
            (games.is_built_in(), bytes, games.digest())
        };
        let (is_built_in, file, digest) = read(GameBytes::open(&Path::new("../..").join(SHIPPED)).unwrap());
        assert!(!is_built_in);
        assert!(read(GameBytes::built_in().unwrap()) == (true, file, digest.clone()));
        // The pages name it, and every `.stat` of a run on these games.
        assert_eq!(digest, "15a69342c0e4d13ccea35312b5292d8911cad9f9c020534d08f22e3bd4d09649");
    }

    #[test]
    fn bytes_and_errors_that_were_looked_at_are_read_again() {
        let mut source = GameBytes::new(Box::new(&b"1. e4 e5 1-0"[..])).unwrap();
        for count in [0, 3, 8, 100] {
            assert_eq!(source.peek(count), b"1. e4 e5 1-0"[..count.min(12)]);
        }
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).unwrap();
        assert_eq!((bytes, source.digest()), read(b"1. e4 e5 1-0".to_vec()));
        let mut cut =
            GameBytes::new(Box::new(io::Cursor::new(Format::Gzip.pack(b"1. e4")[..16].to_vec()))).unwrap();
        assert!(cut.peek(8).len() < 8);
        assert!(cut.read_to_end(&mut Vec::new()).is_err());
    }

    #[test]
    fn archives_and_utf_16_are_refused_with_a_remedy() {
        let cases = [("PK\x03\x04rest", "unpack"), ("Rar!rest", "unpack")];
        for (bytes, remedy) in cases {
            let error = GameBytes::new(Box::new(bytes.as_bytes())).err().unwrap().to_string();
            assert!(error.contains(remedy), "{error}");
        }
        for bytes in [b"\xfd7zXZ\0" as &'static [u8], b"\xff\xfe[\0E\0"] {
            assert!(GameBytes::new(Box::new(bytes)).is_err());
        }
    }

    #[test]
    fn the_shipped_games_have_a_name_and_every_other_path_stays() {
        assert_eq!(path_of("gm1988"), Path::new(SHIPPED));
        for path in ["gm1988.pgn", "./gm1988", "games/gm1988", "-", SHIPPED] {
            assert_eq!(path_of(path), Path::new(path));
        }
    }

    #[test]
    fn what_cannot_be_opened_is_refused_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let missing = GameBytes::open(&folder.path().join("none.pgn")).err().unwrap().to_string();
        assert!(missing.contains("check the path"), "{missing}");
        let directory = GameBytes::open(folder.path()).err().unwrap().to_string();
        assert!(directory.contains("found a directory"), "{directory}");
    }
}
