//! Writes the files of a run as it goes: the weights of each pass, and its data and their text anew after
//! each.
//!
//! Whoever observes a run calls it with each pass that was measured, and shows people what it likes.

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use texam_fit::{Fit, Outcome, Pass, RowCounts, StopReason};

use super::{Files, GroupRuns, RunWeights, counts};
use crate::{
    error::Result,
    par,
    run::stat::{Header, RunRecord, Trends, error_text},
};

/// The files of a run with what is to stand in them.
pub struct Recorder<'a> {
    pub files: &'a Files,
    pub header: Header,
    /// What the last pass counted, where the header does not know it before.
    counts: Option<Arc<Mutex<RowCounts>>>,
    start: &'a RunWeights,
    story: Mutex<Story>,
}

/// The passes so far, and the fit that led to the last one if it was made just now.
struct Story {
    passes: Vec<Pass>,
    last_fit: Option<Fit>,
}

impl<'a> Recorder<'a> {
    /// For a run that has made `passes` already. The caller holds the lock on its name.
    pub fn new(files: &'a Files, header: Header, start: &'a RunWeights, passes: Vec<Pass>) -> Recorder<'a> {
        let story = Mutex::new(Story { passes, last_fit: None });
        Recorder { files, header, counts: None, start, story }
    }

    /// Takes the numbers of games and positions from what each pass counts.
    pub fn counting(self, counts: Option<Arc<Mutex<RowCounts>>>) -> Recorder<'a> {
        Recorder { counts, ..self }
    }

    /// What the run is made of where the last pass has counted games and positions.
    pub fn counted_header(&self) -> Option<Header> {
        self.counts.as_ref()?;
        let RowCounts { clusters, choices, .. } = self.row_counts();
        Some(Header {
            decisive: clusters.iter().sum(),
            held_out_games: clusters[1],
            positions: choices,
            ..self.header.clone()
        })
    }

    /// What the last pass has counted of rows.
    pub fn row_counts(&self) -> RowCounts {
        let counts =
            self.counts.as_ref().map(|counts| *counts.lock().unwrap_or_else(PoisonError::into_inner));
        counts.unwrap_or_default()
    }

    /// The passes written so far, those of an earlier part of the run included.
    pub fn passes(&self) -> Vec<Pass> {
        self.story().passes.clone()
    }

    fn story(&self) -> MutexGuard<'_, Story> {
        self.story.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a pass down; `fit` is the fit that led to it.
    pub fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        let number = pass.report.number;
        if number == 0 {
            self.files.remove_record()?;
        }
        self.start.write(&self.start.path(self.files, number), &pass.values, &self.remarks(pass))?;
        let mut story = self.story();
        story.passes.push(pass.clone());
        story.last_fit = fit.cloned();
        let digest = |values: &[f64]| Some(par::digest(&self.start.weights(values)?));
        counts::write(&self.files.games(), &story.passes, digest)?;
        self.write(&story)?;
        if number == 0 {
            self.files.remove_groups()?;
            self.files.remove_beyond(0)?;
        }
        Ok(())
    }

    /// What the runs without groups of games have come to so far.
    pub fn group_runs(&self) -> Result<GroupRuns> {
        GroupRuns::read(&self.files.groups(), &self.header, self.story().passes.len())
    }

    /// Writes down what they have come to.
    pub fn group_made(&self, runs: &GroupRuns) -> Result<()> {
        runs.write(&self.files.groups())
    }

    /// Whether the file has the standard errors of this very run already.
    pub fn has_errors(&self) -> Result<bool> {
        let record = RunRecord::read(self.files)?;
        Ok(record.has_errors() && record.header.options == self.header.options)
    }

    /// Marks the run as finished, and leaves nothing of a longer one behind. The standard errors are those
    /// given, of no pass where there are none, or those in the file. A cancelled run stays as it is.
    pub fn finish(&self, stopped: StopReason, errors: Option<&[Outcome]>) -> Result<()> {
        if stopped == StopReason::Cancelled {
            return Ok(());
        }
        let record = RunRecord::read(self.files)?;
        // What was counted before stands where nothing was counted again.
        let header = match &self.counts {
            Some(_) => Header { options: self.header.options.clone(), ..record.header },
            None => self.header.clone(),
        };
        let mut record = RunRecord { header, stopped: Some(stopped), ..record };
        if let Some(errors) = errors {
            record.set_errors(self.start.model(), errors);
        }
        record.write(self.files)?;
        self.files.remove_groups()?;
        self.files.remove_beyond(record.reports.len() as u32 - 1)
    }

    fn write(&self, Story { passes, last_fit }: &Story) -> Result<()> {
        let record = RunRecord {
            header: self.counted_header().unwrap_or_else(|| self.header.clone()),
            stopped: None,
            reports: passes.iter().map(|pass| pass.report.clone()).collect(),
            trends: Trends::new(self.start.model(), passes, last_fit.as_ref(), self.start.not_tuned()),
        };
        record.write(self.files)
    }

    fn remarks(&self, pass: &Pass) -> Vec<String> {
        let report = &pass.report;
        let names = self.header.games.iter().map(|games| Path::new(games).file_name().unwrap_or_default());
        let games: Vec<String> = names.map(|name| name.display().to_string()).collect();
        let mut remarks = vec![
            format!("{}, pass {} of texam fit", self.files.name, report.number),
            format!("games {}, sha256 {}", games.join(" and "), self.header.digest),
        ];
        let sets = [("fitted", Some(&report.fitted)), ("held out", report.held_out.as_ref())];
        if let Some(loss) = report.loss {
            let sets = [("fitted", Some(loss.fitted)), ("held out", loss.held_out)];
            for (name, loss) in sets.into_iter().filter_map(|(name, loss)| Some((name, loss?))) {
                remarks.push(format!("{name}: loss {:.6} +- {:.6}", loss.mean, loss.error));
            }
            let objective = self.header.objective();
            remarks.push(format!("objective {objective}, temperature {:.4}", loss.temperature));
        }
        for (name, agreement) in sets {
            if let Some(a) = agreement.filter(|_| report.criterion.has_choices()) {
                let by_match = format!("match {:.4} +- {}", a.match_rate(), error_text(a.match_error(), 4));
                let (by_rank, positions) = (a.mean_rank(), a.choices);
                remarks.push(format!("{name}: {by_match}, mean rank {by_rank:.4}, {positions} positions"));
            }
        }
        remarks
    }
}
