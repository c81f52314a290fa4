//! A run as its files tell it, for all who read one.
//!
//! Whoever shows a run goes on without what is missing or damaged, and says so. Whoever goes on with the run
//! needs all of it.

use std::{collections::BTreeMap, path::Path};

use texam_fit::{ClusterCounts, ClusterSets, Pass, PassReport, Timing};

use super::{
    Files, RunWeights, Warn,
    counts::{self, PassCounts},
    read_par,
};
use crate::{
    error::{Error, Result},
    feature::Weights,
    file, par,
    run::stat::{RunRecord, SEARCH},
};

/// A run on disk with at least one pass.
pub struct StoredRun {
    pub files: Files,
    /// Its data.
    pub record: RunRecord,
}

/// The weights of each pass of a run, as far as they can be read.
pub struct StoredWeights {
    /// Those that were read.
    pub passes: BTreeMap<u32, Weights>,
    /// Why others are left out; none if all were read, or if the run has no files of weights.
    pub left_out: Option<String>,
}

impl StoredRun {
    /// Reads the data of a run, by the path of its NAME.stat or NAME.json.
    pub fn open(path: &Path) -> Result<StoredRun> {
        let files = Files::of_run(path)?;
        let record = RunRecord::read(&files)?;
        if record.reports.is_empty() {
            let found = "none; let it finish its first, or begin a new run";
            return Err(Error::expected("a run with a finished pass", found).in_file(files.data()));
        }
        Ok(StoredRun { files, record })
    }

    /// The weights of the passes, to be shown. Without the right start weights none are used.
    pub fn weights(&self, note: Warn) -> StoredWeights {
        let stored = |passes, left_out| StoredWeights { passes, left_out };
        let passes = || self.record.reports.iter().map(|report| report.number);
        if self.record.is_on_rows() || !passes().any(|pass| file::exists(&self.files.par(pass))) {
            return stored(BTreeMap::new(), None);
        }
        if let Err(why) = self.own_start() {
            return stored(BTreeMap::new(), Some(format!("without weights: {why}")));
        }
        let (mut read, mut lost) = (BTreeMap::new(), Vec::new());
        for pass in passes() {
            match read_par(&self.files.par(pass), note) {
                Ok(weights) => _ = read.insert(pass, weights),
                Err(_) => lost.push(pass.to_string()),
            }
        }
        let why = format!("without the weights of pass {}: their .par cannot be read", lost.join(", "));
        stored(read, (!lost.is_empty()).then_some(why))
    }

    /// The weights that the run began with. Where keys are missing in the file, the table of features has
    /// grown since, and the digest cannot be compared.
    pub fn own_start(&self) -> Result<Weights> {
        let path = self.files.par(0);
        let par = par::read(&path)?;
        if par.missing.is_empty() && par::digest(&par.weights) != self.record.header.start {
            return Err(self.other_start().in_file(path));
        }
        Ok(par.weights)
    }

    fn other_start(&self) -> Error {
        let found = "other weights: put back the file of the run, or begin a new one";
        Error::expected("the start weights of the run", found)
    }

    /// The weights that the run began with, to go on with it. Keys that are missing are noted by
    /// [`passes`](StoredRun::passes).
    pub fn start(&self) -> Result<RunWeights> {
        let start = match self.record.is_on_rows() {
            true => RunWeights::read_table(&self.files.csv(0))?,
            false => RunWeights::own(par::read(self.files.par(0))?.weights)?,
        };
        if start.digest() != self.record.header.start {
            return Err(self.other_start().in_file(start.path(&self.files, 0)));
        }
        Ok(start)
    }

    /// What the games of a pass count, with the ranks of all positions. None where the run did not keep them,
    /// or where a search by these weights and this version may find others.
    pub fn ranks(&self, pass: u32, weights: &Weights) -> Option<ClusterSets> {
        let header = &self.record.header;
        if header.search.as_deref() != Some(SEARCH) || header.walks_trees() {
            return None;
        }
        let counts = counts::read(&self.files.games(), self.record.reports.iter()).ok()?;
        let PassCounts { clusters, searched_by, .. } = counts.into_iter().nth(pass as usize)?;
        let count = |set: &Vec<ClusterCounts>| set.iter().map(|game| game.ranks.len() as u64).sum::<u64>();
        let is_own =
            searched_by? == par::digest(weights) && header.positions == clusters.each_ref().map(count);
        is_own.then_some(clusters)
    }

    /// The passes, to go on after them.
    pub fn passes(&self, start: &RunWeights, note: Warn) -> Result<Vec<Pass>> {
        let reports = &self.record.reports;
        let counts = counts::read(&self.files.games(), reports.iter())?;
        let pass = |(report, counts): (&PassReport, PassCounts)| {
            let PassCounts { clusters, losses, .. } = counts;
            let values = start.read(&start.path(&self.files, report.number), note)?;
            // Errors of the run are those of all its passes, of which more may follow.
            let mut report = report.clone();
            report.run_errors = None;
            Ok(Pass { report, values, timing: Timing::default(), clusters, losses })
        };
        reports.iter().zip(counts).map(pass).collect()
    }
}

impl RunRecord {
    /// Reads the data of a run.
    pub fn read(files: &Files) -> Result<RunRecord> {
        let path = if file::exists(&files.data()) { files.data() } else { files.stat() };
        file::is_own(&path)?;
        if path == files.stat() && file::is_file(&path) {
            let found = format!(
                "only {}, which is text for people: put back the data, or make the run again",
                files.stat().display()
            );
            return Err(Error::expected("the data of the run", found).in_file(files.data()));
        }
        RunRecord::from_json(&file::read_text(&path)?).map_err(|error| error.in_file(path))
    }

    /// Writes the data of a run, and then its text. Where only the first is done, the run can be read.
    pub fn write(&self, files: &Files) -> Result<()> {
        file::write_whole(files.data(), self.to_json()?.as_bytes())?;
        file::write_whole(files.stat(), self.to_string().as_bytes())
    }
}
