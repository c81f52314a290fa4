//! Rows as arrays: the archives `.npz` that `texam.Rows.write` and `scipy.sparse.save_npz` write.
//!
//! Memory grows with the bytes that are there, not with what the header of an array promises.

use std::io::{self, Read};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipSliceArchive};
use texam_fit::{RowParts, RowTable, limits};

use crate::error::{Error, Result};

/// The first bytes of an archive.
pub const MAGIC: &[u8] = b"PK\x03\x04";

/// Bytes of an array, which may be packed to a thousandth of that.
const MOST_BYTES: u64 = 1 << 32;

/// The rows of an archive.
pub fn read(bytes: &[u8]) -> Result<RowTable> {
    let archive = ZipArchive::from_slice(bytes).map_err(damaged)?;
    let missing = |name| Error::expected(format!("an array {name}, as texam.Rows writes it"), "none");
    let needed = |name| open(&archive, name)?.ok_or_else(|| missing(name));
    let shape: Vec<usize> = needed("shape")?.whole()?;
    let indptr: Vec<i64> = needed("indptr")?.whole()?;
    let [rows, columns] = shape[..] else {
        return Err(in_array(
            "shape",
            Error::expected("rows and columns", format!("{} numbers", shape.len())),
        ));
    };
    if indptr.len().checked_sub(1) != Some(rows) {
        let expected = format!("one element more than the {rows} rows");
        return Err(in_array("indptr", Error::expected(expected, format!("{} elements", indptr.len()))));
    }
    let whole = |name| open(&archive, name)?.map(Array::whole).transpose();
    let numbers = |name| open(&archive, name)?.map(Array::numbers).transpose();
    let table = RowTable::new(&RowParts {
        data: &needed("data")?.numbers()?,
        indices: &needed("indices")?.whole()?,
        indptr: &indptr,
        columns,
        label: &needed("label")?.numbers()?,
        choice: whole("choice")?.as_deref(),
        cluster: whole("cluster")?.as_deref(),
        weight: numbers("weight")?.as_deref(),
        value: numbers("value")?.as_deref(),
    });
    Ok(table?)
}

fn damaged(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::io("cannot read the archive, which may be damaged or cut off", io::Error::other(error))
}

fn in_array(name: &str, error: Error) -> Error {
    Error::new(format!("array {name}: {error}"))
}

/// An array of one dimension.
struct Array {
    name: &'static str,
    /// The type of its elements as NumPy writes it, such as `<f8`: the order of bytes, the kind, and the bytes of one.
    kind: String,
    bytes: Vec<u8>,
}

/// The array of this name, if the archive has it.
fn open(archive: &ZipSliceArchive<&[u8]>, name: &'static str) -> Result<Option<Array>> {
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        if entry.file_path().as_bytes() != format!("{name}.npy").as_bytes() {
            continue;
        }
        let size = entry.uncompressed_size_hint();
        limits::check(|| format!("array {name}"), size, MOST_BYTES)?;
        let packed = archive.get_entry(entry.wayfinder()).map_err(damaged)?;
        let content: Box<dyn Read> = match entry.compression_method() {
            CompressionMethod::STORE => Box::new(packed.data()),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(packed.data())),
            _ => {
                return Err(in_array(
                    name,
                    Error::expected("an array stored or deflated", "another packing"),
                ));
            }
        };
        let mut bytes = Vec::new();
        packed.verifying_reader(content.take(size)).read_to_end(&mut bytes).map_err(damaged)?;
        let kind = take_header(&mut bytes);
        let missing = || in_array(name, Error::expected("an array of NumPy", "another content"));
        return Ok(Some(Array { name, kind: kind.ok_or_else(missing)?, bytes }));
    }
    Ok(None)
}

/// Takes the header of an array off its bytes and returns the type of its elements.
///
/// The format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
fn take_header(bytes: &mut Vec<u8>) -> Option<String> {
    let [version, _minor, rest @ ..] = bytes.strip_prefix(b"\x93NUMPY")? else { return None };
    let (length, rest) = match version {
        1 => (u16::from_le_bytes(*rest.first_chunk()?) as usize, &rest[2..]),
        _ => (u32::from_le_bytes(*rest.first_chunk()?) as usize, &rest[4..]),
    };
    let header = str::from_utf8(rest.get(..length)?).ok()?;
    let (_, kind) = header.split_once("'descr': '")?;
    let kind = kind.split_once('\'')?.0.to_string();
    bytes.drain(..bytes.len() - rest.len() + length);
    Some(kind)
}

impl Array {
    fn numbers(self) -> Result<Vec<f64>> {
        self.elements("numbers", |kind, bits| match kind {
            b"f8" => Some(f64::from_bits(bits)),
            b"f4" => Some(f32::from_bits(bits as u32).into()),
            _ => integer(kind, bits).map(|integer| integer as f64),
        })
    }

    fn whole<T: TryFrom<i128>>(self) -> Result<Vec<T>> {
        self.elements("whole numbers of this range", |kind, bits| integer(kind, bits)?.try_into().ok())
    }

    /// Its elements, each from its kind and its bits.
    fn elements<T>(self, what: &str, convert: impl Fn(&[u8], u64) -> Option<T>) -> Result<Vec<T>> {
        let wrong = |row: usize| {
            let found = format!("type {:?} at element {row}", self.kind);
            in_array(self.name, Error::expected(what, found))
        };
        let [order, kind @ ..] = self.kind.as_bytes() else { return Err(wrong(0)) };
        let [_, size @ b'1'..=b'8'] = kind else { return Err(wrong(0)) };
        let read = |(row, element): (usize, &[u8])| {
            let mut bits = [0; 8];
            bits[..element.len()].copy_from_slice(element);
            if *order == b'>' {
                bits[..element.len()].reverse();
            }
            convert(kind, u64::from_le_bytes(bits)).ok_or_else(|| wrong(row))
        };
        self.bytes.chunks((size - b'0').into()).enumerate().map(read).collect()
    }
}

/// The whole number that the bits are.
fn integer(kind: &[u8], bits: u64) -> Option<i128> {
    let [kind, size] = kind else { return None };
    let unused = 64 - 8 * u32::from(size - b'0');
    match kind {
        b'i' => Some((((bits << unused) as i64) >> unused).into()),
        b'u' | b'b' => Some(bits.into()),
        _ => None,
    }
}
