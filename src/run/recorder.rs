//! Writes the files of a run as it goes: a `.par` for each pass, and the `.stat` anew after each.
//!
//! Called by whoever observes the tuner, with each pass it measured; what is shown to people is theirs.

use std::{path::Path, sync::Mutex};

use texam_fit::{Criterion, Fit, StopReason};

use super::Files;
use crate::{
    error::Result,
    file, par,
    stat::{self, Header, State},
    tuner::Pass,
};

/// The files of a run with what is to stand in them.
pub struct Recorder<'a> {
    files: &'a Files,
    header: &'a Header,
    passes: Mutex<Vec<Pass>>,
    last_fit: Mutex<Option<Fit>>,
}

/// Follows the header of a `.stat`.
const FIRST_SECTION: &str = "\n[iterations]\n";

const LOCK: &str = "no thread fails while it holds the lock";

/// Marks a run as finished whose last pass was measured before it was gone on with: what its last fit had to tell is
/// only in the file. The head of the file becomes `header`.
pub(super) fn mark_finished(path: &Path, header: &Header) -> Result<()> {
    let old = file::read_text(path)?;
    let new = stat::format(header, State::Finished, &[], None);
    match (new.split_once(FIRST_SECTION), old.split_once(FIRST_SECTION)) {
        (Some((head, _)), Some((_, story))) => {
            file::write_whole(path, [head, FIRST_SECTION, story].concat().as_bytes())
        }
        _ => Ok(()),
    }
}

impl<'a> Recorder<'a> {
    /// For a run that has made `passes` already. The caller holds the lock on its name.
    pub fn new(files: &'a Files, header: &'a Header, passes: Vec<Pass>) -> Recorder<'a> {
        Recorder { files, header, passes: Mutex::new(passes), last_fit: Mutex::new(None) }
    }

    /// The files.
    pub fn files(&self) -> &Files {
        self.files
    }

    /// The head of the `.stat`.
    pub fn header(&self) -> &Header {
        self.header
    }

    /// Passes written so far, those of an earlier part of the run included.
    pub fn passes(&self) -> usize {
        self.passes.lock().expect(LOCK).len()
    }

    /// The passes, those of an earlier part of the run included.
    pub fn into_passes(self) -> Vec<Pass> {
        self.passes.into_inner().expect(LOCK)
    }

    /// Writes a pass down; `fit` is the fit that led to it.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        par::write(self.files.par(pass.report.number), &pass.weights, &self.remarks(pass))?;
        self.passes.lock().expect(LOCK).push(pass.clone());
        *self.last_fit.lock().expect(LOCK) = fit.cloned();
        self.write(State::Unfinished)?;
        if pass.report.number == 0 {
            self.files.remove_fits(|_| true)?;
            self.files.remove_beyond(0)?;
        }
        Ok(())
    }

    /// Marks the run as finished, and leaves nothing of a longer one behind.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or removed.
    pub fn finish(&self, stopped: StopReason) -> Result<()> {
        if stopped == StopReason::Cancelled {
            return Ok(());
        }
        let passes = self.passes();
        let is_at_hand = passes == 1 || self.last_fit.lock().expect(LOCK).is_some();
        if is_at_hand {
            self.write(State::Finished)?;
        } else {
            mark_finished(&self.files.stat(), self.header)?;
        }
        self.files.remove_fits(|_| true)?;
        self.files.remove_beyond(passes as u32 - 1)
    }

    fn write(&self, state: State) -> Result<()> {
        let passes = self.passes.lock().expect(LOCK);
        let fit = self.last_fit.lock().expect(LOCK);
        file::write_whole(
            self.files.stat(),
            stat::format(self.header, state, &passes, fit.as_ref()).as_bytes(),
        )
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
            if let Some(a) = agreement.filter(|_| report.criterion == Criterion::Match) {
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
