//! The plain bytes of files that may be packed.
//!
//! The format is recognised by the first bytes, not by the name of the file. Does not know what the bytes
//! mean.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::GzDecoder;

use crate::error::{Error, Result};

/// Length of the longest first bytes by which a format is recognised.
const LONGEST_MAGIC: usize = 5;

/// First bytes of other formats in which people have texts, and what to do about each.
const OTHER_FORMATS: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"7z\xbc\xaf\x27", "a 7z archive: unpack it first"),
    (b"Rar!", "a rar archive: unpack it first"),
    (b"\xfd7zXZ", "an xz file: unpack it first"),
    (b"BZh", "a bzip2 file: unpack it first"),
    (b"\xff\xfe", "UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "UTF-16: save it as UTF-8"),
];

/// The mark that some programs put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes that a packed file of games, weights or positions may have when it is unpacked. Rows and databases may
/// have any number.
pub const LONGEST_UNPACKED: u64 = 4 << 30;

/// The plain bytes of `raw`, of all its members one after the other, without a byte order mark, and whether they
/// were packed.
///
/// # Errors
///
/// Its first bytes cannot be read, or are those of another format; so are the first ones of what is packed in
/// it.
pub fn unpacked(mut raw: impl Read + Send + 'static) -> Result<(Box<dyn Read + Send>, bool)> {
    let mut head = Vec::with_capacity(LONGEST_MAGIC);
    raw.by_ref().take(LONGEST_MAGIC as u64).read_to_end(&mut head).map_err(cannot_read_on)?;
    let packed = Cursor::new(head.clone()).chain(raw);
    let (mut input, is_packed): (Box<dyn Read + Send>, _) = match head[..] {
        [0x1f, 0x8b, ..] => (Box::new(GzMembers(Some(GzDecoder::new(BufReader::new(packed))))), true),
        // A frame, or one without content, with which pzstd begins.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => (unpacked_zstd(packed)?, true),
        _ => (Box::new(packed), false),
    };
    let head = peek(&mut input, LONGEST_MAGIC);
    if let Some((_, what)) = OTHER_FORMATS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(Error::expected("plain text, .gz or .zst", what));
    }
    if head.starts_with(BYTE_ORDER_MARK) {
        input.read_exact(&mut [0; BYTE_ORDER_MARK.len()]).map_err(cannot_read_on)?;
    }
    Ok((input, is_packed))
}

#[cfg(feature = "native")]
fn unpacked_zstd(packed: impl Read + Send + 'static) -> Result<Box<dyn Read + Send>> {
    Ok(Box::new(zstd::Decoder::new(packed).map_err(cannot_read_on)?))
}

/// The library that unpacks them is written in C.
#[cfg(not(feature = "native"))]
fn unpacked_zstd(_: impl Read) -> Result<Box<dyn Read + Send>> {
    Err(Error::expected("plain text or .gz", "a .zst file, which cannot be unpacked here: unpack it first"))
}

/// The first `count` bytes of `input`, or as many as there are. They are read again afterwards, and so is an
/// error that ended them.
pub fn peek(input: &mut Box<dyn Read + Send>, count: usize) -> Vec<u8> {
    let mut head = Vec::with_capacity(count);
    let error = input.by_ref().take(count as u64).read_to_end(&mut head).err();
    let rest = std::mem::replace(input, Box::new(io::empty()));
    *input = Box::new(Cursor::new(head.clone()).chain(FailsOnce(error)).chain(rest));
    head
}

/// The members of a .gz file, one after the other; none after the last. Zeros after a member are padding.
struct GzMembers<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Read for GzMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut input = self.0.take().expect("it was read from").into_inner();
            while input.fill_buf()?.first() == Some(&0) {
                input.consume(1);
            }
            self.0 = (!input.fill_buf()?.is_empty()).then(|| GzDecoder::new(input));
        }
        Ok(0)
    }
}

/// No bytes, after an error if there is one.
struct FailsOnce(Option<io::Error>);

