//! The fit that leads to the next pass of a run in shards. The `.stat` tells of a fit once its pass is measured, and
//! that is done by another process.

use std::path::Path;

use texam_fit::{Fit, blocks::Format, limits::LONGEST_FIT_BLOCK};

use super::block_file;
use crate::error::{Error, ErrorKind, Result};

const FORMAT: Format =
    Format { letters: *b"FI", version: 1, name: "the fit of a merge", longest: LONGEST_FIT_BLOCK };

pub fn write_fit(path: &Path, fit: &Fit) -> Result<()> {
    block_file::write(path, &FORMAT, fit)
}

pub fn read_fit(path: &Path) -> Result<Fit> {
    let missing = || {
        let error = Error::expected("the fit of the merge before", "no such file");
        error.of_kind(ErrorKind::PendingFit).in_file(path)
    };
    block_file::read(path, &FORMAT)?.ok_or_else(missing)
}
