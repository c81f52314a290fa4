//! The frame of binary files: a signature, a version, and blocks with checksums. What a block contains is
//! written by postcard.
//!
//! All numbers of the frame are little-endian. A block is its length in bytes (4 bytes), its content, and the
//! CRC-32 of its number in the file, its length and its content. So a missing or repeated block shows as well
//! as a wrong bit.

use std::{
    fmt::Display,
    io::{self, ErrorKind, Read, Write},
};

use serde::{Deserialize, Serialize};

/// A kind of file.
#[derive(Debug)]
pub struct Format {
    /// Two letters of the signature.
    pub letters: [u8; 2],
    /// The version of what the blocks contain.
    pub version: u32,
    /// What the file is, for messages: `a table of counts`.
    pub name: &'static str,
    /// Largest length of a block in bytes.
    pub longest: u32,
}

impl Format {
    /// The first bytes of a file. The first is no text, and the last are changed by programs that convert
    /// line ends.
    pub const fn signature(&self) -> [u8; 8] {
        let [a, b] = self.letters;
        [0x89, b'T', b'X', a, b, b'\r', b'\n', 0x1a]
    }
}

/// Why blocks cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// The operating system refuses it.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// The file is damaged, cut off, or of another format.
    #[error("expected {expected}, but found {found}")]
    Damaged {
        /// What is needed.
        expected: String,
        /// What there is.
        found: String,
    },
}

impl BlockError {
    fn damaged(expected: impl Display, found: impl Display) -> BlockError {
        BlockError::Damaged { expected: expected.to_string(), found: found.to_string() }
    }
}

impl From<BlockError> for io::Error {
    fn from(error: BlockError) -> io::Error {
        match error {
            BlockError::Read(error) => error,
            damaged @ BlockError::Damaged { .. } => io::Error::new(ErrorKind::InvalidData, damaged),
        }
    }
}

/// Where a block begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockPlace {
    /// Bytes before it.
    pub byte: u64,
    number: u32,
}

impl BlockPlace {
    fn step(&mut self, content: usize) {
        self.byte += 4 + content as u64 + 4;
        self.number = self.number.wrapping_add(1);
    }

    fn checksum(self, content: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.number.to_le_bytes());
        hasher.update(&(content.len() as u32).to_le_bytes());
        hasher.update(content);
        hasher.finalize()
    }
}

/// Writes blocks.
#[derive(Debug)]
pub struct BlockWriter<W> {
    out: W,
    place: BlockPlace,
}

impl<W: Write> BlockWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn new(mut out: W, format: &Format) -> io::Result<BlockWriter<W>> {
        out.write_all(&format.signature())?;
        out.write_all(&format.version.to_le_bytes())?;
        Ok(BlockWriter { out, place: BlockPlace::default() })
    }

    /// Goes on at a place.
    pub fn resume(out: W, place: BlockPlace) -> BlockWriter<W> {
        BlockWriter { out, place }
    }

    /// Writes a block of bytes.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn write(&mut self, content: &[u8]) -> io::Result<()> {
        let length = u32::try_from(content.len()).map_err(|_| ErrorKind::FileTooLarge)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(content)?;
        self.out.write_all(&self.place.checksum(content).to_le_bytes())?;
        self.place.step(content.len());
        Ok(())
    }

    /// Writes a block with a value.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn write_value(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.write(&postcard::to_stdvec(value).map_err(io::Error::other)?)
    }

    /// Where the next block begins.
    pub fn place(&self) -> BlockPlace {
        self.place
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Reads blocks.
#[derive(Debug)]
pub struct BlockReader<R> {
    input: R,
    content: Vec<u8>,
    place: BlockPlace,
    format: &'static Format,
}

impl<R: Read> BlockReader<R> {
    /// Reads the begin of a file.
    ///
    /// # Errors
    ///
    /// Those of reading, damage, or another format or version.
    pub fn new(input: R, format: &'static Format) -> Result<BlockReader<R>, BlockError> {
        let mut reader = BlockReader::resume(input, BlockPlace::default(), format);
        if reader.array::<8>("its first bytes")? != format.signature() {
            let found = "another file, or one that was converted as text";
            return Err(BlockError::damaged(format.name, found));
        }
        let version = u32::from_le_bytes(reader.array("its version")?);
        if version != format.version {
            let expected = format!("{} of version {}", format.name, format.version);
            return Err(BlockError::damaged(expected, format!("version {version}")));
        }
        Ok(reader)
    }

    /// Goes on at a place, where the input is.
    pub fn resume(input: R, place: BlockPlace, format: &'static Format) -> BlockReader<R> {
        BlockReader { input, content: Vec::new(), place, format }
    }

    /// Where the next block begins.
    pub fn place(&self) -> BlockPlace {
        self.place
    }

    /// Reads a block.
    ///
    /// # Errors
    ///
    /// Those of reading, damage, or the end of the file.
    pub fn read(&mut self) -> Result<&[u8], BlockError> {
        let block = format!("block {} of {}", self.place.number.wrapping_add(1), self.format.name);
        let length = u32::from_le_bytes(self.array(&block)?);
        let longest = self.format.longest;
        if length > longest {
            return Err(BlockError::damaged(format!("{block} with at most {longest} bytes"), length));
        }
        // The length is not trusted: the memory grows with the bytes that are there.
        self.content.clear();
        let wanted = u64::from(length);
        self.input.by_ref().take(wanted).read_to_end(&mut self.content).map_err(BlockError::Read)?;
        let sum = u32::from_le_bytes(self.array(&block)?);
        let own = self.place.checksum(&self.content);
        if sum != own {
            return Err(BlockError::damaged(
                format!("{block} with checksum {sum:08x}"),
                format!("{own:08x}"),
            ));
        }
        self.place.step(self.content.len());
        Ok(&self.content)
    }

    /// Reads a block with a value. `what` names the value for messages.
    ///
    /// # Errors
    ///
    /// Those of reading, damage, or another value.
    pub fn read_value<'a, T: Deserialize<'a>>(&'a mut self, what: &str) -> Result<T, BlockError> {
        self.read_values::<T, ()>(what).map(|(value, _)| value)
    }

    /// Reads a block with a value, and with another one if the block does not end there.
    ///
    /// # Errors
    ///
    /// As [`read_value`](Self::read_value).
    pub fn read_values<'a, T: Deserialize<'a>, U: Deserialize<'a>>(
        &'a mut self,
        what: &str,
    ) -> Result<(T, Option<U>), BlockError> {
        let values = |bytes| {
            let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
            if rest.is_empty() {
                return Some((value, None));
            }
            let (more, rest) = postcard::take_from_bytes(rest).ok()?;
            rest.is_empty().then_some((value, Some(more)))
        };
        values(self.read()?).ok_or_else(|| BlockError::damaged(what, "bytes that are none"))
    }

    /// Checks that nothing follows the last block.
    ///
    /// # Errors
    ///
    /// Those of reading, or more bytes.
    pub fn end(&mut self) -> Result<(), BlockError> {
        let mut more = Vec::new();
        self.input.by_ref().take(1).read_to_end(&mut more).map_err(BlockError::Read)?;
        if more.is_empty() {
            return Ok(());
        }
        Err(BlockError::damaged(format!("the end of {}", self.format.name), "more bytes"))
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], BlockError> {
        let mut bytes = [0; N];
        match self.input.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(BlockError::damaged(what, "the end of the file: it was cut off"))
            }
            Err(error) => Err(BlockError::Read(error)),
        }
    }
}
