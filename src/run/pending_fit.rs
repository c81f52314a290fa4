//! The fit that leads to the next pass of a run in shards. The `.stat` tells of a fit once its pass is measured, and
//! that is done by another process.

use std::{fs, io, path::Path};

use texam_fit::Fit;

use crate::{
    error::{Error, ErrorKind, Result},
    file,
};

/// The first line of a file.
const FIRST_LINE: &[u8] = b"texam-fit 1\n";

pub fn write_fit(path: &Path, fit: &Fit) -> Result<()> {
    let bytes = fit.to_bytes();
    let check = crc32fast::hash(&bytes).to_le_bytes();
    file::write_whole(path, &[FIRST_LINE, &check, &bytes].concat())
}

pub fn read_fit(path: &Path) -> Result<Fit> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::expected("the fit of the merge before", "no such file")
            .of_kind(ErrorKind::PendingFit)
            .in_file(path),
        _ => Error::io("cannot read the file", error).in_file(path),
    })?;
    let fit = bytes.strip_prefix(FIRST_LINE).and_then(<[u8]>::split_first_chunk::<4>).and_then(
        |(&check, bytes)| {
            let is_whole = crc32fast::hash(bytes) == u32::from_le_bytes(check);
            Fit::from_bytes(bytes).ok().filter(|_| is_whole)
        },
    );
    fit.ok_or_else(|| {
        Error::expected("the fit before this pass, from texam merge", "a damaged or another file")
            .in_file(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit() -> Fit {
        Fit {
            values: vec![0.1, -1e300, f64::MIN_POSITIVE],
            parameters: Vec::new(),
            rows: 7,
            choices: 3,
            solved: 2,
            rank: 1,
            condition: f64::INFINITY,
            residual: Some(0.3),
            max_change: 1.0 / 3.0,
            spread: 20.0,
            compensation: -0.1,
            loss: 0.7,
            descent: None,
        }
    }

    #[test]
    fn a_fit_comes_back_to_the_last_bit_and_no_changed_bit_goes_unnoticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.fit");
        write_fit(&path, &fit()).unwrap();
        assert_eq!(read_fit(&path).unwrap(), fit());
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            fs::write(&path, damaged).unwrap();
            assert!(read_fit(&path).unwrap_err().to_string().contains("a.fit"), "byte {at}");
        }
    }
}
