//! Writes the files of a run as it goes: the weights of each pass, and the `.stat` anew after each.
//!
//! Whoever observes a run calls it with each pass that was measured, and shows people what it likes.

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use texam_fit::{Fit, Pass, StopReason, svmrank::RowCounts};

use super::{Files, RunWeights, counts, read_record};
use crate::{
    error::Result,
    file,
    stat::{self, Header, State, Trends},
};

/// The files of a run with what is to stand in them.
pub struct Recorder<'a> {
    pub files: &'a Files,
    header: Header,
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

/// Follows the header of a `.stat`.
const FIRST_SECTION: &str = "\n[iterations]\n";

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

    /// The head of the `.stat` where the last pass has counted games and positions.
    pub fn counted_header(&self) -> Option<Header> {
        let counts = self.counts.as_ref()?;
        let RowCounts { clusters, choices, .. } = *counts.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Header {
            decisive: clusters.iter().sum(),
            held_out_games: clusters[1],
            positions: choices,
            ..self.header.clone()
        })
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
        self.start.write(&self.start.path(self.files, number), &pass.values, &self.remarks(pass))?;
        let mut story = self.story();
        story.passes.push(pass.clone());
        story.last_fit = fit.cloned();
        counts::write(&self.files.games(), &story.passes)?;
        self.write(&story, State::Unfinished)?;
        if number == 0 {
            self.files.remove_fits(|_| true)?;
            self.files.remove_beyond(0)?;
        }
        Ok(())
    }

    /// Marks the run as finished, and leaves nothing of a longer one behind.
    pub fn finish(&self, stopped: StopReason) -> Result<()> {
        if stopped == StopReason::Cancelled {
            return Ok(());
        }
        let story = self.story();
        let passes = story.passes.len();
        if passes == 1 || story.last_fit.is_some() {
            self.write(&story, State::Finished)?;
        } else {
            self.mark_finished()?;
        }
        self.files.remove_fits(|_| true)?;
        self.files.remove_beyond(passes as u32 - 1)
    }

    /// Marks a run as finished whose last pass was measured before it was gone on with: what its last fit had to tell
    /// is only in the file.
    fn mark_finished(&self) -> Result<()> {
        let path = self.files.stat();
        let header = match &self.counts {
            // Nothing was counted again, so the counts of the file stand.
            Some(_) => Header { options: self.header.options.clone(), ..read_record(&path)?.header },
            None => self.header.clone(),
        };
        let old = file::read_text(&path)?;
        let new = stat::format(&header, State::Finished, &[], &Trends::default());
        match (new.split_once(FIRST_SECTION), old.split_once(FIRST_SECTION)) {
            (Some((head, _)), Some((_, story))) => {
                file::write_whole(path, [head, FIRST_SECTION, story].concat().as_bytes())
            }
            _ => Ok(()),
        }
    }

    fn write(&self, Story { passes, last_fit }: &Story, state: State) -> Result<()> {
        let trends = Trends::new(self.start.model(), passes, last_fit.as_ref(), self.start.not_tuned());
        let header = self.counted_header();
        let header = header.as_ref().unwrap_or(&self.header);
        file::write_whole(self.files.stat(), stat::format(header, state, passes, &trends).as_bytes())
    }

    fn remarks(&self, pass: &Pass) -> Vec<String> {
        let report = &pass.report;
        let games = Path::new(&self.header.games).file_name().unwrap_or_default();
        let mut remarks = vec![
            format!("{}, pass {} of texam fit", self.files.name, report.number),
            format!("games {}, sha256 {}", games.display(), self.header.digest),
        ];
        let sets = [("fitted", Some(&report.fitted)), ("held out", report.held_out.as_ref())];
        if let Some(loss) = report.loss {
            let sets = [("fitted", Some(loss.fitted)), ("held out", loss.held_out)];
            for (name, loss) in sets.into_iter().filter_map(|(name, loss)| Some((name, loss?))) {
                remarks.push(format!("{name}: loss {:.6} +- {:.6}", loss.mean, loss.error));
            }
            remarks.push(format!(
                "objective {}, temperature {:.4}",
                self.header.objective(),
                loss.temperature
            ));
        }
        for (name, agreement) in sets {
            if let Some(a) = agreement.filter(|_| report.criterion.has_choices()) {
                remarks.push(format!(
                    "{name}: match {:.4} +- {:.4}, mean rank {:.4}, {} positions",
                    a.match_rate(),
                    a.match_error(),
                    a.mean_rank(),
                    a.positions
                ));
            }
        }
        remarks
    }
}
