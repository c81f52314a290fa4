//! Records of runs for the tests of this module and of those that show a record.

use super::RunRecord;

/// The record of the shipped run: 15 fits of `games/gm1988.pgn`, with games held out.
pub fn shipped_record() -> RunRecord {
    let data = include_str!("../../../stats/gm1988.json");
    RunRecord::from_json(data).expect("the shipped data can be read")
}
