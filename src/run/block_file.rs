//! Small files of one value in the frame of binary files.

use std::{io::BufReader, path::Path};

use serde::{Serialize, de::DeserializeOwned};
use texam_fit::blocks::{BlockReader, BlockWriter, Format};

use crate::{
    error::{Error, Result},
    file,
};

/// Writes a value. After an error the file is missing or as it was.
pub fn write(path: &Path, format: &Format, value: &impl Serialize) -> Result<()> {
    let written = BlockWriter::new(Vec::new(), format)
        .and_then(|mut blocks| blocks.write_value(value).map(|()| blocks.into_inner()));
    let action = format!("cannot write {}", format.name);
    file::write_whole(path, &written.map_err(|error| Error::io(&action, error))?)
}

/// Reads a value; none if the file is missing.
pub fn read<T: DeserializeOwned>(path: &Path, format: &'static Format) -> Result<Option<T>> {
    let Some(file) = file::open_own(path)? else { return Ok(None) };
    let read = || {
        let mut blocks = BlockReader::new(BufReader::new(file), format)?;
        let value = blocks.read_value(format.name)?;
        blocks.end().map(|()| Some(value))
    };
    read().map_err(|error| Error::from(error).in_file(path))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FORMAT: Format = Format { letters: *b"XX", version: 1, name: "numbers", longest: 1 << 10 };

    #[test]
    fn a_value_comes_back_to_the_last_bit_and_no_changed_bit_goes_unnoticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.block");
        let value = vec![0.1, -1e300, f64::MIN_POSITIVE, f64::INFINITY];
        assert_eq!(read::<Vec<f64>>(&path, &FORMAT).unwrap(), None);
        write(&path, &FORMAT, &value).unwrap();
        assert_eq!(read(&path, &FORMAT).unwrap(), Some(value));
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            fs::write(&path, damaged).unwrap();
            let error = read::<Vec<f64>>(&path, &FORMAT).unwrap_err();
            assert!(error.to_string().contains("a.block"), "byte {at}");
        }
    }
}
