//! Archives of NumPy arrays (.npz): a ZIP of .npy files, written in memory. They have no times, so that the same arrays give
//! the same bytes.

use std::io::Write;

use crate::error::{Error, Result};

/// An array of one dimension, or a text of none.
pub(crate) enum Array<'a> {
    F64(&'a [f64]),
    I64(&'a [i64]),
    U64(&'a [u64]),
    /// Written as signed, as SciPy has its indices.
    U32AsI32(&'a [u32]),
    Text(&'a str),
}

impl Array<'_> {
    /// The array as a .npy file of version 1.0.
    fn to_npy(&self) -> Vec<u8> {
        let (kind, shape, bytes) = match self {
            Array::F64(array) => ("<f8".to_string(), Some(array.len()), bytes(array, f64::to_le_bytes)),
            Array::I64(array) => ("<i8".to_string(), Some(array.len()), bytes(array, i64::to_le_bytes)),
            Array::U64(array) => ("<u8".to_string(), Some(array.len()), bytes(array, u64::to_le_bytes)),
            Array::U32AsI32(array) => ("<i4".to_string(), Some(array.len()), bytes(array, u32::to_le_bytes)),
            Array::Text(text) => (format!("|S{}", text.len()), None, text.as_bytes().to_vec()),
        };
        let shape = shape.map_or_else(String::new, |length| format!("{length},"));
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        // Magic, version and length take 10 bytes; the data begins at a multiple of 64.
        let padded = (10 + header.len() + 1).next_multiple_of(64) - 11;
        let mut npy = b"\x93NUMPY\x01\x00".to_vec();
        npy.extend(((padded + 1) as u16).to_le_bytes());
        npy.extend(format!("{header:<padded$}\n").as_bytes());
        npy.extend(bytes);
        npy
    }
}

fn bytes<T: Copy, const N: usize>(array: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    array.iter().flat_map(|&number| to_bytes(number)).collect()
}

/// Writes an archive.
#[derive(Default)]
pub(crate) struct NpzWriter {
    archive: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

/// The first day that a ZIP can name: 1 January 1980, at midnight.
const NO_TIME: [u16; 2] = [0, (1 << 5) | 1];

impl NpzWriter {
    /// Adds an array.
    ///
    /// # Errors
    ///
    /// An archive of 4 GiB and more, which this form of ZIP cannot hold.
    pub fn add(&mut self, name: &str, array: Array) -> Result<()> {
        let npy = array.to_npy();
        let name = format!("{name}.npy");
        let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        let packed = packer.write_all(&npy).and_then(|()| packer.finish()).map_err(Error::external)?;
        let small = |length: usize| {
            let error = || Error::input("arrays of less than 4 GiB in an archive; use text", length);
            u32::try_from(length).map_err(|_| error())
        };
        let offset = small(self.archive.len() + packed.len() + npy.len()).and(small(self.archive.len()))?;
        // Version 2.0, no flags, deflate, the time; then the check sum, the lengths, and that of the name.
        let mut head: Vec<u8> =
            [20_u16, 0, 8].into_iter().chain(NO_TIME).flat_map(u16::to_le_bytes).collect();
        let lengths = [crc32fast::hash(&npy), small(packed.len())?, small(npy.len())?, name.len() as u32];
        head.extend(lengths.into_iter().flat_map(u32::to_le_bytes));
        self.archive.extend(b"PK\x03\x04");
        self.archive.extend(&head);
        self.archive.extend(name.as_bytes());
        self.archive.extend(packed);
        // In the directory: made by version 2.0, no comment, first disk, no attributes.
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(head);
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files += 1;
        Ok(())
    }

    /// The bytes of the archive.
    pub fn finish(self) -> Vec<u8> {
        let NpzWriter { mut archive, directory, files } = self;
        let [start, length] = [archive.len(), directory.len()].map(|number| number as u32);
        archive.extend(directory);
        archive.extend(b"PK\x05\x06\x00\x00\x00\x00");
        archive.extend([files, files].into_iter().flat_map(u16::to_le_bytes));
        archive.extend([length, start].into_iter().flat_map(u32::to_le_bytes));
        archive.extend([0; 2]);
        archive
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// The files of an archive with their bytes, by its directory.
    fn files(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
        let number = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().unwrap()) as usize;
        let short = |at: usize| u16::from_le_bytes(archive[at..at + 2].try_into().unwrap()) as usize;
        let end = archive.len() - 22;
        assert_eq!(&archive[end..end + 4], b"PK\x05\x06");
        let (mut at, mut files) = (number(end + 16), Vec::new());
        for _ in 0..short(end + 10) {
            assert_eq!(&archive[at..at + 4], b"PK\x01\x02");
            let (sum, packed, length, name) =
                (number(at + 16), number(at + 20), number(at + 24), short(at + 28));
            let file = number(at + 42);
            assert_eq!(archive[at + 6..at + 30], archive[file + 4..file + 28], "both heads say the same");
            let start = file + 30 + name;
            let mut bytes = Vec::new();
            flate2::read::DeflateDecoder::new(&archive[start..start + packed])
                .read_to_end(&mut bytes)
                .unwrap();
            assert_eq!((bytes.len(), crc32fast::hash(&bytes) as usize), (length, sum));
            files.push((String::from_utf8(archive[file + 30..start].to_vec()).unwrap(), bytes));
            at += 46 + name;
        }
        assert_eq!(at, end);
        files
    }

    #[test]
    fn an_archive_holds_each_array_as_numpy_writes_it() {
        let mut npz = NpzWriter::default();
        npz.add("a", Array::F64(&[1.5, -2.0])).unwrap();
        npz.add("text", Array::Text("csr")).unwrap();
        npz.add("none", Array::U64(&[])).unwrap();
        let files = files(&npz.finish());
        let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["a.npy", "text.npy", "none.npy"]);
        let (head, data) = files[0].1.split_at(128);
        assert!(head.starts_with(
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
        ));
        assert!(head.ends_with(b" \n"));
        assert_eq!(data, [1.5_f64.to_le_bytes(), (-2.0_f64).to_le_bytes()].concat());
        assert!(
            files[1].1.ends_with(b"csr")
                && files[1].1[10..].starts_with(b"{'descr': '|S3', 'fortran_order': False, 'shape': (), }")
        );
        assert_eq!(files[2].1.len(), 128);
    }
}