impl Read for FailsOnce {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The error of a stream that cannot be read to its end.
pub fn cannot_read_on(error: io::Error) -> Error {
    // What zstd says of a window beyond the 128 MB that it allows by itself.
    if error.to_string().contains("requires too much memory") {
        let found = "a larger one: pack it again with a smaller one";
        return Error::expected("a file packed by zstd with a window of at most 128 MB", found);
    }
    if error.kind() == io::ErrorKind::FileTooLarge {
        let expected = format!("a packed file of at most {} GiB when unpacked", LONGEST_UNPACKED >> 30);
        return Error::expected(expected, "more: unpack it first, if it is the right file");
    }
    Error::io("cannot read on, the file may be damaged or cut off", error)
}

/// Files packed in every way that is read, for tests.
#[cfg(test)]
pub mod packing {
    use std::io::Write;

    use flate2::write::GzEncoder;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Format {
        Gzip,
        Zstd,
    }

    impl Format {
        pub const ALL: [Format; 2] = [Format::Gzip, Format::Zstd];

        pub fn pack(self, text: &[u8]) -> Vec<u8> {
            match self {
                Format::Gzip => {
                    let mut writer = GzEncoder::new(Vec::new(), flate2::Compression::fast());
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

    const TEXT: &[u8] = b"1. e4 e5 1-0\n";

    fn read(bytes: impl Into<Vec<u8>>) -> Vec<u8> {
        let mut text = Vec::new();
        unpacked(Cursor::new(bytes.into())).unwrap().0.read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn every_packing_gives_the_same_bytes_with_and_without_a_byte_order_mark() {
        let marked = [BYTE_ORDER_MARK, TEXT].concat();
        assert_eq!((read(TEXT), &*read(&*marked)), (TEXT.to_vec(), TEXT));
        for format in Format::ALL {
            assert_eq!(read(format.pack(TEXT)), TEXT, "{format:?}");
            assert_eq!(read(format.pack(&marked)), TEXT, "{format:?}");
        }
    }

    #[test]
    fn members_are_read_to_the_last_with_what_stands_between_them() {
        let frame_to_skip = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0], &b"size"[..]].concat();
        for (format, between) in [
            (Format::Gzip, vec![]),
            (Format::Gzip, vec![0; 70_000]),
            (Format::Zstd, vec![]),
            (Format::Zstd, [&*frame_to_skip, &frame_to_skip].concat()),
        ] {
            let members = [format.pack(b"one "), between.clone(), format.pack(b"two"), between].concat();
            assert_eq!(read(members), b"one two", "{format:?}");
        }
        assert_eq!(read([frame_to_skip, Format::Zstd.pack(b"one")].concat()), b"one");
    }
    #[test]
    fn a_zstd_file_with_too_large_a_window_says_how_to_pack_it() {
        // A frame of zstd with a window of 2 GiB, as by `zstd --long=31`, and one empty block.
        let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x01, 0x00, 0x00];
        let mut source = unpacked(Cursor::new(frame)).unwrap().0;
        let error = cannot_read_on(source.read_to_end(&mut Vec::new()).unwrap_err()).to_string();
        assert_eq!(
            error,
            "expected a file packed by zstd with a window of at most 128 MB, but found a larger one: pack it again with \
             a smaller one"
        );
    }

    #[test]
    fn the_shortest_files_are_plain_text() {
        for text in ["", "*", "1-0", "1-0\n"] {
            assert_eq!(read(text), text.as_bytes());
        }
    }

    #[test]
    fn bytes_and_errors_that_were_looked_at_are_read_again() {
        let mut input = unpacked(TEXT).unwrap().0;
        for count in [0, 3, 8, 100] {
            assert_eq!(peek(&mut input, count), TEXT[..count.min(TEXT.len())]);
        }
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, TEXT);
        let mut cut = unpacked(Cursor::new(Format::Gzip.pack(b"1. e4")[..16].to_vec())).unwrap().0;
        assert!(peek(&mut cut, 8).len() < 8);
        assert!(cut.read_to_end(&mut Vec::new()).is_err());
    }

    #[test]
    fn archives_and_utf_16_are_refused_with_a_remedy_packed_or_not() {
        for (magic, remedy) in OTHER_FORMATS {
            for bytes in [Format::Gzip.pack(magic), Format::Zstd.pack(magic), magic.to_vec()] {
                let error = unpacked(Cursor::new(bytes)).err().unwrap().to_string();
                assert!(error.contains(remedy), "{error}");
            }
        }
    }
}
