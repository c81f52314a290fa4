//! The fit that leads to the next pass of a run in shards. The `.stat` tells of a fit once its pass is measured, and
//! that is done by another process.

use std::{
    fs::File,
    io::{self, BufReader},
    path::Path,
};

use texam_fit::{
    Fit,
    blocks::{BlockReader, BlockWriter, Format},
};

use crate::{
    error::{Error, ErrorKind, Result},
    file,
};

const FORMAT: Format = Format { letters: *b"FI", version: 1, name: "the fit of a merge", longest: 64 << 20 };

pub fn write_fit(path: &Path, fit: &Fit) -> Result<()> {
    let written = BlockWriter::new(Vec::new(), &FORMAT)
        .and_then(|mut blocks| blocks.write_value(fit).map(|()| blocks.into_inner()));
    file::write_whole(path, &written.map_err(|error| Error::io("cannot write the fit", error))?)
}

pub fn read_fit(path: &Path) -> Result<Fit> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::expected("the fit of the merge before", "no such file").of_kind(ErrorKind::PendingFit)
        }
        _ => Error::io("cannot read the file", error),
    });
    let read = |file: File| {
        let mut blocks = BlockReader::new(BufReader::new(file), &FORMAT)?;
        let fit = blocks.read_value("a fit")?;
        blocks.end().map(|()| fit)
    };
    file.and_then(|file| read(file).map_err(Error::from)).map_err(|error| error.in_file(path))
}

#[cfg(test)]
mod tests {
    use std::fs;

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
