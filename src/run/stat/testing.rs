//! Records of runs for the tests of this module and of those that show a record.

use super::{RunRecord, parse};

/// The record of the shipped run: 15 fits of `games/gm1988.pgn`, with games held out.
pub fn shipped_record() -> RunRecord {
    parse(include_str!("../../../stats/gm1988.stat")).expect("the shipped .stat can be read")
}
