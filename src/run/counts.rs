//! What each game counts in each pass of a run: NAME.games. A resumed run compares its passes with those before, game by
//! game.

use std::{
    fs::File,
    io::{self, BufReader},
    path::Path,
};

use texam_fit::{
    ClusterSets, Pass, PassReport,
    blocks::{BlockReader, BlockWriter, Format},
};

use super::files;
use crate::{
    error::{Error, Result},
    file,
};

const FORMAT: Format =
    Format { letters: *b"GA", version: 1, name: "the counts of the games of a run", longest: 1 << 30 };

/// Writes the counts of all passes. Where there are none, it removes those of an earlier run.
pub fn write(path: &Path, passes: &[Pass]) -> Result<()> {
    if passes.iter().all(|pass| pass.clusters == ClusterSets::default()) {
        return files::remove(path);
    }
    let written = || -> io::Result<Vec<u8>> {
        let mut blocks = BlockWriter::new(Vec::new(), &FORMAT)?;
        passes.iter().try_for_each(|pass| blocks.write_value(&pass.clusters))?;
        Ok(blocks.into_inner())
    };
    let bytes =
        written().map_err(|error| Error::io("cannot pack the counts of the games", error).in_file(path))?;
    file::write_whole(path, &bytes)
}

/// Reads the counts of passes, which must be those of their reports.
pub fn read<'a>(path: &Path, reports: impl Iterator<Item = &'a PassReport>) -> Result<Vec<ClusterSets>> {
    let mut blocks = None;
    let mut of_pass = |report: &PassReport| -> Result<ClusterSets> {
        if !report.criterion.has_choices() {
            return Ok(ClusterSets::default());
        }
        let blocks = match &mut blocks {
            Some(blocks) => blocks,
            none => none.insert(BlockReader::new(BufReader::new(open(path)?), &FORMAT)?),
        };
        let sets: ClusterSets = blocks.read_value("the counts of a pass")?;
        if !agrees(&sets, report) {
            return Err(Error::expected(format!("the counts of pass {}", report.number), "others"));
        }
        Ok(sets)
    };
    reports.map(|report| of_pass(report).map_err(|error| error.in_file(path))).collect()
}

fn open(path: &Path) -> Result<File> {
    file::open_own(path)?.ok_or_else(|| {
        let found = "no such file: put it back, or begin a new run";
        Error::expected("the counts of the games of the run", found)
    })
}

/// Whether counts add up to what a pass has measured.
fn agrees(sets: &ClusterSets, report: &PassReport) -> bool {
    let reports = [Some(&report.fitted), report.held_out.as_ref()];
    sets.iter().zip(reports).all(|(games, agreement)| {
        let sum = |of: fn(&texam_fit::ClusterCounts) -> u64| {
            games.iter().try_fold(0_u64, |sum, counts| sum.checked_add(of(counts)))
        };
        let found = [
            sum(|counts| counts.choices.into()),
            sum(|counts| counts.matched.into()),
            sum(|counts| counts.doubled_rank),
        ];
        let expected = agreement.map_or([0; 3], |set| {
            [set.choices, set.matched, set.rank_sum.saturating_mul(2).saturating_add(set.tied_sum)]
        });
        found == expected.map(Some)
    })
}

#[cfg(test)]
mod tests {
    use texam_fit::{Agreement, ClusterCounts};

    use std::fs;

    use super::*;

    fn pass(matched: u32) -> Pass {
        let game = ClusterCounts { cluster: 7, choices: 3, matched, doubled_rank: 5 };
        let agreement = Agreement {
            choices: 3,
            matched: matched.into(),
            rank_sum: 2,
            tied_sum: 1,
            ..Agreement::default()
        };
        let mut pass = Pass { clusters: [vec![game], vec![game]], ..Pass::default() };
        (pass.report.fitted, pass.report.held_out) = (agreement.clone(), Some(agreement));
        pass
    }

    #[test]
    fn counts_come_back_and_those_that_are_missing_damaged_or_of_another_run_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let passes = [pass(1), pass(2)];
        let reports = || passes.iter().map(|pass| &pass.report);
        let error = || read(&path, reports()).unwrap_err().to_string();
        assert!(error().contains("no such file: put it back"), "{}", error());
        write(&path, &passes).unwrap();
        let found = read(&path, reports()).unwrap();
        assert_eq!(found, passes.clone().map(|pass| pass.clusters));
        // The first passes of a run can be gone on with.
        assert_eq!(read(&path, reports().take(1)).unwrap().len(), 1);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            fs::write(&path, damaged).unwrap();
            assert!(error().contains("a.games"), "byte {at}");
        }
        write(&path, &[Pass::default()]).unwrap();
        assert!(!path.exists(), "a run without counts leaves none of an earlier one");
        write(&path, &[Pass::default()]).unwrap();
        write(&path, &[pass(1), pass(3)]).unwrap();
        assert!(error().contains("the counts of pass 0, but found others"), "{}", error());
    }
}
