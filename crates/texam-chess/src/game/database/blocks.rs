//! Blocks of bytes with checksums, and numbers and texts in them.

use std::io::{self, ErrorKind, Read, Write};

use super::BlockKind;
use crate::error::{self, Error, Result};

/// The first bytes of a database. The first is no text, and the last are changed by programs that convert line ends.
const SIGNATURE: [u8; 8] = *b"\x89TXDB\r\n\x1a";

/// So many of them tell a database from games in PGN.
const TELLING: usize = 5;

/// Stored in little-endian order, as all numbers are; in another order it reads differently.
const BYTE_ORDER: u32 = 0x0102_0304;

/// Version of the format, and of the hash keys that hints are stored under.
const VERSION: u32 = 1;

/// Largest length of a block in bytes. The largest game in PGN becomes a block of half of that.
pub(super) const LONGEST_BLOCK: usize = 64 << 20;

/// What is read, for messages.
const DATABASE: &str = "a database of games";

/// Whether a file that begins with `bytes` is a database, maybe a damaged one.
pub(in crate::game) fn is_database(bytes: &[u8]) -> bool {
    bytes.starts_with(&SIGNATURE[..TELLING])
}

/// The error of a database that cannot be used.
pub(super) fn damaged(expected: impl std::fmt::Display, found: impl std::fmt::Display) -> Error {
    Error::expected(expected, found).of_kind(error::ErrorKind::Database)
}

/// Writes blocks.
pub(super) struct BlockWriter<W> {
    out: W,
    blocks: u32,
}

impl<W: Write> BlockWriter<W> {
    /// Begins a database.
    pub(super) fn new(mut out: W) -> io::Result<BlockWriter<W>> {
        out.write_all(&SIGNATURE)?;
        out.write_all(&BYTE_ORDER.to_le_bytes())?;
        out.write_all(&VERSION.to_le_bytes())?;
        Ok(BlockWriter { out, blocks: 0 })
    }

    pub(super) fn write(&mut self, kind: BlockKind, content: &[u8]) -> io::Result<()> {
        let head = head(kind as u8, content.len() as u32);
        self.out.write_all(&head)?;
        self.out.write_all(content)?;
        self.out.write_all(&checksum(self.blocks, &head, content).to_le_bytes())?;
        self.blocks += 1;
        Ok(())
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}

/// Kind and length of a block.
fn head(kind: u8, length: u32) -> [u8; 5] {
    let [a, b, c, d] = length.to_le_bytes();
    [kind, a, b, c, d]
}

/// CRC-32 of the number of a block in its file, its head and its content. The number shows blocks that are missing or
/// in another order.
fn checksum(number: u32, head: &[u8], content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(head);
    hasher.update(content);
    hasher.finalize()
}

/// Reads blocks.
pub(super) struct BlockReader<R> {
    input: R,
    content: Vec<u8>,
    blocks: u32,
}

impl<R: Read> BlockReader<R> {
    /// Reads the begin of a database.
    pub(super) fn new(input: R) -> Result<BlockReader<R>> {
        let mut reader = BlockReader { input, content: Vec::new(), blocks: 0 };
        let [signature, [o, p, q, r, v, e, s, n]] =
            [reader.array("its first bytes")?, reader.array("its version")?];
        if signature != SIGNATURE {
            return Err(damaged(DATABASE, "damaged first bytes, as by a conversion of line ends"));
        }
        match u32::from_le_bytes([o, p, q, r]) {
            BYTE_ORDER => {}
            order if order == BYTE_ORDER.swap_bytes() => {
                return Err(damaged(
                    format!("{DATABASE} in little-endian byte order"),
                    "big-endian byte order",
                ));
            }
            _ => return Err(damaged(DATABASE, "a damaged mark of the byte order")),
        }
        match u32::from_le_bytes([v, e, s, n]) {
            VERSION => Ok(reader),
            version => Err(damaged(format!("{DATABASE} of version {VERSION}"), format!("version {version}"))),
        }
    }

    /// Reads a block, and returns its kind.
    pub(super) fn read(&mut self) -> Result<u8> {
        let block = format!("block {} of {DATABASE}", self.blocks + 1);
        let head: [u8; 5] = self.array(&block)?;
        let [kind, length @ ..] = head;
        let length = u32::from_le_bytes(length);
        if length as usize > LONGEST_BLOCK {
            return Err(damaged(format!("{block} with at most {LONGEST_BLOCK} bytes"), length));
        }
        // The length is not trusted: the memory grows with the bytes that are there.
        self.content.clear();
        let wanted = u64::from(length);
        self.input.by_ref().take(wanted).read_to_end(&mut self.content).map_err(cannot_read)?;
        let sum = u32::from_le_bytes(self.array(&block)?);
        let own = checksum(self.blocks, &head, &self.content);
        if sum != own {
            return Err(damaged(format!("{block} with checksum {sum:08x}"), format!("{own:08x}")));
        }
        self.blocks += 1;
        Ok(kind)
    }

    /// The content of the block read last.
    pub(super) fn content(&self) -> &[u8] {
        &self.content
    }

    /// Checks that nothing follows the last block.
    pub(super) fn end(&mut self) -> Result<()> {
        let mut more = Vec::new();
        self.input.by_ref().take(1).read_to_end(&mut more).map_err(cannot_read)?;
        if more.is_empty() { Ok(()) } else { Err(damaged(format!("the end of {DATABASE}"), "more bytes")) }
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        match self.input.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(damaged(what, "the end of the file: it was cut off"))
            }
            Err(error) => Err(cannot_read(error)),
        }
    }
}

fn cannot_read(error: io::Error) -> Error {
    crate::game::source::cannot_read(error)
}

/// The numbers and texts of a block, read one after another. None where the block is too short.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A text after its length.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.u32()?;
        str::from_utf8(self.bytes(length as usize)?).ok()
    }
}

/// Appends a text after its length.
pub(super) fn push_text(content: &mut Vec<u8>, text: &str) {
    content.extend((text.len() as u32).to_le_bytes());
    content.extend(text.as_bytes());
}
