//! What each game counts in each pass of a run, how its played moves rank, and its losses at the start:
//! NAME.games. A resumed run compares its passes with those before, game by game, and a report shows the
//! positions whose ranks changed most.

use std::{
    io::{self, BufReader, Read},
    path::Path,
};

use texam_fit::{
    ClusterCounts, ClusterSets, LossSets, Pass, PassReport,
    blocks::{BlockReader, BlockWriter, Format},
};

use super::files;
use crate::{
    error::{Error, Result},
    file,
};

const FORMAT: Format =
    Format { letters: *b"GA", version: 1, name: "the counts of the games of a run", longest: 1 << 30 };

/// What a game counts, but for the ranks.
type Counts = (u64, u32, u32, u64);

/// The digest of the weights of a pass, and the ranks in each game fitted and held out.
type Ranks<T> = (String, [Vec<T>; 2]);

/// What a pass counted.
#[derive(Debug, Default, PartialEq)]
pub struct PassCounts {
    pub clusters: ClusterSets,
    /// Digest of the weights by which the ranks were found; none where there are no ranks.
    pub searched_by: Option<String>,
    /// Losses of the first pass, where the objective has them. They are in a block after its counts.
    pub losses: LossSets,
}

/// Writes the counts of all passes, with the ranks where `digest` gives a digest of the weights that have
/// these values. Where there are no counts, it removes those of an earlier run.
pub fn write(path: &Path, passes: &[Pass], digest: impl Fn(&[f64]) -> Option<String>) -> Result<()> {
    let is_empty =
        |pass: &Pass| pass.clusters.iter().all(Vec::is_empty) && pass.losses.iter().all(Vec::is_empty);
    if passes.iter().all(is_empty) {
        return files::remove(path);
    }
    let written = || -> io::Result<Vec<u8>> {
        let mut blocks = BlockWriter::new(Vec::new(), &FORMAT)?;
        for pass in passes {
            let sets = pass.clusters.each_ref();
            let counts = sets.map(|set| set.iter().map(counts_of).collect::<Vec<Counts>>());
            let ranks = sets.map(|set| set.iter().map(|game| &game.ranks).collect());
            // A run that is resumed may have passes without ranks, of an older version.
            let has_ranks = sets.into_iter().flatten().all(|game| !game.ranks.is_empty());
            match digest(&pass.values).filter(|_| has_ranks) {
                Some(digest) => blocks.write_value(&(counts, (digest, ranks) as Ranks<&Vec<_>>))?,
                None => blocks.write_value(&counts)?,
            }
            if pass.losses.iter().any(|set| !set.is_empty()) {
                blocks.write_value(&pass.losses)?;
            }
        }
        Ok(blocks.into_inner())
    };
    let bytes =
        written().map_err(|error| Error::io("cannot pack the counts of the games", error).in_file(path))?;
    file::write_whole(path, &bytes)
}

/// Reads the counts of passes, which must be those of their reports.
pub fn read<'a>(path: &Path, reports: impl Iterator<Item = &'a PassReport>) -> Result<Vec<PassCounts>> {
    let mut blocks = None;
    let mut of_pass = |report: &PassReport| -> Result<PassCounts> {
        let blocks = match &mut blocks {
            Some(blocks) => blocks,
            none => none.insert(BlockReader::new(BufReader::new(open(path)?), &FORMAT)?),
        };
        let (sets, more) =
            blocks.read_values::<[Vec<Counts>; 2], Ranks<Vec<[u8; 2]>>>("the counts of a pass")?;
        let mut clusters = sets.map(|set| set.into_iter().map(with_counts).collect());
        if report.criterion.has_choices() && !agrees(&clusters, report) {
            return Err(Error::expected(format!("the counts of pass {}", report.number), "others"));
        }
        let searched_by = more.map(|(digest, ranks)| {
            let games = clusters.iter_mut().flatten().zip(ranks.into_iter().flatten());
            games.for_each(|(game, ranks)| game.ranks = ranks);
            digest
        });
        let has_losses = report.number == 0 && report.loss.is_some();
        let losses =
            if has_losses { blocks.read_value("the losses of a pass")? } else { LossSets::default() };
        Ok(PassCounts { clusters, searched_by, losses })
    };
    reports.map(|report| of_pass(report).map_err(|error| error.in_file(path))).collect()
}

fn counts_of(game: &ClusterCounts) -> Counts {
    (game.cluster, game.choices, game.matched, game.doubled_rank)
}

fn with_counts((cluster, choices, matched, doubled_rank): Counts) -> ClusterCounts {
    ClusterCounts { cluster, choices, matched, doubled_rank, ranks: Vec::new() }
}

fn open(path: &Path) -> Result<impl Read> {
    file::open_own(path)?.ok_or_else(|| {
        let found = "no such file: put it back, or begin a new run";
        Error::expected("the counts of the games of the run", found)
    })
}

/// Whether counts add up to what a pass has measured.
fn agrees(sets: &ClusterSets, report: &PassReport) -> bool {
    let reports = [Some(&report.fitted), report.held_out.as_ref()];
    sets.iter().zip(reports).all(|(games, agreement)| {
        let sum = |of: fn(&ClusterCounts) -> u64| {
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
    use std::fs;

    use texam_fit::{Agreement, ClusterLoss, LossReport};

    use super::*;

    fn pass(number: u32, matched: u32) -> Pass {
        let ranks = vec![[0, 0], [1, 0], [1, 1], [0, 0]];
        let game = ClusterCounts { cluster: 7, choices: 3, matched, doubled_rank: 5, ranks };
        let agreement = Agreement {
            choices: 3,
            matched: matched.into(),
            rank_sum: 2,
            tied_sum: 1,
            ..Agreement::default()
        };
        let loss = vec![ClusterLoss { cluster: 7, weight: 3, loss: 2 }];
        let losses = if number == 0 { [loss.clone(), loss] } else { LossSets::default() };
        let mut pass = Pass { clusters: [vec![game.clone()], vec![game]], losses, ..Pass::default() };
        (pass.report.number, pass.report.loss) = (number, Some(LossReport::default()));
        (pass.report.fitted, pass.report.held_out) = (agreement.clone(), Some(agreement));
        pass
    }

    #[test]
    fn counts_come_back_and_those_that_are_missing_damaged_or_of_another_run_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let passes = [pass(0, 1), pass(1, 2)];
        let reports = || passes.iter().map(|pass| &pass.report);
        let error = || read(&path, reports()).unwrap_err().to_string();
        assert!(error().contains("no such file: put it back"), "{}", error());
        let digest = |_: &[f64]| Some("0123".to_string());
        write(&path, &passes, digest).unwrap();
        for (found, pass) in read(&path, reports()).unwrap().into_iter().zip(&passes) {
            let Pass { clusters, losses, .. } = pass.clone();
            assert_eq!(found, PassCounts { clusters, searched_by: Some("0123".to_string()), losses });
        }
        // The first passes of a run can be gone on with.
        assert_eq!(read(&path, reports().take(1)).unwrap().len(), 1);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            fs::write(&path, damaged).unwrap();
            assert!(error().contains("a.games"), "byte {at}");
        }
        write(&path, &[Pass::default()], digest).unwrap();
        assert!(!path.exists(), "a run without counts leaves none of an earlier one");
        write(&path, &[Pass::default()], digest).unwrap();
        write(&path, &[pass(0, 1), pass(1, 3)], digest).unwrap();
        assert!(error().contains("the counts of pass 1, but found others"), "{}", error());
    }
}
